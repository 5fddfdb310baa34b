"""The online perceptron against `perceptron`, Hsu's bounds on random runs, the best comparator by brute force."""

import tracemalloc
from fractions import Fraction
from itertools import count, cycle, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pla_lib import perceptron
from pla_lib.online import best_comparator, hinge_mistake_bound, online_perceptron
from tests.library.examples import data, fractions, numbers, orders, ties

pytestmark = pytest.mark.usefixtures("back_end")


def endless(seed, d=2):
    """A noisy stream that never ends."""
    rng = np.random.default_rng(seed)
    for _ in count():
        x = rng.normal(size=d)
        yield x, 1 if x[0] + rng.normal() > 0 else -1


@given(data, ties, st.booleans(), st.sampled_from([1, Fraction(1, 7)]), numbers, st.booleans())
def test_one_pass_is_an_epoch_of_the_perceptron(rows, tie, bias, eta, start, exact):
    X, y = fractions(rows)
    theta0 = [Fraction(start, 2)] * (3 if bias else 2)
    if not exact:
        X, eta, theta0 = X.astype(float), float(eta), [float(number) for number in theta0]
    options = {"tie": tie, "bias": bias, "eta": eta, "theta0": theta0}
    run = perceptron(X, y, max_epochs=1, **options)
    rounds = list(online_perceptron(zip(X, y, strict=True), **options))
    assert [r.t - 1 for r in rounds if r.mistake] == run.times.tolist()
    assert rounds[-1].theta.tolist() == run.theta.tolist()  # in floats too, to the last bit
    assert [r.theta.tolist() for r in rounds if r.mistake] == run.thetas[1:].tolist()
    assert [r.mistakes for r in rounds] == np.cumsum([r.mistake for r in rounds]).tolist()
    assert [(r.t, r.x.tolist(), r.y) for r in rounds] == [(i + 1, X[i].tolist(), y[i]) for i in range(len(y))]


@given(data, ties, st.booleans())
def test_predictions_and_radius_are_what_the_definitions_say(rows, tie, bias):
    X, y = fractions(rows)
    inputs = [np.array([1, *x]) if bias else x for x in X]
    theta, longest = np.array([Fraction(0)] * len(inputs[0])), 0
    for x, r in zip(inputs, online_perceptron(zip(X, y, strict=True), tie=tie, bias=bias), strict=True):
        score, longest = theta @ x, max(longest, x @ x)
        of_zero = {"negative": -1, "positive": 1}.get(tie, 0)
        assert r.prediction == (np.sign(score) if score else of_zero)
        if r.prediction or tie == "mistake":
            assert r.mistake == (r.prediction != r.y)
        assert r.radius_squared == longest
        assert r.radius == pytest.approx(float(longest) ** 0.5)
        theta = r.theta


def test_passes_over_a_cycle_are_epochs():
    X, y = [[2.0, 1.0], [0.0, 3.0], [1.0, 1.5]], [1, -1, 1]
    run = perceptron(X, y)
    rounds = islice(online_perceptron(cycle(list(zip(X, y, strict=True)))), 3 * run.epochs)
    assert [r.t - 1 for r in rounds if r.mistake] == run.times.tolist()


def test_stream_is_read_one_example_at_a_time():
    read = []

    def stream():
        for x, y in endless(0):
            read.append(y)
            yield x, y

    rounds = online_perceptron(stream())
    assert read == []
    for t in [1, 2, 3]:
        assert next(rounds).t == t == len(read)


def test_memory_does_not_grow_with_the_stream():
    rounds = online_perceptron(endless(0, d=20))
    for _ in islice(rounds, 500):
        pass
    tracemalloc.start()
    try:
        last = list(islice(rounds, 1999, 2000))
        before = tracemalloc.get_traced_memory()[0]
        last = list(islice(rounds, 3999, 4000))
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert last[0].mistakes > 500
    assert after - before < 20 * 8 * 100  # bytes; 4000 examples would have 4000 * 20 * 8


def test_mistakes_are_kept_when_asked_for():
    rounds = list(islice(online_perceptron(endless(1), keep=True), 200))
    wrong = [r for r in rounds if r.mistake]
    assert [t for t, _, _ in rounds[-1].kept] == [r.t for r in wrong]
    assert all((x == r.x).all() and y == r.y for (_, x, y), r in zip(rounds[-1].kept, wrong, strict=True))
    for r in rounds:  # each record knows those up to its own round
        assert len(r.kept) == r.mistakes
    theta = sum(y * np.array([1, *x]) for _, x, y in rounds[-1].kept)
    np.testing.assert_allclose(rounds[-1].theta, theta, rtol=1e-12)
    with pytest.raises(ValueError, match="not kept; start the stream with keep=True"):
        next(online_perceptron(endless(1))).kept  # noqa: B018


def test_weights_of_a_round_cannot_be_changed():
    start = np.zeros(3)
    first, second = islice(online_perceptron(endless(1), theta0=start, tie="correct"), 2)
    for r in (first, second):
        with pytest.raises(ValueError, match="read-only"):
            r.theta[0] = 5
    start[0] = 7
    assert first.theta[0] == 0


def naive_bound(run, w, rounds):
    """H, ||w||^2 and L^2 from a list of all rounds, as Hsu writes them."""
    inputs = [np.array([1, *x]) if len(w) > len(x) else np.array(x) for x in run.X]
    at = run.visits if rounds == "all" else run.mistakes
    losses = sum(max(Fraction(0), 1 - int(run.y[i]) * (w @ inputs[i])) for i in at)
    return losses, w @ w, max(inputs[i] @ inputs[i] for i in run.visits)


@given(
    data, orders, ties, st.booleans(), st.sampled_from([1, Fraction(1, 7)]), st.lists(numbers, min_size=3, max_size=3)
)
def test_mistakes_never_exceed_the_bound_exactly(rows, order, tie, bias, eta, w):
    X, y = fractions(rows)
    run = perceptron(X, y, order=order, tie=tie, bias=bias, eta=eta, max_epochs=10, seed=0)
    w = np.array([Fraction(number, 2) for number in w])[: 3 if bias else 2]
    made = len(run.mistakes)
    for rounds in ["all", "mistakes"]:
        losses, norm_squared, radius_squared = naive_bound(run, w, rounds)
        s_squared = norm_squared * radius_squared
        # M <= H + s sqrt(H) + s^2 without a root; and before loosening, M - H <= s sqrt(M).
        rest = made - losses - s_squared
        assert rest <= 0 or rest**2 <= s_squared * losses
        assert made <= losses or (made - losses) ** 2 <= s_squared * made
        value = hinge_mistake_bound(run, w, rounds=rounds)
        assert isinstance(value, float)
        assert value == pytest.approx(float(losses) + float(s_squared * losses) ** 0.5 + float(s_squared))
    assert hinge_mistake_bound(run, w, rounds="mistakes") <= hinge_mistake_bound(run, w)


@given(st.integers(0, 10**6), st.booleans())
def test_mistakes_never_exceed_the_bound_in_floats(seed, bias):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 3)), rng.choice([-1, 1], 30)
    run = perceptron(X, y, order="random", bias=bias, max_epochs=4, seed=seed)
    for w in [*rng.normal(size=(5, 3 + bias)) * rng.exponential(), run.theta, 0.1 * run.theta]:
        for rounds in ["all", "mistakes"]:
            assert len(run.mistakes) <= hinge_mistake_bound(run, w, rounds=rounds)


@given(data, orders, st.lists(numbers, min_size=3, max_size=3))
def test_mistake_rounds_form_is_least_at_zero_and_says_nothing(rows, order, w):
    X, y = fractions(rows)
    run = perceptron(X, y, order=order, max_epochs=10, seed=0)
    least = hinge_mistake_bound(run, [0, 0, 0], rounds="mistakes")
    assert least == len(run.mistakes)
    assert hinge_mistake_bound(run, [Fraction(n, 2) for n in w], rounds="mistakes") >= least
    assert hinge_mistake_bound(run, [0, 0, 0]) == len(run.visits)


def test_separable_runs_get_the_first_theorem_back():
    """With H = 0 the bound is ||w||^2 L^2, and orthogonal examples reach it."""
    run = perceptron(np.eye(5), [1, -1, 1, 1, -1], bias=False)
    w = np.array([1, -1, 1, 1, -1])
    assert hinge_mistake_bound(run, w) == hinge_mistake_bound(run, w, rounds="mistakes") == len(run.mistakes) == 5


def test_examples_never_visited_do_not_count():
    X, y = [[1.0], [100.0]], [1, -1]
    seen = perceptron(X, y, order=[0], bias=False, max_epochs=1)
    alone = perceptron(X[:1], y[:1], bias=False, max_epochs=1)
    assert hinge_mistake_bound(seen, [0.5]) == hinge_mistake_bound(alone, [0.5])


def one_pass_bounds(X, y, W):
    """The all-rounds form for every row of W at once."""
    losses = np.maximum(0, 1 - y[:, None] * (X @ W.T)).sum(axis=0)
    s_squared = (W**2).sum(axis=1) * (X**2).sum(axis=1).max()
    return losses + np.sqrt(losses * s_squared) + s_squared


def brute_force(X, y):
    """The least bound on a grid in the plane, then on finer grids around the best point so far."""
    middle, half = np.zeros(2), np.sqrt(len(y) / (X**2).sum(axis=1).max())  # beyond it ||w||^2 L^2 alone is above N
    for _ in range(5):
        side = np.linspace(-half, half, 121)
        W = middle + np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
        values = one_pass_bounds(X, y, W)
        middle, half = W[values.argmin()], half / 12
    return values.min()


@pytest.mark.parametrize("noise", [0.0, 0.3, 1.0, 5.0])
@pytest.mark.parametrize("seed", range(3))
def test_best_comparator_is_what_brute_force_finds(noise, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rng.integers(4, 40), 2)) * [3, 1] + [1, 0]
    y = np.where(X @ [1, 1] + noise * rng.normal(size=len(X)) > 0, 1, -1)
    w = best_comparator(X, y)
    value = one_pass_bounds(X, y, w[None])[0]
    assert value == pytest.approx(brute_force(X, y), rel=1e-4)
    run = perceptron(X, y, bias=False, max_epochs=1)
    assert hinge_mistake_bound(run, w) == pytest.approx(value)
    assert len(run.mistakes) <= value <= len(y) * (1 + 1e-12)


def test_best_comparator_scales_with_the_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=30) > 0, 1, -1)
    np.testing.assert_allclose(best_comparator(1000 * X, y) * 1000, best_comparator(X, y), rtol=1e-2, atol=1e-3)


def test_best_comparator_of_easy_data_is_the_widest_margin():
    X = np.repeat([[1.0, 0.0], [-1.0, 0.0]], 20, axis=0)
    w = best_comparator(X, np.repeat([1, -1], 20))
    np.testing.assert_allclose(w, [1, 0], atol=1e-6)


@pytest.mark.parametrize("X", [[[0.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]])
def test_best_comparator_is_zero_where_nothing_is_better(X):
    assert best_comparator(X, [1, -1]).tolist() == [0, 0]


def test_best_comparator_takes_fractions_and_one_class():
    w = best_comparator([[Fraction(1, 2)]] * 9, [1] * 9)
    np.testing.assert_allclose(w, [2], atol=1e-6)


X, Y = [[0.0, 1.0], [1.0, 0.0]], [1, -1]
RUN = perceptron(X, Y)
HALF = Fraction(1, 2)


def play(*pairs, **options):
    return list(online_perceptron(pairs, **options))


BAD = [
    (lambda: online_perceptron([], tie="maybe"), '"mistake", "negative", "positive" or "correct"; it was given .maybe'),
    (
        lambda: online_perceptron(3),
        r"stream must be an iterable of pairs \(x, y\), such as zip\(X, y\); it was given 3",
    ),
    (lambda: play(([1.0], 1), 7), r"pairs \(x, y\); in round 2 it gave 7"),
    (lambda: play(([1.0], 1, 2)), "in round 1 it gave"),
    (lambda: play(([1.0], 1), ([np.nan], 1)), "in round 2 of the stream: X must be finite"),
    (lambda: play(([1.0], 0)), r"in round 1 of the stream: labels must be -1 or \+1, but y holds 0"),
    (lambda: play((1.0, 1)), "in round 1 of the stream: X must have one example to a row"),
    (lambda: play(([], 1)), "in round 1 of the stream: X must have one example to a row"),
    (lambda: play(([1.0], 1), ([1.0, 2.0], 1)), "as many features in every round; in round 2 it has 2"),
    (lambda: play(([HALF], 1), ([0.5], 1)), "fractions in every round or in none; round 2 is not like the first"),
    (lambda: play(([HALF], 1), eta=0.5), "eta must be an int or a fraction"),
    (lambda: play(([1.0], 1), eta=0), "eta must be a positive number; it was given 0"),
    (lambda: play(([1.0], 1), theta0=[1.0]), "theta0 must have 2 entries"),
    (lambda: hinge_mistake_bound(RUN, [1, 2]), r"w must have 3 entries, as run.theta has; its shape is \(2,\)"),
    (lambda: hinge_mistake_bound(RUN, [1, 2, np.nan]), "w must be finite"),
    (lambda: hinge_mistake_bound(RUN, [1, 2, 3], rounds="some"), '"all" or "mistakes"; it was given \'some\''),
    (lambda: hinge_mistake_bound(perceptron(X, Y, theta0=[1, 0, 0]), [1, 2, 3]), "a run that starts from zero"),
    (lambda: best_comparator(X, [0, 1]), r"labels must be -1 or \+1"),
    (lambda: best_comparator([[np.inf]], [1]), "X must be finite"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_refused_in_words(call, words):
    with pytest.raises(ValueError, match=words):
        call()
