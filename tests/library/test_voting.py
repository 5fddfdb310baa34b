"""Averaged, voted, pocket and Rocchio against what a run that stores everything gives."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pla_lib import blobs, perceptron
from pla_lib.voting import averaged, pocket, rocchio, voted
from tests.library.examples import data, fractions, numbers, orders, ties


def in_force(run):
    """The weights that predicted at each visit, all of them stored."""
    theta, mistakes, stored = run.theta0, set(run.times.tolist()), []
    for time, i in enumerate(run.visits):
        stored.append(theta)
        if time in mistakes:
            x = np.array([1, *run.X[i]]) if len(theta) > run.X.shape[1] else run.X[i]
            theta = theta + run.eta * int(run.y[i]) * x
    return stored


@given(data, orders, ties, st.booleans(), st.sampled_from([1, Fraction(1, 7)]), numbers)
def test_averaged_is_the_mean_of_the_stored_weights_exactly(rows, order, tie, bias, eta, start):
    X, y = fractions(rows)
    theta0 = [Fraction(start, 2)] * (3 if bias else 2)
    run = perceptron(X, y, order=order, tie=tie, bias=bias, eta=eta, theta0=theta0, max_epochs=10, seed=0)
    stored = in_force(run)
    mean = averaged(run)
    assert mean.tolist() == [sum(column) * Fraction(1, len(stored)) for column in zip(*stored, strict=True)]
    assert {type(number) for number in mean} == {Fraction}
    assert run.survival.sum() == len(stored)
    weighted = sum(int(c) * theta for c, theta in zip(run.survival, run.thetas, strict=True))
    assert mean.tolist() == (weighted * Fraction(1, len(stored))).tolist()


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from(["cyclic", "random"]))
def test_averaged_is_the_mean_of_the_stored_weights_in_floats(seed, bias, order):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(25, 3)), rng.choice([-1, 1], 25)
    run = perceptron(X, y, bias=bias, order=order, max_epochs=6, eta=0.5, seed=seed)
    np.testing.assert_allclose(averaged(run), np.mean(in_force(run), axis=0), rtol=1e-9, atol=1e-12)


def test_averaged_of_a_run_without_a_mistake_is_its_start():
    run = perceptron([[1.0], [-1.0]], [1, -1], theta0=[0.0, 2.0])
    assert averaged(run).tolist() == [0, 2]
    assert voted(run, [[3.0], [-3.0]]).tolist() == [1, -1]


def test_averaged_stores_no_weights():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 50)), rng.choice([-1, 1], 200)
    run = perceptron(X, y, max_epochs=200)
    assert len(run.mistakes) > 10_000
    tracemalloc.start()
    try:
        averaged(run)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * 51 * len(run.mistakes) / 4  # bytes; the thetas would have 8 for each of the 51 entries


@given(data, orders, ties, st.booleans())
def test_vote_is_what_the_naive_vote_gives(rows, order, tie, bias):
    X, y = fractions(rows)
    run = perceptron(X, y, order=order, tie=tie, bias=bias, max_epochs=10, seed=0)
    wanted = []
    for x in X:
        augmented = np.array([1, *x]) if bias else x
        ballots = [1 if theta @ augmented > 0 else -1 for theta in in_force(run)]
        wanted.append(1 if sum(ballots) > 0 else -1)
    assert voted(run, X).tolist() == wanted
    assert [voted(run, x) for x in X] == wanted


def test_vote_in_blocks_is_the_vote_in_one(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.choice([-1, 1], 40)
    run = perceptron(X, y, max_epochs=20)
    whole, best = voted(run, X), pocket(X, y, seed=0)
    monkeypatch.setattr("pla_lib.voting.BLOCK", 100)
    assert voted(run, X).tolist() == whole.tolist()
    assert pocket(X, y, seed=0).theta.tolist() == best.theta.tolist()


def test_tied_vote_is_negative():
    # theta is 0, then (1), and the run ends: one visit each. 0 votes -1 on x = 1, and 1 votes +1.
    run = perceptron([[1.0]], [1], order=[0], bias=False, max_epochs=2)
    assert run.survival.tolist() == [1, 1]
    assert voted(run, [[1.0]]).tolist() == [-1]


@given(data, orders, st.booleans())
def test_pocket_is_the_earliest_of_the_best_weights_met(rows, order, bias):
    X, y = fractions(rows)
    best = pocket(X, y, order=order, bias=bias, max_epochs=10, seed=0)
    inputs = np.array([[1, *x] for x in X]) if bias else X
    labels = [[1 if theta @ x > 0 else -1 for x in inputs] for theta in best.run.thetas]
    errors = [sum(a != b for a, b in zip(given, y, strict=True)) for given in labels]
    assert best.errors == min(errors)
    assert best.theta.tolist() == best.run.thetas[errors.index(min(errors))].tolist()
    assert best.errors <= best.run.errors.min()


def test_pocket_separates_what_can_be_separated():
    X, y = blobs(30, seed=3)
    best = pocket(X, y)
    assert best.run.converged
    assert best.errors == 0
    assert best.run.hyperplane.separates(X, y)
    again = pocket(X, y, seed=best.run.seed)
    assert again.theta.tolist() == best.theta.tolist()


def test_pocket_beats_the_last_weights_on_noisy_data():
    X, y = blobs(60, seed=1)
    y = np.where(np.arange(60) % 10 == 0, -y, y)
    best = pocket(X, y, max_epochs=30, seed=0)
    assert 0 < best.errors < best.run.errors[-1]


@given(data.filter(lambda rows: len({row[2] for row in rows}) == 2))
def test_rocchio_is_the_difference_of_the_class_means(rows):
    X, y = fractions(rows)
    positive = [x for x, label in zip(X, y, strict=True) if label > 0]
    negative = [x for x, label in zip(X, y, strict=True) if label < 0]
    u, v = (sum(some) * Fraction(1, len(some)) for some in (positive, negative))
    assert rocchio(X, y).tolist() == (u - v).tolist()
    b, *w = rocchio(X, y, bias=True)
    assert w == (u - v).tolist()
    assert w @ (u + v) * Fraction(1, 2) + b == 0
    assert not any(isinstance(number, float) for number in [b, *w])
    # The hyperplane is where both means are equally far; the positive side is that of u.
    for x in X:
        assert np.sign(w @ x + b) == np.sign((x - v) @ (x - v) - (x - u) @ (x - u))
    np.testing.assert_allclose(rocchio(X.astype(float), y, bias=True), np.array([b, *w], dtype=float), atol=1e-12)


def test_rocchio_keeps_whole_numbers_among_fractions_exact():
    theta = rocchio([[1, Fraction(1, 2)], [2, 0], [0, 0]], [1, 1, -1], bias=True)
    assert theta.tolist() == [Fraction(-37, 32), Fraction(3, 2), Fraction(1, 4)]


def test_rocchio_errs_on_data_that_can_be_separated():
    """Elkan's quiz: one far example pulls the mean across."""
    X, y = [[1.0, 1.0], [1.0, -20.0], [-1.0, -1.0], [-1.0, -2.0]], np.array([1, 1, -1, -1])
    assert perceptron(X, y, bias=False).hyperplane.separates(X, y)
    assert (np.sign(X @ rocchio(X, y)) != y).any()
    b, *w = rocchio(X, y, bias=True)
    assert (np.sign(X @ np.array(w) + b) != y).any()


def test_rocchio_is_right_on_the_unit_circle():
    angles = np.linspace(-1.2, 1.2, 9)
    X, y = np.r_[np.c_[np.cos(angles), np.sin(angles)], -np.c_[np.cos(angles), np.sin(angles)]], np.repeat([1, -1], 9)
    assert (np.sign(X @ rocchio(X, y)) == y).all()


X, Y = [[0.0, 1.0], [1.0, 0.0]], [1, -1]
RUN = perceptron(X, Y)
BAD = [
    (
        lambda: voted(RUN, [[1.0]]),
        r"points must have 2 features, as the run's examples have; the shape given is \(1, 1\)",
    ),
    (lambda: voted(RUN, np.empty((0, 2))), r"points must have 2 features.*the shape given is \(0, 2\)"),
    (lambda: voted(RUN, 1.0), "points must have 2 features"),
    (lambda: voted(RUN, [[np.nan, 1.0]]), "X must be finite"),
    (lambda: pocket(X, [0, 1]), r"labels must be -1 or \+1, but y holds 0; for labels 0 and 1"),
    (lambda: pocket(X, Y, order="sorted"), "order must be"),
    (lambda: pocket(X, Y, max_epochs=0), "max_epochs must be a whole number"),
    (lambda: rocchio(X, [1, 1]), r"rocchio needs both classes, but every label in y is \+1"),
    (lambda: rocchio(X, [-1, -1], bias=True), "rocchio needs both classes, but every label in y is -1"),
    (lambda: rocchio(X, [1]), "one label for each of the 2 rows"),
    (lambda: rocchio([[np.inf], [1.0]], Y), "X must be finite"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_refused_in_words(call, words):
    with pytest.raises(ValueError, match=words):
        call()
