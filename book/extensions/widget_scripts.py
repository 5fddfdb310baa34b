"""The widgets' scripts and styles as files of their own, so that pages open without them and browsers keep them."""

import hashlib
import json
import re
from pathlib import Path

FOLDER = "_static/widgets"


def share(app, pagename, templatename, context, doctree) -> None:
    """Leave in the page only the values of its widgets, and the names of the files with their scripts."""
    kind, script = app.env.nb_metadata.get(pagename, {}).get("js_files", {}).get("ipywidgets_state", (None, {}))
    if not script:
        return
    saved = json.loads(script["body"])
    for model in saved["state"].values():
        # A widget that a chapter defines itself stays as it is.
        if name := re.search(r"sourceURL=pla_lib/(\w+)\.js$", model["state"].get("_esm", "")):
            model["state"]["_part"] = write(app, name[1], model["state"].pop("_esm"), model["state"].pop("_css"))
    app.env.nb_metadata[pagename]["js_files"]["ipywidgets_state"] = (kind, script | {"body": json.dumps(saved)})


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
