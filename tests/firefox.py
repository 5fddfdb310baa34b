"""Firefox, driven over WebDriver BiDi: Playwright drives only a Firefox of its own making, which is not Debian's.

`python -m tests.firefox` makes sure that there is one.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from websocket import create_connection

from tests.browser import PATIENCE, install_package

NAMES = ("firefox-esr", "firefox")
HOW_TO = (
    "These tests need Firefox, and none could be installed: install it (on Debian: sudo apt-get install firefox-esr; "
    "elsewhere from its makers) and run make again."
)
# A fresh profile that asks no host for news, updates or experiments.
SETTINGS = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.safebrowsing.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}


def executable() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


CONTROL, SHIFT, ENTER = "\ue009", "\ue008", "\ue007"  # as WebDriver calls them


class Tab:
    """One tab of a running Firefox."""

    def __init__(self, address: str) -> None:
        self.socket = create_connection(f"{address}/session", timeout=PATIENCE / 1000, suppress_origin=True)
        self.sent = 0
        self.send("session.new", capabilities={})
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **parameters) -> dict:
        self.sent += 1
        self.socket.send(json.dumps({"id": self.sent, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.sent:
                break
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['message']}")
        return answer["result"]

    def open(self, address: str) -> None:
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")
        self.send("browsingContext.activate", context=self.context)  # only then it takes what is typed

    def call(self, function: str, *arguments: str):
        """What a function of the page returns, or promises, for these texts."""
        answer = self.send(
            "script.callFunction",
            functionDeclaration=f"async (...texts) => JSON.stringify(await ({function})(...texts))",
            arguments=[{"type": "string", "value": text} for text in arguments],
            target={"context": self.context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def press(self, *keys: str) -> None:
        """Press keys together, as in Shift+Enter; a single one as typing does."""
        actions = [{"type": "keyDown", "value": key} for key in keys]
        actions += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self.send("input.performActions", context=self.context, actions=[keyboard])


@contextmanager
def firefox() -> Iterator[Tab]:
    with TemporaryDirectory() as profile:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in SETTINGS.items()]
        Path(profile, "user.js").write_text("".join(lines))
        command = [executable(), "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            found = (re.search(r"WebDriver BiDi listening on (ws://\S+)", line) for line in process.stderr)
            tab = Tab(next(filter(None, found))[1])
            yield tab
            tab.socket.close()
        finally:
            process.terminate()
            process.communicate()


if __name__ == "__main__":
    if not executable():
        install_package(NAMES[0])
    found = executable()
    sys.exit(HOW_TO if not found else print(f"The tests use {found}"))
