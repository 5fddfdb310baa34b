"""The committed notebook and every widget in a running JupyterLab: boxes, folded solutions, and what reaches Python."""

import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import jupytext
import pytest
from playwright.sync_api import Locator, Page, expect

from tests import ROOT
from tests.browser import PATIENCE
from tests.widgets import GALLERY

# The pages of the gallery that name their widget, so that Python can be asked for it.
PAGES = sorted(path.stem for path in GALLERY.glob("*.md") if "\nwidget\n" in path.read_text(encoding="utf-8"))


def press(name: str):
    return lambda widget: widget.get_by_role("button", name=name, exact=True).click()


def check(name: str):
    return lambda widget: widget.get_by_role("checkbox", name=name).check()


def to_the_end(name: str):
    return lambda widget: widget.get_by_role("slider", name=name, exact=True).press("End")


# For each page of the gallery: what is done in the browser, what Python is asked then, and what it has to answer.
WIDGETS = {
    "quiz": (lambda widget: widget.get_by_role("button", name="At every visit").click(), "widget.answers[0]", 0),
    "three_boundaries": (check("test points"), "widget.layers", ["last", "averaged", "voted", "test"]),
    "loss_landscape": (press("Hinge"), "widget.loss", "hinge"),
    "feature_lift": (press("Next"), "widget.step", 1),
    "playground": (press("Add a point"), "len(widget.points)", 13),
    "proof_ledger": (press("Next"), "widget.step", 1),
    "proof_ledger_no_offset": (to_the_end("Update"), "widget.step == len(widget.run.mistakes) + 1", True),
    "soft_margin_slider": (to_the_end("C"), "widget.index == len(widget.record['Cs']) - 1", True),
    "soft_margin_slider_xor": (to_the_end("C"), "widget.index == len(widget.record['Cs']) - 1", True),
    "stepper": (press("Next"), "widget.step", 1),
    "stepper_no_offset": (to_the_end("Visit"), "widget.step == widget.record['visits']", True),
    "stream_explorer": (press("Next"), "widget.step", 1),
    "hyperplane_explorer": (press("Next"), "widget.step", 1),
    "margin_explorer": (check("Show the widest"), "widget.revealed", True),
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """JupyterLab on copies of the lectures and of the gallery: its address, and the token that opens it."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "lectures", folder / "lectures")
    (folder / "gallery").mkdir()
    for name in PAGES:
        jupytext.write(jupytext.read(GALLERY / f"{name}.md"), folder / "gallery" / f"{name}.ipynb")
    token, log = secrets.token_hex(8), folder / "lab.log"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--IdentityProvider.token={token}"]
    command += ["--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", "--LabApp.expose_app_in_browser=True"]
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
    try:
        for _ in range(PATIENCE // 250):
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/lab", log.read_text()):
                break
            assert server.poll() is None, log.read_text()
            time.sleep(0.25)
        yield SimpleNamespace(address=f"http://127.0.0.1:{found[1]}", token=token)
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(scope="module")
def desk(browser, lab) -> Page:
    """JupyterLab in one browser window for all notebooks."""
    page = browser.new_page(viewport={"width": 1280, "height": 2400})
    page.set_default_timeout(PATIENCE)
    page.goto(f"{lab.address}/lab?reset&token={lab.token}")
    page.wait_for_function("() => window.jupyterapp?.restored.then(() => true)")
    yield page
    page.close()


@pytest.fixture(scope="module")
def kernel(desk) -> str:
    """One kernel for all pages of the gallery: to start one and import the library takes longer than the rest."""
    identity = desk.evaluate("""async () => {
        const started = await jupyterapp.serviceManager.kernels.startNew({ name: "python3" });
        started.dispose();  // of the connections to a kernel only the first takes what widgets send
        return started.id;
    }""")
    yield identity
    desk.evaluate("(id) => jupyterapp.serviceManager.kernels.shutdown(id)", identity)


@contextmanager
def opened(page: Page, path: str, kernel: str | None = None) -> Iterator[Locator]:
    """Open a notebook with that kernel or one of its own, and close it in the end."""
    page.evaluate(
        """async ([path, id]) => {
            const kernel = id ? { id } : undefined;
            window.panel = await jupyterapp.commands.execute("docmanager:open", { path, kernel });
            await panel.context.ready;
            await panel.sessionContext.ready;
        }""",
        [path, kernel],
    )
    try:
        yield page.locator(".jp-Notebook")
    finally:
        if not kernel:
            page.evaluate("panel.sessionContext.shutdown()")
        page.evaluate("panel.dispose()")


def told(page: Page, expression: str) -> str:
    """What Python says when the notebook's kernel is asked."""
    return page.evaluate(
        """async (value) => {
            const asked = panel.sessionContext.session.kernel.requestExecute({ code: "", user_expressions: { value } });
            const { data, evalue } = (await asked.done).content.user_expressions.value;
            return data?.["text/plain"] ?? evalue;
        }""",
        expression,
    )


@pytest.mark.parametrize("name", WIDGETS)
def test_widget_in_jupyterlab_reaches_python(desk, kernel, name):
    act, expression, expected = WIDGETS[name]
    with opened(desk, f"gallery/{name}.ipynb", kernel) as notebook:
        desk.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
        widget = notebook.locator(".pla")
        expect(widget).to_be_visible()
        assert told(desk, expression) != repr(expected), "this was so before anything was done"
        act(widget)
        for _ in range(40):  # what the widget sends may be on its way while Python is asked
            if told(desk, expression) == repr(expected):
                break
            desk.wait_for_timeout(250)
        assert told(desk, expression) == repr(expected)


def test_every_widget_is_tried():
    assert sorted(WIDGETS) == PAGES, "a page of tests/widgets/gallery that ends with `widget` has a line in WIDGETS"


def test_boxes_solutions_and_widget_in_jupyterlab(desk):
    with opened(desk, "lectures/02_pla.ipynb") as notebook:
        expect(notebook.locator("aside#lem-update.myst-proof")).to_contain_text("(An update raises")
        solution = notebook.locator("details.myst-exercise", has_text="Solution to Exercise 2").first
        answer = solution.get_by_text("The run ends with")
        expect(answer).not_to_be_visible()
        for _ in range(20):  # JupyterLab draws the cell again when its references are resolved, and folds it with that
            if answer.is_visible():
                break
            solution.locator("summary").click()
            desk.wait_for_timeout(500)
        expect(answer).to_be_visible()

        cells = notebook.locator(".jp-CodeCell .cm-content")
        cells.first.click()
        desk.keyboard.press("Shift+Enter")
        stepper = notebook.locator(".pla").first
        expect(stepper).to_be_visible()
        stepper.get_by_role("button", name="Next", exact=True).click()
        expect(stepper.locator(".pla-words")).to_contain_text("Visit 1: point 0")
        # What the reader does reaches Python.
        desk.keyboard.press("End")
        cells.nth(1).click()
        desk.keyboard.press("ControlOrMeta+a")
        desk.keyboard.type(
            "import gc; print('step is', [w.step for w in gc.get_objects() if type(w).__name__ == 'Stepper'][-1])"
        )
        desk.keyboard.press("Shift+Enter")
        expect(notebook.get_by_text("step is 60")).to_be_visible()


def test_parts_of_a_chapter_in_jupyterlab(desk):
    """What the site makes of them is tested in tests/site/test_chapter_parts.py; here they read well as they are."""
    with opened(desk, "lectures/02_pla.ipynb") as notebook:
        expect(notebook.get_by_text("Time: about 60 minutes. Prerequisites: chapter 1.")).to_be_visible()
        expect(notebook.get_by_text("jump to visit 24, press Next")).to_be_visible()
        expect(notebook.locator("a", has_text="jump to visit")).to_have_count(0)
        expect(notebook.get_by_role("heading", name="★ One algorithm, five sources")).to_have_count(1)
        expect(notebook.locator(".myst-exercise", has_text="(One visit ●○○)").first).to_be_attached()
        folded = notebook.locator(".jp-Placeholder", has_text="# Claims of this section, checked by code")
        expect(folded.first).to_be_visible()
        expect(notebook.get_by_text("assert len(run.mistakes) == 11")).to_have_count(0)
