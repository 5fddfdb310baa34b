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
    """The mean over all visits of the weights in force, those that predicted at the visit. (Chapter 09, after Elkan.)

        mean = theta_0 + eta / T * sum_k (T - 1 - t_k) * y_{i_k} x_{i_k},  T visits, mistake k at time t_k = 0, 1, ...

    because the signed example that mistake k adds is in the weights at each of the T - 1 - t_k visits after it. So one
    pass over the mistakes is enough, and no weights but these are stored. It is also the mean of the thetas, each
    weighted with its survival. (Elkan counts the visit of a mistake for the new weights, not for those that made it;
    then the factor is T - t_k.) Shape (d,) or (d + 1,) as run.theta; exact on fractions.

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
    """The label with the most votes, where every theta of the run has as many votes as visits it survived.

        f(x) = sgn(sum_k c_k * sgn(theta_k'x)),  c = run.survival,  sgn(0) = -1 inside and outside, as in `predict`.

    X is one point, shape (d,), or many, shape (n, d); labels are -1 or +1. Unlike `averaged` this is no linear
    classifier, and it needs all the thetas. (Chapter 09, after Freund and Schapire.)

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
    """The weights kept, how many of all examples they label wrongly, and the run that met them. (Chapter 09.)"""

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
    """Run the perceptron and keep the best weights it met, not the last ones: those with the fewest errors on X, y.

    An error is an example that the weights label wrongly, sgn(theta'x) != y with sgn(0) = -1 as in `predict`; the run
    itself counts a zero score as a mistake for both labels. Of equally good weights the earliest are kept; the start,
    zero, which labels everything -1, is among them. Arguments as for `perceptron`. (Chapter 09.)

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
    """w = u - v, from the mean v of the negative examples to the mean u of the positive ones. (Chapter 09.)

    With `bias`, theta = [b, w] with b = -w'(u + v) / 2, so that the hyperplane goes through the midpoint of the means:
    the points nearer to u are positive. Shape (d,) or (d + 1,). Elkan's quiz: sensible, and yet it may err on data that
    can be separated.

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
