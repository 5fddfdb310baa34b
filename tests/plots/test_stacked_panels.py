"""The form of a figure for phones."""

import pytest
from stacked_panels import WIDTH, stack

from pla_lib import blobs, max_margin
from pla_lib.plots import plot_digits, plot_margins, plot_points
from pla_lib.plots.style import panels


def places(axes) -> list[tuple[int, int]]:
    """Row and column of each panel, counted from the top left."""
    corners = [(round(-box.y1, 2), round(box.x0, 2)) for box in (ax.get_position() for ax in axes)]
    tops, lefts = (sorted(set(each)) for each in zip(*corners, strict=True))
    return [(tops.index(top), lefts.index(left)) for top, left in corners]


def stacked(axes):
    stack(axes[0].figure)
    axes[0].figure.draw_without_rendering()
    return axes


def test_panels_side_by_side_go_below_each_other():
    axes = stacked(panels(3, 9, 3))
    assert places(axes) == [(0, 0), (1, 0), (2, 0)]
    assert axes[0].figure.get_figwidth() == WIDTH


def test_small_panels_share_a_row():
    axes = plot_digits([[0] * 64] * 6, range(6))
    assert places(stacked(axes)) == [(row, column) for row in (0, 1) for column in (0, 1, 2)]


def test_a_panel_below_another_has_its_own_scale():
    X, y = blobs()
    axes = plot_margins(X, y, {"one": max_margin(X, y).hyperplane, "two": max_margin(X, y).hyperplane})
    assert axes[1].get_ylabel() == ""
    for ax in stacked(axes):
        assert ax.get_ylabel() == "$x_2$"
        assert any(label.get_visible() and label.get_text() for label in ax.get_yticklabels())


@pytest.mark.parametrize("size", [6, 14])
def test_small_text_grows_and_large_text_stays(size):
    ax = plot_points([[0, 0], [1, 1]], [-1, +1])
    text = ax.text(0, 0, "words", fontsize=size)
    stacked([ax])
    assert text.get_fontsize() == max(size, 10)
