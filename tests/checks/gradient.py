"""Answers to the exercises of chapter 03: right ones, and wrong ones with words that the check should say."""

import numpy as np


def subgradient(theta, x, y, c):
    m = y * (theta @ x)
    return -(1 if m < 0 else 0 if m > 0 else c) * y * x


def subgradient_of_the_wrong_sign(theta, x, y, c):
    return -subgradient(theta, x, y, c)


def subgradient_with_c_everywhere(theta, x, y, c):
    return -c * y * x


def subgradient_that_is_zero_at_ties(theta, x, y, c):
    return -y * x * (y * (theta @ x) < 0)


def subgradient_without_the_label(theta, x, y, c):
    m = y * (theta @ x)
    return -(1 if m < 0 else 0 if m > 0 else c) * x


def hinge_epoch(theta, X, y, step):
    for x_i, y_i in zip(X, y, strict=True):
        if y_i * (theta @ x_i) < 1:
            theta = theta + step * y_i * x_i
    return theta


def hinge_epoch_that_moves_at_the_kink(theta, X, y, step):
    for x_i, y_i in zip(X, y, strict=True):
        if y_i * (theta @ x_i) <= 1:
            theta = theta + step * y_i * x_i
    return theta


def perceptron_epoch(theta, X, y, step):
    for x_i, y_i in zip(X, y, strict=True):
        if y_i * (theta @ x_i) <= 0:
            theta = theta + step * y_i * x_i
    return theta


def all_at_once(theta, X, y, step):
    return theta + step * (y * (y * (X @ theta) < 1)) @ X


def hinge_epoch_without_step(theta, X, y, step):
    return hinge_epoch(theta, X, y, 1)


RIGHT = {
    "03.1": [(2, 1, 3.5), np.array([2, 1, 3.5])],
    "03.2": [subgradient],
    "03.4": [([[3], [5]], [+1, -1], [-1], 0), ([[3.0], [5.0]], [+1, -1], [0.0, -1.0], 0)],
    "03.5": [hinge_epoch],
}
WRONG = {
    "03.1": [
        ((1, 1, 3.5), "counting loss is not right"),
        ((2, 0, 3.5), "perceptron loss is not right"),
        ((2, 1, 3), "hinge loss is not right"),
        (6.5, "three numbers"),
        (("two", 1, 3.5), "three numbers"),
    ],
    "03.2": [
        (subgradient_of_the_wrong_sign, "It should return"),
        (subgradient_with_c_everywhere, "It should return"),
        (subgradient_that_is_zero_at_ties, "It should return"),
        (subgradient_without_the_label, "It should return"),
        (3, "must be a function"),
    ],
    "03.4": [
        (([[3], [1]], [+1, -1], [-1], 0), "The loss goes from 3 to 2, but it must rise"),
        (([[3], [5]], [+1, -1], [0], 0), "signed score 0; it must be on the wrong side"),
        (([[3], [5]], [+1, -1], [-1], 1), "signed score 5"),
        (([[3], [5]], [+1, -1], [-1], 2), "the index of an example"),
        (([[3], [5]], [1, 0], [-1], 0), "labels must be -1 or"),
        (([[3], [5]], [+1, -1], [-1, 0, 0], 0), "theta must have 2 entries"),
        (([[3], [5]], [+1, -1], [-1]), "must be X, y, theta, i"),
    ],
    "03.5": [
        (hinge_epoch_that_moves_at_the_kink, "It should return"),
        (perceptron_epoch, "It should return"),
        (all_at_once, "It should return"),
        (hinge_epoch_without_step, "It should return"),
        (1.0, "must be a function"),
    ],
}
SECRETS = ("2, 1, 3.5",)
