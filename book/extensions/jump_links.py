"""Words in a sentence that set a widget: <span data-jump="1 step=9">jump to visit 9</span>.

First the widget's place among those of the page, then the values to set. JupyterLab and the plain copy show the words;
book/assets/chapter.js makes them a link where the widget can run.
"""

import json
import re
from html import escape

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from widget_fallback import WIDGET, html

JUMP = re.compile(r'<span data-jump="([^"]*)">')


class JumpLinks(SphinxPostTransform):
    """Write the marked words so that the script finds the widget and the values, if there are such."""

    default_priority = 2  # before widgets get their places
    formats = ("html",)

    def run(self, **kwargs) -> None:
        widgets = None
        for opening in list(self.document.findall(nodes.raw)):
            if not (found := JUMP.fullmatch(opening.astext())):
                continue
            widgets = self._widgets() if widgets is None else widgets
            place, values = read_jump(found[1], widgets, self.env.docname)
            following = opening.parent[opening.parent.index(opening) :]
            closing = next(node for node in following if node.astext() == "</span>")
            closing.replace_self(html("</a>"))
            attributes = f'data-widget="{place}" data-values="{escape(json.dumps(values))}"'
            opening.replace_self(html(f'<a class="jump" {attributes}>'))

    def _widgets(self) -> list[dict]:
        """The state of every widget of the page, in their order."""
        views = [node for node in self.document.findall(nodes.container) if node.get("mime_type") == WIDGET]
        if not views:
            return []
        _, script = self.env.nb_metadata[self.env.docname]["js_files"]["ipywidgets_state"]
        models = json.loads(script["body"])["state"]
        return [models[re.search(r'"model_id": "(\w+)"', view.astext())[1]]["state"] for view in views]


def read_jump(text: str, widgets: list[dict], page: str) -> tuple[int, dict]:
    """The place of the widget and the values that `1 step=9` names; an error that says what is wrong with them."""
    place, *settings = text.split()
    if not place.isdecimal() or not 1 <= int(place) <= len(widgets):
        raise ExtensionError(
            f'{page}: data-jump="{text}" names no widget; the page has {len(widgets)}, numbered from 1'
        )
    values = {}
    for setting in settings:
        name, _, value = setting.partition("=")
        if name not in widgets[int(place) - 1]:
            raise ExtensionError(f'{page}: data-jump="{text}": widget {place} has no {name}')
        try:
            values[name] = json.loads(value)
        except json.JSONDecodeError:
            values[name] = value
    return int(place), values


def setup(app) -> dict:
    app.add_post_transform(JumpLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
