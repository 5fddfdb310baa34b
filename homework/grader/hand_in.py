"""Find and read the notebook that a student handed in, and put it back into the form of its problem set."""

from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from homework.grader.problem_set import grade_id, is_answer, read_notebook

MAX_NOTEBOOK = 100 << 20  # bytes
MAX_CELL = 200_000  # characters


class Unreadable(ValueError):
    """There is no notebook to grade; the message says why."""


def find_hand_in(folder: Path, problem_set: Path) -> Path:
    """The notebook for a set in a student's folder: the one with its name, or else the one with its cells."""
    notebooks = [path for path in sorted(folder.rglob("*.ipynb")) if ".ipynb_checkpoints" not in path.parts]
    notebooks = [path for path in notebooks if path.is_file() and path.resolve().is_relative_to(folder.resolve())]
    named = [path for path in notebooks if path.name == problem_set.name]
    candidates = named or [path for path in notebooks if _has_cells_of(problem_set, path)]
    names = ", ".join(str(path.relative_to(folder)) for path in (candidates or notebooks)[:5])
    if len(candidates) > 1:
        raise Unreadable(f"The hand-in has more than one candidate: {names}. Hand in one, called {problem_set.name}.")
    if not candidates:
        there = f"there is only {names}" if notebooks else "there is no notebook"
        raise Unreadable(f"{problem_set.name} is missing from the hand-in: {there}.")
    return candidates[0]


def _has_cells_of(problem_set: Path, path: Path) -> bool:
    expected = {grade_id(cell) for cell in read_notebook(problem_set).cells} - {None}
    try:
        present = {grade_id(cell) for cell in read_hand_in(path).cells}
    except Unreadable:
        return False
    return 2 * len(expected & present) > len(expected)


def read_hand_in(path: Path) -> NotebookNode:
    if path.stat().st_size > MAX_NOTEBOOK:
        size = path.stat().st_size >> 20
        raise Unreadable(f"{path.name} has {size} MB, but {MAX_NOTEBOOK >> 20} MB is the limit. Clear its outputs.")
    try:
        notebook = nbformat.reads(path.read_text(encoding="utf-8"), 4)
        for cell in notebook.cells:
            if not isinstance(grade_id(cell), str | None) or not isinstance(cell.source, str):
                raise TypeError
    except Exception as error:  # whatever goes wrong here, the file is at fault
        raise Unreadable(f"{path.name} cannot be read as a notebook: {type(error).__name__}.") from None
    if not notebook.cells:
        raise Unreadable(f"{path.name} has no cells.")
    return notebook


def merge_cells(handed_in: Iterable[NotebookNode], source: NotebookNode, released: NotebookNode) -> list[NotebookNode]:
    """The student's answers and extra cells; every other cell as the author wrote it, and none missing."""
    authored = {grade_id(cell): cell for cell in source.cells if grade_id(cell)}
    stubs = {grade_id(cell): cell for cell in released.cells if grade_id(cell)}
    students = [(grade_id(cell), cell) for cell in handed_in if len(cell.source) <= MAX_CELL]
    missing = [name for name in authored if name not in {name for name, _ in students}]
    order = list(authored)
    cells, seen = [], set()

    def add(name: str) -> None:
        cells.append(deepcopy(stubs[name] if is_answer(authored[name]) else authored[name]))
        seen.add(name)

    for name, cell in students:
        if name not in authored:
            new_cell = new_code_cell if cell.cell_type == "code" else new_markdown_cell
            cells.append(new_cell(str(cell.source)))
            continue
        while missing and order.index(missing[0]) < order.index(name):
            add(missing.pop(0))
        if name in seen and not is_answer(authored[name]):
            continue
        add(name)
        if is_answer(authored[name]):
            cells[-1].source = str(cell.source)
            if cells[-1].cell_type == "markdown" and isinstance(cell.get("attachments"), dict):
                cells[-1].attachments = cell.attachments  # a proof may be a photograph of paper
    for name in missing:
        add(name)
    return cells
