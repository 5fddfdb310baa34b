"""How notebooks are run for the site: anew when the library changed, with figures as drawings, never past an error."""

import hashlib
import os
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

KERNEL = """
c.InlineBackend.figure_formats = {"svg"}
c.InlineBackend.rc = {"figure.facecolor": "none", "axes.facecolor": "none", "svg.hashsalt": "perceptron"}
"""


def fingerprint(root: Path, *parts: str) -> str:
    """A short name for the content of files and folders: the same content, the same name."""
    digest = hashlib.sha256()
    for part in parts:
        for file in sorted([root / part, *(root / part).rglob("*")]):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def choose_cache(app, config) -> None:
    """Drop the cache when the library has changed, and have Sphinx read all pages again.

    Jupyter Book's cache knows a notebook by its cells alone.
    """
    root = Path(app.srcdir)
    caches = Path(app.outdir).parent / "executed"
    state = fingerprint(root, "pla_lib", "constraints.txt", "book/extensions/notebook_outputs.py")
    config.nb_execution_cache_path = str(caches / state)
    for other in caches.glob("*"):
        if other.name != state:
            shutil.rmtree(other)
    # Sphinx would not notice these either, and copies no style sheet while no page has changed.
    config.built_from = fingerprint(root, "pla_lib", "constraints.txt", "book/extensions", "book/assets")


def set_up_kernels(app, config) -> None:
    """Draw figures as SVG, sharp on every screen, and on no paper, so that the page's own shows through."""
    home = Path(app.outdir).parent / "ipython"
    profile = home / "profile_default" / "ipython_kernel_config.py"
    profile.parent.mkdir(parents=True, exist_ok=True)
    profile.write_text(KERNEL, encoding="utf-8")
    os.environ["IPYTHONDIR"] = str(home)


def refuse_tracebacks(app, doctree) -> None:
    """A failure while a result is displayed does not stop a notebook. It must not stand on a page all the same."""
    for output in doctree.findall(nodes.literal_block):
        if "traceback" in output["classes"]:
            logging.getLogger(__name__).warning("a cell shows a traceback: %s", output.astext()[-200:], location=output)


def setup(app) -> dict:
    app.add_config_value("built_from", "", "env")
    app.connect("config-inited", choose_cache, priority=100)  # before MyST-NB reads its settings
    app.connect("config-inited", set_up_kernels)
    app.connect("doctree-read", refuse_tracebacks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
