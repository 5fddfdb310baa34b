"""Chapter 02 as someone does it who has only the website: change code, run it, answer exercises, all in the page."""

import inspect
import re
from functools import cache
from urllib.parse import urlsplit

import numpy as np
import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from pla_lib import blobs, perceptron
from tests import SITE
from tests.browser import PATIENCE
from tests.checks.pla import mistakes as reference_mistakes
from tests.site_checks import PHONE, RULES_OF_A_SECOND_LOOK, SCROLL, violations

LOOP = "these lines:"  # what the cell with the algorithm prints
RIGHT_VISIT = """from pla_lib import check


def visit(theta, x, y):
    return theta + y * x if y * (theta @ x) <= 0 else theta


check("02.1", visit)
"""


@pytest.fixture(scope="module")
def asked() -> list[str]:
    """The addresses that the shared page has asked for."""
    return []


@pytest.fixture(scope="module")
def live(browser: Browser, site: str, asked) -> Page:
    """One page for the tests below, in their order (hence no classes), so that Python is started once."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    context.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site}/lectures/02_pla.html")
    page.wait_for_load_state("networkidle")
    yield page
    context.close()


@cache
def printed_cells(page: str) -> list[str]:
    """The code of the cells that can be run, as the page has it."""
    soup = BeautifulSoup((SITE / page).read_text(encoding="utf-8"), "html.parser")
    return [bar.find_parent(class_="cell").select_one(".cell_input pre").text for bar in soup.select(".live-bar")]


def cell(page: Page, text: str) -> Locator:
    """The first cell whose code, as it was printed, has this in it."""
    number = next(k for k, code in enumerate(printed_cells(urlsplit(page.url).path.lstrip("/"))) if text in code)
    return page.locator("div.cell", has=page.locator(".live-bar")).nth(number)


def run(one: Locator) -> Locator:
    """Press Run, or Check, and wait for the end."""
    runs = int(one.get_attribute("data-runs") or 0)
    one.locator(".live-run").click()
    expect(one).to_have_attribute("data-runs", str(runs + 1))
    return one.locator(".cell_output")


def write(one: Locator, code: str) -> None:
    """Replace the code of a cell by typing, as a reader does."""
    one.locator(".live-edit").click()
    editor = one.locator(".cm-content")
    editor.wait_for()
    editor.press("ControlOrMeta+a")
    editor.evaluate(
        """(node, text) => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            node.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        code,
    )


def test_before_the_reader_runs_anything_only_the_small_script_is_asked_for(live, asked):
    parts = {urlsplit(address).path.rpartition("/live/")[2] for address in asked if "/live/" in address}
    assert len(parts) == 1
    assert re.fullmatch(r"live-[0-9a-f]{16}\.js", parts.pop())


def test_first_cell_runs_and_its_widget_is_live(live):
    first = live.locator("div.cell").first
    first.locator("summary", has_text="The code that makes this").click()
    run(first)
    expect(first.locator(".live-widget .pla .pla-words")).not_to_be_empty()


def test_widget_of_a_cell_takes_the_place_of_the_printed_one(live):
    first = live.locator("div.cell").first
    expect(first.locator(".live-status")).to_contain_text("above its code")
    assert first.locator(".pla").count() == 1
    place = live.locator(".pla-widget").first
    assert place.evaluate("one => one.matches('.pla-head.live-widget')")
    live.locator("a.jump", has_text="visit 24").click()
    expect(place.locator("input[type=range]")).to_have_value("24")


def test_widget_and_python_share_its_values(live):
    first = live.locator("div.cell").first
    write(first, "from pla_lib import blobs, perceptron, stepper\nimport numpy as np\n\n"
          "X, y = blobs(20, seed=3)\nrun = perceptron(X, y)\nwidget = stepper(run)\nwidget")  # fmt: skip
    run(first)
    first.locator(".live-widget [aria-label=First]").click()
    for _ in range(3):
        first.locator(".live-widget .pla-next").click()
    reader = cell(live, "mistakes were on")
    write(reader, "print('step', widget.step)")
    expect(run(reader)).to_contain_text("step 3")
    write(reader, "widget.step = 7\nprint('set')")
    expect(run(reader)).to_contain_text("set")
    expect(first.locator(".live-widget input[type=range]")).to_have_value("7")


def test_algorithm_gives_what_the_library_gives(live):
    shown = run(cell(live, "while not done"))
    X, y = blobs(20, seed=3)
    printed = re.findall(r"\[(.*?)\]", shown.inner_text())
    for line in printed:
        assert np.array(line.split(), float) == pytest.approx(perceptron(X, y).theta)
    assert len(printed) == 2


def test_run_all_above_leaves_claims_exercises_and_solutions_out(live):
    first = live.locator("div.cell").first
    write(
        first,
        "from pla_lib import blobs, perceptron\nimport numpy as np\n\nX, y = blobs(30, seed=3)\nrun = perceptron(X, y)",
    )
    one = cell(live, "margins from")
    run(one)
    one.get_by_role("button", name="Run all above").click()
    expect(one).to_have_attribute("data-runs", "2")
    expect(one.locator(".live-status")).to_contain_text(re.compile(r"first ran \d+ cells above\."))
    claims = cell(live, "assert len(run.mistakes) == 11")
    claims.locator("summary").click()
    expect(run(claims)).to_contain_text("This claim is about the code as it is printed.")
    first.locator(".live-reset").click()
    run(first)
    run(claims)
    expect(claims.locator(".live-error")).to_have_count(0)


def test_figure_is_drawn_in_place_with_its_caption_and_description(live):
    one = cell(live, "plot_run(run);")
    before, caption = one.locator("img").get_attribute("alt"), one.locator("figcaption").text_content()
    run(one)
    image = one.locator("figure img")
    expect(image).to_have_attribute("src", re.compile("^blob:"))
    assert image.get_attribute("alt") == before
    assert one.locator("figcaption").text_content() == caption
    assert image.evaluate("one => one.decode().then(() => one.naturalWidth)") > 300


def test_error_begins_in_the_cell(live):
    one = cell(live, "mistakes were on")
    write(one, "def halve(v):\n    return v / zero\n\n\nhalve(3)")
    expect(run(one)).to_contain_text("NameError: name 'zero' is not defined")
    text = one.locator(".live-error").inner_text()
    assert "line 5" in text
    assert "shell" not in text
    assert len(text.splitlines()) < 12


def test_button_copy_takes_what_was_typed(live):
    live.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one = cell(live, "mistakes were on")
    one.hover()
    one.locator("button.copybtn").click()
    expect(one.locator("button.copybtn")).to_have_class(re.compile("success"))
    assert live.evaluate("navigator.clipboard.readText()").startswith("def halve(v):")


def test_reset_brings_back_the_printed_code(live):
    one = cell(live, "mistakes were on")
    one.locator(".live-reset").click()
    expect(one.locator(".cm-content")).to_contain_text("mistakes were on")
    expect(one.locator(".live-reset")).to_be_hidden()
    one.get_by_role("button", name="Bring mine back").click()
    expect(one.locator(".cm-content")).to_contain_text("def halve")
    one.locator(".live-reset").click()
    expect(run(one)).to_contain_text(f"mistakes were on {perceptron(*blobs(20, seed=3)).mistakes}")


def test_changed_cell_marks_what_depends_on_it(live):
    one = cell(live, "new_point = np.array")
    write(one, "inputs = np.c_[np.ones(len(X)), 2 * X]\nnew_point = np.array([1, 2.0, 1.0])")
    run(one)
    expect(cell(live, "while not done")).to_have_class(re.compile("live-stale"))
    expect(cell(live, "mistakes were on")).not_to_have_class(re.compile("live-stale"))
    one.locator(".live-reset").click()
    run(one)
    run(cell(live, "while not done"))
    expect(cell(live, "while not done")).not_to_have_class(re.compile("live-stale"))


def answer(live: Page, code: str) -> Locator:
    one = cell(live, 'check("02.1"')
    write(one, code)
    run(one)
    return one.locator(".live-verdict")


def test_stub_of_an_exercise_is_not_attempted(live):
    run(cell(live, 'check("02.1"'))
    expect(cell(live, 'check("02.1"').locator(".live-verdict")).to_have_attribute("data-kind", "not attempted")


def test_wrong_answer_is_told_why(live):
    verdict = answer(live, RIGHT_VISIT.replace("<= 0", "< 0"))
    expect(verdict).to_have_attribute("data-kind", "not yet")
    expect(verdict).to_contain_text("Not yet")
    expect(cell(live, 'check("02.1"').locator(".live-done-mark")).to_be_hidden()


def test_printing_instead_of_returning(live):
    verdict = answer(live, RIGHT_VISIT.replace("return theta + y * x if y * (theta @ x) <= 0 else theta",
                                                    "print(theta + y * x)"))  # fmt: skip
    expect(verdict).to_contain_text("print")
    expect(verdict).to_contain_text("None")


def test_nothing_is_checked_without_the_line_that_checks(live):
    one = cell(live, 'check("02.1"')
    write(one, "def visit(theta, x, y):\n    return theta")
    run(one)
    expect(one.locator(".live-status")).to_contain_text('Nothing was checked: the line that begins with check("02.1"')


def test_endless_loop_is_stopped_by_the_check(live):
    verdict = answer(live, RIGHT_VISIT.replace("    return theta", "    while True:\n        pass\n    return theta"))
    expect(verdict).to_have_attribute("data-kind", "not yet")
    expect(verdict).to_contain_text("10 seconds")


def test_right_answer_is_done_and_remembered(live):
    verdict = answer(live, RIGHT_VISIT)
    expect(verdict).to_have_attribute("data-kind", "right")
    expect(cell(live, 'check("02.1"').locator(".live-done-mark")).to_have_text("Solved")


def test_misspelt_answer_does_not_pass_for_the_one_before(live):
    one = cell(live, 'check("02.1"')
    write(one, RIGHT_VISIT.replace("def visit", "def vist"))
    expect(run(one)).to_contain_text("NameError: name 'visit' is not defined. Did you mean: 'vist'?")
    expect(one.locator(".live-done-mark")).to_have_text("Solved before")
    answer(live, RIGHT_VISIT)
    expect(one.locator(".live-done-mark")).to_have_text("Solved")


def test_answer_leaves_the_names_of_the_page_alone(live):
    answer(live, f"X = y = None\n{RIGHT_VISIT}")
    reader = cell(live, "mistakes were on")
    write(reader, "print(len(X), visit(np.zeros(2), np.ones(2), 1))")
    expect(run(reader)).to_contain_text("20 [1. 1.]")
    reader.locator(".live-reset").click()


def test_whole_algorithm_of_the_reader(live):
    source = inspect.getsource(reference_mistakes)
    one = cell(live, 'check("02.5"')
    write(one, f'{source}\n\ncheck("02.5", mistakes)')
    run(one)
    expect(one.locator(".live-verdict")).to_have_attribute("data-kind", "right")


def test_stop_ends_a_loop_and_keeps_the_names(live):
    one = cell(live, "mistakes were on")
    write(one, "kept = 5\nwhile True:\n    pass")
    one.locator(".live-run").click()
    expect(one.locator(".live-run")).to_have_text("Stop")
    expect(one.locator(".live-status")).to_contain_text("Running")
    live.wait_for_timeout(500)
    one.locator(".cm-content").press("Shift+Enter")
    expect(one.locator(".live-status")).to_have_text("This cell is still running. Press Stop first.")
    other = cell(live, "new_point = np.array")
    other.locator(".live-run").click()
    expect(other.locator(".live-status")).to_contain_text("Wait until it ends, or stop it: cell")
    one.locator(".live-run").click()
    expect(one.locator(".live-run")).to_have_text("Run")
    expect(one.locator(".cell_output")).to_contain_text("Stopped at line 3.")
    write(one, "print('kept is', kept)")
    expect(run(one)).to_contain_text("kept is 5")


def test_stop_ends_code_in_c_and_python_starts_again(live):
    one = cell(live, "mistakes were on")
    write(one, "sum(range(10**15))")
    one.locator(".live-run").click()
    expect(one.locator(".live-status")).to_contain_text("Running")
    live.wait_for_timeout(500)
    one.locator(".live-run").click()
    expect(one.locator(".cell_output")).to_contain_text("Stopped")
    expect(one.locator(".live-run")).to_have_text("Run")
    write(one, "print(len(X))")
    expect(run(one)).to_contain_text("20")
    expect(one.locator(".live-status")).to_contain_text("above")


def test_reload_keeps_what_was_typed_and_what_is_done(live, site):
    live.wait_for_timeout(500)  # it is written a moment later
    live.reload()
    one = cell(live, 'check("02.1"')
    expect(one.locator("pre").first).to_contain_text("return theta + y * x")
    expect(one.locator(".live-done-mark")).to_be_visible()
    before = "one => getComputedStyle(one.querySelector('.cell_output'), '::before').content"
    assert "From before your change" in one.evaluate(before)
    one.locator(".live-reset").click()
    expect(one.locator("pre").first).to_contain_text("your code here")
    assert one.evaluate(before) == "none"


def test_no_other_host_was_asked(live, site, asked):
    hosts = {urlsplit(address).netloc for address in asked if address.startswith("http")}
    assert hosts == {urlsplit(site).netloc}


def test_python_starts_again_without_a_network(live, context: BrowserContext):
    live.context.set_offline(True)
    try:
        one = cell(live, "new_point = np.array")
        expect(run(one)).to_contain_text("score of the new point")
    finally:
        live.context.set_offline(False)


@pytest.mark.parametrize(("size", "colours"), [(None, "light"), (PHONE, "dark")])
def test_editor_results_and_errors_are_accessible(browser, site, size, colours):
    context = browser.new_context(reduced_motion="reduce", color_scheme=colours, **({"viewport": size} if size else {}))
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{site}/lectures/02_pla.html")
    one = cell(page, 'check("02.1"')
    write(one, RIGHT_VISIT.replace("<= 0", "< 0"))
    run(one)
    other = cell(page, "mistakes were on")
    write(other, "1 / 0")
    run(other)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate(SCROLL)
    assert violations(page, RULES_OF_A_SECOND_LOOK) == []
    context.close()


def test_keyboard_alone_is_enough(page, site):
    page.goto(f"{site}/lectures/02_pla.html")
    one = cell(page, "mistakes were on")
    one.locator(".live-run").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # Edit
    expect(one.locator(".cm-content")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("print(6 * 7)")
    page.keyboard.press("Shift+Enter")
    expect(one.locator(".cell_output")).to_have_text(re.compile(r"^\s*42\s*$"))
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(one.locator(".cm-content")).not_to_be_focused()


def test_without_scripts_there_are_no_bars_and_all_code(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/lectures/02_pla.html")
    assert not page.locator(".live-bar").first.is_visible()
    expect(cell(page, "while not done").locator("pre").first).to_be_visible()
    context.close()
