"""What may pass between a hand-in and the grader: numbers, strings, lists and arrays as JSON, and no other object."""

from fractions import Fraction
from numbers import Integral

import numpy as np

MAX_DEPTH = 20  # of lists inside lists


def pack(value, depth: int = MAX_DEPTH):
    """Plain data in a form that JSON can hold; a TypeError names what is not plain data."""
    if depth == 0:
        raise TypeError(f"lists nested more than {MAX_DEPTH} deep")
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.generic):
        return pack(value.item(), depth - 1)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Fraction):
        return {"fraction": [value.numerator, value.denominator]}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufO":
        entries, kind = value.ravel().tolist(), value.dtype.kind
        return {"array": [pack(each) for each in entries] if kind == "O" else entries, "shape": value.shape, "of": kind}
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [pack(each, depth - 1) for each in value]}
    if isinstance(value, dict):
        return {"dict": [[pack(key, depth - 1), pack(each, depth - 1)] for key, each in value.items()]}
    raise TypeError(f"a {type(value).__name__}")


def unpack(packed):
    """The value that `pack` packed; anything else raises a ValueError."""
    try:
        return _unpack(packed)
    except (ValueError, TypeError, KeyError, ZeroDivisionError, OverflowError, RecursionError) as error:
        raise ValueError(f"not plain data: {error}") from None


def _unpack(packed):
    if not isinstance(packed, dict):
        if packed is None or isinstance(packed, bool | int | float | str):
            return packed
        raise TypeError(f"a {type(packed).__name__}")
    if "array" in packed:
        types = {"b": bool, "i": np.int64, "u": np.uint64, "f": float, "O": object}
        entries = packed["array"] if packed["of"] != "O" else [_unpack(each) for each in packed["array"]]
        flat = np.empty(len(entries), types[packed["of"]])
        flat[:] = entries
        return flat.reshape(packed["shape"])
    ((kind, content),) = packed.items()
    if kind == "fraction":
        return Fraction(*content)
    if kind == "dict":
        return {_unpack(key): _unpack(each) for key, each in content}
    return {"list": list, "tuple": tuple}[kind](_unpack(each) for each in content)
