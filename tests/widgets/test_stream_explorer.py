"""The stream on its page, with no kernel: every control; mistakes, lines and bounds against pla_lib, at each prefix."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import (
    best_comparator,
    hinge_mistake_bound,
    label_noise,
    online_perceptron,
    perceptron,
    semicircles,
    with_margin,
)
from pla_lib.widgets._stream_explorer import stream_explorer
from tests.widgets.drawn import as_text, corners, drawn, put, show, size, stand_in, value
from tests.widgets.gestures import drag, middle, play_until, step, swipe

X, Y = label_noise(with_margin(40, margin=0.2, seed=1), 0.05, seed=2)  # as the page makes it
N = len(Y)
ROUNDS = list(online_perceptron(zip(X, Y, strict=True), bias=False))
MISTAKES = [seen.t - 1 for seen in ROUNDS if seen.mistake]
BEST = best_comparator(X, Y)


@pytest.fixture
def stream(widget) -> Page:
    show(widget)
    return widget


def bound(step: int, w, rounds: str = "all") -> float:
    """pla_lib's bound for the first `step` rounds of the stream; nothing can go wrong before the first."""
    if step == 0:
        return 0.0
    return hinge_mistake_bound(perceptron(X[:step], Y[:step], bias=False, max_epochs=1), np.array(w), rounds=rounds)


def scale(page: Page) -> float:
    """Pixels for one unit of the data."""
    return 0.8 * min(size(page)) / 2 / np.abs(X).max()


def in_data(page: Page, places) -> np.ndarray:
    """Pixels of the main picture as points of the plane."""
    return (np.array(places) - np.array(size(page)) / 2) / [scale(page), -scale(page)]


def expect_scene(page: Page) -> None:
    """Numbers, words and drawing are pla_lib's for the model's step and w."""
    step, w = value(page, "step"), value(page, "w")
    made = ROUNDS[step - 1].mistakes if step else 0
    yours, best = as_text(bound(step, w)), as_text(bound(step, BEST))
    losses = np.maximum(0, 1 - Y[:step] * (X[:step] @ w)).sum()
    length = np.linalg.norm(w) * np.linalg.norm(X[:step], axis=1).max(initial=0)
    texts = page.locator(".pla-numbers strong").all_text_contents()
    assert texts[:3] == [str(made), f"≤ {yours}", f"≤ {best}"]
    assert texts[4:] == [as_text(losses), as_text(length)]
    if step:
        rounds = f"{step} round{'s' * (step > 1)}"
        bounds = f"Over {rounds}, the bound is {yours} with your w* and {best} with the best w*. "
        said = page.locator(".pla-words, .pla-why").all_text_contents()
        assert f"{bounds}So far: {made} mistake{'s' * (made != 1)}." in " ".join(said).replace("\xa0", " ")
    assert page.locator(".pla-main .pla-point").count() == step
    expect_line(page, ROUNDS[step - 1].theta if step else np.zeros(2))
    expect_light(page, step)
    expect_curves(page, step, w, made)
    # w* is an arrow, drawn to a scale of its own; where its score is -1 and +1, dashed lines run.
    tip = in_data(page, grip_at(page))
    assert tip @ w == pytest.approx(np.linalg.norm(tip) * np.linalg.norm(w), abs=0.02)
    assert tip[0] * w[1] - tip[1] * w[0] == pytest.approx(0, abs=0.02 * (1 + np.linalg.norm(w)))
    levels = in_data(page, drawn(page, ".pla-margins")) @ w
    assert np.abs(levels) == pytest.approx(np.ones(len(levels)), abs=0.02)


def expect_words(page: Page, step: int) -> None:
    """The verdict on a round is that of the stream."""
    words, seen = page.locator(".pla-words").text_content().replace("\xa0", " "), ROUNDS[step - 1]
    expect(page.locator(".pla-chip")).to_have_text("Done" if step == N else "Mistake" if seen.mistake else "Right")
    made, w = seen.mistakes, value(page, "w")
    if step == N:
        yours, best = as_text(bound(N, w)), as_text(bound(N, BEST))
        assert words == f"{made} mistakes in {N} rounds. The bound is {yours} with your w* and {best} with the best."
        return
    sign, point = {1: "+1", -1: "−1"}, f"point {step - 1}"
    if seen.prediction == 0:
        assert words == f"Round {step}: {point} scores 0. A tie counts as a mistake, so w changes."
    else:
        joint, end = ("but", "The line moves.") if seen.mistake else ("and", "Nothing changes.")
        predicted = f"w predicts {sign[seen.prediction]} for {point}"
        assert words == f"Round {step}: {predicted}, {joint} the class is {sign[int(seen.y)]}. {end}"
    if seen.mistake:
        update = f"adds {point} to" if seen.y > 0 else f"subtracts {point} from"
        expect(page.locator(".pla-why")).to_contain_text(
            f"The class is {sign[int(seen.y)]}, so the update {update} w: w becomes {as_text(*seen.theta)}."
        )


def grip_at(page: Page) -> np.ndarray:
    return corners(page.locator(".pla-grip").get_attribute("transform"))[0]


def expect_line(page: Page, theta: np.ndarray) -> None:
    ends = in_data(page, drawn(page, ".pla-current-line"))
    assert len(ends) == (2 if theta.any() else 0)
    assert np.abs(ends @ theta).max(initial=0) < 0.02
    for sign, name in ((1, "positive"), (-1, "negative")):
        side = in_data(page, drawn(page, f".pla-main .pla-{name}-side"))
        assert (sign * side @ theta).min(initial=0) > -0.02


def expect_light(page: Page, step: int) -> None:
    """A ring marks the point that came last, a dot beside it each past mistake, and a cross each that is wrong now."""
    ring = page.locator(".pla-current-ring")
    assert ring.get_attribute("visibility") == ("visible" if step else "hidden")
    if step:
        at = [float(ring.get_attribute(name)) for name in ("cx", "cy")]
        assert in_data(page, at) == pytest.approx(X[step - 1], abs=0.01)
        has_moved = ROUNDS[step - 1].mistake and step - 1 != MISTAKES[0]
        assert bool(len(drawn(page, ".pla-previous"))) == has_moved
        expect(page.locator(".pla-main").get_by_text("before", exact=True)).to_have_count(int(has_moved))
    crossed = page.locator(".pla-point").evaluate_all("all => all.map(one => one.matches('.pla-wrong'))")
    theta = ROUNDS[step - 1].theta if step else np.zeros(2)
    assert crossed == (theta.any() & (Y[:step] * (X[:step] @ theta) <= 0)).tolist()
    past = [t for t in MISTAKES if t < step]
    dots = drawn(page, ".pla-past-mistakes") - [7, -7]
    assert in_data(page, dots) == pytest.approx(X[past].reshape(-1, 2), abs=0.01)
    rings = page.locator(".pla-main .pla-ring")
    assert rings.count() == 1  # a ring has one meaning
    expect(page.locator(".pla-arrival")).to_have_attribute("visibility", "hidden")


def expect_curves(page: Page, step: int, w, made: int) -> None:
    """The curves' corners in rounds and mistakes, by the ticks of the chart."""
    if not page.locator(".pla-mistake-curve").count():
        return  # on a phone the chart is made when its tab is opened
    top = max(3, min(max(2 * N, 2.5 * bound(N, BEST)), 1.08 * max(bound(N, BEST), bound(N, w))))
    width, height = size(page, ".pla-tab-panel:not(.pla-main) svg")
    across, up = (width - 72 - 38) / N, (height - 60) / top

    def to_chart(places: np.ndarray) -> np.ndarray:
        return (places - [38, height - 30]) / [across, -up]

    steps = to_chart(drawn(page, ".pla-mistake-curve"))
    assert len(steps) == (2 + 2 * made if step else 0)
    if not step:
        return
    assert steps[-1] == pytest.approx([step, made], abs=0.1)
    for selector, comparator in ((".pla-bound", w), (".pla-best-bound", BEST)):
        curve = to_chart(drawn(page, selector))
        for t, most in curve[1:-1:5]:
            assert most == pytest.approx(bound(round(t), comparator), abs=0.1)
        assert curve[-1, 1] == pytest.approx(min(top, bound(step, comparator)), abs=0.1)


def test_every_round_is_that_of_the_stream(stream):
    expect(stream.locator(".pla-words")).to_have_text(
        "w* is any weight vector to compare with. It costs H on points it scores by less than 1."
    )
    expect(stream.locator(".pla-why")).to_contain_text(
        "40 points arrive, one per round. w predicts each class before it is revealed."
    )
    expect(stream.locator(".pla-numbers div").nth(4)).to_contain_text("H: how far scores of w* fall short of 1, summed")
    expect(stream.locator(".pla-numbers div").nth(5)).to_contain_text("length of w* times the longest ‖x‖")
    put(stream, w=[0.6, 1.1])
    for k in range(N + 1):
        assert value(stream, "step") == k
        expect_scene(stream)
        if k:
            expect_words(stream, k)
        stream.locator(".pla-next").click(force=True)
    assert value(stream, "step") == N


def test_controls_of_the_rounds(stream):
    places = stream.locator(".pla-ticks i").evaluate_all("all => all.map((one) => parseFloat(one.style.left))")
    assert places == pytest.approx([100 * (t + 1) / N for t in MISTAKES], abs=0.01)
    for t in MISTAKES[:3]:
        step(stream, "Next mistake")
        assert value(stream, "step") == t + 1
    expect_scene(stream)
    for name, k in (("Back", MISTAKES[2]), ("First", 0)):
        step(stream, name)
        assert value(stream, "step") == k
        expect_scene(stream)
    stream.get_by_role("slider", name="Round").focus()
    for key, k in {"ArrowRight": 1, "End": N, "ArrowLeft": N - 1, "Home": 0}.items():
        stream.keyboard.press(key)
        assert value(stream, "step") == k
    paused = play_until(stream, re.compile(r"Round [3-9]"))
    stream.wait_for_timeout(700)  # in which it would go on
    assert value(stream, "step") == paused
    expect_scene(stream)


def test_sliders_give_direction_and_length(stream):
    put(stream, step=25)
    stream.get_by_role("tab", name="w*").click()
    direction, length = (stream.get_by_role("slider", name=f"w* {name}") for name in ("direction", "length"))
    direction.press("End")
    assert value(stream, "w") == pytest.approx([-1 / np.linalg.norm(X, axis=1).max(), 0], abs=1e-12)
    expect(stream.locator(".pla-chip")).to_have_text("Bound")
    direction.press("ArrowLeft")
    w = np.array(value(stream, "w"))
    assert np.rad2deg(np.arctan2(w[1], w[0])) == pytest.approx(179)
    expect_scene(stream)
    length.press("End")
    assert np.linalg.norm(value(stream, "w")) == pytest.approx(float(length.get_attribute("max")))
    assert float(length.get_attribute("max")) >= 2 * np.linalg.norm(BEST)
    expect_scene(stream)
    stream.mouse.click(*middle(length))
    assert np.linalg.norm(value(stream, "w")) == pytest.approx(float(length.get_attribute("max")) / 2, rel=0.05)
    expect_scene(stream)
    # A double-click on each brings back the best.
    direction.dblclick()
    length.dblclick()
    assert value(stream, "w") == pytest.approx(BEST)
    expect_scene(stream)


def test_zero_promises_nothing_and_keeps_its_direction(stream):
    put(stream, step=25, w=[0.0, 0.5])
    stream.get_by_role("tab", name="w*").click()
    length = stream.get_by_role("slider", name="w* length")
    length.press("Home")
    assert value(stream, "w") == [0, 0]
    expect_scene(stream)
    made = ROUNDS[24].mistakes
    assert bound(25, [0, 0], rounds="mistakes") == made
    expect(stream.locator(".pla-words")).to_contain_text("Over 25 rounds, the bound is 25 with your w*")
    expect(stream.locator(".pla-why")).to_contain_text(
        f"over the mistakes alone, it is the number of mistakes itself, {made},"
    )
    length.press("ArrowRight")
    w = value(stream, "w")
    assert w[1] > 0
    assert w[0] == pytest.approx(0, abs=1e-12)


def test_w_is_dragged_and_moved_by_keys(stream):
    put(stream, step=25)
    grip = stream.locator(".pla-grip")
    before, first = grip_at(stream), value(stream, "w")
    box = stream.locator(".pla-main svg").bounding_box()
    drag(stream, middle(grip), (box["x"] + 0.6 * box["width"], box["y"] + 0.3 * box["height"]))
    assert grip_at(stream) == pytest.approx(np.array(size(stream)) * [0.6, 0.3], abs=0.6)
    w = np.array(value(stream, "w"))
    expect_scene(stream)
    assert np.linalg.norm(grip_at(stream) - before) > 30
    unit = in_data(stream, grip_at(stream)) / w
    grip.focus()
    moves = {"ArrowRight": (10, 0), "ArrowUp": (0, 10), "Shift+ArrowLeft": (-2, 0), "ArrowDown": (0, -10)}
    dragged = value(stream, "w")
    for key, pixel in moves.items():
        stream.keyboard.press(key)
        w = w + np.array(pixel) / scale(stream) / unit
        assert value(stream, "w") == pytest.approx(w, abs=0.02)
        assert value(stream, "step") == 25
    expect_scene(stream)
    # Every key is one step of undo, and so is the whole drag.
    moved = value(stream, "w")
    for _ in moves:
        stream.keyboard.press("Control+z")
    assert value(stream, "w") == dragged
    stream.keyboard.press("Control+z")
    assert value(stream, "w") == first
    expect_scene(stream)
    for _ in range(5):
        stream.keyboard.press("Control+Shift+z")
    assert value(stream, "w") == moved
    # No further than the picture has room for.
    for _ in range(30):
        stream.keyboard.press("ArrowRight")
    assert np.linalg.norm(value(stream, "w")) == pytest.approx(
        float(stream.locator("[aria-label='w* length']").get_attribute("max"))
    )
    expect_scene(stream)


def test_best_button_takes_the_best_comparator(stream):
    put(stream, step=N)
    before = value(stream, "w")
    assert bound(N, before) > bound(N, BEST)
    stream.get_by_role("tab", name="w*").click()
    step(stream, "Best w*")
    assert value(stream, "w") == pytest.approx(BEST)
    expect_scene(stream)
    expect_words(stream, N)  # at the end the verdict on the whole stream follows w*
    stream.keyboard.press("Control+z")
    assert value(stream, "w") == before
    expect_words(stream, N)


def test_points_tell_how_they_were_judged(stream):
    put(stream, step=30)
    tip, theta = stream.locator(".pla-tip"), ROUNDS[29].theta
    for i in (MISTAKES[0], MISTAKES[1], 5, 12, 29):
        stream.locator(".pla-point").nth(i).focus()
        before = ROUNDS[i - 1].theta if i else np.zeros(2)
        judged = "a mistake" if i in MISTAKES else "right"
        scored, now = theta @ X[i], "right" if Y[i] * (theta @ X[i]) > 0 else "wrong"
        expect(tip).to_have_text(
            f"Point {i}, class {as_text(Y[i], sign=True)}, at {as_text(*X[i])}. Round {i + 1}: "
            f"score {as_text(before @ X[i], sign=True)}, {judged}. Now: score {as_text(scored, sign=True)}, {now}."
        )
    stream.locator(".pla-mention").hover()
    expect(tip).to_contain_text("Point 29,")


def test_a_cross_is_wrong_now_and_a_dot_was_a_mistake(stream):
    """Some mistakes of the past are right by now, and some points that were right when they came are wrong now."""
    put(stream, step=N)
    wrong = {t for t in range(N) if Y[t] * (X[t] @ ROUNDS[-1].theta) <= 0}
    assert set(MISTAKES) - wrong
    crossed = stream.locator(".pla-point.pla-wrong").evaluate_all("all => all.map(one => Number(one.dataset.point))")
    assert set(crossed) == wrong
    expect_light(stream, N)
    expect(stream.locator(".pla-mark-key span")).to_have_text(["mistake in its round", "wrong now", "w* scores ±1"])


def test_the_chart_is_as_high_as_the_bound_of_the_chosen_w(stream):
    """Whatever w* says, its bound on the whole stream is in the chart; the scale follows without a jump."""
    put(stream, step=N)
    for w in ([0.6, 1.1], [1.0, 0.0], BEST.tolist()):
        put(stream, w=w)
        expect_scene(stream)
        height = size(stream, ".pla-tab-panel:not(.pla-main) svg")[1]
        end = drawn(stream, ".pla-bound")[-1]
        assert 30 <= end[1] < 0.75 * height
        expect(stream.get_by_text("your bound", exact=True)).to_be_visible()  # without an arrow: it is not cut
    put(stream, w=[-3.0, 0.0])  # says nothing by far
    expect_scene(stream)
    expect(stream.get_by_text("your bound ↑")).to_be_visible()
    stream.emulate_media(reduced_motion="no-preference")
    stream.evaluate("""() => {
        window.heights = [];
        const curve = document.querySelector(".pla-best-bound");
        new MutationObserver(() => heights.push(+curve.getAttribute("d").split(",").at(-1)))
            .observe(curve, { attributes: true });
    }""")
    put(stream, w=BEST.tolist())
    stream.wait_for_timeout(500)
    heights = stream.evaluate("heights")
    assert len(set(heights)) > 3
    expect_scene(stream)


def test_right_rounds_pass_quickly_when_played(stream):
    stream.emulate_media(reduced_motion="no-preference")
    gap = max(range(1, len(MISTAKES)), key=lambda k: MISTAKES[k] - MISTAKES[k - 1])
    first, last = MISTAKES[gap - 1] + 1, MISTAKES[gap]
    assert last - first >= 4
    put(stream, step=first)
    stream.wait_for_timeout(1000)
    stream.evaluate("""() => {
        window.times = [];
        model.on("change:step", () => times.push([model.get("step"), performance.now()]));
    }""")
    step(stream, "Play")
    stream.wait_for_function(f"model.get('step') >= {last + 1}")
    step(stream, "Pause")
    times = dict(stream.evaluate("times"))
    stream.wait_for_timeout(1500)
    assert (times[last] - times[first + 1]) / (last - first - 1) < 420  # milliseconds for each
    expect_scene(stream)


def test_motion_drops_the_point_in_and_ends_exactly(stream):
    """A round ends at pla_lib's numbers, a second press while it moves is not lost; w* glides to the best."""
    stream.emulate_media(reduced_motion="no-preference")
    stream.evaluate("""() => {
      window.arrivals = 0;
      const arrival = document.querySelector(".pla-arrival");
      new MutationObserver(() => { arrivals += arrival.getAttribute("visibility") === "visible"; })
        .observe(arrival, { attributes: true });
    }""")
    first = MISTAKES[1]
    put(stream, step=first)
    stream.wait_for_timeout(400)
    stream.evaluate("() => { for (let k = 0; k < 2; k++) document.querySelector('.pla-next').click(); }")
    assert value(stream, "step") == first + 2
    stream.wait_for_timeout(1200)
    expect_scene(stream)
    assert stream.evaluate("arrivals") > 1
    stream.get_by_role("tab", name="w*").click()
    step(stream, "Best w*")
    stream.wait_for_timeout(400)
    expect_scene(stream)
    stream.emulate_media(reduced_motion="reduce")
    stream.evaluate("() => { arrivals = 0; document.querySelector('.pla-next').click(); }")
    expect_scene(stream)
    assert stream.evaluate("arrivals") == 0


def test_link_and_python_bring_it_back(page, gallery):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{gallery}/lectures/stream_explorer.html#widget1=step:17;;w:0.5,-1.25")
    page.locator(".pla-main svg").wait_for()
    expect(page.locator(".pla-scrubber input")).to_have_value("17")
    expect(page.locator(".pla-numbers strong").nth(1)).to_have_text(f"≤ {as_text(bound(17, [0.5, -1.25]))}")
    page.evaluate("location.hash = '#widget1=step:3;;w:1,1'")
    expect(page.locator(".pla-numbers strong").nth(1)).to_have_text(f"≤ {as_text(bound(3, [1, 1]))}")
    step(page, "More")
    step(page, "Copy as Python")
    names = {}
    exec(page.locator(".pla-python").inner_text(), names)
    copy = names["widget"]
    assert (copy.step, copy.w, copy.run.mistakes.tolist()) == (3, [1, 1], MISTAKES)


def test_touch_drags_w(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/stream_explorer.html")
    phone.locator(".pla").wait_for()
    show(phone)
    phone.locator(".pla-grip").evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    before = grip_at(phone)
    swipe(phone, middle(phone.locator(".pla-grip")), (0, -50))
    assert grip_at(phone) == pytest.approx(before - [0, 50], abs=2)
    phone.get_by_role("button", name="Next mistake").tap()
    expect_scene(phone)
    phone.get_by_role("tab", name="Bounds").tap()
    expect(phone.locator(".pla-mistake-curve")).to_be_visible()
    expect(phone.locator(".pla-main")).not_to_be_visible()
    expect_scene(phone)
    phone.get_by_role("tab", name="w*").tap()
    expect(phone.locator(".pla-main svg").first).to_be_visible()  # the sliders lie below what they move
    assert phone.locator(".pla-main .pla-picture").bounding_box()["height"] > 120
    for node in (*phone.locator(".pla-bar button:visible").all(), phone.get_by_role("button", name="Best w*")):
        assert node.bounding_box()["height"] >= 43.9


def test_sentence_is_true_of_its_stream():
    widget, run = stream_explorer(X, Y), perceptron(X, Y, bias=False, max_epochs=1)
    widget.w = [0.5, -1.5]
    assert "no line through the origin separates the classes." in widget.sentence()
    assert f"The perceptron makes {len(run.mistakes)} mistakes in {N} rounds" in widget.sentence()
    yours, best = (f"{hinge_mistake_bound(run, np.array(w)):.3g}" for w in ([0.5, -1.5], BEST))
    assert widget.sentence().endswith(
        f"With the comparator w* = (0.5, −1.5), at most {yours} mistakes are possible (the bound); "
        f"with the best one, at most {best}."
    )
    apart = stream_explorer(*semicircles(12, gap=60))
    assert "12 points, one per round; a line through the origin separates the classes." in apart.sentence()
    assert "1 mistake in 1 round." in stream_explorer([[1, 2]], [1]).sentence()


def test_picture_shows_the_bound_and_is_small():
    widget = stream_explorer(X, Y)
    curve = widget.picture().axes[1].lines[1].get_ydata()
    assert curve == pytest.approx([bound(t, BEST) for t in range(N + 1)])
    stand_in(widget)


@pytest.mark.parametrize(
    ("points", "labels", "words"),
    [
        ([[1, 2, 3]], [1], "two features; these have 3"),
        ([[1, 2], [2, 1]], [1], "one label for each of the 2 rows"),
        ([[1, np.inf]], [1], "must be finite"),
        ([[1, 2]], [0], "labels must be -1 or"),
    ],
)
def test_bad_input_is_refused_in_words(points, labels, words):
    with pytest.raises(ValueError, match=words):
        stream_explorer(points, labels)
