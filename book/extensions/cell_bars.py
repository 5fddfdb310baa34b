"""The place of the bar below the code of every cell; book/assets/live/live.js fills it with Run and Edit."""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from widget_fallback import html

# Kept free from the start, so that nothing jumps when the script arrives; without scripts it is not there.
BAR = '<div class="live-bar pst-js-only"></div>'


class CellBars(SphinxPostTransform):
    """Put the place of a bar after the code of every cell."""

    default_priority = 4  # after the steps that read the code and fold it away
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for code in list(self.document.findall(nodes.container)):
            if code.get("nb_element") == "cell_code_source":
                code += html(BAR)


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load the small script on pages that have cells."""
    if BAR in context.get("body", ""):
        app.add_js_file("live/live.js")


def setup(app) -> dict:
    app.add_post_transform(CellBars)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
