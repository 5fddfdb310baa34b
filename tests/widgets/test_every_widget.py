"""What holds for every widget: no faults, a picture without scripts, its place kept free, small scripts."""

import gzip
import json
import re

import pytest
from playwright.sync_api import expect

from tests import ROOT, SITE
from tests.site_checks import LAPTOP, PHONE, RULES_OF_A_SECOND_LOOK, faults_in_browser
from tests.widgets import GALLERY
from tests.widgets.gestures import step

PAGES = sorted(path.stem for path in GALLERY.glob("*.md"))


@pytest.mark.parametrize(
    ("size", "colours", "rules"),
    [(LAPTOP, "light", None), (PHONE, "dark", RULES_OF_A_SECOND_LOOK)],
    ids=["laptop, light", "phone, dark"],
)
@pytest.mark.parametrize("name", PAGES)
def test_page_has_no_faults(browser, gallery, name, size, colours, rules):
    address = f"{gallery}/lectures/{name}.html"
    assert faults_in_browser(browser, address, colours=colours, size=size, rules=rules) == []


@pytest.mark.parametrize("name", PAGES)
def test_without_scripts_there_is_a_picture_with_a_sentence(browser, gallery, name):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{gallery}/lectures/{name}.html")
    for place in page.locator(".pla-widget").all():
        picture = place.locator("img")
        assert picture.bounding_box()["width"] > 200
        sentence = picture.get_attribute("alt")
        assert len(sentence.split()) >= 8
        assert place.get_by_text(sentence).is_visible()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_text_below_does_not_jump_when_the_widget_starts(browser, gallery, name):
    for width in (1280, 700, 390):
        tops = []
        for host in (True, False):
            context = browser.new_context(viewport={"width": width, "height": 900})
            page = context.new_page()
            if not host:  # before the host starts the widgets, and where it never comes
                page.route("**/widget-host.js*", lambda route: route.abort())
            page.goto(f"{gallery}/lectures/{name}.html")
            if host:
                for place in page.locator(".pla-widget").all():
                    place.scroll_into_view_if_needed()
                    place.locator(".pla").wait_for()
                page.evaluate("scrollTo(0, 0)")
            tops.append(page.get_by_text("The text after it.").bounding_box()["y"])
            context.close()
        room = 32 if name == "quiz" else 2  # the quiz estimates its height from its texts
        assert tops[0] == pytest.approx(tops[1], abs=room), f"at {width} px"


def scripts_of(html: str) -> set[str]:
    """The scripts of all widgets of a page: found in its text, as a page of formulas takes long to parse."""
    opening = '<script type="application/vnd.jupyter.widget-state+json">'
    assert html.count("jupyter.widget-state+json") == html.count(opening) <= 1
    if opening not in html:
        return set()
    states = json.loads(html.split(opening)[1].split("</script>")[0])["state"].values()
    return {state["state"]["_esm"] for state in states if "_esm" in state["state"]}


def weight(scripts: set[str]) -> int:
    host = (ROOT / "book" / "assets" / "widget-host.js").read_text()
    return len(gzip.compress("\n".join([host, *sorted(scripts)]).encode()))


def test_scripts_of_a_page_weigh_at_most_60_kilobytes(page, gallery):
    everything = set()
    for name in PAGES:
        scripts = scripts_of(page.request.get(f"{gallery}/lectures/{name}.html").text())
        assert scripts, name
        everything |= scripts
        assert weight(scripts) <= 60_000, name
    for path in SITE.rglob("*.html"):
        assert weight(scripts_of(path.read_text())) <= 60_000, path
    print(f"all widgets together: {weight(everything) / 1000:.1f} KB")


def test_widgets_of_a_page_do_not_disturb_each_other(page, gallery):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{gallery}/lectures/together.html")
    for place in page.locator(".pla-widget").all():
        place.scroll_into_view_if_needed()
        place.locator(".pla").wait_for()
    first, playground, second = page.locator(".pla").all()
    second.locator(".pla-scrubber input").press("End")
    step(first)
    page.keyboard.press("ArrowRight")
    step(playground, "More")
    playground.locator("[data-preset=XOR]").click()
    page.keyboard.press("Escape")
    step(playground)
    visited = [widget.locator(".pla-scrubber input").input_value() for widget in (first, playground, second)]
    assert visited == ["2", "1", "60"]
    expect(first.locator(".pla-words")).to_contain_text("Visit 2")
    expect(playground.locator(".pla-words")).to_contain_text("Visit 1: point 0")


def test_every_widget_is_exported_and_has_a_page():
    import pla_lib
    from pla_lib import widgets

    shown = " ".join((GALLERY / f"{name}.md").read_text() for name in PAGES)
    for name in widgets.__all__:
        assert getattr(pla_lib, name) is getattr(widgets, name)
        assert re.search(rf"\b{name}\(", shown), f"{name} has no page in tests/widgets/gallery"
