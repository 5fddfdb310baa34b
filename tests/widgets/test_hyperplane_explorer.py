"""The hyperplane explorer on its page, with no kernel: every control, and what is shown against pla_lib.Hyperplane."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import Hyperplane
from pla_lib.widgets._hyperplane_explorer import hyperplane_explorer
from tests.widgets.drawn import as_text, axes, mount, numbers, stand_in
from tests.widgets.gestures import drag as drag_to
from tests.widgets.gestures import middle, swipe

THETA, POINT = [-1.2, 1.2, 1.6], [1.6, 1.2]  # as the widget starts


@pytest.fixture
def explorer(widget) -> Page:
    return widget


def hosted(page: Page, theta, point) -> Page:
    mount(page, hyperplane_explorer(theta, point))
    return page


def axis(page: Page, picture: int):
    """From a picture's own units to numbers; the origin is in the middle."""
    svg = page.locator(".pla-pictures svg").nth(picture)
    to_numbers, size = axes(svg), numbers(svg.get_attribute("viewBox"))[2:]
    assert to_numbers(size / 2) / to_numbers(size) == pytest.approx(0, abs=0.001)
    return to_numbers


def corners(page: Page, selector: str, picture: int = 0) -> np.ndarray:
    return axis(page, picture)(page.locator(selector).nth(0).get_attribute("d"))


def place(page: Page, name: str, picture: int) -> np.ndarray:
    return axis(page, picture)(page.get_by_role("button", name=name).get_attribute("transform"))[0]


def expect_shown(page: Page, theta, point) -> None:
    """Numbers, words and both pictures are those of the hyperplane theta and the point."""
    line, x = Hyperplane.from_theta(theta), np.array(point, float)
    score, distance, foot = line.score(x), line.distance(x, signed=True), line.project(x)
    shown = page.locator(".pla-numbers strong")
    expect(shown.nth(3)).to_have_text(as_text(score, sign=True))
    expect(shown).to_have_text(
        [
            as_text(line.b),
            as_text(*line.w),
            as_text(line.norm),
            as_text(score, sign=True),
            as_text(distance, sign=True),
            as_text(*foot),
        ]
    )
    side = "positive" if score > 0 else "negative"
    words = page.locator(".pla-words")
    expect(words).to_contain_text(f"The point {as_text(*x)} scores {as_text(score, sign=True)}.")
    expect(words).to_contain_text(f"on the {side} side, at distance")
    expect(words).to_contain_text(f"{as_text(abs(score))} / {as_text(line.norm)} = {as_text(abs(distance))}")
    near = pytest.approx
    assert place(page, "The point", 0) == near(x, abs=0.02)
    assert place(page, "The weights", 1) == near(line.w, abs=0.02 * line.norm)
    drop = corners(page, ".pla-distance-line")
    assert drop[0] == near(x, abs=0.02)
    assert drop[1] == near(foot, abs=0.02)
    for end in corners(page, ".pla-current-line"):
        assert line.distance(end) == near(0, abs=0.02)
    assert all(line.score(corner) > -0.05 for corner in corners(page, ".pla-positive-side"))
    start, tip = corners(page, ".pla-arrow")[:2]
    assert (tip - start) / np.linalg.norm(tip - start) == near(line.w / line.norm, abs=0.05)
    # In weight space the point is the line of the w that score it zero, and w lies on the side of its score.
    dual = Hyperplane(x, line.b)
    for end in corners(page, ".pla-dual-line", 1):
        assert dual.distance(end) == near(0, abs=0.05)
    tinted = page.locator(".pla-positive-side").nth(1).get_attribute("d")
    assert all(dual.score(corner) > -0.1 for corner in axis(page, 1)(tinted))
    shape = "circle.pla-positive" if score > 0 else "rect.pla-negative"
    assert page.locator(".pla-handle").locator(shape).get_attribute("visibility") == "inherit"


def drag(page: Page, name: str, by: tuple[float, float]) -> None:
    x, y = middle(page.get_by_role("button", name=name))
    drag_to(page, (x, y), (x + by[0], y + by[1]))


def test_start_is_as_pla_lib_says(explorer):
    expect_shown(explorer, THETA, POINT)
    expect(explorer.locator(".pla-words")).to_contain_text("Drag the point, or turn and shift the line.")


def test_point_is_dragged_across_the_line(explorer):
    drag(explorer, "The point", (-150, 60))
    point = place(explorer, "The point", 0).round(2)
    assert Hyperplane.from_theta(THETA).score(point) < 0
    expect_shown(explorer, THETA, point)


def test_point_stays_in_the_picture(explorer):
    drag(explorer, "The point", (-2000, 0))
    point = place(explorer, "The point", 0)
    assert -3 < point[0] < -2
    expect_shown(explorer, THETA, point.round(2))


def test_arrow_keys_move_the_point_and_shift_moves_it_finely(explorer):
    explorer.get_by_role("button", name="The point").focus()
    moved = []
    for key in ("ArrowLeft", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowUp"):
        before = place(explorer, "The point", 0)
        explorer.keyboard.press(key)
        moved.append((place(explorer, "The point", 0) - before).round(2))
    assert moved[0][0] < 0 == moved[0][1]
    assert moved[1][1] < 0 == moved[1][0]
    assert 0 < moved[2][0] < -moved[0][0] / 3
    assert 0 < moved[3][1] < -moved[1][1] / 3
    expect_shown(explorer, THETA, place(explorer, "The point", 0).round(2))


def test_turn_keeps_offset_and_length(explorer):
    turn = explorer.get_by_role("slider", name="Turn")
    for degrees in (-90, 10, 180):
        turn.fill(str(degrees))
        angle = np.deg2rad(degrees)
        expect_shown(explorer, [-1.2, *(2 * np.array([np.cos(angle), np.sin(angle)]).round(12))], POINT)
        expect(explorer.locator(".pla-words")).to_contain_text("the line is still 0.6 from the origin")


def test_shift_moves_the_line_parallel_to_itself(explorer):
    shift = explorer.get_by_role("slider", name="Shift")
    shift.focus()
    for key, offset in {"Home": -1.2, "ArrowRight": -1.18, "End": 1.2}.items():
        explorer.keyboard.press(key)
        b = numbers(explorer.locator(".pla-numbers strong").first.text_content())[0]
        assert b == pytest.approx(2 * offset, abs=0.05)
        expect(shift).to_have_attribute("aria-valuetext", f"b = {as_text(b)}")
        expect_shown(explorer, [b, 1.2, 1.6], POINT)
        expect(explorer.locator(".pla-words")).to_contain_text("w stayed, b changed")


def test_length_scales_the_score_and_not_the_line(explorer):
    before = explorer.locator(".pla-current-line").get_attribute("d"), corners(explorer, ".pla-distance-line").tolist()
    for part, length in {100: 3, 20: 0.6, 40: 1.2}.items():
        explorer.get_by_role("slider", name="Length of w").fill(str(part))
        expect_shown(explorer, np.array(THETA) * length / 2, POINT)
        assert explorer.locator(".pla-current-line").get_attribute("d") == before[0]
        assert corners(explorer, ".pla-distance-line").tolist() == before[1]
        expect(explorer.locator(".pla-words")).to_contain_text("the line stayed, the score did not")


def test_line_is_dragged_by_its_grip(explorer):
    drag(explorer, "The line", (-30, 40))
    b = numbers(explorer.locator(".pla-numbers strong").first.text_content())[0]
    assert b > -1.2
    expect(explorer.locator(".pla-numbers strong").nth(1)).to_have_text("(1.2, 1.6)")
    explorer.get_by_role("button", name="The line").press("ArrowUp")
    assert numbers(explorer.locator(".pla-numbers strong").first.text_content())[0] < b


def test_w_crosses_the_points_line_exactly_when_the_point_crosses_the_line(explorer):
    seen = set()
    for by in ((-60, 0), (-60, 40), (100, 60), (20, -90)):
        drag(explorer, "The weights", by)
        w = numbers(explorer.locator(".pla-numbers strong").nth(1).text_content())
        assert place(explorer, "The weights", 1) == pytest.approx(w, abs=0.03)
        score = Hyperplane(w, -1.2).score(POINT)
        shown = numbers(explorer.locator(".pla-numbers strong").nth(3).text_content())[0]
        assert shown == pytest.approx(score, abs=0.02)
        # On which side of the line drawn in weight space is the disc w? Where tinted, the score is positive.
        svg = explorer.locator(".pla-pictures svg").nth(1)
        tinted = svg.locator(".pla-positive-side").evaluate(
            "(side, [u, v]) => side.isPointInFill(Object.assign(side.ownerSVGElement.createSVGPoint(), {x: u, y: v}))",
            numbers(explorer.get_by_role("button", name="The weights").get_attribute("transform")).tolist(),
        )
        assert tinted == (score > 0)
        seen.add(tinted)
    assert seen == {True, False}


def test_w_does_not_come_to_zero(explorer):
    box = explorer.locator(".pla-pictures svg").nth(1).bounding_box()
    at = explorer.get_by_role("button", name="The weights").bounding_box()
    to_zero = (
        box["x"] + box["width"] / 2 - at["x"] - at["width"] / 2,
        box["y"] + box["height"] / 2 - at["y"] - at["height"] / 2,
    )
    drag(explorer, "The weights", to_zero)
    assert numbers(explorer.locator(".pla-numbers strong").nth(2).text_content())[0] == pytest.approx(0.6)
    expect(explorer.locator(".pla-words")).to_contain_text("w = 0 is left out: it has no line.")


def test_point_and_weights_follow_a_finger(phone, gallery):
    phone.goto(f"{gallery}/lectures/hyperplane_explorer.html")
    for name, picture in (("The point", 0), ("The weights", 1)):
        node = phone.get_by_role("button", name=name)
        node.scroll_into_view_if_needed()
        before, box, top = place(phone, name, picture), node.bounding_box(), phone.evaluate("scrollY")
        swipe(phone, middle(node), (-40, 40))
        after = place(phone, name, picture)
        assert after[0] < before[0] - 0.2
        assert after[1] < before[1] - 0.2
        assert phone.evaluate("scrollY") == top  # the page did not scroll instead
        assert min(box["width"], box["height"]) >= 28


def test_values_set_from_python_are_drawn(page):
    hosted(page, [-5, 3, 4], [3, 4])
    expect_shown(page, [-5, 3, 4], [3, 4])
    page.evaluate("model.set('theta', [2, -4, 3])")
    expect_shown(page, [2, -4, 3], [3, 4])
    page.evaluate("model.set('point', [-1, 2])")
    expect_shown(page, [2, -4, 3], [-1, 2])
    page.evaluate("model.set('theta', [-60, 3, 4])")
    expect(page.locator(".pla-words")).to_contain_text("The line runs outside the picture.")
    page.evaluate("model.set('point', [100, 2])")
    expect(page.locator(".pla-words")).to_contain_text("The point lies outside the picture.")


def test_reader_s_values_reach_python(page):
    hosted(page, [0, 3, 4], [3, 4])
    page.get_by_role("slider", name="Turn").fill("90")
    assert page.evaluate("model.get('theta')") == pytest.approx([0, 0, 5])
    page.get_by_role("button", name="The point").press("ArrowLeft")
    x1, x2 = page.evaluate("model.get('point')")
    assert x1 < 3
    assert x2 == 4


def test_point_on_the_line_and_point_at_the_origin(page):
    hosted(page, [-5, 3, 4], [0.6, 0.8])
    expect(page.locator(".pla-words")).to_contain_text("It is on the line, and w is on the point's line.")
    page.evaluate("model.set('point', [0, 0])")
    expect(page.locator(".pla-words")).to_contain_text("and has this score for every w.")
    expect(page.locator(".pla-dual-line")).to_have_attribute("d", "")
    expect(page.locator(".pla-positive-side").nth(1)).to_have_attribute("d", "")
    page.evaluate("model.set('theta', [5, 3, 4])")
    expect(page.locator(".pla-positive-side").nth(1)).to_have_attribute("d", re.compile("Z"))


def test_height_holds_while_it_is_used(page):
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        hosted(page, [-1.23, 1.23, 1.57], [1.61, 1.23])
        height = page.locator(".pla-frame").bounding_box()["height"]
        for name, value in (("Turn", "-123"), ("Shift", "-37"), ("Length of w", "31")):
            page.get_by_role("slider", name=name).fill(value)
            assert page.locator(".pla-frame").bounding_box()["height"] == height


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
