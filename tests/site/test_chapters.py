"""What every published chapter has, used as a reader would: widgets, a self-test, labelled figures and theorems."""

import re
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import expect

from tests.widgets.gestures import step


@dataclass
class Chapter:
    """What a chapter's page should show.

    widgets : how many there are; the last one is the self-test
    right : words of the right answer to each question of the self-test
    wrong : words of a wrong answer to its first question, and words that explain it
    figures : the end of each figure's name -> words of its alt text
    titles : the label of a theorem or definition -> words of its title
    links : an anchor -> how many links to it there are at least
    """

    widgets: int
    right: tuple[str, ...]
    wrong: tuple[str, str]
    figures: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    links: dict[str, int] = field(default_factory=dict)


CHAPTERS = {
    "01_geometry": Chapter(
        widgets=3,
        right=(
            "Its score is three times as large",
            "Only for b = 0",
            r"\w\s*2$",
            "lie in one plane",
            "Their difference",
        ),
        wrong=("Score and distance both stay", "both of its parts are multiplied by 3"),
        figures=dict.fromkeys(
            [f"geo-{name}" for name in ("separable", "affine", "distance", "shadows", "lift", "sphere", "cone")],
            "line|points",
        ),
    ),
    "02_pla": Chapter(
        widgets=4,
        right=("When", "signed score has grown", "Only the length", "cannot be told", "exactly zero"),
        wrong=("At every visit", "A visit to an example that is right changes nothing"),
    ),
    "03_gradient": Chapter(
        widgets=2,
        right=("Its gradient is zero", "All", "it chooses c = 1", "Any number", "None"),
        wrong=("It has no minimum", "It takes whole numbers from 0 to n"),
    ),
    "04_convergence": Chapter(
        widgets=2,
        right=("In the norm", "stays the same", "the same mistakes", "Every separator", "Its score was zero"),
        wrong=("In the progress", "mistake or not."),
        titles={"thm-novikoff": "(Novikoff)"},
        links={"equation-eq-bound": 2, "equation-eq-progress": 2, "equation-eq-norm": 2},
    ),
    "05_margins": Chapter(
        widgets=2,
        right=("least signed score", "room to spare", "four conditions", "with an offset", "stays where it is"),
        wrong=("Nothing at all", "every score is ten times what it was"),
        titles={"thm-margin-qp": "Three problems, one hyperplane", "def-margin": "Margin"},
        links=dict.fromkeys(["thm-margin-qp", "thm-mar-kkt", "def-margin"], 1)
        | dict.fromkeys([f"equation-eq-mar-{name}" for name in ("first", "second", "qp", "shrink")], 2),
    ),
    "06_soft_margin": Chapter(
        widgets=2,
        right=("On its own side", r"0\.2", "at most 1", "errors in training", "The hard margin"),
        wrong=("On the wrong side", "would have to be more than 1"),
        figures=dict.fromkeys(["soft-slack", "soft-two", "soft-box", "soft-iris", "soft-digits"], "line|curves|stair"),
        titles={"def-soft-margin": "(Soft margin)"},
        links={"equation-eq-soft-w": 2, "equation-eq-soft-balance": 2, "equation-eq-soft-box": 2},
    ),
    "07_features": Chapter(
        widgets=2,
        right=("In the weights", "None", "Nothing yet", "The examples it erred on", r"^\W*A?\W*x"),
        wrong=("In neither", "For a fixed x it is b plus a sum"),
        figures=dict.fromkeys(
            [f"feat-{name}" for name in ("ellipse", "xor", "after", "degree", "overfit", "gram", "hard")],
            "panels|curves|picture|images",
        ),
        titles={"def-feature-map": "(Feature map)", "thm-feat-kernel": "(Same mistakes, without features)"},
        links={"equation-eq-feat-dual": 4},
    ),
    "08_online": Chapter(
        widgets=2,
        right=("There is a last", "contradict it", "Below stands", "Exactly the number", "length and loss"),
        wrong=("The weights change for ever", "They change on mistakes only"),
        titles={
            "thm-online-bound": "separable streams",
            "thm-hinge-bound": "Hinge bound",
            "thm-online-path": "soft-margin path",
        },
        links=dict.fromkeys([f"equation-eq-online-{name}" for name in ("separable", "norm", "all", "c")], 2),
    ),
    "09_voting": Chapter(
        widgets=2,
        right=("200", "Two vectors", "The vote errs on at most about 10", "In a second pass", "When the means"),
        wrong=("140", "The visit of a mistake is counted too"),
        titles={"def-voted": "(Voted perceptron)", "thm-vote": "(One pass, one vote)"},
        links={"equation-eq-vote-equal": 3},
    ),
    "10_limits": Chapter(
        widgets=3,
        right=("sum to zero", "no hyperplane separates", "At most four", "repeat from some epoch", "on a compact set"),
        wrong=("too simple", "No rule can find them."),
        titles={"thm-xor": "No hyperplane computes exclusive or"},
    ),
}
each_chapter = pytest.mark.parametrize(
    ("chapter", "expected"), CHAPTERS.items(), ids=list(CHAPTERS), indirect=["chapter"]
)


@pytest.fixture
def question(widget):
    """The question of the self-test that can be seen."""
    return widget(-1).locator("fieldset:visible")


def choose(question, words: str) -> None:
    question.get_by_role("button").filter(has_text=re.compile(words)).click()


@each_chapter
def test_every_question_has_a_right_answer_that_explains_itself(chapter, expected, question):
    self_test = chapter.locator("#self-test .pla-widget")
    for number, words in enumerate(expected.right, 1):
        expect(question.locator("legend")).to_contain_text(f"Question {number} of 5")
        choose(question, words)
        expect(question.locator("[aria-live=polite]")).to_contain_text(re.compile("^Right: "))
        if number < 5:
            step(self_test)
    expect(self_test.get_by_role("status")).to_have_text("All 5 right on the first try!")


@each_chapter
def test_a_wrong_answer_says_why_and_can_be_corrected(expected, question):
    wrong, explanation = expected.wrong
    choose(question, wrong)
    expect(question.locator("[aria-live=polite]")).to_contain_text(explanation)
    choose(question, expected.right[0])
    expect(question.locator("[aria-live=polite]")).to_contain_text(re.compile("^Right: "))


@each_chapter
def test_widgets_figures_and_theorems_are_there(chapter, expected):
    expect(chapter.locator(".pla-widget")).to_have_count(expected.widgets)
    number = int(re.search(r"lectures/(\d\d)_", chapter.url)[1])
    for name, words in expected.figures.items():
        figure = chapter.locator(f"figure#fig-{name}")
        expect(figure.locator("img")).to_have_attribute("alt", re.compile(words))
        expect(figure.locator("figcaption")).to_contain_text(f"Figure {number}.")
    for label, words in expected.titles.items():
        expect(chapter.locator(f"#{label} .admonition-title")).to_contain_text(words)
    for anchor, least in expected.links.items():
        assert chapter.locator(f"a[href='#{anchor}']").count() >= least, anchor
