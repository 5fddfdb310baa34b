"""The versions in constraints.txt install on every Python that the README promises."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from packaging.tags import parse_tag, sys_tags
from packaging.utils import canonicalize_name

from tests import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MINORS = [line.rpartition(" :: ")[2] for line in PROJECT["classifiers"] if "Python :: 3." in line]
VERSIONS = ["3.11.2", *(f"{minor}.0" for minor in MINORS)]  # 3.11.2 is Debian 12's own


def pins(text: str) -> dict[str, str]:
    return {canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)$", text, re.MULTILINE)}


def refusals(installed: list[Distribution]) -> list[str]:
    """The Pythons of ours that a distribution does not want, and what was built for other machines than this."""
    faults = []
    for one in installed:
        wanted = SpecifierSet(one.metadata.get("Requires-Python") or "")
        faults += [
            f"{one.name} {one.version} wants Python {wanted}, not {old}" for old in VERSIONS if old not in wanted
        ]
        tags = re.findall(r"^Tag: (\S+)$", one.read_text("WHEEL") or "", re.MULTILINE)
        if tags and not any(parse_tag(tag) & set(sys_tags()) for tag in tags):
            faults.append(f"{one.name} {one.version} is built for {' '.join(tags)}")
    return faults


def test_what_is_installed_is_pinned_and_wants_no_other_python():
    # Only the environment's own folders: setuptools, once imported, also shows the packages it carries along.
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    here = {canonicalize_name(one.name): one for one in distributions(path=list(folders))}
    for name in ("pip", "setuptools", "wheel", canonicalize_name(PROJECT["name"])):  # the tools that install, and ours
        here.pop(name, None)
    pinned = pins((ROOT / "constraints.txt").read_text())
    assert len(here) > 100
    assert {name: one.version for name, one in here.items()} == {name: pinned.get(name) for name in here}
    assert refusals(list(here.values())) == []


def distribution(folder: Path, name: str, version: str, python: str, tag: str) -> None:
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {name}\nVersion: {version}\nRequires-Python: {python}\n")
    (info / "WHEEL").write_text(f"Tag: {tag}\n")


def test_pins_that_refuse_a_python_are_found(tmp_path):
    distribution(tmp_path, "soupsieve", "4.1", ">=3.11.5", "py3-none-any")
    distribution(tmp_path, "older", "1.0", f"<{MINORS[-1]}", "py2.py3-none-any")
    distribution(tmp_path, "foreign", "1.0", ">=3.8", "cp39-cp39-win32")
    distribution(tmp_path, "fine", "1.0", ">=3.8", f"cp38-abi3-{next(sys_tags()).platform}")
    assert sorted(refusals(list(distributions(path=[str(tmp_path)])))) == [
        "foreign 1.0 is built for cp39-cp39-win32",
        f"older 1.0 wants Python <{MINORS[-1]}, not {MINORS[-1]}.0",
        "soupsieve 4.1 wants Python >=3.11.5, not 3.11.0",
        "soupsieve 4.1 wants Python >=3.11.5, not 3.11.2",
    ]


def wheels_for(python: str, requirements: Path, scratch: Path) -> str:
    """What pip says for a Python that need not be on this machine; empty if there is a wheel for every line.

    pip downloads the wheels to read them, which takes a minute or two.
    """
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--dry-run", "--no-deps"]
    place = ["--python-version", python, "--target", scratch, "--only-binary=:all:", "--requirement", requirements]
    result = subprocess.run([*pip, *place], capture_output=True, text=True)
    return result.stderr if result.returncode else ""


@pytest.mark.registry
@pytest.mark.parametrize("python", VERSIONS)
def test_every_pin_has_a_wheel(tmp_path, python):
    assert wheels_for(python, ROOT / "constraints.txt", tmp_path) == ""


@pytest.mark.registry
def test_pin_without_a_wheel_is_found(tmp_path):
    (tmp_path / "bad.txt").write_text("soupsieve==4.1\n")
    assert "No matching distribution found for soupsieve==4.1" in wheels_for("3.11.0", tmp_path / "bad.txt", tmp_path)


def test_documents_makefile_and_automation_name_the_same_pythons():
    words = f"{', '.join(MINORS[:-1])} or {MINORS[-1]}"
    for document in ("README.md", "book/how-to-use.md", "Makefile"):
        assert f"Python {words}" in (ROOT / document).read_text()
    ends = re.findall(r"\(3, (\d+)\)", (ROOT / "Makefile").read_text())
    assert [f"3.{end}" for end in ends] == [MINORS[0], MINORS[-1]]
    assert PROJECT["requires-python"] == f">={MINORS[0]}"
    tested = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())["jobs"]["test"]["strategy"]["matrix"]
    assert {row["python"] for row in tested["include"]} == set(MINORS)


PYTHONS = {
    "too old": ("sitecustomize.py", "import sys\nsys.version_info, sys.version = (3, 10, 13), '3.10.13 (main)'"),
    "too new": ("sitecustomize.py", "import sys\nsys.version_info, sys.version = (3, 15, 0), '3.15.0 (main)'"),
    "without venv": ("ensurepip.py", "raise ImportError('as on Debian without python3-venv')"),
}
SENTENCES = {
    "too old": "Python 3.11, 3.12, 3.13 or 3.14 is needed, and {python} is Python 3.10.13.",
    "too new": "Python 3.11, 3.12, 3.13 or 3.14 is needed, and {python} is Python 3.15.0.",
    "without venv": "{python} cannot make an environment: its venv module is missing. "
    "On Debian and Ubuntu: sudo apt-get install python3-venv",
    "not there": "There is no {python} here.",
}


@pytest.mark.parametrize("lacking", SENTENCES)
def test_make_says_in_a_sentence_what_is_missing(tmp_path, lacking):
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    python = "no-such-python" if lacking == "not there" else sys.executable
    if lacking in PYTHONS:
        name, code = PYTHONS[lacking]
        (tmp_path / name).write_text(code)
    result = subprocess.run(
        ["make", "--silent", "book", f"PYTHON={python}"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert result.returncode != 0
    said = (result.stdout + result.stderr).splitlines()
    assert said[0].startswith(SENTENCES[lacking].format(python=python))
    assert len(said) == 2, "the sentence, and make's own word that the target failed"
    assert not (tmp_path / ".venv").exists()
