"""The perceptron's loop, compiled by numba. It makes the same mistakes as the plain loop of pla.py, only faster."""

import numpy as np
from numba import njit
from numba.extending import overload

from pla_lib import pla

SHORT = 24  # entries up to which no order is faster than the plain one

_in_order = njit(cache=True)(pla.score)


@njit(cache=True, fastmath={"reassoc", "nsz", "contract"})
def _in_any_order(theta, rows, i):
    """theta'x_i summed in whatever order is fastest, and the sum of the terms' sizes."""
    total = size = 0.0
    for j in range(len(theta)):
        term = theta[j] * rows[i, j]
        total += term
        size += abs(term)
    return total, size


@overload(pla.score)
def _score(theta, rows, i):
    """What `score` means within compiled code.

    Two orders of summing d terms differ by less than 2 d eps times the sum of their sizes. Only a result nearer to zero
    than that can have another sign, and is summed again as the plain loop sums it.
    """
    eps = np.finfo(float).eps

    def fast(theta, rows, i):
        if len(theta) > SHORT:
            total, size = _in_any_order(theta, rows, i)
            if abs(total) > 2 * (len(theta) + 1) * eps * size:
                return total
        return _in_order(theta, rows, i)

    return fast


_visit = njit(cache=True)(pla.visit)


def visit(rows, labels, theta, eta, zero_is_mistake_for_minus, zero_is_mistake_for_plus, order):
    """`pla.visit`, compiled. Read as unsigned, the indices need no check for negative ones."""
    ties = zero_is_mistake_for_minus, zero_is_mistake_for_plus
    return _visit(rows, labels, theta, eta, *ties, order.view(np.uint64))
