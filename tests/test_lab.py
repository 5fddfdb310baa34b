"""The committed notebook in a running JupyterLab: boxes, folded solutions and the live widget."""

import re
import secrets
import shutil
import subprocess
import sys
import time

import pytest
from conftest import ROOT
from playwright.sync_api import expect


@pytest.fixture
def lab(tmp_path):
    """JupyterLab on a copy of the lectures; gives an address that opens the chapter."""
    shutil.copytree(ROOT / "lectures", tmp_path / "lectures")
    token, log = secrets.token_hex(8), tmp_path / "lab.log"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--IdentityProvider.token={token}"]
    command += ["--ServerApp.ip=127.0.0.1", "--ServerApp.port=0"]
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=tmp_path, stdout=output, stderr=subprocess.STDOUT)
    try:
        for _ in range(240):
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/lab", log.read_text()):
                break
            assert server.poll() is None, log.read_text()
            time.sleep(0.25)
        yield f"http://127.0.0.1:{found[1]}/lab/tree/lectures/02_pla.ipynb?token={token}"
    finally:
        server.terminate()
        server.wait()


def test_boxes_solutions_and_widget_in_jupyterlab(page, lab):
    page.set_default_timeout(60_000)
    page.set_viewport_size({"width": 1280, "height": 2400})
    page.goto(lab)
    expect(page.locator("aside#thm-novikoff.myst-proof")).to_contain_text("Theorem 1 (Novikoff)", timeout=60_000)
    solution = page.locator("details.myst-exercise", has_text="Solution to Exercise 1").first
    answer = solution.get_by_text("The run ends with")
    expect(answer).not_to_be_visible()
    for _ in range(20):  # JupyterLab draws the cell again when its references are resolved, and folds it with that
        if answer.is_visible():
            break
        solution.locator("summary").click()
        page.wait_for_timeout(500)
    expect(answer).to_be_visible()

    page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Shift+Enter")
    stepper = page.locator(".pla")
    expect(stepper).to_be_visible(timeout=60_000)
    stepper.get_by_role("button", name="Next").click()
    expect(stepper.locator(".pla-words")).to_contain_text("Visit 1: point 0")
    # What the reader does reaches Python.
    page.keyboard.press("End")
    page.locator(".jp-Notebook .jp-CodeCell .cm-content").nth(1).click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(
        "import gc; print('step is', [w.step for w in gc.get_objects() if type(w).__name__ == 'Stepper'][-1])"
    )
    page.keyboard.press("Shift+Enter")
    expect(page.get_by_text("step is 60")).to_be_visible(timeout=60_000)
