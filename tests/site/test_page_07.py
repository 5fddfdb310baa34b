"""Chapter 07 on the built site: the lift and the self-test, used as a reader would."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from pla_lib import Hyperplane, disc_in_ring, max_margin

X, Y = disc_in_ring(80)  # as the chapter makes it
BEST = max_margin(np.c_[X, (X**2).sum(axis=1)], Y).theta


@pytest.fixture
def chapter(page: Page, site: str) -> Page:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{site}/lectures/07_features.html")
    return page


def widget(chapter: Page, number: int) -> Locator:
    """The chapter's widgets in their order: the lift, the self-test."""
    expect(chapter.locator(".pla-widget")).to_have_count(2)
    found = chapter.locator(".pla-widget").nth(number)
    found.scroll_into_view_if_needed()
    found.locator(".pla").wait_for()
    return found


def test_lift_shows_what_the_chapter_says_of_it(chapter):
    lift = widget(chapter, 0)
    expect(lift.locator(".pla-words")).to_contain_text("On the ground no line separates the classes.")
    radius = np.sqrt(-BEST[0] / BEST[3] + (BEST[1] ** 2 + BEST[2] ** 2) / 4 / BEST[3] ** 2)
    numbers = lift.locator(".pla-numbers strong")
    expect(numbers.first).to_have_text("0 of 80")
    expect(numbers.nth(2)).to_have_text(f"{radius:.2f}")
    lift.get_by_role("button", name="Lift").click()
    expect(lift.locator(".pla-words")).to_contain_text("the plane separates the classes")
    expect(lift.get_by_role("button", name="Put down")).to_be_visible()


def test_plane_moved_too_high_leaves_points_wrong_and_can_be_reset(chapter):
    lift = widget(chapter, 0)
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


def test_self_test_can_be_answered_right(chapter):
    asked = widget(chapter, 1)
    right = ("In the weights", "None", "Nothing yet", "The examples it erred on", r"^\W*A?\W*x")
    for number, answer in enumerate(right, 1):
        question = asked.locator("fieldset:visible")
        expect(question.locator("legend")).to_contain_text(f"Question {number} of 5")
        question.get_by_role("button").filter(has_text=re.compile(answer)).first.click()
        expect(question.locator("[aria-live=polite]")).to_contain_text("✓ Right")
        if number < len(right):
            asked.get_by_role("button", name="Next").click()


def test_a_wrong_answer_says_why(chapter):
    asked = widget(chapter, 1)
    asked.locator("fieldset:visible").get_by_role("button", name=re.compile("In neither")).click()
    expect(asked.locator("fieldset:visible")).to_contain_text("for a fixed x it is b plus a sum")


def test_figures_stand_beside_their_captions(chapter):
    for name in ("ellipse", "xor", "after", "degree", "overfit", "gram", "hard"):
        figure = chapter.locator(f"figure#fig-feat-{name}")
        expect(figure.locator("img")).to_have_attribute("alt", re.compile("panels|curves|picture|images"))
        expect(figure.locator("figcaption")).to_contain_text("Figure 7.")


def test_definition_and_theorem_are_numbered_and_referred_to(chapter):
    expect(chapter.locator("#def-feature-map .admonition-title")).to_contain_text("(Feature map)")
    expect(chapter.locator("#thm-feat-kernel .admonition-title")).to_contain_text("(Same mistakes, without features)")
    assert chapter.locator("a[href='#equation-eq-feat-dual']").count() >= 4
