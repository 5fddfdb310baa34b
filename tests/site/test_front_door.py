"""The first page, as a reader meets it: a playground that works, a card to every chapter, ways through the book."""

import re

import pytest
import yaml
from playwright.sync_api import Page, expect

from tests import ROOT, SITE
from tests.widgets.gestures import choose_points, step

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
LECTURES = [
    entry["file"] for part in TOC["parts"] for entry in part["chapters"] if entry["file"].startswith("lectures")
]


@pytest.fixture
def door(page: Page, site: str) -> Page:
    page.goto(f"{site}/book/welcome.html")
    return page


def test_playground_comes_first_and_says_why_no_line_separates_xor(door):
    widget = door.locator(".pla").first
    expect(widget.locator("[data-preset='separable']")).to_have_attribute("aria-pressed", "true")
    step(widget)
    expect(widget.locator(".pla-words")).to_contain_text("Visit 1:")
    choose_points(widget, "XOR")
    expect(widget.locator(".pla-words")).to_contain_text("No line separates these points: ")
    expect(widget.locator(".pla-words")).to_contain_text("crosses")
    assert door.evaluate("""() => {
        const [widget, cards] = [".pla", ".sd-card"].map((name) => document.querySelector(name));
        return Boolean(widget.compareDocumentPosition(cards) & Node.DOCUMENT_POSITION_FOLLOWING);
    }""")


def test_every_chapter_has_a_card_with_its_title_and_a_picture(door):
    cards = door.locator(".sd-card")
    expect(cards).to_have_count(len(LECTURES))
    texts = set()
    for number, (card, lecture) in enumerate(zip(cards.all(), LECTURES, strict=True), 1):
        assert card.locator("a").first.get_attribute("href").endswith(f"{lecture}.html")
        heading = re.search(r"<h1>(.*?)<a ", (SITE / f"{lecture}.html").read_text(encoding="utf-8"), re.DOTALL)[1]
        title = re.sub(r"<[^>]*>", "", heading).split(". ")[-1].strip()
        name = card.locator(".sd-card-title").inner_text()
        assert name.startswith(f"{number}. ")
        assert title.startswith(name.removeprefix(f"{number}. "))
        picture = card.locator("img")
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth / image.naturalHeight") == pytest.approx(5 / 3, rel=0.02)
        texts.add(picture.get_attribute("alt"))
    assert len(texts) == len(LECTURES)


def test_card_opens_its_chapter(door):
    door.locator(".sd-card", has_text="Soft margins").click()
    expect(door).to_have_url(re.compile(r"/lectures/06_soft_margin\.html$"))


def test_card_shows_that_its_link_has_focus(door):
    card = door.locator(".sd-card").nth(2)
    outline = "card => getComputedStyle(card).outlineStyle + getComputedStyle(card).outlineWidth"
    assert card.evaluate(outline).startswith("none")
    card.locator("a").first.evaluate("link => link.focus({ focusVisible: true })")
    assert card.evaluate(outline) == "solid3px"
    door.keyboard.press("Tab")
    assert card.evaluate(outline).startswith("none")
    assert door.locator(".sd-card").nth(3).evaluate(outline) == "solid3px"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_pictures_on_cards_are_turned_round_in_the_dark(page, site, mode):
    page.emulate_media(color_scheme=mode)
    page.goto(f"{site}/book/welcome.html")
    look = page.locator(".sd-card img").first.evaluate("image => getComputedStyle(image).filter")
    assert ("invert" in look) == (mode == "dark")


@pytest.mark.parametrize("way", ["An hour", "A week", "A course"])
def test_ways_through_the_book_lead_to_places_that_are_there(door, way):
    opening = door.locator("#three-ways-through p", has_text=way)
    links = opening.locator("a").all() + opening.locator("xpath=following-sibling::*[1][self::ol]").locator("a").all()
    assert links
    for address in [link.evaluate("link => link.href") for link in links]:
        answer = door.request.get(address)
        assert answer.ok
        if "#" in address:
            assert f'id="{address.split("#")[1]}"' in answer.text()
