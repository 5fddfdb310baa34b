"""Runs in the sandbox: the cells of one hand-in, then calls of what they define, all told as lines of JSON.

Once a cell of the hand-in has run, nothing here can be trusted: the grader reads these lines as it would a stranger's.
"""

import json
import os
import resource
import signal
import sys
from contextlib import contextmanager, suppress

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from plain_data import pack, unpack
from traitlets.config import Config

TEXT, PICTURE = 10_000, 1_000_000  # how much of one output is kept, in characters


class TooLong(BaseException):
    """Not an Exception, so that a loop which catches everything it makes wrong still ends."""


@contextmanager
def at_most(seconds: int):
    def stop(*_):
        raise TooLong(f"it has not come to an end after {seconds} seconds")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def end_what_was_started() -> None:
    """No process outlives the cell or the call that started it: in a namespace of its own, all others are its."""
    if os.getpid() != MYSELF:
        os._exit(0)
    if JOB["alone"]:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)


def run(shell: InteractiveShell, source: str, seconds: int) -> dict:
    """Run a cell: what it showed, and the error that ended it, if one did."""
    with capture_output() as shown, at_most(seconds):
        result = shell.run_cell(source, store_history=False)
    end_what_was_started()
    outputs = [{"text": shown.stdout[:TEXT]}] if shown.stdout else []
    for output in shown.outputs:
        if len(picture := output.data.get("image/png", "")) and len(picture) <= PICTURE:
            outputs.append({"png": picture})
        else:
            outputs.append({"text": str(output.data.get("text/plain", ""))[:TEXT]})
    return {"outputs": outputs[:20], "error": told(result.error_before_exec or result.error_in_exec)}


def told(error: BaseException | None) -> list[str] | None:
    return error and [type(error).__name__, str(error)[:1000]]


def answer(names: dict, request: dict, seconds: int) -> dict:
    """The value of a name, or what the function of that name returns."""
    if request["name"] not in names:
        return {"missing": True}
    value = names[request["name"]]
    try:
        with capture_output(), at_most(seconds):
            if "arguments" in request:
                value = value(*unpack(request["arguments"]))
    except BaseException as error:
        return {"error": told(error)}
    finally:
        end_what_was_started()
    try:
        return {"value": pack(value)}
    except Exception as error:
        return {"not_plain": str(error)[:1000]}


def main(incoming, outgoing) -> None:
    def say(message: dict) -> None:
        outgoing.write(json.dumps(message) + "\n")
        outgoing.flush()

    quiet = Config(HistoryManager={"enabled": False}, InteractiveShell={"colors": "nocolor"})
    shell = InteractiveShell.instance(config=quiet)
    say({"ready": True})
    for source in JOB["cells"]:
        say(run(shell, source, JOB["cell_seconds"]))
    for line in incoming:
        say(answer(shell.user_ns, json.loads(line), JOB["call_seconds"]))


if __name__ == "__main__":
    MYSELF, JOB = os.getpid(), json.loads(sys.stdin.readline())
    for name, limit in JOB["limits"].items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))
    channel = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    main(*channel)
