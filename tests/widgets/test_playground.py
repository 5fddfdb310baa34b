"""The playground on its page, with no kernel: runs, bounds and verdicts against pla_lib's; editing; its address."""

import re
from fractions import Fraction
from itertools import product
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import max_margin, mistake_bound, perceptron, separability
from pla_lib.limits import Inseparable
from pla_lib.pla import TIES
from pla_lib.widgets._playground import PRESETS, playground
from tests.widgets.drawn import as_text, mount
from tests.widgets.gestures import drag, step

# Every step of the run: what the numbers say of mistakes and weights, then the chip and the words.
EVERY_STEP = """async () => {
    const root = document.querySelector(".pla"), values = [...root.querySelectorAll(".pla-numbers strong")];
    const next = root.querySelector(".pla-next"), text = (name) => root.querySelector(name).textContent;
    const seen = [];
    for (;;) {
        seen.push([values[0].textContent, values[5].textContent, text(".pla-chip"), text(".pla-words")]);
        if (next.getAttribute("aria-disabled") === "true") return seen;
        next.click();
        await null;
    }
}"""


@pytest.fixture
def play(page: Page, gallery: str):
    """Opens the playground without motion, as it is or with a state in the address."""
    page.emulate_media(reduced_motion="reduce")

    def open_it(state: str | None = None) -> Page:
        page.goto("about:blank")
        page.goto(f"{gallery}/lectures/playground.html" + (f"#widget1={state}" if state is not None else ""))
        page.locator(".pla-main .pla-picture > svg").wait_for()
        page.locator(".pla").scroll_into_view_if_needed()
        return page

    return open_it


def state(X, y, order="cyclic", tie="mistake", seed=0, step=0) -> str:
    points = [f"{x1!r},{x2!r},{label}" for (x1, x2), label in zip(X, y, strict=True)]
    parts = {"points": "_".join(points), "order": order, "tie": tie, "seed": seed, "mine": "", "step": step}
    return quote(";;".join(f"{name}:{value}" for name, value in parts.items()), safe=";,:_")


TWO = state([[1, 1], [-1, -1]], [1, -1])


def exported(page: Page) -> dict:
    """What the lines of "Copy as Python" define."""
    if not page.get_by_role("button", name="Copy as Python").is_visible():
        step(page, "More")
    step(page, "Copy as Python")
    names = {}
    exec(page.locator(".pla-python").inner_text(), names)
    page.keyboard.press("Escape")
    return names


def data(kind: str, rng: np.random.Generator):
    """Random points: full of ties and coinciding points, on a fine grid, and anywhere."""
    n = int(rng.integers(2, 12))
    X = {
        "coarse": rng.integers(-1, 2, size=(n, 2)).astype(float),
        "grid": rng.integers(-20, 21, size=(n, 2)) / 10,
        "free": rng.normal(size=(n, 2)),
    }[kind]
    separable = rng.random() < 0.6
    y = np.where(X @ rng.normal(size=2) + 0.3 * rng.normal() > 0, 1, -1) if separable else rng.choice([-1, 1], size=n)
    return X, y


CASES = [
    (kind, tie, order, seed)
    for seed, (kind, tie, order) in enumerate(list(product(["coarse", "grid", "free"], TIES, ["cyclic", "random"])) * 3)
]


@pytest.mark.parametrize("part", range(3))
def test_every_step_bound_and_verdict_are_those_of_the_library(play, part):
    assert len(CASES) >= 50
    for kind, tie, order, seed in CASES[part::3]:
        X, y = data(kind, np.random.default_rng(seed))
        page = play(state(X.tolist(), y, order, tie, seed=seed))
        names = exported(page)
        run = names["run"]
        assert np.array_equal(run.X, X)
        assert np.array_equal(run.y, y)
        assert run.tie == tie
        if order == "cyclic":
            assert np.array_equal(run.mistakes, perceptron(X, y, tie=tie, max_epochs=100).mistakes)
        else:  # epochs of n visits, each a permutation
            assert (np.sort(run.visits.reshape(-1, len(y))) == np.arange(len(y))).all()
        steps = page.evaluate(EVERY_STEP)
        assert len(steps) == len(run.visits) + 1
        for k, (mistakes, theta, chip, words) in enumerate(steps):
            made = int((run.times < k).sum())
            assert (int(mistakes), theta) == (made, as_text(*run.thetas[made])), (kind, tie, order, seed, k)
            if 0 < k < len(run.visits):
                assert re.match(rf"Visit {k}: point\s{run.visits[k - 1]} ", words)
                assert chip == ("Mistake" if k - 1 in run.times else "Right")
        assert chip == ("Done" if run.converged else "Stopped")
        expect_verdict(page, X, y)


def expect_verdict(page: Page, X, y) -> None:
    """Radius, margin and bound; or the reason why there are none, checked in exact arithmetic."""
    note = page.locator(".pla-note").text_content()
    _, bound, radius, margin, length, _ = page.locator(".pla-numbers strong").all_text_contents()
    assert float(radius) == pytest.approx(np.sqrt(1 + (X**2).sum(axis=1)).max(), rel=0.005)
    if len(set(y)) == 1:
        assert note == "Only one class so far: add a point of the other."
        return
    if isinstance(separability(X, y), Inseparable):
        assert (bound, margin) == ("–", "–")
        assert reason_holds(note, X, y), note
        assert page.locator(".pla-obstacle").get_attribute("d")
        names = page.locator(".pla-obstacle + g .pla-label").all_text_contents()
        assert set(names) == set(re.findall(r"\d+", note))
    else:
        widest = max_margin(X, y)
        assert note.startswith(f"A line can separate these {len(y)} points.")
        assert float(margin) == pytest.approx(widest.margin, rel=0.005)
        value = mistake_bound(X, y, widest.theta).value
        assert float(length) == pytest.approx(np.linalg.norm(widest.theta) * widest.margin, rel=0.005)
        assert float(bound) in {np.floor(value * (1 + error)) for error in (-1e-6, 1e-6)}
        assert note.endswith(f"at most {bound} mistake{'' if bound == '1' else 's'} (the bound).")
        assert page.locator(".pla-obstacle").get_attribute("d") == ""


def reason_holds(note: str, X, y) -> bool:
    """Do the points named in the note prove that no line separates the classes?"""
    points = [[Fraction(c) for c in x] for x in X.tolist()]
    named = [int(i) for i in re.findall(r"\d+", note)]

    def turn(p, q, r):
        (a, b), (c, d), (e, f) = points[p], points[q], points[r]
        return (c - a) * (f - b) - (d - b) * (e - a)

    if "coincide" in note:
        p, q = named
        return points[p] == points[q] and y[p] != y[q]
    if "lies between" in note:
        r, p, q = named
        within = all(min(points[p][k], points[q][k]) <= points[r][k] <= max(points[p][k], points[q][k]) for k in (0, 1))
        return turn(p, q, r) == 0 and within and y[p] == y[q] != y[r]
    if "in the triangle" in note:
        r, *three = named
        turns = [turn(three[k], three[(k + 1) % 3], r) for k in range(3)]
        return (all(t > 0 for t in turns) or all(t < 0 for t in turns)) and {y[i] for i in three} == {-y[r]}
    p, q, r, s = named
    crosses = turn(p, q, r) * turn(p, q, s) < 0 and turn(r, s, p) * turn(r, s, q) < 0
    return "crosses" in note and crosses and y[p] == y[q] != y[r] == y[s]


def points_of(page: Page) -> list[list[float]]:
    """The points as the exported lines give them."""
    run = exported(page)["run"]
    return [[*x, label] for x, label in zip(run.X.tolist(), run.y.tolist(), strict=True)]


def spot(page: Page, x1: float, x2: float) -> tuple[float, float]:
    """Where on the screen a point of the plane is: the picture shows at least 8 by 6 units around (0, 0), at 0.8."""
    box = page.locator(".pla-main .pla-picture > svg").bounding_box()
    unit = 0.8 * min(box["width"] / 8, box["height"] / 6)
    return box["x"] + box["width"] / 2 + unit * x1, box["y"] + box["height"] / 2 - unit * x2


def test_mouse_adds_moves_flips(play):
    page = play(TWO)
    page.mouse.click(*spot(page, 2, -1))
    assert points_of(page)[2] == pytest.approx([2, -1, 1], abs=0.04)
    step(page, "Add class −1")
    page.mouse.click(*spot(page, -2, 2))
    assert points_of(page)[3] == pytest.approx([-2, 2, -1], abs=0.04)
    drag(page, spot(page, 1, 1), spot(page, 0, 2))
    assert points_of(page)[0] == pytest.approx([0, 2, 1], abs=0.04)
    page.wait_for_timeout(450)
    page.mouse.dblclick(*spot(page, 2, -1))
    assert points_of(page)[2] == pytest.approx([2, -1, -1], abs=0.04)
    page.mouse.dblclick(*spot(page, 3, 0))  # an empty place: two clicks, one new point, flipped back and forth at most
    assert len(points_of(page)) == 5
    drag(page, spot(page, -3, -1), spot(page, -3, 1))  # a drag on empty ground adds nothing
    assert len(points_of(page)) == 5
    # A point dragged out of the picture stops at its edge.
    box = page.locator(".pla-main .pla-picture > svg").bounding_box()
    drag(page, spot(page, -1, -1), (box["x"] - 20, spot(page, -1, -1)[1]))
    edge = (box["width"] / 2) / (0.8 * min(box["width"] / 8, box["height"] / 6))
    assert points_of(page)[1] == pytest.approx([-edge, -1, -1], abs=0.04)


def test_keyboard_alone_is_enough(play):
    page = play(TWO)
    page.get_by_role("button", name="Add a point").focus()
    page.keyboard.press("Enter")
    third = page.get_by_role("button", name=re.compile(r"^Point\s2, class\s\+1"))
    expect(third).to_be_focused()
    x1, x2, _ = points_of(page)[2]
    third.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    box = page.locator(".pla-main .pla-picture > svg").bounding_box()
    unit = 0.8 * min(box["width"] / 8, box["height"] / 6)
    assert points_of(page)[2] == pytest.approx([x1 + 10 / unit, x2 + 2 / unit, 1], abs=0.02)
    third.focus()
    page.keyboard.press("f")
    expect(page.get_by_role("button", name=re.compile(r"^Point\s2, class\s−1"))).to_be_focused()
    page.keyboard.press("PageUp")
    expect(page.get_by_role("button", name=re.compile(r"^Point\s1, class"))).to_be_focused()
    page.keyboard.press("Delete")
    expect(page.locator(".pla-point")).to_have_count(2)
    expect(page.get_by_role("button", name=re.compile(r"^Point\s1, class"))).to_be_focused()
    assert [point[2] for point in points_of(page)] == [1, -1]


def test_touch_works(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/playground.html#widget1={TWO}")
    phone.locator(".pla-main .pla-picture > svg").wait_for()
    expect(phone.locator(".pla-words")).to_contain_text("A line can separate these 2 points.")
    phone.touchscreen.tap(*spot(phone, 2, 2))
    expect(phone.locator(".pla-point")).to_have_count(3)
    place = spot(phone, -1, -1)
    for _ in range(2):  # in quick succession
        phone.touchscreen.tap(*place)
    expect(phone.get_by_role("button", name=re.compile(r"^Point\s1, class\s\+1"))).to_be_visible()
    phone.locator(".pla-next").tap()
    expect(phone.locator(".pla-words")).to_contain_text("Visit 1: point 0")


@pytest.mark.parametrize("name", PRESETS)
def test_preset(play, name):
    page = play()
    step(page, "More")
    preset = page.locator(f"[data-preset='{name}']")
    preset.click()
    run = perceptron(*playground_data(name), tie=PRESETS[name]["tie"], max_epochs=100)
    expect(preset).to_have_attribute("aria-pressed", "true")
    page.locator(".pla-scrubber input").press("End")
    expect(page.locator(".pla-numbers strong").first).to_have_text(str(len(run.mistakes)))
    expect_verdict(page, run.X, run.y)
    words = page.locator(".pla-words")
    if not run.converged:
        wrong = int((run.y * (np.c_[np.ones(len(run.y)), run.X] @ run.theta) <= 0).sum())
        expect(words).to_contain_text(f"{wrong} point{'s are' if wrong > 1 else ' is'} still not right.")
    else:
        bound = page.locator(".pla-numbers strong").nth(1).text_content()
        made = f"{len(run.mistakes)} mistakes"
        expect(words).to_have_text(f"{made}; the bound allows at most {bound}. All {len(run.y)} points count as right.")
    expect(page.locator(".pla-why")).to_contain_text(f"Visit {len(run.visits)}: point\xa0{run.visits[-1]} (class")


def playground_data(name: str):
    return playground(*zip(*[(point[:2], point[2]) for point in PRESETS[name]["points"]], strict=True)).data


def test_order_and_tie_are_chosen(play):
    page = play(state([[1, 1], [-1, -1], [2, 1]], [1, -1, 1]))
    step(page, "More")
    page.get_by_role("combobox", name="A score of 0 counts as").select_option("positive")
    assert exported(page)["run"].tie == "positive"
    step(page, "More")
    page.get_by_role("combobox", name="Order").select_option("random")
    drawn = exported(page)["run"].visits.tolist()
    assert sorted(drawn[:3]) == [0, 1, 2]
    orders = set()
    for _ in range(6):
        step(page, "More")
        step(page, "Reshuffle")
        orders.add(tuple(exported(page)["run"].visits.tolist()))
    assert len(orders) > 1
    step(page, "More")
    page.get_by_role("combobox", name="Order").select_option("cyclic")
    assert exported(page)["run"].order.tolist() == [0, 1, 2]


def test_a_dragged_point_is_answered_at_once(play):
    """At the last step the run is run again while dragging; elsewhere the visit stays."""
    X, y = playground_data("separable")
    page = play(state(X.tolist(), y, step=5))
    drag(page, spot(page, *X[0]), spot(page, -0.5, 2.5))
    assert page.locator(".pla-scrubber input").input_value() == "5"
    page.locator(".pla-scrubber input").press("End")
    start = spot(page, -0.5, 2.5)
    page.mouse.move(*start)
    page.mouse.down()
    for x1, x2 in ((-1, 2), (-2, 0.5), (-1.5, -1.2)):
        page.mouse.move(*spot(page, x1, x2), steps=2)
        words = page.locator(".pla-words").inner_text()
        points = page.evaluate("document.querySelector('.pla-point').getAttribute('aria-label')")
        at = [float(part.replace("−", "-")) for part in re.search(r"\(([^)]*)\)", points)[1].split(", ")]
        assert at == pytest.approx([x1, x2], abs=0.03)
        assert "Visit" not in words  # still at the end
    page.mouse.up()
    names = exported(page)
    fresh = perceptron(names["X"], names["y"], max_epochs=100)
    expect(page.locator(".pla-numbers strong").first).to_have_text(str(len(fresh.mistakes)))
    expect(page.locator(".pla-numbers strong").nth(5)).to_have_text(as_text(*fresh.theta))
    assert int(page.locator(".pla-scrubber input").input_value()) == len(fresh.visits)


def test_undo_and_redo_bring_back_the_exact_state(play):
    page = play(TWO)
    before = points_of(page)
    drag(page, spot(page, 1, 1), spot(page, 0, 2))  # one gesture, one step to take back
    page.mouse.click(*spot(page, 2, -1))
    after = points_of(page)
    page.locator(".pla-next").focus()
    for _ in range(2):
        page.keyboard.press("ControlOrMeta+z")
    assert points_of(page) == before
    page.locator(".pla-next").focus()
    for _ in range(2):
        page.keyboard.press("ControlOrMeta+Shift+z")
    assert points_of(page) == after
    step(page, "More")
    step(page, "Clear")
    expect(page.locator(".pla-point")).to_have_count(0)
    page.locator(".pla-toast").get_by_role("button", name="Undo").click()
    assert points_of(page) == after


def test_undo_and_redo_are_offered_when_there_is_something(play):
    page = play(TWO)
    sheet = page.get_by_role("dialog")
    undo, redo = (sheet.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))

    def expect_offered(can_undo: bool, can_redo: bool) -> None:
        for one, can in ((undo, can_undo), (redo, can_redo)):
            expect(one).to_have_attribute("aria-disabled", "false" if can else "true")

    step(page, "More")
    expect_offered(False, False)
    step(page, "Clear")
    expect_offered(True, False)
    undo.click()
    expect_offered(False, True)
    undo.click(force=True)  # nothing is left to take back
    expect_offered(False, True)
    redo.click()
    expect_offered(True, False)


def test_fifty_steps_are_kept(play):
    page = play(TWO)
    page.get_by_role("button", name=re.compile(r"^Point\s0")).focus()
    for _ in range(55):
        page.keyboard.press("f")
    page.locator(".pla-next").focus()
    for _ in range(60):
        page.keyboard.press("ControlOrMeta+z")
    assert points_of(page)[0][2] == -1  # 55 - 50 flips are left


def test_the_readers_own_line_and_the_race(play):
    X, y = playground_data("separable")
    run = perceptron(X, y, max_epochs=100)
    page = play(state(X.tolist(), y, step=len(run.visits)))
    grip = page.locator(".pla-line-grip")
    grip.focus()
    page.keyboard.press("ArrowUp")
    mine = mine_of(page)
    assert np.linalg.norm(mine[1:]) == pytest.approx(1)
    assert mine[1:] == pytest.approx(run.theta[1:] / np.linalg.norm(run.theta[1:]))  # shifted, not turned
    wrong = int((y * (np.c_[np.ones(len(y)), X] @ mine) <= 0).sum())
    expect(page.locator(".pla-words")).to_have_text(f"Your line gets {wrong} of {len(y)} points wrong.")
    for _ in range(8):
        page.keyboard.press("PageUp")  # turns it by 5 degrees
    turned = mine_of(page)
    angle = np.degrees(np.arctan2(*turned[[2, 1]]) - np.arctan2(*mine[[2, 1]]))
    assert angle % 360 == pytest.approx(40)
    wrong = int((y * (np.c_[np.ones(len(y)), X] @ turned) <= 0).sum())
    expect(page.locator(".pla-words")).to_have_text(f"Your line gets {wrong} of {len(y)} points wrong.")
    step(page, "Race the perceptron")
    winner = "The perceptron wins." if wrong else "A draw."
    expect(page.locator(".pla-words")).to_have_text(
        f"Your line: {wrong} wrong. The perceptron, after {len(run.mistakes)} mistakes: 0 wrong. {winner}"
    )
    page.locator(".pla-next").focus()
    page.keyboard.press("ControlOrMeta+z")
    assert mine_of(page) != pytest.approx(turned)


def mine_of(page: Page) -> np.ndarray:
    """The reader's own line, from the link that shares it."""
    page.wait_for_timeout(150)
    return np.array([float(part) for part in re.search(r"mine:([^;]*)", page.url)[1].split(",")])


def test_pasted_points_are_read_or_refused_with_a_reason(play):
    page = play(TWO)
    box, problem = page.get_by_role("textbox"), page.locator(".pla-problem")
    for text, words in {
        "": "The text has no points.",
        "1, 2, 1\n3, x, -1": "Line 2 is “3, x, -1”. It needs three numbers",
        "1, 2": "It needs three numbers",
        "1 2 0": "The label must be −1 or +1: write −1 where you have 0.",
        "1;2;3": "The label must be −1 or +1.",
        "1e9, 0, 1": "Each coordinate must lie between −1000000 and 1000000.",
    }.items():
        if not box.is_visible():
            step(page, "More")
        box.fill(text)
        step(page, "Use these points")
        expect(problem).to_contain_text(words)
        expect(page.locator(".pla-point")).to_have_count(2)
    box.fill("x1,x2,label\n10, 20, 1\n-30; 4.5; -1\n0\t0\t1\n")
    step(page, "Use these points")
    assert points_of(page) == [[10, 20, 1], [-30, 4.5, -1], [0, 0, 1]]
    svg = page.locator(".pla-main .pla-picture > svg").bounding_box()
    for point in page.locator(".pla-point .pla-mark").all():  # all of them are in view
        at = point.bounding_box()
        assert svg["x"] < at["x"] < svg["x"] + svg["width"]


def test_address_keeps_the_state(play):
    page = play()
    assert "#" not in page.url
    step(page)
    page.wait_for_timeout(250)
    assert "#" not in page.url  # a step is no edit
    step(page, "More")
    page.locator("[data-preset=XOR]").click()
    page.get_by_role("combobox", name="Order").select_option("random")
    page.keyboard.press("Escape")
    for _ in range(5):
        step(page)
    step(page, "More")
    step(page, "Copy link")
    expect(
        page.get_by_role("status").filter(has_text=re.compile("Link copied|browser blocked the copy"))
    ).to_be_visible()
    page.wait_for_url(re.compile("#widget1=points:"))
    words, run = page.locator(".pla-words").inner_text(), exported(page)["run"]
    address = page.url
    page.goto("about:blank", wait_until="load")
    page.go_back()
    page.locator(".pla-main .pla-picture > svg").wait_for()
    assert page.locator(".pla-words").inner_text() == words
    assert exported(page)["run"].visits.tolist() == run.visits.tolist()
    # A link that is pasted into an open page works too.
    page.evaluate(f"location.hash = 'widget1={TWO}'")
    expect(page.locator(".pla-point")).to_have_count(2)
    page.evaluate(f"location.href = '{address}'")
    expect(page.locator(".pla-point")).to_have_count(4)
    expect(page.locator(".pla-words")).to_have_text(words)


def test_a_reload_after_an_edit_loses_no_step(play):
    page = play(TWO)
    step(page, "Add a point")
    page.wait_for_url(re.compile("step:0$"))
    for _ in range(2):
        step(page)
    page.wait_for_url(re.compile("step:2$"))


def test_an_address_that_names_a_section_stays(page, gallery):
    page.goto(f"{gallery}/lectures/playground.html#the-playground")
    page.locator(".pla-main .pla-picture > svg").wait_for()
    step(page, "Add a point")
    page.wait_for_timeout(250)
    assert page.url.endswith("#the-playground")


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "nonsense",
        "points:1,1",
        "points:1,,1",
        "points:1,1,2",
        "points:1,1,1_x,2,-1",
        "tie:maybe",
        "step:-1",
        "points:1e300,1,1",
        "mine:1,2",
        "mine:5,0,0",  # no line
        "mine:0,1e200,1",  # too long to be squared
    ],
)
def test_damaged_address_gives_the_default_and_a_message(play, damaged):
    page = play(quote(damaged, safe=";,:"))
    expect(page.locator(".pla-words")).to_contain_text("This widget cannot read the link")
    assert points_of(page) == PRESETS["separable"]["points"]


def test_remove_takes_the_point_last_touched(play):
    page = play(state([[1, 1], [-1, -1], [2, -1]], [1, -1, 1]))
    page.mouse.click(*spot(page, -1, -1))
    step(page, "Remove the last point you touched")
    assert points_of(page) == [[1, 1, 1], [2, -1, 1]]


def test_clear_and_an_empty_plane(play):
    page = play()
    step(page, "More")
    step(page, "Clear")
    expect(page.locator(".pla-words")).to_have_text("Click in the picture to add a point.")
    page.keyboard.press("Escape")
    page.mouse.click(*spot(page, 1, 1))
    expect(page.locator(".pla-words")).to_have_text("Only one class so far: add a point of the other.")


def test_two_thousand_points_are_drawn_on_a_canvas_and_dragged(play):
    rng = np.random.default_rng(0)
    X = rng.uniform(-2.8, 2.8, size=(2000, 2)).round(2)
    X[0] = [3.5, -2.6]
    y = np.where(X @ [1, 2] > 0.4, 1, -1)
    page = play(state(X.tolist(), y))
    run = perceptron(X, y, max_epochs=100)
    expect(page.locator(".pla-many-points")).to_be_visible()
    page.locator(".pla-scrubber input").press("End")
    expect(page.locator(".pla-numbers strong").first).to_have_text(str(len(run.mistakes)))
    page.mouse.move(*spot(page, *X[0]))
    expect(page.locator(".pla-tip")).to_contain_text(f"Point 0, class {'+1' if y[0] > 0 else '−1'}")
    drag(page, spot(page, *X[0]), spot(page, 3.5, 2.5))
    X[0] = points_of(page)[0][:2]
    assert X[0] == pytest.approx([3.5, 2.5], abs=0.04)
    again = perceptron(X, y, max_epochs=100)  # run again when the point was let go
    expect(page.locator(".pla-numbers strong").first).to_have_text(str(len(again.mistakes)))


def test_ticks_follow_the_run(page):
    """Also where the new run has as many visits and as many mistakes as the one before."""
    X, y = [[-2, -2], [-2, 2], [1, 2]], [1, -1, 1]
    first, second = perceptron(X, y), perceptron([X[1], X[0], X[2]], [-1, 1, 1])
    assert len(first.visits) == len(second.visits)
    assert len(first.mistakes) == len(second.mistakes)
    assert first.times.tolist() != second.times.tolist()
    mount(page, playground(X, y))
    places = "all => all.map((one) => parseFloat(one.style.left))"
    for run in (first, second):
        points = [[*x, label] for x, label in zip(run.X.tolist(), run.y.tolist(), strict=True)]
        page.evaluate("async (points) => { model.set('points', points); await null; }", points)
        drawn = page.locator(".pla-ticks i").evaluate_all(places)
        assert drawn == pytest.approx(100 * (run.times + 1) / len(run.visits), abs=0.01)


XOR = [[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1]


def test_every_point_that_is_named_lights_up(play):
    page = play(state(*XOR))
    words = page.locator(".pla-words")
    named = re.findall(r"\d+", words.inner_text())
    assert len(named) == 4
    mentions = words.locator(".pla-mention")
    expect(mentions).to_have_count(4)
    for i, mention in zip(named, mentions.all(), strict=True):
        mention.hover()
        expect(page.locator(".pla-point.pla-lit")).to_have_attribute("data-point", i)


def test_where_there_is_no_line_it_says_why(play):
    run = perceptron(*XOR, max_epochs=100)
    page = play(state(*XOR))
    picture, words = page.locator(".pla-no-line"), page.locator(".pla-words")
    expect(picture).to_have_text("The perceptron has no line yet.")
    seen = set()
    for k in range(12):
        step(page)
        theta, mistake = run.thetas[(run.times <= k).sum()], k in run.times
        why = "All weights are zero again" if not theta.any() else "Only b is not zero" if not theta[1:].any() else ""
        expect(picture).to_have_text(f"{why}, so there is no line." if why else "")
        if mistake:
            expect(words).to_contain_text(f"{why}, so there is no line." if why else "The line moves.")
        assert not (why and "The line moves" in words.inner_text())
        seen.add(why)
    assert len(seen) > 1
    page.locator(".pla-scrubber input").press("End")  # stopped: the last visit is told too
    expect(page.locator(".pla-why")).to_contain_text("Visit 400: point\xa03")


def test_lines_are_named(play):
    X, y = playground_data("separable")
    run = perceptron(X, y, max_epochs=100)
    page = play(state(X.tolist(), y, step=int(run.times[3]) + 1))
    for name in ("before", "widest margin"):
        expect(page.get_by_text(name, exact=True)).to_be_visible()
    expect(page.get_by_text("yours", exact=True)).to_be_hidden()
    page.locator(".pla-line-grip").focus()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("yours", exact=True)).to_be_visible()
    expect(page.get_by_text("before", exact=True)).to_be_hidden()
    expect(page.locator(".pla-current-line")).to_be_hidden()  # the reader's own line is drawn in its place


def test_sentence_says_whether_a_line_separates():
    assert "11 mistakes the perceptron's line separates them" in playground().sentence()
    assert playground([[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1]).sentence().endswith("no line can separate.")
    assert playground([[0, 0]], [1]).sentence() == "A playground with 1 point. After 1 mistake there is no line."


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (([[1, 2, 3]], [1]), "two features; these have 3"),
        (([[1, 2]],), "both X and y"),
        (([[1, 2]], [0]), "labels must be"),
    ],
)
def test_bad_input_is_refused_in_words(given, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        playground(*given)
