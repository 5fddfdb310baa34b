"""The perceptron's loop, compiled by numba. It makes the same mistakes as the plain loop of pla.py, only faster."""

import numpy as np
from numba import boolean, config, float64, int64, njit, types, uint64

if config.DISABLE_JIT:
    raise ImportError("numba is told not to compile, and uncompiled this loop is slower than the plain one")

SHORT = 24  # weights up to which no order of summing is faster than the plain one
EPS = np.finfo(float).eps
_any_order = njit(cache=True, fastmath={"reassoc", "contract", "nsz"})

# The sign of a score decides, and rounding may change it. When is a fast score sure to have the sign of the plain one?
#
# Both are sums of the same n products theta_j x_j. Computed in any order, with or without fused multiply and add, such
# a sum is off by at most gamma_n * sum |theta_j x_j|, where gamma_n = n u / (1 - n u) and u = EPS / 2 (Higham, Accuracy
# and Stability of Numerical Algorithms, section 3.1), plus n times the smallest float for products that underflow. By
# Cauchy and Schwarz, sum |theta_j x_j| <= ||theta|| ||x||. So two orders differ by at most 2 gamma_n ||theta|| ||x||,
# and a score further from zero than that has the same sign in every order.
#
# The code asks for n * EPS * size(theta) * size(x), where size = sqrt(4 ||.||^2 + 1e-300). That is four times as much,
# which is room enough for the rounding of the sizes themselves. The 1e-300 is more than what squares and products lose
# by underflow. If 4 ||.||^2 overflows, the bound is infinite and no score passes. If it does not,
# ||theta|| ||x|| is below a quarter of the largest float, so no partial sum overflows.
#
# A score that does not pass is computed again in the plain order.


@njit(cache=True)
def _score_in_order(b, w, X, i):
    total = b
    for j in range(len(w)):
        total += w[j] * X[i, j]
    return total


@_any_order
def _score_in_any_order(b, w, X, i):
    total = b
    for j in range(len(w)):
        total += w[j] * X[i, j]
    return total


@_any_order
def _size_of_row(X, i, offset):
    total = float(offset)
    for j in range(X.shape[1]):
        total += X[i, j] * X[i, j]
    return np.sqrt(4 * total + 1e-300)


@_any_order
def _size(theta):
    total = 0.0
    for j in range(len(theta)):
        total += theta[j] * theta[j]
    return np.sqrt(4 * total + 1e-300)


# X may be read-only; named here, its type is the only one this is ever compiled for.
_types = types.Array(float64, 2, "C", readonly=True), float64[::1], int64[::1], float64[::1], float64[::1]


@njit((*_types, float64, boolean, boolean, uint64[::1]), cache=True)
def _visit(X, sizes, labels, theta, w, eta, zero_is_mistake_for_minus, zero_is_mistake_for_plus, order):
    wrong, count = np.empty(len(order), np.int64), 0
    offset, is_long = len(theta) - len(w), len(theta) > SHORT
    bound = len(theta) * EPS * _size(theta)
    for t in range(len(order)):
        i = order[t]
        y, b = labels[i], theta[0] if offset else 0.0
        if is_long:
            if sizes[i] == 0:  # the first visit
                sizes[i] = _size_of_row(X, i, offset)
            s = _score_in_any_order(b, w, X, i)
            if not abs(s) > bound * sizes[i]:
                s = _score_in_order(b, w, X, i)
        else:
            s = _score_in_order(b, w, X, i)
        if y * s > 0:
            continue
        if s != 0 or (zero_is_mistake_for_plus if y > 0 else zero_is_mistake_for_minus):
            rate = eta * y
            if offset:
                theta[0] += rate
            for j in range(len(w)):
                w[j] += rate * X[i, j]
            if is_long:
                bound = len(theta) * EPS * _size(theta)
            wrong[count] = t
            count += 1
    return wrong[:count]


def rows(X):
    """The examples as `visit` takes them, and room for their sizes, which it fills in when it first meets each one."""
    return np.ascontiguousarray(X), np.zeros(len(X))


def visit(rows, labels, theta, eta, zero_is_mistake_for_minus, zero_is_mistake_for_plus, order):
    """`pla.visit`, compiled. It needs no copy of X with ones in front: an offset is a theta longer than the rows."""
    X, sizes = rows
    w = theta[len(theta) - X.shape[1] :]
    ties = zero_is_mistake_for_minus, zero_is_mistake_for_plus
    # Read as unsigned, the indices need no check for negative ones.
    return _visit(X, sizes, labels, theta, w, eta, *ties, order.view(np.uint64))
