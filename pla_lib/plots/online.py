"""Figures of chapter 08: mistakes under their bounds, the proof's quadratic, and where the best comparator lies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.margins import soft_margin_path
from pla_lib.online import best_comparator, hinge_bound
from pla_lib.pla import perceptron
from pla_lib.plots.style import colour, new_axes, show_plane, tidy
from pla_lib.validation import real_number, two_features, vector
from pla_lib.wording import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASHES = ["--", "-.", ":", "-"]  # the last one thin, or it would pass for the mistakes


def plot_promises(X, y, comparators: Mapping[str, object], ax: Axes | None = None) -> Axes:
    """Draw a stream's mistakes, round by round, and under each name the bound that a comparator promises so far.

    The perceptron meets the rows of X once, in order, without offset. A bound is the all-rounds form of
    `hinge_mistake_bound` over the rounds up to then. Chapter 08.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    comparators : mapping of str to array_like, shape (d,)
        At most four comparators w, by name.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> ax = plot_promises([[1, 0], [0, 1]], [+1, -1], {"$w^* = 0$": [0, 0]})
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('round', 'mistakes, made and promised')
    """
    X, y = Dataset(X, y)
    if len(comparators) > len(DASHES):
        raise ValueError(f"plot_promises can tell {len(DASHES)} comparators apart; it was given {len(comparators)}")
    ax, X = ax or new_axes(6.4, 4.2), X.astype(float)
    times = perceptron(X, y, bias=False, max_epochs=1).times
    rounds = np.arange(len(y) + 1)
    radius_squared = np.maximum.accumulate((X**2).sum(axis=1))
    for (name, given), dashes in zip(comparators.items(), DASHES, strict=False):
        w = vector(given, f"the comparator {name!r}", X.shape[1], "as the examples have").astype(float)
        losses = np.maximum(0, 1 - y * (X @ w)).cumsum()
        promised = np.insert(hinge_bound(losses, w @ w * radius_squared), 0, 0)
        ax.plot(
            rounds, promised, linestyle=dashes, color=colour("faint"), linewidth=1 if dashes == "-" else 2, label=name
        )
    made = np.searchsorted(times, rounds)
    ax.step(rounds, made, where="post", color=colour("ink"), linewidth=2, label="mistakes")
    ax.set(xlabel="round", ylabel="mistakes, made and promised", xlim=(0, len(y)), ylim=(0, None))
    return _finished(ax, loc="upper left")


def plot_quadratic(losses: float, s: float, mistakes: int, ax: Axes | None = None) -> Axes:
    r"""Draw the quadratic :math:`z^2 - s z - H` in the proof of the hinge bound.

    For the mistakes M of a run, :math:`z = \sqrt{M}` can only lie where it is not positive: shaded. The run, the larger
    root, and the root of the loosened bound :math:`H + s\sqrt{H} + s^2` are marked. Chapter 08.

    Parameters
    ----------
    losses : float
        The total hinge loss H, at least 0.
    s : float
        :math:`\lVert w^* \rVert L`, at least 0.
    mistakes : int
        The mistakes M of the run.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> plot_quadratic(4, 1, 3).get_xlabel()
    '$z$, the root of the number of mistakes'
    """
    for name, given in {"losses": losses, "s": s, "mistakes": mistakes}.items():
        real_number(given, name, "a number of at least 0", lambda value: value >= 0)
    ax = ax or new_axes(6.4, 4.2)

    def quadratic(z):
        return z**2 - s * z - losses

    root, loose, made = (s + np.sqrt(s**2 + 4 * losses)) / 2, np.sqrt(hinge_bound(losses, s**2)), np.sqrt(mistakes)
    z = np.linspace(0, 1.15 * max(loose, made, 1), 300)
    ax.axhline(0, color=colour("faint"), linewidth=1)
    ax.fill_between(z, quadratic(z), 0, where=quadratic(z) <= 0, color=colour("ink"), alpha=0.08, linewidth=0)
    ax.plot(z, quadratic(z), color=colour("ink"), linewidth=2, label="$z^2 - s z - H$")
    for at, marker, name in ((made, "o", "the run"), (root, "D", "larger root"), (loose, "s", "loosened bound")):
        face = colour("ink" if name == "the run" else "paper")
        ax.plot(at, quadratic(at), marker, color=colour("ink"), mfc=face, markersize=8, label=name, linestyle="none")
    ax.set(xlabel="$z$, the root of the number of mistakes", ylabel="$z^2 - s z - H$", xlim=(0, None))
    return _finished(ax, loc="upper left")


def plot_comparators(X, y, ax: Axes | None = None) -> Axes:
    """Draw the all-rounds bound over the plane of comparators, as level lines, and the soft-margin path in it.

    The path, from :math:`w^* = 0` for small C to its end for large C, is that of ``soft_margin(X, y, C, bias=False)``;
    the diamond is ``best_comparator(X, y)``. Chapter 08.

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
    >>> plot_comparators([[2, 0], [0, 1], [1, 1]], [+1, +1, -1]).get_xlabel()
    '$w^*_1$'
    """
    X, y = Dataset(X, y)
    two_features(X, "plot_comparators")
    ax, X = ax or new_axes(6.4, 5.2), X.astype(float)
    path, best, radius = _path(X, y), best_comparator(X, y), np.linalg.norm(X, axis=1).max()
    shown = np.vstack([path[np.linalg.norm(path, axis=1) <= 2 * np.linalg.norm(best) + 1 / radius], [[0, 0]], [best]])
    room = 0.35 * np.ptp(shown, axis=0).max() + 0.5 / radius
    (left, low), (right, high) = shown.min(axis=0) - room, shown.max(axis=0) + room
    w1, w2 = np.meshgrid(np.linspace(left, right, 160), np.linspace(low, high, 160))
    bounds = _bounds(X, y, np.c_[w1.ravel(), w2.ravel()])[2].reshape(w1.shape)
    least = _bounds(X, y, best[None])[2][0]
    levels = least * np.array([1.02, 1.1, 1.25, 1.5, 2, 3, 4, 6])
    lines = ax.contour(w1, w2, bounds, levels=levels, colors=colour("faint"), linewidths=1)
    ax.clabel(lines, levels=levels[2:], fmt="%.0f", fontsize=9)
    ax.plot(*path.T, color=colour("ink"), linewidth=2, label="soft-margin path")
    ax.plot(0, 0, "o", color=colour("ink"), markersize=5)
    ax.annotate("0", (0, 0), xytext=(-6, -4), textcoords="offset points", ha="right", va="top", color=colour("ink"))
    ax.plot(*best, "D", color=colour("ink"), mfc=colour("paper"), markersize=9, label="best $w^*$", linestyle="none")
    show_plane(ax, (left, low), (right, high), "w^*")
    return _finished(ax, loc="upper left", bbox_to_anchor=(0, 1.12), ncols=2, borderpad=0)


def plot_frontier(X, y, *, others: int = 600, seed: int = 0, ax: Axes | None = None) -> Axes:
    r"""Draw every comparator as the two numbers its bound is made of, its length and its total hinge loss.

    They are :math:`\lVert w^* \rVert L` and H. The curve is the soft-margin path, and nothing lies below and left of
    it. Dotted lines join what gives the same bound; the one through the diamond, `best_comparator`, is the lowest that
    the path touches. Chapter 08.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    others : int, default 600
        How many random comparators to draw as faint dots.
    seed : int, default 0
        For the random comparators.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> plot_frontier([[2, 0], [0, 1], [1, 1]], [+1, +1, -1], others=5).get_ylabel()
    'total hinge loss $H$'
    """
    X, y = Dataset(X, y)
    ax, X = ax or new_axes(6.4, 4.6), X.astype(float)
    rng, best, path = np.random.default_rng(seed), best_comparator(X, y), _path(X, y)
    across, up, least = (values[0] for values in _bounds(X, y, best[None]))
    wide = max(2.2 * across, 1.0)
    tall = 1.15 * len(y)
    directions = rng.normal(size=(others, X.shape[1]))
    directions *= (rng.uniform(0, wide, others) / np.linalg.norm(directions, axis=1))[:, None]
    s, losses, _ = _bounds(X, y, directions / np.linalg.norm(X, axis=1).max())
    ax.plot(s, losses, ".", color=colour("faint"), alpha=0.5, markersize=4, label="some $w^*$", linestyle="none")
    s, losses, _ = _bounds(X, y, path)
    ax.plot(
        np.insert(s, 0, 0), np.insert(losses, 0, len(y)), color=colour("ink"), linewidth=2, label="soft-margin path"
    )
    lengths = np.linspace(0, wide, 200)
    for factor in (0.6, 1, 1.6, 2.4):
        # h = sqrt(H) solves h^2 + s h + s^2 = bound.
        inside = 4 * factor * least - 3 * lengths**2
        h = (np.sqrt(np.maximum(inside, 0)) - lengths) / 2
        level = np.where((inside >= 0) & (h >= 0), h, np.nan) ** 2
        ax.plot(lengths, level, linestyle=":" if factor != 1 else "--", color=colour("faint"), linewidth=1.6,
                label="equal bounds" if factor == 1 else None)  # fmt: skip
        at = 0.035 * wide
        ax.annotate(
            number(factor * least), (at, np.interp(at, lengths, level)), xytext=(0, 3), textcoords="offset points",
            fontsize=9, color=colour("ink"),
        )  # fmt: skip
    ax.plot(
        across, up, "D", color=colour("ink"), mfc=colour("paper"), markersize=9, label="best $w^*$", linestyle="none"
    )
    ax.set(xlim=(0, wide), ylim=(0, tall), xlabel=r"length $\|w^*\|\,L$", ylabel="total hinge loss $H$")
    ax.locator_params(nbins=5)
    return _finished(ax, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderpad=0)


def _bounds(X: np.ndarray, y: np.ndarray, W: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """||w|| L, the total hinge loss and the bound of every row w of W."""
    losses = np.maximum(0, 1 - y[:, None] * (X @ W.T)).sum(axis=0)
    s = np.linalg.norm(W, axis=1) * np.linalg.norm(X, axis=1).max()
    return s, losses, hinge_bound(losses, s**2)


def _path(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The soft margins without offset, one to a row, for C from where all slack is taken to where little is left."""
    ends = np.array([0.01, 10 * len(y) ** 2]) / (X**2).sum(axis=1).max()
    return np.array([soft.theta for soft in soft_margin_path(X, y, np.geomspace(*ends, 60), bias=False)])


def _finished(ax: Axes, **legend) -> Axes:
    tidy(ax, ticks=None)
    ax.legend(**{"frameon": False, **legend})
    return ax
