"""The outputs of notebooks: run in parallel before pages are read, kept until a notebook or the library changes."""

import hashlib
import os
import shutil
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from docutils import nodes
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import ExecutionResult, single_nb_execution
from sphinx.errors import ExtensionError
from sphinx.util import logging
from stacked_panels import LOOK

LOGGER = logging.getLogger(__name__)
MAKERS = ("book/extensions/notebook_outputs.py", "book/extensions/stacked_panels.py")
KERNEL = f"""
import sys
sys.path.append({str(Path(__file__).parent)!r})
c.IPKernelApp.extensions = ["stacked_panels"]
c.InlineBackend.figure_formats = {{"svg"}}
c.InlineBackend.rc = {LOOK!r}
c.IPKernelApp.log_level = 40  # a kernel for this machine alone need not warn that it does not encrypt
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

    The cache knows a notebook by its cells, and would not notice.
    """
    root = Path(app.srcdir)
    caches = Path(app.outdir).parent / "executed"
    state = fingerprint(root, "pla_lib", "constraints.txt", *MAKERS)
    config.nb_execution_cache_path = str(caches / state)
    for other in caches.glob("*"):
        if other.name != state:
            shutil.rmtree(other)
    # Sphinx would not notice these either, and copies no style sheet while no page has changed.
    config.built_from = fingerprint(root, "pla_lib", "constraints.txt", "book/extensions", "book/assets")


def set_up_kernels(app, config) -> None:
    """Draw figures as SVG, sharp on every screen, with a transparent background, so that the page's colour shows."""
    home = Path(app.outdir).parent / "ipython"
    profile = home / "profile_default" / "ipython_kernel_config.py"
    profile.parent.mkdir(parents=True, exist_ok=True)
    profile.write_text(KERNEL, encoding="utf-8")
    os.environ["IPYTHONDIR"] = str(home)


def run_what_changed(app, env, docnames: list[str]) -> None:
    """Run the notebooks that have no outputs in the cache, as many at a time as there are cores.

    MyST-NB would run one after the other; now it finds all of them in the cache.
    """
    paths = [path for name in docnames if (path := Path(env.doc2path(name))).suffix == ".ipynb"]
    if not paths:
        return  # opening the cache takes a second
    cache = get_cache(app.config.nb_execution_cache_path)
    paths = [path for path in paths if not cached(cache, path)]
    paths.sort(key=lambda path: path.stat().st_size, reverse=True)  # a long one that starts last holds up all
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(run, path, app.config.nb_execution_timeout): path for path in paths}
        for number, done in enumerate(as_completed(runs), start=1):
            path, result = runs[done], done.result()
            if result.err:
                pool.shutdown(cancel_futures=True)
                raise ExtensionError(f"{path} fails:\n{result.exc_string}")
            bundle = CacheBundleIn(result.nb, str(path), data={"execution_seconds": result.time})
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            LOGGER.info("ran %s in %.0f s (%d of %d)", path.name, result.time, number, len(paths))


def cached(cache, path: Path) -> bool:
    try:
        cache.match_cache_notebook(nbformat.read(path, 4))
    except KeyError:
        return False
    return True


def run(path: Path, timeout: int) -> ExecutionResult:
    """Run a notebook in an empty folder, as a reader does who has downloaded it.

    What a cell prints may come in pieces. They are joined here: MyST-NB would break the line between two of them.
    """
    options = {"timeout": timeout, "allow_errors": False, "coalesce_streams": True}
    with TemporaryDirectory() as folder:
        return single_nb_execution(nbformat.read(path, 4), cwd=folder, **options)


def refuse_tracebacks(app, doctree) -> None:
    """Warn of a failure to display a result: it does not stop the notebook, but its traceback would be on the page."""
    for output in doctree.findall(nodes.literal_block):
        if "traceback" in output["classes"]:
            LOGGER.warning("a cell shows a traceback: %s", output.astext()[-200:], location=output)


def setup(app) -> dict:
    app.add_config_value("built_from", "", "env")
    app.connect("config-inited", choose_cache, priority=100)  # before MyST-NB reads its settings
    app.connect("config-inited", set_up_kernels)
    app.connect("env-before-read-docs", run_what_changed)
    app.connect("doctree-read", refuse_tracebacks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
