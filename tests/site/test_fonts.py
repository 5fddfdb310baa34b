"""The book's type: small, its own, there from the start; text does not move when it arrives."""

import re

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from playwright.sync_api import Browser

from tests import ROOT, SITE
from tests.site_checks import LAPTOP, PHONE

FONTS = SITE / "_static" / "fonts"
# What a family lacks, and a font of the system draws: lowered letters, a star, dots, keys, signs of set theory.
OF_THE_SYSTEM = set("ᵢⱼₖₙ★☆●○⋯⇥⊤∈")
# Adds up how far things have moved since a moment.
SHIFTS = """(since) => new Promise((done) => {
    let total = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (entry.startTime > since) total += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(total), 300);
})"""


def test_fonts_are_small_and_have_their_licence_beside_them():
    files = {path.name: path.stat().st_size for path in FONTS.glob("*.woff2")}
    assert set(files) == {"source-serif-4.woff2", "source-serif-4-italic.woff2", "source-sans-3.woff2"}
    assert sum(files.values()) < 150_000
    for family in ("source-serif", "source-sans"):
        assert "SIL OPEN FONT LICENSE" in (FONTS / f"{family}-licence.md").read_text(encoding="utf-8")


def test_every_font_is_preloaded_and_none_comes_from_elsewhere():
    head = BeautifulSoup((SITE / "lectures" / "02_pla.html").read_text(encoding="utf-8"), "html.parser").head
    early = {link["href"] for link in head.select('link[rel=preload][as=font][type="font/woff2"][crossorigin]')}
    text = {f"../_static/fonts/{path.name}" for path in FONTS.glob("*.woff2")}
    assert early == text | {"../_static/math/stix-two-math.woff2"}
    sheet = (SITE / "_static" / "all.css").read_text(encoding="utf-8")
    sources = re.findall(r"@font-face\s*\{[^}]*?src:([^;}]*)", sheet)
    assert len(sources) > 8
    assert not [source for source in sources if "//" in source]


def page_characters(without: str) -> dict[str, str]:
    """Each character of text, with a page that has it. Code and formulas have fonts of their own."""
    found = {}
    for path in SITE.rglob("*.html"):
        soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for other in soup.select(f"script, style, pre, code, svg, math, .math, .katex, {without}"):
            other.decompose()
        found |= dict.fromkeys(soup.get_text(), path.name)
    return found


def widget_characters() -> dict[str, str]:
    """Each character that a widget's files hold."""
    files = [path for kind in ("py", "js", "css") for path in (ROOT / "pla_lib" / "widgets").rglob(f"*.{kind}")]
    return {character: path.name for path in files for character in path.read_text(encoding="utf-8")}


@pytest.mark.parametrize("name", ["source-serif-4", "source-sans-3"])
def test_fonts_have_what_the_text_uses(name):
    used = page_characters("script") | widget_characters() if "sans" in name else page_characters(".pla-fallback")
    used |= dict.fromkeys("−×≤≥≠→✓•θ…–“”’", "always")
    has = TTFont(FONTS / f"{name}.woff2").getBestCmap()
    lacking = {character: place for character, place in used.items() if ord(character) not in has}
    assert {c: lacking[c] for c in lacking if c not in OF_THE_SYSTEM and not c.isspace()} == {}


def test_widgets_headings_and_text_use_the_families(page, site):
    page.goto(f"{site}/lectures/02_pla.html")
    page.locator(".pla").first.wait_for()
    family = "one => getComputedStyle(one).fontFamily.split(',')[0]"
    for place, name in {
        ".chapter-question": "Serif 4",
        "article h1": "Sans 3",
        "nav": "Sans 3",
        ".pla": "Sans 3",
    }.items():
        assert page.locator(place).first.evaluate(family) == f'"Source {name}"', place
    ours = "[...document.fonts].filter((font) => font.family.includes('Source')).map((font) => font.status)"
    assert page.evaluate(ours) == ["loaded"] * 3


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("chapter", ["01_geometry", "04_convergence"])
def test_text_does_not_move_when_the_fonts_arrive(browser: Browser, site, chapter, size):
    page = browser.new_page(viewport=size)
    waiting = []
    page.route("**/fonts/source-*.woff2", lambda route: waiting.append(route))
    page.goto(f"{site}/lectures/{chapter}.html", wait_until="domcontentloaded")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    while len(waiting) < 3:
        page.wait_for_timeout(50)
    page.wait_for_timeout(300)
    arrival = page.evaluate("performance.now()")
    for request in waiting:
        request.continue_()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(SHIFTS, arrival) < 0.02
    page.close()
