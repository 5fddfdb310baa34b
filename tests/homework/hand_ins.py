"""Hand-ins for the tests of the grader, made from a problem set by changing what a student writes."""

import os
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from sandbox import refusal
from sets import about, is_answer

from tests import ROOT

SAMPLE = ROOT / "tests" / "homework" / "sample"
TINY = SAMPLE / "tiny" / "tiny.ipynb"
# At a desk without bubblewrap such tests cannot run, and the command refuses to; automation must have it.
needs_sandbox = pytest.mark.skipif(
    "CI" not in os.environ and bool(refusal(ROOT / "pla_lib")), reason="bubblewrap cannot be used here"
)


def hand_in(problem_set: Path, student: str = "ada", last: str | None = None, **answers: str) -> NotebookNode:
    """The author's solution with other answers in some cells, and a cell of the student's own at the end."""
    notebook = nbformat.read(problem_set, 4)
    answers = {"0_student": f"STUDENT = {student!r}"} | answers
    for cell in notebook.cells:
        if is_answer(cell) and cell.cell_type == "markdown":
            cell.source = "An answer in words."
        cell.source = answers.get(about(cell).get("grade_id"), cell.source)
    if last is not None:
        notebook.cells.append(new_code_cell(last))
    return notebook


def submit(folder: Path, student: str, notebook: NotebookNode | str, name: str = "tiny.ipynb") -> Path:
    """Put a hand-in where the grader finds it."""
    place = folder / student / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(notebook if isinstance(notebook, str) else nbformat.writes(notebook), encoding="utf-8")
    return place
