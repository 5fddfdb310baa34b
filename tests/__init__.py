"""The tests, one folder for each part of the project."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SITE = ROOT / "_build" / "html"
