"""The exercises of chapter 05."""

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.datasets import Dataset
from pla_lib.geometry import Hyperplane
from pla_lib.margins import NotSeparable, max_margin
from pla_lib.wording import number

FIVE = Dataset([[4.0, 2], [0, 5], [6, 4], [0, 0], [2, -2]], [1, 1, 1, -1, -1])
ALPHA = np.array([3.0, 2, 0, 5, 0]) / 40  # of the five points, with theta = (-1, 0.3, 0.4)


def _separable(rng: np.random.Generator, n: int = 6) -> tuple[Dataset, Hyperplane]:
    """A few points of both classes, to two decimals, and a line that separates them with some room."""
    while True:
        w = rng.normal(size=2).round(2)
        if not w.any():  # once in sixty thousand draws, rounding leaves nothing
            continue
        line = Hyperplane(w, round(float(rng.normal()), 2))
        X = rng.normal(scale=2, size=(n, 2)).round(2)
        y = np.where(line.score(X) > 0, 1, -1)
        if abs(y.sum()) < n and line.margin(X, y) > 0.1:
            return Dataset(X, y), line


@exercise("05.1")
def by_hand(rng: np.random.Generator):
    """margin, canonical (b, w1, w2), widest parallel margin of 3 x1 + 4 x2 - 13 = 0 for four points."""
    yield trial(want=_wrong_by_hand)


def _wrong_by_hand(answer) -> str | None:
    try:
        margin, theta, wider = answer
        margin, theta, wider = float(margin), np.array([float(number) for number in theta]), float(wider)
    except (TypeError, ValueError):
        return "The answer must be margin, (b, w1, w2), wider margin: a number, three numbers, a number."
    if not np.isclose(margin, 1.2):
        return "The margin is the least signed score divided by the length of w. Which point has the least?"
    if theta.shape != (3,) or not np.allclose(theta, [-13 / 6, 1 / 2, 2 / 3], atol=1e-3):
        return "The canonical form is (b, w1, w2) divided by the number that makes the least signed score 1."
    if not np.isclose(wider, 1.6):
        return "The first two are right. For the last, shift the line until it is equally far from both classes."
    return None


@exercise("05.2")
def margin_of(rng: np.random.Generator):
    """margin(w, b, X, y): min y * (w'x + b) / ||w||, negative if an example is on the wrong side."""
    X, y = FIVE
    for w, b in (([0.3, 0.4], -1.0), ([-3.0, -4.0], 10.0), ([1.0, 0.0], -3.0), ([0.0, 2.0], 0.0)):
        yield trial(want=Hyperplane(w, b).margin(X, y), w=np.array(w), b=b, X=X, y=y)
    for _ in range(10):
        (X, y), line = _separable(rng)
        c = round(float(rng.uniform(0.5, 20)), 1)
        yield trial(want=line.margin(X, y), w=c * line.w, b=c * line.b, X=X, y=y)


@exercise("05.3")
def best_offset(rng: np.random.Generator):
    """best_offset(w, X, y): the b for which the margin is greatest while w stays."""
    X, y = FIVE
    for w in ([0.3, 0.4], [3.0, 4.0], [1.0, 0.0], [-1.0, 0.5]):  # no b separates with the last two; one is best still
        w = np.array(w)
        yield trial(want=-((X[y > 0] @ w).min() + (X[y < 0] @ w).max()) / 2, w=w, X=X, y=y)
    for _ in range(12):
        (X, y), line = _separable(rng)
        w = (line.w * rng.uniform(0.5, 4) + rng.normal(scale=0.2, size=2)).round(2)
        yield trial(want=-((X[y > 0] @ w).min() + (X[y < 0] @ w).max()) / 2, w=w, X=X, y=y)


@exercise("05.5")
def through_the_origin(rng: np.random.Generator):
    """(X, y) that a hyperplane through the origin separates, with at most a tenth of the widest margin."""
    yield trial(want=_wrong_counterexample)


def _wrong_counterexample(answer) -> str | None:
    try:
        X, y = Dataset(*answer)
        widest = max_margin(X, y).margin
    except NotSeparable:
        return "No hyperplane separates these examples at all."
    except (TypeError, ValueError) as error:
        return f"The answer must be a pair X, y of examples and labels, with both labels: {error}."
    try:
        through = max_margin(X, y, bias=False).margin
    except NotSeparable:
        return f"With an offset the margin is {number(widest)}, but no hyperplane through the origin separates them."
    if through > 0.1 * widest * (1 + 1e-6):
        share = number(through / widest)
        margins = f"The margin is {number(widest)} with offset and {number(through)} without."
        return f"{margins} The ratio is {share}; it must be at most 0.1."
    return None


@exercise("05.6")
def kkt(rng: np.random.Generator):
    """is_proof(theta, alpha, X, y): do theta and alpha satisfy the constraints and the four conditions?"""
    X, y = FIVE
    theta = np.array([-1, 0.3, 0.4])
    wrong = [
        (theta, ALPHA + np.array([0, 0, 0.1, 0.1, 0])),  # not stationary
        (2 * theta, 2 * ALPHA),  # (iv) fails alone: the scores of the three are 2
        (np.array([-0.5, 0.3, 0.4]), ALPHA),  # the offset is another: an example of class -1 is too near
        (np.array([0.0, 0.0, 0.0]), np.zeros(5)),  # (i) to (iv) hold, the constraints do not
        (np.array([-1, 0.4, 0.2]), np.array([0.1, 0, 0, 0.1, 0])),  # widest for the first and the fourth point alone
    ]
    yield trial(want=True, theta=theta, alpha=ALPHA, X=X, y=y)
    for other, alpha in wrong:
        yield trial(want=False, theta=np.asarray(other, float), alpha=alpha, X=X, y=y)
    square = np.array([[1.0, 0], [1, 1], [0, 0], [0, 1]])
    labels = np.array([1, 1, -1, -1])
    for alpha, good in (
        ([1.0, 1, 1, 1], True),
        ([2.0, 0, 2, 0], True),
        ([3.0, -1, 3, -1], False),
        ([2.0, 0, 0, 2], False),
    ):
        # The last mixes another w; the one before it, negative, mixes the right one.
        yield trial(want=good, theta=np.array([-1.0, 2, 0]), alpha=np.array(alpha), X=square, y=labels)
    unbalanced = np.array([[1.0, 0], [0, 0]])  # (0, 0) adds nothing to w, whatever its alpha
    for last, good in ((2.0, True), (1.0, False)):
        alpha = np.array([2.0, last])
        yield trial(want=good, theta=np.array([-1.0, 2, 0]), alpha=alpha, X=unbalanced, y=np.array([1, -1]))
    for _ in range(6):
        (X, y), line = _separable(rng)
        best = max_margin(X, y)
        yield trial(want=True, theta=best.theta, alpha=best.alpha, X=X, y=y)
        canonical = line.canonical(X, y)
        if canonical.norm > 1.01 * np.linalg.norm(best.w):
            yield trial(want=False, theta=canonical.theta, alpha=best.alpha, X=X, y=y)
