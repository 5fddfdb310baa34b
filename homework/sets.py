"""Problem sets as their authors wrote them, solutions and hidden tests included: notebooks in nbgrader's form.

A set is a folder with one notebook of the same name, as `ps1/ps1.ipynb`. Question 2a is made of cells whose ids begin
with `2a_`: what students write, and tests that have points.
"""

import ast
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

WITHOUT = "without-pla_lib"  # tags a test for which hand-ins get a hollow library


def problem_sets(folder: Path) -> list[Path]:
    """The notebooks of the sets in a folder, in order."""
    found = [path for path in sorted(folder.glob("*/*.ipynb")) if path.stem == path.parent.name]
    if not found:
        sys.exit(f"There is no problem set in {folder}. A set is a folder with a notebook of its name: ps1/ps1.ipynb.")
    return found


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, 4)


def about(cell: NotebookNode) -> NotebookNode:
    """What nbgrader is told of a cell; empty for a cell that is only read."""
    return cell.metadata.get("nbgrader", NotebookNode())


def is_test(cell: NotebookNode) -> bool:
    return bool(cell.cell_type == "code" and about(cell).get("grade") and not about(cell).get("solution"))


def is_answer(cell: NotebookNode) -> bool:
    """Does a student write this cell?"""
    return bool(about(cell).get("solution"))


def is_setup(cell: NotebookNode) -> bool:
    """Is this a cell that students run and must not change?"""
    return bool(cell.cell_type == "code" and about(cell).get("locked") and not is_test(cell))


def question(grade_id: str) -> str:
    """The number of the question that a cell belongs to: 2a for 2a_distance and for 2a_distance_test."""
    return grade_id.partition("_")[0]


def points(notebook: NotebookNode) -> dict[str, float]:
    """The most points of every question, in order."""
    most = {}
    for cell in notebook.cells:
        if about(cell).get("grade"):
            number = question(about(cell).grade_id)
            most[number] = most.get(number, 0) + about(cell).points
    return most


def asked_for(notebook: NotebookNode) -> dict[str, ast.stmt]:
    """The names that students define and tests try, each with the author's definition."""
    tested = {question(about(cell).grade_id) for cell in filter(is_test, notebook.cells)}
    found = {}
    for cell in filter(is_answer, notebook.cells):
        if cell.cell_type == "code" and question(about(cell).grade_id) in tested:
            found |= {name: each for each in ast.parse(cell.source).body for name in _defined(each)}
    return found


def _defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
