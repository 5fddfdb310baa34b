"""Solutions and proofs: one quiet line that unfolds, and a mark at the end."""

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect

from tests import SITE
from tests.site_checks import PHONE


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_solutions_are_folded_until_asked_for(browser, site, scripts):
    context = browser.new_context(java_script_enabled=scripts)
    page = context.new_page()
    page.goto(f"{site}/lectures/02_pla.html")
    solution = page.locator("details.solution").first
    content = solution.locator("> :not(summary)").first
    expect(content).not_to_be_visible()
    solution.get_by_text("Solution to Exercise 2.1").press("Enter")
    expect(content).to_be_visible()
    solution.get_by_text("Solution to Exercise 2.1").click()
    expect(content).not_to_be_visible()
    context.close()


def test_solution_is_one_line_close_below_its_exercise(page, site):
    page.goto(f"{site}/lectures/02_pla.html")
    exercise, solution = (page.locator(place).bounding_box() for place in ("#ex-rate", "#ex-rate + details.solution"))
    assert solution["height"] < 40
    assert 0 <= solution["y"] - exercise["y"] - exercise["height"] < 20


def test_cells_of_a_solution_are_folded_with_it():
    for path in (SITE / "lectures").glob("*.html"):
        cells = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").select(".cell.tag_solution")
        assert [cell for cell in cells if not cell.find_parent("details", class_="solution")] == [], path.name


@pytest.mark.parametrize("chapter", sorted(path.stem for path in (SITE / "lectures").glob("*.html")))
def test_every_proof_ends_with_its_mark(page, site, chapter):
    """Exactly one mark a proof, and none in the boxes with a title."""
    page.goto(f"{site}/lectures/{chapter}.html")
    marks = """() => [...document.querySelectorAll("div.proof")].map((box) => [
        Boolean(box.querySelector(":scope > .admonition-title")),
        [box, ...box.querySelectorAll("*")].filter((one) => getComputedStyle(one, "::after").borderTopWidth === "1.5px"
            || getComputedStyle(one, "::after").content.includes("end of proof")).length,
    ])"""
    found = page.evaluate(marks)
    assert [box for box in found if box[1] != (0 if box[0] else 1)] == []


def test_wide_code_fades_until_its_end_is_seen_and_tab_reaches_it(browser, site):
    page = browser.new_page(viewport=PHONE)
    page.goto(f"{site}/lectures/02_pla.html")
    page.wait_for_function("document.querySelector('article pre[data-more]')")
    assert page.locator("article pre[data-more]:not([tabindex='0'])").count() == 0
    code = page.locator("article pre[data-more]").first.element_handle()
    assert "gradient" in code.evaluate("one => getComputedStyle(one).maskImage")
    code.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("one => one.scrollLeft > 0", arg=code)
    code.evaluate("one => one.scrollTo(one.scrollWidth, 0)")
    page.wait_for_function("one => !one.hasAttribute('data-more')", arg=code)
    assert code.evaluate("one => getComputedStyle(one).maskImage") == "none"
    pages_own = "[...document.querySelectorAll('article pre:not(.pla pre)')]"
    narrow = f"{pages_own}.filter((one) => one.scrollWidth <= one.clientWidth)"
    assert page.evaluate(f"{narrow}.filter((one) => one.tabIndex === 0 || one.dataset.more !== undefined).length") == 0
    page.close()
