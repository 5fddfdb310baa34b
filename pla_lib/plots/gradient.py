"""The figures of chapter 03: the three losses, subgradients as lines below a curve, and where a line scores 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pla_lib.plots.style import PLAIN, colour, new_axes, panels, plot_points, show_line, show_margins, tidy
from pla_lib.validation import real_array
from pla_lib.wording import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_losses(ax: Axes | None = None) -> Axes:
    r"""Draw the counting, perceptron and hinge loss of one example against its signed score.

    The signed score is :math:`m = y\,\theta^\top x`. The counting loss jumps at m = 0; its full dot says that a tie is
    a mistake. Chapter 03.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> [line.get_label() for line in plot_losses().lines if not line.get_label().startswith("_")]
    ['hinge', 'perceptron', 'counting']
    """
    ax = ax or new_axes(6.4, 4.2)
    m = np.array([-2.2, 0, 1, 2.2])
    ink, faint = colour("ink"), colour("faint")
    ax.plot(m, np.maximum(0, 1 - m), color=ink, linestyle="--", linewidth=2, label="hinge")
    ax.plot(m, np.maximum(0, -m), color=ink, linewidth=2.4, label="perceptron")
    ax.plot([m[0], 0, np.nan, 0, m[-1]], [1, 1, np.nan, 0, 0], color=faint, linewidth=3.6, alpha=0.6, label="counting")
    ax.plot([0], [1], "o", color=faint, markersize=8)
    ax.plot([0], [0], "o", color=faint, markersize=8, markerfacecolor=colour("paper"), zorder=3)
    words = {"ha": "left", "color": ink, "fontsize": 11}
    ax.text(-0.95, 2.15, "hinge", **words)
    ax.text(-0.5, 0.28, "perceptron", **words | {"ha": "right"})
    ax.text(-1.5, 0.76, "counting", **words | {"ha": "center", "color": faint})
    ax.set(xlabel="signed score $m$", ylabel="loss", xlim=(-2.3, 2.3), ylim=(-0.15, 3.3), aspect="equal")
    ax.set(xticks=[-2, -1, 0, 1, 2], yticks=[0, 1, 2, 3])
    tidy(ax, ticks=None)
    return ax


def plot_subgradients(function: Callable, at: float, slopes: Sequence[float], ax: Axes | None = None) -> Axes:
    """Draw a function of one number, and a line for every slope through one of its points.

    A line that stays at or below the curve, as far as is drawn, is thin and solid: its slope is a subgradient. A line
    that rises above the curve is dashed, and what lies between it and the curve is shaded. Chapter 03.

    Parameters
    ----------
    function : callable
        A function of one number.
    at : float
        Where the lines meet the curve.
    slopes : sequence of float
        The slopes of the lines.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> ax = plot_subgradients(abs, 0, [-1, 0, 0.5, 1.5])
    >>> [line.get_linestyle() for line in ax.lines if line.get_label() == "line"]
    ['-', '-', '-', '--']
    """
    ax = ax or new_axes(6.4, 3.6)
    t = at + np.linspace(-2.1, 2.1, 421)
    curve, height = np.array([function(value) for value in t], dtype=float), float(function(at))
    for slope in slopes:
        reach = 2.05 / np.hypot(1, slope)  # so that all lines are equally long, with room for their names at the end
        line = height + slope * (t - at)
        below, drawn = bool(np.all(line <= curve + 1e-9)), abs(t - at) <= reach
        style = {"linewidth": 1.4, "linestyle": "-" if below else "--", "color": colour("faint" if below else "ink")}
        ax.plot(t[drawn], line[drawn], label="line", **style)
        name, tip = number(slope), (at + reach, height + slope * reach)
        # Lower, where the curve itself may rise just above the tip.
        shift = (6, -5 if below and slope > 0 else 2 * slope)
        ax.annotate(name, tip, shift, textcoords="offset points", va="center", color=colour("faint"))
        if not below:
            ax.fill_between(t, curve, line, where=drawn & (line > curve), color=colour("ink"), alpha=0.15, linewidth=0)
    ax.plot(t, curve, color=colour("ink"), linewidth=2.6, label="curve")
    ax.plot([at], [height], "o", color=colour("ink"), markersize=8)
    ax.set(xlim=(t[0], t[-1] + 0.4), ylim=(min(curve.min(), height - 1.75), curve.max() + 0.1), aspect="equal")
    tidy(ax)
    return ax


def plot_unit_scores(thetas: dict[str, Sequence[float]], X, y) -> list[Axes]:
    """Draw points in the plane once for each of the named weights, with their line; dashed is a score of -1 or +1.

    A point between the dashed lines, or beyond them on the wrong side, has a positive hinge loss. Chapter 03.

    Parameters
    ----------
    thetas : dict of str to array_like, shape (3,)
        The weights [b, w] by name, with w other than 0.
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.

    Returns
    -------
    list of matplotlib.axes.Axes
        One panel per name.

    Examples
    --------
    >>> axes = plot_unit_scores({"steep": [0, 4, 0], "flat": [0, 1, 0]}, [[1, 0], [-1, 0]], [+1, -1])
    >>> [ax.texts[0].get_text() for ax in axes]
    ['steep', 'flat']
    """
    axes = panels(len(thetas), 3.6 * len(thetas), 3.9)
    for ax, (name, theta) in zip(axes, thetas.items(), strict=True):
        theta = real_array(theta, f"thetas[{name!r}]").astype(float)
        if theta.shape != (3,) or not theta[1:].any():
            raise ValueError(f"plot_unit_scores takes weights (b, w1, w2) with w other than 0; {name!r} has {theta}")
        plot_points(X, y, ax).get_legend().remove()
        ax.text(0.02, 0.99, name, transform=ax.transAxes, va="top", color=colour("ink"), zorder=4, bbox=PLAIN)
        show_line(ax, theta, arrow=True)
        show_margins(ax, theta)
        ax.label_outer()
    return axes
