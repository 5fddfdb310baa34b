"""Hard and soft margins against scikit-learn, a generic quadratic program, the optimality conditions, and by hand."""

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from cvxopt import matrix, solvers
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from pla_lib import limits, margins
from pla_lib.datasets import Dataset, blobs, digits, ill_scaled, label_noise, two_classes, xor
from pla_lib.geometry import Hyperplane
from pla_lib.interior_point import back_end
from pla_lib.limits import Inseparable
from pla_lib.margins import NotSeparable, max_margin, soft_margin, soft_margin_path

pytestmark = pytest.mark.usefixtures("back_end")

seeds = st.integers(0, 10**6)
exponents = st.integers(-3, 6)
sizes = st.sampled_from([1e-6, 1e-3, 1.0, 1e3, 1e6])
whole_rows = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([-1, 1])), min_size=2, max_size=10
)


def noisy(seed, n=30, d=3):
    """Normal examples about some centre, labelled by a hyperplane through it, a sixth of the labels flipped."""
    rng = np.random.default_rng(seed)
    X, centre, w = rng.normal(size=(n, d)), rng.normal(size=d), rng.normal(size=d)
    y = np.where(X @ w > 0, 1, -1) * np.where(np.arange(n) % 6, 1, -1)
    return X + centre, y


def separable(seed, n=30, d=3):
    """Normal examples moved away from a hyperplane through the origin, so that it separates them."""
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(n, d)), rng.normal(size=d)
    y = np.where(np.arange(n) % 2, 1, -1)
    return X - np.outer(X @ w - y * rng.uniform(0.2, 2, n), w) / (w @ w), y


def generic_program(X, y, C, bias):
    """theta by cvxopt's dense `qp`, variables (theta, slack); C = None for the hard margin."""
    n, d = X.shape
    k, m = int(bias), 0 if C is None else n
    signed = y[:, None] * (np.c_[np.ones(n), X] if bias else X)
    P = np.diag(np.r_[np.zeros(k), np.ones(d), np.zeros(m)])
    G = -np.block([[signed, np.eye(n)[:, :m]], [np.zeros((m, k + d)), np.eye(m)]])
    q, h = np.r_[np.zeros(k + d), np.full(m, (C or 0) / n)], np.r_[-np.ones(n), np.zeros(m)]
    options = {"show_progress": False, "abstol": 1e-11, "reltol": 1e-11, "feastol": 1e-11}
    found = solvers.qp(matrix(P), matrix(q), matrix(G), matrix(h), options=options)
    return np.array(found["x"])[: k + d, 0]


def scores(answer, X):
    return X @ answer.w + (answer.theta[0] if answer.bias else 0)


def objective(theta, X, y, C, bias):
    w, b = (theta[1:], theta[0]) if bias else (theta, 0)
    return w @ w / 2 + C / len(y) * np.maximum(0, 1 - y * (X @ w + b)).sum()


def check_optimality(answer, X, y, C=None):
    """The Karush-Kuhn-Tucker conditions, as chapters 05 and 06 state them, and the gap that measures them."""
    box = np.inf if C is None else C / len(y)
    alpha, slack, reach = answer.alpha, answer.slack, abs(X).max()
    assert (alpha >= 0).all()
    assert (alpha <= box).all()
    assert (slack >= 0).all()
    far = y * scores(answer, X) - 1 + slack  # how far each constraint is from being met with equality
    rounding = 1e-13 * (1 + abs(answer.w).max() * reach + abs(answer.theta[0]))
    assert (far > -rounding).all()
    stationary = (alpha * y) @ X
    root = np.sqrt(2 * answer.gap * answer.objective)  # 1/2 ||w - stationary||^2 is a part of the gap
    assert np.linalg.norm(answer.w - stationary) <= root + 1e-12 * alpha.sum() * reach
    if answer.bias:
        assert abs(alpha @ y) <= 1e-13 * alpha.sum()
    if C is not None:
        np.testing.assert_allclose(slack, np.maximum(0, 1 - y * scores(answer, X)), atol=rounding)
        assert (box - alpha) @ slack <= answer.objective * (answer.gap + 1e-12)
    assert alpha @ far <= answer.objective * (answer.gap + 1e-12) + alpha.sum() * rounding
    primal = answer.w @ answer.w / 2 + (box * slack.sum() if C is not None else 0)
    dual = alpha.sum() - stationary @ stationary / 2
    assert answer.objective == pytest.approx(primal, rel=1e-12)
    assert (primal - dual) / primal <= 1.01 * answer.gap + 1e-12
    assert answer.gap <= 1e-8


# Against other solvers


def eighths(X):
    """X on a grid where x'x is exact in single precision, in which SVC keeps it: else it may miss the last digits."""
    return np.round(8 * X) / 8


def scikit_learn(X, y, C):
    """theta by SVC, whose C is C/N here."""
    peer = SVC(kernel="linear", C=C / len(y), tol=1e-9).fit(X, y)
    return np.append(peer.intercept_, peer.coef_[0])


@given(seeds, st.integers(-2, 2))
@settings(max_examples=40)
def test_soft_margin_is_that_of_scikit_learn(seed, exponent):
    X, y = noisy(seed)
    X, C = eighths(X), 10.0**exponent * len(y)
    ours, theirs = soft_margin(X, y, C), scikit_learn(X, y, C)
    assert ours.objective == pytest.approx(objective(theirs, X, y, C, bias=True), rel=1e-6)
    np.testing.assert_allclose(ours.w, theirs[1:], atol=1e-5 * (1 + abs(ours.w).max()))


@pytest.mark.parametrize("C", [1, 10, 1000])
def test_C_on_the_data_of_chapter_06_is_N_times_that_of_scikit_learn(C):  # noqa: N802 - C and N are their names
    """On the points of the opening, and on eights and nines with noisy labels."""
    X, y = blobs(29, seed=3)
    points = np.vstack([X, [3.1, 0.6]]).round(1), np.append(y, -1)
    pictures = two_classes(*digits(), 8, 9)
    for X, y in (points, label_noise(Dataset(pictures.X[:100] / 16, pictures.y[:100]), 0.1)):
        ours, theirs = soft_margin(X, y, C), scikit_learn(X, y, C)
        assert ours.objective == pytest.approx(objective(theirs, X, y, C, bias=True), rel=1e-4)
        np.testing.assert_allclose(ours.w, theirs[1:], atol=1e-3 * (1 + abs(ours.w).max()))


@given(seeds, st.integers(-2, 3), st.booleans())
@settings(max_examples=40)
def test_soft_margin_is_that_of_a_generic_program(seed, exponent, bias):
    X, y = noisy(seed)
    C = 10.0**exponent * len(y)
    ours, theirs = soft_margin(X, y, C, bias=bias), generic_program(X, y, C, bias)
    assert ours.objective == pytest.approx(objective(theirs, X, y, C, bias), rel=1e-6)
    np.testing.assert_allclose(ours.w, theirs[int(bias) :], atol=1e-5 * (1 + abs(ours.w).max()))


@given(seeds, st.booleans(), st.integers(1, 8))
@settings(max_examples=40)
def test_hard_margin_is_that_of_a_generic_program(seed, bias, d):
    X, y = separable(seed, d=d)
    ours = max_margin(X, y, bias=bias)
    theirs = generic_program(X, y, None, bias)
    np.testing.assert_allclose(ours.theta, theirs, rtol=1e-4, atol=1e-5 * abs(ours.theta).max())


@given(seeds)
@settings(max_examples=40)
def test_hard_margin_is_that_of_scikit_learn(seed):
    X, y = separable(seed)
    X = eighths(X + y[:, None] * X[y == 1].mean(axis=0))  # further apart than the grid is wide
    ours = max_margin(X, y)
    theirs = scikit_learn(X, y, 2 * ours.alpha.max() * len(y))
    np.testing.assert_allclose(ours.theta, theirs, atol=1e-5 * abs(ours.theta).max())


# Optimality, for all scales of X and C


@given(seeds, exponents, sizes, st.booleans(), st.booleans())
def test_soft_margin_is_optimal_over_many_decades(seed, exponent, size, bias, noise):
    X, y = noisy(seed) if noise else separable(seed)
    C = 10.0**exponent
    check_optimality(soft_margin(size * X, y, C, bias=bias), size * X, y, C)


@given(seeds, sizes, st.booleans())
def test_hard_margin_is_optimal_over_many_decades(seed, size, bias):
    X, y = separable(seed)
    check_optimality(max_margin(size * X, y, bias=bias), size * X, y)


@given(whole_rows, exponents, st.booleans())
def test_soft_margin_is_optimal_on_a_grid_where_much_coincides(rows, exponent, bias):
    X, y = np.array([row[:2] for row in rows], dtype=float), np.array([row[2] for row in rows])
    C = 10.0**exponent
    soft = soft_margin(X, y, C, bias=bias)
    if bias and len(set(y)) == 1:
        assert (soft.objective, soft.theta.tolist()) == (0, [y[0], 0, 0])
    else:
        assert soft.objective == pytest.approx(objective(soft.theta, X, y, C, bias), rel=1e-12, abs=1e-14 * C)
        assert soft.gap <= 1e-6
        theirs = generic_program(X, y, C, bias)
        assert soft.objective <= (1 + 1e-6) * objective(theirs, X, y, C, bias)


@given(seeds, exponents)
def test_offset_is_as_good_as_any(seed, exponent):
    X, y = noisy(seed)
    soft = soft_margin(X, y, 10.0**exponent)
    # For fixed w the total slack is piecewise linear in b: one of its kinks is a minimum.
    kinks = y - X @ soft.w
    least = min(np.maximum(0, 1 - y * (X @ soft.w + b)).sum() for b in kinks)
    assert soft.slack.sum() <= least + soft.objective * len(y) / 10.0**exponent * 1e-8


def test_features_of_different_scale_and_a_far_centre():
    X, y = ill_scaled()
    check_optimality(max_margin(X, y), X, y)
    check_optimality(soft_margin(X, y, 10), X, y, 10)
    X, y = noisy(3)
    for C in [1e-3, 1, 1e3, 1e6]:
        check_optimality(soft_margin(X * [1e-3, 1, 1e3], y, C), X * [1e-3, 1, 1e3], y, C)
    near, far = soft_margin(X, y, 7), soft_margin(X + 1e6, y, 7)
    np.testing.assert_allclose(far.w, near.w, rtol=1e-6)


@pytest.mark.parametrize("bias", [True, False])
def test_features_that_repeat_one_another_share_their_weight(bias):
    X, y = separable(4)
    for one, two in [
        (max_margin(X, y, bias=bias), max_margin(np.c_[X, X, 0 * X], y, bias=bias)),
        (soft_margin(X, y, 1e9, bias=bias), soft_margin(np.c_[X, X, 0 * X], y, 1e9, bias=bias)),
    ]:
        np.testing.assert_allclose(two.w, np.r_[one.w / 2, one.w / 2, 0 * one.w], rtol=1e-6, atol=1e-9)
    X, y = noisy(4)
    X = np.c_[X, X, 0 * X]
    check_optimality(soft_margin(X, y, 1e15, bias=bias), X, y, 1e15)  # so large that only rounding keeps X'X regular


@pytest.mark.parametrize("bias", [True, False])
def test_more_features_than_examples(bias):
    X, y = np.random.default_rng(0).normal(size=(12, 60)), np.tile([1, -1], 6)
    check_optimality(max_margin(X, y, bias=bias), X, y)
    check_optimality(soft_margin(X, y, 1e6, bias=bias), X, y, 1e6)


# What the theory says


@given(seeds, st.floats(0.01, 100), st.integers(0, 3), st.booleans())
def test_scaling_examples_scales_the_margin(seed, factor, exponent, bias):
    X, y = noisy(seed)
    C = 10.0**exponent
    one, other = soft_margin(X, y, C, bias=bias), soft_margin(factor * X, y, C / factor**2, bias=bias)
    np.testing.assert_allclose(factor * other.w, one.w, rtol=1e-5, atol=1e-6 * abs(one.w).max())
    assert factor**2 * other.objective == pytest.approx(one.objective, rel=1e-8)
    X, y = separable(seed)
    one, other = max_margin(X, y, bias=bias), max_margin(factor * X, y, bias=bias)
    assert other.margin == pytest.approx(factor * one.margin, rel=1e-8)
    np.testing.assert_array_equal(other.support, one.support)


@given(seeds, st.lists(st.floats(-100, 100), min_size=3, max_size=3))
def test_moving_examples_moves_the_hyperplane(seed, by):
    X, y = separable(seed)
    one, other = max_margin(X, y), max_margin(X + by, y)
    np.testing.assert_allclose(other.w, one.w, rtol=1e-6, atol=1e-7)
    assert other.theta[0] == pytest.approx(one.theta[0] - one.w @ by, rel=1e-6, abs=1e-6)
    X, y = noisy(seed)
    np.testing.assert_allclose(soft_margin(X + by, y, 10).w, soft_margin(X, y, 10).w, rtol=1e-5, atol=1e-6)


@given(seeds, st.booleans())
def test_order_and_sign_of_the_labels_do_not_matter(seed, bias):
    X, y = noisy(seed)
    one = soft_margin(X, y, 10, bias=bias)
    order = np.random.default_rng(seed).permutation(len(y))
    permuted, flipped = soft_margin(X[order], y[order], 10, bias=bias), soft_margin(X, -y, 10, bias=bias)
    np.testing.assert_allclose(permuted.w, one.w, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(permuted.slack, one.slack[order], atol=1e-5)
    np.testing.assert_allclose(permuted.alpha, one.alpha[order], atol=1e-3 * one.alpha.max())
    np.testing.assert_allclose(flipped.w, -one.w, rtol=1e-5, atol=1e-6)


@given(seeds, st.booleans())
def test_every_example_twice_changes_nothing(seed, bias):
    X, y = noisy(seed)
    once, twice = soft_margin(X, y, 10, bias=bias), soft_margin(np.r_[X, X], np.r_[y, y], 10, bias=bias)
    assert twice.objective == pytest.approx(once.objective, rel=1e-8)
    np.testing.assert_allclose(twice.w, once.w, rtol=1e-5, atol=1e-6)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=2), st.floats(0, 6.28), st.floats(0.01, 100))
def test_between_two_points_the_margin_is_half_their_distance(point, angle, distance):
    apart = distance * np.array([np.cos(angle), np.sin(angle)])
    widest = max_margin([point, point + apart], [-1, 1])
    assert widest.margin == pytest.approx(distance / 2, rel=1e-6)
    np.testing.assert_allclose(widest.w, 2 * apart / distance**2, rtol=1e-6, atol=1e-6 / distance)
    assert widest.support.tolist() == [0, 1]


@given(seeds, st.booleans())
def test_hard_margin_is_in_canonical_form(seed, bias):
    X, y = separable(seed)
    widest = max_margin(X, y, bias=bias)
    assert widest.hyperplane.separates(X, y)
    assert (y * widest.hyperplane.score(X)).min() == pytest.approx(1, rel=1e-9)
    assert widest.hyperplane.margin(X, y) == pytest.approx(widest.margin, rel=1e-9)
    assert widest.margin == 1 / np.linalg.norm(widest.w)
    assert (widest.slack == 0).all()
    if not bias:
        assert widest.hyperplane.b == 0


@given(seeds)
def test_hard_margin_is_half_the_distance_of_the_hulls(seed):
    X, y = separable(seed)
    widest = max_margin(X, y)
    share = widest.alpha / (widest.alpha.sum() / 2)
    nearest = [share[y == label] @ X[y == label] for label in (+1, -1)]  # a point of either hull
    assert np.linalg.norm(nearest[0] - nearest[1]) / 2 == pytest.approx(widest.margin, rel=1e-6)


@given(seeds, st.booleans())
def test_no_perturbed_separator_has_a_wider_margin(seed, bias):
    X, y = separable(seed)
    widest = max_margin(X, y, bias=bias)
    for change in np.random.default_rng(seed).normal(scale=0.1, size=(20, len(widest.theta))):
        theta = widest.theta + change * abs(widest.theta).max()
        other = Hyperplane.from_theta(theta) if bias else Hyperplane(theta, 0)
        assert other.margin(X, y) <= widest.margin * (1 + 1e-9)


@pytest.mark.parametrize("bias", [True, False])
def test_rare_examples_among_many_decide_the_hard_margin(bias):
    """Thousands of examples far off, four near ones which no sample is likely to hold: the margin is theirs."""
    rng = np.random.default_rng(1)
    far = rng.uniform(10, 20, size=(6000, 2)) * rng.choice([-1, 1], size=(6000, 1))
    near = np.array([[2.0, 1], [1, 2], [-2, -1], [-1, -2]])
    X = np.vstack([far[:3000], near, far[3000:]])
    y = np.where(X.sum(axis=1) > 0, 1, -1)
    answer = max_margin(X, y, bias=bias)
    assert set(answer.support) <= {3000, 3001, 3002, 3003}
    np.testing.assert_allclose(answer.w, [1 / 3, 1 / 3], rtol=1e-6)
    X[3001], y[3001] = [15, 15], -1  # one example amid those of the other class
    with pytest.raises(NotSeparable) as refused:
        max_margin(X, y, bias=bias)
    lam, inputs = refused.value.certificate, np.insert(X, 0, 1, axis=1) if bias else X
    assert lam.min() >= 0
    assert lam.sum() == 1
    assert not ((lam * y) @ np.vectorize(Fraction, otypes=[object])(inputs)).any()


@given(seeds, st.booleans(), st.floats(1.01, 1e6))
def test_large_C_on_separable_data_gives_the_hard_margin_back(seed, bias, factor):  # noqa: N802 - C is its name
    X, y = separable(seed)
    hard = max_margin(X, y, bias=bias)
    soft = soft_margin(X, y, factor * hard.alpha.max() * len(y), bias=bias)
    np.testing.assert_allclose(soft.theta, hard.theta, rtol=1e-5, atol=1e-6 * abs(hard.theta).max())
    assert soft.slack.max() < 1e-6
    smaller = soft_margin(X, y, 0.9 * hard.alpha.max() * len(y), bias=bias)
    assert smaller.margin > hard.margin
    assert smaller.slack.max() > 0


@given(seeds, st.integers(-12, 0), sizes)
def test_small_C_gives_the_direction_of_rocchio(seed, exponent, size):  # noqa: N802 - C is its name
    X, y = separable(seed)  # as many examples of either class
    X = size * (X - X.mean(axis=0))
    C = 10.0**exponent / (X**2).sum(axis=1).max()
    soft = soft_margin(X, y, C)
    np.testing.assert_allclose(soft.w, C / len(y) * y @ X, rtol=1e-6, atol=1e-9 * abs(soft.w).max())
    np.testing.assert_allclose(soft.alpha, C / len(y), rtol=1e-6)


@given(seeds, st.integers(-12, -1))
def test_small_C_with_classes_of_different_size(seed, exponent):  # noqa: N802 - C is its name
    X, y = noisy(seed)
    y[: len(y) // 2] = 1
    y[-1] = -1
    C = 10.0**exponent / np.linalg.norm(X - X.mean(axis=0), axis=1).max() ** 2
    small, tenth = soft_margin(X, y, C), soft_margin(X, y, C / 10)
    np.testing.assert_allclose(10 * tenth.w, small.w, rtol=1e-6, atol=1e-9 * abs(small.w).max())
    np.testing.assert_allclose(10 * (tenth.theta[0] - 1), small.theta[0] - 1, rtol=1e-3, atol=1e-14)
    check_optimality(small, X, y, C)


# Examples of the chapters, and by hand


def test_widest_margin_of_the_syllabus():
    X, y = np.array([[6, 5], [4, 2], [2, 0], [0, 0]]), np.array([1, 1, -1, -1])
    widest = max_margin(X, y)
    assert widest.margin == pytest.approx(np.sqrt(2), rel=1e-9)
    np.testing.assert_allclose(widest.theta, [-2, 0.5, 0.5], rtol=1e-9)
    assert widest.support.tolist() == [1, 2]
    with pytest.raises(NotSeparable):  # the origin has score 0 without an offset
        max_margin(X, y, bias=False)
    assert max_margin(X[:3], y[:3], bias=False).margin < max_margin(X[:3], y[:3]).margin


@pytest.mark.parametrize("C", [1e-3, 0.1, 1, 10, 1e3, 1e5])
def test_large_C_does_not_minimise_the_number_of_errors(C):  # noqa: N802 - C is its name
    X, y = np.array([[-1], [-0.5], [0.5], [1], [-30]]), np.array([-1, -1, 1, 1, 1])
    soft = soft_margin(X, y, C)
    # The class -1 has its mean, -3/4, among the mixtures of class +1, so the dual makes w = 0.
    assert soft.theta.tolist() == [1, 0]
    assert soft.slack.tolist() == [2, 2, 0, 0, 0]
    one_error = Hyperplane([1], 0).predict(X)
    assert (one_error != y).sum() == 1


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [1e-12, 1e-3, 1, 1e3, 1e6])
def test_xor_has_no_line_for_any_C(C, bias):  # noqa: N802 - C is its name
    X, y = xor()
    soft = soft_margin(X if bias else 2 * X - 1, y, C, bias=bias)
    assert not soft.theta.any()
    assert soft.slack.tolist() == [1, 1, 1, 1]
    assert (soft.margin, soft.objective) == (np.inf, pytest.approx(C, rel=1e-12))
    np.testing.assert_allclose(soft.alpha, C / 4)
    assert repr(soft) == "Margin(inf, 4 support vectors of 4 examples)"
    with pytest.raises(ValueError, match="w is zero, so there is no hyperplane"):
        _ = soft.hyperplane


def test_support_vectors_of_five_points():
    # The nearest pair of the classes, (0, 0) and (2, 0), is 2 apart, and x_1 = 1 keeps all that far from the middle.
    X, y = np.array([[2, 0], [3, 1], [0, 0], [-1, 0], [-2, 2]]), np.array([1, 1, -1, -1, -1])
    widest = max_margin(X, y)
    np.testing.assert_allclose(widest.theta, [-1, 1, 0], atol=1e-9)
    np.testing.assert_allclose(widest.alpha, [0.5, 0, 0.5, 0, 0], atol=1e-9)
    assert widest.support.tolist() == [0, 2]
    assert repr(widest) == "Margin(1, 2 support vectors of 5 examples)"


@pytest.mark.parametrize("size", [1e-6, 1, 1e6])
def test_support_vectors_do_not_depend_on_units(size):
    # By hand: w = 1/2, b = -1. 0 and 4 lie on the margin, 1 and 2 within with alpha = C/N = 1/4, 9 plays no part;
    # from w = sum(alpha y x) the first two have 4 alpha = 1/2 - 1/4.
    X, y = size * np.array([[0], [1], [2], [4], [9]]), np.array([-1, -1, 1, 1, 1])
    soft = soft_margin(X, y, 1.25 / size**2)
    np.testing.assert_allclose(size * soft.w, [0.5], rtol=1e-9)
    np.testing.assert_allclose(soft.slack, [0, 0.5, 1, 0, 0], atol=1e-9)
    np.testing.assert_allclose(size**2 * soft.alpha, [1 / 16, 1 / 4, 1 / 4, 1 / 16, 0], atol=1e-9)
    assert soft.support.tolist() == [0, 1, 2, 3]


@given(seeds, sizes, st.booleans())
def test_support_vectors_alone_have_the_same_hyperplane(seed, size, bias):
    X, y = separable(seed)
    X = size * X
    widest = max_margin(X, y, bias=bias)
    assert len(widest.support) <= X.shape[1] + bias
    alone = max_margin(X[widest.support], y[widest.support], bias=bias)
    np.testing.assert_allclose(alone.w, widest.w, rtol=1e-5, atol=1e-6 * abs(widest.w).max())
    on_margin = np.flatnonzero(y * scores(widest, X) < 1 + 1e-6)
    assert on_margin.tolist() == widest.support.tolist()


def test_path_is_the_single_answers():
    X, y = noisy(1)
    Cs = [100, 0.01, 1e4]
    for bias in (True, False):
        for C, one in zip(Cs, soft_margin_path(X, y, Cs, bias=bias), strict=True):
            single = soft_margin(X, y, C, bias=bias)
            assert one.theta.tolist() == single.theta.tolist()
            assert one.alpha.tolist() == single.alpha.tolist()
    assert soft_margin_path(X, y, []) == []
    slack = [soft.slack.sum() for soft in soft_margin_path(X, y, np.logspace(-3, 5, 9))]
    assert (np.diff(slack) <= 1e-6).all()  # dearer slack, less of it


def test_fractions_become_floats():
    X, y = blobs(10)
    exact = [[Fraction(number) for number in row] for row in X.tolist()]
    assert max_margin(exact, y).theta.tolist() == max_margin(X, y).theta.tolist()
    assert soft_margin(exact, y, Fraction(1, 3)).theta.tolist() == soft_margin(X, y, 1 / 3).theta.tolist()


def test_one_class():
    alone = soft_margin([[1, 2], [3, 4]], [-1, -1], 5)
    assert alone.theta.tolist() == [-1, 0, 0]
    assert (alone.objective, alone.gap, alone.margin, alone.support.tolist()) == (0, 0, np.inf, [])
    # Without an offset only signed examples count: Hsu's S = {(1, +1)}, and one example in both signs.
    np.testing.assert_allclose(max_margin([[1]], [1], bias=False).theta, [1])
    np.testing.assert_allclose(max_margin([[1, 0], [-1, 0]], [1, -1], bias=False).theta, [1, 0], atol=1e-9)
    np.testing.assert_allclose(soft_margin([[1]], [1], 0.5, bias=False).theta, [0.5])


# Not separable, or hardly


@given(whole_rows, st.booleans())
def test_hard_margin_or_a_certificate(rows, bias):
    X, y = np.array([row[:2] for row in rows]), np.array([row[2] for row in rows])
    if bias and len(set(y)) == 1:
        return
    signed = [[label * Fraction(int(number)) for number in ([1] if bias else []) + row] for *row, label in rows]
    try:
        widest = max_margin(X, y, bias=bias)
    except NotSeparable as error:
        lam = [Fraction(weight) for weight in error.certificate]
        assert min(lam) >= 0
        assert sum(lam) == 1
        assert all(sum(weight * row[j] for weight, row in zip(lam, signed, strict=True)) == 0 for j in range(2 + bias))
    else:
        theta = [Fraction(number) for number in widest.theta.tolist()]
        assert all(sum(t * number for t, number in zip(theta, row, strict=True)) > 0 for row in signed)


def test_data_that_cannot_be_separated_are_refused_with_proof():
    X, y = xor()
    with pytest.raises(NotSeparable, match=r"no hyperplane separates these examples.*soft_margin\(X, y, C\)") as caught:
        max_margin(X, y)
    assert isinstance(caught.value, ValueError)
    assert Inseparable(caught.value.certificate).verify(X, y)
    with pytest.raises(NotSeparable) as caught:
        max_margin([[1, 1], [2, 2]], [1, -1], bias=False)
    assert Inseparable(caught.value.certificate).verify([[1, 1], [2, 2]], [1, -1], bias=False)


def test_linear_program_is_asked_only_in_doubt(monkeypatch):
    def asked(*_, **__):
        raise AssertionError("asked")

    monkeypatch.setattr(limits, "separability", asked)
    assert max_margin(*blobs(20)).gap < 1e-9
    assert max_margin([[0, 1e-9], [1, 1e-9], [0, -1e-9], [1, -1e-9]], [1, 1, -1, -1]).margin == pytest.approx(1e-9)
    with pytest.raises(AssertionError, match="asked"):
        max_margin(*xor())
    with pytest.raises(AssertionError, match="asked"):
        max_margin([[1e15], [1e15 + 1]], [-1, 1])  # the score, a difference of such numbers, is all rounding


def test_scores_lost_in_rounding_do_not_spoil_a_good_answer():
    assert max_margin([[1e15], [1e15 + 1]], [-1, 1]).margin == 0.5


def test_margin_too_small_for_floats_is_refused():
    X = [[0, 1e-18], [1, 1e-18], [0.3, 1e-18], [0, -1e-18], [1, -1e-18], [0.7, -1e-18]]
    with pytest.raises(RuntimeError, match=r"relative gap of .*: double precision is too coarse"):
        max_margin(X, [1, 1, 1, -1, -1, -1])


# The solver


def test_second_attempt_makes_up_for_a_first_that_failed(monkeypatch):
    X, y = noisy(2)
    expected, attempts, solver = soft_margin(X, y, 10), [], margins._interior_point

    def first_fails(*given):
        attempts.append(given[-2:])
        theta, alpha = solver(*given)
        return (theta, alpha) if len(attempts) > 1 else (theta * np.nan, alpha * np.nan)

    monkeypatch.setattr(margins, "_interior_point", first_fails)
    np.testing.assert_allclose(soft_margin(X, y, 10).w, expected.w, rtol=1e-6)
    assert tuple(attempts) == margins.ATTEMPTS[:2]


@pytest.mark.parametrize("error", [ArithmeticError, ValueError])
def test_solver_that_gives_up_is_reported(monkeypatch, error):
    def gives_up(*_, **__):
        raise error("domain error")

    monkeypatch.setattr(back_end(), "minimise", gives_up)
    monkeypatch.setattr(limits, "_proposal", lambda whole: (0 * whole[0], np.arange(len(whole))))  # it asks too
    for solve in (lambda: soft_margin(*noisy(0), 1), lambda: max_margin(*blobs(10))):
        with pytest.raises(RuntimeError, match="relative gap of inf"):
            solve()


def test_options_of_cvxopt_are_left_alone():
    before = dict(solvers.options)
    soft_margin(*noisy(0), 1)
    max_margin(*blobs(10))
    assert solvers.options == before


def test_cvxopt_is_imported_only_when_needed():
    code = "import sys, pla_lib.margins; assert 'cvxopt' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


X, Y = [[0.0, 1.0], [1.0, 0.0]], [1, -1]
BAD = [
    ({"X": [[np.nan, 1], [1, 0]]}, r"X must be finite, but X\[0, 0\] is nan"),
    ({"X": [["a", "b"], ["c", "d"]]}, "X must hold real numbers"),
    ({"X": [0.0, 1.0]}, "one example to a row"),
    ({"X": np.empty((0, 2)), "y": []}, "one example to a row"),
    ({"X": [[1e200, 0], [0, 1]]}, r"a size that can be squared, but its largest entry is 1e\+200"),
    ({"y": [1]}, "one label for each of the 2 rows"),
    ({"y": [0, 1]}, r"labels must be -1 or \+1, but y holds 0; for labels 0 and 1 pass 2\*y - 1"),
]
BAD_C = [
    (0, "C must be a positive number; it was given 0"),
    (-1.5, r"C must be a positive number; it was given -1\.5"),
    (np.nan, "C must be finite"),
    (np.inf, "C must be finite"),
    ("large", "C must be a positive number; it was given 'large'"),
    (None, "C must be a positive number; it was given None"),
    ([1, 2], r"C must be a positive number; it was given \[1, 2\]"),
]


@pytest.mark.parametrize(("change", "words"), BAD)
def test_bad_examples_are_refused_in_words(change, words):
    given = {"X": X, "y": Y} | change
    for solve in (max_margin, lambda X, y: soft_margin(X, y, 1), lambda X, y: soft_margin_path(X, y, [1, 2])):
        with pytest.raises(ValueError, match=words):
            solve(**given)


@pytest.mark.parametrize(("C", "words"), BAD_C)
def test_bad_C_is_refused_in_words(C, words):  # noqa: N802 - C is its name
    with pytest.raises(ValueError, match=words):
        soft_margin(X, Y, C)
    with pytest.raises(ValueError, match=words):
        soft_margin_path(X, Y, [1, C])


def test_hard_margin_needs_both_classes():
    with pytest.raises(ValueError, match=r"a margin lies between two classes, but every label in y is \+1"):
        max_margin(X, [1, 1])
