"""The parts that chapters are made of, as a reader meets them on the page."""

import re

import nbformat
import pytest
import yaml
from playwright.sync_api import Page, expect

from tests import ROOT
from tests.site_checks import PHONE
from tests.widgets.gestures import step

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
CHAPTERS = next([one["file"] for one in part["chapters"]] for part in TOC["parts"] if part.get("numbered"))
SCREENS = {"laptop": {"width": 1280, "height": 720}, "desktop": {"width": 1440, "height": 900}, "phone": PHONE}
HIGHEST = {
    "laptop": 270,
    "desktop": 270,
    "phone": 300,
}  # pixels above the widget, so that it has the rest of the first screen

# Where the head begins and ends, and the widget begins, in pixels from the top of the page.
HEAD = """() => {
    const edges = (selector) => document.querySelector(selector).getBoundingClientRect();
    return [edges(".bd-article h1").top, edges(".chapter-question").bottom, edges(".pla-widget").top];
}"""


# How much of the page moved while it loaded.
SHIFTS = """() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((one) => (sum += one.value)))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 300);
})"""


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", [TOC["root"], *CHAPTERS])
def test_head_and_widget_with_its_next_button_fill_the_first_screen(page: Page, site, name, screen):
    page.set_viewport_size(SCREENS[screen])
    page.goto(f"{site}/{name}.html")
    page.locator(".pla-head .pla-picture > svg").first.wait_for()
    height = SCREENS[screen]["height"]
    for part in (".pla-chip", ".pla-words", ".pla-main .pla-picture", ".pla-next"):
        box = page.locator(f".pla-head {part}").first.bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] <= height - 16, part
    assert page.evaluate(SHIFTS) < 0.02
    top, bottom, widget = page.evaluate(HEAD)
    assert bottom - top <= 220
    assert bottom <= widget <= HIGHEST[screen]
    expect(page.locator(".pla-widget").first).to_have_class(re.compile(r"\bpla-head\b"))
    expect(page.locator(".pla-head")).to_have_count(1)


@pytest.mark.parametrize("name", CHAPTERS)
def test_head_says_which_chapter_it_is_and_what_it_takes(page: Page, site, name):
    page.goto(f"{site}/{name}.html")
    number = CHAPTERS.index(name) + 1
    facts = rf"Chapter {number} of {len(CHAPTERS)}\. Time: about \d+ minutes\. Prerequisites: .*\."
    expect(page.locator("h1 + .chapter-facts")).to_have_text(re.compile(facts))
    expect(page.locator(".chapter-facts + .chapter-question")).to_contain_text("?")
    for link in page.locator(".chapter-facts a").all():
        assert int(re.search(r"\d+$", link.inner_text())[0]) < number
    description = page.locator("meta[name=description]").get_attribute("content")
    assert description[:40] in page.locator(".chapter-question").inner_text()


def test_code_that_makes_the_widget_is_folded_below_it(page: Page, site):
    page.goto(f"{site}/lectures/02_pla.html")
    code = page.locator(".pla-head ~ *, .cell_output:has(.pla-head) ~ *").locator("pre")
    expect(code).to_contain_text("stepper(run)")
    expect(code).not_to_be_visible()
    page.get_by_text("The code that makes this").click()
    expect(code).to_be_visible()
    assert page.locator(".pla-head").bounding_box()["y"] < code.bounding_box()["y"]


@pytest.fixture
def pla(page: Page, site) -> Page:
    page.goto(f"{site}/lectures/02_pla.html")
    return page


def test_claims_are_one_line_that_unfolds(pla):
    cells = nbformat.read(ROOT / "lectures" / "02_pla.ipynb", 4).cells
    claims = [cell.source for cell in cells if "claims" in cell.metadata.get("tags", [])]
    lines = pla.locator("details.claims")
    expect(lines).to_have_count(len(claims))
    for line, source in zip(lines.all(), claims, strict=True):
        count = len(re.findall(r"^assert ", source, re.MULTILINE))
        expect(line.locator("summary")).to_have_text(
            re.compile(rf"^✓ {count} claims? of this section (is|are) checked")
        )
        expect(line.locator("pre")).not_to_be_visible()
    lines.first.locator("summary").press("Enter")
    expect(lines.first.locator("pre")).to_be_visible()


def test_jump_link_sets_the_widget_and_back_returns_to_the_sentence(pla):
    jump = pla.get_by_role("link", name="jump to visit 9")
    jump.scroll_into_view_if_needed()
    jump.press("Enter")
    stepper = pla.locator(".pla-widget").first
    words, why = stepper.locator(".pla-words"), stepper.locator(".pla-why")
    expect(words).to_contain_text("Visit 9: point 8 (class +1)")
    expect(why).to_contain_text("Update 5 adds point 8")
    expect(stepper).to_be_in_viewport()
    expect(jump).not_to_be_in_viewport()
    step(stepper)
    expect(words).to_contain_text("Visit 10:")
    pla.go_back()
    expect(jump).to_be_in_viewport()
    pla.get_by_role("link", name="jump to visit 24").click()
    expect(words).to_contain_text("Visit 24:")
    expect(why).to_contain_text("Update 11")


def test_jump_starts_a_widget_that_is_far_from_the_screen(page: Page, site):
    def to_the_circle(route):
        old, new = "{&quot;step&quot;: 24}", "{&quot;step&quot;: 2}"
        text = route.fetch().text()
        assert f'data-widget="1" data-values="{old}"' in text
        text = text.replace(f'data-widget="1" data-values="{old}"', f'data-widget="2" data-values="{new}"')
        route.fulfill(body=text, content_type="text/html")

    page.route("**/02_pla.html", to_the_circle)
    page.goto(f"{site}/lectures/02_pla.html")
    circle = page.locator(".pla-widget").nth(1)
    jump = page.get_by_role("link", name="jump to visit 24")
    jump.scroll_into_view_if_needed()
    expect(circle.locator(".pla")).to_have_count(0)
    jump.click()
    expect(circle).to_contain_text("Visit 2:")
    expect(circle).to_be_in_viewport()


def test_without_scripts_a_jump_is_words_and_nothing_is_missing(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/lectures/02_pla.html")
    expect(page.get_by_text("jump to visit 9")).to_be_visible()
    expect(page.get_by_role("link", name="jump to visit 9")).to_have_count(0)
    expect(page.locator(".source-notes table")).to_be_visible()
    page.locator("details.claims summary").first.click()
    expect(page.locator("details.claims pre").first).to_be_visible()
    context.close()


def test_every_exercise_says_how_hard_it_is(pla):
    exercises = pla.locator(".admonition.exercise > .admonition-title")
    expect(exercises.get_by_role("img", name=re.compile(r"^difficulty [123] of 3$"))).to_have_count(exercises.count())
    expect(pla.locator(".admonition.solution > .admonition-title", has_text="●")).to_have_count(0)


def test_starred_section_is_named_in_the_text_and_in_the_contents(pla):
    name = re.compile("starred section One algorithm, five sources")
    heading = pla.get_by_role("heading", name=name)
    expect(heading).to_be_visible()
    expect(heading.locator("xpath=following-sibling::*[1]")).to_have_text("May be skipped at first reading")
    entry = pla.locator(".bd-sidebar-secondary").get_by_role("link", name=name)
    assert entry.get_attribute("href") == "#one-algorithm-five-sources"


@pytest.mark.parametrize("screen", SCREENS)
def test_summary_card_fits_one_screen_and_half_a_printed_page(page: Page, site, screen):
    page.set_viewport_size(SCREENS[screen])
    page.goto(f"{site}/lectures/02_pla.html")
    card = page.locator(".summary-card")
    card.scroll_into_view_if_needed()
    expect(card.locator("img")).to_have_js_property("complete", True)
    assert card.bounding_box()["height"] <= SCREENS[screen]["height"]
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1047})  # A4 at 96 pixels per inch, with margins of 1 cm
    assert card.bounding_box()["height"] <= 1047 / 2


def test_source_notes_are_folded_and_printed(pla):
    table = pla.locator(".source-notes table")
    expect(table).not_to_be_visible()
    pla.locator(".source-notes button").click()
    expect(table).to_be_visible()
    pla.locator(".source-notes button").click()
    expect(table).not_to_be_visible()
    pla.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(table).to_be_visible()
