"""Figures of chapter 05: the margin of a line, rival lines, the three problems, the hulls, and what orders lead to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.geometry import Hyperplane
from pla_lib.margins import max_margin
from pla_lib.plots.style import (
    PLAIN,
    colour,
    new_axes,
    panels,
    plot_points,
    show_arrow,
    show_crosses,
    show_line,
    show_margins,
    show_plane,
    show_rings,
    tidy,
)
from pla_lib.validation import two_features
from pla_lib.wording import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_margins(X, y, lines: Mapping[str, Hyperplane], figure: Figure | None = None) -> list[Axes]:
    """Draw each line in a picture of its own: its arrow w, its margins dashed, the nearest points ringed.

    A line that does not separate the examples has no margins; the examples on its wrong side are crossed. Chapter 05.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    lines : mapping of str to Hyperplane
        The lines by name.
    figure : matplotlib.figure.Figure, optional
        Where to draw. A new figure if not given.

    Returns
    -------
    list of matplotlib.axes.Axes
        One panel per line, side by side.

    Examples
    --------
    >>> rows = plot_margins([[4, 2], [2, 0]], [+1, -1], {"one": Hyperplane([1, 0], -3), "two": Hyperplane([1, 1], -4)})
    >>> [[line.get_linestyle() for line in ax.lines].count("--") for ax in rows]
    [2, 2]
    """
    X, y = Dataset(X, y)
    every = panels(len(lines), 3.6 * len(lines), 3.7, figure, sharex=True, sharey=True)
    for ax, (name, line) in zip(every, lines.items(), strict=True):
        plot_points(X, y, ax)
        _draw_margins(ax, line, X.astype(float), y)
        show_line(ax, line.theta, arrow=True)
        show_crosses(ax, X[y * line.score(X) <= 0])
        corner = {"ha": "right", "va": "bottom", "fontsize": 13, "zorder": 4, "bbox": PLAIN if name else None}
        ax.text(0.97, 0.03, name, transform=ax.transAxes, color=colour("ink"), **corner)
        if ax is not every[0]:
            ax.set_ylabel("")
            ax.get_legend().remove()
    return every


def plot_lines(X, y, lines: Mapping[str, np.ndarray], ax: Axes | None = None) -> Axes:
    """Draw lines over the same examples, each with its name and, in brackets, its margin.

    Chapter 05.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    lines : mapping of str to array_like
        [b, w] by name, or w for a line through the origin, which is then marked by a plus.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> ax = plot_lines([[2, 2], [1, -1]], [+1, -1], {"with offset": [-3, 1, 3], "without": [-1, 3]})
    >>> [text.get_text() for text in ax.texts]
    ['with offset (1.58)', 'without (1.26)']
    """
    X, y = Dataset(X, y)
    ax = plot_points(X, y, ax)
    corners = np.array([ax.get_xlim(), ax.get_ylim()])
    for name, theta in lines.items():
        if len(theta) == 2:
            ax.plot(0, 0, "+", color=colour("ink"), markersize=10, markeredgewidth=1.8, zorder=3)
        line = Hyperplane.from_theta(np.insert(np.asarray(theta, float), 0, [0.0] * (3 - len(theta))))
        show_line(ax, line.theta)
        end = _end(line, corners)
        right, left = np.isclose(end[0], corners[0, ::-1])
        ax.annotate(
            f"{name} ({number(line.margin(X, y))})", end, textcoords="offset points", color=colour("ink"),
            xytext=(6, 0) if right else (8, 2) if left else (0, 4), annotation_clip=False,
            ha="left" if right or left else "center", va="center" if right else "bottom",
        )  # fmt: skip
    return ax


def plot_directions(X, y, ax: Axes | None = None) -> Axes:
    r"""Draw the margin of the best line with normal w against the direction of w, in degrees; its top is marked.

    For w of length one the best line lies midway, and its margin is half of the smallest :math:`w^\top x` over class +1
    minus the largest :math:`w^\top x` over class -1. Chapter 05.

    Parameters
    ----------
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
    >>> top = plot_directions([[0, 2], [0, 0]], [+1, -1]).lines[-1]
    >>> top.get_xydata().round(6).tolist()
    [[90.0, 1.0]]
    """
    X, y = Dataset(X, y)
    X, ax = X.astype(float), ax or new_axes(6.4, 3.6)
    degrees = np.linspace(-180, 180, 1441)
    u = np.stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    margin = ((X[y > 0] @ u).min(axis=0) - (X[y < 0] @ u).max(axis=0)) / 2
    widest = max_margin(X, y)
    ax.axhline(0, color=colour("faint"), linewidth=1)
    ax.fill_between(degrees, 0, margin, where=margin > 0, color=colour("ink"), alpha=0.1, linewidth=0)
    ax.plot(degrees, margin, color=colour("ink"), linewidth=1.8)
    ax.plot([np.degrees(np.arctan2(*widest.w[::-1]))], [widest.margin], "o", color=colour("ink"), markersize=8)
    ax.set(xlabel="direction of $w$, in degrees", ylabel="margin", xlim=(-180, 180), xticks=range(-180, 181, 90))
    ax.locator_params(axis="y", nbins=5)
    tidy(ax, ticks=None)
    return ax


def plot_feasible(X, y, ax: Axes | None = None) -> Axes:
    r"""Draw the plane of w: the feasible weights of the hard margin shaded, and circles of equal length.

    Weights are feasible if some b makes every :math:`y_i (w^\top x_i + b) \ge 1`. Such a b exists if
    :math:`w^\top (x_i - x_j) \ge 2` for every :math:`x_i` of class +1 and :math:`x_j` of class -1. The solution of the
    quadratic program, a dot with an arrow from the origin, is where the smallest circle touches the shade. Chapter 05.

    Parameters
    ----------
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
    >>> plot_feasible([[0, 2], [0, 0]], [+1, -1]).get_xlabel()
    '$w_1$'
    """
    X, y = Dataset(X, y)
    two_features(X, "plot_feasible")
    X, ax = X.astype(float), ax or new_axes()
    widest = max_margin(X, y)
    length = np.linalg.norm(widest.w)
    centre = 0.9 * widest.w
    low, high = centre - 1.8 * length * np.array([1.25, 1]), centre + 1.8 * length * np.array([1.25, 1])
    w1, w2 = np.meshgrid(*(np.linspace(low[k], high[k], 500) for k in (0, 1)))
    pairs = (X[y > 0][:, None] - X[y < 0]).reshape(-1, 2)
    least = np.min([w1 * d[0] + w2 * d[1] for d in pairs], axis=0)
    ax.contourf(w1, w2, least, levels=[2, np.inf], colors=[colour("ink")], alpha=0.13, zorder=0)
    ax.contour(w1, w2, least, levels=[2], colors=[colour("ink")], linewidths=1.8, zorder=1)
    turn = np.linspace(0, 2 * np.pi, 400)
    for share in (0.5, 1, 1.5):
        style = {"color": colour("faint"), "linewidth": 1.6 if share == 1 else 0.8}
        ax.plot(share * length * np.cos(turn), share * length * np.sin(turn), "--", **style, zorder=1)
    show_arrow(ax, (0, 0), widest.w, "$w^*$", away=16)
    ax.plot(*widest.w, "o", color=colour("ink"), markersize=8, zorder=3)
    ax.plot(0, 0, "+", color=colour("ink"), markersize=10, markeredgewidth=1.8, zorder=3)
    show_plane(ax, low, high, "w")
    return ax


def plot_hulls(X, y, ax: Axes | None = None) -> Axes:
    """Draw the convex hulls of the classes, the shortest segment between them, and the widest line, which halves it.

    The dual variables mix the ends of the segment from the support vectors, which are ringed. Chapter 05.

    Parameters
    ----------
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
    >>> segment = plot_hulls([[4, 2], [0, 5], [6, 4], [0, 0], [2, -2]], [+1, +1, +1, -1, -1]).lines[-1]
    >>> segment.get_xydata()[0].round(6).tolist()
    [2.4, 3.2]
    """
    X, y = Dataset(X, y)
    X, ax = X.astype(float), plot_points(X, y, ax)
    widest = max_margin(X, y)
    for label, name in ((+1, "positive"), (-1, "negative")):
        hull = _hull(X[y == label])
        ax.fill(*hull.T, color=colour(name), alpha=0.12, linewidth=0, zorder=0)
        ax.plot(*np.vstack([hull, hull[:1]]).T, color=colour(name), linewidth=1.2, zorder=1)
    _draw_margins(ax, widest.hyperplane, X, y, ring=False)
    show_rings(ax, X[widest.support])
    show_line(ax, widest.theta)
    share = widest.alpha / (widest.alpha.sum() / 2)
    ends = np.array([share[y == label] @ X[y == label] for label in (+1, -1)])
    ax.plot(*ends.T, "D-", color=colour("ink"), mfc=colour("paper"), markersize=6, linewidth=2.4, zorder=4)
    return ax


def plot_shares(shares, ax: Axes | None = None) -> Axes:
    """Draw how many runs ended with which share of the widest margin, in twenty bins, and the median, dashed.

    Chapter 05.

    Parameters
    ----------
    shares : array_like
        Numbers between 0 and 1: the margin of each run's line divided by the widest.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> plot_shares([0.1, 0.1, 0.9]).get_ylabel()
    'runs'
    """
    shares = np.asarray(shares, float)
    if shares.ndim != 1 or shares.size == 0 or not ((shares >= 0) & (shares <= 1 + 1e-6)).all():
        raise ValueError("shares must list one number between 0 and 1 for each run")
    ax = ax or new_axes(6.4, 3.4)
    ax.hist(np.minimum(shares, 1), bins=np.linspace(0, 1, 21), color=colour("ink"), alpha=0.75, rwidth=0.88)
    middle = float(np.median(shares))
    ax.axvline(middle, linestyle="--", color=colour("ink"), linewidth=1.8)
    ax.annotate(
        "median", (middle, 0.97), xycoords=("data", "axes fraction"), xytext=(6, 0), textcoords="offset points",
        ha="left", va="top", color=colour("ink"),
    )  # fmt: skip
    ax.set(xlabel="margin / widest margin", ylabel="runs", xlim=(0, 1))
    tidy(ax)
    return ax


def _nearest(line: Hyperplane, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The indices of the examples that hold the margin, up to what a solver leaves open."""
    distance = y * line.distance(X, signed=True)
    return np.flatnonzero(distance <= distance.min() + 1e-6 * abs(distance).max())


def _draw_margins(ax: Axes, line: Hyperplane, X: np.ndarray, y: np.ndarray, ring: bool = True) -> None:
    if not line.separates(X, y):
        return
    show_margins(ax, line.theta, score=line.margin(X, y) * line.norm)
    if ring:
        show_rings(ax, X[_nearest(line, X, y)])


def _end(line: Hyperplane, corners: np.ndarray) -> np.ndarray:
    """Where the line leaves the frame, whose rows are [low, high]: to the right if it does, else to the top."""
    foot, along = line.project(corners.mean(axis=1)), np.array([-line.w[1], line.w[0]])
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = ((corners - foot[:, None]) / along[:, None]).ravel()
    places = foot + steps[np.isfinite(steps), None] * along
    room = 1e-9 * np.ptp(corners)
    inside = places[((places >= corners[:, 0] - room) & (places <= corners[:, 1] + room)).all(axis=1)]
    return max(inside, key=lambda at: (bool(np.isclose(at[0], corners[0, 1])), at[1])) if len(inside) else foot


def _hull(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull in order: the lower chain from left to right, then the upper one back."""

    def chain(some):
        kept = []
        for point in some:
            while len(kept) > 1 and np.linalg.det([kept[-1] - kept[-2], point - kept[-1]]) <= 0:
                kept.pop()
            kept.append(point)
        return kept

    ordered = [np.array(point) for point in sorted(set(map(tuple, points.tolist())))]
    if len(ordered) < 3:
        return np.array(ordered)
    return np.array(chain(ordered)[:-1] + chain(ordered[::-1])[:-1])
