"""The interior-point method in NumPy against cvxopt, SciPy and the optimality conditions; and where it is used."""

import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from cvxopt import matrix, solvers
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from pla_lib import interior_point, max_margin, soft_margin, with_cvxopt
from pla_lib.interior_point import dense
from tests.library.examples import random_program

seeds = st.integers(0, 10**6)
BACK_ENDS = pytest.mark.parametrize("back_end", [interior_point, with_cvxopt], ids=["numpy", "cvxopt"])


def solved(P, q, G, h, A, b, **options):
    return interior_point.minimise(P, q, G, h, dense(P, G, A), A, b, **options)


@given(seeds)
def test_quadratic_program_is_that_of_cvxopt(seed):
    program = random_program(seed)
    ours, theirs = solved(*program), solvers.qp(*map(matrix, program), options={"show_progress": False})
    assert ours.optimal
    assert theirs["status"] == "optimal"
    assert ours.primal == pytest.approx(theirs["primal objective"], rel=2e-6, abs=1e-6)
    assert ours.dual == pytest.approx(theirs["dual objective"], rel=2e-6, abs=1e-6)


@given(seeds)
def test_linear_program_is_that_of_scipy(seed):
    P, q, G, h, A, b = random_program(seed, linear=True)
    ours, theirs = solved(P, q, G, h, A, b), linprog(q, G, h, A, b, bounds=(None, None))
    assert ours.optimal
    assert ours.primal == pytest.approx(theirs.fun, rel=1e-5, abs=1e-5)


@given(seeds, st.booleans(), st.integers(0, 1))
def test_solution_meets_the_optimality_conditions(seed, linear, refinement):
    P, q, G, h, A, b = random_program(seed, linear=linear)
    found = solved(P, q, G, h, A, b, refinement=refinement)
    assert found.optimal
    assert min(found.s.min(), found.z.min()) > 0
    size = 1 + max(np.linalg.norm(part) for part in (q, h, b))
    np.testing.assert_allclose(P @ found.x + q + G.T @ found.z + A.T @ found.y, 0, atol=1e-6 * size)
    np.testing.assert_allclose(G @ found.x + found.s, h, atol=1e-6 * size)
    np.testing.assert_allclose(A @ found.x, b, atol=1e-6 * size)
    assert found.gap == pytest.approx(found.s @ found.z)
    assert found.gap <= max(1e-7, 1e-6 * abs(found.primal), 1e-6 * abs(found.dual))


@given(seeds, st.booleans())
def test_both_back_ends_take_the_same_way(seed, linear):
    """The same method, so after a few rounds they are at the same place, long before the end."""
    P, q, G, h, *_ = random_program(seed, linear=linear)
    ours, theirs = (end.minimise(P, q, G, h, dense(P, G), maxiters=3) for end in (interior_point, with_cvxopt))
    for name in ("x", "s", "z", "primal", "dual", "gap", "optimal"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-6, atol=1e-7)


@BACK_ENDS
@pytest.mark.parametrize("P", [[[0.0]], [[1.0]]])
def test_program_without_a_solution_is_not_called_optimal(back_end, P):
    """x <= -1 and x >= 1 at once."""
    P, G = np.array(P), np.array([[1.0], [-1.0]])
    assert not back_end.minimise(P, np.zeros(1), G, np.array([-1.0, -1.0]), dense(P, G)).optimal


@BACK_ENDS
def test_system_that_cannot_be_solved_ends_the_search_where_it_is(back_end):
    P, q, G, h, *_ = random_program(0)
    before = back_end.minimise(P, q, G, h, dense(P, G), maxiters=2)
    calls = []

    def fails_after_two_rounds(D):
        calls.append(D)
        solve = dense(P, G)(D)
        if len(calls) <= 3:  # the first is for the start
            return solve

        def fails(*_):
            raise np.linalg.LinAlgError("singular matrix")

        return fails

    found = back_end.minimise(P, q, G, h, fails_after_two_rounds)
    assert not found.optimal
    np.testing.assert_array_equal(found.x, before.x)


@BACK_ENDS
def test_cholesky_solves_and_refuses(back_end):
    rng = np.random.default_rng(0)
    root, v = rng.normal(size=(9, 9)), rng.normal(size=9)
    S = root @ root.T + np.eye(9)
    np.testing.assert_allclose(S @ back_end.cholesky(S)(v), v, atol=1e-12)
    with pytest.raises((np.linalg.LinAlgError, ArithmeticError)):
        back_end.cholesky(-S)


# Where it is used


def by_both(solve, monkeypatch):
    """The answers of the two back ends."""
    answers = []
    for module in ("pla_lib.interior_point", "pla_lib.with_cvxopt"):
        with monkeypatch.context() as patch:
            for user in ("margins", "limits"):
                patch.setattr(f"pla_lib.{user}.back_end", lambda module=module: sys.modules[module])
            answers.append(solve())
    return answers


@pytest.mark.parametrize("C", [None, 1e-3, 1.0, 30.0, 1e4])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(("n", "d"), [(30, 2), (300, 20), (20, 40)])
def test_margins_agree_to_the_reported_gap(monkeypatch, n, d, bias, C):
    rng = np.random.default_rng(n)
    X, w = rng.normal(size=(n, d)), rng.normal(size=d)
    y = np.where(X @ w > 0, 1, -1)
    if C is None:
        solve = lambda: max_margin(X, y, bias=bias)  # noqa: E731
    else:
        solve = lambda: soft_margin(X, np.where(np.arange(n) % 7, y, -y), C, bias=bias)  # noqa: E731
    ours, theirs = by_both(solve, monkeypatch)
    assert max(ours.gap, theirs.gap) <= 1e-9
    assert ours.objective == pytest.approx(theirs.objective, rel=ours.gap + theirs.gap + 1e-14)
    # 1/2 ||w - w*||^2 is at most what the objective is above the least
    apart = np.sqrt(2 * ours.objective) * (np.sqrt(ours.gap) + np.sqrt(theirs.gap))
    assert np.linalg.norm(ours.w - theirs.w) <= apart + 1e-12 * np.linalg.norm(ours.w)


def test_memory_grows_with_the_examples_not_with_their_square():
    """A matrix with an entry for every pair of these 20,000 examples would take 3.2 GB."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 20))
    y = np.where(X[:, 0] + rng.normal(size=len(X)) > 0, 1, -1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pla_lib.margins.back_end", lambda: interior_point)
        tracemalloc.start()
        answer = soft_margin(X, y, 10.0)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert answer.gap <= 1e-9
    assert peak < 10 * X.nbytes


WITHOUT = """
import sys


class Refuse:  # what the browser does not have at the start
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in ("cvxopt", "numba", "matplotlib", "PIL", "scipy"):
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Refuse)
import numpy as np
import pla_lib
import pla_lib.checks
import pla_lib.widgets
from pla_lib import interior_point

X, y = pla_lib.label_noise(pla_lib.blobs(60, seed=1), 0.1, seed=1)
data = pla_lib.blobs(40, seed=2)
print(pla_lib.max_margin(*data).objective)
print(pla_lib.soft_margin(X, y, 5.0).objective)
print(*(soft.objective for soft in pla_lib.soft_margin_path(X, y, [0.1, 10.0])))
print(np.linalg.norm(pla_lib.best_comparator(X, y)))
print(pla_lib.separability(X, y).verify(X, y), pla_lib.separability(*data).verify(*data))
print(type(pla_lib.separability(X, y)).__name__, type(pla_lib.separability(*data)).__name__)
print(pla_lib.pocket(X, y, seed=0).theta[0], len(pla_lib.perceptron(*pla_lib.with_margin(500, 50)).mistakes))
print(pla_lib.stepper(pla_lib.perceptron(*data)).sentence())
print(pla_lib.soft_margin_slider(X, y).sentence())
pla_lib.check("02.1", ...)
print(interior_point.back_end().__name__)
"""


def test_library_checks_and_widgets_work_without_cvxopt_numba_and_matplotlib():
    def lines(code):
        return subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.splitlines()

    without, with_all = lines(WITHOUT), lines(WITHOUT.replace("sys.meta_path.insert(0, Refuse)", ""))
    assert without.pop() == "pla_lib.interior_point"
    assert with_all.pop() == "pla_lib.with_cvxopt"
    for ours, theirs in zip(without, with_all, strict=True):
        for one, other in zip(ours.split(), theirs.split(), strict=True):
            assert one == other or float(one) == pytest.approx(float(other), rel=1e-9)
