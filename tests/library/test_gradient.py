"""Losses against naive sums and scikit-learn; subgradients against their definition; descent against the perceptron."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import hinge_loss as sklearn_hinge_loss

from pla_lib import (
    blobs,
    hinge_loss,
    is_subgradient,
    perceptron,
    perceptron_loss,
    sgd,
    subdifferential,
    zero_one_loss,
)

numbers = st.integers(-3, 3)
rows = st.lists(st.tuples(numbers, numbers, st.sampled_from([-1, 1])), min_size=2, max_size=7)
weights = st.tuples(numbers, numbers, numbers)


def exact_rows(rows):
    return [[Fraction(a, 3), Fraction(b, 3)] for a, b, _ in rows], [row[2] for row in rows]


@given(rows, weights)
def test_losses_are_their_sums(rows, theta):
    X, y = exact_rows(rows)
    theta = [Fraction(t) for t in theta]
    signed = [label * (theta[0] + theta[1] * a + theta[2] * b) for (a, b), label in zip(X, y, strict=True)]
    assert perceptron_loss(theta, X, y) == sum(max(Fraction(0), -m) for m in signed)
    assert hinge_loss(theta, X, y) == sum(max(Fraction(0), 1 - m) for m in signed)
    wrong = {"mistake": lambda m, _: m <= 0, "correct": lambda m, _: m < 0}
    wrong["negative"] = lambda m, label: m < 0 or (m == 0 and label == 1)
    wrong["positive"] = lambda m, label: m < 0 or (m == 0 and label == -1)
    for tie, is_wrong in wrong.items():
        assert zero_one_loss(theta, X, y, tie=tie) == sum(map(is_wrong, signed, y))


def test_hinge_loss_equals_that_of_scikit_learn():
    X, y = blobs(50)
    theta = np.array([0.3, -0.2, 0.9])
    scores = theta[0] + X @ theta[1:]
    assert hinge_loss(theta, X, y) == pytest.approx(50 * sklearn_hinge_loss(y, scores))


@given(st.sampled_from(["perceptron", "hinge"]), rows, weights, st.fractions(0, 1))
def test_exactly_the_elements_of_the_subdifferential_satisfy_the_inequality(loss, rows, theta, c):
    (x, *_), (y, *_) = exact_rows(rows)
    theta = np.array([Fraction(t) for t in theta])
    sub = subdifferential(loss, theta, x, y)
    signed = y * np.array([1, *x])
    # Along the example itself the loss bends: there a wrong slope shows, on one side or the other.
    others = [theta + Fraction(step) * signed for step in (-50, -1, Fraction(-1, 1000), Fraction(1, 1000), 1, 50)]
    assert is_subgradient(loss, -c * signed, theta, x, y, others) == (sub.low <= c <= sub.high)
    for beyond in (Fraction(-1, 10), Fraction(11, 10)):
        assert not is_subgradient(loss, -beyond * signed, theta, x, y, others)


@given(rows, st.integers(1, 5), weights)
def test_descent_on_the_perceptron_loss_is_the_perceptron(rows, epochs, theta0):
    X, y = [row[:2] for row in rows], [row[2] for row in rows]
    for kink, tie in ((1, "mistake"), (0, "correct")):
        run = perceptron(X, y, tie=tie, theta0=theta0, max_epochs=epochs)
        descent = sgd(X, y, kink=kink, theta0=theta0, epochs=run.epochs)
        assert descent.theta.tolist() == run.theta.tolist()
        assert np.flatnonzero(descent.c).tolist() == run.times.tolist()


@given(rows, st.fractions(0, 1))
def test_descent_is_the_naive_descent(rows, kink):
    X, y = exact_rows(rows)
    descent = sgd(X, y, "hinge", step=Fraction(1, 3), kink=kink, epochs=3)
    theta, thetas = np.array([Fraction(0)] * 3), [[0, 0, 0]]
    for _ in range(3):
        for x, label in zip(X, y, strict=True):
            m = label * (theta @ [1, *x])
            c = 1 if m < 1 else kink if m == 1 else 0
            theta = theta + Fraction(1, 3) * c * label * np.array([1, *x])
            thetas.append(theta.tolist())
    assert descent.thetas.tolist() == thetas


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sgd([[1.0]], [1], "zero-one"), "counting loss cannot be descended: .* no subgradient"),
        (lambda: sgd([[1.0]], [1], "square"), '"perceptron" or "hinge"; it was given \'square\''),
        (lambda: sgd([[1.0]], [1], kink=2), "between 0 and 1; it was given 2"),
        (lambda: sgd([[1.0]], [1], epochs=0), "at least 1; it was given 0"),
        (lambda: sgd([[1.0]], [1], step=0), "step must be a positive number"),
        (lambda: subdifferential("zero-one", [0, 0], [1], 1), "no subgradient"),
        (lambda: subdifferential("hinge", [0, 0], [1], 1).element(0), "c must be between 1 and 1 here; it was given 0"),
        (lambda: hinge_loss([0, 0, 0, 0], [[1.0]], [1]), r"theta must have 2 entries.*\(4,\)"),
        (lambda: zero_one_loss([0, 0], [[1.0]], [1], tie="even"), "it was given 'even'"),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_descent_and_perceptron_round_alike():
    """On tenths, where floats make or miss ties, both sum the score in the same order and so make the same mistakes."""
    for seed in range(300):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-10, 11, size=(8, 2)) / 10, rng.choice([-1, 1], size=8)
        run = perceptron(X, y, max_epochs=30)
        descent = sgd(X, y, epochs=run.epochs)
        assert np.array_equal(descent.visits[descent.c != 0], run.mistakes)
