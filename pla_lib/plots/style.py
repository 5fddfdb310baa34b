"""Figures: one meaning, one mark, in every chapter. Widgets and site take their colours from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.validation import two_features

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Meaning -> (on light paper, on dark paper). Blue and vermilion stay apart for colour-blind readers and in grey.
COLOURS = {
    "positive": ("#0072B2", "#5CB8F2"),
    "negative": ("#D55E00", "#FF9B52"),
    "ink": ("#1D2733", "#E8EDF3"),
    "faint": ("#66717F", "#9AA7B5"),
    "grid": ("#DDE3EA", "#333E4B"),
    "paper": ("#FFFFFF", "#161C24"),
}


def plot_points(X, y, ax: Axes | None = None) -> Axes:
    """Draw examples with two features: class +1 is a blue disc, class -1 a vermilion square. (All chapters.)

    Examples
    --------
    >>> plot_points([[0, 0], [1, 1]], [-1, +1]).get_ylabel()
    '$x_2$'
    """
    X, y = Dataset(X, y)
    two_features(X, "plot_points")
    ax, X = ax or new_axes(), X.astype(float)
    low, high = _frame(X)
    for label, marker, name, text in ((+1, "o", "positive", "class +1"), (-1, "s", "negative", "class −1")):
        ax.plot(*X[y == label].T, marker, color=colour(name), markersize=8, label=text, zorder=3)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    ax.locator_params(nbins=5)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="upper left", bbox_to_anchor=(0, 1.1), ncols=2, frameon=False, borderpad=0)
    return ax


def new_axes(width: float = 6.4, height: float = 4.8) -> Axes:
    """Axes in a figure of their own, in inches."""
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, height), layout="constrained").subplots()


def show_line(ax: Axes, theta: np.ndarray, alpha: float = 1, arrow: bool = False) -> None:
    """The line of theta, [b, w] or w, across the axes; with its arrow w and its positive side tinted if asked for."""
    low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
    _draw_line(ax, theta, low, high, alpha)
    if arrow:
        _draw_side_and_arrow(ax, theta, low, high)


def colour(name: str) -> str:
    """The colour of a meaning, on light paper."""
    return COLOURS[name][0]


def _frame(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper corner of the part of the plane to show."""
    room = 0.12 * (np.ptp(X, axis=0).max() or 1)
    return X.min(axis=0) - room, X.max(axis=0) + room


def _draw_line(ax: Axes, theta: np.ndarray, low: np.ndarray, high: np.ndarray, alpha: float) -> None:
    foot, w = _foot_and_direction(theta, (low + high) / 2)
    reach = np.linalg.norm(high - low) * np.array([-w[1], w[0]])
    ax.plot(*np.array([foot - reach, foot + reach]).T, color=colour("ink"), alpha=alpha, linewidth=1.8, zorder=2)


def _draw_side_and_arrow(ax: Axes, theta: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
    foot, w = _foot_and_direction(theta, (low + high) / 2)
    x1, x2 = np.meshgrid(*(np.linspace(low[k], high[k], 2) for k in (0, 1)))
    score = w[0] * (x1 - foot[0]) + w[1] * (x2 - foot[1])
    ax.contourf(x1, x2, score, levels=[0, np.inf], colors=[colour("positive")], alpha=0.08, zorder=0)
    tip = foot + 0.16 * (high - low).min() * w
    ax.annotate("", tip, foot, arrowprops={"arrowstyle": "-|>", "color": colour("ink"), "linewidth": 1.8}, zorder=2)
    ax.annotate("$w$", tip, xytext=5 * w, textcoords="offset points", ha="center", va="center", color=colour("ink"))


def _foot_and_direction(theta: np.ndarray, centre: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The point of the line nearest to `centre`, and its unit normal w / ||w||."""
    w, b = theta[-2:], theta[0] if len(theta) == 3 else 0.0
    norm = np.linalg.norm(w)
    return centre - (w @ centre + b) / norm**2 * w, w / norm
