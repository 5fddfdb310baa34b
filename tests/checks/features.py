"""Answers to the exercises of chapter 07: right ones, and wrong ones with words that the check should say."""

import numpy as np


def all_products(X):
    inputs = np.c_[np.ones(len(X)), X]
    return (inputs[:, :, None] * inputs[:, None, :]).reshape(len(X), -1)


def weighted_monomials(X):
    i, j = np.triu_indices(X.shape[1] + 1)
    inputs = np.c_[np.ones(len(X)), X]
    return np.where(i == j, 1, np.sqrt(2)) * inputs[:, i] * inputs[:, j]


def unweighted_monomials(X):
    i, j = np.triu_indices(X.shape[1] + 1)
    inputs = np.c_[np.ones(len(X)), X]
    return inputs[:, i] * inputs[:, j]


def without_constant(X):
    return (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)


def only_for_two(X):
    x1, x2 = X.T
    root = np.sqrt(2)
    return np.c_[np.ones(len(X)), root * x1, root * x2, x1**2, root * x1 * x2, x2**2]


def dual_mistakes(gram, y, tie=True, sign=True, epochs=10**4):
    scores, made = np.zeros(len(y)), []
    for _ in range(epochs):
        before = len(made)
        for i in range(len(y)):
            if y[i] * scores[i] < 0 or (tie and scores[i] == 0):
                scores = scores + (y[i] if sign else 1) * gram[:, i]
                made.append(i)
        if len(made) == before:
            break
    return made


def by_counts(gram, y):
    alpha, made, clean = np.zeros(len(y)), [], False
    while not clean:
        clean = True
        for i in range(len(y)):
            if y[i] * ((alpha * y) @ gram[:, i]) <= 0:
                alpha[i], clean = alpha[i] + 1, False
                made.append(i)
    return made


RIGHT = {
    "07.1": [
        [-4, -2, -4, 1, 0, 1],
        np.array([-2, -1, -2, 0.5, 0, 0.5]),
    ],
    "07.3": [
        all_products,
        weighted_monomials,
    ],
    "07.4": [
        [[0], [1]],
        np.array([[0.0, 0.0], [0.6, 0.8]]),
        [[1, 0], [0, 1]],
    ],
    "07.5": [
        dual_mistakes,
        by_counts,
    ],
}
WRONG = {
    "07.1": [
        ([4, 2, 4, -1, 0, -1], "positive inside the circle"),
        ([-9, -2, -4, 1, 0, 1], "is on the circle, so it should score zero; it scores −5"),
        ([-4, 2, 4, 1, 0, 1], "is on the circle, so it should score zero; it scores 46.8"),
        ([-4, -2, -4, 1, 1], "six numbers"),
        ("circle", "six numbers"),
        ([0] * 6, "every point of the plane scores zero"),
    ],
    "07.3": [
        (unweighted_monomials, "it should be (x'z + 1)^2 = 196"),
        (without_constant, "the inner product of rows 0 and 0 is 169"),
        (only_for_two, "with ValueError"),
        (lambda X: (X @ X.T + 1) ** 2, "the inner product of rows 0 and 0"),
        (lambda X: 3.0, "with 1 row, one for each row of X"),
        (3.0, "must be a function"),
    ],
    "07.4": [
        ([[1]], "The matrix of this one example has no negative eigenvalue"),
        ([[2, 0], [0, 0]], "no negative eigenvalue"),
        ([1, 2], "one example per row"),
        ("0 and 1", "one example per row"),
    ],
    "07.5": [
        (lambda gram, y: dual_mistakes(gram, y, tie=False), "It should return 21 numbers"),
        (lambda gram, y: dual_mistakes(gram, y, sign=False, epochs=50), "It should return"),
        (lambda gram, y: dual_mistakes(gram, y, epochs=1), "It should return 21 numbers"),
        (lambda gram, y: np.bincount(dual_mistakes(gram, y)), "It should return 21 numbers"),
    ],
}
SECRETS = ("-4, -2, -4", "[0], [1]", "[[0")
