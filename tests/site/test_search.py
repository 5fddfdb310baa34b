"""The search, in the dialog and on its page: what comes first, how it is used without a mouse, what it costs."""

import gzip
import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import SITE
from tests.site_checks import AXE_SCRIPT

# What students type, and the chapter that must come first.
QUERIES = {
    "margin": "05",
    "soft margin C": "06",
    "perceptron convergence proof": "04",
    "why does it stop": "04",
    "Why does it stop?": "04",
    "support vector machine": "0[56]",
    "kernel trick": "07",
    "learning rate": "02",
    "XOR": "07|10",
    "bias": "0[15]",
    "hinge loss": "03",
    "separable": "01|10",
    "novikoff": "04",
    "perceptron": "02",
    "regularization": "06",
    "neural network": "10",
    # one letter wrong, missing, swapped
    "convergance": "04",
    "perceptrn": "02",
    "amrgin": "05",
    # not yet typed to the end
    "marg": "05",
    "soft m": "06",
    "convergen": "04",
    "hinge lo": "03",
}


@pytest.fixture
def dialog(page: Page, site: str) -> Locator:
    """The dialog of the search, opened on some page."""
    page.goto(f"{site}/book/how-to-use.html")
    page.keyboard.press("ControlOrMeta+k")
    return page.locator("dialog[open]")


def ask(dialog: Locator, query: str) -> Locator:
    """Type a query; gives the options that are offered."""
    dialog.get_by_role("combobox").fill(query)
    return dialog.get_by_role("option")


def address(link: Locator) -> str:
    return link.first.evaluate("link => link.href")


def test_what_students_type_finds_its_chapter_first(dialog):
    found = {}
    for query, chapter in QUERIES.items():
        expect(ask(dialog, query).first).to_be_visible()
        if not re.search(rf"/lectures/({chapter})_", first := address(ask(dialog, query))):
            found[query] = first
    assert found == {}


def test_word_without_a_heading_is_explained(dialog):
    assert address(ask(dialog, "epoch")).endswith("glossary.html#term-epoch")


@pytest.mark.parametrize("query", ["margin", "support vector machine", "kernel trick"])
def test_names_of_the_library_come_after_the_book(dialog, query):
    expect(ask(dialog, query)).to_have_count(8)
    assert "reference.html" not in "".join(ask(dialog, query).evaluate_all("all => all.slice(0, 5).map((a) => a.href)"))


@pytest.mark.parametrize(
    "query", ["max_margin", "max_marg", "max_margin(X, y)", "pla_lib.max_margin", "Hyperplane.margin", "plot_run"]
)
def test_name_of_the_library_typed_as_such_comes_first(dialog, query):
    place = {"Hyperplane.margin": "pla_lib.Hyperplane.margin", "plot_run": "pla_lib.plots.plot_run"}
    assert address(ask(dialog, query)).endswith(f"book/reference.html#{place.get(query, 'pla_lib.max_margin')}")


def test_search_page_has_the_same_order(dialog, site):
    options = ask(dialog, "soft margin C")
    expect(options).to_have_count(8)
    best = options.evaluate_all("all => all.map((a) => a.href)")
    dialog.get_by_role("combobox").press("Enter")
    page = dialog.page
    expect(page).to_have_url(f"{site}/search.html?q=soft+margin+C")
    results = page.locator("#search-results a")
    expect(results).to_have_count(50)
    assert results.evaluate_all("all => all.map((a) => a.href)")[:8] == best
    expect(page.locator("article").get_by_role("status")).to_have_text(re.compile(r"^The best 50 of \d+ results$"))
    field = page.locator("article").get_by_role("searchbox")
    expect(field).to_have_value("soft margin C")
    field.fill("novikoff")
    expect(results.first).to_contain_text("Theorem 4.2 (Novikoff)")
    results.first.click()
    expect(page).to_have_url(re.compile(r"/lectures/04_convergence\.html#thm-novikoff$"))


def test_arrows_choose_and_enter_opens(dialog):
    field, options = dialog.get_by_role("combobox"), ask(dialog, "margin")
    expect(options).to_have_count(8)
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(dialog.locator("[aria-selected=true]")).to_have_count(0)
    for key, chosen in [("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", 7), ("ArrowDown", 0)]:
        field.press(key)
        expect(options.nth(chosen)).to_have_attribute("aria-selected", "true")
        expect(options.nth(chosen)).to_be_in_viewport(ratio=0.9)
        expect(dialog.locator("[aria-selected=true]")).to_have_count(1)
        assert field.get_attribute("aria-activedescendant") == options.nth(chosen).get_attribute("id")
        expect(field).to_be_focused()
    field.press("Enter")
    expect(dialog.page).to_have_url(re.compile(r"/lectures/05_margins\.html$"))


def test_escape_closes_and_the_next_word_replaces_the_last(dialog):
    page = dialog.page
    expect(ask(dialog, "margin").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#pst-search-dialog")).not_to_be_visible()
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("perceptron")
    expect(dialog.get_by_role("combobox")).to_have_value("perceptron")


def test_result_on_the_same_page_closes_the_dialog(page, site):
    page.goto(f"{site}/lectures/05_margins.html")
    page.keyboard.press("ControlOrMeta+k")
    ask(page.locator("dialog[open]"), "the dual").first.click()
    expect(page.locator("#pst-search-dialog")).not_to_be_visible()
    expect(page).to_have_url(re.compile(r"05_margins\.html#the-dual$"))
    expect(page.locator("#the-dual > h3")).to_be_in_viewport()


def test_number_of_results_is_said(dialog):
    said = dialog.get_by_role("status")
    for query, words in {
        "margin": r"^The best 8 of \d+ results$",
        "overfitting": r"^\d result(s?)$",
        "zzzz": r"^Nothing found\.",
        " ": r"^$",
    }.items():
        dialog.get_by_role("combobox").fill(query)
        expect(said).to_have_text(re.compile(words))
    expect(dialog.get_by_role("combobox")).to_have_attribute("aria-expanded", "false")
    expect(dialog.get_by_role("listbox")).not_to_be_visible()


def test_tap_opens_a_result(browser, site):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{site}/lectures/02_pla.html")
    page.get_by_role("button", name="Search").last.tap()
    options = ask(page.locator("dialog[open]"), "margin")
    expect(options.first).to_be_visible()
    assert min(options.evaluate_all("all => all.map((a) => a.clientHeight)")) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    options.first.tap()
    expect(page).to_have_url(re.compile(r"/lectures/05_margins\.html$"))
    context.close()


def test_all_results_are_one_tap_away(browser, site):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{site}/lectures/02_pla.html")
    page.get_by_role("button", name="Search").last.tap()
    expect(ask(page.locator("dialog[open]"), "margin").first).to_be_visible()
    page.get_by_role("button", name="All results").tap()
    expect(page).to_have_url(re.compile(r"/search\.html\?q=margin$"))
    context.close()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_dialog_with_results_is_readable_by_everyone(page, site, colours):
    page.emulate_media(color_scheme=colours, reduced_motion="reduce")
    page.goto(f"{site}/book/how-to-use.html")
    page.keyboard.press("ControlOrMeta+k")
    dialog = page.locator("dialog[open]")
    expect(ask(dialog, "margin")).to_have_count(8)
    dialog.get_by_role("combobox").press("ArrowDown")
    page.evaluate(AXE_SCRIPT)
    violations = page.evaluate("async () => (await axe.run('#pst-search-dialog')).violations")
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in violations] == []


def test_magnifier_covers_no_letter(page, site):
    for path, field in {
        "/search.html?q=margin": "article input[type=search]",
        "/book/welcome.html": "dialog input",
    }.items():
        page.goto(f"{site}/{path}")
        if "dialog" in field:
            page.keyboard.press("ControlOrMeta+k")
        glass = page.locator(field).locator("xpath=preceding-sibling::i").bounding_box()
        assert glass["width"] > 10
        assert glass["x"] + glass["width"] < page.locator(field).bounding_box()["x"]


def index() -> dict:
    text = (SITE / "searchindex.js").read_text(encoding="utf-8")
    return json.loads(text[text.index("{") : text.rindex("}") + 1])


def test_formulas_are_told_once_and_in_letters(dialog):
    texts = [f"{heading} {text}" for *_, heading, text in index()["entries"]]
    assert not [text for text in texts if re.search(r"\\[a-z]|\$", text)]
    (bound,) = [text for text in texts if text.startswith("Theorem 4.2")]
    assert bound.count("‖xᵢ‖ ≤ τ") == 1
    option = ask(dialog, "distance of the nearest point longest example").first
    expect(option).to_be_visible()
    assert "\\" not in option.inner_text()


def test_every_result_leads_to_a_place_that_is_there():
    ids = {}
    for page, _, anchor, heading, _ in index()["entries"]:
        name = index()["pages"][page][0]
        if name not in ids:
            ids[name] = set(re.findall(r'\bid="([^"]+)"', (SITE / name).read_text(encoding="utf-8")))
        assert not anchor or anchor in ids[name], (name, anchor, heading)


def test_search_is_loaded_when_it_is_first_used(page, site):
    asked = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(site)))
    page.goto(f"{site}/lectures/02_pla.html")
    page.wait_for_load_state("networkidle")
    assert not [path for path in asked if "search" in path]
    page.keyboard.press("ControlOrMeta+k")
    expect(ask(page.locator("dialog[open]"), "margin").first).to_be_visible()
    assert [path for path in asked if "search" in path] == ["/searchindex.js", "/_static/search.js"]


def test_search_is_small():
    assert (SITE / "_static" / "search.js").stat().st_size < 10_000
    assert len(gzip.compress((SITE / "searchindex.js").read_bytes())) < 150_000


def test_search_works_opened_as_a_file(page):
    page.goto((SITE / "lectures" / "02_pla.html").as_uri())
    page.keyboard.press("ControlOrMeta+k")
    field = page.locator("dialog[open]").get_by_role("combobox")
    expect(ask(page.locator("dialog[open]"), "margin").first).to_be_visible()
    field.press("Enter")
    page.locator("#search-results a").first.click()
    expect(page).to_have_url(re.compile(r"/lectures/05_margins\.html$"))
