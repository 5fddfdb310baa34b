"""Figures of chapter 04: the proof as four curves, and mistakes against what the bound does and does not mention."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from pla_lib.convergence import Ledger, mistake_bound
from pla_lib.pla import Run
from pla_lib.plots.style import colour, new_axes, tidy
from pla_lib.validation import instance

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_ledger(book: Ledger, ax: Axes | None = None, *, whole: bool = True) -> Axes:
    r"""Draw the proof of the convergence theorem on a run: floor, progress, norm and ceiling.

    Chapter 04.

    Parameters
    ----------
    book : Ledger
        The quantities of the proof, as `ledger` returns them.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.
    whole : bool, default True
        Draw as far as the bound; otherwise the axis ends with the last update of the run.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Notes
    -----
    Progress and floor are divided by :math:`\lVert\theta\rVert`, so that all four are lengths, and floor <= progress <=
    norm <= ceiling. The floor :math:`(\theta_0^\top\theta + m\,\eta\,\rho) / \lVert\theta\rVert` is a straight line in
    the number m of updates, the ceiling :math:`\sqrt{\lVert\theta_0\rVert^2 + m\,\eta^2\tau^2}` a root. They meet at
    the bound, which is marked; progress and norm of the run stay in the shaded room between them.

    Examples
    --------
    >>> from pla_lib import ledger, perceptron, with_margin
    >>> data = with_margin(20, margin=0.3)
    >>> plot_ledger(ledger(perceptron(*data, bias=False), data.theta)).get_xlabel()
    'updates $m$'
    """
    instance(book, Ledger, "plot_ledger draws a Ledger, as ledger(run, theta) gives")
    ax = ax or new_axes(6.4, 4.2)
    length, made, bound = sqrt(book.bound.theta2), len(book.signed_scores), float(book.bound.value)
    m = np.arange(made + 1)
    last = 1.12 * max(bound, made, 1) if whole else max(made, 1)
    along = last * np.linspace(0, 1, 400) ** 2  # denser where the root is steep
    rise = float(book.bound.eta * book.bound.functional)
    low = (float(book.bound.start) + along * rise) / length
    high = np.sqrt(float(book.bound.start2) + along * float(book.bound.eta**2 * book.bound.radius2))
    ax.fill_between(along, low, high, where=low <= high, color=colour("ink"), alpha=0.07, linewidth=0)
    ax.plot(along, high, "--", color=colour("faint"), label="ceiling")
    size = 6 if made <= 40 else 3
    ax.plot(
        m,
        np.sqrt(book.norm2.astype(float)),
        "o-",
        color=colour("ink"),
        mfc=colour("paper"),
        markersize=size,
        label="norm",
    )
    ax.plot(m, book.progress.astype(float) / length, "o-", color=colour("ink"), markersize=size, label="progress")
    ax.plot(along, low, ":", color=colour("faint"), linewidth=2, label="floor")
    if whole:
        meet = (float(book.bound.start) + bound * rise) / length
        ax.plot([bound], [meet], "x", color=colour("ink"), markersize=9, markeredgewidth=2.2, label="the bound")
    ax.set(xlabel="updates $m$", ylabel="length", xlim=(0, None))
    ax.xaxis.get_major_locator().set_params(integer=True)
    return _finished(ax)


def plot_mistakes(
    values, mistakes, bound, *, name: str, embedded=None, log: bool = True, ax: Axes | None = None
) -> Axes:
    """Draw the mistakes of many runs against a quantity, a dot for each run, and the bound as a dashed line.

    Chapter 04.

    Parameters
    ----------
    values : array_like, shape (k,)
        What varies.
    mistakes : array_like, shape (k,) or (k, r)
        The mistakes of one run, or of r runs, for each value.
    bound : array_like, shape () or (k,)
        The bound, one number or one for each value.
    name : str
        What `values` are called on the axis.
    embedded : array_like, shape (k,), optional
        The mistakes of one data set carried through all values, drawn as open diamonds on a line.
    log : bool, default True
        Logarithmic axes, on which runs without a mistake cannot be shown.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> ax = plot_mistakes([0.1, 0.2], [[3, 5], [2, 2]], [100, 25], name="margin")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('margin', 'mistakes')
    """
    values, mistakes = np.asarray(values, float), np.asarray(mistakes, float)
    if values.ndim != 1 or mistakes.shape[:1] != values.shape:
        raise ValueError(
            f"mistakes must have a row for each of the {values.size} values; its shape is {mistakes.shape}"
        )
    ax = ax or new_axes(6.4, 4.2)
    mistakes = mistakes.reshape(len(values), -1)
    limit = np.broadcast_to(np.asarray(bound, float), values.shape)
    dots = 0.35 if mistakes.shape[1] > 1 else 1
    across = np.repeat(values, mistakes.shape[1])
    ax.plot(
        across, mistakes.ravel(), "o", color=colour("ink"), alpha=dots, markersize=6, markeredgewidth=0, label="runs"
    )
    if embedded is not None:
        ax.plot(
            values,
            np.asarray(embedded, float),
            "D-",
            color=colour("ink"),
            mfc=colour("paper"),
            markersize=8,
            label="one data set, carried along",
        )
    ax.plot(values, limit, "--", color=colour("faint"), linewidth=2, label="the bound")
    ax.set(xlabel=name, ylabel="mistakes")
    if log:
        ax.set(xscale="log", yscale="log")
        ax.minorticks_off()
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter("{x:g}")
        if len(values) <= 6:
            ax.set_xticks(values)
    else:
        ax.set_ylim(0, None)
    _finished(ax)
    if embedded is not None:
        ax.legend(frameon=False, loc="upper right", bbox_to_anchor=(1, 0.9))  # between the bound and the mistakes
    return ax


def plot_orders(counts, bound: float, ax: Axes | None = None) -> Axes:
    """Draw how many orders of the same data led to how many mistakes, and the bound that is the same for all of them.

    The axis of mistakes is logarithmic, because the bound is far away. Chapter 04.

    Parameters
    ----------
    counts : array_like of int
        The mistakes of each run.
    bound : float
        The greatest number that the theorem allows.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> plot_orders([3, 4, 4, 7], 50).get_ylabel()
    'orders'
    """
    counts = np.asarray(counts)
    if counts.ndim != 1 or counts.size == 0 or counts.dtype.kind not in "iu" or counts.min() < 1:
        raise ValueError("counts must list the mistakes of each run, whole numbers of at least 1")
    ax = ax or new_axes(6.4, 4.2)
    number, times = np.unique(counts, return_counts=True)
    ax.vlines(number, 0, times, color=colour("ink"), linewidth=5)
    ax.axvline(bound, linestyle="--", color=colour("faint"), linewidth=2)
    ax.annotate(
        "the bound", (bound, 0.97), xycoords=("data", "axes fraction"), xytext=(-6, 0), textcoords="offset points",
        ha="right", va="top", color=colour("faint"),
    )  # fmt: skip
    ticks = [int(number[0]), int(number[-1]), int(bound)]
    ax.set(xscale="log", xlabel="mistakes", ylabel="orders", ylim=(0, None))
    ax.minorticks_off()
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.yaxis.get_major_locator().set_params(integer=True, nbins=5)
    return _finished(ax, legend=False)


def plot_distances(run: Run, theta, ax: Axes | None = None) -> Axes:
    r"""Draw how far the weights are from a separator and from a long multiple of it, update by update.

    Chapter 04.

    Parameters
    ----------
    run : Run
        A run, as `perceptron` returns it.
    theta : array_like
        A separator, of the length of the run's weights.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Notes
    -----
    The separator is :math:`\theta^* = \theta / \lVert\theta\rVert`, the multiple :math:`c\,\theta^*` with
    :math:`c = R^2 / \delta`. Each distance is divided by its value at the start. To :math:`c\,\theta^*` it falls with
    every update, for this c by at least :math:`R^2` in its square; to :math:`\theta^*` itself it may rise.

    Examples
    --------
    >>> from pla_lib import perceptron, with_margin
    >>> data = with_margin(20, margin=0.3)
    >>> plot_distances(perceptron(*data, bias=False), data.theta).get_xlabel()
    'updates $m$'
    """
    instance(run, Run, "plot_distances draws a Run, as perceptron(X, y) gives")
    bound = mistake_bound(run.X, run.y, theta)
    unit = np.asarray(theta, float) / sqrt(bound.theta2)
    thetas, ax = run.thetas.astype(float), ax or new_axes(6.4, 4.2)
    targets = ((1.0, "from θ*", colour("paper")), (bound.radius**2 / bound.delta, "from cθ*", colour("ink")))
    for c, label, face in targets:
        away = np.linalg.norm(thetas - c * unit, axis=1)
        ax.plot(away / away[0], "o-", color=colour("ink"), mfc=face, markersize=6, label=label)
    ax.axhline(1, color=colour("faint"), linestyle=":", zorder=0)
    ax.set(xlabel="updates $m$", ylabel="distance / distance at the start", ylim=(0, None))
    ax.xaxis.get_major_locator().set_params(integer=True)
    return _finished(ax)


def _finished(ax: Axes, legend: bool = True) -> Axes:
    tidy(ax, ticks=None)
    if legend:
        ax.legend(frameon=False)
    return ax
