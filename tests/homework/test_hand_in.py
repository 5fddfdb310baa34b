"""Which notebook in a student's folder is the hand-in, and what becomes of one that is broken, changed or missing."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from homework.grader.problem_set import grade_id, is_test, settings
from tests.homework.hand_ins import DOUBLE, FULL_MARKS, TINY, hand_in, needs_sandbox, points_of_tests, submit

pytestmark = pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")

BROKEN = {
    "cut off": ('{"cells": [', "cannot be read as a notebook"),
    "no notebook": ("def half(x): ...", "cannot be read as a notebook"),
    "another form": (
        '{"cells": 5, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
        "cannot be read as a notebook",
    ),
    "no cells": ('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', "has no cells"),
    "nested too deep": ("[" * 100_000, "cannot be read as a notebook"),
    "strange ids": (
        '{"cells": [{"cell_type": "code", "id": "a", "execution_count": null, "outputs": [], "source": "1", '
        '"metadata": {"nbgrader": {"grade_id": ["a"]}}}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
        "cannot be read as a notebook",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_broken_notebook_gets_nothing_with_a_reason(grade, fault):
    text, words = BROKEN[fault]
    outcome = grade(text)
    assert set(outcome["points"].values()) == {0}
    assert words in outcome["notes"][0]
    assert words in outcome["reasons"]["1_half_test"]


def test_file_that_is_missing_or_there_twice(grade_folder, tmp_path):
    (tmp_path / "none").mkdir()
    submit(tmp_path, "other", new_notebook(cells=[new_code_cell("1")]), "holiday.ipynb")
    for name in ("a.ipynb", "b.ipynb"):
        submit(tmp_path, "twice", hand_in(TINY), name)
    notes = {student: grade_folder(tmp_path / student)["notes"] for student in ("none", "other", "twice")}
    assert notes == {
        "none": ["tiny.ipynb is missing from the hand-in: there is no notebook."],
        "other": ["tiny.ipynb is missing from the hand-in: there is only holiday.ipynb."],
        "twice": ["The hand-in has more than one candidate: a.ipynb, b.ipynb. Hand in one, called tiny.ipynb."],
    }


@needs_sandbox
def test_renamed_file_is_found_by_its_cells(grade_folder, tmp_path):
    submit(tmp_path, "renamed", hand_in(TINY, student="renamed"), "Tiny final (1).ipynb")
    outcome = grade_folder(tmp_path / "renamed")
    assert outcome["notes"] == ["Handed in as Tiny final (1).ipynb."]
    assert points_of_tests(outcome) == FULL_MARKS


def test_link_to_the_work_of_another_is_not_followed(grade_folder, tmp_path):
    submit(tmp_path, "ada", hand_in(TINY))
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "tiny.ipynb").symlink_to(tmp_path / "ada" / "tiny.ipynb")
    (tmp_path / "mallory").symlink_to(tmp_path / "ada")
    outcome = grade_folder(tmp_path / "eve")
    assert outcome["notes"] == ["tiny.ipynb is missing from the hand-in: there is no notebook."]


@needs_sandbox
def test_tests_in_the_hand_in_do_not_matter(grade):
    """Deleted, edited or doubled: the author's tests are run."""
    kept = hand_in(TINY, **{"1_half": DOUBLE})
    deleted, edited, doubled = (nbformat.from_dict(kept) for _ in range(3))
    deleted.cells = [cell for cell in kept.cells if not is_test(cell)]
    edited.cells = [new_code_cell("pass", metadata=cell.metadata) if is_test(cell) else cell for cell in kept.cells]
    doubled.cells = [*edited.cells, *kept.cells]
    for notebook in (deleted, edited, doubled):
        assert points_of_tests(grade(notebook)) == FULL_MARKS | {"1_half_test": 0}


@needs_sandbox
def test_points_written_into_the_notebook_do_not_matter(grade):
    notebook = hand_in(TINY, **{"1_half": DOUBLE})
    for cell in notebook.cells:
        if settings(cell):
            cell.metadata.nbgrader |= {"points": 1000, "grade": True, "solution": True, "checksum": "0" * 32}
    assert points_of_tests(grade(notebook)) == FULL_MARKS | {"1_half_test": 0}


@needs_sandbox
def test_setup_is_put_back_where_it_was_deleted(grade):
    notebook = hand_in(TINY)
    notebook.cells = [cell for cell in notebook.cells if grade_id(cell) != "0_setup"]
    assert points_of_tests(grade(notebook)) == FULL_MARKS


@needs_sandbox
def test_an_answer_whose_cell_is_deleted_is_open(grade):
    notebook = hand_in(TINY)
    notebook.cells = [cell for cell in notebook.cells if grade_id(cell) != "1_half"]
    outcome = grade(notebook)
    assert points_of_tests(outcome) == FULL_MARKS | {"1_half_test": 0}
    assert outcome["reasons"]["1_half_test"].startswith("Question 1 is open")


@needs_sandbox
def test_notebook_of_fifty_megabytes_is_graded(grade):
    notebook = hand_in(TINY, last="1")
    notebook.cells[-1].outputs = [new_output("stream", text="x" * 50_000_000)]
    outcome = grade(notebook)
    assert points_of_tests(outcome) == FULL_MARKS
    assert len(nbformat.writes(outcome["notebook"])) < 100_000


@needs_sandbox
def test_photograph_of_a_proof_reaches_its_reader(grade):
    notebook = hand_in(TINY)
    photograph = {"proof.png": {"image/png": "aGVsbG8="}}
    notebook.cells[-1].source, notebook.cells[-1].attachments = "![](attachment:proof.png)", photograph
    assert grade(notebook)["notebook"].cells[-1].attachments == photograph
