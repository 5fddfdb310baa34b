"""Three boundaries on their page, with no kernel: every control, and what is shown against pla_lib's classifiers."""

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import Dataset, averaged, blobs, label_noise, perceptron, voted, xor
from pla_lib.pla import inputs_for
from pla_lib.widgets._three_boundaries import three_boundaries
from tests.widgets.drawn import as_text, chart, corners, is_line, mount, plane, size, stand_in
from tests.widgets.gestures import play_until, step

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
    return [int((says(part, name, test.X) != test.y).sum()) for name in ("last", "averaged", "voted")]


def says(run, name: str, X: np.ndarray) -> np.ndarray:
    """The class that one of the three classifiers of a run gives to each row of X."""
    if name == "voted":
        return voted(run, X)
    theta = run.theta if name == "last" else averaged(run)
    return np.where(inputs_for(theta, X) @ theta > 0, 1, -1)


def go(page: Page, step: int) -> None:
    page.get_by_role("slider").fill(str(step))


def expect_step(page: Page, t: int, run=RUN, test=TEST) -> None:
    """Numbers, words, lines and the voted region after t visits are those of the run as far as it has got."""
    visits, n = int(run.survival.sum()), len(test.y)
    expect(page.get_by_role("slider")).to_have_value(str(t))
    to_data, path, frame = plane(page, run.X), drawn_boundaries(page), size(page)
    words, why, chip = (page.locator(f".pla-{name}") for name in ("words", "why", "chip"))
    assert is_line(to_data, path["last"], run.thetas[(run.times < t).sum()], frame)
    ring, shown = page.locator(".pla-current-ring"), page.locator(".pla-numbers strong").all_text_contents()
    if t == 0:
        assert shown == [f"0 of {visits}", "0", "–", "–", "–"]
        assert path["averaged"] == path["voted"] == path["previous"] == ""
        assert ring.get_attribute("visibility") == "hidden"
        expect(chip).to_have_text("Start")
        return expect(words).to_have_text("No visits yet, so there is no average and there are no votes.")
    part, errors = as_far_as(run, t), wrong(run, test, t)
    made = len(part.mistakes)
    assert shown == [f"{t} of {visits}", str(made), *(f"{count} of {n}" for count in errors)]
    i, erred = run.visits[t - 1], t - 1 in run.times
    judged = run.thetas[made - erred]
    score = judged @ (run.X[i] if len(judged) == 2 else [1, *run.X[i]])
    results = "last {}, averaged {}, voted {}.".format(*errors)
    if t == visits:
        expect(chip).to_have_text("Done" if run.converged else "Stopped")
        epochs = f"{run.epochs} epoch{'s' if run.epochs > 1 else ''}"
        expect(words).to_have_text(
            f"{made} mistake{'s' if made != 1 else ''} in {epochs}. Errors on {n} test points: {results}"
        )
    else:
        expect(chip).to_have_text("Mistake" if erred else "Right")
        scored = as_text(score, sign=True) + (", a tie" if score == 0 else "")
        expect(words).to_have_text(
            f"Visit {t}: point {i}, class {as_text(run.y[i], sign=True)}, scores {scored}. Test errors: {results}"
        )
        expect(why).to_contain_text(f"The weights that judged visit {t} now count once more in the average")
    at = to_data(f"{ring.get_attribute('cx')},{ring.get_attribute('cy')}")[0]
    assert at == pytest.approx(run.X[i], abs=1e-2)
    assert is_line(to_data, path["averaged"], averaged(part), frame)
    # The line before a mistake stays, faded.
    assert is_line(to_data, path["previous"], judged, frame) if erred else not path["previous"]
    expect(page.get_by_text("before", exact=True)).to_be_visible(visible=bool(path["previous"]))
    expect_judge(page, part, "last", to_data)
    curve = page.locator(".pla-curve.pla-voted")
    if curve.count():  # on a phone the chart is made when its tab is opened
        assert len(corners(curve.get_attribute("d"))) == t  # and goes as far as the run, no further


def drawn_boundaries(page: Page) -> dict[str, str]:
    """The paths in the picture of the data."""
    names = ("last", "averaged", "voted", "previous")
    return {name: page.locator(f".pla-main .pla-picture > svg .pla-{name}").get_attribute("d") for name in names}


def expect_judge(page: Page, part, name: str, to_data) -> None:
    """Tint and crosses follow this classifier, and the key says so."""
    expect_region(page, part, name, to_data)
    crossed = page.locator(".pla-main .pla-point").evaluate_all("all => all.map(one => one.matches('.pla-wrong'))")
    assert crossed == (says(part, name, part.X) != part.y).tolist()
    expect(page.locator(".pla-judge")).to_have_text(f"{name} (tint and crosses)")
    expect(page.locator(".pla-judge")).to_be_visible()


def expect_region(page: Page, part, name: str, to_data) -> None:
    """The tinted sides are where the classifier says +1 and -1. Within a cell of the grid it may be either."""
    frame = np.array(size(page))
    units = np.random.default_rng(0).uniform((2, 2), frame - 2, size=(400, 2))
    around = [units + 7 * np.array([np.cos(angle), np.sin(angle)]) for angle in np.arange(8) * np.pi / 4]
    votes = np.stack([says(part, name, to_data(some)) for some in (units, *around)])
    sure = (votes == votes[0]).all(axis=0)
    assert sure.mean() > 0.5
    for label, name in ((1, "positive"), (-1, "negative")):
        inside = page.locator(f".pla-main .pla-picture > svg .pla-{name}-side").evaluate(
            "(side, points) => points.map(([x, y]) => side.isPointInFill(new DOMPoint(x, y)))", units.tolist()
        )
        assert np.array_equal(np.array(inside)[sure], (label * votes[0] > 0)[sure])


def told(i: int, t: int) -> str:
    """What pla_lib says of point i after t visits."""
    part = as_far_as(RUN, t)
    scores = [theta @ [1, *RUN.X[i]] for theta in (part.theta, averaged(part))]
    judged = RUN.thetas[[int((RUN.times < visit).sum()) for visit in range(t)]]
    plus = int((judged @ [1, *RUN.X[i]] > 0).sum())
    verdict = ["right" if RUN.y[i] * value > 0 else "wrong" for value in (*scores, voted(part, RUN.X[[i]])[0])]
    last, mean = (as_text(value, sign=True) for value in scores)
    return (
        f"Point {i}, class {as_text(RUN.y[i], sign=True)}, at {as_text(*RUN.X[i])}. "
        f"Last: score {last}, {verdict[0]}. Averaged: score {mean}, {verdict[1]}. "
        f"Voted: {plus} for +1, {t - plus} for −1, {verdict[2]}."
    )


def test_steps_near_and_far_are_those_of_the_run(three):
    for k in range(12):
        expect_step(three, k)
        step(three)
    for k in (57, 400, 123, 122, 799, 800, 30, 0):  # there and back
        go(three, k)
        expect_step(three, k)


def test_curves_are_the_test_errors_after_every_visit(three):
    errors = np.array([wrong(RUN, TEST, t) for t in range(1, VISITS + 1)])
    go(three, VISITS)
    expect(three.get_by_role("slider")).to_have_value(str(VISITS))
    svg = three.locator("svg:has(.pla-curve)")
    to_numbers = chart(svg)
    for k, name in enumerate(("last", "averaged", "voted")):
        drawn = to_numbers(svg.locator(f".pla-curve.pla-{name}").get_attribute("d"))
        assert drawn[:, 0] == pytest.approx(np.arange(1, VISITS + 1), abs=0.3)
        assert drawn[:, 1] == pytest.approx(errors[:, k], abs=0.25)
    expect(svg).to_contain_text("test errors of 200")
    # What lies ahead is not drawn; the dots are at the ends of the curves.
    go(three, 300)
    expect(three.get_by_role("slider")).to_have_value("300")
    for k, name in enumerate(("last", "averaged", "voted")):
        drawn = to_numbers(svg.locator(f".pla-curve.pla-{name}").get_attribute("d"))
        assert len(drawn) == 300
        assert drawn[-1] == pytest.approx([300, errors[299, k]], abs=0.3)
    centres = "all => all.map(c => c.cx.baseVal.value + ',' + c.cy.baseVal.value)"
    dots = svg.locator(".pla-position").evaluate_all(centres)
    assert to_numbers(" ".join(dots)) == pytest.approx(np.array([(300, count) for count in errors[299]]), abs=0.3)


def test_layers_are_switched_by_mouse_and_key(three):
    go(three, 200)
    everything = drawn_boundaries(three)
    assert all(everything[name] for name in ("last", "averaged", "voted"))
    for name in ("last", "averaged", "voted"):
        box = three.get_by_role("checkbox", name=name)
        curve = three.locator(f".pla-curve.pla-{name}")
        box.click()
        expect(curve).to_be_hidden()
        assert drawn_boundaries(three) == everything | {name: ""} | ({"previous": ""} if name == "last" else {})
        assert three.locator(".pla-main .pla-picture > svg").get_attribute("aria-label").count(name) == 0
        box.press("Space")
        expect(curve).to_be_visible()
        assert drawn_boundaries(three) == everything
    unseen = three.locator(".pla-main .pla-picture > svg .pla-test-points")
    expect(unseen).to_be_hidden()
    three.get_by_role("checkbox", name="test points").click()
    expect(unseen).to_be_visible()
    to_data = plane(three, RUN.X)
    discs = unseen.locator("circle").evaluate_all("all => all.map(c => c.getAttribute('transform'))")
    assert to_data(" ".join(discs)) == pytest.approx(TEST.X[TEST.y > 0], abs=1e-2)
    assert unseen.locator("rect").count() == (TEST.y < 0).sum()


def test_the_reader_chooses_what_tint_and_crosses_follow(three):
    to_data = plane(three, RUN.X)
    go(three, 400)
    judges = three.get_by_role("group", name="Tint and crosses follow")
    for name in ("averaged", "voted", "last"):
        judges.get_by_role("button", name=name).click()
        expect_judge(three, as_far_as(RUN, 400), name, to_data)
        for other in ("last", "averaged", "voted"):
            expect(judges.get_by_role("button", name=other)).to_have_attribute(
                "aria-pressed", str(other == name).lower()
            )
        assert all(drawn_boundaries(three)[line] for line in ("last", "averaged", "voted"))  # all three are still drawn
        texts = [f"{one} (tint and crosses)" if one == name else one for one in ("last", "averaged", "voted")]
        expect(three.locator(".pla-key > span")).to_have_text(texts)
        expect(three.locator(".pla-key > span").nth(0)).to_be_visible()
    # A judge that was hidden is drawn when it is chosen.
    three.get_by_role("checkbox", name="voted").uncheck()
    judges.get_by_role("button", name="voted").press("Enter")
    expect(three.get_by_role("checkbox", name="voted")).to_be_checked()
    expect_judge(three, as_far_as(RUN, 400), "voted", to_data)


def test_tint_and_crosses_follow_the_judge_or_what_is_left_of_the_three(three):
    to_data = plane(three, RUN.X)
    for k in (54, 400, VISITS):
        go(three, k)
        expect(three.get_by_role("slider")).to_have_value(str(k))
        crosses = set()
        for off, judge in ((), "last"), (("last",), "averaged"), (("last", "averaged"), "voted"):
            for name in off:
                three.get_by_role("checkbox", name=name).uncheck()
            expect_judge(three, as_far_as(RUN, k), judge, to_data)
            crosses.add(three.locator(".pla-wrong").count())
            for name in off:
                three.get_by_role("checkbox", name=name).check()
        assert len(crosses) > 1  # they do not agree, so it matters which is followed
    for name in ("voted", "averaged", "last"):
        three.get_by_role("checkbox", name=name).uncheck()
    assert three.locator(".pla-wrong").count() == three.locator(".pla-judge").count() == 0
    for name in ("positive", "negative"):
        expect(three.locator(f".pla-main .pla-{name}-side")).to_have_attribute("d", "")


def test_every_way_to_step(three):
    for k in (0, 1):
        step(three, "Next mistake")
        expect_step(three, RUN.times[k] + 1)
    go(three, VISITS)
    step(three, "Back")
    expect_step(three, VISITS - 1)
    for _ in range(2):  # to the end, and there it stays
        three.get_by_role("button", name="Next mistake").click(force=True)
    expect_step(three, VISITS)
    step(three, "First")
    expect_step(three, 0)
    for focused in ("button", "slider"):
        if focused == "slider":
            three.get_by_role("slider").focus()
        for key, k in {"ArrowRight": 1, "End": VISITS, "ArrowLeft": VISITS - 1, "Home": 0}.items():
            three.keyboard.press(key)
            expect_step(three, k)
    paused = play_until(three, "Visit 4")
    three.wait_for_timeout(700)  # in which it would go on
    expect_step(three, paused)


def test_a_point_tells_what_the_three_say_of_it(three):
    go(three, 400)
    for i in (66, 3):
        three.locator(".pla-main .pla-point").nth(i).focus()
        expect(three.locator(".pla-tip")).to_have_text(told(i, 400))
        expect(three.locator(".pla-main .pla-point").nth(i)).to_have_accessible_name(told(i, 400))
    three.locator(".pla-mention").first.hover()
    expect(three.locator(".pla-tip")).to_have_text(told(int(RUN.visits[399]), 400))


def test_motion_ends_at_the_numbers_of_the_run_and_loses_no_step(three):
    three.emulate_media(reduced_motion="no-preference")
    go(three, RUN.times[40])
    before = drawn_boundaries(three)
    three.evaluate("window.seen = new Set(); window.ends = []")
    three.locator(".pla-main .pla-picture > svg").evaluate("""svg => new MutationObserver(() =>
        ['last', 'averaged', 'voted'].forEach((name) => seen.add(name + svg.querySelector(`.pla-${name}`)
            .getAttribute('d')))).observe(svg, { subtree: true, attributes: true })""")
    step(three)
    three.wait_for_timeout(900)
    moves = three.evaluate("[...seen]")
    for name in ("last", "averaged", "voted"):  # each of the three went there by steps
        assert len({d for d in moves if d.startswith(name)} - {name + before[name]}) > 2, name
    expect_step(three, RUN.times[40] + 1)
    three.locator(".pla-next").evaluate("next => { next.click(); next.click(); }")
    three.wait_for_timeout(900)
    expect_step(three, RUN.times[40] + 3)


def test_link_and_python_show_the_same_again(page, gallery):
    page.goto(f"{gallery}/lectures/three_boundaries.html#widget1=step:123;;layers:averaged_voted;;judge:voted")
    page.locator(".pla-point").first.wait_for()
    expect(page.get_by_role("slider")).to_have_value("123")
    assert [name for name, d in drawn_boundaries(page).items() if d] == ["averaged", "voted"]
    step(page, "More")
    step(page, "Copy as Python")
    names = {}
    exec(page.locator(".pla-python").inner_text(), names)
    assert np.allclose(names["run"].thetas, RUN.thetas)
    assert (names["widget"].step, names["widget"].layers) == (123, ["averaged", "voted"])
    assert names["widget"].judge == "voted"
    expect(page.locator(".pla-judge")).to_have_text("voted (tint and crosses)")
    assert names["widget"].errors() == three_boundaries(RUN, TEST).errors()


def test_without_offset_with_another_start_and_in_a_given_order(page):
    train = label_noise(blobs(30, middle=(0, 0), seed=4), 0.2)
    run = perceptron(*train, bias=False, theta0=[-3, 1], eta=0.5, order=[*range(30), 0, 5, 5], max_epochs=4)
    test = blobs(50, middle=(0, 0), seed=5)
    mount(page, three_boundaries(run, test))
    for k in (0, 1, 2, 33, 34, 70, int(run.survival.sum()), 50, 3):
        go(page, k)
        expect_step(page, k, run, test)


def test_a_vote_of_zero_says_minus(page):
    run = perceptron([[1, 0], [-1, 0]], [1, 1], bias=False, max_epochs=2)  # each undoes the other: ties all along
    test = Dataset([[2, 1], [-2, 1], [0, 1]], [1, 1, 1])
    mount(page, three_boundaries(run, test))
    for k in range(5):
        go(page, k)
        expect(page.get_by_role("slider")).to_have_value(str(k))
        if k:
            counts = "last {}, averaged {}, voted {}.".format(*wrong(run, test, k))
            expect(page.locator(".pla-words")).to_contain_text(f": {counts}")
            expect_judge(page, as_far_as(run, k), "last", plane(page, run.X))
            page.get_by_role("button", name="voted", exact=True).click()
            expect_judge(page, as_far_as(run, k), "voted", plane(page, run.X))
            page.get_by_role("button", name="last", exact=True).click()
    assert not re.search("NaN|Infinity|undefined", page.content())


def test_values_set_from_python_redraw(page):
    mount(page, three_boundaries(RUN, TEST))
    page.evaluate("model.set('step', 77)")
    expect_step(page, 77)
    page.evaluate("model.set('layers', ['voted'])")
    assert [name for name, d in drawn_boundaries(page).items() if d] == ["voted"]
    expect(page.get_by_role("checkbox", name="averaged")).not_to_be_checked()
    page.get_by_role("checkbox", name="last").click()
    step(page)
    assert page.evaluate("[model.get('step'), model.get('layers')]") == [78, ["last", "voted"]]


def test_touch_works(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/three_boundaries.html")
    phone.get_by_role("button", name="Next mistake").tap()
    expect_step(phone, RUN.times[0] + 1)
    expect(phone.locator(".pla-key")).to_have_text("last (tint and crosses)averagedvoted")
    phone.get_by_role("tab", name="Test errors").tap()
    phone.locator("label", has_text="averaged").tap()
    expect(phone.locator(".pla-curve.pla-averaged")).to_be_hidden()
    assert phone.locator("label", has_text="averaged").bounding_box()["height"] >= 44
    for button in phone.locator(".pla-judges button").all():
        assert button.bounding_box()["height"] >= 43.9
    phone.locator(".pla-judges button", has_text="voted").tap()
    phone.get_by_role("tab", name="Data").tap()
    expect(phone.locator(".pla-judge")).to_have_text("voted (tint and crosses)")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_picture_and_sentence_stand_where_no_script_runs():
    bundle = stand_in(three_boundaries(RUN, TEST))
    last, mean, vote = wrong(RUN, TEST, VISITS)
    assert bundle["text/plain"] == (
        f"A perceptron run on 100 points of two classes: {len(RUN.mistakes)} mistakes in 8 epochs. Of 200 test points, "
        f"the last weights get {last} wrong, the averaged weights {mean} and the vote {vote}."
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
