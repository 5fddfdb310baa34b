"""The margin explorer on its page, with no kernel: every control, and what is shown against pla_lib's own numbers."""

import re
from itertools import pairwise

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from pla_lib import Hyperplane, NotSeparable, blobs, max_margin, perceptron, xor
from pla_lib.widgets._margin_explorer import margin_explorer
from tests.widgets.drawn import (
    as_text,
    drawn,
    mount,
    numbers,
    plane,
    put,
    ringed,
    same_line,
    same_points,
    size,
    stand_in,
    value,
)
from tests.widgets.gestures import drag as drag_to
from tests.widgets.gestures import middle, step, swipe

X, y = blobs(20, seed=2)  # as the page makes them
START, WIDEST = perceptron(X, y).hyperplane, max_margin(X, y)
ONE, BEST = START.theta / START.norm, WIDEST.theta * WIDEST.margin
DISTANCE = y * Hyperplane.from_theta(ONE).score(X)
# The same w, but as far from either class: from the start, which is nearer to class +1, a shift against w.
HALFWAY = ONE - [(DISTANCE[y > 0].min() - DISTANCE[y < 0].min()) / 2, 0, 0]
PIXEL = 1 / (0.8 * min((400, 300) / np.ptp(X, axis=0)))  # distances that differ by less look the same

# Presses Next until it is disabled, and collects the line and the words of each step.
EVERY_STEP = """() => {
    const next = document.querySelector(".pla-next"), seen = [];
    for (;;) {
        const text = (name) => document.querySelector(name).textContent.replaceAll("\u00a0", " ");
        seen.push([model.get("theta"), text(".pla-chip"), text(".pla-words"), text(".pla-why")]);
        if (next.getAttribute("aria-disabled") === "true") return seen;
        next.click();
    }
}"""


@pytest.fixture
def explorer(widget) -> Page:
    return widget


def hosted(page: Page, widget) -> Page:
    page.emulate_media(reduced_motion="reduce")
    mount(page, widget)
    page.locator(".pla-main svg").wait_for()
    return page


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()


def state(page: Page) -> dict:
    """The values of the widget on its page."""
    return page.evaluate("""async () => {
        const model = await [...plaWidgetHost.models.values()][0];
        return Object.fromEntries(["base", "step", "theta", "revealed", "best"].map((name) => [name, model.get(name)]));
    }""")


def grip(page: Page, name: str):
    return page.locator(f".pla-handle[aria-label^='{name}']")


def knob(page: Page, name: str) -> np.ndarray:
    """Where a handle is, in the data's numbers."""
    return plane(page, X)(grip(page, name).get_attribute("transform"))[0]


def expect_line(page: Page, theta, best: float, revealed: bool = False) -> None:
    """Numbers, words and picture are those of this line; `best` is the widest margin so far."""
    line = Hyperplane.from_theta(theta)
    line = Hyperplane(line.w / line.norm, line.b / line.norm)
    margin, distance = line.margin(X, y), y * line.score(X)
    plus, minus = distance[y > 0].min(), distance[y < 0].min()
    share = [f"{as_text(100 * value / WIDEST.margin)}%" if value > 0 else "none" for value in (margin, best)]
    vector = f"({', '.join(as_text(round(float(value), 9)) for value in line.theta)})"
    expect(page.locator(".pla-numbers strong")).to_have_text(
        [as_text(margin), *share, as_text(plus), as_text(minus), vector]
    )
    words, why, data = page.locator(".pla-words"), page.locator(".pla-why"), plane(page, X)
    wrong = np.flatnonzero(distance <= 0)
    is_step = re.match("Step|Done", page.locator(".pla-chip").text_content())
    if line.separates(X, y):
        if not is_step:
            expect(words).to_contain_text(f"The margin is {as_text(margin)}{'.' if revealed else ', '}")
            expect(why).to_contain_text(
                f"class +1 is {as_text(plus)} away, the nearest of class −1 is {as_text(minus)} away."
            )
        edges = data(drawn(page, ".pla-margin"))
        for ends, score in ((edges[:2], margin), (edges[2:], -margin)):
            assert same_line(ends, line.theta - [score, 0, 0])
        band = data(drawn(page, ".pla-band"))
        assert np.all(abs(line.score(band)) < margin + 0.01)
        if margin < WIDEST.margin * (1 - 1e-9):
            assert same_points(data(ringed(page, ".pla-nearest")), X[distance <= margin + PIXEL])
    else:
        if not is_step:
            expect(words).to_contain_text(f"{len(wrong)} point")
            if not revealed:
                expect(words).to_contain_text(f"the worst by {as_text(-margin)}.")
            expect(why).to_contain_text(f"So the margin is {as_text(margin)}.")
        for name in (".pla-margin", ".pla-band", ".pla-nearest"):
            assert page.locator(name).get_attribute("d") == ""
    crossed = page.locator(".pla-point.pla-wrong").evaluate_all("all => all.map(one => Number(one.dataset.point))")
    assert crossed == wrong.tolist()
    assert same_line(data(drawn(page, ".pla-current-line")), line.theta)
    for name, sign in ((".pla-positive-side", 1), (".pla-negative-side", -1)):
        side = data(drawn(page, name))
        assert len(side) >= 3
        assert np.all(sign * line.score(side) > -0.02)
    shaft = data(drawn(page, ".pla-arrow"))[:2]
    assert (shaft[1] - shaft[0]) / np.linalg.norm(shaft[1] - shaft[0]) == pytest.approx(line.w, abs=0.01)
    assert shaft == pytest.approx(np.array([knob(page, "Shift"), knob(page, "Turn")]), abs=0.02)
    turn = page.locator(".pla-slider input").first.input_value()
    assert float(turn) == pytest.approx(np.degrees(np.arctan2(*line.w[::-1])), abs=0.26)
    width, tick = page.locator(".pla-meter").evaluate(
        "node => [node.firstChild.style.width, node.lastChild.style.left].map(parseFloat)"
    )
    assert width == pytest.approx(max(0, 100 * margin / WIDEST.margin), abs=0.001)
    assert tick == pytest.approx(100 * best / WIDEST.margin, abs=0.001)
    expect(page.locator(".pla-widest")).to_have_css("opacity", "0.6" if revealed else "0")


def line_through_the_dot(page: Page, w) -> np.ndarray:
    """The line shown, which is, up to what pixels tell, the one through the dot with w in this direction."""
    theta = np.array(state(page)["theta"])
    w = np.array(w) / np.linalg.norm(w)
    assert theta == pytest.approx(np.array([-w @ knob(page, "Shift"), *w]), abs=0.01)
    return theta


def turned(page: Page, degrees: float) -> np.ndarray:
    """The line in this direction through the dot, about which lines turn."""
    return line_through_the_dot(page, [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def margin_of(theta) -> float:
    return Hyperplane.from_theta(theta).margin(X, y)


def drag(page: Page, name: str, to: np.ndarray) -> None:
    """Drag a handle to a place given in the data's numbers."""
    drag_to(page, middle(grip(page, name)), on_screen(page, to))


def on_screen(page: Page, point) -> tuple[float, float]:
    box, (left, top), (right, _) = page.locator(".pla-main svg").bounding_box(), *plane(page, X)([0, 0, 400, 0])
    unit = 400 / (right - left)
    return box["x"] + (point[0] - left) * unit, box["y"] + (top - point[1]) * unit


def test_it_starts_with_the_perceptrons_line(explorer):
    expect_line(explorer, ONE, START.margin(X, y))
    expect(explorer.locator(".pla-chip")).to_have_text("Start")
    expect(explorer.locator(".pla-words")).to_contain_text("The nearest point is ringed.")
    assert len(ringed(explorer, ".pla-nearest")) == 1
    expect(explorer.get_by_role("button", name="Start again")).to_have_attribute("aria-disabled", "true")


def test_turn_slider(explorer):
    best = START.margin(X, y)
    open_tab(explorer, "Sliders")
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
    open_tab(explorer, "Sliders")
    slider = explorer.get_by_role("slider", name="Shift")
    corner, other = plane(explorer, X)([0, 0, *size(explorer)])
    centre, best = (corner + other) / 2, START.margin(X, y)
    slider.focus()
    for key in ["ArrowRight"] * 4 + ["PageUp", "Home", "End"]:
        explorer.keyboard.press(key)
        by = float(slider.input_value())
        dot = knob(explorer, "Shift")
        theta = line_through_the_dot(explorer, ONE[1:])  # the same w
        assert ONE[1:] @ (dot - centre) == pytest.approx(by, abs=0.01)
        best = max(best, margin_of(theta))
        expect_line(explorer, theta, best)
    assert numbers(slider.get_attribute("aria-valuetext"))[0] == pytest.approx(by, abs=0.02)
    slider.dblclick(position={"x": 40, "y": 10})  # back to the start
    expect(explorer.locator(".pla-numbers strong").first).to_have_text(as_text(START.margin(X, y)))


def test_dot_is_dragged_and_so_is_the_line(explorer):
    to = Hyperplane.from_theta(HALFWAY).project(knob(explorer, "Shift")) + 0.05 * ONE[1:]
    drag(explorer, "Shift the line", to)
    theta = line_through_the_dot(explorer, ONE[1:])
    assert knob(explorer, "Shift") == pytest.approx(to, abs=0.02)
    assert margin_of(theta) > START.margin(X, y)
    expect_line(explorer, theta, margin_of(theta))
    # The line is grasped a few pixels beside its middle, far from its dot, and goes along by as much as the pointer.
    ends = plane(explorer, X)(drawn(explorer, ".pla-current-line"))
    there = ends[0] + 0.9 * (ends[1] - ends[0]) + 2 * PIXEL * ONE[1:]
    drag_to(
        explorer, on_screen(explorer, there), on_screen(explorer, there - 0.1 * ONE[1:] + 0.3 * ONE[[2, 1]] * [1, -1])
    )
    shifted = np.array(state(explorer)["theta"])
    assert shifted == pytest.approx(theta - [-0.1, 0, 0], abs=0.02)
    assert state(explorer)["best"] >= max(margin_of(theta), margin_of(shifted))  # on the way it was wider
    expect_line(explorer, shifted, state(explorer)["best"])


def test_arrow_is_dragged(explorer):
    dot = knob(explorer, "Shift")
    drag(explorer, "Turn the line", dot + np.array([-1.0, 0.2]))
    w = knob(explorer, "Turn") - dot
    assert np.arctan2(*w[::-1]) == pytest.approx(np.arctan2(0.2, -1.0), abs=0.02)
    assert knob(explorer, "Shift") == pytest.approx(dot, abs=1e-6)
    expect_line(explorer, line_through_the_dot(explorer, w), START.margin(X, y))


def test_handles_move_by_arrow_keys_and_finely_with_shift(explorer):
    scale = 1 / np.diff(plane(explorer, X)([0, 0, 1, 0])[:, 0])[0]
    best = START.margin(X, y)
    for key, way in {
        "ArrowUp": (0, 10),
        "ArrowRight": (10, 0),
        "Shift+ArrowUp": (0, 2),
        "Shift+ArrowLeft": (-2, 0),
    }.items():
        before = knob(explorer, "Shift")
        grip(explorer, "Shift the line").press(key)
        dot = knob(explorer, "Shift")
        assert dot - before == pytest.approx(np.array(way) / scale, abs=1e-6)
        theta = line_through_the_dot(explorer, ONE[1:])
        best = max(best, margin_of(theta))
        expect_line(explorer, theta, best)
    for key, way in {"ArrowLeft": (-10, 0), "ArrowDown": (0, -10), "Shift+ArrowLeft": (-2, 0)}.items():
        w = knob(explorer, "Turn") + np.array(way) / scale - dot
        grip(explorer, "Turn the line").press(key)
        theta = line_through_the_dot(explorer, w)
        best = max(best, margin_of(theta))
        expect_line(explorer, theta, best)


def test_a_finger_drags_the_dot_and_does_not_scroll(phone, gallery):
    phone.goto(f"{gallery}/lectures/margin_explorer.html")
    phone.locator(".pla-main svg").wait_for()
    phone.locator(".pla-main svg").scroll_into_view_if_needed()
    scrolled = phone.evaluate("scrollY")
    box = grip(phone, "Shift the line").bounding_box()
    assert min(box["width"], box["height"]) >= 28
    x, y_ = middle(grip(phone, "Shift the line"))
    swipe(phone, (x, y_), (0, -40))
    dot = knob(phone, "Shift")
    assert on_screen(phone, dot) == (pytest.approx(x, abs=1.5), pytest.approx(y_ - 40, abs=1.5))
    theta = line_through_the_dot(phone, ONE[1:])
    expect(phone.locator(".pla-numbers strong").first).to_have_text(as_text(margin_of(theta)))
    assert phone.evaluate("scrollY") == scrolled
    # Meter and sliders are of use only with the picture: it stays in view above them.
    for tab in ("Margin", "Sliders"):
        open_tab(phone, tab)
        assert phone.locator(".pla-main svg").is_visible()
    for name in ("Start again", "Next", "More"):
        box = phone.get_by_role("button", name=name, exact=True).bounding_box()
        assert min(box["width"], box["height"]) >= 44


def test_the_widest_is_shown_and_hidden_again(explorer):
    show = explorer.get_by_label("Show the widest")
    show.check()
    expect_line(explorer, ONE, START.margin(X, y), revealed=True)
    expect(explorer.locator(".pla-words")).to_contain_text(
        f"The widest is {as_text(WIDEST.margin)}, held by {len(WIDEST.support)} support vectors (dashed rings)."
    )
    data = plane(explorer, X)
    line, edges = (data(drawn(explorer, f".pla-widest .pla-line >> nth={k}")) for k in (0, 1))
    assert same_line(line, WIDEST.theta, 0.01)
    assert same_line(edges[:2], WIDEST.theta - [1, 0, 0], 0.01)
    assert same_line(edges[2:], WIDEST.theta - [-1, 0, 0], 0.01)
    assert same_points(data(ringed(explorer, ".pla-widest .pla-ring")), X[WIDEST.support])
    show.press("Space")
    expect_line(explorer, ONE, START.margin(X, y))
    expect(explorer.locator(".pla-words")).not_to_contain_text("dashed rings")


def test_best_so_far_is_kept_until_the_start_again(explorer):
    drag(explorer, "Shift the line", knob(explorer, "Shift") - 0.1 * ONE[1:])
    best = margin_of(state(explorer)["theta"])
    open_tab(explorer, "Sliders")
    explorer.get_by_role("slider", name="Turn").press("Home")
    open_tab(explorer, "Margin")
    expect(explorer.locator(".pla-numbers strong").nth(1)).to_have_text("none")
    expect_line(explorer, state(explorer)["theta"], best)
    explorer.get_by_label("Show the widest").check()
    before = state(explorer)
    step(explorer, "Start again")
    expect(explorer.get_by_label("Show the widest")).not_to_be_checked()  # it would spoil the next try
    expect_line(explorer, ONE, START.margin(X, y))
    explorer.keyboard.press("Control+z")  # also the start again can be taken back
    assert state(explorer) == before
    expect_line(explorer, before["theta"], best, revealed=True)


def test_values_set_by_python_are_drawn_and_the_advice_is_true(page):
    widget = margin_explorer(X, y)
    hosted(page, widget)
    words = page.locator(".pla-words")
    best = margin_of(ONE)

    def show(theta, revealed=False):
        nonlocal best
        widget.theta, widget.revealed = list(theta), revealed
        put(page, theta=widget.theta, revealed=revealed)
        best = max(best, margin_of(theta))

    show(HALFWAY - [-0.2, 0, 0])
    expect(words).to_contain_text("Shift towards class +1, or press Next")
    assert margin_of(HALFWAY - [-0.15, 0, 0]) > margin_of(HALFWAY - [-0.2, 0, 0])
    show(HALFWAY - [0.1, 0, 0])
    expect(words).to_contain_text("Shift towards class −1, or press Next")
    assert margin_of(HALFWAY - [0.05, 0, 0]) > margin_of(HALFWAY - [0.1, 0, 0])
    show(HALFWAY)
    expect(words).to_contain_text("No shift can widen it, but a turn can: press Next")
    expect_line(page, HALFWAY, best)
    near = BEST - [-0.0005, 0, 0]
    show(near)
    expect(words).to_contain_text("as near as you can get by hand")
    expect_line(page, near, best)
    show(BEST)
    expect(words).to_contain_text("The 3 ringed support vectors hold the widest margin")
    expect(page.get_by_role("button", name="Next", exact=True)).to_have_attribute("aria-disabled", "true")
    expect_line(page, BEST, WIDEST.margin)
    show(-BEST)
    expect(words).to_contain_text("20 points are wrong")
    expect(words).to_contain_text("Turn the line by 180°, or press Next")
    expect_line(page, -BEST, WIDEST.margin)
    show([-50, 1, 0], revealed=True)
    expect(words).to_contain_text("The line runs outside the picture.")
    expect(words).to_contain_text("10 points are wrong")
    assert not page.get_by_role("button", name="Turn the line").is_visible()
    show([-X[1, 0], 1, 0])
    page.get_by_label("Show the widest").check()
    assert value(page, "revealed") is True
    expect(words).to_contain_text(
        f"The widest margin is {as_text(WIDEST.margin)}, held by 3 support vectors (dashed rings)."
    )
    open_tab(page, "Sliders")
    page.get_by_role("slider", name="Turn").press("End")
    w = value(page, "theta")[1:]
    assert (np.hypot(*w), w[0]) == (pytest.approx(1, abs=1e-12), pytest.approx(-1))


def test_a_point_on_the_line_is_no_separation(page):
    widget = margin_explorer([[0, 0], [0, 2], [4, 0], [4, 2]], [-1, -1, 1, 1])
    widget.theta = [-4.0, 1.0, 0.0]
    hosted(page, widget)
    expect(page.locator(".pla-words")).to_contain_text("2 points are wrong, on the line itself.")
    expect(page.locator(".pla-numbers strong").first).to_have_text("0")
    widget.theta = [-2.0, 1.0, 0.0]
    hosted(page, widget)
    expect(page.locator(".pla-words")).to_contain_text("support vectors hold the widest margin, 2.")


DATA = {
    "seed 2": (X, y),
    "seed 11": blobs(20, seed=11),
    "seed 18": blobs(40, seed=18),
    "two points": ([[0, 0], [3, 1]], [-1, 1]),
    "four on a rectangle": ([[0, 0], [0, 2], [4, 0], [4, 2]], [-1, -1, 1, 1]),
    "narrow": blobs(20, gap=0.01, middle=(50, 50)),
}


def next_nearest(points, labels, widest) -> str:
    """What is said of the nearest point that does not hold the widest margin."""
    farther = labels * widest.hyperplane.score(points) * widest.margin - widest.margin
    farther[widest.support] = np.inf
    return f"Point {farther.argmin()} is {as_text(farther.min())} farther."


def test_a_point_that_only_seems_to_touch_the_widest_margin_is_named(page):
    points, labels = blobs(20, seed=20)
    widest = max_margin(points, labels)
    widget = margin_explorer(points, labels)
    widget.theta = (widest.theta * widest.margin).tolist()
    hosted(page, widget)
    held = f"The 3 ringed support vectors hold the widest margin, {as_text(widest.margin)}."
    expect(page.locator(".pla-words")).to_have_text(f"{held} {next_nearest(points, labels, widest)}")
    # Where all others are clearly farther away, there is nothing to tell.
    hosted(page, margin_explorer([[0, 0], [0, 2], [4, 0], [4, 2], [9, 1]], [-1, -1, 1, 1, 1]))
    put(page, theta=[-2.0, 1.0, 0.0])
    expect(page.locator(".pla-words")).to_have_text(re.compile(r"hold the widest margin, 2\.$"))


@pytest.mark.parametrize("name", DATA)
def test_every_improvement_widens_the_margin_until_it_is_the_widest(page, name):
    points, labels = (np.array(part) for part in DATA[name])
    widest, rng = max_margin(points, labels), np.random.default_rng(0)
    widget = margin_explorer(points, labels)
    hosted(page, widget)

    def gap(line):
        score = line.score(points)
        return score[labels > 0].min(), -score[labels < 0].max()

    for trial in range(6):
        if trial:  # the first is the start; the others are any lines near the points
            angle = rng.uniform(-np.pi, np.pi)
            w = np.array([np.cos(angle), np.sin(angle)])
            put(page, theta=[float(-w @ points.mean(axis=0) + rng.normal()), *w])
        seen = page.evaluate(EVERY_STEP)
        assert len(seen) <= 45
        margins = [Hyperplane.from_theta(theta).margin(points, labels) for theta, *_ in seen]
        assert all(after > before for before, after in pairwise(margins))
        assert seen[-1][0] == pytest.approx(widest.theta * widest.margin, abs=1e-12)
        assert seen[-1][1] == "Done"
        held = f"The {len(widest.support)} ringed support vectors hold the widest margin, {as_text(widest.margin)}."
        assert seen[-1][2] in (held, f"{held} {next_nearest(points, labels, widest)}")
        # The reader's line says how many steps there are from it, and every step after it.
        if trial and len(seen) > 1 and "as near as you can get" not in seen[0][2]:
            times = "once" if len(seen) == 2 else f"{len(seen) - 1} times"
            assert seen[0][2].endswith(f"press Next {times}.")
        for _, _, _, why in seen[1:-1]:
            assert why.endswith(f"From your line to the widest it is {len(seen) - 1} step{'s' * (len(seen) > 2)}.")
        for k in range(1, len(seen) - 1):
            theta, chip, words, _ = seen[k]
            line, before = Hyperplane.from_theta(theta), Hyperplane.from_theta(seen[k - 1][0])
            plus, minus = gap(line)
            assert plus == pytest.approx(minus, abs=1e-9)  # in the middle
            assert chip == f"Step {k} of {len(seen) - 1}"
            share = f", {as_text(100 * margins[k] / widest.margin)}% of the widest" if margins[k] > 0 else ""
            assert words.endswith(f"the margin from {as_text(margins[k - 1])} to {as_text(margins[k])}{share}.")
            cosine = line.w @ before.w
            if words.startswith("A shift"):
                assert k == 1
                assert cosine == pytest.approx(1)
            else:
                degrees = numbers(words)[0]
                assert np.degrees(np.arccos(min(1, cosine))) == pytest.approx(degrees, rel=0.01)
                assert degrees <= (6 if margins[k - 1] > 0 else 180)


def test_steps_scrub_back_along_the_way_and_the_rings_are_the_support_vectors(explorer):
    states = [state(explorer)]
    scrubber = explorer.get_by_role("slider", name="Improvement")
    for _ in range(int(scrubber.get_attribute("max"))):
        step(explorer)
        states.append(state(explorer))
        best = margin_of(states[-1]["theta"])
        expect_line(explorer, states[-1]["theta"], best)
        # The line before it has its name, unless the two can hardly be told apart.
        moved = np.abs(drawn(explorer, ".pla-main .pla-previous") - drawn(explorer, ".pla-current-line")).max()
        if moved > 10:
            expect(explorer.locator(".pla-main").get_by_text("before", exact=True)).to_be_visible()
    assert states[-1]["theta"] == pytest.approx(list(BEST), abs=1e-12)
    expect(explorer.locator(".pla-chip")).to_have_text("Done")
    held = ringed(explorer, ".pla-nearest.pla-support")
    assert same_points(plane(explorer, X)(held), X[WIDEST.support])
    for k in range(len(states) - 2, -1, -1):
        scrubber.press("ArrowLeft")
        assert state(explorer)["theta"] == states[k]["theta"]
        expect_line(explorer, states[k]["theta"], WIDEST.margin)
    expect(explorer.locator(".pla-chip")).to_have_text("Start")
    open_tab(explorer, "Steps")
    rows = explorer.locator(".pla-log tbody tr")
    expect(rows).to_have_count(len(states))
    for row, one in zip(rows.all(), states, strict=True):
        expect(row.locator("td").nth(2)).to_have_text(as_text(margin_of(one["theta"])))
    rows.nth(2).get_by_role("button").click()
    assert state(explorer)["step"] == 2
    # From a line of the reader's own a new way begins.
    grip(explorer, "Turn the line").press("ArrowLeft")
    own = state(explorer)
    assert (own["step"], own["base"]) == (0, own["theta"])
    step(explorer)
    assert margin_of(state(explorer)["theta"]) > margin_of(own["theta"])
    step(explorer, "Back")
    assert state(explorer)["theta"] == own["theta"]


def test_the_best_so_far_grows_with_the_line(explorer):
    """While the line moves, the best is not yet where the line will be; it ends there exactly."""
    explorer.emulate_media(reduced_motion="no-preference")
    explorer.evaluate("""() => {
        const [margin, , best] = document.querySelectorAll(".pla-numbers strong");
        window.seen = [];
        new MutationObserver(() => seen.push([margin.textContent, best.textContent]))
            .observe(document.querySelector(".pla-numbers"), { subtree: true, characterData: true, childList: true });
    }""")
    step(explorer)
    explorer.wait_for_timeout(900)
    seen = [
        (float(margin), float(best.rstrip("%")) / 100 * WIDEST.margin) for margin, best in explorer.evaluate("seen")
    ]
    assert len(seen) > 5
    for margin, best in seen:
        assert best == pytest.approx(margin, rel=0.02)
    theta = state(explorer)["theta"]
    expect_line(explorer, theta, margin_of(theta))


def test_motion_ends_exactly_and_no_press_is_lost(explorer):
    for _ in range(2):
        step(explorer)
    two = state(explorer)
    step(explorer, "Start again")
    explorer.emulate_media(reduced_motion="no-preference")
    next_ = explorer.get_by_role("button", name="Next", exact=True)
    next_.evaluate("button => { button.click(); button.click(); }")
    assert {**state(explorer), "best": None} == {**two, "best": None}
    expect_line(explorer, two["theta"], margin_of(two["theta"]))
    # A turn stays in the middle on its way: the margin never falls, also between two steps.
    margins = next_.evaluate("""async (button) => {
        button.click();
        const seen = [];
        for (let k = 0; k < 45; k++) {
            await new Promise(requestAnimationFrame);
            seen.push(document.querySelector(".pla-numbers strong").textContent);
        }
        return seen;
    }""")
    margins = [float(text) for text in margins]
    assert len(set(margins)) > 3
    assert margins == sorted(margins)
    step(explorer, "Play")
    expect(explorer.locator(".pla-chip")).to_have_text("Done")
    expect(explorer.get_by_role("button", name="Play")).to_be_visible()
    expect_line(explorer, BEST, WIDEST.margin)


def test_undo_returns_the_exact_state_and_a_drag_is_one_step(explorer):
    for _ in range(2):
        step(explorer)
    states = [state(explorer)]
    drag(explorer, "Shift the line", knob(explorer, "Shift") + 0.4 * ONE[1:])
    states.append(state(explorer))
    drag(explorer, "Turn the line", knob(explorer, "Shift") + np.array([-1.0, 0.2]))
    assert state(explorer)["base"] != states[1]["base"]
    for before in states[::-1]:
        explorer.keyboard.press("Control+z")
        assert state(explorer) == before
        expect_line(explorer, before["theta"], before["best"])
    explorer.keyboard.press("Control+Shift+z")
    assert state(explorer) == states[1]


def test_link_and_python_give_the_same_line(explorer):
    drag(explorer, "Turn the line", knob(explorer, "Shift") + np.array([0.6, 0.8]))
    for _ in range(2):
        step(explorer)
    explorer.get_by_label("Show the widest").check()
    made = state(explorer)
    explorer.get_by_role("button", name="More").click()
    explorer.get_by_role("button", name="Copy as Python").click()
    names = {}
    exec(explorer.locator(".pla-python").inner_text().removesuffix("widget\n"), names)
    assert names["line"].margin(X, y) == pytest.approx(margin_of(made["theta"]))
    assert names["widget"].theta == pytest.approx(made["theta"])
    explorer.get_by_role("button", name="Copy link").click()
    explorer.wait_for_url(re.compile("#widget1=.*step:2;;revealed:true"))
    address = explorer.url
    explorer.goto("about:blank")
    explorer.goto(address)
    explorer.locator(".pla-main svg").wait_for()
    again = state(explorer)
    assert {**again, "best": None} == {**made, "best": None}
    expect_line(explorer, made["theta"], max(margin_of(ONE), margin_of(made["theta"])), revealed=True)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900), (390, 844)])
def test_it_fits_one_screen_and_its_height_holds(explorer, width, height):
    explorer.set_viewport_size({"width": width, "height": height})
    root = explorer.locator(".pla")
    root.evaluate("node => node.scrollIntoView({ block: 'center' })")
    frame = root.bounding_box()
    assert frame["height"] <= height - 16

    def expect_it_fits() -> None:
        assert root.bounding_box() == frame
        for part in (".pla-verdict", ".pla-main", ".pla-bar"):
            box = explorer.locator(part).bounding_box()
            assert frame["x"] <= box["x"]
            assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 0.5
            assert frame["y"] <= box["y"]
            assert box["y"] + box["height"] <= frame["y"] + frame["height"] + 0.5
        lines = "node => node.offsetHeight / parseFloat(getComputedStyle(node).lineHeight)"
        assert explorer.locator(".pla-words").evaluate(lines) < 2.1

    expect_it_fits()
    for tab in ("Margin", "Sliders"):
        open_tab(explorer, tab)
        expect_it_fits()
    for degrees in ("100", "-60", "-120"):
        explorer.get_by_role("slider", name="Turn").fill(degrees)
        expect_it_fits()
    open_tab(explorer, "Margin")
    explorer.get_by_label("Show the widest").check()
    expect_it_fits()
    explorer.get_by_label("Show the widest").uncheck()
    while explorer.locator(".pla-next").get_attribute("aria-disabled") != "true":
        step(explorer)
        expect_it_fits()
    assert explorer.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hover_and_focus_on_a_point_tell_its_distance(explorer):
    tip, point = explorer.locator(".pla-tip"), explorer.locator(".pla-point")
    for i, act in ((0, "hover"), (1, "focus"), (12, "hover")):
        getattr(point.nth(i), act)()
        side = "right" if DISTANCE[i] > 0 else "wrong"
        expect(tip).to_have_text(
            f"Point {i}, class {'+1' if y[i] > 0 else '−1'}, at {as_text(*X[i])}: "
            f"{as_text(abs(DISTANCE[i]))} from the line, on the {side} side."
        )
        foot = plane(explorer, X)(drawn(explorer, ".pla-perpendicular"))[1]
        assert foot == pytest.approx(Hyperplane.from_theta(ONE).project(X[i]), abs=0.02)


def test_no_fault_for_screen_readers(explorer):
    explorer.get_by_label("Show the widest").check()
    for tab in ("Margin", "Sliders", "Steps"):
        open_tab(explorer, tab)
        assert not [fault["id"] for fault in Axe().run(explorer, context=".pla").response["violations"]]
    expect(explorer.locator(".pla-main svg")).to_have_attribute(
        "aria-label", re.compile("20 points and your line. The margin is")
    )
    step(explorer)
    expect(explorer.locator(".pla-live")).to_contain_text("A shift to the middle widens the margin")


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
