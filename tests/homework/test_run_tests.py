"""Hand-ins are not trusted: whatever one does ends as that student's grade with a reason, and gains nothing."""

import nbformat
import pytest

from homework.grader import run_tests
from homework.grader.hand_in import merge_cells
from homework.grader.release import released_notebook
from tests import ROOT
from tests.homework.hand_ins import DOUBLE, FULL_MARKS, TINY, hand_in, needs_sandbox, points_of_tests

pytestmark = [needs_sandbox, pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")]


def test_solution_gets_full_marks_and_a_proof_waits_for_a_reader(grade):
    outcome = grade(hand_in(TINY))
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["points"]["4_why"] is None
    assert outcome["reasons"] == {}
    assert outcome["notes"] == []


def test_a_slow_start_costs_no_points(grade, monkeypatch):
    monkeypatch.setattr("pla_lib.checks.PATIENCE", 0.001)  # that of exercises; a sandbox may start within a test
    assert points_of_tests(grade(hand_in(TINY))) == FULL_MARKS


def test_release_untouched_gets_nothing(grade, released):
    outcome = grade(released_notebook(released.folder / "course", TINY).read_text())
    assert set(outcome["points"].values()) == {0}
    assert outcome["reasons"]["1_half_test"].startswith("Question 1 is open")
    assert outcome["reasons"]["4_why"] == "No answer."


# By name: what the student wrote, the questions that get nothing, and words of the reason.
LOST = {
    "a wrong answer": (
        {"1_half": DOUBLE},
        "1",
        "Given x = [2.0, 4.0], the answer is [4.0, 8.0]; it should be [1.0, 2.0]",
    ),
    "an error": ({"1_half": "def half(x):\n    return x / 0 / 'a'"}, "1", "it stops with"),
    "a typing error": ({"1_half": "def half(x:\n    return x / 2"}, "1", "Its cell stops with SyntaxError"),
    "nothing returned": ({"1_half": "def half(x):\n    x / 2"}, "1", "it returns nothing"),
    "a value that is missing": ({"2_middle": "center = X.mean(axis=0)"}, "2", "middle is not defined"),
    "another shape": ({"2_middle": "middle = X.mean()"}, "2", "middle must hold two numbers"),
    "memory bomb": ({"2_middle": "middle = [0] * 10**12"}, "2", "MemoryError"),
    "process ended in a cell": ({"2_middle": "import os\nos._exit(0)"}, "2", "it ended its own process"),
    "process ended in a function": (
        {"1_half": "def half(x):\n    import os\n    os._exit(0)"},
        "1",
        "it ended its own process",
    ),
    "everything killed": ({"2_middle": "import os\nos.kill(-1, 9)\nos.kill(os.getppid(), 9)\nos.kill(1, 9)"}, "2", ""),
    "recursion without end": ({"1_half": "def half(x):\n    return half(x)"}, "1", "RecursionError"),
    "an object that equals everything": (
        {"2_middle": "class Any:\n    def __eq__(self, other):\n        return True\nmiddle = Any()"},
        "2",
        "middle is or returns a Any; an answer is made of numbers, strings, lists and arrays",
    ),
    "an array that equals everything": (
        {
            "1_half": "class Any(np.ndarray):\n    __eq__ = lambda self, other: True\n    __array_ufunc__ = None\n"
            "def half(x):\n    return x.view(Any)"
        },
        "1",
        "it should be",
    ),
    "a patched builtin": (
        {"1_half": f"import builtins\nbuiltins.all = builtins.any = builtins.abs = lambda *_: True\n{DOUBLE}"},
        "13",
        "it should be",
    ),
    "a patched comparison": (
        {
            "1_half": "import pla_lib, pla_lib.checks\npla_lib.expect = pla_lib.checks.expect = lambda *a, **k: None\n"
            "np.testing.assert_allclose = np.allclose = np.array_equal = lambda *a, **k: True\n" + DOUBLE
        },
        "1",
        "it should be",
    ),
    "a patched assert": (
        {"1_half": f"import builtins\nclass Never(Exception): pass\nbuiltins.AssertionError = Never\n{DOUBLE}"},
        "1",
        "it should be",
    ),
    "the library's answer": (
        {
            "3_distances": "from pla_lib import Hyperplane\n"
            "def distances(w, b, X):\n    return Hyperplane(w, b).distance(X)"
        },
        "3",
        "Hyperplane of pla_lib is used here, but this task asks for your own code",
    ),
    "the library's answer by its module": (
        {
            "3_distances": "import pla_lib.geometry as g\n"
            "def distances(w, b, X):\n    return g.Hyperplane(w, b).distance(X)"
        },
        "3",
        "this task asks for your own code",
    ),
    "the library's answer from its file": (
        {
            "3_distances": "import sys\ndef distances(w, b, X):\n"
            f"    sys.path.insert(0, {str(ROOT)!r})\n"
            "    [sys.modules.pop(name) for name in list(sys.modules) if 'pla_lib' in name]\n"
            "    from pla_lib.geometry import Hyperplane\n    return Hyperplane(w, b).distance(X)"
        },
        "3",
        "this task asks for your own code",
    ),
}
# What has to be stopped from outside.
RUNAWAY = {
    "endless cell": ({"2_middle": "while True:\n    pass"}, "2", "it did not finish"),
    "endless function": ({"1_half": "def half(x):\n    while True:\n        pass"}, "1", "it did not finish"),
    "endless, whatever is raised": (
        {
            "2_middle": "def on():\n    while True:\n        pass\n"
            "while True:\n    try:\n        on()\n    except BaseException:\n        pass"
        },
        "2",
        "was stopped",
    ),
    "memory bomb of many processes": (
        {"2_middle": "import os, time\nfor _ in range(4):\n    os.fork()\nkept = b'x' * 500_000_000\ntime.sleep(9)"},
        "2",
        "",
    ),
    "fork bomb": ({"2_middle": "import os\nwhile True:\n    os.fork()"}, "2", ""),
}


def assert_lost(outcome: dict, lost: str, words: str) -> None:
    """Only these questions get nothing, and the first of them with such a reason."""
    assert points_of_tests(outcome) == {name: 0 if name[0] in lost else most for name, most in FULL_MARKS.items()}
    reasons = list(outcome["reasons"].values())
    assert len(reasons) == len(lost)
    assert reasons[0]
    assert words in reasons[0]


@pytest.mark.parametrize("name", LOST)
def test_one_answer_is_lost_and_the_others_count(grade, name):
    answers, lost, words = LOST[name]
    assert_lost(grade(hand_in(TINY, **answers)), lost, words)


@pytest.mark.parametrize("name", RUNAWAY)
def test_a_runaway_answer_is_stopped_and_the_others_count(grade, short_limits, name):
    answers, lost, words = RUNAWAY[name]
    assert_lost(grade(hand_in(TINY, **answers)), lost, words)


def test_data_are_those_of_the_student_who_hands_in(grade):
    outcome = grade(hand_in(TINY, student="bob"), student="eve")
    assert points_of_tests(outcome) == FULL_MARKS | {"2_middle_test": 0}
    assert outcome["notes"] == ["The notebook says STUDENT = 'bob'; it was graded on the data of 'eve', its owner."]
    assert points_of_tests(grade(hand_in(TINY, student="eve"), student="eve")) == FULL_MARKS


def test_figures_and_text_of_a_cell_are_kept_for_the_reader(grade, monkeypatch):
    monkeypatch.setattr(run_tests, "CELL_SECONDS", 60)  # drawing a first figure may take long
    drawn = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nprint('seen')"
    cell = grade(hand_in(TINY, last=drawn))["notebook"].cells[-1]
    assert "seen" in cell.outputs[0].text
    assert any("image/png" in output.get("data", {}) for output in cell.outputs)


def test_output_of_fifty_megabytes_is_cut(grade):
    outcome = grade(hand_in(TINY, last="for _ in range(50):\n    print('x' * 1_000_000)"))
    assert points_of_tests(outcome) == FULL_MARKS
    assert len(nbformat.writes(outcome["notebook"])) < 100_000


def test_whatever_goes_wrong_with_one_hand_in_stays_its_own(grade, monkeypatch):
    def fail_on_a_hand_in(cells, *others):
        return 1 / 0 if cells else merge_cells(cells, *others)

    monkeypatch.setattr(run_tests, "merge_cells", fail_on_a_hand_in)
    outcome = grade(hand_in(TINY))
    assert set(outcome["points"].values()) == {0}
    assert outcome["notes"] == [
        "This hand-in could not be graded (ZeroDivisionError: division by zero); have a look at it."
    ]
