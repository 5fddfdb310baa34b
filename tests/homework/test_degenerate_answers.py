"""No test of a problem set gives points to an answer that is no answer: nothing, infinity, the wrong shape, strings."""

import math
from collections.abc import Callable, Iterator
from functools import cache
from numbers import Number, Real

import numpy as np
import pytest

from homework.grader.problem_set import find_problem_sets, grade_id, is_test, read_notebook
from homework.grader.wire_format import pack
from tests import ROOT
from tests.homework.hand_ins import TINY
from tests.homework.trusted import Refused, TrustedHandIn

SETS = [*find_problem_sets(ROOT / "homework" / "source"), TINY]
TESTS = [
    pytest.param(each, grade_id(cell), id=f"{each.stem}-{grade_id(cell)}")
    for each in SETS
    for cell in filter(is_test, read_notebook(each).cells)
]
running_hand_in = cache(TrustedHandIn)

CONSTANTS = {
    repr(value): value
    for value in (
        *(None, math.nan, math.inf, -math.inf, 0, -1, 1, True, False, 0.5, 10**200),
        *("", "nan", "1e400", [], (), {}, [[]], ([], []), [[], [], []], [None], {"a": 1}, [[1], [1, 2]]),
        *(np.array([]), np.zeros((0, 0)), np.zeros((0, 2)), np.array(math.nan), np.array(None, dtype=object)),
    )
}


def changed(answer, change: Callable):
    """The answer with every number in it changed."""
    if isinstance(answer, np.ndarray):
        return rebuilt([changed(each, change) for each in answer.ravel().tolist()], answer.shape)
    if isinstance(answer, list | tuple):
        return type(answer)(changed(each, change) for each in answer)
    return change(answer) if isinstance(answer, Number) else answer


def rebuilt(entries: list, shape: tuple) -> np.ndarray:
    """An array; of objects if the entries are not all numbers."""
    plain = all(isinstance(each, bool | int | float) for each in entries) and not any(
        isinstance(each, int) and abs(each) > 2**60 for each in entries
    )
    array = np.empty(len(entries), float if plain else object)
    array[:] = entries
    return array.reshape(shape)


def one_changed(answer, change: Callable):
    """The answer with only the last number in it changed."""
    left = sum(1 for _ in leaves(answer))

    def last(number):
        nonlocal left
        left -= 1
        return change(number) if left == 0 else number

    return changed(answer, last)


def leaves(answer) -> Iterator:
    """The numbers and strings in an answer, in order."""
    if isinstance(answer, np.ndarray):
        answer = answer.ravel().tolist()
    if isinstance(answer, list | tuple):
        for each in answer:
            yield from leaves(each)
    else:
        yield answer


def lengths(answer, change: Callable) -> Iterator:
    """The answer with the outer list changed, and with each list in it changed."""
    if isinstance(answer, np.ndarray) and answer.ndim:
        yield rebuilt(change(answer.ravel().tolist()), (-1,)) if answer.ndim == 1 else np.array(change(list(answer)))
    elif isinstance(answer, list | tuple) and answer:
        yield type(answer)(change(list(answer)))
        for k, each in enumerate(answer):
            for other in lengths(each, change):
                yield type(answer)([*answer[:k], other, *answer[k + 1 :]])


def spoilt(right) -> Iterator[tuple[str, object]]:
    """The right answer, spoilt: each way with its name."""
    for name, number in {"NaN": math.nan, "inf": math.inf, "-inf": -math.inf, "None": None, "'nan'": "nan"}.items():
        yield f"every number {name}", changed(right, lambda _, number=number: number)
        yield f"the last number {name}", one_changed(right, lambda _, number=number: number)
    yield "every number zero", changed(right, lambda _: 0)
    yield "every number 10**200", changed(right, lambda _: 10**200)
    yield "the last number 10**200", one_changed(right, lambda _: 10**200)
    yield "every number a string", changed(right, str)
    yield "the last number a string", one_changed(right, str)
    yield "every number negated", changed(right, lambda number: -number)
    yield "every number in a list", changed(right, lambda number: [number])
    yield "in a list", [right]
    yield "as a string", str(right)
    yield "as an array of objects", np.array(right, dtype=object) if regular(right) else [right, right]
    for k, other in enumerate(lengths(right, lambda entries: entries[:-1])):
        yield f"an entry too few ({k})", other
    for k, other in enumerate(lengths(right, lambda entries: [*entries, entries[-1]] if entries else entries)):
        yield f"an entry too many ({k})", other


def regular(answer) -> bool:
    try:
        np.array(answer, dtype=object)
    except ValueError:
        return False
    return True


def numbers(answer) -> np.ndarray | None:
    """The answer as an array of finite numbers, whatever holds them; None if it is not one."""
    try:
        array = np.array(answer, dtype=object)
        if all(isinstance(each, Real) for each in array.flat):
            array = array.astype(float)
            return array if np.isfinite(array).all() else None
    except (ValueError, OverflowError):
        pass
    return None


def also_right(answer, right) -> str | None:
    """Why an answer is as good as the right one, if it is."""
    answer = list(answer) if isinstance(answer, np.ndarray) and answer.ndim else answer
    if isinstance(right, list | tuple) and isinstance(answer, list | tuple) and 0 < len(answer) == len(right):
        parts = [also_right(*pair) for pair in zip(answer, right, strict=True)]
        if all(parts):
            return parts[0]
        if len(answer) == 2 and same_signed_examples(*map(numbers, [*answer, *right])):
            return "the same signed examples y_i x_i, so without offset the same run"
    given, wanted = numbers(answer), numbers(right)
    if given is None or wanted is None or given.shape != wanted.shape:
        return None
    if np.array_equal(given, wanted):
        return "the same numbers, of another type or in another container"
    if given.ndim == 2 and wanted.shape[1] == 1 and len(np.unique(given)) > 1:
        return "values of one feature: whether they separate does not depend on what they are"
    if given.ndim == 1 and {*wanted.tolist()} == {-1, 1} and np.array_equal(given, -wanted):
        return "labels: the two classes have exchanged their names"
    return None


def same_signed_examples(X, y, X_right, y_right) -> bool:
    if any(part is None for part in (X, y, X_right, y_right)) or X.ndim != 2 or X.shape != X_right.shape:
        return False
    labelled = y.shape == y_right.shape == X.shape[:1] and {*y.tolist()} <= {-1, 1}
    return labelled and np.array_equal(y[:, None] * X, y_right[:, None] * X_right)


def guess(answer, right) -> bool:
    """Whether an answer is of the right form: then only its number is wrong, and in one call that may be luck."""
    given, wanted = numbers(answer), numbers(right)
    return given is not None and wanted is not None and given.shape == wanted.shape


def wrong_values(right) -> Iterator[tuple[str, object]]:
    for name, answer in [*CONSTANTS.items(), *spoilt(right)]:
        if not also_right(answer, right):
            yield name, answer


def raising(*_):
    raise IndexError("list index out of range")


def wrong_functions(function: Callable, calls: int) -> Iterator[tuple[str, Callable]]:
    """Functions that give degenerate answers, always, or from one call on, or once."""
    for name, constant in CONSTANTS.items():
        yield f"always {name}", lambda *_, constant=constant: constant
    yield "always raises", raising
    yield "returns its first argument", lambda *arguments: arguments[0]
    yield "returns its last argument", lambda *arguments: arguments[-1]
    yield "returns its arguments", lambda *arguments: arguments
    places = {0, 1, calls - 1} & {*range(calls)}
    names = [name for name, _ in spoilt(function.first)]
    for k in sorted(places):
        for name in names:
            yield f"{name}, from call {k} on", Spoiler(function, k, math.inf, name)
        yield f"raises at call {k}", Spoiler(function, k, k, raising)
        for name, constant in CONSTANTS.items():
            yield f"{name} at call {k}", Spoiler(function, k, k, lambda _, constant=constant: constant)
    # Every call by itself; where there are many, about thirty of them.
    for k in range(0, calls, 1 + calls // 40):
        yield f"NaN at call {k}", Spoiler(function, k, k, "every number NaN")


class Recorder:
    """A right function that keeps its first answer and counts its calls."""

    def __init__(self, function: Callable):
        self.function, self.calls, self.first = function, 0, None

    def __call__(self, *arguments):
        answer = self.function(*arguments)
        self.first, self.calls = (answer if self.calls == 0 else self.first), self.calls + 1
        return answer


class Spoiler:
    """A right function whose answers are spoilt from one call to another; it knows whether any was."""

    def __init__(self, function: Recorder, first: int, last: float, way: str | Callable):
        self.function, self.first, self.last, self.way = function.function, first, last, way
        self.calls, self.spoilt = 0, False

    def __call__(self, *arguments):
        right, call = self.function(*arguments), self.calls
        self.calls += 1
        if not self.first <= call <= self.last:
            return right
        named = (answer for name, answer in spoilt(right) if name == self.way)
        answer = self.way(right) if callable(self.way) else next(named, right)
        if also_right(answer, right) or (callable(self.way) and guess(answer, right)):
            return right
        self.spoilt = True
        return answer


@pytest.mark.parametrize(("problem_set", "test"), TESTS)
def test_degenerate_answers_get_nothing_and_words_that_help(monkeypatch, problem_set, test):
    running = running_hand_in(problem_set)
    right = running.names
    assert running.failure(test) is None
    tried, bad = 0, []
    for name in running.names_in(test):
        for way, answer in cases(running, test, name):
            monkeypatch.setattr(running, "names", right | {name: answer})
            failure = running.failure(test)
            monkeypatch.setattr(running, "names", right)
            if isinstance(answer, Spoiler) and not answer.spoilt:
                continue  # there was nothing to spoil: the test passes, as it should
            tried += 1
            if failure is None:
                bad.append(f"{name}, {way}: full points")
            elif not isinstance(failure, AssertionError | Refused) or not str(failure).strip():
                bad.append(f"{name}, {way}: {type(failure).__name__}: {failure}")
    print(f"{tried} degenerate answers")
    assert tried >= 40
    assert bad == []


def cases(running: TrustedHandIn, test: str, name: str) -> Iterator[tuple[str, object]]:
    if not running.is_function(name):
        return wrong_values(running.names[name])
    function = Recorder(running.names[name])
    running.names = running.names | {name: function}
    assert running.failure(test) is None
    running.names = running.names | {name: function.function}
    return wrong_functions(function, function.calls)


def test_an_answer_that_is_right_in_other_words_is_known_as_such():
    assert also_right((1.0, [2]), [1, np.array([2])])
    assert also_right(([[1, -2]], [-1]), ([[-1, 2]], [1]))
    assert not also_right(([[1, 2]], [-1]), ([[-1, 2]], [1]))
    assert not also_right(["1"], [1])
    assert not also_right(math.nan, math.nan)
    assert pack(CONSTANTS["nan"]) is not None
