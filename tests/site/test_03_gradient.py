"""The loss landscape in chapter 03, used as a reader would."""

from playwright.sync_api import expect

from pla_lib import hinge_loss, perceptron, perceptron_loss, with_margin, zero_one_loss
from tests.widgets.gestures import step

RUN = perceptron(*with_margin(20, 2, margin=0.45, radius=3, seed=0), bias=False)  # as the chapter makes it
LOSSES = {"Counting": zero_one_loss, "Perceptron": perceptron_loss, "Hinge": hinge_loss}


def test_the_run_is_followed_across_each_of_the_three_losses(widget):
    land = widget(0)
    numbers = land.locator(".pla-numbers strong")
    for name, loss in LOSSES.items():
        land.get_by_role("button", name=name, exact=True).click()
        expect(land.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
        land.get_by_role("button", name="First").click(force=True)  # where it is the first step, it does nothing
        for k, theta in enumerate(RUN.thetas):
            value = float(loss(theta, RUN.X, RUN.y))
            expect(numbers.nth(0)).to_have_text(f"{k} of 6")
            expect(numbers.nth(2)).to_have_text(f"{value:.3g}")
            if k < 6:
                step(land)
        expect(land.locator(".pla-chip")).to_have_text("Done")
        expect(land.locator(".pla-words")).to_contain_text("6 updates, and all 20 points count as right.")


def test_at_the_start_the_perceptron_loss_is_zero_and_all_points_are_mistakes(widget):
    land = widget(0)
    for name, told in (
        ("Perceptron", "the loss, summed over all 20 points, is 0, but no point is right."),
        ("Counting", "there is no line, and 20 of 20 points count as wrong."),
        ("Hinge", "there is no line, and each point costs 1. Summed over all 20 points, that is 20."),
    ):
        land.get_by_role("button", name=name, exact=True).click()
        expect(land.locator(".pla-words")).to_have_text(f"At w = 0 every score is 0: {told}")
