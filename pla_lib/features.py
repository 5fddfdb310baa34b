"""Feature maps, kernels, and the perceptron that needs only inner products. (Chapter 07.)

A feature map phi takes points, shape (n, d), to features, shape (n, p); one point, shape (d,), to shape (p,).
A kernel takes X and Z, shapes (n, d) and (m, d), to the Gram block of all phi(x_i)'phi(z_j), shape (n, m).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from pla_lib.blas_threads import one_blas_thread
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
    r"""Compute all monomials of degree 1 and 2: :math:`x_1, \dots, x_d, x_1^2, x_1 x_2, \dots, x_d^2`.

    A circle, an ellipse or a hyperbola in the plane is a hyperplane in these. Chapter 07.

    Parameters
    ----------
    X : array_like, shape (d,) or (n, d)
        One point or many.

    Returns
    -------
    numpy.ndarray, shape (p,) or (n, p)
        The features.

    Examples
    --------
    >>> quadratic([[2, 3]])
    array([[2., 3., 4., 6., 9.]])
    """
    return polynomial(2)(X)


def polynomial(degree: int) -> FeatureMap:
    r"""Make the map to all monomials of degree 1 up to `degree`, lower degrees first.

    There are :math:`\binom{d + \text{degree}}{\text{degree}} - 1` of them. There is no constant among them:
    `perceptron` adds one with its offset, and `with_constant` adds one here. Fractions stay fractions. Chapter 07.

    Parameters
    ----------
    degree : int
        The highest degree, at least 1.

    Returns
    -------
    callable
        The feature map, from shape (d,) or (n, d) to shape (p,) or (n, p).

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
    r"""Make random cosines whose inner products approach the Gaussian kernel.

    The map is the same for the same seed. Chapter 07.

    Parameters
    ----------
    d : int
        How many features the points have.
    count : int
        How many cosines.
    scale : float, default 1.0
        The scale of the Gaussian kernel, positive.
    seed : int or None
        Where the random numbers start; with None they differ each time.

    Returns
    -------
    callable
        The feature map, from shape (d,) or (n, d) to shape (count,) or (n, count).

    Notes
    -----
    .. math:: \varphi_j(x) = \sqrt{2 / \text{count}}\, \cos(v_j^\top x + u_j),

    with :math:`v_j` normal of variance :math:`1 / \text{scale}^2` and :math:`u_j` uniform on a period. The mean of
    :math:`\varphi(x)^\top \varphi(z)` is then :math:`\exp(-\lVert x - z \rVert^2 / (2\,\text{scale}^2))`, and its error
    falls like :math:`1 / \sqrt{\text{count}}` (Rahimi and Recht, 2007).

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
    r"""Make the map :math:`x \mapsto [1, \varphi(x)]`, with the constant in front.

    So the first weight is the offset. Chapter 07.

    Parameters
    ----------
    phi : callable
        A feature map, such as `quadratic`.

    Returns
    -------
    callable
        The map with the constant.

    Examples
    --------
    >>> with_constant(quadratic)([2, 3])
    array([1., 2., 3., 4., 6., 9.])
    """
    function(phi, "phi", "a feature map, such as quadratic")
    return lambda X: np.insert(phi(X), 0, 1, axis=-1)


def linear_kernel(X, Z) -> np.ndarray:
    r"""Compute :math:`x^\top z` for every row of X and every row of Z: the kernel of :math:`\varphi(x) = x`.

    Fractions stay fractions. Chapter 07.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Points, one per row.
    Z : array_like, shape (m, d)
        Points, one per row.

    Returns
    -------
    numpy.ndarray, shape (n, m)
        The Gram block.

    Examples
    --------
    >>> linear_kernel([[1, 2], [3, 4]], [[1, 1]])
    array([[3.],
           [7.]])
    """
    X, Z = _pair(X, Z)
    return X @ Z.T


def polynomial_kernel(degree: int, constant=1) -> Kernel:
    r"""Make the kernel :math:`(x^\top z + \text{constant})^{\text{degree}}`.

    Its features are all monomials up to that degree, the constant too, each with a weight. With `constant` 0 only the
    monomials of exactly that degree are left. Fractions stay fractions. Chapter 07.

    Parameters
    ----------
    degree : int
        The degree, at least 1.
    constant : float or fractions.Fraction, default 1
        At least 0.

    Returns
    -------
    callable
        The kernel, from shapes (n, d) and (m, d) to (n, m).

    Examples
    --------
    >>> polynomial_kernel(2)([[1, 2]], [[3, 1]])
    array([[36.]])
    """
    whole_number(degree, "degree")
    real_number(constant, "constant", "a number of at least 0, or this is no kernel", lambda number: number >= 0)
    return lambda X, Z: (linear_kernel(X, Z) + constant) ** degree


def gaussian_kernel(scale: float) -> Kernel:
    r"""Make the kernel :math:`\exp(-\lVert x - z \rVert^2 / (2\,\text{scale}^2))`.

    It is one for equal points, and small for points that are many scales apart. Chapter 07.

    Parameters
    ----------
    scale : float
        The distance over which points count as near, positive.

    Returns
    -------
    callable
        The kernel, from shapes (n, d) and (m, d) to (n, m).

    Notes
    -----
    The square is computed as :math:`\lVert x \rVert^2 + \lVert z \rVert^2 - 2 x^\top z`. Where :math:`\lVert x \rVert`
    is near :math:`10^8` scales no digit of it is left: subtract the mean from the data first, which changes no
    distance.

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
    r"""The record of a kernel perceptron: its mistakes, and through them a score for every point.

    Chapter 07.

    Attributes
    ----------
    X : numpy.ndarray, shape (n, d)
        The examples.
    y : numpy.ndarray, shape (n,)
        The labels.
    kernel : callable
        The kernel of the run.
    tie : str
        What a score of zero counts as.
    order, seed, mistakes, times, epochs, converged
        What they mean in a `Run`.

    Notes
    -----
    .. math:: \text{score}(x) = \sum_i \alpha_i\, y_i\, k(x_i, x),

    where :math:`\alpha_i` counts the mistakes on example i.
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
        r"""How often each example was a mistake, the :math:`\alpha` of the score, shape (n,)."""
        return np.bincount(self.mistakes, minlength=len(self.y))

    def score(self, X) -> np.ndarray:
        r"""Compute the score :math:`\sum_i \alpha_i\, y_i\, k(x_i, x)` of each point.

        Parameters
        ----------
        X : array_like, shape (d,) or (m, d)
            One point or many.

        Returns
        -------
        numpy.ndarray, shape () or (m,)
            The scores.
        """
        X = kernel_points(X, self.X.shape[1])
        rows, support = X.reshape(-1, X.shape[-1]), np.flatnonzero(self.counts)
        if not support.size:
            return np.zeros(X.shape[:-1])[()]
        weights, step = (self.counts * self.y)[support], max(1, BLOCK // len(support))
        blocks = (self.kernel(rows[at : at + step], self.X[support]) @ weights for at in range(0, len(rows), step))
        return np.concatenate(list(blocks)).reshape(X.shape[:-1])[()]

    def predict(self, X) -> np.ndarray:
        r"""Predict the sign of the score, where :math:`\operatorname{sgn}(0) = -1` as in Bloch.

        Parameters
        ----------
        X : array_like, shape (d,) or (m, d)
            One point or many.

        Returns
        -------
        numpy.ndarray, shape () or (m,)
            Labels, each -1 or +1.
        """
        return np.where(self.score(X) > 0, 1, -1)[()]

    def __repr__(self) -> str:
        end = "converged" if self.converged else "not converged"
        return f"KernelRun({counted(len(self.mistakes), 'mistake')} in {counted(self.epochs, 'epoch')}, {end})"


@one_blas_thread()
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
    r"""Run the perceptron on :math:`\varphi(x)` without ever computing :math:`\varphi`, by the kernel trick.

    It starts from zero, with learning rate 1, and needs only :math:`k(x, z) = \varphi(x)^\top \varphi(z)`. Chapter 07.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row. With `fractions.Fraction` entries the result is exact.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    kernel : callable
        A function (X, Z) -> Gram block, from shapes (n, d) and (m, d) to (n, m), such as `linear_kernel`.
    order : {"cyclic", "random"} or sequence of int, default "cyclic"
        The order of the visits, as for `perceptron`.
    tie : {"mistake", "negative", "positive", "correct"}, default "mistake"
        What a score of zero counts as.
    max_epochs : int, default 1000
        When to give up.
    seed : int, optional
        For the random order.

    Returns
    -------
    KernelRun
        The record of the run.

    Notes
    -----
    The weights are a signed sum of examples, :math:`\theta = \sum_i \alpha_i y_i\,\varphi(x_i)`, so every score is a
    sum of kernel values, and a mistake on example i adds :math:`y_i\,k(x_i, x_j)` to the score of each :math:`x_j`. One
    column of the Gram matrix is computed at each mistake and none is kept: memory grows with n, not with :math:`n^2`.

    There is no offset, as in ``perceptron(X, y, bias=False)``, to which this is equal for the linear kernel: mistake
    for mistake in exact arithmetic, and in floats wherever no score is within rounding of zero. A kernel plus a
    constant has an offset; `polynomial_kernel` comes with one.

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
