"""Figures: one meaning, one mark, in every chapter. Widgets and site take their colours from here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.validation import two_features

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Meaning -> (on light paper, on dark paper). Blue and vermilion stay apart for colour-blind readers and in grey. They
# belong to the classes: a verdict is green or purple, of the same palette (Okabe and Ito), dark enough for text.
COLOURS = {
    "positive": ("#0072B2", "#5CB8F2"),
    "negative": ("#D55E00", "#FF9B52"),
    "right": ("#00704F", "#4CCB9F"),
    "mistake": ("#98377A", "#EC9CCB"),
    # The two sides of a line, thinly: what is bright on dark paper would be grey once it is thin.
    "positive-side": ("#0072B2", "#0072B2"),
    "negative-side": ("#D55E00", "#D55E00"),
    "ink": ("#1D2733", "#E8EDF3"),
    "faint": ("#66717F", "#9AA7B5"),
    "grid": ("#DDE3EA", "#333E4B"),
    "paper": ("#FFFFFF", "#161C24"),
}

# Class -> the mark of its examples and the name of its colour.
MARKS = {+1: ("o", "positive"), -1: ("s", "negative")}
ARROW = {"arrowstyle": "-|>", "color": COLOURS["ink"][0], "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0}
TINT = 0.08
DARK_TINT = 0.17
# Behind words that lie on a picture.
PLAIN = {"facecolor": COLOURS["paper"][0], "edgecolor": "none", "alpha": 0.8, "pad": 2}


def colour(name: str) -> str:
    """The colour of a meaning, on light paper."""
    return COLOURS[name][0]


def new_axes(width: float = 6.4, height: float = 4.8) -> Axes:
    """Axes in a figure of their own, in inches."""
    return panels(1, width, height)[0]


def panels(count: int, width: float, height: float, figure: Figure | None = None, **shared) -> list[Axes]:
    """Axes side by side, in a new figure of this size in inches unless a figure is given."""
    if figure is None:
        import matplotlib.pyplot as plt

        figure = plt.figure(figsize=(width, height), layout="constrained")
    return figure.subplots(1, count, squeeze=False, **shared)[0].tolist()


def tidy(ax: Axes, ticks: int | None = 5) -> None:
    """Few ticks, and no frame above and to the right. `ticks` is None where they are already set."""
    if ticks is not None:
        ax.locator_params(nbins=ticks)
    ax.spines[["top", "right"]].set_visible(False)


def show_plane(ax: Axes, low, high, letter: str = "x") -> None:
    """Show the part of the plane between two corners, with the same scale on both axes."""
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    ax.set(xlabel=f"${letter}_1$", ylabel=f"${letter}_2$")
    tidy(ax)


def plot_points(X, y, ax: Axes | None = None, *, size: float = 8) -> Axes:
    """Draw examples with two features: class +1 is a blue disc, class -1 a vermilion square.

    All chapters.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.
    size : float, default 8
        The width of a mark, in points.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> plot_points([[0, 0], [1, 1]], [-1, +1]).get_ylabel()
    '$x_2$'
    """
    X, y = Dataset(X, y)
    two_features(X, "plot_points")
    ax, X = ax or new_axes(), X.astype(float)
    for label, (marker, name) in MARKS.items():
        text = "class +1" if label > 0 else "class −1"
        ax.plot(*X[y == label].T, marker, color=colour(name), markersize=size, label=text, zorder=3)
    show_plane(ax, *frame(X))
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderpad=0)
    return ax


def frame(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper corner of the part of the plane to show."""
    room = 0.12 * (np.ptp(X, axis=0).max() or 1)
    return X.min(axis=0) - room, X.max(axis=0) + room


def show_line(
    ax: Axes, theta: np.ndarray, alpha: float = 1, arrow: bool = False, tinted: bool | None = None, tone: str = "ink"
) -> None:
    """Draw the line of theta, [b, w] or w, across the axes; if asked for, its arrow w, and both its sides tinted.

    Where nothing is said about the sides, they are tinted if the arrow is drawn.
    """
    _draw_line(ax, theta, color=colour(tone), alpha=alpha, linewidth=1.8)
    if tinted or (arrow and tinted is None):
        b, w = _parts(theta)
        _tint(ax, *_heights(ax, lambda Z: Z @ w + b, 2))
    if arrow:
        foot, unit = _foot_and_direction(ax, theta)
        show_arrow(ax, foot, foot + 0.16 * min(np.ptp(ax.get_xlim()), np.ptp(ax.get_ylim())) * unit)


def show_margins(ax: Axes, theta: np.ndarray, score: float = 1) -> None:
    """Draw the two lines on which theta = [b, w] scores -score and +score, dashed."""
    for shift in (-score, score):
        _draw_line(ax, theta - [shift, 0, 0], color=colour("ink"), linestyle="--", linewidth=1.3, label="margin")


def show_sides(ax: Axes, score: Callable[[np.ndarray], np.ndarray]) -> None:
    """Tint the axes blue where a function of points, shape (m, 2) -> (m,), is positive, vermilion where negative."""
    _tint(ax, *_heights(ax, score, 241))


def show_boundary(
    ax: Axes, score: Callable[[np.ndarray], np.ndarray], *, tinted: bool = True, **style
) -> list[np.ndarray]:
    """Draw the curve on which a function of points, shape (m, 2) -> (m,), is zero, and tint both sides of it.

    Returns the pieces of the curve, each as its points, shape (k, 2).
    """
    x1, x2, height = _heights(ax, score, 241)
    if tinted:
        _tint(ax, x1, x2, height)
    if not height.min() < 0 < height.max():
        return []
    look = {"colors": [colour("ink")], "linewidths": [1.8], "linestyles": ["-"], "zorder": 2} | style
    return ax.contour(x1, x2, height, levels=[0], **look).allsegs[0]


def show_arrow(ax: Axes, foot, tip, name: str = "$w$", away: float = 9) -> None:
    """Draw the arrow w from its foot, with its name beyond the tip, `away` points from it."""
    ax.annotate("", tip, foot, arrowprops=ARROW, zorder=3)
    along = np.subtract(tip, foot)
    shift = away * along / (np.linalg.norm(along) or 1)
    ax.annotate(
        name, tip, xytext=shift, textcoords="offset points", ha="center", va="center", color=colour("ink"), zorder=5
    )


def show_rings(ax: Axes, points: np.ndarray, **style) -> None:
    """Ring points, shape (k, 2): the current example, or the ones that hold a margin."""
    ax.plot(
        *np.transpose(points),
        "o",
        **{"markersize": 15, "fillstyle": "none", "color": colour("ink"), "zorder": 4} | style,
    )


def show_crosses(ax: Axes, points: np.ndarray, **style) -> None:
    """Cross points, shape (k, 2), which are mistakes."""
    look = {"markersize": 11, "markeredgewidth": 1.8, "color": colour("ink"), "zorder": 5} | style
    ax.plot(*np.transpose(points), "x", **look)


def say_no_line(ax: Axes) -> None:
    """Say in the corner that w = 0 has no line."""
    ax.text(0.98, 0.02, "no line", transform=ax.transAxes, ha="right", va="bottom", color=colour("faint"))


def _heights(ax: Axes, score: Callable, points: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A grid over the axes, and the score at each of its points."""
    x1, x2 = np.meshgrid(*(np.linspace(*ends, points) for ends in (ax.get_xlim(), ax.get_ylim())))
    return x1, x2, np.asarray(score(np.c_[x1.ravel(), x2.ravel()]), float).reshape(x1.shape)


def _tint(ax: Axes, x1: np.ndarray, x2: np.ndarray, height: np.ndarray) -> None:
    """Blue where the height is positive, vermilion where it is negative, both light."""
    for label, (_, name) in MARKS.items():
        if (label * height).max() > 0:
            ax.contourf(x1, x2, label * height, levels=[0, np.inf], colors=[colour(name)], alpha=TINT, zorder=0)


def _draw_line(ax: Axes, theta: np.ndarray, **style) -> None:
    foot, unit = _foot_and_direction(ax, theta)
    reach = np.hypot(np.ptp(ax.get_xlim()), np.ptp(ax.get_ylim())) * np.array([-unit[1], unit[0]])
    ax.plot(*np.array([foot - reach, foot + reach]).T, **{"zorder": 2} | style)


def _foot_and_direction(ax: Axes, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The point of the line nearest to the middle of the axes, and its unit normal w / ||w||."""
    centre, (b, w) = np.mean([ax.get_xlim(), ax.get_ylim()], axis=1), _parts(theta)
    norm = np.linalg.norm(w)
    return centre - (w @ centre + b) / norm**2 * w, w / norm


def _parts(theta: np.ndarray) -> tuple[float, np.ndarray]:
    """The offset b and the weights w of theta = [b, w] or w."""
    return (theta[0] if len(theta) == 3 else 0.0), np.asarray(theta[-2:], float)
