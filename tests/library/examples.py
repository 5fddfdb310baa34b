"""Random examples in small whole numbers: scores are exact, and zero often enough to matter. And random programs."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

TIES = ["mistake", "negative", "positive", "correct"]
numbers = st.integers(-3, 3)
data = st.lists(st.tuples(numbers, numbers, st.sampled_from([-1, 1])), min_size=3, max_size=8)  # rows x1, x2, y
orders = st.sampled_from(["cyclic", "random", [2, 0, 1, 1]])
ties = st.sampled_from(TIES)


def fractions(rows):
    """X in thirds, and y."""
    return np.array([[Fraction(number, 3) for number in row[:2]] for row in rows]), [row[2] for row in rows]


def random_program(seed, *, linear=False):
    """P, q, G, h, A, b with a solution: x0 and the multipliers y0 and z0 > 0 meet all conditions but s'z = 0."""
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 7), rng.integers(1, 12)
    root = rng.normal(size=(rng.integers(0, n + 1), n))
    P = 0 * root.T @ root if linear else root.T @ root
    G, A = rng.normal(size=(m + 2 * n, n)), rng.normal(size=(rng.integers(0, min(3, n)), n))
    G[m:] = np.vstack([np.eye(n), -np.eye(n)])
    x0, y0, z0, s0 = rng.normal(size=n), rng.normal(size=len(A)), rng.random(len(G)), rng.random(len(G))
    return P, -P @ x0 - G.T @ z0 - A.T @ y0, G, G @ x0 + s0, A, A @ x0
