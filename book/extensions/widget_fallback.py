"""For every widget, the picture and the sentence that readers without scripts see instead."""

import json
import re

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

WIDGET = "application/vnd.jupyter.widget-view+json"
# At the head of a chapter a widget gets what the first screen leaves: this says where it begins, before it is drawn.
MEASURE = """<script>
  (({ parentElement: place }) =>
    place.style.setProperty("--top", `${place.getBoundingClientRect().top + scrollY}px`))(document.currentScript);
</script>"""


class WidgetFallback(SphinxPostTransform):
    """Keep a widget's picture and sentence on the page, beside the data its script starts from.

    A notebook offers them as alternatives, of which MyST-NB would keep one.
    """

    default_priority = 3  # before MyST-NB chooses

    def run(self, **kwargs) -> None:
        head = " pla-head"  # of the first widget, if it comes before the first section
        for bundle in list(self.document.findall(nodes.container)):
            kinds = {child.get("mime_type"): child for child in bundle.children if isinstance(child, nodes.Element)}
            if bundle.get("nb_element") != "mime_bundle" or WIDGET not in kinds:
                continue
            if "image/png" not in kinds:
                raise ExtensionError(
                    "a widget leaves no picture for readers without scripts: let it subclass pla_lib's BaseWidget"
                )
            sentence = kinds["text/plain"].astext().strip()
            (picture,) = kinds["image/png"].findall(nodes.image)
            picture["alt"] = sentence
            height = self._height(re.search(r'"model_id": "(\w+)"', kinds[WIDGET].astext())[1])
            cell = bundle.parent.parent
            head = head if cell.parent.parent is self.document else ""
            if height:  # a quiz is as high as its text
                place = f'<div class="pla-widget pla-text" style="--narrow: calc({height[0]}); --wide: calc({height[1]})">'
            else:
                place = f'<div class="pla-widget{head}">{MEASURE if head else ""}'
            stand_in = nodes.container("", picture, nodes.paragraph("", sentence), classes=["pla-fallback"])
            head = ""
            bundle.replace_self([html(place), stand_in, *kinds[WIDGET].children, html("</div>")])

    def _height(self, model: str) -> list[str] | None:
        _, script = self.env.nb_metadata[self.env.docname]["js_files"]["ipywidgets_state"]
        return json.loads(script["body"])["state"][model]["state"].get("height")


def html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def setup(app) -> dict:
    app.add_post_transform(WidgetFallback)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
