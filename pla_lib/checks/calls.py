"""One call of a student's function: on copies of its arguments, in limited time, and with an ear for what it prints."""

from __future__ import annotations

import dis
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass
from numbers import Number
from types import FunctionType

import numpy as np


class Endless(BaseException):
    """Stops a call that takes too long. Not an Exception, so that an answer does not catch it by accident."""


@dataclass(frozen=True)
class Call:
    """What came of a call: its result or its error, whether it printed, and an argument that it changed."""

    result: object = None
    error: BaseException | None = None
    printed: bool = False
    changed: str | None = None


def call(function: Callable, given: dict, seconds: float) -> Call:
    """Call a function with copies of what is given, in this order. What it prints is shown as usual."""
    arguments, out = deepcopy(given), _Output(sys.stdout)
    try:
        with redirect_stdout(out), _time_limit(seconds):
            result = function(*arguments.values())
    except (Exception, Endless) as error:  # whatever a student's code raises becomes a message: the notebook goes on
        return Call(error=error, printed=out.printed)
    changed = next((name for name, value in given.items() if not _unchanged(value, arguments[name])), None)
    return Call(result, printed=out.printed, changed=changed)


class _Output:
    """Standard output that remembers whether anything was printed."""

    def __init__(self, out) -> None:
        self.out, self.printed = out, False

    def write(self, text: str) -> int:
        self.printed = True
        return self.out.write(text)

    def __getattr__(self, name: str):
        return getattr(self.out, name)


@contextmanager
def _time_limit(seconds: float):
    """Stop what takes too long, where the system can: on Unix and in the page, and not in a thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_):
        raise Endless

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _unchanged(before, after) -> bool:
    """Whether arrays, lists and dictionaries, also nested, hold what they held before. Other objects may change."""
    if isinstance(before, np.ndarray):
        return isinstance(after, np.ndarray) and _unchanged(before.tolist(), after.tolist())
    if isinstance(before, list | tuple):
        same_kind = isinstance(after, list | tuple) and len(before) == len(after)
        return same_kind and all(map(_unchanged, before, after))
    if isinstance(before, dict):
        return isinstance(after, dict) and _unchanged(list(before.items()), list(after.items()))
    not_a_number = before != before and after != after
    return not isinstance(before, Number | str) or before == after or not_a_number


def is_stub(answer) -> bool:
    """Whether an answer is still as the notebook gives it: `...`, or a function that does nothing at all.

    Its instructions are compared, as the source cannot always be read.
    """
    return answer is ... or (isinstance(answer, FunctionType) and _instructions(answer) in _STUBS)


def _instructions(function: FunctionType) -> list[tuple]:
    return [(each.opname, each.argval) for each in dis.get_instructions(function) if each.opname != "NOP"]


def _nothing(): ...


def _dots():
    return ...


def _not_implemented():
    raise NotImplementedError


_STUBS = [_instructions(stub) for stub in (_nothing, _dots, _not_implemented)]
