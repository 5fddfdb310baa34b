"""The figures of chapter 01 show what they say: positions, counts, and what lies on what."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from pla_lib import Hyperplane, blobs, semicircles, separability, xor
from pla_lib.limits import Separable
from pla_lib.plots import COLOURS
from pla_lib.plots.geometry import (
    _cone,
    plot_affine,
    plot_cone,
    plot_foot,
    plot_hyperplane,
    plot_lift,
    plot_shadows,
)
from tests.plots.tints import tinted

LINE = Hyperplane([3, 4], -5)


def marked(ax, marker: str) -> np.ndarray:
    """The places of all marks of one kind."""
    return np.vstack([line.get_xydata() for line in ax.lines if line.get_marker() == marker])


def strokes(ax, style: str = "-") -> list[np.ndarray]:
    """The ends of the drawn lines of one style."""
    return [line.get_xydata() for line in ax.lines if line.get_marker() == "None" and line.get_linestyle() == style]


def words(ax) -> dict[str, np.ndarray]:
    """What is written, and the place it belongs to."""
    return {text.get_text(): np.array(text.xy) for text in ax.texts if text.get_text()}


def arrows(ax) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(np.array(text.xyann), np.array(text.xy)) for text in ax.texts if getattr(text, "arrow_patch", None)]


def test_hyperplane_has_its_examples_its_line_and_its_side():
    X, y = blobs(20, seed=3)
    line = Hyperplane([3, 2], -8)
    ax = plot_hyperplane(line, X, y)
    for marker, label, name in (("o", 1, "positive"), ("s", -1, "negative")):
        np.testing.assert_array_equal(marked(ax, marker), X[y == label])
        (drawn,) = (drawn for drawn in ax.lines if drawn.get_marker() == marker)
        assert to_hex(drawn.get_color()).upper() == COLOURS[name][0]
    (ends,) = strokes(ax)
    assert line.score(ends) == pytest.approx(0, abs=1e-9)
    ((start, tip),) = arrows(ax)
    assert line.score(start) == pytest.approx(0, abs=1e-9)
    assert tip - start == pytest.approx(np.linalg.norm(tip - start) * line.w / line.norm)
    assert tinted(ax, X) == y.tolist()
    assert len(marked(ax, "x")) == 0
    assert ax.get_aspect() == 1


def test_examples_on_the_wrong_side_or_on_the_line_are_crossed():
    X, y = np.array([[0, 0], [2, 2], [1, 0], [3, 3]]), np.array([-1, 1, -1, -1])
    assert marked(plot_hyperplane(Hyperplane([1, 0], -1), X, y), "x").tolist() == [[1, 0], [3, 3]]


@pytest.mark.parametrize("line", [LINE, Hyperplane([1, 2], -4), Hyperplane([0, -2], 3), Hyperplane([1, 1], 0)])
def test_affine_shows_the_line_its_vector_space_and_sums(line):
    ax = plot_affine(line)
    (on_line,), (through_zero,) = strokes(ax), strokes(ax, "--")
    assert line.score(on_line) == pytest.approx(0, abs=1e-9)
    assert through_zero @ line.w == pytest.approx(0, abs=1e-9)
    assert through_zero.mean(axis=0) == pytest.approx(0, abs=1e-9)
    said = words(ax)
    p, q, middle, total = (said[name] for name in ("$p$", "$q$", r"$\frac{1}{2}(p + q)$", "$p + q$"))
    assert line.score([p, q, middle]) == pytest.approx(0, abs=1e-9)
    assert middle == pytest.approx((p + q) / 2)
    assert total == pytest.approx(p + q)
    assert marked(ax, "x")[0] == pytest.approx(total)
    ((start, tip),) = arrows(ax)
    assert start.tolist() == [0, 0]
    assert tip == pytest.approx(line.project([0, 0]))


@pytest.mark.parametrize("z", [[3, 4], [-2, -1], [0, 4]])
def test_foot_and_right_angle_are_where_pythagoras_wants_them(z):
    ax = plot_foot(LINE, z)
    said, foot = words(ax), LINE.project(z)
    assert said["$z$"].tolist() == z
    assert said["$z_H$"] == pytest.approx(foot)
    assert LINE.score(said["$x$"]) == pytest.approx(0, abs=1e-9)
    assert (said["$x$"] - foot) @ (z - foot) == pytest.approx(0, abs=1e-9)
    assert f"{LINE.distance(z):.3g}" in said
    assert marked(ax, "o" if LINE.score(z) > 0 else "s")[0].tolist() == z
    (aslant,) = strokes(ax, "--")
    assert aslant == pytest.approx(np.array([z, said["$x$"]]))


def test_shadows_fall_at_a_right_angle_and_are_numbered():
    points = np.array([[3, 1.5], [0.5, 2.5], [2, -1], [-1.5, 0.5]])
    ax = plot_shadows(LINE, points)
    said, unit = words(ax), np.array([0.6, 0.8])
    for x, drop, text in zip(points, strokes(ax, ":"), ["3", "2.3", "0.4", "−0.5"], strict=True):
        assert drop[0] == pytest.approx(x)
        assert (drop[1] - x) @ unit == pytest.approx(0, abs=1e-12)
        assert said[text] == pytest.approx(drop[1])
    assert said["shadow 1"] == pytest.approx(unit)
    assert len(marked(ax, "s")) == 2  # those below the line


def placed(ax, marker: str) -> np.ndarray:
    """The places in space of all marks of one kind, x_0 first; the origin's hollow disc left out."""
    lines = [line for line in ax.lines if line.get_marker() == marker and line.get_markersize() == 6]
    found = np.vstack([np.transpose(line.get_data_3d()) for line in lines])[:, [2, 0, 1]]
    return found[found.any(axis=1)]


CIRCLE = np.c_[np.cos(np.deg2rad(18 + 30 * np.arange(12))), np.sin(np.deg2rad(18 + 30 * np.arange(12)))]
SHIFTED = Hyperplane([1, 2], -1)
SIDE = SHIFTED.predict(CIRCLE)


@pytest.mark.parametrize("onto", ["plane", "sphere"])
def test_lifted_line_and_origin_lie_in_one_plane(onto):
    flat, lifted = plot_lift(SHIFTED, CIRCLE, SIDE, onto=onto)
    np.testing.assert_array_equal(marked(flat, "o"), CIRCLE[SIDE > 0])
    up = np.c_[np.ones(12), CIRCLE]
    up = up if onto == "plane" else up / np.linalg.norm(up, axis=1)[:, None]
    for marker, label in (("o", 1), ("s", -1)):
        np.testing.assert_allclose(placed(lifted, marker), up[label == SIDE])
    (cut,) = (line for line in lifted.lines if line.get_color() == COLOURS["ink"][0] and line.get_linewidth() >= 2)
    cut = np.transpose(cut.get_data_3d())[:, [2, 0, 1]]
    assert cut @ SHIFTED.theta == pytest.approx(0, abs=1e-9)
    if onto == "plane":
        assert cut[:, 0].tolist() == [1, 1]
    else:
        assert np.linalg.norm(cut, axis=1) == pytest.approx(1)
    plane = lifted.collections[-1]._faces[0][:, [2, 0, 1]]  # the corners of the filled patch
    assert plane @ SHIFTED.theta == pytest.approx(0, abs=1e-9)
    assert lifted.get_box_aspect() is not None
    assert plot_lift(Hyperplane([0, 1], -0.2), CIRCLE, np.where(CIRCLE[:, 1] > 0.2, 1, -1), onto=onto)


def test_cone_is_drawn_where_every_example_is_right():
    X = np.array([[2, 0.5], [1, 2], [1.5, -1], [-1.5, -1.2], [-2, 0.5]])
    y = np.array([1, 1, 1, -1, -1])
    left, right = plot_cone(X, y, w=[3, 1])
    np.testing.assert_array_equal(marked(left, "s"), X[y < 0])
    (wedge,) = right.patches
    rng = np.random.default_rng(0)
    weights = rng.uniform(-2, 2, (400, 2))
    inside = wedge.get_path().contains_points(weights)
    np.testing.assert_array_equal(inside, ((y * (weights @ X.T)) > 0).all(axis=1))
    borders = strokes(right)
    assert len(borders) == 5
    for x, label, ends in zip(X, y, borders, strict=True):
        assert ends @ x == pytest.approx(0, abs=1e-9)
        allowed = [tip - start for start, tip in arrows(right) if np.isclose(np.linalg.det([tip - start, x]), 0)]
        assert any(label * (step @ x) > 0 for step in allowed)
    assert {"1", "2", "3", "4", "5", "$w$"} <= set(words(right))
    assert words(left)["4"].tolist() == [-1.5, -1.2]
    assert left.get_aspect() == right.get_aspect() == 1


@pytest.mark.parametrize("seed", range(40))
def test_cone_is_empty_exactly_if_no_line_through_the_origin_separates(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(4, 2)), rng.choice([-1, 1], 4)
    cone = _cone(X, y)
    assert (cone is not None) == isinstance(separability(X, y, bias=False), Separable)
    if cone is not None:
        for angle, right in ((sum(cone) / 2, True), (cone[0] - 0.01, False), (cone[1] + 0.01, False)):
            assert bool(np.all(y * (X @ [np.cos(angle), np.sin(angle)]) > 0)) == right


def test_no_cone_is_said():
    _, right = plot_cone([[1, 1], [-1, -1]], [1, 1])
    assert "no cone: no solution" in [text.get_text() for text in right.texts]
    assert not right.patches
    assert _cone(np.array([[1.0, 0], [0, 0]]), np.array([1, -1])) is None
    assert _cone(*semicircles(8)) is not None


@pytest.mark.parametrize(
    ("draw", "complaint"),
    [
        (lambda: plot_affine(Hyperplane([1, 2, 3], 0)), "a line; it was given 3 weights"),
        (lambda: plot_affine([1, 2]), "it was given a list"),
        (lambda: plot_hyperplane(LINE, [[1, 2, 3]], [1]), "two features; these have 3"),
        (lambda: plot_foot(LINE, [1, 2, 3]), r"z must have 2 entries, a point of the plane; its shape is \(3,\)"),
        (lambda: plot_foot(LINE, [3, -1]), "z lies on the line"),
        (lambda: plot_shadows(LINE, [1, 2]), r"to a row; their shape is \(2,\)"),
        (lambda: plot_lift(LINE, *xor(), onto="torus"), "it was given 'torus'"),
        (lambda: plot_cone([[1], [2]], [1, -1]), "two features; these have 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(draw, complaint):
    with pytest.raises(ValueError, match=complaint):
        draw()
