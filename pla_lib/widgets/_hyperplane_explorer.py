"""The hyperplane explorer: turn and shift a line, drag a point, and see both again in weight space. (Chapter 01.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from traitlets import Dict, Float, Int, List, validate

from pla_lib import wording
from pla_lib.geometry import Hyperplane
from pla_lib.plots.style import colour, show_arrow, show_line, show_plane
from pla_lib.validation import vector
from pla_lib.widgets.base import BaseWidget, new_figure, script, stylesheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class HyperplaneExplorer(BaseWidget):
    """See `hyperplane_explorer`. `theta` = [b, w1, w2] and `point` are what the reader sees: set them, or read them.

    `step` is how far the tour is; setting it takes the line and the point there.
    """

    _esm = script("hyperplane_explorer.js")
    _css = stylesheet("hyperplane_explorer.css")
    theta = List(Float()).tag(sync=True)
    point = List(Float()).tag(sync=True)
    step = Int(0).tag(sync=True)
    # The line and the point from which the tour sets out.
    start = Dict().tag(sync=True)
    # How far from the origin the pictures reach: in the plane, and in weight space.
    reach = List(Float()).tag(sync=True)

    def __init__(self, theta, point):
        theta, point = numbers(theta, "theta", 3).tolist(), numbers(point, "point", 2).tolist()
        line = Hyperplane.from_theta(theta)
        plane = max(np.linalg.norm(point), line.distance([0, 0]) / 0.6) or 1.0
        start = {"theta": theta, "point": point}
        super().__init__(theta=theta, point=point, start=start, reach=[float(plane), 2 * line.norm])

    @validate("theta")
    def _has_a_line(self, proposal):
        return Hyperplane.from_theta(numbers(proposal["value"], "theta", 3)).theta.tolist()

    @validate("point")
    def _is_in_the_plane(self, proposal):
        return numbers(proposal["value"], "point", 2).tolist()

    @property
    def line(self) -> Hyperplane:
        """The hyperplane as it stands."""
        return Hyperplane.from_theta(self.theta)

    def picture(self) -> Figure:
        figure = new_figure(6.4, 3)
        left, right = figure.subplots(1, 2)
        for ax, reach, letter in ((left, self.reach[0], "x"), (right, self.reach[1], "w")):
            show_plane(ax, (-1.6 * reach, -1.25 * reach), (1.6 * reach, 1.25 * reach), letter)
        line, x = self.line, np.array(self.point)
        show_line(left, line.theta, tinted=True)
        anchor = line.project([0, 0])
        show_arrow(left, anchor, anchor + 0.5 * self.reach[0] * line.w / line.norm)
        left.plot(*np.array([x, line.project(x)]).T, color=colour("faint"), linewidth=1.5)
        # The point has no class, so it has the mark of neither.
        left.plot(*x, "o", color=colour("faint"), markersize=8, markeredgecolor=colour("ink"))
        if x.any():
            show_line(right, np.array([line.b, *x]), tinted=True, tone="faint")
        show_arrow(right, (0, 0), line.w, away=13)
        right.plot(*line.w, "o", color=colour("ink"), markersize=7)
        return figure

    def sentence(self) -> str:
        (b, *w), score = self.theta, float(self.line.score(self.point))
        where = f"at distance {wording.number(self.line.distance(self.point))}"
        side = f"on the {'positive' if score > 0 else 'negative'} side of the line, {where}" if score else "on the line"
        return (
            f"The line w'x + b = 0 with w = {wording.vector(w)} and b = {wording.number(b)}. "
            f"The point {wording.vector(self.point)} scores {wording.number(score)}: it is {side}."
        )


def hyperplane_explorer(theta=None, point=None) -> HyperplaneExplorer:
    r"""Turn and shift a line, and drag a point: see its score, its distance and its foot.

    The line is :math:`w^\top x + b = 0`, the distance :math:`\lvert w^\top x + b \rvert / \lVert w \rVert`. Beside it
    is weight space at this b, where the line is the point w, and the point a line: the w with :math:`w^\top x + b = 0`.
    The one is crossed exactly when the other is. Scaling theta changes the score, not the line. A tour of eight steps
    shows all this, starting from the given line and point. Chapter 01.

    Parameters
    ----------
    theta : array_like, shape (3,), optional
        The first line, [b, w1, w2] with w not zero.
    point : array_like, shape (2,), optional
        The first point.

    Returns
    -------
    HyperplaneExplorer
        The widget; its `theta` and `point` are what the reader sees.

    Examples
    --------
    >>> hyperplane_explorer([-5, 3, 4], [3, 4]).sentence()
    "The line w'x + b = 0 with w = (3, 4) and b = −5. The point (3, 4) scores 20: it is on the positive side of ..."
    """
    return HyperplaneExplorer([-1.2, 1.2, 1.6] if theta is None else theta, [1.6, 1.2] if point is None else point)


def numbers(given, name: str, count: int) -> np.ndarray:
    """`count` finite numbers as floats, or a sentence that says what is wrong."""
    return vector(given, name, count, "[b, w1, w2]" if name == "theta" else "the two features of a point").astype(float)
