"""What every widget shares: its script and style put together, and a picture with a sentence where no script runs."""

from io import BytesIO
from pathlib import Path

import anywidget
from matplotlib.figure import Figure
from PIL import Image
from traitlets import List

from pla_lib.plots import COLOURS

HERE = Path(__file__).parent


def script(*names: str) -> str:
    """The widget's ES module. It is joined to scene.js, because a module made from text cannot import its neighbour."""
    return "\n".join((HERE / "js" / file).read_text(encoding="utf-8") for file in ("scene.js", *names))


def palette() -> str:
    """The book's colours as css variables. Dark ones follow the site's switch, JupyterLab's theme and VS Code's."""
    light, dark = ("".join(f"--pla-{name}:{pair[k]};" for name, pair in COLOURS.items()) for k in (0, 1))
    when_dark = "html[data-theme=dark], body[data-jp-theme-light=false], body.vscode-dark"
    return f":root {{{light}}}\n{when_dark} {{{dark}}}\n"


class Scene(anywidget.AnyWidget):
    """A widget that can say what it shows. Subclasses give `_esm`, `picture` and `sentence`."""

    _css = palette() + (HERE / "css" / "base.css").read_text(encoding="utf-8")
    # The height of the widget on a page, below and above a width of 34 rem: a page keeps this place free for it.
    height = List().tag(sync=True)

    def picture(self) -> Figure:
        """The scene as it stands at the end, for places where no script runs."""
        raise NotImplementedError

    def sentence(self) -> str:
        """The same in words: the picture's alternative text."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs):
        shown = super()._repr_mimebundle_(**kwargs)
        data, metadata = shown if isinstance(shown, tuple) else (shown or {}, {})
        return data | {"image/png": _small_png(self.picture()), "text/plain": self.sentence()}, metadata


def _small_png(figure: Figure) -> bytes:
    """The figure in 64 colours: a quarter of the size, and no difference to the eye."""
    full, small = BytesIO(), BytesIO()
    figure.savefig(full, format="png", dpi=150)
    Image.open(full).convert("RGB").quantize(64).save(small, "png", optimize=True)
    return small.getvalue()
