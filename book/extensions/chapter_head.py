"""A chapter's head: its number, time and prerequisites, its question, its widget, and folded below, the widget's code.

In the notebook these are the first paragraph, the second, and a cell with the tag `widget-first`.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from widget_fallback import html

TAG = "widget-first"


class ChapterHead(SphinxPostTransform):
    """Name the parts of the head for the style sheet, number the chapter, and put the widget before its code."""

    default_priority = 2  # before widgets get their places
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for cell in list(self.document.findall(nodes.container)):
            if f"tag_{TAG}" in cell["classes"]:
                cell.parent["classes"].append("with-head")
                for paragraph in cell.parent[1 : cell.parent.index(cell)]:
                    self._name(paragraph)
                fold_code(cell)

    def _name(self, paragraph: nodes.paragraph) -> None:
        if not paragraph.astext().startswith("Time:"):
            paragraph["classes"].append("chapter-question")
            return
        paragraph["classes"].append("chapter-facts")
        numbers = chapter_numbers(self.env)
        if self.env.docname in numbers:
            number = f"Chapter {numbers[self.env.docname]} of {len(numbers)}."
            paragraph[:0] = [nodes.strong("", number), nodes.Text(" ")]


def fold_code(cell: nodes.container) -> None:
    """Put the code of a cell below what it makes, folded."""
    for source in [part for part in cell if part.get("nb_element") == "cell_code_source"]:
        cell.remove(source)
        cell += folded("The code that makes this", [source])


def folded(summary: str, content: list[nodes.Node], kind: str = "") -> list[nodes.Node]:
    """The content behind a line that unfolds it."""
    opening = f'<details class="{f"folded {kind}".strip()}"><summary>{summary}</summary>'
    return [html(opening), *content, html("</details>")]


def chapter_numbers(env) -> dict[str, int]:
    """The pages that the table of contents numbers, with their numbers."""
    return {page: numbers[""][0] for page, numbers in env.toc_secnumbers.items() if numbers.get("")}


def write_again_when_their_number_changes(app, env) -> list[str]:
    """Every chapter says how many there are."""
    chapters = sorted(chapter_numbers(env))
    changed = chapters != getattr(env, "numbered_chapters", chapters)
    env.numbered_chapters = chapters
    return chapters if changed else []


def setup(app) -> dict:
    app.add_post_transform(ChapterHead)
    app.connect("env-get-updated", write_again_when_their_number_changes, priority=900)  # after they are numbered
    return {"parallel_read_safe": True, "parallel_write_safe": True}
