"""Grade one hand-in: its cells run in a sandbox, and the tests run here, on the plain data that the sandbox returns.

The tests are always the author's, never those in the hand-in. In the tests, each name that a student was to define
stands for what the sandbox answers. A hand-in can return anything, but it takes no part in the comparison.
"""

import ast
import time
from contextlib import contextmanager, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook, new_output

from homework.grader.hand_in import Unreadable, find_hand_in, merge_cells, read_hand_in
from homework.grader.problem_set import (
    WITHOUT_LIBRARY,
    grade_id,
    is_graded_by_hand,
    is_setup,
    is_test,
    question_number,
    read_notebook,
    settings,
    tested_names,
)
from homework.grader.sandbox import START_SECONDS, Sandbox, SandboxEnded
from homework.grader.wire_format import pack, unpack
from pla_lib import checks

HAND_IN_SECONDS = 240  # for a whole hand-in
CELL_SECONDS, CALL_SECONDS = 20, 8
GRACE_SECONDS = 5  # for a cell or a call to stop by itself; then its process is stopped
MAX_STARTS = 12  # of a hand-in that ends its own process
SELF_EXPLAINING = ("NotImplementedError", "LibraryCalled", "Stopped")  # errors whose message says it all


class Commands(NamedTuple):
    """How to start the sandbox with the whole library, and with the stub."""

    library: list[str]
    stub: list[str]


class Stopped(BaseException):
    """Ends a test with a reason. Not an Exception, so that the test does not take it for an error in the answer."""


class RunningHandIn:
    """The cells of a hand-in in a sandbox. A cell that ends the process is left out of the next start."""

    def __init__(self, command: list[str], cells: list[str], deadline: float):
        self.command, self.cells, self.deadline = command, cells, deadline
        self.outcomes: list[dict | None] = [None] * len(cells)
        self.left_out: set[int] = set()
        self.starts = 0
        self.sandbox: Sandbox | None = None

    def started(self) -> Sandbox:
        """The sandbox, after every cell that can run has run."""
        while self.sandbox is None:
            self.starts += 1
            if self.starts > MAX_STARTS or time.monotonic() > self.deadline:
                raise Stopped("The hand-in had to be stopped too often, or it took too long.")
            kept = [k for k in range(len(self.cells)) if k not in self.left_out]
            sandbox = Sandbox(self.command, [self.cells[k] for k in kept], self.deadline, CELL_SECONDS, CALL_SECONDS)
            cell = None
            try:
                sandbox.receive(START_SECONDS)
                for cell in kept:
                    self.outcomes[cell] = sandbox.receive(CELL_SECONDS + GRACE_SECONDS)
            except SandboxEnded as ended:
                if cell is not None:
                    self.outcomes[cell] = {"error": ["Stopped", f"This cell was stopped: {ended}."]}
                    self.left_out.add(cell)
            else:
                self.sandbox = sandbox
        return self.sandbox

    def ask(self, name: str, *arguments, call: bool = False):
        """The value of a name, or what the function of that name returns."""
        request = {"name": name} | ({"arguments": pack(arguments)} if call else {})
        sandbox = self.started()
        try:
            sandbox.send(request)
            reply = sandbox.receive(CALL_SECONDS + GRACE_SECONDS)
            if "value" in reply:
                return unpack(reply["value"])
        except (SandboxEnded, ValueError) as ended:
            sandbox.stop()
            self.sandbox = None
            raise Stopped(f"The hand-in was stopped while {name} was tested: {ended}.") from None
        if "not_plain" in reply:
            raise Stopped(
                f"{name} is or returns {reply['not_plain']}; an answer is made of numbers, strings, lists and arrays."
            )
        if "error" in reply:
            kind, message = _kind_and_message(reply["error"])
            raise Stopped(message) if kind in SELF_EXPLAINING else type(kind, (Exception,), {})(message)
        raise Stopped(f"{name} is not defined.")

    def stop(self) -> None:
        if self.sandbox:
            self.sandbox.stop()


def grade_hand_in(folder: Path, student: str, problem_set: Path, released: Path, commands: Commands) -> dict:
    """Grade the hand-in in a student's folder: points and reasons by cell, notes, and the notebook as it ran."""
    source, stubs = read_notebook(problem_set), read_notebook(released)
    notes = []
    try:
        path = find_hand_in(folder, problem_set)
        cells = merge_cells(read_hand_in(path).cells, source, stubs)
        if path.name != problem_set.name:
            notes.append(f"Handed in as {path.name}.")
        points, reasons = _run_cells_and_tests(cells, source, student, commands, notes)
    except Exception as error:  # one hand-in, however strange, must not keep the others from being graded
        unexpected = f"This hand-in could not be graded ({type(error).__name__}: {error}); have a look at it."
        notes = [str(error) if isinstance(error, Unreadable) else unexpected]
        cells = merge_cells([], source, stubs)
        points = {grade_id(cell): 0 for cell in filter(is_test, source.cells)}
        reasons = dict.fromkeys(points, notes[0])
    stub_sources = {grade_id(cell): cell.source for cell in stubs.cells}
    for cell in cells:
        cell.id = new_code_cell().id  # a hand-in may have the same id twice
        name = grade_id(cell)
        if is_test(cell) and name in reasons:
            cell.outputs = [new_output("error", ename="Graded", evalue=reasons[name], traceback=[reasons[name]])]
        if is_graded_by_hand(cell):
            answered = cell.source.strip() != stub_sources[name].strip()
            points[name] = None if answered else 0  # None: still to be graded by hand
            if not answered:
                reasons[name] = "No answer."
    notebook = new_notebook(cells=cells, metadata=source.metadata)
    return {"points": points, "reasons": reasons, "notes": notes, "notebook": notebook}


def _run_cells_and_tests(
    cells: list[NotebookNode], source: NotebookNode, student: str, commands: Commands, notes: list[str]
) -> tuple[dict, dict]:
    """Run the cells with the library, and again with its stub where a test asks for that; then every test."""
    deadline = time.monotonic() + HAND_IN_SECONDS
    code_cells = [cell for cell in cells if cell.cell_type == "code" and not is_test(cell)]
    sources = [cell.source for cell in code_cells]
    with_library = RunningHandIn(commands.library, sources, deadline)
    with_stub = RunningHandIn(commands.stub, sources, deadline)
    try:
        try:
            with_library.started()
            _note_another_name(with_library, student, notes)
        except Stopped as stopped:
            notes.append(str(stopped))
        # What a set prints for its students is of no use here.
        with redirect_stdout(StringIO()), _seconds_for_a_check(HAND_IN_SECONDS):
            points, reasons = run_tests(source, run_setup(source, student), with_library, with_stub, code_cells)
    finally:
        with_library.stop()
        with_stub.stop()
    for cell, outcome in zip(code_cells, with_library.outcomes, strict=True):
        cell.outputs = _notebook_outputs(outcome or {"error": ["Stopped", "This cell was not reached."]})
    return points, reasons


@contextmanager
def _seconds_for_a_check(seconds: float):
    """Exercises get a few seconds for each call. Here the sandbox limits the time, and a call may have to start it."""
    usual, checks.PATIENCE = checks.PATIENCE, seconds
    try:
        yield
    finally:
        checks.PATIENCE = usual


def run_setup(source: NotebookNode, student: str) -> dict:
    """The names that the set defines for this student: its imports and data."""
    names = {"STUDENT": student, "__name__": "tests"}
    for cell in filter(is_setup, source.cells):
        exec(compile(cell.source, grade_id(cell), "exec"), names)
    return names


def run_tests(
    source: NotebookNode,
    names: dict,
    with_library: RunningHandIn,
    with_stub: RunningHandIn,
    code_cells: list[NotebookNode],
) -> tuple[dict, dict]:
    """Points of every test, and reasons where there are none, from what the running hand-in answers."""
    asked = tested_names(source)
    points, reasons = {}, {}
    for cell in filter(is_test, source.cells):
        running = with_stub if WITHOUT_LIBRARY in cell.metadata.get("tags", []) else with_library
        test = grade_id(cell)
        used = {node.id for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)}
        try:
            for name in used & asked.keys():
                is_function = isinstance(asked[name], ast.FunctionDef)
                names[name] = partial(running.ask, name, call=True) if is_function else running.ask(name)
            exec(compile(cell.source, test, "exec"), names)
            points[test] = settings(cell).points
        except (Exception, Stopped) as failure:
            points[test] = 0
            reasons[test] = _reason(failure, running, question_number(test), code_cells)
    return points, reasons


def _reason(failure: BaseException, running: RunningHandIn, number: str, code_cells: list[NotebookNode]) -> str:
    """Why a test gives no points, in a sentence; where an answer is missing, why it is."""
    reason = str(failure) or type(failure).__name__
    if not isinstance(failure, AssertionError | Stopped):
        reason = f"The test cannot use what the hand-in returns: {type(failure).__name__}: {reason}"
    if isinstance(failure, Stopped) and reason.endswith("is not defined."):
        for cell, outcome in zip(code_cells, running.outcomes, strict=True):
            error = (outcome or {}).get("error")
            if question_number(grade_id(cell) or "") == number and error:
                kind, message = _kind_and_message(error)
                return message if kind in SELF_EXPLAINING else f"{reason} Its cell stops with {kind}: {message}"
    return reason


def _note_another_name(running: RunningHandIn, student: str, notes: list[str]) -> None:
    """A hand-in is graded on the data of the student whose folder it is in, whatever name the notebook gives."""
    try:
        claimed = running.ask("STUDENT")
    except Stopped:
        return notes.append("The notebook does not say whose it is.")
    if not isinstance(claimed, str) or claimed.strip().lower() != student.strip().lower():
        notes.append(f"The notebook says STUDENT = {claimed!r}; it was graded on the data of {student!r}, its owner.")


def _notebook_outputs(outcome: dict) -> list[NotebookNode]:
    """The outputs of a cell in a notebook's form; anything malformed is left out."""
    outputs = []
    sent = outcome.get("outputs")
    for each in sent if isinstance(sent, list) else []:
        if isinstance(each, dict) and isinstance(each.get("text"), str):
            outputs.append(new_output("stream", name="stdout", text=each["text"]))
        elif isinstance(each, dict) and isinstance(each.get("png"), str):
            outputs.append(new_output("display_data", data={"image/png": each["png"]}))
    if error := outcome.get("error"):
        kind, message = _kind_and_message(error)
        outputs.append(new_output("error", ename=kind, evalue=message, traceback=[f"{kind}: {message}"]))
    return outputs


def _kind_and_message(error) -> tuple[str, str]:
    """The class name and the message of an error, whatever the sandbox sent as one."""
    kind, message = error if isinstance(error, list) and len(error) == 2 else ("Error", error)
    return (kind if isinstance(kind, str) and kind.isidentifier() else "Error"), str(message)[:1000]
