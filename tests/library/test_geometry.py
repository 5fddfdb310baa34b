"""Hyperplanes against their definitions: what is nearest, what is orthogonal, what is the same set."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from pla_lib import Hyperplane

entries = st.integers(-9, 9)
planes = st.lists(entries, min_size=2, max_size=4).filter(any)


def fractions(numbers):
    return [Fraction(number, 7) for number in numbers]


@given(planes, entries, st.data())
def test_projection_lies_on_the_hyperplane_and_moves_along_w(w, b, data):
    x = fractions(data.draw(st.lists(entries, min_size=len(w), max_size=len(w))))
    plane = Hyperplane(fractions(w), Fraction(b, 7))
    foot = plane.project(x)
    assert plane.score(foot) == 0
    shift = foot - x
    # Parallel to w: every 2 x 2 determinant vanishes.
    assert all(shift[i] * w[j] == shift[j] * w[i] for i in range(len(w)) for j in range(len(w)))
    assert plane.distance(x) == pytest.approx(float(np.sqrt(float(shift @ shift))))
    assert np.sign(plane.distance(x, signed=True)) == np.sign(float(plane.score(x)))


@given(planes, entries, st.integers(0, 1000))
def test_no_point_of_the_hyperplane_is_nearer(w, b, seed):
    plane, z = Hyperplane(w, b), np.random.default_rng(seed).normal(size=len(w))
    on_it = {"type": "eq", "fun": lambda x: x @ np.array(w, float) + b}
    nearest = minimize(lambda x: (x - z) @ (x - z), np.zeros(len(w)), constraints=on_it, tol=1e-12)
    assert plane.distance(z) == pytest.approx(np.sqrt(nearest.fun), abs=1e-4)


@given(planes, entries)
def test_point_plus_directions_describes_the_same_set(w, b):
    plane = Hyperplane(fractions(w), Fraction(b))
    point, directions = plane.point_and_directions()
    assert plane.score(point) == 0
    assert directions.shape == (len(w) - 1, len(w))
    assert not any(directions @ plane.w)
    assert np.linalg.matrix_rank(directions.astype(float)) == len(w) - 1
    if b:  # no vector space: the origin and sums of points are not in it
        assert plane.score(np.zeros(len(w), int)) != 0
        assert plane.score(2 * point) != 0


@given(planes, entries, st.data())
def test_forms_of_the_sources_describe_one_hyperplane(w, b, data):
    x = np.array(data.draw(st.lists(entries, min_size=len(w), max_size=len(w))))
    plane = Hyperplane(w, b)
    score = plane.score(x)
    assert plane.theta @ [1, *x] == score
    assert plane.theta_behind @ [*x, 1] == score
    assert plane.w @ x - plane.shift == score
    same = [Hyperplane.from_theta(plane.theta), Hyperplane.from_theta(plane.theta_behind, behind=True)]
    for other in [*same, Hyperplane.from_shift(w, plane.shift)]:
        assert other.score(x) == score


@given(planes, entries, st.integers(0, 1000))
def test_canonical_form_has_margin_one_over_the_norm(w, b, seed):
    X = np.random.default_rng(seed).normal(size=(8, len(w)))
    plane = Hyperplane(w, b)
    y = plane.predict(X)
    assume(plane.separates(X, y))
    canonical = plane.canonical(X, y)
    assert (y * canonical.score(X)).min() == pytest.approx(1)
    assert canonical.margin(X, y) == pytest.approx(1 / canonical.norm)
    assert canonical.margin(X, y) == pytest.approx(plane.margin(X, y))
    assert plane.margin(X, y) == pytest.approx(plane.distance(X).min())
    assert plane.margin(X, -y) < 0


def test_zero_score_is_called_minus_one_and_does_not_separate():
    plane = Hyperplane([1.0], 0.0)
    assert plane.predict([[0.0], [1.0]]).tolist() == [-1, 1]
    assert not plane.separates([[0.0], [1.0]], [-1, 1])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Hyperplane([0, 0], 1), "w is zero, so there is no hyperplane"),
        (lambda: Hyperplane([[1, 2]], 1), "a vector w and a number b"),
        (lambda: Hyperplane([1, 2], [1]), "a vector w and a number b"),
        (lambda: Hyperplane([np.nan, 2], 1), "w must be finite"),
        (lambda: Hyperplane.from_theta([1]), "an offset and at least one weight"),
        (lambda: Hyperplane([1, 2], 1).score([1, 2, 3]), r"points must have 2 features.*\(3,\)"),
        (lambda: Hyperplane([1], 0).canonical([[1], [-1]], [-1, 1]), "only a hyperplane that separates"),
    ],
)
def test_bad_input_is_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()
