"""Code in the sandbox sees, reaches and changes nothing outside; where there is no sandbox, the grader says why."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from homework.grader import sandbox, seccomp_filter
from homework.grader.run_tests import Packages
from homework.grader.sandbox import LIBRARY, START_SECONDS, Limits, Sandbox, SandboxEnded, refusal
from tests import ROOT
from tests.homework.hand_ins import DOUBLE, FULL_MARKS, TINY, hand_in, needs_sandbox, points_of_tests, submit
from tests.homework.ordinary_user import as_ordinary_user

SITE_PACKAGES = Path(sysconfig.get_path("purelib"))
LIBRARIES = Path(sysconfig.get_config_var("DESTSHARED"))
on_x86 = pytest.mark.skipif(os.uname().machine != "x86_64", reason="system calls have other numbers here")


@contextmanager
def started(*cells: str, limits: Limits = Limits(), unsafe: bool = False):  # noqa: B008
    """A run of these cells that is ready."""
    job = {"cells": cells, "cell_seconds": 1000, "call_seconds": 1000, "statement_by_statement": False}
    run = Sandbox(LIBRARY, job, limits, unsafe)
    try:
        assert run.receive(START_SECONDS) == {"ready": True}, run.error_text()
        yield run
    finally:
        run.stop()


def text_of_next_cell(run: Sandbox, seconds: float = 300) -> str:
    """What the next cell of a run prints, and the error that ends it."""
    text = ""
    while "error" not in (message := run.receive(seconds)):
        text += message["output"].get("text", "")
    return text + (str(message["error"]) if message["error"] else "")


def text_of_cell(cell: str, **options) -> str:
    with started(cell, **options) as run:
        return text_of_next_cell(run)


SPY = """
import glob, json, os, pathlib
places = {places!r}
seen, written = [], []
for place in places:
    seen += glob.glob(place + "/**/*.ipynb", recursive=True)
    try:
        seen += [os.path.join(place, name) for name in os.listdir(place)]
    except OSError:
        pass
for place in [*places, "/", "/usr", "/library", "/grader", "/grader/homework/grader", "/dev", "/dev/shm", "/proc"]:
    try:
        pathlib.Path(place, "planted").write_text("x")
        written.append(place)
    except OSError:
        pass
try:
    pathlib.Path("/tmp/large").write_bytes(bytes(200_000_000))
    written.append("more than the limit")
except OSError:
    pass
processes = [name for name in os.listdir("/proc") if name.isdigit()]
print(json.dumps({{"seen": seen, "written": written, "user": os.getuid(), "processes": len(processes)}}))
"""


@needs_sandbox
def test_nothing_outside_can_be_seen_or_changed(tmp_path):
    """Neither the author's solution, nor other hand-ins, nor other processes; and the disk cannot be filled."""
    folders = [TINY.parent, tmp_path, tmp_path / "bob", ROOT, ROOT / "homework"]
    places = [*map(str, folders), "/etc", "/home", "/opt", "/var", "/run", "/root"]
    other = submit(tmp_path, "bob", hand_in(TINY))
    before = set(tmp_path.rglob("*"))
    report = json.loads(text_of_cell(SPY.format(places=places)))
    seen = {Path(path) for path in report["seen"]}
    python = [Path(sys.prefix), Path(sys.base_prefix)]
    needed = {path for each in python for path in (each, *each.parents)} | {Path("/etc/ld.so.cache")}
    assert {path for path in seen - needed if not any(path.is_relative_to(each) for each in python)} == set()
    assert not seen & {TINY, other}
    # Below /tmp a run writes to its own scratch folder, which is gone afterwards.
    assert [place for place in report["written"] if not place.startswith("/tmp/")] == []
    assert not any(Path(place, "planted").exists() for place in report["written"])
    assert report["user"] == os.getuid() or os.getuid() == 0
    assert report["user"] != 0
    assert report["processes"] <= 5
    assert set(tmp_path.rglob("*")) == before


LIST_USR = """
import os
print(sorted(path for path, _, _ in os.walk("/usr") if path.count("/") <= 3))
folders = filter(os.path.isdir, ("/bin", "/sbin", "/usr/bin", "/usr/sbin"))
print(sorted(name for folder in folders for name in os.listdir(folder)))
"""


@needs_sandbox
def test_of_the_system_only_its_shared_libraries_and_python_can_be_seen():
    folders, programs = map(eval, text_of_cell(LIST_USR).splitlines())
    architecture = sysconfig.get_config_var("MULTIARCH")
    allowed = {"", "bin", "lib", "lib64", f"lib/{architecture}", f"lib/python{sysconfig.get_python_version()}"}
    allowed |= {f"local{each}" for each in ("", "/bin", "/lib")} if sys.base_prefix == "/usr/local" else set()
    assert {path.removeprefix("/usr").removeprefix("/") for path in folders} <= allowed
    assert all(name in ("sh", "bash", "dash", "busybox", "setpriv") or name.startswith("python") for name in programs)


@needs_sandbox
def test_a_folder_that_hand_ins_could_read_is_refused(tmp_path):
    """Here a course might lie inside Python's own folders, or be reached through a link."""
    link = tmp_path / "course"
    link.symlink_to(SITE_PACKAGES)
    for folder in (SITE_PACKAGES / "course", LIBRARIES, link / "ps1", LIBRARY / "widgets"):
        sentence = refusal(tmp_path, folder)
        assert f"{folder} is inside " in sentence
        assert "move it elsewhere" in sentence
    assert refusal(tmp_path, ROOT / "homework" / "source") is None


def test_links_that_lead_to_python_stay_links(tmp_path):
    """Python in an environment finds its library from where its links lead; this also holds for a linked folder."""
    real = tmp_path / "3.11.7" / "bin" / "python3.11"
    real.parent.mkdir(parents=True)
    real.touch()
    (tmp_path / "3.11").symlink_to("3.11.7")
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "python3").symlink_to("../3.11/bin/python3.11")
    (tmp_path / "env" / "python").symlink_to("python3")
    python = tmp_path / "env" / "python"
    arguments, shown = sandbox.bind_arguments([python, python, tmp_path / "missing"])
    links = [arguments[k + 1 : k + 3] for k, argument in enumerate(arguments) if argument == "--symlink"]
    assert links == [
        ["python3", str(python)],
        ["../3.11/bin/python3.11", f"{python}3"],
        ["3.11.7", str(tmp_path / "3.11")],
    ]
    assert shown == [real]
    assert arguments.count("--ro-bind") == 1


@pytest.mark.parametrize("conda", [False, True])
def test_shared_libraries_beside_python_are_shown(tmp_path, monkeypatch, conda):
    """One by one, because /usr/local/lib may hold anything; all of them in an environment of conda's."""
    library = tmp_path / "lib" / "libpython3.11.so.1.0"
    library.parent.mkdir()
    library.touch()
    (library.parent / "course").mkdir()
    if conda:
        (tmp_path / "conda-meta").mkdir()
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    places = [place for place in sandbox.needed_places() if place.is_relative_to(tmp_path)]
    assert places == [library.parent if conda else library]


CALL = """
import socket
with socket.create_connection(("127.0.0.1", {port}), timeout=1):
    pass
"""


@needs_sandbox
def test_network_cannot_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as server:
        called = []
        server.settimeout(120)
        listener = threading.Thread(target=lambda: called.append(server.accept()), daemon=True)
        listener.start()
        assert "Error" in text_of_cell(CALL.format(port=server.getsockname()[1]))
        assert called == []
        socket.create_connection(server.getsockname()).close()  # the same call, from outside
        listener.join(60)
        assert called


# Every line tries a system call that must fail, by its number where Python has no function for it (on x86-64).
ATTEMPTS = """
import ctypes, fcntl, os, platform, socket, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    if libc.syscall(*[ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]) < 0:
        raise OSError(ctypes.get_errno(), "")
def libc_call(name, *arguments):
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "")
def clone(flag):
    call(56, flag | 17, 0, 0, 0, 0) or os._exit(0)
shared = open(os.__file__)
attempts = {
    "memfd_create": lambda: os.memfd_create("x"),
    "memfd_secret": lambda: call(447, 0),
    "shmget": lambda: libc_call("shmget", 0, 3 << 30, 0o1600),
    "semget": lambda: libc_call("semget", 0, 1, 0o1600),
    "msgget": lambda: libc_call("msgget", 0, 0o1600),
    "mq_open": lambda: call(240, b"x", os.O_CREAT | os.O_RDWR, 0o600, 0),
    "unshare": lambda: libc_call("unshare", 0x10000000),
    "clone with a new user namespace": lambda: clone(0x10000000),
    "clone with a new mount namespace": lambda: clone(0x00020000),
    "mount": lambda: libc_call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "fsopen": lambda: call(430, b"tmpfs", 0),
    "add_key": lambda: call(248, b"user", b"note", b"text", 4, -4),
    "keyctl": lambda: call(250, 0, -4, 1),
    "request_key": lambda: call(249, b"user", b"note", 0, -4),
    "flock": lambda: fcntl.flock(shared, fcntl.LOCK_SH),
    "lockf": lambda: fcntl.lockf(shared, fcntl.LOCK_SH),
    "a lock of the open file": lambda: fcntl.fcntl(shared, 37, bytes(32)),
    "a lock, its command written with more bits": lambda: call(72, shared.fileno(), 1 << 32 | 6, bytes(32)),
    "lease": lambda: fcntl.fcntl(shared, 1024, fcntl.F_RDLCK),
    "inotify": lambda: libc_call("inotify_init"),
    "fanotify": lambda: call(300, 0, 0),
    "ptrace": lambda: call(101, 0, 0, 0, 0),
    "userfaultfd": lambda: call(323, 1),
    "io_uring_setup": lambda: call(425, 1, bytes(120)),
    "bpf": lambda: call(321, 0, 0, 0),
    "perf_event_open": lambda: call(298, bytes(120), 0, -1, -1, 0),
    "personality": lambda: call(135, 0xFFFFFFFF),
    "netlink": lambda: socket.socket(16, socket.SOCK_RAW),
    "vsock": lambda: socket.socket(40, socket.SOCK_STREAM),
    "TIOCSTI": lambda: fcntl.ioctl(0, 0x5412, b"x"),
    "posix_fadvise": lambda: os.posix_fadvise(0, 0, 0, os.POSIX_FADV_DONTNEED),
    "readahead": lambda: call(187, 0, 0, 1),
    "preadv2": lambda: os.preadv(os.open(os.__file__, 0), [bytearray(1)], 0, os.RWF_NOWAIT),
    "clone3": lambda: call(435, bytes(88), 88),
}
errors = {}
for name, attempt in attempts.items():
    try:
        attempt()
        errors[name] = 0
    except OSError as error:
        errors[name] = error.errno
print(errors)
"""


@needs_sandbox
@on_x86
def test_system_calls_around_the_limits_are_denied():
    """Shared memory that no limit counts, messages to other runs, new namespaces, and the inside of the kernel."""
    errors = eval(text_of_cell(ATTEMPTS))
    missing = errors.pop("clone3")  # the C library takes clone instead
    assert os.strerror(missing) == "Function not implemented"
    assert {name: os.strerror(error) for name, error in errors.items() if error != 1} == {}


USEFUL = """
import json, os, signal, sqlite3, ssl, subprocess, threading
import cvxopt, cvxopt.solvers, matplotlib.pyplot as plt, numpy as np
import pla_lib
cvxopt.solvers.options["show_progress"] = False
solution = cvxopt.solvers.qp(cvxopt.matrix([1.0]), cvxopt.matrix([-1.0]))["x"][0]
plt.plot(np.linalg.inv(np.eye(3)) @ np.ones(3))
plt.show()
thread = threading.Thread(target=print, args=("in a thread",))
thread.start()
thread.join()
print(round(solution), subprocess.run(["sh", "-c", "echo from a shell"], capture_output=True, text=True).stdout)
"""


@needs_sandbox
def test_what_homework_needs_still_works():
    with started(USEFUL, "!pip install something") as run:
        text = text_of_next_cell(run)
        assert "in a thread\n1 from a shell" in text
        assert "Error" not in text
        assert "not found" in text_of_next_cell(run)


FIRST_PROCESS = """
import os
try:
    print(open("/proc/1/environ").read())
except PermissionError:
    pass
for line in open("/proc/1/limits"):
    if line.startswith(("Max processes", "Max cpu time", "Max address space", "Max open files")):
        print(line)
"""


@needs_sandbox
def test_first_process_of_a_run_has_its_limits_and_no_secrets(monkeypatch):
    """Bubblewrap itself; without root it belongs to the user of the hand-in, which can read and change it."""
    monkeypatch.setenv("INSTRUCTORS_TOKEN", "a secret")
    text = text_of_cell(FIRST_PROCESS)
    assert "a secret" not in text
    assert text.count("Max") == 4
    assert "unlimited" not in text
    assert f" {sandbox.MAX_FILES} " in text


LEAVE_NOTE = """
import ctypes, fcntl, os
ctypes.CDLL(None).syscall(248, b"user", b"note", b"text", ctypes.c_long(4), ctypes.c_long(-4))
held = open(os.__file__)
try:
    fcntl.flock(held, fcntl.LOCK_EX)
except OSError:
    pass
print(os.getuid())
"""
FIND_NOTE = """
import ctypes, fcntl, os
print(ctypes.CDLL(None).syscall(250, ctypes.c_long(10), ctypes.c_long(-4), b"user", b"note", ctypes.c_long(0)) > 0)
print(any(line.split()[-1] == "note" for line in open("/proc/keys")) if os.path.exists("/proc/keys") else False)
try:
    fcntl.flock(open(os.__file__), fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print(True)  # someone else has locked the same file
except OSError:
    print(False)
print(os.getuid())
"""


@needs_sandbox
@on_x86
def test_a_run_can_leave_no_note_for_another():
    with started(LEAVE_NOTE) as first, started(FIND_NOTE) as second:
        user = text_of_next_cell(first).strip()
        *found, other_user = text_of_next_cell(second).split()
    assert found == ["False"] * 3
    assert user != other_user or os.getuid() != 0


HOARD = """
import os, time
for _ in range(12):
    if not os.fork():
        hoard = bytearray(os.urandom(1 << 20) * 150)
        time.sleep(1000)
        os._exit(0)
time.sleep(1000)
"""


@needs_sandbox
def test_memory_of_all_processes_together_is_limited():
    with started(HOARD, limits=Limits(memory=1 << 30)) as run:
        with pytest.raises(SandboxEnded, match="it took more than 1 GB of memory") as ended:
            text_of_next_cell(run)
        assert not ended.value.timed_out


@needs_sandbox
def test_what_processes_share_counts_once():
    """Twelve processes that only look at 150 MB of their parent's do not hold 1.8 GB."""
    share = HOARD.replace("bytearray(os.urandom(1 << 20) * 150)", "sum(hoard[::4096])").replace("1000", "2")
    share = share.replace("import os, time", "import os, time\nhoard = bytearray(os.urandom(1 << 20) * 150)")
    assert text_of_cell(share + "print('done')", limits=Limits(memory=1 << 30)) == "done\n"


@needs_sandbox
def test_processes_are_limited():
    fork = "import os, time\nfor _ in range(200):\n    if not os.fork():\n        time.sleep(1000)"
    assert "BlockingIOError" in text_of_cell(fork)


FILL = """
import os, time
for number in range(3, 20):
    try:
        for _ in range(50):
            os.write(number, b'{"value": 1, "error": null}\\n')
    except OSError:
        pass
time.sleep(100000)
"""


@needs_sandbox
def test_run_that_answers_in_advance_and_reads_nothing_is_stopped(monkeypatch):
    monkeypatch.setattr(sandbox, "SEND_SECONDS", 1)
    with started(FILL) as run:
        run.receive(60)
        with pytest.raises(SandboxEnded, match="it did not finish in time") as ended:
            run.send({"id": 1, "name": "x" * 1_000_000})
        assert ended.value.timed_out


DRIP = """
import os, time
while True:
    for number in range(3, 20):
        try:
            os.write(number, {data})
        except OSError:
            pass
    time.sleep({pause})
"""


@needs_sandbox
def test_message_that_never_ends_is_stopped():
    with started(DRIP.format(data="b'x'", pause=0.02)) as run, pytest.raises(SandboxEnded) as ended:
        run.receive(2)
    assert ended.value.timed_out
    with started(DRIP.format(data="b'x' * 4000", pause=0)) as run, pytest.raises(SandboxEnded) as ended:
        run.receive(600)
    assert str(ended.value) == "it returned too much data (more than 1 MB)"


COMPUTE = "import time\nstart = time.process_time()\nwhile time.process_time() < start + 1.5:\n    pass\nprint('done')"
SLEEP = "import time\ntime.sleep(100000)"
# The parent is asleep in a way of its own until its child ends, and its child never does.
WAIT_FOR_CHILD = """
import ctypes
libc = ctypes.CDLL(None)
stack = ctypes.create_string_buffer(1 << 16)
libc.clone(libc.pause, ctypes.c_void_p(ctypes.addressof(stack) + (1 << 15)), 0x4000 | 0x100 | 17, None)
"""
IN_CHILDREN = """
import os
while True:
    if not os.fork():
        sum(range(10**6))
        os._exit(0)
    os.wait()
"""
IN_THREAD = """
import threading
thread = threading.Thread(target=lambda: sum(iter(int, 1)))
thread.start()
thread.join()
"""


@pytest.fixture
def busy_machine():
    """Four others on every processor who compute all the time, with the priority of a run."""
    command = [sys.executable, "-c", f"import os\nos.nice({sandbox.LOWER_PRIORITY})\nwhile True: pass"]
    # Linux may share processors by session first, so each of them gets one.
    others = [subprocess.Popen(command, start_new_session=True) for _ in range(4 * os.cpu_count())]
    yield
    for each in others:
        each.kill()
        each.wait()


@needs_sandbox
@pytest.mark.parametrize("unsafe", [False, True], ids=["sandbox", "unsafe"])
def test_run_has_time_of_its_own(busy_machine, unsafe):
    """A busy machine makes no run too slow, and a run that sleeps is."""
    with started(COMPUTE, SLEEP, unsafe=unsafe) as run:
        assert text_of_next_cell(run, 3) == "done\n"
        with pytest.raises(SandboxEnded, match="it did not finish in time") as ended:
            text_of_next_cell(run, 1)
        assert ended.value.timed_out


@needs_sandbox
@pytest.mark.parametrize(
    "cell",
    [SLEEP, WAIT_FOR_CHILD, IN_CHILDREN, IN_THREAD],
    ids=["asleep", "waiting for a child", "in children", "in a thread"],
)
def test_own_time_passes_whatever_a_run_does(cell):
    with started(cell) as run:
        with pytest.raises(SandboxEnded, match="it did not finish in time") as ended:
            text_of_next_cell(run, 1)
        assert ended.value.timed_out


@needs_sandbox
def test_time_between_requests_does_not_count():
    with started("x = 1") as run:
        text_of_next_cell(run)
        before = run.spent
        time.sleep(3)
        assert run.spent == before
        run.send({"id": 1, "name": "x"})
        assert "value" in run.receive(2)


@needs_sandbox
def test_clock_ends_what_escapes_every_other_limit(monkeypatch):
    monkeypatch.setattr(sandbox, "MAX_WAIT", 2)
    with started("while True:\n    pass") as run, pytest.raises(SandboxEnded) as ended:
        run.receive(100_000)
    assert ended.value.timed_out


LEFT_BEHIND = "import subprocess\nprint(subprocess.Popen(['sleep', '100000']).pid)"


def test_without_a_sandbox_processes_left_behind_are_stopped():
    with started(LEFT_BEHIND, unsafe=True) as run:
        process = psutil.Process(int(text_of_next_cell(run)))
    psutil.wait_procs([process], timeout=60)
    assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


KILLED_GRADER = """
import os, signal, sys
from homework.grader.sandbox import LIBRARY, Sandbox
run = Sandbox(LIBRARY, {"cells": ["while True: pass"], "cell_seconds": 1000, "statement_by_statement": False})
run.receive(1000)
print(*set(run.group.folders.values()) if run.group else [], flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@needs_sandbox
@pytest.mark.parametrize("killed", [False, True], ids=["after a run", "after the grader is killed"])
def test_control_group_is_removed(killed):
    """Also when the grader itself is killed; and its run ends with it."""
    if killed:
        grader = subprocess.run([sys.executable, "-c", KILLED_GRADER], cwd=ROOT, capture_output=True, text=True)
        assert grader.returncode == -signal.SIGKILL, grader.stderr
        folders = [Path(each) for each in grader.stdout.split()]
    else:
        with started() as run:
            folders = list(run.group.folders.values()) if run.group else []
            assert all(folder.exists() for folder in folders)
    for _ in range(600 if killed else 1):
        if not any(folder.exists() for folder in folders):
            return
        time.sleep(0.1)
    pytest.fail("The group is still there.")


LIES = """
import os
for number in range(3, 20):
    try:
        for _ in range({times}):
            os.write(number, {line!r})
    except OSError:
        pass
STUDENT = "ada"
"""


@needs_sandbox
@pytest.mark.parametrize(
    ("line", "times"),
    [
        (b'{"value": {"array": [1.0, 2.0], "shape": [2], "of": "f"}}\n', 9),
        (b"nonsense\n", 1),
        (b'{"error": 5}\n{"outputs": {"a": 1}, "error": {"b": 2}}\n[]\n', 1),
        (b'{"value": {"array": "ab", "shape": [-1], "of": "z"}}\n', 9),
        (b"x" * 1_000_000, 40),
        (b'{"value": ' + b"[" * 5000 + b"\n", 1),
    ],
    ids=["answers in advance", "nonsense", "malformed errors", "malformed arrays", "too much", "nested too deep"],
)
def test_messages_forged_by_a_hand_in_gain_nothing(grade, short_limits, line, times):
    """A hand-in can write to the grader's channel, but only what any function could return."""
    outcome = grade(hand_in(TINY, **{"0_student": LIES.format(line=line, times=times), "1_half": DOUBLE}))
    assert outcome["points"]["1_half_test"] == 0
    assert outcome["reasons"]["1_half_test"]


def test_without_a_sandbox_time_is_limited_and_the_stub_replaces_the_library(
    grade_folder, library_stub, short_limits, tmp_path
):
    borrowed = "from pla_lib import Hyperplane\ndef distances(w, b, X):\n    return Hyperplane(w, b).distance(X)"
    submit(tmp_path, "ada", hand_in(TINY, **{"2_middle": "while True:\n    pass", "3_distances": borrowed}))
    outcome = grade_folder(tmp_path / "ada", packages=Packages(LIBRARY, library_stub, unsafe=True))
    assert points_of_tests(outcome) == FULL_MARKS | {"2_middle_test": 0, "3_distances_test": 0}
    assert "it did not finish within 2 seconds" in outcome["reasons"]["2_middle_test"]
    assert "this task asks for your own code" in outcome["reasons"]["3_distances_test"]


@needs_sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="these tests are those of an ordinary user")
def test_sandbox_of_an_ordinary_user_is_as_tight():
    """Without root there are no control groups and no other users; every other test here must pass all the same."""
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", str(Path(__file__).resolve())]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    result = subprocess.run(
        as_ordinary_user([*command, "-k", "not forged and not unsafe and not without_a_sandbox and not refused"]),
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "passed" in result.stdout


def test_missing_programs_are_named_with_the_command_that_installs_them(monkeypatch):
    def fail():
        raise OSError

    monkeypatch.setattr(seccomp_filter, "load_library", fail)
    if shutil.which("bwrap"):
        assert "libseccomp is not installed (on Debian or Ubuntu: sudo apt-get install libseccomp2)." in refusal()
    monkeypatch.setenv("PATH", "/nowhere")
    assert "bubblewrap is not installed (on Debian or Ubuntu: sudo apt-get install bubblewrap)." in refusal()
    assert "UNSAFE=1" in refusal()


def test_other_systems_than_linux_are_refused(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "the sandbox needs Linux." in refusal()


@pytest.fixture
def bubblewrap(tmp_path, monkeypatch):
    """Put a script in the place of bubblewrap, and nothing else on the path."""

    def bubblewrap(text: str) -> None:
        script = tmp_path / "bwrap"
        script.write_text(text)
        script.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

    return bubblewrap


# What is wrong with bubblewrap: a script that fails in that way, what the refusal says, and the seconds it may take.
FAILURES = {
    "cannot be started": ("#!/nowhere/sh\n", "not found", 60),
    "is no program": ("\x7fELF", "Exec format error", 60),
    "ends with a complaint": ("#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n", "bwrap: No permissions", 60),
    "ends without a word": ("#!/bin/sh\nexit 0\n", "it ended its own process", 60),
    "complains and hangs": ("#!/bin/sh\necho 'bwrap: slow' >&2\nexec /bin/sleep 600\n", "bwrap: slow", 5),
    "hangs": ("#!/bin/sh\nexec /bin/sleep 600\n", "it did not finish in time", 1),
    "leaves a process behind": ("#!/bin/sh\n/bin/sleep 60 &\nexit 1\n", "it did not finish in time", 1),
    "answers with nonsense": ("#!/bin/sh\necho nonsense\nexec /bin/sleep 600\n", "its answer cannot be read", 60),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_first_try_that_fails_is_refused_with_a_reason(bubblewrap, monkeypatch, failure):
    script, words, seconds = FAILURES[failure]
    bubblewrap(script)
    monkeypatch.setattr(sandbox, "START_SECONDS", seconds)
    sentence = refusal()
    assert "Hand-ins cannot run in a sandbox here: bubblewrap failed to start with '" in sentence
    assert words in sentence
    assert "UNSAFE=1" in sentence


@pytest.mark.parametrize("complaint", ["bwrap: setting up uid map: Permission denied", ""])
def test_first_try_that_ends_before_it_is_spoken_to_is_refused_with_a_reason(bubblewrap, monkeypatch, complaint):
    bubblewrap(f"#!/bin/sh\nprintf '%s' '{complaint}' >&2\nexit 1\n")
    send = Sandbox.send

    def wait_and_send(run, message):
        run.process.wait()
        send(run, message)

    monkeypatch.setattr(Sandbox, "send", wait_and_send)
    assert f"failed to start with '{complaint or 'it ended its own process'}" in refusal()


def test_set_up_goes_on_where_the_sandbox_does_not_work(bubblewrap):
    bubblewrap("#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n")
    result = subprocess.run(
        [sys.executable, "-m", "homework.grader.sandbox"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "bubblewrap failed to start with 'bwrap: No permissions'" in result.stdout
    assert result.stderr == ""
