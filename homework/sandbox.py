"""A place for code that is not trusted: it sees Python, the library and an empty scratch folder, nothing else.

Bubblewrap gives every run its own mount, process and network namespaces. Started by root, the run becomes a user that
owns nothing; limits on time, memory, processes and disk hold for either.
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

HERE = Path(__file__).parent
MEMORY = 2 << 30  # bytes, of a process and of all of a run together
DISK = 64 << 20  # bytes, of the scratch folder
PROCESSES = 32
LINE = 16 << 20  # bytes, of one message
FIRST_USER = 61_000  # the users that runs become, one to a process that marks; no account has these numbers
HOW_TO = """Hand-ins are not trusted, and here they cannot be kept apart from the rest of this machine: {reason}.
Do one of these and run make again:
  on Debian or Ubuntu:  sudo apt-get install bubblewrap
  anywhere else:        install bubblewrap (bwrap), and allow user namespaces
  if you trust every hand-in as you trust your own code:  make grade UNSAFE=1 ..."""


class Ended(Exception):
    """The run has ended, or was ended; says why."""


def command(package: Path, unsafe: bool = False) -> list[str]:
    """How to start hand_in.py with the folder `package` as its pla_lib."""
    python = [sys.executable, "-B"]
    if unsafe:
        return ["env", "-i", *_environment(HERE, package.parent), *python, str(HERE / "hand_in.py")]
    visible = ["/usr", sys.base_prefix, sys.prefix]
    # The scratch folder first: the environment itself may lie below it.
    arguments = ["--perms", "1777", "--size", str(DISK), "--tmpfs", "/tmp", "--chdir", "/tmp"]
    for place in visible:
        for above in reversed(Path(place).parents[:-1]):
            arguments += ["--perms", "0755", "--dir", str(above)]  # bubblewrap itself would close them to others
        arguments += ["--ro-bind", place, place]
    for place in ("/bin", "/sbin", "/lib", "/lib64"):
        if os.path.islink(place):
            arguments += ["--symlink", os.readlink(place), place]
        else:
            arguments += ["--ro-bind-try", place, place]
    arguments += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    arguments += ["--perms", "0755", "--dir", "/grader", "--perms", "0755", "--dir", "/library"]
    for name in ("hand_in.py", "plain_data.py"):
        arguments += ["--ro-bind", str(HERE / name), f"/grader/{name}"]
    installed = Path(pla_lib.__file__).parent
    if any(installed.is_relative_to(place) for place in visible):
        arguments += ["--tmpfs", str(installed)]
    arguments += ["--ro-bind", str(package), "/library/pla_lib"]
    arguments += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--remount-ro", "/"]
    arguments += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    arguments += ["--die-with-parent", "--new-session", "--clearenv"]
    drop = []
    if os.geteuid() == 0:
        arguments += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        user = str(FIRST_USER + os.getpid() % 4000)
        drop = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"]
    else:
        arguments += ["--unshare-user"]
    inside = ["env", *_environment(Path("/grader"), Path("/library"))]
    return ["bwrap", *arguments, *drop, *inside, *python, "/grader/hand_in.py"]


def _environment(grader: Path, library: Path) -> list[str]:
    return [
        f"PYTHONPATH={library}:{grader}",
        f"PATH={Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME=/tmp",
        "LC_ALL=C.UTF-8",
        "MPLBACKEND=module://matplotlib_inline.backend_inline",
        "NUMBA_DISABLE_JIT=1",  # compiling takes longer than any task here
        "OPENBLAS_NUM_THREADS=1",
    ]


def install() -> None:
    """Debian's bubblewrap, where root asks for it; elsewhere `refusal` says what to do."""
    if not shutil.which("bwrap") and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Debian's bubblewrap, to keep hand-ins apart (once)", flush=True)
        subprocess.run(["apt-get", "update", "-qq"])
        subprocess.run(["apt-get", "install", "-y", "-qq", "bubblewrap"], stdout=subprocess.DEVNULL)


def refusal(package: Path) -> str | None:
    """Why nothing can be kept apart here, if so: bubblewrap is missing, or a first run in it fails."""
    if sys.platform != "linux":
        return HOW_TO.format(reason="only Linux can")
    if not shutil.which("bwrap"):
        return HOW_TO.format(reason="bubblewrap is not installed")
    run = Sandbox(command(package), [], time.monotonic() + 60, 1, 1)
    try:
        run.hear(60)
    except Ended:
        return HOW_TO.format(reason=f"a first try failed ({run.complaint() or 'with no word'})")
    finally:
        run.end()
    return None


class Sandbox:
    """One run: it is told which cells to run, then asked for values and calls; see hand_in.py."""

    def __init__(self, command: list[str], cells: list[str], deadline: float, cell_seconds: int, call_seconds: int):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        self.deadline = deadline
        self.why = "it ended its own process"
        self.heard = b""
        seconds, processes = int(deadline - time.monotonic()) + 1, PROCESSES + _running_elsewhere()
        limits = {"AS": MEMORY, "NPROC": processes, "FSIZE": DISK, "CORE": 0, "CPU": seconds}
        job = {"cells": cells, "limits": limits, "cell_seconds": cell_seconds, "call_seconds": call_seconds}
        job["alone"] = command[0] == "bwrap"
        threading.Thread(target=self._watch, daemon=True).start()
        self.tell(job)

    def tell(self, message: dict) -> None:
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
        except BrokenPipeError:
            raise Ended(self.why) from None

    def hear(self, seconds: float) -> dict:
        """The next message; Ended if there is none in time, or none that can be read."""
        deadline = min(time.monotonic() + seconds, self.deadline)
        while b"\n" not in self.heard:
            wait = deadline - time.monotonic()
            if wait <= 0 or not select.select([self.process.stdout], [], [], wait)[0]:
                self.end("it did not come to an end and was stopped")
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            self.heard += more
            if not more:
                self.end(self.why)
            if len(self.heard) > LINE:
                self.end("it gave more than can be read")
        line, _, self.heard = self.heard.partition(b"\n")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self.end("what it gave cannot be read")
        if not isinstance(message, dict):
            self.end("what it gave cannot be read")
        return message

    def end(self, why: str | None = None) -> None:
        """Stop everything of this run; raise Ended if a reason is given."""
        self.process.kill()
        self.process.wait()
        if why:
            raise Ended(why)

    def complaint(self) -> str:
        return self.process.stderr.read().decode(errors="replace").strip()[:300]

    def _watch(self) -> None:
        """End a run whose processes together hold too much."""
        while self.process.poll() is None:
            if _held(self.process.pid) > MEMORY:
                self.why = f"it took more than {MEMORY >> 30} GB of memory"
                self.process.kill()
            time.sleep(0.2)


def _held(parent: int) -> int:
    """The memory of all that a process has started, in bytes."""
    held = 0
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(parent).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                held += process.memory_info().rss
    return held


def _running_elsewhere() -> int:
    """A limit on processes counts what its user runs elsewhere, too; the users that root's runs become run nothing."""
    if os.geteuid() == 0:
        return 0
    running = (process.info for process in psutil.process_iter(["uids", "num_threads"]))
    return sum(info["num_threads"] for info in running if info["uids"] and info["uids"].real == os.geteuid())


if __name__ == "__main__":
    install()
    print(refusal(Path(pla_lib.__file__).parent) or "Hand-ins will run in bubblewrap.")
