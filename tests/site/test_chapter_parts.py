"""The parts that chapters are made of, as a reader meets them on the page."""

import re

import pytest
import yaml
from playwright.sync_api import Page, expect

from tests import ROOT
from tests.site_checks import PHONE

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
CHAPTERS = next([one["file"] for one in part["chapters"]] for part in TOC["parts"] if part.get("numbered"))
SCREENS = {"laptop": {"width": 1280, "height": 720}, "phone": PHONE}
HIGHEST = {"laptop": 270, "phone": 300}  # pixels above the widget, so that it has the rest of the first screen

# Where the head begins and ends, and the widget begins, in pixels from the top of the page.
HEAD = """() => {
    const edges = (selector) => document.querySelector(selector).getBoundingClientRect();
    return [edges(".bd-article h1").top, edges(".chapter-question").bottom, edges(".pla-widget").top];
}"""


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", [TOC["root"], *CHAPTERS])
def test_head_leaves_the_first_screen_to_the_widget(page: Page, site, name, screen):
    page.set_viewport_size(SCREENS[screen])
    page.goto(f"{site}/{name}.html")
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
