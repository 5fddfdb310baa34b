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
    """A bound on the mistakes, for a theta with y_i theta'x_i >= rho > 0. Squares are kept, so fractions stay exact.

    radius2 : tau^2 = max ||x_i||^2;  functional : rho = min y_i theta'x_i;  theta2, w2 : ||theta||^2 and ||w||^2;
    start : theta_0'theta;  start2 : ||theta_0||^2;  eta : the rate.

    The sources scale theta differently; the number is the same:

    =========  ===========================================================  ==========================
    Bloch      ||w|| = 1, so that rho is the margin                         (norm * radius / margin)^2
    Elkan      ||theta|| = 1, delta = min y_i theta'x_i                     (radius / delta)^2
    slides     ||theta|| = 1 and ||x_i|| <= 1 after scaling                 1 / gamma^2
    Hsu        min y_i theta'x_i = 1                                        hsu_norm^2 * radius^2
    =========  ===========================================================  ==========================
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
        """The greatest number of mistakes that the proof allows: an exact fraction for fractions, from a zero start.

        From theta_0 = 0 it is ||theta||^2 tau^2 / rho^2. Else it is the larger root m of
        (theta_0'theta + m eta rho)^2 = ||theta||^2 (||theta_0||^2 + m eta^2 tau^2), Bloch's (14).
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
        """tau, R or L: the length of the longest example."""
        return sqrt(self.radius2)

    @property
    def margin(self) -> float:
        """Bloch's rho: the distance of the nearest example from the hyperplane; infinite while w = 0."""
        return float(self.functional) / sqrt(self.w2) if self.w2 else float("inf")

    @property
    def norm(self) -> float:
        """Bloch's ||theta~||, the length of theta once w has length one."""
        return sqrt(self.theta2 / self.w2) if self.w2 else float("inf")

    @property
    def delta(self) -> float:
        """Elkan's: the least signed score once theta has length one."""
        return float(self.functional) / sqrt(self.theta2)

    @property
    def gamma(self) -> float:
        """The slides': delta, with the data scaled into the unit ball."""
        return self.delta / self.radius

    @property
    def hsu_norm(self) -> float:
        """Hsu's ||w*||: the length of theta once the least signed score is one."""
        return sqrt(self.theta2) / float(self.functional)


def mistake_bound(X, y, theta, *, theta0=None, eta=1) -> Bound:
    """How many mistakes the perceptron can make on data that theta separates. (Chapter 04, Bloch's (15).)

    theta has d entries, or d + 1 with the offset in front; so has theta0. Every separating theta gives a bound.

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
    """Every quantity of the proof, at the start and after every update; arrays of shape (k + 1,). Squares are kept.

    progress : theta_m'theta, which climbs at least as floor : theta_0'theta + m eta rho        (Bloch's (10))
    norm2 : ||theta_m||^2, which climbs at most as ceiling2 : ||theta_0||^2 + m eta^2 tau^2     (Bloch's (13))
    signed_scores : y theta_m'x of the example of update m + 1, shape (k,); none is positive
    """

    bound: Bound
    progress: np.ndarray
    floor: np.ndarray
    norm2: np.ndarray
    ceiling2: np.ndarray
    signed_scores: np.ndarray

    @property
    def holds(self) -> bool:
        """Is every inequality of the proof true? For fractions with no tolerance, for floats up to rounding."""
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
    """The proof of the convergence theorem, run on the numbers of `run` for the separating `theta`. (Chapter 04.)

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
