"""The checks of the site must be able to fail: every fault they look for, planted on a small page."""

import pytest

from book.serve import serving
from tests.site_checks import PHONE, RULES_OF_A_SECOND_LOOK, faults_in_browser, faults_in_source

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
    "a formula in error": ('<span class="temml-error">\\x</span>', r"Temml cannot read: \x"),
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


# Grey text that can be read comes first: what is alike only in part must still be measured.
READABLE = '<p style="color: #666">Grey on white</p>'
PALE = {
    "in a nested element": '<p>One <em>two <span><b style="color: #bbb">pale</b></span></em></p>',
    "on another background": READABLE + '<p style="background: #999"><span style="color: #666">grey on grey</span></p>',
    "on a background two boxes up": READABLE
    + '<div style="background: #999"><div><p style="color: #666">grey on grey</p></div></div>',
    "under a veil": READABLE + '<div style="opacity: 0.5"><p style="color: #666">half there</p></div>',
    "through its own veil": READABLE + '<p style="color: #666; opacity: 0.5">half there</p>',
    "in smaller letters": '<p style="color: #888; font-size: 30px">Large</p><p style="color: #888">small</p>',
    "in thinner letters": '<p style="color: #888; font: bold 19px serif">Bold</p>'
    '<p style="color: #888; font: 19px serif">thin</p>',
    "after a single letter": '<p style="color: #bbb">x</p><p style="color: #bbb">pale</p>',
    "after one that is hidden": '<p style="color: #bbb; visibility: hidden">pale</p><p style="color: #bbb">pale</p>',
    "after one that is out of use": '<button disabled style="color: #bbb; background: #fff">pale</button>'
    '<button style="color: #bbb; background: #fff">pale</button>',
    "in a field after a hidden one": '<label>A <input value="pale" style="color: #bbb; visibility: hidden"></label>'
    '<label>B <input value="pale" style="color: #bbb"></label>',
    "laid over another box": READABLE
    + '<div style="position: relative"><div style="background: #999; height: 40px"></div>'
    '<p style="color: #666; position: absolute; top: 0; margin: 0">grey on grey</p></div>',
    "moved onto another box": READABLE + '<div style="background: #999; height: 60px"></div>'
    '<p style="color: #666; margin: 0; width: 100px; transform: translateY(-40px)">grey on grey</p>',
    "drawn up by its margin": READABLE + '<div style="background: #999; height: 80px"></div>'
    '<p style="color: #666; margin-top: -60px">grey on grey</p>',
    "on a stripe between two that are fine": '<p style="color: #666">Grey</p>'
    '<p style="color: #666; background: #999">grey</p><p style="color: #666">Grey</p>',
    "in a widget": '<div class="pla-widget"><div class="pla">'
    '<button style="color: #999; background: #eee">Next</button></div></div>',
    "in a formula": '<math><mi style="color: #bbb; transform: translateX(2px)">pale</mi></math>',
}


@pytest.mark.parametrize("place", PALE)
def test_pale_text_is_found(browser, tmp_path, place):
    (tmp_path / "page.html").write_text(GOOD.format(PALE[place]))
    with serving(tmp_path) as address:
        (found,) = faults_in_browser(browser, f"{address}/page.html", rules=RULES_OF_A_SECOND_LOOK)
    assert found.startswith("axe, color-contrast")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_text_that_is_pale_only_in_the_dark_is_found_there(browser, tmp_path, colours):
    style = "<style>@media (prefers-color-scheme: dark) {html {background: #111; color: #eee} b {color: #333}}</style>"
    (tmp_path / "page.html").write_text(GOOD.replace('<a href="#top">up</a>', "up").format(f"{style}<b>dark</b>"))
    with serving(tmp_path) as address:
        found = faults_in_browser(browser, f"{address}/page.html", colours=colours, rules=RULES_OF_A_SECOND_LOOK)
    assert [line.split(":")[0] for line in found] == (["axe, color-contrast"] if colours == "dark" else [])


@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        ("<button></button>", "button-name"),
        ('<a href="#top"></a>', "link-name"),
        ("<input>", "label"),
        ("<select><option>A</option></select>", "select-name"),
        ('<span role="button" tabindex="0"></span>', "aria-command-name"),
        ("<details><summary></summary>A</details>", "summary-name"),
        ('<p aria-hidden="true"><button>A</button></p>', "aria-hidden-focus"),
        (
            '<div style="height: 50px; overflow: auto"><p style="margin: 90px 0">A</p></div>',
            "scrollable-region-focusable",
        ),
        (
            '<p>Much text <a style="color: #111; text-decoration: none" href="#top">a link</a> more</p>',
            "link-in-text-block",
        ),
    ],
)
def test_fault_that_only_a_narrow_screen_shows_is_found(browser, tmp_path, fault, rule):
    style = "<style>@media (min-width: 800px) {.narrow {display: none}}</style>"
    (tmp_path / "page.html").write_text(GOOD.format(f'{style}<div class="narrow">{fault}</div>'))
    with serving(tmp_path) as address:
        assert faults_in_browser(browser, f"{address}/page.html") == []
        found = faults_in_browser(browser, f"{address}/page.html", size=PHONE, rules=RULES_OF_A_SECOND_LOOK)
    assert any(line.startswith(f"axe, {rule}:") for line in found), found


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
