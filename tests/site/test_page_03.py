"""The widgets on the page of chapter 03, with no kernel: the loss landscape, and the self-test."""

import re

import nbformat
import pytest
from playwright.sync_api import Page, expect

from pla_lib import hinge_loss, perceptron, perceptron_loss, with_margin, zero_one_loss
from tests import ROOT

RUN = perceptron(*with_margin(20, 2, margin=0.45, radius=3, seed=0), bias=False)  # as the chapter makes it
LOSSES = {"Counting": zero_one_loss, "Perceptron": perceptron_loss, "Hinge": hinge_loss}


@pytest.fixture
def chapter(page: Page, site: str) -> Page:
    page.goto(f"{site}/lectures/03_gradient.html")
    return page


def questions() -> list:
    """What the chapter's last code cell gives to `quiz`."""
    notebook, given = nbformat.read(ROOT / "lectures" / "03_gradient.ipynb", 4), []
    (cell,) = [cell for cell in notebook.cells if cell.cell_type == "code" and "quiz(" in cell.source]
    source = cell.source.replace("from pla_lib import quiz", "")
    exec(source, {"quiz": lambda asked: given.append(asked)})
    return list(given[0].items())


def test_the_run_is_followed_across_each_of_the_three_losses(chapter):
    land = chapter.locator(".pla-loss-landscape")
    land.scroll_into_view_if_needed()
    numbers = land.locator(".pla-numbers strong")
    for name, loss in LOSSES.items():
        land.get_by_role("button", name=name, exact=True).click()
        expect(land.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
        land.get_by_role("button", name="First").click(force=True)
        for k, theta in enumerate(RUN.thetas):
            value = float(loss(theta, RUN.X, RUN.y))
            expect(numbers.nth(0)).to_have_text(f"{k} of 6")
            expect(numbers.nth(2)).to_have_text(f"{value:.3g}")
            if k < 6:
                land.get_by_role("button", name="Next").click()
    expect(land.locator(".pla-words")).to_contain_text("The run is over: all points are right.")


def test_at_the_start_the_perceptron_loss_is_zero_and_all_points_are_mistakes(chapter):
    land = chapter.locator(".pla-loss-landscape")
    land.scroll_into_view_if_needed()
    for name, said in (("Perceptron", "0"), ("Counting", "20"), ("Hinge", "20")):
        land.get_by_role("button", name=name, exact=True).click()
        expect(land.locator(".pla-words")).to_contain_text(f"summed over all 20 points, is {said}.")


def test_every_question_has_a_right_answer_that_explains_itself(chapter):
    asked = questions()
    assert len(asked) == 5
    place = chapter.locator(".pla", has=chapter.locator("fieldset"))
    chapter.locator("#self-test").scroll_into_view_if_needed()
    for number, (_, options) in enumerate(asked, 1):
        right = [why.startswith("Right") for why in options.values()].index(True)
        shown = place.locator("fieldset:visible")
        expect(shown.locator("legend")).to_contain_text(f"Question {number} of 5")
        shown.get_by_role("button").nth(right).click()
        expect(shown.locator("[aria-live=polite]")).to_contain_text(re.compile("Right: "))
        place.get_by_role("button", name="Next").click(force=True)
    expect(place.get_by_role("status")).to_contain_text("5 of 5 right at first try")
