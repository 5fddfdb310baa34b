"""Finish a page's HTML: sizes of images, a role, a description. Remove the pages of an earlier build."""

import posixpath
import re
import textwrap
from pathlib import Path

import imagesize
from docutils import nodes


def mend_body(app, pagename, templatename, context, doctree) -> None:
    """Give images their sizes and their turns, and entries in the list of citations a role that fits the list."""
    if "body" in context:
        body = re.sub(r"<img [^>]*>", lambda tag: sized(tag[0], app), context["body"])
        # First comes the picture of the widget at the head, the others as the reader gets near them.
        body = body.replace("<img ", '<img loading="lazy" ')
        body = re.sub(r'(pla-head">.*?<img )loading="lazy"', r'\1fetchpriority="high"', body, count=1, flags=re.DOTALL)
        body = body.replace('role="doc-biblioentry"', 'role="listitem"')
        # Names, brackets and spaces in code have the colour of the code; they are most of its elements.
        context["body"] = re.sub(r'<span class="[npw]">([^<]*)</span>', r"\1", body)


def sized(tag: str, app) -> str:
    """The tag with the image's width and height, so that the text below does not jump when the image arrives."""
    name = posixpath.basename(re.search(r'src="([^"]*)"', tag)[1])
    # Sphinx copies the images last; until then they are where it found them.
    original = next((path for path, (_, copy) in app.env.images.items() if copy == name), None)
    if original is None or " width=" in tag:
        return tag
    width, height = imagesize.get(Path(app.srcdir, original))
    return tag.replace("<img ", f'<img width="{width:.0f}" height="{height:.0f}" ')


def describe(app, pagename, templatename, context, doctree) -> None:
    """Describe the page for search engines in its own first paragraph; a chapter, in its question."""
    paragraphs = doctree.findall(nodes.paragraph) if doctree else []
    paragraph = next((one for one in paragraphs if "chapter-facts" not in one["classes"]), None)
    text = " ".join(paragraph.astext().split()) if paragraph else app.config.html_title
    context["description"] = textwrap.shorten(text, 160, placeholder=" ...")


def drop_strays(app, exception) -> None:
    """Remove what an earlier build wrote for pages that have left the book."""
    out = Path(app.outdir)
    for written in [*out.glob("book/*.html"), *out.glob("lectures/*.html"), *out.glob("notebooks/*.ipynb")]:
        name = written.relative_to(out).with_suffix("").as_posix().replace("notebooks/", "lectures/")
        if name not in app.env.found_docs:
            written.unlink()


def setup(app) -> dict:
    app.connect("html-page-context", mend_body)
    app.connect("html-page-context", describe)
    app.connect("build-finished", drop_strays)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
