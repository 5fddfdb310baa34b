"""The stepper on its page, with no kernel: every control, and what is shown against pla_lib's own numbers."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import blobs, perceptron, stepper, with_margin
from tests.widgets.drawn import as_text, corners, plane, stand_in
from tests.widgets.gestures import drag, middle, play_until

RUN = perceptron(*blobs(20, seed=3))  # as the gallery makes it
PLANE = perceptron(*with_margin(12, 2, seed=4), bias=False)


def expect_step(page: Page, step: int) -> None:
    """The words, the numbers and the picture after `step` visits are those of the run."""
    made = int((RUN.times < step).sum())
    numbers = page.locator(".pla-numbers strong")
    expect(numbers).to_have_text(
        [f"{max(1, -(-step // 20))} of {RUN.epochs}", f"{step} of 60", str(made), as_text(*RUN.thetas[made])]
    )
    words, wrong = page.locator(".pla-words"), step - 1 in RUN.times
    if step == 0:
        expect(words).to_have_text("Start: θ = (0, 0, 0). No line yet.")
    else:
        i = RUN.visits[step - 1]
        value = RUN.thetas[made - wrong] @ [1, *RUN.X[i]]
        score = f"{value:+.3g}".replace("-", "−") if value else "0"
        tried = f"point {i} (class {'+1' if RUN.y[i] > 0 else '−1'}) scored {score}"
        expect(words).to_contain_text(f"Visit {step}, update {made}: {tried}" if wrong else f"Visit {step}: {tried}")
        expect(words).to_contain_text(f"θ becomes {as_text(*RUN.thetas[made])}" if wrong else "Right: nothing changes.")
        if wrong:
            mended = RUN.y[i] * (RUN.thetas[made] @ [1, *RUN.X[i]]) > 0
            expect(words).to_contain_text(": right." if mended else ": still not right.")
    rows = page.locator(".pla-ledger tbody tr")
    expect(rows).to_have_count(min(max(made, 1), 6))
    if made:
        expect(rows.last.locator("td").last).to_have_text(as_text(*RUN.thetas[made]))
    expect(page.locator(".pla-cross")).to_have_attribute("d", re.compile("M") if wrong else "")
    expect(page.get_by_role("slider")).to_have_value(str(step))
    assert line_in_data(page, ".pla-current-line") == pytest.approx(line_of(RUN.thetas[made]), abs=0.02)
    # The line before an update stays, in grey; without an update there is none.
    old = line_in_data(page, ".pla-previous")
    before = line_of(RUN.thetas[made - 1]) if wrong else [0, 0, 0]
    assert old == pytest.approx(before, abs=0.02) or old == pytest.approx([-value for value in before], abs=0.02)
    to_data = plane(page, RUN.X, RUN.y)
    # The tinted side is where the score is positive.
    side = to_data(page.locator(".pla-positive-side").get_attribute("d"))
    assert all(RUN.thetas[made] @ [1, *point] > -0.05 for point in side)
    assert len(side) >= 3 or not RUN.thetas[made][1:].any()
    ring = page.locator(".pla-ring")
    assert (ring.get_attribute("visibility") == "visible") == (step > 0)
    if step:
        at = to_data(f"M{ring.get_attribute('cx')},{ring.get_attribute('cy')}")
        assert at[0] == pytest.approx(RUN.X[RUN.visits[step - 1]], abs=0.01)


def line_of(theta) -> list[float]:
    """A line as its unit normal and offset; zeros if there is none."""
    norm = np.linalg.norm(theta[1:])
    return list(theta / norm) if norm else [0, 0, 0]


def line_in_data(page: Page, selector: str) -> list[float]:
    """A line as drawn: its offset and its unit normal, on the side of the arrow; zeros if there is none."""
    to_data = plane(page, RUN.X, RUN.y)
    ends = to_data(page.locator(selector).get_attribute("d"))
    if not len(ends):
        return [0, 0, 0]
    along = ends[1] - ends[0]
    normal = np.array([-along[1], along[0]]) / np.linalg.norm(along)
    arrow = to_data(page.locator(".pla-arrow").get_attribute("d"))
    normal *= np.sign(normal @ (arrow[1] - arrow[0])) if len(arrow) else 1
    return [-normal @ ends[0], *normal]


def test_every_step_is_that_of_the_run(widget):
    for step in range(61):
        expect_step(widget, step)
        widget.get_by_role("button", name="Next →").click(force=True)  # at the end, too, where it does nothing
    expect_step(widget, 60)
    expect(widget.locator(".pla-words")).to_contain_text("The run is over: all 20 points count as right.")


def test_back_undoes_next_and_stops_at_the_start(widget):
    for _ in range(4):
        widget.get_by_role("button", name="Next →").click()
    for step in (3, 2, 1, 0, 0):
        widget.get_by_role("button", name="Back").click(force=True)  # at the start, too, where it does nothing
        expect_step(widget, step)


def test_slider_is_dragged(widget):
    widget.get_by_role("slider").scroll_into_view_if_needed()
    x, y = middle(widget.get_by_role("slider"))
    drag(widget, (widget.get_by_role("slider").bounding_box()["x"] + 8, y), (x, y))
    expect_step(widget, 30)


def test_keyboard_alone_is_enough(widget):
    widget.get_by_role("slider").focus()
    for key, step in {"ArrowRight": 1, "End": 60, "ArrowLeft": 59, "Home": 0}.items():
        widget.keyboard.press(key)
        expect_step(widget, step)
    widget.keyboard.press("Tab")
    expect(widget.get_by_role("button", name="Next →")).to_be_focused()
    widget.keyboard.press("Enter")
    expect_step(widget, 1)
    for key, step in {"ArrowRight": 2, "ArrowLeft": 1, "End": 60, "Home": 0}.items():
        widget.keyboard.press(key)
        expect_step(widget, step)
    expect(widget.get_by_role("button", name="Next →")).to_be_focused()


def test_jumps_to_the_ends_and_to_the_next_mistake(widget):
    widget.get_by_role("button", name="Last").click()
    expect_step(widget, 60)
    widget.get_by_role("button", name="First").click()
    expect_step(widget, 0)
    for time in RUN.times:
        widget.get_by_role("button", name="Next mistake").click()
        expect_step(widget, time + 1)
    widget.get_by_role("button", name="Next mistake").click()  # there is none: the end
    expect_step(widget, 60)


def test_plays_at_the_chosen_speed_until_paused_or_over(widget):
    expect_step(widget, play_until(widget, re.compile(r"Visit ([5-9]|\d\d)\b")))
    widget.get_by_role("button", name="Play").click()
    expect(widget.locator(".pla-numbers strong").nth(1)).to_have_text("60 of 60")
    expect(widget.get_by_role("button", name="Play")).to_be_visible()
    widget.get_by_role("button", name="Play").click()  # from the end it starts again
    expect(widget.get_by_role("button", name="Pause")).to_be_visible()
    widget.get_by_role("button", name="Back").click()  # a step by hand stops it
    expect(widget.get_by_role("button", name="Play")).to_be_visible()


def test_who_wants_less_motion_is_not_offered_any(widget):
    widget.get_by_role("button", name="Play").click()
    widget.emulate_media(reduced_motion="reduce")
    expect(widget.get_by_role("button", name=re.compile("Play|Pause"))).to_have_count(0)
    step = widget.get_by_role("slider").input_value()
    widget.wait_for_timeout(600)
    assert widget.get_by_role("slider").input_value() == step
    assert widget.locator(".pla-current-line").evaluate("line => getComputedStyle(line).transitionDuration") == "0s"


def test_asks_before_it_shows(widget):
    """On every visit of an epoch: the right answers are confirmed, wrong ones put right, and the step is made."""
    widget.get_by_label("Ask me first").check()
    question, words = widget.locator(".pla-question"), widget.locator(".pla-words")
    sides = {1: "the +1 side", -1: "the −1 side", 0: "the line itself"}
    for step in range(20):
        i = RUN.visits[step]
        expect(question).to_contain_text(f"Next is point {i}")
        made = int((RUN.times < step).sum())
        side = int(np.sign(RUN.thetas[made] @ [1, *RUN.X[i]]))
        truthful = step % 2 == 0
        verdict = "Yes: " if truthful else "No: "
        if RUN.thetas[made].any():
            answer = sides[side] if truthful else sides[-1 if side >= 0 else 1]
            question.get_by_role("button", name=answer).click()
        else:  # without a line there are no sides to ask about
            verdict = "there is no line yet, every score is 0"
        if step in RUN.times:
            expect(question).to_contain_text(verdict)
            expect(question).to_contain_text("a mistake. Which way will w go?")
            right, wrong = ("towards the point", "away from it")[:: RUN.y[i]]
            question.get_by_role("button", name=right if truthful else wrong).click()
            expect(words).to_contain_text("Yes. " if truthful else f"w goes {right}.")
        else:
            expect(words).to_contain_text(verdict)
        expect(words).to_contain_text(f"Visit {step + 1}")
    widget.get_by_label("Ask me first").uncheck()
    expect(question).not_to_be_visible()


def test_weight_space_shows_the_cone_and_the_weights(page, gallery):
    page.goto(f"{gallery}/lectures/stepper_no_offset.html")
    page.locator(".pla").wait_for()
    space = page.locator(".pla-pictures svg").nth(1)
    reach = abs(PLANE.thetas).max()
    scale = 0.8 * 300 / (2 * reach)  # the picture is 300 high, and the weights fill 0.8 of it

    def weights(path: str) -> np.ndarray:
        return (corners(path) - (200, 150)) / (scale, -scale)

    cone = weights(space.locator(".pla-solution-cone").get_attribute("d"))
    signed = PLANE.y[:, None] * PLANE.X
    assert (signed @ cone.T > -0.02).all()  # its corners are right for all points
    for _ in range(2000):  # and what is right for all points is in it
        w = np.random.default_rng(_).uniform(-reach, reach, 2)
        assert inside(cone, w) == (signed @ w > 0).all() or abs(signed @ w).min() < 0.02
    for step in range(len(PLANE.visits) + 1):
        made = int((PLANE.times < step).sum())
        dot = space.locator(".pla-position")
        at = weights(f"{dot.get_attribute('cx')},{dot.get_attribute('cy')}")[0]
        assert at == pytest.approx(PLANE.thetas[made], abs=0.01)
        in_it = bool((signed @ PLANE.thetas[made] > 0).all())
        assert ("w is in it" in space.get_attribute("aria-label")) == in_it
        way = space.locator(".pla-update-arrow").get_attribute("d")
        assert bool(way) == (step - 1 in PLANE.times)
        if way:
            assert weights(way)[:2] == pytest.approx(PLANE.thetas[made - 1 : made + 1], abs=0.01)
        page.get_by_role("button", name="Next →").click(force=True)


def inside(polygon: np.ndarray, point: np.ndarray) -> bool:
    """Is the point within a convex polygon?"""
    along, to = np.roll(polygon, -1, axis=0) - polygon, point - polygon
    turns = (along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0])[along.any(axis=1)]  # a corner may be there twice
    return bool((turns > 0).all() or (turns < 0).all())


def test_touch_works(phone, gallery):
    phone.goto(f"{gallery}/lectures/stepper.html")
    phone.get_by_role("button", name="Next →").tap()
    expect_step(phone, 1)
    assert phone.get_by_role("button", name="Next →").bounding_box()["height"] >= 44


def test_each_step_is_announced(widget):
    expect(widget.locator(".pla-words")).to_have_attribute("aria-live", "polite")
    widget.get_by_role("button", name="Next →").click()
    expect(widget.get_by_role("img", name=re.compile("after 1 visit. Visit 1, update 1: point 0"))).to_be_visible()


def test_run_without_a_line_says_so():
    assert (
        stepper(perceptron(RUN.X, RUN.y, tie="correct")).sentence().endswith("0 mistakes in 1 epoch. There is no line.")
    )


def test_more_than_two_features_are_refused():
    with pytest.raises(ValueError, match="two features; these have 3"):
        stepper(perceptron([[1, 2, 3]], [1]))


def test_notebook_keeps_a_picture_and_a_sentence():
    bundle = stand_in(stepper(RUN))
    assert bundle["text/plain"].startswith("A perceptron run on 20 points of two classes, 11 mistakes")
    assert "application/vnd.jupyter.widget-view+json" in bundle
