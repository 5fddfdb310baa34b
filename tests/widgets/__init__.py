"""Each widget in a browser, on its page of the gallery."""

from pathlib import Path

GALLERY = Path(__file__).parent / "gallery"
