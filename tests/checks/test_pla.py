"""The checks of chapter 02 tell right from wrong, say what is wrong, and let the stub pass as not attempted."""

import numpy as np
import pytest

from pla_lib import check, checks


def verdict(capsys, name, answer) -> str:
    check(name, answer)
    return capsys.readouterr().out.removeprefix(f"{name}: ").strip()


def stub(*args, **kwargs): ...


def visit(theta, x, y):
    return theta + y * x if y * (theta @ x) <= 0 else theta


def strict_visit(theta, x, y):
    return theta + y * x if y * (theta @ x) < 0 else theta


def visit_that_always_updates(theta, x, y):
    return theta + y * x


def visit_without_the_label(theta, x, y):
    return theta + x if y * (theta @ x) <= 0 else theta


def mistakes(X, y, tie=0.0, epochs=10_000, one=1.0):
    inputs = np.c_[np.full(len(X), one), X]
    theta, made = np.zeros(inputs.shape[1]), []
    for _ in range(epochs):
        before = len(made)
        for i in range(len(y)):
            if y[i] * (theta @ inputs[i]) <= tie:
                theta = theta + y[i] * inputs[i]
                made.append(i)
        if len(made) == before:
            break
    return made


def mistakes_without_ties(X, y):
    return mistakes(X, y, tie=-1e-12)


def mistakes_of_one_epoch(X, y):
    return mistakes(X, y, epochs=1)


def mistakes_counted(X, y):
    return len(mistakes(X, y))


def mistakes_without_offset(X, y):
    return mistakes(X, y, one=0.0, epochs=50)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("02.1", visit),
        ("02.4", ([[1], [0]], [1, -1])),
        ("02.5", mistakes),
        ("02.5", lambda X, y: tuple(mistakes(X, y))),
    ],
)
def test_right_answers_are_right(capsys, name, answer):
    assert verdict(capsys, name, answer).startswith("right")


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("02.1", strict_visit, "it should be [1.0, 2.0, 1.0]"),
        ("02.1", visit_that_always_updates, "it should be"),
        ("02.1", visit_without_the_label, "y = -1"),
        ("02.1", lambda theta, x, y: theta + z, "it stops with NameError"),  # noqa: F821
        ("02.1", 3, "must be a function"),
        ("02.4", ([[1], [2]], [1, 1]), "none takes a positive signed score"),
        ("02.4", ([[1, 2], [3]], [1, -1]), "a pair (X, y)"),
        ("02.4", 7, "a pair (X, y)"),
        ("02.5", mistakes_without_ties, "Given X = [[1.0], [0.0]]"),
        ("02.1", lambda theta, x, y: theta + y * x if y * (theta @ x) <= 0 else None, "it returns nothing"),
        ("02.5", mistakes_of_one_epoch, "it should be [0, 1, 1, 0, 1]"),
        ("02.5", mistakes_counted, "the answer is 5; it should be [0, 1, 1, 0, 1]"),
        ("02.5", mistakes_without_offset, "Given X ="),
    ],
)
def test_wrong_answers_are_refused_with_a_reason(capsys, name, answer, words):
    for _ in range(5):  # whatever the random trials
        said = verdict(capsys, name, answer)
        assert said.startswith(("not yet.", "the answer must"))
        assert words in said


@pytest.mark.parametrize(
    ("name", "answer"), [("02.1", ...), ("02.1", stub), ("02.4", ...), ("02.5", ...), ("02.5", stub)]
)
def test_stub_is_not_attempted(capsys, name, answer):
    assert verdict(capsys, name, answer) == "not attempted yet."


def test_an_answer_that_changes_its_input_is_told_so(capsys):
    def greedy(theta, x, y):
        if y * (theta @ x) <= 0:
            theta += y * x
        return theta

    assert "the result is right, but it changes theta" in verdict(capsys, "02.1", greedy)


def test_names_of_parameters_are_free(capsys):
    assert verdict(capsys, "02.1", lambda weights, example, label: visit(weights, example, label)).startswith("right")


def test_endless_answer_is_stopped(capsys, monkeypatch):
    monkeypatch.setattr(checks, "PATIENCE", 0.2)

    def endless(X, y):
        while True:
            pass

    assert "it has not come to an end" in verdict(capsys, "02.5", endless)


@pytest.mark.parametrize("name", ["02.9", "nonsense", 3])
def test_unknown_exercise_is_refused_in_words(name):
    with pytest.raises(ValueError, match="there is no exercise"):
        check(name, ...)
