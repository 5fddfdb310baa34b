"""A trial of an answer: what the answer is given, what is asked of its result, and how the two are compared."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np


@dataclass(frozen=True)
class Trial:
    """One try of an answer: what a function is given, and what is asked of the result.

    given : the arguments of the answer by name; empty if the answer is a value
    want : the right result, or a function that takes the result and returns what is wrong with it, or None
    """

    given: dict
    want: object

    def fault(self, result) -> str | None:
        """What is wrong with a result, if anything."""
        return self.want(result) if callable(self.want) else difference(result, self.want)


def trial(want, **given) -> Trial:
    """One try, with the arguments of the answer by name."""
    return Trial(given, want)


def difference(result, want) -> str | None:
    """What is wrong with a result that should be `want`, up to rounding."""
    try:
        got, want_array = np.asarray(result), np.asarray(want)
        if got.shape != want_array.shape and max(got.size, want_array.size) > 20:
            return f"the answer has shape {got.shape}; it should have shape {want_array.shape}."
        if got.shape != want_array.shape:
            same = False
        elif got.dtype == object or want_array.dtype == object or want_array.dtype.kind in "bU":
            same = bool(np.all(got == want_array))
        else:
            numbers = got.dtype.kind in "biuf"  # not "1.0", which NumPy would take for a number
            same = numbers and bool(np.allclose(got, want_array, rtol=1e-6, atol=1e-9, equal_nan=True))
    except (TypeError, ValueError):  # such as rows of different lengths
        same = False
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


def described(given: dict) -> str:
    """What an answer is given, in words."""
    return ", ".join(f"{name} = {_short(value)}" for name, value in given.items())


def _short(value) -> str:
    return repr(_plain(value))


def _plain(value):
    """Python's own numbers and lists, and floats without the digits that only rounding has put there."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float):
        return float(f"{value:.10g}")
    return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value
