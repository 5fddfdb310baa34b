"""From problem sets to grades, by the commands that an instructor types."""

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import grade
import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_output
from reports import gradebook
from sets import about, is_answer, is_test, problem_sets

from tests import ROOT, SITE
from tests.homework.hand_ins import SAMPLE, TINY, hand_in, needs_sandbox, submit
from tests.site_checks import LAPTOP, PHONE, faults_in_browser


def make(verb: str, *settings: str, fails: bool = False) -> str:
    """Call a verb of the Makefile, without its set-up; gives what it says."""
    done = [f"--old-file=.venv/{name}" for name in ("base", "homework", "sandbox")]
    here = f"BIN={Path(sys.executable).parent}"
    command = ["make", "--silent", *done, here, verb, *settings]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (result.returncode != 0) == fails, result.stdout + result.stderr
    return result.stdout + result.stderr


def table(folder: Path, name: str = "tiny") -> dict[str, dict]:
    with (folder / "reports" / name / "points.csv").open(newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Some good and some bad hand-ins, and what `make grade` said of them."""
    folder = tmp_path_factory.mktemp("grading")
    hand_ins, grades = folder / "hand-ins", folder / "grades"
    submit(hand_ins, "ada", hand_in(TINY, "ada"))
    submit(hand_ins, "bob", hand_in(TINY, "bob", **{"1_half": "def half(x):\n    return 2 * x"}))
    submit(
        hand_ins,
        "eve",
        hand_in(TINY, "eve", **{"2_middle": "import os\nos.kill(-1, 9)\nos._exit(1)"}),
        "tiny/tiny.ipynb",
    )
    submit(hand_ins, "zoë O'Neil, 2", "{broken")
    said = make("grade", f"SUBMISSIONS={hand_ins}", f"HOMEWORK={SAMPLE}", f"GRADES={grades}", "PS=tiny")
    return hand_ins, grades, said


@needs_sandbox
def test_table_has_the_points_of_every_question(graded):
    rows = table(graded[1])
    asked = ["1", "2", "3", "4"]
    assert {name: [float(row[q]) for q in asked] for name, row in rows.items()} == {
        "ada": [3, 2, 3, 0],
        "bob": [0, 2, 3, 0],
        "eve": [3, 0, 3, 0],
        "zoë O'Neil, 2": [0, 0, 0, 0],
    }
    assert [row["by hand still open"] for row in rows.values()] == ["4", "4", "4", ""]
    assert rows["ada"]["total"] == "8.0"
    assert "cannot be read as a notebook" in rows["zoë O'Neil, 2"]["notes"]
    with (graded[1] / "reports/tiny/lms.csv").open(newline="", encoding="utf-8") as file:
        header, possible, first, *_ = csv.reader(file)
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "tiny"]
    assert possible[0].strip() == "Points Possible"
    assert (possible[-1], first[3], first[-1]) == ("10", "ada", "8.0")


@needs_sandbox
def test_progress_is_shown(graded):
    assert "4/4" in graded[2]
    assert "summary.html" in graded[2]


@needs_sandbox
@pytest.mark.parametrize("size", [LAPTOP, PHONE])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_pages_are_whole_and_accessible(graded, browser, size, colours):
    from book.serve import serving

    with serving(graded[1] / "reports" / "tiny") as address:
        for page in ("summary.html", "feedback/bob.html", "feedback/zo%C3%AB%20O%27Neil%2C%202.html"):
            assert faults_in_browser(browser, f"{address}/{page}", size=size, colours=colours) == [], page


@needs_sandbox
def test_feedback_says_why_and_shows_no_hidden_test(graded):
    page = (graded[1] / "reports/tiny/feedback/bob.html").read_text()
    assert "5 of 10 points" in page
    assert "the answer is [4.0, 8.0]; it should be [1.0, 2.0]" in page
    assert "return 2 * x" in page
    assert "expect(" not in page
    assert "Rubric" not in page
    summary = (graded[1] / "reports/tiny/summary.html").read_text()
    assert summary.index(">4</th>") > summary.index(">1</th>")  # what waits for points by hand stands last
    assert "Rubric" in summary


@needs_sandbox
def test_again_gives_the_same_and_marks_only_what_changed(graded, tmp_path):
    hand_ins, grades, _ = graded
    shutil.copytree(hand_ins, tmp_path / "in")
    shutil.copytree(grades, tmp_path / "out")
    settings = f"SUBMISSIONS={tmp_path / 'in'}", f"HOMEWORK={SAMPLE}", f"GRADES={tmp_path / 'out'}"
    before = table(grades)
    ran = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "autograded").rglob("*.ipynb")}
    # As if it had been stopped after three, with the fourth half written.
    outcome = tmp_path / "out" / "outcomes" / "tiny" / "eve.json"
    outcome.rename(outcome.with_suffix(".part"))
    submit(tmp_path / "in", "bob", hand_in(TINY, "bob"))
    make("grade", *settings)
    after = table(tmp_path / "out")
    assert after.pop("bob")["total"] == "8.0"
    assert after == {name: row for name, row in before.items() if name != "bob"}
    again = {path.parents[1].name for path, time in ran.items() if path.stat().st_mtime_ns != time}
    assert again == {"bob", "eve"}


@needs_sandbox
def test_points_by_hand_are_kept_and_added(graded, tmp_path):
    hand_ins, grades, _ = graded
    shutil.copytree(grades, tmp_path / "out")
    with gradebook(tmp_path / "out") as book:  # as the formgrader does it
        grade = book.find_grade("4_why", "tiny", "tiny", "ada")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        book.find_comment("4_why", "tiny", "tiny", "ada").manual_comment = "Say what <b>happens</b> to w."
        book.db.commit()
    make("grade", f"SUBMISSIONS={hand_ins}", f"HOMEWORK={SAMPLE}", f"GRADES={tmp_path / 'out'}")
    row = table(tmp_path / "out")["ada"]
    assert (row["4"], row["total"], row["by hand still open"]) == ("1.5", "9.5", "")
    page = (tmp_path / "out/reports/tiny/feedback/ada.html").read_text()
    assert "Say what &lt;b&gt;happens&lt;/b&gt; to w." in page


def test_wrong_input_is_told(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd" / "=1+1").mkdir(parents=True)

    def refused(hand_ins: str, *names: str) -> str:
        with pytest.raises(SystemExit) as ended:
            grade.main(SAMPLE, tmp_path / hand_ins, tmp_path / "out", list(names), unsafe=False)
        return str(ended.value)

    assert "There is no folder" in refused("nowhere")
    assert "There is no hand-in" in refused("empty")
    assert "cannot be ids of students; rename them: ['=1+1']" in refused("odd")
    assert re.search(r"There is no set ps9 in .*; there are tiny\.", refused("odd", "ps9"))
    assert not (tmp_path / "out").exists()
    with pytest.raises(SystemExit, match="There is no problem set in"):
        problem_sets(tmp_path)
    assert "Say where the hand-ins are: make grade SUBMISSIONS=folder" in make("grade", fails=True)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """What `make homework` writes, of the sample sets and of a private one whose notebook has been run."""
    from release import release

    folder = tmp_path_factory.mktemp("released")
    private = nbformat.read(TINY, 4)
    for cell in private.cells:
        if cell.cell_type == "code":
            cell.execution_count = 7
            cell.outputs = [new_output("stream", text=f"SECRET {cell.source}")]
    place = folder / "private" / "tiny" / "tiny.ipynb"
    place.parent.mkdir(parents=True)
    nbformat.write(private, place)
    sets = [*problem_sets(ROOT / "homework" / "source"), place]
    release(sets, folder)
    return folder, sets


def secrets(problem_set: Path) -> set[str]:
    """The lines that students must not see: of solutions, of hidden tests, of model answers."""
    found = set()
    for cell in nbformat.read(problem_set, 4).cells:
        hidden = is_answer(cell) and cell.cell_type == "markdown"
        for line in cell.source.splitlines():
            if "### END" in line:
                hidden = False
            if hidden and len(line.strip()) > 12:
                found.add(line.strip())
            if "### BEGIN" in line:
                hidden = True
    return found


def told(problem_set: Path) -> str:
    """What students may see, and what a secret may therefore repeat."""
    shown = []
    for cell in nbformat.read(problem_set, 4).cells:
        hidden = is_answer(cell) and cell.cell_type == "markdown"
        for line in cell.source.splitlines():
            hidden = (hidden or "### BEGIN" in line) and "### END" not in line
            shown += [line] if not hidden else []
    return "\n".join(shown)


def leaks(text: str, problem_set: Path) -> set[str]:
    open_to_all = told(problem_set)
    return {line for line in secrets(problem_set) if line in text and line not in open_to_all}


def test_release_has_no_trace_of_solutions(released):
    folder, sets = released
    for each in sets:
        assert len(secrets(each)) > 5
        with ZipFile(folder / "homework" / f"{each.stem}.zip") as archive:
            (name,) = archive.namelist()
            packed = archive.read(name).decode()
        loose = (folder / "homework" / each.stem / each.name).read_text()
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
    assert sorted(path.name for path in (folder / "homework").iterdir()) == sorted(
        f"{each.stem}{ending}" for each in sets for ending in ("", ".zip")
    )


def test_site_offers_the_sets_without_a_trace_of_solutions(released):
    sets = problem_sets(ROOT / "homework" / "source")
    page = BeautifulSoup((SITE / "book" / "homework.html").read_text(encoding="utf-8"), "html.parser")
    for each in sets:
        links = [link["href"] for link in page.select("a[download]") if each.stem in link["href"]]
        assert links == [f"../homework/{each.stem}/{each.name}", f"../homework/{each.stem}.zip"]
        for link in links:
            offered = (SITE / "book" / link).resolve()
            assert (
                offered.read_bytes() == (released[0] / "homework" / offered.relative_to(SITE / "homework")).read_bytes()
            )
        title = nbformat.read(each, 4).cells[0].source.splitlines()[0].lstrip("# ")
        assert title in page.get_text()
        assert leaks(page.get_text(), each) == set()
    offered = {path.name for path in (SITE / "homework").rglob("*") if path.is_file()}
    assert offered == {f"{each.stem}{ending}" for each in sets for ending in (".ipynb", ".zip")}


def test_a_planted_leak_is_found(released):
    _, sets = released
    for each in sets:
        for secret in secrets(each):
            if secret not in told(each):
                assert leaks(f"before\n    {secret}  # after", each) == {secret}
                break
        else:
            pytest.fail(f"{each.name} has no secret")


def test_stubs_fail_and_name_their_question(released):
    folder, sets = released
    for each in sets:
        for cell in nbformat.read(folder / "homework" / each.stem / each.name, 4).cells:
            if is_answer(cell) and cell.cell_type == "code":
                number = about(cell).grade_id.split("_")[0]
                assert f'raise NotImplementedError("Question {number} is open' in cell.source
            if is_test(cell):
                assert cell.source.strip(), f"{about(cell).grade_id} has no visible check"


def test_same_set_gives_the_same_file(released, tmp_path):
    from release import release

    folder, sets = released
    (path,) = release(sets[-1:], tmp_path)
    assert path.read_bytes() == (folder / "homework" / path.name).read_bytes()


def test_course_folder_is_one_that_nbgrader_knows(released):
    folder, sets = released
    command = [Path(sys.executable).with_name("nbgrader"), "list", "--help"]
    assert subprocess.run(command, capture_output=True).returncode == 0
    with gradebook(folder / "course") as book:
        assert {each.name for each in book.assignments} == {each.stem for each in sets}
        for each in book.assignments:
            assert each.max_score == 40 or each.name == "tiny"


def test_private_sets_are_released_by_the_same_command(tmp_path):
    said = make("homework", f"HOMEWORK={SAMPLE}", f"BUILD={tmp_path}")
    assert str(tmp_path / "homework" / "tiny.zip") in said
    assert (tmp_path / "homework" / "tiny" / "tiny.ipynb").exists()


def test_set_that_cannot_be_released_is_told(tmp_path):
    from release import release

    notebook = nbformat.read(TINY, 4)
    notebook.cells.append(new_code_cell("### BEGIN SOLUTION\n1\n### END SOLUTION"))
    place = tmp_path / "tiny" / "tiny.ipynb"
    place.parent.mkdir(parents=True)
    nbformat.write(notebook, place)
    with pytest.raises(SystemExit, match="Solution region detected in a non-solution cell"):
        release([place], tmp_path / "build")
