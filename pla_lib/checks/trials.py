"""A trial of an answer: what the answer is given, what is asked of its result, and how the two are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from pprint import pformat

import numpy as np

from pla_lib.wording import of_shape

WIDTH = 72  # characters of a line, beyond which a list goes on in the next line


@dataclass(frozen=True)
class Trial:
    """One try of an answer: what a function is given, and what is asked of the result.

    given : the arguments of the answer by name; empty if the answer is a value
    want : the right result, or a function that takes the result and returns what is wrong with it, or None
    praise : a function that takes a right result and returns a sentence about it
    """

    given: dict
    want: object
    praise: Callable[[object], str] | None = None

    def fault(self, result) -> str | None:
        """What is wrong with a result, if anything."""
        if callable(self.want):
            return self.want(result)
        if same(result, self.want):
            return None
        got, right = _shown(result, self.want), _shown(self.want, result)
        if self.given:
            return f"your function returned {got}.\nIt should return {right}."
        return f"Your answer is {got}.\nIt should be {right}."


def trial(want, praise: Callable[[object], str] | None = None, **given) -> Trial:
    """One try, with the arguments of the answer by name."""
    return Trial(given, want, praise)


def same(result, want) -> bool:
    """Whether a result is `want`, up to rounding."""
    try:
        got, want = np.asarray(result), np.asarray(want)
        if got.shape != want.shape:
            return False
        if got.dtype == object or want.dtype == object or want.dtype.kind in "bU":
            return bool(np.all(got == want))
        numbers = got.dtype.kind in "biuf"  # not "1.0", which NumPy would take for a number
        return numbers and bool(np.allclose(got, want, rtol=1e-6, atol=1e-9, equal_nan=True))
    except (TypeError, ValueError):  # such as rows of different lengths
        return False


def _shown(value, other) -> str:
    """A value, or only its shape if it is long and the shape is not that of the other."""
    try:
        array, shape = np.asarray(value), np.shape(other)
    except ValueError:  # rows of different lengths
        return _short(value)
    if array.shape == shape or array.size <= 20:
        return _short(value)
    return of_shape(array.shape, "number" if array.dtype.kind in "iuf" else "value")


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


def described(given: dict) -> str:
    """What an answer is given, in words: in one line, or in a line or more for each argument."""
    parts = [f"{name} = {_short(value)}" for name, value in given.items()]
    line = ", ".join(parts)
    return line if len(line) <= WIDTH else ",\n".join(parts)


def _short(value) -> str:
    """A value as Python writes it; long lists are broken between their rows."""
    return pformat(_plain(value), width=WIDTH, compact=True, sort_dicts=False)


def _plain(value):
    """Python's own numbers and lists, and floats without the digits that only rounding has put there."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float):
        return float(f"{value:.10g}")
    return type(value)(map(_plain, value)) if type(value) in (list, tuple, set) else value
