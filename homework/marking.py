"""Mark one hand-in: its cells run in a sandbox, the tests here, on the plain data that come out of it.

The tests are the author's, never those in the hand-in. In them the names that a student was to define stand for what
the sandbox answers, so a hand-in can say what it likes but compare nothing.
"""

import ast
import time
from collections.abc import Iterable
from contextlib import redirect_stdout
from copy import deepcopy
from functools import partial
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from plain_data import pack, unpack
from sandbox import Ended, Sandbox
from sets import WITHOUT, about, asked_for, is_answer, is_setup, is_test, question, read

from pla_lib import checks

SECONDS = 240  # for one hand-in, all in all
CELL_SECONDS, CALL_SECONDS = 20, 8
GRACE = 5  # seconds, before a run that does not stop by itself is stopped
STARTS = 12  # how often a hand-in that ends its own process is started again
LARGEST = 100 << 20  # bytes of a notebook
LONGEST = 200_000  # characters of a cell
OPEN = ("NotImplementedError", "CalledPlaLib")  # errors whose words say all: nothing was done, or not by the student


class Stopped(BaseException):
    """Ends a test with a reason. Not an Exception, so that the test does not take it for one of the student's."""


class Unreadable(ValueError):
    """There is no notebook to mark; says why."""


class Running:
    """A hand-in that runs. What ends its process is left out when it is started again."""

    def __init__(self, start: list[str], cells: list[str], deadline: float):
        self.start, self.cells, self.deadline = start, cells, deadline
        self.outcomes: list[dict | None] = [None] * len(cells)
        self.left_out: set[int] = set()
        self.starts = 0
        self.sandbox: Sandbox | None = None

    def ready(self) -> Sandbox:
        """The sandbox, with all cells run that can be."""
        while self.sandbox is None:
            self.starts += 1
            if self.starts > STARTS or time.monotonic() > self.deadline:
                raise Stopped("The hand-in was stopped too often, or took too long in all.")
            kept = [k for k in range(len(self.cells)) if k not in self.left_out]
            run = Sandbox(self.start, [self.cells[k] for k in kept], self.deadline, CELL_SECONDS, CALL_SECONDS)
            cell = None
            try:
                run.hear(60)
                for cell in kept:
                    self.outcomes[cell] = run.hear(CELL_SECONDS + GRACE)
            except Ended as end:
                if cell is not None:
                    self.outcomes[cell] = {"error": ["Stopped", str(end)]}
                    self.left_out.add(cell)
            else:
                self.sandbox = run
        return self.sandbox

    def ask(self, name: str, *arguments, call: bool = False):
        """The value of a name, or what its function returns."""
        request = {"name": name} | ({"arguments": pack(arguments)} if call else {})
        run = self.ready()
        try:
            run.tell(request)
            reply = run.hear(CALL_SECONDS + GRACE)
            if "value" in reply:
                return unpack(reply["value"])
        except (Ended, ValueError) as end:
            run.end()
            self.sandbox = None
            raise Stopped(f"When {name} was tried, the hand-in was stopped: {end}.") from None
        if "not_plain" in reply:
            raise Stopped(f"{name} gives {reply['not_plain']}; numbers, words, lists and arrays are asked for.")
        if "error" in reply:
            kind, words = _told(reply["error"])
            raise Stopped(words) if kind in OPEN else type(kind, (Exception,), {})(words)
        raise Stopped(f"{name} is not defined.")

    def end(self) -> None:
        if self.sandbox:
            self.sandbox.end()


def find(folder: Path, problem_set: Path) -> Path:
    """The notebook of a set in a student's folder: the one of its name, or else the one that has its cells."""
    inside = [path for path in sorted(folder.rglob("*.ipynb")) if ".ipynb_checkpoints" not in path.parts]
    inside = [path for path in inside if path.is_file() and path.resolve().is_relative_to(folder.resolve())]
    named = [path for path in inside if path.name == problem_set.name]
    found = named or [path for path in inside if _has_cells_of(problem_set, path)]
    names = ", ".join(str(path.relative_to(folder)) for path in (found or inside)[:5])
    if len(found) > 1:
        raise Unreadable(f"More than one notebook could be meant: {names}. Hand in one, called {problem_set.name}.")
    if not found:
        there = f"there is {names}" if inside else "there is no notebook"
        raise Unreadable(f"{problem_set.name} is missing from the hand-in: {there}.")
    return found[0]


def _has_cells_of(problem_set: Path, path: Path) -> bool:
    wanted = {about(cell).get("grade_id") for cell in read(problem_set).cells} - {None}
    try:
        there = {about(cell).get("grade_id") for cell in open_notebook(path).cells}
    except Unreadable:
        return False
    return 2 * len(wanted & there) > len(wanted)


def open_notebook(path: Path) -> NotebookNode:
    if path.stat().st_size > LARGEST:
        size = path.stat().st_size >> 20
        raise Unreadable(f"{path.name} has {size} MB; {LARGEST >> 20} are allowed. Clear its outputs.")
    try:
        notebook = nbformat.reads(path.read_text(encoding="utf-8"), 4)
        for cell in notebook.cells:
            if not isinstance(about(cell).get("grade_id"), str | None) or not isinstance(cell.source, str):
                raise TypeError
    except Exception as error:  # whatever is wrong with the file, it is the file that is wrong
        raise Unreadable(f"{path.name} cannot be read as a notebook: {type(error).__name__}.") from None
    if not notebook.cells:
        raise Unreadable(f"{path.name} has no cells.")
    return notebook


def merged(handed_in: Iterable[NotebookNode], source: NotebookNode, released: NotebookNode) -> list[NotebookNode]:
    """The student's cells, with every cell that is not theirs as the author wrote it, and none missing."""
    ours = {about(cell).grade_id: cell for cell in source.cells if about(cell).get("grade_id")}
    stubs = {about(cell).grade_id: cell for cell in released.cells if about(cell).get("grade_id")}
    theirs = [(about(cell).get("grade_id"), cell) for cell in handed_in if len(cell.source) <= LONGEST]
    missing = [name for name in ours if name not in {name for name, _ in theirs}]
    order = list(ours)
    cells, seen = [], set()

    def add(name: str) -> None:
        cells.append(deepcopy(stubs[name] if is_answer(ours[name]) else ours[name]))
        seen.add(name)

    for name, cell in theirs:
        if name not in ours:
            new = new_code_cell if cell.cell_type == "code" else new_markdown_cell
            cells.append(new(str(cell.source)))
            continue
        while missing and order.index(missing[0]) < order.index(name):
            add(missing.pop(0))
        if name in seen and not is_answer(ours[name]):
            continue
        add(name)
        if is_answer(ours[name]):
            cells[-1].source = str(cell.source)
            if cells[-1].cell_type == "markdown" and isinstance(cell.get("attachments"), dict):
                cells[-1].attachments = cell.attachments  # a proof may be a photograph of paper
    for name in missing:
        add(name)
    return cells


def mark(folder: Path, student: str, problem_set: Path, released: Path, start: SimpleNamespace) -> dict:
    """What a hand-in gets: points and reasons by cell, notes, and the notebook as it ran."""
    source, stubs = read(problem_set), read(released)
    notes = []
    try:
        path = find(folder, problem_set)
        cells = merged(open_notebook(path).cells, source, stubs)
        if path.name != problem_set.name:
            notes.append(f"Handed in as {path.name}.")
        points, reasons = _try(cells, source, student, start, notes)
    except Exception as why:  # one hand-in, however strange, must not keep the others from being marked
        strange = f"The hand-in could not be marked ({type(why).__name__}: {why}); have a look at it."
        notes = [str(why) if isinstance(why, Unreadable) else strange]
        cells = merged([], source, stubs)
        points = {about(cell).grade_id: 0 for cell in filter(is_test, source.cells)}
        reasons = dict.fromkeys(points, notes[0])
    for cell in cells:
        cell.id = nbformat.v4.new_code_cell().id  # a hand-in may have an id twice
        name = about(cell).get("grade_id")
        if is_test(cell) and name in reasons:
            cell.outputs = [new_output("error", ename="Marked", evalue=reasons[name], traceback=[reasons[name]])]
        if about(cell).get("grade") and is_answer(cell):
            answered = cell.source.strip() != _source_of(stubs, name).strip()
            points[name] = None if answered else 0  # points by hand, unless there is nothing to mark
            if not answered:
                reasons[name] = "No answer."
    notebook = new_notebook(cells=cells, metadata=source.metadata)
    return {"points": points, "reasons": reasons, "notes": notes, "notebook": notebook}


def _try(cells: list, source: NotebookNode, student: str, start: SimpleNamespace, notes: list) -> tuple[dict, dict]:
    """Run the cells, with the whole library and for some tests with a hollow one; then every test."""
    deadline = time.monotonic() + SECONDS
    run = [cell for cell in cells if cell.cell_type == "code" and not is_test(cell)]
    sources = [cell.source for cell in run]
    whole, hollow = Running(start.whole, sources, deadline), Running(start.hollow, sources, deadline)
    try:
        try:
            whole.ready()
            _note_the_name(whole, student, notes)
        except Stopped as why:
            notes.append(str(why))
        # What a set shows its students is not news here; and the sandbox has limits of its own on time.
        with redirect_stdout(StringIO()), patch.object(checks, "PATIENCE", SECONDS):
            points, reasons = test(source, prepared(source, student), whole, hollow, run)
    finally:
        whole.end()
        hollow.end()
    for cell, outcome in zip(run, whole.outcomes, strict=True):
        cell.outputs = _outputs(outcome or {"error": ["Stopped", "this cell was not reached"]})
    return points, reasons


def prepared(source: NotebookNode, student: str) -> dict:
    """The names that the set prepares for this student: its imports and data."""
    space = {"STUDENT": student, "__name__": "tests"}
    for cell in filter(is_setup, source.cells):
        exec(compile(cell.source, about(cell).grade_id, "exec"), space)
    return space


def test(source: NotebookNode, space: dict, whole: Running, hollow: Running, run: list) -> tuple[dict, dict]:
    """Points and reasons of every test, on what the running hand-in answers."""
    names = asked_for(source)
    points, reasons = {}, {}
    for cell in filter(is_test, source.cells):
        running = hollow if WITHOUT in cell.metadata.get("tags", []) else whole
        name = about(cell).grade_id
        used = {node.id for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)}
        try:
            for answer in used & names.keys():
                is_function = isinstance(names[answer], ast.FunctionDef)
                space[answer] = partial(running.ask, answer, call=True) if is_function else running.ask(answer)
            exec(compile(cell.source, name, "exec"), space)
            points[name] = about(cell).points
        except (Exception, Stopped) as failure:
            points[name] = 0
            reasons[name] = _reason(failure, running, question(name), run)
    return points, reasons


def _reason(failure: BaseException, running: Running, number: str, run: list) -> str:
    """Why there are no points, in a sentence; where an answer is not there, why it is not."""
    said = str(failure) or type(failure).__name__
    if not isinstance(failure, AssertionError | Stopped):
        said = f"What the hand-in gives cannot be used: {type(failure).__name__}: {said}"
    if isinstance(failure, Stopped) and said.endswith("is not defined."):
        for cell, outcome in zip(run, running.outcomes, strict=True):
            error = (outcome or {}).get("error")
            if question(about(cell).get("grade_id", "")) == number and error:
                kind, words = _told(error)
                return words if kind in OPEN else f"{said} Its cell stops with {kind}: {words}"
    return said


def _note_the_name(whole: Running, student: str, notes: list) -> None:
    """The data of the student whose folder it is count, whatever the notebook says."""
    try:
        claimed = whole.ask("STUDENT")
    except Stopped:
        return notes.append("The notebook names no student.")
    if not isinstance(claimed, str) or claimed.strip().lower() != student.strip().lower():
        notes.append(f"The notebook says STUDENT = {claimed!r}; the hand-in came from {student!r}, whose data count.")


def _outputs(outcome: dict) -> list:
    """The outputs of a cell, as a notebook has them; what does not have the right form is left out."""
    outputs = []
    shown = outcome.get("outputs")
    for each in shown if isinstance(shown, list) else []:
        if isinstance(each, dict) and isinstance(each.get("text"), str):
            outputs.append(new_output("stream", name="stdout", text=each["text"]))
        elif isinstance(each, dict) and isinstance(each.get("png"), str):
            outputs.append(new_output("display_data", data={"image/png": each["png"]}))
    if error := outcome.get("error"):
        kind, words = _told(error)
        outputs.append(new_output("error", ename=kind, evalue=words, traceback=[f"{kind}: {words}"]))
    return outputs


def _told(error) -> tuple[str, str]:
    """The name and the words of an error, whatever the sandbox sent for it."""
    kind, words = error if isinstance(error, list) and len(error) == 2 else ("Error", error)
    return (kind if isinstance(kind, str) and kind.isidentifier() else "Error"), str(words)[:1000]


def _source_of(notebook: NotebookNode, grade_id: str) -> str:
    return next(cell.source for cell in notebook.cells if about(cell).get("grade_id") == grade_id)
