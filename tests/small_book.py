"""Small books with this one's settings, extensions and library: for planted faults, and for the gallery of widgets."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jupytext

from tests import ROOT

CHAPTER = """---
kernelspec: {{name: python3, display_name: Python 3, language: python}}
---

# A chapter

{text}

```{{code-cell}}
{code}
```
"""


def write_book(folder: Path, chapters: dict[str, str]) -> Path:
    """A book of one page and some chapters, given as MyST Markdown by name."""
    for part in ("book/assets", "book/extensions", "book/templates", "pla_lib"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in (
        "_config.yml",
        "constraints.txt",
        "book/references.bib",
        "book/bibliography.md",
        "book/search-words.yml",
    ):
        shutil.copy(ROOT / part, folder / part)
    settings = (folder / "_config.yml").read_text(encoding="utf-8")
    (folder / "_config.yml").write_text(settings.replace("live_cells: true", "live_cells: false"), encoding="utf-8")
    # What translates formulas, and their font, are the same for every book.
    for part in (ROOT / "_build").glob("temml@*"):
        shutil.copytree(part, folder / "_build" / part.name)
    shutil.copytree(ROOT / "_build" / "static", folder / "_build" / "static")
    shutil.copy(ROOT / "_build" / "math.made-from", folder / "_build")
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: book/welcome\nparts:\n- numbered: true\n  chapters:\n"
        + "".join(f"  - file: lectures/{name}\n" for name in chapters)
        + "- chapters: [{file: book/bibliography}]\n"
    )
    (folder / "book" / "welcome.md").write_text("# Welcome\n\nA small book.\n")
    (folder / "lectures").mkdir()
    for name, text in chapters.items():
        write_chapter(folder, name, text)
    return folder


def write_chapter(folder: Path, name: str, text: str) -> None:
    jupytext.write(jupytext.reads(text, "md:myst"), folder / "lectures" / f"{name}.ipynb")


def copy_book(built: Path, folder: Path) -> Path:
    """A copy of a built book: the next build there runs only what has changed.

    Sphinx refuses what it has read in another folder, so it reads the pages again.
    """
    return shutil.copytree(built, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".doctrees"))


def notebooks_run(result: subprocess.CompletedProcess) -> list[str]:
    """The notebooks that a build says it ran, in the order of their names."""
    found = re.findall(r"^ran (\S+) in |/([^/\s]+): Executing notebook", result.stdout, flags=re.MULTILINE)
    return sorted(ours or myst_nb for ours, myst_nb in found)


def build(folder: Path, **environment: str) -> subprocess.CompletedProcess:
    """Build as `make book` does."""
    command = [Path(sys.executable).with_name("jupyter-book"), "build", "-W", "-n", "--keep-going", "."]
    bare = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    bare |= {"PYTHONPATH": str(folder)} | environment  # the book's own library, not the installed one
    return subprocess.run(command, cwd=folder, env=bare, capture_output=True, text=True)
