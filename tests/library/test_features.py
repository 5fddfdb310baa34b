"""Feature maps and kernels against scikit-learn; the kernel perceptron against the primal one and a naive one."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import pairwise
from sklearn.preprocessing import PolynomialFeatures

from pla_lib import perceptron
from pla_lib.features import (
    fourier_features,
    gaussian_kernel,
    kernel_perceptron,
    linear_kernel,
    polynomial,
    polynomial_kernel,
    quadratic,
    with_constant,
)
from tests.library.examples import data, orders, ties


def normal(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_monomials_are_those_of_scikit_learn(degree, d):
    X = normal(7, d)
    peer = PolynomialFeatures(degree, include_bias=False).fit_transform(X)
    np.testing.assert_allclose(polynomial(degree)(X), peer, rtol=1e-12)
    np.testing.assert_allclose(polynomial(degree)(X[3]), peer[3], rtol=1e-12)


def test_quadratic_is_in_the_order_of_the_docstring():
    x1, x2, x3 = 2, 3, 5
    wanted = [x1, x2, x3, x1 * x1, x1 * x2, x1 * x3, x2 * x2, x2 * x3, x3 * x3]
    assert quadratic([[x1, x2, x3]]).tolist() == [wanted]


def test_constant_stands_in_front():
    X = normal(7, 3)
    peer = PolynomialFeatures(2).fit_transform(X)
    np.testing.assert_allclose(with_constant(quadratic)(X), peer, rtol=1e-12)
    np.testing.assert_allclose(with_constant(quadratic)(X[0]), peer[0], rtol=1e-12)


def test_constant_is_the_offset():
    X, y = normal(30, 2), np.where((normal(30, 2) ** 2).sum(axis=1) > 1, 1, -1)
    own = perceptron(with_constant(quadratic)(X), y, bias=False, max_epochs=20)
    assert own.mistakes.tolist() == perceptron(quadratic(X), y, max_epochs=20).mistakes.tolist()


def test_circle_becomes_a_hyperplane():
    X = normal(60, 2)
    y = np.where((X**2).sum(axis=1) > 1, 1, -1)
    assert not perceptron(X, y, max_epochs=50).converged
    circle = [-1, 0, 0, 1, 0, 1]  # x1^2 + x2^2 - 1
    assert (np.sign(with_constant(quadratic)(X) @ circle) == y).all()


def test_maps_and_kernels_keep_fractions():
    X = np.array([[Fraction(1, 3), Fraction(2)], [Fraction(0), Fraction(1, 7)]])
    assert with_constant(quadratic)(X)[0].tolist() == [1, Fraction(1, 3), 2, Fraction(1, 9), Fraction(2, 3), 4]
    assert linear_kernel(X, X)[0, 1] == Fraction(2, 7)
    assert polynomial_kernel(3)(X, X)[0, 1] == Fraction(9, 7) ** 3
    assert gaussian_kernel(1)(X, X).dtype == float


@pytest.mark.parametrize(("n", "m", "d"), [(5, 3, 2), (1, 4, 1), (40, 50, 8)])
def test_kernels_are_those_of_scikit_learn(n, m, d):
    X, Z = normal(n, d, 1), normal(m, d, 2)
    np.testing.assert_allclose(linear_kernel(X, Z), pairwise.linear_kernel(X, Z), rtol=1e-12, atol=1e-13)
    for degree, constant in [(1, 0), (2, 1), (5, 3)]:
        peer = pairwise.polynomial_kernel(X, Z, degree=degree, gamma=1, coef0=constant)
        np.testing.assert_allclose(polynomial_kernel(degree, constant)(X, Z), peer, rtol=1e-9, atol=1e-12)
    for scale in [0.1, 1, 7]:
        peer = pairwise.rbf_kernel(X, Z, gamma=1 / (2 * scale**2))
        np.testing.assert_allclose(gaussian_kernel(scale)(X, Z), peer, rtol=1e-9, atol=1e-13)


def test_polynomial_kernel_is_an_inner_product_of_monomials():
    X, Z = normal(6, 2, 1), normal(4, 2, 2)
    weights = np.array([1, 2, 2, 1, 2, 1])  # the binomial weights of 1, x1, x2, x1^2, x1 x2, x2^2
    lift = with_constant(quadratic)
    np.testing.assert_allclose(polynomial_kernel(2)(X, Z), (lift(X) * weights) @ lift(Z).T, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_fourier_features_approach_the_gaussian_kernel(scale):
    X = normal(15, 3)
    gram = gaussian_kernel(scale)(X, X)
    for count in [100, 10_000]:
        phi = fourier_features(3, count, scale=scale, seed=1)(X)
        assert phi.shape == (15, count)
        # Each of the 225 entries is a mean of `count` numbers between -2 and 2: Hoeffding, all at once, 1 in 10^6.
        assert abs(phi @ phi.T - gram).max() < 4 * np.sqrt(np.log(2 * 225 * 1e6) / (2 * count))


def test_fourier_features_are_unbiased():
    X = normal(4, 2)
    grams = [phi @ phi.T for phi in (fourier_features(2, 50, seed=seed)(X) for seed in range(2000))]
    np.testing.assert_allclose(np.mean(grams, axis=0), gaussian_kernel(1)(X, X), atol=0.02)


def test_fourier_features_are_the_same_for_the_same_seed():
    X = normal(5, 2)
    phi = fourier_features(2, 10, seed=3)
    assert (phi(X) == fourier_features(2, 10, seed=3)(X)).all()
    assert (phi(X) != fourier_features(2, 10, seed=4)(X)).any()
    np.testing.assert_allclose(phi(X[2]), phi(X)[2], rtol=1e-12)


def agree(run, primal):
    assert run.mistakes.tolist() == primal.mistakes.tolist()
    assert run.times.tolist() == primal.times.tolist()
    assert (run.epochs, run.converged) == (primal.epochs, primal.converged)
    assert run.counts.tolist() == primal.counts.tolist()


@given(data, orders, ties)
def test_linear_kernel_gives_the_primal_run(rows, order, tie):
    X, y = [row[:2] for row in rows], [row[2] for row in rows]
    options = {"order": order, "tie": tie, "max_epochs": 20, "seed": 0}
    primal = perceptron(X, y, bias=False, **options)
    run = kernel_perceptron(X, y, linear_kernel, **options)
    agree(run, primal)
    assert run.score(X).tolist() == (np.array(X) @ primal.theta).tolist()
    agree(kernel_perceptron(X, y, lambda X, Z: linear_kernel(X, Z) + 1, **options), perceptron(X, y, **options))


@given(data, orders)
def test_polynomial_kernel_gives_the_primal_run_on_weighted_monomials(rows, order):
    X, y = np.array([row[:2] for row in rows], dtype=float), [row[2] for row in rows]
    # (x'z)^2 = x1^2 z1^2 + 2 x1 x2 z1 z2 + x2^2 z2^2; x1 x2 twice instead of sqrt(2) times keeps the numbers whole.
    phi = np.c_[X[:, 0] ** 2, X[:, 0] * X[:, 1], X[:, 0] * X[:, 1], X[:, 1] ** 2]
    options = {"order": order, "max_epochs": 20, "seed": 0}
    primal = perceptron(phi, y, bias=False, **options)
    agree(kernel_perceptron(X, y, polynomial_kernel(2, constant=0), **options), primal)


@given(st.integers(0, 10**6))
def test_run_equals_the_primal_one_on_floats(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), rng.choice([-1, 1], 40)
    agree(kernel_perceptron(X, y, linear_kernel, max_epochs=5), perceptron(X, y, bias=False, max_epochs=5))


def test_run_on_fractions_is_exact():
    X = [[Fraction(1, 3), Fraction(2, 3)], [Fraction(-1, 3), Fraction(1, 3)], [Fraction(1, 10), Fraction(2, 10)]]
    run, primal = kernel_perceptron(X, [1, -1, 1], linear_kernel), perceptron(X, [1, -1, 1], bias=False)
    agree(run, primal)
    assert run.score(X).tolist() == (np.array(X) @ primal.theta).tolist()
    assert all(isinstance(score, Fraction) for score in run.score(X))
    assert kernel_perceptron(X, [1, -1, 1], gaussian_kernel(1)).score(X).dtype == float


def naive(X, y, gram, epochs):
    """The dual perceptron as the notes write it, from the whole Gram matrix."""
    alpha, mistakes = np.zeros(len(y)), []
    for t in range(epochs * len(y)):
        i = t % len(y)
        if y[i] * sum(alpha[j] * y[j] * gram[j, i] for j in range(len(y))) <= 0:
            alpha[i] += 1
            mistakes.append(i)
    return alpha, mistakes


@pytest.mark.parametrize("scale", [0.3, 2.0])
def test_gaussian_run_is_what_the_naive_rule_gives(scale):
    X, y = normal(30, 2), np.random.default_rng(5).choice([-1, 1], 30)
    run = kernel_perceptron(X, y, gaussian_kernel(scale), max_epochs=6)
    alpha, mistakes = naive(X, y, pairwise.rbf_kernel(X, gamma=1 / (2 * scale**2)), run.epochs)
    assert (run.counts.tolist(), run.mistakes.tolist()) == (alpha.tolist(), mistakes)
    new = normal(9, 2, seed=8)
    scores = pairwise.rbf_kernel(new, X, gamma=1 / (2 * scale**2)) @ (alpha * y)
    np.testing.assert_allclose(run.score(new), scores, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(run.score(new[0]), scores[0], rtol=1e-9, atol=1e-12)
    assert run.predict(new).tolist() == np.sign(scores).tolist()
    assert run.predict(new[0]) == np.sign(scores[0])


def test_gaussian_kernel_fits_any_labels_of_distinct_points():
    X, y = normal(40, 2), np.random.default_rng(7).choice([-1, 1], 40)
    run = kernel_perceptron(X, y, gaussian_kernel(0.2), order="random")
    assert run.converged
    assert (run.predict(X) == y).all()
    assert repr(run) == f"KernelRun({len(run.mistakes)} mistakes in {run.epochs} epochs, converged)"
    again = kernel_perceptron(X, y, gaussian_kernel(0.2), order="random", seed=run.seed)
    assert again.times.tolist() == run.times.tolist()


def test_xor_needs_the_product():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]
    stuck = kernel_perceptron(X, y, lambda X, Z: linear_kernel(X, Z) + 1, max_epochs=50)
    assert (stuck.epochs, stuck.converged) == (50, False)
    assert kernel_perceptron(X, y, polynomial_kernel(2)).converged


def test_no_mistake_means_score_zero():
    run = kernel_perceptron([[1.0], [2.0]], [1, -1], linear_kernel, tie="correct")
    assert (run.score([[3.0], [4.0]]).tolist(), run.score([3.0])) == ([0, 0], 0)
    assert run.predict([[3.0]]).tolist() == [-1]


def test_no_gram_matrix_is_made():
    n = 5000
    X, y = normal(n, 5), np.random.default_rng(1).choice([-1, 1], n)
    tracemalloc.start()
    try:
        run = kernel_perceptron(X, y, gaussian_kernel(3.0), order=range(0, n, 50), max_epochs=2)
        run.score(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(run.mistakes) > 50
    assert peak < 8 * n * n / 4  # bytes; the whole matrix has 8 n^2, of which score may hold some blocks


def test_score_in_blocks_is_the_score_in_one(monkeypatch):
    X, y = normal(50, 2), np.random.default_rng(1).choice([-1, 1], 50)
    run = kernel_perceptron(X, y, gaussian_kernel(1), max_epochs=3)
    whole = run.score(X)
    monkeypatch.setattr("pla_lib.features.BLOCK", 7)
    np.testing.assert_allclose(run.score(X), whole, rtol=1e-9, atol=1e-12)


ONE = kernel_perceptron([[0.0, 1.0], [1.0, 0.0]], [1, -1], linear_kernel)
BAD = [
    (lambda: polynomial(0), "degree must be a whole number of at least 1; it was given 0"),
    (lambda: polynomial(1.5), "degree must be a whole number"),
    (lambda: quadratic([[np.nan]]), r"X must be finite, but X\[0, 0\] is nan"),
    (lambda: quadratic(3), r"one point or many, shape \(d,\) or \(n, d\); its shape is \(\)"),
    (lambda: quadratic([]), r"one point or many.*its shape is \(0,\)"),
    (lambda: quadratic([["a"]]), "X must hold real numbers"),
    (lambda: fourier_features(0, 5, seed=0), "d must be a whole number"),
    (lambda: fourier_features(2, 0, seed=0), "count must be a whole number of at least 1; it was given 0"),
    (lambda: fourier_features(2, 5, scale=0, seed=0), "scale must be a positive number; it was given 0"),
    (lambda: fourier_features(2, 5, scale=np.inf, seed=0), "scale must be finite"),
    (lambda: fourier_features(2, 5, seed=0)([[1.0]]), r"shape \(2,\) or \(n, 2\); its shape is \(1, 1\)"),
    (lambda: gaussian_kernel(-1), "scale must be a positive number; it was given -1"),
    (lambda: gaussian_kernel(1)([[1.0]], [[np.inf]]), r"Z must be finite, but Z\[0, 0\] is inf"),
    (lambda: polynomial_kernel(0), "degree must be a whole number"),
    (lambda: polynomial_kernel(2, -1), "constant must be a number of at least 0, or this is no kernel"),
    (lambda: linear_kernel([[1, 2]], [[1]]), r"\(n, d\) and \(m, d\); the shapes are \(1, 2\) and \(1, 1\)"),
    (lambda: linear_kernel([1, 2], [1, 2]), r"a kernel needs shapes"),
    (lambda: kernel_perceptron([[1.0]], [0], linear_kernel), r"labels must be -1 or \+1"),
    (lambda: kernel_perceptron([[1.0]], [1], "linear"), r"kernel must be a function.*it was given 'linear'"),
    (
        lambda: kernel_perceptron([[1.0]], [1], linear_kernel, tie="no"),
        'tie must be "mistake", "negative", "pos',
    ),
    (lambda: kernel_perceptron([[1.0]], [1], linear_kernel, order="no"), "order must be"),
    (lambda: kernel_perceptron([[1.0]], [1], linear_kernel, order=[1]), "indices from 0 to 0; it holds 1"),
    (lambda: kernel_perceptron([[1.0]], [1], linear_kernel, max_epochs=0), "max_epochs must be a whole number"),
    (lambda: kernel_perceptron([[1.0], [2]], [1, 1], lambda X, Z: X[:1]), r"shape \(2, 1\) here; it gave \(1, 1\)"),
    (lambda: kernel_perceptron([[1.0]], [1], lambda X, Z: X * np.inf), r"finite numbers; between X and X\[0\]"),
    (lambda: ONE.score([[1.0]]), r"shape \(2,\) or \(n, 2\); its shape is \(1, 1\)"),
    (lambda: ONE.predict([[1.0, np.nan]]), "X must be finite"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_refused_in_words(call, words):
    with pytest.raises(ValueError, match=words):
        call()
