"""The widgets' scripts and styles as files of their own, so that pages open without them and browsers keep them.

What all widgets share, the shell and what it needs, is in one file; what a widget adds to it is in another.
"""

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from pla_lib.widgets import base

FOLDER = "_static/widgets"
MODULE = re.compile(r"^// (\w+\.js)\n(?=const \$)", re.MULTILINE)  # how base.script() begins each module


def share(app, pagename, templatename, context, doctree) -> None:
    """Leave in the page only the values of its widgets, and the names of the files with their scripts."""
    kind, script = app.env.nb_metadata.get(pagename, {}).get("js_files", {}).get("ipywidgets_state", (None, {}))
    if not script:
        return
    saved = json.loads(script["body"])
    for model in saved["state"].values():
        # A widget that a chapter defines itself stays as it is.
        if name := re.search(r"sourceURL=pla_lib/(\w+)\.js$", model["state"].get("_esm", "")):
            own = [text for module, text in modules(model["state"].pop("_esm")).items() if module not in shared()]
            style = model["state"].pop("_css").removeprefix(base.stylesheet())
            model["state"]["_parts"] = [
                write(app, "shared", "".join(shared().values()), base.stylesheet()),
                write(app, name[1], "".join(own), style),
            ]
    app.env.nb_metadata[pagename]["js_files"]["ipywidgets_state"] = (kind, script | {"body": json.dumps(saved)})


def modules(script: str) -> dict[str, str]:
    """The modules of a widget's script, each after those that it imports from."""
    _, *parts = MODULE.split(script)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@cache
def shared() -> dict[str, str]:
    """The modules of every widget that lives in the shell."""
    files = sorted((base.HERE / "js").glob("*.js"))
    widgets = [file.name for file in files if base.DEFAULT.search(file.read_text(encoding="utf-8"))]
    first, *others = (found for found in map(modules, map(base.script, widgets)) if "shell.js" in found)
    return {name: text for name, text in first.items() if all(name in other for other in others)}


def write(app, name: str, module: str, style: str) -> str:
    """Write a script that hands module and style to book/assets/widget-host.js. Returns its address.

    A page that is opened as a file may load such a script, but neither a module nor a text. Indents stay behind.
    """
    module = re.sub(r"^ +", "", module, flags=re.MULTILINE)
    text = f"plaWidgetHost.parts.{name} = {json.dumps({'_esm': module, '_css': style})};\n"
    file = Path(app.outdir, FOLDER, f"{name}.js")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return f"{name}.js?v={hashlib.sha256(text.encode()).hexdigest()[:8]}"


def setup(app) -> dict:
    app.connect("html-page-context", share, priority=400)  # before MyST-NB writes the values into the page
    return {"parallel_read_safe": True, "parallel_write_safe": True}
