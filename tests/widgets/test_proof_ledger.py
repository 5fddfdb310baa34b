"""The proof ledger on its page, with no kernel: every control, and what is shown against pla_lib's own ledger."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import blobs, ledger, max_margin, perceptron, with_margin, worst_case
from pla_lib.widgets._proof_ledger import proof_ledger
from tests.widgets.drawn import as_text, chart, corners, is_line, mount, plane, stand_in
from tests.widgets.gestures import play_until

X, Y = blobs(20, gap=0.8)  # as the page makes it
RUN, THETA = perceptron(X, Y), max_margin(X, Y).theta
NEAR = with_margin(12, margin=0.3)  # as the page without offset makes it
NEAR_RUN = perceptron(*NEAR, bias=False, theta0=-0.5 * NEAR.theta, eta=0.5)


@pytest.fixture
def proof(widget) -> Page:
    return widget


def lengths(run, theta):
    """Floor, progress, norm and ceiling after every update, as pla_lib has them, in units of length."""
    book = ledger(run, theta)
    unit = np.linalg.norm(theta)
    return np.stack([book.floor / unit, book.progress / unit, np.sqrt(book.norm2), np.sqrt(book.ceiling2)])


def expect_step(page: Page, m: int, run=RUN, theta=THETA) -> None:
    """Words, table, chart and line after m updates are those of the run and its ledger."""
    expect(page.get_by_role("slider")).to_have_value(str(m))
    book = lengths(run, theta)
    first = max(0, m - 4)
    expect(page.locator(".pla-ledger tbody tr")).to_have_count(m - first + 1)
    rows = page.locator(".pla-ledger tbody tr").evaluate_all("all => all.map(r => [...r.cells].map(c => c.innerText))")
    assert rows == [[str(k), *map(as_text, book[:, k])] for k in range(first, m + 1)]
    words = page.locator(".pla-words")
    floor, progress, norm, ceiling = map(as_text, book[:, m])
    if m:
        i = run.mistakes[m - 1]
        expect(words).to_contain_text(f"Update {m}, by point {i} (class {'+1' if run.y[i] > 0 else '−1'}, scored ")
        expect(words).to_contain_text(f"progress {progress}, at least {floor}; norm {norm}, at most {ceiling}.")
    else:
        expect(words).to_contain_text(f"Start: progress along θ̃ {progress}, norm {norm}.")
        expect(words).to_contain_text(f"adds at least {as_text(book[0, 1] - book[0, 0])} to the progress")
    over = "The run is over" in words.inner_text()
    assert over == (m == len(run.mistakes))
    expect_curves(page, m, run, theta, book)
    to_data = plane(page, run.X, run.y)
    names = "current-line", "previous", "separating-line"
    line, old, witness = (page.locator(f".pla-{name}").get_attribute("d") for name in names)
    assert is_line(to_data, line, run.thetas[m])
    assert is_line(to_data, old, run.thetas[m - 1]) if m else old == ""
    assert is_line(to_data, witness, theta)
    expect(words).to_contain_text("" if line else "outside the picture" if run.thetas[m][-2:].any() else "No line yet.")
    ring = page.locator(".pla-ring")
    assert (ring.get_attribute("visibility") == "visible") == (m > 0)
    if m:
        at = to_data(f"{ring.get_attribute('cx')},{ring.get_attribute('cy')}")[0]
        assert at == pytest.approx(run.X[run.mistakes[m - 1]], abs=0.02)


def expect_curves(page: Page, m: int, run, theta, book) -> None:
    """Progress and norm are drawn as far as m; floor and ceiling as the formulas say, all along."""
    svg, bound = page.locator("svg:has(.pla-limit)"), ledger(run, theta).bound
    to_numbers = chart(svg)
    close = {"abs": 0.006 * abs(to_numbers("0,0 400,300")[:, 1]).max()}
    for k in (1, 2):
        drawn = to_numbers(svg.locator(".pla-run-curve").nth(k - 1).get_attribute("d"))
        assert drawn[:, 0] == pytest.approx(np.arange(m + 1), abs=0.01 * bound.value)
        assert drawn[:, 1] == pytest.approx(book[k, : m + 1], **close)
    floor, ceiling = (to_numbers(svg.locator(".pla-limit").nth(k).get_attribute("d")).T for k in (0, 1))
    unit = np.linalg.norm(theta)
    assert floor[1] == pytest.approx((bound.start + floor[0] * run.eta * bound.functional) / unit, **close)
    # The root is steep where it starts: a tenth of a unit across may be much upwards.
    assert ceiling[1] ** 2 == pytest.approx(
        bound.start2 + ceiling[0] * run.eta**2 * bound.radius2, abs=0.02 * ceiling[1].max() ** 2
    )
    across = to_numbers(svg.locator(".pla-current-update").get_attribute("d"))
    assert across[:, 0] == pytest.approx([m, m], abs=0.01 * bound.value)
    assert across[:, 1] == pytest.approx(book[[0, 3], m], **close)


def bound_mark(page: Page) -> np.ndarray:
    meets = page.locator(".pla-meeting-point")
    return chart(page.locator("svg:has(.pla-limit)"))(f"{meets.get_attribute('cx')},{meets.get_attribute('cy')}")[0]


def test_every_update_is_that_of_the_ledger_and_back_undoes_next(proof):
    for m in range(len(RUN.mistakes) + 1):
        expect_step(proof, m)
        proof.get_by_role("button", name="Next").click(force=True)  # at the end, too, where it does nothing
    expect_step(proof, len(RUN.mistakes))
    allowed = int(ledger(RUN, THETA).bound.value)
    expect(proof.locator(".pla-words")).to_contain_text(
        f"The run is over: all 20 points count as right. The proof allows {allowed} updates."
    )
    proof.get_by_role("button", name="Back").click()
    expect_step(proof, len(RUN.mistakes) - 1)


def test_first_last_slider_and_keys(proof):
    last = len(RUN.mistakes)
    proof.get_by_role("button", name="Last").click()
    expect_step(proof, last)
    proof.get_by_role("button", name="First").click()
    expect_step(proof, 0)
    proof.get_by_role("slider").scroll_into_view_if_needed()
    box = proof.get_by_role("slider").bounding_box()
    proof.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    expect_step(proof, last)
    for key, m in {"Home": 0, "ArrowRight": 1, "End": last, "ArrowLeft": last - 1}.items():
        proof.keyboard.press(key)
        expect_step(proof, m)
    proof.get_by_role("button", name="Back").focus()
    for key, m in {"Home": 0, "ArrowRight": 1, "End": last, "ArrowLeft": last - 1, "Enter": last - 2}.items():
        proof.keyboard.press(key)
        expect_step(proof, m)


def test_play_goes_on_by_itself_and_pause_stops_it(proof):
    expect_step(proof, play_until(proof, "Update 2"))


def test_chart_reaches_to_the_bound_when_asked(proof):
    bound = ledger(RUN, THETA).bound
    far = proof.get_by_role("checkbox", name="As far as the bound")
    expect(far).not_to_be_checked()
    expect(proof.locator(".pla-meeting-point")).to_be_hidden()
    proof.get_by_role("button", name="Last").click()
    far.click()
    expect(proof.locator(".pla-meeting-point")).to_be_visible()
    assert bound_mark(proof) == pytest.approx([bound.value, np.sqrt(bound.value * bound.radius2)], rel=0.01)
    expect(proof.get_by_text(f"at most {int(bound.value)}", exact=True)).to_be_visible()
    expect_step(proof, len(RUN.mistakes))
    far.press("Space")
    expect(proof.locator(".pla-meeting-point")).to_be_hidden()
    expect_step(proof, len(RUN.mistakes))


def test_without_offset_from_another_start(page, gallery):
    page.goto(f"{gallery}/lectures/proof_ledger_no_offset.html")
    expect(page.get_by_role("checkbox", name="As far as the bound")).to_be_checked()  # it is not far away
    for m in range(len(NEAR_RUN.mistakes) + 1):
        expect_step(page, m, NEAR_RUN, NEAR.theta)
        page.get_by_role("button", name="Next").click(force=True)
    bound = ledger(NEAR_RUN, NEAR.theta).bound
    ceiling = np.sqrt(bound.start2 + bound.value * 0.25 * bound.radius2)
    assert bound_mark(page) == pytest.approx([bound.value, ceiling], rel=0.01)


def test_values_set_from_python_redraw(page):
    mount(page, proof_ledger(RUN, THETA))
    page.evaluate("model.set('step', 4)")
    expect_step(page, 4)
    page.evaluate("model.set('whole', true)")
    expect(page.locator(".pla-meeting-point")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_be_checked()
    expect_step(page, 4)
    page.get_by_role("checkbox").click()
    page.get_by_role("button", name="Next").click()
    assert page.evaluate("[model.get('step'), model.get('whole')]") == [5, False]


def test_a_run_that_reaches_the_bound_and_one_that_never_errs(page):
    data = worst_case(2)
    mount(page, proof_ledger(perceptron(*data, bias=False), [1, -1]))
    page.get_by_role("button", name="Last").click()
    expect_step(page, 2, perceptron(*data, bias=False), np.array([1.0, -1.0]))
    expect(page.locator(".pla-words")).to_contain_text("The proof allows 2 updates.")
    start = perceptron(X, Y, theta0=RUN.theta)
    mount(page, proof_ledger(start, RUN.theta))
    expect(page.locator(".pla-words")).to_contain_text("The run is over: all 20 points count as right.")
    assert not re.search("NaN|Infinity|undefined", page.content())


def test_a_stopped_run_says_so(page):
    mount(page, proof_ledger(perceptron(X, Y, max_epochs=1), THETA))
    page.get_by_role("button", name="Last").click()
    expect(page.locator(".pla-words")).to_contain_text("The run was stopped here, with points still wrong.")


def test_touch_works(phone, gallery):
    phone.goto(f"{gallery}/lectures/proof_ledger.html")
    phone.get_by_role("button", name="Next").tap()
    expect_step(phone, 1)
    phone.get_by_role("checkbox").tap()
    expect(phone.locator(".pla-meeting-point")).to_be_visible()
    # The chart stands above the steps, the data below.
    chart_box, data_box = (phone.locator(f"svg:has({part})").bounding_box() for part in (".pla-limit", ".pla-ring"))
    assert chart_box["y"] < phone.get_by_role("slider").bounding_box()["y"] < data_box["y"]
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_each_update_is_announced(proof):
    expect(proof.locator(".pla-words")).to_have_attribute("aria-live", "polite")
    proof.get_by_role("button", name="Next").click()
    _, progress, norm, _ = map(as_text, lengths(RUN, THETA)[:, 1])
    expect(proof.get_by_role("img", name=f"progress {progress}, norm {norm}")).to_be_visible()
    expect(proof.get_by_role("img", name="the line after 1 update, and the line of θ̃")).to_be_visible()


def test_picture_and_sentence_stand_where_no_script_runs():
    bundle = stand_in(proof_ledger(RUN, THETA))
    book = ledger(RUN, THETA)
    assert book.holds
    assert f"on a run with {len(RUN.mistakes)} updates" in bundle["text/plain"]
    assert f"leave room for {int(book.bound.value)} updates." in bundle["text/plain"]
    # One update, and a start that allows none.
    assert "with 1 update:" in proof_ledger(perceptron([[1, 0]], [1], bias=False), [1, 0]).sentence()
    settled = proof_ledger(perceptron(X, Y, theta0=1000 * THETA), THETA)
    assert settled.sentence().endswith("leave room for 0 updates.")
    stand_in(settled)


def test_what_is_refused_is_refused_in_words():
    with pytest.raises(ValueError, match=r"takes a Run, as perceptron.* gives; it was given a ndarray"):
        proof_ledger(X, THETA)
    with pytest.raises(ValueError, match="two features; these have 3"):
        proof_ledger(perceptron([[1, 2, 3]], [1]), [0, 1, 1, 1])
    with pytest.raises(ValueError, match="theta must separate the examples"):
        proof_ledger(RUN, -THETA)
    with pytest.raises(ValueError, match="theta must have 3 entries, as the run's weights have"):
        proof_ledger(RUN, [1, 1])
    on_the_line = perceptron([[0, 1], [0, 0]], [1, -1], max_epochs=3)
    with pytest.raises(ValueError, match="an example lies on the hyperplane"):
        proof_ledger(on_the_line, [0, 0, 1])


def test_corners_are_read_from_a_path():
    assert corners("M1.0,-2.0L3.5,4.0h0").tolist() == [[1, -2], [3.5, 4]]
