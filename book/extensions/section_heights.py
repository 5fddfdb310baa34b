"""About how high each section is, so that a browser can leave out of its layout what is far from the screen.

book/assets/sections.css says which sections, and what becomes of the estimates.
"""

import math
import re
from pathlib import Path

import imagesize
from docutils import nodes

# Pixels, on a wide screen and on a phone: a line of text and how many characters it has, a line of code and at how many
# characters one of output is broken, a formula on lines of its own, the space below a block, a widget, the bar of a
# cell, and how wide a picture can be.
WIDE = {
    "line": 27.5,
    "characters": 82,
    "code": 21.6,
    "output": 88,
    "formula": 58,
    "space": 17,
    "widget": 600,
    "bar": 32,
    "picture": 731,
}
PHONE = {
    "line": 27.5,
    "characters": 41,
    "code": 19,
    "output": 42,
    "formula": 58,
    "space": 17,
    "widget": 560,
    "bar": 44,
    "picture": 358,
}

RAW = {"widget": 'class="pla-widget"', "bar": 'class="live-bar '}


def height(node: nodes.Node, screen: dict, folder: Path) -> float:
    """Pixels that the node takes, roughly; what is folded up takes a line."""
    space = screen["space"]
    if isinstance(node, nodes.raw):
        return sum(screen[name] for name, mark in RAW.items() if mark in node.astext())
    if isinstance(node, nodes.Element) and "dropdown" in node.get("classes", []):
        return 2 * screen["line"] + 2 * space
    if isinstance(node, nodes.math_block):
        return screen["formula"] + screen["line"] * node.astext().count(r"\\") + space
    if isinstance(node, nodes.literal_block):
        breaks = screen["output"] if "output" in node["classes"] else math.inf
        lines = sum(max(1, math.ceil(len(line) / breaks)) for line in node.astext().split("\n"))
        return screen["code"] * lines + 2 * space
    if isinstance(node, nodes.image):
        width, high = imagesize.get(folder / node["uri"])
        return high * min(1, screen["picture"] / width) + space if width > 0 else 0
    if isinstance(node, nodes.container) and "pla-fallback" in node.get("classes", []):
        return 0  # the widget takes its place
    if isinstance(node, nodes.row):
        column = screen | {"characters": screen["characters"] / len(node.children)}
        return max(height(cell, column, folder) for cell in node.children)
    if isinstance(node, nodes.TextElement):
        text = re.sub(r"\\\w+|[{}$_^]", "", node.astext())  # formulas are shorter than their source
        return screen["line"] * math.ceil(len(text) / screen["characters"]) + space
    return sum(height(child, screen, folder) for child in node.children)


def write_heights(app, pagename, templatename, context, doctree) -> None:
    """Write the estimates into the sections below the page's own."""
    for page in doctree.findall(nodes.section) if doctree else ():
        for section in page.children if isinstance(page.parent, nodes.document) else ():
            if isinstance(section, nodes.section):
                wide, phone = (round(height(section, screen, Path(app.srcdir)), -1) for screen in (WIDE, PHONE))
                tag, style = (
                    f' id="{section["ids"][0]}">',
                    f"--height-wide: {wide:.0f}px; --height-phone: {phone:.0f}px",
                )
                context["body"] = context["body"].replace(tag, f'{tag[:-1]} style="{style}">', 1)


def setup(app) -> dict:
    app.connect("html-page-context", write_heights)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
