"""The exercises of chapter 08."""

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.datasets import Dataset
from pla_lib.margins import NotSeparable, max_margin
from pla_lib.online import best_comparator, hinge_mistake_bound
from pla_lib.pla import perceptron
from pla_lib.wording import number


@exercise("08.1")
def by_hand(rng: np.random.Generator):
    """M, H over all rounds and the bound of w* = 1/2 for eight rounds with one feature."""
    yield trial(want=_wrong_by_hand)


def _wrong_by_hand(answer) -> str | None:
    try:
        made, losses, bound = (float(number) for number in answer)
    except (TypeError, ValueError):
        return "The answer must be three numbers: M, H and B."
    if made != 3:
        return "M is not right. Round 1 starts at w = 0: a tie, so a mistake. Remember that w can also fall again."
    if not np.isclose(losses, 4):
        mistakes_only = " You added up the mistake rounds; add up all eight rounds." if np.isclose(losses, 3) else ""
        return f"M is right, but H is not. Even a right round has a loss if w* scores it below 1.{mistakes_only}"
    if not np.isclose(bound, 7):
        return "M and H are right, but B is not. L is the length of the longest x, and s is L times the length of w*."
    return None


class _Stream:
    """Pairs (x, y) that can be read once, in order; in words they are a list."""

    def __init__(self, X, y) -> None:
        self.pairs = [(x.tolist(), int(label)) for x, label in zip(X, y, strict=True)]
        self.rest = iter([(x.copy(), int(label)) for x, label in zip(X, y, strict=True)])

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.rest)

    def __repr__(self) -> str:
        return f"a stream of {self.pairs}"


@exercise("08.2")
def wrong_rounds(rng: np.random.Generator):
    """wrong_rounds(stream): the rounds, from 1, that are mistakes, without offset; the stream can be read once."""
    cases = [([[2.0]], [1]), ([[1.0, 0], [0, 1], [1, 1]], [1, 1, -1]), ([[1.0], [1.0], [-1.0]], [-1, -1, 1])]
    for _ in range(12):
        n, d = rng.integers(2, 9), rng.integers(1, 4)
        cases.append((rng.integers(-3, 4, size=(n, d)), rng.choice([-1, 1], n)))
    for X, y in cases:
        X, y = Dataset(X, y)
        times = perceptron(X, y, bias=False, max_epochs=1).times
        yield trial(want=_same_rounds(times + 1), stream=_Stream(X, y))


def _same_rounds(want: np.ndarray):
    def complaint(answer) -> str | None:
        try:
            got = [int(t) for t in answer]
        except (TypeError, ValueError):
            return f"your function returned {answer!r}.\nIt should return a list of rounds."
        if got == want.tolist():
            return None
        hint = ""
        if got == (want - 1).tolist():
            hint = "\nRounds are counted from 1."
        elif 1 not in got:
            hint = "\nRound 1 starts at w = 0, so its score is zero, and that is a mistake."
        return f"your function returned {got}.\nIt should return {want.tolist()}.{hint}"

    return complaint


@exercise("08.3")
def promise(rng: np.random.Generator):
    """promise(X, y, w): the all-rounds hinge bound of w for one pass without offset."""
    X, y = np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([1, 1, -1])
    cases = [(X, y, np.zeros(2)), (X, y, np.array([1.0, 0])), (X[:2], y[:2], np.array([1.0, 1]))]
    for _ in range(12):
        n, d = rng.integers(2, 7), rng.integers(1, 4)
        cases.append((rng.normal(size=(n, d)).round(2), rng.choice([-1, 1], n), rng.normal(size=d).round(2)))
    for X, y, w in cases:
        run = perceptron(X, y, bias=False, max_epochs=1)
        yield trial(want=hinge_mistake_bound(run, w), X=X, y=y, w=w)


@exercise("08.4")
def separable_but(rng: np.random.Generator):
    """(X, y), separable without offset, where the widest separator is not the best comparator."""
    yield trial(want=_wrong_counterexample)


def _wrong_counterexample(answer) -> str | None:
    try:
        X, y = Dataset(*answer)
    except (TypeError, ValueError) as error:
        return f"The answer must be a pair of examples and labels: {error}."
    if len(y) > 10:
        return f"You gave {len(y)} examples; use at most ten. Fewer are enough."
    try:
        widest = max_margin(X, y, bias=False).theta
    except NotSeparable:
        return "No hyperplane through the origin separates these examples."
    except RuntimeError as error:
        return f"The margin of these examples is too small to be computed: {error}."
    run = perceptron(X, y, bias=False, max_epochs=1)
    separator, best = (hinge_mistake_bound(run, w) for w in (widest, best_comparator(X, y)))
    if separator > best * (1 + 1e-4):
        return None
    return (
        f"On your data the widest separator has the bound {number(separator)}, and no comparator has a smaller one. "
        "What makes this bound large, and what is the bound of the shortest comparator of all?"
    )


@exercise("08.5")
def attack(rng: np.random.Generator):
    """attack(K): c_1, c_2, ... such that each example (1, c_t), label +1, is a mistake, K^2/2 of them or more."""
    for K in (2, 4, 10, *(2 * rng.integers(3, 12, size=3)).tolist()):
        yield trial(want=_resisted(K), K=K)


def _resisted(K: int):
    def complaint(answer) -> str | None:
        try:
            cs = [float(c) for c in answer]
        except (TypeError, ValueError):
            return f"your function returned {answer!r}.\nIt should return a list of numbers c."
        too_long = [c for c in cs if not abs(c) <= K]
        if too_long:
            return f"the list holds {too_long[0]:g}, but every c must lie between −K and K."
        w = np.zeros(2)
        for t, c in enumerate(cs, start=1):
            if w @ [1, c] > 0:
                return f"round {t} is not a mistake: w is {w.tolist()}, so (1, {c:g}) scores {w @ [1, c]:g}."
            w += [1, c]
        if len(cs) < K**2 / 2:
            return f"all your rounds are mistakes, but you need at least {K**2 // 2} and your list has {len(cs)}."
        return None

    return complaint
