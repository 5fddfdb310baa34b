"""Hyperplanes: scores, distances, projections, margins, and the forms in which the notes write them. (Chapter 01.)"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.validation import points, real_array, true_or_false


@dataclass(frozen=True, eq=False)
class Hyperplane:
    r"""The points x with :math:`w^\top x + b = 0`, where w is not zero.

    Entries that are fractions stay fractions. Every method takes one point, shape (d,), or many, shape (n, d).
    Chapter 01.

    Parameters
    ----------
    w : array_like, shape (d,)
        The weights, normal to the hyperplane.
    b : float
        The offset.

    Attributes
    ----------
    w : numpy.ndarray, shape (d,)
        The weights.
    b : float
        The offset.

    Raises
    ------
    ValueError
        If w is zero: then every point has the same score, and there is no hyperplane.

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
        r"""Make the hyperplane of a vector that holds the offset too.

        Parameters
        ----------
        theta : array_like, shape (d + 1,)
            [b, w], with the 1 in front of x as in Bloch.
        behind : bool, default False
            Read theta as [w, b] instead, with the 1 behind x.

        Returns
        -------
        Hyperplane
            The hyperplane :math:`w^\top x + b = 0`.
        """
        theta = real_array(theta, "theta")
        if theta.ndim != 1 or theta.size < 2:
            raise ValueError(f"theta must hold an offset and at least one weight; its shape is {theta.shape}")
        return cls(theta[:-1], theta[-1]) if true_or_false(behind, "behind") else cls(theta[1:], theta[0])

    @classmethod
    def from_shift(cls, w, shift) -> Hyperplane:
        r"""Make the hyperplane of Elkan's form, :math:`w \cdot x - \text{shift} = 0`.

        Where w has length one, the absolute value of `shift` is the distance from the origin.

        Parameters
        ----------
        w : array_like, shape (d,)
            The weights.
        shift : float
            What :math:`w \cdot x` equals on the hyperplane.

        Returns
        -------
        Hyperplane
            The hyperplane with :math:`b = -\text{shift}`.
        """
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
        r"""What :math:`w \cdot x` equals on the hyperplane."""
        return -self.b

    @property
    def norm(self) -> float:
        r""":math:`\lVert w \rVert`, a float also where w holds fractions."""
        return float(np.sqrt(float(self.w @ self.w)))

    def score(self, X) -> np.ndarray:
        r"""Compute the score :math:`w^\top x + b` of each point.

        Parameters
        ----------
        X : array_like, shape (d,) or (n, d)
            One point or many.

        Returns
        -------
        numpy.ndarray, shape () or (n,)
            The scores.
        """
        return points(X, len(self.w), "w has") @ self.w + self.b

    def distance(self, X, *, signed: bool = False) -> np.ndarray:
        r"""Compute the distance :math:`\lvert w^\top x + b \rvert / \lVert w \rVert` of each point.

        Parameters
        ----------
        X : array_like, shape (d,) or (n, d)
            One point or many.
        signed : bool, default False
            Keep the sign: positive on the side that w points to.

        Returns
        -------
        numpy.ndarray, shape () or (n,)
            The distances.
        """
        signed_distance = np.asarray(self.score(X), dtype=float)[()] / self.norm
        return signed_distance if true_or_false(signed, "signed") else abs(signed_distance)

    def project(self, X) -> np.ndarray:
        r"""Find the nearest point of the hyperplane, :math:`x - \frac{w^\top x + b}{\lVert w \rVert^2}\, w`.

        Parameters
        ----------
        X : array_like, shape (d,) or (n, d)
            One point or many.

        Returns
        -------
        numpy.ndarray, shape (d,) or (n, d)
            The feet of the points on the hyperplane.
        """
        X = points(X, len(self.w), "w has")
        return X - np.multiply.outer(X @ self.w + self.b, self.w) / (self.w @ self.w)

    def predict(self, X) -> np.ndarray:
        r"""Predict the label :math:`\operatorname{sgn}(w^\top x + b)`.

        A score of zero is labelled -1, as in Bloch.

        Parameters
        ----------
        X : array_like, shape (d,) or (n, d)
            One point or many.

        Returns
        -------
        numpy.ndarray, shape () or (n,)
            Labels, each -1 or +1.
        """
        return np.where(self.score(X) > 0, 1, -1)

    def separates(self, X, y) -> bool:
        r"""Tell whether every example is strictly on the side of its label: :math:`y\,(w^\top x + b) > 0`.

        Parameters
        ----------
        X : array_like, shape (n, d)
            Examples, one per row.
        y : array_like, shape (n,)
            Labels, each -1 or +1.

        Returns
        -------
        bool
            False also if an example lies on the hyperplane.
        """
        return bool(np.all(self._signed_scores(X, y) > 0))

    def margin(self, X, y) -> float:
        r"""Compute the margin :math:`\min_i y_i (w^\top x_i + b) / \lVert w \rVert`.

        It is the distance of the nearest example, and negative if one is on the wrong side.

        Parameters
        ----------
        X : array_like, shape (n, d)
            Examples, one per row.
        y : array_like, shape (n,)
            Labels, each -1 or +1.

        Returns
        -------
        float
            The margin.
        """
        return float(self._signed_scores(X, y).min()) / self.norm

    def canonical(self, X, y) -> Hyperplane:
        r"""Scale w and b so that :math:`\min_i y_i (w^\top x_i + b) = 1`.

        It is the same hyperplane; its margin is now :math:`1 / \lVert w \rVert`. Chapter 05.

        Parameters
        ----------
        X : array_like, shape (n, d)
            Examples, one per row.
        y : array_like, shape (n,)
            Labels, each -1 or +1.

        Returns
        -------
        Hyperplane
            The canonical form.

        Raises
        ------
        ValueError
            If the hyperplane does not separate the examples.
        """
        least = self._signed_scores(X, y).min()
        if not least > 0:
            raise ValueError("only a hyperplane that separates the examples has a canonical form; this one does not")
        return Hyperplane(self.w / least, self.b / least)

    def point_and_directions(self) -> tuple[np.ndarray, np.ndarray]:
        """Write the hyperplane as an affine set, a point plus a vector space.

        Returns
        -------
        point : numpy.ndarray, shape (d,)
            The point :math:`x_0` of the hyperplane that is nearest to the origin.
        directions : numpy.ndarray, shape (d - 1, d)
            The rows of V; the hyperplane is :math:`x_0` plus their span.
        """
        pivot = int(np.argmax(abs(self.w)))
        directions = np.delete(np.eye(len(self.w), dtype=int), pivot, axis=0) * (self.w[pivot] / self.w[pivot])
        directions[:, pivot] = -np.delete(self.w, pivot) / self.w[pivot]
        return -self.b * self.w / (self.w @ self.w), directions

    def _signed_scores(self, X, y) -> np.ndarray:
        X, y = Dataset(X, y)
        return y * self.score(X)
