"""What the tests share: the built site, served on loopback, and a browser to look at it with."""

import os
import sys
from pathlib import Path

import pytest
from browser import ARGUMENTS, HOW_TO, executable
from hypothesis import settings
from playwright.sync_api import expect

ROOT = Path(__file__).parents[1]
SITE = ROOT / "_build" / "html"
sys.path[:0] = [str(ROOT / "book"), str(ROOT / "book" / "extensions")]
collect_ignore = ["bench_library.py", "bench_site.py"]

# No test judges seconds. Automation tries the same examples every time; at a desk each run tries new ones.
settings.register_profile("unhurried", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("unhurried")
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict:
    path = executable()
    assert path, HOW_TO
    return {"executable_path": path, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def site() -> str:
    """The address of the built site."""
    from serve import serving

    assert (SITE / "index.html").exists(), "There is no built site to test: run 'make book' first, or 'make test'."
    with serving(SITE) as address:
        yield address
