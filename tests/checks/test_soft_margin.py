"""The checks of chapter 06 tell right from wrong, say what is wrong, and let the stub pass as not attempted."""

import numpy as np
import pytest
from sklearn.svm import SVC

from pla_lib import blobs, check, digits, label_noise, soft_margin, two_classes
from pla_lib.datasets import Dataset


def verdict(capsys, name, answer) -> str:
    check(name, answer)
    return capsys.readouterr().out.removeprefix(f"{name}: ").strip()


def stub(*args, **kwargs): ...


def slacks(w, b, X, y):
    return np.maximum(0, 1 - y * (X @ w + b))


def slacks_that_may_be_negative(w, b, X, y):
    return 1 - y * (X @ w + b)


def slacks_from_the_line(w, b, X, y):
    return np.maximum(0, -y * (X @ w + b))


def slacks_without_labels(w, b, X, y):
    return np.maximum(0, 1 - (X @ w + b))


def slacks_as_distances(w, b, X, y):
    return slacks(w, b, X, y) / (np.linalg.norm(w) or 1)


def certifies(theta, alpha, X, y, C, leave_out=None, box=None):
    b, w, box, close = theta[0], theta[1:], C / len(y) if box is None else box, 1e-6
    m = y * (X @ w + b)
    conditions = {
        "w": np.allclose((alpha * y) @ X, w, atol=close),
        "balance": abs(alpha @ y) < close,
        "below": (alpha > -close).all(),
        "above": (alpha < box + close).all(),
        "slack": (abs(alpha - box)[m < 1 - close] < close).all(),
        "beyond": (abs(alpha)[m > 1 + close] < close).all(),
    }
    return bool(all(holds for name, holds in conditions.items() if name != leave_out))


def without(condition):
    return lambda theta, alpha, X, y, C: certifies(theta, alpha, X, y, C, leave_out=condition)


def certifies_with_the_price_of_the_sum(theta, alpha, X, y, C):
    return certifies(theta, alpha, X, y, C, box=C)


def visit(theta, x, y, C, eta):
    shrunk = np.append(theta[0], (1 - eta) * theta[1:])
    return shrunk + eta * C * y * x if y * (theta @ x) < 1 else shrunk


def visit_that_shrinks_the_offset(theta, x, y, C, eta):
    shrunk = (1 - eta) * theta
    return shrunk + eta * C * y * x if y * (theta @ x) < 1 else shrunk


def visit_that_shrinks_only_on_mistakes(theta, x, y, C, eta):
    return visit(theta, x, y, C, eta) if y * (theta @ x) < 1 else theta


def visit_of_a_perceptron(theta, x, y, C, eta):
    shrunk = np.append(theta[0], (1 - eta) * theta[1:])
    return shrunk + eta * C * y * x if y * (theta @ x) <= 0 else shrunk


def visit_at_the_kink(theta, x, y, C, eta):
    shrunk = np.append(theta[0], (1 - eta) * theta[1:])
    return shrunk + eta * C * y * x if y * (theta @ x) <= 1 else shrunk


def visit_without_C(theta, x, y, C, eta):  # noqa: N802 - C is its name
    return visit(theta, x, y, 1, eta)


FIVE = [[-6], [-2], [2], [4], [4]], [1, -1, 1, -1, -1]
ALPHAS = (1 / 16, 1 / 4, 1 / 4, 1 / 16)
RIGHT = {"06.1": slacks, "06.2": ALPHAS, "06.3": certifies, "06.5": (*FIVE, 0.1, 1), "06.6": visit}


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_pass(capsys, name):
    for _ in range(20):  # fresh random numbers each time
        assert verdict(capsys, name, RIGHT[name]).startswith("right")


def test_other_right_answers_pass(capsys):
    assert verdict(capsys, "06.2", np.array(ALPHAS)) == "right."
    assert verdict(capsys, "06.5", (np.array([[-6.0], [0], [4], [5], [6]]), [1, 1, 1, -1, -1], 0.1, 1)) == "right."


@pytest.mark.parametrize("name", RIGHT)
def test_stubs_are_not_attempted(capsys, name):
    assert verdict(capsys, name, ...) == "not attempted yet."
    if callable(RIGHT[name]):
        assert verdict(capsys, name, stub) == "not attempted yet."


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("06.1", slacks_that_may_be_negative, "it should be"),
        ("06.1", slacks_from_the_line, "it should be"),
        ("06.1", slacks_without_labels, "it should be"),
        ("06.1", slacks_as_distances, "it should be"),
        ("06.2", (1 / 4, 1 / 4, 1 / 4, 1 / 4), "should be w = 1/2"),
        ("06.2", (1 / 8, 1 / 4, 1 / 4, 1 / 16), "the same sum"),
        ("06.2", (1 / 8, 1 / 8, 1 / 8, 1 / 8), "have slack"),
        ("06.2", (0, 1, 1, 0), "in the box"),
        ("06.2", 0.25, "four numbers"),
        ("06.2", ("a", 1, 1, 1), "four numbers"),
        *[("06.3", without(condition), "it should be") for condition in ("w", "balance", "below", "above")],
        *[("06.3", without(condition), "it should be") for condition in ("slack", "beyond")],
        ("06.3", certifies_with_the_price_of_the_sum, "it should be"),
        ("06.3", True, "must be a function"),
        ("06.5", (*FIVE, 1, 10), "At the smaller price 2 are wrong or on the line, at the larger one 2 are wrong."),
        ("06.5", (*FIVE, 1, 0.1), "should be the smaller one"),
        ("06.5", (*FIVE, 0, 1), "C must be a positive number"),
        ("06.5", FIVE, "four things"),
        ("06.5", ([-6, 2], [1, -1], 0.1, 1), "write X.reshape"),
        ("06.6", visit_that_shrinks_the_offset, "it should be"),
        ("06.6", visit_that_shrinks_only_on_mistakes, "it should be"),
        ("06.6", visit_of_a_perceptron, "it should be"),
        ("06.6", visit_at_the_kink, "it should be"),
        ("06.6", visit_without_C, "it should be"),
    ],
)
def test_wrong_answers_are_told_what_is_wrong(capsys, name, answer, words):
    for _ in range(5):
        said = verdict(capsys, name, answer)
        assert words in said
        assert not said.startswith("right")
        assert "0.0625" not in said or name != "06.2"


@pytest.mark.parametrize("C", [1, 10, 1000])
def test_C_of_the_chapter_is_translated_as_it_says(C):  # noqa: N802 - C is its name
    """scikit-learn's C is C/N: on the points of the opening, and on eights and nines with noisy labels."""
    X, y = blobs(29, seed=3)
    points = np.vstack([X, [3.1, 0.6]]).round(1), np.append(y, -1)
    pictures = two_classes(*digits(), 8, 9)
    for X, y in (points, label_noise(Dataset(pictures.X[:100] / 16, pictures.y[:100]), 0.1)):
        ours, theirs = soft_margin(X, y, C), SVC(kernel="linear", C=C / len(y), tol=1e-6).fit(X, y)
        w, b = theirs.coef_[0], theirs.intercept_[0]
        value = w @ w / 2 + C / len(y) * np.maximum(0, 1 - y * (X @ w + b)).sum()
        assert value == pytest.approx(ours.objective, rel=1e-4)
        np.testing.assert_allclose(w, ours.w, atol=1e-3 * (1 + abs(ours.w).max()))
