"""Formulas: MathML, written once, in a font that has all their signs, and set as TeX would set them."""

import re
from functools import cache

import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Page, expect

from tests import SITE
from tests.site.test_every_page import pages
from tests.site_checks import PHONE, soup_of

PAGES = [page for page in pages() if page != "search.html"]
FONT = SITE / "_static" / "math" / "stix-two-math.woff2"
BLANK = {chr(code) for code in (0x20, 0x0A, 0xA0, *range(0x2000, 0x200C), *range(0x2061, 0x2065))}


@cache
def characters() -> set[int]:
    return set(TTFont(FONT).getBestCmap())


def drawn(letter: str) -> int:
    """The character by which a browser draws a letter that stands alone: the italic one, where there is one."""
    for first, last, italic in (("A", "Z", 0x1D434), ("a", "z", 0x1D44E), ("Α", "Ω", 0x1D6E2), ("α", "ω", 0x1D6FC)):
        if first <= letter <= last:
            return 0x210E if letter == "h" else italic + ord(letter) - ord(first)
    return ord(letter)


@pytest.mark.parametrize("page", PAGES)
def test_formulas_are_written_once_and_the_font_has_their_characters(page):
    soup = soup_of(SITE / page)
    for place in soup.select("div.math"):
        assert len(place.find_all("math")) == 1, place
    assert not soup.select("math annotation, math merror, .katex")
    text = "".join(formula.get_text() for formula in soup.find_all("math"))
    assert {letter for letter in set(text) - BLANK if ord(letter) not in characters()} == set()
    letters = {tag.get_text() for tag in soup.select("math mi:not([mathvariant])")}
    assert {letter for letter in letters if len(letter) == 1 and drawn(letter) not in characters()} == set()


@pytest.fixture
def blank(page: Page, site: str) -> Page:
    """The bibliography, where formulas can be put, after the font has arrived."""
    page.goto(f"{site}/book/bibliography.html")
    page.evaluate("""() => {
        document.querySelector(".bd-article").innerHTML = '<p id="here"></p>';
        return document.fonts.load('16px "STIX Two Math"', "x");
    }""")
    return page


PARTS = """(mathml) => {
    const place = document.getElementById("here");
    place.innerHTML = mathml;
    return [...place.querySelectorAll(".part")].map((part) => {
        const { left, right, top, bottom, width, height } = part.getBoundingClientRect();
        return { left, right, top, bottom, width, height };
    });
}"""


def test_indices_stand_at_one_height(blank):
    indices = (
        '<math><msub><mi>x</mi><mi class="part">i</mi></msub><msub><mi>y</mi><mi class="part">i</mi></msub></math>'
    )
    exponents = indices.replace("msub", "msup").replace("y", "b")
    for mathml in (indices, exponents):
        first, second = blank.evaluate(PARTS, mathml)
        assert first["bottom"] == pytest.approx(second["bottom"], abs=0.5)


def test_root_takes_no_more_room_than_it_needs(blank):
    root, under, after = blank.evaluate(
        PARTS, '<math><msqrt class="part"><mi class="part">m</mi></msqrt><mi class="part">x</mi></math>'
    )
    assert root["right"] == pytest.approx(under["right"], abs=1)
    assert after["left"] == pytest.approx(under["right"], abs=1)


def test_sign_of_a_sum_is_large_on_a_line_of_its_own(blank):
    (inline,) = blank.evaluate(PARTS, '<math><mo class="part">∑</mo></math>')
    (display,) = blank.evaluate(PARTS, '<math display="block"><mo class="part">∑</mo></math>')
    assert display["height"] > 1.2 * inline["height"]


def test_fraction_in_a_line_of_text_is_close_to_its_bar(blank):
    above, below = blank.evaluate(PARTS, '<math><mfrac><mn class="part">1</mn><mn class="part">2</mn></mfrac></math>')
    assert below["top"] - above["bottom"] < above["height"]


def test_italics_of_the_font_are_there_for_formulas_that_are_no_mathml(blank):
    assert blank.evaluate("""async () => {
        const [face] = await document.fonts.load('italic 16px "STIX Two Math"', "x");
        return [face.style, face.status];
    }""") == ["italic", "loaded"]


def test_long_formula_in_a_line_of_text_is_broken_on_a_phone(browser, site):
    page = browser.new_page(viewport=PHONE)
    page.goto(f"{site}/lectures/08_online.html")
    left = "[...one.children].map((row) => row.getBoundingClientRect().left)"
    formulas = page.locator("math.long").evaluate_all(f"all => all.map((one) => {left})")
    assert any(rows != sorted(rows) for rows in formulas)
    page.close()


def test_wide_formula_scrolls_on_its_own_and_tab_reaches_it(browser, site):
    page = browser.new_page(viewport=PHONE)
    page.goto(f"{site}/lectures/04_convergence.html")
    formulas = page.locator("div.math")
    wide = formulas.evaluate_all("all => all.findIndex((one) => one.scrollWidth > one.clientWidth)")
    narrow = formulas.evaluate_all("all => all.findIndex((one) => one.scrollWidth <= one.clientWidth)")
    assert min(wide, narrow) >= 0
    formulas.nth(wide).scroll_into_view_if_needed()
    expect(formulas.nth(wide)).to_have_attribute("tabindex", "0")
    formulas.nth(narrow).scroll_into_view_if_needed()
    expect(formulas.nth(narrow)).not_to_have_attribute("tabindex", re.compile(".*"))
    page.set_viewport_size({"width": 1280, "height": 900})
    formulas.nth(wide).scroll_into_view_if_needed()
    expect(formulas.nth(wide)).not_to_have_attribute("tabindex", re.compile(".*"))
    page.close()
