"""The lift: data rise to a paraboloid, a plane cuts there, and its shadow on the ground is a circle. (Chapter 07.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from traitlets import Dict, Float, Int, List

from pla_lib.datasets import Dataset
from pla_lib.limits import Separable, separability
from pla_lib.margins import NotSeparable, max_margin, soft_margin
from pla_lib.plots.style import MARKS, colour, plot_points, show_boundary, show_crosses, show_plane
from pla_lib.validation import both_classes, two_features
from pla_lib.widgets.base import BaseWidget, new_figure, script, stylesheet
from pla_lib.wording import counted, number, vector

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def lifted(X) -> np.ndarray:
    """phi(x) = (x_1, x_2, x_1^2 + x_2^2) for every row of X, shape (n, 2) -> (n, 3)."""
    return np.c_[X, (X**2).sum(axis=1)]


class FeatureLift(BaseWidget):
    """See `feature_lift`. Set what follows to move the picture; read it to see what the reader did.

    `step` says how much is shown: 0 the points on the ground, 1 lifted, 2 with the plane, 3 with its shadow. `theta` =
    [b, w1, w2, w3] is the plane, `lift` goes from 0 (ground) to 1 (paraboloid), and `azimuth` and `elevation` say in
    degrees from where the picture is seen.
    """

    _esm = script("feature_lift.js")
    _css = stylesheet("feature_lift.css")
    record = Dict().tag(sync=True)
    step = Int(0, min=0, max=3).tag(sync=True)
    theta = List(Float(), minlen=4, maxlen=4).tag(sync=True)
    lift = Float(0, min=0, max=1).tag(sync=True)
    azimuth = Float(-60, min=-180, max=180).tag(sync=True)
    elevation = Float(25, min=0, max=90).tag(sync=True)

    def __init__(self, X: np.ndarray, y: np.ndarray, best: np.ndarray):
        self.X, self.y, self.line = X, y, isinstance(separability(X, y), Separable)
        record = {"X": X.tolist(), "y": y.tolist(), "best": best.tolist(), "line": self.line}
        super().__init__(record=record, theta=best.tolist())

    @property
    def reach(self) -> float:
        """How far from the origin the picture goes."""
        return float(np.sqrt((self.X**2).sum(axis=1).max()) * 1.08) or 1.0

    def score(self, X: np.ndarray) -> np.ndarray:
        """The scores of points of the ground, shape (n, 2) -> (n,), under the plane as it is now."""
        return lifted(X) @ self.theta[1:] + self.theta[0]

    def picture(self) -> Figure:
        figure = new_figure(6.4, 3.3)
        space, ground = figure.subplots(1, 2)
        reach = self.reach
        plot_points(self.X, self.y, ground, size=3.5).get_legend().remove()
        show_plane(ground, (-reach, -reach), (reach, reach))
        shadow = show_boundary(ground, self.score)
        show_crosses(ground, self.X[self.y * self.score(self.X) <= 0], markersize=7)
        turn, up = np.deg2rad([self.azimuth, self.elevation])
        right = np.array([-np.sin(turn), np.cos(turn), 0]) / reach
        upward = np.array([-np.sin(up) * np.cos(turn), -np.sin(up) * np.sin(turn), 1.4 * np.cos(up) / reach]) / reach

        def draw(points, *style, **how):
            space.plot(points @ right, points @ upward, *style, **how)

        circle = reach * np.exp(1j * np.linspace(0, 2 * np.pi, 73))
        for share in (0.25, 0.5, 0.75, 1):
            draw(lifted(share * np.c_[circle.real, circle.imag]), color=colour("grid"), linewidth=0.8, zorder=1)
        for end in circle[:-1:6]:
            spoke = np.linspace(0, 1, 20)[:, None] * [end.real, end.imag]
            draw(lifted(spoke), color=colour("grid"), linewidth=0.8, zorder=1)
        for line in shadow:
            draw(lifted(line), color=colour("ink"), zorder=2)
            draw(np.c_[line, np.zeros(len(line))], color=colour("ink"), alpha=0.5, zorder=2)
        for label, (marker, name) in MARKS.items():
            draw(lifted(self.X[self.y == label]), marker, color=colour(name), markersize=3.5, zorder=3)
        space.set(aspect="equal")
        space.axis("off")
        return figure

    def sentence(self) -> str:
        b, w1, w2, w3 = self.theta
        wrong = int((self.y * self.score(self.X) <= 0).sum())
        data = f"{len(self.y)} points of two classes, which {'a' if self.line else 'no'} line separates"
        cut = f"leaves {counted(wrong, 'point')} on the wrong side" if wrong else "separates them there"
        rise = f"{data}, rise to the paraboloid x3 = x1^2 + x2^2. A plane {cut}; "
        if abs(w3) * np.abs(self.X).max() <= 1e-9 * np.hypot(w1, w2):
            return rise + "it is vertical, so the shadow of its cut on the ground is a line."
        c1, c2 = -w1 / w3 / 2, -w2 / w3 / 2
        squared = c1**2 + c2**2 - b / w3
        if squared < 0:
            return rise + "it does not meet the paraboloid and has no shadow."
        # To a round share of the picture's size, as the page rounds: a centre at 10^-17 is rounding, not a place.
        step = 10.0 ** np.floor(np.log10(self.reach / 50))
        *centre, radius = step * np.round(np.array([c1, c2, squared**0.5]) / step)
        return (
            rise
            + f"the shadow of its cut on the ground is the circle around {vector(centre)} with radius {number(radius)}."
        )


def feature_lift(X, y) -> FeatureLift:
    r"""Lift planar data, cut them with a plane, and come back down to a circle.

    The first plane is the one of widest margin, or of soft margin where none separates the lifted points; the reader
    moves it, lifts the points and turns the picture. Chapter 07.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels -1 and +1; both must occur.

    Returns
    -------
    FeatureLift
        The widget.

    Notes
    -----
    The lift is :math:`\varphi(x) = (x_1, x_2, x_1^2 + x_2^2)`. The plane :math:`x_3 = a x_1 + c x_2 + h` meets the
    paraboloid above the circle

    .. math:: \lVert x - (a, c)/2 \rVert^2 = h + (a^2 + c^2)/4,

    and above nothing where that is negative.

    Examples
    --------
    >>> from pla_lib import disc_in_ring
    >>> feature_lift(*disc_in_ring(30)).sentence()
    '30 points of two classes, which no line separates, rise to the paraboloid x3 = x1^2 + x2^2. A plane separates ...'
    """
    X, y = Dataset(X, y)
    two_features(X, "feature_lift")
    both_classes(y, "feature_lift puts a plane between two classes")
    X = X.astype(float)
    try:
        best = max_margin(lifted(X), y).theta
    except NotSeparable:
        best = soft_margin(lifted(X), y, C=100.0).theta
    return FeatureLift(X, y, best)
