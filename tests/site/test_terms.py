"""The note with a glossary word's meaning: by mouse, keyboard and touch."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.site_checks import AXE_SCRIPT, PHONE


@pytest.fixture
def note(page: Page, site: str) -> Locator:
    page.goto(f"{site}/lectures/04_convergence.html")
    return page.locator(".term-note")


def term(page: Page) -> Locator:
    return page.locator("a.term").nth(3)


def rest_of_text(page: Page) -> Locator:
    return page.locator("h1")


def test_mouse_shows_the_meaning_once_and_may_move_onto_it(note):
    page = note.page
    meaning = term(page).get_attribute("title")
    term(page).hover()
    expect(note).to_be_visible()
    expect(note).to_contain_text(meaning)
    expect(term(page)).not_to_have_attribute("title", re.compile(""))
    expect(note.get_by_role("link")).to_have_count(0)
    note.hover()
    page.wait_for_timeout(400)
    expect(note).to_be_visible()
    page.mouse.move(2, 2)
    expect(note).to_have_count(0)
    expect(term(page)).to_have_attribute("title", meaning)


def test_click_opens_the_glossary(note):
    page = note.page
    place = term(page).get_attribute("href").split("#")[1]
    term(page).click()
    expect(page).to_have_url(re.compile(rf"/book/glossary\.html#{place}$"))


def test_focus_shows_and_describes_and_escape_closes(note):
    page = note.page
    meaning = term(page).get_attribute("title")
    term(page).evaluate("term => term.focus({ focusVisible: true })")
    expect(note).to_be_visible()
    expect(term(page)).to_have_accessible_description(meaning)
    page.keyboard.press("Escape")
    expect(note).to_have_count(0)
    expect(term(page)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(note).to_be_visible()
    page.keyboard.press("Tab")
    expect(note.filter(has_text=meaning)).to_have_count(0)


@pytest.fixture
def phone(browser, site):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{site}/lectures/04_convergence.html")
    yield page
    context.close()


def test_tap_shows_another_tap_elsewhere_closes(phone):
    before, meaning = phone.url, term(phone).get_attribute("title")
    term(phone).tap()
    note = phone.locator(".term-note")
    expect(note).to_be_visible()
    expect(note).to_contain_text(meaning)
    assert phone.url == before
    box = note.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert note.evaluate("note => getComputedStyle(note).transitionDuration") == "0s"
    phone.touchscreen.tap(5, 5)
    expect(note).to_have_count(0)


def test_second_tap_opens_the_glossary(phone):
    term(phone).tap()
    expect(phone.locator(".term-note")).to_be_visible()
    term(phone).tap()
    expect(phone).to_have_url(re.compile(r"/book/glossary\.html#"))


def test_note_that_was_tapped_for_leads_to_the_glossary(phone):
    term(phone).tap()
    phone.get_by_role("link", name="Open the glossary").tap()
    expect(phone).to_have_url(re.compile(r"/book/glossary\.html#"))


def test_each_word_has_its_own_note(phone):
    for number in (3, 4, 3):
        word = phone.locator("a.term").nth(number)
        meaning = word.get_attribute("title")
        word.tap()
        expect(phone.locator(".term-note")).to_have_count(1)
        expect(phone.locator(".term-note")).to_contain_text(meaning)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_note_is_readable_by_everyone(phone, colours):
    phone.emulate_media(color_scheme=colours)
    phone.reload()
    term(phone).tap()
    expect(phone.locator(".term-note")).to_be_visible()
    phone.evaluate(AXE_SCRIPT)
    violations = phone.evaluate("async () => (await axe.run('p:has(.term-note)')).violations")
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in violations] == []
