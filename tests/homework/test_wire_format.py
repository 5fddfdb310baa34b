"""Plain data cross between hand-in and grader unchanged; nothing else crosses."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from homework.grader.wire_format import pack, unpack

scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(), st.fractions())
plain_data = st.recursive(
    scalars | arrays.arrays(st.sampled_from([float, int, bool]), arrays.array_shapes(min_side=0, max_side=4)),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def same(a, b) -> bool:
    if isinstance(a, np.ndarray):
        return (
            type(b) is np.ndarray
            and a.shape == b.shape
            and a.dtype == b.dtype
            and np.array_equal(a, b, equal_nan=a.dtype == float)
        )
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


@given(plain_data)
def test_plain_data_come_back_unchanged(value):
    assert same(value, unpack(json.loads(json.dumps(pack(value)))))


def test_exact_numbers_in_an_array_come_back_unchanged():
    exact = np.array([Fraction(1, 3), 2], dtype=object)
    assert same(unpack(pack(exact)).tolist(), exact.tolist())


@pytest.mark.parametrize("value", [object(), lambda: 0, np.array(["a"]), 1j, {1, 2}], ids=lambda v: type(v).__name__)
def test_other_objects_are_not_packed(value):
    with pytest.raises(TypeError, match="a "):
        pack(value)


@pytest.mark.parametrize(
    "packed",
    [[1], {"list": 5}, {"fraction": [1, 0]}, {"what": []}, {"array": [1], "shape": [7], "of": "f"}, {}],
    ids=str,
)
def test_other_messages_are_not_unpacked(packed):
    with pytest.raises(ValueError, match="not plain data"):
        unpack(packed)
