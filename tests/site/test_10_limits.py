"""The playground and the stepper with XOR in chapter 10, used as a reader would."""

import re

from playwright.sync_api import expect

from pla_lib import perceptron, xor
from tests.widgets.gestures import step

RUN = perceptron(*xor(), max_epochs=3)


def test_playground_opens_with_xor_and_its_certificate(widget):
    playground = widget(0)
    note = playground.locator(".pla-note")
    expect(note).to_contain_text("the segment from point 1 to 2 crosses the one from point 0 to 3")
    drawn = re.findall(r"-?[\d.]+", playground.locator(".pla-obstacle").get_attribute("d"))
    assert len(drawn) == 8  # the four ends of two segments
    for _ in range(8):
        step(playground, "Next mistake")
    expect(playground.locator(".pla-chip")).to_have_text("Mistake")
    expect(playground.locator(".pla-numbers strong").first).to_have_text("8")


def test_playground_finds_a_line_once_a_class_is_flipped_and_other_reasons(widget):
    playground = widget(0)
    note = playground.locator(".pla-note")
    playground.get_by_role("button", name=re.compile(r"^Point\s0,")).press("f")
    expect(note).to_contain_text("A line can separate these 4 points.")
    expect(playground.locator(".pla-obstacle")).to_have_attribute("d", "")
    # (1.5, 1.5), the only square left, moves into the triangle of the discs.
    for _ in range(60):
        if "triangle" in note.text_content():
            break
        for key in ("ArrowLeft", "ArrowDown"):
            playground.get_by_role("button", name=re.compile(r"^Point\s3,")).press(key)
    expect(note).to_contain_text("point 3 lies in the triangle of points")


def test_stepper_comes_back_to_zero_after_every_epoch(widget):
    stepper = widget(1)
    numbers = stepper.locator(".pla-numbers strong")
    for made in range(1, len(RUN.mistakes) + 1):
        step(stepper, "Next mistake")
        expect(numbers.nth(2)).to_have_text(str(made))
        if made % 4 == 0:
            expect(numbers.nth(3)).to_have_text("(0, 0, 0)")
    expect(stepper.locator(".pla-chip")).to_have_text("Stopped")
    expect(stepper.locator(".pla-words")).to_contain_text("12 mistakes in 3 epochs, and 4 points are still not right.")
