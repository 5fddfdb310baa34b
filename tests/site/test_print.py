"""A chapter on paper: pictures instead of widgets, code that wraps, nothing to press, solutions at the end."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.site_checks import LAPTOP

# What the widget host leaves: the stand-in, hidden, beside the running widget.
STARTED = """(place) => {
    place.querySelector(".pla-fallback").hidden = true;
    place.append(Object.assign(document.createElement("div"), { className: "pla", textContent: "running" }));
}"""


@pytest.fixture
def paper(page: Page, site: str) -> Page:
    """Chapter 02 as it goes to the printer, with a widget that has started and one that has not."""
    page.set_viewport_size(LAPTOP)
    page.route("**/widget-host.js*", lambda route: route.abort())
    page.goto(f"{site}/lectures/02_pla.html")
    page.locator(".pla-widget").nth(1).evaluate(STARTED)
    page.pdf()  # before it prints, the browser fetches the pictures that it had put off
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    return page


def test_widgets_are_pictures_with_their_sentence(paper):
    assert paper.locator(".pla-widget").count() > 2
    for place in paper.locator(".pla-widget").all():
        expect(place.locator(".pla-fallback img")).to_be_visible()
        expect(place.locator(".pla-fallback p")).to_be_visible()
    expect(paper.locator(".pla")).to_be_hidden()


def test_nothing_to_press_and_no_sidebars(paper):
    for place in paper.locator("button, nav, .headerlink, .bd-sidebar-primary, .bd-sidebar-secondary").all():
        assert not place.is_visible(), place.evaluate("one => one.outerHTML.slice(0, 200)")


def test_code_wraps_and_no_formula_is_cut(paper):
    paper.set_viewport_size({"width": 660, "height": 930})  # A4 without its margins
    cut = """() => [...document.querySelectorAll("article pre, article div.math")].filter((one) =>
        one.checkVisibility() &&
        (one.getBoundingClientRect().right > innerWidth || one.scrollWidth > one.clientWidth + 1)
    ).map((one) => one.textContent.slice(0, 80))"""
    assert paper.evaluate(cut) == []


def test_solutions_are_unfolded_at_the_end_and_go_back_afterwards(paper):
    ends = "[...document.querySelectorAll('article > section:last-child > details.solution')].map((one) => one.id)"
    everywhere = "[...document.querySelectorAll('details.solution')].map((one) => [one.id, one.open])"
    printed = paper.evaluate(everywhere)
    assert len(printed) > 3
    assert all(unfolded for _, unfolded in printed)
    assert paper.evaluate(ends) == [name for name, _ in printed]
    expect(paper.get_by_role("heading", name=re.compile("^Solutions$"))).to_be_visible()
    paper.evaluate("dispatchEvent(new Event('afterprint'))")
    assert paper.evaluate(ends) == []
    assert paper.evaluate(everywhere) == [[name, False] for name, _ in printed]
    assert paper.get_by_role("heading", name=re.compile("^Solutions$")).count() == 0


def test_paper_is_light(page, site):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{site}/lectures/02_pla.html")
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "dark"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(theme) == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(theme) == "dark"


def test_browser_prints_it(page, site):
    page.goto(f"{site}/lectures/02_pla.html")
    assert page.pdf(format="A4", prefer_css_page_size=True).startswith(b"%PDF")
    assert page.locator("article > section:last-child > details.solution").count() == 0


def test_pictures_that_were_never_near_the_screen_are_printed(page, site):
    asked = set()
    page.on("request", lambda request: asked.add(request.url.rpartition("/")[2]))
    page.goto(f"{site}/lectures/02_pla.html")
    page.wait_for_load_state("networkidle")
    pictures = set(page.locator("article img").evaluate_all("all => all.map(one => one.src.split('/').pop())"))
    assert not pictures <= asked
    page.pdf()
    assert pictures <= asked
