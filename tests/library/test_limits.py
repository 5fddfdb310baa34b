"""Certificates against exact geometry and scipy's linear programs; several classes against a naive rule."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.datasets import load_iris

from pla_lib import limits
from pla_lib.datasets import blobs
from pla_lib.geometry import Hyperplane
from pla_lib.limits import Inseparable, Separable, multiclass_perceptron, separability, xor_network
from pla_lib.pla import perceptron

pytestmark = pytest.mark.usefixtures("back_end")

XOR, XOR_LABELS = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]
THIRD = Fraction(1, 3)
signs = st.sampled_from([-1, 1])
seeds = st.integers(0, 10**9)
whole_numbers = st.integers(-2, 2)
finite = st.floats(allow_nan=False, allow_infinity=False)
# Neighbours, sums that round, the smallest and the largest: what a tolerance would get wrong.
touchy = st.sampled_from(
    [0, 1, np.nextafter(1, 2), np.nextafter(1, 0), 0.1, 0.2, 0.3, 0.1 + 0.2, 5e-324, 1e-300, 1e300]
)


def examples(numbers, d, max_size=8):
    return st.lists(st.tuples(st.tuples(*[numbers] * d), signs), min_size=1, max_size=max_size)


def signed_examples(X, y, bias):
    return [[int(label) * Fraction(v) for v in ([1, *x] if bias else x)] for x, label in zip(X, y, strict=True)]


def dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def checked(X, y, *, bias=True):
    """The verdict, after its certificate has been checked here, by its definition, in fractions."""
    verdict = separability(X, y, bias=bias)
    signed = signed_examples(X, y, bias)
    if isinstance(verdict, Separable):
        theta = [Fraction(t) for t in verdict.hyperplane.theta]
        assert bias or theta[0] == 0
        assert all(dot(theta if bias else theta[1:], a) > 0 for a in signed)
    else:
        assert all(isinstance(weight, Fraction) and weight >= 0 for weight in verdict.weights)
        assert sum(verdict.weights) == 1
        assert [dot(verdict.weights, column) for column in zip(*signed, strict=True)] == [0] * len(signed[0])
    assert verdict.verify(X, y, bias=bias) is True
    return verdict


def separable(X, y, *, bias=True):
    return isinstance(checked(X, y, bias=bias), Separable)


# Exact geometry in one and two dimensions


def between(p, a, b):
    """Is p on the segment from a to b?"""
    return turn(p, a, b) == 0 and dot([a[0] - p[0], a[1] - p[1]], [b[0] - p[0], b[1] - p[1]]) <= 0


def turn(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def in_triangle(p, a, b, c):
    turns = [turn(p, a, b), turn(p, b, c), turn(p, c, a)]
    if turn(a, b, c) == 0:
        return between(p, a, b) or between(p, b, c) or between(p, c, a)
    return min(turns) >= 0 or max(turns) <= 0


def segments_meet(a, b, c, d):
    crossing = turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0
    return crossing or between(a, c, d) or between(b, c, d) or between(c, a, b) or between(d, a, b)


def hulls_meet(X, y):
    """Kirchberger: if the hulls meet, those of four points do: a point and a triangle, or two segments."""
    positive, negative = (
        [[Fraction(v) for v in x] for x, label in zip(X, y, strict=True) if label == s] for s in (1, -1)
    )
    pairs = product(combinations_with_replacement(positive, 2), combinations_with_replacement(negative, 2))
    return (
        any(in_triangle(p, *abc) for p in positive for abc in combinations_with_replacement(negative, 3))
        or any(in_triangle(p, *abc) for p in negative for abc in combinations_with_replacement(positive, 3))
        or any(segments_meet(*ab, *cd) for ab, cd in pairs)
    )


def line_through_origin_separates(X, y):
    """The solutions are a cone. Inside it lies an example (if it is a half-plane) or the sum of its two edges."""
    signed = signed_examples(X, y, bias=False)
    edges = [edge for a, b in signed for edge in ([a, b], [-b, a], [b, -a])]
    candidates = ([u[0] + v[0], u[1] + v[1]] for u, v in combinations_with_replacement(edges, 2))
    return any(all(dot(theta, a) > 0 for a in signed) for theta in candidates)


@given(examples(finite, 1) | examples(touchy, 1) | examples(whole_numbers, 1))
def test_verdict_on_the_line_is_that_of_the_order(rows):
    X, y = zip(*rows, strict=True)
    positive, negative = [x for (x,), label in rows if label > 0], [x for (x,), label in rows if label < 0]
    apart = not positive or not negative or max(positive) < min(negative) or max(negative) < min(positive)
    assert separable(X, y) == apart
    products = [x * label for (x,), label in rows]
    assert separable(X, y, bias=False) == (min(products) > 0 or max(products) < 0)


@given(examples(whole_numbers, 2) | examples(touchy, 2) | examples(finite, 2, max_size=5))
def test_verdict_in_the_plane_is_that_of_exact_geometry(rows):
    X, y = zip(*rows, strict=True)
    assert separable(X, y) == (not hulls_meet(X, y))
    assert separable(X, y, bias=False) == line_through_origin_separates(X, y)


# Any dimension


def linprog_separates(X, y, bias):
    """Is there a theta with y * theta'x >= 1?"""
    signed = np.array(signed_examples(X, y, bias), dtype=float)
    return linprog(np.zeros(signed.shape[1]), -signed, -np.ones(len(signed)), bounds=(None, None)).status == 0


@given(seeds, st.integers(1, 40), st.integers(1, 6), st.booleans(), st.sampled_from(["any", "linear", "one flipped"]))
def test_verdict_on_random_floats_is_that_of_linprog(seed, n, d, bias, labels):
    rng = np.random.default_rng(seed)
    X, theta = rng.normal(size=(n, d)), rng.normal(size=d + 1)
    y = rng.choice([-1, 1], n) if labels == "any" else np.where(X @ theta[1:] + bias * theta[0] > 0, 1, -1)
    if labels == "one flipped":
        y[0] *= -1
    assert separable(X, y, bias=bias) == linprog_separates(X, y, bias)


@given(st.integers(1, 4).flatmap(lambda d: examples(whole_numbers, d, max_size=20)), st.booleans())
def test_verdict_on_a_grid_is_that_of_linprog(rows, bias):
    X, y = zip(*rows, strict=True)
    assert separable(X, y, bias=bias) == linprog_separates(X, y, bias)


@pytest.mark.parametrize("flipped", [0, 1])
def test_many_examples_in_ten_dimensions(flipped):
    rng = np.random.default_rng(3)
    X, w = rng.normal(size=(1000, 10)), rng.normal(size=10)
    y = np.where(X @ w > 0, 1, -1)
    X += 0.2 * y[:, None] * w  # a gap
    inside = np.argsort(abs(X @ w))[-flipped:] if flipped else []
    y[inside] *= -1
    assert separable(X, y) == (not flipped)


def test_only_a_few_examples_carry_weight():
    rng = np.random.default_rng(4)
    verdict = checked(rng.normal(size=(300, 5)), rng.choice([-1, 1], 300))
    assert 2 <= np.count_nonzero(verdict.weights) <= 5 + 2


@given(seeds, st.integers(2, 6))
def test_permuting_and_scaling_do_not_change_the_verdict(seed, d):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-2, 3, size=(2 * d, d)).astype(float), rng.choice([-1, 1], 2 * d)
    order, scale = rng.permutation(2 * d), 2.0 ** rng.integers(-300, 300, size=d)
    assert separable(X, y) == separable(X[order] * scale, -y[order])


# Close to the edge


@pytest.mark.parametrize("scale", [2.0**-900, 2.0**-50, 1.0, 2.0**50, 2.0**900])
@pytest.mark.parametrize("d", [2, 3, 7])
def test_one_ulp_decides(scale, d):
    # The middle of a segment is on it, and one ulp beside it is not.
    X = scale * np.outer([1.0, 3.0, 2.0], np.arange(1, d + 1))
    assert not separable(X, [1, 1, -1])
    X[2, 1] = np.nextafter(X[2, 1], 0)
    assert separable(X, [1, 1, -1])


@pytest.mark.parametrize("bias", [True, False])
def test_equal_examples_with_opposite_labels(bias):
    X, y = np.random.default_rng(0).normal(size=(4, 6)), np.array([1, 1, -1, -1])
    assert separable(X, y, bias=bias)
    X[3] = X[0]
    assert checked(X, y, bias=bias).weights.tolist() == [Fraction(1, 2), 0, 0, Fraction(1, 2)]
    X[3, 2] = np.nextafter(X[3, 2], 9)
    assert separable(X, y, bias=bias)


def test_equal_examples_with_equal_labels():
    assert separable([[0.1, 0.7]] * 5 + [[0.2, 0.7]], [1] * 5 + [-1])


def test_rounding_is_not_forgiven():
    # 0.1 + 0.2 is the float after 0.3.
    assert separable([[0.3], [0.1 + 0.2]], [1, -1])
    assert not separable([[0.3], [0.1 + 0.2], [0.3]], [1, -1, -1])


@pytest.mark.parametrize("label", [1, -1])
@pytest.mark.parametrize("X", [[[0.0, 0.0]], [[1e308, -1e308], [5e-324, 0.0]], [[1.0, 2.0], [-3.0, 1.0], [0.5, -2.0]]])
def test_one_class_has_a_hyperplane_too(X, label):
    verdict = checked(X, [label] * len(X))
    assert verdict.hyperplane.w.any()


def test_zero_example_without_offset():
    assert checked([[1.0, 2.0], [0.0, 0.0]], [1, 1], bias=False).weights.tolist() == [0, 1]


@pytest.mark.parametrize(("small", "large"), [(5e-324, 1.7e308), (1e-300, 1e300), (1e-300, 1e-299), (1e299, 1e300)])
def test_extreme_scales(small, large):
    assert separable([[small, large], [-small, large], [small, -large]], [1, -1, 1])
    assert not separable([[small, large], [-small, -large], [0, 0]], [1, 1, -1])
    assert separable([[small], [large], [-small]], [1, 1, -1], bias=False)
    assert not separable([[small], [large]], [1, -1], bias=False)


# Exact input, types, and what the certificates are


def test_xor_certificate_is_a_quarter_each():
    for X in (XOR, np.array(XOR) * THIRD + Fraction(1, 7)):
        assert checked(X, XOR_LABELS).weights.tolist() == [Fraction(1, 4)] * 4


def test_fractions_give_exact_answers():
    X = [[THIRD, 2 * THIRD], [THIRD, 2 * THIRD + Fraction(1, 10**50)]]
    verdict = checked(X, [1, -1])
    assert all(isinstance(t, Fraction) for t in verdict.hyperplane.theta)
    assert verdict.hyperplane.separates(X, [1, -1])
    verdict = checked(X, [1, -1], bias=False)
    assert isinstance(verdict.hyperplane.b, Fraction)
    assert not separable([[THIRD], [2 * THIRD], [Fraction(1)]], [1, -1, 1])


def test_fractions_beyond_floats():
    huge = Fraction(10) ** 400
    assert separable([[huge], [huge + 1]], [1, -1])
    assert not separable([[huge], [1 / huge], [huge + 1]], [-1, 1, 1])


def test_numpy_integers_among_fractions_do_not_overflow():
    big = np.int64(2**62)
    X = np.array([[big, Fraction(1)], [big, THIRD], [big, Fraction(2, 3)]], dtype=object)
    assert not separable([[Fraction(int(v.numerator), int(v.denominator)) for v in x] for x in X], [1, 1, -1])
    assert separability(X, [1, 1, -1]).verify(X, [1, 1, -1])


def test_hyperplane_holds_floats_where_they_suffice():
    X, y = blobs(30)
    hyperplane = checked(X, y).hyperplane
    assert hyperplane.w.dtype == float
    assert hyperplane.separates(X, y)
    # No floats w_1 and w_2 for features so far apart.
    X = [[5e-324, 1.7e308], [1e-323, 1.7e308], [5e-324, -1.7e308]]
    assert checked(X, [1, -1, -1]).hyperplane.w.dtype == object


@pytest.mark.parametrize(
    ("weights", "holds"),
    [
        ([0.25] * 4, True),
        ([Fraction(1, 4)] * 4, True),
        ([0.5, 0.5, 0.5, 0.5], False),
        ([0.0] * 4, False),
        ([0.25, 0.25, 0.25, 0.25 + 2**-50], False),
        ([0.5, 0.5, 0, 0], False),
        ([0.75, 0.75, -0.25, -0.25], False),
    ],
)
def test_weights_can_be_checked_by_anyone(weights, holds):
    assert Inseparable(weights).verify(XOR, XOR_LABELS) is holds


def test_negative_weights_prove_nothing():
    X, y = [[1.0], [2.0], [3.0]], [1, -1, -1]
    assert separable(X, y)
    lam = [0.5, 1.0, -0.5]  # 0.5 * 1 - 1 * 2 + 0.5 * 3 = 0, and 0.5 - 1 + 0.5 = 0
    assert not Inseparable(lam).verify(X, y)


def test_hyperplane_can_be_checked_by_anyone():
    X, y = [[0.0, 1.0], [1.0, 0.0]], [1, -1]
    assert Separable(Hyperplane([-1, 1], 0.5)).verify(X, y) is True
    assert Separable(Hyperplane([-1, 1], 0.5)).verify(X, y, bias=False) is False
    assert Separable(Hyperplane([-1, 1], 0)).verify(X, y, bias=False) is True
    assert Separable(Hyperplane([-1, 1], -1)).verify(X, y) is False  # touches the first
    assert Separable(Hyperplane([1, -1], 0)).verify(X, y) is False


# The linear program only proposes


@given(st.integers(1, 3).flatmap(lambda d: examples(whole_numbers, d, max_size=12)), st.booleans(), seeds)
@example([((0, 0), -1), ((0, 1), 1), ((1, 0), 1), ((1, 1), -1)], True, 0)
def test_verdict_does_not_depend_on_the_proposal(rows, bias, seed):
    X, y = zip(*rows, strict=True)
    expected = separable(X, y, bias=bias)
    rng = np.random.default_rng(seed)

    def nonsense(whole):
        return rng.integers(-1, 2, whole.shape[1]).astype(object), rng.permutation(len(whole))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "_proposal", nonsense)
        assert separable(X, y, bias=bias) == expected


@pytest.mark.parametrize(
    "lie", [(np.array([0, 1, 1], dtype=object), None), (None, np.array([1, 0, 0, 0], dtype=object))]
)
def test_a_certificate_that_fails_its_check_is_not_returned(monkeypatch, lie):
    monkeypatch.setattr(limits, "_simplex", lambda whole: lie)
    with pytest.raises(ArithmeticError, match="no certificate of separability holds"):
        separability(XOR, XOR_LABELS)


def test_solver_is_quiet_and_its_options_stay(capfd):
    from cvxopt import solvers

    solvers.options["abstol"] = 0.5
    try:
        separability(XOR, XOR_LABELS)
        assert solvers.options == {"abstol": 0.5}
    finally:
        del solvers.options["abstol"]
    assert capfd.readouterr().out == ""


# Several classes


def naive(X, labels, *, epochs, bias=True):
    """Scores as a matrix product, the rival from a sorted list: another way to write the same rule."""
    inputs = np.c_[np.ones(len(X)), X] if bias else np.asarray(X)
    thetas, mistakes = {label: np.zeros(inputs.shape[1]) for label in sorted(set(labels))}, []
    for _ in range(epochs):
        for i, (x, label) in enumerate(zip(inputs, labels, strict=True)):
            scores = sorted(((-theta @ x, other) for other, theta in thetas.items() if other != label))
            if -scores[0][0] >= thetas[label] @ x:
                thetas[label] = thetas[label] + x
                thetas[scores[0][1]] = thetas[scores[0][1]] - x
                mistakes.append(i)
    return np.array(list(thetas.values())), mistakes


@given(seeds, st.integers(2, 5), st.booleans())
def test_several_classes_follow_the_naive_rule(seed, classes, bias):
    rng = np.random.default_rng(seed)
    labels = [*range(classes), *rng.integers(0, classes, 20).tolist()]
    # Quarters, so that no sum is rounded and ties are ties.
    X = np.round(4 * (rng.normal(size=(classes, 4))[labels] * 3 + rng.normal(size=(len(labels), 4)))) / 4
    run = multiclass_perceptron(X, labels, max_epochs=15, bias=bias)
    thetas, mistakes = naive(X, labels, epochs=run.epochs, bias=bias)
    assert run.mistakes.tolist() == mistakes
    assert run.thetas.tolist() == thetas.tolist()
    assert run.classes.tolist() == list(range(classes))
    scores = (np.c_[np.ones(len(X)), X] if bias else X) @ thetas.T
    best = [sorted(range(classes), key=lambda k: -row[k])[0] for row in scores.tolist()]
    assert run.predict(X).tolist() == best
    alone = [
        (row > row[label]).sum() + (row == row[label]).sum() == 1 for row, label in zip(scores, labels, strict=True)
    ]
    assert run.converged == all(alone)
    # It ends with the first clean epoch, or at the limit.
    assert run.epochs == 15 or len(naive(X, labels, epochs=run.epochs - 1, bias=bias)[1]) == len(mistakes)


def test_iris():
    flowers = load_iris()
    X, names = np.round(10 * flowers.data), flowers.target_names[flowers.target]  # whole millimetres
    run = multiclass_perceptron(X, names, max_epochs=30)
    thetas, mistakes = naive(X, names.tolist(), epochs=30)
    assert (run.mistakes.tolist(), run.thetas.tolist()) == (mistakes, thetas.tolist())
    assert (run.epochs, run.converged) == (30, False)
    # The first two kinds can be separated.
    run = multiclass_perceptron(X[:100], names[:100])
    assert run.converged
    assert (run.predict(X[:100]) == names[:100]).all()
    assert run.predict(X[0]) == run.predict(X)[0]


@given(examples(whole_numbers, 2) | examples(touchy.filter(lambda v: v < 1e9), 2), st.booleans())
def test_two_classes_are_the_perceptron(rows, bias):
    X, y = zip(*[*rows, ((1, 2), 1), ((2, 1), -1)], strict=True)
    several = multiclass_perceptron(X, y, max_epochs=10, bias=bias)
    one = perceptron(X, y, max_epochs=10, bias=bias)
    assert several.mistakes.tolist() == one.mistakes.tolist()
    assert several.thetas.tolist() == [(-one.theta).tolist(), one.theta.tolist()]
    assert (several.epochs, several.converged) == (one.epochs, one.converged)


def test_several_classes_in_fractions_stay_exact():
    X = np.array([[THIRD, 0], [0, THIRD], [-THIRD, -THIRD]])
    run = multiclass_perceptron(X, ["a", "b", "c"])
    assert run.converged
    assert run.predict(X).tolist() == ["a", "b", "c"]
    assert {t.denominator for t in run.thetas[:, 1:].flat} <= {1, 3}
    assert multiclass_perceptron(X.astype(float), ["a", "b", "c"]).mistakes.tolist() == run.mistakes.tolist()


# A hidden layer


def test_network_computes_xor():
    assert xor_network().predict(XOR).tolist() == XOR_LABELS
    assert [xor_network().predict(x) for x in XOR] == XOR_LABELS


def test_hidden_units_say_or_and_and():
    at_least_one, both = xor_network().units
    assert [s > 0 for s in at_least_one.predict(XOR)] == [bool(a or b) for a, b in XOR]
    assert [s > 0 for s in both.predict(XOR)] == [bool(a and b) for a, b in XOR]


def test_hidden_layer_makes_xor_separable():
    answers = np.stack([unit.predict(XOR) for unit in xor_network().units], axis=1)
    assert not separable(XOR, XOR_LABELS)
    assert separable(answers, XOR_LABELS)
    assert Separable(xor_network().output).verify(answers, XOR_LABELS)


# Bad input


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[np.nan], [1]], [1, -1], r"X must be finite, but X\[0, 0\] is nan"),
        ([[np.inf], [1]], [1, -1], "X must be finite"),
        ([["a"], ["b"]], [1, -1], "X must hold real numbers"),
        ([1.0, 2.0], [1, -1], r"write a row for each"),
        ([[]], [1], "one example to a row"),
        ([[1], [2]], [1], "one label for each of the 2 rows"),
        ([[1], [2]], [0, 1], r"pass 2\*y - 1"),
    ],
)
def test_bad_examples_are_refused_in_words(X, y, words):
    with pytest.raises(ValueError, match=words):
        separability(X, y)


def test_certificates_for_other_data_are_refused_in_words():
    with pytest.raises(ValueError, match=r"X must have 2 features, as w has; its shape is \(1, 3\)"):
        Separable(Hyperplane([1, 2], 0)).verify([[1, 2, 3]], [1])
    with pytest.raises(ValueError, match=r"one row to a weight; their shapes are \(2, 1\) and \(3,\)"):
        Inseparable([1, 0, 0]).verify([[1], [2]], [1, -1])
    with pytest.raises(ValueError, match="weights must be finite"):
        Inseparable([np.nan, 1]).verify([[1], [2]], [1, -1])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"X": [[np.nan], [1]]}, r"X must be finite, but X\[0, 0\] is nan"),
        ({"X": [1.0, 2.0]}, r"write a row for each"),
        ({"X": 3}, "one example to a row"),
        ({"labels": ["a"]}, r"labels must have one entry for each of the 2 rows of X; its shape is \(1,\)"),
        ({"labels": ["a", "a"]}, "two classes or more are needed; all labels are 'a'"),
        ({"labels": [np.nan, 1]}, "labels must not hold NaN"),
        ({"labels": [None, "a"]}, "labels must be of one kind, so that they can be sorted"),
        ({"max_epochs": 0}, "max_epochs must be a whole number of at least 1; it was given 0"),
        ({"max_epochs": 1.5}, "whole number"),
        (
            {"X": [[1.7e308, -1.7e308], [1.7e308, 1.7e308], [0, 0]], "labels": ["a", "a", "b"]},
            "the weights have outgrown what a float can hold",
        ),
    ],
)
def test_bad_input_for_several_classes_is_refused_in_words(change, words):
    with pytest.raises(ValueError, match=words):
        multiclass_perceptron(**({"X": [[0.0], [1.0]], "labels": ["a", "b"]} | change))


@pytest.mark.parametrize("X", [[1, 2, 3], [[1]], 5, [[[1, 2]]]])
def test_points_of_another_dimension_are_refused_in_words(X):
    run = multiclass_perceptron([[0, 1], [1, 0]], ["a", "b"])
    with pytest.raises(ValueError, match="points must have 2 features, as the examples had"):
        run.predict(X)
