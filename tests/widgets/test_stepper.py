"""The stepper on its page, with no kernel: every control, and what is shown against pla_lib's own numbers."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import blobs, perceptron, stepper, with_margin
from tests.widgets.drawn import as_text, corners, mount, plane, size, stand_in
from tests.widgets.gestures import drag, middle, play_until, step

RUN = perceptron(*blobs(20, seed=3))  # as the gallery makes it
PLANE = perceptron(*with_margin(12, 2, seed=4), bias=False)


def expect_step(page: Page, step: int) -> None:
    """The words, the numbers and the picture after `step` visits are those of the run."""
    made = int((RUN.times < step).sum())
    numbers = page.locator(".pla-numbers strong")
    expect(numbers).to_have_text(
        [f"{max(1, -(-step // 20))} of {RUN.epochs}", f"{step} of 60", str(made), as_text(*RUN.thetas[made])]
    )
    words, why, chip = (page.locator(f".pla-{name}") for name in ("words", "why", "chip"))
    wrong = step - 1 in RUN.times
    expect(chip).to_have_text("Start" if step == 0 else "Done" if step == 60 else "Mistake" if wrong else "Right")
    if step == 0:
        expect(words).to_have_text("All weights are 0, so every point scores 0 and there is no line yet.")
    elif step == 60:
        expect(words).to_have_text("11 mistakes in 3 epochs, and now all 20 points count as right.")
        expect(why).to_contain_text(
            re.compile(r"^Visit 60: point\s19 .* Nothing changes\. The score and the class have")
        )
    else:
        i = RUN.visits[step - 1]
        value = RUN.thetas[made - wrong] @ [1, *RUN.X[i]]
        score = f"{value:+.3g}".replace("-", "−") if value else "0"
        expect(words).to_contain_text(
            f"Visit {step}: point {i} (class {'+1' if RUN.y[i] > 0 else '−1'}) scores {score}"
        )
        expect(words).to_contain_text("The line moves." if wrong else "Nothing changes.")
        if wrong:
            expect(why).to_contain_text(f"θ becomes {as_text(*RUN.thetas[made])}")
            mended = RUN.y[i] * (RUN.thetas[made] @ [1, *RUN.X[i]]) > 0
            expect(why).to_contain_text("so it is right." if mended else "so it is still not right.")
    assert logged(page) == (log_of(RUN, 1, made) if made else [["none yet"]])
    expect(page.locator(".pla-scrubber input")).to_have_value(str(step))
    assert line_in_data(page, ".pla-current-line") == pytest.approx(line_of(RUN.thetas[made]), abs=0.02)
    # The line before an update stays, in grey; without an update there is none.
    old = line_in_data(page, ".pla-previous")
    before = line_of(RUN.thetas[made - 1]) if wrong else [0, 0, 0]
    assert old == pytest.approx(before, abs=0.02) or old == pytest.approx([-value for value in before], abs=0.02)
    expect(page.get_by_text("before", exact=True)).to_be_visible(visible=any(old))
    to_data = plane(page, RUN.X)
    # Each side is tinted where its class is predicted.
    for label, name in ((1, "positive"), (-1, "negative")):
        side = to_data(page.locator(f".pla-main .pla-{name}-side").get_attribute("d"))
        assert all(label * RUN.thetas[made] @ [1, *point] > -0.05 for point in side)
        assert len(side) >= 3 or not RUN.thetas[made][1:].any()
    # Wrong points are hollow and crossed, all others full.
    scores = RUN.y * (np.c_[np.ones(20), RUN.X] @ RUN.thetas[made])
    crossed = page.locator(".pla-point").evaluate_all("all => all.map(one => one.matches('.pla-wrong'))")
    assert crossed == (scores <= 0).tolist() if RUN.thetas[made][1:].any() else not any(crossed)
    ring = page.locator(".pla-current-ring")
    assert (ring.get_attribute("visibility") == "visible") == (step > 0)
    if step:
        at = to_data(f"M{ring.get_attribute('cx')},{ring.get_attribute('cy')}")
        assert at[0] == pytest.approx(RUN.X[RUN.visits[step - 1]], abs=0.01)


def logged(page: Page) -> list[list[str]]:
    """The rows of the log, cell by cell."""
    rows = "all => all.map((row) => [...row.cells].map((cell) => cell.textContent))"
    return page.locator(".pla-log tbody tr").evaluate_all(rows)


def log_of(run, first: int, last: int) -> list[list[str]]:
    """The rows of these mistakes of a run: number, point and class, score, weights after the update."""
    rows = []
    for k in range(first, last + 1):
        i = run.mistakes[k - 1]
        scored = run.thetas[k - 1] @ ([1, *run.X[i]] if len(run.theta) == 3 else run.X[i])
        point = f"{i} ({as_text(run.y[i], sign=True)})"
        rows.append([str(k), point, as_text(scored, sign=True), as_text(*run.thetas[k])])
    return rows


def line_of(theta) -> list[float]:
    """A line as its unit normal and offset; zeros if there is none."""
    norm = np.linalg.norm(theta[1:])
    return list(theta / norm) if norm else [0, 0, 0]


def line_in_data(page: Page, selector: str) -> list[float]:
    """A line as drawn: its offset and its unit normal, on the side of the arrow; zeros if there is none."""
    to_data = plane(page, RUN.X)
    ends = to_data(page.locator(selector).get_attribute("d"))
    if not len(ends):
        return [0, 0, 0]
    along = ends[1] - ends[0]
    normal = np.array([-along[1], along[0]]) / np.linalg.norm(along)
    arrow = to_data(page.locator(".pla-arrow").get_attribute("d"))
    normal *= np.sign(normal @ (arrow[1] - arrow[0])) if len(arrow) else 1
    return [-normal @ ends[0], *normal]


def test_every_step_is_that_of_the_run(widget):
    for k in range(61):
        expect_step(widget, k)
        widget.locator(".pla-next").click(force=True)  # at the end, too, where it does nothing
    expect_step(widget, 60)


def test_back_undoes_next_and_stops_at_the_start(widget):
    for _ in range(4):
        step(widget)
    for k in (3, 2, 1, 0, 0):
        widget.get_by_role("button", name="Back").click(force=True)  # at the start, too, where it does nothing
        expect_step(widget, k)


def test_a_step_makes_or_removes_one_row_of_the_log_at_most(widget):
    changes = widget.evaluate("""() => {
        const body = document.querySelector(".pla-log tbody"), watch = new MutationObserver(() => {});
        watch.observe(body, { childList: true });
        const named = (name) => document.querySelector(`[aria-label="${name}"], .pla-${name}`);
        const press = (name) => {
            named(name).click();
            const records = watch.takeRecords(), count = (kind) => records.flatMap((one) => [...one[kind]]).length;
            return [count("addedNodes"), count("removedNodes")];
        };
        return ["next", "Back"].map((name) => Array.from({ length: 60 }, () => press(name)));
    }""")
    erred = [int(k in RUN.times) for k in range(60)]
    first = int(RUN.times[0])  # it takes the place of "none yet"
    assert changes[0] == [[made, int(k == first)] for k, made in enumerate(erred)]
    assert changes[1] == [[int(k == first), made] for k, made in reversed(list(enumerate(erred)))]


def test_log_holds_the_last_200_mistakes_forward_and_back(page):
    run = perceptron([[1, 1], [-1, -1], [-1, 1], [1, -1]], [1, 1, -1, -1], max_epochs=80)  # no line separates them
    assert len(run.mistakes) > 300
    mount(page, stepper(run))
    for k in (250, 251, 249, 3, 320, 290, 0, 210, 209):
        page.evaluate(f"model.set('step', {k})")
        made = int((run.times < k).sum())
        assert logged(page) == (log_of(run, max(1, made - 199), made) if made else [["none yet"]])
        assert page.locator(".pla-log [aria-current]").count() == bool(made)
        if made:
            expect(page.locator(".pla-log [aria-current] td").first).to_have_text(str(made))
            expect(page.locator(".pla-log [aria-current]")).to_be_in_viewport()


def test_name_of_the_line_before_covers_no_point_and_no_other_name(widget):
    seen = 0
    for time in RUN.times[1:]:
        widget.locator(".pla-scrubber input").fill(str(time + 1))
        name = widget.get_by_text("before", exact=True)
        if not name.is_visible():
            continue
        seen += 1
        left, top, right, bottom = edges(name)
        others = [widget.locator(".pla-main .pla-symbol"), *widget.locator(".pla-main .pla-mark").all()]
        for other in [*others, widget.locator(".pla-main .pla-score")]:
            a, b, c, d = edges(other)
            assert right <= a or c <= left or bottom <= b + 1 or d <= top + 1, int(time)
    assert seen > 5


def edges(node) -> tuple[float, float, float, float]:
    box = node.bounding_box()
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


@pytest.mark.parametrize(
    ("tie", "words", "why"),
    [
        ("mistake", "scores 0, and a tie counts as a mistake. The line moves.", "Update 1 adds 0.5 times point 0: "),
        ("negative", "scores 0, and a tie counts as class −1. The line moves.", "Update 1 adds 0.5 times point 0: "),
        ("positive", "scores 0, and a tie counts as class +1. Nothing changes.", "it counts as class +1."),
        ("correct", "scores 0, and a tie counts as right. Nothing changes.", "it counts as right."),
    ],
)
def test_a_tie_is_explained_by_the_rule_of_the_run(page, tie, words, why):
    mount(page, stepper(perceptron([[1, 2], [-1, -2]], [1, -1], tie=tie, eta=0.5)))
    step(page)
    expect(page.locator(".pla-words")).to_contain_text(words)
    expect(page.locator(".pla-why")).to_contain_text(why)


def test_slider_is_dragged(widget):
    x, y = middle(widget.get_by_role("slider"))
    drag(widget, (widget.get_by_role("slider").bounding_box()["x"] + 8, y), (x, y))
    expect_step(widget, 30)


def test_keyboard_alone_is_enough(widget):
    widget.get_by_role("slider").focus()
    for key, k in {"ArrowRight": 1, "End": 60, "ArrowLeft": 59, "Home": 0}.items():
        widget.keyboard.press(key)
        expect_step(widget, k)
    widget.get_by_role("button", name="First").focus()
    widget.keyboard.press("Tab")
    widget.keyboard.press("Tab")  # with less motion there is no Play
    expect(widget.locator(".pla-next")).to_be_focused()
    widget.keyboard.press("Enter")
    expect_step(widget, 1)
    for key, k in {"ArrowRight": 2, "ArrowLeft": 1, "End": 60, "Home": 0}.items():
        widget.keyboard.press(key)
        expect_step(widget, k)
    expect(widget.locator(".pla-next")).to_be_focused()


def test_jumps_to_the_ends_to_the_next_mistake_and_to_a_row_of_the_log(widget):
    for time in RUN.times:
        step(widget, "Next mistake")
        expect_step(widget, time + 1)
    step(widget, "Next mistake")  # there is none: the end
    expect_step(widget, 60)
    widget.locator(".pla-log").get_by_role("button", name="4", exact=True).click()
    expect_step(widget, RUN.times[3] + 1)
    step(widget, "First")
    expect_step(widget, 0)


def test_ticks_stand_at_the_mistakes(widget):
    places = widget.locator(".pla-ticks i").evaluate_all("all => all.map((one) => parseFloat(one.style.left))")
    assert places == pytest.approx(100 * (RUN.times + 1) / 60, abs=0.01)


def test_plays_until_paused_or_over(widget):
    paused = play_until(widget, re.compile(r"Visit ([5-9]|\d\d)\b"))
    widget.wait_for_timeout(700)  # in which it would go on
    expect_step(widget, paused)
    step(widget, "Play")
    expect(widget.locator(".pla-chip")).to_have_text("Done")
    expect(widget.get_by_role("button", name="Play")).to_be_visible()
    step(widget, "Play")  # from the end it starts again
    expect(widget.get_by_role("button", name="Pause")).to_be_visible()
    step(widget, "Back")  # a step by hand stops it
    expect(widget.get_by_role("button", name="Play")).to_be_visible()


def test_readers_who_want_less_motion_are_not_offered_any(widget):
    widget.emulate_media(reduced_motion="no-preference")
    step(widget, "Play")
    widget.emulate_media(reduced_motion="reduce")
    expect(widget.get_by_role("button", name=re.compile("Play|Pause"))).to_have_count(0)
    now = widget.get_by_role("slider").input_value()
    widget.wait_for_timeout(600)
    assert widget.get_by_role("slider").input_value() == now


def test_asks_before_it_shows(widget):
    """On every visit of an epoch: the right answers are confirmed, wrong ones put right, and the step is made."""
    widget.locator(".pla-bar").get_by_label("Ask me first").check()
    question, words = widget.locator(".pla-question"), widget.locator(".pla-words")
    sides = {1: "on the +1 side", -1: "on the −1 side", 0: "on the line"}
    for k in range(20):
        i = RUN.visits[k]
        expect(question).to_contain_text(f"Next is point {i}")
        made = int((RUN.times < k).sum())
        side = int(np.sign(RUN.thetas[made] @ [1, *RUN.X[i]]))
        truthful = k % 2 == 0
        verdict = "Yes: " if truthful else "No: "
        if RUN.thetas[made].any():
            answer = sides[side] if truthful else sides[-1 if side >= 0 else 1]
            question.get_by_role("button", name=answer).click()
        else:  # without a line there are no sides to ask about
            verdict = "there is no line yet, so it scores 0"
        if k in RUN.times:
            expect(question).to_contain_text(verdict)
            expect(question).to_contain_text("so this is a mistake. Which way does w move?")
            right, wrong = ("towards the point", "away from it")[:: RUN.y[i]]
            question.get_by_role("button", name=right if truthful else wrong).click()
            expect(words).to_contain_text("Yes. " if truthful else f"w moves {right}.")
        else:
            expect(words).to_contain_text(verdict)
        expect(words).to_contain_text(f"Visit {k + 1}")
        expect(widget.locator(".pla-bar")).not_to_be_visible()  # the question takes its place
    question.get_by_role("button", name="Stop asking").click()
    expect(question).not_to_be_visible()
    expect(widget.locator(".pla-bar")).to_be_visible()


def test_asking_is_offered_where_there_is_room(widget, phone, gallery):
    expect(widget.locator(".pla-bar").get_by_label("Ask me first")).to_be_visible()
    step(widget, "More")
    expect(widget.locator(".pla-sheet").get_by_label("Ask me first")).to_have_count(0)
    phone.goto(f"{gallery}/lectures/stepper.html")
    expect(phone.locator(".pla-bar").get_by_label("Ask me first")).to_have_count(0)
    step(phone, "More")
    phone.locator(".pla-sheet").get_by_label("Ask me first").tap()
    expect(phone.locator(".pla-question")).to_be_visible()


def test_no_answer_looks_chosen_before_it_is(widget):
    widget.get_by_label("Ask me first").check()
    answers = widget.locator(".pla-answers button")
    looks = "all => all.slice(0, 2).map(one => [getComputedStyle(one).backgroundColor, one.matches(':focus')])"
    widget.mouse.move(*middle(answers.first))
    for _ in range(6):
        widget.mouse.down()
        widget.mouse.up()
        first, second = answers.evaluate_all(looks)
        assert first == second  # the pointer is on the first, and has not moved since it is there
        assert first[1] is False
    x, y = middle(answers.first)
    widget.mouse.move(x + 3, y)
    first, second = answers.evaluate_all(looks)
    assert first != second
    # With the keyboard the way goes on from answer to answer.
    answers.first.focus()
    for _ in range(4):
        widget.keyboard.press("Enter")
        expect(answers.first).to_be_focused()


def test_an_update_tells_both_scores(widget):
    for k, time in enumerate(RUN.times):
        widget.locator(".pla-scrubber input").fill(str(time + 1))
        x = [1, *RUN.X[RUN.mistakes[k]]]
        before, after = (as_text(RUN.thetas[j] @ x, sign=True) for j in (k, k + 1))
        expect(widget.locator(".pla-main .pla-score")).to_have_text(f"{before} → {after}")


def test_tooltip_tells_the_distance_that_is_drawn_dashed(widget):
    widget.locator(".pla-scrubber input").fill("60")
    to_data = plane(widget, RUN.X)
    for i in (0, 7, 13):
        widget.locator(".pla-point").nth(i).focus()
        distance = abs(RUN.theta @ [1, *RUN.X[i]]) / np.linalg.norm(RUN.theta[1:])
        expect(widget.locator(".pla-tip")).to_contain_text(f"Distance to the line: {as_text(distance)}.")
        ends = to_data(widget.locator(".pla-perpendicular").get_attribute("d"))
        assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(distance, abs=0.02)


def test_weight_space_shows_the_cone_and_the_weights(page, gallery):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{gallery}/lectures/stepper_no_offset.html")
    page.locator(".pla").wait_for()
    space = page.locator(".pla-tab-panel:not(.pla-main) svg")
    width, height = size(page, ".pla-tab-panel:not(.pla-main) svg")
    reach = abs(PLANE.thetas).max()
    scale = 0.8 * min(width, height) / (2 * reach)  # the weights fill 0.8 of the picture

    def weights(path: str) -> np.ndarray:
        return (corners(path) - (width / 2, height / 2)) / (scale, -scale)

    cone = weights(space.locator(".pla-solution-cone").get_attribute("d"))
    signed = PLANE.y[:, None] * PLANE.X
    assert (signed @ cone.T > -0.02).all()  # its corners are right for all points
    for _ in range(2000):  # and what is right for all points is in it
        w = np.random.default_rng(_).uniform(-reach, reach, 2)
        assert inside(cone, w) == (signed @ w > 0).all() or abs(signed @ w).min() < 0.02
    for k in range(len(PLANE.visits) + 1):
        made = int((PLANE.times < k).sum())
        dot = space.locator(".pla-position")
        at = weights(f"{dot.get_attribute('cx')},{dot.get_attribute('cy')}")[0]
        names = [text.split("\xa0")[0] for text in space.locator(":scope > text").all_text_contents()]
        assert names == ["right for all points", "point" if k else "", "w"]
        for name in space.locator(":scope > text:not(:empty)").all():
            (x, y), (u, v), half = middle(name), middle(dot), name.bounding_box()["width"] / 2
            assert abs(x - u) > half + 5 or abs(y - v) > 8, (k, name.text_content())
        assert at == pytest.approx(PLANE.thetas[made], abs=0.01)
        in_it = bool((signed @ PLANE.thetas[made] > 0).all())
        assert ("w is in it" in space.get_attribute("aria-label")) == in_it
        way = space.locator(".pla-update-arrow").get_attribute("d")
        assert bool(way) == (k - 1 in PLANE.times)
        if way:
            assert weights(way)[:2] == pytest.approx(PLANE.thetas[made - 1 : made + 1], abs=0.01)
        page.locator(".pla-next").click(force=True)


def inside(polygon: np.ndarray, point: np.ndarray) -> bool:
    """Is the point within a convex polygon?"""
    along, to = np.roll(polygon, -1, axis=0) - polygon, point - polygon
    turns = (along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0])[along.any(axis=1)]  # a corner may be there twice
    return bool((turns > 0).all() or (turns < 0).all())


def test_touch_works(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/stepper.html")
    phone.locator(".pla-next").tap()
    expect_step(phone, 1)
    for name in ("First", "Back", "Next", "Next mistake", "More"):
        box = phone.get_by_role("button", name=name, exact=True).bounding_box()
        assert min(box["height"], box["width"]) >= 43.9, name
    phone.locator(".pla-point").nth(4).tap()
    expect(phone.locator(".pla-tip")).to_contain_text("Point 4, class +1")
    phone.get_by_role("tab", name="Log").tap()
    expect(phone.locator(".pla-log")).to_be_visible()
    expect(phone.locator(".pla-main")).not_to_be_visible()


def test_python_makes_the_same_run(widget):
    step(widget, "More")
    step(widget, "Copy as Python")
    names = {}
    exec(widget.locator(".pla-python").inner_text(), names)
    assert names["run"].mistakes.tolist() == RUN.mistakes.tolist()
    assert np.allclose(names["run"].theta, RUN.theta)


def test_run_without_a_line_says_so():
    assert (
        stepper(perceptron(RUN.X, RUN.y, tie="correct")).sentence().endswith("0 mistakes in 1 epoch. There is no line.")
    )


def test_more_than_two_features_are_refused():
    with pytest.raises(ValueError, match="two features; these have 3"):
        stepper(perceptron([[1, 2, 3]], [1]))


def test_notebook_keeps_a_picture_and_a_sentence():
    bundle = stand_in(stepper(RUN))
    assert bundle["text/plain"].startswith("A perceptron run on 20 points of two classes: 11 mistakes")
    assert "application/vnd.jupyter.widget-view+json" in bundle
