"""The figures of chapter 04 show what the ledger, the counts and the run say."""

from fractions import Fraction

import matplotlib as mpl
import numpy as np
import pytest

from pla_lib import blobs, ledger, mistake_bound, perceptron, with_margin, worst_case
from pla_lib.plots.convergence import plot_distances, plot_ledger, plot_mistakes, plot_orders
from tests.plots.artists import named

X, Y = blobs(12, gap=0.8, seed=5)
THETA = np.array([-8.0, 3, 2])
RUN = perceptron(X, Y)


@pytest.mark.parametrize("start", [None, [1.0, -2, -3]])
def test_ledger_curves_are_those_of_the_ledger_and_meet_at_the_bound(start):
    run = perceptron(X, Y, theta0=start, eta=0.5)
    book = ledger(run, THETA)
    ax, length = plot_ledger(book), np.linalg.norm(THETA)
    m = np.arange(len(run.mistakes) + 1)
    np.testing.assert_allclose(named(ax, "norm").get_xydata(), np.c_[m, np.sqrt(book.norm2)])
    np.testing.assert_allclose(named(ax, "progress").get_xydata(), np.c_[m, book.progress / length])
    ((bound, meet),) = named(ax, "the bound").get_xydata()
    assert bound == pytest.approx(book.bound.value)
    for label in ("floor", "ceiling"):
        across, upward = named(ax, label).get_data()
        assert np.interp(bound, across, upward) == pytest.approx(meet, rel=1e-3)
    across, upward = named(ax, "floor").get_data()
    np.testing.assert_allclose(np.interp(m, across, upward), book.floor / length, atol=1e-9)
    across, upward = named(ax, "ceiling").get_data()
    np.testing.assert_allclose(np.interp(m, across, upward**2), book.ceiling2, atol=1e-9)


def test_ledger_of_fractions_and_of_a_run_on_the_bound_can_be_drawn():
    exact = np.array([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]])
    run = perceptron(exact, [1, -1], bias=False)
    assert named(plot_ledger(ledger(run, run.theta)), "the bound").get_xdata() == [2]
    hard = perceptron(*worst_case(16), bias=False)
    ax = plot_ledger(ledger(hard, hard.theta))
    np.testing.assert_allclose(named(ax, "norm").get_xydata()[-1], named(ax, "the bound").get_xydata()[0])
    np.testing.assert_allclose(named(ax, "progress").get_xydata()[-1], (16, 4))


def test_ledger_can_end_with_the_last_update():
    ax = plot_ledger(ledger(RUN, THETA), whole=False)
    assert "the bound" not in [line.get_label() for line in ax.lines]
    for name in ("floor", "ceiling", "norm", "progress"):
        assert named(ax, name).get_xdata()[-1] == len(RUN.mistakes)


def test_ledger_is_drawn_into_given_axes_and_nothing_else_is_taken():
    ax = mpl.figure.Figure().subplots()
    assert plot_ledger(ledger(RUN, THETA), ax) is ax
    with pytest.raises(ValueError, match=r"draws a Ledger, as ledger\(run, theta\) gives; it was given a Run"):
        plot_ledger(RUN)


def test_every_run_has_its_dot_and_the_bound_its_line():
    ax = plot_mistakes([0.1, 0.2, 0.5], [[3, 9], [2, 5], [1, 1]], [100, 25, 4], name="margin", embedded=[4, 4, 4])
    assert sorted(named(ax, "runs").get_xydata().tolist()) == sorted(
        [[0.1, 3], [0.1, 9], [0.2, 2], [0.2, 5], [0.5, 1], [0.5, 1]]
    )
    assert named(ax, "the bound").get_xydata().tolist() == [[0.1, 100], [0.2, 25], [0.5, 4]]
    assert named(ax, "one data set, carried along").get_ydata().tolist() == [4, 4, 4]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert ax.get_xticks().tolist() == [0.1, 0.2, 0.5]


def test_one_run_for_each_value_on_plain_axes_and_one_bound_for_all():
    ax = plot_mistakes(range(8), range(8), 10, name="$c$", log=False)
    assert named(ax, "runs").get_ydata().tolist() == list(range(8))
    assert set(named(ax, "the bound").get_ydata()) == {10}
    assert ax.get_xscale() == "linear"
    assert ax.get_ylim()[0] == 0
    with pytest.raises(ValueError, match=r"a row for each of the 2 values; its shape is \(3,\)"):
        plot_mistakes([1, 2], [1, 2, 3], 10, name="d")


def test_orders_are_counted():
    ax = plot_orders([3, 7, 7, 3, 7, 12], 50.5)
    (bars,) = ax.collections
    assert [segment.tolist() for segment in bars.get_segments()] == [
        [[3, 0], [3, 2]],
        [[7, 0], [7, 3]],
        [[12, 0], [12, 1]],
    ]
    (limit,) = ax.lines
    assert limit.get_xdata()[0] == 50.5
    assert [label.get_text() for label in ax.get_xticklabels()] == ["3", "12", "50"]
    for wrong in ([], [0, 1], [1.5], [[1, 2]]):
        with pytest.raises(ValueError, match="counts must list the mistakes of each run"):
            plot_orders(wrong, 10)


@pytest.mark.parametrize("bias", [True, False])
def test_distances_are_those_of_the_weights(bias):
    data = with_margin(30, margin=0.1, seed=1)
    theta = np.insert(data.theta, 0, 0) if bias else data.theta
    run = perceptron(*data, bias=bias)
    ax = plot_distances(run, 3 * theta)
    bound = mistake_bound(*data, theta)
    for label, c in (("from θ*", 1), ("from cθ*", bound.radius**2 / bound.delta)):
        away = np.linalg.norm(run.thetas - c * theta, axis=1)
        np.testing.assert_allclose(named(ax, label).get_ydata(), away / away[0])
    assert (np.diff(named(ax, "from cθ*").get_ydata()) < 0).all()
    with pytest.raises(ValueError, match="draws a Run"):
        plot_distances(data, theta)
