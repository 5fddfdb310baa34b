"""Answers to the exercises of chapter 04: right ones, and wrong ones with words that the check should say."""

import numpy as np

from pla_lib import mistake_bound


def inputs_of(X):
    return np.c_[np.ones(len(X)), X]


def bound(X, y, theta):
    inputs = inputs_of(X)
    rho, tau2 = (y * (inputs @ theta)).min(), (inputs**2).sum(axis=1).max()
    return theta @ theta * tau2 / rho**2 if rho > 0 else np.inf


def bound_without_the_one(X, y, theta):
    rho, tau2 = (y * (inputs_of(X) @ theta)).min(), (X**2).sum(axis=1).max()
    return theta @ theta * tau2 / rho**2 if rho > 0 else np.inf


def bound_with_the_norm_of_w(X, y, theta):
    inputs = inputs_of(X)
    rho, tau2 = (y * (inputs @ theta)).min(), (inputs**2).sum(axis=1).max()
    return theta[1:] @ theta[1:] * tau2 / rho**2 if rho > 0 else np.inf


def bound_without_labels(X, y, theta):
    inputs = inputs_of(X)
    rho, tau2 = np.abs(inputs @ theta).min(), (inputs**2).sum(axis=1).max()
    return theta @ theta * tau2 / rho**2 if rho > 0 else np.inf


def start_bound(X, y, theta, theta0):
    inputs = inputs_of(X)
    rho, tau2, s, norm2 = (y * (inputs @ theta)).min(), (inputs**2).sum(axis=1).max(), theta0 @ theta, theta @ theta
    return np.roots([rho**2, 2 * s * rho - norm2 * tau2, s**2 - norm2 * (theta0 @ theta0)]).real.max()


def start_bound_of_the_library(X, y, theta, theta0):
    return mistake_bound(X, y, theta, theta0=theta0).value


def start_bound_smaller_root(X, y, theta, theta0):
    inputs = inputs_of(X)
    rho, tau2, s, norm2 = (y * (inputs @ theta)).min(), (inputs**2).sum(axis=1).max(), theta0 @ theta, theta @ theta
    return np.roots([rho**2, 2 * s * rho - norm2 * tau2, s**2 - norm2 * (theta0 @ theta0)]).real.min()


def start_bound_without_the_start(X, y, theta, theta0):
    return bound(X, y, theta)


FOUR = [[2, 0, 0, 0], [0, 2, 0, 0], [1, -1, 1, 1], [-1, 1, 1, 1]]

RIGHT = {
    "04.1": [(1 / 2, 2, 10)],
    "04.2": [bound],
    "04.4": [(FOUR, [1, 1, 1, 1])],
    "04.6": [start_bound, start_bound_of_the_library],
}
WRONG = {
    "04.1": [
        ((1, 2, 10), "rho is the least signed score"),
        ((1 / 2, 1, 10), "including the 1 in front"),
        ((1 / 2, 2, 8), "the bound is not. Does your squared norm"),
        ((1 / 2, 2, 20), "the bound is not. Which numbers are squared"),
        (10, "three numbers"),
    ],
    "04.2": [
        (bound_without_the_one, "returned 5.0.\nIt should return 10.0"),
        (bound_with_the_norm_of_w, "returned 8.0.\nIt should return 10.0"),
        (bound_without_labels, "It should return inf"),
        (10, "must be a function"),
    ],
    "04.4": [
        ((np.eye(4), [1, -1, 1, -1]), "the examples of its mistakes are all orthogonal"),
        (([[1, 0], [1, 0]], [1, 1]), "the examples of its mistakes are all orthogonal"),
        (
            ([[1, 0], [1, 1]], [1, 1]),
            "The run makes 1 mistake and the bound is 2. Some mistake was on an example shorter",
        ),
        (([[1, 0], [-1, 3]], [1, 1]), "Some mistake was not a tie."),
        (([[1, 0], [1, 0]], [1, -1]), "does not converge"),
        ((np.eye(60), np.ones(60)), "not yet.\nUse at most 50 examples"),
        (FOUR, "must be a pair X, y"),
        (([[1, 2], [3, float("nan")]], [1, 1]), "must be a pair X, y"),
    ],
    "04.6": [
        (start_bound_smaller_root, "It should return"),
        (start_bound_without_the_start, "It should return"),
    ],
}
