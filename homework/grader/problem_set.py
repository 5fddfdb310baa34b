"""Problem sets as their authors wrote them, with solutions and hidden tests: notebooks in nbgrader's format.

A set is a folder that holds a notebook of the same name, such as `ps1/ps1.ipynb`. The cells of question 2a have ids
that begin with `2a_`: the cells that students fill in, and the tests that give points.
"""

import ast
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

WITHOUT_LIBRARY = "without-pla_lib"  # the tag of a test that runs hand-ins with the library stub


def find_problem_sets(folder: Path) -> list[Path]:
    """The notebooks of the sets in a folder, in order."""
    notebooks = [path for path in sorted(folder.glob("*/*.ipynb")) if path.stem == path.parent.name]
    if not notebooks:
        sys.exit(f"There is no problem set in {folder}. A set is a folder with a notebook of its name: ps1/ps1.ipynb.")
    return notebooks


def read_notebook(path: Path) -> NotebookNode:
    return nbformat.read(path, 4)


def settings(cell: NotebookNode) -> NotebookNode:
    """nbgrader's settings of a cell; empty for a cell that is only read."""
    return cell.metadata.get("nbgrader", NotebookNode())


def grade_id(cell: NotebookNode) -> str | None:
    return settings(cell).get("grade_id")


def is_test(cell: NotebookNode) -> bool:
    return bool(cell.cell_type == "code" and settings(cell).get("grade") and not is_answer(cell))


def is_answer(cell: NotebookNode) -> bool:
    """Whether students fill in this cell."""
    return bool(settings(cell).get("solution"))


def is_graded_by_hand(cell: NotebookNode) -> bool:
    return bool(settings(cell).get("grade") and is_answer(cell))


def is_setup(cell: NotebookNode) -> bool:
    """Whether students run this cell but must not change it."""
    return bool(cell.cell_type == "code" and settings(cell).get("locked") and not is_test(cell))


def question_number(grade_id: str) -> str:
    """The question that a cell belongs to: 2a for `2a_distance` and for `2a_distance_test`."""
    return grade_id.partition("_")[0]


def points_by_question(notebook: NotebookNode) -> dict[str, float]:
    """The maximum points of every question, in order."""
    points = {}
    for cell in notebook.cells:
        if settings(cell).get("grade"):
            number = question_number(grade_id(cell))
            points[number] = points.get(number, 0) + settings(cell).points
    return points


def tested_names(notebook: NotebookNode) -> dict[str, ast.stmt]:
    """The names that students define and tests use, each with the author's definition."""
    tested = {question_number(grade_id(cell)) for cell in filter(is_test, notebook.cells)}
    names = {}
    for cell in filter(is_answer, notebook.cells):
        if cell.cell_type == "code" and question_number(grade_id(cell)) in tested:
            names |= {name: each for each in ast.parse(cell.source).body for name in _names_defined_by(each)}
    return names


def defined_names(source: str) -> set[str]:
    """The names that a cell defines; none if it cannot be parsed. Lines for IPython (%, !) do not count."""
    lines = ["pass" if line.startswith(("%", "!")) else line for line in source.splitlines()]
    try:
        return {name for each in ast.parse("\n".join(lines)).body for name in _names_defined_by(each)}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _names_defined_by(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
