"""The checks of the exercises tell right from wrong, say what is wrong, and leave an open exercise alone.

Each chapter has a module beside this file, called like its module in `pla_lib/checks`, with three tables:

RIGHT : exercise -> right answers
WRONG : exercise -> pairs of a wrong answer and words that the check should say about it; of its hint, if it gets one
SECRETS : parts of the right values that a complaint about a value must not give away (where there is something to hide)
"""

import re
import signal
import sys
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

from pla_lib import check, checks, expect, hinge_mistake_bound, max_margin, perceptron
from pla_lib.checks import exercise, real_numbers, trial, wrong_function, wrong_result

CHAPTERS = [import_module(f"tests.checks.{name}") for name in checks.CHAPTERS.values()]
RIGHT = {name: answers for chapter in CHAPTERS for name, answers in chapter.RIGHT.items()}
WRONG = {name: answers for chapter in CHAPTERS for name, answers in chapter.WRONG.items()}
SECRETS = {name: getattr(chapter, "SECRETS", ()) for chapter in CHAPTERS for name in chapter.RIGHT}
NOT_ATTEMPTED = "not attempted yet. Replace the ... with your answer."
FUNCTIONS = [name for name, answers in RIGHT.items() if callable(answers[0])]


def each(table: dict) -> list:
    """One case per answer, with the exercise and the answer's place in the table as its name."""
    return [pytest.param(name, row, id=f"{name}-{k}") for name, rows in table.items() for k, row in enumerate(rows)]


def tries(name: str, times: int) -> range:
    """Functions meet fresh random numbers at every try; for a value a second try shows that the first left no trace."""
    return range(times if name in FUNCTIONS else 2)


def hints(name: str) -> set[str]:
    """The hints that the check of an exercise can give."""
    import_module(f"pla_lib.checks.{checks.CHAPTERS[name[:2]]}")
    return {hint for hint, _ in checks._MISTAKES[name]}


@pytest.fixture
def verdict(capsys):
    def verdict(name: str, answer) -> str:
        check(name, answer)
        return capsys.readouterr().out.rpartition(f"{name}: ")[2].strip()

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
        assert re.fullmatch(
            r"right, on all \d+ trials\." if name in FUNCTIONS else r"right\.( .+\.)?", verdict(name, answer)
        )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a wrong answer may divide by zero
@pytest.mark.parametrize(("name", "answer_and_words"), each(WRONG))
def test_wrong_answer_is_refused_with_a_reason(verdict, name, answer_and_words):
    answer, words = answer_and_words
    for _ in tries(name, 5):
        message = verdict(name, answer)
        assert message.startswith("not yet.")
        assert words in message
        assert {hint for hint in hints(name) if hint in message} == {hint for hint in hints(name) if words in hint}
        assert name in FUNCTIONS or not any(secret in message for secret in SECRETS[name])


@pytest.mark.parametrize("name", RIGHT)
def test_every_hint_is_one_sentence_and_has_a_wrong_answer(name):
    for hint in hints(name):
        assert re.fullmatch(r"[A-Z][^.?!]*[.?]", hint)
        assert any(words in hint for _, words in WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_stub_is_not_attempted(verdict, name):
    functions = [lambda *args: ..., lambda *args: None, not_implemented]
    for stub in [..., *functions] if name in FUNCTIONS else [...]:
        assert verdict(name, stub) == NOT_ATTEMPTED


STUBS = ["...", "pass", "return ...", "return None", "raise NotImplementedError", "'Text.'", "'Text.'; ..."]
NO_STUBS = {
    "theta + y * x": "returned None. Every path",
    "new = theta + y * x": "returned None. Every path",
    "theta += y * x": "returned None. Every path",
    "print(theta)": "returned None. Did you use print instead of return?",
    "print(theta); return ...": "still returns the placeholder `...`",
    "raise NotImplementedError('no idea')": "stopped in line 1 with NotImplementedError: no idea",
}


def visit_with(body: str):
    """A function without a file from which its source could be read."""
    names = {}
    exec(f"def visit(theta, x, y): {body}", names)
    return names["visit"]


@pytest.mark.parametrize("body", STUBS)
def test_function_that_does_nothing_is_not_attempted(verdict, body):
    assert verdict("02.1", visit_with(body)) == NOT_ATTEMPTED


@pytest.mark.parametrize(("body", "words"), NO_STUBS.items())
def test_function_that_does_something_is_attempted(verdict, body, words):
    message = verdict("02.1", visit_with(body))
    assert message.startswith("not yet.\nGiven theta = [0.0, 0.0, 0.0], x = [1.0, 2.0, 1.0], y = 1,\nyour function")
    assert words in message


def test_what_an_answer_prints_is_shown(capsys):
    check("02.1", lambda theta, x, y: print("the new weights:", theta + y * x))
    assert capsys.readouterr().out.startswith("the new weights: [1. 2. 1.]\n02.1: not yet.\nGiven")


def endless(X, y):
    while True:
        try:
            for _ in range(10_000):
                pass
        except Exception:  # as students write to keep a loop going
            pass


def test_endless_answer_is_stopped(verdict, monkeypatch):
    monkeypatch.setattr(checks, "PATIENCE", 0.2)
    message = verdict("02.5", endless)
    assert re.match(
        r"not yet\.\nGiven X = \[\[.*, y = .*,\nyour function was still running after 0\.2 seconds", message
    )
    assert message.endswith(
        "and was stopped.\nEither a loop condition never becomes false, or the update never helps "
        "the example it is made for: look at its sign."
    )
    assert verdict("02.1", lambda theta, x, y: endless(x, y)).endswith(
        "and was stopped.\nDoes it have a loop whose condition never becomes false?"
    )


def test_time_is_limited_by_what_a_page_can_supply(monkeypatch):
    """A page has no timers of the system: it supplies `setitimer`, with two arguments."""
    asked = []
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds: asked.append((which, seconds)))
    check("02.1", RIGHT["02.1"][0])
    assert asked[:2] == [(signal.ITIMER_REAL, 10), (signal.ITIMER_REAL, 0)]


@pytest.mark.parametrize("value", [[1, 2], np.array([1.0, 2.0]), np.array([Fraction(1)]), {0: 3}])
def test_changed_argument_is_found(value):
    def change(value):
        value[0] = 7
        return 1

    with pytest.raises(AssertionError, match=r"the result is right, but your function changes value. Work on a copy: "):
        expect(change, 1, value=value)


@pytest.mark.parametrize("rows", [[np.zeros(2)], (np.zeros(2),), [[0, 0]], {0: [0, 0]}])
def test_changed_argument_is_found_inside_another(rows):
    def change(rows):
        rows[0][1] = 7
        return 1

    with pytest.raises(AssertionError, match="changes rows"):
        expect(change, 1, rows=rows)


def test_unchanged_argument_is_not_called_changed():
    for value in (np.array([1, np.nan]), [float("nan"), None, "text"], {"a": (1, [2])}, iter([1, 2]), len, object()):
        expect(lambda value: 1, 1, value=value)


@pytest.mark.parametrize("answer", [lambda: 1, lambda x, y, z: 1, lambda x, *, y: 1])
def test_wrong_parameters_are_named(answer):
    with pytest.raises(AssertionError, match=r"^Your function has the parameters \(.*\), but it is called with 1 arg"):
        expect(answer, 1, x=3)


@pytest.mark.parametrize("answer", [lambda x, y=1: 1.0, lambda *args: 1.0, np.exp, np.cos, float(1).__add__])
def test_parameters_may_be_optional_or_unknown(answer):
    expect(answer, 1.0, x=0.0)


@pytest.mark.parametrize("answer", [lambda v, b, a: b - a, lambda v, b, a: a @ b])
def test_parameters_in_another_order_are_named(doubling, verdict, answer):
    exercise("doubling")(lambda rng: iter([trial(want=1, a=1, b=2, v=5)]))
    assert verdict("doubling", answer).endswith(
        "\nYour function has the parameters v, b, a, but it is called with a, b, v, in this order."
    )


def complaint(answer, want, **given) -> str:
    with pytest.raises(AssertionError) as error:
        expect(answer, want, **given)
    return str(error.value)


X, V = np.ones((2, 3)), np.array([1, 2])
NO_VALUE = None
# Functions that stop, the end of what is said of them, and the sentence about the usual cause.
STOPPED = [
    (lambda v: len(v)(v), "'int' object is not callable", "is a * missing before a bracket"),
    (lambda v: v[0](2), "object is not callable", "is a * missing before a bracket"),
    (lambda v: X @ v, "(size 2 is different from 3)", "The sizes of two arrays do not fit together"),
    (lambda v: np.dot(X, v), "3 (dim 1) != 2 (dim 0)", "The sizes of two arrays do not fit together"),
    (lambda v: v + X, "shapes (2,) (2,3) ", "The sizes of two arrays do not fit together"),
    (lambda v: v @ 3, "requires 1)", "`@` needs a vector or a matrix"),
    (lambda v: v if v > 0 else 1, "Use a.any() or a.all()", "this is an array: for two vectors, a @ b is one number"),
    (lambda v: v.__iadd__(0.5), "casting rule 'same_kind'", "write `a = a + b`"),
    (lambda v: NO_VALUE + v, "'NoneType' and 'int'", "One of the values there is None"),
    (lambda v: NO_VALUE[0], "'NoneType' object is not subscriptable", "One of the values there is None"),
    (lambda v: NO_VALUE.T, "'NoneType' object has no attribute 'T'", "One of the values there is None"),
    (lambda v: [1] - [2], "'list' and 'list'", "A list does not add and multiply like a vector"),
    (lambda v: [1] * 0.5, "non-int of type 'float'", "A list does not add and multiply like a vector"),
    (lambda v: [1] + 2, '(not "int") to list', "`+` joins two lists"),
    (lambda v: {}["a"], "KeyError: 'a'", None),
    (lambda v: weihgts, "'weihgts' is not defined", None),  # noqa: F821
]


@pytest.mark.parametrize(("answer", "message", "hint"), STOPPED)
def test_error_is_told_with_its_line_and_its_usual_cause(answer, message, hint):
    given, where, *rest = complaint(answer, 1, v=V).split("\n")
    line = answer.__code__.co_firstlineno
    assert given == "Given v = [1, 2],"
    assert re.match(rf"your function stopped in line {line}, `\(lambda v: .*`, with (?!_)[A-Z]\w*Error: ", where)
    assert where.endswith(message) or message in where
    assert (hint in rest[0] and len(rest) == 1) if hint else rest == []


def test_error_names_the_last_line_of_the_student():
    def helper(v):
        return np.linalg.inv(v)

    def answer(v):
        return helper(v)

    said = complaint(answer, 1, v=np.zeros((2, 2)))
    assert "`return np.linalg.inv(v)`, with LinAlgError: Singular matrix" in said
    assert "site-packages" not in said


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python does not say it in a message")
def test_python_says_which_name_was_meant():
    def answer(v):
        weights = v
        return weihgts + weights  # noqa: F821

    assert complaint(answer, 1, v=V).endswith("'weihgts' is not defined. Did you mean: 'weights'?")


def test_error_without_a_source_is_told_without_the_line():
    assert complaint(np.linalg.inv, 1, v=V).startswith("Given v = [1, 2],\nyour function stopped")
    names = {}
    exec("def answer(v):\n    raise ValueError", names)
    assert complaint(names["answer"], 1, v=V).endswith("your function stopped in line 2 with ValueError")


def test_sizes_of_long_results_are_said_in_words():
    wrong = "your function returned 7 rows of 3 numbers.\nIt should return 30 numbers."
    assert complaint(lambda n: np.ones((7, 3)), np.ones(30), n=1).endswith(wrong)
    assert complaint(lambda n: 5, np.ones(30), n=1).endswith("returned 5.\nIt should return 30 numbers.")
    assert complaint(lambda n: {2, 3}, np.ones(30), n=1).endswith("returned {2, 3}.\nIt should return 30 numbers.")
    assert complaint(["a"] * 21, [1]).endswith("Your answer is 21 values.\nIt should be [1].")


def test_long_lists_are_broken_between_their_rows():
    rows = np.arange(60).reshape(20, 3) / 2
    lines = complaint(lambda X, y: 0, 1, X=rows, y=np.ones(3)).split("\n")
    assert all(len(line) <= 80 for line in lines)
    assert all(line.endswith(("],", "]],")) for line in lines[:-3])
    assert lines[-3:] == ["y = [1.0, 1.0, 1.0],", "your function returned 0.", "It should return 1."]


def test_right_answer_may_be_praised(verdict):
    for answer in (([[1], [0]], [1, -1]), (np.array([[1], [0]]), np.array([1, -1]))):
        praise = "right. Example 0 was right after visit 1 and wrong again after visit 4."
        assert verdict("02.4", answer) == praise


def test_page_gets_the_verdict_as_data(monkeypatch, capsys):
    seen = []
    monkeypatch.setattr(checks, "show", seen.append)
    right, (wrong, _) = RIGHT["02.1"][0], WRONG["02.1"][0]
    assert [check("02.1", answer) for answer in (right, wrong, ...)] == [None, None, None]
    assert capsys.readouterr().out == ""
    assert [(each.exercise, each.kind) for each in seen] == [
        ("02.1", "right"),
        ("02.1", "not yet"),
        ("02.1", "not attempted"),
    ]
    assert re.fullmatch(r"right, on all \d+ trials\.", seen[0].text)
    assert str(seen[2]) == f"02.1: {NOT_ATTEMPTED}"


@pytest.fixture
def doubling(monkeypatch):
    """A small exercise with two mistakes: 2 * x is x * x at 2 and 0, and x + 2 at 2."""
    monkeypatch.setitem(checks._EXERCISES, "doubling", None)
    monkeypatch.setitem(checks._MISTAKES, "doubling", [])
    exercise("doubling")(lambda rng: (trial(want=2 * x, x=x) for x in (2, 0, 1, 3, 4)))
    wrong_function("doubling", "You square.")(lambda x: x * x)
    wrong_function("doubling", "You add two.")(lambda x: x + 2)


def like_a_square(last):
    """A function that squares numbers up to 3, and does something else above."""
    return lambda x: x * x if x <= 3 else last(x)


SQUARED = "not yet.\nGiven x = 1,\nyour function returned 1.\nIt should return 2."


@pytest.mark.parametrize("last", [lambda x: x * x, lambda x: 16.0 + 1e-12, lambda x: np.array(16)])
def test_hint_is_for_results_that_are_all_those_of_the_mistake(verdict, doubling, last):
    assert verdict("doubling", like_a_square(last)) == f"{SQUARED}\nYou square."


@pytest.mark.parametrize("last", [lambda x: 0, lambda x: 2 * x, lambda x: None, lambda x: x / 0, lambda x: [16]])
def test_hint_is_not_for_other_results(verdict, doubling, last):
    assert verdict("doubling", like_a_square(last)) == SQUARED


def test_hint_needs_a_wrong_result(verdict, doubling):
    """Errors, None and a changed argument are explained by themselves."""
    for failure in (lambda: 1 / 0, lambda: None):
        message = verdict("doubling", lambda x, failure=failure: x + x if x != 1 else failure())
        assert "You " not in message


def test_two_mistakes_that_explain_the_same_give_no_hint(verdict, doubling):
    wrong_function("doubling", "You square.")(lambda x: x**2)
    assert verdict("doubling", lambda x: x * x) == f"{SQUARED}\nYou square."
    wrong_function("doubling", "You take a power.")(lambda x: x**2)
    assert verdict("doubling", lambda x: x * x) == SQUARED


def test_hint_by_a_property_of_the_result(verdict, doubling):
    wrong_result("doubling", "You return a multiple of ten.")(lambda result, x: result % 10 == 0 * x)
    assert verdict("doubling", lambda x: 10 * x).endswith("It should return 4.\nYou return a multiple of ten.")
    assert verdict("doubling", lambda x: 10 * x + (x == 4)).endswith("It should return 4.")
    assert verdict("doubling", lambda x: [[10], [20, 30]]).endswith("It should return 4.")


def test_answer_is_tried_quietly_after_it_has_failed(capsys, doubling):
    def square(x):
        print("x is", x)
        return x * x

    check("doubling", square)
    assert capsys.readouterr().out == f"x is 2\nx is 0\nx is 1\ndoubling: {SQUARED}\nYou square.\n"


@pytest.mark.parametrize("name", ["02.9", "nonsense", 3])
def test_unknown_exercise_is_refused(name):
    with pytest.raises(ValueError, match=r"there is no check for exercise .*; the exercises with a check are 01.1, "):
        check(name, ...)


def test_numbers_in_the_solution_of_the_counterexample_are_right():
    X, y = RIGHT["08.4"][0]
    widest = max_margin(X, y, bias=False).theta
    np.testing.assert_allclose(widest, [0, 10], atol=1e-6)
    assert hinge_mistake_bound(perceptron(X, y, bias=False, max_epochs=1), [0, 10]) == pytest.approx(101)


def test_numbers_in_words_are_not_numbers():
    for given in ("1.0", ["1.0"], np.array(["1.0"])):
        with pytest.raises(AssertionError, match=r"Your answer is .*\.\nIt should be \[?1\.0"):
            expect(given, np.ones(np.shape(given)))


def test_only_finite_real_numbers_are_real_numbers():
    for given in (1, [1, 2.5], True, np.float32(1), [Fraction(1, 2), 3], [], np.ones((2, 3))):
        assert np.array_equal(real_numbers(given), np.array(given, float))
    for given in (None, "1", ["1"], [1, [2, 3]], float("nan"), [1, float("inf")], 1j, 10**400, [None], {}, object()):
        assert real_numbers(given) is None
