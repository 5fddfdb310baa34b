"""The margin explorer on its page, with no kernel: every control, and what is shown against pla_lib's own numbers."""

import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from pla_lib import Hyperplane, NotSeparable, blobs, max_margin, perceptron, xor
from pla_lib.widgets._margin_explorer import margin_explorer
from tests.widgets.drawn import as_text, drawn, mount, plane, put, ringed, same_line, same_points, stand_in, value
from tests.widgets.gestures import drag as drag_to
from tests.widgets.gestures import middle, swipe

X, y = blobs(20, seed=2)  # as the page makes them
START, WIDEST = perceptron(X, y).hyperplane, max_margin(X, y)
ONE = START.theta / START.norm
DISTANCE = y * Hyperplane.from_theta(ONE).score(X)
# The same w, but as far from either class: from the start, which is nearer to class +1, a shift against w.
HALFWAY = ONE - [(DISTANCE[y > 0].min() - DISTANCE[y < 0].min()) / 2, 0, 0]


@pytest.fixture
def explorer(widget) -> Page:
    return widget


def knob(page: Page, name: str) -> np.ndarray:
    """Where a handle is, in the data's numbers."""
    place = page.get_by_role("button", name=name).get_attribute("transform")
    return plane(page, X, y)(place)[0]


def expect_line(page: Page, theta, best: float, revealed: bool = False) -> None:
    """Numbers, words and picture are those of this line; `best` is the widest margin the reader has had."""
    line = Hyperplane.from_theta(theta)
    line = Hyperplane(line.w / line.norm, line.b / line.norm)
    margin, distance = line.margin(X, y), y * line.score(X)
    share = [f"{as_text(100 * value / WIDEST.margin)} %" if value > 0 else "none" for value in (margin, best)]
    vector = f"({', '.join(as_text(round(float(value), 9)) for value in line.theta)})"
    expect(page.locator(".pla-numbers strong")).to_have_text([as_text(margin), *share, vector])
    words, data = page.locator(".pla-words"), plane(page, X, y)
    wrong = X[distance <= 0]
    if line.separates(X, y):
        plus, minus = distance[y > 0].min(), distance[y < 0].min()
        expect(words).to_contain_text(f"{as_text(plus)} away in class +1, {as_text(minus)} in class −1")
        edges = data(drawn(page, ".pla-margin"))
        for ends, score in ((edges[:2], margin), (edges[2:], -margin)):
            assert same_line(ends, line.theta - [score, 0, 0])
        band = data(drawn(page, ".pla-band"))
        assert np.all(abs(line.score(band)) < margin + 0.01)
        assert same_points(
            data(ringed(page, ".pla-ring >> nth=1")), X[distance <= margin + np.ptp(data([0, 0, 1, 0])[:, 0])]
        )
    else:
        expect(words).to_contain_text(f"does not separate: {len(wrong)} point")
        expect(words).to_contain_text(f"the worst by {as_text(-margin)}. So the margin is negative.")
        for name in (".pla-margin", ".pla-band", ".pla-ring >> nth=1"):
            assert page.locator(name).get_attribute("d") == ""
    crosses = data(drawn(page, ".pla-cross"))
    assert same_points(crosses.reshape(-1, 4, 2).mean(axis=1), wrong)
    assert same_line(data(drawn(page, ".pla-current-line")), line.theta)
    side = data(drawn(page, ".pla-positive-side"))
    assert len(side) >= 3
    assert np.all(line.score(side) > -0.02)
    shaft = data(drawn(page, ".pla-arrow"))[:2]
    assert (shaft[1] - shaft[0]) / np.linalg.norm(shaft[1] - shaft[0]) == pytest.approx(line.w, abs=0.01)
    assert shaft == pytest.approx(np.array([knob(page, "Shift"), knob(page, "Turn")]), abs=0.02)
    assert float(page.get_by_role("slider", name="Turn").input_value()) == pytest.approx(
        np.degrees(np.arctan2(*line.w[::-1])), abs=0.26
    )
    expect(page.locator(".pla-widest")).to_have_css("opacity", "0.6" if revealed else "0")


def turned(page: Page, degrees: float) -> np.ndarray:
    """The line in this direction through the dot, about which lines turn."""
    w = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    return np.array([-w @ knob(page, "Shift"), *w])


def margin_of(theta) -> float:
    return Hyperplane.from_theta(theta).margin(X, y)


def drag(page: Page, name: str, to: np.ndarray) -> None:
    """Drag a handle to a place given in the data's numbers."""
    drag_to(page, middle(page.get_by_role("button", name=name)), on_screen(page, to))


def on_screen(page: Page, point) -> tuple[float, float]:
    box, (left, top), (right, _) = page.locator(".pla svg").bounding_box(), *plane(page, X, y)([0, 0, 400, 0])
    return (
        box["x"] + (point[0] - left) / (right - left) * box["width"],
        box["y"] + (top - point[1]) / (right - left) * box["width"],
    )


def test_it_starts_with_the_perceptrons_line(explorer):
    expect_line(explorer, ONE, START.margin(X, y))


def test_turn_slider(explorer):
    best = START.margin(X, y)
    explorer.get_by_role("slider", name="Turn").focus()
    for _ in range(8):
        explorer.keyboard.press("ArrowLeft")
        angle = float(explorer.get_by_role("slider", name="Turn").input_value())
        best = max(best, margin_of(turned(explorer, angle)))
        expect_line(explorer, turned(explorer, angle), best)
    for key, angle in {"Home": -180, "End": 180}.items():
        explorer.keyboard.press(key)
        expect_line(explorer, turned(explorer, angle), best)


def test_shift_slider_moves_the_line_along_w_and_keeps_it_in_the_picture(explorer):
    slider, (corner, other) = explorer.get_by_role("slider", name="Shift"), plane(explorer, X, y)([0, 0, 400, 300])
    middle, best = (corner + other) / 2, START.margin(X, y)
    slider.focus()
    for key in ["ArrowRight"] * 4 + ["PageUp", "Home", "End"]:
        explorer.keyboard.press(key)
        by = float(slider.input_value())
        dot = knob(explorer, "Shift")
        theta = np.array([-ONE[1:] @ dot, *ONE[1:]])  # the same w, through the dot
        assert ONE[1:] @ (dot - middle) == pytest.approx(by, abs=0.01)
        best = max(best, margin_of(theta))
        expect_line(explorer, theta, best)
    expect(slider).to_have_attribute("aria-valuetext", f"{as_text(by)} from the middle")


def test_dot_is_dragged(explorer):
    to = Hyperplane.from_theta(HALFWAY).project(knob(explorer, "Shift")) + 0.05 * ONE[1:]
    drag(explorer, "Shift the line", to)
    theta = np.array([-ONE[1:] @ knob(explorer, "Shift"), *ONE[1:]])
    assert knob(explorer, "Shift") == pytest.approx(to, abs=0.02)
    assert margin_of(theta) > START.margin(X, y)
    expect_line(explorer, theta, margin_of(theta))


def test_arrow_is_dragged(explorer):
    dot = knob(explorer, "Shift")
    drag(explorer, "Turn the line", dot + np.array([-1.0, 0.2]))
    w = knob(explorer, "Turn") - dot
    assert np.arctan2(*w[::-1]) == pytest.approx(np.arctan2(0.2, -1.0), abs=0.02)
    assert knob(explorer, "Shift") == pytest.approx(dot, abs=1e-6)
    expect_line(explorer, np.array([-w @ dot, *w]), START.margin(X, y))


def test_handles_move_by_arrow_keys_and_finely_with_shift(explorer):
    scale = 1 / np.diff(plane(explorer, X, y)([0, 0, 1, 0])[:, 0])[0]
    explorer.get_by_role("button", name="Shift the line").focus()
    best = START.margin(X, y)
    for key, way in {
        "ArrowUp": (0, 10),
        "ArrowRight": (10, 0),
        "Shift+ArrowUp": (0, 2),
        "Shift+ArrowLeft": (-2, 0),
    }.items():
        before = knob(explorer, "Shift")
        explorer.keyboard.press(key)
        dot = knob(explorer, "Shift")
        assert dot - before == pytest.approx(np.array(way) / scale, abs=1e-6)
        theta = np.array([-ONE[1:] @ dot, *ONE[1:]])
        best = max(best, margin_of(theta))
        expect_line(explorer, theta, best)
    explorer.get_by_role("button", name="Turn the line").focus()
    for key, way in {"ArrowLeft": (-10, 0), "ArrowDown": (0, -10), "Shift+ArrowLeft": (-2, 0)}.items():
        w = knob(explorer, "Turn") + np.array(way) / scale - dot
        explorer.keyboard.press(key)
        theta = np.array([-w @ dot, *w])
        best = max(best, margin_of(theta))
        expect_line(explorer, theta, best)


def test_a_finger_drags_the_dot_and_does_not_scroll(phone, gallery):
    phone.goto(f"{gallery}/lectures/margin_explorer.html")
    phone.locator(".pla").wait_for()
    phone.locator(".pla svg").scroll_into_view_if_needed()
    scrolled = phone.evaluate("scrollY")
    box = phone.get_by_role("button", name="Shift the line").bounding_box()
    assert min(box["width"], box["height"]) >= 28
    x, y_ = middle(phone.get_by_role("button", name="Shift the line"))
    swipe(phone, (x, y_), (0, -40))
    dot = knob(phone, "Shift")
    assert on_screen(phone, dot) == (pytest.approx(x, abs=1.5), pytest.approx(y_ - 40, abs=1.5))
    theta = np.array([-ONE[1:] @ dot, *ONE[1:]])
    expect(phone.locator(".pla-numbers strong").first).to_have_text(as_text(margin_of(theta)))
    assert phone.evaluate("scrollY") == scrolled
    for name in ("Show the widest", "Start again"):
        assert phone.get_by_role("button", name=name).bounding_box()["height"] >= 44


def test_the_widest_is_shown_and_hidden_again(explorer):
    explorer.get_by_role("button", name="Show the widest").click()
    expect_line(explorer, ONE, START.margin(X, y), revealed=True)
    expect(explorer.locator(".pla-words")).to_contain_text(
        f"The widest margin is {as_text(WIDEST.margin)}. Dashed rings mark its {len(WIDEST.support)} support vectors."
    )
    data = plane(explorer, X, y)
    line, edges = (data(drawn(explorer, f".pla-widest .pla-line >> nth={k}")) for k in (0, 1))
    assert same_line(line, WIDEST.theta, 0.01)
    assert same_line(edges[:2], WIDEST.theta - [1, 0, 0], 0.01)
    assert same_line(edges[2:], WIDEST.theta - [-1, 0, 0], 0.01)
    assert same_points(data(ringed(explorer, ".pla-widest .pla-ring")), X[WIDEST.support])
    explorer.get_by_role("button", name="Hide the widest").press("Enter")
    expect_line(explorer, ONE, START.margin(X, y))
    expect(explorer.locator(".pla-words")).not_to_contain_text("The widest margin is")


def test_best_so_far_is_kept_until_the_start_again(explorer):
    drag(explorer, "Shift the line", knob(explorer, "Shift") - 0.1 * ONE[1:])
    best = margin_of([-ONE[1:] @ knob(explorer, "Shift"), *ONE[1:]])
    best_shown = f"{as_text(100 * best / WIDEST.margin)} %"
    explorer.get_by_role("slider", name="Turn").press("Home")
    expect(explorer.locator(".pla-numbers strong").nth(1)).to_have_text("none")
    expect(explorer.locator(".pla-numbers strong").nth(2)).to_have_text(best_shown)
    tick = explorer.locator(".pla-meter b").evaluate("node => parseFloat(node.style.left)")
    assert tick == pytest.approx(100 * best / WIDEST.margin, abs=1e-3)
    assert explorer.locator(".pla-meter i").evaluate("node => node.style.width") == "0%"
    explorer.get_by_role("button", name="Show the widest").click()
    explorer.get_by_role("button", name="Start again").click()
    expect(explorer.get_by_role("button", name="Show the widest")).to_be_visible()  # it would spoil the next try
    expect_line(explorer, ONE, START.margin(X, y))
    width = explorer.locator(".pla-meter i").evaluate("node => parseFloat(node.style.width)")
    assert width == pytest.approx(100 * START.margin(X, y) / WIDEST.margin, abs=1e-3)


def test_values_set_by_python_are_drawn_and_the_advice_is_true(page):
    widget = margin_explorer(X, y)
    mount(page, widget)
    words, best = page.locator(".pla-words"), WIDEST.theta * WIDEST.margin

    def show(theta, revealed=False):
        widget.theta, widget.revealed = list(theta), revealed
        put(page, theta=widget.theta, revealed=revealed)

    show(ONE)
    expect(words).to_contain_text("Shift the line towards class −1 to widen it.")
    assert margin_of(ONE - [-0.05, 0, 0]) > margin_of(ONE)
    show(HALFWAY - [-0.1, 0, 0])
    expect(words).to_contain_text("Shift the line towards class +1 to widen it.")
    assert margin_of(HALFWAY - [-0.05, 0, 0]) > margin_of(HALFWAY - [-0.1, 0, 0])
    show(HALFWAY)
    expect(words).to_contain_text("A shift cannot widen it any more. A turn can.")
    expect_line(page, HALFWAY, margin_of(HALFWAY))
    show(best)
    expect(words).to_contain_text("It is the widest")
    expect_line(page, best, WIDEST.margin)
    show(-best)
    expect(words).to_contain_text("20 points are wrong")
    expect(words).to_contain_text("Turn it right round.")
    show([-50, 1, 0], revealed=True)
    expect(words).to_contain_text("The line runs outside the picture.")
    expect(words).to_contain_text("10 points are wrong")
    assert not page.get_by_role("button", name="Turn the line").is_visible()
    show([-X[1, 0], 1, 0])
    expect(words).to_contain_text("does not separate")
    page.get_by_role("button", name="Show the widest").click()
    assert value(page, "revealed") is True
    page.get_by_role("slider", name="Turn").press("End")
    w = value(page, "theta")[1:]
    assert (np.hypot(*w), w[0]) == (pytest.approx(1, abs=1e-12), pytest.approx(-1))


def test_a_point_on_the_line_is_no_separation(page):
    widget = margin_explorer([[0, 0], [0, 2], [4, 0], [4, 2]], [-1, -1, 1, 1])
    widget.theta = [-4.0, 1.0, 0.0]
    mount(page, widget)
    expect(page.locator(".pla-words")).to_contain_text("2 points are wrong, on the line itself. So the margin is 0.")
    expect(page.locator(".pla-numbers strong").first).to_have_text("0")
    widget.theta = [-2.0, 1.0, 0.0]
    mount(page, widget)
    expect(page.locator(".pla-words")).to_contain_text("It is the widest")


def test_no_fault_for_screen_readers(explorer):
    explorer.get_by_role("button", name="Show the widest").click()
    expect(explorer.locator(".pla-widest")).to_have_css("opacity", "0.6")
    assert not [fault["id"] for fault in Axe().run(explorer, context=".pla").response["violations"]]
    expect(explorer.locator(".pla-words")).to_have_attribute("aria-live", "polite")
    expect(explorer.locator(".pla svg")).to_have_attribute("aria-label", re.compile("20 points and your line. Nearest"))


def test_sentence_tells_whether_the_line_separates():
    widget = margin_explorer(X, y)
    assert (
        f"separates them with margin {START.margin(X, y):.3g}; the widest margin is {WIDEST.margin:.3g}"
        in widget.sentence()
    )
    widget.theta = [0, 0, 1]
    assert not Hyperplane([0, 1], 0).separates(X, y)
    assert "One line does not separate them" in widget.sentence()


def test_theta_keeps_length_one():
    widget = margin_explorer(X, y)
    widget.theta = [10, 3, 4]
    assert widget.theta == pytest.approx([2, 0.6, 0.8])
    with pytest.raises(ValueError, match="w is zero"):
        widget.theta = [1, 0, 0]
    with pytest.raises(ValueError, match=r"\[b, w1, w2\]; it was given 4 numbers"):
        widget.theta = [1, 2, 3, 4]


def test_where_the_perceptron_takes_long_the_start_separates_all_the_same():
    narrow = blobs(20, gap=0.01, middle=(50, 50))
    assert not perceptron(*narrow, max_epochs=100).converged
    line = Hyperplane.from_theta(margin_explorer(*narrow).theta)
    assert line.margin(*narrow) == pytest.approx(max_margin(*narrow).margin / 2)


@pytest.mark.parametrize(
    ("examples", "error", "words"),
    [
        (xor(), NotSeparable, "no hyperplane separates"),
        (([[1, 2, 3], [0, 0, 0]], [1, -1]), ValueError, "two features; these have 3"),
        (([[1, 2], [0, 0]], [1, 1]), ValueError, "every label in y is"),
        (([[1, 2], [0, 0]], [1, 0]), ValueError, "for labels 0 and 1 pass"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(examples, error, words):
    with pytest.raises(error, match=words):
        margin_explorer(*examples)


def test_notebook_keeps_a_small_picture():
    stand_in(margin_explorer(X, y))
