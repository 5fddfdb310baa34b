"""One example at a time, for ever if need be, and Hsu's mistake bound where nothing separates. (Chapter 08.)"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.pla import TIES, Run, inputs_for, score
from pla_lib.validation import exact, instance, learning_rate, option, starting_weights, true_or_false, vector


@dataclass(frozen=True, eq=False, slots=True)
class Round:
    r"""One round of a stream: x is shown, a label is predicted, y is revealed, and theta changes if that was a mistake.

    Chapter 08.

    Attributes
    ----------
    t : int
        1, 2, ...; a `Run` counts the visits before it, t - 1.
    x : numpy.ndarray, shape (d,)
        The example as it came.
    y : int
        Its label.
    prediction : int
        -1 or +1; 0 for a score of zero where the tie rule decides for neither.
    mistake : bool
        Whether it was one, under the tie rule.
    theta : numpy.ndarray
        The weights after the round, read-only.
    mistakes : int
        How many so far, this round included.
    radius_squared : float or fractions.Fraction
        :math:`\max \lVert x \rVert^2` so far, of the x as used, with :math:`x_0 = 1` in front where there is an offset.
    """

    t: int
    x: np.ndarray
    y: int
    prediction: int
    mistake: bool
    theta: np.ndarray
    mistakes: int
    radius_squared: object
    _kept: list | None = field(repr=False)

    @property
    def radius(self) -> float:
        r""":math:`\max \lVert x \rVert` so far."""
        return float(self.radius_squared) ** 0.5

    @property
    def kept(self) -> list[tuple[int, np.ndarray, int]]:
        """The mistakes so far, as (t, x, y), if the stream was started with ``keep=True``."""
        if self._kept is None:
            raise ValueError("the mistakes were not kept; start the stream with keep=True")
        return self._kept[: self.mistakes]


def online_perceptron(
    stream: Iterable, *, bias: bool = True, tie: str = "mistake", eta=1, theta0=None, keep: bool = False
) -> Iterator[Round]:
    r"""Run the perceptron over a stream of pairs (x, y), read one at a time.

    In round t it predicts :math:`\operatorname{sgn}(\theta^\top x_t)`, sees :math:`y_t`, and on a mistake sets
    :math:`\theta \leftarrow \theta + \eta\, y_t x_t`. The stream may be endless: only theta is held from round to
    round, unless `keep` asks for the mistakes too. One pass through the data, ``zip(X, y)``, makes the mistakes of
    ``perceptron(X, y, max_epochs=1)``. Chapter 08.

    Parameters
    ----------
    stream : iterable
        Pairs of an example, shape (d,), and a label -1 or +1. Each is checked when its round comes.
    bias : bool, default True
        Learn an offset.
    tie : {"mistake", "negative", "positive", "correct"}, default "mistake"
        What a score of zero counts as.
    eta : float or fractions.Fraction, default 1
        The learning rate.
    theta0 : array_like, optional
        Where to start; zero if not given.
    keep : bool, default False
        Collect the mistakes in `Round.kept`; memory then grows with their number.

    Yields
    ------
    Round
        One round after the other.

    Examples
    --------
    >>> from itertools import cycle
    >>> rounds = online_perceptron(cycle([([2, 1], +1), ([0, 3], -1)]))
    >>> for _, r in zip(range(3), rounds):
    ...     print(r.t, r.mistake, r.theta.tolist())
    1 True [1.0, 2.0, 1.0]
    2 True [0.0, 2.0, -2.0]
    3 False [0.0, 2.0, -2.0]
    """
    option(tie, "tie", TIES)
    true_or_false(bias, "bias")
    if not isinstance(stream, Iterable):
        raise ValueError(f"stream must be an iterable of pairs (x, y), such as zip(X, y); it was given {stream!r}")
    return _rounds(stream, bias, tie, eta, theta0, [] if true_or_false(keep, "keep") else None)


def _rounds(stream, bias, tie, eta, theta0, kept) -> Iterator[Round]:
    of_zero = {"negative": -1, "positive": +1}.get(tie, 0)
    theta, mistakes, radius_squared = None, 0, 0
    for t, pair in enumerate(stream, start=1):
        x, y = _example(pair, t)
        if theta is None:
            theta, eta = starting_weights(theta0, x[None], bias), learning_rate(eta, x)
            theta.flags.writeable = False
        if len(x) + bool(bias) != len(theta):
            raise ValueError(f"x must have as many features in every round; in round {t} it has {len(x)}")
        if exact(x) != exact(theta):
            raise ValueError(f"x must hold fractions in every round or in none; round {t} is not like the first")
        used = inputs_for(theta, x[None])[0]
        s = score(theta.tolist(), [used.tolist()], 0)  # lists, which plain Python reads faster than arrays
        if s:
            prediction = 1 if s > 0 else -1
            mistake = prediction != y
        else:
            prediction, mistake = of_zero, y in TIES[tie]
        if mistake:
            theta = theta + eta * y * used
            theta.flags.writeable = False
            mistakes += 1
            if kept is not None:
                kept.append((t, x, y))
        radius_squared = max(radius_squared, used @ used)
        yield Round(t, x, y, prediction, mistake, theta, mistakes, radius_squared, kept)


def _example(pair, t: int) -> tuple[np.ndarray, int]:
    try:
        x, y = pair
    except (TypeError, ValueError):
        raise ValueError(f"the stream must give pairs (x, y); in round {t} it gave {pair!r}") from None
    try:
        X, labels = Dataset([x], [y])
    except ValueError as error:
        raise ValueError(f"in round {t} of the stream: {error}") from None
    return X[0], int(labels[0])


def hinge_mistake_bound(run: Run, w, *, rounds: str = "all") -> float:
    r"""Bound the mistakes of a run from zero by Hsu's theorem; the examples need not be separable.

    Chapter 08.

    Parameters
    ----------
    run : Run
        A run that started from zero.
    w : array_like
        The comparator, of the length of ``run.theta``: [b, w] where the run has an offset.
    rounds : {"all", "mistakes"}, default "all"
        The rounds over which the hinge loss is summed.

    Returns
    -------
    float
        The bound.

    Notes
    -----
    .. math::
       M \le H + \lVert w \rVert L \sqrt{H} + \lVert w \rVert^2 L^2, \quad
       H = \sum_t \max(0, 1 - y_t\,w^\top x_t), \quad L = \max_t \lVert x_t \rVert.

    Proof. At a mistake :math:`w^\top\theta` grows by :math:`y_t\,w^\top x_t`, which is at least 1 minus the hinge loss,
    so :math:`M - H \le w^\top\theta`. And :math:`\lVert\theta\rVert^2` grows by at most :math:`L^2`, so
    :math:`w^\top\theta \le \lVert w \rVert L \sqrt{M}`. With :math:`s = \lVert w \rVert L`, :math:`\sqrt{M}` is
    therefore at most the larger root of :math:`z^2 - s z - H`, and its square, :math:`(s^2 + s\sqrt{s^2 + 4H})/2 + H`,
    at most the bound, by :math:`\sqrt{s^2 + 4H} \le s + 2\sqrt{H}`. The learning rate only rescales :math:`\theta`;
    another start would need another bound.

    H needs the mistake rounds only, and so Hsu states it (``rounds="mistakes"``). Then w = 0 gives H = M: over all w
    that form has the minimum M and says nothing. Summed over all rounds visited (``rounds="all"``) H does not depend on
    which of them were mistakes, and the bound can be known beforehand. L is over all rounds in both.

    Examples
    --------
    >>> from pla_lib.pla import perceptron
    >>> run = perceptron([[1, 0], [0, 1], [1, 1]], [+1, +1, -1], bias=False, max_epochs=1)
    >>> len(run.mistakes), hinge_mistake_bound(run, [0, 0])
    (3, 3.0)
    >>> hinge_mistake_bound(run, [1, 0])  # H = 0 + 1 + 2
    7.449489742783178
    """
    instance(run, Run, "hinge_mistake_bound takes a Run, as perceptron(X, y) gives")
    w = vector(w, "w", len(run.theta0), "as run.theta has")
    if run.theta0.any():
        raise ValueError("the bound is for a run that starts from zero; this one has another theta0")
    option(rounds, "rounds", ("all", "mistakes"))
    X = inputs_for(w, run.X)
    visited = np.bincount(run.visits, minlength=len(run.y))
    counted = visited if rounds == "all" else run.counts
    losses = np.maximum(0, 1 - run.y * (X @ w))
    return float(hinge_bound(counted @ losses, w @ w * (X[visited > 0] ** 2).sum(axis=1).max()))


def best_comparator(X, y) -> np.ndarray:
    r"""Find the comparator for which `hinge_mistake_bound` is least on one pass through the examples.

    It is the all-rounds form of the bound. For an offset put a 1 in front of every x. Chapter 08.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.

    Returns
    -------
    numpy.ndarray, shape (d,)
        The comparator w.

    Notes
    -----
    It lies on the soft-margin path. The bound grows with :math:`\lVert w \rVert` and with the total hinge loss
    :math:`H(w)`, so no w beats the one of least H among those that are no longer. That one is 0 or minimises
    :math:`\frac12 \lVert w \rVert^2 + \frac{C}{N} H(w)` for some C, where N/C is the multiplier of the constraint on
    the length: it is ``soft_margin(X, y, C, bias=False)``. What remains is a search over the number C: on a logarithmic
    grid, for the bound may have several valleys along the path, then by golden section in the best of them.

    Examples
    --------
    >>> best_comparator([[2], [3], [-2], [2]], [+1, +1, -1, +1]).round(3)  # H = 0, and the bound is 9/4
    array([0.5])
    """
    from pla_lib.margins import soft_margin  # brings cvxopt along, which a stream does not need

    X, y = Dataset(X, y)
    X, n = X.astype(float), len(y)
    radius_squared = (X * X).sum(axis=1).max()
    if not radius_squared:
        return np.zeros(X.shape[1])

    def bound(w: np.ndarray) -> float:
        return float(hinge_bound(np.maximum(0, 1 - y * (X @ w)).sum(), w @ w * radius_squared))

    def comparator(log_c: float) -> np.ndarray:
        w = soft_margin(X, y, float(np.exp(log_c)), bias=False).theta
        least = (y * (X @ w)).min()
        # Where w separates, H is zero in canonical form; the solver's 1e-9 would enter the bound as its square root.
        return min(w, w / least, key=bound) if least > 0 else w

    # Below C = 1/L^2 every example is within the margin and w only grows longer. From about C = N^2/L^2 on, w no longer
    # changes, or is so long that w = 0, with the bound N, is better.
    ends = np.log(0.01 / radius_squared), np.log(10 * n**2 / radius_squared)
    grid = np.linspace(*ends, num=int(4 * np.log10(1000 * n**2)))
    path = [comparator(log_c) for log_c in grid]
    best = int(np.argmin([bound(w) for w in path]))
    valley = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    return min(np.zeros(X.shape[1]), path[best], _golden_section(comparator, bound, *valley), key=bound)


def hinge_bound(losses, s_squared):
    """Hsu's bound H + s sqrt(H) + s^2 from the total hinge losses H and s^2 = ||w||^2 L^2, each a number or an array.

    The root is taken last, so that fractions stay exact as long as they can.

    Examples
    --------
    >>> hinge_bound(np.array([0, 4, 9]), 1).tolist()
    [1.0, 7.0, 13.0]
    """
    return np.asarray(losses + s_squared, float) + np.sqrt(np.asarray(losses * s_squared, float))


def _golden_section(point: Callable, value: Callable, left: float, right: float, steps: int = 25):
    """The point(t) of least value for t between left and right, where the value has one valley."""
    ratio = (5**0.5 - 1) / 2
    low, high = right - ratio * (right - left), left + ratio * (right - left)
    at_low, at_high = point(low), point(high)
    for _ in range(steps):
        if value(at_low) <= value(at_high):
            right, high, at_high = high, low, at_low
            low = right - ratio * (right - left)
            at_low = point(low)
        else:
            left, low, at_low = low, high, at_high
            high = left + ratio * (right - left)
            at_high = point(high)
    return min(at_low, at_high, key=value)
