"""Runs inside the sandbox: the cells of one hand-in, then calls of what they define. It speaks in lines of JSON.

Once a cell of the hand-in has run, nothing that this process writes can be trusted, and the grader treats it so.
"""

import ast
import json
import os
import resource
import signal
import sys
import traceback
from contextlib import contextmanager, suppress

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from homework.grader.wire_format import pack, unpack

MAX_TEXT, MAX_PICTURE = 10_000, 900_000  # characters of one output that are kept
MAX_OUTPUTS = 20  # of one cell
MAX_VALUE = 1_000_000  # characters of an answer; the grader reads no longer message
MAX_FRAMES = 5  # of a traceback


class OutOfTime(BaseException):
    """Not an Exception, so that a loop that catches every Exception still ends."""


class NotebookShell(InteractiveShell):
    """IPython without a notebook around it: what only a notebook can do is passed over instead of ending the cell."""

    def enable_gui(self, gui=None):
        """There are no windows here; `%matplotlib inline` asks all the same."""

    def run_line_magic(self, magic_name, line, _stack_depth=1):
        try:
            return super().run_line_magic(magic_name, line, _stack_depth + 1)
        except UsageError as error:
            print(f"Passed over: %{magic_name} {line}: {error}")

    def showtraceback(self, *_, **__):
        """The grader gets the error itself, with the lines of the cell and without the paths of this machine."""

    showsyntaxerror = showtraceback


@contextmanager
def time_limit(seconds: float):
    """Stop after so many seconds of computing time; the grader watches the time that passes in waiting."""

    def stop(*_):
        raise OutOfTime(f"it did not finish within {seconds:g} seconds of computing time")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def kill_leftover_processes() -> None:
    """End what a cell or a call has started. In a namespace of its own, every other process is the hand-in's."""
    if os.getpid() != WORKER:
        os._exit(0)
    if JOB["own_namespace"]:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)


def statements(shell: InteractiveShell, source: str) -> list[str]:
    """The statements of a cell one by one, for a run that goes on after one that fails."""
    try:
        return [ast.unparse(each) for each in ast.parse(shell.transform_cell(source)).body]
    except SyntaxError:
        return [source]


def run_cell(shell: InteractiveShell, source: str) -> tuple[list[dict], BaseException | None]:
    """Run a cell: its outputs, and the first error in it, if there was one."""
    first_error = None
    with capture_output() as captured, time_limit(JOB["cell_seconds"]):
        for part in statements(shell, source) if JOB["statement_by_statement"] else [source]:
            result = shell.run_cell(part, store_history=False)
            error = result.error_before_exec or result.error_in_exec
            first_error = first_error or error
            if isinstance(error, OutOfTime):
                break
    kill_leftover_processes()
    outputs = [{"text": captured.stdout[:MAX_TEXT]}] if captured.stdout else []
    for output in captured.outputs:
        picture = output.data.get("image/png", "")
        if picture and len(picture) <= MAX_PICTURE:
            outputs.append({"png": picture})
        elif picture:
            outputs.append({"text": "[A picture that is too large to keep]"})
        else:
            outputs.append({"text": str(output.data.get("text/plain", ""))[:MAX_TEXT]})
    return outputs[:MAX_OUTPUTS], first_error


def describe_error(error: BaseException) -> dict:
    """The class, the message and the lines of the hand-in that an error passed through."""
    try:
        message = str(error)[:1000]
    except Exception:
        message = "its message cannot be shown"
    # The paths of Python and its packages are those of the machine that grades.
    for number, prefix in enumerate((sys.prefix, sys.base_prefix)):
        message = message.replace(prefix, ("python", "base")[number])
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "ipython-input" in frame.filename]
    lines = [f"line {frame.lineno}: {frame.line}"[:200] for frame in frames[-MAX_FRAMES:]]
    if isinstance(error, SyntaxError) and error.lineno:
        lines, message = [f"line {error.lineno}: {(error.text or '').strip()}"[:200]], str(error.msg)[:1000]
    return {"kind": type(error).__name__, "message": message, "lines": lines}


def answer_request(names: dict, request: dict) -> dict:
    """The value of a name, or what the function of that name returns."""
    if request["name"] not in names:
        return {"missing": True}
    value = names[request["name"]]
    try:
        with capture_output(), time_limit(JOB["call_seconds"]):
            if "arguments" in request:
                value = value(*unpack(request["arguments"]))
    except BaseException as error:
        return {"error": describe_error(error)}
    finally:
        kill_leftover_processes()
    try:
        packed = pack(value)
        size = len(json.dumps(packed))
    except Exception as error:
        return {"not_plain": str(error)[:1000]}
    if size > MAX_VALUE:
        return {"not_plain": f"{size / 1e6:.1f} MB of data, more than the {MAX_VALUE / 1e6:g} MB that a test reads"}
    return {"value": packed}


def main(incoming, outgoing) -> None:
    def send(message: dict) -> None:
        outgoing.write(json.dumps(message) + "\n")
        outgoing.flush()

    quiet = Config(HistoryManager={"enabled": False}, InteractiveShell={"colors": "nocolor"})
    shell = NotebookShell.instance(config=quiet)
    send({"ready": True})
    for source in JOB["cells"]:
        outputs, error = run_cell(shell, source)
        for output in outputs:
            send({"output": output})
        send({"done": True, "error": error and describe_error(error)})
    for line in incoming:
        request = json.loads(line)
        send({"id": request["id"]} | answer_request(shell.user_ns, request))


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
