"""The steppers and the playground in chapter 02, used as a reader would."""

from playwright.sync_api import expect

from pla_lib import blobs, perceptron, semicircles
from tests.widgets.gestures import choose_points, step

RUN = perceptron(*blobs(20, seed=3))
CIRCLE = perceptron(*semicircles(12, seed=3), bias=False)


def test_steppers_go_through_the_chapters_runs(widget):
    for number, run in enumerate((RUN, CIRCLE)):
        stepper = widget(number)
        numbers = stepper.locator(".pla-numbers strong")
        for made in range(1, len(run.mistakes) + 1):
            step(stepper, "Next mistake")
            expect(numbers.nth(1)).to_have_text(f"{run.times[made - 1] + 1} of {len(run.visits)}")
            expect(numbers.nth(2)).to_have_text(str(made))
        stepper.get_by_role("slider", name="Visit").press("End")
        expect(stepper.locator(".pla-chip")).to_have_text("Done")
        expect(stepper.locator(".pla-words")).to_contain_text(f"all {len(run.y)} points count as right")


def test_playground_says_why_xor_cannot_be_separated(widget):
    playground = widget(2)
    choose_points(playground, "XOR")
    expect(playground.locator(".pla-note")).to_contain_text("crosses the one from")
