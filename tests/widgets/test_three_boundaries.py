"""Three boundaries on their page, with no kernel: every control, and what is shown against pla_lib's classifiers."""

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import Dataset, averaged, blobs, label_noise, perceptron, voted, xor
from pla_lib.pla import inputs_for
from pla_lib.widgets._three_boundaries import three_boundaries
from tests.widgets.drawn import as_text, chart, is_line, mount, plane, stand_in
from tests.widgets.gestures import play_until

TRAIN, TEST = label_noise(blobs(100, gap=0.1, seed=2), 0.1, seed=1), blobs(200, gap=0.1, seed=9)  # as the page has them
RUN = perceptron(*TRAIN, order="random", max_epochs=8, seed=3)
VISITS = 800


@pytest.fixture
def three(widget) -> Page:
    return widget


def as_far_as(run, t: int):
    """The run with its first t visits only."""
    before = run.times < t
    return replace(
        run, order=run.visits[:t], epochs=1, mistakes=run.mistakes[before], times=run.times[before], seed=None
    )


def wrong(run, test: Dataset, t: int) -> list[int]:
    """Test errors of last, averaged and voted after t visits, by their definitions."""
    part = as_far_as(run, t)
    linear = [np.where(inputs_for(theta, test.X) @ theta > 0, 1, -1) for theta in (part.theta, averaged(part))]
    return [int((labels != test.y).sum()) for labels in (*linear, voted(part, test.X))]


def go(page: Page, step: int) -> None:
    page.get_by_role("slider").fill(str(step))


def expect_step(page: Page, t: int, run=RUN, test=TEST) -> None:
    """Numbers, words, lines and the voted region after t visits are those of the run as far as it has got."""
    visits, n = int(run.survival.sum()), len(test.y)
    expect(page.get_by_role("slider")).to_have_value(str(t))
    words, to_data, path = page.locator(".pla-words"), plane(page, run.X, run.y), drawn_boundaries(page)
    assert is_line(to_data, path["last"], run.thetas[(run.times < t).sum()])
    ring, crossed = page.locator(".pla-ring"), page.locator(".pla-cross").get_attribute("d")
    shown = page.locator(".pla-numbers strong").all_inner_texts()
    if t == 0:
        assert shown == [f"0 of {visits}", "0", str(n), "–", "–", "–"]
        assert path["averaged"] == path["voted"] == crossed == ""
        assert ring.get_attribute("visibility") == "hidden"
        return expect(words).to_have_text("Start: no visit yet, so there is nothing to average and nobody votes.")
    part, errors = as_far_as(run, t), wrong(run, test, t)
    made = len(part.mistakes)
    assert shown == [f"{t} of {visits}", str(made), str(n), *(f"{as_text(100 * count / n)}%" for count in errors)]
    i, erred = run.visits[t - 1], t - 1 in run.times
    judged = run.thetas[made - erred]
    score = judged @ (run.X[i] if len(judged) == 2 else [1, *run.X[i]])
    label, plus = "+1" if run.y[i] > 0 else "−1", "+" if score > 0 else ""
    expect(words).to_have_text(
        f"Visit {t}{', the last' if t == visits else ''}: point {i} (class {label}) scored {plus}{as_text(score)}, "
        f"{'a mistake' if erred else 'right'}. Wrong of {n} test points: last {errors[0]}, averaged {errors[1]}, "
        f"voted {errors[2]}."
    )
    at = to_data(f"{ring.get_attribute('cx')},{ring.get_attribute('cy')}")[0]
    assert at == pytest.approx(run.X[i], abs=1e-3)
    assert bool(crossed) == erred
    assert is_line(to_data, path["averaged"], averaged(part))
    expect_region(page, part, to_data)


def drawn_boundaries(page: Page) -> dict[str, str]:
    data = page.locator("svg:has(.pla-ring)")
    return {name: data.locator(f".pla-{name}").get_attribute("d") for name in ("last", "averaged", "voted")}


def expect_region(page: Page, part, to_data) -> None:
    """The tinted region is where the vote says +1. Within a cell of the grid of its edge it may be either."""
    units = np.random.default_rng(0).uniform((2, 2), (398, 298), size=(400, 2))
    around = [units + 7 * np.array([np.cos(angle), np.sin(angle)]) for angle in np.arange(8) * np.pi / 4]
    votes = np.stack([voted(part, to_data(" ".join(f"{u},{v}" for u, v in some))) for some in (units, *around)])
    sure = (votes == votes[0]).all(axis=0)
    assert sure.mean() > 0.5
    inside = page.locator("svg:has(.pla-ring) > .pla-positive-side").evaluate(
        "(side, points) => points.map(([x, y]) => side.isPointInFill(new DOMPoint(x, y)))", units.tolist()
    )
    assert np.array_equal(np.array(inside)[sure], (votes[0] > 0)[sure])


def test_steps_near_and_far_are_those_of_the_run(three):
    for step in range(12):
        expect_step(three, step)
        three.get_by_role("button", name="Next →").click()
    for step in (57, 400, 123, 122, 799, 800, 30, 0):  # there and back
        go(three, step)
        expect_step(three, step)


def test_curves_are_the_test_errors_after_every_visit(three):
    errors = np.array([wrong(RUN, TEST, t) for t in range(1, VISITS + 1)])
    svg = three.locator("svg:has(.pla-curve)")
    to_numbers = chart(svg)
    for k, name in enumerate(("last", "averaged", "voted")):
        drawn = to_numbers(svg.locator(f".pla-curve.pla-{name}").get_attribute("d"))
        assert drawn[:, 0] == pytest.approx(np.arange(1, VISITS + 1), abs=0.3)
        assert drawn[:, 1] == pytest.approx(errors[:, k] / 2, abs=0.1)  # percent of 200
    # What lies ahead is veiled, from the step on; the dots stand on the curves there.
    go(three, 300)
    expect(three.get_by_role("slider")).to_have_value("300")
    edge = svg.locator(".pla-future").evaluate("veil => [veil.x.baseVal.value, veil.width.baseVal.value]")
    assert to_numbers(f"{edge[0]},0")[0, 0] == pytest.approx(300, abs=0.3)
    assert to_numbers(f"{sum(edge)},0")[0, 0] > VISITS
    centres = "all => all.map(c => c.cx.baseVal.value + ',' + c.cy.baseVal.value)"
    dots = svg.locator(".pla-position").evaluate_all(centres)
    assert to_numbers(" ".join(dots)) == pytest.approx(np.array([(300, count / 2) for count in errors[299]]), abs=0.3)


def test_layers_are_switched_by_mouse_and_key(three):
    go(three, 200)
    everything = drawn_boundaries(three)
    assert all(everything.values())
    for name in ("last", "averaged", "voted"):
        box, curve = three.get_by_role("checkbox", name=name), three.locator(f".pla-curve.pla-{name}")
        box.click()
        expect(curve).to_be_hidden()
        assert drawn_boundaries(three) == everything | {name: ""}
        assert three.locator("svg:has(.pla-ring)").get_attribute("aria-label").count(name) == 0
        box.press("Space")
        expect(curve).to_be_visible()
        assert drawn_boundaries(three) == everything
    unseen = three.locator("svg:has(.pla-ring) .pla-test-points")
    expect(unseen).to_be_hidden()
    three.get_by_role("checkbox", name="test points").click()
    expect(unseen).to_be_visible()
    to_data = plane(three, RUN.X, RUN.y)
    discs = unseen.locator("circle").evaluate_all("all => all.map(c => c.cx.baseVal.value + ',' + c.cy.baseVal.value)")
    assert to_data(" ".join(discs)) == pytest.approx(TEST.X[TEST.y > 0], abs=1e-3)
    assert unseen.locator("rect").count() == (TEST.y < 0).sum()


def test_every_way_to_step(three):
    three.get_by_role("button", name="Next mistake").click()
    expect_step(three, RUN.times[0] + 1)
    three.get_by_role("button", name="Next mistake").click()
    expect_step(three, RUN.times[1] + 1)
    three.get_by_role("button", name="Last").click()
    expect_step(three, VISITS)
    three.get_by_role("button", name="Back").click()
    expect_step(three, VISITS - 1)
    for _ in range(2):  # to the end, and there it stays
        three.get_by_role("button", name="Next mistake").click(force=True)
    expect_step(three, VISITS)
    three.get_by_role("button", name="First").click()
    expect_step(three, 0)
    for key, step in {"ArrowRight": 1, "End": VISITS, "ArrowLeft": VISITS - 1, "Home": 0}.items():
        three.keyboard.press(key)  # the focus is on a button
        expect_step(three, step)
    three.get_by_role("slider").focus()
    for key, step in {"End": VISITS, "ArrowLeft": VISITS - 1, "Home": 0, "ArrowRight": 1}.items():
        three.keyboard.press(key)
        expect_step(three, step)
    expect_step(three, play_until(three, "Visit 4"))


def test_without_offset_with_another_start_and_in_a_given_order(page):
    train = label_noise(blobs(30, middle=(0, 0), seed=4), 0.2)
    run = perceptron(*train, bias=False, theta0=[-3, 1], eta=0.5, order=[*range(30), 0, 5, 5], max_epochs=4)
    test = blobs(50, middle=(0, 0), seed=5)
    mount(page, three_boundaries(run, test))
    for step in (0, 1, 2, 33, 34, 70, int(run.survival.sum()), 50, 3):
        go(page, step)
        expect_step(page, step, run, test)


def test_a_vote_of_zero_says_minus(page):
    run = perceptron([[1, 0], [-1, 0]], [1, 1], bias=False, max_epochs=2)  # each undoes the other: ties all along
    test = Dataset([[2, 1], [-2, 1], [0, 1]], [1, 1, 1])
    mount(page, three_boundaries(run, test))
    for step in range(5):
        go(page, step)
        expect(page.get_by_role("slider")).to_have_value(str(step))
        if step:
            counts = "last {}, averaged {}, voted {}.".format(*wrong(run, test, step))
            expect(page.locator(".pla-words")).to_contain_text(f"Wrong of 3 test points: {counts}")
            expect_region(page, as_far_as(run, step), plane(page, run.X, run.y))
    assert not re.search("NaN|Infinity|undefined", page.content())


def test_values_set_from_python_redraw(page):
    mount(page, three_boundaries(RUN, TEST))
    page.evaluate("model.set('step', 77)")
    expect_step(page, 77)
    page.evaluate("model.set('layers', ['voted'])")
    assert [name for name, d in drawn_boundaries(page).items() if d] == ["voted"]
    expect(page.get_by_role("checkbox", name="averaged")).not_to_be_checked()
    page.get_by_role("checkbox", name="last").click()
    page.get_by_role("button", name="Next →").click()
    assert page.evaluate("[model.get('step'), model.get('layers')]") == [78, ["last", "voted"]]


def test_touch_works(phone, gallery):
    phone.goto(f"{gallery}/lectures/three_boundaries.html")
    phone.get_by_role("button", name="Next mistake").tap()
    expect_step(phone, RUN.times[0] + 1)
    phone.get_by_text("averaged", exact=True).tap()
    expect(phone.locator(".pla-curve.pla-averaged")).to_be_hidden()
    assert phone.locator("label", has_text="averaged").bounding_box()["height"] >= 44
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_picture_and_sentence_stand_where_no_script_runs():
    bundle = stand_in(three_boundaries(RUN, TEST))
    last, mean, vote = wrong(RUN, TEST, VISITS)
    assert bundle["text/plain"] == (
        f"A perceptron run on 100 points of two classes, {len(RUN.mistakes)} mistakes in 8 epochs. Of 200 test points "
        f"the last weights get {last} wrong, the averaged {mean}, the vote {vote}."
    )
    # A run that ends with w = 0 has no line, and still a picture.
    at_zero = perceptron([[1, 0], [-1, 0]], [1, 1], bias=False, max_epochs=2)
    assert not at_zero.theta.any()
    stand_in(three_boundaries(at_zero, Dataset([[2, 1]], [1])))


def test_what_is_refused_is_refused_in_words():
    with pytest.raises(ValueError, match=r"takes a Run, as perceptron.* gives; it was given a Dataset"):
        three_boundaries(TRAIN, TEST)
    with pytest.raises(ValueError, match="two features; these have 3"):
        three_boundaries(perceptron([[1, 2, 3]], [1]), TEST)
    with pytest.raises(ValueError, match=r"a pair \(X, y\); it was given a int"):
        three_boundaries(RUN, 5)
    with pytest.raises(ValueError, match="the test examples must have two features, as the run's have; these have 1"):
        three_boundaries(RUN, ([[1.0]], [1]))
    with pytest.raises(ValueError, match="labels"):
        three_boundaries(RUN, (TEST.X, np.zeros(200)))
    with pytest.raises(ValueError, match="at most 20000 visits; this run has 24000: lower its max_epochs"):
        three_boundaries(perceptron(*xor(), max_epochs=6000), TEST)
