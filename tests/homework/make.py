"""The Makefile's verbs, as an instructor calls them."""

import subprocess
import sys
from pathlib import Path

from tests import ROOT


def make(verb: str, *settings: str, fails: bool = False) -> str:
    """Call a verb of the Makefile, without its set-up; returns what it prints."""
    done = [f"--old-file=.venv/{name}" for name in ("base", "homework", "sandbox")]
    command = ["make", "--silent", *done, f"BIN={Path(sys.executable).parent}", verb, *settings]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (result.returncode != 0) == fails, result.stdout + result.stderr
    return result.stdout + result.stderr
