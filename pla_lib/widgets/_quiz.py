"""The quiz: the self-test at a chapter's end, in which every option explains itself."""

from __future__ import annotations

import math
import textwrap
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

from traitlets import Int, List, TraitError, validate

from pla_lib.plots import colour
from pla_lib.widgets.base import BaseWidget, new_figure, script, stylesheet
from pla_lib.widgets.formula import formatted, plain
from pla_lib.wording import counted

if TYPE_CHECKING:
    pass

# Of the page's type, in rem, with some room to spare; and what takes the place of the chip Right or Wrong in a line.
LETTER = 0.47
CHIP = "x" * 10 + " "


class Quiz(BaseWidget):
    """See `quiz`. `current` is the question in view; `tries` holds, for each question, the options chosen, in order."""

    _esm = script("quiz.js")
    _css = stylesheet("quiz.css")
    # The height on a page, below and above a width of 34 rem: the page keeps this place free for it.
    height = List().tag(sync=True)
    questions = List().tag(sync=True)
    tries = List(List(Int(min=0))).tag(sync=True)
    current = Int(0, min=0).tag(sync=True)

    def __init__(self, questions: list[dict]):
        self.texts = texts = [
            {"ask": plain(question["ask"])}
            | {name: [plain(option[name]) for option in question["options"]] for name in ("text", "why")}
            for question in questions
        ]
        super().__init__(
            questions=questions,
            tries=[[] for _ in questions],
            height=[_reserve(texts, 16, 21, 33.9), _reserve(texts, 34, 43)],
        )

    @validate("tries")
    def _among_the_options(self, proposal: dict) -> list[list[int]]:
        counts, tries = [len(question["options"]) for question in self.questions], proposal["value"]
        if len(tries) != len(counts) or any(max(tried, default=0) >= n for tried, n in zip(tries, counts, strict=True)):
            raise TraitError(f"tries lists for each question some of its options, here {counts}; it was given {tries}")
        return tries

    @property
    def answers(self) -> list[int | None]:
        """The option that is chosen now in each question; None where there is none yet."""
        return [tried[-1] if tried else None for tried in self.tries]

    @property
    def score(self) -> int:
        """How many questions were answered right on the first try."""
        pairs = zip(self.questions, self.tries, strict=True)
        return sum(bool(tried) and question["options"][tried[0]]["right"] for question, tried in pairs)

    def picture(self):
        lines = []
        for number, text in enumerate(self.texts, 1):
            lines += [("ink", line) for line in _wrapped(f"{number}. ", text["ask"], 68)]
            for letter, option in zip("ABCDEF", text["text"], strict=False):
                lines += [("faint", line) for line in _wrapped(f"   {letter}  ", option, 68)]
            lines.append(("ink", ""))
        figure = new_figure(5.2, 0.165 * len(lines), layout=None)
        for k, (name, line) in enumerate(lines, 1):
            figure.text(0.02, 1 - k / len(lines), line, fontsize=8, color=colour(name), parse_math=False)
        return figure

    def sentence(self) -> str:
        asked = " ".join(f"{number}. {text['ask']}" for number, text in enumerate(self.texts, 1))
        count = counted(len(self.texts), "question")
        return f"Self-test: {count}. To answer, turn on JavaScript or open the notebook. {asked}"


def quiz(questions: dict[str, dict[str, str]]) -> Quiz:
    r"""Ask one question after the other; whatever option is chosen explains itself, and the reader may choose again.

    The widget's `answers` and `score` tell what was chosen. All chapters.

    Parameters
    ----------
    questions : dict of str to dict of str to str
        Maps each question to its two to six options, and each option to its explanation, which begins with "Right: " or
        "Wrong: ". One option is right. A formula stands between $ signs, as in ``r"Is $w^\top x_i \le 0$?"``.

    Returns
    -------
    Quiz
        The widget.

    Examples
    --------
    >>> asked = quiz({"Is a tie a mistake?": {"Yes": "Right: zero is not positive.", "No": "Wrong: it is on no side."}})
    >>> asked.sentence()
    'Self-test: 1 question. To answer, turn on JavaScript or open the notebook. 1. Is a tie a mistake?'
    >>> asked.answers, asked.score
    ([None], 0)
    """
    if not isinstance(questions, dict) or not questions:
        given = "none" if isinstance(questions, dict) else f"a {type(questions).__name__}"
        raise ValueError(f"quiz takes a dict of questions, {{question: {{option: explanation}}}}; it was given {given}")
    return Quiz([_checked(ask, options) for ask, options in questions.items()])


def _checked(ask: str, options: dict[str, str]) -> dict:
    """A question as the page gets it."""
    question = formatted(_text(ask, "a question"))
    if not isinstance(options, dict) or not 2 <= len(options) <= 6:
        given = f"{len(options)}" if isinstance(options, dict) else f"a {type(options).__name__}"
        raise ValueError(f"a question needs a dict of two to six options; {ask!r} was given {given}")
    checked = []
    for option, why in options.items():
        text = formatted(_text(option, f"an option of {ask!r}"))
        verdict, _, reason = _text(why, f"the explanation of {option!r}").partition(": ")
        if verdict not in ("Right", "Wrong") or not reason.strip():
            raise ValueError(
                f"an explanation must begin with 'Right: ' or 'Wrong: ' and then say why; that of {option!r} is {why!r}"
            )
        checked.append({"text": text, "right": verdict == "Right", "why": formatted(reason)})
    right = sum(option["right"] for option in checked)
    if right != 1:
        raise ValueError(f"exactly one option of a question must be right; {ask!r} has {right}")
    return {"ask": question, "options": checked}


def _text(text: str, what: str) -> str:
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{what} must be a text that is not empty; it was given {text!r}")
    if any(unicodedata.category(sign) == "Cc" for sign in text):
        raise ValueError(
            f"{what} must be one line, with r before the quotes if there is a \\ in it; it was given {text!r}"
        )
    return text


def _wrapped(label: str, text: str, columns: int) -> list[str]:
    return textwrap.wrap(text, columns, initial_indent=label, subsequent_indent=" " * len(label))


def _reserve(texts: list[dict], *widths: float) -> str:
    """A css length: the widget's height at these widths, and on straight lines between them."""
    lines = []
    for left, right in pairwise(widths):
        high, low = _height(texts, left), _height(texts, right)
        slope = (low - high) / (right - left)
        lines.append(f"{100 * slope:.1f}cqw + {high - slope * left:.2f}rem")
    return f"max({', '.join(lines)})"


def _height(texts: list[dict], width: float) -> float:
    """The height in rem that holds every question with its longest explanation, estimated from the texts' lengths."""
    inner = width - (1.7 if width < 34 else 2.5)

    def lines(text: str, room: float, letter: float = LETTER) -> int:
        return len(textwrap.wrap(text, int(room / letter)))

    def block(text: dict) -> float:
        options = sum(max(2.75, 1.31 * lines(option, inner - 4) + 1.1) + 0.5 for option in text["text"])
        reasons = max(lines(f"{CHIP}{why}", inner - 1.8) for why in text["why"])
        return 1.37 * lines(text["ask"], inner, 1.1 * LETTER) + options + 1.31 * reasons

    rows_of_numbers = math.ceil(len(texts) / ((inner + 0.35) // 3.1))
    return 9.9 + 3.1 * rows_of_numbers + max(map(block, texts)) + (1.4 if width < 34 else 0)
