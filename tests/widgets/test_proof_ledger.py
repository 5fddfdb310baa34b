"""The proof ledger on its page, with no kernel: every control, and what is shown against pla_lib's own ledger."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import blobs, ledger, max_margin, perceptron, with_margin, worst_case
from pla_lib.widgets._proof_ledger import proof_ledger
from tests.widgets.drawn import as_text, chart, corners, is_line, mount, plane, size, stand_in, value
from tests.widgets.gestures import middle, step

X, Y = blobs(20, gap=0.8)  # as the page makes it
RUN, THETA = perceptron(X, Y), max_margin(X, Y).theta
NEAR = with_margin(12, margin=0.3)  # as the page without offset makes it
NEAR_RUN = perceptron(*NEAR, bias=False, theta0=-0.5 * NEAR.theta, eta=0.5)
LINES = "words => words.offsetHeight / parseFloat(getComputedStyle(words).lineHeight)"
DATA = "svg:has(.pla-separating-line)"
NO_LINE = "The perceptron has no line yet."


@pytest.fixture
def proof(widget) -> Page:
    return widget


def lengths(run, theta):
    """Floor, progress, norm and ceiling after every update, as pla_lib has them, in units of length."""
    book = ledger(run, theta)
    unit = np.linalg.norm(theta)
    return np.stack([book.floor / unit, book.progress / unit, np.sqrt(book.norm2), np.sqrt(book.ceiling2)])


def expect_step(page: Page, m: int, run=RUN, theta=THETA) -> None:
    """Words, table, numbers, chart and line after m updates are those of the run and its ledger."""
    expect(page.get_by_role("slider")).to_have_value(str(m))
    book, bound = lengths(run, theta), ledger(run, theta).bound
    rows = page.locator(".pla-log tbody tr").evaluate_all("all => all.map(r => [...r.cells].map(c => c.textContent))")
    assert rows == [[str(k), *map(as_text, book[:, k]), "✓"] for k in range(m + 1)]
    floor, progress, norm, ceiling = map(as_text, book[:, m])
    made = [f"{m} of {len(run.mistakes)}", str(max(0, int(bound.value * (1 + 1e-9))))]
    fixed = [as_text(bound.functional), as_text(np.sqrt(bound.radius2)), as_text(*run.thetas[m]), as_text(*theta)]
    expect(page.locator(".pla-numbers strong")).to_have_text([*made, progress, floor, norm, ceiling, *fixed])
    words = page.locator(".pla-words").inner_text().replace("\xa0", " ")
    why = page.locator(".pla-why").text_content().replace("\xa0", " ")
    if m:
        i, is_last = run.mistakes[m - 1], m == len(run.mistakes)
        over = "on" if progress == floor else "above"
        under = "on" if norm == ceiling else "below"
        told = f"Update {m}: progress is {progress}, {over} its floor; the norm is {norm}, {under} its ceiling."
        assert words == told if not is_last else told in why
        assert f"The update is for point {i}. " in why
        update = "1 update" if m == 1 else f"{m} updates"
        assert f"After {update} the floor is at {floor}, the ceiling at {ceiling}." in why
        assert ("The bound allows at most" in why) == is_last
        scored = ledger(run, theta).signed_scores[m - 1] * run.y[i]
        joint = ", but" if scored else ", a tie, and"
        assert f"scored {as_text(scored, sign=True)}{joint} its class is {as_text(run.y[i], sign=True)}" in why
        grown = book[1, m] - book[1, m - 1], book[2, m] ** 2 - book[2, m - 1] ** 2
        assert f"progress by {as_text(grown[0], sign=True)} (at least +{as_text(book[0, 1] - book[0, 0])})" in why
        assert f"by {as_text(grown[1], sign=True)} (at most +{as_text(run.eta**2 * bound.radius2)})." in why
        assert ("count as right" in words) == is_last
    elif progress == norm:
        least = as_text(book[0, 1] - book[0, 0])
        assert words == f"Progress and norm start at {norm}. Every update adds at least {least} to the progress."
    else:
        assert words == f"Progress starts at {progress}, the norm at {norm}. Every update moves both."
    expect_curves(page, m, run, theta, book)
    expect_line(page, m, run, theta)


def expect_finale(page: Page, run=RUN, theta=THETA) -> None:
    """The step after the last update: the chart reaches to the bound, and the words name it; the run is as it was."""
    last, bound = len(run.mistakes), ledger(run, theta).bound
    expect(page.get_by_role("slider")).to_have_value(str(last + 1))
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "the bound")
    allowed = int(bound.value * (1 + 1e-9))
    expect(page.locator(".pla-words")).to_have_text(
        f"The bound: floor and ceiling meet, so no run can make more than {allowed} mistakes. This one made {last}."
    )
    expect(page.locator(".pla-chip")).to_have_text("Done")
    expect(page.get_by_text(f"the bound: at most {allowed} mistakes", exact=True)).to_be_visible()
    expect(page.get_by_role("checkbox", name="Show up to the bound")).to_be_checked()
    expect(page.locator(".pla-meeting-point")).to_be_visible()
    height = np.sqrt(bound.start2 + bound.value * run.eta**2 * bound.radius2)
    assert bound_mark(page) == pytest.approx([bound.value, height], rel=0.01)
    expect(page.locator(".pla-numbers strong").first).to_have_text(f"{last} of {last}")
    expect(page.locator(".pla-log tbody tr")).to_have_count(last + 1)
    expect_curves(page, last, run, theta, lengths(run, theta))
    expect_line(page, last, run, theta)


def expect_line(page: Page, m: int, run=RUN, theta=THETA) -> None:
    to_data, picture = plane(page, run.X, DATA), size(page, DATA)
    names = "current-line", "previous", "separating-line"
    line, old, witness = (page.locator(f".pla-{name}").get_attribute("d") for name in names)
    assert is_line(to_data, line, run.thetas[m], picture)
    assert is_line(to_data, old, run.thetas[m - 1], picture) if m else old == ""
    assert page.locator(DATA).get_by_text("before", exact=True).count() == bool(old and old != line)
    assert is_line(to_data, witness, theta, picture)
    unseen = "" if line else "The line runs outside the picture." if run.thetas[m][-2:].any() else NO_LINE
    expect(page.locator(".pla-no-line")).to_have_text(unseen)
    assert page.locator(DATA).get_attribute("aria-label").endswith(unseen)
    ring = page.locator(".pla-current-ring")
    assert (ring.get_attribute("visibility") == "visible") == (m > 0)
    if m:
        at = to_data(f"{ring.get_attribute('cx')},{ring.get_attribute('cy')}")[0]
        assert at == pytest.approx(run.X[run.mistakes[m - 1]], abs=0.02)


def expect_curves(page: Page, m: int, run, theta, book) -> None:
    """Progress and norm are drawn as far as m; floor and ceiling as the formulas say, all along."""
    svg, bound = page.locator("svg:has(.pla-limit)"), ledger(run, theta).bound
    to_numbers = chart(svg)
    across_pixel, up_pixel = abs(np.diff(to_numbers([[0, 0], [1, 1]]), axis=0))[0]
    beside, close = {"abs": 0.2 * across_pixel}, {"abs": 0.2 * up_pixel}
    for k in (1, 2):
        drawn = to_numbers(svg.locator(".pla-run-curve").nth(k - 1).get_attribute("d"))
        assert drawn[:, 0] == pytest.approx(np.arange(m + 1), **beside)
        assert drawn[:, 1] == pytest.approx(book[k, : m + 1], **close)
    floor, ceiling = (to_numbers(svg.locator(".pla-limit").nth(k).get_attribute("d")).T for k in (0, 1))
    unit = np.linalg.norm(theta)
    assert floor[1] == pytest.approx((bound.start + floor[0] * run.eta * bound.functional) / unit, **close)
    # The root is steep where it starts: a tenth of a unit across may be much upwards.
    assert ceiling[1] ** 2 == pytest.approx(
        bound.start2 + ceiling[0] * run.eta**2 * bound.radius2, abs=0.02 * ceiling[1].max() ** 2
    )
    across = to_numbers(svg.locator(".pla-current-update").get_attribute("d"))
    assert across[:, 0] == pytest.approx([m, m], **beside)
    assert across[:, 1] == pytest.approx(book[[0, 3], m], **close)


def expect_at(page: Page, step: int) -> None:
    if step > len(RUN.mistakes):
        expect_finale(page)
    else:
        expect_step(page, step)


def bound_mark(page: Page) -> np.ndarray:
    meets = page.locator(".pla-meeting-point")
    return chart(page.locator("svg:has(.pla-limit)"))(f"{meets.get_attribute('cx')},{meets.get_attribute('cy')}")[0]


def test_every_update_is_that_of_the_ledger_and_back_undoes_next(proof):
    for m in range(len(RUN.mistakes) + 1):
        expect_step(proof, m)
        expect(proof.locator(".pla-meeting-point")).to_be_hidden()
        step(proof)
    expect_finale(proof)
    proof.get_by_role("button", name="Next").click(force=True)  # here it does nothing
    expect_finale(proof)
    step(proof, "Back")
    expect_step(proof, len(RUN.mistakes))
    expect(proof.locator(".pla-meeting-point")).to_be_hidden()
    expect(proof.get_by_role("checkbox")).not_to_be_checked()
    expect(proof.locator(".pla-chip")).to_have_text("Done")
    expect(proof.locator(".pla-words")).to_have_text(
        f"{len(RUN.mistakes)} mistakes, and all 20 points count as right. Press Next to see where every run must end."
    )
    step(proof, "Back")
    expect_step(proof, len(RUN.mistakes) - 1)


def test_from_the_finale_the_box_leads_back_to_the_last_update(proof):
    proof.get_by_role("button", name="Next").press("End")
    expect_finale(proof)
    expect(proof.locator(".pla-callout")).to_have_text(f"the run ends here, at {len(RUN.mistakes)}")
    proof.get_by_role("checkbox", name="Show up to the bound").click()
    expect_step(proof, len(RUN.mistakes))
    expect(proof.locator(".pla-meeting-point")).to_be_hidden()
    expect(proof.locator(".pla-callout")).to_have_text("")
    expect(proof.locator(".pla-main .pla-run-label", has_text="norm")).to_be_visible()


def test_names_do_not_cover_each_other(proof):
    """Norm and progress start at the same place; the separator is named as long as the perceptron has no line."""
    for _ in range(len(RUN.mistakes) + 1):
        low, high = (
            float(proof.locator(".pla-run-label", has_text=name).get_attribute("y")) for name in ("progress", "norm")
        )
        assert high + 18 <= low  # a line of such a text and its rim
        named = proof.locator(f"{DATA} .pla-label", has_text="a separator")
        expect(named).to_be_visible()
        box, w = named.bounding_box(), proof.locator(f"{DATA} .pla-symbol")
        if w.text_content():
            x, y = middle(w)
            assert not (box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])
        step(proof)
    names = proof.locator(".pla-numbers > div").evaluate_all("all => all.map(one => one.firstChild.textContent)")
    assert names[-4:] == ["least signed score ρ", "radius τ", "weights θ = (b, w₁, w₂)", "separator θ̃"]


@pytest.mark.parametrize("width", [1280, 390])
def test_words_over_the_data_are_not_cut(proof, width):
    proof.set_viewport_size({"width": width, "height": 844})
    if width < 500:
        proof.get_by_role("tab", name="Data").click()
    expect(proof.locator(".pla-no-line")).to_have_text(NO_LINE)
    words, room = proof.locator(".pla-no-line").bounding_box(), proof.locator(DATA).bounding_box()
    assert room["x"] <= words["x"]
    assert words["x"] + words["width"] <= room["x"] + room["width"]


def test_first_slider_keys_and_rows(proof):
    last = len(RUN.mistakes)
    proof.get_by_role("slider").scroll_into_view_if_needed()
    box = proof.get_by_role("slider").bounding_box()
    proof.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    expect_finale(proof)
    step(proof, "First")
    expect_step(proof, 0)
    proof.get_by_role("slider").focus()
    for key, m in {"ArrowRight": 1, "End": last + 1, "ArrowLeft": last}.items():
        proof.keyboard.press(key)
        expect_at(proof, m)
    proof.get_by_role("button", name="Back").focus()
    for key, m in {"Home": 0, "ArrowRight": 1, "End": last + 1, "ArrowLeft": last, "Enter": last - 1}.items():
        proof.keyboard.press(key)
        expect_at(proof, m)
    # A row of the ledger leads to its update.
    proof.get_by_role("tab", name="Ledger").click()
    proof.get_by_role("button", name="3", exact=True).click()
    expect_step(proof, 3)


def test_play_goes_on_by_itself_and_pause_stops_it(proof):
    proof.emulate_media(reduced_motion="no-preference")
    step(proof, "Play")
    expect(proof.locator(".pla-words")).to_contain_text(re.compile("Update [2-9]"))
    step(proof, "Pause")
    stays = int(proof.get_by_role("slider").input_value())
    proof.emulate_media(reduced_motion="reduce")
    expect_step(proof, stays)


def test_chart_reaches_to_the_bound_when_asked(proof):
    bound = ledger(RUN, THETA).bound
    far = proof.get_by_role("checkbox", name="Show up to the bound")
    expect(far).not_to_be_checked()
    expect(proof.locator(".pla-meeting-point")).to_be_hidden()
    proof.get_by_role("slider").fill(str(len(RUN.mistakes)))
    far.click()
    expect(proof.locator(".pla-meeting-point")).to_be_visible()
    assert bound_mark(proof) == pytest.approx([bound.value, np.sqrt(bound.value * bound.radius2)], rel=0.01)
    expect(proof.get_by_text(f"the bound: at most {int(bound.value)} mistakes", exact=True)).to_be_visible()
    expect_step(proof, len(RUN.mistakes))
    far.press("Space")
    expect(proof.locator(".pla-meeting-point")).to_be_hidden()
    expect_step(proof, len(RUN.mistakes))


def test_without_offset_from_another_start(page, gallery):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{gallery}/lectures/proof_ledger_no_offset.html")
    expect(page.get_by_role("checkbox", name="Show up to the bound")).to_be_checked()  # it is not far away
    for m in range(len(NEAR_RUN.mistakes) + 1):
        expect_step(page, m, NEAR_RUN, NEAR.theta)
        step(page)
    expect_finale(page, NEAR_RUN, NEAR.theta)
    bound = ledger(NEAR_RUN, NEAR.theta).bound
    ceiling = np.sqrt(bound.start2 + bound.value * 0.25 * bound.radius2)
    assert bound_mark(page) == pytest.approx([bound.value, ceiling], rel=0.01)


def test_values_set_from_python_redraw(page):
    page.emulate_media(reduced_motion="reduce")
    mount(page, proof_ledger(RUN, THETA))
    page.evaluate("model.set('step', 4)")
    expect_step(page, 4)
    page.evaluate("model.set('whole', true)")
    expect(page.locator(".pla-meeting-point")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_be_checked()
    expect_step(page, 4)
    page.get_by_role("checkbox").click()
    step(page)
    assert [value(page, "step"), value(page, "whole")] == [5, False]


def test_a_run_that_reaches_the_bound_one_that_never_errs_and_one_that_was_stopped(page):
    page.emulate_media(reduced_motion="reduce")
    words = page.locator(".pla-words")
    data = worst_case(2)
    mount(page, proof_ledger(perceptron(*data, bias=False), [1, -1]))
    page.evaluate("model.set('step', 2)")
    expect_step(page, 2, perceptron(*data, bias=False), np.array([1.0, -1.0]))
    onwards = "Press Next to see where every run must end."
    expect(words).to_have_text(f"2 mistakes, and all 2 points count as right. {onwards}")
    step(page)
    expect_finale(page, perceptron(*data, bias=False), np.array([1.0, -1.0]))
    start = perceptron(X, Y, theta0=RUN.theta)
    mount(page, proof_ledger(start, RUN.theta))
    allowed = int(ledger(start, RUN.theta).bound.value)
    expect(words).to_have_text(f"0 mistakes, and all 20 points count as right. {onwards}")
    step(page)
    ended = "The bound: floor and ceiling meet, so no run can make more than"
    expect(words).to_have_text(re.compile(f"^{ended} {allowed} mistakes?. This one made none.$"))
    assert not re.search("NaN|Infinity|undefined", page.content())
    mount(page, proof_ledger(perceptron(X, Y, theta0=1000 * THETA), THETA))  # no room for a single update
    page.get_by_role("checkbox").click()
    expect(words).to_have_text(f"0 mistakes, and all 20 points count as right. {onwards}")
    step(page)
    expect(words).to_have_text(f"{ended} 0 mistakes. This one made none.")
    assert not re.search("NaN|Infinity|undefined", page.content())
    stopped = perceptron(X, Y, max_epochs=1)
    mount(page, proof_ledger(stopped, THETA))
    page.evaluate(f"model.set('step', {len(stopped.mistakes)})")
    wrong = int((Y * (np.c_[np.ones(20), X] @ stopped.theta) <= 0).sum())
    expect(page.locator(".pla-chip")).to_have_text("Stopped")
    expect(words).to_have_text(
        f"Stopped after {len(stopped.mistakes)} mistakes, with {wrong} points still wrong. {onwards}"
    )
    expect(page.locator(".pla-why")).to_contain_text(f"The bound allows at most {int(ledger(RUN, THETA).bound.value)}.")
    step(page)
    expect(words).to_contain_text(f"This one was stopped after {len(stopped.mistakes)}.")


def test_motion_ends_at_the_numbers_and_no_step_is_lost(page):
    mount(page, proof_ledger(RUN, THETA))
    expect(page.locator(".pla-run-curve").first).to_have_attribute("d", re.compile("M"))
    frames = page.evaluate(
        """async () => {
          const curve = document.querySelector(".pla-run-curve");
          const seen = new Set();
          document.querySelector(".pla-next").click();
          for (let k = 0; k < 20; k++) {
            await new Promise(requestAnimationFrame);
            seen.add(curve.getAttribute("d"));
          }
          return seen.size;
        }"""
    )
    assert frames > 3  # it was on its way
    page.evaluate("document.querySelector('.pla-next').click(), document.querySelector('.pla-next').click()")
    expect(page.locator(".pla-numbers strong").nth(2)).to_have_text(as_text(lengths(RUN, THETA)[1, 3]))
    page.wait_for_timeout(700)
    expect_step(page, 3)
    page.get_by_role("checkbox").click()
    expect(page.locator(".pla-meeting-point")).to_be_visible()
    page.wait_for_timeout(700)
    bound = ledger(RUN, THETA).bound
    assert bound_mark(page) == pytest.approx([bound.value, np.sqrt(bound.value * bound.radius2)], rel=0.01)
    expect_step(page, 3)
    # The finale zooms out, and ends at the bound.
    page.get_by_role("checkbox").click()
    page.evaluate(f"model.set('step', {len(RUN.mistakes)})")
    page.wait_for_timeout(700)
    scales = page.evaluate(
        """async () => {
          const [floor, seen] = [document.querySelector(".pla-limit"), new Set()];
          document.querySelector(".pla-next").click();
          for (let k = 0; k < 20; k++) {
            await new Promise(requestAnimationFrame);
            seen.add(floor.getAttribute("d"));
          }
          return seen.size;
        }"""
    )
    assert scales > 3
    page.wait_for_timeout(1600)
    expect_finale(page)


def test_points_and_updates_tell_what_pla_lib_computes(proof):
    step(proof)
    step(proof)
    tip = proof.locator(f".pla-picture:has({DATA}) .pla-tip")
    for i in range(20):
        proof.locator(f'{DATA} .pla-point[data-point="{i}"]').focus()
        scored = RUN.thetas[2] @ [1, *X[i]]
        right = "right" if Y[i] * scored > 0 else "wrong"
        score = as_text(scored, sign=True)
        distance = as_text(abs(scored) / np.linalg.norm(RUN.thetas[2][1:]))
        expect(tip).to_have_text(
            f"Point {i}, class {as_text(Y[i], sign=True)}, at {as_text(*X[i])}: score {score}, {right}. "
            f"Distance to the line: {distance}."
        )
    svg = proof.locator(".pla-main svg")
    places = corners(svg.locator(".pla-dots").first.get_attribute("d"))
    box = svg.bounding_box()
    for m, (u, _) in enumerate(places):
        proof.mouse.move(box["x"] + u, box["y"] + 150)
        chain = " ≤ ".join(map(as_text, lengths(RUN, THETA)[:, m]))
        expect(proof.locator(".pla-main .pla-tip")).to_have_text(f"Update {m}: {chain}" if m else f"Start: {chain}")
        if m:  # the point of the update lights up in the data
            expect(proof.locator(f'{DATA} .pla-point[data-point="{RUN.mistakes[m - 1]}"]')).to_have_class(
                re.compile("pla-lit")
            )
    proof.mouse.move(box["x"] + 300, box["y"] - 100)
    expect(proof.locator(".pla-main .pla-tip")).to_be_hidden()


def test_link_and_python_show_the_same_again(page, gallery):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{gallery}/lectures/proof_ledger.html#widget1=step:7;;whole:true")
    page.locator(".pla").wait_for()
    expect(page.get_by_role("checkbox")).to_be_checked()
    expect_step(page, 7)
    page.goto(f"{gallery}/lectures/proof_ledger_no_offset.html")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Copy as Python").click()
    names = {}
    exec(page.locator(".pla-python").text_content(), names)
    run = names["run"]
    assert run.thetas.tolist() == NEAR_RUN.thetas.tolist()
    assert run.visits.tolist() == NEAR_RUN.visits.tolist()


def test_touch_works(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/proof_ledger.html")
    phone.get_by_role("tab", name="Data").tap()  # once seen, it is drawn from then on
    phone.get_by_role("tab", name="Proof").tap()
    phone.get_by_role("button", name="Next").tap()
    expect_step(phone, 1)
    phone.get_by_role("checkbox").tap()
    expect(phone.locator(".pla-meeting-point")).to_be_visible()
    for node in (phone.locator(".pla-reach"), phone.get_by_role("button", name="Next")):
        assert node.bounding_box()["height"] >= 44


def test_each_update_is_announced(proof):
    step(proof)
    _, progress, norm, _ = map(as_text, lengths(RUN, THETA)[:, 1])
    live = proof.locator(".pla [aria-live=polite]")
    expect(live).to_contain_text(f"Mistake. Update 1: progress is {progress}, ")
    expect(proof.get_by_role("img", name=f"progress {progress}, norm {norm}")).to_be_visible()
    expect(proof.get_by_role("group", name="the line after 1 update, and the line of a separator, θ̃.")).to_be_visible()


def test_picture_and_sentence_stand_where_no_script_runs():
    bundle = stand_in(proof_ledger(RUN, THETA))
    book = ledger(RUN, THETA)
    assert book.holds
    assert f"on a run with {len(RUN.mistakes)} mistakes" in bundle["text/plain"]
    assert bundle["text/plain"].endswith(f"leave room for at most {int(book.bound.value)} mistakes (the bound).")
    # One update, and a start that allows none.
    assert "with 1 mistake:" in proof_ledger(perceptron([[1, 0]], [1], bias=False), [1, 0]).sentence()
    settled = proof_ledger(perceptron(X, Y, theta0=1000 * THETA), THETA)
    assert settled.sentence().endswith("leave room for at most 0 mistakes (the bound).")
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
