"""The perceptron learning algorithm and the record of a run. (Chapter 02.)"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.geometry import Hyperplane
from pla_lib.validation import exact, learning_rate, option, starting_weights, visiting_order, whole_number
from pla_lib.wording import counted

# A score of zero decides for neither class. Which labels does it count as a mistake for?
TIES = {
    "mistake": (-1, +1),  # y * score <= 0 is a mistake: Elkan, Hsu
    "negative": (+1,),  # sgn(0) = -1: Bloch
    "positive": (-1,),  # sgn(0) = +1: the blog, the slides' prediction
    "correct": (),  # only y * score < 0 is a mistake: the slides' test
}
LARGE = 20_000  # numbers in X from which a compiled loop is worth its start


@dataclass(frozen=True, eq=False)
class Run:
    r"""How a run was started, and its mistakes. Everything else follows from these.

    Chapter 02.

    Attributes
    ----------
    X : numpy.ndarray, shape (n, d)
        The examples.
    y : numpy.ndarray, shape (n,)
        The labels, -1 or +1.
    theta0 : numpy.ndarray, shape (d + 1,) or (d,)
        The weights at the start: [b, w] with offset, w without.
    eta : float or fractions.Fraction
        The learning rate.
    tie : str
        What a score of zero counts as.
    order : numpy.ndarray or None
        The indices visited in every epoch, or None for a new permutation each time.
    seed : int or None
        What the permutations were drawn from, also when the caller gave none.
    mistakes : numpy.ndarray, shape (k,)
        The index of the example at each mistake.
    times : numpy.ndarray, shape (k,)
        How many visits came before each mistake.
    epochs : int
        How many passes were made, the last one included.

    Notes
    -----
    Each mistake adds its signed example. So after k mistakes, on the examples with indices :math:`i_1, \dots, i_k`,

    .. math:: \theta_k = \theta_0 + \eta\,(y_{i_1} x_{i_1} + \dots + y_{i_k} x_{i_k}).
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

    @cached_property
    def converged(self) -> bool:
        """Whether every example passes under the run's tie rule."""
        loop, rows, labels, theta = _loop(self.X, self.y, self.theta)
        every = np.arange(len(self.y))
        return len(loop(rows, labels, theta, self.eta, -1 in TIES[self.tie], +1 in TIES[self.tie], every)) == 0

    @cached_property
    def thetas(self) -> np.ndarray:
        """The weights before the first and after every mistake, shape (k + 1, d + 1), or (k + 1, d) without offset."""
        signed = (self.eta * self.y[self.mistakes])[:, None] * inputs_for(self.theta0, self.X[self.mistakes])
        return np.cumsum(np.vstack([self.theta0, signed]), axis=0)

    @property
    def theta(self) -> np.ndarray:
        """The weights at the end."""
        return self.thetas[-1]

    @property
    def hyperplane(self) -> Hyperplane:
        """The hyperplane of the last weights; a ValueError while w = 0, because there is none yet."""
        return Hyperplane.from_theta(self.theta if len(self.theta) > self.X.shape[1] else np.insert(self.theta, 0, 0))

    @property
    def counts(self) -> np.ndarray:
        r"""How often each example was a mistake, shape (n,).

        From a zero start :math:`\theta = \eta \sum_i \text{counts}_i\, y_i x_i`.
        """
        return np.bincount(self.mistakes, minlength=len(self.y))

    @property
    def survival(self) -> np.ndarray:
        """For how many visits each of the `thetas` was in use, shape (k + 1,). They sum to the number of visits."""
        visits = self.epochs * (len(self.y) if self.order is None else len(self.order))
        return np.diff(self.times + 1, prepend=0, append=visits)

    @property
    def visits(self) -> np.ndarray:
        """The index of the example tried at each time, correct ones included."""
        return np.concatenate(list(passes(self.order, len(self.y), self.seed, self.epochs)))

    @property
    def errors(self) -> np.ndarray:
        """How many examples are wrong under the weights at the end of each epoch, shape (epochs,)."""
        length = len(self.y) if self.order is None else len(self.order)
        made = np.searchsorted(self.times, length * np.arange(1, self.epochs + 1))
        m = self.y * (self.thetas[made] @ inputs_for(self.theta0, self.X).T)
        return ((m < 0) | ((m == 0) & np.isin(self.y, TIES[self.tie]))).sum(axis=1)

    def __repr__(self) -> str:
        end = "converged" if self.converged else "not converged"
        return f"Run({counted(len(self.mistakes), 'mistake')} in {counted(self.epochs, 'epoch')}, {end})"


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
    r"""Run the perceptron: visit the examples, and on a mistake add the signed example to the weights.

    Example i is a mistake if :math:`y_i\,\theta^\top x_i < 0`, or if the score :math:`\theta^\top x_i` is zero and the
    tie rule says so. Then :math:`\theta \leftarrow \theta + \eta\, y_i x_i`. The run ends after an epoch without a
    mistake, or after `max_epochs`. Chapter 02.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row. With `fractions.Fraction` entries the result is exact.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    order : {"cyclic", "random"} or sequence of int, default "cyclic"
        The order of the visits: as given, a new permutation in each epoch, or these indices in each epoch.
    tie : {"mistake", "negative", "positive", "correct"}, default "mistake"
        What a score of zero counts as: a mistake for either label, a prediction of -1, a prediction of +1, or correct
        for either label.
    theta0 : array_like, shape (d + 1,) or (d,), optional
        Where to start, [b, w] with offset and w without; zero if not given.
    eta : float or fractions.Fraction, default 1
        The learning rate, positive.
    bias : bool, default True
        Learn an offset b, by putting :math:`x_0 = 1` in front of every example.
    max_epochs : int, default 1000
        When to give up.
    seed : int, optional
        For the random order. If you give none, one is drawn and recorded in the run.

    Returns
    -------
    Run
        The record of the run: how it started, and its mistakes.

    Raises
    ------
    ValueError
        If an argument makes no sense, or if the weights outgrow what a float can hold.

    See Also
    --------
    kernel_perceptron : The same on features that are never computed.
    online_perceptron : The same on a stream.

    Examples
    --------
    >>> run = perceptron([[2, 1], [0, 3]], [+1, -1])
    >>> run
    Run(2 mistakes in 2 epochs, converged)
    >>> run.theta.tolist()
    [0.0, 2.0, -2.0]
    """
    X, y = Dataset(X, y)
    option(tie, "tie", TIES)
    whole_number(max_epochs, "max_epochs")
    start = starting_weights(theta0, X, bias)
    eta = learning_rate(eta, X)
    order, seed = visiting_order(order, len(y), seed)

    visit, rows, labels, theta = _loop(X, y, start)
    zero_is_mistake = -1 in TIES[tie], +1 in TIES[tie]
    mistakes, times, epochs, visited = [], [], 0, 0
    for one_pass in passes(order, len(y), seed, max_epochs):
        wrong = visit(rows, labels, theta, eta, *zero_is_mistake, one_pass)
        mistakes.append(one_pass[wrong])
        times.append(visited + wrong)
        epochs, visited = epochs + 1, visited + len(one_pass)
        if len(wrong) == 0:
            break
    if not exact(X) and not np.isfinite(theta).all():
        raise ValueError("the weights have outgrown what a float can hold; divide X by its largest entry and run again")
    return Run(X, y, start, eta, tie, order, seed, np.concatenate(mistakes), np.concatenate(times), epochs)


def score(theta, rows, i):
    """theta'x_i, term by term. sum() rounds otherwise from Python 3.12 on, and then a tie may not be one."""
    total = theta[0] * rows[i][0]
    for j in range(1, len(theta)):
        total += theta[j] * rows[i][j]
    return total


def visit(rows, labels, theta, eta, zero_is_mistake_for_minus, zero_is_mistake_for_plus, order):
    """Visit the examples in order, change theta in place at each mistake, return at which places those were."""
    wrong, count = np.empty(len(order), np.intp), 0
    for t in range(len(order)):
        i = order[t]
        y, s = labels[i], score(theta, rows, i)
        if y * s > 0:
            continue
        # What is left is a mistake, also a score that is no number because it overflowed, unless it is a tie.
        if s != 0 or (zero_is_mistake_for_plus if y > 0 else zero_is_mistake_for_minus):
            for j in range(len(theta)):
                theta[j] += eta * y * rows[i][j]
            wrong[count] = t
            count += 1
    return wrong[:count]


def _loop(X: np.ndarray, y: np.ndarray, start: np.ndarray):
    """The loop that fits the data, and the data in the form it reads fastest.

    Compiled for large arrays of floats where numba is installed, plain for the rest; both make the same mistakes.
    """
    if X.size >= LARGE and not exact(X):
        try:
            from pla_lib import compiled

            return compiled.visit, compiled.rows(X), y, start.copy()
        except ImportError:
            pass
    return visit, inputs_for(start, X).tolist(), y.tolist(), start.tolist()


def inputs_for(theta: np.ndarray, X: np.ndarray) -> np.ndarray:
    """The examples as theta takes them: with x_0 = 1 in front if theta has one entry more than x, else as they are."""
    if theta.shape == (X.shape[1] + 1,):
        return np.insert(X, 0, 1, axis=1)
    if theta.shape == (X.shape[1],):
        return X
    raise ValueError(
        f"theta must have {X.shape[1] + 1} entries, [b, w], or {X.shape[1]} without offset; its shape is {theta.shape}"
    )


def passes(order: np.ndarray | None, n: int, seed: int | None, epochs: int):
    """The indices to visit, epoch by epoch; a new permutation each time where there is no fixed order."""
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        yield rng.permutation(n) if order is None else order
