"""The loss landscape on its page, with no kernel: every control, and what is shown against pla_lib's own losses."""

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
from tests.widgets.drawn import as_text, axes, drawn, mount, numbers, stand_in

RUN = perceptron(*with_margin(20, 2, margin=0.45, radius=3, seed=0), bias=False)  # as the page makes it
LOSS = {"counting": zero_one_loss, "perceptron": perceptron_loss, "hinge": hinge_loss}
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


def hosted(page: Page, run=RUN, loss: str = "perceptron", step: int = 0) -> Page:
    widget = loss_landscape(run, loss)
    widget.step = step
    mount(page, widget)
    return page


def landscape(page: Page):
    """From the landscape's own units to weights."""
    return axes(page.locator(".pla-pictures svg").first)


def slope_of(loss: str, w) -> np.ndarray | None:
    """The gradient of the sum, or None where an example is just at its kink or jump."""
    if loss == "counting":
        return None if (RUN.X @ w == 0).any() else np.zeros(2)
    each = [subdifferential(loss, w, x, y) for x, y in zip(RUN.X, RUN.y, strict=True)]
    return None if any(s.low < s.high for s in each) else sum(s.element(s.low) for s in each)


def expect_step(page: Page, step: int, loss: str) -> None:
    """Numbers, words and drawn places after `step` updates are those of pla_lib."""
    w, f = RUN.thetas[step], LOSS[loss]
    value, slope = f(w, RUN.X, RUN.y), slope_of(loss, w)
    steep = "none: a" if slope is None else as_text(*slope) if slope.any() else "(0, 0): flat"
    shown = page.locator(".pla-numbers strong")
    expect(shown.nth(0)).to_have_text(f"{step} of {len(RUN.mistakes)}")
    expect(shown.nth(1)).to_have_text(as_text(*w))
    expect(shown.nth(2)).to_have_text(as_text(value))
    expect(shown.nth(3)).to_contain_text(steep)
    words = page.locator(".pla-words")
    if step == 0:
        expect(words).to_have_text(
            f"Start: w = (0, 0). The {loss} loss, summed over all 20 points, is {as_text(value)}.", use_inner_text=True
        )
    else:
        i, before = RUN.mistakes[step - 1], RUN.thetas[step - 1]
        old, x, y = f(before, RUN.X, RUN.y), RUN.X[i], RUN.y[i]
        own = [as_text(f(v, [x], [y])) for v in (before, w)]
        went = "fell" if value < old else "rose" if value > old else "stayed"
        whole = f"stayed at {as_text(value)}" if went == "stayed" else f"{went} from {as_text(old)} to {as_text(value)}"
        score = as_text(before @ x, sign=True)
        expect(words).to_contain_text(f"Update {step}: point {i} (class {as_text(y, sign=True)}) scored {score}")
        expect(words).to_contain_text(f"The point's own loss: {own[0]} → {own[1]}; the sum {whole}.")
    to_weights = landscape(page)
    here = page.locator(".pla-pictures svg").first.locator("circle.pla-position")
    assert to_weights([float(here.get_attribute(name)) for name in ("cx", "cy")])[0] == pytest.approx(w, abs=0.02)
    way = to_weights(drawn(page, ".pla-update-arrow"))
    assert len(way) == (5 if step else 0)
    if step:
        moved = w - RUN.thetas[step - 1]
        assert way[0] == pytest.approx(RUN.thetas[step - 1], abs=0.02)
        direction = (way[1] - way[0]) / np.linalg.norm(way[1] - way[0])
        assert direction == pytest.approx(moved / np.linalg.norm(moved), abs=0.1)
        trail = to_weights(drawn(page, ".pla-trail >> nth=0"))
        assert trail == pytest.approx(RUN.thetas[:step], abs=0.02)
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
        for step in range(len(RUN.thetas)):
            expect_step(land, step, loss)
            land.get_by_role("button", name="Next").click(force=True)
        expect(land.locator(".pla-words")).to_contain_text("The run is over: all points are right.")


def test_shading_is_the_loss_pixel_by_pixel(page):
    for loss, f in LOSS.items():
        hosted(page, loss=loss)
        pixels = page.locator(".pla image").evaluate(PIXELS)
        shown = np.reshape(pixels["opacity"], (-1, pixels["width"])) / 255
        # The pixels' middles are a grid from corner to corner of the picture, 340 by 270.
        rows, columns = np.indices(shown.shape)
        places = np.c_[columns.ravel() * 340 / (shown.shape[1] - 1), rows.ravel() * 270 / (shown.shape[0] - 1)]
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


def test_section_shows_the_loss_along_the_update(page):
    for loss, f in LOSS.items():
        hosted(page, loss=loss, step=3)
        start, by = RUN.thetas[2], RUN.thetas[3] - RUN.thetas[2]
        curve = drawn(page, ".pla-section")
        labels = page.locator(".pla-pictures svg").nth(1).locator(".pla-axes text[text-anchor=end]")
        values = [numbers(text)[0] for text in labels.all_text_contents()]
        places = labels.evaluate_all("all => all.map(t => t.y.baseVal[0].value - 4)")
        scale, zero = np.polyfit(places, values, 1)
        shown = scale * curve[:, 1] + zero
        wanted = np.array([f(start + t * by, RUN.X, RUN.y) for t in np.linspace(-1, 2, len(curve))])
        assert shown == pytest.approx(wanted, abs=0.001 * wanted.max())
        flat = np.mean(np.diff(shown) == 0)
        assert flat > 0.9 if loss == "counting" else flat < 0.5


def test_keyboard_alone_is_enough(land):
    land.get_by_role("button", name="Hinge").focus()
    land.keyboard.press("Enter")
    land.keyboard.press("ArrowRight")
    expect_step(land, 1, "hinge")
    slider = land.get_by_role("slider", name="Update")
    slider.focus()
    for key, step in {"End": 6, "ArrowLeft": 5, "Home": 0, "ArrowRight": 1}.items():
        land.keyboard.press(key)
        expect_step(land, step, "hinge")
    land.get_by_role("button", name="Last").press("Space")
    expect_step(land, 6, "hinge")
    land.get_by_role("button", name="Back").press("Enter")
    expect_step(land, 5, "hinge")


def test_play_goes_to_the_end(land):
    land.get_by_label("Speed").select_option("fast")
    land.get_by_role("button", name="Play").click()
    expect(land.locator(".pla-numbers strong").first).to_have_text("6 of 6")
    expect(land.get_by_role("button", name="Play")).to_be_visible()


def test_touch_works(phone, gallery):
    phone.goto(f"{gallery}/lectures/loss_landscape.html")
    phone.get_by_role("button", name="Counting").tap()
    phone.get_by_role("button", name="Next").tap()
    expect_step(phone, 1, "counting")
    for name in ("Counting", "Perceptron", "Hinge", "Next"):
        box = phone.get_by_role("button", name=name).bounding_box()
        assert min(box["width"], box["height"]) >= 44


def test_values_set_from_python_are_drawn_and_the_reader_s_reach_python(page):
    hosted(page)
    page.evaluate("model.set('step', 4)")
    expect_step(page, 4, "perceptron")
    page.evaluate("model.set('loss', 'hinge')")
    expect_step(page, 4, "hinge")
    page.get_by_role("button", name="Counting").click()
    page.get_by_role("button", name="Back").click()
    assert page.evaluate("[model.get('step'), model.get('loss')]") == [3, "counting"]


def test_counting_follows_the_run_s_tie_rule(page):
    run = perceptron(RUN.X, RUN.y, bias=False, tie="correct")
    hosted(page, run, "counting")
    assert len(run.mistakes) == 0 == zero_one_loss([0, 0], RUN.X, RUN.y, tie="correct")
    expect(page.locator(".pla-words")).to_contain_text("is 0. The run made no update.")
    expect(page.locator(".pla-numbers strong").nth(3)).to_have_text("none: a cliff")


def test_two_thousand_points_that_no_line_separates(page):
    X, y = label_noise(with_margin(2000, 2, margin=0.02, seed=1), 0.05, seed=1)
    run = perceptron(X, y, bias=False, max_epochs=2)
    hosted(page, run, "hinge", step=len(run.mistakes))
    expect(page.locator(".pla-numbers strong").nth(2)).to_have_text(as_text(hinge_loss(run.theta, X, y)))
    expect(page.locator(".pla-words")).to_contain_text("Here the run was stopped.")
    expect(page.locator(".pla-zero-loss")).to_have_attribute("d", "")
    assert page.locator(".pla-positive-line").count() == 0


def test_height_holds_while_it_is_used(page):
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        hosted(page)
        heights = set()
        for name in ("Counting", "Perceptron", "Hinge"):
            page.get_by_role("button", name=name).click()
            for step in range(len(RUN.thetas)):
                page.evaluate(f"model.set('step', {step})")
                heights.add(page.locator(".pla-frame").bounding_box()["height"])
        assert len(heights) == 1, f"at {width} px"


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
    for loss, f in LOSS.items():
        first, last = (f"{f(w, RUN.X, RUN.y):.3g}" for w in (RUN.theta0, RUN.theta))
        told = loss_landscape(RUN, loss).sentence()
        assert told.startswith(f"The {loss} loss, summed over 20 points")
        assert told.endswith(f"in 6 updates the loss goes from {first} at the start to {last} at the end.")
    still = perceptron(RUN.X, RUN.y, bias=False, tie="correct")
    assert loss_landscape(still).sentence().endswith("in 0 updates the loss stays at 0.")


def test_notebook_keeps_a_picture_and_a_sentence():
    for loss in LOSS:
        stand_in(loss_landscape(RUN, loss))
