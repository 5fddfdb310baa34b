"""Numbers, vectors and counts as text, by the same rule as the widgets' script `js/wording.js`.

A number has a true minus sign. Below 100 in size it has three significant digits, without zeros at the end; from 100 on
it is a whole number. Halves are rounded away from zero, by the exact value of the float. Below 10^-6 and from 10^15 on
three digits are followed by a power of ten.
"""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from math import inf, isnan

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)


def number(value) -> str:
    """A number as text.

    Examples
    --------
    >>> [number(value) for value in (2 / 3, -0.5, 1500, 1234.5, 1.5e-7)]
    ['0.667', '−0.5', '1500', '1235', '1.5 × 10⁻⁷']
    """
    value = float(value)
    if isnan(value):
        return "not a number"
    size, sign = abs(value), "−" if value < 0 else ""
    if size == inf:
        return f"{sign}∞"
    if 100 <= size < 1e15:
        return f"{sign}{Decimal(size).quantize(Decimal(1), ROUND_HALF_UP)}"
    rounded = THREE_DIGITS.plus(Decimal(size))
    power = rounded.adjusted()
    if rounded and not -6 <= power < 15:
        return f"{sign}{rounded.scaleb(-power).normalize():f} × 10{str(power).translate(RAISED)}"
    return f"{sign}{rounded.normalize():f}"


def signed(value) -> str:
    """A number as text, with a plus sign where it is positive.

    Examples
    --------
    >>> signed(2), signed(0), signed(-2)
    ('+2', '0', '−2')
    """
    return f"{'+' if value > 0 else ''}{number(value)}"


def vector(values: Iterable) -> str:
    """Numbers in brackets.

    Examples
    --------
    >>> vector([1, -0.25])
    '(1, −0.25)'
    """
    return f"({', '.join(number(value) for value in values)})"


def counted(count: int, noun: str) -> str:
    """A count with its noun.

    Examples
    --------
    >>> counted(1, "mistake"), counted(2, "mistake")
    ('1 mistake', '2 mistakes')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def of_shape(shape: tuple[int, ...], noun: str = "number") -> str:
    """What an array of this shape holds; the scripts do not need it.

    Examples
    --------
    >>> [of_shape(shape) for shape in ((), (1,), (7,), (7, 3))]
    ['a single number', '1 number', '7 numbers', '7 rows of 3 numbers']
    """
    if len(shape) > 2:
        return f"an array of shape {shape}"
    if not shape:
        return f"a single {noun}"
    return " of ".join([*(counted(rows, "row") for rows in shape[:-1]), counted(shape[-1], noun)])
