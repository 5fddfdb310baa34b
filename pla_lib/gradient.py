"""Losses, their subgradients, and the perceptron as stochastic subgradient descent. (Chapter 03.)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.pla import TIES, inputs_for, passes, score
from pla_lib.validation import (
    learning_rate,
    option,
    real_array,
    real_number,
    starting_weights,
    visiting_order,
    whole_number,
)

# A loss max(0, kink - m) of the signed score m = y * theta'x has its kink where m equals
KINK = {"perceptron": 0, "hinge": 1}


def zero_one_loss(theta, X, y, *, tie: str = "mistake") -> int:
    r"""Count the mistakes, :math:`\sum_i 1[y_i\,\theta^\top x_i < 0]`, with ties counted as `tie` says.

    Its gradient is zero wherever it exists, so there is nothing to descend. Chapter 03.

    Parameters
    ----------
    theta : array_like, shape (d + 1,) or (d,)
        The weights, [b, w] or w.
    X : array_like, shape (n, d)
        Examples, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    tie : {"mistake", "negative", "positive", "correct"}, default "mistake"
        What a score of zero counts as, as for `perceptron`.

    Returns
    -------
    int
        The number of mistakes.

    Examples
    --------
    >>> zero_one_loss([0, 1], [[2], [-3], [0]], [+1, +1, -1])
    2
    """
    option(tie, "tie", TIES)
    m, y = _signed_scores(theta, X, y)
    return int(np.sum((m < 0) | ((m == 0) & np.isin(y, TIES[tie]))))


def perceptron_loss(theta, X, y):
    r"""Sum :math:`\max(0, -y_i\,\theta^\top x_i)`: how far on the wrong side the mistakes are.

    Chapter 03, Bloch's (3).

    Parameters
    ----------
    theta : array_like, shape (d + 1,) or (d,)
        The weights, [b, w] or w.
    X : array_like, shape (n, d)
        Examples, one per row. With `fractions.Fraction` entries the result is exact.
    y : array_like, shape (n,)
        Labels, each -1 or +1.

    Returns
    -------
    float or fractions.Fraction
        The loss.

    Examples
    --------
    >>> float(perceptron_loss([0, 1], [[2], [-3]], [+1, +1]))
    3.0
    """
    m, _ = _signed_scores(theta, X, y)
    return np.maximum(0, -m).sum()


def hinge_loss(theta, X, y):
    r"""Sum :math:`\max(0, 1 - y_i\,\theta^\top x_i)`: being right is not enough, the signed score must reach 1.

    Chapter 03.

    Parameters
    ----------
    theta : array_like, shape (d + 1,) or (d,)
        The weights, [b, w] or w.
    X : array_like, shape (n, d)
        Examples, one per row. With `fractions.Fraction` entries the result is exact.
    y : array_like, shape (n,)
        Labels, each -1 or +1.

    Returns
    -------
    float or fractions.Fraction
        The loss.

    Examples
    --------
    >>> float(hinge_loss([0, 1], [[2], [0.5], [-3]], [+1, +1, +1]))
    4.5
    """
    m, _ = _signed_scores(theta, X, y)
    return np.maximum(0, 1 - m).sum()


@dataclass(frozen=True, eq=False)
class Subdifferential:
    r"""All subgradients of one example's loss at theta: the vectors :math:`-c\,y\,x` with c between `low` and `high`.

    It is one vector where the loss has a slope, and a whole segment at the kink. Chapter 03.

    Attributes
    ----------
    signed_example : numpy.ndarray, shape (d + 1,) or (d,)
        :math:`y\,x`, with the 1 in front of x where theta has an offset.
    low, high : int
        The ends of the segment, 0 or 1.
    """

    signed_example: np.ndarray
    low: int
    high: int

    def element(self, c) -> np.ndarray:
        r"""Take the subgradient :math:`-c\,y\,x`.

        Parameters
        ----------
        c : float
            A number between `low` and `high`.

        Returns
        -------
        numpy.ndarray
            The subgradient.
        """
        real_number(c, "c", f"between {self.low} and {self.high} here", lambda c: self.low <= c <= self.high)
        return -c * self.signed_example


def subdifferential(loss: str, theta, x, y) -> Subdifferential:
    r"""Find the subdifferential of the loss of one example at theta.

    Chapter 03, Bloch's (4).

    Parameters
    ----------
    loss : {"perceptron", "hinge"}
        Which loss f.
    theta : array_like, shape (d + 1,) or (d,)
        The weights, [b, w] or w.
    x : array_like, shape (d,)
        The example.
    y : int
        Its label, -1 or +1.

    Returns
    -------
    Subdifferential
        All subgradients at theta.

    Notes
    -----
    A vector v is a subgradient of f at :math:`\theta` if :math:`f(\theta') \ge f(\theta) + v^\top(\theta' - \theta)`
    for every :math:`\theta'`.

    Examples
    --------
    >>> at_kink = subdifferential("perceptron", [0, 0], [2], +1)
    >>> at_kink.low, at_kink.high, at_kink.element(1).tolist()
    (0, 1, [-1.0, -2.0])
    """
    kink = _kink(loss)
    X, y = Dataset(np.asarray(x)[None], [y])
    theta = real_array(theta, "theta")
    signed = y[0] * inputs_for(theta, X)[0]
    m = theta @ signed
    return Subdifferential(signed, int(m < kink), int(m <= kink))


def is_subgradient(loss: str, v, theta, x, y, others) -> bool:
    r"""Tell whether a vector passes as a subgradient of the loss at theta.

    The test is :math:`f(\theta') \ge f(\theta) + v^\top(\theta' - \theta)` at each :math:`\theta'` of `others`. Bloch
    prints the inequality the other way round. Chapter 03.

    Parameters
    ----------
    loss : {"perceptron", "hinge"}
        Which loss f.
    v : array_like, shape (d + 1,) or (d,)
        The vector that may be a subgradient.
    theta : array_like, shape (d + 1,) or (d,)
        The weights, [b, w] or w.
    x : array_like, shape (d,)
        The example.
    y : int
        Its label, -1 or +1.
    others : sequence of array_like
        Where to test the inequality.

    Returns
    -------
    bool
        False as soon as one of `others` violates it.

    Examples
    --------
    On :math:`f(t) = \max(0, -t)` at :math:`t = 0`, where -1/2 is a subgradient:

    >>> is_subgradient("perceptron", [-0.5], [0], [1], +1, others=[[-2], [3]])
    True
    >>> is_subgradient("perceptron", [0.5], [0], [1], +1, others=[[-2], [3]])
    False
    """
    f = {0: perceptron_loss, 1: hinge_loss}[_kink(loss)]
    v, theta = real_array(v, "v"), real_array(theta, "theta")
    here, X, labels = f(theta, [x], [y]), [x], [y]
    return all(f(other, X, labels) >= here + v @ (real_array(other, "others") - theta) for other in others)


@dataclass(frozen=True, eq=False)
class Descent:
    r"""A run of stochastic subgradient descent.

    At the visit of example i, :math:`\theta \leftarrow \theta + \text{step} \cdot c\, y_i x_i`. Chapter 03.

    Attributes
    ----------
    X : numpy.ndarray, shape (n, d)
        The examples.
    y : numpy.ndarray, shape (n,)
        The labels.
    theta0 : numpy.ndarray, shape (d + 1,) or (d,)
        The weights at the start.
    step : float or fractions.Fraction
        The step size.
    visits : numpy.ndarray of int
        The index of the example at each time.
    c : numpy.ndarray
        The coefficient that was chosen at each time.
    """

    X: np.ndarray
    y: np.ndarray
    theta0: np.ndarray
    step: object
    visits: np.ndarray
    c: np.ndarray

    @cached_property
    def thetas(self) -> np.ndarray:
        """The weights at the start and after every visit, one per row."""
        signed = (self.step * self.c * self.y[self.visits])[:, None] * inputs_for(self.theta0, self.X)[self.visits]
        return np.cumsum(np.vstack([self.theta0, signed]), axis=0)

    @property
    def theta(self) -> np.ndarray:
        """The weights at the end."""
        return self.thetas[-1]


def sgd(
    X,
    y,
    loss: str = "perceptron",
    *,
    step=1,
    kink=1,
    epochs: int = 10,
    order: str | Sequence[int] = "cyclic",
    theta0=None,
    bias: bool = True,
    seed: int | None = None,
) -> Descent:
    r"""Run stochastic subgradient descent: at each visit take a step against a subgradient of that example's loss.

    Chapter 03, Bloch's (5).

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row. With `fractions.Fraction` entries the result is exact.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    loss : {"perceptron", "hinge"}, default "perceptron"
        Which loss to descend.
    step : float or fractions.Fraction, default 1
        The step size, positive.
    kink : float, default 1
        Which subgradient to take at a kink: :math:`-\text{kink} \cdot y\,x`, for a number between 0 and 1.
    epochs : int, default 10
        How many passes to make.
    order : {"cyclic", "random"} or sequence of int, default "cyclic"
        The order of the visits, as for `perceptron`.
    theta0 : array_like, shape (d + 1,) or (d,), optional
        Where to start; zero if not given.
    bias : bool, default True
        Learn an offset.
    seed : int, optional
        For the random order.

    Returns
    -------
    Descent
        The record of the run.

    Notes
    -----
    Each visit sets :math:`\theta \leftarrow \theta - \text{step} \cdot v`, where v is a subgradient of the example's
    loss. With the perceptron loss and ``kink=1`` this is the perceptron with ``tie="mistake"``, and with ``kink=0`` the
    one with ``tie="correct"``. Away from ties all choices agree.

    Examples
    --------
    >>> from pla_lib import blobs, perceptron
    >>> X, y = blobs()
    >>> run = perceptron(X, y)
    >>> bool((sgd(X, y, epochs=run.epochs).theta == run.theta).all())
    True
    """
    X, y = Dataset(X, y)
    bend = _kink(loss)
    real_number(kink, "kink", "a number between 0 and 1", lambda kink: 0 <= kink <= 1)
    whole_number(epochs, "epochs")
    start = starting_weights(theta0, X, bias)
    step = learning_rate(step, X, name="step")
    order, seed = visiting_order(order, len(y), seed)
    signed, theta, c = y[:, None] * inputs_for(start, X), start.copy(), []
    visits = np.concatenate(list(passes(order, len(y), seed, epochs)))
    for i in visits:
        m = score(theta, signed, i)
        c.append(1 if m < bend else kink if m == bend else 0)
        theta = theta + step * c[-1] * signed[i]
    return Descent(X, y, start, step, visits, np.array(c))


def _signed_scores(theta, X, y) -> tuple[np.ndarray, np.ndarray]:
    X, y = Dataset(X, y)
    theta = real_array(theta, "theta")
    return y * (inputs_for(theta, X) @ theta), y


def _kink(loss: str) -> int:
    if isinstance(loss, str) and loss == "zero-one":
        raise ValueError(
            "the counting loss cannot be descended: at a misclassified point it is flat and has no subgradient that "
            'leads downwards; choose "perceptron" or "hinge"'
        )
    return KINK[option(loss, "loss", KINK)]
