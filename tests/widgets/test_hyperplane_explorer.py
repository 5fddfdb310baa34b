"""The hyperplane explorer on its page, with no kernel: every control, and what is shown against pla_lib.Hyperplane."""

import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from pla_lib import Hyperplane
from pla_lib.widgets._hyperplane_explorer import hyperplane_explorer
from tests.widgets.drawn import as_text, axes, mount, numbers, put, stand_in, value
from tests.widgets.gestures import drag as drag_to
from tests.widgets.gestures import middle, play_until, step, swipe

THETA, POINT = [-1.2, 1.2, 1.6], [1.6, 1.2]  # as the widget starts
LAST = 8  # the steps of the tour
NUMBERS = ("score", "distance", "foot", "b", "w", "norm")  # in the order in which they are shown


@pytest.fixture
def explorer(widget) -> Page:
    return widget


def hosted(page: Page, theta, point) -> Page:
    page.emulate_media(reduced_motion="reduce")
    mount(page, hyperplane_explorer(theta, point))
    page.locator(".pla-main svg").wait_for()
    return page


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()


def picture(page: Page, k: int):
    """The plane, or weight space."""
    return page.locator(".pla-picture").nth(k).locator("svg")


def axis(page: Page, k: int):
    """From a picture's own units to numbers; the origin is in the middle."""
    svg = picture(page, k)
    to_numbers, size = axes(svg), numbers(svg.get_attribute("viewBox"))[2:]
    assert to_numbers(size / 2) / to_numbers(size) == pytest.approx(0, abs=0.001)
    return to_numbers


def corners(page: Page, selector: str, k: int = 0) -> np.ndarray:
    return axis(page, k)(picture(page, k).locator(selector).get_attribute("d"))


def grip(page: Page, name: str):
    return page.locator(f".pla-handle[aria-label^='{name}']")


def place(page: Page, name: str, k: int) -> np.ndarray:
    return axis(page, k)(grip(page, name).get_attribute("transform"))[0]


def shown(page: Page, name: str) -> np.ndarray:
    """One of the numbers, as it is shown."""
    return numbers(page.locator(".pla-numbers strong").nth(NUMBERS.index(name)).text_content())


def expect_shown(page: Page, theta, point) -> None:
    """Numbers, words and both pictures are those of the hyperplane theta and the point."""
    line, x = Hyperplane.from_theta(theta), np.array(point, float)
    score, distance, foot = line.score(x), line.distance(x, signed=True), line.project(x)
    foot[abs(foot) < 1e-12 * abs(x).max()] = 0  # mere rounding
    if abs(distance) < 1e-12:
        score, distance = 0.0, 0.0
    expect(page.locator(".pla-numbers strong")).to_have_text(
        [
            as_text(score, sign=True),
            as_text(distance, sign=True),
            as_text(*foot),
            as_text(line.b),
            as_text(*line.w),
            as_text(line.norm),
        ]
    )
    side = "positive" if score > 0 else "negative"
    why = page.locator(".pla-why")
    expect(page.locator(".pla-why-button")).to_be_visible()
    # The later steps of the tour are about something else; the test of the tour compares their reasons.
    if not re.match("Step [3-9]|Done", page.locator(".pla-chip").inner_text()):
        expect(why).to_contain_text(f"The point {as_text(*x)} scores w′x + b = {as_text(score, sign=True)}.")
        quotient = f"{as_text(abs(score))} / {as_text(line.norm)} = {as_text(abs(distance))}"
        expect(why).to_contain_text(
            f"It is on the {side} side, at distance |score| / ‖w‖ = {quotient}." if score else "It is on the line."
        )
    near = pytest.approx
    pixel = np.ptp(axis(page, 0)([0, 0, 1, 0])[:, 0])
    assert place(page, "The point", 0) == near(x, abs=pixel)
    assert place(page, "The weights", 1) == near(line.w, abs=0.02 * line.norm)
    drop = corners(page, ".pla-distance-line")
    assert drop[0] == near(x, abs=pixel)
    assert drop[1] == near(foot, abs=pixel)
    expect(picture(page, 0).locator(".pla-score")).to_have_text(as_text(score, sign=True))
    ends = corners(page, ".pla-current-line")
    assert len(ends) == 2
    assert all(line.distance(ends) < pixel)
    assert all(line.distance(corners(page, ".pla-positive-side"), signed=True) > -pixel)
    assert all(line.distance(corners(page, ".pla-negative-side"), signed=True) < pixel)
    start, tip = corners(page, ".pla-arrow")[:2]
    assert (tip - start) / np.linalg.norm(tip - start) == near(line.w / line.norm, abs=0.05)
    # In weight space the point is the line of the w that score it zero, and w lies on the side of its score.
    dual_pixel = np.ptp(axis(page, 1)([0, 0, 1, 0])[:, 0])
    if x.any():
        dual = Hyperplane(x, line.b)
        for end in corners(page, ".pla-dual-line", 1):
            assert dual.distance(end) < dual_pixel
        for corner in corners(page, ".pla-positive-side", 1):
            assert dual.distance(corner, signed=True) > -dual_pixel
    # The point has no class: on both sides it is the same dot with a ring.
    classes = grip(page, "The point").locator("*").evaluate_all("all => all.map(one => one.getAttribute('class'))")
    assert classes == ["pla-touch-area", "pla-halo", "pla-own-ring", None]
    for mark in (".pla-distance-line", ".pla-dual-line"):
        assert not re.search("positive|negative", page.locator(mark).get_attribute("class"))
    expect(grip(page, "The point")).to_have_attribute(
        "aria-label", f"The point, at {as_text(*x)}, scores {as_text(score, sign=True)}"
    )


def drag(page: Page, name: str, by: tuple[float, float]) -> None:
    x, y = middle(grip(page, name))
    drag_to(page, (x, y), (x + by[0], y + by[1]))


def state(page: Page) -> dict:
    """Step, line and point of the widget on its page."""
    return page.evaluate("""async () => {
        const model = await [...plaWidgetHost.models.values()][0];
        return Object.fromEntries(["step", "theta", "point"].map((name) => [name, model.get(name)]));
    }""")


def test_start_is_as_pla_lib_says(explorer):
    expect_shown(explorer, THETA, POINT)
    expect(explorer.locator(".pla-words")).to_contain_text("The point scores +2.64, so it is on the positive side.")


@pytest.mark.parametrize(
    ("theta", "point"),
    [
        (THETA, POINT),
        ([-5, 3, 4], [3, -1]),  # on the line
        ([0, -3, 0.5], [0, 0]),  # both through the origin
        ([40, 30, -40], [-2, 0.1]),
        ([0.003, 0, -0.02], [-0.3, 0.4]),
        ([-7, -1, 0], [120, 80]),
    ],
)
def test_every_sentence_of_the_tour_is_true(page, theta, point):
    hosted(page, theta, point)
    words, seen, whys, paths = page.locator(".pla-words"), [], [], []
    for k in range(LAST + 1):
        if k:
            step(page)
        seen.append((np.array(value(page, "theta")), np.array(value(page, "point")), words.inner_text()))
        expect_shown(page, *seen[-1][:2])
        whys.append(page.locator(".pla-why").text_content().replace("\xa0", " "))
        paths.append((corners(page, ".pla-weight-path", 1), page.locator(".pla-stop").all_text_contents()))
        assert len(seen[-1][2]) <= 95
        assert "outside" not in seen[-1][2]
        # What a step has moved is also seen where it was, faded, and named.
        has_moved = k > 0 and any((now != old).any() for now, old in zip(seen[-1][:2], seen[-2][:2], strict=True))
        assert bool(page.locator(".pla-picture").get_by_text("before", exact=True).count()) == has_moved
        chip = "Start" if k == 0 else "Done" if k == LAST else f"Step {k} of {LAST}"
        expect(page.locator(".pla-chip")).to_have_text(chip)
    lines, points, texts = zip(*[(Hyperplane.from_theta(one), x, text) for one, x, text in seen], strict=True)
    score = [line.distance(x, signed=True) * line.norm for line, x in zip(lines, points, strict=True)]
    zero = pytest.approx(0, abs=1e-12 * lines[0].norm * max(1, abs(np.array(points)).max()))
    # 0 to 2: the point goes to the line, straight, and to its other side.
    assert seen[0][0] == pytest.approx(theta)
    assert seen[0][1] == pytest.approx(point)
    started = 0 if score[0] == zero else score[0]
    assert f"scores {as_text(started, sign=True)}, so it is on the " in texts[0]
    assert score[1] == zero
    assert points[1] == pytest.approx(lines[0].project(point))
    assert ("The point is on the line." in texts[1]) == (started == 0)
    if started:
        assert f"to the line, a distance of {as_text(lines[0].distance(point))}." in texts[1]
        assert score[2] * score[0] < 0
    assert score[2] != zero
    assert f"the score is {as_text(score[2], sign=True)}: its sign" in texts[2]
    # 3: w and b double; 4: only b; 5: only the direction of w.
    assert lines[3].theta == pytest.approx(2 * lines[2].theta)
    assert f"The score doubles to {as_text(2 * score[2], sign=True)}, but the line does not move." in texts[3]
    assert list(lines[4].w) == list(lines[3].w)
    assert abs(lines[4].b - lines[3].b) > 0.1 * lines[3].norm * value(page, "reach")[0]
    assert f"from {as_text(lines[3].b)} to {as_text(lines[4].b)}" in texts[4]
    assert lines[5].b == lines[4].b
    assert lines[5].norm == pytest.approx(lines[4].norm)
    assert lines[5].w @ lines[4].w == pytest.approx(0.5 * lines[4].norm ** 2)  # 60 degrees
    assert f"still {as_text(lines[4].distance([0, 0]))} from the origin" in texts[5]
    assert lines[5].distance([0, 0]) == pytest.approx(lines[4].distance([0, 0]))
    # 6 to 8: the point moves; w moves onto its line, and across.
    assert list(lines[6].theta) == list(lines[5].theta)
    assert np.linalg.norm(points[6] - points[5]) > 0
    for k in (7, 8):
        assert list(points[k]) == list(points[6])
        assert lines[k].b == lines[6].b
    assert score[6] < 0
    assert score[7] == zero
    assert score[8] > 0
    went = f"{as_text(score[6], sign=True)}, then 0, now {as_text(score[8], sign=True)}"
    assert texts[8] == f"w crosses the line of x: the score was {went}. So x changes sides."
    # Each reason is that of its step.
    away = [f"{as_text(abs(line.b))} / {as_text(line.norm)} = {as_text(line.distance([0, 0]))}" for line in lines]
    norms = [as_text(line.norm) for line in lines]
    if started:
        assert f"w changes the score by ‖w‖ = {norms[0]}. " in whys[1]
        distance = as_text(lines[0].distance(point))
        assert f"after |score| / ‖w‖ = {as_text(abs(started))} / {norms[0]} = {distance}." in whys[1]
    assert f"The distance |score| / ‖w‖ stays {as_text(lines[2].distance(points[2]))}, " in whys[3]
    assert f"Its distance from the origin is |b| / ‖w‖: it was {away[3]}, and is now {away[4]}." in whys[4]
    assert f"from the origin is |b| / ‖w‖ = {away[5]}." in whys[5]
    assert "For one x it is a line of weights w" in whys[6]
    joint = f"{as_text(points[7] @ lines[7].w)} {'−' if lines[7].b < 0 else '+'} {as_text(abs(lines[7].b))}"
    assert whys[7] == f"Both say the same: w′x + b = {joint} = 0."
    assert whys[8].startswith("The score w′x + b is one number for both pictures.")
    # In weight space the way of w is seen as far as it has gone, with the score at every stop before.
    for k, (way, stops) in enumerate(paths):
        assert len(way) == (13 * (k - 6) if k > 6 else 0)
        assert stops == [as_text(0 if one == zero else one, sign=True) for one in score[6:k]]
        if k > 6:
            ends = [lines[j].w for j in range(6, k + 1)]
            assert way[[0, *range(12, len(way), 13)]] == pytest.approx(np.array(ends), abs=0.02 * lines[k].norm)


def test_an_edit_leaves_the_tour_and_next_takes_it_up_again(explorer):
    words = explorer.locator(".pla-words")
    for _ in range(2):
        step(explorer)
    second = state(explorer)
    grip(explorer, "The point").press("ArrowRight")
    expect(explorer.locator(".pla-chip")).to_have_text("Your point")
    own = state(explorer)
    assert own["step"] == 2
    assert own["point"][0] > second["point"][0]
    expect_shown(explorer, own["theta"], own["point"])
    step(explorer)
    expect(words).to_contain_text("w and b both double.")
    assert state(explorer)["theta"] == [2 * value for value in THETA]
    assert state(explorer)["point"] == second["point"]
    # Also from both ends, where there is no step before or after.
    for key, chip in (("End", "Done"), ("Home", "Start")):
        explorer.get_by_role("slider", name="Step").press(key)
        expect(explorer.locator(".pla-chip")).to_have_text(chip)
        there = state(explorer)
        name = "Next" if key == "End" else "First"
        expect(explorer.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-disabled", "true")
        grip(explorer, "The point").press("ArrowUp")
        expect(explorer.locator(".pla-chip")).to_have_text("Your point")
        grip(explorer, "The line").press("ArrowUp")
        expect(explorer.locator(".pla-chip")).to_have_text("Your line")
        step(explorer, name)
        expect(explorer.locator(".pla-chip")).to_have_text(chip)
        assert state(explorer) == there


def test_origin_has_its_name_out_of_the_way_of_the_line(explorer):
    origin = picture(explorer, 0).get_by_text("origin", exact=True)
    for _ in range(LAST + 1):
        box, dot = origin.bounding_box(), middle(explorer.locator(".pla-origin"))
        assert abs(box["x"] + box["width"] / 2 - dot[0]) < 40
        assert abs(box["y"] + box["height"] / 2 - dot[1]) < 20
        # Neither the point nor the foot of the arrow w is beneath it.
        for name in ("The point", "The line"):
            x, y = middle(grip(explorer, name))
            assert not (box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])
        explorer.get_by_role("button", name="Next", exact=True).click(force=True)  # at the end it does nothing


def test_motion_ends_exactly_and_no_press_is_lost(explorer):
    for _ in range(2):
        step(explorer)
    two = state(explorer)
    step(explorer, "First")
    explorer.emulate_media(reduced_motion="no-preference")
    next_ = explorer.get_by_role("button", name="Next", exact=True)
    next_.evaluate("button => { button.click(); button.click(); }")
    assert state(explorer) == two
    expect_shown(explorer, two["theta"], two["point"])  # numbers and words wait for the end of the motion
    # On the way the point is between the two places, and the words already say where it goes.
    middle_seen = next_.evaluate("""async (button) => {
        const at = () => document.querySelector(".pla-handle[aria-label^='The weights']").getAttribute("transform");
        const before = at();
        button.click();
        const seen = new Set();
        for (let k = 0; k < 40; k++) {
            await new Promise(requestAnimationFrame);
            seen.add(at());
        }
        return seen.size;
    }""")
    assert middle_seen > 3
    expect_shown(explorer, [2 * value for value in THETA], two["point"])
    # From the reader's own line it goes back to the tour first, and then on.
    explorer.get_by_role("tab", name="Sliders").click()
    explorer.get_by_role("slider", name="Turn").fill("-90")
    step(explorer)
    expect(shown_text(explorer, "b")).to_have_text("2.4")
    expect_shown(explorer, [2.4, 2.4, 3.2], two["point"])


def shown_text(page: Page, name: str):
    return page.locator(".pla-numbers strong").nth(NUMBERS.index(name))


def test_it_plays_the_tour_to_its_end(explorer):
    at = play_until(explorer, "Only b changes")
    assert at == 4
    step(explorer, "Play")
    expect(explorer.locator(".pla-chip")).to_have_text("Done")
    expect(explorer.get_by_role("button", name="Play")).to_be_visible()


def test_undo_returns_the_exact_state_and_a_drag_is_one_step(explorer):
    step(explorer)
    states = [state(explorer)]
    drag(explorer, "The point", (-80, 50))
    states.append(state(explorer))
    drag(explorer, "The weights", (20, 60))
    states.append(state(explorer))
    step(explorer)  # a step is no edit
    for before in states[1::-1]:
        explorer.keyboard.press("Control+z")
        assert state(explorer) == before
        expect_shown(explorer, before["theta"], before["point"])
    expect(explorer.locator(".pla-chip")).to_have_text(f"Step 1 of {LAST}")
    explorer.keyboard.press("Control+Shift+z")
    assert state(explorer) == states[1]


def test_link_and_python_give_the_same_line_and_point(explorer):
    for _ in range(3):
        step(explorer)
    drag(explorer, "The point", (-80, 50))
    made = state(explorer)
    explorer.wait_for_url(re.compile("#widget1="))
    address = explorer.url
    explorer.goto("about:blank")
    explorer.goto(address)
    explorer.locator(".pla-main svg").wait_for()
    assert state(explorer) == made
    expect_shown(explorer, made["theta"], made["point"])
    step(explorer)
    expect(explorer.locator(".pla-chip")).to_have_text(f"Step 4 of {LAST}")
    explorer.get_by_role("button", name="More").click()
    explorer.get_by_role("button", name="Copy as Python").click()
    code = explorer.locator(".pla-python").inner_text()
    names = {}
    exec(code, names)
    assert names["theta"] == state(explorer)["theta"]
    assert names["line"].score(names["point"]) == pytest.approx(shown(explorer, "score")[0], abs=0.01)
    explorer.goto(re.sub("theta:[^;]*", "theta:1,0,0", address))
    explorer.reload()
    expect(explorer.locator(".pla-words")).to_contain_text("This widget cannot read the link")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900), (390, 844)])
def test_it_fits_one_screen_and_its_height_holds(explorer, width, height):
    explorer.set_viewport_size({"width": width, "height": height})
    root = explorer.locator(".pla")
    root.evaluate("node => node.scrollIntoView({ block: 'center' })")
    frame = root.bounding_box()
    assert frame["height"] <= height - 16

    def expect_it_fits(*parts: str) -> None:
        assert root.bounding_box() == frame
        for part in (".pla-verdict", ".pla-bar", *parts):
            box = explorer.locator(part).bounding_box()
            assert frame["x"] <= box["x"]
            assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 0.5
            assert frame["y"] <= box["y"]
            assert box["y"] + box["height"] <= frame["y"] + frame["height"] + 0.5
        lines = "node => node.offsetHeight / parseFloat(getComputedStyle(node).lineHeight)"
        assert explorer.locator(".pla-words").evaluate(lines) < 2.1

    for k in range(LAST + 1):
        if k:
            step(explorer)
        expect_it_fits(*[".pla-main"] * (width > 500 or k < 6))
    open_tab(explorer, "Sliders")
    for name, position in (("Turn", "-123"), ("Shift", "-37"), ("Length of w", "31")):
        explorer.get_by_role("slider", name=name).fill(position)
        expect_it_fits(".pla-main")
    assert explorer.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_the_picture_of_the_step_is_shown_and_sliders_have_theirs(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/hyperplane_explorer.html")
    phone.locator(".pla-main svg").wait_for()
    for k in range(1, LAST + 1):
        step(phone)
        expect(phone.get_by_role("tab", selected=True)).to_have_text("Plane" if k < 6 else "Weight space")
    open_tab(phone, "Sliders")
    assert phone.locator(".pla-main svg").is_visible()
    before = shown(phone, "b")
    knob = phone.get_by_role("slider", name="Shift the line")
    assert knob.bounding_box()["height"] >= 44
    knob.press("ArrowRight")
    assert shown(phone, "b")[0] > before[0]
    for name in ("Play", "Next", "First"):
        button = phone.locator(".pla-bar").get_by_role("button", name=name, exact=True)
        assert button.is_hidden() or min(button.bounding_box()["width"], button.bounding_box()["height"]) >= 44


def test_point_is_dragged_across_the_line_and_stays_in_the_picture(explorer):
    drag(explorer, "The point", (-150, 60))
    point = state(explorer)["point"]
    assert Hyperplane.from_theta(THETA).score(point) < 0
    expect_shown(explorer, THETA, point)
    expect(explorer.locator(".pla-words")).to_contain_text("on the negative side")
    drag(explorer, "The point", (-2000, 0))
    x1, x2 = state(explorer)["point"]
    left, right = axis(explorer, 0)([0, 0, 14, 0])[:, 0]
    assert x1 == pytest.approx(right, abs=0.02)
    assert left < x1
    expect_shown(explorer, THETA, [x1, x2])


def test_arrow_keys_move_the_point_and_shift_moves_it_finely(explorer):
    moved = []
    for key in ("ArrowLeft", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowUp"):
        before = np.array(state(explorer)["point"])
        grip(explorer, "The point").press(key)
        moved.append(np.array(state(explorer)["point"]) - before)
    assert moved[0][0] < 0 == moved[0][1]
    assert moved[1][1] < 0 == moved[1][0]
    assert 0 < moved[2][0] < -moved[0][0] / 3
    assert 0 < moved[3][1] < -moved[1][1] / 3
    expect_shown(explorer, THETA, state(explorer)["point"])


def test_turn_keeps_offset_and_length(explorer):
    open_tab(explorer, "Sliders")
    turn = explorer.get_by_role("slider", name="Turn")
    for degrees in (-90, 10, 180):
        turn.fill(str(degrees))
        angle = np.deg2rad(degrees)
        expect_shown(explorer, [-1.2, *(2 * np.array([np.cos(angle), np.sin(angle)]).round(12))], POINT)
        expect(explorer.locator(".pla-words")).to_contain_text("the line is still 0.6 from the origin")
    turn.dblclick(position={"x": 5, "y": 10})  # back to the start, up to the slider's whole degrees
    expect(turn).to_have_attribute("aria-valuetext", "53°")


def test_shift_moves_the_line_parallel_to_itself(explorer):
    open_tab(explorer, "Sliders")
    shift = explorer.get_by_role("slider", name="Shift")
    shift.focus()
    for key, offset in {"Home": -1.2, "ArrowRight": -1.18, "End": 1.2}.items():
        explorer.keyboard.press(key)
        b = shown(explorer, "b")[0]
        assert b == pytest.approx(2 * offset, abs=0.05)
        expect(shift).to_have_attribute("aria-valuetext", f"b = {as_text(b)}")
        expect_shown(explorer, [b, 1.2, 1.6], POINT)
        expect(explorer.locator(".pla-words")).to_contain_text("Only b changed: the line moved parallel to itself.")


def test_length_scales_the_score_and_not_the_line(explorer):
    open_tab(explorer, "Sliders")
    before = explorer.locator(".pla-current-line").get_attribute("d"), corners(explorer, ".pla-distance-line").tolist()
    for part, length in {100: 4, 20: 0.8, 40: 1.6}.items():
        explorer.get_by_role("slider", name="Length of w").fill(str(part))
        expect_shown(explorer, np.array(THETA) * length / 2, POINT)
        assert explorer.locator(".pla-current-line").get_attribute("d") == before[0]
        assert corners(explorer, ".pla-distance-line").tolist() == before[1]
        expect(explorer.locator(".pla-words")).to_contain_text(
            "w and b were scaled together, so the line did not move."
        )


def test_line_is_dragged_by_its_grip(explorer):
    drag(explorer, "The line", (-30, 40))
    b = shown(explorer, "b")[0]
    assert b > -1.2
    assert shown(explorer, "w").tolist() == [1.2, 1.6]
    grip(explorer, "The line").press("ArrowUp")
    assert shown(explorer, "b")[0] < b


def test_w_crosses_the_points_line_exactly_when_the_point_crosses_the_line(explorer):
    seen = set()
    for by in ((-30, 0), (-60, 40), (100, 60), (20, -90)):
        drag(explorer, "The weights", by)
        w = shown(explorer, "w")
        assert place(explorer, "The weights", 1) == pytest.approx(w, abs=0.05)
        score = Hyperplane(w, -1.2).score(POINT)
        assert shown(explorer, "score")[0] == pytest.approx(score, abs=0.02)
        # On which side of the line drawn in weight space is the disc w? Where tinted, the score is positive.
        side, at = picture(explorer, 1).locator(".pla-positive-side"), grip(explorer, "The weights")
        tinted = side.evaluate(
            "(side, [x, y]) => side.isPointInFill(Object.assign(side.ownerSVGElement.createSVGPoint(), { x, y }))",
            numbers(at.get_attribute("transform")).tolist(),
        )
        assert tinted == (score > 0)
        seen.add(tinted)
    assert seen == {True, False}


def test_w_does_not_come_to_zero(explorer):
    drag_to(explorer, middle(grip(explorer, "The weights")), middle(picture(explorer, 1)))
    assert shown(explorer, "norm")[0] == pytest.approx(0.8)
    expect(explorer.locator(".pla-words")).to_contain_text("There is no line for w = 0, so w stops here.")


def test_names_of_the_sides_in_weight_space_keep_off_the_arrow_w(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/hyperplane_explorer.html")
    phone.locator(".pla-main svg").wait_for()
    for _ in range(LAST):
        step(phone)
        open_tab(phone, "Weight space")
        ends = [middle(picture(phone, 1).locator("circle.pla-foot")), middle(grip(phone, "The weights"))]
        for text in phone.locator(".pla-side-text").all():
            if text.text_content():
                box = text.bounding_box()
                for x, y in ends:
                    assert not (box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])


def test_point_and_weights_follow_a_finger(phone, gallery):
    phone.goto(f"{gallery}/lectures/hyperplane_explorer.html")
    phone.locator(".pla-main svg").wait_for()
    phone.locator(".pla").scroll_into_view_if_needed()
    for name, tab, k in (("The point", "Plane", 0), ("The weights", "Weight space", 1)):
        open_tab(phone, tab)
        node = grip(phone, name)
        expect(node).to_be_visible()
        before, box, top = place(phone, name, k), node.bounding_box(), phone.evaluate("scrollY")
        swipe(phone, middle(node), (-40, 40))
        after = place(phone, name, k)
        assert after[0] < before[0] - 0.2
        assert after[1] < before[1] - 0.2
        assert phone.evaluate("scrollY") == top  # the page did not scroll instead
        assert min(box["width"], box["height"]) >= 28


def test_values_set_from_python_are_drawn(page):
    hosted(page, [-5, 3, 4], [3, 4])
    expect_shown(page, [-5, 3, 4], [3, 4])
    put(page, theta=[2, -4, 3])
    expect_shown(page, [2, -4, 3], [3, 4])
    put(page, point=[-1, 2])
    expect_shown(page, [2, -4, 3], [-1, 2])
    put(page, step=3)  # a link in the text does this: line and point follow
    expect_shown(page, [-10, 6, 8], value(page, "point"))
    expect(page.locator(".pla-chip")).to_have_text(f"Step 3 of {LAST}")
    put(page, theta=[-60, 3, 4])
    expect(page.locator(".pla-words")).to_contain_text("The line runs outside the picture.")
    put(page, point=[100, 2])
    expect(page.locator(".pla-words")).to_contain_text("The point lies outside the picture.")


def test_reader_s_values_reach_python(page):
    hosted(page, [0, 3, 4], [3, 4])
    open_tab(page, "Sliders")
    page.get_by_role("slider", name="Turn").fill("90")
    assert value(page, "theta") == pytest.approx([0, 0, 5])
    grip(page, "The point").press("ArrowLeft")
    x1, x2 = value(page, "point")
    assert x1 < 3
    assert x2 == 4


def test_point_on_the_line_and_point_at_the_origin(page):
    hosted(page, [-5, 3, 4], [0.6, 0.8])
    expect(page.locator(".pla-why")).to_contain_text(
        "It is on the line. In weight space, w is on the line of the point."
    )
    put(page, point=[0, 0])
    expect(page.locator(".pla-why")).to_contain_text("The point is the origin, so it has this score for every w.")
    expect(page.locator(".pla-dual-line")).to_have_attribute("d", "")
    expect(picture(page, 1).locator(".pla-positive-side")).to_have_attribute("d", "")
    put(page, theta=[5, 3, 4])
    expect(picture(page, 1).locator(".pla-positive-side")).to_have_attribute("d", re.compile("Z"))
    expect(picture(page, 1).locator(".pla-negative-side")).to_have_attribute("d", "")


def test_each_step_is_announced_and_there_is_no_fault_for_screen_readers(explorer):
    step(explorer)
    expect(explorer.locator(".pla-live")).to_have_text(re.compile("^Step 1 of 8. The point moves straight"))
    for tab in ("Weight space", "Sliders", "Numbers"):
        open_tab(explorer, tab)
        assert not [fault["id"] for fault in Axe().run(explorer, context=".pla").response["violations"]]


@pytest.mark.parametrize(
    ("theta", "point", "message"),
    [
        ([1, 0, 0], None, "w is zero, so there is no hyperplane"),
        ([1, 2], None, r"theta must have 3 entries, \[b, w1, w2\]; its shape is \(2,\)"),
        ([1, 2, np.nan], None, "theta must be finite"),
        (["a", "b", "c"], None, "theta must hold real numbers"),
        (None, [1, 2, 3], "point must have 2 entries, the two features of a point; its shape is"),
        (None, [1, np.inf], "point must be finite"),
    ],
)
def test_bad_input_is_refused_in_words(theta, point, message):
    with pytest.raises(ValueError, match=message):
        hyperplane_explorer(theta, point)


def test_python_cannot_set_what_has_no_line():
    widget = hyperplane_explorer()
    with pytest.raises(ValueError, match="w is zero"):
        widget.theta = [1, 0, 0]
    with pytest.raises(ValueError, match="two features"):
        widget.point = [1.0]


@pytest.mark.parametrize(
    ("point", "end"),
    [
        ([3, 4], "scores 20: it is on the positive side of the line, at distance 4."),
        ([0, 0], "scores −5: it is on the negative side of the line, at distance 1."),
        ([3, -1], "scores 0: it is on the line."),
    ],
)
def test_sentence_is_true(point, end):
    line = Hyperplane([3, 4], -5)
    assert float(line.score(point)) == float(end.split()[1].rstrip(":").replace("−", "-"))
    assert hyperplane_explorer([-5, 3, 4], point).sentence().endswith(end)


def test_notebook_keeps_a_picture_and_a_sentence():
    for point in (POINT, [0, 0]):
        bundle = stand_in(hyperplane_explorer(THETA, point))
        assert bundle["text/plain"].startswith("The line w'x + b = 0 with w = (1.2, 1.6) and b = −1.2.")
