"""Random examples in small whole numbers: scores are exact, and zero often enough to matter."""

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
