"""Chapter 04 on the built site: its two widgets, used as a reader would."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import blobs, ledger, perceptron
from tests.widgets.drawn import is_line, plane, said

DATA = blobs(12, gap=0.8, seed=5)  # as the chapter makes it
X, Y, THETA = DATA.X.round(1), DATA.y, np.array([-8, 3, 2])
RUN = perceptron(X, Y)
BOOK = ledger(RUN, THETA)


@pytest.fixture
def chapter(page: Page, site: str) -> Page:
    page.goto(f"{site}/lectures/04_convergence.html")
    return page


@pytest.fixture
def proof(chapter: Page):
    widget = chapter.locator(".pla-widget").first
    widget.scroll_into_view_if_needed()
    widget.locator(".pla").wait_for()
    return widget


def test_ledger_steps_through_the_run_of_the_chapter(chapter, proof):
    length = np.linalg.norm(THETA)
    for m in range(1, len(RUN.mistakes) + 1):
        proof.get_by_role("button", name="Next").click()
        expect(proof.get_by_role("slider")).to_have_value(str(m))
        numbers = BOOK.floor[m] / length, BOOK.progress[m] / length, np.sqrt(BOOK.norm2[m]), np.sqrt(BOOK.ceiling2[m])
        row = proof.locator(".pla-ledger tbody tr").last
        assert row.evaluate("r => [...r.cells].map(c => c.innerText)") == [str(m), *map(said, numbers)]
    expect(proof.locator(".pla-words")).to_contain_text("The run is over: all 12 points count as right.")
    expect(proof.locator(".pla-words")).to_contain_text("The proof allows 175 updates.")
    assert is_line(plane(chapter, X, Y), proof.locator(".pla-now").get_attribute("d"), RUN.theta)
    proof.get_by_role("button", name="Back").click()
    expect(proof.get_by_role("slider")).to_have_value(str(len(RUN.mistakes) - 1))


def test_ledger_shows_where_floor_and_ceiling_meet(proof):
    expect(proof.locator(".pla-meets")).to_be_hidden()
    proof.get_by_role("checkbox", name="As far as the bound").click()
    expect(proof.locator(".pla-meets")).to_be_visible()
    expect(proof.get_by_text("at most 175", exact=True)).to_be_visible()


def test_self_test_can_be_answered_right(chapter):
    asked = chapter.locator(".pla-widget").last
    asked.scroll_into_view_if_needed()
    asked.locator(".pla").wait_for()
    right = ("In the norm", "stays the same", "the same mistakes", "Every separator", "Its score was zero")
    for number, answer in enumerate(right, 1):
        expect(asked).to_contain_text(f"Question {number} of 5")
        asked.locator("fieldset:visible").get_by_role("button", name=re.compile(answer)).click()
        expect(asked.locator("fieldset:visible")).to_contain_text("Right")
        if number < len(right):
            asked.get_by_role("button", name="Next").click()


def test_a_wrong_answer_says_why(chapter):
    asked = chapter.locator(".pla-widget").last
    asked.scroll_into_view_if_needed()
    asked.locator(".pla").wait_for()
    asked.get_by_role("button", name=re.compile("In the progress")).click()
    expect(asked).to_contain_text("mistake or not.")


def test_theorem_and_its_inequalities_are_numbered_and_referred_to(chapter):
    expect(chapter.locator("#thm-novikoff .admonition-title")).to_contain_text("(Novikoff)")
    for label in ("eq-bound", "eq-progress", "eq-norm"):
        assert chapter.locator(f"a[href='#equation-{label}']").count() >= 2
