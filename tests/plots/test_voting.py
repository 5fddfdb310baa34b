"""The figures of chapter 09 show the run's weights, the vote, the errors and the means they say they show."""

import numpy as np
import pytest

from pla_lib import averaged, blobs, label_noise, perceptron, rocchio, semicircles, voted
from pla_lib.plots import colour
from pla_lib.plots.voting import plot_by_epoch, plot_lifetimes, plot_rocchio, plot_vote
from tests.plots.tints import tinted

TRAIN = label_noise(blobs(60, gap=0.1, seed=2), 0.1, seed=1)
RUN = perceptron(*TRAIN, order="random", max_epochs=2, seed=2)


def test_every_theta_has_a_bar_as_long_as_its_life_and_as_high_as_its_errors():
    ax = plot_lifetimes(RUN)
    (bars,) = ax.collections
    segments = np.array(bars.get_segments())
    assert (segments[:, 1, 0] - segments[:, 0, 0]).tolist() == RUN.survival.tolist()
    assert segments[0, 0, 0] == 0
    assert segments[-1, 1, 0] == 120
    X, y = TRAIN
    for theta, height in zip(RUN.thetas, segments[:, 0, 1], strict=True):
        assert height == (np.where(theta[0] + X @ theta[1:] > 0, 1, -1) != y).sum()
    (dot,) = (line for line in ax.lines if line.get_label() == "last weights")
    assert dot.get_xydata().tolist() == [[120, segments[-1, 0, 1]]]
    assert ax.get_ylabel() == "wrong, of 60"


def test_lives_without_offset_and_after_convergence_are_drawn():
    run = perceptron(*semicircles(12, seed=3), bias=False)
    ax = plot_lifetimes(run)
    (bars,) = ax.collections
    assert len(bars.get_segments()) == len(run.thetas)
    assert bars.get_segments()[-1][0][1] == 0


def test_the_tint_is_what_the_vote_says_and_lines_are_as_dark_as_their_votes():
    first = perceptron(*TRAIN, order="random", max_epochs=1, seed=2)
    three = np.array([[0.125, 1.125], [1.125, 0.75], [2.125, 0.375]])
    ax = plot_vote(first, ring=three)
    labels = voted(first, TRAIN.X)
    assert tinted(ax, three) == [1, -1, 1]
    assert np.mean(tinted(ax, TRAIN.X) == labels) > 0.95  # the rest lies within a cell of the edge
    lines = [line for line in ax.lines if len(line.get_xdata()) == 2 and line.get_color() == colour("ink")]
    lines = [line for line in lines if line.get_alpha()]
    voters = first.survival[(first.thetas[:, 1:] != 0).any(axis=1) & (first.survival > 0)]
    np.testing.assert_allclose([line.get_alpha() for line in lines], 0.04 + 0.36 * voters / first.survival.max())
    (rings,) = [line for line in ax.lines if line.get_markerfacecolor() == "none"]
    assert rings.get_xydata().tolist() == three.tolist()


def test_the_averaged_line_is_that_of_the_averaged_weights():
    ax, theta = plot_vote(RUN), averaged(RUN)
    drawn = [c for c in ax.collections if c.get_alpha() is None]
    assert len(drawn) == 2  # the edge of the vote, and this
    edge = np.vstack([path.vertices for path in drawn[1].get_paths()])
    assert len(edge) > 10
    assert np.abs(theta[0] + edge @ theta[1:]).max() < 1e-6 * np.abs(theta).max()


def test_named_choices_are_drawn_and_stand_in_the_legend():
    names = {"last": "last: 5 wrong", "averaged": "averaged: 4 wrong", "voted": "voted: 3 wrong"}
    ax = plot_vote(RUN, names=names)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(names.values())
    assert not [line for line in ax.lines if line.get_alpha()]  # the lines that vote
    curves = [c for c in ax.collections if not c.filled]
    assert len(curves) == 3
    edge = np.vstack([path.vertices for path in curves[0].get_paths()])
    assert np.abs(RUN.theta[0] + edge @ RUN.theta[1:]).max() < 1e-6 * np.abs(RUN.theta).max()


def test_a_vote_for_one_class_only_is_drawn_too():
    run = perceptron([[1.0, 0], [-1, 0]], [1, 1], bias=False, max_epochs=2)
    assert plot_vote(run).get_xlabel() == "$x_1$"


def test_errors_by_epoch_are_means_and_bands():
    given = np.random.default_rng(0).uniform(1, 9, size=(4, 3, 10))
    left, right = plot_by_epoch({"linear": given, "degree 2": 2 * given})
    for ax, percent in ((left, given), (right, 2 * given)):
        for k, (line, name) in enumerate(zip(ax.lines, ("last", "voted", "averaged"), strict=True)):
            assert line.get_label() == name
            np.testing.assert_allclose(line.get_xydata(), np.c_[np.arange(1, 11), percent[:, k].mean(axis=0)])
            low, high = ax.collections[k].get_datalim(ax.transData).intervaly
            assert (low, high) == pytest.approx((percent[:, k].min(), percent[:, k].max()))
    assert [text.get_text() for text in left.texts + right.texts] == ["linear", "degree 2"]
    assert len({line.get_linestyle() for line in left.lines}) == 3
    with pytest.raises(ValueError, match=r"shape \(orders, 3, epochs\); that of 'linear' is \(4, 2, 10\)"):
        plot_by_epoch({"linear": given[:, :2]})


def marks(ax, letter):
    """Where a letter stands."""
    (text,) = [text for text in ax.texts if text.get_text() == f"${letter}$"]
    return text.get_position()


@pytest.mark.parametrize("bias", [False, True])
def test_rocchio_shows_means_line_and_errors(bias):
    X = np.array([[-1, 0], [-1.5, 1], [-1, 2], [-1.5, 3], [1, 0], [1, 1.5], [1.2, 3], [9, 0.5], [8.5, 2], [9, 3]])
    y = np.repeat([-1, 1], [4, 6])
    ax, theta = plot_rocchio(X, y, bias=bias), rocchio(X, y, bias=bias)
    assert marks(ax, "u") == pytest.approx(X[y > 0].mean(axis=0))
    assert marks(ax, "v") == pytest.approx(X[y < 0].mean(axis=0))
    b, w = (theta[0], theta[1:]) if bias else (0, theta)
    (line,) = [line for line in ax.lines if line.get_linewidth() == 1.8 and len(line.get_xdata()) == 2]
    assert line.get_xydata() @ w + b == pytest.approx(0, abs=1e-9)
    (crosses,) = [line for line in ax.lines if line.get_marker() == "x"]
    assert crosses.get_xydata().tolist() == X[y * (X @ w + b) <= 0].tolist()
    assert (len(crosses.get_xydata()) == 3) == bias
    assert sum(line.get_marker() == "+" for line in ax.lines) == (not bias)


def test_rocchio_draws_the_circle_only_where_all_examples_lie_on_it():
    def circles(ax):
        return [line for line in ax.lines if len(line.get_xdata()) == 181]

    X, y = semicircles(12, seed=1)
    ax = plot_rocchio(X, y)
    (circle,) = circles(ax)
    assert np.linalg.norm(circle.get_xydata(), axis=1) == pytest.approx(1)
    assert ax.get_xlim()[0] < -1
    assert ax.get_xlim()[1] > 1
    assert circles(plot_rocchio(2 * X, y)) == circles(plot_rocchio(X, y, bias=True)) == []


def test_equal_means_have_no_line():
    ax = plot_rocchio([[1, 0], [-1, 0], [0, 1], [0, -1]], [1, 1, -1, -1])
    assert not [text for text in ax.texts if text.get_text() == "$w$"]


def test_only_runs_are_drawn():
    for draw in (plot_lifetimes, plot_vote):
        with pytest.raises(ValueError, match=r"draws a Run, as perceptron\(X, y\) gives; it was given a Dataset"):
            draw(TRAIN)
