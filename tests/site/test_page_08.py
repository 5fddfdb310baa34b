"""Chapter 08 on the built site: the stream at its opening and the self-test, used as a reader would."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import best_comparator, hinge_mistake_bound, label_noise, perceptron, with_margin

X, Y = label_noise(with_margin(80, margin=0.3, seed=1), 0.05, seed=2)  # as the chapter makes it
RUN = perceptron(X, Y, bias=False, max_epochs=1)


@pytest.fixture
def chapter(page: Page, site: str) -> Page:
    page.goto(f"{site}/lectures/08_online.html")
    return page


def started(widget):
    widget.scroll_into_view_if_needed()
    widget.locator(".pla").wait_for()
    return widget


@pytest.fixture
def stream(chapter: Page):
    return started(chapter.locator(".pla-widget").first)


@pytest.fixture
def asked(chapter: Page):
    return started(chapter.locator(".pla-widget").last)


def said(number: float) -> str:
    return f"{number:.3g}" if number < 100 else f"{number:.0f}"


def test_stream_is_seen_mistake_by_mistake(stream):
    for m, t in enumerate(RUN.times + 1, start=1):
        stream.get_by_role("button", name="Next mistake").click()
        expect(stream.get_by_role("slider", name="Round")).to_have_value(str(t))
        expect(stream.locator(".pla-words")).to_contain_text(re.compile(rf"Round {t}: .*a mistake\. {m} mistakes? so"))
    stream.get_by_role("button", name="Back").click()
    expect(stream.get_by_role("slider", name="Round")).to_have_value(str(RUN.times[-1]))


def test_best_comparator_promises_what_the_chapter_says(stream):
    stream.get_by_role("slider", name="Round").press("End")
    best = best_comparator(X, Y)
    expect(stream.locator(".pla-numbers strong").nth(0)).to_have_text(str(len(RUN.mistakes)))
    expect(stream.locator(".pla-numbers strong").nth(2)).to_have_text(f"≤ {said(hinge_mistake_bound(RUN, best))}")
    yours = stream.locator(".pla-numbers strong").nth(1)
    radius = np.linalg.norm(X, axis=1).max()
    expect(yours).to_have_text(f"≤ {said(hinge_mistake_bound(RUN, [1 / radius, 0]))}")
    stream.get_by_role("button", name="Best w*").click()
    expect(yours).to_have_text(f"≤ {said(hinge_mistake_bound(RUN, best))}")


def test_zero_promises_the_rounds_and_names_the_tautology(stream):
    stream.get_by_role("slider", name="Round").press("End")
    stream.get_by_role("slider", name="w* length").press("Home")
    expect(stream.locator(".pla-numbers strong").nth(1)).to_have_text("≤ 80")
    expect(stream.locator(".pla-words")).to_contain_text(re.compile(r"over mistake rounds only: 11, a\stautology"))


def test_self_test_can_be_answered_right(asked):
    right = ("There is a last", "contradict it", "Below stands", "Exactly the number", "length and loss")
    for number, answer in enumerate(right, 1):
        expect(asked).to_contain_text(f"Question {number} of 5")
        asked.locator("fieldset:visible").get_by_role("button", name=re.compile(answer)).click()
        expect(asked.locator("fieldset:visible")).to_contain_text("Right")
        if number < len(right):
            asked.get_by_role("button", name="Next").click()


def test_a_wrong_answer_says_why(asked):
    asked.get_by_role("button", name=re.compile("The weights change for ever")).click()
    expect(asked).to_contain_text("they change on mistakes only")


def test_theorems_are_numbered_and_their_equations_referred_to(chapter):
    for label, title in (("thm-online-bound", "separable streams"), ("thm-hinge-bound", "Hinge bound")):
        expect(chapter.locator(f"#{label} .admonition-title")).to_contain_text(title)
    expect(chapter.locator("#thm-online-path .admonition-title")).to_contain_text("soft-margin path")
    for label in ("eq-online-separable", "eq-online-norm", "eq-online-all", "eq-online-c"):
        assert chapter.locator(f"a[href='#equation-{label}']").count() >= 2
