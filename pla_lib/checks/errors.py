"""An error inside a student's function, in words: the line of the student's own code, and what usually causes it."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable

# What Python says, by name and message, and a sentence that is true whenever it says so. The first that fits counts.
USUAL = {
    r"^(Type|Attribute)Error: .*NoneType": (
        "One of the values there is None: does a function that you call return something?"
    ),
    r"unsupported operand .*'list'|multiply sequence by non-int": (
        "A list does not add and multiply like a vector: np.array(...) does."
    ),
    r"can only concatenate list": (
        "`+` joins two lists: to put one entry into a list, use append; to add vectors, np.array."
    ),
    r"object is not callable": (
        "Brackets after a value call it as a function: is a * missing before a bracket, "
        "or does a variable have the name of a function?"
    ),
    r"truth value of an array with more than one": (
        "Python needs one yes or no there, and this is an array: for two vectors, a @ b is one number and a * b is not."
    ),
    r"does not have enough dimensions \(has 0": "`@` needs a vector or a matrix on either side.",
    r"mismatch in its core dimension|shapes .* not aligned|could not be broadcast together": (
        "The sizes of two arrays do not fit together: does one of them have the 1 in front, and the other not?"
    ),
    r"Cannot cast ufunc .* from dtype\('float\d+'\) to dtype\('u?int\d+'\)": (
        "`a += b` changes the array a itself, which cannot hold decimal numbers here: write `a = a + b`."
    ),
}


def stopped(error: BaseException, function: Callable) -> str:
    """Where and with which error a function stopped, and in a line of its own what usually causes this error."""
    message = f"{_kind(error)}: {traceback.TracebackException.from_exception(error)}".removesuffix(": ")
    said = f"your function stopped{_line(error, function)} with {message}"
    hint = next((hint for pattern, hint in USUAL.items() if re.search(pattern, message)), None)
    return f"{said}\n{hint}" if hint else said


def _kind(error: BaseException) -> str:
    """The name of the error, or, where only NumPy itself uses that name, of the more general one behind it."""
    return next(kind.__name__ for kind in type(error).__mro__ if not kind.__name__.startswith("_"))


def _line(error: BaseException, function: Callable) -> str:
    """The last line that ran in the file or the cell of the function, where Python knows it."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    if not own:
        return ""
    return f" in line {own[-1].lineno}" + (f", `{own[-1].line}`," if own[-1].line else "")
