"""The figures of chapter 03 show the losses, the lines below a curve, and the lines of score 1."""

import numpy as np
import pytest

from pla_lib import blobs, hinge_loss, perceptron, perceptron_loss, sgd
from pla_lib.plots.gradient import plot_losses, plot_subgradients, plot_unit_scores


def test_the_losses_are_those_of_one_example():
    drawn = {line.get_label(): line.get_xydata() for line in plot_losses().lines}
    for name, loss in (("perceptron", perceptron_loss), ("hinge", hinge_loss)):
        for m, value in drawn[name]:
            assert value == pytest.approx(loss([m], [[1]], [1]))
    left, right = drawn["counting"][:2], drawn["counting"][3:]
    assert left[:, 1].tolist() == [1, 1]
    assert right[:, 1].tolist() == [0, 0]
    assert left[-1, 0] == right[0, 0] == 0


def test_a_tie_is_drawn_as_a_mistake():
    dots = {tuple(line.get_xydata()[0]): line for line in plot_losses().lines if line.get_marker() == "o"}
    assert set(dots) == {(0, 1), (0, 0)}
    assert dots[0, 1].get_markerfacecolor() == dots[0, 1].get_color()
    assert dots[0, 0].get_markerfacecolor() != dots[0, 0].get_color()


def lines_of(ax):
    return [line for line in ax.lines if line.get_label() == "line"]


@pytest.mark.parametrize("at", [0, 1.5, -1])
def test_lines_pass_through_the_point_and_are_solid_exactly_if_they_stay_below(at):
    slopes = [-1.5, -1, -0.5, 0, 0.5, 1, 1.5]
    ax = plot_subgradients(abs, at, slopes)
    right = {0: (-1, 1), 1.5: (1, 1), -1: (-1, -1)}[at]
    assert len(lines_of(ax)) == len(slopes)
    for slope, line in zip(slopes, lines_of(ax), strict=True):
        t, height = line.get_xydata().T
        np.testing.assert_allclose(height, abs(at) + slope * (t - at), atol=1e-12)
        assert (line.get_linestyle() == "-") == (right[0] <= slope <= right[1])
    assert [text.get_text() for text in ax.texts] == ["−1.5", "−1", "−0.5", "0", "0.5", "1", "1.5"]


def test_only_what_lies_above_the_curve_is_shaded():
    assert not plot_subgradients(abs, 0, [-1, 0, 1]).collections
    (shade,) = plot_subgradients(abs, 0, [1.5]).collections
    corners = np.concatenate([path.vertices for path in shade.get_paths()])
    assert (corners[:, 1] >= abs(corners[:, 0]) - 1e-9).all()
    assert corners[:, 0].min() >= 0


def test_dashed_lines_are_where_the_score_is_one():
    X, y = blobs(20, seed=1)
    thetas = {"perceptron": perceptron(X, y).theta, "hinge": sgd(X, y, "hinge", epochs=20).theta}
    axes = plot_unit_scores(thetas, X, y)
    for ax, (name, theta) in zip(axes, thetas.items(), strict=True):
        assert ax.get_aspect() == 1
        assert ax.texts[0].get_text() == name
        drawn = [line for line in ax.lines if line.get_marker() == "None"]
        assert [line.get_linestyle() for line in drawn] == ["-", "--", "--"]
        for line, score in zip(drawn, (0, -1, 1), strict=True):
            np.testing.assert_allclose(theta[0] + line.get_xydata() @ theta[1:], score, atol=1e-9)
        marked = [line for line in ax.lines if line.get_marker() in ("o", "s")]
        assert sum(len(line.get_xydata()) for line in marked) == 20


@pytest.mark.parametrize("theta", [[0, 0, 0], [1, 2]])
def test_weights_without_a_line_are_refused(theta):
    with pytest.raises(ValueError, match=r"weights \(b, w1, w2\) with w other than 0; 'none' has"):
        plot_unit_scores({"none": theta}, [[1, 0]], [1])
