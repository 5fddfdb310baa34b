"""The reference: `{library} geometry` writes the public names of pla_lib.geometry, with signature and docstring.

The docstrings are plain text with formulas such as ||w||^2, which reStructuredText would misread: hence no autodoc.
"""

import inspect
import re
import typing
from functools import cached_property
from types import FunctionType

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

import pla_lib
from pla_lib import plots

# Every public name with its place; a module of figures offers what its own file defines.
PLACES = {name: f"pla_lib.{name}" for name in pla_lib.__all__}
PLACES |= {name: f"pla_lib.plots.{name}" for name in plots.__all__ if name.startswith("plot_")}
THINGS = {
    name: getattr(plots if place.startswith("pla_lib.plots.") else pla_lib, name) for name, place in PLACES.items()
}

NAMES = ["theta", "eta", "tau", "rho", "delta", "gamma", "lam", "alpha", "xi", "phi"]
GREEK = dict(zip(NAMES, "θητρδγλαξφ", strict=True))
SIGNS = [
    (rf"(?<![A-Za-z._])({'|'.join(GREEK)})(?![A-Za-z0-9=])", lambda name: GREEK[name[1]]),
    (r"\|\|", "‖"),
    (r"<-", "←"),
    (r"->", "→"),
    (r"<=", "≤"),
    (r">=", "≥"),
    (r"!=", "≠"),
    (r"\+-(?=\d)", "±"),
    (r" \* ", " · "),
    (r"(?<![\w.])-(?=[\w‖(])|(?<= )-(?= )", "−"),
    (r"\bsqrt\b", "√"),
    (r"θ~", "θ̃"),
]
# In this order: code between backticks, arguments and strings, chapters, subscripts, powers, the ' that transposes.
MARK = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|(?P<value>\b\w+=(?:\"\w+\"|\w+)|\"[\w.]+\")"
    r"|(?P<chapters>Chapters? \d\d(?:(?:,| and) \d\d)*)"
    r"|(?<=[\w*‖])_(?P<sub>\{(?:[^{}]|\{[^{}]*\})*\}|[A-Za-z0-9](?![A-Za-z0-9]))"
    r"|\^(?P<sup>\d+|[A-Za-z]+)"
    r"|(?<=[\w)*])(?P<transposed>')(?=[(]|[xzθφ](?![A-Za-z]))"
)
MEMBERS = (property, cached_property, classmethod, FunctionType)
SECTION = re.compile(r"^(Parameters|Attributes|Returns|Raises|Examples)\n-+$", flags=re.MULTILINE)


class Library(SphinxDirective):
    """An entry for every public name of the modules given, and for what its functions return."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        entries = []
        for name in [name for module in self.arguments[0].split() for name in offered(module)]:
            entries.append(self.entry(name, THINGS[name]))
            result = returned(THINGS[name])
            if result and result.__name__ not in PLACES:
                entries.append(self.entry(result.__name__, result))
        return entries

    def entry(self, name: str, thing) -> nodes.section:
        place = PLACES.get(name, f"pla_lib.{name}")
        title = nodes.title("", "", nodes.literal("", name))
        section = nodes.section("", title, ids=[place], names=[place], classes=["library-entry"])
        kind = "class" if inspect.isclass(thing) else "function"
        self.env.get_domain("py").note_object(place, kind, place, location=self.get_location())
        prose = Prose(name, self.env)
        section += prose.signature(name, thing)
        section += prose.blocks(inspect.getdoc(thing))
        if members := public_members(thing):
            section += nodes.definition_list("", *(self.member(name, *member) for member in members))
        return section

    def member(self, owner: str, name: str, member) -> nodes.definition_list_item:
        place = f"pla_lib.{owner}.{name}"
        kind = "method" if callable(member) else "property"
        self.env.get_domain("py").note_object(place, kind, place, location=self.get_location())
        call = f"{name}({', '.join(arguments(member))})" if callable(member) else name
        term = nodes.term("", "", nodes.literal("", f".{call}"), ids=[place])
        prose = Prose(owner, self.env)
        return nodes.definition_list_item("", term, nodes.definition("", *prose.blocks(inspect.getdoc(member))))


class Prose:
    """Docstrings as nodes: paragraphs, formulas, lists of parameters, tables and examples."""

    def __init__(self, about: str, env):
        self.about, self.page, self.pages = about, env.docname, env.found_docs

    def signature(self, name: str, thing) -> nodes.paragraph:
        """The call with its defaults, and what it returns."""
        given = "class " if inspect.isclass(thing) else ""
        line = nodes.paragraph(classes=["signature"])
        line += nodes.literal("", f"{given}{name}({', '.join(arguments(thing))})")
        result = None if inspect.isclass(thing) else inspect.signature(thing).return_annotation
        if result not in (None, inspect.Signature.empty):
            line += nodes.Text(" → ")
            for part in re.split(r"(\w+)", annotation(result)):
                line += self.linked(part) if part in PLACES else nodes.literal("", part) if part else []
        return line

    def blocks(self, docstring: str) -> list[nodes.Node]:
        first, *sections = SECTION.split(docstring)
        written = self.paragraphs(first)
        for heading, text in zip(sections[::2], sections[1::2], strict=True):
            if heading == "Examples":
                written += self.paragraphs(text)
            else:
                label = nodes.paragraph("", heading, classes=["library-label"])
                written += [label, self.items(text)]
        return written

    def paragraphs(self, text: str) -> list[nodes.Node]:
        return [self.paragraph(block) for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]

    def paragraph(self, block: str) -> nodes.Node:
        if block.startswith(">>>"):
            return nodes.literal_block(block, block, language="pycon")
        if block.startswith("==="):
            return self.table(block.splitlines())
        if block.startswith("    "):
            lines = [nodes.line("", "", *self.inline(line.strip())) for line in block.splitlines()]
            return nodes.line_block("", *lines, classes=["formula"])
        return nodes.paragraph("", "", *self.inline(block))

    def items(self, text: str) -> nodes.definition_list:
        """`name : what it is`, each with further sentences indented below it."""
        listed = nodes.definition_list()
        for item in re.split(r"\n(?=\S)", text.strip("\n")):
            head, _, more = item.partition("\n")
            name, colon, what = head.partition(" : ")
            term = nodes.term("", "", *([nodes.literal("", name)] if colon else self.inline(head)))
            meaning = [nodes.paragraph("", "", *self.inline(part)) for part in (what, inspect.cleandoc(more)) if part]
            listed += nodes.definition_list_item("", term, nodes.definition("", *meaning))
        return listed

    def table(self, lines: list[str]) -> nodes.table:
        spans = [match.span() for match in re.finditer("=+", lines[0])]
        body = nodes.tbody()
        for line in lines[1:-1]:
            cells = [line[start : None if end == spans[-1][1] else end].strip() for start, end in spans]
            body += nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *self.inline(cell))) for cell in cells))
        columns = [nodes.colspec(colwidth=end - start) for start, end in spans]
        return nodes.table("", nodes.tgroup("", *columns, body, cols=len(spans)), classes=["colwidths-auto"])

    def inline(self, text: str) -> list[nodes.Node]:
        """Code between backticks as code, formulas with their signs, and links to chapters and to other entries."""
        text = " ".join(text.split("\n"))
        text = "".join(part if k % 2 else typeset(part) for k, part in enumerate(re.split(r"(`[^`]+`)", text)))
        written, last = [], 0
        for mark in MARK.finditer(text):
            written += [nodes.Text(text[last : mark.start()]), *self.marked(mark.lastgroup, mark[mark.lastgroup])]
            last = mark.end()
        return [*written, nodes.Text(text[last:])]

    def marked(self, kind: str, text: str) -> list[nodes.Node]:
        if kind == "code":
            name = re.match(r"(\w+)(\(.*\))?$", text)
            known = name and name[1] in PLACES and name[1] != self.about
            return [self.linked(name[1], text) if known else nodes.literal("", text)]
        if kind == "value":
            return [nodes.literal("", text)]
        if kind == "chapters":
            parts = re.split(r"(\d\d)", text)
            return [self.chapter(part) if part.isdigit() else nodes.Text(part) for part in parts]
        if kind == "sub":
            return [nodes.subscript("", "", *self.inline(text.strip("{}")))]
        return [nodes.superscript("", "⊤" if kind == "transposed" else text)]

    def chapter(self, number: str) -> addnodes.pending_xref:
        (page,) = [page for page in self.pages if page.startswith(f"lectures/{number}_")]
        return reference("std", "doc", f"/{page}", nodes.inline("", number), self.page)

    def linked(self, name: str, shown: str | None = None) -> addnodes.pending_xref:
        return reference("py", "obj", PLACES[name], nodes.literal("", shown or name), self.page)


def offered(module: str) -> list[str]:
    """The public names of a module, sorted."""
    if module in pla_lib._HOME:
        return pla_lib._HOME[module]
    return sorted(name for name, thing in THINGS.items() if thing.__module__ == f"pla_lib.{module}")


def typeset(text: str) -> str:
    """theta'x >= ||w||^2 with the letters and signs of print."""
    for pattern, sign in SIGNS:
        text = re.sub(pattern, sign, text)
    return text


def reference(domain: str, kind: str, target: str, shown: nodes.Node, page: str) -> addnodes.pending_xref:
    told = {"refdomain": domain, "reftype": kind, "reftarget": target, "refdoc": page, "refexplicit": True}
    return addnodes.pending_xref("", shown, **told, refwarn=True)


def arguments(thing) -> list[str]:
    """The arguments with their defaults, as they are written in a call; types would only hide them."""
    written, names_only = [], False
    for name, one in inspect.signature(thing).parameters.items():
        if name == "self" or name.startswith("_"):
            continue
        if one.kind is one.KEYWORD_ONLY and not names_only:
            written.append("*")
        names_only = names_only or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        default = "" if one.default is one.empty else f"={one.default!r}".replace("'", '"')
        written.append(f"{'*' if one.kind is one.VAR_POSITIONAL else ''}{name}{default}")
    return written


def annotation(kind) -> str:
    """A type as the library's code writes it, without the modules."""
    text = kind if isinstance(kind, str) else inspect.formatannotation(kind)
    return re.sub(r"\b(?:[a-z_]\w*\.)+(?=\w)", "", text)


def returned(function) -> type | None:
    """The class of the library, other than a widget, that a function gives back, itself or one at a time."""
    if inspect.isclass(function) or function.__module__.startswith(("pla_lib.plots", "pla_lib.widgets")):
        return None
    result = typing.get_type_hints(function).get("return")
    for kind in (result, *typing.get_args(result)):
        if inspect.isclass(kind) and kind.__module__.startswith("pla_lib."):
            return kind
    return None


def public_members(thing) -> list[tuple[str, object]]:
    """The methods and properties of a class that have something to say, in the order in which they are written."""
    if not inspect.isclass(thing):
        return []
    members = [(name, getattr(thing, name), member) for name, member in vars(thing).items() if name[0] != "_"]
    return [(name, bound) for name, bound, member in members if isinstance(member, MEMBERS) and inspect.getdoc(bound)]


def link_what_was_used(app, doctree) -> None:
    """At the end of a lecture, link the names after "Used from pla_lib" to their entries."""
    for paragraph in doctree.findall(nodes.paragraph):
        if paragraph.astext().startswith("Used from pla_lib"):
            for name in list(paragraph.findall(nodes.literal)):
                if name.astext() in PLACES:
                    name.replace_self(Prose("", app.env).linked(name.astext()))


def setup(app) -> dict:
    app.connect("doctree-read", link_what_was_used)
    app.add_directive("library", Library)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
