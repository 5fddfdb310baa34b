"""Every check of input, once.

A check returns what was given in the form the library computes with, or raises a ValueError that says what was given,
what is wanted and, where that is not plain, what to do.
"""

from collections.abc import Callable, Collection
from fractions import Fraction
from numbers import Rational, Real

import numpy as np

from pla_lib.wording import of_shape

# Single values


def whole_number(given, name: str, least: int = 1) -> int:
    """A whole number of at least `least`, of Python's or of NumPy's; True and 2.0 are none."""
    if not isinstance(given, int | np.integer) or isinstance(given, bool) or given < least:
        raise ValueError(f"{name} must be a whole number of at least {least}; it was given {given!r}")
    return int(given)


def real_number(given, name: str, wanted: str = "a number", fits: Callable[[Real], bool] = lambda number: True):
    """One finite number for which `fits` holds, as it was given; `wanted` says in words what fits."""
    if not isinstance(given, bool | np.bool_ | str | None):
        number = real_array(given, name)
        if number.ndim == 0 and fits(number[()]):
            return given
    raise ValueError(f"{name} must be {wanted}; it was given {given!r}")


def positive_number(given, name: str):
    """A positive number, as it was given."""
    return real_number(given, name, "a positive number", lambda number: number > 0)


def positive_float(given, name: str) -> float:
    """A positive number, as a float."""
    try:
        return float(positive_number(given, name))
    except OverflowError:
        raise ValueError(f"{name} must be a positive number; this one is too large for a float") from None


def true_or_false(given, name: str) -> bool:
    """True or False, and nothing that only counts as one of them."""
    if not isinstance(given, bool | np.bool_):
        raise ValueError(f"{name} must be True or False; it was given {given!r}")
    return bool(given)


def option(given, name: str, options: Collection[str]) -> str:
    """One of some words."""
    if not isinstance(given, str) or given not in options:
        *others, last = (f'"{word}"' for word in options)
        raise ValueError(f"{name} must be {', '.join(others)} or {last}; it was given {given!r}")
    return given


def random_seed(given) -> int | None:
    """A seed for NumPy's generator: a whole number, or None for a different one each time."""
    if given is None:
        return None
    if not isinstance(given, int | np.integer) or isinstance(given, bool) or given < 0:
        raise ValueError(f"seed must be a whole number of at least 0, or None; it was given {given!r}")
    return int(given)


def instance(given, kind: type, wanted_by: str):
    """An object of the library. `wanted_by` says who needs it and where to get one: "stepper takes a Run, as ..."."""
    if not isinstance(given, kind):
        raise ValueError(f"{wanted_by}; it was given a {type(given).__name__}")
    return given


def function(given, name: str, wanted: str):
    """Something that can be called."""
    if not callable(given):
        raise ValueError(f"{name} must be {wanted}; it was given {given!r}")
    return given


# Arrays


def exact(numbers: np.ndarray) -> bool:
    """True for an array of fractions, on which every sum and product is exact."""
    return numbers.dtype == object


def real_array(given, name: str) -> np.ndarray:
    """`given` as an array of finite floats, or of exact rationals if it holds `Fraction`s."""
    if np.ma.is_masked(given):
        raise ValueError(f"{name} has masked entries; fill them in or leave their rows out")
    try:
        array = np.asarray(given)
    except ValueError:
        raise ValueError(f"{name} must hold numbers in rows of equal length; these rows differ in length") from None
    if exact(array):
        strange = next((entry for entry in array.flat if not isinstance(entry, Real)), 0.0)
        if not isinstance(strange, float):
            raise ValueError(f"{name} must hold real numbers; it holds {strange!r}")
        if all(isinstance(entry, Rational) for entry in array.flat):
            # NumPy's whole numbers would overflow where Python's do not.
            python = [int(entry) if isinstance(entry, np.integer) else entry for entry in array.flat]
            return np.array([*python, None], dtype=object)[:-1].reshape(array.shape)
    elif array.dtype.kind not in "biuf":
        held = repr(given) if array.ndim == 0 else array.dtype.name
        raise ValueError(f"{name} must hold real numbers; it holds {held}")
    try:
        array = array.astype(float, copy=False)
    except OverflowError:
        raise ValueError(f"{name} holds a number too large for a float") from None
    # A finite sum says that all are, and needs no second array. It may overflow, hence the closer look.
    with np.errstate(over="ignore", invalid="ignore"):
        total = array.sum()
    if not np.isfinite(total) and not np.isfinite(array).all():
        at = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite, but {name}{list(at) if at else ''} is {array[at]}")
    return array


def real_array_like(X: np.ndarray, given, name: str) -> np.ndarray:
    """`given` as `real_array` has it; whole numbers stay exact where X does."""
    if exact(X) and np.asarray(given).dtype.kind in "iu":
        given = np.asarray(given).astype(object)
    return real_array(given, name)


def vector(given, name: str, entries: int, like: str, X: np.ndarray | None = None) -> np.ndarray:
    """A vector with this many entries, exact where X is; `like` says what else has so many, or what they are."""
    array = real_array(given, name) if X is None else real_array_like(X, given, name)
    if array.shape != (entries,):
        raise ValueError(f"{name} must have {entries} entries, {like}; its shape is {array.shape}")
    return array


# Examples and labels


def examples(given) -> np.ndarray:
    """X, shape (n, d), with at least one example and one feature."""
    X = real_array(given, "X")
    if X.ndim != 2 or X.size == 0:
        rows = "X.reshape(-1, 1)" if isinstance(given, np.ndarray) else "a row for each, such as [[1], [2]]"
        hint = f"; for examples with one feature write {rows}" if X.ndim == 1 and X.size else ""
        raise ValueError(f"X must have one example to a row; it holds {of_shape(X.shape)}{hint}")
    return X


def labels(given, n: int) -> np.ndarray:
    """y, shape (n,), of -1 and +1."""
    try:
        y = np.asarray(given)
    except ValueError:
        raise ValueError("y must have one label for each row of X; some of its entries are lists") from None
    if y.shape != (n,):
        raise ValueError(f"y must have one label for each of the {n} rows of X; it holds {of_shape(y.shape, 'label')}")
    wrong = np.flatnonzero((y != 1) & (y != -1))
    if wrong.size:
        hint = "; for labels 0 and 1 pass 2*y - 1" if set(y.tolist()) <= {0, 1} else ""
        raise ValueError(f"labels must be -1 or +1, but y holds {y.tolist()[wrong[0]]!r}{hint}")
    return y.astype(int)


def class_labels(given, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The different labels of several classes, sorted, and the place of each example's label among them."""
    labels = np.asarray(given)
    if labels.shape != (n,):
        raise ValueError(f"labels must have one entry for each of the {n} rows of X; its shape is {labels.shape}")
    if (labels != labels).any():
        raise ValueError("labels must not hold NaN: it is not equal to itself, so it names no class")
    try:
        classes, places = np.unique(labels, return_inverse=True)
    except TypeError:
        kinds = " and ".join(sorted({type(label).__name__ for label in labels.tolist()}))
        raise ValueError(f"labels must be of one kind, so that they can be sorted; it holds {kinds}") from None
    if len(classes) < 2:
        raise ValueError(f"two classes or more are needed; all labels are {classes.tolist()[0]!r}")
    return classes, places


def both_classes(y: np.ndarray, wanted_by: str) -> None:
    """Both labels occur."""
    if abs(y.sum()) == len(y):
        raise ValueError(f"{wanted_by}, but every label in y is {y[0]:+d}")


def two_features(X: np.ndarray, drawn_by: str) -> None:
    """The examples lie in the plane, where they can be drawn."""
    if X.shape[1] != 2:
        raise ValueError(f"{drawn_by} draws examples with two features; these have {X.shape[1]}")


def points(given, features: int, like: str, *, least: int = 0) -> np.ndarray:
    """One point, shape (d,), or at least `least` of them, shape (n, d), with as many features as `like` says."""
    X = real_array(given, "X")
    if X.ndim not in (1, 2) or X.shape[-1] != features or len(X) < least:
        raise ValueError(f"points must have {features} features, as {like}; the shape given is {X.shape}")
    return X


def kernel_points(given, features: int | None = None, name: str = "X") -> np.ndarray:
    """Points for a feature map or a kernel, which is called at every mistake: a clean array of floats is not copied."""
    X = np.asarray(given)
    if X.dtype != float or not np.isfinite(X).all():
        X = real_array(given, name)
    if X.ndim not in (1, 2) or X.size == 0 or (features and X.shape[-1] != features):
        wanted = f"({features},) or (n, {features})" if features else "(d,) or (n, d)"
        raise ValueError(f"{name} must be one point or many, shape {wanted}; its shape is {X.shape}")
    return X


# How a run starts


def starting_weights(theta0, X: np.ndarray, bias: bool) -> np.ndarray:
    """theta0, of a length that fits X and bias; zeros where none is given."""
    entries = X.shape[1] + true_or_false(bias, "bias")
    if theta0 is None:
        return np.zeros(entries, dtype=int).astype(X.dtype)
    theta0 = vector(theta0, "theta0", entries, "[b, w] with offset and w without", X)
    if exact(X) and not exact(theta0):
        raise ValueError("X holds fractions, so theta0 must hold ints or fractions: a float would make the run inexact")
    return theta0.astype(X.dtype)


def learning_rate(eta, X: np.ndarray, name: str = "eta"):
    """The rate: positive, and exact where the data are."""
    if not exact(X):
        return positive_float(eta, name)
    if not isinstance(positive_number(eta, name), Rational):
        raise ValueError(
            f"X holds fractions, so {name} must be an int or a fraction: a float would make the run inexact"
        )
    return Fraction(int(eta)) if isinstance(eta, np.integer) else Fraction(eta)  # NumPy's integers overflow


def visiting_order(order, n: int, seed) -> tuple[np.ndarray | None, int | None]:
    """The indices of an epoch, or None and a seed for a new permutation each time."""
    seed = random_seed(seed)
    if isinstance(order, str):
        if order == "cyclic":
            return np.arange(n), None
        if order == "random":
            return None, np.random.SeedSequence().entropy if seed is None else seed
        raise ValueError(f'order must be "cyclic", "random" or a sequence of indices; it was given {order!r}')
    indices = np.asarray(order)
    if indices.ndim != 1 or indices.size == 0 or indices.dtype.kind not in "iu":
        raise ValueError(f"order must be a non-empty sequence of indices; it was given {order!r}")
    outside = indices[(indices < 0) | (indices >= n)]
    if outside.size:
        raise ValueError(f"order must hold indices from 0 to {n - 1}; it holds {outside[0]}")
    return indices.astype(int), None
