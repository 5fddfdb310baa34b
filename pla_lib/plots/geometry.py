"""The figures of chapter 01: a hyperplane, its distances and shadows; examples lifted; the cone of solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.geometry import Hyperplane
from pla_lib.plots.style import (
    ARROW,
    MARKS,
    colour,
    new_axes,
    panels,
    plot_points,
    show_arrow,
    show_crosses,
    show_line,
    show_plane,
)
from pla_lib.validation import option, real_array, two_features, vector
from pla_lib.wording import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_hyperplane(line: Hyperplane, X, y, ax: Axes | None = None) -> Axes:
    """Draw examples in the plane and a line with its arrow w; both sides are tinted, blue where it scores above zero.

    Class +1 is a blue disc, class -1 a vermilion square. An example that is on the line, or not on the side of its
    label, is crossed. Chapter 01.

    Parameters
    ----------
    line : Hyperplane
        A line in the plane.
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> plot_hyperplane(Hyperplane([1, 1], -1), [[0, 0], [1, 1]], [-1, +1]).get_xlabel()
    '$x_1$'
    """
    line, X, y = _planar(line), *_planar_data(X, y)
    ax = plot_points(X, y, ax)
    wrong = X[y * line.score(X) <= 0]
    show_crosses(ax, wrong)
    show_line(ax, line.theta, arrow=True)
    return ax


def plot_affine(line: Hyperplane, ax: Axes | None = None) -> Axes:
    """Draw H = a + V: the line H, its parallel V through the origin, and the step a from one to the other.

    Two points p and q of H stand for all: their middle is on H, their sum p + q is not (unless b = 0). Chapter 01.

    Parameters
    ----------
    line : Hyperplane
        A line in the plane.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> [text.get_text() for text in plot_affine(Hyperplane([1, 2], -4)).texts if text.get_text()][:2]
    ['$H$', '$V$']
    """
    line = _planar(line)
    ax = ax or new_axes(height=4.2)
    (step, along), unit = _point_and_unit(line), line.w / line.norm
    size = np.linalg.norm(step) or 1.0
    p, q = step + 1.2 * size * along, step - 0.5 * size * along
    corners = np.array([-0.3 * step, p + q, p, step - 1.5 * size * along, 1.1 * size * along, -1.5 * size * along])
    _frame(ax, corners)
    show_line(ax, line.theta)
    reach = 9 * size * along
    ax.plot(*np.array([-reach, reach]).T, "--", color=colour("faint"), linewidth=1.8, zorder=2)
    _say(ax, "$H$", step - 1.5 * size * along, 11 * unit)
    _say(ax, "$V$", -1.5 * size * along, 11 * unit, "faint")
    ax.annotate("", step, (0, 0), arrowprops=ARROW, zorder=3)
    _say(ax, "$a$", step / 2, -11 * along)
    for place, name, away in ((p, "$p$", 13), (q, "$q$", 13), ((p + q) / 2, r"$\frac{1}{2}(p + q)$", 20)):
        ax.plot(*place, "o", color=colour("ink"), markersize=7, zorder=4)
        _say(ax, name, place, away * unit)
    ax.plot(*(p + q), "x", color=colour("ink"), markersize=11, markeredgewidth=2, zorder=4)
    _say(ax, "$p + q$", p + q, (0, 14))
    ax.plot(0, 0, "o", color=colour("ink"), markerfacecolor=colour("paper"), markersize=7, zorder=4)
    _say(ax, "$0$", (0, 0), -13 * unit)
    return ax


def plot_foot(line: Hyperplane, z, ax: Axes | None = None) -> Axes:
    """Draw a point z, its foot on the line, and another point x of the line: the triangle of the distance formula.

    The point has the mark of its side; the foot is hollow, the right angle drawn, the distance written beside it.
    Chapter 01.

    Parameters
    ----------
    line : Hyperplane
        A line in the plane.
    z : array_like, shape (2,)
        A point that is not on the line.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> [text.get_text() for text in plot_foot(Hyperplane([3, 4], -5), [3, 4]).texts if text.get_text()][-1]
    '4'
    """
    line, z = _planar(line), vector(z, "z", 2, "a point of the plane").astype(float)
    foot, (_, along), distance = line.project(z), _point_and_unit(line), float(line.distance(z))
    if distance == 0:
        raise ValueError("z lies on the line; there is no triangle to draw")
    ax = ax or new_axes(height=4.2)
    outward = (z - foot) / distance
    other = foot + 0.8 * distance * along
    _frame(ax, np.array([z, foot - 0.6 * distance * along, other, foot]))
    show_line(ax, line.theta, tinted=True)
    _draw_normal(ax, line, foot - 0.45 * distance * along, 0.3 * distance)
    marker, name = MARKS[1 if line.score(z) > 0 else -1]
    ax.plot(*np.array([z, foot]).T, color=colour(name), linewidth=2.2, zorder=3)
    ax.plot(*np.array([z, other]).T, "--", color=colour("faint"), linewidth=1.5, zorder=2)
    corner = [foot + 0.07 * distance * step for step in (outward, outward + along, along)]
    ax.plot(*np.array(corner).T, color=colour("faint"), linewidth=1.2, zorder=2)
    ax.plot(*z, marker, color=colour(name), markersize=9, zorder=4)
    ax.plot(*foot, "o", color=colour("ink"), markerfacecolor=colour("paper"), markersize=8, zorder=4)
    ax.plot(*other, "o", color=colour("ink"), markersize=7, zorder=4)
    _say(ax, "$z$", z, 13 * outward)
    _say(ax, "$z_H$", foot, -14 * outward)
    _say(ax, "$x$", other, -13 * outward)
    _say(ax, number(distance), (z + foot) / 2, -13 * along)
    return ax


def plot_shadows(line: Hyperplane, points, ax: Axes | None = None) -> Axes:
    r"""Draw how points cast shadows on the direction of w.

    The shadow :math:`w^\top x / \lVert w \rVert` is written beside each. The line is where the shadow equals
    :math:`-b / \lVert w \rVert`. Chapter 01.

    Parameters
    ----------
    line : Hyperplane
        A line in the plane.
    points : array_like, shape (n, 2)
        The points; each has the mark of its side.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> ax = plot_shadows(Hyperplane([3, 4], -5), [[3, 1], [-1, 2]])
    >>> [text.get_text() for text in ax.texts if text.get_text()][:3]
    ['2.6', '1', '$w$']
    """
    line, points = _planar(line), real_array(points, "points").astype(float)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"points must have one point of the plane to a row; their shape is {points.shape}")
    ax = ax or new_axes(height=4.4)
    unit, (_, along) = line.w / line.norm, _point_and_unit(line)
    shadows, shift = points @ unit, -line.b / line.norm
    size = _frame(ax, np.vstack([points, np.outer(shadows, unit), shift * unit, [0, 0]]))
    ax.axline((0, 0), tuple(unit), color=colour("faint"), linewidth=1, zorder=1)
    for x, shadow, score in zip(points, shadows, line.score(points), strict=True):
        marker, name = MARKS[1 if score > 0 else -1]
        ax.plot(*np.array([x, shadow * unit]).T, ":", color=colour(name), linewidth=1.6, zorder=2)
        ax.plot(*x, marker, color=colour(name), markersize=8, zorder=4)
        ax.plot(*(shadow * unit), ".", color=colour(name), markersize=9, zorder=3)
        beside = -along if (x - shadow * unit) @ along > 0 else along
        _say(ax, number(shadow), shadow * unit, 16 * beside, name)
    show_line(ax, line.theta, tinted=True)
    _draw_normal(ax, line, shift * unit - 0.3 * size * along, 0.2 * size)
    _say(ax, f"shadow {number(shift)}", shift * unit, 32 * along + 22 * unit)
    ax.plot(0, 0, "o", color=colour("ink"), markerfacecolor=colour("paper"), markersize=7, zorder=4)
    _say(ax, "$0$", (0, 0), -13 * unit)
    return ax


def plot_lift(line: Hyperplane, X, y, *, onto: str = "plane") -> tuple[Axes, Axes]:
    r"""Draw examples in the plane with a line, and beside it the same lifted, where the line spans a plane through 0.

    Chapter 01.

    Parameters
    ----------
    line : Hyperplane
        A line in the plane.
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    onto : {"plane", "sphere"}, default "plane"
        With "plane" each x goes to (1, x), at height one, and the plane :math:`\theta^\top x = 0` cuts that height in
        the line. With "sphere" (1, x) is scaled to length one, and the plane cuts the sphere in a great circle.

    Returns
    -------
    tuple of matplotlib.axes.Axes
        The flat and the lifted picture.

    Examples
    --------
    >>> flat, lifted = plot_lift(Hyperplane([1, 0], -0.5), [[1, 0], [0, 1]], [+1, -1])
    >>> [text.get_text() for text in lifted.texts]
    ['$x_1$', '$x_2$', '$x_0$']
    """
    line, X, y = _planar(line), *_planar_data(X, y)
    option(onto, "onto", ("plane", "sphere"))
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(8.4, 4.0), layout="constrained")
    flat = plot_hyperplane(line, X, y, figure.add_subplot(1, 2, 1))
    lifted = figure.add_subplot(1, 2, 2, projection="3d", computed_zorder=False)
    up = np.c_[X, np.ones(len(X))]
    if onto == "plane":
        size = _draw_height_one(lifted, line, *np.transpose([flat.get_xlim(), flat.get_ylim()]))
    else:
        up /= np.linalg.norm(up, axis=1)[:, None]
        size = _draw_sphere(lifted, line)
    for label, (marker, name) in MARKS.items():
        lifted.plot(*up[y == label].T, marker, color=colour(name), markersize=6, zorder=6)
    for axis, name in zip(1.15 * size * np.eye(3), ("$x_1$", "$x_2$", "$x_0$"), strict=True):
        lifted.plot(*np.array([[0, 0, 0], axis]).T, color=colour("faint"), linewidth=1, zorder=4)
        lifted.text(*(1.1 * axis), name, ha="center", va="center", zorder=7)
    lifted.plot([0], [0], [0], "o", color=colour("ink"), markerfacecolor=colour("paper"), markersize=6, zorder=7)
    # Seen from the side of -w, aslant, so that the plane through the origin is neither edge nor face.
    lifted.view_init(elev=20, azim=float(np.rad2deg(np.arctan2(*line.w[::-1]))) + 180 + 42)
    lifted.set_axis_off()
    return flat, lifted


def plot_cone(X, y, w=None) -> tuple[Axes, Axes]:
    r"""Draw examples in the plane and, beside it, weight space without offset: a half-plane for each, and their cone.

    Example k is a point on the left and, on the right, the line of all w with :math:`w^\top x_k = 0`; a short arrow
    points to the side that is right for it. The cone of solutions is tinted; where there is none, the figure says so.
    Chapter 01.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    w : array_like, shape (2,), optional
        Weights whose line through the origin is drawn on the left, and whose direction on the right.

    Returns
    -------
    tuple of matplotlib.axes.Axes
        The plane of the examples, and weight space.

    Examples
    --------
    >>> data, weights = plot_cone([[2, 1], [-1, 1]], [+1, -1], w=[1, 0])
    >>> weights.get_xlabel()
    '$w_1$'
    """
    X, y = _planar_data(X, y)
    left, right = panels(2, 8.4, 4.0)
    reach = 1.15 * np.linalg.norm(X, axis=1).max()
    plot_points(X, y, left)
    _centre(left, reach)
    for k, x in enumerate(X, 1):
        _say(left, str(k), x, (10, 9))
    left.plot(0, 0, "o", color=colour("ink"), markerfacecolor=colour("paper"), markersize=7, zorder=4)
    if w is not None:
        line = _planar(Hyperplane(w, 0))
        show_line(left, line.theta, arrow=True)
        size = 0.55 * reach / line.norm
        show_arrow(right, (0, 0), size * line.w)
    cone = _cone(X, y)
    if cone is None:
        right.text(0.5, 0.98, "no cone: no solution", transform=right.transAxes, ha="center", va="top")
    else:
        angles = np.linspace(*cone, 40)
        edge = 3 * reach * np.c_[np.cos(angles), np.sin(angles)]
        right.fill(*np.vstack([[0, 0], edge]).T, color=colour("positive"), alpha=0.16, linewidth=0, zorder=0)
    for k, (x, label) in enumerate(zip(X, y, strict=True), 1):
        normal = x / np.linalg.norm(x)
        flat = np.array([-normal[1], normal[0]])
        flat = flat if (flat[1], flat[0]) > (0, 0) else -flat
        name = MARKS[label][1]
        right.plot(*np.outer([-3 * reach, 3 * reach], flat).T, color=colour(name), linewidth=1.5, zorder=2)
        at = 0.92 * reach * flat
        tip = at + 0.16 * reach * label * normal
        right.annotate("", tip, at, arrowprops=ARROW | {"color": colour(name), "linewidth": 1.4}, zorder=3)
        _say(right, str(k), at, -9 * label * normal, name)
    right.plot(0, 0, "o", color=colour("ink"), markerfacecolor=colour("paper"), markersize=7, zorder=4)
    _centre(right, reach, "w")
    return left, right


def _cone(X: np.ndarray, y: np.ndarray) -> tuple[float, float] | None:
    """The angles between which w has y_i * w'x_i > 0 for every i, or None.

    The signed examples y_i x_i must leave free more than half of the circle. w is then less than a right angle away
    from the first and from the last of them.
    """
    signed = y[:, None] * X
    angles = np.sort(np.arctan2(signed[:, 1], signed[:, 0]))
    gaps = np.diff(angles, append=angles[0] + 2 * np.pi)
    after = (int(np.argmax(gaps)) + 1) % len(angles)
    if not signed.any(axis=1).all() or gaps.max() <= np.pi * (1 + 1e-12):
        return None
    first, spread = angles[after], 2 * np.pi - gaps.max()
    return float(first + spread - np.pi / 2), float(first + np.pi / 2)


def _draw_height_one(ax: Axes, line: Hyperplane, low: np.ndarray, high: np.ndarray) -> float:
    """The plane x_0 = 1 as a faint sheet, the line on it, and the plane through the origin and the line."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    sheet = [(low[0], low[1], 1), (high[0], low[1], 1), (high[0], high[1], 1), (low[0], high[1], 1)]
    ax.add_collection3d(Poly3DCollection([sheet], facecolor=colour("faint"), alpha=0.18, edgecolor="none", zorder=2))
    ends = np.c_[_clipped(line, low, high), np.ones(2)]
    across, upward = (ends[1] - ends[0]) / 2, ends.mean(axis=0)
    plane = [t * upward + s * across for t, s in ((-0.15, -1), (-0.15, 1), (1.25, 1), (1.25, -1))]
    ax.add_collection3d(Poly3DCollection([plane], facecolor=colour("positive"), alpha=0.25, zorder=3))
    ax.plot(*ends.T, color=colour("ink"), linewidth=2.2, zorder=5)
    size = float(max(abs(low).max(), abs(high).max(), 1))
    low, high = np.minimum(low, -0.2), np.maximum(high, 0.2)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(-0.15, 1.25))
    ax.set_box_aspect((*(high - low), 1.4), zoom=1.2)
    return size


def _draw_sphere(ax: Axes, line: Hyperplane) -> float:
    """The unit sphere, and the great circle in which the plane b x_0 + w'x = 0 cuts it."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    around, down = np.meshgrid(np.linspace(0, 2 * np.pi, 25), np.linspace(0, np.pi, 13))
    sphere = np.sin(down) * np.cos(around), np.sin(down) * np.sin(around), np.cos(down)
    ax.plot_wireframe(*sphere, color=colour("faint"), alpha=0.3, linewidth=0.7, zorder=1)
    (_, along), normal = _point_and_unit(line), np.append(line.w, line.b)
    across = np.append(along, 0)
    upward = np.cross(normal / np.linalg.norm(normal), across)
    angle = np.linspace(0, 2 * np.pi, 121)
    circle = np.outer(np.cos(angle), across) + np.outer(np.sin(angle), upward)
    ax.add_collection3d(Poly3DCollection([circle], facecolor=colour("positive"), alpha=0.2, zorder=3))
    ax.plot(*circle.T, color=colour("ink"), linewidth=2, zorder=5)
    ax.set(xlim=(-1, 1), ylim=(-1, 1), zlim=(-1, 1))
    ax.set_box_aspect((1, 1, 1), zoom=1.2)
    return 1.0


def _clipped(line: Hyperplane, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The two ends of a line within a box; in its middle the line's point nearest to the centre."""
    foot, (_, along) = line.project((low + high) / 2), _point_and_unit(line)
    with np.errstate(divide="ignore"):
        steps = np.sort([(low - foot) / along, (high - foot) / along], axis=0)
    return foot + np.outer([steps[0].max(), steps[1].min()], along)


def _draw_normal(ax: Axes, line: Hyperplane, start: np.ndarray, length: float) -> None:
    """The arrow w from a point of the line."""
    show_arrow(ax, start, start + length * line.w / line.norm)


def _point_and_unit(line: Hyperplane) -> tuple[np.ndarray, np.ndarray]:
    """The point of the line nearest to the origin, and a unit vector along the line."""
    point, directions = line.point_and_directions()
    along = directions[0].astype(float)
    return point.astype(float), along / np.linalg.norm(along)


def _planar(line: Hyperplane) -> Hyperplane:
    if not isinstance(line, Hyperplane) or len(line.w) != 2:
        given = f"{len(line.w)} weights" if isinstance(line, Hyperplane) else f"a {type(line).__name__}"
        raise ValueError(f"the figure draws a Hyperplane with two weights, a line; it was given {given}")
    return Hyperplane(line.w.astype(float), float(line.b))


def _planar_data(X, y) -> tuple[np.ndarray, np.ndarray]:
    X, y = Dataset(X, y)
    two_features(X, "the figure")
    return X.astype(float), y


def _say(ax: Axes, text: str, at, points, name: str = "ink") -> None:
    """A word beside a place, `points` away from it."""
    ax.annotate(
        text, at, xytext=points, textcoords="offset points", ha="center", va="center", color=colour(name), zorder=5
    )


def _frame(ax: Axes, places: np.ndarray) -> float:
    """Make the axes show these places, with some room around them; the length of their shorter side."""
    low, high = places.min(axis=0), places.max(axis=0)
    room = 0.12 * (high - low).max()
    show_plane(ax, low - room, high + room)
    return float((high - low).min() + 2 * room)


def _centre(ax: Axes, reach: float, letter: str = "x") -> None:
    """A square around the origin."""
    show_plane(ax, (-reach, -reach), (reach, reach), letter)
