"""Grade one hand-in: its cells run in a sandbox, and the tests run here, on the plain data that the sandbox returns.

The tests are always the author's, never those in the hand-in. In the tests, each name that a student was to define
stands for what the sandbox answers. A hand-in can return anything, but it takes no part in the comparison.

All of this runs in a process with limits of its own: see `grading_process`.
"""

import ast
import sys
import traceback
import unicodedata
from collections.abc import Callable
from contextlib import contextmanager, nullcontext, redirect_stdout
from difflib import get_close_matches
from functools import partial
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from homework.grader.hand_in import Cell, Unreadable, find_hand_in, pictures_beside, read_hand_in
from homework.grader.merged_cells import merge_cells
from homework.grader.problem_set import (
    WITHOUT_LIBRARY,
    defined_names,
    grade_id,
    is_graded_by_hand,
    is_setup,
    is_test,
    question_number,
    read_notebook,
    settings,
    tested_names,
)
from homework.grader.running_hand_in import RunningHandIn, Stopped, Undefined, graders_words
from homework.grader.sandbox import Limits
from homework.grader.sanitiser import answer_html, clean_text, quoted, text_html
from homework.grader.stored_notebook import safe_notebook
from pla_lib import checks

LIMITS = Limits()
MAX_REASON = 1_950  # characters of a reason or a note; 2,000 with the words that say how many are left out
MAX_NOTES, MAX_NOTES_ON_CELLS = 10, 3
PYTHON = ".".join(map(str, sys.version_info[:2]))
HIDDEN = "### BEGIN HIDDEN TESTS"
ANOTHER_ID = "Your notebook has STUDENT = "
FALLBACK = """\
if not (isinstance(globals().get("STUDENT"), str) and STUDENT.strip()):
    STUDENT = {student!r}
    print("STUDENT is not set")
"""


class Packages(NamedTuple):
    """The folders of the whole library and of its stub, and whether hand-ins run without a sandbox."""

    library: Path
    stub: Path
    unsafe: bool = False


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
        as_text = "reporting" in (failed or {})
        if as_text:
            notes.append("Your answers in words could not be typeset; they are shown as you wrote them.")
        with guard("reporting"):
            html = text_html if as_text else partial(answer_html, files=pictures_beside(path, folder))
            return _result(source, stubs, cells, points, reasons, notes, outcomes, timed_out, html)
    except Unreadable as error:
        return nothing_graded(source, stubs, str(error))
    except MemoryError:  # here is not enough of it to go on
        raise
    except Exception as error:  # one hand-in, however strange, must not keep the others from being graded
        return nothing_graded(source, stubs, f"{type(error).__name__}: {error}", look=True)


def nothing_graded(source: NotebookNode, stubs: NotebookNode, why: str, look: bool = False) -> dict:
    """The result of a hand-in without grades: no notebook to read, or, with `look`, a fault that an instructor sees."""
    note = f"Something went wrong while this was graded; an instructor has to look at it. ({why})" if look else why
    points = {grade_id(cell): 0 for cell in filter(is_test, source.cells)}
    cells = merge_cells([], source, stubs, [])
    result = _result(source, stubs, cells, points, dict.fromkeys(points, note), [note], {}, False)
    if look:  # nothing is known about the answers that are graded by hand: they wait for a reader
        by_hand = [grade_id(cell) for cell in filter(is_graded_by_hand, source.cells)]
        result["points"] |= dict.fromkeys(by_hand)
        result["reasons"] |= dict.fromkeys(by_hand, note)
        result["answers"] = {}
    return result | {"look": look, "unread": not look}


def _result(
    source: NotebookNode,
    stubs: NotebookNode,
    cells: list[Cell],
    points: dict,
    reasons: dict,
    notes: list[str],
    outcomes: dict[int, dict | None],
    timed_out: bool,
    html: Callable[[str, dict], str] = answer_html,
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
        "notes": [clean_text(note, MAX_REASON) for note in list(dict.fromkeys(notes))[:MAX_NOTES]],
        "answers": answers,
        "timed_out": timed_out,
        "look": False,
        "unread": False,
        "notebook": safe_notebook(source, authored, cells, reasons, outcomes, html),
    }


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
    set_up = {grade_id(cell) for cell in filter(is_setup, source.cells)}
    first = next((place for place, cell in enumerate(code_cells) if cell.grade_id in set_up), 0)
    code_cells.insert(first, Cell("code", FALLBACK.format(student=student), by_student=False))
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
                        if running.outcomes[first]["outputs"]:
                            notes.append(_note_no_name(code_cells, running, student))
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
        skipped = "lines that call pla_lib were skipped, because this question asks for your own code"
        return [f"Question {number}: {skipped}." for number in sorted(numbers & questions)]
    notes = []
    for cell, error in errors:
        if error["kind"] in ("Stopped", "OutOfTime"):
            line = quoted(cell.text.partition("\n")[0], 60)
            kept = " The output that you had saved is kept." if cell.saved_outputs else ""
            why = graders_words(error) or f"{quoted(error['message'])}."
            notes.append(f"The cell that begins {line} did not finish: {why}{kept}")
    return notes[:MAX_NOTES_ON_CELLS]


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
                reason = f"Your answer passes the check in the notebook, but not a hidden test: {reason}"
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
    shown = quoted(repr(value)[:300], 200)
    if isinstance(failure, MemoryError):
        return f"The test ran out of memory on what {name} gives: {shown}."
    return (
        f"The test could not use what {name} gives: {shown}, of type {type(value).__name__}. "
        "Check its type, shape and length against the question."
    )


def _why_undefined(running: RunningHandIn, number: str, code_cells: list[Cell], reason: str) -> str:
    """The reason for a missing answer: what happened in the cells of its question."""
    for cell, outcome in zip(code_cells, running.outcomes, strict=True):
        error = (outcome or {}).get("error")
        if question_number(cell.grade_id or "") == number and error:
            if known := graders_words(error):
                return known
            at = f" in {quoted(error['lines'][-1])}" if error.get("lines") else ""
            version = f" The grader runs Python {PYTHON}." if error["kind"] == "SyntaxError" else ""
            return f"{reason} Its cell stops with {error['kind']}: {quoted(error['message'], 1000)}{at}.{version}"
    defined = {name for cell in code_cells if cell.by_student for name in defined_names(cell.source)}
    if close := get_close_matches(reason.split()[0], sorted(defined), n=1):
        return f"{reason} Your notebook defines {close[0]}."
    return reason


def _note_no_name(code_cells: list[Cell], running: RunningHandIn, student: str) -> str:
    """A hand-in without an id gets the data of its owner, and why it has none."""
    note = f"STUDENT is not set, so your data were made from the name of your folder, {student!r}."
    for cell, outcome in zip(code_cells, running.outcomes, strict=True):
        error = (outcome or {}).get("error")
        if "STUDENT" in defined_names(cell.source) and error and not graders_words(error):
            return f"{note} Its cell stops with {error['kind']}: {quoted(error['message'])}."
    return note


def _note_another_name(running: RunningHandIn, student: str, notes: list[str]) -> None:
    """A hand-in is graded on the data of the student whose folder it is in, whatever name the notebook gives."""

    def plain(name: str) -> str:
        return unicodedata.normalize("NFC", name).strip().lower()

    try:
        claimed = running.ask("STUDENT")
    except Stopped:
        return notes.append("STUDENT is not an id that the grader can read.")
    if not isinstance(claimed, str) or plain(claimed) != plain(student):
        shown = quoted(claimed if isinstance(claimed, str) else repr(claimed)[:200], 60)
        notes.append(f"{ANOTHER_ID}{shown}, but it was handed in as {student!r} and graded on the data of {student!r}.")
    elif claimed.strip().lower() != student.strip().lower():
        notes.append("STUDENT and your folder's name write an accent in two ways. They count as the same id.")
