"""What a perceptron cannot do: separable or not, with proof; several classes; a hidden layer. (Chapter 10.)"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from pla_lib.blas_threads import one_blas_thread
from pla_lib.datasets import Dataset
from pla_lib.geometry import Hyperplane
from pla_lib.interior_point import back_end, dense
from pla_lib.pla import inputs_for, score
from pla_lib.validation import (
    class_labels,
    exact,
    examples,
    points,
    real_array,
    starting_weights,
    true_or_false,
    whole_number,
)


@dataclass(frozen=True, eq=False)
class Separable:
    """The verdict "a hyperplane separates the examples", with that hyperplane as proof.

    Check it with `verify`, which is exact; `hyperplane.separates` computes with floats where X holds floats. Chapter
    10.

    Attributes
    ----------
    hyperplane : Hyperplane
        A hyperplane that separates the examples.

    Examples
    --------
    >>> Separable(Hyperplane([1, 1], -1.5)).verify([[0, 1], [1, 1]], [-1, +1])
    True
    """

    hyperplane: Hyperplane

    def verify(self, X, y, *, bias: bool = True) -> bool:
        r"""Check that :math:`y_i (w^\top x_i + b) > 0` for every i, and b = 0 without an offset. Nothing is rounded.

        Parameters
        ----------
        X : array_like, shape (n, d)
            Examples, one per row.
        y : array_like, shape (n,)
            Labels, each -1 or +1.
        bias : bool, default True
            Whether an offset is allowed.

        Returns
        -------
        bool
            Whether the proof holds.
        """
        X, y = Dataset(X, y)
        theta = _fractions(self.hyperplane.theta)
        if X.shape[1] + 1 != len(theta):
            raise ValueError(f"X must have {len(theta) - 1} features, as w has; its shape is {X.shape}")
        offset_fits = true_or_false(bias, "bias") or theta[0] == 0
        return bool((_signed(X, y, bias=True) @ theta > 0).all()) and offset_fits


@dataclass(frozen=True, eq=False)
class Inseparable:
    r"""The verdict "no hyperplane separates the examples", with weights as proof.

    Chapter 10.

    Attributes
    ----------
    weights : numpy.ndarray, shape (n,)
        The weights :math:`\lambda`, one per example.

    Notes
    -----
    With :math:`\lambda_i \ge 0`, :math:`\sum_i \lambda_i = 1` and :math:`\sum_i \lambda_i y_i x_i = 0` (augmented x
    with offset), the scores :math:`y_i\,\theta^\top x_i` have the weighted mean 0 whatever :math:`\theta` is: they
    cannot all be positive. With offset, the two classes have equal shares of the weights, 1/2 each, and these shares
    mix the same point from either class: the convex hulls meet there.

    Examples
    --------
    >>> Inseparable([0.25, 0.5, 0.25]).verify([[0], [1], [2]], [-1, +1, -1])
    True
    """

    weights: np.ndarray

    def verify(self, X, y, *, bias: bool = True) -> bool:
        r"""Check that the weights prove what they should; nothing is rounded.

        That is: :math:`\lambda \ge 0`, :math:`\sum_i \lambda_i = 1` and :math:`\sum_i \lambda_i y_i x_i = 0`.

        Parameters
        ----------
        X : array_like, shape (n, d)
            Examples, one per row.
        y : array_like, shape (n,)
            Labels, each -1 or +1.
        bias : bool, default True
            Whether an offset is allowed.

        Returns
        -------
        bool
            Whether the proof holds.
        """
        X, y = Dataset(X, y)
        lam = _fractions(real_array(self.weights, "weights"))
        if lam.shape != y.shape:
            raise ValueError(f"X must have one row to a weight; their shapes are {X.shape} and {lam.shape}")
        if (lam < 0).any() or lam.sum() != 1:
            return False
        used = lam != 0  # a few of many examples
        return not (lam[used] @ _signed(X[used], y[used], bias)).any()


def separability(X, y, *, bias: bool = True) -> Separable | Inseparable:
    r"""Decide whether a hyperplane can separate the examples, with a proof that was checked exactly.

    Chapter 10.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row; floats or fractions.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    bias : bool, default True
        Whether the hyperplane may have an offset b.

    Returns
    -------
    Separable or Inseparable
        The weights are always `fractions.Fraction`. So are the hyperplane's entries, unless X holds floats and the
        hyperplane still separates when its entries are rounded to floats.

    Notes
    -----
    By Gordan's theorem exactly one of two things exists: a :math:`\theta` with :math:`y_i\,\theta^\top x_i > 0` for
    every i, or weights :math:`\lambda \ge 0` that sum to 1, with :math:`\sum_i \lambda_i y_i x_i = 0`. A linear program
    in floats proposes a :math:`\theta`. Where that fails, the simplex method in whole numbers decides; it tries first
    the examples that carry the program's solution, at most d + 2 of them, so it seldom needs more. Floats are rational
    numbers: the verdict is true of the numbers given, however close to the other one.

    Examples
    --------
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> separability(X, [-1, +1, +1, +1]).hyperplane.predict(X).tolist()
    [-1, 1, 1, 1]
    >>> xor = separability(X, [-1, +1, +1, -1])
    >>> [str(weight) for weight in xor.weights]
    ['1/4', '1/4', '1/4', '1/4']
    >>> xor.verify(X, [-1, +1, +1, -1])
    True
    """
    X, y = Dataset(X, y)
    signed = _signed(X, y, bias)
    # Neither verdict changes when features and examples are multiplied by positive numbers. So: features with entries
    # in (-2, 2), which the float program needs, and then whole numbers, on which Python's arithmetic is fast and exact.
    units = np.array([_power_of_two(largest) for largest in abs(signed).max(axis=0)])
    whole, multiples = _whole(signed / units)

    theta, order = _proposal(whole)
    lam = None
    if not (whole @ theta > 0).all():
        theta, lam = _simplex(whole[order])
    if lam is None:
        verdicts = [Separable(hyperplane) for hyperplane in _hyperplanes(theta, units, bias, rounded=not exact(X))]
    else:
        weights = (lam * multiples[order])[np.argsort(order)]
        verdicts = [Inseparable(weights / weights.sum())]
    for verdict in verdicts:
        if verdict.verify(X, y, bias=bias):
            return verdict
    raise ArithmeticError("no certificate of separability holds: this is a mistake in pla_lib, please report it")


@one_blas_thread()
def _proposal(whole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A theta, and an order in which to try the examples, from a linear program in floats: a guess, good or bad.

        maximise mu   subject to   theta'a_i + c_i >= mu   and   -1 <= theta_j <= 1

    for signed examples a_i with largest entry 1. Its multipliers are the lam_i. The small random c_i make them unique:
    otherwise every common point of the hulls would do, and an interior point method spreads lam over all examples.
    """
    rows = np.array([[a / (max(map(abs, row)) or 1) for a in row] for row in whole.tolist()])
    n, m = rows.shape
    c = 1e-4 * np.random.default_rng(0).random(n)
    box, none = np.vstack([np.eye(m), -np.eye(m)]), np.zeros((2 * m, 1))
    P, G = np.zeros((m + 1, m + 1)), np.block([[-rows, np.ones((n, 1))], [box, none]])
    q, h = np.append(np.zeros(m), -1.0), np.append(c, np.ones(2 * m))
    solution = back_end().minimise(P, q, G, h, dense(P, G))
    theta, lam = solution.x[:m], solution.z[:n]
    return _whole(_fractions(theta)[None])[0][0], np.argsort(-lam, kind="stable")


def _simplex(whole: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Gordan's alternative for whole signed examples a_i: theta with every theta'a_i > 0, or lam; the other is None.

    Phase one of the simplex method: columns (1, a_i) and artificial variables e >= 0, of which it minimises the sum, in

        sum_i lam_i (1, a_i) + e = (1, 0, ..., 0).

    If e = 0 is reached, lam is there. If not, the final multipliers (mu, -theta) have theta'a_i >= mu > 0.
    """
    columns = np.insert(whole, 0, 1, axis=1)
    k = columns.shape[1]
    # The inverse of the basis, and below it the multipliers, both times the basis' determinant. These are whole numbers
    # (Cramer's rule), so the division in a pivot leaves no remainder. The first column holds the values of the basis.
    tableau = np.vstack([np.eye(k, dtype=int), np.ones(k, dtype=int)]).astype(object)
    determinant = 1
    basis = list(range(-k, 0))  # negative: artificial
    while tableau[-1, 0] > 0:
        # Bland's rule, which cannot cycle: of the columns that may enter, and of those that may leave, take the first.
        entering = next((i for i, column in enumerate(columns) if tableau[-1] @ column > 0), None)
        if entering is None:
            return -tableau[-1, 1:], None
        change = tableau @ columns[entering]
        rows = [r for r in range(k) if change[r] > 0]
        leaving = min(rows, key=lambda r: (Fraction(tableau[r, 0], change[r]), basis[r]))
        pivot_row = tableau[leaving]
        tableau = (change[leaving] * tableau - np.outer(change, pivot_row)) // determinant
        tableau[leaving] = pivot_row
        determinant = change[leaving]
        basis[leaving] = entering
    lam = np.array([Fraction(0)] * len(whole))
    for r, i in enumerate(basis):
        if i >= 0:
            lam[i] = Fraction(tableau[r, 0], determinant)
    return None, lam


def _hyperplanes(theta: np.ndarray, units: np.ndarray, bias: bool, rounded: bool) -> list[Hyperplane]:
    """From theta for features divided by their units: in floats, if wanted and possible, and exactly."""
    if bias and not theta[1:].any():
        # A single class, and theta = (b, 0). The features lie in (-2, 2), so this w moves no score by more than b / 2.
        theta = np.append([theta[0], theta[0] / Fraction(4)], theta[2:])
    theta = theta / units
    theta = theta / _power_of_two(max(abs(theta)))  # no float of it overflows
    theta = theta if bias else np.insert(theta, 0, Fraction(0))
    thetas = [theta.astype(float), theta] if rounded and theta[1:].astype(float).any() else [theta]
    return [Hyperplane.from_theta(theta) for theta in thetas]


def _signed(X: np.ndarray, y: np.ndarray, bias: bool) -> np.ndarray:
    """The rows y_i * x_i as fractions, augmented with x_0 = 1 if there is an offset."""
    return _fractions(y[:, None] * (np.insert(X, 0, 1, axis=1) if true_or_false(bias, "bias") else X))


def _fraction(number) -> Fraction:
    # NumPy's integers count as rationals too, but would overflow inside a fraction.
    if isinstance(number, float):
        return Fraction(number)
    return Fraction(int(number.numerator), int(number.denominator))


_fractions = np.frompyfunc(_fraction, 1, 1)


def _whole(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row of fractions times its least common denominator, and these denominators."""
    multiples = np.array([lcm(*(number.denominator for number in row)) for row in rows], dtype=object)
    times = np.frompyfunc(lambda number, multiple: number.numerator * (multiple // number.denominator), 2, 1)
    return times(rows, multiples[:, None]), multiples


def _power_of_two(number: Fraction) -> Fraction:
    """A power of two of the size of a positive number: number / power lies between 1/2 and 2. (1/2 for zero.)"""
    return Fraction(2) ** (number.numerator.bit_length() - number.denominator.bit_length())


@dataclass(frozen=True, eq=False)
class MulticlassRun:
    """What `multiclass_perceptron` learned, and the mistakes it made.

    Chapter 10.

    Attributes
    ----------
    classes : numpy.ndarray, shape (K,)
        The labels, sorted.
    thetas : numpy.ndarray, shape (K, d + 1) or (K, d)
        One row per class, with offset or without.
    bias : bool
        Whether there is an offset.
    mistakes : numpy.ndarray
        The index of the example at each mistake.
    epochs : int
        How many passes were made, the last one included.
    converged : bool
        Whether every example scores higher for its own class than for any other.
    """

    classes: np.ndarray
    thetas: np.ndarray
    bias: bool
    mistakes: np.ndarray
    epochs: int
    converged: bool

    def predict(self, X) -> np.ndarray:
        r"""Predict the class with the highest score :math:`\theta_k^\top x`, of equal ones the first.

        Parameters
        ----------
        X : array_like, shape (d,) or (m, d)
            One point or many.

        Returns
        -------
        numpy.ndarray, shape () or (m,)
            The classes.
        """
        X = points(X, self.thetas.shape[1] - self.bias, "the examples had")
        inputs = np.insert(X, 0, 1, axis=-1) if self.bias else X
        return self.classes[(inputs @ self.thetas.T).argmax(axis=-1)]


def multiclass_perceptron(X, labels, *, max_epochs: int = 1000, bias: bool = True) -> MulticlassRun:
    r"""Learn one weight vector per class; the highest score wins.

    It stops like `perceptron`. Chapter 10.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row. Fractions stay fractions.
    labels : array_like, shape (n,)
        Numbers, words, whatever can be sorted; at least two different ones.
    max_epochs : int, default 1000
        When to give up.
    bias : bool, default True
        Learn an offset for each class.

    Returns
    -------
    MulticlassRun
        The weights, and the mistakes.

    Notes
    -----
    All :math:`\theta_k` are zero at first. Where another class scores at least as high as the right one, that is a
    mistake (so a tie is one), and with r the right class and s the best of the others

    .. math:: \theta_r \leftarrow \theta_r + x_i, \quad \theta_s \leftarrow \theta_s - x_i.

    For two classes this is the perceptron: the rows are :math:`\theta` and :math:`-\theta`.

    Examples
    --------
    >>> run = multiclass_perceptron([[0, 1], [1, 0], [-1, -1]], ["north", "east", "south"])
    >>> run.converged, run.predict([[0, 5], [-2, -3]]).tolist()
    (True, ['north', 'south'])
    """
    X = examples(X)
    classes, rights = class_labels(labels, len(X))
    whole_number(max_epochs, "max_epochs")
    zero = starting_weights(None, X, bias)
    visits = list(zip(inputs_for(zero, X).tolist(), rights.tolist(), strict=True))
    thetas = [zero.tolist() for _ in classes]
    mistakes, epochs, clean = [], 0, False
    while not clean and epochs < max_epochs:
        epochs, so_far = epochs + 1, len(mistakes)
        for i, (x, right) in enumerate(visits):
            rival = _rival(thetas, x, right)
            if rival is not None:
                thetas[right] = [t + v for t, v in zip(thetas[right], x, strict=True)]
                thetas[rival] = [t - v for t, v in zip(thetas[rival], x, strict=True)]
                mistakes.append(i)
        clean = len(mistakes) == so_far
    converged = all(_rival(thetas, x, right) is None for x, right in visits)
    thetas = np.array(thetas, dtype=X.dtype)
    if not exact(thetas) and not np.isfinite(thetas).all():
        raise ValueError("the weights have outgrown what a float can hold; divide X by its largest entry and run again")
    return MulticlassRun(classes, thetas, bool(bias), np.array(mistakes, dtype=int), epochs, converged)


def _rival(thetas: list, x: list, right: int) -> int | None:
    """The best of the other classes, unless the right one beats them all."""
    scores = [score(theta, [x], 0) for theta in thetas]
    others = [k for k in range(len(thetas)) if k != right]
    if all(scores[right] > scores[k] for k in others):
        return None
    return max(others, key=scores.__getitem__)


@dataclass(frozen=True, eq=False)
class HiddenLayer:
    """A layer of threshold units, and one more unit that sees their answers, -1 or +1, in place of x.

    Chapter 10.

    Attributes
    ----------
    units : tuple of Hyperplane
        The hidden units.
    output : Hyperplane
        The unit that sees their answers.
    """

    units: tuple[Hyperplane, ...]
    output: Hyperplane

    def predict(self, X) -> np.ndarray:
        """Predict -1 or +1.

        Parameters
        ----------
        X : array_like, shape (d,) or (m, d)
            One point or many.

        Returns
        -------
        numpy.ndarray, shape () or (m,)
            Labels, each -1 or +1.
        """
        return self.output.predict(np.stack([unit.predict(X) for unit in self.units], axis=-1))


def xor_network() -> HiddenLayer:
    r"""Make XOR on :math:`\{0, 1\}^2`, which no hyperplane computes, from three: "at least one, and not both".

    Chapter 10.

    Returns
    -------
    HiddenLayer
        Two hidden units and an output.

    Examples
    --------
    >>> xor_network().predict([[0, 0], [0, 1], [1, 0], [1, 1]]).tolist()
    [-1, 1, 1, -1]
    """
    at_least_one = Hyperplane([1, 1], -0.5)  # x_1 OR x_2
    both = Hyperplane([1, 1], -1.5)  # x_1 AND x_2
    one_but_not_both = Hyperplane([1, -1], -1)  # first AND NOT second, for answers -1 and +1
    return HiddenLayer((at_least_one, both), one_but_not_both)
