"""Hyperplanes: scores, distances, projections, margins, and the forms in which the notes write them. (Chapter 01.)"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.validation import points, real_array, true_or_false


@dataclass(frozen=True, eq=False)
class Hyperplane:
    """The points x with w'x + b = 0; w is not zero. Entries that are fractions stay fractions.

    Every method takes one point, shape (d,), or many, shape (n, d). (Chapter 01.)

    Examples
    --------
    >>> line = Hyperplane([3, 4], -5)
    >>> line.score([3, 4]), line.distance([3, 4])
    (np.float64(20.0), np.float64(4.0))
    >>> line.project([3, 4])
    array([0.6, 0.8])
    """

    w: np.ndarray
    b: float

    def __post_init__(self) -> None:
        w, b = real_array(self.w, "w"), real_array(self.b, "b")
        if w.ndim != 1 or w.size == 0 or b.ndim:
            raise ValueError(f"a hyperplane needs a vector w and a number b; their shapes are {w.shape} and {b.shape}")
        if not w.any():
            raise ValueError("w is zero, so there is no hyperplane: every point has the same score, b")
        object.__setattr__(self, "w", w)
        object.__setattr__(self, "b", b[()])

    @classmethod
    def from_theta(cls, theta, *, behind: bool = False) -> Hyperplane:
        """From theta = [b, w], with the 1 in front of x as in Bloch, or theta = [w, b] with the 1 behind it."""
        theta = real_array(theta, "theta")
        if theta.ndim != 1 or theta.size < 2:
            raise ValueError(f"theta must hold an offset and at least one weight; its shape is {theta.shape}")
        return cls(theta[:-1], theta[-1]) if true_or_false(behind, "behind") else cls(theta[1:], theta[0])

    @classmethod
    def from_shift(cls, w, shift) -> Hyperplane:
        """From Elkan's form w.x - shift = 0. Where w has length one, |shift| is the distance from the origin."""
        return cls(w, -real_array(shift, "shift"))

    @property
    def theta(self) -> np.ndarray:
        """[b, w], for x with a 1 in front."""
        return np.insert(self.w, 0, self.b)

    @property
    def theta_behind(self) -> np.ndarray:
        """[w, b], for x with a 1 behind."""
        return np.append(self.w, self.b)

    @property
    def shift(self):
        """What w.x equals on the hyperplane."""
        return -self.b

    @property
    def norm(self) -> float:
        """||w||, a float also where w holds fractions."""
        return float(np.sqrt(float(self.w @ self.w)))

    def score(self, X) -> np.ndarray:
        """w'x + b."""
        return points(X, len(self.w), "w has") @ self.w + self.b

    def distance(self, X, *, signed: bool = False) -> np.ndarray:
        """|w'x + b| / ||w||; with `signed`, positive on the side that w points to."""
        signed_distance = np.asarray(self.score(X), dtype=float)[()] / self.norm
        return signed_distance if true_or_false(signed, "signed") else abs(signed_distance)

    def project(self, X) -> np.ndarray:
        """The nearest point of the hyperplane, x - (w'x + b) / ||w||^2 * w."""
        X = points(X, len(self.w), "w has")
        return X - np.multiply.outer(X @ self.w + self.b, self.w) / (self.w @ self.w)

    def predict(self, X) -> np.ndarray:
        """sgn(w'x + b), with sgn(0) = -1 as in Bloch."""
        return np.where(self.score(X) > 0, 1, -1)

    def separates(self, X, y) -> bool:
        """Is every example strictly on the side of its label: y * (w'x + b) > 0?"""
        return bool(np.all(self._signed_scores(X, y) > 0))

    def margin(self, X, y) -> float:
        """min y * (w'x + b) / ||w||: the distance of the nearest example, negative if one is on the wrong side."""
        return float(self._signed_scores(X, y).min()) / self.norm

    def canonical(self, X, y) -> Hyperplane:
        """The same hyperplane, scaled so that min y * (w'x + b) = 1; its margin is then 1 / ||w||. (Chapter 05.)"""
        least = self._signed_scores(X, y).min()
        if not least > 0:
            raise ValueError("only a hyperplane that separates the examples has a canonical form; this one does not")
        return Hyperplane(self.w / least, self.b / least)

    def point_and_directions(self) -> tuple[np.ndarray, np.ndarray]:
        """x_0 and V with hyperplane = x_0 + span of the rows of V: an affine set, a point plus a vector space.

        x_0 is the point nearest to the origin; V has shape (d - 1, d).
        """
        pivot = int(np.argmax(abs(self.w)))
        directions = np.delete(np.eye(len(self.w), dtype=int), pivot, axis=0) * (self.w[pivot] / self.w[pivot])
        directions[:, pivot] = -np.delete(self.w, pivot) / self.w[pivot]
        return -self.b * self.w / (self.w @ self.w), directions

    def _signed_scores(self, X, y) -> np.ndarray:
        X, y = Dataset(X, y)
        return y * self.score(X)
