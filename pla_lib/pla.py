"""The perceptron learning algorithm and the record of a run. (Chapter 02.)"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pla_lib.datasets import Dataset, exact, real_array

# A score of zero decides for neither class. Which labels does it count as a mistake for?
TIES = {
    "mistake": (-1, +1),  # y * score <= 0 is a mistake: Elkan, Hsu
    "negative": (+1,),  # sgn(0) = -1: Bloch
    "positive": (-1,),  # sgn(0) = +1: the blog, the slides' prediction
    "correct": (),  # only y * score < 0 is a mistake: the slides' test
}


@dataclass(frozen=True, eq=False)
class Run:
    """How a run was started, and its mistakes. Everything else follows from these.

    Each mistake adds its signed example, so after k mistakes, with indices i_1, ..., i_k,

        theta_k = theta_0 + eta * (y_{i_1} x_{i_1} + ... + y_{i_k} x_{i_k}).

    Attributes
    ----------
    X, y : arrays, shapes (n, d) and (n,)
    theta0 : array, shape (d + 1,) with offset, theta = [b, w]; shape (d,) without
    eta, tie : the rate, and what a zero score counts as
    order : array of indices visited in every epoch, or None for a new permutation each time
    seed : what the permutations were drawn from, also when the caller gave none
    mistakes : array, shape (k,), the index of the example at each mistake
    times : array, shape (k,), how many visits came before it
    epochs : passes made, the last one included
    converged : does every example pass under the tie rule?
    """

    X: np.ndarray
    y: np.ndarray
    theta0: np.ndarray
    eta: object
    tie: str
    order: np.ndarray | None
    seed: int | None
    mistakes: np.ndarray
    times: np.ndarray
    epochs: int
    converged: bool

    @cached_property
    def thetas(self) -> np.ndarray:
        """The weights before the first and after every mistake, shape (k + 1, d) or (k + 1, d + 1)."""
        signed = (self.eta * self.y[self.mistakes])[:, None] * self._inputs[self.mistakes]
        return np.cumsum(np.vstack([self.theta0, signed]), axis=0)

    @property
    def theta(self) -> np.ndarray:
        """The weights at the end."""
        return self.thetas[-1]

    @property
    def counts(self) -> np.ndarray:
        """How often each example was a mistake, shape (n,)."""
        return np.bincount(self.mistakes, minlength=len(self.y))

    @property
    def visits(self) -> np.ndarray:
        """The index of the example tried at each time, correct ones included."""
        return np.concatenate(list(_passes(self.order, len(self.y), self.seed, self.epochs)))

    @property
    def _inputs(self) -> np.ndarray:
        return _augmented(self.X) if len(self.theta0) > self.X.shape[1] else self.X

    def __repr__(self) -> str:
        end = "converged" if self.converged else "not converged"
        return f"Run({counted(len(self.mistakes), 'mistake')} in {counted(self.epochs, 'epoch')}, {end})"


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 mistake, 2 mistakes."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def perceptron(
    X,
    y,
    *,
    order: str | Sequence[int] = "cyclic",
    tie: str = "mistake",
    theta0=None,
    eta=1,
    bias: bool = True,
    max_epochs: int = 1000,
    seed: int | None = None,
) -> Run:
    """Run the perceptron: visit the examples, and on a mistake set theta <- theta + eta * y_i * x_i.

    Example i is a mistake if y_i * theta'x_i < 0, or if the score theta'x_i is zero and the tie rule says so.
    The run ends after an epoch without a mistake, or after `max_epochs`. (Chapter 02.)

    Parameters
    ----------
    X, y : arrays, shapes (n, d) and (n,)
        Examples and labels -1 or +1. With `fractions.Fraction`s in X the run is exact.
    order : "cyclic", "random" (a new permutation each epoch) or the indices to visit in each epoch
    tie : "mistake", "negative", "positive" or "correct": what a score of zero counts as
    theta0 : start, [b, w] with offset and w without; zero if not given
    eta : the rate, positive
    bias : learn an offset b, by putting x_0 = 1 in front of every example
    max_epochs : when to give up
    seed : for the random order; if none is given one is drawn, and recorded in the run

    Examples
    --------
    >>> run = perceptron([[2, 1], [0, 3]], [+1, -1])
    >>> run
    Run(2 mistakes in 2 epochs, converged)
    >>> run.theta.tolist()
    [0.0, 2.0, -2.0]
    """
    X, y = Dataset(X, y)
    inputs = _augmented(X) if bias else X
    if tie not in TIES:
        raise ValueError(f"tie must be one of {', '.join(TIES)}; it was given {tie!r}")
    if not isinstance(max_epochs, int | np.integer) or max_epochs < 1:
        raise ValueError(f"max_epochs must be a whole number of at least 1; it was given {max_epochs!r}")
    start = _start(theta0, inputs)
    eta = _rate(eta, inputs)
    order, seed = _order(order, len(y), seed)

    # Lists, because plain Python reads them several times faster than it reads arrays.
    rows, labels, theta = inputs.tolist(), y.tolist(), start.tolist()
    mistakes, times, epochs, visited = [], [], 0, 0
    for one_pass in _passes(order, len(y), seed, max_epochs):
        wrong = _visit(rows, labels, theta, eta, TIES[tie], one_pass.tolist())
        mistakes += [int(one_pass[t]) for t in wrong]
        times += [visited + t for t in wrong]
        epochs, visited = epochs + 1, visited + len(one_pass)
        if not wrong:
            break
    # One more look at every example; what this does to theta no longer matters.
    converged = not _visit(rows, labels, theta, eta, TIES[tie], range(len(y)))
    mistakes, times = np.array(mistakes, dtype=int), np.array(times, dtype=int)
    return Run(X, y, start, eta, tie, order, seed, mistakes, times, epochs, converged)


def _visit(rows, labels, theta, eta, zero_is_mistake_for, order) -> list[int]:
    """Visit the examples in order, change theta at each mistake, return at which places those were."""
    wrong = []
    for t, i in enumerate(order):
        x, y = rows[i], labels[i]
        # Term by term: sum() rounds otherwise from Python 3.12 on, and then a tie may not be one.
        score = theta[0] * x[0]
        for j in range(1, len(theta)):
            score += theta[j] * x[j]
        if y * score < 0 or (score == 0 and y in zero_is_mistake_for):
            for j in range(len(theta)):
                theta[j] += eta * y * x[j]
            wrong.append(t)
    return wrong


def _passes(order, n: int, seed, epochs: int):
    """The indices to visit, epoch by epoch."""
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        yield rng.permutation(n) if order is None else order


def _augmented(X: np.ndarray) -> np.ndarray:
    """Every example with x_0 = 1 in front."""
    return np.insert(X, 0, 1, axis=1)


def _start(theta0, inputs: np.ndarray) -> np.ndarray:
    if theta0 is None:
        return inputs[0] * 0
    theta0 = real_array(theta0, "theta0")
    if theta0.shape != inputs.shape[1:]:
        raise ValueError(
            f"theta0 must have {inputs.shape[1]} entries, [b, w] with offset and w without; its shape is {theta0.shape}"
        )
    if exact(inputs) and not exact(theta0):
        raise ValueError("X holds fractions, so theta0 must hold fractions too: a float would make the run inexact")
    return theta0.astype(inputs.dtype)


def _rate(eta, inputs: np.ndarray):
    rate = real_array(eta, "eta")
    if rate.ndim or not rate > 0:
        raise ValueError(f"eta must be a positive number; it was given {eta!r}")
    if exact(inputs) and isinstance(eta, float | np.floating):
        raise ValueError("X holds fractions, so eta must be an int or a fraction: a float would make the run inexact")
    return eta if exact(inputs) else float(eta)


def _order(order, n: int, seed) -> tuple[np.ndarray | None, int | None]:
    if isinstance(order, str):
        if order == "cyclic":
            return np.arange(n), None
        if order == "random":
            return None, np.random.SeedSequence().entropy if seed is None else seed
        raise ValueError(f'order must be "cyclic", "random" or a sequence of indices; it was given {order!r}')
    given = np.asarray(order)
    if given.ndim != 1 or given.size == 0 or given.dtype.kind not in "iu":
        raise ValueError(f"order must be a non-empty sequence of indices; it was given {order!r}")
    outside = given[(given < 0) | (given >= n)]
    if outside.size:
        raise ValueError(f"order must hold indices from 0 to {n - 1}; it holds {outside[0]}")
    return given, None
