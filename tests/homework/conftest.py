"""What the tests of the grader share: every set as students get it, and a grader for single hand-ins."""

from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from filelock import FileLock
from nbformat.v4 import new_output

from homework.grader.library_stub import write_library_stub
from homework.grader.problem_set import find_problem_sets
from homework.grader.release import release, released_notebook
from homework.grader.run_tests import LIMITS, Packages, grade_hand_in
from homework.grader.sandbox import LIBRARY, Limits
from tests import ROOT
from tests.homework.hand_ins import TINY, submit


@pytest.fixture(scope="session")
def released(tmp_path_factory, worker_id) -> SimpleNamespace:
    """What `make homework` writes for the sample sets and for a private set whose notebook has been run.

    nbgrader is slow, so the first worker to come here does this for all.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "released"
    private = folder / "private" / "tiny" / "tiny.ipynb"
    sets = [*find_problem_sets(ROOT / "homework" / "source"), private]
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            private.parent.mkdir(parents=True)
            nbformat.write(_with_outputs(TINY), private)
            release(sets, folder)
    return SimpleNamespace(folder=folder, sets=sets)


def _with_outputs(problem_set: Path) -> nbformat.NotebookNode:
    notebook = nbformat.read(problem_set, 4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = 7
            cell.outputs = [new_output("stream", text=f"SECRET {cell.source}")]
    return notebook


@pytest.fixture(scope="session")
def library_stub(tmp_path_factory) -> Path:
    return write_library_stub(tmp_path_factory.mktemp("stub"))


@pytest.fixture(scope="session")
def packages(library_stub) -> Packages:
    return Packages(LIBRARY, library_stub)


@pytest.fixture
def short_limits() -> Limits:
    """Stop a hand-in that does not end sooner than usual."""
    return Limits(cell_seconds=2, call_seconds=2, grace_seconds=1)


@pytest.fixture
def grade_folder(request, released, packages):
    """Grade what a student's folder holds, as `make grade` does, but in this process."""
    limits = request.getfixturevalue("short_limits") if "short_limits" in request.fixturenames else LIMITS

    def grade_folder(folder: Path, problem_set: Path = TINY, packages: Packages = packages) -> dict:
        notebook = released_notebook(released.folder / "course", problem_set)
        return grade_hand_in(folder, folder.name, problem_set, notebook, packages, limits)

    return grade_folder


@pytest.fixture
def grade(grade_folder, tmp_path):
    """Grade a notebook as the hand-in of a student."""

    def grade(notebook, student: str = "ada", problem_set: Path = TINY) -> dict:
        submit(tmp_path, student, notebook, problem_set.name)
        return grade_folder(tmp_path / student, problem_set)

    return grade
