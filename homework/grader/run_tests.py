"""Grade one hand-in: its cells run in a sandbox, and the tests run here, on the plain data that the sandbox returns.

The tests are always the author's, never those in the hand-in. In the tests, each name that a student was to define
stands for what the sandbox answers. A hand-in can return anything, but it takes no part in the comparison.

Here is still no place for surprises: `grading_process` runs all of this in a process with limits of its own.
"""

import ast
import re
import traceback
import unicodedata
from contextlib import contextmanager, nullcontext, redirect_stdout
from functools import partial
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from homework.grader.hand_in import Cell, Unreadable, find_hand_in, merge_cells, read_hand_in
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
from homework.grader.sandbox import START_SECONDS, Limits, Sandbox, SandboxEnded
from homework.grader.sanitiser import answer_html, clean_picture, clean_text
from homework.grader.wire_format import pack, unpack
from pla_lib import checks

LIMITS = Limits()
MAX_STARTS = 12  # of a hand-in that ends its own process
MAX_MESSAGES = 50  # about one cell
MAX_REASON = 2_000  # characters of a reason or a note
MAX_TEXT = 10_000  # characters of one output
MAX_STORED = 10_000_000  # characters of all outputs of a hand-in
HIDDEN = "### BEGIN HIDDEN TESTS"
SAVED = "[This cell was stopped. What follows is what the notebook showed when it was handed in.]"
OPEN_QUESTION = re.compile(r"Question \w{1,10} is open: write your code here, then run this cell again\.")
LIBRARY_CALLED = re.compile(r"[\w.]{1,100} of pla_lib is used here, but this task asks for your own code")


class Packages(NamedTuple):
    """The folders of the whole library and of its stub, and whether hand-ins run without a sandbox."""

    library: Path
    stub: Path
    unsafe: bool = False


class Stopped(BaseException):
    """Ends a test with a reason. Not an Exception, so that the test does not take it for an error in the answer."""


class Undefined(Stopped):
    """The hand-in does not define a name that a test needs."""


class RunningHandIn:
    """The cells of a hand-in in a sandbox. A cell that ends the process is left out of the next start."""

    def __init__(self, package: Path, cells: list[str], limits: Limits, unsafe: bool = False, hollow: bool = False):
        self.package, self.cells, self.limits, self.unsafe = package, cells, limits, unsafe
        self.hollow = hollow  # without the library a statement that needs it fails, and the run goes on after it
        self.outcomes: list[dict | None] = [None] * len(cells)
        self.left_out: set[int] = set()
        self.starts = self.requests = 0
        self.seconds_left = limits.hand_in_seconds
        self.timed_out = False
        self.last_answer: tuple | None = None  # the name that was asked last, and its value
        self.sandbox: Sandbox | None = None

    def started(self) -> Sandbox:
        """The sandbox, after every cell that can run has run."""
        while self.sandbox is None:
            self.starts += 1
            if self.starts > MAX_STARTS:
                raise Stopped("The hand-in had to be stopped too often.")
            kept = [k for k in range(len(self.cells)) if k not in self.left_out]
            job = {
                "cells": [self.cells[k] for k in kept],
                "cell_seconds": self.limits.cell_seconds,
                "call_seconds": self.limits.call_seconds,
                "statement_by_statement": self.hollow,
            }
            sandbox = Sandbox(self.package, job, self.limits, self.unsafe)
            cell = None
            try:
                self._receive(sandbox, START_SECONDS)
                for cell in kept:
                    self.outcomes[cell] = self._outcome(sandbox)
            except SandboxEnded as ended:
                if cell is not None:
                    message = f"This cell was stopped: {ended}."
                    self.outcomes[cell] = {"outputs": [], "error": {"kind": "Stopped", "message": message}}
                    self.left_out.add(cell)
            else:
                self.sandbox = sandbox
        return self.sandbox

    def _receive(self, sandbox: Sandbox, seconds: float) -> dict:
        """The next message, and the time it took taken off what the hand-in has."""
        if self.seconds_left <= 0:
            sandbox.stop()
            self.timed_out = True
            raise Stopped(f"The hand-in took more than its {self.limits.hand_in_seconds:g} seconds.")
        before = sandbox.spent
        try:
            return sandbox.receive(seconds)
        except SandboxEnded as ended:
            self.timed_out |= ended.timed_out
            raise
        finally:
            self.seconds_left -= sandbox.spent - before

    def _outcome(self, sandbox: Sandbox) -> dict:
        """What one cell showed, and the error that ended it."""
        outputs = []
        for _ in range(MAX_MESSAGES):
            message = self._receive(sandbox, self.limits.cell_seconds + self.limits.grace_seconds)
            if "output" not in message:
                error = _error(message.get("error"))
                self.timed_out |= bool(error) and error["kind"] == "OutOfTime"
                return {"outputs": outputs, "error": error}
            outputs.append(message["output"])
        return sandbox.stop("its answer cannot be read")

    def ask(self, name: str, *arguments, call: bool = False):
        """The value of a name, or what the function of that name returns."""
        sandbox = self.started()
        self.requests += 1
        request = {"id": self.requests, "name": name} | ({"arguments": pack(arguments)} if call else {})
        try:
            sandbox.send(request)
            reply = self._receive(sandbox, self.limits.call_seconds + self.limits.grace_seconds)
            if reply.get("id") != self.requests:
                raise ValueError("its answers do not belong to the questions")
            if "value" in reply:
                value = unpack(reply["value"])
                self.last_answer = name, value
                return value
        except (SandboxEnded, ValueError) as ended:
            sandbox.stop()
            self.sandbox = None
            raise Stopped(f"The hand-in was stopped while {name} was tested: {ended}.") from None
        if "not_plain" in reply:
            what = clean_text(str(reply["not_plain"]), 300)
            raise Stopped(f"{name} is or returns {what}; an answer is made of numbers, strings, lists and arrays.")
        if "error" in reply:
            raise self._failure(name, _error(reply["error"]))
        raise Undefined(f"{name} is not defined.")

    def _failure(self, name: str, error: dict) -> BaseException:
        """The error of an answer, for the test: the student's words stand in quotation marks."""
        if error["kind"] == "OutOfTime":
            self.timed_out = True
            return Stopped(f"{name} did not finish within {self.limits.call_seconds:g} seconds of computing time.")
        if known := _graders_words(error):
            return Stopped(known)
        return type(error["kind"], (Exception,), {})(f"“{error['message']}”")

    def stop(self) -> None:
        if self.sandbox:
            self.sandbox.stop()


def grade_hand_in(
    folder: Path,
    student: str,
    problem_set: Path,
    released: Path,
    packages: Packages,
    limits: Limits = LIMITS,
    failed: dict[str, str] | None = None,
    guard=nullcontext,
) -> dict:
    """Grade the hand-in in a student's folder: points and reasons by cell, notes, and the notebook as it ran.

    failed : tests that are not tried again, each with the reason
    guard : a context manager that limits the time of a step; it gets the name of the step or test
    """
    source, stubs = read_notebook(problem_set), read_notebook(released)
    notes: list[str] = []
    try:
        with guard("reading"):
            path = find_hand_in(folder, problem_set, stubs, notes)
            cells = merge_cells(read_hand_in(path, notes), source, stubs, notes)
        graded = _run_cells_and_tests(cells, source, student, packages, limits, failed or {}, guard, notes)
        points, reasons, outcomes, timed_out = graded
        with guard("reporting"):
            return _result(source, stubs, cells, points, reasons, notes, outcomes, timed_out)
    except Unreadable as error:
        return nothing_graded(source, stubs, str(error))
    except Exception as error:  # one hand-in, however strange, must not keep the others from being graded
        return nothing_graded(source, stubs, f"{type(error).__name__}: {error}", look=True)


def nothing_graded(source: NotebookNode, stubs: NotebookNode, why: str, look: bool = False) -> dict:
    """The result of a hand-in without grades: no notebook to read, or, with `look`, a fault that an instructor sees."""
    note = f"This hand-in could not be graded; have a look at it. ({why})" if look else why
    points = {grade_id(cell): 0 for cell in filter(is_test, source.cells)}
    cells = merge_cells([], source, stubs, [])
    result = _result(source, stubs, cells, points, dict.fromkeys(points, note), [note], {}, False)
    if look:  # nothing is known about the answers that are graded by hand: they wait for a reader
        by_hand = [grade_id(cell) for cell in filter(is_graded_by_hand, source.cells)]
        result["points"] |= dict.fromkeys(by_hand)
        result["reasons"] |= dict.fromkeys(by_hand, note)
        result["answers"] = {}
    return result | {"look": look}


def _result(
    source: NotebookNode,
    stubs: NotebookNode,
    cells: list[Cell],
    points: dict,
    reasons: dict,
    notes: list[str],
    outcomes: dict[int, dict | None],
    timed_out: bool,
) -> dict:
    """What is stored of a hand-in. Nothing in it is longer than it may be, and all of it is safe to show."""
    stub_sources = {grade_id(cell): cell.source.strip() for cell in stubs.cells}
    authored = {grade_id(cell): cell for cell in source.cells if grade_id(cell)}
    answers: dict[str, str] = {}
    for cell in cells:
        name = cell.grade_id
        if name and is_graded_by_hand(authored[name]):
            answered = cell.source.strip() not in ("", stub_sources[name])
            points[name] = None if answered else 0  # None: still to be graded by hand
            if not answered:
                reasons[name] = "No answer."
            number = question_number(name)
            own = [(c.source, c.attachments) for c in cells if question_number(c.grade_id or "") == number]
            answers[name] = sha256(repr(own).encode()).hexdigest()
    reasons = {name: clean_text(reason, MAX_REASON) for name, reason in reasons.items()}
    return {
        "points": points,
        "reasons": reasons,
        "notes": [clean_text(note, MAX_REASON) for note in notes],
        "answers": answers,
        "timed_out": timed_out,
        "look": False,
        "notebook": _safe_notebook(source, authored, cells, reasons, outcomes),
    }


def _safe_notebook(
    source: NotebookNode, authored: dict, cells: list[Cell], reasons: dict, outcomes: dict[int, dict | None]
) -> NotebookNode:
    """The hand-in as it ran, in a form that does no harm in a browser."""
    stored = []
    left = MAX_STORED
    for cell in cells:
        if cell.kind == "markdown":
            text = answer_html(cell.source, cell.attachments) if cell.by_student else cell.source
            stored.append(new_markdown_cell(text))
        else:
            stored.append(new_code_cell(clean_text(cell.source, len(cell.source))))
        if cell.grade_id:
            stored[-1].metadata = authored[cell.grade_id].metadata
        if cell.grade_id in reasons and is_test(authored[cell.grade_id]):
            reason = reasons[cell.grade_id]
            stored[-1].outputs = [new_output("error", ename="Graded", evalue=reason, traceback=[reason])]
        elif id(cell) in outcomes and left > 0:
            stored[-1].outputs = _notebook_outputs(outcomes[id(cell)], cell.saved_outputs)
            left -= sum(len(str(output)) for output in stored[-1].outputs)
    return new_notebook(cells=stored, metadata=source.metadata)


def _run_cells_and_tests(
    cells: list[Cell],
    source: NotebookNode,
    student: str,
    packages: Packages,
    limits: Limits,
    failed: dict[str, str],
    guard,
    notes: list[str],
) -> tuple[dict, dict, dict, bool]:
    """Run the cells and the tests: first those without the library, then, when that run has ended, all others.

    The two runs are never there at the same time, so that the one with the library cannot help the other.
    """
    tests = {grade_id(cell) for cell in filter(is_test, source.cells)}
    code_cells = [cell for cell in cells if cell.kind == "code" and cell.grade_id not in tests]
    sources = [cell.source for cell in code_cells]
    points, reasons, timed_out = {}, {}, False
    # What a set prints for its students is of no use here.
    with redirect_stdout(StringIO()), _seconds_for_a_check(10 * limits.hand_in_seconds):
        names = run_setup(source, student)
        for hollow in (True, False):
            package = packages.stub if hollow else packages.library
            running = RunningHandIn(package, sources, limits, packages.unsafe, hollow)
            try:
                if not hollow:
                    try:
                        running.started()
                        _note_another_name(running, student, notes)
                    except Stopped as stopped:
                        notes.append(str(stopped))
                more = run_tests(source, names, running, code_cells, failed, guard)
            finally:
                running.stop()
            notes += _notes_on_cells(code_cells, running, {question_number(test) for test in more[0]})
            points, reasons, timed_out = points | more[0], reasons | more[1], timed_out | running.timed_out
    outcomes = {id(cell): outcome for cell, outcome in zip(code_cells, running.outcomes, strict=True)}
    in_order = [grade_id(cell) for cell in filter(is_test, source.cells)]
    return (
        {test: points[test] for test in in_order},
        {test: reasons[test] for test in in_order if test in reasons},
        outcomes,
        timed_out,
    )


def _notes_on_cells(code_cells: list[Cell], running: RunningHandIn, questions: set[str]) -> list[str]:
    """What a student should know about the way in which the cells ran."""
    errors = [(cell, (outcome or {}).get("error")) for cell, outcome in zip(code_cells, running.outcomes, strict=True)]
    errors = [(cell, error) for cell, error in errors if error]
    if running.hollow:
        numbers = {question_number(cell.grade_id or "") for cell, error in errors if error["kind"] == "LibraryCalled"}
        passed_over = "statements that use pla_lib were passed over, because this question asks for your own code"
        return [f"Question {number}: {passed_over}." for number in sorted(numbers & questions)]
    stopped = [cell for cell, error in errors if error["kind"] in ("Stopped", "OutOfTime")]
    if not stopped:
        return []
    kept = " What the notebook showed when it was handed in is kept." if any(c.saved_outputs for c in stopped) else ""
    cells = "A cell" if len(stopped) == 1 else f"{len(stopped)} cells"
    return [f"{cells} did not run to the end; the feedback says why below the code.{kept}"]


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
    running: RunningHandIn,
    code_cells: list[Cell],
    failed: dict[str, str] | None = None,
    guard=nullcontext,
) -> tuple[dict, dict]:
    """Points of every test that belongs to this run, and reasons where there are none."""
    asked, failed = tested_names(source), failed or {}
    points, reasons = {}, {}
    for cell in filter(is_test, source.cells):
        test = grade_id(cell)
        if (WITHOUT_LIBRARY in cell.metadata.get("tags", [])) != running.hollow:
            continue
        if test in failed:
            points[test], reasons[test] = 0, failed[test]
            continue
        used = {node.id for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)}
        running.last_answer = None
        try:
            for name in sorted(used & asked.keys()):
                is_function = isinstance(asked[name], ast.FunctionDef)
                names[name] = partial(running.ask, name, call=True) if is_function else running.ask(name)
            with guard(test):
                exec(compile(cell.source, test, "exec"), names)
            points[test] = settings(cell).points
        except (Exception, Stopped) as failure:
            points[test] = 0
            reason = _reason(failure, running, question_number(test), code_cells)
            if _line_in_test(failure, test) > _lines_to_see(cell.source):
                reason = f"The check in the notebook passes. A hidden test does not: {reason}"
            reasons[test] = reason
    return points, reasons


def _lines_to_see(source: str) -> int:
    """The number of lines of a test that students have in their notebook."""
    lines = source.splitlines()
    return next((number for number, line in enumerate(lines) if line.strip() == HIDDEN), len(lines))


def _line_in_test(failure: BaseException, test: str) -> int:
    """The line of the test cell in which a test failed; 0 if it failed before its first line."""
    frames = traceback.extract_tb(failure.__traceback__)
    return next((frame.lineno for frame in frames if frame.filename == test and frame.name == "<module>"), 0)


def _reason(failure: BaseException, running: RunningHandIn, number: str, code_cells: list[Cell]) -> str:
    """Why a test gives no points, in a sentence that a student can act on."""
    if isinstance(failure, Undefined):
        return _why_undefined(running, number, code_cells, str(failure))
    if isinstance(failure, AssertionError | Stopped) and str(failure):
        return str(failure)
    if running.last_answer is None:
        return f"The test stops with {type(failure).__name__}: {failure}"
    name, value = running.last_answer
    shown = clean_text(repr(value)[:300], 200)
    if isinstance(failure, MemoryError):
        return f"The test ran out of memory on {name}, which is or returns {shown}."
    return (
        f"The test cannot work with {name}, which is or returns {shown}, of type {type(value).__name__}. "
        "Does it have the type, the shape and the length that the question asks for?"
    )


def _why_undefined(running: RunningHandIn, number: str, code_cells: list[Cell], reason: str) -> str:
    """The reason for a missing answer: what happened in the cells of its question."""
    for cell, outcome in zip(code_cells, running.outcomes, strict=True):
        error = (outcome or {}).get("error")
        if question_number(cell.grade_id or "") == number and error:
            if known := _graders_words(error):
                return known
            at = f" ({error['lines'][-1]})" if error.get("lines") else ""
            return f"{reason} Its cell stops with {error['kind']}: “{error['message']}”{at}."
    return reason


def _graders_words(error: dict) -> str | None:
    """The message of an error if it is ours: a stub's, the library stub's, or of a cell that was stopped."""
    message = error["message"]
    open_question = re.fullmatch(
        r"Question \w{1,10} is open: write your code here, then run this cell again\.", message
    )
    if error["kind"] == "NotImplementedError" and open_question:
        return message
    if error["kind"] == "LibraryCalled" and LIBRARY_CALLED.fullmatch(message):
        return f"{message}."
    return message if error["kind"] == "Stopped" else None


def _note_another_name(running: RunningHandIn, student: str, notes: list[str]) -> None:
    """A hand-in is graded on the data of the student whose folder it is in, whatever name the notebook gives."""

    def plain(name: str) -> str:
        return unicodedata.normalize("NFC", name).strip().lower()

    try:
        claimed = running.ask("STUDENT")
    except Stopped:
        return notes.append("The notebook does not say whose it is.")
    if not isinstance(claimed, str) or plain(claimed) != plain(student):
        shown = clean_text(repr(claimed)[:200], 60)
        notes.append(f"The notebook says STUDENT = {shown}; it was graded on the data of {student!r}, its owner.")
    elif claimed.strip().lower() != student.strip().lower():
        notes.append(
            "STUDENT and the name of the folder write an accent in two different ways; they count as the same."
        )


def _notebook_outputs(outcome: dict | None, saved: list[dict]) -> list[NotebookNode]:
    """The outputs of a cell in a notebook's form; anything malformed is left out."""
    outcome = outcome or {"error": {"kind": "Stopped", "message": "This cell was not reached."}}
    sent, error = outcome.get("outputs"), outcome.get("error")
    if error and error["kind"] in ("Stopped", "OutOfTime") and saved:
        sent = [{"text": SAVED}, *saved[:MAX_MESSAGES]]
    outputs = []
    for each in sent if isinstance(sent, list) else []:
        if isinstance(each, dict) and isinstance(each.get("text"), str):
            outputs.append(new_output("stream", name="stdout", text=clean_text(each["text"], MAX_TEXT)))
        elif isinstance(each, dict) and (picture := clean_picture(each.get("png"))):
            kind, data = picture
            outputs.append(new_output("display_data", data={kind: data}))
    if error:
        lines = [f"{error['kind']}: {error['message']}", *error.get("lines", [])]
        text = error["message"]
        outputs.append(new_output("error", ename=error["kind"], evalue=text, traceback=lines))
    return outputs


def _error(error) -> dict | None:
    """An error in the form of `describe_error`, whatever the sandbox sent as one."""
    if error is None:
        return None
    sent = error if isinstance(error, dict) else {}
    kind, lines = sent.get("kind"), sent.get("lines")
    # Only the grader itself stops a cell.
    named = isinstance(kind, str) and kind.isidentifier() and len(kind) <= 60 and kind != "Stopped"
    return {
        "kind": kind if named else "Error",
        "message": clean_text(str(sent.get("message", "")), 1000).replace("“", '"').replace("”", '"'),
        "lines": [clean_text(str(line), 200) for line in lines[:5]] if isinstance(lines, list) else [],
    }
