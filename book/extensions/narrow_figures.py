"""Figures on phones: the page offers a wide and a narrow form of each, and the browser takes the one that fits."""

import re
from dataclasses import replace

from docutils import nodes
from myst_nb.core.render import load_mime_renders
from sphinx.transforms.post_transforms import SphinxPostTransform
from stacked_panels import NARROW

PHONE = "(max-width: 600px)"
PAIR = re.compile(r'<img (?=[^>]*class="narrow-figure")[^>]*>\s*(<img [^>]*>)')


class NarrowFigure:
    """MyST-NB's way to take in one more kind of output."""

    mime_priority_overrides = ()

    @staticmethod
    def handle_mime(renderer, data, inline: bool) -> list[nodes.Element] | None:
        return renderer.render_image(replace(data, mime_type="image/svg+xml")) if data.mime_type == NARROW else None


class BesideTheWide(SphinxPostTransform):
    """Keep both forms of a figure: a notebook offers them as alternatives, of which MyST-NB would choose one."""

    default_priority = 3  # before it does

    def run(self, **kwargs) -> None:
        for narrow in list(self.document.findall(nodes.container)):
            if narrow.get("mime_type") == NARROW:
                (wide,) = (other for other in narrow.parent if other["mime_type"] == "image/svg+xml")
                image = narrow.next_node(nodes.image)
                image["classes"] = ["narrow-figure"]
                narrow.parent.remove(narrow)
                wide.insert(0, image)


def offer_both(app, pagename, templatename, context, doctree) -> None:
    """Let the browser choose between the two forms of a figure, and fetch only that."""

    def picture(pair: re.Match) -> str:
        given = dict(re.findall(r'(src|width|height)="([^"]*)"', pair[0].partition(">")[0]))
        size = f'width="{given["width"]}" height="{given["height"]}"'
        return f'<picture><source media="{PHONE}" srcset="{given["src"]}" {size}>{pair[1]}</picture>'

    if "body" in context:
        context["body"] = PAIR.sub(picture, context["body"])


def setup(app) -> dict:
    load_mime_renders().append(NarrowFigure)  # it would otherwise have to be a package of its own
    app.add_post_transform(BesideTheWide)
    app.connect("html-page-context", offer_both, priority=600)  # after page_html.py has given images their sizes
    return {"parallel_read_safe": True, "parallel_write_safe": True}
