"""A sandbox for code that is not trusted: it sees Python, the library and an empty scratch folder, and nothing else.

Bubblewrap gives every run its own mount, process and network namespaces. When root starts a run, the run becomes a user
that owns nothing. Limits on time, memory, processes and disk hold for root and for everyone else.
"""

import json
import os
import select
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil

import pla_lib

GRADER = Path(__file__).parent
REPOSITORY = GRADER.parents[1]
LIBRARY = Path(pla_lib.__file__).parent
WORKER = "homework.grader.sandbox_worker"
WORKER_FILES = ("__init__.py", "sandbox_worker.py", "wire_format.py")
MAX_MEMORY = 2 << 30  # bytes, of one process and of all processes of a run together
MAX_DISK = 64 << 20  # bytes, of the scratch folder
MAX_PROCESSES = 32
MAX_MESSAGE = 16 << 20  # bytes
START_SECONDS = 60  # for Python to start
FIRST_USER = 61_000  # root's runs become users from here on, one per grading process; no account has these numbers
REFUSAL = """Hand-ins are not trusted, and they cannot run in a sandbox here: {reason}.
If you trust every hand-in as you trust your own code, run 'make grade UNSAFE=1 ...' instead."""
NOT_LINUX = "the sandbox needs Linux"
NOT_INSTALLED = "bubblewrap is not installed (on Debian or Ubuntu: sudo apt-get install bubblewrap)"
NOT_STARTED = (
    "a first try of bubblewrap failed with '{error}'; "
    "for ordinary users it needs user namespaces, which an administrator can allow"
)


class SandboxEnded(Exception):
    """The run has ended or was stopped; the message says why."""


def sandbox_command(package: Path, unsafe: bool = False) -> list[str]:
    """The command that starts the worker with the folder `package` as its pla_lib."""
    python = [sys.executable, "-B", "-P", "-m", WORKER]
    if unsafe:
        return ["env", "-i", *_environment(package.parent, REPOSITORY), *python]
    visible = ["/usr", sys.base_prefix, sys.prefix]
    # The scratch folder comes first, because the environment itself may lie below it.
    arguments = ["--perms", "1777", "--size", str(MAX_DISK), "--tmpfs", "/tmp", "--chdir", "/tmp"]
    for place in visible:
        for parent in reversed(Path(place).parents[:-1]):
            arguments += ["--perms", "0755", "--dir", str(parent)]  # bubblewrap itself would close them to others
        arguments += ["--ro-bind", place, place]
    for place in ("/bin", "/sbin", "/lib", "/lib64"):
        if os.path.islink(place):
            arguments += ["--symlink", os.readlink(place), place]
        else:
            arguments += ["--ro-bind-try", place, place]
    arguments += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for place in ("/library", "/grader", "/grader/homework", "/grader/homework/grader"):
        arguments += ["--perms", "0755", "--dir", place]
    for name in WORKER_FILES:
        arguments += ["--ro-bind", str(GRADER / name), f"/grader/homework/grader/{name}"]
    if any(LIBRARY.is_relative_to(place) for place in visible):
        arguments += ["--tmpfs", str(LIBRARY)]
    arguments += ["--ro-bind", str(package), "/library/pla_lib"]
    arguments += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--remount-ro", "/"]
    arguments += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    arguments += ["--die-with-parent", "--new-session", "--clearenv"]
    as_nobody = []
    if os.geteuid() == 0:
        arguments += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        user = str(FIRST_USER + os.getpid() % 4000)
        as_nobody = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"]
    else:
        arguments += ["--unshare-user"]
    return ["bwrap", *arguments, *as_nobody, "env", *_environment(Path("/library"), Path("/grader")), *python]


def _environment(*packages: Path) -> list[str]:
    return [
        f"PYTHONPATH={':'.join(map(str, packages))}",
        f"PATH={Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME=/tmp",
        "LC_ALL=C.UTF-8",
        "MPLBACKEND=module://matplotlib_inline.backend_inline",
        "NUMBA_DISABLE_JIT=1",  # compiling takes longer than any task here
        "OPENBLAS_NUM_THREADS=1",
    ]


def install_bubblewrap() -> None:
    """Install Debian's bubblewrap if root runs this. For everyone else, `refusal` says what to ask for."""
    if not shutil.which("bwrap") and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Debian's bubblewrap, the sandbox for hand-ins (once)", flush=True)
        subprocess.run(["apt-get", "update", "-qq"])
        subprocess.run(["apt-get", "install", "-y", "-qq", "bubblewrap"], stdout=subprocess.DEVNULL)


def refusal() -> str | None:
    """Why hand-ins cannot run in a sandbox here; None if a first try works."""
    if sys.platform != "linux":
        return REFUSAL.format(reason=NOT_LINUX)
    if not shutil.which("bwrap"):
        return REFUSAL.format(reason=NOT_INSTALLED)
    try:
        trial = Sandbox(sandbox_command(LIBRARY), [], time.monotonic() + START_SECONDS, 1, 1)
    except OSError as error:
        return REFUSAL.format(reason=NOT_STARTED.format(error=error))
    try:
        trial.receive(START_SECONDS)
    except SandboxEnded as ended:
        return REFUSAL.format(reason=NOT_STARTED.format(error=trial.error_text() or ended))
    finally:
        trial.stop()
    return None


class Sandbox:
    """One run: it gets the cells to run, then answers requests for values and calls; see sandbox_worker.py."""

    def __init__(self, command: list[str], cells: list[str], deadline: float, cell_seconds: int, call_seconds: int):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        self.deadline = deadline
        self.why_it_ended = "it ended its own process"
        self.received = b""
        seconds, processes = int(deadline - time.monotonic()) + 1, MAX_PROCESSES + _threads_of_this_user()
        limits = {"AS": MAX_MEMORY, "NPROC": processes, "FSIZE": MAX_DISK, "CORE": 0, "CPU": seconds}
        job = {"cells": cells, "limits": limits, "cell_seconds": cell_seconds, "call_seconds": call_seconds}
        job["own_namespace"] = command[0] == "bwrap"
        threading.Thread(target=self._watch_memory, daemon=True).start()
        with suppress(SandboxEnded):  # a run that did not start says why when it is first asked
            self.send(job)

    def send(self, message: dict) -> None:
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
        except BrokenPipeError:
            raise SandboxEnded(self.why_it_ended) from None

    def receive(self, seconds: float) -> dict:
        """The next message; SandboxEnded if none comes in time, or none that can be read."""
        deadline = min(time.monotonic() + seconds, self.deadline)
        while b"\n" not in self.received:
            wait = deadline - time.monotonic()
            if wait <= 0 or not select.select([self.process.stdout], [], [], wait)[0]:
                self.stop("it did not finish in time")
            chunk = os.read(self.process.stdout.fileno(), 1 << 20)
            self.received += chunk
            if not chunk:
                self.stop(self.why_it_ended)
            if len(self.received) > MAX_MESSAGE:
                self.stop("it returned too much data")
        line, _, self.received = self.received.partition(b"\n")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self.stop("its answer cannot be read")
        if not isinstance(message, dict):
            self.stop("its answer cannot be read")
        return message

    def stop(self, why: str | None = None) -> None:
        """Stop every process of this run; raise SandboxEnded if a reason is given."""
        self.process.kill()
        self.process.wait()
        if why:
            raise SandboxEnded(why)

    def error_text(self) -> str:
        """The start of what the run has written to its standard error so far."""
        os.set_blocking(self.process.stderr.fileno(), False)
        return (self.process.stderr.read(300) or b"").decode(errors="replace").strip()

    def _watch_memory(self) -> None:
        """Stop a run whose processes together hold too much."""
        while self.process.poll() is None:
            if _memory_of_descendants(self.process.pid) > MAX_MEMORY:
                self.why_it_ended = f"it took more than {MAX_MEMORY >> 30} GB of memory"
                self.process.kill()
            time.sleep(0.2)


def _memory_of_descendants(parent: int) -> int:
    """The memory of all processes below a process, in bytes."""
    memory = 0
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(parent).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                memory += process.memory_info().rss
    return memory


def _threads_of_this_user() -> int:
    """A limit on processes also counts what its user runs elsewhere. The users of root's runs run nothing else."""
    if os.geteuid() == 0:
        return 0
    running = (process.info for process in psutil.process_iter(["uids", "num_threads"]))
    return sum(info["num_threads"] for info in running if info["uids"] and info["uids"].real == os.geteuid())


if __name__ == "__main__":
    install_bubblewrap()
    print(refusal() or "Hand-ins will run in a bubblewrap sandbox.")
