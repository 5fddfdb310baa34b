"""Figures of chapter 02: a run, one update, many separators, the neuron."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.pla import Run
from pla_lib.plots.style import colour, new_axes, plot_points, say_no_line, show_line, show_rings
from pla_lib.validation import instance, real_array, two_features

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_run(run: Run, ax: Axes | None = None) -> Axes:
    """Draw the data of a run in the plane, the lines it went through, fading, and the last one with its arrow w.

    Class +1 is a blue disc, class -1 a vermilion square; the sides of the last line are tinted in the colours of the
    classes it predicts there. If the last weights have w = 0 there is no last line, and the figure says so. Chapter 02.

    Parameters
    ----------
    run : Run
        A run on examples with two features, as `perceptron` returns it.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> from pla_lib import blobs, perceptron
    >>> plot_run(perceptron(*blobs())).get_xlabel()
    '$x_1$'
    """
    instance(run, Run, "plot_run draws a Run, as perceptron(X, y) gives")
    two_features(run.X, "plot_run")
    ax = plot_points(run.X, run.y, ax)
    thetas = run.thetas.astype(float)
    for age, theta in zip(range(len(thetas) - 1, -1, -1), thetas, strict=True):
        if theta[-2:].any():
            show_line(ax, theta, alpha=1 if age == 0 else max(0.15, 0.5 * 0.8**age), arrow=age == 0)
    if not thetas[-1, -2:].any():
        say_no_line(ax)
    return ax


def plot_update(X, y, theta, i: int, ax: Axes | None = None) -> Axes:
    r"""Draw what one update does: the old line, faded, and the new one, with its example ringed.

    The update goes from :math:`\theta` to :math:`\theta + y_i x_i`. Chapter 02.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    theta : array_like, shape (3,)
        The weights before the update, [b, w].
    i : int
        The index of the example.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> len(plot_update([[2, 1], [0, 3]], [+1, -1], [0, 1, 1], 1).texts)  # the arrow w and its name
    2
    """
    X, y = Dataset(X, y)
    theta = real_array(theta, "theta")
    ax = plot_points(X, y, ax)
    show_line(ax, theta, alpha=0.35)
    show_line(ax, theta + y[i] * np.append(1, X[i]), arrow=True)
    show_rings(ax, X[[i]])
    return ax


def plot_separators(X, y, thetas, ax: Axes | None = None) -> Axes:
    """Draw many lines over the same examples.

    Chapter 02.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    thetas : sequence of array_like, shape (3,)
        The lines, each [b, w].
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> len(plot_separators([[2, 1], [0, 3]], [+1, -1], [[0, 1, -1], [1, 1, -1]]).lines)  # two classes, two lines
    4
    """
    ax = plot_points(*Dataset(X, y), ax)
    for theta in thetas:
        show_line(ax, np.asarray(theta, float), alpha=0.3)
    return ax


def plot_neuron(ax: Axes | None = None) -> Axes:
    r"""Draw the perceptron as a neuron: inputs, weights on the way in, a sum, its sign.

    The inputs are :math:`1, x_1, \dots, x_d`. Chapter 02.

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
    >>> [text.get_text() for text in plot_neuron().texts if "_1" in text.get_text()]
    ['$x_1$', '$w_1$']
    """
    ax = ax or new_axes(6.4, 3.0)
    body, ink, faint = (3.0, 0.0), colour("ink"), colour("faint")
    for height, name, weight in ((1.2, "1", "b"), (0.4, "x_1", "w_1"), (-0.4, "x_2", "w_2"), (-1.2, "x_d", "w_d")):
        arrow = {"arrowstyle": "-|>", "color": ink, "shrinkB": 24}
        ax.annotate("", body, (0.25, height), arrowprops=arrow)
        ax.text(0, height, f"${name}$", ha="center", va="center", fontsize=13)
        ax.text(1.2, 0.62 * height + 0.16, f"${weight}$", ha="center", va="center", fontsize=12, color=faint)
    ax.text(0, -0.82, "⋮", ha="center", va="center", color=faint)
    ax.plot(*body, "o", markersize=48, markerfacecolor="none", markeredgewidth=1.8, color=ink)
    ax.text(*body, r"$\Sigma$", ha="center", va="center", fontsize=17)
    ax.annotate("", (5.2, 0), body, arrowprops={"arrowstyle": "-|>", "color": ink, "shrinkA": 24})
    ax.text(4.2, 0.18, r"$\theta^\top x$", ha="center", fontsize=12, color=faint)
    ax.text(5.35, 0, r"$+1$ or $-1$", va="center", fontsize=13)
    ax.set(xlim=(-0.4, 6.7), ylim=(-1.6, 1.6))
    ax.set_axis_off()
    return ax
