"""The exercises of chapter 02."""

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.datasets import Dataset
from pla_lib.pla import perceptron


@exercise("02.1")
def one_visit(rng: np.random.Generator):
    """visit(theta, x, y): the weights after a visit; theta and x begin with the offset and its 1."""
    for theta, x in (([0.0, 0, 0], [1.0, 2, 1]), ([1.0, 0, -1], [1.0, 3, 1])):  # two ties
        for y in (1, -1):
            yield trial(want=np.add(theta, np.multiply(y, x)), theta=np.array(theta), x=np.array(x), y=y)
    for _ in range(20):
        theta, x, y = rng.normal(size=3).round(2), np.append(1, rng.normal(size=2).round(2)), int(rng.choice([-1, 1]))
        yield trial(want=perceptron([x[1:]], [y], theta0=theta, max_epochs=1).theta, theta=theta, x=x, y=y)


@exercise("02.4")
def right_then_wrong(rng: np.random.Generator):
    """X, y: data on which the cyclic run spoils an example that was right."""

    def complaint(answer):
        try:
            X, y = Dataset(*answer)
        except (TypeError, ValueError) as error:
            return f"An answer is a pair (X, y), two examples or more with their labels: {error}"
        run = perceptron(X, y, max_epochs=100)
        signed = y[:, None] * np.insert(X, 0, 1, axis=1) @ run.thetas.T  # one column per theta
        spoilt = (signed[:, :-1] > 0) & (signed[:, 1:] <= 0)
        if spoilt.any():
            return None
        return (
            f"Here the run makes {len(run.mistakes)} updates, and none takes a positive signed score to zero or below."
        )

    yield trial(want=complaint)


@exercise("02.5")
def whole_algorithm(rng: np.random.Generator):
    """mistakes(X, y): the indices of the mistakes of a cyclic run, in order, with offset, from zero."""
    small = Dataset([[1.0], [0.0]], [1, -1])  # five mistakes, four of them ties
    cases = [small, Dataset([[2.0, 1.0]], [1])]
    for _ in range(12):
        X = rng.integers(-3, 4, size=(int(rng.integers(2, 7)), 2)).astype(float)
        margin = X @ rng.integers(-3, 4, size=2) + rng.integers(-3, 4) + 0.5
        cases.append(Dataset(X, np.where(margin > 0, 1, -1)))
    for X, y in cases:
        yield trial(want=perceptron(X, y).mistakes, X=X, y=y)
