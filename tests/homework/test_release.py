"""From problem sets to what students get: no trace of a solution, and the same file every time."""

import subprocess
import sys
from pathlib import Path
from shutil import copytree
from zipfile import ZipFile

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell

from homework.grader.problem_set import (
    find_problem_sets,
    grade_id,
    is_answer,
    is_test,
    points_by_question,
    question_number,
)
from homework.grader.release import release
from homework.grader.reports import open_gradebook
from tests import ROOT, SITE
from tests.homework.hand_ins import SAMPLE, TINY
from tests.homework.make import make


def lines_by_audience(problem_set: Path) -> tuple[set[str], str]:
    """The lines of solutions, hidden tests and model answers; and the text of all other lines."""
    secret, public = set(), []
    for cell in nbformat.read(problem_set, 4).cells:
        hidden = is_answer(cell) and cell.cell_type == "markdown"
        for line in cell.source.splitlines():
            if "### END" in line:
                hidden = False
            if not hidden:
                public.append(line)
            elif len(line.strip()) > 12:
                secret.add(line.strip())
            if "### BEGIN" in line:
                hidden = True
    return secret, "\n".join(public)


def leaks(text: str, problem_set: Path) -> set[str]:
    """The secret lines that a text shows; a line that students see elsewhere is no secret."""
    secret, public = lines_by_audience(problem_set)
    return {line for line in secret if line in text and line not in public}


def test_release_has_no_trace_of_solutions(released):
    folder = released.folder / "homework"
    for each in released.sets:
        assert len(lines_by_audience(each)[0]) > 5
        with ZipFile(folder / f"{each.stem}.zip") as archive:
            (name,) = archive.namelist()
            packed = archive.read(name).decode()
        loose = (folder / each.stem / each.name).read_text()
        assert packed == loose
        assert name == f"{each.stem}/{each.name}"
        notebook = nbformat.reads(packed, 4)
        sources = "\n".join(cell.source for cell in notebook.cells)
        assert leaks(sources, each) == set()
        assert "SOLUTION" not in packed
        assert "HIDDEN" not in packed
        assert "SECRET" not in packed
        assert "Rubric" not in packed
        for cell in notebook.cells:
            assert not cell.get("outputs")
            assert cell.get("execution_count") is None
            assert set(cell.metadata) <= {"nbgrader", "deletable", "editable", "tags"}
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        f"{each.stem}{ending}" for each in released.sets for ending in ("", ".zip")
    )


def test_site_offers_the_sets_without_a_trace_of_solutions(released):
    sets = find_problem_sets(ROOT / "homework" / "source")
    page = BeautifulSoup((SITE / "book" / "homework.html").read_text(encoding="utf-8"), "html.parser")
    for each in sets:
        links = [link["href"] for link in page.select("a[download]") if each.stem in link["href"]]
        offered = [f"homework/{each.stem}/{each.name}", f"homework/{each.stem}.zip"]
        assert links == [f"../{path}" for path in offered]
        for path in offered:
            assert (SITE / path).read_bytes() == (released.folder / path).read_bytes()
        title = nbformat.read(each, 4).cells[0].source.splitlines()[0].lstrip("# ")
        assert title in page.get_text()
        assert leaks(page.get_text(), each) == set()
    offered = {path.name for path in (SITE / "homework").rglob("*") if path.is_file()}
    assert offered == {f"{each.stem}{ending}" for each in sets for ending in (".ipynb", ".zip")}


def test_a_planted_leak_is_found(released):
    for each in released.sets:
        secret, public = lines_by_audience(each)
        line = next(line for line in sorted(secret) if line not in public)
        assert leaks(f"before\n    {line}  # after", each) == {line}


def test_stubs_fail_and_name_their_question(released):
    for each in released.sets:
        for cell in nbformat.read(released.folder / "homework" / each.stem / each.name, 4).cells:
            if is_answer(cell) and cell.cell_type == "code":
                number = question_number(grade_id(cell))
                assert f'raise NotImplementedError("Question {number} is open' in cell.source
            if is_test(cell):
                assert cell.source.strip(), f"{grade_id(cell)} has no visible check"


def test_course_folder_is_one_that_nbgrader_knows(released):
    names = {each.stem for each in released.sets}
    command = [Path(sys.executable).with_name("nbgrader"), "db", "assignment", "list"]
    listed = subprocess.run(command, cwd=released.folder / "course", capture_output=True, text=True, check=True)
    assert names <= set(listed.stdout.replace("(", " ").split()), listed.stdout
    with open_gradebook(released.folder / "course") as book:
        points = {each.name: each.max_score for each in book.assignments}
    assert points == {each.stem: sum(points_by_question(nbformat.read(each, 4)).values()) for each in released.sets}


def test_make_homework_releases_private_sets_and_the_same_set_gives_the_same_file(released, tmp_path):
    printed = make("homework", f"HOMEWORK={SAMPLE}", f"BUILD={tmp_path}")
    packed, notebook = Path("homework", "tiny.zip"), Path("homework", "tiny", "tiny.ipynb")
    assert str(tmp_path / packed) in printed
    for path in (packed, notebook):
        assert (tmp_path / path).read_bytes() == (released.folder / path).read_bytes()


def test_set_that_cannot_be_released_is_refused(released, tmp_path):
    notebook = nbformat.read(TINY, 4)
    notebook.cells.append(new_code_cell("### BEGIN SOLUTION\n1\n### END SOLUTION"))
    path = tmp_path / "tiny" / "tiny.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)
    copytree(released.folder / "course", tmp_path / "build" / "course")  # making a gradebook takes nbgrader seconds
    with pytest.raises(SystemExit, match="Solution region detected in a non-solution cell"):
        release([path], tmp_path / "build")
