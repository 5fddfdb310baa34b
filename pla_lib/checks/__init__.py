"""Exercises that tell right from wrong: `check("02.3", answer)`. Each chapter has a module of its own here."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from numbers import Real

import numpy as np

CHAPTERS = {
    "01": "geometry",
    "02": "pla",
    "03": "gradient",
    "04": "convergence",
    "05": "margins",
    "06": "soft_margin",
    "07": "features",
    "08": "online",
    "09": "voting",
    "10": "limits",
}

NOTHING = "it returns nothing."
PATIENCE = 10  # seconds for one call of an answer


@dataclass(frozen=True)
class Trial:
    """One try of an answer: what a function is given, and what is asked of the result.

    given : the arguments of the answer by name; empty if the answer is a value
    want : the right result, or a function that takes the result and returns what is wrong with it, or None
    """

    given: dict
    want: object


def trial(want, **given) -> Trial:
    """One try, with the arguments of the answer by name."""
    return Trial(given, want)


_EXERCISES: dict[str, Callable[[np.random.Generator], Iterator[Trial]]] = {}


def exercise(name: str):
    """Register the trials of an exercise: a generator that takes a random generator; edge cases come first."""

    def register(trials):
        _EXERCISES[name] = trials
        return trials

    return register


def check(name: str, answer) -> None:
    """Try an answer to an exercise, and print whether it is right; if not, the first input on which it is wrong.

    The stub in the notebook, ``...``, is "not attempted yet": a notebook with open exercises still runs.
    For the exercises of all chapters.

    Parameters
    ----------
    name : str
        The number of the exercise, such as ``"02.3"``.
    answer : object
        The function or the value that the exercise asks for.

    Examples
    --------
    >>> check("02.1", ...)
    02.1: not attempted yet.
    """
    module = CHAPTERS.get(name[:2]) if isinstance(name, str) else None
    if module:
        import_module(f"pla_lib.checks.{module}")
    if name not in _EXERCISES:
        raise ValueError(f"there is no exercise {name!r} to check; there are {', '.join(sorted(_EXERCISES))}")
    print(f"{name}: {_verdict(answer, _EXERCISES[name](np.random.default_rng()))}")


def expect(answer, want, /, **given) -> None:
    """Raise an AssertionError that says what is wrong with an answer, if anything: the tests of homework.

    For the homework of all chapters.

    Parameters
    ----------
    answer : object
        A function, called with what is given, or a value if nothing is.
    want : object
        The right result, or a function that takes the result and returns what is wrong with it, or None.
    **given : object
        The arguments by name; they are passed in this order.

    Raises
    ------
    AssertionError
        If the answer is wrong.

    Examples
    --------
    >>> expect(lambda a, b: a + b, 5, a=2, b=3)
    >>> expect(lambda a, b: a * b, 5, a=2, b=3)
    Traceback (most recent call last):
    AssertionError: Given a = 2, b = 3, the answer is 6; it should be 5.
    """
    if complaint := _complaint(answer, Trial(given, want)):
        raise AssertionError(f"Given {_said(given)}, {complaint}" if given else complaint)


def _verdict(answer, trials: Iterator[Trial]) -> str:
    """The first complaint, or praise. Fresh random numbers each time: to pass, an answer must be right in general."""
    if answer is ...:
        return "not attempted yet."
    every = list(trials)
    for k, each in enumerate(every):
        complaint = _complaint(answer, each)
        if complaint == NOTHING and k == 0 and all(_complaint(answer, later) == NOTHING for later in every[1:]):
            return "not attempted yet."
        if complaint:
            return f"not yet. Given {_said(each.given)}, {complaint}" if each.given else f"not yet. {complaint}"
    return "right." if len(every) == 1 else f"right, on all {len(every)} trials."


def _complaint(answer, each: Trial) -> str | None:
    """What is wrong with the answer in this trial, if anything."""
    if not each.given:
        return each.want(answer) if callable(each.want) else _difference(answer, each.want)
    if not callable(answer):
        return f"the answer must be a function; this is a {type(answer).__name__}."
    try:
        result, changed = _call(answer, each.given)
    except NotImplementedError:
        return NOTHING
    except Exception as error:  # whatever a student's code raises is to be told, not to stop the notebook
        return f"it stops with {type(error).__name__}: {error}"
    if result is None or result is ...:
        return NOTHING
    wrong = each.want(result) if callable(each.want) else _difference(result, each.want)
    if wrong or not changed:
        return wrong
    return f"the result is right, but it changes {changed}, which its caller still holds."


def _call(answer, given: dict):
    """What the answer returns, and the name of an argument it has changed, if any. It gets copies, and limited time."""
    arguments = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in given.items()}
    with _patience(PATIENCE):
        result = answer(*arguments.values())
    arrays = {name: value for name, value in given.items() if isinstance(value, np.ndarray)}
    changed = (name for name, value in arrays.items() if not np.array_equal(value, arguments[name]))
    return result, next(changed, None)


@contextmanager
def _patience(seconds: float):
    """Stop what does not come to an end, where the system can: on Unix, and not in a thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_):
        raise TimeoutError(f"it has not come to an end after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _difference(result, want) -> str | None:
    """What is wrong with a result that should be `want`, up to rounding."""
    try:
        got, want_array = np.asarray(result), np.asarray(want)
        if got.shape != want_array.shape and max(got.size, want_array.size) > 20:
            return f"the answer has the shape {got.shape}; it should have {want_array.shape}."
        if got.shape != want_array.shape:
            same = False
        elif got.dtype == object or want_array.dtype == object or want_array.dtype.kind in "bU":
            same = bool(np.all(got == want_array))
        else:
            numbers = got.dtype.kind in "biuf"  # not "1.0", which NumPy would take for a number
            same = numbers and bool(np.allclose(got, want_array, rtol=1e-6, atol=1e-9, equal_nan=True))
    except (TypeError, ValueError):
        return f"the answer is {_short(result)}, which is not of the kind that is asked for."
    return None if same else f"the answer is {_short(result)}; it should be {_short(want)}."


def real_numbers(answer) -> np.ndarray | None:
    """An answer as an array of finite real numbers, or None if it is anything else; for the checks of homework."""
    try:
        array = np.asarray(answer)
        if array.dtype.kind in "biuf" or all(isinstance(entry, Real) for entry in array.flat):
            array = array.astype(float)
            return array if np.isfinite(array).all() else None
    except (ValueError, OverflowError):  # rows of different lengths, or a number too large for a float
        pass
    return None


def _said(given: dict) -> str:
    return ", ".join(f"{name} = {_short(value)}" for name, value in given.items())


def _short(value) -> str:
    return repr(_rounded(value.tolist() if isinstance(value, np.ndarray | np.generic) else value))


def _rounded(value):
    """Floats without the digits that only rounding has put there."""
    if isinstance(value, float):
        return float(f"{value:.10g}")
    return type(value)(map(_rounded, value)) if type(value) in (list, tuple) else value
