"""Theorems of the chapters that no module has to itself, on exact random data; book/theorems.md lists them all."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pla_lib import (
    Hyperplane,
    Inseparable,
    Separable,
    hinge_loss,
    max_margin,
    mistake_bound,
    multiclass_perceptron,
    perceptron,
    separability,
    sgd,
    soft_margin_path,
    with_margin,
    zero_one_loss,
)

numbers = st.integers(-3, 3)
labels = st.sampled_from([-1, 1])
rows = st.lists(st.tuples(numbers, numbers, labels), min_size=2, max_size=7)
seeds = st.integers(0, 10**6)


def examples(rows):
    """Exact examples and their labels."""
    return np.array([[Fraction(a), Fraction(b)] for a, b, _ in rows]), np.array([row[2] for row in rows])


def whole(rows):
    """The same in floats: small whole numbers are exact there too, and long runs quicker."""
    X, y = examples(rows)
    return X.astype(float), y


@given(rows, st.tuples(numbers, numbers).filter(any), numbers)
def test_labels_given_by_the_sign_with_ties_can_be_separated_strictly(rows, w, b):
    X, _ = examples(rows)
    y = Hyperplane(w, b).predict(X)
    assert isinstance(separability(X, y), Separable)


@given(rows)
def test_separable_with_offset_is_separable_through_the_origin_one_dimension_higher(rows):
    X, y = examples(rows)
    lifted = np.insert(X, 0, Fraction(1), axis=1)
    assert type(separability(X, y)) is type(separability(lifted, y, bias=False))


@given(rows, st.sampled_from([Fraction(1, 3), 1, 2]))
def test_update_raises_the_signed_score_by_the_rate_times_the_squared_length(rows, eta):
    X, y = examples(rows)
    run = perceptron(X, y, eta=eta, max_epochs=5)
    inputs = np.insert(X, 0, Fraction(1), axis=1)[run.mistakes]
    for x, label, before, after in zip(inputs, y[run.mistakes], run.thetas, run.thetas[1:], strict=False):
        assert int(label) * (after @ x) == int(label) * (before @ x) + eta * (x @ x)


@given(rows, st.tuples(numbers, numbers, numbers))
def test_hinge_loss_is_at_least_the_count_and_a_multiple_of_a_separator_has_none(rows, theta):
    X, y = examples(rows)
    theta = np.array([Fraction(t) for t in theta])
    assert zero_one_loss(theta, X, y) <= hinge_loss(theta, X, y)
    least = min(y * (np.insert(X, 0, Fraction(1), axis=1) @ theta))
    if least > 0:
        assert hinge_loss(theta / least, X, y) == 0


@given(rows)
def test_hinge_descent_with_a_large_step_makes_the_mistakes_of_the_perceptron(rows):
    X, y = whole(rows)
    run = perceptron(X, y, max_epochs=200)
    assume(run.converged)
    # All scores are whole numbers, so the least positive one is at least 1.
    descent = sgd(X, y, "hinge", step=2, epochs=run.epochs)
    assert np.flatnonzero(descent.c).tolist() == run.times.tolist()


@given(rows, st.sampled_from(["cyclic", "random"]))
def test_run_that_ends_has_at_most_one_epoch_more_than_mistakes(rows, order):
    X, y = whole(rows)
    run = perceptron(X, y, order=order, max_epochs=500, seed=0)
    assume(run.converged)
    assert run.epochs <= len(run.mistakes) + 1


@given(seeds, st.floats(0.51, 5))
def test_update_comes_closer_to_a_long_multiple_of_the_separator(seed, share):
    X, y, theta = *(data := with_margin(30, margin=0.1, seed=seed)), data.theta
    bound = mistake_bound(X, y, theta)
    c = share * bound.radius**2 / bound.delta
    squares = ((perceptron(X, y, bias=False).thetas - c * theta) ** 2).sum(axis=1)
    assert (np.diff(squares) <= -(2 * c * bound.delta - bound.radius**2) + 1e-9 * squares[:-1]).all()


@given(seeds)
def test_examples_that_move_by_less_than_the_margin_stay_separated(seed):
    rng = np.random.default_rng(seed)
    X, y = with_margin(20, 3, margin=0.2, seed=seed)
    widest = max_margin(X, y)
    steps = rng.normal(size=X.shape)
    steps *= 0.999 * widest.margin / np.linalg.norm(steps, axis=1, keepdims=True)
    assert widest.hyperplane.separates(X + steps, y)
    nearest = widest.support[0]
    step = -y[nearest] * widest.margin * widest.w / np.linalg.norm(widest.w)
    assert widest.hyperplane.score(X[nearest] + step) == pytest.approx(0, abs=1e-6)


@given(seeds)
def test_no_separator_gives_a_smaller_bound_than_the_widest_of_the_augmented_examples(seed):
    X, y = with_margin(20, margin=0.2, seed=seed)
    theta = max_margin(np.insert(X, 0, 1, axis=1), y, bias=False).theta
    best = mistake_bound(X, y, theta)
    assert best.value == pytest.approx(best.radius**2 * (theta @ theta), rel=1e-6)
    for change in np.random.default_rng(seed).normal(scale=0.1, size=(20, 3)):
        other = theta + change * abs(theta).max()
        if (y * (np.insert(X, 0, 1, axis=1) @ other)).min() > 0:
            assert mistake_bound(X, y, other).value >= best.value * (1 - 1e-6)


@given(seeds)
def test_higher_price_buys_less_slack_and_a_longer_w(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(20, 2)), np.where(np.arange(20) % 2, 1, -1)
    path = soft_margin_path(X, y, [0.1, 1, 10, 100, 1000])
    for cheap, dear in pairwise(path):
        assert dear.slack.sum() <= cheap.slack.sum() + 1e-5
        assert np.linalg.norm(dear.w) >= np.linalg.norm(cheap.w) - 1e-5


@given(rows)
def test_elkans_counts_differ_by_one_vote_at_either_end(rows):
    X, y = examples(rows)
    run = perceptron(X, y, max_epochs=5)
    assume(len(run.mistakes))
    made = np.isin(np.arange(len(run.visits)), run.times)
    in_force = np.cumsum(made)  # Elkan: the visit of a mistake counts for the new weights
    elkan = np.bincount(in_force, minlength=len(run.thetas))
    assert (elkan - run.survival).tolist() == [-1, *[0] * (len(run.thetas) - 2), 1]


@given(rows)
def test_run_on_whole_numbers_ends_or_repeats_and_the_cycle_is_a_certificate(rows):
    X, y = whole(rows)
    run = perceptron(X, y, max_epochs=3000)
    if run.converged:
        assert isinstance(separability(X, y), Separable)
        return
    ends = np.searchsorted(run.times, len(y) * np.arange(run.epochs + 1))  # mistakes made before each epoch
    met = {}
    for end in ends:
        state = tuple(run.thetas[end])
        if state in met:
            break
        met[state] = end
    else:
        pytest.fail("no weights came back")
    cycle = run.mistakes[met[state] : end]
    weights = np.array([Fraction(int(c), len(cycle)) for c in np.bincount(cycle, minlength=len(y))])
    assert Inseparable(weights).verify(X, y)


@given(st.lists(st.tuples(numbers, numbers, st.sampled_from("abc")), min_size=3, max_size=8))
def test_several_classes_are_one_perceptron_on_stacked_examples(rows):
    X, names = np.array([[1, a, b] for a, b, _ in rows]), [row[2] for row in rows]
    kinds = sorted(set(names))
    assume(len(kinds) > 1)
    run = multiclass_perceptron(X, names, bias=False, max_epochs=6)
    stacked, mistakes = np.zeros((len(kinds), 3)), []
    for _ in range(run.epochs):
        for i, name in enumerate(names):
            r = kinds.index(name)
            rivals = [s for s in range(len(kinds)) if s != r]
            s = max(rivals, key=lambda s: (stacked[s] @ X[i], -s))
            z = np.zeros_like(stacked)
            z[r], z[s] = X[i], -X[i]
            if (stacked * z).sum() <= 0:
                stacked, mistakes = stacked + z, [*mistakes, i]
            assert (z**2).sum() == 2 * X[i] @ X[i]
    assert (run.mistakes.tolist(), run.thetas.tolist()) == (mistakes, stacked.tolist())
