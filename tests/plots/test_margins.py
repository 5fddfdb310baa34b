"""The figures of chapter 05 show what they say: lines, margins, hulls, the region of w, and counts."""

import matplotlib as mpl
import numpy as np
import pytest

from pla_lib import Hyperplane, blobs, max_margin, perceptron
from pla_lib.plots.margins import (
    _hull,
    plot_directions,
    plot_feasible,
    plot_hulls,
    plot_lines,
    plot_margins,
    plot_shares,
)

X, Y = np.array([[4, 2], [0, 5], [6, 4], [0, 0], [2, -2]]), np.array([1, 1, 1, -1, -1])
WIDEST = Hyperplane([0.3, 0.4], -1)


def rings(ax) -> list:
    return [tuple(at) for line in ax.lines if line.get_fillstyle() == "none" for at in line.get_xydata().tolist()]


def dashed(ax) -> list:
    """Where the dashed lines run, as the two ends of each."""
    return [line.get_xydata() for line in ax.lines if line.get_linestyle() == "--"]


def test_margins_run_through_the_nearest_points_which_are_ringed():
    (ax,) = plot_margins(X, Y, {"H": WIDEST})
    assert sorted(rings(ax)) == [(0, 0), (0, 5), (4, 2)]
    scores = sorted(WIDEST.score(ends).round(9).tolist() for ends in dashed(ax))
    assert scores == [[-1, -1], [1, 1]]


def test_line_that_does_not_separate_has_no_margins_and_its_mistakes_are_crossed():
    figure = mpl.figure.Figure()
    (ax,) = plot_margins([[0, 0], [2, 0], [3, 0]], [-1, 1, -1], {"H": Hyperplane([1, 0], -1)}, figure)
    assert ax.figure is figure
    assert dashed(ax) == rings(ax) == []
    assert [line.get_xydata().tolist() for line in ax.lines if line.get_marker() == "x"] == [[[3, 0]]]


def test_each_line_has_its_own_picture_and_name():
    data = blobs(20, seed=20)
    H1, H2 = perceptron(*data).hyperplane, max_margin(*data).hyperplane
    one, two = plot_margins(*data, {"$H_1$": H1, "$H_2$": H2})
    for ax, H, name in ((one, H1, "$H_1$"), (two, H2, "$H_2$")):
        assert name in [text.get_text() for text in ax.texts]
        assert len(dashed(ax)) == 2
        for ends in dashed(ax):
            np.testing.assert_allclose(abs(H.distance(ends)), H.margin(*data), rtol=1e-6)
        assert ax.get_aspect() == 1
    assert len(rings(one)) == 1
    assert len(rings(two)) == 3
    assert (one.get_legend(), two.get_legend() is None) != (None, True)


def test_a_line_that_does_not_separate_has_no_margins():
    (ax,) = plot_margins(X, Y, {"H": Hyperplane([1, 0], -1)})
    assert dashed(ax) == []
    assert rings(ax) == []


def test_lines_are_named_at_their_ends_with_their_margins():
    points, labels = np.array([[2, 2], [3, 4], [1, -1], [-1, -2]]), np.array([1, 1, -1, -1])
    thetas = {"with offset": [-3, 1, 3], "without": [-1, 3], "upright": [-1.5, 1, 0], "steep": [-5, 3, 1]}
    ax = plot_lines(points, labels, thetas)
    assert [text.get_text() for text in ax.texts] == [
        "with offset (1.58)",
        "without (1.26)",
        "upright (0.5)",
        f"steep ({Hyperplane([3, 1], -5).margin(points, labels):.3f})",
    ]
    for text, theta in zip(ax.texts, thetas.values(), strict=True):
        assert np.append([1.0] * (len(theta) - 2), text.xy) @ theta == pytest.approx(0, abs=1e-9)
        (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
        assert np.isclose(text.xy, [[left, bottom], [right, top]]).any()
    assert [line.get_marker() for line in ax.lines].count("+") == 1  # the origin, for the line through it


def test_directions_are_the_margins_of_the_best_lines():
    ax = plot_directions(X, Y)
    degrees, margin = ax.lines[1].get_data()
    for k in (0, 500, 930, 1000, 1440):
        w = np.array([np.cos(np.radians(degrees[k])), np.sin(np.radians(degrees[k]))])
        tried = [Hyperplane(w, b).margin(X, Y) for b in np.linspace(-12, 12, 4801)]
        assert margin[k] == pytest.approx(max(tried), abs=0.006)
    np.testing.assert_allclose(ax.lines[-1].get_xydata(), [[np.degrees(np.arctan2(4, 3)), 2]], rtol=1e-6)
    assert margin.max() <= 2 + 1e-9


def test_region_of_w_holds_every_w_that_some_offset_suits():
    ax = plot_feasible(X, Y)
    (shade,) = [c for c in ax.collections if c.get_alpha()]
    (path,) = shade.get_paths()
    rng = np.random.default_rng(0)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    for w in rng.uniform((left, bottom), (right, top), size=(300, 2)):
        low, high = (1 - X[Y > 0] @ w).max(), (-1 - X[Y < 0] @ w).min()
        if abs(low - high) > 0.05:
            assert path.contains_point(w) == (low < high)
    dot = next(line for line in ax.lines if line.get_marker() == "o")
    np.testing.assert_allclose(dot.get_xydata(), [[0.3, 0.4]], atol=1e-6)
    circles = sorted(
        np.linalg.norm(line.get_xydata(), axis=1).mean() for line in ax.lines if line.get_linestyle() == "--"
    )
    np.testing.assert_allclose(circles, [0.25, 0.5, 0.75])
    with pytest.raises(ValueError, match="two features; these have 1"):
        plot_feasible([[0], [1]], [-1, 1])


def test_hulls_and_the_shortest_way_between_them():
    ax = plot_hulls(X, Y)
    np.testing.assert_allclose(ax.lines[-1].get_xydata(), [[2.4, 3.2], [0, 0]], atol=1e-6)
    corners = [set(map(tuple, patch.get_xy().tolist())) for patch in ax.patches]
    assert corners == [{(4, 2), (0, 5), (6, 4)}, {(0, 0), (2, -2)}]
    assert sorted(rings(ax)) == [(0, 0), (0, 5), (4, 2)]


def test_corners_of_a_hull():
    square = np.array([[0, 0], [2, 2], [1, 1], [2, 0], [0, 2], [1, 0], [0, 0]])
    assert _hull(square).tolist() == [[0, 0], [2, 0], [2, 2], [0, 2]]
    assert _hull(np.array([[1, 1]])).tolist() == [[1, 1]]
    assert _hull(np.array([[0, 0], [1, 1], [2, 2]])).tolist() == [[0, 0], [2, 2]]


def test_shares_are_counted():
    ax = plot_shares([0.01, 0.02, 0.26, 0.99, 1.0])
    heights = {round(bar.get_x() + bar.get_width() / 2, 3): bar.get_height() for bar in ax.patches if bar.get_height()}
    assert heights == {0.025: 2, 0.275: 1, 0.975: 2}
    assert ax.lines[0].get_xdata()[0] == 0.26
    for wrong in ([], [-0.1], [1.1], [[0.5]], [np.nan]):
        with pytest.raises(ValueError, match="one number between 0 and 1"):
            plot_shares(wrong)
