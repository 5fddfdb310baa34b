"""Sections far from the screen are not laid out, and nothing is lost by that."""

import pytest
from playwright.sync_api import expect

from tests.site_checks import LAPTOP, PHONE, SCROLL

SECTIONS = ".bd-article > section > section"
LONG = ["lectures/05_margins", "lectures/10_limits", "book/reference"]

# Notes what a script asks of elements; to answer, the browser would lay out the section.
NOTE_QUESTIONS = """() => {
    window.asked = [];
    const note = (prototype, name) => {
        const property = Object.getOwnPropertyDescriptor(prototype, name), kind = property.get ? "get" : "value";
        const answer = property[kind];
        property[kind] = function (...rest) {
            window.asked.push([this, name]);
            return answer.apply(this, rest);
        };
        Object.defineProperty(prototype, name, property);
    };
    for (const name of ["scrollWidth", "scrollHeight", "clientWidth", "clientHeight", "getBoundingClientRect"])
        note(Element.prototype, name);
    for (const name of ["offsetTop", "offsetWidth", "offsetHeight"]) note(HTMLElement.prototype, name);
}"""


@pytest.mark.parametrize("name", LONG)
def test_opening_a_page_asks_nothing_of_sections_far_from_the_screen(browser, site, name):
    page = browser.new_page(viewport=PHONE)
    page.add_init_script(f"({NOTE_QUESTIONS})()")
    page.goto(f"{site}/{name}.html")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)  # the theme's scripts wait for 300 milliseconds
    last = page.locator(SECTIONS).last
    drawn = "one => one.firstElementChild.checkVisibility({ contentVisibilityAuto: true })"
    assert last.evaluate("one => asked.filter(([element]) => one.contains(element)).map(([, name]) => name)") == []
    assert not last.evaluate(drawn)
    last.scroll_into_view_if_needed()
    page.wait_for_function(f"({drawn})([...document.querySelectorAll('{SECTIONS}')].at(-1))")
    page.close()


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("name", LONG)
def test_link_into_the_page_leads_to_its_place(browser, site, name, size):
    page = browser.new_page(viewport=size)
    page.goto(f"{site}/{name}.html")
    places = page.locator(f"{SECTIONS}, {SECTIONS} div.math[id], {SECTIONS} dt[id]")
    ids = places.evaluate_all("all => all.map((one) => one.id)")
    for place in (ids[len(ids) // 2], ids[-1]):
        page.goto("about:blank")
        page.goto(f"{site}/{name}.html#{place}")
        page.wait_for_load_state("networkidle")
        expect(page.locator(f"[id='{place}']")).to_be_in_viewport()
        top = page.locator(f"[id='{place}']").evaluate("one => one.getBoundingClientRect().top")
        at_the_end = page.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
        assert -5 <= top <= 200 or at_the_end
    page.close()


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("name", LONG)
def test_section_is_about_as_high_as_its_place_and_nothing_jumps(browser, site, name, size):
    page = browser.new_page(viewport=size)
    page.goto(f"{site}/{name}.html")
    page.wait_for_load_state("networkidle")
    before = page.evaluate("document.documentElement.scrollHeight")
    page.evaluate("""() => {
        window.shift = 0;
        new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries())
                if (sources.some(({ node }) => node?.parentElement?.closest(".bd-article"))) window.shift += value;
        }).observe({ type: "layout-shift", buffered: true });
    }""")
    page.evaluate(SCROLL)
    after = page.evaluate("document.documentElement.scrollHeight")
    assert after == pytest.approx(before, rel=0.25)
    assert page.evaluate("window.shift") < 0.1
    page.close()


@pytest.mark.parametrize("name", ["01_geometry", "02_pla", "10_limits"])
def test_widget_in_a_section_is_not_cut_off(page, site, name):
    page.goto(f"{site}/lectures/{name}.html")
    widgets = page.locator(f"{SECTIONS} .pla-widget:not(.pla-text)")
    assert widgets.count() > 0
    for widget in widgets.all():
        widget.scroll_into_view_if_needed()
        widget.locator(".pla").wait_for()
        assert widget.evaluate("""(widget) => {
            const { left, right, top, bottom } = widget.getBoundingClientRect();
            const height = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
            return [left + 4, right - 4].every((across) => widget.contains(document.elementFromPoint(across, height)));
        }""")


def test_everything_is_printed_and_found(page, site):
    page.goto(f"{site}/lectures/05_margins.html")
    page.evaluate("document.querySelector('.bd-sidebar-secondary').remove()")  # where the heading stands too
    assert page.evaluate("find('What was shown')")
    page.emulate_media(media="print")
    expect(page.locator(SECTIONS).last).to_have_css("content-visibility", "visible")
