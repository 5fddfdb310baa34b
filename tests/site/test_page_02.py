"""The widgets of chapter 02 on its own page, with no kernel."""

import pytest
from playwright.sync_api import Page, expect

from pla_lib import blobs, perceptron, semicircles

RUN = perceptron(*blobs(20, seed=3))
CIRCLE = perceptron(*semicircles(12, seed=3), bias=False)


@pytest.fixture
def widgets(page: Page, site: str):
    """The stepper, the stepper without offset, the playground and the quiz."""
    page.goto(f"{site}/lectures/02_pla.html")
    for place in page.locator(".pla-widget").all():
        place.scroll_into_view_if_needed()
        place.locator(".pla").wait_for()
    return page.locator(".pla").all()


def test_steppers_go_through_the_chapters_runs(widgets):
    for stepper, run in zip(widgets, (RUN, CIRCLE), strict=False):
        numbers = stepper.locator(".pla-numbers strong")
        for made in range(1, len(run.mistakes) + 1):
            stepper.get_by_role("button", name="Next mistake").click()
            expect(numbers.nth(1)).to_have_text(f"{run.times[made - 1] + 1} of {len(run.visits)}")
            expect(numbers.nth(2)).to_have_text(str(made))
        stepper.get_by_role("button", name="Last").click()
        expect(stepper.locator(".pla-words")).to_contain_text(f"all {len(run.y)} points count as right")


def test_playground_says_why_xor_cannot_be_separated(widgets):
    playground = widgets[2]
    playground.get_by_role("combobox", name="Points").select_option("XOR")
    expect(playground.locator(".pla-note")).to_contain_text("crosses the one between")


def test_quiz_explains(widgets):
    quiz = widgets[3]
    quiz.get_by_role("button", name="At every visit").click()
    expect(quiz).to_contain_text("a visit to an example that is right changes nothing")
