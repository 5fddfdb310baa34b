"""The stream explorer in chapter 08, used as a reader would."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pla_lib import best_comparator, hinge_mistake_bound, label_noise, perceptron, with_margin
from tests.widgets.drawn import as_text
from tests.widgets.gestures import step

X, Y = label_noise(with_margin(80, margin=0.3, seed=1), 0.05, seed=2)  # as the chapter makes it
RUN = perceptron(X, Y, bias=False, max_epochs=1)


@pytest.fixture
def stream(widget) -> Locator:
    return widget(0)


def test_stream_is_seen_mistake_by_mistake(stream):
    for t in RUN.times + 1:
        step(stream, "Next mistake")
        expect(stream.get_by_role("slider", name="Round")).to_have_value(str(t))
        if t < len(Y):
            expect(stream.locator(".pla-chip")).to_have_text("Mistake")
            end = "so w changes" if t == 1 else "The line moves"  # in the first round w is still 0
            expect(stream.locator(".pla-words")).to_contain_text(re.compile(rf"^Round {t}: .*{end}\.$"))
            expect(stream.locator(".pla-why")).to_contain_text("so the update ")
    step(stream, "Back")
    expect(stream.get_by_role("slider", name="Round")).to_have_value(str(RUN.times[-1]))


def test_best_comparator_promises_what_the_chapter_says(stream):
    stream.get_by_role("slider", name="Round").press("End")
    best = best_comparator(X, Y)
    expect(stream.locator(".pla-numbers strong").nth(0)).to_have_text(str(len(RUN.mistakes)))
    expect(stream.locator(".pla-numbers strong").nth(2)).to_have_text(f"≤ {as_text(hinge_mistake_bound(RUN, best))}")
    yours = stream.locator(".pla-numbers strong").nth(1)
    radius = np.linalg.norm(X, axis=1).max()
    expect(yours).to_have_text(f"≤ {as_text(hinge_mistake_bound(RUN, [1 / radius, 0]))}")
    stream.get_by_role("tab", name="w*").click()
    step(stream, "Best w*")
    expect(yours).to_have_text(f"≤ {as_text(hinge_mistake_bound(RUN, best))}")


def test_zero_promises_the_rounds_and_says_that_it_tells_nothing(stream):
    stream.get_by_role("slider", name="Round").press("End")
    stream.get_by_role("tab", name="w*").click()
    stream.get_by_role("slider", name="w* length").press("Home")
    expect(stream.locator(".pla-numbers strong").nth(1)).to_have_text("≤ 80")
    expect(stream.locator(".pla-why")).to_contain_text(
        "it is the number of mistakes itself, 11, which tells you nothing"
    )
