"""Control groups of both versions, and what stands in for them where there are none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from homework.grader.control_group import ControlGroup, ProcessTree, find_own_groups, wants_processor

VERSION_1 = """\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
39 31 0:36 /elsewhere /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
"""
VERSION_2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"


def test_own_groups_of_version_1_are_found():
    """Two controllers may have one folder. A group outside of what is mounted cannot be used."""
    own = find_own_groups(
        VERSION_1, "4:memory:/docker/abc/me\n3:cpu,cpuacct:/\n8:pids:/me\n9:name=systemd:/me\n0::/me\n"
    )
    both = Path("/sys/fs/cgroup/cpu,cpuacct")
    assert own == {"memory": Path("/sys/fs/cgroup/memory/me"), "cpu": both, "cpuacct": both}


def test_own_group_of_version_2_is_found():
    assert find_own_groups(VERSION_2, "0::/user.slice/a:b\n") == {"": Path("/sys/fs/cgroup/user.slice/a:b")}


@pytest.fixture
def version_2(tmp_path) -> Path:
    """A folder that looks like a control group of version 2."""
    (tmp_path / "cgroup.subtree_control").write_text("cpu\n")
    return tmp_path


def test_group_of_version_2_has_limits_and_an_account(version_2):
    group = ControlGroup(1 << 30, 32, {"": version_2})
    (folder,) = set(group.folders.values())
    assert folder.parent == version_2
    assert (version_2 / "cgroup.subtree_control").read_text() == "+memory +pids"
    limits = {file.name: file.read_text() for file in folder.iterdir()}
    assert limits == {"memory.max": str(1 << 30), "memory.swap.max": "0", "pids.max": "36", "cpu.weight": "100"}
    group.add(123)
    assert group.processes() == [123]
    (folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1000000\n")
    assert group.processor_seconds() == 1.5
    for kills, expected in ((0, False), (2, True)):
        (folder / "memory.events").write_text(f"low 0\noom 2\noom_kill {kills}\noom_group_kill 0\n")
        assert group.ran_out_of_memory() is expected
    for file in folder.iterdir():
        file.unlink()
    group.remove()
    assert not folder.exists()


def test_group_of_version_2_that_cannot_have_children_gets_a_sibling(version_2):
    """The kernel refuses children for a group that has processes of its own; a folder in the file's place does, too."""
    own = version_2 / "session.scope"
    (own / "cgroup.subtree_control").mkdir(parents=True)
    group = ControlGroup(1 << 30, 32, {"": own})
    assert group.folders["memory"].parent == version_2
    for file in group.folders["memory"].iterdir():
        file.unlink()
    group.remove()


def test_no_group_is_made_where_no_group_passes_on_its_controllers(tmp_path):
    (tmp_path / "cgroup.subtree_control").mkdir()
    for groups in ({"": tmp_path}, {}):
        with pytest.raises(OSError, match="no control groups"):
            ControlGroup(1 << 30, 32, groups)
    assert [path.name for path in tmp_path.iterdir()] == ["cgroup.subtree_control"]


def test_group_whose_limits_cannot_be_set_is_removed(tmp_path):
    groups = {name: tmp_path / name for name in ("memory", "pids", "cpu", "cpuacct")}
    for name in ("memory", "pids", "cpu"):  # and no cpuacct
        groups[name].mkdir()
    with pytest.raises(FileNotFoundError):
        ControlGroup(1 << 30, 32, groups)
    assert list(tmp_path.glob("*/*")) == []


def test_groups_of_processes_that_are_gone_are_removed(version_2):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, used = version_2 / f"hand-in-{ended.pid}-0", version_2 / f"hand-in-{os.getppid()}-0"
    left.mkdir()
    used.mkdir()
    group = ControlGroup(1 << 30, 32, {"": version_2})
    assert not left.exists()
    assert used.exists()
    for file in group.folders["cpu"].iterdir():
        file.unlink()
    group.remove()


FAMILY = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "x = bytearray(100 << 20)\\nprint(flush=True)\\ninput()"], stdin=0)
input()
"""


def test_process_tree_knows_descendants_and_ends_them():
    first = subprocess.Popen([sys.executable, "-c", FAMILY], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        tree = ProcessTree(first.pid)
        first.stdout.readline()
        assert len(tree.processes()) == 2
        assert tree.memory() > 100 << 20
        assert tree.processor_seconds() > 0
        tree.kill()
        first.wait()
        assert first.stdout.read() == b""  # the child has ended, too
        assert tree.processes() == []
        assert tree.memory() == 0
    finally:
        first.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_threads_that_compute_are_seen():
    assert wants_processor([os.getpid()])
    with subprocess.Popen([sys.executable, "-c", "print(flush=True)\ninput()"], stdin=-1, stdout=-1) as waiting:
        waiting.stdout.readline()
        while wants_processor([waiting.pid]):  # it is about to read
            pass
        waiting.stdin.close()
