"""The exercises of chapter 09."""

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.datasets import Dataset
from pla_lib.limits import Separable, separability
from pla_lib.pla import Run, inputs_for, perceptron
from pla_lib.voting import averaged, rocchio
from pla_lib.wording import number, of_shape


@exercise("09.1")
def by_hand(rng: np.random.Generator):
    """Survival times and averaged weights of the run on x = 1 (+1) and x = 0 (-1)."""
    yield trial(want=_wrong_by_hand)


def _wrong_by_hand(answer) -> str | None:
    run = perceptron([[1], [0]], [+1, -1])
    try:
        survival, mean = (np.asarray(part, dtype=float) for part in answer)
    except (TypeError, ValueError):
        return "The answer must be a pair: the six survival times, and the averaged weights (b, w)."
    if survival.shape != run.survival.shape:
        return f"There are six weight vectors, so six survival times; yours have the shape {survival.shape}."
    if not np.isclose(survival.sum(), run.survival.sum()):
        return f"Survival times sum to the number of visits, which is 8; yours sum to {number(survival.sum())}."
    if not np.allclose(survival, run.survival):
        return "The sum is right, but a visit counts for the wrong weights. Which weights get the visit of a mistake?"
    if mean.shape != (2,):
        return f"The averaged weights are two numbers, (b, w); yours are {of_shape(mean.shape)}."
    if not np.allclose(mean, averaged(run)):
        return (
            "The survival times are right, but the averaged weights are not. Weight each vector by its survival time."
        )
    return None


@exercise("09.2")
def two_vectors(rng: np.random.Generator):
    """mean_weights(inputs, y, order): the mean of the weights in force, for one pass along order from zero."""
    small = np.array([[1.0, 1], [1, 0]]), np.array([1, -1]), np.array([0, 1, 0, 1, 0, 1, 0, 1])
    cases = [small, (small[0][:1], small[1][:1], np.array([0]))]
    for _ in range(12):
        n = int(rng.integers(2, 7))
        inputs = np.c_[np.ones(n), rng.integers(-3, 4, size=(n, 2))]
        cases.append((inputs, rng.choice([-1, 1], n), rng.integers(n, size=int(rng.integers(1, 15)))))
    for inputs, y, order in cases:
        run = perceptron(inputs, y, order=order, bias=False, max_epochs=1)
        yield trial(want=lambda answer, run=run: _wrong_mean(answer, run), inputs=inputs, y=y, order=order)


def _wrong_mean(answer, run: Run) -> str | None:
    right, visits = averaged(run), len(run.order)
    try:
        mean = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        return "the answer must be a vector of numbers."
    if mean.shape != right.shape:
        return f"your function returned {of_shape(mean.shape)}.\nIt should return {of_shape(right.shape)}."
    if np.allclose(mean, right):
        return None
    after = right + (run.theta - run.theta0) / visits
    said = f"your function returned {mean.tolist()}"
    if np.allclose(mean, after):
        return (
            said
            + ", the mean of the weights after each visit.\nA mistake's visit belongs to the weights before the update."
        )
    if np.allclose(mean, visits * right):
        return said + ", the sum of the weights in force, not their mean."
    if np.allclose(mean, run.thetas.mean(axis=0)):
        return said + ", in which every weight vector counts once, however long it survived."
    if np.allclose(mean, run.theta):
        return said + ", the last weights."
    if not mean.any():
        return said + ", so nothing was ever added.\nThe first score is zero: a tie, which is a mistake."
    return said + f".\nIt should return {right.tolist()}."


@exercise("09.5")
def wrong_on_average(rng: np.random.Generator):
    """X, y with one feature: the run converges, the averaged weights get one of the examples wrong."""
    yield trial(want=_wrong_early)


def _wrong_early(answer) -> str | None:
    try:
        X, y = Dataset(*answer)
    except (TypeError, ValueError) as error:
        return f"The answer must be a pair (X, y) of examples and labels: {error}."
    if X.shape[1] != 1 or len(y) > 50:
        return f"Use at most 50 examples with one feature each; your X holds {of_shape(X.shape)}."
    run = perceptron(X, y, max_epochs=200)
    if not run.converged:
        return "The run has not converged after 200 epochs. Can the examples be separated?"
    mean = averaged(run)
    signed = y * (inputs_for(mean, X) @ mean)
    if (signed <= 0).any():
        return None
    return (
        f"The run converges with {len(run.mistakes)} mistakes, but the averaged weights get every example right. "
        "On which data does a run go back and forth for a long time and then stop at once?"
    )


@exercise("09.7")
def wrong_on_the_circle(rng: np.random.Generator):
    """Angles in degrees and labels: separable through the origin, and wrong for u - v without offset."""
    yield trial(want=_wrong_circle)


def _wrong_circle(answer) -> str | None:
    try:
        degrees, y = answer
        angles = np.deg2rad(np.asarray(degrees, dtype=float))
        X, y = Dataset(np.stack([np.cos(angles), np.sin(angles)], axis=-1), y)
        w = rocchio(X, y)
    except (TypeError, ValueError) as error:
        return f"The answer must be a pair of angles in degrees and labels: {error}."
    if len(y) > 200:
        return "Use at most 200 examples: fewer than ten are enough."
    if not isinstance(separability(X, y, bias=False), Separable):
        return "No line through the origin separates these examples. Keep each class within its own half of the circle."
    # Within rounding of zero it is a matter of the last digit, so that does not count.
    if (y * (X @ w) < -1e-9).any():
        return None
    return "A line through the origin separates these examples, and Rocchio's line gets all of them right too."
