"""The theme's script, without the part that lays out the whole page as soon as it opens."""

from pathlib import Path

from sphinx.errors import ExtensionError

SCRIPT = "_static/scripts/pydata-sphinx-theme.js"
# It asks every block of code and every table whether it is too wide, when the page opens and after every change, also
# those that are not drawn because they are far from the screen. book/assets/book.js does this for what is drawn.
ASKS = "e.tabIndex=e.scrollWidth>e.clientWidth||e.scrollHeight>e.clientHeight?0:-1"


def ask_nothing(app, exception) -> None:
    if exception or app.builder.format != "html":
        return
    script = Path(app.outdir, SCRIPT)
    text = script.read_text(encoding="utf-8")
    if text.count(ASKS) != 1:
        raise ExtensionError(f"{SCRIPT} is not the one that book/extensions/theme_script.py was written for")
    script.write_text(text.replace(ASKS, " " * len(ASKS)), encoding="utf-8")


def setup(app) -> dict:
    app.connect("build-finished", ask_nothing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
