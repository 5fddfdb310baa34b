"""The checks of the site must be able to fail: every fault they look for, planted on a small page."""

import pytest

from book.serve import serving
from tests.site_checks import PHONE, faults_in_browser, faults_in_source

GOOD = """<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head>
<body><main><h1 id="top">A page</h1><p><a href="#top">up</a></p><article>{}</article></main></body></html>"""
IMAGE = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"

FAULTS = {
    "nothing": ("<p>fine</p>", None),
    "an external script": (
        '<script src="https://example.org/x.js"></script>',
        "asks https://example.org/x.js",
    ),
    "an external font": (
        "<style>@font-face {font-family: f; src: url(http://example.org/f)} p {font-family: f}</style><p>x",
        "asks http://example.org/f",
    ),
    "an image from elsewhere, far below": (
        '<div style="height: 9000px"></div><img loading="lazy" alt="A line." src="http://example.org/i.png">',
        "asks http://example.org/i.png",
    ),
    "a request on scrolling": (
        '<p style="height: 4000px"></p><script>onscroll = () => fetch("http://example.org/s").catch(() => 0)</script>',
        "asks http://example.org/s",
    ),
    "a missing script": ('<script src="missing.js"></script>', "404: "),
    "a failing script": ("<script>throw new Error('no')</script>", "script error: no"),
    "an error logged": ("<script>console.error('no')</script>", "console: no"),
    "a KaTeX error": ('<span class="katex-error" title="ParseError: x">x</span>', "KaTeX cannot read: ParseError: x"),
    "no alternative text": (f'<img src="{IMAGE}">', "no alternative text"),
    "a file name for alternative text": (f'<img src="{IMAGE}" alt="../_images/3f.png">', "no alternative text"),
    "a figure called an ornament": (f'<img src="{IMAGE}" alt="">', "no alternative text"),
    "a wide table": ('<div style="width: 500px; height: 9px"></div>', "scrolls sideways: "),
    "pale text": ('<p style="color: #bbb">pale</p>', "axe, color-contrast"),
    "a button without a name": ("<button></button>", "axe, button-name"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_on_a_page_is_found(browser, tmp_path, fault):
    body, report = FAULTS[fault]
    (tmp_path / "page.html").write_text(GOOD.format(body))
    with serving(tmp_path) as address:
        found = faults_in_browser(browser, f"{address}/page.html", size=PHONE)
    assert found == [] if report is None else any(line.startswith(report) for line in found), found


@pytest.mark.parametrize(
    ("link", "report"),
    [
        ('<a href="other.html#there">', None),
        ('<a href="https://example.org">', None),
        ('<a href="gone.html">', "leads nowhere: gone.html"),
        ('<a href="other.html#gone">', "no such place on the page: other.html#gone"),
        ('<a href="#gone">', "no such place on the page: #gone"),
        ('<img src="gone.png" alt="A line.">', "leads nowhere: gone.png"),
        ('<img srcset="gone.png 2x" alt="A line.">', "leads nowhere: gone.png 2x"),
        ('<iframe src="gone.html"></iframe>', "leads nowhere: gone.html"),
        ('<link rel="preconnect" href="https://example.org">', "names another host: https://example.org"),
        ('<link rel="canonical" href="https://example.org">', None),
        ('<img src="data:," alt="_images/a.webp">', "no alternative text: data:,"),
    ],
)
def test_fault_in_the_source_is_found(tmp_path, link, report):
    (tmp_path / "page.html").write_text(GOOD.format(link))
    (tmp_path / "other.html").write_text(GOOD.format('<p id="there">'))
    assert faults_in_source(tmp_path, "page.html") == ([] if report is None else [report])
