"""The figures of chapter 10: certificates, a linear program, bounded weights, a hidden layer, staircases, classes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.limits import HiddenLayer, Inseparable, MulticlassRun, separability
from pla_lib.pla import Run, inputs_for
from pla_lib.plots.style import (
    MARKS,
    colour,
    frame,
    new_axes,
    panels,
    plot_points,
    show_line,
    show_plane,
    show_rings,
    show_sides,
    tidy,
)
from pla_lib.validation import real_array
from pla_lib.wording import number, vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLASS_MARKS = (("o", "positive"), ("s", "negative"), ("^", "ink"), ("D", "faint"))


def plot_certificates(*data: Dataset) -> list[Axes]:
    """Draw why no line separates the examples, one panel per data set.

    `separability` names a few examples of either class whose hulls meet: a point, a segment or a triangle. They are
    drawn in the colour of their class, and the point in which they meet is a ring. Chapter 10.

    Parameters
    ----------
    *data : Dataset
        Data sets with two features, each a pair of X, shape (n, 2), and y, shape (n,).

    Returns
    -------
    list of matplotlib.axes.Axes
        One panel per data set.

    Examples
    --------
    >>> from pla_lib import xor
    >>> (ax,) = plot_certificates(xor())
    >>> ax.get_xlabel()
    '$x_1$'
    """
    found = [(*Dataset(X, y), separability(X, y)) for X, y in data]
    for place, (_, _, verdict) in enumerate(found, 1):
        if not isinstance(verdict, Inseparable):
            raise ValueError(
                f"plot_certificates draws why no line separates examples; a line separates those of {place}"
            )
    axes = _panels(len(found), height=3.2)
    for ax, (X, y, verdict) in zip(axes, found, strict=True):
        plot_points(X, y, ax)
        X, lam = X.astype(float), verdict.weights.astype(float)
        for label, (_, name) in MARKS.items():
            corners = X[(y == label) & (lam > 0)]
            ax.fill(*corners.T, facecolor="none", edgecolor=colour(name), linewidth=2, zorder=2)
        meet = 2 * (lam * (y > 0)) @ X
        show_rings(ax, [meet])
        ax.locator_params(nbins=3)
        ax.get_legend().set_visible(ax is axes[0])
    return axes


def plot_programs(*data: Dataset) -> list[Axes]:
    r"""Draw the linear program that decides separability, for examples with one feature; one panel per data set.

    Every point of the square is a pair :math:`\theta = (b, w)` with entries between -1 and 1. Lines join those with the
    same least signed score; where it is positive, theta separates, and that part is tinted. A ring marks the best
    theta. Chapter 10.

    Parameters
    ----------
    *data : Dataset
        Data sets with one feature, each a pair of X, shape (n, 1), and y, shape (n,).

    Returns
    -------
    list of matplotlib.axes.Axes
        One panel per data set.

    Examples
    --------
    >>> (ax,) = plot_programs(([[0], [1], [2], [3]], [-1, -1, +1, +1]))
    >>> ax.texts[0].get_text()
    'the best $\\mu$: 1/3'
    """
    axes = _panels(len(data), height=3.6)
    side = np.linspace(-1, 1, 241)
    b, w = np.meshgrid(side, side)
    for ax, (X, y) in zip(axes, data, strict=True):
        X, y = Dataset(X, y)
        if X.shape[1] != 1:
            raise ValueError(f"plot_programs draws examples with one feature; these have {X.shape[1]}")
        X = X.astype(float)
        least = (y[:, None, None] * (b + w * X[:, :, None])).min(axis=0)
        best, value = _best_in_the_box(X, y)
        levels = np.linspace(least.min(), 0, 7)
        ax.contour(b, w, least, levels=levels[:-1], colors=[colour("faint")], linewidths=0.7, linestyles="solid")
        if value > 1e-9:
            ax.contourf(b, w, least, levels=[0, np.inf], colors=[colour("positive")], alpha=0.15)
            ax.contour(b, w, least, levels=[0], colors=[colour("ink")], linewidths=1.2)
        ax.plot(
            *best, "o", markersize=11, markerfacecolor="none", markeredgewidth=2, color=colour("ink"), clip_on=False
        )
        said = Fraction(value).limit_denominator(100)
        ax.text(0.5, 1.03, rf"the best $\mu$: {said}", transform=ax.transAxes, ha="center", color=colour("ink"))
        ax.set(xlim=(-1, 1), ylim=(-1, 1), xlabel="$b$", ylabel="$w$", aspect="equal")
        ax.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    return axes


def plot_norms(runs: dict[str, Run], ax: Axes | None = None) -> Axes:
    r"""Draw the norm of the weights against the number of mistakes m, both logarithmic, and its ceiling.

    The ceiling :math:`\tau \sqrt{m}` is dashed, where :math:`\tau` is the largest norm of an (augmented) example.
    Chapter 10.

    Parameters
    ----------
    runs : dict of str to Run
        Up to three runs by name, on the same examples, that start from zero.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> from pla_lib import perceptron, xor
    >>> plot_norms({"XOR": perceptron(*xor(), max_epochs=9)}).get_xlabel()
    'mistakes $m$'
    """
    ax = ax or new_axes(6.4, 3.6)
    first = next(iter(runs.values()))
    if len(runs) > 3 or any(run.theta0.any() or run.X.tolist() != first.X.tolist() for run in runs.values()):
        raise ValueError(
            "plot_norms draws up to three runs from zero on the same examples, with one ceiling tau sqrt(m)"
        )
    styles = ({"linewidth": 3.5, "alpha": 0.35}, {"linewidth": 0.9}, {"linewidth": 1.4, "linestyle": ":"})
    for (name, run), style in zip(runs.items(), styles, strict=False):
        m = np.arange(1, len(run.mistakes) + 1)
        norms = np.linalg.norm(run.thetas[1:].astype(float), axis=1)
        ax.plot(m, norms, color=colour("ink"), label=name, **style)
    m = np.array([1, max(len(run.mistakes) for run in runs.values())])
    tau = np.linalg.norm(inputs_for(first.theta0, first.X).astype(float), axis=1).max()
    ax.plot(m, tau * np.sqrt(m), "--", color=colour("faint"), label=r"$\tau\sqrt{m}$")
    ax.set(xscale="log", yscale="log", xlabel="mistakes $m$", ylabel=r"$\Vert\theta_m\Vert$")
    tidy(ax, ticks=None)
    ax.legend(frameon=False)
    return ax


def plot_network(network: HiddenLayer, ax: Axes | None = None) -> Axes:
    """Draw a hidden layer as a net: inputs, threshold units, output, and the weight on every way.

    Chapter 10.

    Parameters
    ----------
    network : HiddenLayer
        The network, such as `xor_network` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> from pla_lib import xor_network
    >>> [text.get_text() for text in plot_network(xor_network()).texts if "h" in text.get_text()]
    ['$h_1$', '$h_2$', 'hidden']
    """
    ax = ax or new_axes(6.4, 3.4)
    d, k = len(network.units[0].w), len(network.units)
    inputs = [(0.0, height) for height in np.linspace(1.2, -1.2, d + 1)]  # the 1 on top, in either layer
    hidden = [(2.6, height) for height in np.linspace(1.2, -1.2, k + 1)]
    output = (5.2, -0.4)
    for unit, place in zip(network.units, hidden[1:], strict=True):
        for weight, start in zip(unit.theta, inputs, strict=True):
            _way(ax, start, place, weight)
    for weight, start in zip(network.output.theta, hidden, strict=True):
        _way(ax, start, output, weight)
    names = ["1", *(f"x_{j}" for j in range(1, d + 1)), "1", *(f"h_{j}" for j in range(1, k + 1)), "y"]
    for name, place in zip(names, [*inputs, *hidden, output], strict=True):
        ax.plot(
            *place,
            "o",
            markersize=26,
            markerfacecolor=colour("paper"),
            markeredgewidth=1.6,
            color=colour("ink"),
            zorder=3,
        )
        ax.text(*place, f"${name}$", ha="center", va="center", fontsize=12, zorder=4)
    for x, name in ((0, "input"), (2.6, "hidden"), (5.2, "output")):
        ax.text(x, 1.75, name, ha="center", color=colour("faint"))
    ax.set(xlim=(-0.5, 5.7), ylim=(-1.6, 2))
    ax.set_axis_off()
    return ax


def plot_hidden(network: HiddenLayer, X, y) -> list[Axes]:
    """Draw examples in the plane with the lines of two hidden units, and again as these units see them.

    On the left the plane is tinted by the network's answer, blue for +1. On the right every example is drawn at its
    pair of answers :math:`(h_1, h_2)`, -1 or +1 each, and one line, that of the output, separates them. Chapter 10.

    Parameters
    ----------
    network : HiddenLayer
        A network with two hidden units.
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.

    Returns
    -------
    list of matplotlib.axes.Axes
        The left and the right panel.

    Examples
    --------
    >>> from pla_lib import xor, xor_network
    >>> [ax.get_xlabel() for ax in plot_hidden(xor_network(), *xor())]
    ['$x_1$', '$h_1$']
    """
    X, y = Dataset(X, y)
    if len(network.units) != 2 or X.shape[1] != 2:
        raise ValueError(
            f"plot_hidden draws two hidden units and two features; there are {len(network.units)} and {X.shape[1]}"
        )
    left, right = _panels(2, height=3.6)
    room = 0.35 * np.ptp(X, axis=0).max()
    plot_points(X, y, left)
    left.set(xlim=(X[:, 0].min() - room, X[:, 0].max() + room), ylim=(X[:, 1].min() - room, X[:, 1].max() + room))
    show_sides(left, network.predict)
    hidden = np.stack([unit.predict(X) for unit in network.units], axis=-1)
    plot_points(hidden, y, right)
    right.set(xlim=(-1.7, 1.7), ylim=(-1.7, 1.7), xlabel="$h_1$", ylabel="$h_2$", xticks=[-1, 1], yticks=[-1, 1])
    for unit in network.units:
        show_line(left, unit.theta)
    show_line(right, network.output.theta, tinted=True)
    for x, h in zip(X, hidden, strict=True):
        same = (hidden == h).all(axis=1)
        if (x == X[same][0]).all():
            names = " and ".join(vector(x) for x in X[same])
            right.annotate(names, h, xytext=(0, -18), textcoords="offset points", ha="center", color=colour("faint"))
    right.get_legend().set_visible(False)
    return [left, right]


def plot_approximations(
    f: Callable, approximations: dict[str, Callable], low: float = 0, high: float = 1
) -> list[Axes]:
    """Draw a function of one number, faint and wide, and over it what approximates it; one panel per approximation.

    Chapter 10.

    Parameters
    ----------
    f : callable
        A function that takes an array and returns one.
    approximations : dict of str to callable
        Functions of the same kind, by name.
    low, high : float, default 0 and 1
        From where to where to draw. Where they reach beyond 0 and 1, two thin lines mark these.

    Returns
    -------
    list of matplotlib.axes.Axes
        One panel per approximation.

    Examples
    --------
    >>> (ax,) = plot_approximations(np.sin, {"zero": np.zeros_like})
    >>> ax.get_xlabel(), ax.get_title()
    ('$x$', '')
    """
    axes = _panels(len(approximations), height=2.9, equal=False)
    x = np.linspace(low, high, 1201)
    for ax, (name, g) in zip(axes, approximations.items(), strict=True):
        ax.plot(x, f(x), color=colour("positive"), alpha=0.35, linewidth=5, label="$f$")
        ax.plot(x, g(x), color=colour("ink"), linewidth=1.6, label=name)
        for border in (0, 1):
            if low < border < high:
                ax.axvline(border, color=colour("grid"), linewidth=1.2, zorder=0)
        ax.set(xlabel="$x$", xlim=(low, high))
        tidy(ax, ticks=4)
        ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderpad=0)
    return axes


def plot_classes(run: MulticlassRun, X, labels, ax: Axes | None = None) -> Axes:
    """Draw examples of up to four classes in the plane, and the borders between the parts where each class wins.

    The classes are discs, squares, triangles and diamonds, in the order of their names. Chapter 10.

    Parameters
    ----------
    run : MulticlassRun
        A run, as `multiclass_perceptron` returns it.
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    labels : array_like, shape (n,)
        The class of each example.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> from pla_lib import multiclass_perceptron
    >>> X, labels = [[0, 1], [1, 0], [-1, -1]], ["north", "east", "south"]
    >>> ax = plot_classes(multiclass_perceptron(X, labels), X, labels)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['east', 'north', 'south']
    """
    X, labels = real_array(X, "X").astype(float), np.asarray(labels)
    if X.ndim != 2 or X.shape[1] != 2 or len(run.classes) > len(CLASS_MARKS):
        raise ValueError(
            f"plot_classes draws up to {len(CLASS_MARKS)} classes of examples with two features; there are "
            f"{len(run.classes)}, and the shape of X is {X.shape}"
        )
    ax = ax or new_axes()
    for name, (marker, tone) in zip(run.classes.tolist(), CLASS_MARKS, strict=False):
        ax.plot(*X[labels == name].T, marker, color=colour(tone), markersize=8, label=str(name), zorder=3)
    low, high = frame(X)
    x1, x2 = np.meshgrid(*(np.linspace(low[k], high[k], 401) for k in (0, 1)))
    won = np.searchsorted(run.classes, run.predict(np.c_[x1.ravel(), x2.ravel()])).reshape(x1.shape)
    for k, (_, tone) in enumerate(CLASS_MARKS[: len(run.classes)]):
        if (won == k).any():
            ax.contourf(x1, x2, won == k, levels=[0.5, 1.5], colors=[colour(tone)], alpha=0.1, zorder=0)
            ax.contour(x1, x2, won == k, levels=[0.5], colors=[colour("ink")], linewidths=1.4, zorder=1)
    show_plane(ax, low, high)
    ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(run.classes), borderpad=0)
    return ax


def _panels(count: int, height: float, equal: bool = True) -> list[Axes]:
    if count == 0:
        raise ValueError("there is nothing to draw: give at least one")
    return panels(count, min(8.0, (3.6 if equal else 4.2) * count + 0.6), height)


def _best_in_the_box(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """The largest mu, with its theta, such that y_i (b + w x_i) >= mu and -1 <= b, w <= 1: the best of all corners."""
    signed = y[:, None] * np.insert(X, 0, 1, axis=1)
    box = np.vstack([np.eye(2), -np.eye(2)])
    rows = np.vstack([np.c_[-signed, np.ones(len(y))], np.c_[box, np.zeros(4)]])  # rows @ (b, w, mu) <= right
    right = np.append(np.zeros(len(y)), np.ones(4))
    best = np.zeros(3)  # theta = 0 always serves, with mu = 0
    for three in map(list, combinations(range(len(rows)), 3)):
        if abs(np.linalg.det(rows[three])) > 1e-9:
            corner = np.linalg.solve(rows[three], right[three])
            if (rows @ corner <= right + 1e-9).all() and corner[2] > best[2] + 1e-9:
                best = corner
    return best[:2], float(best[2])


def _way(ax: Axes, start: tuple, end: tuple, weight: float) -> None:
    """An arrow from node to node, with its weight on the way."""
    arrow = {"arrowstyle": "-|>", "color": colour("faint"), "shrinkA": 14, "shrinkB": 14}
    ax.annotate("", end, start, arrowprops=arrow, zorder=1)  # below its weight
    place, paper = (
        0.77 * np.array(start) + 0.23 * np.array(end),
        {"facecolor": colour("paper"), "linewidth": 0, "pad": 1},
    )
    ax.text(*place, number(weight), ha="center", va="center", fontsize=10, zorder=2, bbox=paper)
