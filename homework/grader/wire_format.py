"""What may pass between a hand-in and the grader: bounded numbers, strings, lists and arrays as JSON, and nothing else.

The bounds are far above what any question asks for. They keep the tests from choking on an answer.
"""

from collections.abc import Iterable
from fractions import Fraction
from numbers import Integral

import numpy as np

MAX_DEPTH = 20  # of lists inside lists
MAX_DIGITS = 300  # of a whole number; exact arithmetic on longer ones takes for ever
MAX_STRING = 10_000  # characters
MAX_ENTRIES = 1_000_000  # of an array, where an axis of length 0 counts as one of length 1
MAX_AXES = 8  # of an array
MAX_KEYS = 1_000  # of a dict: keys can be chosen so that looking one up takes as long as reading all
_TOO_LARGE = 10**MAX_DIGITS
_TYPES = {"b": bool, "i": np.int64, "u": np.uint64, "f": float, "O": object}


def pack(value, depth: int = MAX_DEPTH):
    """Plain data in a form that JSON can hold; a TypeError names what is not plain data."""
    if depth == 0:
        raise TypeError(f"a list nested more than {MAX_DEPTH} levels deep")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(_bounded_string(value))
    if isinstance(value, np.longdouble):
        return float(value)
    if isinstance(value, np.generic):
        return pack(value.item(), depth - 1)
    if isinstance(value, Integral):
        return _bounded_integer(int(value))
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Fraction):
        return {"fraction": [_bounded_integer(value.numerator), _bounded_integer(value.denominator)]}
    if isinstance(value, np.ndarray):
        value = np.asarray(value)  # not a matrix, whose rows never end
        if value.dtype.kind not in _TYPES:
            raise TypeError(f"an array of type {value.dtype}")
        value = value.astype(_TYPES[value.dtype.kind])
        shape = _bounded_shape(list(value.shape))
        entries, kind = value.ravel().tolist(), value.dtype.kind
        packed = [pack(each, depth - 1) for each in entries] if kind == "O" else entries
        return {"array": packed, "shape": shape, "of": kind}
    if isinstance(value, range):
        value = list(value[: MAX_ENTRIES + 1])
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [pack(each, depth - 1) for each in value]}
    if isinstance(value, dict):
        items = _bounded_items(value).items()
        return {"dict": [[pack(key, depth - 1), pack(each, depth - 1)] for key, each in items]}
    hint = " (list(...) makes a list of it)" if isinstance(value, Iterable) else ""
    raise TypeError(f"a {type(value).__name__}{hint}")


def unpack(packed):
    """The value that `pack` packed; anything else raises a ValueError."""
    try:
        return _unpack(packed, MAX_DEPTH)
    except (ValueError, TypeError, KeyError, ZeroDivisionError, OverflowError, RecursionError) as error:
        raise ValueError(f"not plain data: {error}") from None


def _unpack(packed, depth: int):
    if depth == 0:
        raise TypeError(f"a list nested more than {MAX_DEPTH} levels deep")
    if packed is None or isinstance(packed, bool | float):
        return packed
    if isinstance(packed, int):
        return _bounded_integer(packed)
    if isinstance(packed, str):
        return _bounded_string(packed)
    if not isinstance(packed, dict):
        raise TypeError(f"a {type(packed).__name__}")
    if "array" in packed:
        kind, entries, shape = packed["of"], packed["array"], _bounded_shape(packed["shape"])
        if not isinstance(entries, list):
            raise TypeError("an array without a list of entries")
        flat = np.empty(len(entries), _TYPES[kind])
        for place, each in enumerate(entries):  # one by one: NumPy would take lists in an array of objects for rows
            flat[place] = _unpack(each, depth - 1)
        return flat.reshape(shape)
    ((kind, content),) = packed.items()
    if not isinstance(content, list):
        raise TypeError(f"a {kind} without a list of entries")
    if kind == "fraction":
        numerator, denominator = content
        if type(numerator) is not int or type(denominator) is not int:
            raise TypeError("a fraction of something other than whole numbers")
        return Fraction(_bounded_integer(numerator), _bounded_integer(denominator))
    if kind == "dict":
        return {_unpack(key, depth - 1): _unpack(each, depth - 1) for key, each in _bounded_items(content)}
    return {"list": list, "tuple": tuple}[kind](_unpack(each, depth - 1) for each in content)


def _bounded_integer(number: int) -> int:
    if abs(number) >= _TOO_LARGE:
        raise TypeError(f"a whole number with more than {MAX_DIGITS} digits")
    return number


def _bounded_string(text: str) -> str:
    if len(text) > MAX_STRING:
        raise TypeError(f"a string of {len(text):,} characters; {MAX_STRING:,} is the limit")
    return text


def _bounded_items(items: dict | list) -> dict | list:
    if len(items) > MAX_KEYS:
        raise TypeError(f"a dict with {len(items):,} keys; {MAX_KEYS:,} is the limit")
    return items


def _bounded_shape(shape: list) -> list[int]:
    """The axes of an array; (20 000 000, 0) has no entries, but as a list it has twenty million rows."""
    if not isinstance(shape, list) or len(shape) > MAX_AXES or not all(type(n) is int and n >= 0 for n in shape):
        raise TypeError(f"an array whose shape is not a list of at most {MAX_AXES} lengths")
    entries = 1
    for length in shape:
        entries *= max(length, 1)
    if entries > MAX_ENTRIES:
        raise TypeError(f"an array of shape {tuple(shape)}; {MAX_ENTRIES:,} entries is the limit")
    return shape
