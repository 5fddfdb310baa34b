"""The checks of chapter 01 tell right from wrong, say what is wrong, and leave the stub alone."""

from fractions import Fraction

import numpy as np
import pytest

from pla_lib import check

FUNCTIONS = {"01.3": "w, b, X", "01.5": "w, b, v, c", "01.6": "P"}
VALUES = ["01.1", "01.7", "01.8"]


def distance(w, b, X):
    return abs(X @ w + b) / np.linalg.norm(w)


def same_hyperplane(w, b, v, c):
    one, other = np.append(w, b), np.append(v, c)
    one, other = one / np.linalg.norm(one), other / np.linalg.norm(other)
    return np.allclose(one, other) or np.allclose(one, -other)


def hyperplane_through(P):
    theta = np.linalg.svd(np.c_[np.ones(len(P)), P])[2][-1]
    return theta[1:], theta[0]


def with_offset_one(P):
    return np.linalg.solve(P, -np.ones(len(P))), 1.0


def by_slope(P):
    slope = (P[1, 1] - P[0, 1]) / (P[1, 0] - P[0, 0])
    return [slope, -1], P[0, 1] - slope * P[0, 0]


RIGHT = [
    ("01.1", [3.6, -0.2]),
    ("01.1", np.array([Fraction(18, 5), Fraction(-1, 5)])),
    ("01.3", distance),
    ("01.5", same_hyperplane),
    ("01.5", lambda w, b, v, c: np.linalg.matrix_rank([[*w, b], [*v, c]], tol=1e-9) == 1),
    ("01.6", hyperplane_through),
    ("01.7", ([1.0], 0.0, [[0.0], [1.0]], [-1, +1])),
    ("01.7", ([1, 1], -1, [[0, 1], [2, 2], [0, 0]], [-1, +1, -1])),
    ("01.8", [0.5, 0.25, 0.25, 1]),
    ("01.8", [Fraction(1, 4), Fraction(1, 8), Fraction(1, 8), Fraction(1, 2)]),
]
WRONG = [
    ("01.1", [6, 3], "not on the line: its score is 20"),
    ("01.1", [2, 1], "on the line, but the step from it to z is not along w"),
    ("01.1", 4, "a point of the plane, two numbers"),
    ("01.1", "(3.6, -0.2)", "a point of the plane, two numbers"),
    ("01.1", [np.nan, 1], "a point of the plane, two numbers"),
    ("01.3", lambda w, b, X: (X @ w + b) / np.linalg.norm(w), "the answer is [-1.0, 0.0, -3.0]; it should be"),
    ("01.3", lambda w, b, X: abs(X @ w + b) / np.linalg.norm(np.append(b, w)), "it should be [1.0, 0.0, 3.0]"),
    ("01.3", lambda w, b, X: abs(X @ w + b), "the answer is [5.0, 0.0, 15.0]"),
    ("01.3", lambda w, b, X: abs(X[0] @ w + b) / np.linalg.norm(w), "the answer is 1.0; it should be [1.0, 0.0, 3.0]"),
    ("01.3", 4, "must be a function"),
    ("01.5", lambda w, b, v, c: np.allclose(w, v) and np.isclose(b, c), "it should be True"),
    ("01.5", lambda w, b, v, c: np.allclose(w / np.linalg.norm(w), v / np.linalg.norm(v)), "it should be True"),
    ("01.5", lambda w, b, v, c: abs(w @ v) > 0.999 * np.linalg.norm(w) * np.linalg.norm(v), "it should be False"),
    ("01.5", lambda w, b, v, c: np.allclose(v / w, c / b), "stops with ZeroDivisionError"),
    ("01.6", with_offset_one, "stops with LinAlgError"),
    ("01.6", by_slope, "no hyperplane"),
    ("01.6", lambda P: (P[0], 0.0), "that is no hyperplane"),
    ("01.6", lambda P: (np.ones(len(P)), -P[0].sum()), "away from the hyperplane"),
    ("01.6", lambda P: hyperplane_through(P)[0], "it should have (2,)"),
    ("01.6", lambda P: 3.0, "not a pair w, b"),
    ("01.6", lambda P: (np.append(*hyperplane_through(P)), 0.0), "it should have (2,)"),
    ("01.7", ([1.0], -0.5, [[0.0], [1.0]], [-1, +1]), "does separate the examples"),
    ("01.7", ([1.0], 0.0, [[-1.0], [0.0]], [-1, +1]), "sgn of that is not its label 1"),
    ("01.7", ([1.0], 0.0, [[0.0]], [-1]), "Both labels should occur"),
    ("01.7", ([0.0], 0.0, [[0.0], [1.0]], [-1, +1]), "w is zero"),
    ("01.7", [1.0, 0.0], "is refused"),
    ("01.8", [0.25, 0.25, 0.25, 0.25], "it should be zero in every entry"),
    ("01.8", [0.5, 0.25, 0.25, -1], "No lambda may be negative"),
    ("01.8", [0, 0, 0, 0], "not all of them may be zero"),
    ("01.8", [1, 1], "a list of four numbers"),
]


@pytest.mark.parametrize(("name", "answer"), RIGHT)
def test_right_answer_passes_however_often_it_is_tried(name, answer, capsys):
    for _ in range(5):
        check(name, answer)
        assert capsys.readouterr().out.startswith(f"{name}: right")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a wrong answer may divide by zero
@pytest.mark.parametrize(("name", "answer", "words"), WRONG)
def test_wrong_answer_is_told_what_is_wrong(name, answer, words, capsys):
    check(name, answer)
    said = capsys.readouterr().out
    assert said.startswith(f"{name}: not yet.") or "must be a function" in said
    assert words in said


@pytest.mark.parametrize("name", [*FUNCTIONS, *VALUES])
def test_stub_is_not_attempted_yet(name, capsys):
    check(name, ...)
    if name in FUNCTIONS:
        check(name, eval(f"lambda {FUNCTIONS[name]}: ..."))
        check(name, eval(f"lambda {FUNCTIONS[name]}: None"))
    assert set(capsys.readouterr().out.splitlines()) == {f"{name}: not attempted yet."}


@pytest.mark.parametrize(("name", "answer", "words"), [row for row in WRONG if row[0] in VALUES])
def test_value_is_not_given_away(name, answer, words, capsys):
    check(name, answer)
    said = capsys.readouterr().out
    assert not any(secret in said for secret in ("3.6", "-0.2", "0.25, 0.25"))
