"""Code in the sandbox sees, reaches and changes nothing outside; where there is no sandbox, the grader says why."""

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from homework.grader import sandbox
from homework.grader.run_tests import Commands
from homework.grader.sandbox import LIBRARY, refusal, sandbox_command
from tests import ROOT
from tests.homework.hand_ins import DOUBLE, FULL_MARKS, TINY, hand_in, needs_sandbox, points_of_tests, submit

SPY = """
import glob, json, os, pathlib
places = {places!r}
seen, written = [], []
for place in places:
    seen += glob.glob(place + "/**/*.ipynb", recursive=True)
    try:
        seen += [os.path.join(place, name) for name in os.listdir(place)]
    except OSError:
        pass
for place in [*places, "/", "/usr", "/library", "/grader", "/grader/homework/grader", "/dev", "/dev/shm", "/proc"]:
    try:
        pathlib.Path(place, "planted").write_text("x")
        written.append(place)
    except OSError:
        pass
try:
    pathlib.Path("/tmp/large").write_bytes(bytes(200_000_000))
    written.append("more than the limit")
except OSError:
    pass
processes = [name for name in os.listdir("/proc") if name.isdigit()]
print(json.dumps({{"seen": seen, "written": written, "user": os.getuid(), "processes": len(processes)}}))
"""


@needs_sandbox
def test_nothing_outside_can_be_seen_or_changed(grade, tmp_path):
    """Neither the author's solution, nor other hand-ins, nor other processes; and the disk cannot be filled."""
    folders = [TINY.parent, tmp_path, tmp_path / "bob", ROOT, ROOT / "homework", Path.home()]
    places = [*map(str, folders), "/etc", "/home", "/opt", "/var", "/run", "/root"]
    solution, other = TINY, submit(tmp_path, "bob", hand_in(TINY))
    before = set(tmp_path.rglob("*"))
    notebook = grade(hand_in(TINY, last=SPY.format(places=places)))["notebook"]
    report = json.loads(notebook.cells[-1].outputs[0].text)
    seen = {Path(path) for path in report["seen"]}
    python = [Path(sys.prefix), Path(sys.base_prefix)]
    needed = {path for each in python for path in (each, *each.parents)} | {Path("/etc/ld.so.cache")}
    assert {path for path in seen - needed if not any(path.is_relative_to(each) for each in python)} == set()
    assert not seen & {solution, other}
    assert report["written"] == []
    assert report["user"] == os.getuid() or os.getuid() == 0
    assert report["user"] != 0
    assert report["processes"] <= 5
    assert set(tmp_path.rglob("*")) - before == {tmp_path / "ada", tmp_path / "ada" / "tiny.ipynb"}


CALL = """
import socket
def half(x):
    with socket.create_connection(("127.0.0.1", {port}), timeout=1):
        pass
"""


@needs_sandbox
def test_network_cannot_be_reached(grade):
    with socket.create_server(("127.0.0.1", 0)) as server:
        called = []
        server.settimeout(120)
        listener = threading.Thread(target=lambda: called.append(server.accept()), daemon=True)
        listener.start()
        text = CALL.format(port=server.getsockname()[1])
        assert "it stops with" in grade(hand_in(TINY, **{"1_half": text}))["reasons"]["1_half_test"]
        assert called == []
        socket.create_connection(server.getsockname()).close()  # the same call, from outside
        listener.join(60)
        assert called


LIES = """
import os
for number in range(3, 20):
    try:
        for _ in range({times}):
            os.write(number, {line!r})
    except OSError:
        pass
STUDENT = "ada"
"""


@needs_sandbox
@pytest.mark.parametrize(
    ("line", "times"),
    [
        (b'{"value": {"array": [1.0, 2.0], "shape": [2], "of": "f"}}\n', 9),
        (b"nonsense\n", 1),
        (b'{"error": 5}\n{"outputs": {"a": 1}, "error": {"b": 2}}\n[]\n', 1),
        (b'{"value": {"array": "ab", "shape": [-1], "of": "z"}}\n', 9),
        (b"x" * 1_000_000, 40),
        (b'{"value": ' + b"[" * 5000 + b"\n", 1),
    ],
    ids=["answers in advance", "nonsense", "malformed errors", "malformed arrays", "too much", "nested too deep"],
)
def test_messages_forged_by_a_hand_in_gain_nothing(grade, short_limits, line, times):
    """A hand-in can write to the grader's channel, but only what any function could return."""
    outcome = grade(hand_in(TINY, **{"0_student": LIES.format(line=line, times=times), "1_half": DOUBLE}))
    assert outcome["points"]["1_half_test"] == 0
    assert outcome["reasons"]["1_half_test"]


def test_without_a_sandbox_time_is_limited_and_the_stub_replaces_the_library(
    grade_folder, library_stub, short_limits, tmp_path
):
    borrowed = "from pla_lib import Hyperplane\ndef distances(w, b, X):\n    return Hyperplane(w, b).distance(X)"
    submit(tmp_path, "ada", hand_in(TINY, **{"2_middle": "while True:\n    pass", "3_distances": borrowed}))
    unsafe = Commands(sandbox_command(LIBRARY, unsafe=True), sandbox_command(library_stub, unsafe=True))
    outcome = grade_folder(tmp_path / "ada", commands=unsafe)
    assert points_of_tests(outcome) == FULL_MARKS | {"2_middle_test": 0, "3_distances_test": 0}
    assert "it did not finish within 2 seconds" in outcome["reasons"]["2_middle_test"]
    assert "this task asks for your own code" in outcome["reasons"]["3_distances_test"]


def test_missing_bubblewrap_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert "bubblewrap is not installed (on Debian or Ubuntu: sudo apt-get install bubblewrap)." in refusal()
    assert "UNSAFE=1" in refusal()


def test_other_systems_than_linux_are_refused(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "the sandbox needs Linux." in refusal()


@pytest.fixture
def bubblewrap(tmp_path, monkeypatch):
    """Put a script in the place of bubblewrap, and nothing else on the path."""

    def bubblewrap(text: str) -> None:
        script = tmp_path / "bwrap"
        script.write_text(text)
        script.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

    return bubblewrap


# What is wrong with bubblewrap: a script that fails in that way, what the refusal says, and the seconds it may take.
FAILURES = {
    "cannot be started": ("#!/nowhere/sh\n", "No such file or directory", 60),
    "is no program": ("\x7fELF", "Exec format error", 60),
    "ends with a complaint": ("#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n", "bwrap: No permissions", 60),
    "ends without a word": ("#!/bin/sh\nexit 0\n", "it ended its own process", 60),
    "complains and hangs": ("#!/bin/sh\necho 'bwrap: slow' >&2\nexec /bin/sleep 600\n", "bwrap: slow", 5),
    "hangs": ("#!/bin/sh\nexec /bin/sleep 600\n", "it did not finish in time", 1),
    "leaves a process behind": ("#!/bin/sh\n/bin/sleep 60 &\nexit 1\n", "it did not finish in time", 1),
    "answers with nonsense": ("#!/bin/sh\necho nonsense\nexec /bin/sleep 600\n", "its answer cannot be read", 60),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_first_try_that_fails_is_refused_with_a_reason(bubblewrap, monkeypatch, failure):
    script, words, seconds = FAILURES[failure]
    bubblewrap(script)
    monkeypatch.setattr(sandbox, "START_SECONDS", seconds)
    sentence = refusal()
    assert "they cannot run in a sandbox here: a first try of bubblewrap failed with '" in sentence
    assert words in sentence
    assert "UNSAFE=1" in sentence


@pytest.mark.parametrize("complaint", ["bwrap: setting up uid map: Permission denied", ""])
def test_first_try_that_ends_before_it_is_spoken_to_is_refused_with_a_reason(bubblewrap, monkeypatch, complaint):
    bubblewrap(f"#!/bin/sh\nprintf '%s' '{complaint}' >&2\nexit 1\n")

    def start_and_wait(*arguments, **options):
        process = subprocess.Popen(*arguments, **options)
        process.wait()
        return process

    monkeypatch.setattr(sandbox, "subprocess", SimpleNamespace(Popen=start_and_wait, PIPE=subprocess.PIPE))
    assert f"failed with '{complaint or 'it ended its own process'}'" in refusal()


def test_set_up_goes_on_where_the_sandbox_does_not_work(bubblewrap):
    bubblewrap("#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n")
    result = subprocess.run(
        [sys.executable, "-m", "homework.grader.sandbox"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "a first try of bubblewrap failed with 'bwrap: No permissions'" in result.stdout
    assert result.stderr == ""
