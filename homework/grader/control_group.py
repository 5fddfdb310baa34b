"""All processes of one run: what they use together, and the limits on that.

Where this process may make control groups, which usually only root may, the kernel keeps the account and the limits.
Elsewhere a ProcessTree looks at the processes one by one, several times a second.
"""

import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import psutil

NAME = "hand-in-{process}-{number}"
CONTROLLERS = ("memory", "pids", "cpu")
ONE_PROCESS = {1: 1024, 2: 100}  # the share of the processor of one ordinary process, in each version
BUBBLEWRAP_PROCESSES = 4
# Waits until its input is closed, which also happens when the grader is killed. A group is busy until it is empty.
REMOVE = """
read -r _
tries=0
until [ $tries -ge 100 ]; do
    left=
    for group in "$@"; do
        [ ! -d "$group" ] || { kill -9 $(cat "$group/cgroup.procs"); rmdir "$group" || left=yes; }
    done
    [ "$left" ] || exit 0
    tries=$((tries + 1))
    sleep 0.1
done
"""
_numbers = count()


def own_groups() -> dict[str, Path]:
    """The folders of the control groups that this process is in, by controller."""
    try:
        return find_own_groups(Path("/proc/self/mountinfo").read_text(), Path("/proc/self/cgroup").read_text())
    except OSError:
        return {}


def find_own_groups(mounts: str, memberships: str) -> dict[str, Path]:
    """The same from the texts of the two files; "" is the controller of the one hierarchy of version 2."""
    member = {}
    for line in memberships.splitlines():
        _, controllers, path = line.split(":", 2)
        member |= dict.fromkeys(controllers.split(","), path)
    groups = {}
    for line in mounts.splitlines():
        mount, _, source = line.partition(" - ")
        root, place = mount.split()[3:5]
        kind, *_, options = source.split()
        names = {"cgroup": options.split(","), "cgroup2": [""]}.get(kind, [])
        for name in names:
            if name in member and Path(member[name]).is_relative_to(root):
                groups[name] = Path(place, Path(member[name]).relative_to(root))
    return groups


class ControlGroup:
    """A control group for one run, below the groups of this process or, in version 2, beside them.

    OSError if there can be none, for instance because this process may not make one.
    """

    def __init__(self, memory: int, processes: int, groups: dict[str, Path] | None = None):
        groups = own_groups() if groups is None else groups
        name = NAME.format(process=os.getpid(), number=next(_numbers))
        if {*CONTROLLERS, "cpuacct"} <= groups.keys():
            self.version, parents = 1, {each: groups[each] for each in (*CONTROLLERS, "cpuacct")}
        elif nearest := next(filter(_passes_on_controllers, _from_here_up(groups.get(""))), None):
            self.version, parents = 2, dict.fromkeys(CONTROLLERS, nearest)
        else:
            raise OSError("there are no control groups here")
        self.folders = {controller: parent / name for controller, parent in parents.items()}
        for parent in set(parents.values()):
            _remove_leftovers(parent)
        try:
            for folder in set(self.folders.values()):
                folder.mkdir()
            self._set_limits(memory, processes)
        except OSError:
            for folder in set(self.folders.values()):
                with suppress(OSError):
                    folder.rmdir()
            raise
        self.remover = subprocess.Popen(
            ["/bin/sh", "-c", REMOVE, "sh", *map(str, set(self.folders.values()))],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.defpath},
            start_new_session=True,
        )

    def _set_limits(self, memory: int, processes: int) -> None:
        in_memory, in_cpu = self.folders["memory"], self.folders["cpu"]
        (self.folders["pids"] / "pids.max").write_text(str(processes + BUBBLEWRAP_PROCESSES))
        limit, cpu = {1: ("memory.limit_in_bytes", "cpu.shares"), 2: ("memory.max", "cpu.weight")}[self.version]
        (in_memory / limit).write_text(str(memory))
        (in_cpu / cpu).write_text(str(ONE_PROCESS[self.version]))
        with suppress(OSError):  # not every kernel counts swap
            if self.version == 1:
                (in_memory / "memory.memsw.limit_in_bytes").write_text(str(memory))
            else:
                (in_memory / "memory.swap.max").write_text("0")

    def add(self, process: int) -> None:
        """Put a process into the group; those that it starts later will be in it, too."""
        for folder in set(self.folders.values()):
            (folder / "cgroup.procs").write_text(str(process))

    def processes(self) -> list[int]:
        with suppress(OSError):
            return [int(line) for line in (self.folders["memory"] / "cgroup.procs").read_text().split()]
        return []

    def processor_seconds(self) -> float:
        """The computing time of all processes so far, including those that have ended."""
        with suppress(OSError):  # the group has been removed
            if self.version == 1:
                return int((self.folders["cpuacct"] / "cpuacct.usage").read_text()) / 1e9
            return _entry(self.folders["cpu"] / "cpu.stat", "usage_usec") / 1e6
        return 0

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has ended a process of the group because of its limit."""
        file = {1: "memory.oom_control", 2: "memory.events"}[self.version]
        return _entry(self.folders["memory"] / file, "oom_kill") > 0

    def remove(self) -> None:
        """End all processes of the group, and remove it."""
        self.remover.communicate()


def _from_here_up(folder: Path | None) -> list[Path]:
    return [folder, *folder.parents] if folder else []


def _passes_on_controllers(folder: Path) -> bool:
    """Whether children of this group can have our controllers.

    In version 2 only a group without processes of its own passes them on, so the next one above it may have to serve.
    """
    try:
        file = folder / "cgroup.subtree_control"
        if missing := set(CONTROLLERS) - set(file.read_text().split()):
            file.write_text(" ".join(f"+{name}" for name in sorted(missing)))
    except OSError:
        return False
    return True


def _remove_leftovers(parent: Path) -> None:
    """Remove the groups of processes that were killed together with what should have removed their groups."""
    for folder in parent.glob(NAME.format(process="*", number="*")):
        process = folder.name.split("-")[-2]
        if process.isdigit() and not psutil.pid_exists(int(process)):
            with suppress(OSError):
                folder.rmdir()


def _entry(file: Path, name: str) -> int:
    """The number behind a name in a file of names and numbers; 0 if there is none."""
    return next((int(line.split()[1]) for line in file.read_text().splitlines() if line.split()[0] == name), 0)


class ProcessTree:
    """A process and all that descend from it, where there is no control group."""

    def __init__(self, process: int):
        self.first = psutil.Process(process)  # which, unlike its number, is never mistaken for a later process

    def _all(self) -> list[psutil.Process]:
        with suppress(psutil.NoSuchProcess):
            return [self.first, *self.first.children(recursive=True)]
        return []

    def _sum(self, amount: Callable[[psutil.Process], float]) -> float:
        total = 0
        for process in self._all():
            with suppress(psutil.NoSuchProcess):
                total += amount(process)
        return total

    def processes(self) -> list[int]:
        return [process.pid for process in self._all()]

    def processor_seconds(self) -> float:
        """The computing time of all processes, including those that have ended and were waited for."""
        return self._sum(lambda process: sum(process.cpu_times()[:4]))

    def memory(self) -> float:
        return self._sum(_memory_of_process)

    def kill(self) -> None:
        for process in self._all():
            with suppress(psutil.NoSuchProcess):
                process.kill()


def _memory_of_process(process: psutil.Process) -> int:
    """Its memory in bytes. Where the system tells, every process has its part of what several share."""
    try:
        memory = process.memory_full_info()
    except psutil.AccessDenied:
        return process.memory_info().rss
    return getattr(memory, "pss", memory.rss) + getattr(memory, "swap", 0)


def wants_processor(processes: list[int]) -> bool:
    """Whether a thread of these processes runs or waits for a processor. Those that sleep, or wait for a disk, do not.

    A system without /proc does not say; there it counts as False, and time passes as on a clock.
    """
    for process in processes:
        for file in Path(f"/proc/{process}/task").glob("*/stat"):
            with suppress(OSError):  # it has ended
                if file.read_bytes().rpartition(b") ")[2][:1] == b"R":
                    return True
    return False
