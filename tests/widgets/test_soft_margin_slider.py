"""The soft margin slider on its page, with no kernel: every control, and what is shown against pla_lib.soft_margin."""

import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from traitlets import TraitError

from pla_lib import blobs, label_noise, max_margin, soft_margin, xor
from pla_lib.widgets._soft_margin_slider import soft_margin_slider
from tests.widgets.drawn import as_text, drawn, mount, plane, put, ringed, same_line, same_points, stand_in, value
from tests.widgets.gestures import drag

X, y = label_noise(blobs(40, gap=0.1), 0.1)  # as the page makes them
CS = [float(f"{C:.3g}") for C in np.logspace(-2, 4, 61)]


@pytest.fixture
def slider(widget) -> Page:
    return widget


def expect_margin(page: Page, C: float, X: np.ndarray = X, y: np.ndarray = y) -> None:
    """Numbers, words, picture and chart are those of soft_margin(X, y, C)."""
    soft, n = soft_margin(X, y, C), len(y)
    within, wrong = (soft.slack > 1e-6) & (soft.slack <= 1 + 1e-6), soft.slack > 1 + 1e-6
    size, price = soft.w @ soft.w / 2, C / n * soft.slack.sum()
    assert size + price == pytest.approx(soft.objective)
    numbers = [
        as_text(C),
        as_text(soft.margin),
        as_text(soft.slack.sum()),
        within.sum(),
        wrong.sum(),
        len(soft.support),
    ]
    expect(page.locator(".pla-numbers strong")).to_have_text(
        [*map(str, numbers), f"{as_text(size)} + {as_text(price)} = {as_text(size + price)}"]
    )
    handle = page.get_by_role("slider", name="C")
    expect(handle).to_have_attribute("aria-valuetext", f"C = {as_text(C)}")
    words = page.locator(".pla-words")
    expect(words).to_contain_text(f"C = {as_text(C)}: ")
    if within.any() or wrong.any():
        expect(words).to_contain_text(f"Inside the margin: {within.sum()}. On the wrong side: {wrong.sum()}.")
        expect(words).to_contain_text(f"{(within | wrong).sum()} point")
    else:
        expect(words).to_contain_text("no point needs slack. This is the hard margin")
    data = plane(page, X, y)
    unit = np.ptp(data([0, 0, 1, 0])[:, 0])
    assert same_line(data(drawn(page, ".pla-current-line")), soft.theta)
    left, right, top, bottom = *data([0, 0, 400, 300])[:, 0], *data([0, 0, 400, 300])[:, 1]
    scores = [soft.theta @ [1, x1, x2] for x1 in (left, right) for x2 in (top, bottom)]
    edges = [level for level in (1, -1) if min(scores) < level < max(scores)]  # the margins that are in the picture
    ends = data(drawn(page, ".pla-margin")).reshape(-1, 2, 2)
    assert len(ends) == len(edges)
    for line, level in zip(ends, edges, strict=True):
        assert same_line(line, soft.theta - [level, 0, 0])
    for label, name in ((1, "positive"), (-1, "negative")):
        segments = data(drawn(page, f".pla-slack.pla-{name}-line")).reshape(-1, 2, 2)
        mine = (soft.slack > 1e-6) & (y == label)
        assert same_points(segments[:, 0], X[mine])
        for start, end in segments:  # at right angles to the line, up to where the score is the label
            assert label * (soft.theta @ [1, *end]) == pytest.approx(1, abs=unit / soft.margin)
            i = np.argmin(np.linalg.norm(X - start, axis=1))
            assert np.linalg.norm(end - start) == pytest.approx(soft.slack[i] * soft.margin, abs=unit)
    assert same_points(data(ringed(page, ".pla-support-vectors")), X[soft.support])
    assert same_points(data(drawn(page, ".pla-cross")).reshape(-1, 4, 2).mean(axis=1), X[wrong])
    heights = chart(page)
    for k, height in enumerate((soft.margin, soft.slack.sum())):
        u, v = page.locator(".pla-position").nth(k).evaluate("c => [c.cx.baseVal.value, c.cy.baseVal.value]")
        assert heights[k](u, v) == pytest.approx((C, height), rel=0.03, abs=0.02)


def chart(page: Page):
    """For margin and slack, what a place in the chart means, read off the ticks."""
    ticks = page.locator(".pla-chart .pla-axes text:not(.pla-axis-name)").evaluate_all(
        "all => all.map(t => [t.x.baseVal[0].value, t.y.baseVal[0].value, Number(t.textContent)])"
    )
    across = np.array([(x, np.log10(value)) for x, at, value in ticks if at > 280])
    upper = np.array([(at - 4, np.log10(value)) for x, at, value in ticks if x < 50 and at < 135])
    lower = np.array([(at - 4, value) for x, at, value in ticks if x < 50 and 135 < at < 280])
    across, upper, lower = (np.polyfit(*places.T, 1) for places in (across, upper, lower))
    return (
        lambda u, v: (10 ** np.polyval(across, u), 10 ** np.polyval(upper, v)),
        lambda u, v: (10 ** np.polyval(across, u), np.polyval(lower, v)),
    )


def test_it_starts_in_the_middle(slider):
    expect_margin(slider, 10)


def test_keyboard_moves_along_six_decades(slider):
    handle = slider.get_by_role("slider", name="C")
    handle.focus()
    for key, index in {"Home": 0, "ArrowRight": 1, "PageUp": 7, "End": 60, "ArrowLeft": 59}.items():
        handle.press(key)
        expect(handle).to_have_value(str(index))
        expect_margin(slider, CS[index])


def test_slider_is_dragged(slider):
    handle = slider.get_by_role("slider", name="C")
    box = handle.bounding_box()
    half, third = ((box["x"] + box["width"] / part, box["y"] + box["height"] / 2) for part in (2, 3))
    drag(slider, half, third)
    index = int(handle.input_value())
    assert 17 <= index <= 22
    expect_margin(slider, CS[index])


def press_chart(page: Page, C: float) -> tuple[float, float]:
    """Where in the window the chart's C is."""
    box, mean = page.locator(".pla-chart").bounding_box(), chart(page)[0]
    first, last = (np.log10(mean(u, 0)[0]) for u in (0, 400))
    return box["x"] + (np.log10(C) - first) / (last - first) * box["width"], box["y"] + box["height"] / 2


def test_chart_is_pressed_and_dragged(slider):
    slider.locator(".pla-chart").scroll_into_view_if_needed()
    slider.mouse.move(*press_chart(slider, 1000))
    expect(slider.get_by_role("slider", name="C")).to_have_value("30")  # to hover is not to press
    slider.mouse.down()
    expect_margin(slider, 1000)
    slider.mouse.move(*press_chart(slider, 1), steps=3)
    slider.mouse.up()
    expect_margin(slider, 1)


def test_chart_is_tapped(phone, gallery):
    phone.goto(f"{gallery}/lectures/soft_margin_slider.html")
    phone.locator(".pla").wait_for()
    phone.locator(".pla-chart").scroll_into_view_if_needed()
    phone.touchscreen.tap(*press_chart(phone, 100))
    expect_margin(phone, 100)
    assert phone.get_by_role("slider", name="C").bounding_box()["height"] >= 44


def test_curves_are_those_of_the_path(slider):
    heights, path = chart(slider), soft_margin_slider(X, y).path
    for k, values in enumerate(([soft.margin for soft in path], [soft.slack.sum() for soft in path])):
        places = drawn(slider, f".pla-curve >> nth={k}")
        assert len(places) == 61
        shown = np.array([heights[k](u, v) for u, v in places])
        assert shown[:, 0] == pytest.approx(np.array(CS), rel=0.03)
        assert shown[:, 1] == pytest.approx(np.array(values), rel=0.03, abs=0.02)


def test_without_a_line_it_says_so(page, gallery):
    page.goto(f"{gallery}/lectures/soft_margin_slider_xor.html")
    page.locator(".pla").wait_for()
    page.get_by_role("slider", name="C").press("End")
    assert not soft_margin(*xor(), CS[-1]).w.any()
    expect(page.locator(".pla-words")).to_have_text(
        "C = 10000: w = 0, so there is no line, and the margin is infinite. Every point scores 0."
    )
    slack = soft_margin(*xor(), CS[-1]).slack.sum()
    expect(page.locator(".pla-numbers strong").nth(1)).to_have_text("∞")
    expect(page.locator(".pla-numbers strong").nth(2)).to_have_text(as_text(slack))
    for name in (
        ".pla-current-line",
        ".pla-margin",
        ".pla-slack.pla-positive-line",
        ".pla-cross",
        ".pla-curve >> nth=0",
    ):
        assert page.locator(name).get_attribute("d") == ""
    assert page.locator(".pla-position").first.get_attribute("visibility") == "hidden"
    expect(page.locator(".pla-chart")).to_contain_text("margin 1/‖w‖: infinite")


def test_where_no_slack_is_needed_it_is_the_hard_margin(page):
    clean = blobs(20, seed=2)
    widget = soft_margin_slider(*clean, [1, 1e3, 1e5])
    mount(page, widget)
    expect_margin(page, 1e3, *clean)
    put(page, index=2)
    expect(page.locator(".pla-words")).to_contain_text("no point needs slack")
    assert not (soft_margin(*clean, 1e5).slack > 1e-6).any()
    expect(page.locator(".pla-numbers strong").nth(1)).to_have_text(as_text(max_margin(*clean).margin))
    page.get_by_role("slider", name="C").press("Home")
    assert value(page, "index") == 0
    expect_margin(page, 1, *clean)


def test_one_class_has_no_line(page):
    mount(page, soft_margin_slider([[0, 0], [1, 1], [2, 0]], [-1, -1, -1]))
    expect(page.locator(".pla-words")).to_contain_text(
        "there is no line, and the margin is infinite. Every point scores −1."
    )


def test_no_fault_for_screen_readers(slider):
    assert not [fault["id"] for fault in Axe().run(slider, context=".pla").response["violations"]]
    expect(slider.locator(".pla-words")).to_have_attribute("aria-live", "polite")
    expect(slider.locator(".pla svg").first).to_have_attribute(
        "aria-label", re.compile(r"40 points, the line .* C\s=\s10: ")
    )
    expect(slider.locator(".pla-chart")).to_have_attribute("aria-label", re.compile("at C = 10, the margin is 0.856 "))


def test_index_and_C():  # noqa: N802
    widget = soft_margin_slider(X, y)
    assert (widget.C, len(widget.Cs), widget.Cs[0], widget.Cs[-1]) == (10, 61, 0.01, 10_000)
    widget.index = 40
    assert widget.C == 100
    assert widget.path[40].theta == pytest.approx(soft_margin(X, y, 100).theta)
    with pytest.raises(ValueError, match="index must be below 61"):
        widget.index = 61
    with pytest.raises(TraitError, match="less than 0"):
        widget.index = -1
    with pytest.raises(AttributeError):
        widget.C = 3


def test_sentence_tells_the_three_cases_apart():
    widget, soft = soft_margin_slider(X, y), soft_margin(X, y, 10)
    assert f"the margin is {soft.margin:.3g}, held by {len(soft.support)} support vectors; " in widget.sentence()
    assert f"{(soft.slack > 1e-6).sum()} points need slack, {soft.slack.sum():.3g} in all." in widget.sentence()
    assert soft_margin_slider(*blobs(20, seed=2), [1e3, 1e5]).sentence().endswith("; no point needs slack.")
    assert "C = 10: w = 0, so there is no line, and the slack is 4 in all." in soft_margin_slider(*xor()).sentence()


@pytest.mark.parametrize("Cs", [[1], [2, 1], [1, 1], [-1, 1], [0, 1], 5, []])
def test_cs_must_increase(Cs):
    with pytest.raises(ValueError, match="two or more positive numbers, each larger than the last"):
        soft_margin_slider(X, y, Cs)


def test_what_cannot_be_drawn_is_refused_in_words():
    with pytest.raises(ValueError, match="two features; these have 3"):
        soft_margin_slider([[1, 2, 3], [0, 0, 0]], [1, -1])
    with pytest.raises(ValueError, match="labels must be -1 or \\+1"):
        soft_margin_slider([[1, 2], [0, 0]], [1, 0])
    with pytest.raises(ValueError, match="Cs must be finite"):
        soft_margin_slider(X, y, [1, np.inf])


def test_notebook_keeps_a_small_picture():
    for widget in (soft_margin_slider(X, y), soft_margin_slider(*xor())):
        stand_in(widget)
