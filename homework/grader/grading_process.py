"""One hand-in is graded in a process of its own, so that nothing in it can stop or slow down the rest.

`run_tests` reads the file and compares the answers. Both can be made to take hours or all memory, so they get limits
that the system enforces, also inside compiled code. A test that exceeds its time is lost; the others are run again. An
answer that cannot be typeset within these limits is shown as it was written.
"""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
import warnings
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile

import nbformat

from homework.grader.run_tests import Packages, grade_hand_in
from homework.grader.sandbox import Limits

STEP_SECONDS = 30  # of computing time, for one test, and for reading or writing a notebook
MEMORY = 2 << 30  # bytes
MAX_OUTCOME = 64 << 20  # bytes
WALL_SECONDS = 3600  # for a hand-in, whatever it does
EXIT_SECONDS = 10  # for a process that has said all to end
MAX_LOST_STEPS = 5  # of a hand-in; each costs another run
OUT_OF_MEMORY = 71  # the exit code of a process that has none left, not even to say so
SLOW_TEST = "Checking what your code returned took more than {seconds:g} seconds of computing time."


class GradingDied(Exception):
    """The process ended without a result; the message says how."""


def grade_in_process(
    folder: Path,
    student: str,
    problem_set: Path,
    released: Path,
    packages: Packages,
    limits: Limits,
    step_seconds: float = STEP_SECONDS,
) -> dict:
    """The outcome of `grade_hand_in`, with its notebook as text."""
    paths = {"folder": folder, "problem_set": problem_set, "released": released}
    job = {name: str(path.absolute()) for name, path in paths.items()}
    job |= {"student": student, "limits": list(limits), "step_seconds": step_seconds}
    job["packages"] = [str(packages.library), str(packages.stub.absolute()), packages.unsafe]
    failed: dict[str, str] = {}
    deadline = time.monotonic() + WALL_SECONDS
    while True:
        step, outcome, ending = _run(job | {"failed": failed}, deadline)
        if outcome is not None:
            return outcome
        ran_out = ending in (f"signal {signal.SIGPROF.value}", f"exit code {OUT_OF_MEMORY}")
        if not ran_out or step in (None, "reading", *failed) or len(failed) == MAX_LOST_STEPS:
            raise GradingDied(f"its grading ended with {ending} while {step or 'starting'}")
        failed[step] = SLOW_TEST.format(seconds=step_seconds)


def _run(job: dict, deadline: float) -> tuple[str | None, dict | None, str]:
    """Start a process for a job: the last step that it began, the outcome if there is one, and how it ended."""
    repository = Path(__file__).parents[2]
    command = [sys.executable, "-m", "homework.grader.grading_process", job["folder"]]  # ps shows whose turn it is
    ended = False
    with TemporaryFile() as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=repository, bufsize=0
        )
        try:
            process.stdin.write(json.dumps(job).encode() + b"\n")
            process.stdin.close()
            written, ended = _read(process.stdout.fileno(), deadline)
        except BrokenPipeError:
            written, ended = b"", True
        finally:
            with suppress(subprocess.TimeoutExpired):
                process.wait(EXIT_SECONDS if ended else 0)
            process.kill()
            code = process.wait()
            process.stdout.close()
        errors.seek(0)
        last_line = errors.read().decode(errors="replace").strip().rpartition("\n")[2]
    messages = [json.loads(line) for line in written.split(b"\n")[:-1]]
    steps = [message["step"] for message in messages if "step" in message]
    outcome = next((message["outcome"] for message in messages if "outcome" in message), None)
    ending = f"signal {-code}" if code < 0 else f"exit code {code}" + (f": {last_line}" if last_line else "")
    return steps[-1] if steps else None, outcome, ending


def _read(stream: int, deadline: float) -> tuple[bytes, bool]:
    """What a process writes, and whether it closed the stream before there was too much or it was too late."""
    chunks, size = [], 0
    while (wait := deadline - time.monotonic()) > 0 and size < MAX_OUTCOME and select.select([stream], [], [], wait)[0]:
        chunk = os.read(stream, 1 << 20)
        if not chunk:
            return b"".join(chunks), True
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks), False


@contextmanager
def step_limit(seconds: float, step: str):
    """Say which step begins, and let the system end this process if it computes for too long, also after the step."""
    _send({"step": step})
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _send(message: dict) -> None:
    CHANNEL.write(json.dumps(message) + "\n")
    CHANNEL.flush()


def main() -> None:
    job = json.loads(sys.stdin.readline())
    warnings.simplefilter("ignore")
    library, stub, unsafe = job["packages"]
    # Only the soft limits: the sandbox, whose processes descend from this one, sets limits of its own.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    signal.setitimer(signal.ITIMER_PROF, job["step_seconds"])
    outcome = grade_hand_in(
        Path(job["folder"]),
        job["student"],
        Path(job["problem_set"]),
        Path(job["released"]),
        Packages(Path(library), Path(stub), unsafe),
        Limits(*job["limits"]),
        job["failed"],
        partial(step_limit, job["step_seconds"]),
    )
    outcome["notebook"] = nbformat.writes(outcome["notebook"])
    _send({"outcome": outcome})


if __name__ == "__main__":
    CHANNEL = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what tests print goes elsewhere
    try:
        main()
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
