"""Theorems of the chapters that no module has to itself, on exact random data; book/theorems.md lists them all."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pla_lib import (
    Hyperplane,
    Inseparable,
    Separable,
    gaussian_kernel,
    hinge_loss,
    max_margin,
    mistake_bound,
    multiclass_perceptron,
    online_perceptron,
    perceptron,
    perceptron_loss,
    polynomial_kernel,
    separability,
    sgd,
    soft_margin,
    soft_margin_path,
    voted,
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


@given(*2 * [st.tuples(numbers, numbers).filter(any)], *2 * [numbers])
def test_two_pairs_describe_one_hyperplane_exactly_if_they_are_multiples(w, v, b, c):
    point, directions = Hyperplane(w, b).point_and_directions()
    on_both = np.allclose(Hyperplane(v, c).score([point, point + directions[0]]), 0)
    assert on_both == (np.linalg.matrix_rank([[b, *w], [c, *v]]) == 1)


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


@given(rows, st.tuples(numbers, numbers, numbers), st.tuples(*3 * [st.floats(-0.1, 0.1)]))
def test_counting_loss_is_flat_where_no_score_is_zero(rows, theta, move):
    X, y = whole(rows)
    assume((np.insert(X, 0, 1, axis=1) @ theta).all())
    # The scores are whole numbers, and this move changes them by less than 1.
    assert zero_one_loss(np.add(theta, move), X, y) == zero_one_loss(theta, X, y)


@given(rows, *2 * [st.tuples(numbers, numbers, numbers)], st.fractions(0, 1))
def test_perceptron_loss_is_convex_and_grows_with_the_weights(rows, theta, other, t):
    X, y = examples(rows)
    theta, other = np.array([[Fraction(entry) for entry in row] for row in (theta, other)])
    signed = y * (np.insert(X, 0, Fraction(1), axis=1) @ theta)
    ends = perceptron_loss(theta, X, y), perceptron_loss(other, X, y)
    assert ends[0] >= 0
    assert (ends[0] == 0) == (signed >= 0).all()
    assert perceptron_loss((1 - t) * theta + t * other, X, y) <= (1 - t) * ends[0] + t * ends[1]
    assert perceptron_loss(t * theta, X, y) == t * ends[0]


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
def test_gap_is_a_square_and_what_the_constraints_have_to_spare(seed):
    rng = np.random.default_rng(seed)
    X, y = with_margin(20, 3, margin=0.2, seed=seed)
    w, b = (widest := max_margin(X, y)).w, widest.hyperplane.b
    alpha = rng.random(20) * rng.choice([0.1, 1, 10])
    alpha[y < 0] *= alpha[y > 0].sum() / alpha[y < 0].sum()
    v, spare = (alpha * y) @ X, y * (X @ w + b) - 1
    gap = w @ w / 2 - (alpha.sum() - v @ v / 2)
    assert gap == pytest.approx((w - v) @ (w - v) / 2 + alpha @ spare)
    assert gap >= 0


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


@given(seeds, st.sampled_from([0.1, 1, 10, 100]))
def test_slack_tells_where_an_example_is(seed, price):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(20, 2)), np.where(np.arange(20) % 2, 1, -1)
    soft = soft_margin(X, y, price)
    line, slack = soft.hyperplane, soft.slack
    signed = y * line.score(X)
    for i in np.flatnonzero(abs(slack * (slack - 1)) > 1e-6):
        assert (signed[i] > 0) == (slack[i] < 1)
        own_margin = Hyperplane(line.w, line.b - y[i])
        assert own_margin.distance(X[i]) == pytest.approx(slack[i] / line.norm, rel=1e-4)
    assert (signed[slack < 1e-6] > 1 - 1e-5).all()
    assert (signed <= 0).sum() <= slack.sum() + 1e-6


@given(seeds)
def test_higher_price_buys_less_slack_and_a_longer_w(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(20, 2)), np.where(np.arange(20) % 2, 1, -1)
    path = soft_margin_path(X, y, [0.1, 1, 10, 100, 1000])
    for cheap, dear in pairwise(path):
        assert dear.slack.sum() <= cheap.slack.sum() + 1e-5
        assert np.linalg.norm(dear.w) >= np.linalg.norm(cheap.w) - 1e-5


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6))
def test_no_line_separates_opposite_points_from_their_centre(ring):
    X = np.array([*ring, *np.negative(ring), (0, 0)])
    assert isinstance(separability(X, [+1] * 2 * len(ring) + [-1]), Inseparable)


@given(rows, st.integers(1, 4), st.data())
def test_gram_matrices_are_positive_semidefinite(rows, degree, data):
    X, _ = examples(rows)
    G = polynomial_kernel(degree)(X, X)
    c = np.array(data.draw(st.lists(numbers, min_size=len(X), max_size=len(X))))
    assert (G == G.T).all()
    assert c @ G @ c >= 0
    assert np.linalg.eigvalsh(gaussian_kernel(1.0)(X.astype(float), X.astype(float))).min() > -1e-9


@given(seeds, st.integers(1, 12))
def test_adversary_makes_any_learner_err_in_every_round(seed, d):
    def by_perceptron(past, x):
        *_, last = [None, *online_perceptron(past, bias=False)] if past else [None]
        return 1 if last and last.theta @ x > 0 else -1

    def by_whim(past, x):
        return np.random.default_rng([seed, *(int(label > 0) for _, label in past)]).choice([-1, 1])

    for learner in (by_perceptron, by_whim):
        past = []
        for x in np.eye(d):
            past.append((x, -learner(past, x)))
        w = sum(label * x for x, label in past)
        assert all(label * (w @ x) == 1 for x, label in past)
        assert w @ w == d
        *_, last = online_perceptron(past, bias=False)
        assert last.mistakes == d


@given(rows)
def test_elkans_counts_differ_by_one_vote_at_either_end(rows):
    X, y = examples(rows)
    run = perceptron(X, y, max_epochs=5)
    assume(len(run.mistakes))
    made = np.isin(np.arange(len(run.visits)), run.times)
    in_force = np.cumsum(made)  # Elkan: the visit of a mistake counts for the new weights
    elkan = np.bincount(in_force, minlength=len(run.thetas))
    assert (elkan - run.survival).tolist() == [-1, *[0] * (len(run.thetas) - 2), 1]


@settings(max_examples=20)
@given(st.lists(st.tuples(numbers, numbers, labels), min_size=3, max_size=3))
def test_weights_err_on_a_test_example_as_often_as_on_the_next_and_the_vote_at_most_twice(pool):
    """Four draws from three examples, all of them equally likely: three for the pass, one for the test."""
    X, y = whole(pool)
    at_test, at_visit, vote_wrong = np.zeros(3, int), np.zeros(3, int), 0
    for *drawn, left_out in product(range(3), repeat=4):
        run = perceptron(X[drawn], y[drawn], max_epochs=1)
        in_force = np.repeat(run.thetas, run.survival, axis=0)
        at_test += y[left_out] * (in_force @ [1, *X[left_out]]) <= 0
        at_visit += np.isin(range(3), run.times)
        vote_wrong += voted(run, X[left_out]) != y[left_out]
    assert at_test.tolist() == at_visit.tolist()
    assert 3 * vote_wrong <= 2 * at_visit.sum()


@given(rows, st.integers(1, 12))
def test_weights_are_multiples_of_the_unit_of_the_data_and_stay_below_the_root(rows, q):
    X, y = examples(rows)
    run = perceptron(X / q, y, max_epochs=20)
    radius2 = max(1 + (x @ x) for x in X / q)
    assert all((entry * q).denominator == 1 for theta in run.thetas for entry in theta)
    assert all(max(theta**2) <= m * radius2 for m, theta in enumerate(run.thetas))


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
