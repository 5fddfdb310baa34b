"""Figures of chapter 07: boundaries that are not lines, the plane of features, errors by degree, Gram, images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pla_lib.datasets import Dataset
from pla_lib.features import FeatureMap, with_constant
from pla_lib.plots.style import colour, new_axes, panels, plot_points, show_boundary, show_crosses, show_line, tidy
from pla_lib.validation import real_array, two_features

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Score = Callable[[np.ndarray], np.ndarray]


def plot_boundary(X, y, *scores: Score, room: float = 0) -> list[Axes]:
    """Draw the same points of the plane once for each score, with the curve on which that score is zero.

    Both sides are tinted, blue where the score is positive; a point on the wrong side, or on the curve, is crossed.
    Chapter 07.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    *scores : callable
        Each takes points, shape (m, 2), to numbers, shape (m,).
    room : float, default 0
        How much to widen the frame, in the units of X.

    Returns
    -------
    list of matplotlib.axes.Axes
        One panel per score.

    Examples
    --------
    >>> circle = lambda X: (X**2).sum(axis=1) - 1
    >>> [ax.get_xlabel() for ax in plot_boundary([[0, 0], [2, 0]], [-1, +1], circle)]
    ['$x_1$']
    """
    X, y = _planar(X, y)
    if not scores or not all(callable(score) for score in scores):
        raise ValueError("plot_boundary needs one function of the points, or more, whose zeros it draws")
    axes = _panels(len(scores))
    for ax, score in zip(axes, scores, strict=True):
        plot_points(X, y, ax)
        ax.set(xlim=np.add(ax.get_xlim(), [-room, room]), ylim=np.add(ax.get_ylim(), [-room, room]))
        show_boundary(ax, score)
        _cross(ax, X, y * np.asarray(score(X), float))
    return axes


def plot_feature_plane(X, y, phi: FeatureMap, theta, names: Sequence[str]) -> tuple[Axes, Axes]:
    r"""Draw examples in the plane of two features, cut by a line, and that line as a curve in the plane of x.

    On the left is the plane of features, on the right the plane of x, where the curve is
    :math:`\theta^\top (1, \varphi(x)) = 0`. Chapter 07.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    phi : callable
        Takes points, shape (n, 2), to two features, shape (n, 2).
    theta : array_like, shape (3,)
        [b, w], a line in the plane of features.
    names : sequence of str
        What the two features are called on the axes.

    Returns
    -------
    tuple of matplotlib.axes.Axes
        The left and the right panel.

    Examples
    --------
    >>> squares = lambda X: np.asarray(X) ** 2
    >>> left, right = plot_feature_plane([[0, 0], [2, 0]], [-1, +1], squares, [-1, 1, 1], ["$x_1^2$", "$x_2^2$"])
    >>> left.get_xlabel(), right.get_xlabel()
    ('$x_1^2$', '$x_1$')
    """
    (X, y), theta = _planar(X, y), real_array(theta, "theta").astype(float)
    features = np.asarray(phi(X), float)
    if features.shape != (len(X), 2) or theta.shape != (3,):
        raise ValueError(
            f"plot_feature_plane needs two features and theta = [b, w] with three weights; "
            f"their shapes are {features.shape} and {theta.shape}"
        )
    left, right = _panels(2)
    plot_points(features, y, left)
    left.set(xlabel=names[0], ylabel=names[1])
    show_line(left, theta, arrow=True)
    plot_points(X, y, right)
    show_boundary(right, lambda Z: with_constant(phi)(Z) @ theta)
    for ax, places in ((left, features), (right, X)):
        _cross(ax, places, y * (theta[0] + features @ theta[1:]))
    return left, right


def plot_errors(degrees, train, test, *, enough=None, ax: Axes | None = None) -> Axes:
    """Draw the share of wrong labels by degree, on the examples that were trained on and on new ones.

    Chapter 07.

    Parameters
    ----------
    degrees : array_like, shape (k,)
        The degrees.
    train, test : array_like, shape (k,) or (k, r)
        The shares of wrong labels; of r repetitions the mean is drawn as a line and each as a dot.
    enough : int, optional
        From this degree on, shaded, there are at least as many weights as examples.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> ax = plot_errors([1, 2], [0.4, 0.1], [0.5, 0.2], enough=2)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('degree', 'share of wrong labels')
    """
    degrees = real_array(degrees, "degrees")
    train, test = (
        real_array(share, name).reshape(len(degrees), -1) for share, name in ((train, "train"), (test, "test"))
    )
    ax = ax or new_axes(6.4, 3.8)
    at = np.arange(len(degrees))
    if enough is not None:
        ax.axvspan(np.interp(enough, degrees, at), at[-1] + 0.3, color=colour("ink"), alpha=0.06, linewidth=0)
    for share, style, fill, text in ((test, "o-", "paper", "new examples"), (train, "o--", "ink", "training examples")):
        ax.plot(at, share, "o", color=colour("faint"), markersize=3, alpha=0.5, zorder=2)
        ax.plot(at, share.mean(axis=1), style, color=colour("ink"), mfc=colour(fill), label=text, zorder=3)
    ax.set_xticks(at, [f"{degree:g}" for degree in degrees])
    ax.set(xlabel="degree", ylabel="share of wrong labels", ylim=(-0.02, None), xlim=(-0.3, at[-1] + 0.3))
    ax.locator_params(axis="y", nbins=6)
    tidy(ax, ticks=None)
    ax.legend(frameon=False)
    return ax


def plot_gram(gram, groups, *, name: str = "group", ax: Axes | None = None) -> Axes:
    """Draw a Gram matrix in grey, dark for large, with the examples put in the order of their groups.

    Thin lines part the groups. Chapter 07.

    Parameters
    ----------
    gram : array_like, shape (n, n)
        The Gram matrix.
    groups : array_like, shape (n,)
        What each example is.
    name : str, default "group"
        What the groups are called on the axes.
    ax : matplotlib.axes.Axes, optional
        Where to draw. New axes if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that were drawn on.

    Examples
    --------
    >>> ax = plot_gram(np.eye(4), [3, 8, 3, 8])
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['3', '8']
    """
    gram, groups = real_array(gram, "gram").astype(float), np.asarray(groups)
    if gram.ndim != 2 or gram.shape != (len(groups), len(groups)):
        raise ValueError(f"a Gram matrix of {len(groups)} examples is square; its shape is {gram.shape}")
    ax = ax or new_axes(5.2, 4.8)
    order = np.argsort(groups, kind="stable")
    picture = ax.imshow(gram[np.ix_(order, order)], cmap="Greys", interpolation="nearest")
    names, sizes = np.unique(groups, return_counts=True)
    ends = np.cumsum(sizes)
    for edge in ends[:-1] - 0.5:
        for line in (ax.axhline, ax.axvline):
            line(edge, color=colour("faint"), linewidth=0.6)
    for ticks in (ax.set_xticks, ax.set_yticks):
        ticks(ends - sizes / 2 - 0.5, [str(name) for name in names.tolist()])
    ax.set(xlabel=name, ylabel=name)
    ax.tick_params(length=0)
    ax.figure.colorbar(picture, ax=ax, shrink=0.8)
    return ax


def plot_digits(images, captions=None) -> list[Axes]:
    """Draw images of 8 by 8 pixels side by side, dark for ink.

    Chapter 07.

    Parameters
    ----------
    images : array_like, shape (n, 64)
        One image per row.
    captions : sequence of str, optional
        What to write below each.

    Returns
    -------
    list of matplotlib.axes.Axes
        One panel per image.

    Examples
    --------
    >>> from pla_lib import digits
    >>> len(plot_digits(digits()[0][:6], captions="012345"))
    6
    """
    images = real_array(images, "images")
    if images.ndim != 2 or images.shape[1] != 64:
        raise ValueError(f"plot_digits draws rows of 64 pixels; the shape is {images.shape}")
    captions = [""] * len(images) if captions is None else list(captions)
    axes = panels(len(images), 8.4, 8.4 / len(images) + 0.3)
    for ax, image, caption in zip(axes, images, captions, strict=True):
        ax.imshow(image.reshape(8, 8), cmap="Greys", interpolation="nearest")
        ax.set(xticks=[], yticks=[])
        ax.set_xlabel(str(caption), fontsize=12)
        ax.spines[:].set_color(colour("grid"))
    return axes


def _panels(count: int) -> list[Axes]:
    return [new_axes()] if count == 1 else panels(count, 4.2 * count, 4.1)


def _cross(ax: Axes, places: np.ndarray, signed: np.ndarray) -> None:
    """A cross on every point whose signed score is not positive."""
    show_crosses(ax, places[signed <= 0])


def _planar(X, y) -> tuple[np.ndarray, np.ndarray]:
    X, y = Dataset(X, y)
    two_features(X, "the figure")
    return X.astype(float), y
