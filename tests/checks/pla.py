"""Answers to the exercises of chapter 02: right ones, and wrong ones with words that the check should say."""

import numpy as np


def visit(theta, x, y):
    return theta + y * x if y * (theta @ x) <= 0 else theta


def strict_visit(theta, x, y):
    return theta + y * x if y * (theta @ x) < 0 else theta


def visit_that_always_updates(theta, x, y):
    return theta + y * x


def visit_that_changes_its_input(theta, x, y):
    if y * (theta @ x) <= 0:
        theta += y * x
    return theta


def visit_without_the_label(theta, x, y):
    return theta + x if y * (theta @ x) <= 0 else theta


def mistakes(X, y, tie=0.0, epochs=10_000, one=1.0):
    inputs = np.c_[np.full(len(X), one), X]
    theta, made = np.zeros(inputs.shape[1]), []
    for _ in range(epochs):
        before = len(made)
        for i in range(len(y)):
            if y[i] * (theta @ inputs[i]) <= tie:
                theta = theta + y[i] * inputs[i]
                made.append(i)
        if len(made) == before:
            break
    return made


def mistakes_without_ties(X, y):
    return mistakes(X, y, tie=-1e-12)


def mistakes_of_one_epoch(X, y):
    return mistakes(X, y, epochs=1)


def mistakes_counted(X, y):
    return len(mistakes(X, y))


def mistakes_without_offset(X, y):
    return mistakes(X, y, one=0.0, epochs=50)


RIGHT = {
    "02.1": [visit, lambda weights, example, label: visit(weights, example, label)],
    "02.4": [([[1], [0]], [1, -1])],
    "02.5": [
        mistakes,
        lambda X, y: tuple(mistakes(X, y)),
    ],
}
WRONG = {
    "02.1": [
        (strict_visit, "it should be [1.0, 2.0, 1.0]"),
        (visit_that_always_updates, "it should be"),
        (visit_without_the_label, "y = -1"),
        (visit_that_changes_its_input, "the result is right, but it changes theta"),
        (lambda theta, x, y: theta + z, "it stops with NameError"),  # noqa: F821
        (3, "must be a function"),
        (lambda theta, x, y: theta + y * x if y * (theta @ x) <= 0 else None, "it returns nothing"),
    ],
    "02.4": [
        (([[1], [2]], [1, 1]), "none takes a positive signed score"),
        (([[1, 2], [3]], [1, -1]), "a pair (X, y)"),
        (7, "a pair (X, y)"),
    ],
    "02.5": [
        (mistakes_without_ties, "Given X = [[1.0], [0.0]]"),
        (mistakes_of_one_epoch, "it should be [0, 1, 1, 0, 1]"),
        (mistakes_counted, "the answer is 5; it should be [0, 1, 1, 0, 1]"),
        (mistakes_without_offset, "Given X ="),
    ],
}
