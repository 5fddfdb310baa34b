"""Figures of chapter 06: slack, one line for each C, the box of the dual, and curves over many decades of C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.margins import Margin
from pla_lib.plots.style import (
    MARKS,
    PLAIN,
    colour,
    new_axes,
    panels,
    plot_points,
    say_no_line,
    show_crosses,
    show_line,
    show_margins,
    show_rings,
    tidy,
)
from pla_lib.validation import instance, real_array
from pla_lib.wording import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A slack below this share of the margin may be the solver's rounding: it is neither drawn nor counted.
LEAST_SLACK = 1e-6


def plot_slack(X, y, soft: Margin, *, name: Sequence[int] = (), ax: Axes | None = None) -> Axes:
    r"""Draw the line of a soft margin, its margins dashed, and for every point with slack the way to its own margin.

    That way is :math:`\xi_i / \lVert w \rVert` long. Support vectors have a ring, points with slack above 1 a cross.
    Where w = 0 there is no line, and the figure says so. Chapter 06.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    soft : Margin
        The soft margin of these examples, as `soft_margin` returns it.
    name : sequence of int, optional
        The indices of the points that have their slack written beside them.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> from pla_lib import soft_margin
    >>> X, y = [[0, 0], [1, 0], [2, 0], [4, 0]], [-1, -1, +1, +1]
    >>> ax = plot_slack(X, y, soft_margin(X, y, C=1), name=[1])
    >>> [text.get_text() for text in ax.texts if "xi" in text.get_text()]
    ['$\\xi = 0.5$']
    """
    X, y = Dataset(X, y)
    _check_soft(soft, X)
    ax = plot_points(X, y, ax)
    X = X.astype(float)
    if soft.w.any():
        theta = soft.theta if soft.bias else np.insert(soft.theta, 0, 0)
        show_line(ax, theta, arrow=True)
        show_margins(ax, theta)
        to_margin = X + (y * soft.slack)[:, None] * soft.w / (soft.w @ soft.w)
        for i in np.flatnonzero(soft.slack > LEAST_SLACK):
            own = colour(MARKS[y[i]][1])
            ax.plot(*np.array([X[i], to_margin[i]]).T, color=own, linewidth=1.4, alpha=0.6, label="slack", zorder=1)
    else:
        say_no_line(ax)
    show_rings(ax, X[soft.support], label="support")
    wrong = X[soft.slack > 1 + LEAST_SLACK]
    show_crosses(ax, wrong, label="wrong")
    for i in name:
        words = f"$\\xi = {number(soft.slack[i])}$"
        ax.annotate(
            words, X[i], (12, 0), textcoords="offset points", va="center", color=colour("ink"), bbox=PLAIN, zorder=6
        )
    return ax


def plot_soft_margins(X, y, softs: Mapping[str, Margin]) -> list[Axes]:
    """Draw `plot_slack` once for each of the named soft margins, side by side on the same points.

    Chapter 06.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    softs : mapping of str to Margin
        The soft margins by name.

    Returns
    -------
    list of matplotlib.axes.Axes
        One panel per soft margin.

    Examples
    --------
    >>> from pla_lib import blobs, soft_margin
    >>> X, y = blobs(20)
    >>> axes = plot_soft_margins(X, y, {"C = 1": soft_margin(X, y, 1), "C = 100": soft_margin(X, y, 100)})
    >>> [ax.texts[-1].get_text() for ax in axes]
    ['C = 1', 'C = 100']
    """
    axes = panels(len(softs), 4.6 * len(softs), 4.4)
    for ax, (words, soft) in zip(axes, softs.items(), strict=True):
        plot_slack(X, y, soft, ax=ax).get_legend().remove()
        ax.text(0.5, 1.02, words, transform=ax.transAxes, ha="center", va="bottom", color=colour("ink"))
        ax.label_outer()
    return axes


def plot_box(X, y, soft: Margin, C: float, ax: Axes | None = None) -> Axes:
    r"""Draw the dual variable of each example against its signed score :math:`y\,(w^\top x + b)`: all lie on a stair.

    The stair, faint, is :math:`\alpha = C/N` below a score of 1, anything from 0 to :math:`C/N` at 1, and 0 above it.
    Chapter 06.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    soft : Margin
        The soft margin of these examples.
    C : float
        The C it was made with.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> from pla_lib import blobs, soft_margin
    >>> X, y = blobs(20)
    >>> plot_box(X, y, soft_margin(X, y, 10), 10).get_ylabel()
    'dual variable $\\alpha_i$'
    """
    X, y = Dataset(X, y)
    _check_soft(soft, X)
    X, top = X.astype(float), C / len(y)
    scores = y * (X @ soft.w + (soft.theta[0] if soft.bias else 0.0))
    low, high = min(scores.min(), 0) - 0.3, max(scores.max(), 1) + 0.3
    ax = ax or new_axes(6.4, 3.8)
    ax.plot(
        [low, 1, 1, high], [top, top, 0, 0], color=colour("faint"), linewidth=5, alpha=0.35, label="stair", zorder=1
    )
    for (label, (marker, name)), text in zip(MARKS.items(), ("class +1", "class −1"), strict=True):
        mine = y == label
        ax.plot(
            scores[mine], soft.alpha[mine], marker, color=colour(name), markersize=7, alpha=0.8, label=text, zorder=3
        )
    ax.set(xlabel="signed score $y_i(w^\\top x_i + b)$", ylabel="dual variable $\\alpha_i$", xlim=(low, high))
    ax.set_yticks([0, top], ["0", "$C/N$"])
    ax.xaxis.get_major_locator().set_params(integer=True)
    tidy(ax, ticks=None)
    ax.legend([line for line in ax.lines if line.get_label() != "stair"], ["class +1", "class −1"], frameon=False)
    return ax


def plot_over_C(Cs, curves: Mapping[str, Sequence[float]], ylabel: str, ax: Axes | None = None) -> Axes:  # noqa: N802
    """Draw named curves against C on a logarithmic axis, each with a line and a mark of its own.

    Chapter 06.

    Parameters
    ----------
    Cs : array_like, shape (k,)
        The values of C.
    curves : mapping of str to sequence of float
        At most three curves by name, with a value for each C.
    ylabel : str
        What the curves show.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> ax = plot_over_C([0.1, 1, 10], {"training": [9, 3, 1], "held out": [8, 4, 5]}, "errors")
    >>> ax.get_xscale(), [line.get_label() for line in ax.lines]
    ('log', ['training', 'held out'])
    """
    Cs = real_array(Cs, "Cs")
    if len(curves) > 3:
        raise ValueError(f"at most three curves can be told apart here; it was given {len(curves)}")
    ax = ax or new_axes(6.4, 3.8)
    styles = (
        ("o", "-", colour("ink"), "ink"),
        ("D", "--", colour("faint"), "paper"),
        ("v", ":", colour("ink"), "paper"),
    )
    for (words, values), (marker, line, own, face) in zip(curves.items(), styles, strict=False):
        values = np.asarray(values, float)
        if values.shape != Cs.shape:
            raise ValueError(f"{words!r} must have a value for each of the {len(Cs)} Cs; its shape is {values.shape}")
        ax.plot(Cs, values, marker=marker, linestyle=line, color=own, mfc=colour(face) if face == "paper" else own,
                markersize=6, linewidth=1.8, label=words)  # fmt: skip
    ax.set(xscale="log", xlabel="$C$", ylabel=ylabel, ylim=(0, None))
    ax.minorticks_off()
    tidy(ax, ticks=None)
    ax.legend(frameon=False)
    return ax


def _check_soft(soft: Margin, X: np.ndarray) -> None:
    instance(soft, Margin, "what is drawn is a Margin, as soft_margin(X, y, C) gives")
    if len(soft.alpha) != len(X) or len(soft.w) != X.shape[1]:
        raise ValueError(f"this margin is not that of these examples: it has {len(soft.alpha)}, X has {len(X)} rows")
