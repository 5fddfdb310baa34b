"""The hyperplane explorer and the playground in chapter 01, used as a reader would."""

import re

import numpy as np
from playwright.sync_api import Locator, expect

from pla_lib import Hyperplane
from tests.widgets.drawn import as_text
from tests.widgets.gestures import choose_points

THETA, POINT = np.array([-1.2, 1.2, 1.6]), np.array([1.6, 1.2])  # as the explorer starts
# The side of the point's line that w is on, in the picture of weight space.
SIDE_OF_W = """(space) => {
    const { e, f } = space.querySelector(".pla-handle").transform.baseVal.consolidate().matrix;
    const isOn = (name) => space.querySelector(`.pla-${name}-side`).isPointInFill(new DOMPoint(e, f));
    return ["positive", "negative"].filter(isOn);
}"""


def numbers(explorer: Locator) -> list[str]:
    """Score, signed distance, foot, b, w and the norm of w, as they are shown."""
    return explorer.locator(".pla-numbers strong").all_text_contents()


def test_two_sliders_move_the_line_and_the_third_only_its_numbers(widget):
    explorer = widget(0)
    line, (_, *kept) = explorer.locator(".pla-current-line"), numbers(explorer)[:3]
    first = line.get_attribute("d")
    explorer.get_by_role("tab", name="Sliders").click()
    explorer.get_by_role("slider", name="Length of w").fill("100")
    expect(explorer.locator(".pla-words")).to_contain_text("w and b were scaled together, so the line did not move.")
    shown = numbers(explorer)
    assert shown[1:3] == kept
    assert shown[0] == as_text(Hyperplane.from_theta(2 * THETA).score(POINT), sign=True)
    assert line.get_attribute("d") == first
    explorer.get_by_role("slider", name="Turn w").fill("10")
    turned = line.get_attribute("d")
    explorer.get_by_role("slider", name="Shift the line").fill("20")
    assert len({first, turned, line.get_attribute("d")}) == 3


def test_point_is_dragged_across_the_line_and_w_across_its_border(widget):
    explorer = widget(0)
    weight_space = explorer.locator(".pla-picture").nth(1)
    expect(explorer.locator(".pla-words")).to_contain_text("on the positive side")
    assert weight_space.evaluate(SIDE_OF_W) == ["positive"]
    point = explorer.get_by_role("button", name="The point")
    point.focus()
    for _ in range(16):
        point.press("ArrowDown")
    expect(explorer.locator(".pla-words")).to_contain_text("on the negative side")
    assert weight_space.evaluate(SIDE_OF_W) == ["negative"]
    at = re.findall(r"-?[\d.]+", point.get_attribute("aria-label").replace("−", "-").partition(")")[0])
    x = np.array(at, float)
    line = Hyperplane.from_theta(THETA)
    assert x[1] < POINT[1]
    assert numbers(explorer)[:2] == [as_text(line.score(x)), as_text(line.distance(x, signed=True))]


def test_playground_says_whether_a_line_can_separate(widget):
    play = widget(1)
    words = play.locator(".pla-words")
    expect(words).to_contain_text("A line can separate these")
    choose_points(play, "XOR")
    expect(words).to_contain_text("No line separates these points:")
    choose_points(play, "separable")
    expect(words).to_contain_text("A line can separate these")
