"""Hand-ins for the tests of the grader, made from a problem set by changing what a student writes."""

import os
import re
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from homework.grader.problem_set import grade_id, is_answer
from homework.grader.sandbox import refusal
from tests import ROOT

SAMPLE = ROOT / "tests" / "homework" / "sample"
TINY = SAMPLE / "tiny" / "tiny.ipynb"
FULL_MARKS = {"1_half_test": 3, "2_middle_test": 2, "3_distances_test": 3}  # of the tests in TINY
DOUBLE = "def half(x):\n    return 2 * x"  # a wrong answer to its first question
# At a desk without bubblewrap these tests cannot run, and the grader refuses to; automation must have it.
_refusal = None if "CI" in os.environ else refusal()
needs_sandbox = pytest.mark.skipif(_refusal is not None, reason=str(_refusal).partition("\n")[0])


def hand_in(problem_set: Path, student: str = "ada", last: str | None = None, **answers: str) -> NotebookNode:
    """The author's solution as a student hands it in, with other answers in some cells, and an own cell at the end."""
    notebook = nbformat.read(problem_set, 4)
    answers = {"0_student": f"STUDENT = {student!r}"} | answers
    for cell in notebook.cells:
        cell.source = re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", cell.source, flags=re.DOTALL)
        if is_answer(cell) and cell.cell_type == "markdown":
            cell.source = "An answer in words."
        cell.source = answers.get(grade_id(cell), cell.source)
    if last is not None:
        notebook.cells.append(new_code_cell(last))
    return notebook


def submit(folder: Path, student: str, notebook: NotebookNode | str | bytes, name: str = "tiny.ipynb") -> Path:
    """Put a hand-in where the grader finds it."""
    path = folder / student / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = nbformat.writes(notebook) if isinstance(notebook, NotebookNode) else notebook
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def points_of_tests(outcome: dict) -> dict:
    """The points of the tests in TINY, without those given by hand."""
    return {name: points for name, points in outcome["points"].items() if name in FULL_MARKS}
