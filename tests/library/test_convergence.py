"""The bound and the proof, in exact arithmetic: no run breaks them, and the four dialects agree."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pla_lib import blobs, ledger, mistake_bound, perceptron

numbers = st.integers(-4, 4)
points = st.lists(st.tuples(numbers, numbers), min_size=2, max_size=8)
weights = st.tuples(numbers, numbers, numbers).filter(any)


def separable(points, theta, bias):
    """Examples, exact, with the labels that theta gives them; ties are left out."""
    theta = [Fraction(t) for t in (theta if bias else theta[1:])]
    X = np.array([[Fraction(a), Fraction(b)] for a, b in points])
    scores = np.array([theta[0] + theta[1] * a + theta[2] * b if bias else theta[0] * a + theta[1] * b for a, b in X])
    keep = scores != 0
    assume(keep.any())
    return X[keep], np.where(scores[keep] > 0, 1, -1), theta


@given(points, weights, st.booleans(), st.sampled_from(["cyclic", "random"]), st.tuples(numbers, numbers, numbers))
def test_no_run_breaks_the_bound_or_the_proof(points, theta, bias, order, start):
    X, y, theta = separable(points, theta, bias)
    for theta0 in (None, [Fraction(s) for s in (start if bias else start[1:])]):
        run = perceptron(X, y, bias=bias, order=order, theta0=theta0, eta=Fraction(1, 2), max_epochs=10**5, seed=0)
        assert run.converged
        book = ledger(run, theta)
        assert book.holds
        slack = 0 if theta0 is None else 1e-9
        assert len(run.mistakes) <= book.bound.value * (1 + slack)
        assert len(book.progress) == len(run.mistakes) + 1
        assert book.progress[-1] == run.theta @ theta
        assert book.norm2[-1] == run.theta @ run.theta


@given(points, weights, st.booleans())
def test_four_dialects_are_one_number(points, theta, bias):
    X, y, theta = separable(points, theta, bias)
    bound = mistake_bound(X, y, theta)
    inputs = np.insert(X, 0, 1, axis=1) if bias else X
    numbers, theta = inputs.astype(float), np.array(theta, float)
    signed = y * (numbers @ theta)
    longest = np.linalg.norm(numbers, axis=1).max()
    unit = theta / np.linalg.norm(theta)
    elkan = (longest / (y * (numbers @ unit)).min()) ** 2
    slides = 1 / (y * (numbers / longest @ unit)).min() ** 2
    hsu = np.linalg.norm(theta / signed.min()) ** 2 * longest**2
    assert float(bound.value) == pytest.approx(elkan)
    assert (bound.radius / bound.delta) ** 2 == pytest.approx(elkan)
    assert 1 / bound.gamma**2 == pytest.approx(slides) == pytest.approx(elkan)
    assert bound.hsu_norm**2 * bound.radius**2 == pytest.approx(hsu) == pytest.approx(elkan)
    w = theta[-2:]
    if w.any():
        bloch = theta / np.linalg.norm(w)
        assert bound.margin == pytest.approx((y * (numbers @ bloch)).min())
        assert (bound.norm * bound.radius / bound.margin) ** 2 == pytest.approx(elkan)
    else:
        assert bound.margin == bound.norm == float("inf")


def test_bound_is_reached_by_orthogonal_ties():
    for d in (1, 2, 5, 9):
        X = np.array([[Fraction(int(i == j)) for j in range(d)] for i in range(d)])
        y = np.where(np.arange(d) % 2, -1, 1)
        run = perceptron(X, y, bias=False)
        assert len(run.mistakes) == d == mistake_bound(X, y, run.theta).value
        assert len(perceptron(X, y, bias=False, tie="correct").mistakes) == 0


def test_ledger_in_floats_holds_up_to_rounding_and_can_fail():
    X, y = blobs(40, gap=0.05, seed=1)
    run = perceptron(X, y)
    book = ledger(run, run.theta)
    assert book.holds
    broken = type(book)(**{**vars(book), "norm2": book.ceiling2 + 1})
    assert not broken.holds


def test_zero_margin_has_no_bound():
    with pytest.raises(ValueError, match=r"theta must separate the examples.*the least is 0"):
        mistake_bound([[0.0], [1.0]], [-1, 1], [0, 1])
    with pytest.raises(ValueError, match="theta must have 3 entries, as the run's weights have"):
        ledger(perceptron(*blobs()), [1, 2])


def test_whole_numbers_are_as_exact_as_the_fractions_beside_them():
    X, y = np.array([[Fraction(1, 3)], [Fraction(-1, 7)]]), [1, -1]
    bound = mistake_bound(X, y, [0, 1])
    assert isinstance(bound.value, Fraction)
    assert bound.value == (1 + Fraction(1, 9)) * 49
    book = ledger(perceptron(X, y), [0, 1])
    assert book.holds
    assert isinstance(book.progress[-1], Fraction)
