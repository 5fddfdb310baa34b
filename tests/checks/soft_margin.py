"""Answers to the exercises of chapter 06: right ones, and wrong ones with words that the check should say."""

import numpy as np


def slacks(w, b, X, y):
    return np.maximum(0, 1 - y * (X @ w + b))


def slacks_that_may_be_negative(w, b, X, y):
    return 1 - y * (X @ w + b)


def slacks_from_the_line(w, b, X, y):
    return np.maximum(0, -y * (X @ w + b))


def slacks_without_labels(w, b, X, y):
    return np.maximum(0, 1 - (X @ w + b))


def slacks_as_distances(w, b, X, y):
    return slacks(w, b, X, y) / (np.linalg.norm(w) or 1)


def certifies(theta, alpha, X, y, C, leave_out=None, box=None):
    b, w, box, close = theta[0], theta[1:], C / len(y) if box is None else box, 1e-6
    m = y * (X @ w + b)
    conditions = {
        "w": np.allclose((alpha * y) @ X, w, atol=close),
        "balance": abs(alpha @ y) < close,
        "below": (alpha > -close).all(),
        "above": (alpha < box + close).all(),
        "slack": (abs(alpha - box)[m < 1 - close] < close).all(),
        "beyond": (abs(alpha)[m > 1 + close] < close).all(),
    }
    return bool(all(holds for name, holds in conditions.items() if name != leave_out))


def without(condition):
    return lambda theta, alpha, X, y, C: certifies(theta, alpha, X, y, C, leave_out=condition)


def certifies_with_the_price_of_the_sum(theta, alpha, X, y, C):
    return certifies(theta, alpha, X, y, C, box=C)


def visit(theta, x, y, C, eta):
    shrunk = np.append(theta[0], (1 - eta) * theta[1:])
    return shrunk + eta * C * y * x if y * (theta @ x) < 1 else shrunk


def visit_that_shrinks_the_offset(theta, x, y, C, eta):
    shrunk = (1 - eta) * theta
    return shrunk + eta * C * y * x if y * (theta @ x) < 1 else shrunk


def visit_that_shrinks_only_on_mistakes(theta, x, y, C, eta):
    return visit(theta, x, y, C, eta) if y * (theta @ x) < 1 else theta


def visit_of_a_perceptron(theta, x, y, C, eta):
    shrunk = np.append(theta[0], (1 - eta) * theta[1:])
    return shrunk + eta * C * y * x if y * (theta @ x) <= 0 else shrunk


def visit_at_the_kink(theta, x, y, C, eta):
    shrunk = np.append(theta[0], (1 - eta) * theta[1:])
    return shrunk + eta * C * y * x if y * (theta @ x) <= 1 else shrunk


def visit_without_C(theta, x, y, C, eta):  # noqa: N802 - C is its name
    return visit(theta, x, y, 1, eta)


FIVE = [[-6], [-2], [2], [4], [4]], [1, -1, 1, -1, -1]
ALPHAS = (1 / 16, 1 / 4, 1 / 4, 1 / 16)

RIGHT = {
    "06.1": [slacks],
    "06.2": [ALPHAS, np.array(ALPHAS)],
    "06.3": [certifies],
    "06.5": [(*FIVE, 0.1, 1), (np.array([[-6.0], [0], [4], [5], [6]]), [1, 1, 1, -1, -1], 0.1, 1)],
    "06.6": [visit],
}
WRONG = {
    "06.1": [
        (slacks_that_may_be_negative, "It should return"),
        (slacks_from_the_line, "It should return"),
        (slacks_without_labels, "It should return"),
        (slacks_as_distances, "It should return"),
    ],
    "06.2": [
        ((1 / 4, 1 / 4, 1 / 4, 1 / 4), "should be w = 1/2"),
        ((1 / 8, 1 / 4, 1 / 4, 1 / 16), "the same sum"),
        ((1 / 8, 1 / 8, 1 / 8, 1 / 8), "have slack"),
        ((0, 1, 1, 0), "in the box"),
        (0.25, "four numbers"),
        (("a", 1, 1, 1), "four numbers"),
    ],
    "06.3": [
        *(
            (without(condition), "It should return")
            for condition in ("w", "balance", "below", "above", "slack", "beyond")
        ),
        (certifies_with_the_price_of_the_sum, "It should return"),
        (True, "must be a function"),
    ],
    "06.5": [
        ((*FIVE, 1, 10), "With the smaller C, 2 are wrong or on the line. With the larger C, 2 are wrong."),
        ((*FIVE, 1, 0.1), "Give the smaller C first"),
        ((*FIVE, 0, 1), "C must be a positive number"),
        (FIVE, "must be X, y, the smaller C and the larger C"),
        (([-6, 2], [1, -1], 0.1, 1), "write a row for each, such as [[1], [2]]"),
    ],
    "06.6": [
        (visit_that_shrinks_the_offset, "It should return"),
        (visit_that_shrinks_only_on_mistakes, "It should return"),
        (visit_of_a_perceptron, "It should return"),
        (visit_at_the_kink, "It should return"),
        (visit_without_C, "It should return"),
    ],
}
SECRETS = ("0.0625",)
