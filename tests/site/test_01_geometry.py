"""The hyperplane explorer and the playground in chapter 01, used as a reader would."""

import re

import numpy as np
from playwright.sync_api import Locator, expect

from pla_lib import Hyperplane
from tests.widgets.drawn import as_text

THETA, POINT = np.array([-1.2, 1.2, 1.6]), np.array([1.6, 1.2])  # as the explorer starts


def numbers(explorer: Locator) -> list[str]:
    """b, w, the norm of w, score, signed distance and foot, as they are shown."""
    return explorer.locator(".pla-numbers strong").all_inner_texts()


def test_two_sliders_move_the_line_and_the_third_only_its_numbers(widget):
    explorer = widget(0)
    line, distance, foot = explorer.locator(".pla-current-line"), numbers(explorer)[4], numbers(explorer)[5]
    first = line.get_attribute("d")
    explorer.get_by_role("slider", name="Length of w").fill("100")
    expect(explorer.locator(".pla-words")).to_contain_text("the line stayed, the score did not")
    shown = numbers(explorer)
    assert shown[4:] == [distance, foot]
    assert shown[3] == "+" + as_text(Hyperplane.from_theta(1.5 * THETA).score(POINT))
    assert line.get_attribute("d") == first
    explorer.get_by_role("slider", name="Turn").fill("10")
    turned = line.get_attribute("d")
    explorer.get_by_role("slider", name="Shift").fill("20")
    assert len({first, turned, line.get_attribute("d")}) == 3


def test_point_is_dragged_across_the_line_and_w_across_its_border(widget):
    explorer = widget(0)
    expect(explorer.locator(".pla-words")).to_contain_text("w is on the positive side of the point's line")
    point = explorer.get_by_role("button", name="The point")
    point.focus()
    for _ in range(12):
        point.press("ArrowDown")
    expect(explorer.locator(".pla-words")).to_contain_text("on the negative side")
    expect(explorer.locator(".pla-words")).to_contain_text("w is on the negative side of the point's line")
    at = re.findall(r"[-\d.]+", point.get_attribute("aria-label").replace("−", "-"))
    x = np.array(at, float)
    line = Hyperplane.from_theta(THETA)
    assert x[1] < POINT[1]
    assert numbers(explorer)[3:5] == [as_text(line.score(x)), as_text(line.distance(x, signed=True))]


def test_playground_says_whether_a_line_can_separate(widget):
    play = widget(1)
    expect(play.locator(".pla").get_by_text("These points can be separated.")).to_be_visible()
    play.get_by_role("combobox", name="Points").select_option("XOR")
    expect(play.locator(".pla").get_by_text("No line separates these points:")).to_be_visible()
    play.get_by_role("combobox", name="Points").select_option("separable")
    expect(play.locator(".pla").get_by_text("These points can be separated.")).to_be_visible()
