"""Makes archives for the browser, run by pack.mjs in Pyodide: modules compiled, and without what no page uses.

ARGUMENT is a JSON object: archive to write -> the wheels and other zip files that it is made of, all in /folder.
Compiled modules start in half the time. But they are larger, so only those are compiled that a page is likely to use.
"""

import importlib
import io
import json
import os
import re
import sys
import zipfile
from importlib._bootstrap_external import _code_to_timestamp_pyc

LEAVE_OUT = re.compile(
    r"\.(pyi|pxd|h|a|c|typed|afm)$|/tests?/|/sample_data/|mpl-data/(images|plot_directive)/|pdfcorefonts"
    r"|numpy/(distutils|f2py)/"
    r"|backends/(_tkagg|web_backend|qt_editor|backend_(gtk|qt|wx|tk|nb|web|ps|pdf|pgf|mac))|PIL/(_webp|_imagingft|_avif)"
    r"|fonts/ttf/(DejaVuSerif|DejaVuSansMono-[BO])|dateutil/zoneinfo/"
)
DATE = (2020, 1, 1, 0, 0, 0)  # the same content, the same bytes

# What cells do, in short: the modules that are loaded after it are the ones worth compiling.
SAMPLE = """
import ast, builtins, collections, contextlib, dataclasses, fractions, functools, io, itertools, json, linecache, math
import operator, random, re, signal, statistics, string, symtable, textwrap, time, traceback, types, typing
import pyodide.code, pyodide.ffi
import numpy as np
import traitlets
np.random.default_rng(0).normal(size=3); np.linalg.svd(np.eye(2)); str(np.float64(1)); np.polynomial; np.fft
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D
figure, (left, right) = plt.subplots(1, 2, layout="constrained")
left.contourf([[0, 1], [1, 2]]); left.annotate("$x_1$", (0, 0), (1, 1), arrowprops={"arrowstyle": "-|>"})
right.plot([1, 2], "o", label="one"); right.legend(); right.hist([1, 2]); right.imshow([[1]]); right.set_yscale("log")
figure.savefig(io.StringIO(), format="svg", bbox_inches="tight")
"""


def modules_in_use() -> set[str]:
    """The modules that the sample loads, as the names of their files inside wheels or the standard library."""
    sys.path.insert(0, "/wheels")
    os.environ |= {"MPLBACKEND": "agg"}
    exec(SAMPLE, {})
    files = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    return {re.sub(r"^.*?(python314\.zip|/wheels)/", "", file) for file in files if file.endswith(".py")}


def pack(sources: list[str], used: set[str] | None) -> bytes:
    """One archive of some others; `used` are the modules to compile, all if not given."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for source in sources:
            with zipfile.ZipFile(f"/folder/{source}") as files:
                for name in sorted(files.namelist()):
                    if name.endswith("/") or LEAVE_OUT.search(name):
                        continue
                    content = files.read(name)
                    if name.endswith(".py") and (used is None or name in used):
                        content = _code_to_timestamp_pyc(compile(content, name, "exec", dont_inherit=True))
                        name += "c"
                    archive.writestr(zipfile.ZipInfo(name, DATE), content, zipfile.ZIP_DEFLATED)
    return written.getvalue()


archives = json.loads(ARGUMENT)  # noqa: F821 - given by pack.mjs
used = None
if "python_stdlib.zip" in archives:
    for sources in archives.values():
        for wheel in sources:
            if wheel.endswith(".whl"):
                zipfile.ZipFile(f"/folder/{wheel}").extractall("/wheels")
    importlib.invalidate_caches()
    used = modules_in_use()
    print(f"{len(used)} modules compiled")
for name, sources in archives.items():
    with open(f"/folder/packed/{name}", "wb") as file:
        file.write(pack(sources, used))
