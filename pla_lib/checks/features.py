"""The exercises of chapter 07."""

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.features import kernel_perceptron, linear_kernel, polynomial_kernel, quadratic, with_constant
from pla_lib.wording import counted, number, vector


@exercise("07.1")
def circle_as_weights(rng: np.random.Generator):
    """theta on (1, x_1, x_2, x_1^2, x_1 x_2, x_2^2): the circle around (1, 2) with radius 3, positive outside."""
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.c_[np.cos(angle), np.sin(angle)]

    def complaint(answer):
        theta = _numbers(answer)
        if theta is None or theta.shape != (6,):
            return (
                "The answer must be six numbers: the weights of 1, x_1, x_2, x_1^2, x_1 x_2 and x_2^2, in this order."
            )
        if not theta.any():
            return "If all weights are zero, every point of the plane scores zero, not only the points of the circle."
        size = abs(theta).max()
        theta = theta / size
        on = [1, 2] + 3 * ring
        scores = with_constant(quadratic)(on) @ theta
        worst = int(np.argmax(abs(scores)))
        if abs(scores[worst]) > 1e-6:
            score = number(size * scores[worst])
            return f"The point {vector(on[worst])} is on the circle, so it should score zero; it scores {score}."
        if with_constant(quadratic)([1, 2]) @ theta > 0:
            return "The curve is right, but the score is positive inside the circle; it should be positive outside."
        return None

    yield trial(want=complaint)


@exercise("07.3")
def features_of_a_kernel(rng: np.random.Generator):
    """features(X): rows phi(x), of any number of entries, with phi(x)'phi(z) = (x'z + 1)^2."""

    def asked(X):
        gram = polynomial_kernel(2)(X, X)

        def complaint(answer):
            phi = _numbers(answer)
            if phi is None or phi.ndim != 2 or len(phi) != len(X):
                return f"the answer must be an array of numbers with {counted(len(X), 'row')}, one for each row of X."
            off = np.argwhere(~np.isclose(phi @ phi.T, gram, rtol=1e-6, atol=1e-9))
            if len(off):
                i, j = off[0].tolist()
                return (
                    f"the inner product of rows {i} and {j} is {phi[i] @ phi[j]:.6g}; "
                    f"it should be (x'z + 1)^2 = {gram[i, j]:.6g}."
                )
            return None

        return trial(want=complaint, X=X)

    yield asked(np.array([[2.0, 3.0]]))
    yield asked(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    yield asked(np.array([[2.0], [-1.0], [0.5]]))
    for d in (2, 3, 5):
        yield asked(rng.normal(size=(4, d)).round(2))


@exercise("07.4")
def no_kernel(rng: np.random.Generator):
    """X: examples whose matrix of (x_i'x_j - 1)^2 is the Gram matrix of nothing."""

    def complaint(answer):
        X = _numbers(answer)
        if X is None or X.ndim != 2 or X.size == 0:
            return "The answer must be an array of numbers with one example per row, such as [[1, 2], [3, 4]]."
        matrix = (linear_kernel(X, X) - 1) ** 2
        values = np.linalg.eigvalsh(matrix)
        if values[0] < -1e-9 * max(abs(values[-1]), 1e-12):
            return None
        given = "this one example" if len(X) == 1 else f"these {len(X)} examples"
        return (
            f"The matrix of {given} has no negative eigenvalue (the least is {number(values[0])}), "
            "so it is the Gram matrix of some vectors."
        )

    yield trial(want=complaint)


@exercise("07.5")
def mistakes_from_the_gram_matrix(rng: np.random.Generator):
    """dual_mistakes(gram, y): the indices of the mistakes of a cyclic run on examples with this Gram matrix."""
    corners, labels = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, 1, 1, -1])
    cases = [(corners, labels, polynomial_kernel(2)), (np.eye(3), np.array([1, -1, 1]), linear_kernel)]
    for _ in range(10):
        X = rng.integers(-3, 4, size=(int(rng.integers(2, 7)), 2)).astype(float)
        X = np.unique(X, axis=0)
        curve = (X**2) @ rng.integers(-2, 3, size=2) + X @ rng.integers(-3, 4, size=2) + rng.integers(-3, 4) + 0.5
        cases.append((rng.permutation(np.c_[X, np.where(curve > 0, 1, -1)]), None, polynomial_kernel(2)))
    for X, y, kernel in cases:
        X, y = (X, y) if y is not None else (X[:, :2], X[:, 2].astype(int))
        yield trial(want=kernel_perceptron(X, y, kernel).mistakes, gram=kernel(X, X), y=y)


def _numbers(answer) -> np.ndarray | None:
    """The answer as floats, or None if it is nothing of the kind."""
    try:
        array = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        return None
    return array if np.isfinite(array).all() else None
