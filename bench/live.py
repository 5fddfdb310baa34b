"""Python in the page: bytes and seconds to the first output, figure and check, cold and warm. (`make bench`)"""

import json
import os
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright

from book.serve import serving
from tests import ROOT
from tests.browser import ARGUMENTS, PATIENCE, executable

PAGE = "lectures/02_pla.html"
RUNS = 3
MB = 1_000_000
BUDGETS = {"output": 11, "figure": 19, "disk": 40}  # MB
SECONDS = {"cold": 6, "warm": 3}  # to the first output, on a quiet machine

# What the cells of the page have in them whose Run, or Check, gives the first of each.
CELLS = {"output": "new_point = np.array", "figure": "plot_run(run);", "check": 'check("02.1"'}


def memory(browser: Browser) -> float:
    """MB of the browser's processes that show pages."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [Path("/proc", str(process["id"]), "statm") for process in found if process["type"] == "renderer"]
    return sum(int(file.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") for file in renderers) / MB


def visits(browser: Browser, address: str) -> dict[str, tuple[dict[str, float], float]]:
    """Two visits of a new reader: seconds to each result, and the MB of memory that Python adds."""
    context, measured = browser.new_context(), {}
    for visit in SECONDS:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        before, seconds, began = memory(browser), {}, perf_counter()
        for name, text in CELLS.items():
            cell = page.locator("div.cell", has=page.locator(".cell_input", has_text=text)).first
            cell.locator(".live-run").click()
            cell.and_(page.locator("[data-runs]")).wait_for()
            seconds[name] = perf_counter() - began
        measured[visit] = seconds, memory(browser) - before
        page.close()
    context.close()
    return measured


def sizes(live: Path) -> dict[str, float]:
    """MB to the first output and to the first figure, and of all that the site keeps for live cells."""
    manifest = json.loads(next(live.glob("manifest-*.json")).read_text())
    size = {name: part["bytes"] / MB for name, part in manifest["files"].items()}
    output = sum(size[name] for name in ["worker.js", *manifest["start"]])
    figure = output + sum(size[name] for name in manifest["figures"])
    disk = sum(file.stat().st_size for file in live.rglob("*") if file.is_file()) / MB
    return {"output": output, "figure": figure, "disk": disk}


def main() -> None:
    site = ROOT / "_build" / "html"
    found = sizes(site / "_static" / "live")
    print("Python in the page, in MB")
    for name, size in found.items():
        print(f"  {name:10}{size:8.1f} of {BUDGETS[name]}{'' if size <= BUDGETS[name] else '   too much'}")
    with sync_playwright() as playwright, serving(site) as address:
        browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        rounds = [visits(browser, f"{address}/{PAGE}") for _ in range(RUNS)]
        browser.close()
    print(f"\nSeconds from Run to the first of each, median of {RUNS} readers; then MB of memory")
    print(f"{'':12}{''.join(f'{name:>10}' for name in CELLS)}{'memory':>10}")
    for visit, budget in SECONDS.items():
        seconds = [median(each[visit][0][name] for each in rounds) for name in CELLS]
        verdict = f"   output within {budget} s" if seconds[0] <= budget else f"   output takes more than {budget} s"
        row = "".join(f"{one:10.1f}" for one in seconds)
        print(f"  {visit:10}{row}{median(each[visit][1] for each in rounds):10.0f}{verdict}", flush=True)
    # Seconds are measured and reported; bytes are right or wrong.
    sys.exit(any(size > BUDGETS[name] for name, size in found.items()))


if __name__ == "__main__":
    main()
