"""A sandbox for code that is not trusted: it sees Python, the library and an empty scratch folder, and nothing else.

Bubblewrap gives every run its own mount, process and network namespaces, and a filter of system calls closes the ways
around them. When root starts a run, the run becomes a user that owns nothing and that no other run has. Limits on time,
memory, processes and disk hold for root and for everyone else.
"""

import json
import os
import resource
import secrets
import select
import shutil
import site
import subprocess
import sys
import sysconfig
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

import pla_lib
from homework.grader import seccomp_filter
from homework.grader.control_group import ControlGroup, ProcessTree, wants_processor

GRADER = Path(__file__).resolve().parent
REPOSITORY = GRADER.parents[1]
LIBRARY = Path(pla_lib.__file__).resolve().parent
WORKER = "homework.grader.sandbox_worker"
WORKER_FILES = ("__init__.py", "sandbox_worker.py", "wire_format.py")
MAX_DISK = 64 << 20  # bytes, of the scratch folder
MAX_PROCESSES = 32
MAX_FILES = 256  # that a process has open
MAX_MESSAGE = 1 << 20  # bytes
START_SECONDS = 60  # for Python to start
SEND_SECONDS = 60  # for a run to read what it is sent
MAX_WAIT = 1800  # seconds on the clock that the grader waits for one run, however little of them the run uses
TICK = 0.2  # seconds between two looks at a run
LOWER_PRIORITY = 5  # added to the niceness of a run
REFUSAL = """Hand-ins cannot run in a sandbox here: {reason}.
If you trust every hand-in as you trust your own code, run 'make grade UNSAFE=1 ...' instead."""
NOT_LINUX = "the sandbox needs Linux"
NOT_INSTALLED = "{name} is not installed (on Debian or Ubuntu: sudo apt-get install {package})"
NOT_STARTED = (
    "bubblewrap failed to start with '{error}'; without root it needs user namespaces, which an administrator can allow"
)
READABLE = "{folder} is inside {place}, which hand-ins can read; move it elsewhere"
TOO_SLOW = "it did not finish in time"
UNREADABLE = "its answer cannot be read"


class Limits(NamedTuple):
    """What a hand-in may use. Seconds are its own: computing or asleep, but not waiting for a busy processor."""

    cell_seconds: float = 60  # for one cell
    call_seconds: float = 10  # for one call of an answer
    hand_in_seconds: float = 300  # for one run of a hand-in
    grace_seconds: float = 5  # for a cell or a call to stop by itself; then its process is stopped
    memory: int = 2 << 30  # bytes, of one process and of all processes of a run together


class SandboxEnded(Exception):
    """The run has ended or was stopped; the message says why."""

    def __init__(self, why: str, timed_out: bool = False):
        super().__init__(why)
        self.timed_out = timed_out


def bind_arguments(places: list[Path]) -> tuple[list[str], list[Path]]:
    """Arguments that make bubblewrap show these places as they are here, symbolic links included; and what they open.

    Python finds its library from where its links lead, so a link has to stay a link.
    """
    arguments, shown, made = [], [], {Path("/"), Path("/tmp")}
    for place in map(Path, places):
        path, left = Path("/"), list(place.parts[1:])
        while left:
            path /= left.pop(0)
            new = path not in made and not any(path.is_relative_to(each) for each in shown)
            made.add(path)
            if path.is_symlink():
                target = os.readlink(path)
                arguments += ["--symlink", target, str(path)] if new else []
                resolved = os.path.normpath(path.parent.joinpath(target, *left))
                path, left = Path("/"), list(Path(resolved).parts[1:])
            elif new and left:
                arguments += ["--perms", "0755", "--dir", str(path)]  # bubblewrap itself would close it to others
            elif new and path.exists():
                arguments += ["--ro-bind", str(path), str(path)]
                shown.append(path)
    return arguments, shown


def needed_places() -> list[Path]:
    """The files and folders of this machine that Python needs. Never all of /usr: hand-ins can read what is in it."""
    base, architecture = Path(sys.base_prefix), sysconfig.get_config_var("MULTIARCH")
    is_conda = (base / "conda-meta").is_dir()
    return [
        Path(sysconfig.get_path("stdlib")),
        Path(sysconfig.get_path("platstdlib")),
        *map(Path, site.getsitepackages()),
        *([Path("/lib", architecture), Path("/usr/lib", architecture)] if architecture else []),
        *([base / "lib"] if is_conda else sorted(base.glob("lib/lib*.so*"))),
        Path("/lib64"),
        Path("/usr/lib64"),
        Path("/etc/ld.so.cache"),
        Path(sys.prefix, "pyvenv.cfg"),
        Path(sys.executable),
        Path("/bin/sh"),  # without it, a cell with !pip would end the run instead of showing an error
        *([_setpriv()] if os.geteuid() == 0 else []),
    ]


def _setpriv() -> Path:
    return Path(shutil.which("setpriv", path=os.defpath) or "/usr/bin/setpriv")


def sandbox_command(package: Path, filter_descriptor: int) -> list[str]:
    """The command that starts the worker with the folder `package` as its pla_lib."""
    # The scratch folder comes first, because the environment itself may lie below it.
    arguments = ["--perms", "1777", "--size", str(MAX_DISK), "--tmpfs", "/tmp", "--chdir", "/tmp"]
    binds, shown = bind_arguments(needed_places())
    arguments += binds
    for place in ("/library", "/grader", "/grader/homework", "/grader/homework/grader"):
        arguments += ["--perms", "0755", "--dir", place]
    for name in WORKER_FILES:
        arguments += ["--ro-bind", str(GRADER / name), f"/grader/homework/grader/{name}"]
    if any(LIBRARY.is_relative_to(place) for place in shown):
        arguments += ["--tmpfs", str(LIBRARY)]
    arguments += ["--ro-bind", str(package), "/library/pla_lib"]
    arguments += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--remount-ro", "/"]
    arguments += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    arguments += ["--die-with-parent", "--new-session", "--seccomp", str(filter_descriptor), "--clearenv"]
    for name, value in _environment(Path("/library"), Path("/grader")).items():
        arguments += ["--setenv", name, value]
    as_nobody = []
    if os.geteuid() == 0:
        arguments += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        user = _fresh_user()
        as_nobody = [str(_setpriv()), f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"]
    else:
        arguments += ["--unshare-user"]
    return ["bwrap", *arguments, *as_nobody, *_python()]


def _python() -> list[str]:
    return [sys.executable, "-B", "-P", "-m", WORKER]


def _environment(*packages: Path) -> dict[str, str]:
    return {
        "PYTHONPATH": ":".join(map(str, packages)),
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": "/tmp",
        "LC_ALL": "C.UTF-8",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "NUMBA_DISABLE_JIT": "1",  # compiling takes longer than any task here
        "OPENBLAS_NUM_THREADS": "1",
    }


def _fresh_user() -> int:
    """A user for one run of root's, by chance among so many that no other run and no account has the same."""
    ranges = [list(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    first, _, size = max(ranges, key=lambda each: each[2])
    quarter = max(size // 4, 1000)
    taken = {process.info["uids"].real for process in psutil.process_iter(["uids"]) if process.info["uids"]}
    while (user := first + quarter + secrets.randbelow(quarter)) in taken:
        pass
    return user


def install_bubblewrap() -> None:
    """Install Debian's bubblewrap and libseccomp if root runs this. For others, `refusal` says what to ask for."""
    missing = {"bubblewrap": not shutil.which("bwrap"), "libseccomp2": not _has_libseccomp()}
    packages = [package for package, is_missing in missing.items() if is_missing]
    if packages and sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing Debian's {' and '.join(packages)}, for the sandbox of hand-ins (once)", flush=True)
        wait = ["-qq", "-o", "DPkg::Lock::Timeout=600"]  # for another installation that is under way
        subprocess.run(["apt-get", *wait, "update"])
        subprocess.run(["apt-get", *wait, "install", "-y", *packages], stdout=subprocess.DEVNULL)


def _has_libseccomp() -> bool:
    try:
        return bool(seccomp_filter.load_library())
    except OSError:
        return False


def refusal(*work: Path) -> str | None:
    """Why hand-ins cannot run in a sandbox here, or not with these folders; None if a first try works."""
    if sys.platform != "linux":
        return REFUSAL.format(reason=NOT_LINUX)
    if not shutil.which("bwrap"):
        return REFUSAL.format(reason=NOT_INSTALLED.format(name="bubblewrap", package="bubblewrap"))
    if not _has_libseccomp():
        return REFUSAL.format(reason=NOT_INSTALLED.format(name="libseccomp", package="libseccomp2"))
    for place in (*bind_arguments(needed_places())[1], LIBRARY):
        for folder in work:
            if folder.resolve().is_relative_to(place.resolve()):
                return REFUSAL.format(reason=READABLE.format(folder=folder, place=place))
    try:
        trial = Sandbox(LIBRARY, {"cells": [], "cell_seconds": 1, "call_seconds": 1})
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
    """One run: it gets a job, then answers requests for values and calls; see sandbox_worker.py."""

    def __init__(self, package: Path, job: dict, limits: Limits = Limits(), unsafe: bool = False):  # noqa: B008
        self.limits = limits
        self.why_it_ended = "it ended its own process, as os._exit does"
        self.received = bytearray()
        self.in_one_process = {
            "AS": limits.memory,
            "NPROC": MAX_PROCESSES + _threads_of_this_user(unsafe),
            "FSIZE": MAX_DISK,
            "CORE": 0,
            "CPU": int(limits.hand_in_seconds) + 1,
            "NOFILE": MAX_FILES,
        }
        self._start(package, unsafe)
        self.own_time = OwnTime(self.group or self.tree)
        with suppress(SandboxEnded):  # a run that did not start says why when it is first asked
            self.send(job | {"limits": self.in_one_process, "own_namespace": not unsafe})

    def _start(self, package: Path, unsafe: bool) -> None:
        # Bubblewrap keeps its environment, and hand-ins of the same user can read it.
        environment = _environment(package.parent, REPOSITORY) if unsafe else {"PATH": os.environ.get("PATH", "")}
        descriptors = [] if unsafe else [seccomp_filter.open_filter()]
        try:
            command = _python() if unsafe else sandbox_command(package, *descriptors)
            # The shell waits for a line, so that the run is in its control group before it does anything.
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", 'read -r _; exec "$@"', "sh", *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=environment,
                pass_fds=descriptors,
            )
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        os.setpriority(os.PRIO_PROCESS, self.process.pid, LOWER_PRIORITY)
        if hasattr(resource, "prlimit"):  # for all processes of the run, the first one included
            for name, limit in self.in_one_process.items():
                resource.prlimit(self.process.pid, getattr(resource, f"RLIMIT_{name}"), (limit, limit))
        self.tree, self.group = ProcessTree(self.process.pid), None
        try:
            self.group = ControlGroup(self.limits.memory, MAX_PROCESSES)
            self.group.add(self.process.pid)
        except OSError:
            self._remove_group()
            threading.Thread(target=self._watch_memory, daemon=True).start()
        os.set_blocking(self.process.stdin.fileno(), False)
        self.process.stdin.write(b"start\n")

    @property
    def spent(self) -> float:
        """The run's own seconds in which the grader waited for it."""
        return self.own_time.seconds

    def send(self, message: dict) -> None:
        """Send a message; SandboxEnded if the run does not read it."""
        left = json.dumps(message).encode() + b"\n"
        limit = self.spent + SEND_SECONDS
        with self.own_time:
            while left:
                if select.select([], [self.process.stdin], [], TICK)[1]:
                    try:
                        left = left[os.write(self.process.stdin.fileno(), left) :]
                    except BrokenPipeError:
                        self._end()
                self._check_limits(limit)

    def receive(self, seconds: float) -> dict:
        """The next message; SandboxEnded if none comes in so many own seconds of the run, or none that can be read."""
        limit = self.spent + seconds
        with self.own_time:
            while b"\n" not in self.received:
                if select.select([self.process.stdout], [], [], TICK)[0]:
                    chunk = os.read(self.process.stdout.fileno(), 1 << 16)
                    self.received += chunk
                    if not chunk:
                        self._end()
                    if b"\n" in chunk:
                        break
                    if len(self.received) > MAX_MESSAGE:
                        self.stop(f"it returned too much data (more than {MAX_MESSAGE >> 20} MB)")
                self._check_limits(limit)
        if self._ran_out_of_memory():
            self._end()
        line, _, self.received = self.received.partition(b"\n")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self.stop(UNREADABLE)
        if not isinstance(message, dict):
            self.stop(UNREADABLE)
        return message

    def _check_limits(self, limit: float) -> None:
        """Stop the run if its own time is up, or if processes of it had to be killed."""
        if not self.own_time.is_due():
            return
        self.own_time.add()
        if self._ran_out_of_memory():
            self._end()
        if self.own_time.seconds > limit or self.own_time.on_the_clock > MAX_WAIT:
            self.stop(TOO_SLOW, timed_out=True)

    def _ran_out_of_memory(self) -> bool:
        return bool(self.group) and self.group.ran_out_of_memory()

    def _end(self) -> None:
        """Raise SandboxEnded for a run that has ended without being stopped from here."""
        if self._ran_out_of_memory():
            self._note_memory()
        self.stop(self.why_it_ended)

    def stop(self, why: str | None = None, timed_out: bool = False) -> None:
        """Stop every process of this run; raise SandboxEnded if a reason is given."""
        self.tree.kill()
        self.process.wait()
        self._remove_group()
        if why:
            raise SandboxEnded(why, timed_out)

    def _remove_group(self) -> None:
        group, self.group = self.group, None
        if group:
            group.remove()

    def error_text(self) -> str:
        """The start of what the run has written to its standard error so far."""
        os.set_blocking(self.process.stderr.fileno(), False)
        return (self.process.stderr.read(300) or b"").decode(errors="replace").strip()

    def _note_memory(self) -> None:
        self.why_it_ended = f"it took more than {self.limits.memory / 2**30:g} GB of memory"

    def _watch_memory(self) -> None:
        """Where there is no control group, stop a run whose processes together hold too much."""
        while self.process.poll() is None:
            # The scratch folder is in memory, too. It counts as if it were full.
            if self.tree.memory() + MAX_DISK > self.limits.memory:
                self._note_memory()
                self.tree.kill()
            time.sleep(TICK)


class OwnTime:
    """The time that a run itself takes while the grader waits for it (in a `with` block).

    It is the computing time of all its processes, and the time in which none of them wanted to compute. What a run
    waits for a processor that others keep busy does not count.
    """

    def __init__(self, processes: ControlGroup | ProcessTree):
        self.processes = processes
        self.seconds = self.on_the_clock = 0.0

    def __enter__(self) -> None:
        self.last, self.computed = time.monotonic(), self.processes.processor_seconds()

    def __exit__(self, *_) -> None:
        self.add()

    def is_due(self) -> bool:
        return time.monotonic() - self.last >= TICK

    def add(self) -> None:
        now, computed = time.monotonic(), self.processes.processor_seconds()
        elapsed = now - self.last
        # On a busy machine this process waits for a processor, too; a long time between two looks says nothing.
        idle = 0 if wants_processor(self.processes.processes()) else min(elapsed, 2 * TICK)
        self.seconds += max(computed - self.computed, idle)
        self.on_the_clock += elapsed
        self.last, self.computed = now, computed


def _threads_of_this_user(unsafe: bool) -> int:
    """A limit on processes also counts what its user runs elsewhere. The users of root's runs run nothing else."""
    if os.geteuid() == 0 and not unsafe:
        return 0
    running = (process.info for process in psutil.process_iter(["uids", "num_threads"]))
    return sum(info["num_threads"] for info in running if info["uids"] and info["uids"].real == os.geteuid())


if __name__ == "__main__":
    install_bubblewrap()
    print(refusal() or "Hand-ins will run in a bubblewrap sandbox.")
