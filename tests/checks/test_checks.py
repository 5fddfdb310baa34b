"""The checks of the exercises tell right from wrong, say what is wrong, and leave an open exercise alone.

Each chapter has a module beside this file, called like its module in `pla_lib/checks`, with three tables:

RIGHT : exercise -> right answers
WRONG : exercise -> pairs of a wrong answer and words that the check should say about it
SECRETS : parts of the right values that a complaint about a value must not give away (where there is something to hide)
"""

import re
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

from pla_lib import check, checks, expect, hinge_mistake_bound, max_margin, perceptron
from pla_lib.checks import real_numbers

CHAPTERS = [import_module(f"tests.checks.{name}") for name in checks.CHAPTERS.values()]
RIGHT = {name: answers for chapter in CHAPTERS for name, answers in chapter.RIGHT.items()}
WRONG = {name: answers for chapter in CHAPTERS for name, answers in chapter.WRONG.items()}
SECRETS = {name: getattr(chapter, "SECRETS", ()) for chapter in CHAPTERS for name in chapter.RIGHT}
FUNCTIONS = [name for name, answers in RIGHT.items() if callable(answers[0])]


def each(table: dict) -> list:
    """One case per answer, with the exercise and the answer's place in the table as its name."""
    return [pytest.param(name, row, id=f"{name}-{k}") for name, rows in table.items() for k, row in enumerate(rows)]


def tries(name: str, times: int) -> range:
    """Functions meet fresh random numbers at every try; for a value a second try shows that the first left no trace."""
    return range(times if name in FUNCTIONS else 2)


@pytest.fixture
def verdict(capsys):
    def verdict(name: str, answer) -> str:
        check(name, answer)
        return capsys.readouterr().out.removeprefix(f"{name}: ").strip()

    return verdict


def not_implemented(*args):
    raise NotImplementedError


def test_every_exercise_has_right_and_wrong_answers():
    for chapter in checks.CHAPTERS.values():
        import_module(f"pla_lib.checks.{chapter}")
    assert set(RIGHT) == set(WRONG) == set(checks._EXERCISES)


@pytest.mark.parametrize(("name", "answer"), each(RIGHT))
def test_right_answer_is_right(verdict, name, answer):
    for _ in tries(name, 20):
        assert re.fullmatch(r"right, on all \d+ trials\." if name in FUNCTIONS else r"right\.", verdict(name, answer))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a wrong answer may divide by zero
@pytest.mark.parametrize(("name", "answer_and_words"), each(WRONG))
def test_wrong_answer_is_refused_with_a_reason(verdict, name, answer_and_words):
    answer, words = answer_and_words
    for _ in tries(name, 5):
        message = verdict(name, answer)
        assert message.startswith("not yet.")
        assert words in message
        assert name in FUNCTIONS or not any(secret in message for secret in SECRETS[name])


@pytest.mark.parametrize("name", RIGHT)
def test_stub_is_not_attempted(verdict, name):
    functions = [lambda *args: ..., lambda *args: None, not_implemented]
    for stub in [..., *functions] if name in FUNCTIONS else [...]:
        assert verdict(name, stub) == "not attempted yet."


def test_endless_answer_is_stopped(verdict, monkeypatch):
    monkeypatch.setattr(checks, "PATIENCE", 0.2)

    def endless(X, y):
        while True:
            pass

    assert "it has not come to an end" in verdict("02.5", endless)


@pytest.mark.parametrize("name", ["02.9", "nonsense", 3])
def test_unknown_exercise_is_refused(name):
    with pytest.raises(ValueError, match="there is no exercise"):
        check(name, ...)


def test_numbers_in_the_solution_of_the_counterexample_are_right():
    X, y = RIGHT["08.4"][0]
    widest = max_margin(X, y, bias=False).theta
    np.testing.assert_allclose(widest, [0, 10], atol=1e-6)
    assert hinge_mistake_bound(perceptron(X, y, bias=False, max_epochs=1), [0, 10]) == pytest.approx(101)


def test_numbers_in_words_are_not_numbers():
    for given in ("1.0", ["1.0"], np.array(["1.0"])):
        with pytest.raises(AssertionError, match=r"it should be \[?1\.0"):
            expect(given, np.ones(np.shape(given)))


def test_only_finite_real_numbers_are_real_numbers():
    for given in (1, [1, 2.5], True, np.float32(1), [Fraction(1, 2), 3], [], np.ones((2, 3))):
        assert np.array_equal(real_numbers(given), np.array(given, float))
    for given in (None, "1", ["1"], [1, [2, 3]], float("nan"), [1, float("inf")], 1j, 10**400, [None], {}, object()):
        assert real_numbers(given) is None
