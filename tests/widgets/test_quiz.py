"""The quiz on its page, with no kernel: every option, the count, the way through the questions; and what is refused."""

import re
from itertools import permutations
from types import SimpleNamespace

import jupytext
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from traitlets import TraitError

from pla_lib.widgets._quiz import quiz
from pla_lib.widgets.formula import formatted, plain
from tests.widgets import GALLERY
from tests.widgets.drawn import put, show, stand_in, value


def questions_of(path) -> list:
    """What the page's cell gives to `quiz`, as it is written there."""
    (cell,) = [cell for cell in jupytext.read(path).cells if cell.cell_type == "code"]
    given = []
    source = cell.source.replace("from pla_lib import quiz", "")
    exec(source, {"quiz": lambda questions: given.append(questions)})
    return list(given[0].items())


QUESTIONS = questions_of(GALLERY / "quiz.md")
RIGHT = [[why.startswith("Right") for why in options.values()].index(True) for _, options in QUESTIONS]
YES_NO = {"Yes": "Right: so it is.", "No": "Wrong: it is."}


def words(text: str) -> str:
    """A text as it is read on the page: formulas without their scripts' places, spaces aside."""
    flat = re.sub(r"[_^{}$]|\\,", "", text.replace("||", "‖"))
    for name, sign in {"theta": "θ", "top": "⊤", "le": "≤", "eta": "η", "rho": "ρ", "gamma": "γ"}.items():
        flat = flat.replace(f"\\{name}", sign)
    return re.sub(r"\s", "", flat.replace("-", "−"))


@pytest.fixture
def asked(widget) -> Page:
    return widget


def shown(page: Page):
    return page.locator("fieldset:visible")


def option(page: Page, k: int):
    return shown(page).get_by_role("button").nth(k)


def next_question(page: Page):
    return page.get_by_role("button", name="Next")


def expect_explained(page: Page, number: int, k: int) -> None:
    """The option and its explanation, word for word; the sign and the word say the same."""
    text, why = list(QUESTIONS[number][1].items())[k]
    right = why.startswith("Right")
    heard = shown(page).locator("[aria-live=polite]")
    expect(heard).to_contain_text(re.compile(f"^{'Right' if right else 'Wrong'}: "))
    expect(heard.locator(".pla-chip")).to_have_text("Right" if right else "Wrong")
    assert words(heard.inner_text()).lower() == words(why).lower()  # on the page it is a sentence of its own
    expect(shown(page).locator(".pla-hint")).to_be_hidden()
    expect(option(page, k)).to_have_attribute("aria-pressed", "true")
    expect(shown(page).locator("[aria-pressed=true]")).to_have_count(1)
    expect(option(page, k).locator(".pla-badge")).to_have_attribute("aria-label", "right:" if right else "wrong:")
    # The mark is the chip's.
    marks = [place.locator(".pla-icon path").get_attribute("d") for place in (option(page, k), heard)]
    assert marks[0] == marks[1]
    assert words(option(page, k).inner_text()) == words(text)


def test_every_option_explains_itself_and_can_be_left_for_another(asked):
    for number, (ask, options) in enumerate(QUESTIONS):
        expect(shown(asked)).to_have_count(1)
        assert words(shown(asked).locator("legend").inner_text()) == words(f"Question {number + 1} of 5 {ask}")
        expect(shown(asked).locator("[aria-live=polite]")).to_have_text("")
        expect(shown(asked).locator(".pla-hint")).to_have_text("Choose an answer to see why it is right or wrong.")
        expect(shown(asked).get_by_role("button")).to_have_count(len(options))
        for k in range(len(options)):
            option(asked, k).click()
            expect_explained(asked, number, k)
        next_question(asked).click(force=True)


def test_the_count_is_of_first_tries(asked):
    tally, right = asked.get_by_role("status"), 0
    expect(tally).to_have_text("No answer yet.")
    for number, answer in enumerate(RIGHT):
        wrong = (answer + 1) % 3
        first = answer if number in (0, 3, 4) else wrong
        right += first == answer
        option(asked, first).click()
        so_far = f"So far, {right} of {number + 1} right on the first try."
        expect(tally).to_have_text(so_far if number < 4 else "3 of 5 right on the first try.")
        option(asked, wrong if first == answer else answer).click()  # a second thought changes nothing in the count
        expect(tally).to_have_text(so_far if number < 4 else "3 of 5 right on the first try.")
        how = "right on the first try" if first == answer else "wrong on the first try, right on try 2"
        tab = asked.get_by_role("button", name=f"Question {number + 1}, {how}", exact=True)
        expect(tab.locator(".pla-icon")).to_have_count(1 if first == answer else 2)
        next_question(asked).click(force=True)
    expect(next_question(asked)).to_have_attribute("aria-disabled", "true")

    asked.get_by_role("button", name="Start again").click()
    expect(tally).to_have_text("No answer yet.")
    expect(shown(asked).locator("legend")).to_contain_text("Question 1 of 5")
    expect(asked.get_by_role("button", name=re.compile("not answered yet"))).to_have_count(5)
    expect(asked.locator("[aria-pressed=true]")).to_have_count(0)
    for answer in RIGHT:
        option(asked, answer).click()
        next_question(asked).click(force=True)
    expect(tally).to_have_text("All 5 right on the first try!")


def test_a_number_leads_to_its_question_and_what_was_chosen_stays(asked):
    option(asked, 2).click()
    for number in (4, 2, 5, 3):
        asked.get_by_role("button", name=f"Question {number},").click()
        expect(shown(asked).locator("legend")).to_contain_text(f"Question {number} of 5")
        expect(asked.locator("[aria-current=true]")).to_have_accessible_name(f"Question {number}, not answered yet")
    asked.get_by_role("button", name="Question 1,").click()
    expect_explained(asked, 0, 2)


def test_keyboard_alone_is_enough(asked):
    asked.get_by_role("button", name="Question 5,").focus()
    for _ in range(3):  # any option can be the first that is chosen
        asked.keyboard.press("Tab")
    asked.keyboard.press("Enter")
    expect_explained(asked, 0, 2)
    expect(asked.get_by_role("status")).to_have_text("So far, 0 of 1 right on the first try.")
    asked.keyboard.press("Shift+Tab")
    asked.keyboard.press("Space")
    expect_explained(asked, 0, 1)
    for _ in range(3):
        asked.keyboard.press("Tab")
    expect(next_question(asked)).to_be_focused()
    asked.keyboard.press("Enter")
    expect(shown(asked)).to_be_focused()  # so that the question is read out, and its options come next
    asked.keyboard.press("Tab")
    expect(option(asked, 0)).to_be_focused()
    asked.keyboard.press("Enter")
    expect_explained(asked, 1, 0)


def test_touch_works(phone, gallery):
    phone.goto(f"{gallery}/lectures/quiz.html")
    option(phone, 1).tap()
    expect_explained(phone, 0, 1)
    for button in phone.locator(".pla button:visible").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


# Chooses every option of every question, and lists where the text below then is.
THROUGH_ALL = """() => {
    const below = [...document.querySelectorAll("p")].find((p) => p.textContent.startsWith("The text after it"));
    const numbers = [...document.querySelectorAll(".pla-question-numbers button")];
    return numbers.flatMap((number) => {
        number.click();
        return [...document.querySelectorAll(".pla-shown .pla-option")].map((option) => {
            option.click();
            const heard = document.querySelector(".pla-shown .pla-words").getBoundingClientRect();
            const next = document.querySelector(".pla-quiz > :last-child").getBoundingClientRect();
            return [below.getBoundingClientRect().top + scrollY, next.top - heard.bottom];
        });
    });
}"""


def test_nothing_moves_when_the_widget_starts_or_explains(page, browser, gallery):
    still = browser.new_page()
    still.route("**/widget-host.js*", lambda route: route.abort())
    for at in (page, still):
        at.goto(f"{gallery}/lectures/quiz.html")
    page.locator(".pla").wait_for()
    for width in (1280, 700, 600, 390, 340):
        for at in (page, still):
            at.set_viewport_size({"width": width, "height": 900})
        before = still.get_by_text("The text after it.").evaluate("p => p.getBoundingClientRect().top + scrollY")
        tops, room = zip(*page.evaluate(THROUGH_ALL), strict=True)
        assert len(tops) == sum(len(options) for _, options in QUESTIONS)
        assert len(set(tops)) == 1, f"at {width} px"
        assert tops[0] == pytest.approx(before, abs=6), f"at {width} px"
        assert min(room) >= 0, f"at {width} px an explanation runs into the buttons"
        # Of the room below the longest explanation, 1.5 rem are padding and gap.
        assert min(room) < (5 + 1.5) * 17, f"at {width} px {min(room)} px are kept in vain"
    still.close()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_readers_of_all_kinds_are_served(browser, gallery, colours):
    context = browser.new_context(color_scheme=colours, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{gallery}/lectures/quiz.html")
    option(page, 0).click()
    option(page, 1).click()
    expect(shown(page)).to_have_accessible_name(re.compile("^Question 1 of 5 ?When does the perceptron"))
    expect(option(page, 0)).to_have_accessible_name(re.compile("^wrong: ?At every visit"))
    violations = Axe().run(page, context=".pla").response["violations"]
    assert [(found["id"], found["nodes"][0]["target"]) for found in violations] == []
    context.close()


def test_without_scripts_the_questions_are_there(browser, gallery):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{gallery}/lectures/quiz.html")
    sentence = quiz(dict(QUESTIONS)).sentence()
    assert sentence.startswith(
        "Self-test: 5 questions. To answer, turn on JavaScript or open the notebook. 1. When does"
    )
    assert all(f" {k}. {plain(formatted(ask))}" in sentence for k, (ask, _) in enumerate(QUESTIONS, 1))
    expect(page.locator(".pla-widget img")).to_have_attribute("alt", sentence)
    assert page.locator(".pla-widget").get_by_text(sentence).is_visible()
    assert page.locator(".pla-widget img").bounding_box()["height"] > 200
    context.close()


def test_picture_is_small_and_shows_every_option():
    widget = quiz(dict(QUESTIONS))
    stand_in(widget)
    drawn = [text.get_text() for text in widget.picture().texts]
    for letter, option in zip("ABCD", QUESTIONS[4][1], strict=True):
        assert f"   {letter}  {plain(formatted(option))}" in drawn
    long = [text.get_text() for text in quiz({"Why? " * 40: YES_NO}).picture().texts]
    assert max(map(len, long)) <= 68
    assert "".join(long).count("Why?") == 40


def test_what_is_set_in_python_is_what_was_chosen():
    widget = quiz(dict(QUESTIONS))
    assert (widget.answers, widget.score) == ([None] * 5, 0)
    widget.tries = [[RIGHT[0]], [0, RIGHT[1]], [], [RIGHT[3], 2], []]
    assert (widget.answers, widget.score) == ([RIGHT[0], RIGHT[1], None, 2, None], 2)
    for tries in ([[0]], [[4], [], [], [], []]):
        with pytest.raises(TraitError, match=r"of its options, here \[4, 3, 3, 3, 4\]; it was given"):
            widget.tries = tries


def test_what_is_set_in_python_is_drawn(asked):
    widget = quiz(dict(QUESTIONS))
    widget.tries, widget.current = [[0, 1], [], [], [], [2]], 4
    show(asked, widget)
    expect_explained(asked, 4, 2)
    expect(asked.get_by_role("status")).to_have_text("So far, 0 of 2 right on the first try.")
    put(asked, tries=[[1], [], [], [], [2]], current=0)
    expect_explained(asked, 0, 1)
    expect(asked.get_by_role("status")).to_have_text("So far, 1 of 2 right on the first try.")
    option(asked, 3).click()
    option(asked, 3).click()  # the same again is no further try
    assert value(asked, "tries") == [[1, 3], [], [], [], [2]]


def test_link_restores_the_tries_and_nonsense_changes_nothing(page, gallery):
    page.goto(f"{gallery}/lectures/quiz.html#widget1=tries:0-1_2___;;current:1")
    expect_explained(page, 1, 2)
    expect(page.get_by_role("status")).to_have_text("So far, 1 of 2 right on the first try.")
    page.get_by_role("button", name="Question 1,").click()
    expect_explained(page, 0, 1)
    expect(option(page, 0).locator(".pla-badge")).to_have_attribute("aria-label", "wrong:")
    for nonsense in (
        "tries:0_0_0_0",
        "tries:4____",
        "tries:a____",
        "tries:0____;;current:x",
    ):  # in a link to an open page
        page.evaluate("text => { location.hash = `widget1=${text}`; }", nonsense)
        page.wait_for_timeout(50)
        expect(page.get_by_role("status")).to_have_text("So far, 1 of 2 right on the first try.")
    page.evaluate("location.hash = 'widget1=tries:____2;;current:4'")
    expect_explained(page, 4, 2)


def test_only_next_is_filled(asked):
    option(asked, 1).click()
    paint = asked.locator(".pla button").evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor)")
    filled = asked.locator(".pla-next").evaluate("one => getComputedStyle(one).backgroundColor")
    assert paint.count(filled) == 1


REFUSED = {
    "a dict of questions, .*; it was given a list": [{"ask": "Why?"}],
    "a dict of questions, .*; it was given none": {},
    "a question must be a text that is not empty; it was given '  '": {"  ": YES_NO},
    "a question must be a text .* given 3": {3: YES_NO},
    "a dict of two to six options; 'Why?' was given a list": {"Why?": ["Yes", "No"]},
    "a dict of two to six options; 'Why?' was given 1$": {"Why?": {"Yes": "Right: so it is."}},
    "a dict of two to six options; 'Why?' was given 7$": {"Why?": YES_NO | {str(k): "Wrong: no." for k in range(5)}},
    "an option of 'Why?' must be a text that is not empty; it was given ''": {"Why?": YES_NO | {"": "Wrong: no."}},
    "the explanation of 'Maybe' must be a text .* given ''": {"Why?": YES_NO | {"Maybe": ""}},
    "the explanation of 'Maybe' must be a text .* given False": {"Why?": YES_NO | {"Maybe": False}},
    "must begin with 'Right: ' or 'Wrong: ' .*; that of 'Maybe' is 'Who knows.'": {
        "Why?": YES_NO | {"Maybe": "Who knows."}
    },
    "and then say why; that of 'Maybe' is 'Wrong: '": {"Why?": YES_NO | {"Maybe": "Wrong: "}},
    "exactly one option of a question must be right; 'Why?' has 2": {"Why?": YES_NO | {"Maybe": "Right: so it is."}},
    "exactly one option of a question must be right; 'Why?' has 0": {"Why?": {"A": "Wrong: no.", "B": "Wrong: no."}},
    "a question must be one line, with r before the quotes": {"Is $\theta = 0$?": YES_NO},
    "one of them is missing in 'Is \\$w = 0?'": {"Is $w = 0?": YES_NO},
}


@pytest.mark.parametrize("message", REFUSED)
def test_bad_questions_are_refused_in_words(message):
    with pytest.raises(ValueError, match=message.replace("Why?", r"Why\?").replace("0?'", r"0\?'")):
        quiz(REFUSED[message])


@pytest.mark.parametrize(
    ("formula", "message"),
    {
        r"\frac{1}{2}": r"has \\frac where",
        r"\mathbb{R}": r"has \\mathbb where",
        "x_12": "has 12 where",
        "_1": "has _ where",
        "= ^2": r"has \^ where",
        "{x}": "has { where",
        "x}": "has } where",
        "x_": "ends too early",
        "x_{1": "ends too early",
        "x # y": "has # where",
        " ": "nothing between two",
    }.items(),
)
@pytest.mark.parametrize("place", ["ask", "option", "why"])
def test_formula_outside_the_subset_is_refused_wherever_it_stands(formula, message, place):
    texts = SimpleNamespace(ask="Why?", option="No", why="Wrong: no.")
    setattr(texts, place, getattr(texts, place) + f" ${formula}$")
    with pytest.raises(ValueError, match=message):
        quiz({texts.ask: {"Yes": "Right: so it is.", texts.option: texts.why}})


def test_formulas_are_written_with_letters_and_scripts():
    italic = {name: ["i", name] for name in "wxyib"}
    assert formatted(r"$||w||^2$ is small") == [["span", "‖", italic["w"], "‖", ["sup", "2"]], " is small"]
    assert formatted("$x_{i-1}$") == [["span", italic["x"], ["sub", italic["i"], "−", "1"]]]
    assert plain(formatted(r"$w^\top x + b \ge -1$")) == "wᵀx\u00a0+ b\u00a0≥ −1"
    assert plain(formatted(r"$y \in \{-1, +1\}$")) == "y\u00a0∈ {−1, +1}"
    assert plain(formatted(r"$x_w$, $x_{wb}$, $\theta^*$, $2^{ni}$")) == "x_w, x_(wb), θ*, 2^(ni)"
    for a, b in permutations([r"\eta", r"\gamma", r"\rho", r"\tau", r"\cdot", r"\le"], 2):
        assert len(plain(formatted(f"${a}{b}$")).replace(" ", "").replace("\u00a0", "")) == 2
