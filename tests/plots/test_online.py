"""The figures of chapter 08 show what the bounds, the quadratic and the soft margins say."""

import numpy as np
import pytest

from pla_lib import (
    best_comparator,
    hinge_mistake_bound,
    label_noise,
    online_perceptron,
    perceptron,
    soft_margin,
    with_margin,
)
from pla_lib.plots.online import plot_comparators, plot_frontier, plot_promises, plot_quadratic
from tests.plots.artists import named

CLEAN = with_margin(30, margin=0.3, seed=1)
X, Y = label_noise(CLEAN, 0.1, seed=2)
RUN = perceptron(X, Y, bias=False, max_epochs=1)


def test_promises_are_the_bounds_of_every_beginning_and_lie_above_the_mistakes():
    w = 2 * CLEAN.theta
    ax = plot_promises(X, Y, {"mine": w, "zero": [0, 0]})
    made = [0] + [r.mistakes for r in online_perceptron(zip(X, Y, strict=True), bias=False)]
    assert named(ax, "mistakes").get_xydata().tolist() == [[t, m] for t, m in enumerate(made)]
    for name, comparator in (("mine", w), ("zero", np.zeros(2))):
        promised = named(ax, name).get_ydata()
        for t in (1, 2, 15, 30):
            beginning = perceptron(X[:t], Y[:t], bias=False, max_epochs=1)
            assert promised[t] == pytest.approx(hinge_mistake_bound(beginning, comparator))
        assert (promised >= made).all()


def test_promises_are_told_apart_and_bad_ones_refused():
    ax = plot_promises(X, Y, {name: [1, k] for k, name in enumerate("abcd")})
    assert len({str(named(ax, name)._dash_pattern) for name in "abcd"}) == 4
    with pytest.raises(ValueError, match="can tell 4 comparators apart; it was given 5"):
        plot_promises(X, Y, {name: [1, 1] for name in "abcde"})
    with pytest.raises(ValueError, match=r"comparator 'a' must have 2 entries, .*; its shape is \(3,\)"):
        plot_promises(X, Y, {"a": [1, 2, 3]})


@pytest.mark.parametrize(("losses", "s", "made"), [(4, 1, 3), (0, 3, 2), (5, 0, 5), (0, 0, 0)])
def test_quadratic_has_its_root_and_the_run_where_it_is_not_positive(losses, s, made):
    ax = plot_quadratic(losses, s, made)
    ((root, height),) = named(ax, "larger root").get_xydata()
    assert height == pytest.approx(0)
    assert root == pytest.approx((s + np.sqrt(s**2 + 4 * losses)) / 2)
    ((z, below),) = named(ax, "the run").get_xydata()
    assert z**2 == pytest.approx(made)
    assert below <= 1e-12
    ((loose, _),) = named(ax, "loosened bound").get_xydata()
    assert loose**2 == pytest.approx(losses + s * np.sqrt(losses) + s**2)
    along, values = named(ax, "$z^2 - s z - H$").get_data()
    np.testing.assert_allclose(values, along**2 - s * along - losses)


def test_quadratic_of_negative_numbers_is_refused():
    with pytest.raises(ValueError, match="losses must be a number of at least 0; it was given -1"):
        plot_quadratic(-1, 1, 1)


def test_plane_of_comparators_holds_the_path_and_the_best():
    ax = plot_comparators(X, Y)
    best = best_comparator(X, Y)
    assert named(ax, "best $w^*$").get_xydata().tolist() == [best.tolist()]
    path = named(ax, "soft-margin path").get_xydata()
    assert np.linalg.norm(path[0]) < 0.02
    large = soft_margin(X, Y, 10 * 30**2 / (X**2).sum(axis=1).max(), bias=False).theta
    np.testing.assert_allclose(path[-1], large, atol=1e-6)
    steps = np.linspace(0, 1, 50)[:, None, None]
    along = (path[:-1] + steps * np.diff(path, axis=0)).reshape(-1, 2)
    assert np.linalg.norm(along - best, axis=1).min() < 0.02  # the diamond is on the path
    assert ax.get_aspect() == 1
    with pytest.raises(ValueError, match="two features; these have 3"):
        plot_comparators([[1, 2, 3]], [1])


@pytest.mark.parametrize("d", [2, 5])
def test_no_comparator_lies_below_the_frontier(d):
    X, Y = label_noise(with_margin(40, d, margin=0.3, seed=1), 0.1, seed=2)
    ax = plot_frontier(X, Y, others=300)
    s, losses = named(ax, "soft-margin path").get_data()
    assert (s[0], losses[0]) == (0, 40)
    others = named(ax, "some $w^*$").get_xydata()
    assert len(others) == 300
    within = others[others[:, 0] <= s[-1]]
    edge = np.interp(within[:, 0], s, losses)
    assert len(within) > 50
    assert (within[:, 1] >= edge - 0.05).all()  # the path is drawn in straight pieces, which lie a little above it
    ((across, up),) = named(ax, "best $w^*$").get_xydata()
    w = best_comparator(X, Y)
    run = perceptron(X, Y, bias=False, max_epochs=1)
    bound = hinge_mistake_bound(run, w)
    assert up + across * np.sqrt(up) + across**2 == pytest.approx(bound)
    along, level = named(ax, "equal bounds").get_data()
    known = ~np.isnan(level)
    np.testing.assert_allclose(level + along * np.sqrt(level) + along**2, np.where(known, bound, np.nan))
    assert (losses + s * np.sqrt(losses) + s**2 >= bound - 1e-6).all()


def test_frontier_of_separable_and_of_hopeless_data_can_be_drawn():
    for labels in (CLEAN.y, np.ones(30, int)):
        ax = plot_frontier(CLEAN.X, labels, others=20)
        assert ax.get_xlim()[0] == ax.get_ylim()[0] == 0
    turned = np.array([[1.0, 0], [1, 0]])
    assert named(plot_frontier(turned, [1, -1]), "best $w^*$").get_xydata().tolist() == [[0, 2]]
    assert plot_comparators(turned, [1, -1]).get_xlabel() == "$w^*_1$"
