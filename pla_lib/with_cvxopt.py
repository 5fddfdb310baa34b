"""`minimise` and `cholesky` of interior_point.py, by cvxopt: the same method, written in C where it counts."""

from collections.abc import Callable

import numpy as np
from cvxopt import lapack, matrix, solvers

from pla_lib.interior_point import Solution


@np.errstate(all="ignore")  # numbers that overflow end the search
def minimise(P, q, G, h, factor, **options) -> Solution:
    """Solve the program by cvxopt's `coneqp`. There is no Ax = b here."""

    def scaled(W):
        scale = _vector(W["d"])
        solve = factor(scale**2)

        def in_place(x, y, z):
            x, y, z = _vector(x), _vector(y), _vector(z)
            try:
                x[:], y[:], z[:] = solve(x, y, z)
            except np.linalg.LinAlgError as error:
                raise ArithmeticError(str(error)) from None  # cvxopt's word for a system without a solution
            z *= scale

        return in_place

    found = solvers.coneqp(
        _in_place(P),
        matrix(q),
        _in_place(G),
        matrix(h),
        kktsolver=scaled,
        options=options | {"show_progress": False},
    )
    return Solution(
        *(_vector(found[name]) for name in "xysz"),
        *(found[name] for name in ("primal objective", "dual objective", "gap")),
        found["status"] == "optimal",
    )


def cholesky(S: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """A function that solves Su = v for u, where S is symmetric and positive definite."""
    L = matrix(S)
    lapack.potrf(L)

    def solve(v):
        u = matrix(v)
        lapack.potrs(L, u)
        return _vector(u)

    return solve


def _in_place(M) -> Callable:
    """The product with M as cvxopt wants it: out := alpha * M x + beta * out."""

    def product(x, out, alpha=1.0, beta=0.0, trans="N"):
        x, out = _vector(x), _vector(out)
        out *= beta
        out += alpha * ((M.T if trans == "T" else M) @ x)

    return product


def _vector(column) -> np.ndarray:
    """A column of cvxopt's as a NumPy vector, on the same memory."""
    return np.asarray(column).ravel()
