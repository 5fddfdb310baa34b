"""The exercises of chapter 10."""

from fractions import Fraction
from itertools import product

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.datasets import Dataset
from pla_lib.limits import Inseparable, separability
from pla_lib.wording import number, of_shape


@exercise("10.1")
def certificate_by_hand(rng: np.random.Generator):
    """lam for discs at (0, 0), (4, 4) and squares at (0, 2), (2, 0)."""
    X, y = np.array([[0, 0], [4, 4], [0, 2], [2, 0]]), np.array([1, 1, -1, -1])

    def complaint(lam):
        fault = _fault_of_certificate(lam, X, y)
        return fault and fault[0].upper() + fault[1:]

    yield trial(want=complaint)


@exercise("10.3")
def digits_of_weights(rng: np.random.Generator):
    """(before, after): how many digits every weight needs at most."""

    def complaint(answer):
        try:
            before, after = map(int, answer)
        except (TypeError, ValueError):
            return "The answer must be two whole numbers: the digits before the point and the digits after it."
        if after != 2:
            return f"{after} digits after the point is not right. How many can a sum of numbers with two decimals have?"
        if before != 4:
            few = "too few" if before < 4 else "more than are needed"
            return (
                f"{before} digits before the point are {few}. How many mistakes can there be, and how large a weight "
                "does the proposition allow after that many?"
            )
        return None

    yield trial(want=complaint)


@exercise("10.4")
def certificate_from_a_run(rng: np.random.Generator):
    """certificate(X, y): weights lam for whole-number examples that no hyperplane separates, with offset."""

    def asked(X, y):
        X, y = np.array(X), np.array(y)
        return trial(want=lambda lam: _fault_of_certificate(lam, X, y), X=X, y=y)

    yield asked([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])
    yield asked([[0], [1], [2]], [-1, 1, -1])  # a cycle of two epochs, after two others
    yield asked([[0, 0], [4, 0], [0, 4], [1, 1]], [1, 1, 1, -1])
    yield asked([[2, 1], [2, 1]], [1, -1])
    tried = 0
    while tried < 6:
        X, y = rng.integers(-2, 3, size=(5, 2)), rng.choice([-1, 1], 5)
        if isinstance(separability(X, y), Inseparable):
            tried += 1
            yield asked(X, y)


@exercise("10.5")
def four_are_not_enough(rng: np.random.Generator):
    """(X, y): five examples in space that cannot be separated, every four of which can."""

    def complaint(answer):
        try:
            X, y = Dataset(*answer)
        except (TypeError, ValueError) as error:
            return f"The answer must be a pair (X, y) of five examples and their labels: {error}."
        if X.shape != (5, 3):
            return f"X must hold five examples with three features each; yours holds {of_shape(X.shape)}."
        if not isinstance(separability(X, y), Inseparable):
            return "A plane separates these five examples."
        for i in range(5):
            if isinstance(separability(np.delete(X, i, axis=0), np.delete(y, i)), Inseparable):
                return f"Without example {i}, there is still no plane that separates the other four."
        return None

    yield trial(want=complaint)


@exercise("10.6")
def parity_network(rng: np.random.Generator):
    """(W, v, u, c): sgn(u' sgn(W x + v) + c) is +1 exactly if an odd number of the three entries of x is 1."""

    def complaint(answer):
        try:
            W, v, u, c = (np.asarray(part, dtype=float) for part in answer)
        except (TypeError, ValueError):
            return "The answer must be (W, v, u, c): three arrays W, v, u and a number c."
        if W.ndim != 2 or W.shape[1] != 3 or v.shape != W.shape[:1] or u.shape != W.shape[:1] or c.shape != ():
            yours = [f"{name} holds {of_shape(part.shape)}" for name, part in zip("Wvuc", (W, v, u, c), strict=True)]
            return (
                "W needs one row of three numbers per hidden unit, v and u need one entry each, and c is one number. "
                f"In your answer, {', '.join(yours)}."
            )
        for x in product([0, 1], repeat=3):
            hidden = np.where(W @ x + v > 0, 1, -1)
            output, parity = 1 if u @ hidden + c > 0 else -1, 1 if sum(x) % 2 else -1
            if output != parity:
                said = f"For x = {list(x)} the hidden units give {hidden.tolist()} and the output is {output};"
                return f"{said} it should be {parity}."
        return None

    yield trial(want=complaint)


@exercise("10.8")
def visit_with_classes(rng: np.random.Generator):
    """visit(thetas, x, r): thetas after a visit to x of class r."""

    def asked(thetas, x, r):
        thetas, x = np.array(thetas, float), np.array(x, float)
        scores = thetas @ x
        s = max((k for k in range(len(thetas)) if k != r), key=scores.__getitem__)
        new = thetas.copy()
        if scores[r] <= scores[s]:
            new[r] += x
            new[s] -= x
        return trial(want=new, thetas=thetas, x=x, r=r)

    yield asked([[0, 0, 0], [0, 0, 0]], [1, 2, 1], 0)  # a tie
    yield asked([[0, 0, 0], [0, 0, 0]], [1, 2, 1], 1)
    yield asked([[1, 0], [1, 0], [0, 0]], [1, 3], 0)  # a tie with a better one than the third
    yield asked([[1, 0], [0, 0], [1, 0]], [1, 3], 2)
    yield asked([[2, 0], [1, 0], [0, 0]], [1, 3], 0)  # right
    for K in (2, 3, 5):
        for r in range(K):
            yield asked(rng.normal(size=(K, 3)).round(2), np.append(1, rng.normal(size=2).round(2)), r)


def _fault_of_certificate(lam, X: np.ndarray, y: np.ndarray) -> str | None:
    """What keeps lam from being a certificate, up to rounding."""
    try:
        lam = np.array([float(weight) for weight in lam])
    except (TypeError, ValueError):
        return f"the answer should be {len(y)} numbers, one per example."
    if lam.shape != y.shape:
        return f"the answer should be {len(y)} numbers, one per example; it has {len(lam)}."
    if not np.isfinite(lam).all():
        return "a weight is not a finite number. Did you divide by zero because no mistakes were counted?"
    if lam.min() < 0:
        return f"no weight may be negative; one is {number(lam.min())}."
    if abs(lam.sum() - 1) > 1e-9:
        return f"the weights should sum to 1; they sum to {lam.sum():.4g}."
    total = (lam * y) @ np.c_[np.ones(len(y)), X]
    if abs(total).max() > 1e-9:
        said = ", ".join(_short_fraction(value) for value in total)
        return f"the sum of lam_i y_i (1, x_i) is ({said}); it should be zero in every entry."
    return None


def _short_fraction(value: float) -> str:
    """A fraction with a small denominator, where one is close; otherwise, as for 1/10000, a decimal number."""
    near = Fraction(value).limit_denominator(1000)
    return str(near) if abs(near - value) < 1e-9 else number(value)
