"""Links into the library's reference: from what a lecture used, and from one entry to others and to the chapters."""

import re

from docutils import nodes
from sphinx import addnodes

import pla_lib
from pla_lib import plots

REFERENCE = "book/reference"
PLACES = {name: f"pla_lib.{name}" for name in pla_lib.__all__}
PLACES |= {name: f"pla_lib.plots.{name}" for name in plots.__all__ if name.startswith("plot_")}
CHAPTERS = re.compile(r"Chapters? \d\d(?:(?:,| and) \d\d)*")


def link_names(app, doctree) -> None:
    """Link the public names after "Used from pla_lib" at the end of a lecture, and those in the docstrings."""
    page = app.env.docname
    if page == REFERENCE:
        link_chapters(doctree, page, app.env.found_docs)
        show_types_as_code(doctree)
        names = [name for name in doctree.findall(nodes.literal) if entry_of(name)]
    else:
        used = [line for line in doctree.findall(nodes.paragraph) if line.astext().startswith("Used from pla_lib")]
        names = [name for line in used for name in line.findall(nodes.literal)]
    for name in names:
        place = PLACES.get(name.astext())
        if place and not isinstance(name.parent, addnodes.pending_xref) and place != entry_of(name):
            name.replace_self(reference("py", "obj", place, name.deepcopy(), page))


def show_types_as_code(doctree: nodes.document) -> None:
    """The types of parameters, which napoleon writes as emphasised prose with round quotes."""
    for fields in doctree.findall(nodes.field_list):
        for kind in list(fields.findall(nodes.emphasis)):
            straight = kind.astext().translate(str.maketrans("“”‘’", "\"\"''"))
            kind.replace_self(nodes.literal("", straight, classes=["type"]))


def link_chapters(doctree: nodes.document, page: str, pages: set[str]) -> None:
    """Link the numbers after "Chapter" to their pages."""
    for text in list(doctree.findall(nodes.Text)):
        if not CHAPTERS.search(text) or not isinstance(text.parent, nodes.paragraph):
            continue
        written, last = [], 0
        for mention in CHAPTERS.finditer(text):
            for number in re.finditer(r"\d\d", mention[0]):
                start = mention.start() + number.start()
                chapter = [place for place in pages if place.startswith(f"lectures/{number[0]}_")]
                if chapter:  # a small book has not all of them
                    shown = nodes.inline("", number[0])
                    written += [nodes.Text(text[last:start]), reference("std", "doc", f"/{chapter[0]}", shown, page)]
                    last = start + 2
        text.parent.replace(text, [*written, nodes.Text(text[last:])])


def entry_of(node: nodes.Node) -> str | None:
    """The entry in which a node is, so that no entry links to itself."""
    while node.parent:
        node = node.parent
        if isinstance(node, addnodes.desc):
            return node[0]["ids"][0] if node[0]["ids"] else None
    return None


def reference(domain: str, kind: str, target: str, shown: nodes.Node, page: str) -> addnodes.pending_xref:
    given = {"refdomain": domain, "reftype": kind, "reftarget": target, "refdoc": page, "refexplicit": True}
    return addnodes.pending_xref("", shown, **given, refwarn=True)


def leave_python_out(app, config) -> None:
    """Python's own exceptions have no entry here, and a link to another host could not be checked offline."""
    config.nitpick_ignore = [("py:exc", name) for name in ("AssertionError", "ValueError")]


def setup(app) -> dict:
    app.connect("config-inited", leave_python_out)
    app.connect("doctree-read", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
