"""The figures of chapter 07 show what they say: curves on their zeros, sides, crosses, curves of errors, pixels."""

import numpy as np
import pytest

from pla_lib import digits, disc_in_ring, perceptron, xor
from pla_lib.plots.features import plot_boundary, plot_digits, plot_errors, plot_feature_plane, plot_gram
from tests.plots.tints import tinted

X, Y = disc_in_ring(80)


def circle(Z):
    return (np.asarray(Z) ** 2).sum(axis=1) - 1


def squares(Z):
    return np.asarray(Z) ** 2


def marked(ax, marker: str) -> np.ndarray:
    """The places of all marks of one kind."""
    return np.vstack([line.get_xydata() for line in ax.lines if line.get_marker() == marker])


def zeros(ax) -> np.ndarray:
    """The points of the drawn curve: of the contours the one that is a line."""
    (curve,) = (drawn for drawn in ax.collections if not drawn.filled)
    return np.vstack([path.vertices for path in curve.get_paths()])


def test_boundary_is_where_the_score_is_zero_and_both_its_sides_are_tinted():
    (ax,) = plot_boundary(X, Y, circle)
    assert abs(circle(zeros(ax))).max() < 0.01
    assert tinted(ax, X) == Y.tolist()
    for marker, label in (("o", 1), ("s", -1)):
        np.testing.assert_array_equal(marked(ax, marker), X[label == Y])
    assert len(marked(ax, "x")) == 0
    assert ax.get_aspect() == 1


def test_boundary_has_a_panel_for_each_score_and_crosses_what_is_wrong():
    shifted = lambda Z: Z[:, 0] - 0.5  # noqa: E731
    panels = plot_boundary(X, Y, circle, shifted, room=1)
    assert len(panels) == 2
    assert marked(panels[1], "x").tolist() == X[Y * shifted(X) <= 0].tolist()
    assert zeros(panels[1])[:, 0] == pytest.approx(0.5, abs=1e-6)
    low, high = panels[0].get_xlim()
    assert low < X[:, 0].min() - 1
    assert high > X[:, 0].max() + 1


def test_point_on_the_curve_is_crossed():
    (ax,) = plot_boundary([[1, 0], [0, 0]], [1, -1], circle)
    assert marked(ax, "x").tolist() == [[1, 0]]


@pytest.mark.parametrize("score", [1.0, -1.0, 0.0])
def test_score_without_zeros_has_no_curve_and_one_side(score):
    (ax,) = plot_boundary(X, Y, lambda Z: np.full(len(Z), score))
    assert [drawn.filled for drawn in ax.collections] == ([True] if score else [])
    assert tinted(ax, X) == [score] * len(X)


def test_feature_plane_has_a_line_on_the_left_and_its_curve_on_the_right():
    theta = perceptron(squares(X), Y).theta
    left, right = plot_feature_plane(X, Y, squares, theta, ["one", "two"])
    assert (left.get_xlabel(), left.get_ylabel(), right.get_xlabel()) == ("one", "two", "$x_1$")
    np.testing.assert_array_equal(marked(left, "o"), squares(X)[Y > 0])
    np.testing.assert_array_equal(marked(right, "s"), X[Y < 0])
    (line,) = (drawn.get_xydata() for drawn in left.lines if drawn.get_marker() == "None")
    assert line @ theta[1:] + theta[0] == pytest.approx(0, abs=1e-9)
    assert abs(squares(zeros(right)) @ theta[1:] + theta[0]).max() < 0.02
    assert tinted(right, X) == Y.tolist()
    assert len(marked(left, "x")) == len(marked(right, "x")) == 0
    left, right = plot_feature_plane(X, Y, squares, [-2, 1, 1], ["one", "two"])
    wrong = Y * (squares(X).sum(axis=1) - 2) <= 0
    assert wrong.any()
    np.testing.assert_array_equal(marked(left, "x"), squares(X)[wrong])
    np.testing.assert_array_equal(marked(right, "x"), X[wrong])


def test_errors_are_means_with_a_dot_for_each_repetition():
    train, test = np.array([[0.4, 0.2], [0.1, 0.1], [0, 0]]), np.array([[0.5, 0.3], [0.2, 0.1], [0.4, 0.2]])
    ax = plot_errors([1, 2, 8], train, test, enough=5)
    means = {line.get_label(): line.get_ydata() for line in ax.lines if not line.get_label().startswith("_")}
    assert means["new examples"] == pytest.approx([0.4, 0.15, 0.3])
    assert means["training examples"] == pytest.approx([0.3, 0.1, 0])
    dots = np.sort([y for line in ax.lines if line.get_markersize() == 3 for y in line.get_ydata()])
    assert dots == pytest.approx(np.sort(np.r_[train.ravel(), test.ravel()]))
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1", "2", "8"]
    (shade,) = ax.patches
    assert shade.get_x() == pytest.approx(1.5)  # half the way from degree 2 to degree 8
    assert not plot_errors([1, 2], [0.4, 0.1], [0.5, 0.2]).patches


def test_gram_is_sorted_by_group_and_its_groups_are_parted():
    gram = np.arange(25.0).reshape(5, 5)
    ax = plot_gram(gram, ["b", "a", "b", "a", "a"], name="letter")
    order = [1, 3, 4, 0, 2]
    np.testing.assert_array_equal(ax.images[0].get_array(), gram[np.ix_(order, order)])
    assert ax.images[0].get_cmap().name == "Greys"
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a", "b"]
    assert ax.get_xticks().tolist() == [1, 3.5]
    assert {tuple(line.get_xdata()) for line in ax.lines} >= {(2.5, 2.5)}
    assert len(ax.lines) == 2
    assert ax.get_xlabel() == ax.get_ylabel() == "letter"


def test_digits_are_their_pixels():
    images = digits()[0][:3]
    panels = plot_digits(images, "abc")
    for ax, image, name in zip(panels, images, "abc", strict=True):
        np.testing.assert_array_equal(ax.images[0].get_array(), image.reshape(8, 8))
        assert ax.get_xlabel() == name
    assert len(plot_digits(images[:1])) == 1


@pytest.mark.parametrize(
    ("draw", "complaint"),
    [
        (lambda: plot_boundary(*xor()), "one function of the points, or more"),
        (lambda: plot_boundary(*xor(), 3), "one function of the points, or more"),
        (lambda: plot_boundary([[1, 2, 3]], [1], circle), "two features; these have 3"),
        (lambda: plot_feature_plane(*xor(), lambda Z: Z[:, :1], [1, 1], "ab"), r"\(4, 1\) and \(2,\)"),
        (lambda: plot_feature_plane(*xor(), squares, [1, 1, 1, 1], "ab"), r"\(4, 2\) and \(4,\)"),
        (lambda: plot_gram(np.ones((2, 3)), [1, 2]), r"of 2 examples is square; its shape is \(2, 3\)"),
        (lambda: plot_digits(np.ones((2, 63))), r"rows of 64 pixels; the shape is \(2, 63\)"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(draw, complaint):
    with pytest.raises(ValueError, match=complaint):
        draw()
