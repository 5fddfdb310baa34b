"""The picture of each widget, for places where no script runs, shows what the full-colour figure shows."""

from io import BytesIO

import jupytext
import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from pla_lib.plots import COLOURS
from pla_lib.widgets.base import BaseWidget
from tests.widgets import GALLERY

# Figures are transparent when the lectures run for the site (book/extensions/notebook_outputs.py).
TRANSPARENT = {"figure.facecolor": "none", "axes.facecolor": "none"}


def widget(page: str) -> BaseWidget:
    """The widget of a page of the gallery."""
    (cell,) = (cell for cell in jupytext.read(GALLERY / f"{page}.md").cells if cell.cell_type == "code")
    names = {}
    exec(cell.source, names)
    return names["widget"]


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(png)).convert("RGB"), int)


def near(picture: np.ndarray, name: str) -> int:
    """How many pixels have a colour of the palette, as near as the eye can tell."""
    wanted = [int(COLOURS[name][0][k : k + 2], 16) for k in (1, 3, 5)]
    return int((np.abs(picture - wanted).max(axis=2) <= 16).sum())


@pytest.mark.parametrize("page", sorted(path.stem for path in GALLERY.glob("*.md") if path.stem != "together"))
@pytest.mark.parametrize("settings", [{}, TRANSPARENT], ids=["on paper", "transparent"])
def test_picture_looks_like_the_full_colour_figure(page, settings):
    shown = widget(page)
    full = BytesIO()
    shown.picture().savefig(full, format="png", dpi=150, facecolor="white")
    with mpl.rc_context(settings):
        data, _ = shown._repr_mimebundle_()
    assert len(data["image/png"]) < 40_000
    original, small = pixels(full.getvalue()), pixels(data["image/png"])
    error = np.abs(original - small)
    assert error.max() <= 32
    assert error.mean() < 1
    for name in ("positive", "negative", "ink"):
        assert near(small, name) == pytest.approx(near(original, name), rel=0.1, abs=20), name
