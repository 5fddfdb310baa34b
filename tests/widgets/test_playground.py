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
from tests.widgets.drawn import as_text
from tests.widgets.gestures import drag

# Every step of the run: what the numbers say of mistakes and weights, and the words.
EVERY_STEP = """() => {
    const root = document.querySelector(".pla"), values = [...root.querySelectorAll(".pla-numbers strong")];
    const next = [...root.querySelectorAll("button")].find((button) => button.textContent.startsWith("Next \\u2192"));
    const seen = [];
    for (;;) {
        seen.push([values[0].textContent, values[5].textContent, root.querySelector(".pla-words").textContent]);
        if (next.getAttribute("aria-disabled") === "true") return seen;
        next.click();
    }
}"""


@pytest.fixture
def play(page: Page, gallery: str):
    """Opens the playground, as it is or with a state in the address."""

    def open_it(state: str | None = None) -> Page:
        page.goto("about:blank")
        page.goto(f"{gallery}/lectures/playground.html" + (f"#play={state}" if state is not None else ""))
        page.locator(".pla").wait_for()
        return page

    return open_it


def state(X, y, order="cyclic", tie="mistake", seed=0, step=0) -> str:
    points = [f"{x1!r},{x2!r},{label}" for (x1, x2), label in zip(X.tolist(), y, strict=True)]
    return quote(";".join([order, tie, str(seed), str(step), *points]), safe=";,")


def exported(page: Page) -> dict:
    """What the lines of "Copy as Python" define."""
    page.get_by_role("button", name="Copy as Python").click()
    names = {}
    exec(page.locator(".pla-python").inner_text(), names)
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
        page = play(state(X, y, order, tie, seed=seed))
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
        for step, (mistakes, theta, words) in enumerate(steps):
            made = int((run.times < step).sum())
            assert (int(mistakes), theta) == (made, as_text(*run.thetas[made])), (kind, tie, order, seed, step)
            if step:
                i = run.visits[step - 1]
                wrong = step - 1 in run.times
                assert re.match(rf"Visit {step}(, update {made})?: point\s{i} ", words)
                assert ("θ becomes" in words) == wrong
        expect_verdict(page, X, y)


def expect_verdict(page: Page, X, y) -> None:
    """Radius, margin and bound; or the reason why there are none, checked in exact arithmetic."""
    note = page.locator(".pla-note").inner_text()
    _, bound, radius, margin, length, _ = page.locator(".pla-numbers strong").all_inner_texts()
    assert float(radius) == pytest.approx(np.sqrt(1 + (X**2).sum(axis=1)).max(), rel=0.005)
    if len(set(y)) == 1:
        assert note.startswith("Two classes are needed")
        return
    if isinstance(separability(X, y), Inseparable):
        assert (bound, margin) == ("–", "–")
        assert reason_holds(note, X, y), note
        assert page.locator(".pla-obstacle").get_attribute("d")
        assert set(page.locator(".pla-canvas .pla-label").all_text_contents()) == set(re.findall(r"\d+", note))
    else:
        widest = max_margin(X, y)
        assert note.startswith("These points can be separated.")
        assert float(margin) == pytest.approx(widest.margin, rel=0.005)
        value = mistake_bound(X, y, widest.theta).value
        assert float(length) == pytest.approx(np.linalg.norm(widest.theta) * widest.margin, rel=0.005)
        assert float(bound) in {np.floor(value * (1 + error)) for error in (-1e-6, 1e-6)}
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
    if "lies on the segment" in note:
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
    """Where on the screen a point of the plane is: the picture shows 10 by 7.5 units around (0, 0)."""
    page.locator(".pla-canvas").scroll_into_view_if_needed()
    box = page.locator(".pla-canvas").bounding_box()
    unit = box["width"] / 10
    return box["x"] + box["width"] / 2 + unit * x1, box["y"] + box["height"] / 2 - unit * x2


def test_mouse_adds_moves_flips(play):
    page = play("cyclic;mistake;0;0;1,1,1;-1,-1,-1")
    page.mouse.click(*spot(page, 2, -2))
    assert points_of(page)[2] == pytest.approx([2, -2, 1], abs=0.04)
    page.get_by_role("button", name="■ −1").click()
    page.mouse.click(*spot(page, -2, 2))
    assert points_of(page)[3] == pytest.approx([-2, 2, -1], abs=0.04)
    drag(page, spot(page, 1, 1), spot(page, 0, 2))
    assert points_of(page)[0] == pytest.approx([0, 2, 1], abs=0.04)
    page.wait_for_timeout(450)
    page.mouse.dblclick(*spot(page, 2, -2))
    assert points_of(page)[2] == pytest.approx([2, -2, -1], abs=0.04)
    page.mouse.dblclick(*spot(page, 3, 0))  # an empty place: two clicks, one new point, flipped back and forth at most
    assert len(points_of(page)) == 5
    # A point dragged out of the picture stops at its edge.
    drag(page, spot(page, -1, -1), spot(page, -7, -1))
    assert points_of(page)[1] == pytest.approx([-5, -1, -1], abs=0.04)


def test_keyboard_alone_is_enough(play):
    page = play("cyclic;mistake;0;0;1,1,1;-1,-1,-1")
    page.get_by_role("button", name="Add a point").focus()
    page.keyboard.press("Enter")
    third = page.get_by_role("button", name=re.compile(r"^Point 2, class \+1"))
    expect(third).to_be_focused()
    x1, x2, _ = points_of(page)[2]
    third.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    assert points_of(page)[2] == pytest.approx([x1 + 0.25, x2 + 0.05, 1], abs=0.02)
    third.focus()
    page.keyboard.press("f")
    flipped = page.get_by_role("button", name=re.compile("^Point 2, class −1"))
    expect(flipped).to_be_focused()
    page.keyboard.press("PageUp")
    expect(page.get_by_role("button", name=re.compile("^Point 1, class"))).to_be_focused()
    page.keyboard.press("Delete")
    expect(page.locator(".pla-canvas .pla-handle")).to_have_count(2)
    expect(page.get_by_role("button", name=re.compile("^Point 1, class"))).to_be_focused()
    assert [point[2] for point in points_of(page)] == [1, -1]


def test_touch_works(phone, gallery):
    phone.goto(f"{gallery}/lectures/playground.html#play=cyclic;mistake;0;0;1,1,1;-1,-1,-1")
    phone.locator(".pla").wait_for()
    phone.touchscreen.tap(*spot(phone, 2, 2))
    expect(phone.locator(".pla-canvas .pla-handle")).to_have_count(3)
    place = spot(phone, -1, -1)
    for _ in range(2):  # in quick succession
        phone.touchscreen.tap(*place)
    expect(phone.get_by_role("button", name=re.compile(r"^Point 1, class \+1"))).to_be_visible()
    phone.get_by_role("button", name="Next →").tap()
    expect(phone.locator(".pla-words")).to_contain_text("Visit 1, update 1: point 0")


@pytest.mark.parametrize("name", PRESETS)
def test_preset(play, name):
    page = play()
    page.get_by_role("combobox", name="Points").select_option(name)
    run = perceptron(*playground_data(name), tie=PRESETS[name]["tie"], max_epochs=100)
    page.get_by_role("button", name="Last").click()
    expect(page.locator(".pla-numbers strong").first).to_have_text(str(len(run.mistakes)))
    expect(page.get_by_role("combobox", name="Points")).to_have_value(name)
    expect_verdict(page, run.X, run.y)
    words = page.locator(".pla-words")
    expect(words).to_contain_text("count as right" if run.converged else "some points are still wrong")
    if name == "never moves":
        expect(words).to_contain_text("No line yet.")


def playground_data(name: str):
    return playground(*zip(*[(point[:2], point[2]) for point in PRESETS[name]["points"]], strict=True)).data


def test_order_and_tie_are_chosen(play):
    page = play("cyclic;mistake;0;0;1,1,1;-1,-1,-1;2,1,1")
    page.get_by_role("combobox", name="A score of 0 is").select_option("positive")
    assert exported(page)["run"].tie == "positive"
    page.get_by_role("combobox", name="Order").select_option("random")
    assert exported(page)["run"].epochs == 1
    page.get_by_role("combobox", name="Order").select_option("cyclic")
    assert exported(page)["run"].order.tolist() == [0, 1, 2]


def test_address_keeps_the_state(play):
    page = play()
    assert "#" not in page.url
    page.get_by_role("combobox", name="Points").select_option("XOR")
    page.get_by_role("combobox", name="Order").select_option("random")
    for _ in range(5):
        page.get_by_role("button", name="Next →").click()
    page.wait_for_url(re.compile("#play=random;mistake;"))
    page.wait_for_timeout(200)
    words, run = page.locator(".pla-words").inner_text(), exported(page)["run"]
    page.goto("about:blank", wait_until="load")
    page.go_back()
    page.locator(".pla").wait_for()
    assert page.locator(".pla-words").inner_text() == words
    assert exported(page)["run"].visits.tolist() == run.visits.tolist()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("status").filter(has_text=re.compile("Link copied|not let a page copy"))).to_be_visible()


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "nonsense",
        "cyclic;mistake;0;0;1,1",
        "cyclic;mistake;0;0;1,,1",
        "cyclic;mistake;0;0;1,1,2",
        "cyclic;mistake;0;0;1,1,1;x,2,-1",
        "cyclic;maybe;0;0;1,1,1",
        "cyclic;mistake;0;-1;1,1,1",
        "cyclic;mistake;0;0;1e300,1,1",
    ],
)
def test_damaged_address_gives_the_default_and_a_message(play, damaged):
    page = play(quote(damaged, safe=";,"))
    expect(page.locator(".pla-words")).to_contain_text("holds no playground that can be read")
    assert points_of(page) == PRESETS["separable"]["points"]


def test_remove_takes_the_point_last_touched(play):
    page = play("cyclic;mistake;0;0;1,1,1;-1,-1,-1;2,-1,1")
    page.mouse.click(*spot(page, -1, -1))
    page.get_by_role("button", name="Remove it").click()
    assert points_of(page) == [[1, 1, 1], [2, -1, 1]]


def test_clear_and_an_empty_plane(play):
    page = play()
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".pla-note")).to_have_text("Click into the picture to add a point.")
    expect(page.locator(".pla-words")).to_have_text("No points yet.")
    page.mouse.click(*spot(page, 1, 1))
    expect(page.locator(".pla-note")).to_contain_text("Two classes are needed")


def test_two_thousand_points_are_still_usable(play):
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(2000, 2)).round(2)
    y = np.where(X @ [1, 2] > 0.4, 1, -1)
    page = play(state(X, y))
    run = perceptron(X, y, max_epochs=100)
    page.get_by_role("button", name="Last").click()
    expect(page.locator(".pla-numbers strong").first).to_have_text(str(len(run.mistakes)))
    page.get_by_role("button", name="Add a point").click()
    expect(page.locator(".pla-canvas .pla-handle")).to_have_count(2001)


def test_sentence_says_whether_a_line_separates():
    assert "11 mistakes the perceptron's line separates them" in playground().sentence()
    assert playground([[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1]).sentence().endswith("no line can separate.")


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
