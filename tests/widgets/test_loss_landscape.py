"""The loss landscape on its page, with no kernel: every control, and what is shown against pla_lib's own losses."""

import itertools
import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import (
    hinge_loss,
    label_noise,
    perceptron,
    perceptron_loss,
    subdifferential,
    with_margin,
    zero_one_loss,
)
from pla_lib.widgets._loss_landscape import loss_landscape
from tests.widgets.drawn import as_text, axes, drawn, is_line, mount, numbers, plane, put, size, stand_in, value
from tests.widgets.gestures import step

RUN = perceptron(*with_margin(20, 2, margin=0.45, radius=3, seed=0), bias=False)  # as the page makes it
LOSS = {"counting": zero_one_loss, "perceptron": perceptron_loss, "hinge": hinge_loss}
SECTION = "svg:has(.pla-section)"
# The opacity of every pixel of the shading, row by row, and the picture's size.
PIXELS = """async (image) => {
  const drawn = new Image();
  drawn.src = image.getAttribute("href");
  await drawn.decode();
  const canvas = Object.assign(document.createElement("canvas"), {width: drawn.width, height: drawn.height});
  const brush = canvas.getContext("2d");
  brush.drawImage(drawn, 0, 0);
  const { data } = brush.getImageData(0, 0, drawn.width, drawn.height);
  return {width: drawn.width, opacity: Array.from(data.filter((_, k) => k % 4 === 3))};
}"""


@pytest.fixture
def land(widget) -> Page:
    return widget


def hosted(page: Page, run=RUN, loss: str = "perceptron", k: int = 0) -> Page:
    page.emulate_media(reduced_motion="reduce")
    widget = loss_landscape(run, loss)
    widget.step = k
    mount(page, widget)
    page.locator(".pla-relief").wait_for()
    return page


def landscape(page: Page):
    """From the landscape's own units to weights."""
    return axes(page.locator(".pla-main svg"))


def slope_of(loss: str, w) -> np.ndarray | None:
    """The gradient of the sum, or None where an example is just at its kink or jump."""
    if loss == "counting":
        return None if (RUN.X @ w == 0).any() else np.zeros(2)
    each = [subdifferential(loss, w, x, y) for x, y in zip(RUN.X, RUN.y, strict=True)]
    return None if any(s.low < s.high for s in each) else sum(s.element(s.low) for s in each)


def rises_and_falls(values) -> tuple[int, int]:
    return sum(b > a for a, b in itertools.pairwise(values)), sum(b < a for a, b in itertools.pairwise(values))


def values_of(loss: str) -> list[float]:
    """The loss after each update; from w = 0 the run is followed from its first update on."""
    return [float(LOSS[loss](w, RUN.X, RUN.y)) for w in RUN.thetas[1:]]


START = {
    "counting": "there is no line, and 20 of 20 points count as wrong.",
    "perceptron": "the loss, summed over all 20 points, is 0, but no point is right.",
    "hinge": "there is no line, and each point costs 1. Summed over all 20 points, that is 20.",
}


def expect_step(page: Page, k: int, loss: str) -> None:
    """Numbers, words and drawn places after k updates are those of pla_lib."""
    w, f = RUN.thetas[k], LOSS[loss]
    now, slope = f(w, RUN.X, RUN.y), slope_of(loss, w)
    steep = "none: a" if slope is None else as_text(*slope) if slope.any() else "(0, 0): flat"
    shown = page.locator(".pla-numbers strong")
    expect(shown.nth(0)).to_have_text(f"{k} of {len(RUN.mistakes)}")
    expect(shown.nth(1)).to_have_text(as_text(*w))
    expect(shown.nth(2)).to_have_text(as_text(now))
    expect(shown.nth(3)).to_contain_text(steep)
    words = page.locator(".pla-words").inner_text().replace("\xa0", " ")
    why = page.locator(".pla-why").text_content().replace("\xa0", " ")
    if k == 0:
        assert words == f"At w = 0 every score is 0: {START[loss]}"
        assert re.search(rf"(is|and) {as_text(now)}\b", words)
    else:
        i, before = RUN.mistakes[k - 1], RUN.thetas[k - 1]
        old, x, y = f(before, RUN.X, RUN.y), RUN.X[i], RUN.y[i]
        own = [as_text(f(v, [x], [y])) for v in (before, w)]
        went = "falls" if now < old else "rises" if now > old else "stays"
        whole = f"stays at {as_text(now)}" if went == "stays" else f"{went} from {as_text(old)} to {as_text(now)}"
        of_own = f"stays at {own[1]}" if own[0] == own[1] else f"goes from {own[0]} to {own[1]}"
        told = f"Update {k}, for point {i}: its own loss {of_own}; the sum {whole}."
        is_last = k == len(RUN.mistakes)
        assert told in why if is_last or k == 1 else told == words
        if k == 1:
            made = f"now there is a line, and its {loss} loss is {as_text(now)}."
            assert words == f"Update 1, for point {i}, leaves w = 0: {made}"
        if is_last:
            rises, falls = rises_and_falls(values_of(loss))
            went = f"After update 1 the loss rose {rises} times and fell {falls} times."
            assert words == f"{k} updates, and all 20 points count as right. {went}"
        scored = f"class {as_text(y, sign=True)} and scored {as_text(before @ x, sign=True)}"
        assert f"It has {scored}, so w went to {as_text(*w)}." in why
    to_weights = landscape(page)
    here = page.locator(".pla-main circle.pla-position")
    assert to_weights([float(here.get_attribute(name)) for name in ("cx", "cy")])[0] == pytest.approx(w, abs=0.02)
    way = to_weights(drawn(page, ".pla-main .pla-update-arrow"))
    assert len(way) == (5 if k else 0)
    kink = to_weights(drawn(page, ".pla-example-kink"))
    assert len(kink) == (2 if k else 0)
    if k:
        moved = w - RUN.thetas[k - 1]
        assert way[0] == pytest.approx(RUN.thetas[k - 1], abs=0.02)
        direction = (way[1] - way[0]) / np.linalg.norm(way[1] - way[0])
        assert direction == pytest.approx(moved / np.linalg.norm(moved), abs=0.1)
        trail = to_weights(drawn(page, ".pla-trail >> nth=0"))
        assert trail == pytest.approx(RUN.thetas[:k], abs=0.02)
        assert RUN.y[i] * (kink @ RUN.X[i]) == pytest.approx([float(loss == "hinge")] * 2, abs=0.1)
    downhill = to_weights(drawn(page, ".pla-downhill"))
    assert len(downhill) == (5 if slope is not None and slope.any() else 0)
    if len(downhill):
        direction = (downhill[1] - downhill[0]) / np.linalg.norm(downhill[1] - downhill[0])
        assert direction == pytest.approx(-slope / np.linalg.norm(slope), abs=0.02)
    assert page.locator(".pla-section").evaluate("(curve) => curve.getTotalLength()") > 100


def test_every_step_of_every_loss_is_as_pla_lib_says(land):
    for name, loss in (("Counting", "counting"), ("Hinge", "hinge"), ("Perceptron", "perceptron")):
        land.get_by_role("button", name="First").click(force=True)
        kind = land.get_by_role("button", name=name)
        kind.click()
        expect(kind).to_have_attribute("aria-pressed", "true")
        expect(land.locator("[aria-pressed=true]")).to_have_count(1)
        for k in range(len(RUN.thetas)):
            expect_step(land, k, loss)
            land.get_by_role("button", name="Next").click(force=True)  # at the end, too, where it does nothing
        expect_step(land, len(RUN.mistakes), loss)
        expect(land.locator(".pla-chip")).to_have_text("Done")


def test_shading_is_the_loss_pixel_by_pixel(page):
    for loss, f in LOSS.items():
        hosted(page, loss=loss)
        pixels = page.locator(".pla image").evaluate(PIXELS)
        shown = np.reshape(pixels["opacity"], (-1, pixels["width"])) / 255
        # The pixels' middles are a grid from corner to corner of the picture.
        rows, columns = np.indices(shown.shape)
        width, height = size(page)
        places = np.c_[columns.ravel() * width / (shown.shape[1] - 1), rows.ravel() * height / (shown.shape[0] - 1)]
        some = np.random.default_rng(0).choice(len(places), 400, replace=False)
        weights = landscape(page)(places)
        # The darkest pixel is in a corner or, for the counting loss, somewhere; its value is the scale.
        most = f(weights[shown.argmax()], RUN.X, RUN.y)
        values = np.array([f(w, RUN.X, RUN.y) for w in weights[some]]) / most
        off = abs(shown.ravel()[some] - values)
        assert np.mean(off > 0.01) < (
            0.02 if loss == "counting" else 1e-9
        )  # a pixel on a cliff may fall to either side
        assert np.ptp(values) > 0.5


def test_contour_lines_run_at_their_levels(page):
    for loss, f in LOSS.items():
        hosted(page, loss=loss)
        lines = page.locator(".pla-contour")
        assert lines.count() == 0 if loss == "counting" else lines.count() > 4
        for k in range(lines.count()):
            level = float(lines.nth(k).get_attribute("data-level"))
            points = landscape(page)(lines.nth(k).get_attribute("d"))
            values = [f(w, RUN.X, RUN.y) for w in points[:: max(1, len(points) // 20)]]
            assert values == pytest.approx([level] * len(values), abs=0.5)


def test_region_of_loss_zero_is_where_the_loss_is_zero(page):
    for loss in LOSS:
        hosted(page, loss=loss)
        corners = landscape(page)(drawn(page, ".pla-zero-loss"))
        middle = corners.mean(axis=0)
        assert LOSS[loss](middle, RUN.X, RUN.y) == 0
        outside = middle + 1.1 * (corners - middle)
        assert all(LOSS[loss](w, RUN.X, RUN.y) > 0 or abs(w).max() > 4 for w in outside)


def section_axis(page: Page) -> np.ndarray:
    """From the section's own units upwards to the loss: factor and zero."""
    labels = page.locator(f"{SECTION} .pla-axes text[text-anchor=end]")
    values = [numbers(text)[0] for text in labels.all_text_contents()]
    return np.polyfit(labels.evaluate_all("all => all.map(t => t.y.baseVal[0].value - 4)"), values, 1)


def test_section_has_the_same_axis_at_every_step(land):
    for name, loss in (("Counting", "counting"), ("Hinge", "hinge"), ("Perceptron", "perceptron")):
        land.get_by_role("button", name="First").click(force=True)
        land.get_by_role("button", name=name).click()
        first, highest = section_axis(land), max(LOSS[loss](w, RUN.X, RUN.y) for w in RUN.thetas)
        for _ in RUN.mistakes:
            step(land)
            assert section_axis(land) == pytest.approx(first)
        # It reaches a little beyond the run's largest loss; what is higher is cut off at the frame.
        frame = land.locator(f"{SECTION} clipPath rect").evaluate("one => one.y.baseVal.value")
        assert highest < first[0] * frame + first[1] < 1.3 * highest
        cut = land.locator(f"{SECTION} g:has(> .pla-section)").get_attribute("clip-path")
        assert cut == f"url(#{land.locator(f'{SECTION} clipPath').get_attribute('id')})"


def test_the_landscape_has_a_key_and_only_the_current_line_is_strong(land):
    step(land)
    step(land)
    expect(land.locator(".pla-key")).to_have_text("high loss")
    swatch, relief = (
        land.locator(f".pla-main {one}").first.evaluate(
            "one => [getComputedStyle(one).fill, getComputedStyle(one).opacity]"
        )
        for one in (".pla-key-high", ".pla-relief")
    )
    assert swatch == relief
    assert land.locator(".pla-main .pla-axes line:visible").count() == 0
    opacity = "one => Number(getComputedStyle(one).opacity)"
    assert land.locator(".pla-kink").count() == 20
    assert land.locator(".pla-kink").first.evaluate(opacity) < 0.2
    assert land.locator(".pla-example-kink").evaluate(opacity) > 0.8


def test_downhill_arrow_is_apart_from_w_and_says_from_where(land):
    for _ in range(3):
        step(land)
    expect(land.get_by_text("downhill from here", exact=True)).to_be_visible()
    here = land.locator(".pla-main circle.pla-position")
    start = drawn(land, ".pla-downhill")[0] - [float(here.get_attribute(name)) for name in ("cx", "cy")]
    assert np.linalg.norm(start) == pytest.approx(15, abs=0.2)


def test_section_shows_the_loss_along_the_update(page):
    for loss, f in LOSS.items():
        hosted(page, loss=loss, k=3)
        start, by = RUN.thetas[2], RUN.thetas[3] - RUN.thetas[2]
        curve = drawn(page, ".pla-section")
        scale, zero = section_axis(page)
        shown = scale * curve[:, 1] + zero
        wanted = np.array([f(start + t * by, RUN.X, RUN.y) for t in np.linspace(-1, 2, len(curve))])
        assert shown == pytest.approx(wanted, abs=0.001 * wanted.max())
        ends = page.locator(f"{SECTION} circle").evaluate_all(
            "all => all.map(c => [+c.getAttribute('cx'), +c.getAttribute('cy')])"
        )
        assert scale * np.array(ends)[:, 1] + zero == pytest.approx(wanted[[100, 200]], abs=0.001 * wanted.max())
        assert np.array(ends)[:, 0] == pytest.approx(curve[[100, 200], 0], abs=0.1)
        flat = np.mean(np.diff(shown) == 0)
        assert flat > 0.9 if loss == "counting" else flat < 0.5


def test_keyboard_alone_is_enough(land):
    land.get_by_role("button", name="Hinge").focus()
    land.keyboard.press("Enter")
    land.keyboard.press("ArrowRight")
    expect_step(land, 1, "hinge")
    land.get_by_role("slider", name="Update").focus()
    for key, k in {"End": 6, "ArrowLeft": 5, "Home": 0, "ArrowRight": 1}.items():
        land.keyboard.press(key)
        expect_step(land, k, "hinge")
    land.get_by_role("button", name="Next").press("End")
    expect_step(land, 6, "hinge")
    land.get_by_role("button", name="Back").press("Enter")
    expect_step(land, 5, "hinge")


def test_play_goes_to_the_end(land):
    land.emulate_media(reduced_motion="no-preference")
    step(land, "Play")
    expect(land.locator(".pla-words")).to_contain_text(re.compile("Update [1-5]"))
    land.locator(".pla-speed").click()
    expect(land.locator(".pla-chip")).to_have_text("Done")
    expect(land.get_by_role("button", name="Play")).to_be_visible()
    land.emulate_media(reduced_motion="reduce")
    expect_step(land, 6, "perceptron")


def test_motion_ends_at_the_numbers_and_no_step_is_lost(page):
    hosted(page)
    page.emulate_media(reduced_motion="no-preference")
    frames = page.evaluate(
        """async () => {
          const [dot, next] = [".pla-main .pla-position", ".pla-next"].map((one) => document.querySelector(one));
          const seen = new Set();
          next.click();
          for (let k = 0; k < 40; k++) {
            await new Promise(requestAnimationFrame);
            seen.add(dot.getAttribute("cx"));
          }
          next.click();
          next.click();
          return seen.size;
        }"""
    )
    assert frames > 3  # w was on its way
    page.wait_for_timeout(700)
    expect_step(page, 3, "perceptron")
    # From one loss to another the reliefs fade into each other.
    reliefs = page.evaluate(
        """async () => {
          document.querySelector("[data-value=hinge]").click();
          await new Promise(requestAnimationFrame);
          return document.querySelectorAll(".pla-relief").length;
        }"""
    )
    assert reliefs == 2
    expect(page.locator(".pla-relief")).to_have_count(1)
    expect_step(page, 3, "hinge")
    page.evaluate("model.set('step', 0)")
    page.wait_for_timeout(400)
    expect_step(page, 0, "hinge")


def test_line_and_points_are_those_of_the_weights(land):
    land.get_by_role("tab", name="Data").click()
    for k in range(1, len(RUN.thetas)):
        step(land)
        picture = "svg:has(.pla-current-line)"
        to_data = plane(land, RUN.X, picture)
        line = land.locator(".pla-current-line").get_attribute("d")
        assert is_line(to_data, line, RUN.thetas[k], size(land, picture))
    tip, kink = land.locator(".pla-picture:has(.pla-current-line) .pla-tip"), land.locator(".pla-example-kink")
    for i, (x, y) in enumerate(zip(RUN.X, RUN.y, strict=True)):
        land.locator(f'.pla-point[data-point="{i}"]').focus()
        scored = as_text(RUN.theta @ x, sign=True)
        told = f"Point {i}, class {as_text(y, sign=True)}, at {as_text(*x)}: score {scored}, right."
        told += f" Distance to the line: {as_text(abs(RUN.theta @ x) / np.linalg.norm(RUN.theta))}."
        expect(tip).to_have_text(told)
        box, room = tip.bounding_box(), land.locator(".pla-picture:has(.pla-current-line)").bounding_box()
        assert room["x"] <= box["x"]
        assert box["x"] + box["width"] <= room["x"] + room["width"]
        # Its own line lights up in the landscape: where it scores 0.
        assert landscape(land)(kink.get_attribute("d")) @ x == pytest.approx([0, 0], abs=0.1)


def test_pointer_reads_the_loss_off_the_landscape(land):
    svg = land.locator(".pla-main svg")
    box = svg.bounding_box()
    for u, v in ((40, 60), (300, 250), (200, 30)):
        land.mouse.move(box["x"] + u, box["y"] + v)
        told = land.locator(".pla-main .pla-tip").inner_text().replace("\xa0", " ")
        w = landscape(land)([u, v])[0]
        shown = numbers(told.split(" = ")[1])
        assert shown[:2] == pytest.approx(w, abs=0.05)
        assert shown[2] == pytest.approx(perceptron_loss(w, RUN.X, RUN.y), abs=1.5)


def test_link_and_python_show_the_same_again(page, gallery):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{gallery}/lectures/loss_landscape.html#widget1=step:4;;loss:hinge")
    page.locator(".pla-relief").wait_for()
    expect_step(page, 4, "hinge")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Copy as Python").click()
    names = {}
    code = page.locator(".pla-python").text_content()
    exec(code, names)
    assert names["run"].thetas.tolist() == RUN.thetas.tolist()
    assert code.endswith('loss_landscape(run, "hinge")\n')


def test_touch_works(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/loss_landscape.html")
    phone.get_by_role("tab", name="Section").tap()  # once seen, it is drawn from then on
    phone.get_by_role("tab", name="Landscape").tap()
    phone.get_by_role("button", name="Counting").tap()
    step(phone)
    expect(phone.locator(".pla-numbers strong").first).to_have_text("1 of 6")
    for name in ("Counting", "Perceptron", "Hinge", "Next"):
        box = phone.get_by_role("button", name=name).bounding_box()
        assert min(box["width"], box["height"]) >= 44


def test_values_set_from_python_are_drawn_and_the_reader_s_reach_python(page):
    hosted(page)
    put(page, step=4)
    expect_step(page, 4, "perceptron")
    put(page, loss="hinge")
    expect_step(page, 4, "hinge")
    page.get_by_role("button", name="Counting").click()
    step(page, "Back")
    assert [value(page, "step"), value(page, "loss")] == [3, "counting"]


def test_counting_follows_the_run_s_tie_rule(page):
    run = perceptron(RUN.X, RUN.y, bias=False, tie="correct")
    hosted(page, run, "counting")
    assert len(run.mistakes) == 0 == zero_one_loss([0, 0], RUN.X, RUN.y, tie="correct")
    expect(page.locator(".pla-words")).to_have_text(
        "The run made no mistake. The counting loss, summed over all 20 points, is 0."
    )
    expect(page.locator(".pla-numbers strong").nth(3)).to_have_text("none: a cliff")
    assert not re.search("NaN|Infinity|undefined", page.content())


def test_a_start_other_than_zero(page):
    run = perceptron(RUN.X, RUN.y, bias=False, theta0=[-3, 2], eta=0.5)
    hosted(page, run, "hinge")
    now = as_text(hinge_loss(run.thetas[0], RUN.X, RUN.y))
    expect(page.locator(".pla-words")).to_have_text(
        f"w = (−3, 2). The hinge loss, summed over all 20 points, is {now}."
    )
    step(page)
    expect(page.locator(".pla-words")).to_contain_text("Update 1, for point\xa0")
    expect(page.locator(".pla-words")).to_contain_text("its own loss")
    put(page, step=len(run.mistakes))
    rises, falls = rises_and_falls([float(hinge_loss(w, RUN.X, RUN.y)) for w in run.thetas])
    times = [f"{how} {n} time{'s' * (n != 1)}" for how, n in (("rose", rises), ("fell", falls)) if n]
    expect(page.locator(".pla-words")).to_contain_text(f"The loss {' and '.join(times)}.")
    put(page, step=2)
    expect(page.locator(".pla-numbers strong").nth(1)).to_have_text(as_text(*run.thetas[2]))
    expect(page.locator(".pla-numbers strong").nth(2)).to_have_text(as_text(hinge_loss(run.thetas[2], RUN.X, RUN.y)))
    assert landscape(page)(drawn(page, ".pla-trail >> nth=0")) == pytest.approx(run.thetas[:2], abs=0.02)


def test_two_thousand_points_that_no_line_separates(page):
    X, y = label_noise(with_margin(2000, 2, margin=0.02, seed=1), 0.05, seed=1)
    run = perceptron(X, y, bias=False, max_epochs=2)
    hosted(page, run, "hinge", k=len(run.mistakes))
    expect(page.locator(".pla-numbers strong").nth(2)).to_have_text(as_text(hinge_loss(run.theta, X, y)))
    expect(page.locator(".pla-words")).to_contain_text(
        f"Stopped after {len(run.mistakes)} updates, with points still wrong."
    )
    expect(page.locator(".pla-zero-loss")).to_have_attribute("d", "")
    assert page.locator(".pla-kink").count() == 0


@pytest.mark.parametrize(
    ("run", "loss", "message"),
    [
        (RUN.X, "hinge", "takes a Run, as perceptron.* gives; it was given a ndarray"),
        (perceptron([[1, 2, 3]], [1], bias=False), "hinge", "two features; these have 3"),
        (perceptron(RUN.X, RUN.y), "hinge", "has an offset too: make it with bias=False"),
        (RUN, "logistic", '"counting", "perceptron" or "hinge"; it was given .logistic'),
        (RUN, None, '"counting", "perceptron" or "hinge"; it was given None'),
    ],
)
def test_bad_input_is_refused_in_words(run, loss, message):
    with pytest.raises(ValueError, match=message):
        loss_landscape(run, loss)


def test_sentence_is_true():
    assert rises_and_falls(values_of("perceptron")) == (2, 3)
    for loss in LOSS:
        told = loss_landscape(RUN, loss).sentence()
        assert told.startswith(f"The {loss} loss, summed over 20 points")
        rises, falls = rises_and_falls(values_of(loss))
        last = as_text(values_of(loss)[-1])
        went = f"rises {rises} times, falls {falls} times and ends at {last}."
        assert told.endswith(f"a perceptron run of 6 updates: after the first the loss {went}")
    still = perceptron(RUN.X, RUN.y, bias=False, tie="correct")
    assert loss_landscape(still).sentence().endswith("run of 0 updates: the loss is 0 all along.")
    other = perceptron(RUN.X, RUN.y, bias=False, theta0=[-3, 2])
    values = [float(perceptron_loss(w, RUN.X, RUN.y)) for w in other.thetas]
    rises, falls = rises_and_falls(values)
    told = loss_landscape(other).sentence()
    assert (f"rises {rises} time" in told) == (rises > 0)
    assert f"falls {falls} time" in told


def test_notebook_keeps_a_picture_and_a_sentence():
    for loss in LOSS:
        stand_in(loss_landscape(RUN, loss))
