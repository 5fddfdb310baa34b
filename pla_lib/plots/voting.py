"""Figures of chapter 09: the lives of a run's weights, their vote, test errors by epoch, Rocchio's line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.pla import Run, inputs_for
from pla_lib.plots.style import (
    MARKS,
    colour,
    new_axes,
    panels,
    plot_points,
    show_boundary,
    show_crosses,
    show_line,
    show_rings,
    tidy,
)
from pla_lib.validation import instance, real_array
from pla_lib.voting import averaged, rocchio, voted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# How each choice is drawn, here as in the widget: name -> style, width, colour.
CHOICES = {"last": ("-", 1.4, "faint"), "voted": (":", 2.8, "ink"), "averaged": ("-.", 1.8, "ink")}


def plot_lifetimes(run: Run, ax: Axes | None = None) -> Axes:
    r"""Draw every theta of a run as a bar: as long as it survived, as high as the number of examples it gets wrong.

    Wrong means :math:`\operatorname{sgn}(\theta^\top x) \ne y` with :math:`\operatorname{sgn}(0) = -1`, as `pocket`
    counts. The last weights, which may not have survived a single visit, end in a dot. Chapter 09.

    Parameters
    ----------
    run : Run
        A run, as `perceptron` returns it.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> from pla_lib import blobs, label_noise, perceptron
    >>> plot_lifetimes(perceptron(*label_noise(blobs(40), 0.1), max_epochs=3)).get_xlabel()
    'visits'
    """
    instance(run, Run, "plot_lifetimes draws a Run, as perceptron(X, y) gives")
    ax = ax or new_axes(6.4, 3.8)
    said = inputs_for(run.theta0, run.X).astype(float) @ run.thetas.T.astype(float) > 0
    wrong = (said != (run.y > 0)[:, None]).sum(axis=0)
    edges = np.r_[0, np.cumsum(run.survival)]
    ax.plot(np.repeat(edges, 2)[1:-1], np.repeat(wrong, 2), color=colour("faint"), linewidth=0.6, zorder=1)
    ax.hlines(wrong, edges[:-1], edges[1:], color=colour("ink"), linewidth=3)
    ax.plot(edges[-1], wrong[-1], "o", color=colour("ink"), markersize=9, label="last weights", clip_on=False, zorder=3)
    ax.set(xlabel="visits", ylabel=f"wrong, of {len(run.y)}", xlim=(0, edges[-1]), ylim=(0, None))
    ax.yaxis.get_major_locator().set_params(integer=True, nbins=5)
    tidy(ax, ticks=None)
    ax.legend(loc="lower right", bbox_to_anchor=(1, 1), frameon=False)
    return ax


def plot_vote(run: Run, ring=None, ax: Axes | None = None, *, names: Mapping[str, str] | None = None) -> Axes:
    """Draw what the vote of a run says, as a tint, the lines that vote, and the line of the averaged weights.

    The more votes a line has, the darker it is. The edge between the tints is dotted, the averaged line dash-dotted.
    Chapter 09.

    Parameters
    ----------
    run : Run
        A run on examples with two features, as `perceptron` returns it.
    ring : array_like, shape (k, 2), optional
        Points to put a ring on.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.
    names : mapping of str to str, optional
        Legend entries for any of "last", "voted" and "averaged". Then only these are drawn, the last line solid, and
        not each line that votes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> from pla_lib import blobs, label_noise, perceptron
    >>> plot_vote(perceptron(*label_noise(blobs(40), 0.1), max_epochs=2)).get_ylabel()
    '$x_2$'
    """
    instance(run, Run, "plot_vote draws a Run, as perceptron(X, y) gives")
    ax = plot_points(run.X, run.y, ax)
    thetas, votes = run.thetas.astype(float), run.survival
    for theta, share in zip(thetas, votes / votes.max(), strict=True):
        if share and theta[-2:].any() and not names:
            show_line(ax, theta, alpha=0.04 + 0.36 * share)

    def score_of(theta):
        return lambda Z: inputs_for(theta, Z) @ theta

    scores = {
        "last": score_of(thetas[-1]),
        "voted": lambda Z: voted(run, Z),
        "averaged": score_of(averaged(run).astype(float)),
    }
    entries = []
    for name in names or ("voted", "averaged"):
        style, width, tone = CHOICES[name]
        look = {"colors": [colour(tone)], "linestyles": [style], "linewidths": [width]}
        show_boundary(ax, scores[name], tinted=name == "voted", **look)
        if names:
            entries += ax.plot([], [], style, color=colour(tone), linewidth=width, label=names[name])
    if names:
        ax.legend(handles=entries, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False, fontsize=9)
    if ring is not None:
        show_rings(ax, real_array(ring, "ring"))
    return ax


def plot_by_epoch(errors: Mapping[str, np.ndarray]) -> list[Axes]:
    """Draw test errors of the last, the voted and the averaged weights against the epochs; one panel per name.

    Lines are means over the orders, bands go from the least to the greatest. Chapter 09.

    Parameters
    ----------
    errors : mapping of str to numpy.ndarray, shape (orders, 3, epochs)
        Percent wrong in each order for last, voted and averaged, epoch by epoch.

    Returns
    -------
    list of matplotlib.axes.Axes
        One panel per name.

    Examples
    --------
    >>> [ax.get_xlabel() for ax in plot_by_epoch({"linear": np.ones((2, 3, 5)), "degree 2": np.ones((2, 3, 5))})]
    ['epochs', 'epochs']
    """
    axes = panels(len(errors), 1.75 * len(errors) + 0.6, 3.7, sharey=True)
    for ax, (name, given) in zip(axes, errors.items(), strict=True):
        percent = real_array(given, "errors")
        if percent.ndim != 3 or percent.shape[1] != len(CHOICES):
            raise ValueError(f"errors must have the shape (orders, 3, epochs); that of {name!r} is {percent.shape}")
        epochs = np.arange(1, percent.shape[2] + 1)
        for k, (choice, (style, width, tone)) in enumerate(CHOICES.items()):
            ax.fill_between(
                epochs, percent[:, k].min(axis=0), percent[:, k].max(axis=0), color=colour(tone), alpha=0.16, lw=0
            )
            ax.plot(epochs, percent[:, k].mean(axis=0), style, lw=width, color=colour(tone), label=choice)
        ax.text(0.5, 1.0, name, transform=ax.transAxes, ha="center", va="bottom", color=colour("ink"))
        ax.set(xlabel="epochs", xticks=sorted({1, (len(epochs) + 1) // 2, len(epochs)}), ylim=(0, None))
        tidy(ax, ticks=None)
    axes[0].set_ylabel("test error in percent")
    axes[0].figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    return axes


def plot_rocchio(X, y, *, bias: bool = False, ax: Axes | None = None) -> Axes:
    """Draw Rocchio's line: the class means u and v, hollow, and the line across the way from v to u.

    A cross marks every example whose signed score is not positive. Examples of length one lie on a circle, which is
    then drawn too. Chapter 09.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    bias : bool, default False
        Let the line go through the midpoint of the means; otherwise it goes through the origin, marked +.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> [text.get_text() for text in plot_rocchio([[3, 1], [1, 1], [0, 0]], [+1, +1, -1]).texts]
    ['', '$w$', '$u$', '$v$']
    """
    X, y = Dataset(X, y)
    theta, ax, X = rocchio(X, y, bias=bias).astype(float), plot_points(X, y, ax), X.astype(float)
    low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
    if not bias:
        on_circle = np.allclose((X * X).sum(axis=1), 1)
        room = 1.15 if on_circle else 0.06 * (high - low).max()
        low, high = np.minimum(low, -room), np.maximum(high, room)
        if on_circle:
            turn = np.linspace(0, 2 * np.pi, 181)
            ax.plot(np.cos(turn), np.sin(turn), color=colour("faint"), linewidth=0.8, zorder=1)
        ax.plot(0, 0, "+", color=colour("faint"), markersize=12, markeredgewidth=1.6, zorder=1)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    if theta[-2:].any():
        show_line(ax, theta, arrow=True)
    means = [X[y == label].mean(axis=0) for label in (+1, -1)]
    ax.plot(*np.transpose(means), "--", color=colour("faint"), linewidth=1.4, zorder=1)
    for mean, (marker, tone), letter in zip(means, MARKS.values(), "uv", strict=True):
        ax.plot(*mean, marker, markersize=14, color=colour(tone), mfc=colour("paper"), mew=2.4, zorder=4)
        ax.text(*mean, f"${letter}$", ha="center", va="center", color=colour("ink"), fontsize=10, zorder=5)
    wrong = y * (inputs_for(theta, X) @ theta) <= 0
    show_crosses(ax, X[wrong], zorder=6)
    return ax
