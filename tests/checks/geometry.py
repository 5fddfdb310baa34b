"""Answers to the exercises of chapter 01: right ones, and wrong ones with words that the check should say."""

from fractions import Fraction

import numpy as np


def distance(w, b, X):
    return abs(X @ w + b) / np.linalg.norm(w)


def same_hyperplane(w, b, v, c):
    one, other = np.append(w, b), np.append(v, c)
    one, other = one / np.linalg.norm(one), other / np.linalg.norm(other)
    return np.allclose(one, other) or np.allclose(one, -other)


def hyperplane_through(P):
    theta = np.linalg.svd(np.c_[np.ones(len(P)), P])[2][-1]
    return theta[1:], theta[0]


def with_offset_one(P):
    return np.linalg.solve(P, -np.ones(len(P))), 1.0


def by_slope(P):
    slope = (P[1, 1] - P[0, 1]) / (P[1, 0] - P[0, 0])
    return [slope, -1], P[0, 1] - slope * P[0, 0]


def same_by_ratios(w, b, v, c):
    return np.allclose(v / w, c / b)


RIGHT = {
    "01.1": [
        [3.6, -0.2],
        np.array([Fraction(18, 5), Fraction(-1, 5)]),
    ],
    "01.3": [distance],
    "01.5": [
        same_hyperplane,
        lambda w, b, v, c: np.linalg.matrix_rank([[*w, b], [*v, c]], tol=1e-9) == 1,
    ],
    "01.6": [hyperplane_through],
    "01.7": [
        ([1.0], 0.0, [[0.0], [1.0]], [-1, +1]),
        ([1, 1], -1, [[0, 1], [2, 2], [0, 0]], [-1, +1, -1]),
    ],
    "01.8": [
        [0.5, 0.25, 0.25, 1],
        [Fraction(1, 4), Fraction(1, 8), Fraction(1, 8), Fraction(1, 2)],
    ],
}
WRONG = {
    "01.1": [
        ([6, 3], "not on the line: its score is 20"),
        ([2, 1], "on the line, but the vector from it to z is not parallel to w"),
        (4, "a point of the plane: two numbers"),
        ("(3.6, -0.2)", "a point of the plane: two numbers"),
        ([np.nan, 1], "a point of the plane: two numbers"),
    ],
    "01.3": [
        (lambda w, b, X: (X @ w + b) / np.linalg.norm(w), "returned [-1.0, 0.0, -3.0].\nIt should return"),
        (lambda w, b, X: abs(X @ w + b) / np.linalg.norm(np.append(b, w)), "It should return [1.0, 0.0, 3.0]"),
        (lambda w, b, X: abs(X @ w + b), "your function returned [5.0, 0.0, 15.0]"),
        (lambda w, b, X: abs(X[0] @ w + b) / np.linalg.norm(w), "returned 1.0.\nIt should return [1.0, 0.0, 3.0]"),
        (4, "must be a function"),
    ],
    "01.5": [
        (lambda w, b, v, c: np.allclose(w, v) and np.isclose(b, c), "It should return True"),
        (lambda w, b, v, c: np.allclose(w / np.linalg.norm(w), v / np.linalg.norm(v)), "It should return True"),
        (lambda w, b, v, c: abs(w @ v) > 0.999 * np.linalg.norm(w) * np.linalg.norm(v), "It should return False"),
        (same_by_ratios, "`return np.allclose(v / w, c / b)`, with ZeroDivisionError: "),
    ],
    "01.6": [
        (with_offset_one, "with LinAlgError: Singular matrix"),
        (by_slope, "do not describe a hyperplane"),
        (lambda P: (P[0], 0.0), "do not describe a hyperplane"),
        (lambda P: (np.ones(len(P)), -P[0].sum()), "at distance 1.41 from the hyperplane"),
        (lambda P: hyperplane_through(P)[0], "it should hold 2 numbers."),
        (lambda P: 3.0, "must be a pair w, b"),
        (lambda P: (np.append(*hyperplane_through(P)), 0.0), "it should hold 2 numbers."),
    ],
    "01.7": [
        (([1.0], -0.5, [[0.0], [1.0]], [-1, +1]), "does separate the examples"),
        (([1.0], 0.0, [[-1.0], [0.0]], [-1, +1]), "sgn(0) is not its label 1"),
        (([1.0], 0.0, [[0.0]], [-1]), "Both labels must occur in y"),
        (([0.0], 0.0, [[0.0], [1.0]], [-1, +1]), "w is zero"),
        ([1.0, 0.0], "with one example per row of X: not enough values"),
    ],
    "01.8": [
        ([0.25, 0.25, 0.25, 0.25], "it should be zero in every entry"),
        ([0.5, 0.25, 0.25, -1], "No lambda may be negative"),
        ([0, 0, 0, 0], "at least one must be positive"),
        ([1, 1], "a list of four numbers"),
    ],
}
SECRETS = ("3.6", "-0.2", "0.25, 0.25")
