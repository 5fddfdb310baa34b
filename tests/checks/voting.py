"""Answers to the exercises of chapter 09: right ones, and wrong ones with words that the check should say."""

from itertools import pairwise

import numpy as np


def along(inputs, y, order):
    """The weights in force at each visit, and the last ones."""
    theta = np.zeros(inputs.shape[1])
    for i in order:
        yield theta
        if y[i] * (theta @ inputs[i]) <= 0:
            theta = theta + y[i] * inputs[i]
    yield theta


def two_vectors(inputs, y, order):
    theta, u = np.zeros(inputs.shape[1]), np.zeros(inputs.shape[1])
    for t, i in enumerate(order):
        if y[i] * (theta @ inputs[i]) <= 0:
            theta = theta + y[i] * inputs[i]
            u = u + (t + 1) * y[i] * inputs[i]
    return theta - u / len(order)


def after_each_visit(inputs, y, order):
    return np.mean(list(along(inputs, y, order))[1:], axis=0)


def summed(inputs, y, order):
    return np.sum(list(along(inputs, y, order))[:-1], axis=0)


def each_once(inputs, y, order):
    weights = list(along(inputs, y, order))
    met = [weights[0]] + [after for before, after in pairwise(weights) if after is not before]
    return np.mean(met, axis=0)


def last(inputs, y, order):
    return list(along(inputs, y, order))[-1]


def strict(inputs, y, order):
    return np.zeros(inputs.shape[1])


def backwards(inputs, y, order):
    return -two_vectors(inputs, y, order)


def too_short(inputs, y, order):
    return two_vectors(inputs, y, order)[1:]


CIRCLE = [80, 75, 70, -80, 260, 255, 250]

RIGHT = {
    "09.1": [([1, 1, 2, 1, 1, 2], (-1 / 4, 5 / 4))],
    "09.2": [two_vectors],
    "09.5": [([[3], [2]], [1, -1])],
    "09.7": [(CIRCLE, [1, 1, 1, 1, -1, -1, -1])],
}
WRONG = {
    "09.1": [
        (([0, 1, 2, 1, 1, 3], (-1 / 4, 5 / 4)), "Which weights get the visit of a mistake?"),
        (([0, 0, 1, 0, 0, 2], (-1 / 4, 5 / 4)), "yours sum to 3"),
        (([1, 1, 2, 1, 1, 2], (-1 / 6, 7 / 6)), "Weight each vector"),
        (([1, 1, 2, 1, 1, 2], 5 / 4), "two numbers"),
        (([1, 1, 2, 1, 1], (-1 / 4, 5 / 4)), "six survival times"),
        (8, "must be a pair"),
    ],
    "09.2": [
        (after_each_visit, "belongs to the weights before the update"),
        (summed, "not their mean"),
        (each_once, "however long it survived"),
        (last, "the last weights"),
        (strict, "a tie, which is a mistake"),
        (backwards, "It should return"),
        (too_short, "your function returned 1 number.\nIt should return 2 numbers."),
        (lambda inputs, y, order: "theta", "must be a vector"),
        (5, "must be a function"),
    ],
    "09.5": [
        (([[1], [0]], [1, -1]), "get every example right"),
        (([[1], [1]], [1, -1]), "has not converged"),
        (([[3, 0], [2, 0]], [1, -1]), "one feature"),
        ([[3], [2]], "pair (X, y) of examples and labels"),
    ],
    "09.7": [
        (([60, 20, -50, 130, 170, 230], [1, 1, 1, -1, -1, -1]), "gets all of them right too"),
        (([90, 0, -90, 180], [1, 1, 1, -1]), "gets all of them right too"),  # two points on the line, up to rounding
        (([0, 180, 90, 270], [1, 1, -1, -1]), "No line through the origin"),
        (([0, 90], [1, 1]), "rocchio needs both classes"),
        ((CIRCLE, [1, 0, 1, 1, 0, 0, 0]), "labels must be"),
        (CIRCLE, "pair of angles in degrees and labels"),
        ((list(range(300)), [1] * 150 + [-1] * 150), "Use at most 200 examples"),
    ],
}
