"""The margin explorer in chapter 05, used as a reader would."""

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pla_lib import Hyperplane, blobs, max_margin, perceptron
from tests.widgets.drawn import as_text, drawn, plane, ringed, same_line, same_points

X, Y = blobs(20, seed=20)  # as the chapter makes them
START, WIDEST = perceptron(X, Y).hyperplane, max_margin(X, Y)


@pytest.fixture
def explorer(widget) -> Locator:
    return widget(0)


def shown(explorer: Locator) -> list[str]:
    """The margin, its share of the widest, the best share so far and theta, as they are shown."""
    return explorer.locator(".pla-numbers strong").all_inner_texts()


def test_explorer_starts_with_the_perceptrons_line(chapter, explorer):
    margin = START.margin(X, Y)
    assert shown(explorer)[:2] == [as_text(margin), f"{as_text(100 * margin / WIDEST.margin)}\u00a0%"]
    assert same_line(plane(chapter, X, Y)(drawn(chapter, ".pla-current-line")), START.theta)


def test_a_shift_towards_the_squares_widens_the_margin(explorer):
    before = float(shown(explorer)[0])
    expect(explorer.locator(".pla-words")).to_contain_text("Shift the line towards class\u00a0−1 to widen it.")
    slider = explorer.get_by_role("slider", name="Shift")
    slider.focus()
    for _ in range(12):
        slider.press("ArrowLeft")
    assert float(shown(explorer)[0]) > before
    explorer.get_by_role("button", name="Start again").click()
    expect(explorer.locator(".pla-numbers strong").first).to_have_text(as_text(before))


def test_a_line_turned_too_far_does_not_separate(explorer):
    explorer.get_by_role("slider", name="Turn").fill("120")
    expect(explorer.locator(".pla-words")).to_contain_text("This line does not separate")
    assert shown(explorer)[0].startswith("−")


def test_widest_line_is_shown_with_its_support_vectors(chapter, explorer):
    explorer.get_by_role("button", name="Show the widest").click()
    expect(explorer.locator(".pla-words")).to_contain_text(f"The widest margin is {as_text(WIDEST.margin)}.")
    expect(explorer.locator(".pla-words")).to_contain_text("Dashed rings mark its 3 support vectors.")
    expect(explorer.locator(".pla-widest")).to_have_css("opacity", "0.6")
    data = plane(chapter, X, Y)
    assert same_points(data(ringed(chapter, ".pla-widest .pla-ring")), X[WIDEST.support])
    assert same_line(data(drawn(chapter, ".pla-widest .pla-line >> nth=0")), WIDEST.theta)
    edges = data(drawn(chapter, ".pla-widest .pla-dashed"))
    line = Hyperplane.from_theta(WIDEST.theta)
    assert np.allclose(np.sort(line.score(edges)), [-1, -1, 1, 1], atol=0.02)
