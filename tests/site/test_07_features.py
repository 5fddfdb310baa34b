"""The feature lift in chapter 07, used as a reader would."""

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pla_lib import Hyperplane, disc_in_ring, max_margin
from tests.widgets.gestures import step

X, Y = disc_in_ring(80)  # as the chapter makes it
BEST = max_margin(np.c_[X, (X**2).sum(axis=1)], Y).theta


@pytest.fixture
def lift(widget) -> Locator:
    return widget(0)


def test_lift_shows_what_the_chapter_says_of_it(lift):
    words, numbers = lift.locator(".pla-words"), lift.locator(".pla-numbers strong")
    expect(words).to_have_text("On the ground, no line separates the classes.")
    step(lift)
    expect(words).to_contain_text("Each point is now at height x₃ = x₁² + x₂²")
    step(lift)
    expect(words).to_contain_text("The plane separates the classes")
    expect(numbers.first).to_have_text("0 of 80")
    step(lift)
    radius = np.sqrt(-BEST[0] / BEST[3] + (BEST[1] ** 2 + BEST[2] ** 2) / 4 / BEST[3] ** 2)
    expect(words).to_contain_text("The cut’s shadow, the circle around")
    expect(words).to_contain_text("separates the classes.")
    expect(numbers.nth(2)).to_have_text(f"{radius:.2f}")
    step(lift, "First")
    expect(words).to_have_text("On the ground, no line separates the classes.")


def test_plane_moved_too_high_leaves_points_wrong_and_can_be_reset(lift):
    lift.get_by_role("tab", name="Plane").click()
    height = lift.get_by_role("slider", name="Height")
    height.focus()
    height.press("End")
    high = float(height.input_value())
    slopes = -BEST[1:3] / BEST[3]
    plane = Hyperplane([*-slopes, 1], -high)
    wrong = (Y * plane.score(np.c_[X, (X**2).sum(axis=1)]) <= 0).sum()
    assert wrong > 0
    expect(lift.locator(".pla-chip")).to_have_text(f"{wrong} wrong")
    expect(lift.locator(".pla-numbers strong").first).to_have_text(f"{wrong} of 80")
    step(lift, "Reset plane")
    expect(lift.locator(".pla-numbers strong").first).to_have_text("0 of 80")
