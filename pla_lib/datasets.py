"""Labelled data: examples x in R^d, one to a row of X, and labels y in {-1, +1}."""

from dataclasses import dataclass
from numbers import Rational

import numpy as np


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples and labels, checked once; unpacks as `X, y`.

    Parameters
    ----------
    X : array, shape (n, d)
        One example to a row. Rows of `fractions.Fraction` stay fractions; everything else becomes float.
    y : array, shape (n,)
        Labels, each -1 or +1.

    Examples
    --------
    >>> X, y = Dataset([[2, 1], [0, 3]], [+1, -1])
    >>> X.shape, y.tolist()
    ((2, 2), [1, -1])
    """

    X: np.ndarray
    y: np.ndarray

    def __post_init__(self) -> None:
        X = _examples(self.X)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", _labels(self.y, len(X)))

    def __iter__(self):
        return iter((self.X, self.y))


def exact(numbers: np.ndarray) -> bool:
    """True for an array of fractions, on which every sum and product is exact."""
    return numbers.dtype == object


def real_array(given, name: str) -> np.ndarray:
    """`given` as an array of finite floats, or of rationals if it holds `Fraction`s."""
    try:
        array = np.asarray(given)
        if exact(array) and all(isinstance(number, Rational) for number in array.flat):
            return array
        if array.dtype.kind not in "biufO":
            raise ValueError(f"it holds {array.dtype.name}")
        array = array.astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold real numbers, in rows of equal length: {error}") from None
    if not np.isfinite(array).all():
        at = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite, but {name}{list(at)} is {array[at]}")
    return array


def _examples(given) -> np.ndarray:
    X = real_array(given, "X")
    if X.ndim != 2 or X.size == 0:
        hint = "; write X.reshape(-1, 1) for examples with one feature" if X.ndim == 1 and X.size else ""
        raise ValueError(f"X must have one example to a row, shape (n, d); its shape is {X.shape}{hint}")
    return X


def _labels(given, n: int) -> np.ndarray:
    y = np.asarray(given)
    if y.shape != (n,):
        raise ValueError(f"y must have one label for each of the {n} rows of X; its shape is {y.shape}")
    wrong = [label for label in y.tolist() if label not in (-1, 1)]
    if wrong:
        hint = "; for labels 0 and 1 pass 2*y - 1" if set(y.tolist()) <= {0, 1} else ""
        raise ValueError(f"labels must be -1 or +1, but y holds {wrong[0]!r}{hint}")
    return y.astype(int)


def blobs(n: int = 20, *, gap: float = 0.5, middle: tuple[float, float] = (2.0, 1.0), seed: int = 0) -> Dataset:
    """Two round clouds in the plane, +1 to the upper right of -1, that a line can separate.

    In words: n points in two discs of radius one, every other one in each. The discs' edges are `gap` apart, and the
    strip between them, whose normal points 35 degrees upwards, has its `middle` away from the origin: a line that
    separates the clouds needs an offset. (Chapter 02.)

    Examples
    --------
    >>> X, y = blobs(6)
    >>> X.shape, y.tolist()
    ((6, 2), [1, -1, 1, -1, 1, -1])
    """
    if n < 2:
        raise ValueError(f"blobs needs n of at least 2, one point to a class; it was given {n}")
    if not gap > 0:
        raise ValueError(f"blobs needs a positive gap, so that a line fits between; it was given {gap}")
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    radius, angle = np.sqrt(rng.random(n)), rng.uniform(0, 2 * np.pi, n)
    tilt = np.deg2rad(35)
    to_centre = (1 + gap / 2) * np.array([np.cos(tilt), np.sin(tilt)])
    return Dataset(middle + y[:, None] * to_centre + radius[:, None] * np.c_[np.cos(angle), np.sin(angle)], y)
