"""The exercises of chapter 06."""

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.datasets import Dataset
from pla_lib.margins import soft_margin_path

CLOSE = 1e-6


@exercise("06.1")
def least_slacks(rng: np.random.Generator):
    """slacks(w, b, X, y): max(0, 1 - y * (w'x + b)) of every example."""
    X, y = np.array([[0.0], [1], [2], [4], [9]]), np.array([-1, -1, 1, 1, 1])
    yield trial(want=np.array([0, 0.5, 1, 0, 0]), w=np.array([0.5]), b=-1.0, X=X, y=y)
    yield trial(want=np.array([2, 2, 0, 0, 0]), w=np.array([0.0]), b=1.0, X=X, y=y)  # no line
    for _ in range(15):
        n = int(rng.integers(1, 7))
        (b, *w), X, y = rng.normal(size=3).round(2), rng.normal(size=(n, 2)).round(2), rng.choice([-1, 1], n)
        want = [max(0, 1 - label * (np.dot(w, x) + b)) for x, label in zip(X, y, strict=True)]
        yield trial(want=np.array(want), w=np.array(w), b=float(b), X=X, y=y)


@exercise("06.2")
def by_hand(rng: np.random.Generator):
    """alphas: the dual variables of 0, 1 (-1), 2, 4 (+1) at C = 1, where w = 1/2 and b = -1."""

    def complaint(answer):
        try:
            alpha = np.array([float(number) for number in answer])
        except (TypeError, ValueError):
            alpha = np.zeros(0)
        if alpha.shape != (4,):
            return "The answer must be four numbers, one for each point in the order given."
        if alpha.min() < -CLOSE or alpha.max() > 0.25 + CLOSE:
            return "Each number should lie in the box, from 0 to C/N. What is C/N here?"
        if abs(alpha[1:3] - 0.25).max() > CLOSE:
            return "The second and the third point have slack. Which value does the theorem give these points?"
        if abs(alpha[0] + alpha[1] - alpha[2] - alpha[3]) > CLOSE:
            return "The alphas of class +1 and those of class −1 should have the same sum."
        if abs(-alpha[1] + 2 * alpha[2] + 4 * alpha[3] - 0.5) > CLOSE:
            return "The sum of the alpha_i y_i x_i should be w = 1/2."
        return None

    yield trial(want=complaint)


@exercise("06.3")
def certificate(rng: np.random.Generator):
    """certifies(theta, alpha, X, y, C): do these alpha satisfy the three conditions of the theorem?"""
    two, four = ([0, 2], [-1, 1], [-1, 1]), ([0, 1, 2, 4], [-1, -1, 1, 1], [-1, 0.5])
    twin, far = ([0, 2, 2], [-1, 1, 1], [-1, 1]), ([0, 2, 4], [-1, 1, 1], [-1, 1])
    cases = [
        (*four, [1 / 16, 1 / 4, 1 / 4, 1 / 16], 1, True),
        (*two, [1 / 2, 1 / 2], 1, True),
        (*two, [1 / 2, 1 / 2], 4, True),
        (*two, [1 / 2, 1 / 2], 0.5, False),  # above the box
        (*twin, [1 / 2, 1 / 4, 1 / 4], 3, True),
        (*twin, [1 / 2, 3 / 4, -1 / 4], 3, False),  # below it
        (*two, [1 / 4, 1 / 2], 2, False),  # out of balance: the point 0 adds nothing to w
        (*two, [1 / 4, 1 / 4], 2, False),  # another w
        (*far, [1 / 2, 1 / 2, 0], 3, True),
        (*far, [0.4, 0.3, 0.1], 3, False),  # a say for an example beyond the margin
        (*four, [1 / 16, 1 / 4, 1 / 4, 1 / 16], 2, False),  # slack, and less than C/N
    ]
    for k in [*range(len(cases)), *rng.permutation(len(cases)).tolist()]:
        x, labels, theta, alpha, C, want = cases[k]
        # The same problem in other units and another order, and with a second feature that is always zero.
        size, order, sign = 2.0 ** int(rng.integers(-2, 3)), rng.permutation(len(x)), int(rng.choice([-1, 1]))
        X = size * np.c_[np.array(x, float), np.zeros(len(x))][order]
        yield trial(
            want=want,
            theta=sign * np.array([theta[0], theta[1] / size, 0.0]),
            alpha=np.array(alpha)[order] / size**2,
            X=X,
            y=sign * np.array(labels)[order],
            C=C / size**2,
        )


@exercise("06.5")
def dearer_and_more_errors(rng: np.random.Generator):
    """X, y, C, larger C: the larger one leads to more errors on these data."""

    def complaint(answer):
        try:
            X, y, small, large = answer
            X, y = Dataset(X, y)
            if not small < large:
                return "Give the smaller C first, then the larger C."
            both = soft_margin_path(X, y, [small, large])
        except (TypeError, ValueError, RuntimeError) as error:
            return f"The answer must be X, y, the smaller C and the larger C: {error}."
        few, many = (y * (X.astype(float) @ answer.w + answer.theta[0]) for answer in both)
        before, after = int((few <= CLOSE).sum()), int((many < -CLOSE).sum())
        if before < after:
            return None
        counts = f"With the smaller C, {before} are wrong or on the line. With the larger C, {after} are wrong."
        return f"{counts} There must be more with the larger C."

    yield trial(want=complaint)


@exercise("06.6")
def one_forgetful_visit(rng: np.random.Generator):
    """visit(theta, x, y, C, eta): a step against a subgradient of 1/2 ||w||^2 + C max(0, 1 - m), none of m at m = 1."""
    yield _visited(np.zeros(3), np.array([1.0, 2, -1]), -1, 4.0, 0.5)
    yield _visited(np.array([2.0, 1, 0]), np.array([1.0, -1, 3]), 1, 4.0, 0.5)  # the kink
    yield _visited(np.array([2.0, 1, 1]), np.array([1.0, 3, 3]), 1, 4.0, 0.5)  # beyond it: w shrinks, b does not
    yield _visited(np.array([0.5, 0, 0]), np.array([1.0, 3, 3]), 1, 1.0, 0.25)  # right, but not by 1
    for _ in range(20):  # in eighths, on which floats are exact
        theta, x = rng.integers(-16, 17, 3) / 8, np.append(1, rng.integers(-16, 17, 2) / 8)
        yield _visited(
            theta, x, int(rng.choice([-1, 1])), float(rng.integers(1, 9)), float(rng.choice([0.5, 0.25, 0.125]))
        )


def _visited(theta, x, y, C, eta):
    subgradient = np.append(0, theta[1:])
    if y * (theta @ x) < 1:
        subgradient = subgradient - C * y * x
    return trial(want=theta - eta * subgradient, theta=theta, x=x, y=y, C=C, eta=eta)
