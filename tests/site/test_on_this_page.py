"""The mark in the list "On this page": it is on the section being read, whichever way one scrolls."""

import pytest
from playwright.sync_api import Page, expect

PAGE = "lectures/05_margins.html"


@pytest.fixture
def chapter(page: Page, site: str) -> Page:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{site}/{PAGE}")
    page.wait_for_load_state("networkidle")
    return page


def sections(page: Page) -> list[str]:
    links = page.locator("#on-this-page a[href^='#']")
    return links.evaluate_all("all => all.map((link) => link.hash.slice(1))")


def read(page: Page, section: str, where: float = 0.1) -> None:
    """Scroll so that the heading of a section is at this part of the screen's height."""
    script = """([id, where]) => {
        const heading = document.getElementById(id).querySelector("h2, h3");
        scrollTo(0, scrollY + heading.getBoundingClientRect().top - where * innerHeight);
    }"""
    page.evaluate(script, [section, where])


def expect_mark(page: Page, section: str) -> None:
    marked = page.locator("#on-this-page [aria-current]")
    expect(marked).to_have_attribute("href", f"#{section}")
    expect(marked).to_have_count(1)
    expect(page.locator("#on-this-page a.active")).to_have_attribute("href", f"#{section}")
    expect(marked).to_be_visible()


def test_mark_follows_down_and_up(chapter):
    names = sections(chapter)[:12]
    for name in names + names[::-1]:
        read(chapter, name)
        expect_mark(chapter, name)


def test_mark_goes_back_as_soon_as_the_heading_is_below(chapter):
    above, below = sections(chapter)[:2]
    read(chapter, below)
    expect_mark(chapter, below)
    read(chapter, below, 0.6)  # one reads the end of the section before it, whose heading is long out of sight
    expect_mark(chapter, above)


def test_nothing_is_marked_before_the_first_section_and_the_last_at_the_end(chapter):
    expect(chapter.locator("#on-this-page [aria-current]")).to_have_count(0)
    chapter.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect_mark(chapter, sections(chapter)[-1])
    chapter.evaluate("scrollTo(0, 0)")
    expect(chapter.locator("#on-this-page [aria-current]")).to_have_count(0)


def test_link_marks_its_own_section_even_at_the_end(chapter):
    for name in [*sections(chapter)[-2:], sections(chapter)[0]]:
        chapter.evaluate("name => { location.hash = name }", name)
        expect_mark(chapter, name)


def test_names_of_the_library_are_marked_too(page, site):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{site}/book/reference.html#pla_lib.max_margin")
    expect(page.locator("#on-this-page [aria-current]")).to_have_attribute("href", "#pla_lib.max_margin")
