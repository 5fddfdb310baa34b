"""Solvers use one BLAS thread, and leave the user's number of threads as it was."""

import subprocess
import sys
from threading import Thread

import pytest
from threadpoolctl import OpenBLASController, ThreadpoolController, threadpool_info

from pla_lib import blas_threads, blobs, margins, max_margin, soft_margin
from pla_lib.blas_threads import one_blas_thread


def threads():
    """How many threads the BLAS libraries of NumPy and cvxopt may use, by their files.

    Others may be there too: SciPy brings one of its own, if an earlier test has loaded it.
    """
    solvers = ("numpy", "cvxopt")
    return {
        library["filepath"]: library["num_threads"]
        for library in threadpool_info()
        if library["user_api"] == "blas" and any(name in library["filepath"] for name in solvers)
    }


@pytest.fixture
def two_threads():
    """Two threads wherever the library was built with threads; undone after the test."""
    with one_blas_thread():  # loads what solvers load
        pass
    before = threads()
    ThreadpoolController().limit(limits=2, user_api="blas")
    OpenBLASController.clear_controlling_thread()  # so that any thread may set a limit, as in a fresh process
    assert 2 in threads().values()
    yield threads()
    ThreadpoolController().limit(limits=before)
    OpenBLASController.clear_controlling_thread()


@pytest.mark.parametrize("solve", [max_margin, lambda X, y: soft_margin(X, y, 1)], ids=["hard", "soft"])
def test_solvers_use_one_thread_and_put_back_what_was_there(two_threads, monkeypatch, solve):
    seen, solver = [], margins._interior_point

    def observed(*given):
        seen.append(threads())
        return solver(*given)

    monkeypatch.setattr(margins, "_interior_point", observed)
    solve(*blobs(10))
    assert seen
    assert all(set(at_work.values()) == {1} for at_work in seen)
    assert threads() == two_threads


def test_number_of_threads_is_put_back_after_an_error(two_threads):
    with pytest.raises(ValueError, match="between two classes"):
        max_margin([[0.0], [1.0]], [1, 1])
    assert threads() == two_threads


def test_solves_in_two_threads_take_turns(two_threads):
    seen = []

    def solve():
        with one_blas_thread():
            seen.append(threads())

    other = Thread(target=solve)
    with one_blas_thread():
        other.start()
        other.join(0.5)
        assert not seen
        solve()  # in the same thread, one solver may call another
    other.join(60)
    assert len(seen) == 2
    assert all(set(at_work.values()) == {1} for at_work in seen)
    assert threads() == two_threads


def test_nothing_to_limit_is_no_error(monkeypatch):
    monkeypatch.setattr(blas_threads, "_libraries", lambda: ThreadpoolController().select(user_api="none"))
    assert max_margin(*blobs(10)).margin > 0


def test_first_solve_of_a_process_limits_both_libraries():
    code = (
        "from pla_lib import blas_threads, blobs, max_margin\n"
        "max_margin(*blobs(10))\n"
        "print(*(library['filepath'] for library in blas_threads._libraries().info()))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert set(found.split()) >= {path for path in threads() if "numpy" in path or "cvxopt" in path}
