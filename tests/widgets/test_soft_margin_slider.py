"""The soft margin slider on its page, with no kernel: every control, and what is shown against pla_lib.soft_margin."""

import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from traitlets import TraitError

from pla_lib import blobs, label_noise, max_margin, soft_margin, xor
from pla_lib.margins import Margin
from pla_lib.widgets._soft_margin_slider import soft_margin_slider
from tests.widgets.drawn import (
    as_text,
    corners,
    drawn,
    is_line,
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
from tests.widgets.gestures import drag, play_until, step

X, y = label_noise(blobs(40, gap=0.1), 0.1)  # as the page makes them
CS = [float(f"{C:.3g}") for C in np.logspace(-2, 4, 61)]
LEAST = 1e-6  # the slack that counts as none


@pytest.fixture
def slider(widget) -> Page:
    return widget


INVITATION = "Slide C: a small C gives a wide margin, a large C little slack."


def words_for(soft: Margin, C: float) -> str:
    within, wrong = ((soft.slack > LEAST) & (soft.slack <= 1 + LEAST)).sum(), (soft.slack > 1 + LEAST).sum()
    if CS[-1] == C:
        first = soft_margin(X, y, CS[0])
        return (
            f"As C grew to 10000, the margin fell from {as_text(first.margin)} to {as_text(soft.margin)} "
            f"and the total slack from {as_text(first.slack.sum())} to {as_text(soft.slack.sum())}."
        )
    ringed = f"{len(soft.support)} support vector{'s' * (len(soft.support) != 1)} (ringed)"
    if not within + wrong:
        return f"No point needs slack: this is the hard margin, held by {ringed}."
    on_margin = len(soft.support) - within - wrong
    return f"{ringed}: {on_margin} on the margin and {within + wrong} with slack ({wrong} wrong)."


def expect_margin(page: Page, C: float, X: np.ndarray = X, y: np.ndarray = y, opening: bool = False) -> None:
    """Numbers, words, picture and chart are those of soft_margin(X, y, C); at the opening, words say what to try."""
    soft, n = soft_margin(X, y, C), len(y)
    within, wrong = (soft.slack > LEAST) & (soft.slack <= 1 + LEAST), soft.slack > 1 + LEAST
    half, cost = soft.w @ soft.w / 2, C / n * soft.slack.sum()
    assert half + cost == pytest.approx(soft.objective)
    numbers = [
        as_text(C),
        as_text(soft.margin),
        as_text(soft.slack.sum()),
        within.sum(),
        wrong.sum(),
        len(soft.support),
    ]
    objective = f"{as_text(half)} + {as_text(cost)} = {as_text(half + cost)}"
    expect(page.locator(".pla-numbers strong")).to_have_text([*map(str, numbers), objective])
    expect(page.get_by_role("slider", name="C")).to_have_attribute("aria-valuetext", f"C\xa0=\xa0{as_text(C)}")
    expect(page.locator(".pla-words")).to_have_text(INVITATION if opening else words_for(soft, C))
    expect(page.locator(".pla-why")).to_contain_text(words_for(soft, C) if opening else "")
    expect(page.locator(".pla-chip")).to_have_text("Done" if CS[-1] == C else f"C = {as_text(C)}")
    expect(page.locator(".pla-why")).to_contain_text(f"as small as possible: {objective}.")
    data, (width, height) = plane(page, X), size(page)
    unit = np.ptp(data([0, 0, 1, 0])[:, 0])
    assert is_line(data, page.locator(".pla-current-line").get_attribute("d"), soft.theta, (width, height))
    corners_of = data([[0, 0], [width, 0], [width, height], [0, height]])
    scores = [soft.theta @ [1, *corner] for corner in corners_of]
    edges = [level for level in (1, -1) if min(scores) < level < max(scores)]  # the margins that are in the picture
    ends = data(drawn(page, ".pla-margin")).reshape(-1, 2, 2)
    assert len(ends) == len(edges)
    missing = {2: "", 1: "line with score [+−]1 is outside", 0: "lines with score ±1 are outside"}[len(edges)]
    label = page.locator(".pla-main svg").get_attribute("aria-label").replace("\xa0", " ")
    assert re.search(missing, label)
    assert ("outside the picture" in label) == bool(missing)
    expect(page.locator(".pla-main svg").get_by_text("outside the picture")).to_have_count(int(bool(missing)))
    for line, level in zip(ends, edges, strict=True):
        assert same_line(line, soft.theta - [level, 0, 0])
    for label, name in ((1, "positive"), (-1, "negative")):
        segments = data(drawn(page, f".pla-slack.pla-{name}-line")).reshape(-1, 2, 2)
        mine = (soft.slack > LEAST) & (y == label)
        assert same_points(segments[:, 0], X[mine])
        for start, end in segments:  # at right angles to the line, up to where the score is the label
            assert label * (soft.theta @ [1, *end]) == pytest.approx(1, abs=unit / soft.margin)
            i = np.argmin(np.linalg.norm(X - start, axis=1))
            assert np.linalg.norm(end - start) == pytest.approx(soft.slack[i] * soft.margin, abs=unit)
    assert same_points(data(ringed(page, ".pla-support-vectors")), X[soft.support])
    crossed = page.locator(".pla-point").evaluate_all("all => all.map(one => one.matches('.pla-wrong'))")
    assert crossed == wrong.tolist()
    if page.locator(".pla-chart").count():
        heights = chart(page)
        for k, value_ in enumerate((soft.margin, soft.slack.sum())):
            u, v = page.locator(".pla-position").nth(k).evaluate("c => [c.cx.baseVal.value, c.cy.baseVal.value]")
            assert heights[k](u, v) == pytest.approx((C, value_), rel=0.03, abs=0.02)


def chart(page: Page):
    """For margin and slack, what a place in the chart means, read off the ticks."""
    ticks = page.locator(".pla-chart .pla-axes:not(.pla-c-ends) text").evaluate_all(
        "all => all.map(t => [t.x.baseVal[0].value, t.y.baseVal[0].value, Number(t.textContent)])"
    )
    low = max(at for _, at, _ in ticks)
    half = page.locator(".pla-chart .pla-label").nth(1).evaluate("t => t.y.baseVal[0].value")
    across = np.array([(x, np.log10(value)) for x, at, value in ticks if at == low])
    upper = np.array([(at - 4, np.log10(value)) for x, at, value in ticks if at < half])
    lower = np.array([(at - 4, value) for x, at, value in ticks if half < at < low])
    across = across[:-1]  # the last number ends where its tick is
    across, upper, lower = (np.polyfit(*places.T, 1) for places in (across, upper, lower))
    return (
        lambda u, v: (10 ** np.polyval(across, u), 10 ** np.polyval(upper, v)),
        lambda u, v: (10 ** np.polyval(across, u), np.polyval(lower, v)),
    )


def test_it_starts_in_the_middle_and_goes_step_by_step(slider):
    expect_margin(slider, 10, opening=True)
    step(slider)
    expect_margin(slider, CS[31])
    step(slider, "Back")
    step(slider, "Back")
    expect_margin(slider, CS[29])
    step(slider)
    expect_margin(slider, 10)  # back at the opening, the invitation is gone
    step(slider, "First")
    expect_margin(slider, CS[0])


def marked(page: Page) -> list[int]:
    """How many rings, lines of slack and crosses the picture has."""
    lines = [len(drawn(page, f".pla-slack.pla-{name}-line")) // 2 for name in ("positive", "negative")]
    return [len(ringed(page, ".pla-support-vectors")), sum(lines), page.locator(".pla-point.pla-wrong").count()]


def test_words_count_the_rings_the_slacks_and_the_crosses(slider):
    handle = slider.get_by_role("slider", name="C")
    for index in range(0, 60, 4):
        handle.fill(str(index))
        words = numbers(slider.locator(".pla-words").inner_text())
        rings, on_margin, with_slack, wrong = words
        assert [rings, with_slack, wrong] == marked(slider)
        assert on_margin + with_slack == rings


# The name of a dashed line or of a slack, as it stands in the picture, and all lines that are drawn there.
NAMED = """(name) => {
  const text = [...document.querySelectorAll(".pla-main svg > text")].find((one) => one.textContent === name);
  const { x, y, width, height } = text.getBBox();
  const lines = [".pla-current-line", ".pla-margin", ".pla-slack.pla-positive-line", ".pla-slack.pla-negative-line"];
  return {
    isShown: text.getAttribute("visibility") === "visible",
    box: [x, y, x + width, y + height],
    paths: lines.map((one) => document.querySelector(`.pla-main ${one}`).getAttribute("d")),
  };
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_names_of_dashed_lines_and_slack_are_on_no_line_and_no_point(slider, width):
    slider.set_viewport_size({"width": width, "height": 844})
    handle, seen = slider.get_by_role("slider", name="C"), {"score +1": 0, "score −1": 0, "slack": 0}
    for index in range(0, 61, 3):
        handle.fill(str(index))
        for name in seen:
            named = slider.evaluate(NAMED, name)
            seen[name] += named["isShown"]
            if not named["isShown"]:
                continue
            low, high = np.reshape(named["box"], (2, 2))
            assert (low > -1).all()
            assert (high < np.array(size(slider)) + 1).all()
            ends = np.concatenate([corners(path) for path in named["paths"]]).reshape(-1, 2, 2)
            along = np.linspace(ends[:, 0], ends[:, 1], 400)  # enough to be within a pixel or two of each other
            assert not ((along > low) & (along < high)).all(axis=2).any(), f"{name} at C = {CS[index]}"
            marks = slider.locator(".pla-point").evaluate_all("all => all.map(one => one.getAttribute('transform'))")
            places = np.concatenate([corners(mark) for mark in marks])
            assert not ((places > low) & (places < high)).all(axis=1).any()
    assert min(seen.values()) >= 5


def test_jump_goes_to_the_next_change(slider):
    path = soft_margin_slider(X, y).path
    counts = [(len(soft.support), int((soft.slack > 1 + LEAST).sum())) for soft in path]
    changes = [k for k in range(1, 61) if counts[k] != counts[k - 1]]
    places = slider.locator(".pla-ticks i").evaluate_all("all => all.map((one) => parseFloat(one.style.left))")
    assert places == pytest.approx([100 * k / 60 for k in changes], abs=0.01)
    handle = slider.get_by_role("slider", name="C")
    for k in [*(k for k in changes if k > 30), 60]:
        step(slider, "Next change in the support vectors or wrong points")
        expect(handle).to_have_value(str(k))
    expect_margin(slider, CS[60])


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
    first, last = (np.log10(mean(u, 0)[0]) for u in (0, box["width"]))
    return box["x"] + (np.log10(C) - first) / (last - first) * box["width"], box["y"] + box["height"] / 2


def test_chart_is_pressed_and_dragged(slider):
    slider.mouse.move(*press_chart(slider, 1000))
    expect(slider.get_by_role("slider", name="C")).to_have_value("30")  # to hover is not to press
    slider.mouse.down()
    expect_margin(slider, 1000)
    slider.mouse.move(*press_chart(slider, 1), steps=3)
    slider.mouse.up()
    expect_margin(slider, 1)


def test_touch_works(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/soft_margin_slider.html")
    phone.locator(".pla").wait_for()
    expect_margin(phone, 10, opening=True)
    phone.locator(".pla-point").nth(4).tap()
    expect(phone.locator(".pla-tip")).to_contain_text("Point 4, class −1")
    phone.get_by_role("tab", name="Curves").tap()
    expect(phone.locator(".pla-main")).not_to_be_visible()
    phone.touchscreen.tap(*press_chart(phone, 100))
    expect_margin(phone, 100)
    assert phone.get_by_role("slider", name="C").bounding_box()["height"] >= 43.9
    for button in phone.locator(".pla-bar button:visible").all():
        box = button.bounding_box()
        assert min(box["height"], box["width"]) >= 43.9


def test_curves_are_those_of_the_path(slider):
    heights, path = chart(slider), soft_margin_slider(X, y).path
    for k, values in enumerate(([soft.margin for soft in path], [soft.slack.sum() for soft in path])):
        places = drawn(slider, f".pla-curve >> nth={k}")
        assert len(places) == 61
        shown = np.array([heights[k](u, v) for u, v in places])
        assert shown[:, 0] == pytest.approx(np.array(CS), rel=0.03)
        assert shown[:, 1] == pytest.approx(np.array(values), rel=0.03, abs=0.02)


def test_points_tell_their_slack(slider):
    tip = slider.locator(".pla-tip")
    places = {}
    for index in (20, 40, 59):
        slider.get_by_role("slider", name="C").fill(str(index))
        soft = soft_margin(X, y, CS[index])
        for i in range(0, 40, 3):
            slack, score = soft.slack[i], soft.theta @ [1, *X[i]]
            place = "inside the margin" if slack > LEAST else "outside the margin"
            place = "on the margin" if abs(y[i] * score - 1) <= LEAST else place
            place = "on the wrong side" if slack > 1 + LEAST else place
            slider.locator(".pla-point").nth(i).focus()
            expect(tip).to_have_text(
                f"Point {i}, class {as_text(y[i], sign=True)}, at {as_text(*X[i])}: score {as_text(score, sign=True)}, "
                f"slack {as_text(slack) if slack > LEAST else 0}, {place}."
            )
            places[place] = (index, i)
    assert len(places) == 4
    index, i = places["on the wrong side"]
    slider.get_by_role("slider", name="C").fill(str(index))
    slider.locator(".pla-point").nth(i).hover()
    expect(tip).to_contain_text(f"Point {i},")
    expect(tip).to_contain_text("on the wrong side")


def test_motion_passes_between_and_ends_exactly(slider):
    """Whatever is on the way, a step ends at pla_lib's numbers; a second press while it moves is not lost."""
    slider.emulate_media(reduced_motion="no-preference")
    watch = """() => {
      window.seen = new Set();
      const line = document.querySelector(".pla-main .pla-margin");
      new MutationObserver(() => seen.add(line.getAttribute("d"))).observe(line, { attributes: true });
    }"""
    slider.evaluate(watch)
    slider.evaluate("() => { for (let k = 0; k < 2; k++) document.querySelector('.pla-next').click(); }")
    expect_margin(slider, CS[32])
    slider.wait_for_timeout(400)
    expect_margin(slider, CS[32])
    assert slider.evaluate("seen.size") > 3
    step(slider, "First")
    slider.wait_for_timeout(400)
    expect_margin(slider, CS[0])
    slider.emulate_media(reduced_motion="reduce")
    slider.evaluate("() => { seen.clear(); document.querySelector('.pla-next').click(); }")
    expect_margin(slider, CS[1])
    assert slider.evaluate("seen.size") == 1


def test_it_plays_to_the_end(slider):
    slider.get_by_role("slider", name="C").fill("50")
    paused = play_until(slider, re.compile("with slack"))
    slider.wait_for_timeout(500)  # in which it would go on
    expect_margin(slider, CS[paused])
    step(slider, "Play")
    expect(slider.locator(".pla-chip")).to_have_text("Done")
    slider.wait_for_timeout(400)
    expect_margin(slider, CS[60])


def test_link_and_python_bring_it_back(slider, gallery):
    slider.goto(f"{gallery}/lectures/soft_margin_slider.html#widget1=index:43")
    slider.reload()
    slider.locator(".pla").wait_for()
    expect_margin(slider, CS[43])
    slider.evaluate("location.hash = '#widget1=index:12'")
    expect_margin(slider, CS[12])
    step(slider, "More")
    step(slider, "Copy as Python")
    names = {}
    exec(slider.locator(".pla-python").inner_text(), names)
    copy = names["widget"]
    assert (copy.index, copy.Cs) == (12, CS)
    assert np.allclose(copy.X, X, rtol=0, atol=1e-12)


def test_without_a_line_it_says_so(page, gallery):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{gallery}/lectures/soft_margin_slider_xor.html")
    page.locator(".pla").wait_for()
    page.get_by_role("slider", name="C").press("End")
    assert not soft_margin(*xor(), CS[-1]).w.any()
    expect(page.locator(".pla-chip")).to_have_text("C = 10000")
    expect(page.locator(".pla-words")).to_have_text(
        "w = 0: there is no line, the margin is infinite, and every point scores 0."
    )
    slack = soft_margin(*xor(), CS[-1]).slack.sum()
    expect(page.locator(".pla-numbers strong").nth(1)).to_have_text("∞")
    expect(page.locator(".pla-numbers strong").nth(2)).to_have_text(as_text(slack))
    for name in (".pla-current-line", ".pla-margin", ".pla-slack.pla-positive-line", ".pla-curve >> nth=0"):
        assert page.locator(name).get_attribute("d") == ""
    expect(page.locator(".pla-wrong")).to_have_count(0)
    assert page.locator(".pla-position").first.get_attribute("visibility") == "hidden"
    expect(page.locator(".pla-chart")).to_contain_text("margin 1/‖w‖: infinite")


def test_where_no_slack_is_needed_it_is_the_hard_margin(page):
    clean = blobs(20, seed=2)
    widget = soft_margin_slider(*clean, [1, 1e3, 1e5, 1e6])
    page.emulate_media(reduced_motion="reduce")
    mount(page, widget)
    put(page, index=1)
    expect_margin(page, 1e3, *clean)
    put(page, index=2)
    expect(page.locator(".pla-words")).to_contain_text("No point needs slack")
    expect(page.locator(".pla-why")).to_contain_text("A still larger C changes nothing.")
    assert soft_margin(*clean, 1e6).theta == pytest.approx(soft_margin(*clean, 1e5).theta, rel=1e-4)
    assert not (soft_margin(*clean, 1e5).slack > LEAST).any()
    expect(page.locator(".pla-numbers strong").nth(1)).to_have_text(as_text(max_margin(*clean).margin))
    page.get_by_role("slider", name="C").press("Home")
    assert value(page, "index") == 0
    expect_margin(page, 1, *clean)


def test_one_class_has_no_line(page):
    mount(page, soft_margin_slider([[0, 0], [1, 1], [2, 0]], [-1, -1, -1]))
    expect(page.locator(".pla-words")).to_contain_text("the margin is infinite, and every point scores −1.")


def test_no_fault_for_screen_readers(slider):
    assert not [fault["id"] for fault in Axe().run(slider, context=".pla").response["violations"]]
    label = re.compile(r"40 points, the line .* C = 10: \d+ support vectors \(ringed\)")
    expect(slider.locator(".pla-main svg")).to_have_attribute("aria-label", label)
    expect(slider.locator(".pla-chart")).to_have_attribute("aria-label", re.compile("at C = 10, the margin is 0.856 "))
    step(slider)
    expect(slider.locator(".pla-live")).to_have_text(re.compile(r"^C\s=\s12.6. \d+ support vectors \(ringed\)"))


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
    held, needing = len(soft.support), (soft.slack > LEAST).sum()
    assert f"the margin is {soft.margin:.3g}, held by {held} support vectors (ringed): " in widget.sentence()
    assert widget.sentence().endswith(
        f"{held - needing} on the margin and {needing} with slack ({(soft.slack > 1 + LEAST).sum()} wrong). "
        f"The total slack is {soft.slack.sum():.3g}."
    )
    assert soft_margin_slider(*blobs(20, seed=2), [1e3, 1e5]).sentence().endswith("(ringed). No point needs slack.")
    assert "C = 10: w = 0, so there is no line, and the total slack is 4." in soft_margin_slider(*xor()).sentence()


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
