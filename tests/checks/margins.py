"""Answers to the exercises of chapter 05: right ones, and wrong ones with words that the check should say."""

import numpy as np


def margin(w, b, X, y):
    return (y * (X @ w + b)).min() / np.linalg.norm(w)


def margin_by_absolute_values(w, b, X, y):
    return abs(X @ w + b).min() / np.linalg.norm(w)


def margin_not_divided(w, b, X, y):
    return (y * (X @ w + b)).min()


def margin_by_the_norm_of_theta(w, b, X, y):
    return (y * (X @ w + b)).min() / np.hypot(np.linalg.norm(w), b)


def best_offset(w, X, y):
    return -((X[y > 0] @ w).min() + (X[y < 0] @ w).max()) / 2


def offset_between_the_means(w, X, y):
    return -(X[y > 0].mean(axis=0) + X[y < 0].mean(axis=0)) @ w / 2


def offset_with_the_other_sign(w, X, y):
    return -best_offset(w, X, y)


def offset_divided_by_the_norm(w, X, y):
    return best_offset(w, X, y) / np.linalg.norm(w)


def is_proof(theta, alpha, X, y, leave=()):
    b, w = theta[0], theta[1:]
    spare = y * (X @ w + b) - 1
    holds = {
        "constraints": (spare >= -1e-6).all(),
        "1": (alpha >= -1e-6).all(),
        "2": abs(alpha @ y) <= 1e-6,
        "3": np.allclose((alpha * y) @ X, w, atol=1e-6),
        "4": np.allclose(alpha * spare, 0, atol=1e-6),
    }
    return all(bool(value) for name, value in holds.items() if name not in leave)


def is_proof_without(*leave):
    return lambda theta, alpha, X, y: is_proof(theta, alpha, X, y, leave)


HAND = (1.2, (-13 / 6, 1 / 2, 2 / 3), 1.6)

RIGHT = {
    "05.1": [
        HAND,
        [6 / 5, [-13 / 6, 0.5, 4 / 6], 8 / 5],
        (1.2, (-2.167, 0.5, 0.667), 1.6),
    ],
    "05.2": [margin],
    "05.3": [best_offset],
    "05.5": [
        ([[1], [-99]], [+1, -1]),
        ([[19, 0], [1, 0], [-99, 0]], [+1, +1, -1]),
    ],
    "05.6": [is_proof],
}
WRONG = {
    "05.1": [
        ((6, *HAND[1:]), "divided by the length of w"),
        ((2, *HAND[1:]), "Which point has the least"),
        ((1.2, (-13 / 5, 3 / 5, 4 / 5), 1.6), "makes the least signed score 1"),
        ((1.2, (1 / 2, 2 / 3, -13 / 6), 1.6), "The canonical form is (b, w1, w2)"),
        ((1.2, (-13 / 6, 1 / 2), 1.6), "The canonical form is (b, w1, w2)"),
        ((0, *HAND[1:]), "Which point has the least"),
        ((1.2, (1, 1, 1), 1.6), "makes the least signed score 1"),
        ((*HAND[:2], 0), "equally far from both classes"),
        ((*HAND[:2], 2), "equally far from both classes"),
        (1.2, "a number, three numbers, a number"),
        ((1.2, "half", 1.6), "a number, three numbers, a number"),
    ],
    "05.2": [
        (margin_by_absolute_values, "It should return"),
        (margin_not_divided, "Given w = [0.3, 0.4]"),
        (margin_by_the_norm_of_theta, "Given w = [0.3, 0.4]"),
        (2.0, "must be a function"),
    ],
    "05.3": [
        (offset_between_the_means, "It should return"),
        (offset_with_the_other_sign, "It should return"),
        (offset_divided_by_the_norm, "Given w = [0.3, 0.4]"),
    ],
    "05.5": [
        (([[1], [-9]], [+1, -1]), "The ratio is 0.2; it must be at most 0.1"),
        (([[1], [2]], [-1, +1]), "no hyperplane through the origin separates"),
        (([[0], [1], [2]], [+1, -1, +1]), "No hyperplane separates these examples at all"),
        (([[1], [2]], [+1, +1]), "with both labels"),
        (7, "must be a pair X, y"),
    ],
    "05.6": [
        (is_proof_without("constraints"), "It should return False"),
        (is_proof_without("1"), "It should return False"),
        (is_proof_without("2"), "It should return False"),
        (is_proof_without("3"), "It should return False"),
        (is_proof_without("4"), "It should return False"),
        (lambda theta, alpha, X, y: True, "It should return False"),
        (lambda theta, alpha, X, y: False, "It should return True"),
    ],
}
SECRETS = ("1.2", "1.6", "6/5", "13")
