"""The margin explorer in chapter 05, used as a reader would."""

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pla_lib import Hyperplane, blobs, max_margin, perceptron
from tests.widgets.drawn import as_text, drawn, plane, ringed, same_line, same_points
from tests.widgets.gestures import step

X, Y = blobs(20, seed=20)  # as the chapter makes them
START, WIDEST = perceptron(X, Y).hyperplane, max_margin(X, Y)


@pytest.fixture
def explorer(widget) -> Locator:
    return widget(0)


def shown(explorer: Locator) -> list[str]:
    """The margin, its share of the widest, and the best share so far, as they are shown."""
    return explorer.locator(".pla-numbers strong").all_text_contents()[:3]


def test_explorer_starts_with_the_perceptrons_line(explorer):
    margin = START.margin(X, Y)
    assert shown(explorer)[:2] == [as_text(margin), f"{as_text(100 * margin / WIDEST.margin)}%"]
    assert same_line(plane(explorer, X)(drawn(explorer, ".pla-current-line")), START.theta)


def test_a_shift_towards_the_squares_widens_the_margin(explorer):
    before = float(shown(explorer)[0])
    expect(explorer.locator(".pla-why")).to_contain_text("Shift towards class −1.")
    explorer.get_by_role("tab", name="Sliders").click()
    slider = explorer.get_by_role("slider", name="Shift")
    slider.focus()
    for _ in range(12):
        slider.press("ArrowLeft")
    assert float(shown(explorer)[0]) > before
    step(explorer, "Start again")
    expect(explorer.locator(".pla-numbers strong").first).to_have_text(as_text(before))


def test_a_line_turned_too_far_does_not_separate(explorer):
    explorer.get_by_role("tab", name="Sliders").click()
    explorer.get_by_role("slider", name="Turn").fill("120")
    expect(explorer.locator(".pla-chip")).to_have_text("Wrong")
    expect(explorer.locator(".pla-words")).to_contain_text("points are wrong")
    assert shown(explorer)[0].startswith("−")


def test_widest_line_is_shown_with_its_support_vectors(explorer):
    explorer.get_by_label("Show the widest").check()
    expect(explorer.locator(".pla-words")).to_contain_text(
        f"The widest is {as_text(WIDEST.margin)}, held by 3 support vectors"
    )
    expect(explorer.locator(".pla-words")).to_contain_text("held by 3 support vectors (dashed rings).")
    expect(explorer.locator(".pla-widest")).to_have_css("opacity", "0.6")
    data = plane(explorer, X)
    assert same_points(data(ringed(explorer, ".pla-widest .pla-ring")), X[WIDEST.support])
    assert same_line(data(drawn(explorer, ".pla-widest .pla-line >> nth=0")), WIDEST.theta)
    edges = data(drawn(explorer, ".pla-widest .pla-dashed"))
    line = Hyperplane.from_theta(WIDEST.theta)
    assert np.allclose(np.sort(line.score(edges)), [-1, -1, 1, 1], atol=0.02)


def test_next_leads_step_by_step_to_the_widest_line(explorer):
    margins = [START.margin(X, Y)]
    while explorer.locator(".pla-next").get_attribute("aria-disabled") == "false":
        step(explorer)
        margins.append(float(shown(explorer)[0]))
    assert len(margins) > 2
    assert margins == sorted(margins)
    expect(explorer.locator(".pla-chip")).to_have_text("Done")
    held = f"The 3 ringed support vectors hold the widest margin, {as_text(WIDEST.margin)}."
    distance = Y * Hyperplane.from_theta(WIDEST.theta * WIDEST.margin).score(X)
    distance[WIDEST.support] = np.inf  # one more point seems to touch the margin's edge, and does not
    near = f"Point {distance.argmin()} is {as_text(distance.min() - WIDEST.margin)} farther."
    expect(explorer.locator(".pla-words")).to_have_text(f"{held} {near}")
    assert same_line(plane(explorer, X)(drawn(explorer, ".pla-current-line")), WIDEST.theta)
