"""The figures of chapter 10 show what they say: positions, counts, and what lies on what."""

from fractions import Fraction

import numpy as np
import pytest
from matplotlib.colors import to_hex
from scipy.optimize import linprog

from pla_lib import Hyperplane, blobs, multiclass_perceptron, perceptron, xor, xor_network
from pla_lib.limits import HiddenLayer
from pla_lib.plots import COLOURS
from pla_lib.plots.limits import (
    _best_in_the_box,
    plot_approximations,
    plot_certificates,
    plot_classes,
    plot_hidden,
    plot_network,
    plot_norms,
    plot_programs,
)
from tests.plots.tints import tinted

TRIANGLE = (np.array([[0, 0], [4, 0], [0, 4], [1, 1], [3, 3]]), np.array([1, 1, 1, -1, 1]))
SAME_PLACE = (np.array([[0, 0], [2, 1], [2, 1], [3, 3]]), np.array([1, 1, -1, -1]))
ROW = ([[0], [1], [2], [3]], [-1, -1, 1, 1])
ODD = ([[0], [1], [2]], [-1, 1, -1])


def marked(ax, marker: str) -> np.ndarray:
    """The places of all marks of one kind that are filled."""
    lines = [line for line in ax.lines if line.get_marker() == marker and line.get_markerfacecolor() != "none"]
    return np.vstack([line.get_xydata() for line in lines])


def ring(ax) -> np.ndarray:
    (found,) = (line for line in ax.lines if line.get_markerfacecolor() == "none")
    return found.get_xydata()[0]


def shapes(ax) -> dict[str, set]:
    """The corners of what is drawn in each colour."""
    return {to_hex(patch.get_edgecolor()).upper(): set(map(tuple, patch.get_xy())) for patch in ax.patches}


def test_certificates_are_a_crossing_a_triangle_and_a_point():
    crossing, triangle, point = plot_certificates(xor(), TRIANGLE, SAME_PLACE)
    blue, vermilion = COLOURS["positive"][0], COLOURS["negative"][0]
    assert shapes(crossing) == {blue: {(0, 1), (1, 0)}, vermilion: {(0, 0), (1, 1)}}
    assert ring(crossing).tolist() == [0.5, 0.5]
    assert shapes(triangle) == {blue: {(0, 0), (4, 0), (0, 4)}, vermilion: {(1, 1)}}
    assert ring(triangle).tolist() == [1, 1]
    assert shapes(point) == {blue: {(2, 1)}, vermilion: {(2, 1)}}
    assert ring(point).tolist() == [2, 1]
    for ax, (X, y) in zip((crossing, triangle, point), (xor(), TRIANGLE, SAME_PLACE), strict=True):
        assert ax.get_aspect() == 1
        np.testing.assert_array_equal(marked(ax, "o"), X[y > 0])
        np.testing.assert_array_equal(marked(ax, "s"), X[y < 0])


def test_programs_show_where_the_least_signed_score_is_positive_and_best():
    row, odd = plot_programs(ROW, ODD)
    assert ring(row) == pytest.approx([-1, 2 / 3])
    assert ring(odd) == pytest.approx([0, 0], abs=1e-9)
    assert [ax.texts[0].get_text() for ax in (row, odd)] == [r"the best $\mu$: 1/3", r"the best $\mu$: 0"]
    filled = [c for c in row.collections if len(c.get_facecolor())]
    assert len(filled) == 1
    (wedge,) = filled[0].get_paths()
    inside = wedge.contains_points([(-0.9, 0.6), (-0.9, 0.2), (-0.9, 0.95), (0.5, 0.5)])
    assert inside.tolist() == [True, False, False, False]
    assert not [c for c in odd.collections if len(c.get_facecolor())]


@pytest.mark.parametrize("seed", range(25))
def test_best_in_the_box_is_that_of_a_solver(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-3, 4, (5, 1)).astype(float), rng.choice([-1, 1], 5)
    signed = y[:, None] * np.insert(X, 0, 1, axis=1)
    box = [(-1, 1), (-1, 1), (None, None)]
    program = linprog([0, 0, -1], np.c_[-signed, np.ones(5)], np.zeros(5), bounds=box)
    theta, value = _best_in_the_box(X, y)
    assert value == pytest.approx(-program.fun, abs=1e-9)
    assert (signed @ theta).min() == pytest.approx(value, abs=1e-9)
    assert abs(theta).max() <= 1 + 1e-9


def test_norms_are_those_of_the_runs_below_their_ceiling():
    X = np.array([[Fraction(0), Fraction(2)], [Fraction(1, 2), Fraction(1)], [Fraction(1), Fraction(0)]])
    runs = {
        "in turn": perceptron(X, [1, -1, 1], max_epochs=40),
        "random": perceptron(X, [1, -1, 1], order="random", seed=3, max_epochs=40),
    }
    ax = plot_norms(runs)
    *curves, ceiling = ax.lines
    for curve, run in zip(curves, runs.values(), strict=True):
        m, norms = curve.get_data()
        assert m.tolist() == list(range(1, len(run.mistakes) + 1))
        assert norms == pytest.approx(np.linalg.norm(run.thetas[1:].astype(float), axis=1))
        assert (norms <= np.sqrt(5 * m) + 1e-9).all()
    assert ceiling.get_ydata() ** 2 == pytest.approx(5 * ceiling.get_xdata())
    assert ax.get_xscale() == ax.get_yscale() == "log"


def test_network_has_its_nodes_and_weights():
    ax = plot_network(xor_network())
    texts = [text.get_text() for text in ax.texts if text.get_text()]
    assert [text for text in texts if "$" in text] == ["$1$", "$x_1$", "$x_2$", "$1$", "$h_1$", "$h_2$", "$y$"]
    assert texts[:9] == ["−0.5", "1", "1", "−1.5", "1", "1", "−1", "1", "−1"]
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert len(arrows) == 9
    assert sum(tuple(arrow.xy) == (5.2, -0.4) for arrow in arrows) == 3
    weights = [text for text in ax.texts if text.get_bbox_patch()]
    assert min(text.zorder for text in weights) > max(arrow.zorder for arrow in arrows)  # no weight is struck through


def test_hidden_layer_shows_the_points_before_and_after():
    X, y = xor()
    left, right = plot_hidden(xor_network(), X, y)
    np.testing.assert_array_equal(marked(left, "o"), X[y > 0])
    np.testing.assert_array_equal(marked(right, "o"), [[1, -1], [1, -1]])
    np.testing.assert_array_equal(marked(right, "s"), [[-1, -1], [1, 1]])
    assert tinted(left, X) == y.tolist() == [-1, 1, 1, -1]
    assert tinted(right, [[1, -1], [-1, -1], [1, 1]]) == [1, -1, -1]
    lines = [line.get_xydata() for line in left.lines if line.get_marker() == "None"]
    assert [ends.sum(axis=1) for ends in lines] == [pytest.approx([0.5, 0.5]), pytest.approx([1.5, 1.5])]
    named = {text.get_text(): tuple(text.xy) for text in right.texts if "," in text.get_text()}
    assert named == {"(0, 0)": (-1, -1), "(0, 1) and (1, 0)": (1, -1), "(1, 1)": (1, 1)}
    assert left.get_aspect() == right.get_aspect() == 1


def test_approximations_are_drawn_over_the_function():
    left, right = plot_approximations(np.cos, {"one": np.ones_like, "zero": np.zeros_like}, low=-1, high=2)
    for ax, level, name in ((left, 1, "one"), (right, 0, "zero")):
        f, g, *borders = ax.lines
        assert f.get_ydata() == pytest.approx(np.cos(f.get_xdata()))
        assert set(g.get_ydata()) == {level}
        assert g.get_label() == name
        assert [border.get_xdata()[0] for border in borders] == [0, 1]
        assert ax.get_xlim() == (-1, 2)
    assert len(plot_approximations(np.cos, {"one": np.ones_like})[0].lines) == 2


def test_classes_have_their_marks_and_their_parts():
    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal(centre, 0.8, (15, 2)) for centre in ([0, 2], [2, -1], [-2, -1])])
    labels = np.repeat(["north", "east", "west"], 15)
    run = multiclass_perceptron(X, labels)
    ax = plot_classes(run, X, labels)
    for marker, name in (("o", "east"), ("s", "north"), ("^", "west")):
        np.testing.assert_array_equal(marked(ax, marker), X[labels == name])
    parts = [c.get_paths()[0] for c in ax.collections if len(c.get_facecolor())]
    assert len(parts) == 3
    for part, name in zip(parts, run.classes, strict=True):
        assert part.contains_points(X).tolist() == (run.predict(X) == name).tolist()
    assert ax.get_aspect() == 1


@pytest.mark.parametrize(
    ("draw", "complaint"),
    [
        (lambda: plot_certificates(xor(), blobs(6)), "a line separates those of 2"),
        (lambda: plot_certificates(), "nothing to draw"),
        (lambda: plot_programs(xor()), "one feature; these have 2"),
        (lambda: plot_norms({"a": perceptron(*xor(), theta0=[1, 0, 0], max_epochs=2)}), "from zero"),
        (
            lambda: plot_norms({"a": perceptron(*xor(), max_epochs=2), "b": perceptron(*blobs(4), max_epochs=2)}),
            "same examples",
        ),
        (lambda: plot_hidden(HiddenLayer((Hyperplane([1, 1], 0),), Hyperplane([1], 0)), *xor()), "there are 1 and 2"),
        (
            lambda: plot_classes(multiclass_perceptron([[0], [1]], [0, 1]), [[0], [1]], [0, 1]),
            r"shape of X is \(2, 1\)",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(draw, complaint):
    with pytest.raises(ValueError, match=complaint):
        draw()
