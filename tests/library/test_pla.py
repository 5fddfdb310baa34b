"""The perceptron against a naive reimplementation, scikit-learn and exact fractions."""

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron

from pla_lib import Run, blobs, label_noise, perceptron, pla, with_margin
from tests.library.examples import TIES, data, numbers, orders, ties


def naive(X, y, *, visits, tie, theta, eta, bias):
    """Rosenblatt's rule, written as the notes write it: predict a sign, compare, add."""
    sign_of_zero = {"negative": -1, "positive": +1}
    mistakes = []
    for time, i in enumerate(visits):
        x = np.array([1, *X[i]]) if bias else np.array(X[i])
        score = theta @ x
        if score == 0:
            wrong = tie == "mistake" or (tie != "correct" and sign_of_zero[tie] != y[i])
        else:
            wrong = np.sign(score) != y[i]
        if wrong:
            theta = theta + eta * y[i] * x
            mistakes.append((time, i))
    return mistakes, theta


@given(data, orders, ties, st.booleans(), st.sampled_from([1, 0.5]), numbers)
def test_run_is_what_the_naive_rule_gives(rows, order, tie, bias, eta, start):
    X, y = [row[:2] for row in rows], [row[2] for row in rows]
    theta0 = np.full(3 if bias else 2, start)
    run = perceptron(X, y, order=order, tie=tie, theta0=theta0, eta=eta, bias=bias, max_epochs=20, seed=0)
    mistakes, theta = naive(X, y, visits=run.visits, tie=tie, theta=theta0, eta=eta, bias=bias)
    assert list(zip(run.times, run.mistakes, strict=True)) == mistakes
    assert (run.theta == theta).all()
    assert (run.thetas[0] == theta0).all()
    assert run.counts.sum() == len(mistakes)
    # It ends with the first clean epoch, or at the limit.
    visits = 4 if isinstance(order, list) else len(y)
    clean = [epoch for epoch in range(run.epochs) if not any(t // visits == epoch for t, _ in mistakes)]
    assert clean == [run.epochs - 1] if run.epochs < 20 else clean in ([], [19])
    assert run.converged == (not naive(X, y, visits=range(len(y)), tie=tie, theta=theta, eta=eta, bias=bias)[0])


@given(data)
def test_tie_rules_differ_only_when_a_score_is_zero(rows):
    X, y = [row[:2] for row in rows], [row[2] for row in rows]
    runs = [perceptron(X, y, tie=tie, theta0=[0.5, 0.25, 0.125], max_epochs=5) for tie in TIES]
    scores = [run.thetas @ np.c_[np.ones(len(y)), X].T for run in runs]
    if all((score != 0).all() for score in scores):
        assert len({tuple(run.mistakes) for run in runs}) == 1


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_weights_equal_those_of_scikit_learn(seed, epochs):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 4)), rng.choice([-1, 1], size=30)
    run = perceptron(X, y, bias=False, max_epochs=epochs)
    peer = Perceptron(shuffle=False, tol=None, fit_intercept=False, max_iter=run.epochs).fit(X, y)
    np.testing.assert_allclose(run.theta, peer.coef_[0], rtol=1e-12)


def test_offset_equals_that_of_scikit_learn():
    X, y = blobs(40, seed=2)
    run = perceptron(X, y, order=np.arange(40)[::-1])
    peer = Perceptron(shuffle=False, tol=None, max_iter=run.epochs).fit(X[::-1], y[::-1])
    np.testing.assert_allclose(run.theta, [*peer.intercept_, *peer.coef_[0]], rtol=1e-12)


def test_fractions_stay_exact():
    third = Fraction(1, 3)
    X = [[third, 2 * third], [-third, third], [Fraction(1, 10), Fraction(2, 10)]]
    run = perceptron(X, [1, -1, 1], eta=Fraction(1, 7))
    assert all(isinstance(number, Fraction) for number in run.theta)
    mistakes, theta = naive(
        X,
        [1, -1, 1],
        visits=run.visits,
        tie="mistake",
        theta=np.array([Fraction(0)] * 3),
        eta=Fraction(1, 7),
        bias=True,
    )
    assert (list(run.times), list(run.theta)) == ([t for t, _ in mistakes], list(theta))


def compiled_loop():
    """The compiled module; there is one job without numba."""
    return pytest.importorskip("pla_lib.compiled", exc_type=ImportError)


def assert_compiled_is_plain(X, y, orders, *, offset, eta=0.1, ties=(True, True)):
    """Pass by pass: the same mistakes, and the same weights to the last bit."""
    compiled = compiled_loop()
    plain, fast = [0.0] * (X.shape[1] + offset), np.zeros(X.shape[1] + offset)
    inputs, rows = pla.inputs_for(fast, X).tolist(), compiled.rows(X)
    for order in orders:
        mistakes = pla.visit(inputs, y.tolist(), plain, eta, *ties, order).tolist()
        assert compiled.visit(rows, y, fast, eta, *ties, order).tolist() == mistakes
        np.testing.assert_array_equal(fast, plain)


@pytest.mark.parametrize("offset", [False, True])
def test_compiled_loop_makes_the_mistakes_of_the_plain_one(offset):
    rng = np.random.default_rng(0)
    for rule in [(True, True), (False, True), (True, False), (False, False)] * 50:
        # A grid of tenths: scores that are zero in one order of summing need not be in another.
        d = rng.choice([6, 30])  # short, and long enough for sums in another order
        X, y = rng.integers(-5, 6, size=(40, d)) * 0.1, rng.choice([-1, 1], 40)
        assert_compiled_is_plain(X, y, [rng.permutation(40) for _ in range(4)], offset=offset, ties=rule)


# From the smallest float, over sizes whose square underflows or overflows, to where the weights overflow.
SCALES = [5e-324, 1e-310, 1e-200, 1e-160, 1e-150, 1e-8, 1.0, 1e8, 1e150, 1e153, 1e154, 1e200, 3e307]


@given(
    st.integers(0, 10**6),
    st.integers(1, 70),
    st.lists(st.sampled_from(SCALES), min_size=1, max_size=3),
    st.booleans(),
    st.tuples(st.booleans(), st.booleans()),
    st.sampled_from([0.1, 1.0, 1e-300, 1e10]),
)
def test_compiled_loop_is_the_plain_one_at_every_scale(seed, d, scales, offset, ties, eta):
    rng = np.random.default_rng(seed)
    X = rng.integers(-5, 6, size=(20, d)) * 0.1 * rng.choice(scales, size=(20, 1))
    if scales == [5e-324]:
        X = rng.integers(-5, 6, size=(20, d)) * 5e-324
    y = rng.choice([-1, 1], 20)
    assert_compiled_is_plain(X, y, [rng.integers(0, 20, 30) for _ in range(3)], offset=offset, eta=eta, ties=ties)


@given(st.integers(0, 10**6), st.integers(1, 70), st.integers(-500, 480), st.booleans(), st.sampled_from(TIES))
def test_compiled_plain_and_exact_runs_agree_where_floats_are_exact(seed, d, exponent, bias, tie):
    rng = np.random.default_rng(seed)
    whole, y = rng.integers(-3, 4, size=(12, d)), rng.choice([-1, 1], 12)
    X = whole * 2.0 ** (exponent % 20 if bias else exponent)  # beside the 1 in front, only moderate units stay exact
    runs = {
        "exact": perceptron([[Fraction(x) for x in row] for row in X.tolist()], y, tie=tie, bias=bias, max_epochs=3)
    }
    for name, large in (("compiled", 0), ("plain", float("inf"))):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pla, "LARGE", large)
            runs[name] = perceptron(X, y, tie=tie, bias=bias, max_epochs=3)
    for name in ("compiled", "plain"):
        assert runs[name].times.tolist() == runs["exact"].times.tolist()
        assert runs[name].converged == runs["exact"].converged


@given(st.permutations(range(43)), st.sampled_from([0, -600, 450]))
def test_score_that_is_zero_in_order_is_a_tie(places, exponent):
    # 2^53 + 1 is no float: in order, 2^53 + 1 - 2^53 is 0, 1 - 2^53 + 2^53 is 1, and the fast sum is one of them.
    # Times 2^-600 the squares underflow, times 2^450 they are near the largest float.
    X = np.array([2.0**53, 1.0, -(2.0**53)] + [0.0] * 40)[None, places] * 2.0**exponent
    start, y = np.ones(43), np.array([1])
    compiled = compiled_loop()
    for tie in [(True, True), (False, False)]:
        plain = pla.visit(X.tolist(), [1], start.tolist(), 1.0, *tie, np.array([0]))
        assert compiled.visit(compiled.rows(X), y, start.copy(), 1.0, *tie, np.array([0])).tolist() == plain.tolist()


@pytest.mark.parametrize("bias", [True, False])
def test_large_runs_take_arrays_of_every_layout(bias):
    X, y = label_noise(with_margin(400, 60), 0.1)
    expected = perceptron(X, y, bias=bias, max_epochs=3)
    frozen = X.copy()
    frozen.flags.writeable = False
    for layout in (np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], frozen):
        assert perceptron(layout, y, bias=bias, max_epochs=3).times.tolist() == expected.times.tolist()


def test_large_and_small_runs_agree(monkeypatch):
    X, y = label_noise(with_margin(400, 60), 0.1)
    run = perceptron(X, y, max_epochs=4)
    monkeypatch.setattr(pla, "LARGE", float("inf"))
    plain = perceptron(X, y, max_epochs=4)
    assert run.times.tolist() == plain.times.tolist()
    assert run.converged == plain.converged


@pytest.mark.parametrize("without", ["sys.modules['numba'] = None", "os.environ['NUMBA_DISABLE_JIT'] = '1'"])
def test_numba_is_not_needed(without):
    code = (
        f"import os, sys; {without}\n"
        "from pla_lib import perceptron, with_margin\n"
        "print(perceptron(*with_margin(500, 50), bias=False).converged, 'pla_lib.compiled' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split() == [
        "True",
        "False",
    ]


def test_survival_errors_and_hyperplane_follow_from_the_record():
    X, y = label_noise(blobs(30, seed=4), 0.1)
    run = perceptron(X, y, max_epochs=6, order="random", seed=1)
    in_force, theta, k = [0], np.zeros(3), 0
    for time, i in enumerate(run.visits):
        in_force[-1] += 1
        if k < len(run.times) and run.times[k] == time:
            theta, k = theta + y[i] * np.array([1, *X[i]]), k + 1
            in_force.append(0)
        if (time + 1) % 30 == 0:
            wrong = (y * (theta[0] + X @ theta[1:]) <= 0).sum()
            assert run.errors[(time + 1) // 30 - 1] == wrong
    assert run.survival.tolist() == in_force
    assert run.survival.sum() == 6 * 30
    assert run.hyperplane.theta.tolist() == run.theta.tolist()
    assert perceptron(X, y, bias=False, max_epochs=2).hyperplane.b == 0
    with pytest.raises(ValueError, match="w is zero, so there is no hyperplane"):
        _ = perceptron(X, y, tie="correct").hyperplane


def test_exact_runs_take_whole_numbers_of_every_kind():
    X = np.array([[Fraction(1, 3), np.int64(2**62)], [np.int64(1), 5]], dtype=object)
    run = perceptron(X, [1, -1], theta0=[0, 0, 1], eta=np.int64(1), max_epochs=50)
    start = [Fraction(0), Fraction(0), Fraction(1)]
    plain = perceptron([[Fraction(1, 3), 2**62], [1, 5]], [1, -1], theta0=start, max_epochs=50)
    assert run.theta.tolist() == plain.theta.tolist()
    assert all(isinstance(number, int | Fraction) for number in run.theta)


def test_score_that_overflows_is_not_called_right():
    run = perceptron([[1e200, -1e200]], [-1], theta0=[0, 1e200, 1e200])
    assert len(run.mistakes) == 1


def test_rate_too_large_for_a_float_is_refused():
    with pytest.raises(ValueError, match="too large for a float"):
        perceptron([[1.0]], [1], eta=10**400)


def test_weights_that_overflow_are_refused():
    with pytest.raises(ValueError, match="outgrown what a float can hold"):
        perceptron([[1e308], [-1e308], [1e308]], [1, -1, 1], theta0=[0, -1e308], eta=3)


def test_thetas_are_summed_as_the_run_summed_them():
    X, y = np.random.default_rng(0).normal(size=(50, 3)), np.random.default_rng(1).choice([-1, 1], 50)
    run = perceptron(X, y, max_epochs=7, eta=0.1)
    _, theta = naive(X, y, visits=run.visits, tie="mistake", theta=np.zeros(4), eta=0.1, bias=True)
    assert run.theta.tolist() == theta.tolist()  # to the last bit


def test_random_order_is_replayed_from_the_recorded_seed():
    X, y = blobs(12)
    run = perceptron(X, y, order="random")
    again = perceptron(X, y, order="random", seed=run.seed)
    assert run.mistakes.tolist() == again.mistakes.tolist()
    assert run.visits.tolist() == again.visits.tolist()
    for epoch in np.split(run.visits, run.epochs):
        assert sorted(epoch) == list(range(12))


def test_data_that_cannot_be_separated_end_at_the_limit():
    run = perceptron([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1], max_epochs=50)
    assert (run.epochs, run.converged) == (50, False)
    assert repr(run) == f"Run({len(run.mistakes)} mistakes in 50 epochs, not converged)"


def test_order_that_leaves_examples_out_does_not_count_them_as_right():
    run = perceptron([[1.0], [-1.0]], [1, 1], order=[0])
    assert run.epochs == 2
    assert not run.converged


X, Y = [[0.0, 1.0], [1.0, 0.0]], [1, -1]
BAD = [
    ({"X": [[np.nan, 1], [1, 0]]}, r"X must be finite, but X\[0, 0\] is nan"),
    ({"X": [[np.inf, 1], [1, 0]]}, r"X must be finite, but X\[0, 0\] is inf"),
    ({"X": [["a", "b"], ["c", "d"]]}, "X must hold real numbers"),
    ({"X": [[1j, 1], [1, 0]]}, "X must hold real numbers"),
    ({"X": [[1, 2], [3]]}, "rows of equal length"),
    (
        {"X": [0.0, 1.0]},
        r"it holds 2 numbers; for examples with one feature write a row for each, such as \[\[1\], \[2\]\]$",
    ),
    ({"X": np.array([0.0, 1.0])}, r"it holds 2 numbers; for examples with one feature write X.reshape\(-1, 1\)$"),
    ({"X": 7}, r"one example to a row; it holds a single number$"),
    ({"X": np.empty((0, 2)), "y": []}, r"one example to a row"),
    ({"y": [1]}, r"one label for each of the 2 rows of X; it holds 1 label$"),
    ({"y": [0, 1]}, r"labels must be -1 or \+1, but y holds 0; for labels 0 and 1 pass 2\*y - 1"),
    ({"y": [1, 2]}, r"labels must be -1 or \+1, but y holds 2$"),
    ({"y": ["spam", "ham"]}, "y holds 'spam'"),
    ({"order": "sorted"}, r'"cyclic", "random" or a sequence of indices; it was given \'sorted\''),
    ({"order": [0, 2]}, "indices from 0 to 1; it holds 2"),
    ({"order": [-1]}, "indices from 0 to 1; it holds -1"),
    ({"order": [0.5]}, "non-empty sequence of indices"),
    ({"order": []}, "non-empty sequence of indices"),
    ({"X": np.ma.masked_array([[1.0, 2], [3, 4]], [[True, False], [False, False]])}, "X has masked entries"),
    ({"X": [[None, 1], [1, 0]]}, "X must hold real numbers; it holds None"),
    ({"X": [[Decimal(1), 1], [1, 0]]}, "X must hold real numbers"),
    ({"y": [[1], [1, 2]]}, "some of its entries are lists"),
    ({"tie": []}, r"it was given \[\]"),
    ({"bias": "no"}, "bias must be True or False"),
    ({"seed": np.random.default_rng(0), "order": "random"}, "seed must be a whole number"),
    ({"seed": -1}, "seed must be a whole number"),
    ({"eta": None}, "eta must be a positive number; it was given None"),
    ({"max_epochs": True}, "whole number"),
    ({"tie": "maybe"}, 'tie must be "mistake", "negative", "positive" or "correct"; it was given .maybe'),
    ({"theta0": [0, 0]}, r"theta0 must have 3 entries.*its shape is \(2,\)"),
    ({"theta0": [0, np.nan, 0]}, "theta0 must be finite"),
    ({"eta": 0}, "eta must be a positive number; it was given 0"),
    ({"eta": -1}, "eta must be a positive number"),
    ({"eta": np.nan}, "eta must be finite"),
    ({"eta": "fast"}, "eta must be a positive number; it was given 'fast'"),
    ({"max_epochs": 0}, "at least 1; it was given 0"),
    ({"max_epochs": 2.5}, "whole number"),
    ({"X": [[Fraction(1), Fraction(2)], [Fraction(0), Fraction(1)]], "eta": 0.5}, "eta must be an int or a fraction"),
    (
        {"X": [[Fraction(1), Fraction(2)], [Fraction(0), Fraction(1)]], "theta0": [0.0] * 3},
        "theta0 must hold ints or fractions",
    ),
]


@pytest.mark.parametrize(("change", "words"), BAD)
def test_bad_input_is_refused_in_words(change, words):
    with pytest.raises(ValueError, match=words):
        perceptron(**({"X": X, "y": Y} | change))


def test_run_is_exported():
    assert isinstance(perceptron(X, Y), Run)
