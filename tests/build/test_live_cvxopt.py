"""The stand-in for cvxopt in the browser against cvxopt itself: on the lectures' own cells, and on random programs."""

import importlib.util
import re
import sys

import cvxopt
import jupytext
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pla_lib import interior_point
from tests import ROOT
from tests.library.examples import random_program

FILE = ROOT / "book" / "assets" / "live" / "cvxopt.py"
QUIET = {"show_progress": False}
# Chapter -> how the lines begin that cvxopt's cells need, or that use it.
CELLS = {
    "05_margins": r"import numpy|from cvxopt|X5 = |.* = solvers\.",
    "06_soft_margin": r"X, y = blobs|    hinge_loss,|C, N = |def objective|from cvxopt|\w+ = as_in_|X_2",
}


def loaded():
    spec = importlib.util.spec_from_file_location("cvxopt_in_the_browser", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


here = loaded()


@pytest.fixture
def in_the_browser(monkeypatch):
    """Python as it is there: the stand-in is called cvxopt, and pla_lib has not met the real one."""
    monkeypatch.setitem(sys.modules, "cvxopt", here)
    monkeypatch.delitem(sys.modules, "pla_lib.with_cvxopt", raising=False)
    interior_point.back_end.cache_clear()
    yield
    interior_point.back_end.cache_clear()


@pytest.fixture
def printed_by_cvxopt(chapter, capsys):
    return printed(chapter, capsys)


def printed(chapter, capsys) -> str:
    """What the cells of a chapter print that use cvxopt."""
    names = {}
    for cell in jupytext.read(ROOT / f"lectures/{chapter}.ipynb").cells:
        if cell.cell_type == "code" and re.search(f"^(?:{CELLS[chapter]})", cell.source, re.MULTILINE):
            exec(cell.source, names)
    assert names["solvers"] is sys.modules["cvxopt"].solvers
    return capsys.readouterr().out


@pytest.mark.parametrize("chapter", CELLS)
def test_cells_of_a_lecture_print_the_same(printed_by_cvxopt, in_the_browser, chapter, capsys):
    assert printed(chapter, capsys) == printed_by_cvxopt
    assert len(printed_by_cvxopt.splitlines()) >= 5


def test_all_chapters_that_use_cvxopt_are_among_those():
    lectures = (ROOT / "lectures").glob("*.ipynb")
    assert {path.stem for path in lectures if "from cvxopt import" in path.read_text(encoding="utf-8")} == set(CELLS)


@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_answers_are_those_of_cvxopt_to_the_reported_gap(seed, linear, equalities):
    program = random_program(seed, linear=linear)[linear : None if equalities else 4]
    name = "lp" if linear else "qp"
    ours, theirs = (
        getattr(module.solvers, name)(*map(module.matrix, program), options=QUIET) for module in (here, cvxopt)
    )
    assert ours["status"] == "optimal"
    assume(theirs["status"] == "optimal")  # a few linear programs are too hard for cvxopt
    between = ours["gap"] + theirs["gap"] + 1e-6 * (1 + abs(theirs["primal objective"]))  # and what feastol allows
    for objective in ("primal objective", "dual objective"):
        assert isinstance(ours[objective], float)
        assert ours[objective] == pytest.approx(theirs[objective], abs=between)
    for vector in "xysz":
        assert ours[vector].size == theirs[vector].size
        assert ours[vector].typecode == theirs[vector].typecode
    x = np.array(ours["x"])
    assert x.shape == (len(program[1 - linear]), 1)
    if not linear and np.linalg.matrix_rank(program[0]) == len(x):  # then there is only one x
        flattest = np.linalg.eigvalsh(program[0])[0]  # 1/2 flattest ||x - x*||^2 is at most what is left to gain
        assert np.linalg.norm(x - np.array(theirs["x"])) <= 2 * np.sqrt(2 * between / flattest)


def test_tolerances_are_obeyed():
    P, q, G, h, *_ = map(here.matrix, random_program(1, linear=False))
    gaps = [here.solvers.qp(P, q, G, h, options={"reltol": t, "abstol": t})["gap"] for t in (1e-2, 1e-9)]
    assert gaps[1] < 1e-8 < gaps[0]
    here.solvers.options["abstol"] = here.solvers.options["reltol"] = 1e-2
    assert here.solvers.qp(P, q, G, h)["gap"] == gaps[0]
    here.solvers.options.clear()


MADE = {
    "array": (np.arange(6.0).reshape(2, 3),),
    "array of whole numbers": (np.arange(-3, 9).reshape(3, 4),),
    "negative": (-np.pi * np.eye(3),),
    "wide": (np.arange(16.0).reshape(2, 8),),
    "vector": (np.ones(5),),
    "list": ([3, -20, 100],),
    "columns": ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],),
    "mixed": ([1, 2.5],),
    "number": (0.0,),
    "filled": (1.5, (2, 3)),
    "row": (np.arange(5.0), (1, 5)),
    "down the columns": ([1, 2, 3, 4, 5, 6], (2, 3)),
    "as floats": ([1, 2], (1, 2), "d"),
    "no rows": (np.zeros((0, 3)),),
}
ALL = slice(None)
PARTS = [0, -1, ALL, slice(1, None, 2), (0, 0), (-1, -1), (0, ALL), (ALL, -1), (slice(1), slice(2))]


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_matrix_is_that_of_cvxopt(made):
    ours, theirs = here.matrix(*made), cvxopt.matrix(*made)
    for look in (str, repr, len, list, lambda one: one.size, lambda one: one.typecode, lambda one: str(one.T)):
        assert look(ours) == look(theirs)
    np.testing.assert_array_equal(np.array(ours), np.array(theirs))
    np.testing.assert_array_equal(np.ravel(ours), np.ravel(theirs))
    assert np.array(ours).dtype == np.array(theirs).dtype
    assert str(here.matrix(ours)) == str(theirs)
    for part in PARTS if len(ours) else []:
        found, expected = ours[part], theirs[part]
        assert str(found) == str(expected)
        assert repr(found) == repr(expected)
        assert type(found).__name__ == type(expected).__name__


def test_matrix_is_a_copy():
    array = np.ones(3)
    ours = here.matrix(array)
    array[0] = np.array(ours)[1] = 7
    assert list(ours) == [1, 1, 1]


I2 = np.eye(2)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: here.matrix("a"), "whole numbers or floats"),
        (lambda: here.matrix([here.matrix(1.0), here.matrix(2.0)]), "whole numbers or floats"),
        (lambda: here.matrix(1j), "whole numbers or floats"),
        (lambda: here.matrix([1.0, 2.0], (3, 1)), r"size \(3, 1\) does not have 2 entries"),
        (lambda: here.solvers.qp(here.matrix(I2), here.matrix([1.0, 1.0])), "G and h are missing"),
        (lambda: solve(I2, [1, 2], I2, [1.0, 1.0]), "q must be a matrix of floats of size .*<2x1 matrix, tc='i'>"),
        (lambda: solve(I2, [1.0, 2.0], np.eye(3), [1.0, 1.0]), r"G must be .* size \(2, 2\); .*<3x3"),
        (lambda: here.solvers.qp(I2, here.matrix([1.0, 1.0]), here.matrix(I2), here.matrix([1.0, 1.0])), "P must be"),
        (lambda: solve(I2, [1.0, 1.0], I2, [1.0, 1.0], solver="mosek"), "do not take solver"),
    ],
)
def test_what_it_does_not_take_is_an_error(ask, sentence):
    with pytest.raises(TypeError, match=sentence):
        ask()


def solve(*program, **more):
    return here.solvers.qp(*map(here.matrix, program), **more)


@pytest.mark.parametrize(
    "program",
    [
        (I2, [1.0, 1.0], [[1.0, -1.0], [0.0, 0.0]], [-1.0, -1.0]),  # x <= -1 and x >= 1
        (0 * I2, [1.0, 1.0], I2, [1.0, 1.0]),  # falls for ever
        (0 * I2, [0.0, 0.0], [[1.0, -1.0], [0.0, 0.0]], [1.0, 1.0]),  # the second unknown is nowhere
    ],
    ids=["no x", "no minimum", "many x"],
)
def test_program_without_a_solution_is_an_error(program):
    with pytest.raises(ValueError, match="no solution was found"):
        solve(*program)


@pytest.mark.usefixtures("in_the_browser")
def test_other_parts_of_cvxopt_are_missing_in_plain_words():
    with pytest.raises(ImportError, match="matrix and solvers, but no spmatrix; open the chapter as a notebook"):
        exec("from cvxopt import spmatrix")


@pytest.mark.usefixtures("in_the_browser")
def test_library_does_not_take_it_for_cvxopt():
    assert interior_point.back_end() is interior_point
