"""In every lecture, link the first use of a glossary word to its entry, and show the meaning on hover."""

import re
from functools import lru_cache

from docutils import nodes
from sphinx import addnodes

GLOSSARY = "book/glossary"
# Not in headings, captions, tables, code, formulas or links.
CLOSED = nodes.title | nodes.caption | nodes.table | nodes.literal | nodes.math | nodes.reference
# Words with an everyday meaning too: linked only where they are emphasised, as a term is when it is introduced.
EVERYDAY = {
    "example",
    "foot",
    "kernel",
    "label",
    "loss",
    "mistake",
    "progress",
    "radius",
    "shift",
    "tie",
    "update",
    "visit",
    "weights",
}


def meanings(app) -> dict[str, tuple[str, str]]:
    """Each word of the glossary with its anchor and its meaning, without the links at the end of the entry."""
    from pla_lib.widgets.formula import formatted, plain  # loads all that draws: only when a page is written

    found = {}
    for item in app.env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        term, definition = item.next_node(nodes.term), item.next_node(nodes.definition)
        if term and term["ids"]:
            sentence = definition.next_node(nodes.paragraph).deepcopy()
            for place in [*sentence.findall(nodes.reference), *sentence.findall(addnodes.pending_xref)]:
                place.parent.remove(place)
            for formula in list(sentence.findall(nodes.math)):
                formula.replace_self(nodes.Text(plain(formatted(f"${formula.astext()}$"))))
            found[term.astext()] = term["ids"][0], " ".join(sentence.astext().split())
    return found


def link_first_uses(app, doctree, docname: str) -> None:
    if not docname.startswith("lectures/") or GLOSSARY not in app.env.found_docs:
        return
    words = meanings(app)
    page = app.builder.get_relative_uri(docname, GLOSSARY)
    for paragraph in doctree.findall(nodes.paragraph):
        for text in list(paragraph.findall(nodes.Text)):
            if not _inside(text, CLOSED):
                _link(text, words, page)


def _link(text: nodes.Text, words: dict, page: str) -> None:
    """Link the words that this text is the first to use, and remove them from `words`."""
    last, parts = 0, []
    while found := _first(text, words, last):
        name = next(word for word in words if word.lower() == found[1].lower())
        anchor, meaning = words.pop(name)
        told = {"refuri": f"{page}#{anchor}", "internal": True, "reftitle": meaning, "classes": ["term"]}
        parts += [nodes.Text(text[last : found.start()]), nodes.reference("", found[0], **told)]
        last = found.end()
    if parts:
        text.parent.replace(text, [*parts, nodes.Text(text[last:])])


def _first(text: nodes.Text, words: dict, start: int) -> re.Match | None:
    emphasised = isinstance(text.parent, nodes.emphasis)
    return _pattern(tuple(words), emphasised).search(text, start)


@lru_cache
def _pattern(words: tuple[str, ...], emphasised: bool) -> re.Pattern:
    """Matches any of the words, the longest that fits; nothing if there are none."""
    usable = sorted((word for word in words if emphasised or word not in EVERYDAY), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, usable)) or '(?!)'})(?:s|es)?\b(?!-)", re.IGNORECASE)


def _inside(node: nodes.Node, kinds) -> bool:
    while node := node.parent:
        if isinstance(node, kinds):
            return True
    return False


def depend(app, docname: str, source: list) -> None:
    """A lecture is written again when the glossary changes."""
    if docname.startswith("lectures/") and GLOSSARY in app.env.found_docs:
        app.env.note_dependency(f"{GLOSSARY}.md")


def setup(app) -> dict:
    app.connect("source-read", depend)
    app.connect("doctree-resolved", link_first_uses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
