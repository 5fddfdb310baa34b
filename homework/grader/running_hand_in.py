"""The cells of a hand-in, running in a sandbox that answers questions about what they define.

All words that come from there may be forged. Those of the grader are known by their form, and all others are quoted.
"""

import re
from pathlib import Path

from homework.grader.sandbox import START_SECONDS, Limits, Sandbox, SandboxEnded
from homework.grader.sanitiser import clean_text, quoted
from homework.grader.wire_format import pack, unpack

MAX_STARTS = 12  # of a hand-in that ends its own process
MAX_MESSAGES = 50  # about one cell
OPEN_QUESTION = re.compile(r"Question \w{1,10} is open: write your code here, then run this cell again\.")
LIBRARY_CALLED = re.compile(r"your code calls [\w.]{1,100} of pla_lib, but this task asks for your own code")


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
                raise Stopped(f"The grader had to restart your notebook {MAX_STARTS} times and gave up.")
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
            raise Stopped(f"Your notebook used up its {self.limits.hand_in_seconds:g} seconds.")
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
        outputs, before = [], self.seconds_left
        for _ in range(MAX_MESSAGES):
            message = self._receive(sandbox, self.limits.cell_seconds + self.limits.grace_seconds)
            if "output" not in message:
                error = read_error(message.get("error"))
                self.timed_out |= _is_out_of_time(error, before - self.seconds_left, self.limits.cell_seconds)
                return {"outputs": outputs, "error": error}
            outputs.append(message["output"])
        return sandbox.stop("its answer cannot be read")

    def ask(self, name: str, *arguments, call: bool = False):
        """The value of a name, or what the function of that name returns."""
        sandbox = self.started()
        self.requests += 1
        before = self.seconds_left
        request = {"id": self.requests, "name": name} | ({"arguments": pack(arguments)} if call else {})
        try:
            sandbox.send(request)
            reply = self._receive(sandbox, self.limits.call_seconds + self.limits.grace_seconds)
            if reply.get("id") != self.requests:
                raise ValueError("it sent back something that was not asked for")
            if "value" in reply:
                value = unpack(reply["value"])
                self.last_answer = name, value
                return value
        except (SandboxEnded, ValueError) as ended:
            sandbox.stop()
            self.sandbox = None
            raise Stopped(f"Your code was stopped while {name} was tested: {ended}.") from None
        if "not_plain" in reply:
            what = quoted(str(reply["not_plain"]), 200)
            plain = "An answer is made of numbers, strings, lists and arrays."
            raise Stopped(f"{name} gives something else than plain data: {what}. {plain}")
        if "error" in reply:
            raise self._failure(name, read_error(reply["error"]), before - self.seconds_left)
        raise Undefined(f"{name} is not defined.")

    def _failure(self, name: str, error: dict, seconds: float) -> BaseException:
        """The error of an answer, for the test: the student's words stand in quotation marks."""
        if _is_out_of_time(error, seconds, self.limits.call_seconds):
            self.timed_out = True
            return Stopped(f"{name} did not finish within {self.limits.call_seconds:g} seconds of computing time.")
        if known := graders_words(error):
            return Stopped(known)
        return type(error["kind"], (Exception,), {})(quoted(error["message"], 1000))

    def stop(self) -> None:
        if self.sandbox:
            self.sandbox.stop()


def _is_out_of_time(error: dict | None, seconds: float, limit: float) -> bool:
    """Whether a run was stopped by its own clock: it says so, and the grader's clock does not disagree."""
    return bool(error) and error["kind"] == "OutOfTime" and seconds > limit / 2


def read_error(error) -> dict | None:
    """An error in the form of `describe_error`, whatever the sandbox sent as one."""
    if error is None:
        return None
    sent = error if isinstance(error, dict) else {}
    kind, lines = sent.get("kind"), sent.get("lines")
    # Only the grader itself stops a cell.
    named = isinstance(kind, str) and kind.isidentifier() and len(kind) <= 60 and kind not in ("Stopped", "Graded")
    return {
        "kind": kind if named else "Error",
        "message": clean_text(str(sent.get("message", "")), 1000),
        "lines": [clean_text(str(line), 200) for line in lines[:5]] if isinstance(lines, list) else [],
    }


def graders_words(error: dict) -> str | None:
    """The message of an error if it is ours: a stub's, the library stub's, or of a cell that was stopped."""
    message = error["message"]
    open_question = re.fullmatch(
        r"Question \w{1,10} is open: write your code here, then run this cell again\.", message
    )
    if error["kind"] == "NotImplementedError" and open_question:
        return message
    if error["kind"] == "LibraryCalled" and LIBRARY_CALLED.fullmatch(message):
        return f"{message[0].upper()}{message[1:]}."
    return message if error["kind"] == "Stopped" else None
