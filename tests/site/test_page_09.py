"""Chapter 09 on the built site: its widget and its self-test, used as a reader would, with no kernel."""

import re

import nbformat
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import averaged, blobs, label_noise, perceptron, voted
from tests import ROOT
from tests.widgets.drawn import is_line, plane

TRAIN, TEST = label_noise(blobs(60, gap=0.1, seed=2), 0.1, seed=1), blobs(200, gap=0.1, seed=9)  # as the chapter has
RUN = perceptron(*TRAIN, order="random", max_epochs=6, seed=2)


@pytest.fixture
def chapter(page: Page, site: str) -> Page:
    page.goto(f"{site}/lectures/09_voting.html")
    return page


@pytest.fixture
def three(chapter: Page):
    widget = chapter.locator(".pla-widget").first
    widget.scroll_into_view_if_needed()
    widget.locator(".pla").wait_for()
    return widget


def questions() -> list:
    """What the chapter gives to `quiz`."""
    notebook, given = nbformat.read(ROOT / "lectures" / "09_voting.ipynb", 4), []
    (cell,) = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.startswith("quiz(")]
    exec(cell.source, {"quiz": lambda asked: given.append(asked)})
    return list(given[0].items())


def wrong(theta) -> int:
    return int((np.where(theta[0] + TEST.X @ theta[1:] > 0, 1, -1) != TEST.y).sum())


def test_the_end_of_the_run_is_the_one_the_text_speaks_of(chapter, three):
    three.get_by_role("button", name="Last").click()
    expect(three.get_by_role("slider")).to_have_value("360")
    counts = wrong(RUN.theta), wrong(averaged(RUN)), int((voted(RUN, TEST.X) != TEST.y).sum())
    assert counts[0] == 44
    assert counts[2] == 14
    words = three.locator(".pla-words")
    expect(words).to_contain_text("Visit 360, the last")
    expect(words).to_contain_text(
        "Wrong of 200 test points: last\u00a0{}, averaged\u00a0{}, voted\u00a0{}.".format(*counts)
    )
    data = three.locator("svg:has(.pla-ring)")
    to_data = plane(chapter, *TRAIN)
    assert is_line(to_data, data.locator(".pla-last").get_attribute("d"), RUN.theta)
    assert is_line(to_data, data.locator(".pla-averaged").get_attribute("d"), averaged(RUN))


def test_next_mistake_goes_from_mistake_to_mistake_and_layers_can_be_hidden(three):
    for time in RUN.times[:4]:
        three.get_by_role("button", name="Next mistake").click()
        expect(three.get_by_role("slider")).to_have_value(str(time + 1))
        expect(three.locator(".pla-words")).to_contain_text("a mistake")
    three.get_by_role("button", name="Back").click()
    expect(three.get_by_role("slider")).to_have_value(str(RUN.times[3]))
    three.get_by_role("checkbox", name="voted").click()
    expect(three.locator(".pla-curve.pla-voted")).to_be_hidden()


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
        place.get_by_role("button", name="Next →").click(force=True)
    expect(place.get_by_role("status")).to_contain_text("5 of 5 right at first try")


def test_definition_theorem_and_equations_are_numbered_and_referred_to(chapter):
    expect(chapter.locator("#def-voted .admonition-title")).to_contain_text("(Voted perceptron)")
    expect(chapter.locator("#thm-vote .admonition-title")).to_contain_text("(One pass, one vote)")
    assert chapter.locator("a[href='#equation-eq-vote-equal']").count() >= 3
