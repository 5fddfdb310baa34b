"""Answers to the exercises of chapter 10: right ones, and wrong ones with words that the check should say."""

from fractions import Fraction

import numpy as np

from pla_lib import perceptron, separability


def certificate(X, y, whole_run=False, once=False):
    """The solution of the chapter; or with the mistakes before the cycle too; or those of the first epoch."""
    inputs = np.c_[np.ones(len(X)), X]
    theta, counts, seen = np.zeros(inputs.shape[1]), np.zeros(len(y)), {}
    while tuple(theta) not in seen and not (once and seen):
        seen[tuple(theta)] = counts.copy()
        for i in range(len(y)):
            if y[i] * (theta @ inputs[i]) <= 0:
                theta, counts[i] = theta + y[i] * inputs[i], counts[i] + 1
    cycle = counts if whole_run or once else counts - seen[tuple(theta)]
    return cycle / cycle.sum()


def with_the_library(X, y):
    run = perceptron(X, y, max_epochs=1000)
    made = np.searchsorted(run.times, len(y) * np.arange(run.epochs + 1))
    ends, first = run.thetas[made].tolist(), {}
    start, again = next((first[tuple(t)], e) for e, t in enumerate(ends) if first.setdefault(tuple(t), e) < e)
    counts = np.bincount(run.mistakes[made[start] : made[again]], minlength=len(y))
    return [Fraction(int(count), int(counts.sum())) for count in counts]


def visit(thetas, x, r, wrong=lambda scores, r, s: scores[r] <= scores[s], all_rivals=False):
    scores = thetas @ x
    s = max((k for k in range(len(scores)) if k != r), key=scores.__getitem__)
    new = thetas.copy()
    if wrong(scores, r, s):
        new[r] += x
        for k in range(len(scores)) if all_rivals else [s]:
            if k != r:
                new[k] -= x
    return new


def visit_that_changes_its_input_first(thetas, x, r):
    thetas[r] += 1
    return visit(thetas, x, r)


def visit_that_changes_its_input_last(thetas, x, r):
    new = visit(thetas, x, r)
    thetas[r] += 1
    return new


def to_the_right_class_only(thetas, x, r):
    new = thetas.copy()
    new[r] += x * ((thetas @ x).argmax() != r or np.sum(thetas @ x == (thetas @ x)[r]) > 1)
    return new


TETRAHEDRON = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [1, 1, 1]]
PARITY = ([[1, 1, 1]] * 3, [-0.5, -1.5, -2.5], [1, -1, 1], 0)

RIGHT = {
    "10.1": [
        [3 / 8, 1 / 8, 1 / 4, 1 / 4],
        [Fraction(3, 8), Fraction(1, 8), Fraction(1, 4), Fraction(1, 4)],
    ],
    "10.3": [(4, 2)],
    "10.4": [
        certificate,
        with_the_library,
        lambda X, y: separability(X, y).weights,
    ],
    "10.5": [
        (TETRAHEDRON, [1, 1, 1, 1, -1]),
        ([[0, 0, 1], [0, 0, -1], [2, 0, 0], [-1, 2, 0], [-1, -2, 0]], [1, 1, -1, -1, -1]),
    ],
    "10.6": [
        PARITY,
        ([[2, 2, 2]] * 3, [-1, -3, -5], [2, -2, 2], 1),
    ],
    "10.8": [visit],
}
WRONG = {
    "10.1": [
        ([1 / 4] * 4, "The sum of lam_i y_i (1, x_i) is (0, 1/2, 1/2)"),
        ([3 / 4, 1 / 4, 1 / 2, 1 / 2], "The weights should sum to 1; they sum to 2"),
        ([3 / 8, 1 / 8, -1 / 4, 3 / 4], "No weight may be negative"),
        (0.25, "The answer should be 4 numbers"),
        ([1, 1], "it has 2"),
    ],
    "10.3": [
        ((3, 2), "3 digits before the point are too few"),
        ((7, 2), "more than are needed"),
        ((4, 6), "How many can a sum"),
        (6, "two whole numbers"),
    ],
    "10.4": [
        (lambda X, y: certificate(X, y, whole_run=True), "it should be zero in every entry"),
        (lambda X, y: certificate(X, y, once=True), "it should be zero in every entry"),
        (lambda X, y: np.ones(len(y)) / len(y), "it should be zero in every entry"),
        (lambda X, y: len(y) * certificate(X, y), "the weights should sum to 1"),
        (lambda X, y: certificate(X, y) + 1e-5 * y * (-1) ** np.arange(len(y)), "is (0, 0, −0.00002); it should"),
        (lambda X, y: np.zeros(len(y)) * np.nan, "a weight is not a finite number"),
        (lambda X, y: perceptron(X, y), "one per example"),
    ],
    "10.5": [
        ((TETRAHEDRON, [1, 1, 1, -1, -1]), "A plane separates these five"),
        (
            ([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 0], [0, 0, 4]], [1, 1, 1, -1, 1]),
            "Without example 4, there is still no plane",
        ),
        (
            ([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]], [-1, 1, 1, -1, 1]),
            "three features each; yours holds 5 rows of 2 numbers.",
        ),
        ((TETRAHEDRON, [1, 1, 1, 1, 0]), "of five examples and their labels: "),
        (5, "of five examples and their labels: "),
    ],
    "10.6": [
        (([[1, 1, 1]] * 2, [-0.5, -1.5], [1, -1], -1), "For x = [1, 1, 1]"),
        (([[1, 1, 1]] * 3, [-1, -2, -3], [1, -1, 1], 0), "For x = [0, 0, 1] the hidden units give [-1, -1, -1]"),
        (([[1, 1]] * 3, [0, 0, 0], [1, 1, 1], 0), "one row of three numbers"),
        (3, "The answer must be (W, v, u, c)"),
    ],
    "10.8": [
        (
            lambda thetas, x, r: visit(thetas, x, r, wrong=lambda scores, r, s: scores[r] < scores[s]),
            "It should return",
        ),
        (lambda thetas, x, r: visit(thetas, x, r, wrong=lambda scores, r, s: scores.argmax() != r), "It should return"),
        (lambda thetas, x, r: visit(thetas, x, r, all_rivals=True), "It should return"),
        (to_the_right_class_only, "It should return"),
        (visit_that_changes_its_input_first, "It should return"),
        (visit_that_changes_its_input_last, "the result is right, but your function changes thetas"),
        (1, "must be a function"),
    ],
}
SECRETS = ("3/8", "0.375", "4 digits", "-2.5")
