"""Data sets are what their docstrings say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

from pla_lib import Dataset, blobs


@given(st.integers(2, 60), st.floats(0.01, 5), st.integers(0, 1000))
def test_blobs_lie_in_two_discs_with_a_gap_between(n, gap, seed):
    X, y = blobs(n, gap=gap, middle=(2, 1), seed=seed)
    normal = np.array([np.cos(np.deg2rad(35)), np.sin(np.deg2rad(35))])
    assert (y * ((X - (2, 1)) @ normal) >= gap / 2 - 1e-9).all()
    distance = np.linalg.norm(X - (2, 1) - y[:, None] * (1 + gap / 2) * normal, axis=1)
    assert (distance <= 1 + 1e-9).all()
    assert abs(y.sum()) <= 1


def test_blobs_are_separable_with_the_margin_they_promise():
    X, y = blobs(200, gap=0.5)
    machine = SVC(kernel="linear", C=1e6).fit(X, y)
    assert 1 / np.linalg.norm(machine.coef_) >= 0.25 - 1e-3


def test_blobs_follow_their_seed():
    assert (blobs(seed=1).X == blobs(seed=1).X).all()
    assert (blobs(seed=1).X != blobs(seed=2).X).any()


@pytest.mark.parametrize(
    ("bad", "words"), [({"n": 1}, "at least 2"), ({"gap": 0}, "positive gap"), ({"gap": np.nan}, "positive gap")]
)
def test_blobs_refuse_what_makes_no_sense(bad, words):
    with pytest.raises(ValueError, match=words):
        blobs(**bad)


def test_dataset_unpacks_and_keeps_no_hold_on_the_callers_labels():
    given_labels = np.array([1.0, -1.0])
    X, y = Dataset([[1, 2], [3, 4]], given_labels)
    given_labels[0] = -1
    assert X.dtype == float
    assert y.tolist() == [1, -1]
