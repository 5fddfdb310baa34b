"""The figures of chapter 06 show the lines, slacks and dual variables that soft_margin finds."""

import matplotlib as mpl
import numpy as np
import pytest

from pla_lib import blobs, max_margin, soft_margin, xor
from pla_lib.plots.soft_margin import plot_box, plot_over_C, plot_slack, plot_soft_margins

X, Y = blobs(29, seed=3)
X, Y = np.vstack([X, [3.1, 0.6]]).round(1), np.append(Y, -1)
SOFT = soft_margin(X, Y, 10)


def named(ax, label):
    return [line for line in ax.lines if line.get_label() == label]


def test_line_margins_and_slacks_are_those_of_the_soft_margin():
    ax = plot_slack(X, Y, SOFT, name=[29])
    assert ax.get_aspect() == 1
    for line, score in zip(named(ax, "margin"), (-1, 1), strict=True):
        np.testing.assert_allclose(SOFT.theta[0] + line.get_xydata() @ SOFT.w, score, atol=1e-9)
        assert line.get_linestyle() == "--"
    short = np.flatnonzero(SOFT.slack > 1e-6)
    assert len(short) == 5
    for segment, i in zip(named(ax, "slack"), short, strict=True):
        start, end = segment.get_xydata()
        np.testing.assert_array_equal(start, X[i])
        assert np.linalg.norm(end - start) == pytest.approx(SOFT.slack[i] * SOFT.margin)
        assert Y[i] * (SOFT.theta @ [1, *end]) == pytest.approx(1)
    (rings,), (crosses,) = named(ax, "support"), named(ax, "wrong")
    np.testing.assert_array_equal(rings.get_xydata(), X[SOFT.support])
    np.testing.assert_array_equal(crosses.get_xydata(), X[[29]])
    assert [text.get_text() for text in ax.texts if "xi" in text.get_text()] == ["$\\xi = 1.84$"]


def test_without_slack_no_segment_is_drawn():
    for answer in (max_margin(X, Y), soft_margin(X, Y, 1000)):
        ax = plot_slack(X, Y, answer)
        assert not named(ax, "slack")
        assert len(named(ax, "wrong")[0].get_xydata()) == 0
        assert len(named(ax, "support")[0].get_xydata()) == 3


def test_without_offset_the_line_goes_through_the_origin():
    through = soft_margin(X, Y, 10, bias=False)
    for line, score in zip(named(plot_slack(X, Y, through), "margin"), (-1, 1), strict=True):
        np.testing.assert_allclose(line.get_xydata() @ through.w, score, atol=1e-9)


def test_without_a_line_the_figure_says_so():
    ax = plot_slack(*xor(), soft_margin(*xor(), 10))
    assert "no line" in [text.get_text() for text in ax.texts]
    assert not named(ax, "margin")
    assert not named(ax, "slack")


def test_one_panel_for_each_soft_margin():
    softs = {"C = 1": soft_margin(X, Y, 1), "C = 1000": soft_margin(X, Y, 1000)}
    axes = plot_soft_margins(X, Y, softs)
    assert [ax.texts[-1].get_text() for ax in axes] == list(softs)
    assert [len(named(ax, "slack")) for ax in axes] == [int((soft.slack > 1e-6).sum()) for soft in softs.values()]
    assert {(ax.get_xlim(), ax.get_ylim()) for ax in axes} == {(axes[0].get_xlim(), axes[0].get_ylim())}


@pytest.mark.parametrize("bias", [True, False])
def test_dual_variables_lie_on_the_stair(bias):
    soft = soft_margin(X, Y, 10, bias=bias)
    ax = plot_box(X, Y, soft, 10)
    (stair,) = named(ax, "stair")
    np.testing.assert_allclose(stair.get_ydata(), [1 / 3, 1 / 3, 0, 0])
    assert stair.get_xdata()[1:3].tolist() == [1, 1]
    dots = np.vstack([named(ax, text)[0].get_xydata() for text in ("class +1", "class −1")])
    assert len(dots) == 30
    m, alpha = dots.T
    np.testing.assert_allclose(alpha[m < 1 - 1e-6], 1 / 3, atol=1e-6)
    np.testing.assert_allclose(alpha[m > 1 + 1e-6], 0, atol=1e-6)


def test_curves_over_C():  # noqa: N802 - C is its name
    Cs = [0.1, 1, 10]
    ax = plot_over_C(Cs, {"one": [3, 2, 1], "two": [1, 2, 3], "three": [0, 0, 1]}, "errors")
    assert (ax.get_xscale(), ax.get_ylabel()) == ("log", "errors")
    for line, heights in zip(ax.lines, ([3, 2, 1], [1, 2, 3], [0, 0, 1]), strict=True):
        np.testing.assert_array_equal(line.get_xydata(), np.c_[Cs, heights])
    assert len({(line.get_marker(), line.get_linestyle()) for line in ax.lines}) == 3
    assert [text.get_text() for text in ax.get_legend().texts] == ["one", "two", "three"]


def test_given_axes_are_used():
    for draw in (
        lambda ax: plot_slack(X, Y, SOFT, ax=ax),
        lambda ax: plot_box(X, Y, SOFT, 10, ax=ax),
        lambda ax: plot_over_C([1, 2], {"a": [1, 2]}, "b", ax=ax),
    ):
        ax = mpl.figure.Figure().subplots()
        assert draw(ax) is ax


def test_what_does_not_fit_is_refused_in_words():
    with pytest.raises(ValueError, match=r"a Margin, as soft_margin\(X, y, C\) gives; it was given a list"):
        plot_slack(X, Y, [0, 1, 2])
    with pytest.raises(ValueError, match="it has 30, X has 29 rows"):
        plot_box(X[1:], Y[1:], SOFT, 10)
    with pytest.raises(ValueError, match="'a' must have a value for each of the 3 Cs"):
        plot_over_C([1, 2, 3], {"a": [1, 2]}, "errors")
    with pytest.raises(ValueError, match="at most three curves"):
        plot_over_C([1, 2], {name: [1, 2] for name in "abcd"}, "errors")
