"""The convergence theorem: its bound in four dialects, and its proof as a ledger of a run. (Chapter 04.)"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.pla import Run, inputs_for
from pla_lib.validation import exact, instance, learning_rate, real_array_like, starting_weights, vector


@dataclass(frozen=True, eq=False)
class Bound:
    r"""A bound on the mistakes, for a :math:`\theta` with :math:`y_i\,\theta^\top x_i \ge \rho > 0`.

    Squares are kept, so fractions stay exact. Chapter 04.

    Attributes
    ----------
    radius2 : float or fractions.Fraction
        :math:`\tau^2 = \max_i \lVert x_i \rVert^2`.
    functional : float or fractions.Fraction
        :math:`\rho = \min_i y_i\,\theta^\top x_i`.
    theta2, w2 : float or fractions.Fraction
        :math:`\lVert \theta \rVert^2` and :math:`\lVert w \rVert^2`.
    start : float or fractions.Fraction
        :math:`\theta_0^\top \theta`.
    start2 : float or fractions.Fraction
        :math:`\lVert \theta_0 \rVert^2`.
    eta : float or fractions.Fraction
        The learning rate.

    Notes
    -----
    The sources scale :math:`\theta` differently; the number is the same:

    ======  ========================================================================  ==============================
    Bloch   :math:`\lVert w \rVert = 1`, so that :math:`\rho` is the margin           ``(norm * radius / margin)**2``
    Elkan   :math:`\lVert\theta\rVert = 1`, :math:`\delta = \min y_i\theta^\top x_i`  ``(radius / delta)**2``
    slides  :math:`\lVert\theta\rVert = 1`, :math:`\lVert x_i\rVert\le 1` by scaling  ``1 / gamma**2``
    Hsu     :math:`\min y_i\,\theta^\top x_i = 1`                                     ``hsu_norm**2 * radius**2``
    ======  ========================================================================  ==============================
    """

    radius2: object
    functional: object
    theta2: object
    w2: object
    start: object
    start2: object
    eta: object

    @property
    def value(self):
        r"""The greatest number of mistakes that the proof allows.

        For fractions and a zero start it is an exact fraction. From :math:`\theta_0 = 0` it is
        :math:`\lVert\theta\rVert^2 \tau^2 / \rho^2`. Otherwise it is the larger root m of Bloch's (14),

        .. math::
           (\theta_0^\top\theta + m\,\eta\,\rho)^2 = \lVert\theta\rVert^2\,(\lVert\theta_0\rVert^2 + m\,\eta^2\tau^2).
        """
        if self.start2 == 0:
            return self.theta2 * self.radius2 / self.functional**2
        rise = self.eta * self.functional
        a = rise**2
        half_b = self.start * rise - self.theta2 * self.eta**2 * self.radius2 / 2
        c = self.start**2 - self.theta2 * self.start2  # at most 0, by Cauchy and Schwarz
        return (-float(half_b) + sqrt(float(half_b) ** 2 - float(a) * min(float(c), 0.0))) / float(a)

    @property
    def radius(self) -> float:
        r"""The length of the longest example, called :math:`\tau`, R or L."""
        return sqrt(self.radius2)

    @property
    def margin(self) -> float:
        r"""The distance of the nearest example from the hyperplane, Bloch's :math:`\rho`; infinite while w = 0."""
        return float(self.functional) / sqrt(self.w2) if self.w2 else float("inf")

    @property
    def norm(self) -> float:
        r"""The length of theta once w has length one, Bloch's :math:`\lVert\tilde\theta\rVert`."""
        return sqrt(self.theta2 / self.w2) if self.w2 else float("inf")

    @property
    def delta(self) -> float:
        r"""The least signed score once theta has length one, Elkan's :math:`\delta`."""
        return float(self.functional) / sqrt(self.theta2)

    @property
    def gamma(self) -> float:
        r"""`delta` with the data scaled into the unit ball, the slides' :math:`\gamma`."""
        return self.delta / self.radius

    @property
    def hsu_norm(self) -> float:
        r"""The length of theta once the least signed score is one, Hsu's :math:`\lVert w^* \rVert`."""
        return sqrt(self.theta2) / float(self.functional)


def mistake_bound(X, y, theta, *, theta0=None, eta=1) -> Bound:
    """Bound the number of mistakes that the perceptron can make on data that theta separates.

    Every separating theta gives a bound. Chapter 04, Bloch's (15).

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row. With `fractions.Fraction` entries the result is exact.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    theta : array_like, shape (d + 1,) or (d,)
        A separator, with the offset in front or without one.
    theta0 : array_like, optional
        Where the run starts, of the length of theta; zero if not given.
    eta : float or fractions.Fraction, default 1
        The learning rate.

    Returns
    -------
    Bound
        The bound, with the radius, margin and norms it is made of.

    Raises
    ------
    ValueError
        If theta does not separate the examples strictly.

    Examples
    --------
    >>> mistake_bound([[1], [-1]], [+1, -1], theta=[0, 1]).value
    np.float64(2.0)
    """
    X, y = Dataset(X, y)
    theta = real_array_like(X, theta, "theta")
    inputs = inputs_for(theta, X)
    start = starting_weights(theta0, X, len(theta) > X.shape[1])
    eta = learning_rate(eta, X)
    least = (y * (inputs @ theta)).min()
    if not least > 0:
        raise ValueError(
            f"theta must separate the examples, y * theta'x > 0 for all of them; here the least is {least + 0}. "
            "Where an example lies on the hyperplane the margin is zero and there is no bound"
        )
    w = theta[-X.shape[1] :]
    squares = (inputs * inputs).sum(axis=1).max(), least, theta @ theta, w @ w
    return Bound(*squares, start @ theta, start @ start, eta)


@dataclass(frozen=True, eq=False)
class Ledger:
    r"""Every quantity of the proof, at the start and after every update.

    Squares are kept, so fractions stay exact. Chapter 04.

    Attributes
    ----------
    bound : Bound
        The bound and what it is made of.
    progress : numpy.ndarray, shape (k + 1,)
        :math:`\theta_m^\top\theta`, which climbs at least as fast as `floor`.
    floor : numpy.ndarray, shape (k + 1,)
        :math:`\theta_0^\top\theta + m\,\eta\,\rho`, Bloch's (10).
    norm2 : numpy.ndarray, shape (k + 1,)
        :math:`\lVert\theta_m\rVert^2`, which climbs at most as fast as `ceiling2`.
    ceiling2 : numpy.ndarray, shape (k + 1,)
        :math:`\lVert\theta_0\rVert^2 + m\,\eta^2\tau^2`, Bloch's (13).
    signed_scores : numpy.ndarray, shape (k,)
        :math:`y\,\theta_m^\top x` of the example of update m + 1; none is positive.
    """

    bound: Bound
    progress: np.ndarray
    floor: np.ndarray
    norm2: np.ndarray
    ceiling2: np.ndarray
    signed_scores: np.ndarray

    @property
    def holds(self) -> bool:
        """Whether every inequality of the proof is true, for fractions with no tolerance, for floats up to rounding."""
        scale2 = self.bound.theta2 * self.norm2
        return bool(
            self._at_most(self.signed_scores, 0 * self.signed_scores)
            and self._at_most(self.floor, self.progress)
            and self._at_most(self.norm2, self.ceiling2)
            and self._at_most(
                np.where(self.progress > 0, self.progress, 0 * self.progress) ** 2, scale2
            )  # Cauchy-Schwarz
            and len(self.signed_scores) <= self.bound.value * (1 if exact(self.norm2) else 1 + 1e-9)
        )

    def _at_most(self, low: np.ndarray, high: np.ndarray) -> bool:
        slack = 0 if exact(self.norm2) else 1e-9 * (1 + np.abs(low) + np.abs(high))
        return bool(np.all(low <= high + slack))


def ledger(run: Run, theta) -> Ledger:
    """Run the proof of the convergence theorem on the numbers of a run.

    Chapter 04.

    Parameters
    ----------
    run : Run
        A run, as `perceptron` returns it.
    theta : array_like, shape (d + 1,) or (d,)
        A separator, of the length of the run's weights.

    Returns
    -------
    Ledger
        The quantities of the proof, update by update.

    Examples
    --------
    >>> from pla_lib import blobs, perceptron
    >>> X, y = blobs()
    >>> run = perceptron(X, y)
    >>> ledger(run, run.theta).holds
    True
    """
    instance(run, Run, "ledger takes a Run, as perceptron(X, y) gives")
    theta = vector(theta, "theta", len(run.theta0), "as the run's weights have", run.X)
    bound = mistake_bound(run.X, run.y, theta, theta0=run.theta0, eta=run.eta)
    updates = np.arange(len(run.mistakes) + 1)
    inputs = inputs_for(theta, run.X)[run.mistakes]
    return Ledger(
        bound,
        progress=run.thetas @ theta,
        floor=bound.start + updates * (run.eta * bound.functional),
        norm2=(run.thetas * run.thetas).sum(axis=1),
        ceiling2=bound.start2 + updates * (run.eta**2 * bound.radius2),
        signed_scores=run.y[run.mistakes] * (run.thetas[:-1] * inputs).sum(axis=1),
    )
