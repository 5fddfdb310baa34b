"""Figures on a phone: panels below each other, and text that can be read."""

import pytest

from tests import SITE
from tests.site_checks import LAPTOP, PHONE

CHAPTERS = sorted(path.stem for path in (SITE / "lectures").glob("*.html"))
# For each figure as the page shows it: its file, its width, the smallest text in px, and how it is described.
# Matplotlib draws text as shapes, each in a group that scales a hundred units to the size of the letters.
FIGURES = r"""async () => Promise.all([...document.querySelectorAll("article picture img")].map(async (image) => {
    image.loading = "eager";
    await image.decode();
    const drawing = new DOMParser().parseFromString(await (await fetch(image.currentSrc)).text(), "image/svg+xml");
    const box = drawing.documentElement.viewBox.baseVal, { left, right, width } = image.getBoundingClientRect();
    const sizes = [...drawing.querySelectorAll("[id^=text_] g[transform*=scale]")].map((text) =>
        100 * parseFloat(text.getAttribute("transform").match(/scale\(([\d.]+)/)[1]) * width / box.width);
    const offered = image.previousElementSibling.getAttribute("srcset").split("/").pop();
    return { file: image.currentSrc.split("/").pop(), offered, left, right, text: Math.min(...sizes), alt: image.alt };
}))"""


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_text_of_figures_can_be_read_on_a_phone(browser, site, chapter):
    page = browser.new_page(viewport=PHONE)
    page.goto(f"{site}/lectures/{chapter}.html")
    figures = page.evaluate(FIGURES)
    assert len(figures) == page.locator("article .cell_output img[src$=svg]").count() > 0
    for figure in figures:
        assert figure["file"] == figure["offered"]
        assert figure["text"] >= 11, figure
        assert 0 <= figure["left"] < figure["right"] <= PHONE["width"], figure
        assert figure["alt"], figure
    page.close()


def test_a_laptop_gets_the_wide_form(browser, site):
    page = browser.new_page(viewport=LAPTOP)
    page.goto(f"{site}/lectures/07_features.html")
    assert [figure["file"] for figure in page.evaluate(FIGURES) if figure["file"] == figure["offered"]] == []
    page.close()
