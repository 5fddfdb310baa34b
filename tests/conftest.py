"""What the tests share: the built site, served on loopback, and a browser to look at it with."""

import os

import pytest
from filelock import FileLock
from hypothesis import settings
from playwright.sync_api import BrowserContext, expect

from tests import SITE, small_book
from tests.browser import ARGUMENTS, HOW_TO, PATIENCE, executable
from tests.widgets import GALLERY

# No test judges seconds. Automation tries the same examples every time; at a desk each run tries new ones.
settings.register_profile("unhurried", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("unhurried")
expect.set_options(timeout=PATIENCE)

# The files that take longest, by the seconds measured: they start first, so that no worker is left alone with one.
SLOW = [
    "build/test_hidden_solutions",
    "build/test_build",
    "site/test_every_page",
    "widgets/test_jupyterlab",
    "homework/test_grades",
    "homework/test_sandbox",
    "widgets/test_every_widget",
    "homework/test_run_tests",
    "homework/test_hand_in",
    "homework/test_grading_process",
    "homework/test_degenerate_answers",
    "widgets/test_stepper",
    "widgets/test_playground",
    "widgets/test_loss_landscape",
    "build/test_notebook_downloads",
    "site/test_site_checks",
    "widgets/test_three_boundaries",
    "widgets/test_proof_ledger",
    "widgets/test_stream_explorer",
    "site/test_chapters",
    "lectures/10_limits",
    "lectures/07_features",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def rank(item: pytest.Item) -> int:
        name = item.path.with_suffix("").as_posix()
        return next((rank for rank, slow in enumerate(SLOW) if name.endswith(slow)), len(SLOW))

    items.sort(key=rank)


@pytest.fixture
def context(context: BrowserContext) -> BrowserContext:
    context.set_default_timeout(PATIENCE)
    return context


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict:
    path = executable()
    assert path, HOW_TO
    return {"executable_path": path, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def site() -> str:
    """The address of the built site."""
    from book.serve import serving

    assert (SITE / "index.html").exists(), "There is no built site to test: run 'make book' first, or 'make test'."
    with serving(SITE) as address:
        yield address


@pytest.fixture(scope="session")
def gallery(tmp_path_factory, worker_id) -> str:
    """The address of a book with a page for every widget; built once, whichever worker comes first."""
    from book.serve import serving

    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "gallery"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            only = os.environ.get("GALLERY", "*").split(",")  # some pages, while a widget is being made
            paths = [path for name in only for path in sorted(GALLERY.glob(f"{name}.md"))]
            pages = {path.stem: path.read_text(encoding="utf-8") for path in paths}
            result = small_book.build(small_book.write_book(folder, pages))
            assert result.returncode == 0, result.stdout + result.stderr
    with serving(folder / "_build" / "html") as address:
        yield address
