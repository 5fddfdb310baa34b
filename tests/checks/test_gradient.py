"""The checks of chapter 03 tell right from wrong, say what is wrong, and let the stub pass as not attempted."""

import numpy as np
import pytest

from pla_lib import check


def verdict(capsys, name, answer) -> str:
    check(name, answer)
    return capsys.readouterr().out.removeprefix(f"{name}: ").strip()


def stub(*args, **kwargs): ...


def subgradient(theta, x, y, c):
    m = y * (theta @ x)
    return -(1 if m < 0 else 0 if m > 0 else c) * y * x


def subgradient_of_the_wrong_sign(theta, x, y, c):
    return -subgradient(theta, x, y, c)


def subgradient_with_c_everywhere(theta, x, y, c):
    return -c * y * x


def subgradient_that_is_zero_at_ties(theta, x, y, c):
    return -y * x * (y * (theta @ x) < 0)


def subgradient_without_the_label(theta, x, y, c):
    m = y * (theta @ x)
    return -(1 if m < 0 else 0 if m > 0 else c) * x


def hinge_epoch(theta, X, y, step):
    for x_i, y_i in zip(X, y, strict=True):
        if y_i * (theta @ x_i) < 1:
            theta = theta + step * y_i * x_i
    return theta


def hinge_epoch_that_moves_at_the_kink(theta, X, y, step):
    for x_i, y_i in zip(X, y, strict=True):
        if y_i * (theta @ x_i) <= 1:
            theta = theta + step * y_i * x_i
    return theta


def perceptron_epoch(theta, X, y, step):
    for x_i, y_i in zip(X, y, strict=True):
        if y_i * (theta @ x_i) <= 0:
            theta = theta + step * y_i * x_i
    return theta


def all_at_once(theta, X, y, step):
    return theta + step * (y * (y * (X @ theta) < 1)) @ X


def hinge_epoch_without_step(theta, X, y, step):
    return hinge_epoch(theta, X, y, 1)


UPHILL = ([[3], [5]], [+1, -1], [-1], 0)
RIGHT = {"03.1": (2, 1, 3.5), "03.2": subgradient, "03.4": UPHILL, "03.5": hinge_epoch}


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_pass(capsys, name):
    for _ in range(20):  # fresh random numbers each time
        assert verdict(capsys, name, RIGHT[name]).startswith("right")


def test_other_forms_of_a_right_answer_pass(capsys):
    assert verdict(capsys, "03.1", np.array([2, 1, 3.5])) == "right."
    with_offset = ([[3.0], [5.0]], [+1, -1], [0.0, -1.0], 0)
    assert verdict(capsys, "03.4", with_offset) == "right."


@pytest.mark.parametrize("name", RIGHT)
def test_stubs_are_not_attempted(capsys, name):
    assert verdict(capsys, name, ...) == "not attempted yet."
    if callable(RIGHT[name]):
        assert verdict(capsys, name, stub) == "not attempted yet."


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("03.1", (1, 1, 3.5), "counting loss is not right"),
        ("03.1", (2, 0, 3.5), "perceptron loss is not right"),
        ("03.1", (2, 1, 3), "hinge loss is not right"),
        ("03.1", 6.5, "three numbers"),
        ("03.1", ("two", 1, 3.5), "three numbers"),
        ("03.2", subgradient_of_the_wrong_sign, "it should be"),
        ("03.2", subgradient_with_c_everywhere, "it should be"),
        ("03.2", subgradient_that_is_zero_at_ties, "it should be"),
        ("03.2", subgradient_without_the_label, "it should be"),
        ("03.2", 3, "must be a function"),
        ("03.4", ([[3], [1]], [+1, -1], [-1], 0), "The loss goes from 3 to 2; it is to grow"),
        ("03.4", ([[3], [5]], [+1, -1], [0], 0), "signed score 0; it is to be on the wrong side"),
        ("03.4", ([[3], [5]], [+1, -1], [-1], 1), "signed score 5"),
        ("03.4", ([[3], [5]], [+1, -1], [-1], 2), "an index of an example"),
        ("03.4", ([[3], [5]], [1, 0], [-1], 0), "labels must be -1 or"),
        ("03.4", ([[3], [5]], [+1, -1], [-1, 0, 0], 0), "theta must have 2 entries"),
        ("03.4", ([[3], [5]], [+1, -1], [-1]), "four things"),
        ("03.5", hinge_epoch_that_moves_at_the_kink, "it should be"),
        ("03.5", perceptron_epoch, "it should be"),
        ("03.5", all_at_once, "it should be"),
        ("03.5", hinge_epoch_without_step, "it should be"),
        ("03.5", 1.0, "must be a function"),
    ],
)
def test_wrong_answers_are_told_what_is_wrong(capsys, name, answer, words):
    for _ in range(5):
        said = verdict(capsys, name, answer)
        assert words in said
        assert not said.startswith("right")
        if not callable(RIGHT[name]):
            assert "2, 1, 3.5" not in said
