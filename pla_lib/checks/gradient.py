"""The exercises of chapter 03."""

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.datasets import Dataset
from pla_lib.gradient import perceptron_loss, sgd, subdifferential
from pla_lib.pla import inputs_for
from pla_lib.validation import real_array


@exercise("03.1")
def three_losses_by_hand(rng: np.random.Generator):
    """totals: counting, perceptron and hinge loss at theta = (-1, 2) of (1, +1), (1/2, -1), (0, +1), (3/4, +1)."""

    def complaint(totals):
        try:
            counting, perceptron, hinge = (float(total) for total in totals)
        except (TypeError, ValueError):
            return "The answer must be three numbers: (counting, perceptron, hinge)."
        if counting != 2:
            return "The counting loss is not right. Which signed scores are 0 or less? A tie counts as a mistake."
        if perceptron != 1:
            return "The perceptron loss is not right. How far below 0 is each negative signed score?"
        if hinge != 3.5:
            return "The hinge loss is not right. How far below 1 are the signed scores? Right examples can count too."
        return None

    yield trial(want=complaint)


@exercise("03.2")
def one_subgradient(rng: np.random.Generator):
    """subgradient(theta, x, y, c): of the example's perceptron loss; at a tie -c * y * x. x starts with a 1."""
    for y in (1, -1):
        for c in (0, 0.25, 1):
            yield _at(np.array([2.0, -1, 0]), np.array([1.0, 2, 3]), y, c)  # a tie
            yield _at(np.array([0.0, 1, 0]), np.array([1.0, 2, 3]), y, c)
    for _ in range(20):  # in eighths, on which floats are exact
        theta, x = rng.integers(-16, 17, 3) / 8, np.append(1, rng.integers(-16, 17, 2) / 8)
        yield _at(theta, x, int(rng.choice([-1, 1])), float(rng.integers(0, 9) / 8))


@exercise("03.4")
def an_update_that_raises_the_loss(rng: np.random.Generator):
    """X, y, theta, i: the update on example i, which is on the wrong side, makes the perceptron loss grow."""

    def complaint(answer):
        try:
            X, y, theta, i = answer
            X, y = Dataset(X, y)
            theta = real_array(theta, "theta")
            signed = y[:, None] * inputs_for(theta, X)
            step = signed[int(i)]
        except (TypeError, ValueError, IndexError) as error:
            return f"The answer must be X, y, theta, i, where i is the index of an example: {error}."
        if not step @ theta < 0:
            return f"Example {i} has the signed score {step @ theta:g}; it must be on the wrong side, so below 0."
        before, after = (perceptron_loss(weights, X, y) for weights in (theta, theta + step))
        if after <= before:
            return f"The loss goes from {before:g} to {after:g}, but it must rise. Which example can the update hurt?"
        return None

    yield trial(want=complaint)


@exercise("03.5")
def one_epoch_on_the_hinge_loss(rng: np.random.Generator):
    """hinge_epoch(theta, X, y, step): one pass in order, with c = 0 at the kink. The rows of X start with a 1."""
    kink = {"theta": np.array([1.0, 0, 0]), "X": np.array([[1.0, 5, 2]]), "y": np.array([1]), "step": 1}
    yield trial(want=kink["theta"], **kink)
    yield _pass(np.zeros(3), np.array([[1.0, 2, 0], [1, 0, 2]]), np.array([1, -1]), 1)
    yield _pass(np.zeros(3), np.array([[1.0, 1, 0], [1, 1, 0]]), np.array([1, 1]), 0.25)  # right, but by less than 1
    for _ in range(20):  # in eighths, on which floats are exact
        n = int(rng.integers(2, 6))
        X = np.c_[np.ones(n), rng.integers(-16, 17, (n, 2)) / 8]
        yield _pass(rng.integers(-8, 9, 3) / 8, X, rng.choice([-1, 1], n), float(rng.choice([0.25, 0.5, 1, 2])))


def _at(theta, x, y, c):
    every = subdifferential("perceptron", theta, x[1:], y)
    return trial(want=every.element(min(max(c, every.low), every.high)), theta=theta, x=x, y=y, c=c)


def _pass(theta, X, y, step):
    want = sgd(X[:, 1:], y, "hinge", step=step, kink=0, epochs=1, theta0=theta).theta
    return trial(want=want, theta=theta, X=X, y=y, step=step)
