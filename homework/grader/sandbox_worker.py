"""Runs inside the sandbox: the cells of one hand-in, then calls of what they define. It speaks in lines of JSON.

Once a cell of the hand-in has run, nothing that this process writes can be trusted, and the grader treats it so.
"""

import ast
import json
import os
import re
import resource
import signal
import sys
import traceback
from contextlib import contextmanager, suppress

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
        if magic_name == "config" and "figure_format" in line:
            return None  # pictures are kept as PNG only
        try:
            return super().run_line_magic(magic_name, line, _stack_depth + 1)
        except Exception as error:
            print(f"Skipped: %{magic_name} {line} ({error})")

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
    if re.match(r"\s*%%(time|timeit|capture|prun)\b", source):  # all below it would be one statement
        source = source.lstrip().partition("\n")[2]
    try:
        return [ast.unparse(each) for each in ast.parse(shell.transform_cell(source)).body]
    except SyntaxError:
        return [source]


def after_failed_import(shell: InteractiveShell, source: str, error: BaseException) -> str:
    """The rest of a cell behind an import that failed: many are never used. Nothing if something else failed."""
    frame = next((f for f in traceback.extract_tb(error.__traceback__) if "ipython-input" in f.filename), None)
    if not isinstance(error, ImportError) or frame is None or frame.name != "<module>":
        return ""
    source = shell.transform_cell(source)
    for each in ast.parse(source).body:
        if isinstance(each, ast.Import | ast.ImportFrom) and each.lineno <= frame.lineno <= each.end_lineno:
            return "\n" * each.end_lineno + "\n".join(source.splitlines()[each.end_lineno :])
    return ""


def run_cell(shell: InteractiveShell, source: str) -> tuple[list[dict], BaseException | None]:
    """Run a cell: its outputs, and the first error in it, if there was one."""
    first_error = None
    with capture_output() as captured, time_limit(JOB["cell_seconds"]):
        parts = statements(shell, source) if JOB["statement_by_statement"] else [source]
        while parts:
            part = parts.pop(0)
            result = shell.run_cell(part, store_history=False)
            error = result.error_before_exec or result.error_in_exec
            first_error = first_error or error
            if isinstance(error, OutOfTime):
                break
            if error and not parts and (rest := after_failed_import(shell, part, error)):
                parts = [rest]
    kill_leftover_processes()
    outputs = [{"text": cut(captured.stdout)}] if captured.stdout else []
    outputs += [kept_output(output.data) for output in captured.outputs]
    left_out = len(outputs) - MAX_OUTPUTS
    more = [{"text": f"[{left_out} more outputs are not kept]"}] if left_out > 0 else []
    return outputs[:MAX_OUTPUTS] + more, first_error


def kept_output(data: dict) -> dict:
    """What is kept of something that a cell displays: a picture, or text."""
    picture = data.get("image/png", "")
    if picture and len(picture) <= MAX_PICTURE:
        return {"png": picture}
    if picture:
        return {"text": "[This picture is too large to keep]"}
    kinds = ("text/markdown", "text/latex", "text/plain")
    return {"text": cut(next((str(data[kind]) for kind in kinds if data.get(kind)), ""))}


def cut(text: str) -> str:
    """The beginning and the end of a long text; of a line that a progress bar wrote anew, what it showed last."""
    if len(text) > MAX_TEXT:
        half = MAX_TEXT // 2
        text = f"{text[:half]}\n[... {len(text) - 2 * half} characters are not kept ...]\n{text[-half:]}"
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))


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
