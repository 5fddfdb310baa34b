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
    """How many examples are mistakes: the sum of 1[y theta'x < 0], ties counted as `tie` says. (Chapter 03.)

    Its gradient is zero wherever it exists, so there is nothing to descend.

    Examples
    --------
    >>> zero_one_loss([0, 1], [[2], [-3], [0]], [+1, +1, -1])
    2
    """
    option(tie, "tie", TIES)
    m, y = _signed_scores(theta, X, y)
    return int(np.sum((m < 0) | ((m == 0) & np.isin(y, TIES[tie]))))


def perceptron_loss(theta, X, y):
    """The sum of max(0, -y theta'x): how deep on the wrong side the mistakes are. (Chapter 03, Bloch's (3).)

    Examples
    --------
    >>> float(perceptron_loss([0, 1], [[2], [-3]], [+1, +1]))
    3.0
    """
    m, _ = _signed_scores(theta, X, y)
    return np.maximum(0, -m).sum()


def hinge_loss(theta, X, y):
    """The sum of max(0, 1 - y theta'x): right is not enough, the signed score is to reach 1. (Chapter 03.)

    Examples
    --------
    >>> float(hinge_loss([0, 1], [[2], [0.5], [-3]], [+1, +1, +1]))
    4.5
    """
    m, _ = _signed_scores(theta, X, y)
    return np.maximum(0, 1 - m).sum()


@dataclass(frozen=True, eq=False)
class Subdifferential:
    """All subgradients of one example's loss at theta: the vectors -c * y * x with c between `low` and `high`.

    One vector where the loss has a slope; a whole segment at the kink.
    """

    signed_example: np.ndarray
    low: int
    high: int

    def element(self, c) -> np.ndarray:
        """The subgradient -c * y * x."""
        real_number(c, "c", f"between {self.low} and {self.high} here", lambda c: self.low <= c <= self.high)
        return -c * self.signed_example


def subdifferential(loss: str, theta, x, y) -> Subdifferential:
    """The subdifferential of "perceptron" or "hinge" loss of the example (x, y) at theta. (Chapter 03, Bloch's (4).)

    v is a subgradient of f at theta if f(theta') >= f(theta) + v'(theta' - theta) for every theta'.

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
    """Does f(theta') >= f(theta) + v'(theta' - theta) hold at each theta' of `others`? (Chapter 03.)

    Bloch prints the inequality the other way round. On f(t) = max(0, -t) at t = 0, where -1/2 is a subgradient:

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
    """A run of stochastic subgradient descent: at the visit of example i, theta <- theta + step * c * y_i * x_i.

    visits : the index of the example at each time;  c : the chosen coefficient at each time.
    """

    X: np.ndarray
    y: np.ndarray
    theta0: np.ndarray
    step: object
    visits: np.ndarray
    c: np.ndarray

    @cached_property
    def thetas(self) -> np.ndarray:
        """The weights at the start and after every visit, one to a row."""
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
    """Stochastic subgradient descent: at each visit theta <- theta - step * v, v a subgradient of that example's loss.

    At a kink v is -kink * y * x, for a `kink` between 0 and 1. With the perceptron loss and kink=1 this is the
    perceptron with tie="mistake", with kink=0 the one with tie="correct"; away from ties all choices agree.
    (Chapter 03, Bloch's (5).)

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
