"""Every page of the built site, in a real browser: nothing from other hosts, nothing broken, readable by everyone."""

import re

import pytest
import yaml
from playwright.sync_api import expect

from tests import ROOT, SITE
from tests.site_checks import LAPTOP, PHONE, RULES_OF_A_SECOND_LOOK, faults_in_browser, faults_in_source
from tests.widgets.gestures import step


def pages() -> list[str]:
    """The pages of the table of contents, the search, and the page for addresses that lead nowhere."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [f"{name}.html" for name in [toc["root"], *files, "search", "404"]]


class TestOnALaptop:  # a class each, so that two workers share the pages
    @pytest.mark.parametrize("page", pages())
    def test_page_has_no_faults(self, browser, site, page):
        assert faults_in_browser(browser, f"{site}/{page}", colours="light", size=LAPTOP) == []


class TestOnAPhoneInTheDark:
    @pytest.mark.parametrize("page", pages())
    def test_page_has_no_faults(self, browser, site, page):
        look = {"colours": "dark", "size": PHONE, "rules": RULES_OF_A_SECOND_LOOK}
        assert faults_in_browser(browser, f"{site}/{page}", **look) == []


@pytest.mark.parametrize("page", ["index.html", *pages()])
def test_every_link_leads_somewhere_and_every_picture_speaks(page):
    assert faults_in_source(SITE, page) == []


def test_every_page_built_is_checked():
    built = {path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts}
    assert built == {"index.html", *pages()}


def test_copy_button_copies_the_code(browser, site):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{site}/lectures/02_pla.html")
    page.get_by_text("The code that makes this").click()
    cell = page.locator(".cell_input").first
    cell.hover()
    cell.locator("button.copybtn").click()
    expect(cell.locator("button.copybtn.success")).to_be_visible()
    assert "run = perceptron(X, y)" in page.evaluate("navigator.clipboard.readText()")
    context.close()


def test_theorem_figure_and_citation_are_numbered_and_referred_to(page, site):
    page.goto(f"{site}/lectures/02_pla.html")
    for reference, place in {
        "Algorithm 2.1": "#alg-perceptron",
        "Figure 2.1": "#fig-run",
        "(2.2)": "#equation-eq-update",
    }.items():
        assert page.get_by_role("link", name=reference, exact=True).first.get_attribute("href") == place
    expect(page.locator("#lem-update .admonition-title")).to_have_text(re.compile(r"^Lemma 2\.2 "))
    expect(page.locator("figure#fig-run figcaption")).to_contain_text("Figure 2.1")
    page.get_by_role("link", name="1958").first.click()
    expect(page.locator(":target")).to_contain_text("Psychological Review")


def test_dark_mode_is_remembered(page, site):
    page.emulate_media(color_scheme="light")
    page.goto(f"{site}/book/welcome.html")
    switch = page.get_by_role("button", name="Color mode")
    while page.evaluate("document.documentElement.dataset.mode") != "dark":
        switch.click()
    page.goto(f"{site}/lectures/02_pla.html")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_site_works_opened_as_a_file(page):
    page.goto((SITE / "lectures" / "02_pla.html").as_uri())
    stepper = page.locator(".pla").first
    step(stepper)
    expect(stepper.locator(".pla-words")).to_contain_text("Visit 1:")
