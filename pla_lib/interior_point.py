r"""An interior-point method in NumPy for quadratic programs, and the choice between it and cvxopt's.

.. math:: \min_x \tfrac12 x^\top P x + q^\top x \quad \text{subject to} \quad G x + s = h, \; s \ge 0, \; A x = b.

P, G and A are arrays, or anything else that multiplies a vector with `@`, such as `Linear`.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

import numpy as np

STEP = 0.99  # the share of the way to the nearest constraint


@cache
def back_end():
    """The module whose `minimise` and `cholesky` solvers use: the one with cvxopt, or this one where there is none."""
    try:
        return import_module("pla_lib.with_cvxopt")
    except ImportError:
        return sys.modules[__name__]


@dataclass(frozen=True, eq=False)
class Linear:
    """A matrix that is known by what it does to a vector."""

    times: Callable[[np.ndarray], np.ndarray]
    transposed_times: Callable[[np.ndarray], np.ndarray]

    def __matmul__(self, x: np.ndarray) -> np.ndarray:
        return self.times(x)

    @property
    def T(self) -> "Linear":  # noqa: N802 - as NumPy calls it
        """The transposed matrix."""
        return Linear(self.transposed_times, self.times)


@dataclass(frozen=True, eq=False)
class Solution:
    """Where the method stopped: x and s, the multipliers y of Ax = b and z of Gx + s = h, and the two objectives.

    `gap` is s'z, and bounds what is left to gain where all constraints hold.
    """

    x: np.ndarray
    y: np.ndarray
    s: np.ndarray
    z: np.ndarray
    primal: float
    dual: float
    gap: float
    optimal: bool


@np.errstate(all="ignore")  # numbers that overflow end the search
def minimise(
    P, q, G, h, factor, A=None, b=None, *, reltol=1e-6, abstol=1e-7, feastol=1e-7, refinement=0, maxiters=100
) -> Solution:
    """Solve the program. The method and the meaning of the options are those of cvxopt's `coneqp`.

    The optimality conditions are Px + q + A'y + G'z = 0, the constraints, and s_i z_i = 0. Newton's method is applied
    to them with s_i z_i = sigma * (the mean of these products), from s > 0 and z > 0, and never leaves s > 0 and z > 0.
    Each round takes two steps with one factorisation (Mehrotra, 1992). The first aims at sigma = 0. How far it gets
    decides the sigma of the second, which also makes up for the products that the first has neglected.

    `factor(D)`, for a vector D > 0, returns a function that takes (bx, by, bz) to the solution (dx, dy, dz) of

        P dx + A'dy + G'dz = bx,   A dx = by,   G dx - D dz = bz,

    and raises `numpy.linalg.LinAlgError` if there is none. What is special about P and G is put to use there.
    """
    norm = np.linalg.norm
    if A is None:
        A, b = np.zeros((0, len(q))), np.zeros(0)

    def newton(solve, D, bx, by, bz):
        found = solve(bx, by, bz)
        for _ in range(refinement):
            dx, dy, dz = found
            rest = bx - P @ dx - A.T @ dy - G.T @ dz, by - A @ dx, bz - G @ dx + D * dz
            found = [old + new for old, new in zip(found, solve(*rest), strict=True)]
        return found

    D = np.ones(len(h))
    x, y, z = newton(factor(D), D, -q, b, h)
    s, z = _positive(-z), _positive(z)
    for rounds_left in reversed(range(maxiters + 1)):
        Px, gap = P @ x, s @ z
        rx, ry, rz = Px + q + A.T @ y + G.T @ z, A @ x - b, G @ x + s - h
        primal = x @ Px / 2 + q @ x
        dual = primal + y @ ry + z @ rz - gap
        relative = gap / -primal if primal < 0 else gap / dual if dual > 0 else np.inf
        holds = all(norm(r) <= feastol * max(1, norm(size)) for r, size in ((rx, q), (ry, b), (rz, h)))
        optimal = bool(holds and (gap <= abstol or relative <= reltol))
        if optimal or not rounds_left:
            break
        try:
            D = s / z
            solve = factor(D)
            target = -s * z
            for aims_at_zero in (True, False):
                dx, dy, dz = newton(solve, D, -rx, -ry, -rz - target / z)
                ds = (target - s * dz) / z
                nearest = max((-ds / s).max(), (-dz / z).max())  # 1 / nearest steps lead to a constraint
                if aims_at_zero:
                    step = min(1, 1 / nearest) if nearest > 0 else 1
                    sigma = min(1, max(0, 1 - step + step**2 * (ds @ dz) / gap)) ** 3
                    target = target - ds * dz + sigma * gap / len(s)
            step = min(1, STEP / nearest) if nearest > 0 else 1
        except np.linalg.LinAlgError:
            break
        if not np.isfinite(nearest):
            break
        x, y, s, z = x + step * dx, y + step * dy, s + step * ds, z + step * dz
    return Solution(x, y, s, z, float(primal), float(dual), float(gap), optimal)


def cholesky(S: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """A function that solves Su = v for u, where S is symmetric and positive definite."""
    L = np.linalg.cholesky(S)
    return lambda v: np.linalg.solve(L.T, np.linalg.solve(L, v))


def dense(P: np.ndarray, G: np.ndarray, A: np.ndarray | None = None) -> Callable:
    """`factor` for arrays about which nothing special is known."""
    n = len(P)
    A = np.zeros((0, n)) if A is None else A

    def factor(D):
        weighted = G.T / D
        K = np.block([[P + weighted @ G, A.T], [A, np.zeros((len(A), len(A)))]])

        def solve(bx, by, bz):
            both = np.linalg.solve(K, np.append(bx + weighted @ bz, by))
            return both[:n], both[n:], (G @ both[:n] - bz) / D

        return solve

    return factor


def _positive(v: np.ndarray) -> np.ndarray:
    """All entries raised by the same amount, if one of them is not safely above zero."""
    least = v.min()
    return v if least > 1e-8 * max(1, np.linalg.norm(v)) else v + 1 - least
