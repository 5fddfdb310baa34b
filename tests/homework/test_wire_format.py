"""Plain data cross between hand-in and grader unchanged; nothing else crosses."""

import json
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from homework.grader.wire_format import MAX_DIGITS, MAX_STRING, pack, unpack

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


@pytest.mark.parametrize(
    ("value", "same_as"),
    [
        (np.matrix([[1, 2]]), np.array([[1, 2]])),
        (np.longdouble(1.5), 1.5),
        (np.array([1.5], dtype=np.longdouble), np.array([1.5])),
        (np.float32(1.5), 1.5),
        (range(3), [0, 1, 2]),
        (np.array([1, 2], dtype=np.int8), np.array([1, 2])),
    ],
    ids=lambda value: type(value).__name__,
)
def test_numbers_of_other_types_become_plain_ones(value, same_as):
    assert same(unpack(json.loads(json.dumps(pack(value)))), same_as)


def test_what_only_needs_a_list_is_told_so():
    for value in (map(abs, [1]), {1, 2}, (x for x in "ab"), {1: 2}.values()):
        with pytest.raises(TypeError, match=r"a \w+ \(list\(\.\.\.\) makes a list of it\)"):
            pack(value)


@pytest.mark.parametrize("value", [object(), lambda: 0, np.array(["a"]), 1j, {1, 2}], ids=lambda v: type(v).__name__)
def test_other_objects_are_not_packed(value):
    with pytest.raises(TypeError, match=r"an? "):
        pack(value)


@pytest.mark.parametrize(
    "packed",
    [[1], {"list": 5}, {"fraction": [1, 0]}, {"what": []}, {"array": [1], "shape": [7], "of": "f"}, {}],
    ids=str,
)
def test_other_messages_are_not_unpacked(packed):
    with pytest.raises(ValueError, match="not plain data"):
        unpack(packed)


OUT_OF_BOUNDS = {
    "a number with too many digits": 10**MAX_DIGITS,
    "a fraction of such a number": Fraction(1, 10**MAX_DIGITS),
    "such numbers in an array": np.array([10**MAX_DIGITS], dtype=object),
    "rows of nothing": np.empty((20_000_000, 0)),
    "a large array": np.zeros(2_000_000, dtype=bool),
    "a long string": "x" * (MAX_STRING + 1),
    "many keys": dict.fromkeys(range(2000)),
    "a deep list": [[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]],
}


@pytest.mark.parametrize("name", OUT_OF_BOUNDS)
def test_data_out_of_bounds_are_not_packed(name):
    with pytest.raises(TypeError):
        pack(OUT_OF_BOUNDS[name])


# What a hand-in could write to the channel by itself.
FORGED = {
    "a number in words": {"fraction": ["1e4000000000"]},
    "two numbers in words": {"fraction": ["1", "2"]},
    "a fraction of floats": {"fraction": [0.5, 1.0]},
    "a long number": 10**3900,
    "a long number in an array": {"array": [10**3900], "shape": [1], "of": "O"},
    "rows of nothing": {"array": [], "shape": [20_000_000, 0], "of": "f"},
    "a shape with a gap": {"array": [1.0], "shape": [-1], "of": "f"},
    "a shape of words": {"array": [1.0], "shape": ["1"], "of": "f"},
    "an array of one string": {"array": "ab", "shape": [2], "of": "f"},
    "words in an array": {"array": ["1e400"], "shape": [1], "of": "i"},
    "a type that is a list": {"array": [1], "shape": [1], "of": [1]},
    "many keys": {"dict": [[k, 0] for k in range(2000)]},
    "keys that cannot be keys": {"dict": [[{"list": []}, 0]]},
    "a list that is a string": {"list": "abc"},
}


@pytest.mark.parametrize("name", FORGED)
def test_messages_out_of_bounds_are_not_unpacked(name):
    with pytest.raises(ValueError, match="not plain data"):
        unpack(FORGED[name])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["array", "shape", "of", "list", "tuple", "dict", "fraction"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_message_is_unpacked_or_refused(message):
    with suppress(ValueError):
        pack(unpack(message))
