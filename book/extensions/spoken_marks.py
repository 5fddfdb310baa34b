"""Marks with words for screen readers: ★ of a section that may be skipped, ●○○ of an exercise's difficulty."""

import re

from docutils import nodes
from myst_parser.mdit_to_docutils.base import default_slugify
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import is_exercise_node

STAR, STAR_NOTE = "★", "May be skipped at first reading"
DOTS = re.compile(r" *([●○]{3})")


def anchor(heading: str) -> str:
    """What a link to the heading is written with: a star does not change it."""
    return default_slugify(heading.removeprefix(f"{STAR} "))


class spoken_mark(nodes.inline):  # noqa: N801, named as docutils names its nodes
    """A mark on the page, and the words that say it."""


def visit_mark(writer, node: spoken_mark) -> None:
    writer.body.append(writer.starttag(node, "span", "", role="img", **{"aria-label": node["words"]}))


def depart_mark(writer, node: spoken_mark) -> None:
    writer.body.append("</span>")


class Stars(SphinxTransform):
    """Name the star of a heading, while the list of sections does not have it yet, so that it is named there too."""

    default_priority = 800  # Sphinx collects the sections at 880

    def apply(self, **kwargs) -> None:
        for title in self.document.findall(nodes.title):
            if isinstance(title.parent, nodes.section) and title.astext().startswith(STAR):
                title.parent["classes"].append("starred")
                text = title[0]
                star = spoken_mark("", STAR, words="starred section", classes=["star"])
                title.replace(text, [star, nodes.Text(text[len(STAR) :])])


class StarNotes(SphinxPostTransform):
    """Say below the heading what the star means."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for section in self.document.findall(nodes.section):
            if "starred" in section["classes"]:
                note = nodes.paragraph("", STAR_NOTE, classes=["starred-note"])
                section.insert(1, note)


class Dots(SphinxPostTransform):
    """Put the dots of an exercise after its title, and leave them out where its solution repeats the title."""

    default_priority = 30  # after sphinx-exercise has written the titles
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for title in self.document.findall(nodes.title):
            for text in list(title.findall(nodes.Text)):
                if not (found := DOTS.search(text)):
                    continue
                text.parent.replace(text, nodes.Text(DOTS.sub("", text)))
                if is_exercise_node(title.parent):
                    words = f"difficulty {found[1].count('●')} of 3"
                    title += [nodes.Text(" "), spoken_mark("", found[1], words=words, classes=["difficulty"])]


def setup(app) -> dict:
    app.add_node(spoken_mark, html=(visit_mark, depart_mark))
    app.add_transform(Stars)
    app.add_post_transform(StarNotes)
    app.add_post_transform(Dots)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
