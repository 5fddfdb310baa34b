"""The index of the book's search, instead of Sphinx's: headings, boxes, glossary words, names, each with its text.

It is written to searchindex.js; book/assets/search.js loads it, ranks what it finds, and shows it. Words that mean the
same, and words that say nothing, are listed in book/search-words.yml.
"""

import json
from pathlib import Path

import yaml
from docutils import nodes
from plain_markdown import Numbers
from sphinx import addnodes
from sphinx_exercise.nodes import solution_node

# Programs, pictures and formulas on a line of their own are not searched.
UNREAD = (nodes.literal_block, nodes.doctest_block, nodes.math_block, nodes.image, nodes.raw, nodes.field_list)
NAMED_BEFORE = (nodes.title, nodes.term, addnodes.desc_signature)  # they are the heading of the entry around them


class Entries(list):
    """What can be found on a page, from top to bottom: kind, anchor, heading and texts of each place."""

    def __init__(self, doctree: nodes.document, kind: str, boxes: dict[str, str]):
        self.page_kind, self.boxes = kind, boxes
        self.read(doctree, [])

    def read(self, node: nodes.Element, texts: list[str]) -> None:
        """Add the entries below a node, and to `texts` what belongs to none of them."""
        for child in node.children:
            if place := self.place(child):
                self.append((*place, own := []))
                self.read(child, own)
            elif isinstance(child, (*UNREAD, *NAMED_BEFORE)):
                continue
            elif isinstance(child, nodes.TextElement):
                texts.append(plain_text(child))
            else:
                self.read(child, texts)

    def place(self, node: nodes.Node) -> tuple[str, str, str] | None:
        """The kind, the anchor and the heading of a node that is an entry."""
        match node:
            case nodes.section() if isinstance(node[0], nodes.title):
                whole = isinstance(node.parent, nodes.document)
                kind = "section" if self.page_kind == "chapter" and not whole else self.page_kind
                return kind, "" if whole else node["ids"][0], plain_text(node[0])
            case addnodes.desc() if node[0]["ids"]:
                return "name", node[0]["ids"][0], node[0]["fullname"]
            case nodes.definition_list_item() if node[0]["ids"]:
                return "word", node[0]["ids"][0], plain_text(node[0])
            case solution_node():
                return "solution", node["ids"][0], f"Solution to {self.boxes[node['target_label']]}"
            case nodes.Admonition() if node.get("label") in self.boxes:
                title = "".join(plain_text(part) for part in node.children if isinstance(part, nodes.title))
                return "box", node["ids"][0], f"{self.boxes[node['label']]} {title}"
        return None


def plain_text(node: nodes.Element) -> str:
    """The text of a node in one line, with its formulas in letters, or three dots for what letters cannot say."""
    from pla_lib.widgets.formula import formatted, plain  # loads all that draws: only when a page is written

    parts = []
    for leaf in node.findall(lambda part: isinstance(part, (nodes.Text, nodes.math))):
        if isinstance(leaf, nodes.math):
            try:
                parts.append(plain(formatted(f"${leaf.astext()}$")))
            except ValueError:
                parts.append("…")
        elif not isinstance(leaf.parent, nodes.math):
            parts.append(str(leaf))
    return " ".join("".join(parts).split())


def kept(app, page: str) -> Path:
    """Where the entries of a page are kept for the next build, which may not write that page again."""
    return Path(app.outdir).parent / "search" / f"{page}.json"


def read_again(app, env, added, changed, removed) -> list[str]:
    return [page for page in env.found_docs if not kept(app, page).exists()]


def read_page(app, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    if doctree is None:
        return
    kind = "chapter" if page.startswith("lectures/") else "page"
    number = "".join(f"{digit}. " for digit in app.env.toc_secnumbers.get(page, {}).get("", ()))
    entries = Entries(doctree, kind, Numbers(app.env).words)
    found = [number + entries[0][2], [(*place, " ".join(texts)) for *place, texts in entries]]
    kept(app, page).parent.mkdir(parents=True, exist_ok=True)
    kept(app, page).write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


def write_index(app, exception) -> None:
    if exception or app.builder.format != "html":
        return
    words = yaml.safe_load(Path(app.srcdir, "book", "search-words.yml").read_text(encoding="utf-8"))
    pages, entries = [], []
    for name in sorted(app.env.found_docs, key=lambda page: (page.startswith("book/"), page)):
        title, found = json.loads(kept(app, name).read_text(encoding="utf-8"))
        entries += [(len(pages), *entry) for entry in found]
        pages.append((app.builder.get_target_uri(name), title))
    index = json.dumps({"pages": pages, "entries": entries} | words, ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, "searchindex.js").write_text(f"bookIndex = {index};\n", encoding="utf-8")


def leave_sphinx_out(app) -> None:
    app.builder.search = False


def search_page(app) -> list[tuple]:
    return [("search", {"title": "Search"}, "search.html")]


def setup(app) -> dict:
    app.connect("builder-inited", leave_sphinx_out)
    app.connect("env-get-outdated", read_again)
    app.connect("html-page-context", read_page)
    app.connect("html-collect-pages", search_page)
    app.connect("build-finished", write_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
