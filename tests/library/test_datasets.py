"""Data sets are what their docstrings say."""

from unicodedata import normalize

import numpy as np
import pytest
import sklearn.datasets
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

from pla_lib import (
    Dataset,
    blobs,
    digits,
    disc_in_ring,
    iris,
    label_noise,
    mistake_bound,
    own_seed,
    perceptron,
    semicircles,
    two_classes,
    with_margin,
    worst_case,
)


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
    ("bad", "words"),
    [
        ({"n": 1}, "n must be a whole number of at least 2"),
        ({"n": 2.5}, "n must be a whole number"),
        ({"gap": 0}, "gap must be a positive number; it was given 0"),
        ({"gap": np.nan}, "gap must be finite"),
        ({"gap": "1"}, "gap must be a positive number; it was given '1'"),
        ({"middle": (1, 2, 3)}, "a point of the plane"),
        ({"middle": None}, "middle must hold real numbers; it holds None"),
    ],
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


@given(st.integers(2, 40), st.sampled_from([2, 3, 20, 200]), st.floats(0.01, 0.9), st.integers(0, 1000))
def test_with_margin_has_the_margin_and_radius_it_names(n, d, margin, seed):
    data = with_margin(n, d, margin=margin, radius=1.5, seed=seed)
    X, y = data
    assert np.linalg.norm(data.theta) == pytest.approx(1)
    assert (y * (X @ data.theta)).min() == pytest.approx(margin)
    assert np.linalg.norm(X, axis=1).max() == pytest.approx(1.5)
    assert set(y) == {-1, 1}


@given(st.integers(2, 60), st.floats(1, 170), st.integers(0, 1000))
def test_semicircles_leave_the_gap_free(n, gap, seed):
    X, y = semicircles(n, gap=gap, seed=seed)
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1)
    assert (y * X[:, 0] >= np.sin(np.deg2rad(gap / 2)) - 1e-9).all()


@given(st.integers(2, 60), st.floats(0, 0.9), st.integers(0, 1000))
def test_disc_in_ring_keeps_its_distance_from_the_circle(n, gap, seed):
    X, y = disc_in_ring(n, gap=gap, seed=seed)
    radius = np.linalg.norm(X, axis=1)
    assert (y * (radius - 1) >= gap - 1e-9).all()
    assert (radius <= 2 + 1e-9).all()


@given(st.integers(2, 50), st.floats(0, 1), st.integers(0, 1000))
def test_label_noise_flips_its_share_and_nothing_else(n, share, seed):
    clean = blobs(n)
    noisy = label_noise(clean, share, seed=seed)
    assert (noisy.y != clean.y).sum() == round(share * n)
    assert (noisy.X == clean.X).all()


@pytest.mark.parametrize(("k", "bias"), [(2, False), (5, False), (2, True), (8, True), (16, True)])
def test_worst_case_reaches_the_bound(k, bias):
    X, y = worst_case(k, bias=bias)
    run = perceptron(X, y, bias=bias)
    assert len(run.mistakes) == k == mistake_bound(X, y, run.theta).value
    assert len(perceptron(X, y, bias=bias, tie="correct").mistakes) == 0


def test_shipped_data_are_those_of_scikit_learn():
    X, species = iris()
    peer = sklearn.datasets.load_iris()
    np.testing.assert_allclose(X, peer.data)
    assert species.tolist() == peer.target_names[peer.target].tolist()
    X, digit = digits()
    peer = sklearn.datasets.load_digits()
    assert (peer.data == X).all()
    assert (digit == peer.target).all()


def test_two_classes_keep_their_order_and_refuse_an_unknown_label():
    X, y = two_classes([[0], [1], [2], [3]], ["a", "b", "c", "a"], "a", "c")
    assert X.ravel().tolist() == [0, 2, 3]
    assert y.tolist() == [1, -1, 1]
    with pytest.raises(ValueError, match="no example has the label 'z'; there are 'a', 'b', 'c'"):
        two_classes([[0], [1], [2]], ["a", "b", "c"], "a", "z")


def test_own_seed_knows_a_student_however_the_id_is_written():
    assert (own_seed("ada", "ps1"), own_seed("k-2071@school", "ps2")) == (1586110430, 306145776)
    for written in ("Renée", "Åsa", "İpek", "J\N{COMBINING CARON}an", "Nguyễn"):
        spellings = [normalize(form, written) for form in ("NFC", "NFD")]
        assert len({own_seed(each, "ps1") for each in [*spellings, *map(str.lower, spellings), f" {written} "]}) == 1
    assert own_seed("renée", "ps1") != own_seed("renee", "ps1")


@pytest.mark.parametrize("student", ["", "  ", None, 7])
def test_own_seed_asks_for_an_id(student):
    with pytest.raises(ValueError, match="own_seed needs a student's id"):
        own_seed(student, "ps1")


@pytest.mark.parametrize(
    "make",
    [
        lambda: with_margin(1),
        lambda: with_margin(d=1),
        lambda: with_margin(margin=2),
        lambda: with_margin(radius=np.inf),
        lambda: semicircles(1),
        lambda: semicircles(gap=180),
        lambda: disc_in_ring(gap=1),
        lambda: label_noise(blobs(), 1.5),
        lambda: worst_case(1),
        lambda: worst_case(6, bias=True),
    ],
)
def test_generators_refuse_what_makes_no_sense(make):
    with pytest.raises(ValueError, match=r"it was given|must be finite"):
        make()
