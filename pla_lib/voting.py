"""Which weights of a run to use: averaged, voted, pocket; and Rocchio's, which need no run. (Chapter 09.)"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.pla import Run, perceptron
from pla_lib.validation import both_classes, exact, instance, points, true_or_false

BLOCK = 2**20  # scores that are held at once: 8 MB of floats


def averaged(run: Run) -> np.ndarray:
    r"""Compute the mean over all visits of the weights in use, those that predicted at the visit.

    Chapter 09, after Elkan.

    Parameters
    ----------
    run : Run
        A run, as `perceptron` returns it.

    Returns
    -------
    numpy.ndarray, shape (d + 1,) or (d,)
        The averaged weights, as ``run.theta``; exact on fractions.

    Notes
    -----
    With T visits and mistake k at time :math:`t_k = 0, 1, \dots`,

    .. math:: \bar\theta = \theta_0 + \frac{\eta}{T} \sum_k (T - 1 - t_k)\, y_{i_k} x_{i_k},

    because the signed example that mistake k adds is in the weights at each of the :math:`T - 1 - t_k` visits after it.
    So one pass over the mistakes is enough, and no weights but these are stored. It is also the mean of the thetas,
    each weighted with its survival. (Elkan counts the visit of a mistake for the new weights, not for those that made
    it; then the factor is :math:`T - t_k`.)

    Examples
    --------
    >>> run = perceptron([[2, 1], [0, 3]], [+1, -1])
    >>> run.thetas.tolist()  # in force for 1, 1 and 2 visits
    [[0.0, 0.0, 0.0], [1.0, 2.0, 1.0], [0.0, 2.0, -2.0]]
    >>> averaged(run).tolist()
    [0.25, 1.5, -0.75]
    """
    survival = instance(run, Run, "averaged takes a Run, as perceptron(X, y) gives").survival
    visits = int(survival.sum())
    # How many visits each example's update was there for, added up over the mistakes on that example.
    presence = np.zeros(len(run.y), dtype=int)
    np.add.at(presence, run.mistakes, visits - np.cumsum(survival)[:-1])
    total = (presence * run.y) @ run.X
    if len(run.theta0) > run.X.shape[1]:
        total = np.insert(total, 0, int(presence @ run.y))
    return run.theta0 + run.eta * _share(total, visits)


def voted(run: Run, X) -> np.ndarray:
    r"""Predict the label with the most votes, where every theta of the run has as many votes as visits it survived.

    Unlike `averaged` this is no linear classifier, and it needs all the thetas. Chapter 09, after Freund and Schapire.

    Parameters
    ----------
    run : Run
        A run, as `perceptron` returns it.
    X : array_like, shape (d,) or (m, d)
        One point or many.

    Returns
    -------
    numpy.ndarray, shape () or (m,)
        Labels, each -1 or +1.

    Notes
    -----
    .. math:: f(x) = \operatorname{sgn}\Bigl(\sum_k c_k \operatorname{sgn}(\theta_k^\top x)\Bigr),

    where c is ``run.survival`` and :math:`\operatorname{sgn}(0) = -1` inside and outside, as in `Hyperplane.predict`.

    Examples
    --------
    >>> run = perceptron([[2, 1], [0, 3]], [+1, -1])
    >>> voted(run, [[2, 1], [0, 3]]).tolist()
    [1, -1]
    """
    d = instance(run, Run, "voted takes a Run, as perceptron(X, y) gives").X.shape[1]
    X = points(X, d, "the run's examples have", least=1)
    survival, votes = run.survival, 0
    for some, scores in _scores(run.thetas, X.reshape(-1, d)):
        votes = votes + np.where(scores > 0, 1.0, -1.0) @ survival[some]
    return np.where(votes > 0, 1, -1).reshape(X.shape[:-1])[()]


@dataclass(frozen=True, eq=False)
class Pocket:
    """The weights that the pocket algorithm kept, and the run that met them.

    Chapter 09.

    Attributes
    ----------
    theta : numpy.ndarray
        The weights kept.
    errors : int
        How many of all examples they label wrongly.
    run : Run
        The run that met them.
    """

    theta: np.ndarray
    errors: int
    run: Run


def pocket(
    X,
    y,
    *,
    order: str | Sequence[int] = "random",
    bias: bool = True,
    max_epochs: int = 100,
    seed: int | None = None,
) -> Pocket:
    r"""Run the perceptron and keep the best weights it met, not the last ones.

    The best are those with the fewest errors on X, y. Of equally good weights the earliest are kept; the start, zero,
    which labels everything -1, is among them. Chapter 09.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row. With `fractions.Fraction` entries the result is exact.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    order : {"cyclic", "random"} or sequence of int, default "random"
        The order of the visits, as for `perceptron`.
    bias : bool, default True
        Learn an offset.
    max_epochs : int, default 100
        When to stop.
    seed : int, optional
        For the random order.

    Returns
    -------
    Pocket
        The weights, their errors, and the run.

    Notes
    -----
    An error is an example that the weights label wrongly, :math:`\operatorname{sgn}(\theta^\top x) \ne y` with
    :math:`\operatorname{sgn}(0) = -1` as in `Hyperplane.predict`; the run itself counts a zero score as a mistake for
    both labels.

    Examples
    --------
    >>> best = pocket([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1], seed=0)
    >>> best.errors  # no line does better on XOR
    1
    """
    run = perceptron(X, y, order=order, bias=bias, max_epochs=max_epochs, seed=seed)
    positive = run.y[:, None] > 0
    errors = np.concatenate([((scores > 0) != positive).sum(axis=0) for _, scores in _scores(run.thetas, run.X)])
    best = int(errors.argmin())
    return Pocket(run.thetas[best], int(errors[best]), run)


def rocchio(X, y, *, bias: bool = False) -> np.ndarray:
    r"""Compute Rocchio's weights :math:`w = u - v`, the difference of the class means.

    u is the mean of the positive examples, v that of the negative ones. Elkan's quiz: sensible, and yet it may err on
    data that can be separated. Chapter 09.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row. With `fractions.Fraction` entries the result is exact.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    bias : bool, default False
        Have the offset :math:`b = -w^\top(u + v)/2`, so that the hyperplane goes through the midpoint of the means: the
        points nearer to u are positive.

    Returns
    -------
    numpy.ndarray, shape (d,) or (d + 1,)
        w, or [b, w] with `bias`.

    Raises
    ------
    ValueError
        If only one class is there.

    Examples
    --------
    >>> rocchio([[3, 1], [1, 1], [0, 0]], [+1, +1, -1], bias=True).tolist()
    [-2.5, 2.0, 1.0]
    """
    X, y = Dataset(X, y)
    both_classes(y, "rocchio needs both classes")
    u, v = (_share(X[y == label].sum(axis=0), int((y == label).sum())) for label in (+1, -1))
    w = u - v
    return np.insert(w, 0, -_share(w @ (u + v), 2)) if true_or_false(bias, "bias") else w


def _share(total, parts: int):
    """total / parts; on fractions by multiplying, because int / int, where one is a whole number, would be a float."""
    return total * Fraction(1, parts) if exact(np.asarray(total)) else total / parts


def _scores(thetas: np.ndarray, X: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """theta'x for every row of X and some thetas at a time, shape (n, number of those), with the slice they are."""
    step = max(1, BLOCK // len(X))
    for at in range(0, len(thetas), step):
        block = thetas[at : at + step]
        w = block[:, -X.shape[1] :]
        b = block[:, 0] if block.shape[1] > X.shape[1] else 0
        yield slice(at, at + step), X @ w.T + b
