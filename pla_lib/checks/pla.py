"""The exercises of chapter 02."""

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.pla import perceptron


@exercise("02.1")
def one_update(rng: np.random.Generator):
    """update(theta, x, y): the weights after a visit; theta and x start with the offset's entries."""
    for theta, x in (([0.0, 0, 0], [1.0, 2, 1]), ([1.0, 0, -1], [1.0, 3, 1])):  # two ties
        for y in (1, -1):
            yield trial(want=np.add(theta, np.multiply(y, x)), theta=np.array(theta), x=np.array(x), y=y)
    for _ in range(20):
        theta, x, y = rng.normal(size=3).round(2), np.append(1, rng.normal(size=2).round(2)), int(rng.choice([-1, 1]))
        run = perceptron([x[1:]], [y], theta0=theta, max_epochs=1)
        yield trial(want=run.theta, theta=theta, x=x, y=y)
