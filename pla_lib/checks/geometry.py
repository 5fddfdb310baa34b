"""The exercises of chapter 01."""

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.datasets import Dataset
from pla_lib.geometry import Hyperplane
from pla_lib.wording import number, of_shape


@exercise("01.1")
def foot_by_hand(rng: np.random.Generator):
    """foot: the point of 3 x_1 + 4 x_2 - 10 = 0 nearest to (6, 3)."""
    line, z = Hyperplane([3, 4], -10), np.array([6, 3])

    def complaint(foot):
        foot = _vector(foot)
        if foot is None or foot.shape != (2,):
            return "The answer must be a point of the plane: two numbers, such as [1, 2]."
        if abs(line.score(foot)) > 1e-9:
            return f"That point is not on the line: its score is {number(line.score(foot))}."
        if abs(line.w[0] * (z - foot)[1] - line.w[1] * (z - foot)[0]) > 1e-9:
            return "That point is on the line, but the vector from it to z is not parallel to w."
        return None

    yield trial(want=complaint)


@exercise("01.3")
def distances(rng: np.random.Generator):
    """distance(w, b, X): the distance of every row of X, shape (n, d), from the hyperplane; shape (n,)."""
    yield trial(
        want=np.array([1.0, 0.0, 3.0]), w=np.array([3.0, 4.0]), b=-5.0, X=np.array([[0.0, 0], [3, -1], [-2, -1]])
    )
    yield trial(want=np.array([4.0]), w=np.array([-1.0, 0.0]), b=3.0, X=np.array([[7.0, 100]]))
    for d in (1, 2, 3, 5):
        w, b, X = rng.normal(size=d).round(2), round(rng.normal(), 2), rng.normal(size=(4, d)).round(2)
        w[0] = abs(w[0]) + 0.5  # w is not zero
        yield trial(want=Hyperplane(w, b).distance(X), w=w, b=b, X=X)


@exercise("01.5")
def same_hyperplane(rng: np.random.Generator):
    """same_hyperplane(w, b, v, c): do w'x + b = 0 and v'x + c = 0 describe the same set?"""

    def asked(want, w, b, v, c):
        return trial(want=want, w=np.array(w, float), b=float(b), v=np.array(v, float), c=float(c))

    yield asked(True, [3, 4], -5, [6, 8], -10)
    yield asked(True, [3, 4], -5, [-3, -4], 5)
    yield asked(False, [3, 4], -5, [6, 8], -5)
    yield asked(False, [3, 4], -5, [3, 4], 5)
    yield asked(False, [1, 2], 0, [2, 1], 0)
    yield asked(True, [1, 0, 2], 0, [-2, 0, -4], 0)
    yield asked(False, [1, 0], 3, [1, 1], 3)
    for _ in range(10):
        w, b = rng.integers(-4, 5, 3), rng.integers(-4, 5)
        w[rng.integers(3)] = 1
        factor = rng.choice([-2, -0.5, 0.25, 3])
        yield asked(True, w, b, factor * w, factor * b)
        yield asked(False, w, b, factor * w, factor * b + 1)


@exercise("01.6")
def hyperplane_through(rng: np.random.Generator):
    """hyperplane_through(P): w and b of the hyperplane through the d rows of P, shape (d, d)."""

    def asked(P):
        P = np.array(P, float)

        def complaint(answer):
            try:
                w, b = answer
                w, b = np.asarray(w, float), float(b)
            except (TypeError, ValueError):
                return "the answer must be a pair w, b: a vector and a number."
            d = len(P)
            if w.shape != (d,):
                return f"the w that your function returned holds {of_shape(w.shape)}; it should hold {of_shape((d,))}."
            size = np.linalg.norm(w)
            if not np.isfinite(size + b) or size == 0:
                return f"w = {w.tolist()} and b = {b} do not describe a hyperplane."
            off = abs(P @ w + b).max() / size
            if not off < 1e-6 * (1 + abs(P).max()):
                plane = f"the hyperplane with w = {w.tolist()} and b = {number(b)}"
                return f"one of the points is at distance {number(off)} from {plane}."
            return None

        return trial(want=complaint, P=P)

    yield asked([[0, 0], [1, 1]])  # through the origin: b = 0
    yield asked([[1, 0], [1, 1]])  # upright: it has no slope
    yield asked([[0, 2], [3, 2]])
    yield asked([[4]])
    for d in (2, 3, 4, 6):
        yield asked(rng.normal(size=(d, d)).round(2) + 3 * np.eye(d))


@exercise("01.7")
def right_by_the_sign_alone(rng: np.random.Generator):
    """(w, b, X, y): sgn with sgn(0) = -1 gives every label, and yet the hyperplane does not separate."""

    def complaint(answer):
        try:
            w, b, X, y = answer
            line, (X, y) = Hyperplane(w, b), Dataset(X, y)
            predicted = line.predict(X)
        except (TypeError, ValueError) as error:
            return f"The answer must be (w, b, X, y) with one example per row of X: {error}."
        if set(y.tolist()) != {-1, 1}:
            return "Both labels must occur in y."
        if (predicted != y).any():
            wrong = int(np.flatnonzero(predicted != y)[0])
            score = number(line.score(X[wrong]))
            return f"Example {wrong} scores {score}, but sgn({score}) is not its label {y[wrong]}."
        if line.separates(X, y):
            return "This hyperplane does separate the examples: every signed score is positive."
        return None

    yield trial(want=complaint)


@exercise("01.8")
def lambdas_as_proof(rng: np.random.Generator):
    """lam for (0, 0), (4, 0), (0, 4) of class +1 and (1, 1) of class -1, with sum of lam_i y_i (1, x_i) = 0."""
    X, y = np.array([[0, 0], [4, 0], [0, 4], [1, 1]]), np.array([1, 1, 1, -1])

    def complaint(lam):
        lam = _vector(lam)
        if lam is None or lam.shape != (4,):
            return "The answer must be a list of four numbers, one for each example."
        if lam.min() < 0 or not lam.any():
            return "No lambda may be negative, and at least one must be positive."
        total = (lam * y) @ np.c_[np.ones(4), X]
        if abs(total).max() > 1e-9 * lam.max():
            return f"The sum of lam_i y_i (1, x_i) is {total.round(4).tolist()}; it should be zero in every entry."
        return None

    yield trial(want=complaint)


def _vector(answer) -> np.ndarray | None:
    """The answer as floats, or None if it is nothing of the kind."""
    try:
        vector = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        return None
    return vector if np.isfinite(vector).all() else None
