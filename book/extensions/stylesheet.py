"""One style sheet for the site: of the theme, its extensions and the book, without the rules that nothing uses."""

import hashlib
import posixpath
import re
from itertools import pairwise
from pathlib import Path

import tinycss2
from sphinx.errors import ExtensionError

# The style sheets of the theme itself, which its own templates load before all others.
THEME = ["_static/basic.css", "_static/styles/pydata-sphinx-theme.css"]


def write_palette(app, config) -> None:
    """Write the colours of pla_lib's figures and widgets as css variables."""
    folder = Path(app.outdir).parent / "palette"
    config.html_static_path.append(str(folder))
    colours, made = folder / "book-palette.css", folder.with_name("palette.made-from")
    if colours.exists() and made.exists() and made.read_text() == config.built_from:
        return  # loading what draws takes a second
    from pla_lib.widgets.base import palette

    folder.mkdir(parents=True, exist_ok=True)
    colours.write_text(palette(), encoding="utf-8")
    made.write_text(config.built_from)


def one_style_sheet(app, exception) -> None:
    """Join the style sheets in their order, leaving out the rules that no page and no script can use."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    listed = [sheet.filename for sheet in sorted(app.builder._css_files, key=lambda sheet: sheet.priority)]
    sheets = {name: rebased((out / name).read_text(encoding="utf-8"), name) for name in [*THEME, *listed]}
    users = [file.read_text(encoding="utf-8") for file in sorted([*out.rglob("*.html"), *out.rglob("*.js")])]
    made, joined = out.parent / "all.css.made-from", out / "_static" / "all.css"
    state = hashlib.sha256("\0".join([*sheets.values(), *users]).encode()).hexdigest()
    if joined.exists() and made.exists() and made.read_text() == state:
        return  # reading css takes seconds
    words = {word for text in users for word in re.findall(r"[\w-]+", text)}
    joined.write_text("\n".join(pruned(css, words) for css in sheets.values()), encoding="utf-8")
    made.write_text(state)


def rebased(css: str, name: str) -> str:
    """Addresses relative to `name`, made relative to _static."""

    def rebase(address: re.Match) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), address[1]))
        return f"url({posixpath.relpath(path, '_static')})"

    return re.sub(r"url\([\"']?(?!data:|#)([^)\"']+)[\"']?\)", rebase, css)


def pruned(css: str, words: set[str]) -> str:
    """The rules in which at least one selector has all its classes and ids among `words`."""
    kept = []
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type == "error":
            raise ExtensionError(f"a style sheet cannot be read: {rule.message}")
        if rule.type == "qualified-rule":
            selectors = [part for part in _selectors(rule.prelude) if _names(part) <= words]
            if selectors:
                kept.append(f"{','.join(map(tinycss2.serialize, selectors))}{{{tinycss2.serialize(rule.content)}}}")
        elif rule.at_keyword in ("media", "supports"):
            inner = pruned(tinycss2.serialize(rule.content), words)
            if inner:
                kept.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}")
        elif rule.at_keyword != "charset" and "Font Awesome" not in (text := rule.serialize()):
            kept.append(text)
    return "\n".join(kept)


def _selectors(prelude: list) -> list[list]:
    parts = [[]]
    for token in prelude:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _names(selector: list) -> set[str]:
    """The classes and ids that an element must have; what is in brackets, as in :not(.this), does not count."""
    after_dot = {b.value for a, b in pairwise(selector) if a == "." and b.type == "ident"}
    return after_dot | {token.value for token in selector if token.type == "hash"}


def setup(app) -> dict:
    app.connect("config-inited", write_palette)
    app.connect("build-finished", one_style_sheet, priority=900)  # after the theme has written its last sheet
    return {"parallel_read_safe": True, "parallel_write_safe": True}
