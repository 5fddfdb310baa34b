"""Feature maps, kernels, and the perceptron that needs only inner products. (Chapter 07.)

A feature map phi takes points, shape (n, d), to features, shape (n, p); one point, shape (d,), to shape (p,).
A kernel takes X and Z, shapes (n, d) and (m, d), to the Gram block of all phi(x_i)'phi(z_j), shape (n, m).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.pla import TIES, passes
from pla_lib.validation import (
    exact,
    function,
    kernel_points,
    option,
    positive_float,
    random_seed,
    real_number,
    visiting_order,
    whole_number,
)
from pla_lib.wording import counted

FeatureMap = Callable[[np.ndarray], np.ndarray]
Kernel = Callable[[np.ndarray, np.ndarray], np.ndarray]

BLOCK = 2**20  # entries of a Gram block that are held at once: 8 MB of floats


def quadratic(X) -> np.ndarray:
    """All monomials of degree 1 and 2: x_1, ..., x_d, x_1^2, x_1 x_2, ..., x_d^2. (Chapter 07.)

    A circle, an ellipse, a hyperbola in the plane is a hyperplane in these.

    Examples
    --------
    >>> quadratic([[2, 3]])
    array([[2., 3., 4., 6., 9.]])
    """
    return polynomial(2)(X)


def polynomial(degree: int) -> FeatureMap:
    """The map to all monomials of degree 1, ..., `degree`, lower degrees first: (d + degree choose degree) - 1 of them.

    There is no constant among them: `perceptron` adds one with its offset, and `with_constant` adds one here.
    Fractions stay fractions. (Chapter 07.)

    Examples
    --------
    >>> polynomial(3)([2, 3])
    array([ 2.,  3.,  4.,  6.,  9.,  8., 12., 18., 27.])
    """
    whole_number(degree, "degree")

    def phi(X) -> np.ndarray:
        X = kernel_points(X)
        factors = range(X.shape[-1])
        monomials = [c for power in range(1, degree + 1) for c in combinations_with_replacement(factors, power)]
        return np.stack([X[..., list(monomial)].prod(axis=-1) for monomial in monomials], axis=-1)

    return phi


def fourier_features(d: int, count: int, *, scale: float = 1.0, seed) -> FeatureMap:
    """Random cosines whose inner products approach the Gaussian kernel: `count` features of points in R^d.

    phi_j(x) = sqrt(2 / count) * cos(v_j'x + u_j), with v_j normal of variance 1 / scale^2 and u_j uniform on a period.
    The mean of phi(x)'phi(z) is then exp(-||x - z||^2 / (2 scale^2)), and its error falls like 1 / sqrt(count)
    (Rahimi and Recht, 2007). The map is the same for the same seed. (Chapter 07.)

    Examples
    --------
    >>> phi = fourier_features(2, 100_000, scale=2.0, seed=0)
    >>> x, z = phi([[1.0, 0.0], [0.0, 1.0]])
    >>> print(f"{x @ z:.2f} for {np.exp(-2 / 8):.2f}")
    0.78 for 0.78
    """
    whole_number(d, "d")
    whole_number(count, "count")
    rng = np.random.default_rng(random_seed(seed))
    frequencies = rng.normal(size=(d, count)) / positive_float(scale, "scale")
    phases = rng.uniform(0, 2 * np.pi, count)

    def phi(X) -> np.ndarray:
        return np.sqrt(2 / count) * np.cos(kernel_points(X, d).astype(float) @ frequencies + phases)

    return phi


def with_constant(phi: FeatureMap) -> FeatureMap:
    """The map x -> [1, phi(x)]: the constant in front, so that the first weight is the offset. (Chapter 07.)

    Examples
    --------
    >>> with_constant(quadratic)([2, 3])
    array([1., 2., 3., 4., 6., 9.])
    """
    function(phi, "phi", "a feature map, such as quadratic")
    return lambda X: np.insert(phi(X), 0, 1, axis=-1)


def linear_kernel(X, Z) -> np.ndarray:
    """x'z for every row of X and every row of Z: the kernel of phi(x) = x. Fractions stay fractions. (Chapter 07.)

    Examples
    --------
    >>> linear_kernel([[1, 2], [3, 4]], [[1, 1]])
    array([[3.],
           [7.]])
    """
    X, Z = _pair(X, Z)
    return X @ Z.T


def polynomial_kernel(degree: int, constant=1) -> Kernel:
    """(x'z + constant)^degree: all monomials up to that degree, the constant too, each with a weight. (Chapter 07.)

    With `constant` 0 only the monomials of exactly that degree are left. Fractions stay fractions.

    Examples
    --------
    >>> polynomial_kernel(2)([[1, 2]], [[3, 1]])
    array([[36.]])
    """
    whole_number(degree, "degree")
    real_number(constant, "constant", "a number of at least 0, or this is no kernel", lambda number: number >= 0)
    return lambda X, Z: (linear_kernel(X, Z) + constant) ** degree


def gaussian_kernel(scale: float) -> Kernel:
    """exp(-||x - z||^2 / (2 scale^2)): one for equal points, small for points many `scale`s apart. (Chapter 07.)

    The square is computed as ||x||^2 + ||z||^2 - 2 x'z. Where ||x|| is near 10^8 scales no digit of it is left:
    subtract the mean from the data first, which changes no distance.

    Examples
    --------
    >>> gaussian_kernel(1.0)([[0.0], [1.0], [5.0]], [[0.0]]).round(3).tolist()
    [[1.0], [0.607], [0.0]]
    """
    scale = positive_float(scale, "scale")

    def kernel(X, Z) -> np.ndarray:
        X, Z = (points.astype(float, copy=False) for points in _pair(X, Z))
        # einsum sums the squares of each row without an array of all the squares, which would take most of the time.
        norms = np.einsum("ij,ij->i", X, X)[:, None] + np.einsum("ij,ij->i", Z, Z)
        return np.exp(-np.maximum(norms - 2 * (X @ Z.T), 0) / (2 * scale**2))

    return kernel


@dataclass(frozen=True, eq=False)
class KernelRun:
    """The record of a kernel perceptron: its mistakes, and through them a score for every point.

        score(x) = sum_i alpha_i * y_i * kernel(x_i, x),  where alpha_i counts the mistakes on example i.

    `mistakes`, `times`, `epochs`, `converged`, `order` and `seed` mean what they mean in a `Run`. (Chapter 07.)
    """

    X: np.ndarray
    y: np.ndarray
    kernel: Kernel
    tie: str
    order: np.ndarray | None
    seed: int | None
    mistakes: np.ndarray
    times: np.ndarray
    epochs: int
    converged: bool

    @property
    def counts(self) -> np.ndarray:
        """alpha: how often each example was a mistake, shape (n,)."""
        return np.bincount(self.mistakes, minlength=len(self.y))

    def score(self, X) -> np.ndarray:
        """sum_i alpha_i y_i kernel(x_i, x) for one point, shape (d,), or for every row of X, shape (n, d)."""
        X = kernel_points(X, self.X.shape[1])
        rows, support = X.reshape(-1, X.shape[-1]), np.flatnonzero(self.counts)
        if not support.size:
            return np.zeros(X.shape[:-1])[()]
        weights, step = (self.counts * self.y)[support], max(1, BLOCK // len(support))
        blocks = (self.kernel(rows[at : at + step], self.X[support]) @ weights for at in range(0, len(rows), step))
        return np.concatenate(list(blocks)).reshape(X.shape[:-1])[()]

    def predict(self, X) -> np.ndarray:
        """sgn(score), with sgn(0) = -1 as in Bloch."""
        return np.where(self.score(X) > 0, 1, -1)[()]

    def __repr__(self) -> str:
        end = "converged" if self.converged else "not converged"
        return f"KernelRun({counted(len(self.mistakes), 'mistake')} in {counted(self.epochs, 'epoch')}, {end})"


def kernel_perceptron(
    X,
    y,
    kernel: Kernel,
    *,
    order: str | Sequence[int] = "cyclic",
    tie: str = "mistake",
    max_epochs: int = 1000,
    seed: int | None = None,
) -> KernelRun:
    """The perceptron on phi(x), from zero and with rate 1, without ever forming phi: kernel(x, z) = phi(x)'phi(z) does.

    The weights are a signed sum of examples, theta = sum_i alpha_i y_i phi(x_i), so every score is a sum of kernel
    values, and a mistake on example i adds y_i kernel(x_i, x_j) to the score of each x_j. One column of the Gram matrix
    is computed at each mistake and none is kept: memory grows with n, not with n^2.

    There is no offset, as in `perceptron(X, y, bias=False)`, to which this is equal for the linear kernel: mistake for
    mistake in exact arithmetic, and in floats wherever no score is within rounding of zero. A kernel plus a constant
    has an offset; `polynomial_kernel` comes with one. (Chapter 07.)

    Parameters
    ----------
    X, y : arrays, shapes (n, d) and (n,)
    kernel : function (X, Z) -> Gram block, shapes (n, d), (m, d) -> (n, m)
    order, tie, max_epochs, seed : as for `perceptron`

    Examples
    --------
    >>> run = kernel_perceptron([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1], polynomial_kernel(2))
    >>> run.converged, run.predict([[0, 0], [0, 1], [1, 0], [1, 1]]).tolist()
    (True, [-1, 1, 1, -1])
    """
    X, y = Dataset(X, y)
    function(kernel, "kernel", "a function (X, Z) -> Gram block, such as linear_kernel")
    option(tie, "tie", TIES)
    whole_number(max_epochs, "max_epochs")
    order, seed = visiting_order(order, len(y), seed)

    labels = y.tolist()
    scores = np.zeros(len(y), dtype=int)  # whole zeros: fractions can be added to them without rounding
    mistakes, times, epochs, visited = [], [], 0, 0
    for one_pass in passes(order, len(y), seed, max_epochs):
        before = len(mistakes)
        for t, i in enumerate(one_pass.tolist(), start=visited):
            if _wrong(labels[i], scores[i], tie):
                scores = scores + labels[i] * _column(kernel, X, i)
                mistakes.append(i)
                times.append(t)
        epochs, visited = epochs + 1, visited + len(one_pass)
        if len(mistakes) == before:
            break
    converged = not any(_wrong(label, score, tie) for label, score in zip(labels, scores.tolist(), strict=True))
    mistakes, times = np.array(mistakes, dtype=int), np.array(times, dtype=int)
    return KernelRun(X, y, kernel, tie, order, seed, mistakes, times, epochs, converged)


def _wrong(label: int, score, tie: str) -> bool:
    return label * score < 0 or (score == 0 and label in TIES[tie])


def _column(kernel: Kernel, X: np.ndarray, i: int) -> np.ndarray:
    """kernel(x_j, x_i) for all j."""
    block = np.asarray(kernel(X, X[i : i + 1]))
    if block.shape != (len(X), 1):
        raise ValueError(f"kernel must give a Gram block of shape {(len(X), 1)} here; it gave {block.shape}")
    if not exact(block) and not np.isfinite(block).all():
        raise ValueError(f"kernel must give finite numbers; between X and X[{i}] it did not")
    return block[:, 0]


def _pair(X, Z) -> tuple[np.ndarray, np.ndarray]:
    X, Z = kernel_points(X), kernel_points(Z, name="Z")
    if X.ndim != 2 or Z.ndim != 2 or X.shape[1] != Z.shape[1]:
        raise ValueError(f"a kernel needs shapes (n, d) and (m, d); the shapes are {X.shape} and {Z.shape}")
    return X, Z
