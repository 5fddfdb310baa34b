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
from tests.widgets.drawn import as_text, corners, drawn, put, show, stand_in, value
from tests.widgets.gestures import middle, swipe

X, Y = label_noise(with_margin(40, margin=0.2, seed=1), 0.05, seed=2)  # as the page makes it
N = len(Y)
ROUNDS = list(online_perceptron(zip(X, Y, strict=True), bias=False))
BEST = best_comparator(X, Y)
SCALE = 0.8 * 320 / 2 / np.abs(X).max()  # pixels for one unit of the data


@pytest.fixture
def stream(widget) -> Page:
    show(widget)
    return widget


def bound(step: int, w, rounds: str = "all") -> float:
    """pla_lib's bound for the first `step` rounds of the stream; nothing can go wrong before the first."""
    if step == 0:
        return 0.0
    return hinge_mistake_bound(perceptron(X[:step], Y[:step], bias=False, max_epochs=1), np.array(w), rounds=rounds)


def in_data(places) -> np.ndarray:
    """Pixels of the left picture as points of the plane."""
    return (np.array(places) - [200, 160]) / [SCALE, -SCALE]


def expect_scene(page: Page) -> None:
    """Numbers, words and drawing are pla_lib's for the model's step and w."""
    step, w = value(page, "step"), value(page, "w")
    made = ROUNDS[step - 1].mistakes if step else 0
    yours, best = as_text(bound(step, w)), as_text(bound(step, BEST))
    losses = np.maximum(0, 1 - Y[:step] * (X[:step] @ w)).sum()
    length = np.linalg.norm(w) * np.linalg.norm(X[:step], axis=1).max(initial=0)
    shown = page.locator(".pla-numbers strong")
    texts = shown.all_text_contents()
    assert texts[:3] == [str(made), f"≤ {yours}", f"≤ {best}"]
    assert texts[4:] == [as_text(losses), as_text(length)]
    words = page.locator(".pla-words").text_content().replace("\xa0", " ")
    if step:
        seen = ROUNDS[step - 1]
        predicted = {0: "a tie", 1: "w predicted +1", -1: "w predicted −1"}[seen.prediction]
        label = "+1" if seen.y > 0 else "−1"
        assert words.startswith(
            f"Round {step}: {predicted}, the class is {label}: {'a mistake.' if seen.mistake else 'right.'} "
        )
        assert f"{made} mistake{'s' * (made != 1)} so far;" in words
        assert f"promises at most {yours}" in words
        assert words.endswith(f"the w* best in the end at most {best}.")
    visible = page.locator(".pla-grip").evaluate(
        "grip => [...grip.ownerSVGElement.querySelectorAll('.pla-positive, .pla-negative')]"
        ".map(node => node.getAttribute('visibility') === 'visible')"
    )
    assert visible == [t < step for t in range(N)]
    expect_line(page, ROUNDS[step - 1].theta if step else np.zeros(2))
    expect_light(page, step)
    expect_curves(page, step, w, made)
    # w* is an arrow, drawn to a scale of its own; where its score is -1 and +1, dashed lines run.
    tip = in_data(grip_at(page))
    assert tip @ w == pytest.approx(np.linalg.norm(tip) * np.linalg.norm(w), abs=0.02)
    assert tip[0] * w[1] - tip[1] * w[0] == pytest.approx(0, abs=0.02 * (1 + np.linalg.norm(w)))
    levels = in_data(drawn(page, ".pla-margins")) @ w
    assert np.abs(levels) == pytest.approx(np.ones(len(levels)), abs=0.02)


def grip_at(page: Page) -> np.ndarray:
    return corners(page.locator(".pla-grip").get_attribute("transform"))[0]


def expect_line(page: Page, theta: np.ndarray) -> None:
    ends = in_data(drawn(page, ".pla-current-line"))
    assert len(ends) == (2 if theta.any() else 0)
    assert np.abs(ends @ theta).max(initial=0) < 0.02
    side = in_data(drawn(page, ".pla-positive-side"))
    assert (side @ theta).min(initial=0) > -0.02


def expect_light(page: Page, step: int) -> None:
    ring = page.locator(".pla-ring")
    assert ring.get_attribute("visibility") == ("visible" if step else "hidden")
    if step:
        at = [float(ring.get_attribute(name)) for name in ("cx", "cy")]
        assert in_data(at) == pytest.approx(X[step - 1], abs=0.01)
    now = step > 0 and ROUNDS[step - 1].mistake
    assert bool(len(drawn(page, ".pla-cross:not(.pla-previous)"))) == now
    past = [t for t in range(step - now) if ROUNDS[t].mistake]
    crossed = in_data(drawn(page, ".pla-past-mistakes").reshape(-1, 4, 2).mean(axis=1))
    assert crossed == pytest.approx(X[past].reshape(-1, 2), abs=0.02)


def expect_curves(page: Page, step: int, w, made: int) -> None:
    """The curves' corners in rounds and mistakes, by the ticks of the chart."""
    top = max(3, min(N, 2.5 * bound(N, BEST)))
    across, up = (400 - 72 - 38) / N, (320 - 60) / top

    def to_chart(places: np.ndarray) -> np.ndarray:
        return (places - [38, 290]) / [across, -up]

    steps = to_chart(drawn(page, ".pla-mistake-curve"))
    assert len(steps) == (2 + 2 * made if step else 0)
    if not step:
        return
    assert steps[-1] == pytest.approx([step, made], abs=0.1)
    for selector, comparator in ((".pla-bound", w), (".pla-best-bound", BEST)):
        curve = to_chart(drawn(page, selector))
        for t, height in curve[1:-1:5]:
            assert height == pytest.approx(bound(round(t), comparator), abs=0.1)
        assert curve[-1, 1] == pytest.approx(min(top, bound(step, comparator)), abs=0.1)


def test_every_round_is_that_of_the_stream(stream):
    expect(stream.locator(".pla-words")).to_have_text(re.compile("^40 points will come, one a round"))
    put(stream, w=[0.6, 1.1])
    for step in range(N + 1):
        assert value(stream, "step") == step
        expect_scene(stream)
        stream.get_by_role("button", name="Next →").click(force=True)
    assert value(stream, "step") == N


def test_controls_of_the_rounds(stream):
    mistakes = [seen.t for seen in ROUNDS if seen.mistake]
    for t in mistakes[:3]:
        stream.get_by_role("button", name="Next mistake").click()
        assert value(stream, "step") == t
    expect_scene(stream)
    for name, step in (("Back", mistakes[2] - 1), ("Last", N), ("First", 0)):
        stream.get_by_role("button", name=name).click()
        assert value(stream, "step") == step
        expect_scene(stream)
    stream.get_by_role("slider", name="Round").focus()
    for key, step in {"ArrowRight": 1, "End": N, "ArrowLeft": N - 1}.items():
        stream.keyboard.press(key)
        assert value(stream, "step") == step
    stream.get_by_label("Speed").select_option("fast")
    stream.get_by_role("button", name="First").click()
    stream.get_by_role("button", name="Play").click()
    expect(stream.locator(".pla-words")).to_contain_text("Round 3")
    stream.get_by_role("button", name="Pause").click()
    expect_scene(stream)


def test_sliders_give_direction_and_length(stream):
    put(stream, step=25)
    direction, length = (stream.get_by_role("slider", name=f"w* {name}") for name in ("direction", "length"))
    direction.press("End")
    assert value(stream, "w") == pytest.approx([-1 / np.linalg.norm(X, axis=1).max(), 0], abs=1e-12)
    direction.press("ArrowLeft")
    w = np.array(value(stream, "w"))
    assert np.rad2deg(np.arctan2(w[1], w[0])) == pytest.approx(179)
    expect_scene(stream)
    length.press("End")
    assert np.linalg.norm(value(stream, "w")) == pytest.approx(float(length.get_attribute("max")))
    assert float(length.get_attribute("max")) >= 2 * np.linalg.norm(BEST)
    expect_scene(stream)
    box = length.bounding_box()
    stream.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert np.linalg.norm(value(stream, "w")) == pytest.approx(float(length.get_attribute("max")) / 2, rel=0.05)
    expect_scene(stream)


def test_zero_promises_nothing_and_keeps_its_direction(stream):
    put(stream, step=25, w=[0.0, 0.5])
    length = stream.get_by_role("slider", name="w* length")
    length.press("Home")
    assert value(stream, "w") == [0, 0]
    expect_scene(stream)
    made = ROUNDS[24].mistakes
    assert bound(25, [0, 0], rounds="mistakes") == made
    expect(stream.locator(".pla-words")).to_contain_text(f"at most 25 (over mistake rounds only: {made}, a tautology)")
    length.press("ArrowRight")
    w = value(stream, "w")
    assert w[1] > 0
    assert w[0] == pytest.approx(0, abs=1e-12)


def test_w_is_dragged_and_moved_by_keys(stream):
    put(stream, step=25)
    grip = stream.locator(".pla-grip")
    grip.evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = grip.bounding_box()
    stream.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    before, svg = grip_at(stream), stream.locator(".pla-pictures svg").first.bounding_box()
    stream.mouse.down()
    stream.mouse.move(svg["x"] + 0.6 * svg["width"], svg["y"] + 0.3 * svg["height"], steps=3)
    stream.mouse.up()
    assert grip_at(stream) == pytest.approx([0.6 * 400, 0.3 * 320], abs=0.6)
    w = np.array(value(stream, "w"))
    expect_scene(stream)
    assert np.linalg.norm(grip_at(stream) - before) > 30
    unit = in_data(grip_at(stream)) / w
    grip.focus()
    moves = {"ArrowRight": (10, 0), "ArrowUp": (0, 10), "Shift+ArrowLeft": (-2, 0), "ArrowDown": (0, -10)}
    for key, pixel in moves.items():
        stream.keyboard.press(key)
        w = w + np.array(pixel) / SCALE / unit
        assert value(stream, "w") == pytest.approx(w, abs=0.02)
        assert value(stream, "step") == 25
    expect_scene(stream)
    # No further than the picture has room for.
    for _ in range(30):
        stream.keyboard.press("ArrowRight")
    assert np.linalg.norm(value(stream, "w")) == pytest.approx(
        float(stream.get_by_role("slider", name="w* length").get_attribute("max"))
    )
    expect_scene(stream)


def test_best_button_takes_the_best_comparator(stream):
    put(stream, step=N)
    assert bound(N, value(stream, "w")) > bound(N, BEST)
    stream.get_by_role("button", name="Best w*").click()
    assert value(stream, "w") == pytest.approx(BEST)
    expect_scene(stream)


def test_touch_drags_w(phone, gallery):
    phone.goto(f"{gallery}/lectures/stream_explorer.html")
    phone.locator(".pla").wait_for()
    show(phone)
    phone.locator(".pla-grip").evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    before = grip_at(phone)
    swipe(phone, middle(phone.locator(".pla-grip")), (0, -50))
    width = phone.locator(".pla-pictures svg").first.bounding_box()["width"]
    assert grip_at(phone) == pytest.approx(before - [0, 50 * 400 / width], abs=2)
    phone.get_by_role("button", name="Next mistake").tap()
    expect_scene(phone)
    for name in ("Best w*", "Next mistake", "Play"):
        assert phone.get_by_role("button", name=name).bounding_box()["height"] >= 44


def test_sentence_is_true_of_its_stream():
    widget, run = stream_explorer(X, Y), perceptron(X, Y, bias=False, max_epochs=1)
    widget.w = [0.5, -1.5]
    assert "which no line through the origin separates" in widget.sentence()
    assert f"the perceptron makes {len(run.mistakes)} mistakes in {N} rounds" in widget.sentence()
    yours, best = (f"{hinge_mistake_bound(run, np.array(w)):.3g}" for w in ([0.5, -1.5], BEST))
    assert widget.sentence().endswith(
        f"The comparator w* = (0.5, −1.5) promises at most {yours} mistakes, the best one at most {best}."
    )
    apart = stream_explorer(*semicircles(12, gap=60))
    assert "which a line through the origin separates" in apart.sentence()
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
