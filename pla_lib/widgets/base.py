"""What every widget shares: its script and style put together, and a picture with a sentence where no script runs."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import anywidget

from pla_lib.plots.style import COLOURS, DARK_TINT, TINT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HERE = Path(__file__).parent

# What a script may say about other scripts, each at the start of a line; OTHER is what script() cannot join.
IMPORT = re.compile(r'^import \{\s*(\w+(?:,\s*\w+)*),?\s*\} from "\./(\w+\.js)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|function) (\w+)\b)", re.MULTILINE)
DEFAULT = re.compile(r"^export default (\{ \w+(?:, \w+)* \});$", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
OTHER = re.compile(r"^(?:[ \t]*(?:import|export)\b|.*\bimport(?: ?\(|\.meta)).*", re.MULTILINE)


def script(name: str, folder: Path = HERE / "js") -> str:
    """One ES module made of the script `name` and all that it imports, for a widget's `_esm`.

    A browser gets a widget's script as text, and text has no neighbours to import from. So every module becomes a
    function, called once after the modules it imports from, that returns what the module exports. Names stay as they
    are written: an error in the browser shows them, and the name of the script.

    Modules may use three forms: `import { a, b } from "./file.js";`, `export const a` or `export function a`, and in
    the script of a widget `export default { render };`.
    """
    exports: dict[str, list[str]] = {}
    modules: list[str] = []

    def add(name: str, importers: tuple[str, ...]) -> None:
        if name in importers:
            raise ValueError(f"the scripts import each other in a circle: {' -> '.join((*importers, name))}")
        if name in exports:
            return
        path = folder / name
        if not path.exists():
            raise ValueError(f"{importers[-1] if importers else 'a widget'} asks for {name}, which is not in {folder}")
        text = path.read_text(encoding="utf-8")
        for names, file in IMPORT.findall(text):
            add(file, (*importers, name))
            for one in re.split(r",\s*", names):
                if one not in exports[file]:
                    offered = ", ".join(exports[file]) or "nothing"
                    raise ValueError(f"{name} imports {one} from {file}, which exports {offered}")
        body = IMPORT.sub(lambda line: f"const {{ {line[1]} }} = ${line[2][:-3]};", text)
        body = DEFAULT.sub("", EXPORT.sub("", body))
        if other := OTHER.search(body):
            raise ValueError(f"{name} has a form of import or export that script() does not know: {other[0].strip()}")
        exports[name] = EXPORT.findall(text) + [f"default: {value}" for value in DEFAULT.findall(text)]
        # Comments are for those who read the modules; a page is lighter by a fifth without them.
        body = f"{COMMENT.sub('', body).strip()}\nreturn {{ {', '.join(exports[name])} }};"
        modules.append(f"// {name}\nconst ${name[:-3]} = (() => {{\n{body}\n}})();\n")

    add(name, ())
    if not any(one.startswith("default: ") for one in exports[name]):
        raise ValueError(f"{name} is the script of a widget, so it needs a line such as: export default {{ render }};")
    return "\n".join([*modules, f"export default ${name[:-3]}.default;\n//# sourceURL=pla_lib/{name}"])


def stylesheet(*names: str) -> str:
    """A widget's style: the palette, what all widgets share, and its own sheet if it has one."""
    sheets = ((HERE / "css" / name).read_text(encoding="utf-8") for name in ("base.css", *names))
    return "\n".join([palette(), *sheets])


def palette() -> str:
    """The book's colours as css variables. Dark ones follow the site's switch, JupyterLab's theme and VS Code's."""
    values = COLOURS | {"tint": (TINT, DARK_TINT)}
    light, dark = ("".join(f"--pla-{name}:{pair[k]};" for name, pair in values.items()) for k in (0, 1))
    when_dark = "html[data-theme=dark], body[data-jp-theme-light=false], body.vscode-dark"
    return f":root {{{light}}}\n{when_dark} {{{dark}}}\n"


class BaseWidget(anywidget.AnyWidget):
    """A widget that can say what it shows. Subclasses give `_esm`, `picture` and `sentence`."""

    _css = stylesheet()

    def picture(self):
        """What the widget shows at its end, as a figure, for places where no script runs."""
        raise NotImplementedError

    def sentence(self) -> str:
        """The same in words: the picture's alternative text."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs):
        shown = super()._repr_mimebundle_(**kwargs)
        data, metadata = shown if isinstance(shown, tuple) else (shown or {}, {})
        return data | {"image/png": _small_png(self.picture()), "text/plain": self.sentence()}, metadata


def new_figure(width: float, height: float, layout: str | None = "constrained") -> Figure:
    """A figure of this size in inches. It takes matplotlib, which is imported only when a picture is drawn."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout=layout)


def _small_png(figure: Figure) -> bytes:
    """The figure on paper in 64 colours: a quarter of the size, and no difference to the eye.

    The paper is laid under it here, because where figures are transparent, as on the site, PNG would keep a light tint
    as its full colour and a little opacity, and all that is left without the opacity is the full colour.
    """
    from PIL import Image

    full, small = BytesIO(), BytesIO()
    figure.savefig(full, format="png", dpi=150, facecolor=COLOURS["paper"][0])
    colours = Image.open(full).convert("RGB").quantize(64, Image.Quantize.MAXCOVERAGE, kmeans=2)
    colours.save(small, "png", optimize=True)
    return small.getvalue()
