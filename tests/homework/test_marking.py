"""Hand-ins are not trusted: whatever one does ends as that student's grade with a reason, and gains nothing."""

import json
import os
import shutil
import socket
import threading
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import marking
import nbformat
import numpy as np
import pytest
from hollow import hollow
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from nbformat.v4 import new_code_cell
from plain_data import pack, unpack
from release import make_course, released
from sandbox import command, refusal
from sets import about, is_test

from tests import ROOT
from tests.homework.hand_ins import TINY, hand_in, needs_sandbox, submit

LIBRARY = ROOT / "pla_lib"
FULL = {"1_half_test": 3, "2_middle_test": 2, "3_distances_test": 3}
pytestmark = [needs_sandbox, pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """What marking needs: the released set, and how to start a run."""
    folder = tmp_path_factory.mktemp("marking")
    make_course([TINY], folder / "course")
    start = SimpleNamespace(whole=command(LIBRARY), hollow=command(hollow(folder)))
    return SimpleNamespace(released=released(folder / "course", TINY), start=start)


@pytest.fixture
def marked(place, tmp_path, monkeypatch):
    """Mark a notebook, with less patience than usual."""
    monkeypatch.setattr(marking, "CELL_SECONDS", 2)
    monkeypatch.setattr(marking, "CALL_SECONDS", 2)
    monkeypatch.setattr(marking, "GRACE", 1)

    def marked(notebook, student="ada"):
        submit(tmp_path, student, notebook)
        return marking.mark(tmp_path / student, student, TINY, place.released, place.start)

    return marked


def scores(outcome: dict) -> dict:
    return {name: value for name, value in outcome["points"].items() if name in FULL}


def test_solution_gets_full_marks_and_a_proof_waits_for_a_reader(marked):
    outcome = marked(hand_in(TINY))
    assert scores(outcome) == FULL
    assert outcome["points"]["4_why"] is None
    assert outcome["reasons"] == {}
    assert outcome["notes"] == []


def test_a_slow_start_costs_no_points(marked, monkeypatch):
    monkeypatch.setattr("pla_lib.checks.PATIENCE", 0.001)  # that of exercises; a sandbox may start within a test
    assert scores(marked(hand_in(TINY))) == FULL


def test_release_untouched_gets_nothing(marked, place):
    outcome = marked(place.released.read_text())
    assert set(outcome["points"].values()) == {0}
    assert outcome["reasons"]["1_half_test"].startswith("Question 1 is open")
    assert outcome["reasons"]["4_why"] == "No answer."


# A name, what the student wrote, the questions that get nothing, and words of a reason.
whole = marking.merged
TWICE = "def half(x):\n    return 2 * x"
NOTHING = [
    (
        "a wrong answer",
        {"1_half": TWICE},
        "1",
        "Given x = [2.0, 4.0], the answer is [4.0, 8.0]; it should be [1.0, 2.0]",
    ),
    ("an error", {"1_half": "def half(x):\n    return x / 0 / 'a'"}, "1", "it stops with"),
    ("a typing error", {"1_half": "def half(x:\n    return x / 2"}, "1", "Its cell stops with SyntaxError"),
    ("nothing returned", {"1_half": "def half(x):\n    x / 2"}, "1", "it returns nothing"),
    ("a value that is missing", {"2_middle": "center = X.mean(axis=0)"}, "2", "middle is not defined"),
    ("another shape", {"2_middle": "middle = X.mean()"}, "2", "middle must hold two numbers"),
    ("endless cell", {"2_middle": "while True:\n    pass"}, "2", "it has not come to an end"),
    ("endless function", {"1_half": "def half(x):\n    while True:\n        pass"}, "1", "it has not come to an end"),
    (
        "endless, whatever is raised",
        {
            "2_middle": "def on():\n    while True:\n        pass\n"
            "while True:\n    try:\n        on()\n    except BaseException:\n        pass"
        },
        "2",
        "was stopped",
    ),
    ("memory bomb", {"2_middle": "middle = [0] * 10**12"}, "2", "MemoryError"),
    (
        "memory bomb of many processes",
        {"2_middle": "import os, time\nfor _ in range(4):\n    os.fork()\nkept = b'x' * 500_000_000\ntime.sleep(9)"},
        "2",
        "",
    ),
    ("fork bomb", {"2_middle": "import os\nwhile True:\n    os.fork()"}, "2", ""),
    ("process ended in a cell", {"2_middle": "import os\nos._exit(0)"}, "2", "it ended its own process"),
    (
        "process ended in a function",
        {"1_half": "def half(x):\n    import os\n    os._exit(0)"},
        "1",
        "it ended its own process",
    ),
    ("everything killed", {"2_middle": "import os\nos.kill(-1, 9)\nos.kill(os.getppid(), 9)\nos.kill(1, 9)"}, "2", ""),
    ("recursion without end", {"1_half": "def half(x):\n    return half(x)"}, "1", "RecursionError"),
    (
        "an object that equals everything",
        {"2_middle": "class Any:\n    def __eq__(self, other):\n        return True\nmiddle = Any()"},
        "2",
        "middle gives a Any; numbers, words, lists and arrays are asked for",
    ),
    (
        "an array that equals everything",
        {
            "1_half": "class Any(np.ndarray):\n    __eq__ = lambda self, other: True\n    __array_ufunc__ = None\n"
            "def half(x):\n    return x.view(Any)"
        },
        "1",
        "it should be",
    ),
    (
        "a patched builtin",
        {"1_half": f"import builtins\nbuiltins.all = builtins.any = builtins.abs = lambda *_: True\n{TWICE}"},
        "13",
        "it should be",
    ),
    (
        "a patched comparison",
        {
            "1_half": "import pla_lib, pla_lib.checks\npla_lib.expect = pla_lib.checks.expect = lambda *a, **k: None\n"
            "np.testing.assert_allclose = np.allclose = np.array_equal = lambda *a, **k: True\n" + TWICE
        },
        "1",
        "it should be",
    ),
    (
        "a patched assert",
        {"1_half": f"import builtins\nclass Never(Exception): pass\nbuiltins.AssertionError = Never\n{TWICE}"},
        "1",
        "it should be",
    ),
    (
        "the library's answer",
        {
            "3_distances": "from pla_lib import Hyperplane\n"
            "def distances(w, b, X):\n    return Hyperplane(w, b).distance(X)"
        },
        "3",
        "Hyperplane of pla_lib is used here, and this task asks for your own code",
    ),
    (
        "the library's answer by its module",
        {
            "3_distances": "import pla_lib.geometry as g\n"
            "def distances(w, b, X):\n    return g.Hyperplane(w, b).distance(X)"
        },
        "3",
        "this task asks for your own code",
    ),
    (
        "the library's answer from its file",
        {
            "3_distances": "import sys\ndef distances(w, b, X):\n"
            f"    sys.path.insert(0, {str(ROOT)!r})\n"
            "    [sys.modules.pop(name) for name in list(sys.modules) if 'pla_lib' in name]\n"
            "    from pla_lib.geometry import Hyperplane\n    return Hyperplane(w, b).distance(X)"
        },
        "3",
        "this task asks for your own code",
    ),
]


@pytest.mark.parametrize(("answers", "lost", "words"), [row[1:] for row in NOTHING], ids=[row[0] for row in NOTHING])
def test_one_answer_is_lost_and_the_others_count(marked, answers, lost, words):
    outcome = marked(hand_in(TINY, **answers))
    assert scores(outcome) == {name: 0 if name[0] in lost else most for name, most in FULL.items()}
    reasons = list(outcome["reasons"].values())
    assert len(reasons) == len(lost)
    assert reasons[0]
    assert words in reasons[0]


def test_tests_in_the_hand_in_do_not_matter(marked):
    """Deleted, edited or doubled: the author's tests are run."""
    kept = hand_in(TINY, **{"1_half": TWICE})
    deleted, edited, doubled = (nbformat.from_dict(kept) for _ in range(3))
    deleted.cells = [cell for cell in kept.cells if not is_test(cell)]
    edited.cells = [new_code_cell("pass", metadata=cell.metadata) if is_test(cell) else cell for cell in kept.cells]
    doubled.cells = [*edited.cells, *kept.cells]
    for notebook in (deleted, edited, doubled):
        assert scores(marked(notebook)) == FULL | {"1_half_test": 0}


def test_points_written_into_the_notebook_do_not_matter(marked):
    notebook = hand_in(TINY, **{"1_half": TWICE})
    for cell in notebook.cells:
        if about(cell):
            cell.metadata.nbgrader |= {"points": 1000, "grade": True, "solution": True, "checksum": "0" * 32}
    assert scores(marked(notebook)) == FULL | {"1_half_test": 0}


def test_setup_is_put_back_where_it_was_deleted(marked):
    notebook = hand_in(TINY)
    notebook.cells = [cell for cell in notebook.cells if about(cell).get("grade_id") != "0_setup"]
    assert scores(marked(notebook)) == FULL


def test_an_answer_whose_cell_is_deleted_is_open(marked):
    notebook = hand_in(TINY)
    notebook.cells = [cell for cell in notebook.cells if about(cell).get("grade_id") != "1_half"]
    outcome = marked(notebook)
    assert scores(outcome) == FULL | {"1_half_test": 0}
    assert outcome["reasons"]["1_half_test"].startswith("Question 1 is open")


def test_data_are_those_of_the_student_who_hands_in(marked):
    outcome = marked(hand_in(TINY, student="bob"), student="eve")
    assert scores(outcome) == FULL | {"2_middle_test": 0}
    assert outcome["notes"] == ["The notebook says STUDENT = 'bob'; the hand-in came from 'eve', whose data count."]
    assert scores(marked(hand_in(TINY, student="eve"), student="eve")) == FULL


def test_figures_and_words_of_a_cell_are_kept_for_the_reader(marked, monkeypatch):
    monkeypatch.setattr(marking, "CELL_SECONDS", 60)
    drawn = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nprint('seen')"
    cell = marked(hand_in(TINY, last=drawn))["notebook"].cells[-1]
    assert "seen" in cell.outputs[0].text
    assert any("image/png" in output.get("data", {}) for output in cell.outputs)


BROKEN = {
    "cut off": ('{"cells": [', "cannot be read as a notebook"),
    "no notebook": ("def half(x): ...", "cannot be read as a notebook"),
    "another form": (
        '{"cells": 5, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
        "cannot be read as a notebook",
    ),
    "no cells": ('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', "has no cells"),
    "nested too deep": ("[" * 100_000, "cannot be read as a notebook"),
    "strange ids": (
        '{"cells": [{"cell_type": "code", "id": "a", "execution_count": null, "outputs": [], "source": "1", '
        '"metadata": {"nbgrader": {"grade_id": ["a"]}}}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
        "cannot be read as a notebook",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_broken_notebook_gets_nothing_with_a_reason(marked, fault):
    text, words = BROKEN[fault]
    outcome = marked(text)
    assert set(outcome["points"].values()) == {0}
    assert words in outcome["notes"][0]
    assert words in outcome["reasons"]["1_half_test"]


def test_notebook_of_fifty_megabytes_is_marked(marked):
    notebook = hand_in(TINY)
    notebook.cells[-1:] = [*notebook.cells[-1:], new_code_cell("1")]
    notebook.cells[-1].outputs = [nbformat.v4.new_output("stream", text="x" * 50_000_000)]
    outcome = marked(notebook)
    assert scores(outcome) == FULL
    assert len(nbformat.writes(outcome["notebook"])) < 100_000


def test_output_of_fifty_megabytes_is_cut(marked):
    outcome = marked(hand_in(TINY, last="for _ in range(50):\n    print('x' * 1_000_000)"))
    assert scores(outcome) == FULL
    assert len(nbformat.writes(outcome["notebook"])) < 100_000


def test_whatever_goes_wrong_with_one_hand_in_is_its_own(marked, monkeypatch):
    monkeypatch.setattr(marking, "merged", lambda cells, *others: whole(cells, *others) if not cells else 1 / 0)
    outcome = marked(hand_in(TINY))
    assert set(outcome["points"].values()) == {0}
    assert outcome["notes"] == [
        "The hand-in could not be marked (ZeroDivisionError: division by zero); have a look at it."
    ]


def test_photograph_of_a_proof_reaches_its_reader(marked):
    notebook = hand_in(TINY)
    photograph = {"proof.png": {"image/png": "aGVsbG8="}}
    notebook.cells[-1].source, notebook.cells[-1].attachments = "![](attachment:proof.png)", photograph
    assert marked(notebook)["notebook"].cells[-1].attachments == photograph


def test_file_that_is_missing_renamed_or_there_twice(place, tmp_path):
    def mark(student):
        return marking.mark(tmp_path / student, student, TINY, place.released, place.start)

    (tmp_path / "none").mkdir()
    submit(tmp_path, "renamed", hand_in(TINY, student="renamed"), "Tiny final (1).ipynb")
    submit(tmp_path, "other", nbformat.v4.new_notebook(cells=[new_code_cell("1")]), "holiday.ipynb")
    for name in ("a.ipynb", "b.ipynb"):
        submit(tmp_path, "twice", hand_in(TINY), name)
    assert mark("none")["notes"] == ["tiny.ipynb is missing from the hand-in: there is no notebook."]
    assert mark("other")["notes"] == ["tiny.ipynb is missing from the hand-in: there is holiday.ipynb."]
    assert mark("twice")["notes"] == [
        "More than one notebook could be meant: a.ipynb, b.ipynb. Hand in one, called tiny.ipynb."
    ]
    renamed = mark("renamed")
    assert renamed["notes"] == ["Handed in as Tiny final (1).ipynb."]
    assert scores(renamed) == FULL


def test_link_to_the_work_of_another_is_not_followed(place, tmp_path):
    submit(tmp_path, "ada", hand_in(TINY))
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "tiny.ipynb").symlink_to(tmp_path / "ada" / "tiny.ipynb")
    (tmp_path / "mallory").symlink_to(tmp_path / "ada")
    outcome = marking.mark(tmp_path / "eve", "eve", TINY, place.released, place.start)
    assert outcome["notes"] == ["tiny.ipynb is missing from the hand-in: there is no notebook."]


SPY = """
import glob, os, pathlib
def half(x):
    seen = []
    for place in {places!r}:
        try:
            seen += glob.glob(place + "/**/*.ipynb", recursive=True) + os.listdir(place)
        except OSError:
            pass
    written = []
    for place in [*{places!r}, "/", "/usr", "/library", "/grader", "/dev", "/dev/shm", "/proc"]:
        try:
            pathlib.Path(place, "planted").write_text("x")
            written.append(place)
        except OSError:
            pass
    try:
        pathlib.Path("/tmp/large").write_bytes(bytes(200_000_000))
        written.append("much")
    except OSError:
        pass
    alive = [name for name in os.listdir("/proc") if name.isdigit()]
    raise RuntimeError(f"seen {{seen}} written {{written}} user {{os.getuid()}} processes {{len(alive)}}")
"""


def test_nothing_outside_can_be_seen_or_changed(marked, tmp_path):
    """Neither the author's solution, nor other hand-ins, nor other processes; and the disk is not filled."""
    places = [
        str(TINY.parent),
        str(tmp_path),
        str(ROOT / "homework"),
        "/etc",
        "/home",
        "/var",
        "/run",
        str(Path.home()),
    ]
    submit(tmp_path, "bob", hand_in(TINY))
    before = sorted(tmp_path.rglob("*"))
    reason = marked(hand_in(TINY, **{"1_half": SPY.format(places=places)}))["reasons"]["1_half_test"]
    alone = os.path.relpath(Path(shutil.which("python3")).parents[1], Path.home()).split("/")[0]
    allowed = {"ld.so.cache", alone, ".pyenv"}
    seen = set(eval(reason[reason.index("seen [") + 5 : reason.index(" written")]))
    assert seen <= allowed, "only what leads to Python itself"
    assert "written []" in reason
    assert f"user {os.getuid()}" not in reason or os.getuid() != 0
    assert int(reason.split("processes ")[1].rstrip(".")) <= 5
    assert set(tmp_path.rglob("*")) - set(before) <= {tmp_path / "ada", tmp_path / "ada" / "tiny.ipynb"}


CALL = """
import socket
def half(x):
    with socket.create_connection(("127.0.0.1", {port}), timeout=1):
        pass
"""


def test_network_cannot_be_reached(marked):
    with socket.create_server(("127.0.0.1", 0)) as server:
        called = []
        server.settimeout(30)
        listener = threading.Thread(target=lambda: called.append(server.accept()), daemon=True)
        listener.start()
        text = CALL.format(port=server.getsockname()[1])
        assert "it stops with" in marked(hand_in(TINY, **{"1_half": text}))["reasons"]["1_half_test"]
        assert called == []
        socket.create_connection(server.getsockname()).close()  # the same call, from outside
        listener.join(5)
        assert called


LIES = """
import json, os
for number in range(3, 20):
    try:
        for _ in range({times}):
            os.write(number, {line!r})
    except OSError:
        pass
"""


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
)
def test_lies_told_to_the_grader_gain_nothing(marked, line, times):
    """A hand-in may write on the grader's line, but only what any function could return."""
    outcome = marked(
        hand_in(TINY, **{"0_student": LIES.format(line=line, times=times) + "\nSTUDENT = 'ada'", "1_half": TWICE})
    )
    assert outcome["points"]["1_half_test"] == 0
    assert outcome["reasons"]["1_half_test"]


def test_the_command_refuses_where_nothing_can_be_kept_apart(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert "bubblewrap is not installed" in refusal(LIBRARY)
    assert "UNSAFE=1" in refusal(LIBRARY)


def test_without_a_sandbox_the_limits_hold_still(place, tmp_path, monkeypatch):
    monkeypatch.setattr(marking, "CELL_SECONDS", 2)
    submit(tmp_path, "ada", hand_in(TINY, **{"2_middle": "while True:\n    pass"}))
    start = SimpleNamespace(whole=command(LIBRARY, unsafe=True), hollow=place.start.hollow)
    outcome = marking.mark(tmp_path / "ada", "ada", TINY, place.released, start)
    assert scores(outcome) == FULL | {"2_middle_test": 0}


numbers = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(), st.fractions())
plain = st.recursive(
    numbers | arrays.arrays(st.sampled_from([float, int, bool]), arrays.array_shapes(min_side=0), fill=st.nothing()),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def same(a, b) -> bool:
    if isinstance(a, np.ndarray):
        return (
            type(b) is np.ndarray
            and a.shape == b.shape
            and a.dtype == b.dtype
            and np.array_equal(a, b, equal_nan=a.dtype == float)
        )
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


@given(plain)
def test_plain_data_come_back_as_they_were(value):
    assert same(value, unpack(json.loads(json.dumps(pack(value)))))


def test_what_is_not_plain_does_not_cross():
    exact = np.array([Fraction(1, 3), 2], dtype=object)
    assert same(unpack(pack(exact)).tolist(), exact.tolist())
    for thing in (object(), lambda: 0, np.array(["a"]), 1j, {1, 2}):
        with pytest.raises(TypeError, match="a "):
            pack(thing)
    for text in ([1], {"list": 5}, {"fraction": [1, 0]}, {"what": []}, {"array": [1], "shape": [7], "of": "f"}, {}):
        with pytest.raises(ValueError, match="not plain data"):
            unpack(text)
