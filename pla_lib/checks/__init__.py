"""Exercises that tell right from wrong: `check("02.3", answer)`. Each chapter has a module of its own here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from io import StringIO

import numpy as np

from pla_lib.checks.calls import Call, Endless, call, is_stub
from pla_lib.checks.errors import stopped
from pla_lib.checks.trials import Trial, described, real_numbers, same, trial
from pla_lib.wording import counted

__all__ = ["check", "exercise", "expect", "real_numbers", "trial", "wrong_function", "wrong_result"]

CHAPTERS = {
    "01": "geometry",
    "02": "pla",
    "03": "gradient",
    "04": "convergence",
    "05": "margins",
    "06": "soft_margin",
    "07": "features",
    "08": "online",
    "09": "voting",
    "10": "limits",
}

PATIENCE = 10  # seconds for one call of an answer
ENDLESS = "Does it have a loop whose condition never becomes false?"


@dataclass(frozen=True)
class Verdict:
    """What a check says about an answer: "right", "not yet" or "not attempted", and the text for the student.

    The text of "not yet" has several lines: the verdict, what was given, what the function returned, what it should
    return, and a hint.
    """

    exercise: str
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.exercise}: {self.text}"


show: Callable[[Verdict], object] = print  # how a verdict reaches the student; a page puts a function of its own here

_EXERCISES: dict[str, Callable[[np.random.Generator], Iterator[Trial]]] = {}
_ENDLESS: dict[str, str] = {}
_MISTAKES: dict[str, list[tuple[str, Callable[[object, dict], bool]]]] = defaultdict(list)


def exercise(name: str, endless: str = ENDLESS):
    """Register the trials of an exercise: a generator that takes a random generator; edge cases come first.

    `endless` is the sentence for an answer that does not end.
    """

    def register(trials):
        _EXERCISES[name], _ENDLESS[name] = trials, endless
        return trials

    return register


def wrong_function(name: str, hint: str):
    """Register a function as students get it wrong, with the sentence for those whose results are all the same as its.

    It must end on every trial. Functions with the same hint are forms of one mistake.
    """

    def register(function):
        def shows(result, given: dict) -> bool:
            return same(result, function(*deepcopy(given).values()))

        _MISTAKES[name].append((hint, shows))
        return function

    return register


def wrong_result(name: str, hint: str):
    """Register a function that tells whether a result shows a certain mistake, with the sentence for those it does.

    It takes the result and, where the exercise asks for a function, the arguments behind it. It is asked on every
    trial, those with a right result too, and must say yes each time.
    """

    def register(predicate):
        _MISTAKES[name].append((hint, lambda result, given: bool(predicate(result, *deepcopy(given).values()))))
        return predicate

    return register


def check(name: str, answer) -> None:
    """Try an answer to an exercise, and print whether it is right; if not, the first input on which it is wrong.

    If all its results are those of a mistake that students often make, a hint follows.
    The stub in the notebook, ``...``, is "not attempted yet": a notebook with open exercises still runs.
    For the exercises of all chapters.

    Parameters
    ----------
    name : str
        The number of the exercise, such as ``"02.3"``.
    answer : object
        The function or the value that the exercise asks for.

    Examples
    --------
    >>> check("02.1", ...)
    02.1: not attempted yet. Replace the ... with your answer.
    """
    module = CHAPTERS.get(name[:2]) if isinstance(name, str) else None
    if module:
        import_module(f"pla_lib.checks.{module}")
    if name not in _EXERCISES:
        raise ValueError(
            f"there is no check for exercise {name!r}; the exercises with a check are {', '.join(sorted(_EXERCISES))}"
        )
    show(_verdict(name, answer))


def expect(answer, want, /, **given) -> None:
    """Raise an AssertionError that says what is wrong with an answer, if anything: the tests of homework.

    For the homework of all chapters.

    Parameters
    ----------
    answer : object
        A function, called with what is given, or a value if nothing is.
    want : object
        The right result, or a function that takes the result and returns what is wrong with it, or None.
    **given : object
        The arguments by name; they are passed in this order.

    Raises
    ------
    AssertionError
        If the answer is wrong.

    Examples
    --------
    >>> expect(lambda a, b: a + b, 5, a=2, b=3)
    >>> expect(lambda a, b: a * b, 5, a=2, b=3)
    Traceback (most recent call last):
    AssertionError: Given a = 2, b = 3,
    your function returned 6.
    It should return 5.
    """
    if complaint := _wrong_kind(answer, given) or _complaint(answer, _call(answer, given), Trial(given, want)):
        raise AssertionError(complaint)


def _verdict(name: str, answer) -> Verdict:
    """The first complaint, or praise. Fresh random numbers each time: to pass, an answer must be right in general."""
    if is_stub(answer):
        return Verdict(name, "not attempted", "not attempted yet. Replace the ... with your answer.")
    every = list(_EXERCISES[name](np.random.default_rng()))
    if complaint := _wrong_kind(answer, every[0].given):
        return Verdict(name, "not yet", f"not yet.\n{complaint}")
    calls = []
    for each in every:
        calls.append(_call(answer, each.given))
        if complaint := _complaint(answer, calls[-1], each, _ENDLESS[name]):
            hint = _other_order(answer, each.given) or _hint(name, answer, every, calls)
            return Verdict(name, "not yet", "\n".join(["not yet.", complaint, *hint]))
    right = "right." if len(every) == 1 else f"right, on all {len(every)} trials."
    praise = [each.praise(made.result) for each, made in zip(every, calls, strict=True) if each.praise]
    return Verdict(name, "right", " ".join([right, *praise]))


def _call(answer, given: dict) -> Call:
    return call(answer, given, PATIENCE) if given else Call(answer)


def _wrong_kind(answer, given: dict) -> str | None:
    """What is wrong with an answer before it is tried: a value for a function, or other parameters."""
    if not given:
        called = "The answer must be a value, but you passed a function. Call it, and pass what it returns."
        return called if callable(answer) else None
    if not callable(answer):
        kind = f"The answer must be a function, but you passed {_a_kind(answer)}."
        return f"{kind} Pass the function itself: its name, with no brackets after it."
    try:
        parameters = signature(answer)
    except ValueError:  # some functions that are not written in Python do not tell
        return None
    try:
        parameters.bind(*given.values())
    except TypeError:
        called = f"{counted(len(given), 'argument')}: {', '.join(given)}"
        return f"Your function has the parameters {parameters}, but it is called with {called}."
    return None


def _complaint(answer, made: Call, each: Trial, endless: str = ENDLESS) -> str | None:
    """What is wrong with the answer in this trial, if anything."""
    if not each.given:
        return each.fault(made.result)
    wrong = _no_result(answer, made, endless) or each.fault(made.result)
    if made.changed and not wrong:
        wrong = (
            f"the result is right, but your function changes {made.changed}. Work on a copy: the caller may need it."
        )
    return wrong and f"Given {described(each.given)},\n{wrong}"


def _no_result(answer, made: Call, endless: str = ENDLESS) -> str | None:
    """Why a call brought nothing that could be right or wrong, if so."""
    if isinstance(made.error, Endless):
        return f"your function was still running after {PATIENCE:g} seconds and was stopped.\n{endless}"
    if made.error:
        return stopped(made.error, answer)
    if made.result is None and made.printed:
        return "your function returned None. Did you use print instead of return?"
    if made.result is None:
        return "your function returned None. Every path through it must end in a return."
    if made.result is ...:
        return "your function still returns the placeholder `...`."
    return None


def _other_order(answer, given: dict) -> list[str]:
    """A hint for a function that takes the arguments in another order, to judge by the names of its parameters."""
    try:
        parameters = list(signature(answer).parameters)
    except (TypeError, ValueError):  # a value, or a function that does not tell
        return []
    if parameters == list(given) or sorted(parameters) != sorted(given):
        return []
    called = f"it is called with {', '.join(given)}, in this order."
    return [f"Your function has the parameters {', '.join(parameters)}, but {called}"]


def _hint(name: str, answer, every: list[Trial], calls: list[Call]) -> list[str]:
    """The hint for the mistake that explains a wrong result, and all others too; none if two mistakes do.

    The last of the calls so far is the one that failed. The answer is quietly tried on the trials that are left.
    """
    failed = every[len(calls) - 1]
    if failed.given and (_no_result(answer, calls[-1]) or not failed.fault(calls[-1].result)):
        return []
    left = _MISTAKES[name]
    for k, each in enumerate(every):
        if not left:
            return []
        if k == len(calls):
            with redirect_stdout(StringIO()):
                calls.append(_call(answer, each.given))
        left = [(hint, shows) for hint, shows in left if _explains(shows, calls[k], each.given)]
    hints = {hint for hint, _ in left}
    return list(hints) if len(hints) == 1 else []


def _explains(shows: Callable[[object, dict], bool], made: Call, given: dict) -> bool:
    try:
        return made.error is None and shows(made.result, given)
    except Exception:  # the result is so odd that the mistake cannot be compared with it
        return False


def _a_kind(value) -> str:
    if value is None:
        return "None"
    return "an array" if isinstance(value, np.ndarray) else f"a value of type {type(value).__name__}"
