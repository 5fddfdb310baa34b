"""The browser of the tests: Debian's Chromium where there is one or it can be installed, else Playwright's own.

`python -m tests.browser` makes sure that there is one.
"""

import os
import shutil
import subprocess
import sys

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# The headless shell is Chromium without windows, and needs a third of the processor time; Playwright's own is one too.
SHELL = "chromium-headless-shell"
PATIENCE = 120_000  # milliseconds until a test gives up waiting; a busy machine needs some of them
HOW_TO = (
    "The tests need a browser, and none could be installed: install Chromium (on Debian and Ubuntu: "
    "sudo apt-get install chromium) and run make again."
)


def executable() -> str | None:
    """The path of a Chromium on this machine."""
    for name in (SHELL, "chromium", "chromium-browser"):
        if path := shutil.which(name):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def install_package(name: str) -> None:
    """Install a package of Debian's, if root runs this; another installation that is under way is waited for."""
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing Debian's {name} for the tests (once)", flush=True)
        wait = ["-qq", "-o", "DPkg::Lock::Timeout=600"]
        subprocess.run(["apt-get", *wait, "update"])
        subprocess.run(["apt-get", *wait, "install", "-y", name], stdout=subprocess.DEVNULL)


def install() -> None:
    """Debian's headless shell as root; where that cannot be had, any Chromium that is there, or else Playwright's."""
    install_package(SHELL)
    if not executable():
        print("Installing Playwright's Chromium for the tests (once)", flush=True)
        # If the download fails, HOW_TO says in one sentence what to do; Playwright's own account takes a page.
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], **quiet)


if __name__ == "__main__":
    if not shutil.which(SHELL):
        install()
    found = executable()
    sys.exit(HOW_TO if not found else print(f"The tests use {found}"))
