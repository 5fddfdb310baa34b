"""Every cell of every lecture, run in the page: it says what the page shows, and right answers pass their checks."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pla_lib import checks
from tests import ROOT
from tests.checks.test_checks import RIGHT
from tests.site.test_live import cell, run, write

LECTURES = sorted(path.stem for path in (ROOT / "lectures").glob("*.ipynb"))
# Cells that say something else in a page, by a piece of their code, and why.
EXCEPTIONS = {
    "peak(": "bytes of memory, which depend on the machine",
    "from sklearn": "scikit-learn is not in the page, and the cell says so",
}
SHOWN = """cell => ({
    text: [...cell.querySelectorAll(".cell_output .output :is(pre, table)")]
        .map(output => output.textContent.trim()).join("\\n"),
    pictures: cell.querySelectorAll(".cell_output img:not(.pla-widget *)").length,
    widgets: cell.querySelectorAll(".cell_output .pla-widget").length,
    errors: cell.querySelectorAll(".live-error").length,
    verdict: cell.querySelector(".live-verdict")?.dataset.kind ?? null,
})"""

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", LECTURES)
def test_every_cell_says_what_the_page_shows(page: Page, site: str, name: str):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{site}/lectures/{name}.html")
    found = page.locator("div.cell:has(.live-bar)")
    differences = []
    for k in range(found.count()):
        one = found.nth(k)
        code = one.locator(".cell_input pre").first.text_content()
        expected = one.evaluate(SHOWN)
        if "\ncheck(" in code:
            assert "not attempted yet" in expected["text"]
            expected |= {"text": "", "verdict": "not attempted"}
        one.locator(".live-run").dispatch_event("click")  # also in what is folded
        expect(one).to_have_attribute("data-runs", "1")
        shown = one.evaluate(SHOWN)
        if shown != expected and not any(piece in code for piece in EXCEPTIONS):
            differences.append(f"{k + 1}: {code[:60]!r}\n  page: {expected}\n  run:  {shown}")
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("name", LECTURES)
def test_right_answers_pass_in_the_page(page: Page, site: str, name: str):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{site}/lectures/{name}.html")
    answers = (Path(__file__).parents[1] / "checks" / f"{checks.CHAPTERS[name[:2]]}.py").read_text(encoding="utf-8")
    for exercise in [one for one in RIGHT if one.startswith(name[:2])]:
        one = cell(page, f'check("{exercise}"')
        check_all = f'from pla_lib import check\nfor one in RIGHT["{exercise}"]:\n    check("{exercise}", one)'
        write(one, f"{answers}\n{check_all}")
        run(one)
        kinds = one.locator(".live-verdict").evaluate_all("all => all.map(one => one.dataset.kind)")
        assert kinds == ["right"] * len(RIGHT[exercise]), one.locator(".cell_output").inner_text()
