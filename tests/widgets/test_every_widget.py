"""What holds for every widget: no faults, a picture without scripts, its place kept free, small scripts."""

import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests import ROOT, SITE
from tests.site_checks import LAPTOP, PHONE, RULES_OF_A_SECOND_LOOK, faults_in_browser
from tests.widgets import GALLERY
from tests.widgets.gestures import step

PAGES = sorted(path.stem for path in GALLERY.glob("*.md"))
WIDGETS = {path.stem.strip("_") for path in (ROOT / "pla_lib" / "widgets").glob("_[a-z]*.py")}


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
    """The files with the scripts and styles of all widgets of a page, found in its text."""
    opening = '<script type="application/vnd.jupyter.widget-state+json">'
    assert html.count("jupyter.widget-state+json") == html.count(opening) <= 1
    if opening not in html:
        return set()
    states = json.loads(html.split(opening)[1].split("</script>")[0])["state"].values()
    assert not any("_esm" in state["state"] for state in states)
    return {part for state in states for part in state["state"].get("_parts", [])}


def weight(names: set[str], folder: Path) -> int:
    """Bytes of these scripts with the host's, compressed, without the styles that come with them."""
    texts = [(folder / "widget-host.js").read_text()]
    for name in sorted(names):
        text = (folder / "widgets" / name.split("?")[0]).read_text()
        texts.append(json.loads(text.partition(" = ")[2].rstrip(";\n"))["_esm"])
    return len(gzip.compress("\n".join(texts).encode()))


def test_scripts_of_a_page_weigh_at_most_60_kilobytes():
    everything = set()
    for path in SITE.rglob("*.html"):
        scripts = scripts_of(path.read_text())
        everything |= scripts
        assert weight(scripts, SITE / "_static") <= 60_000, path
    assert {name.partition(".")[0] for name in everything} == WIDGETS | {"shared"}
    print(f"all widgets together: {weight(everything, SITE / '_static') / 1000:.1f} KB")


def test_script_of_a_widget_comes_when_the_widget_nears_the_screen(page, site):
    asked = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2].partition("?")[0]))
    page.goto(f"{site}/lectures/02_pla.html")
    page.locator(".pla").first.wait_for()
    assert "stepper.js" in asked
    assert not {"playground.js", "quiz.js"} & set(asked)
    places = page.locator(".pla-widget")
    for place in places.all():
        place.scroll_into_view_if_needed()
        place.locator("[data-widget]").wait_for()
    assert sorted(name for name in asked if name in ("stepper.js", "playground.js", "quiz.js")) == [
        "playground.js",
        "quiz.js",
        "stepper.js",  # once for the two of them
    ]


def test_where_the_script_of_a_widget_is_missing_the_picture_stays(page, site):
    page.route("**/widgets/*.js*", lambda route: route.abort())
    page.goto(f"{site}/lectures/02_pla.html")
    page.wait_for_load_state("networkidle")
    expect(page.locator(".pla-head .pla-fallback")).to_be_visible()


def test_widgets_run_where_the_page_is_opened_as_a_file(page):
    page.goto((SITE / "lectures" / "02_pla.html").as_uri())
    page.locator(".pla .pla-next").first.click()
    expect(page.locator(".pla .pla-words").first).to_contain_text("point")


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
