"""The hyperplane explorer: turn and shift a line, drag a point, and see both again in weight space. (Chapter 01.)"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from traitlets import Float, List, validate

from pla_lib.geometry import Hyperplane
from pla_lib.plots import colour
from pla_lib.validation import vector
from pla_lib.widgets.base import BaseWidget, script, stylesheet


class HyperplaneExplorer(BaseWidget):
    """See `hyperplane_explorer`. `theta` = [b, w1, w2] and `point` are what the reader sees: set them, or read them."""

    _esm = script("hyperplane_explorer.js")
    _css = stylesheet("hyperplane_explorer.css")
    height = List(["158.83cqw + 30.7rem", "39.71cqw + 17.18rem"]).tag(sync=True)
    theta = List(Float()).tag(sync=True)
    point = List(Float()).tag(sync=True)
    # How far from the origin the pictures reach: in the plane, and in weight space.
    reach = List(Float()).tag(sync=True)

    def __init__(self, theta, point):
        theta, point = numbers(theta, "theta", 3).tolist(), numbers(point, "point", 2).tolist()
        line = Hyperplane.from_theta(theta)
        plane = max(np.linalg.norm(point), line.distance([0, 0]) / 0.6) or 1.0
        super().__init__(theta=theta, point=point, reach=[float(plane), 1.5 * line.norm])

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
        figure = Figure(figsize=(6.4, 3), layout="constrained")
        left, right = figure.subplots(1, 2)
        line, x, (b, *w) = self.line, np.array(self.point), self.theta
        side = "positive" if line.score(x) > 0 else "negative"
        foot, anchor = line.project(x), line.project([0, 0])
        _half_plane(left, self.theta, self.reach[0], colour("ink"))
        left.plot(*np.array([x, foot]).T, color=colour(side), linewidth=1.5)
        left.plot(*x, "o" if side == "positive" else "s", color=colour(side), markersize=8)
        tip = anchor + 0.5 * self.reach[0] * line.w / line.norm
        left.annotate("", tip, anchor, arrowprops={"arrowstyle": "-|>", "color": colour("ink"), "linewidth": 1.8})
        left.set(xlabel="$x_1$", ylabel="$x_2$")
        _half_plane(right, [b, *x], self.reach[1], colour(side))
        right.annotate("", w, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour("ink"), "linewidth": 1.8})
        right.plot(*w, "o", color=colour("ink"), markersize=7)
        right.set(xlabel="$w_1$", ylabel="$w_2$")
        return figure

    def sentence(self) -> str:
        (b, *w), score = self.theta, float(self.line.score(self.point))
        where = f"at distance {_said(self.line.distance(self.point))}"
        side = f"on the {'positive' if score > 0 else 'negative'} side of the line, {where}" if score else "on the line"
        return (
            f"The line w'x + b = 0 with w = ({_said(w[0])}, {_said(w[1])}) and b = {_said(b)}. "
            f"The point ({_said(self.point[0])}, {_said(self.point[1])}) scores {_said(score)}: it is {side}."
        )


def hyperplane_explorer(theta=None, point=None) -> HyperplaneExplorer:
    """Turn and shift the line w'x + b = 0, and drag a point: see its score, distance |w'x + b| / ||w||, and foot.

    Beside it stands weight space at this b, where the line is the point w, and the point a line: the w with
    w'x + b = 0. The one is crossed exactly when the other is. Scaling theta changes the score, not the line.

    theta = [b, w1, w2] with w not zero; point has two entries. (Chapter 01.)

    Examples
    --------
    >>> hyperplane_explorer([-5, 3, 4], [3, 4]).sentence()
    "The line w'x + b = 0 with w = (3, 4) and b = −5. The point (3, 4) scores 20: it is on the positive side of ..."
    """
    return HyperplaneExplorer([-1.2, 1.2, 1.6] if theta is None else theta, [1.6, 1.2] if point is None else point)


def numbers(given, name: str, count: int) -> np.ndarray:
    """`count` finite numbers as floats, or a sentence that says what is wrong."""
    return vector(given, name, count, "[b, w1, w2]" if name == "theta" else "the two features of a point").astype(float)


def _half_plane(ax: Axes, theta, reach: float, line: str) -> None:
    """The positive side of theta tinted and its line drawn, as far as the picture reaches; equal scales."""
    across, up = np.meshgrid(1.6 * reach * np.linspace(-1, 1, 2), 1.25 * reach * np.linspace(-1, 1, 2))
    score = theta[0] + theta[1] * across + theta[2] * up
    ax.contourf(across, up, score, levels=[0, np.inf], colors=[colour("positive")], alpha=0.1)
    if score.min() < 0 < score.max():
        ax.contour(across, up, score, levels=[0], colors=[line], linewidths=1.8)
    ax.set(aspect="equal")
    ax.locator_params(nbins=5)
    ax.spines[["top", "right"]].set_visible(False)


def _said(value: float) -> str:
    """A number as it is read: three digits that count, a true minus sign."""
    return f"{value:.3g}".replace("-", "−")
