"""Answers to the exercises of chapter 08: right ones, and wrong ones with words that the check should say."""

import numpy as np


def wrong_rounds(stream):
    w, wrong = None, []
    for t, (x, y) in enumerate(stream, start=1):
        w = np.zeros(len(x)) if w is None else w
        if y * (w @ x) <= 0:
            w = w + y * x
            wrong.append(t)
    return wrong


def from_zero(stream):
    return [t - 1 for t in wrong_rounds(stream)]


def ties_pass(stream):
    w, wrong = None, []
    for t, (x, y) in enumerate(stream, start=1):
        w = np.zeros(len(x)) if w is None else w
        if y * (w @ x) < 0:
            w = w + y * x
            wrong.append(t)
    return wrong


def reads_twice(stream):
    list(stream)
    return wrong_rounds(stream)


def needs_a_length(stream):
    return [t for t in range(len(stream)) if t]


def promise(X, y, w):
    H, s = np.maximum(0, 1 - y * (X @ w)).sum(), np.linalg.norm(w) * np.linalg.norm(X, axis=1).max()
    return H + s * np.sqrt(H) + s**2


def promise_tight(X, y, w):
    H, s = np.maximum(0, 1 - y * (X @ w)).sum(), np.linalg.norm(w) * np.linalg.norm(X, axis=1).max()
    return ((s + np.sqrt(s**2 + 4 * H)) / 2) ** 2


def promise_with_perceptron_loss(X, y, w):
    H, s = np.maximum(0, -y * (X @ w)).sum(), np.linalg.norm(w) * np.linalg.norm(X, axis=1).max()
    return H + s * np.sqrt(H) + s**2


def attack(K):
    return [K / 2] + [-K if m % 2 else K for m in range(1, K**2 // 2 + 1)]


def attack_in_full(K):
    return [K] + [-K if m % 2 else K for m in range(1, K**2 // 2 + 1)]


def attack_short(K):
    return attack(K)[: K // 2]


def attack_too_long(K):
    return [2 * c for c in attack(K)]


RIGHT = {
    "08.1": [(3, 4, 7)],
    "08.2": [wrong_rounds],
    "08.3": [promise],
    "08.4": [([[1, 0.1], [-1, 0.1]], [1, 1])],
    "08.5": [attack],
}
WRONG = {
    "08.1": [
        ((2, 4, 7), "M is not right"),
        ((3, 3, 4 + np.sqrt(3)), "add up all eight"),
        ((3, 6, 7), "H is not"),
        ((3, 4, 8), "B is not"),
        (7, "three numbers"),
    ],
    "08.2": [
        (from_zero, "Rounds are counted from 1"),
        (ties_pass, "returned [].\nIt should return [1].\nRound 1 starts at w = 0, so its score is zero"),
        (reads_twice, "Given stream = a stream of [([2.0], 1)],\nyour function returned [].\nIt should return [1]."),
        (needs_a_length, "has no len()"),
        (lambda stream: 3, "a list of rounds"),
        ([1], "must be a function"),
    ],
    "08.3": [
        (promise_tight, "It should return"),
        (promise_with_perceptron_loss, "returned 0.0.\nIt should return 3.0"),
        (7, "must be a function"),
    ],
    "08.4": [
        (([[1, 0], [0, 1]], [1, -1]), "no comparator has a smaller one"),
        (([[1, 0], [1, 0]], [1, -1]), "No hyperplane through the origin"),
        (([[1.0, 0.1]] * 11, [1] * 11), "at most ten"),
        (([[1, 0]], [1, 1]), "must be a pair"),
        (3, "must be a pair"),
    ],
    "08.5": [
        (attack_in_full, "is not a mistake: w is "),
        (attack_short, "but you need at least"),
        (attack_too_long, "must lie between −K and K"),
        (lambda K: 5, "a list of numbers"),
    ],
}
