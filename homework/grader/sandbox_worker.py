"""Runs inside the sandbox: the cells of one hand-in, then calls of what they define. It speaks in lines of JSON.

Once a cell of the hand-in has run, nothing that this process writes can be trusted, and the grader treats it so.
"""

import json
import os
import resource
import signal
import sys
from contextlib import contextmanager, suppress

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from homework.grader.wire_format import pack, unpack

MAX_TEXT, MAX_PICTURE = 10_000, 1_000_000  # characters of one output that are kept
MAX_OUTPUTS = 20  # of one cell


class OutOfTime(BaseException):
    """Not an Exception, so that a loop that catches every Exception still ends."""


@contextmanager
def time_limit(seconds: int):
    def stop(*_):
        raise OutOfTime(f"it did not finish within {seconds} seconds")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def kill_leftover_processes() -> None:
    """End what a cell or a call has started. In a namespace of its own, every other process is the hand-in's."""
    if os.getpid() != WORKER:
        os._exit(0)
    if JOB["own_namespace"]:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)


def run_cell(shell: InteractiveShell, source: str, seconds: int) -> dict:
    """Run a cell: its outputs, and the error that ended it, if there was one."""
    with capture_output() as captured, time_limit(seconds):
        result = shell.run_cell(source, store_history=False)
    kill_leftover_processes()
    outputs = [{"text": captured.stdout[:MAX_TEXT]}] if captured.stdout else []
    for output in captured.outputs:
        if len(picture := output.data.get("image/png", "")) and len(picture) <= MAX_PICTURE:
            outputs.append({"png": picture})
        else:
            outputs.append({"text": str(output.data.get("text/plain", ""))[:MAX_TEXT]})
    error = result.error_before_exec or result.error_in_exec
    return {"outputs": outputs[:MAX_OUTPUTS], "error": error and describe_error(error)}


def describe_error(error: BaseException) -> list[str]:
    return [type(error).__name__, str(error)[:1000]]


def answer_request(names: dict, request: dict, seconds: int) -> dict:
    """The value of a name, or what the function of that name returns."""
    if request["name"] not in names:
        return {"missing": True}
    value = names[request["name"]]
    try:
        with capture_output(), time_limit(seconds):
            if "arguments" in request:
                value = value(*unpack(request["arguments"]))
    except BaseException as error:
        return {"error": describe_error(error)}
    finally:
        kill_leftover_processes()
    try:
        return {"value": pack(value)}
    except Exception as error:
        return {"not_plain": str(error)[:1000]}


def main(incoming, outgoing) -> None:
    def send(message: dict) -> None:
        outgoing.write(json.dumps(message) + "\n")
        outgoing.flush()

    quiet = Config(HistoryManager={"enabled": False}, InteractiveShell={"colors": "nocolor"})
    shell = InteractiveShell.instance(config=quiet)
    send({"ready": True})
    for source in JOB["cells"]:
        send(run_cell(shell, source, JOB["cell_seconds"]))
    for line in incoming:
        send(answer_request(shell.user_ns, json.loads(line), JOB["call_seconds"]))


if __name__ == "__main__":
    WORKER, JOB = os.getpid(), json.loads(sys.stdin.readline())
    for name, limit in JOB["limits"].items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))
    channel = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    # The hand-in reads and prints through the standard streams; the channel to the grader is a copy of its own.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    main(*channel)
