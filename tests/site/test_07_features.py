"""The feature lift in chapter 07, used as a reader would."""

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pla_lib import Hyperplane, disc_in_ring, max_margin

X, Y = disc_in_ring(80)  # as the chapter makes it
BEST = max_margin(np.c_[X, (X**2).sum(axis=1)], Y).theta


@pytest.fixture(autouse=True)
def no_motion(page):
    """Before the page is opened: the widget asks once, when it starts."""
    page.emulate_media(reduced_motion="reduce")


@pytest.fixture
def lift(widget) -> Locator:
    return widget(0)


def test_lift_shows_what_the_chapter_says_of_it(lift):
    expect(lift.locator(".pla-words")).to_contain_text("On the ground no line separates the classes.")
    radius = np.sqrt(-BEST[0] / BEST[3] + (BEST[1] ** 2 + BEST[2] ** 2) / 4 / BEST[3] ** 2)
    numbers = lift.locator(".pla-numbers strong")
    expect(numbers.first).to_have_text("0 of 80")
    expect(numbers.nth(2)).to_have_text(f"{radius:.2f}")
    lift.get_by_role("button", name="Lift").click()
    expect(lift.locator(".pla-words")).to_contain_text("the plane separates the classes")
    expect(lift.get_by_role("button", name="Put down")).to_be_visible()


def test_plane_moved_too_high_leaves_points_wrong_and_can_be_reset(lift):
    lift.get_by_role("button", name="Lift").click()
    height = lift.get_by_role("slider", name="Plane’s height")
    height.focus()
    height.press("End")
    high = float(height.input_value())
    slopes = -BEST[1:3] / BEST[3]
    plane = Hyperplane([*-slopes, 1], -high)
    wrong = (Y * plane.score(np.c_[X, (X**2).sum(axis=1)]) <= 0).sum()
    assert wrong > 0
    expect(lift.locator(".pla-numbers strong").first).to_have_text(f"{wrong} of 80")
    lift.get_by_role("button", name="Reset plane").click()
    expect(lift.locator(".pla-numbers strong").first).to_have_text("0 of 80")
