"""Hand-ins are not trusted: whatever one does ends as that student's grade with a reason, and gains nothing."""

import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_output

from homework.grader import run_tests, running_hand_in
from homework.grader.merged_cells import merge_cells
from homework.grader.problem_set import grade_id
from homework.grader.release import released_notebook
from tests import ROOT
from tests.homework.hand_ins import DOUBLE, FULL_MARKS, TINY, hand_in, needs_sandbox, points_of_tests, submit
from tests.homework.pictures import png

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
        "Given x = [2.0, 4.0],\nyour function returned [4.0, 8.0].\nIt should return [1.0, 2.0].",
    ),
    "an error": ({"1_half": "def half(x):\n    raise KeyError(5)"}, "1", "your function stopped with KeyError: “5”"),
    "a typing error": ({"1_half": "def half(x:\n    return x / 2"}, "1", "Its cell stops with SyntaxError"),
    "nothing returned": ({"1_half": "def half(x):\n    x / 2"}, "1", "your function returned None"),
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
        "middle gives something else than plain data: “a Any”. An answer is made of numbers, strings, lists and arrays",
    ),
    "an array that equals everything": (
        {
            "1_half": "class Any(np.ndarray):\n    __eq__ = lambda self, other: True\n    __array_ufunc__ = None\n"
            "def half(x):\n    return x.view(Any)"
        },
        "1",
        "It should return",
    ),
    "a patched builtin": (
        {"1_half": f"import builtins\nbuiltins.all = builtins.any = builtins.abs = lambda *_: True\n{DOUBLE}"},
        "13",
        "It should return",
    ),
    "a patched comparison": (
        {
            "1_half": "import pla_lib, pla_lib.checks\npla_lib.expect = pla_lib.checks.expect = lambda *a, **k: None\n"
            "np.testing.assert_allclose = np.allclose = np.array_equal = lambda *a, **k: True\n" + DOUBLE
        },
        "1",
        "It should return",
    ),
    "a patched assert": (
        {"1_half": f"import builtins\nclass Never(Exception): pass\nbuiltins.AssertionError = Never\n{DOUBLE}"},
        "1",
        "It should return",
    ),
    "the library's answer": (
        {
            "3_distances": "from pla_lib import Hyperplane\n"
            "def distances(w, b, X):\n    return Hyperplane(w, b).distance(X)"
        },
        "3",
        "Your code calls Hyperplane of pla_lib, but this task asks for your own code",
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
    "endless cell": ({"2_middle": "while True:\n    pass"}, "2", "it did not finish within 2 seconds"),
    "endless sleep": ({"2_middle": "import time\ntime.sleep(10**6)"}, "2", "it did not finish in time"),
    "endless function": (
        {"1_half": "def half(x):\n    while True:\n        pass"},
        "1",
        "did not finish within 2 seconds",
    ),
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
    assert outcome["notes"] == [
        "Your notebook has STUDENT = “bob”, but it was handed in as 'eve' and graded on the data of 'eve'."
    ]
    assert points_of_tests(grade(hand_in(TINY, student="eve"), student="eve")) == FULL_MARKS


def test_figures_and_text_of_a_cell_are_kept_for_the_reader(grade):
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
    assert set(points_of_tests(outcome).values()) == {0}
    assert outcome["points"]["4_why"] is None  # it waits for a reader
    assert outcome["look"]
    (note,) = outcome["notes"]
    assert note.endswith("an instructor has to look at it. (ZeroDivisionError: division by zero)")


# Honest answers that a notebook runs, each in place of the answer to question 1.
HALF = "def half(x):\n    return x / 2\n"
HONEST = {
    "a magic for figures": f"%matplotlib inline\nimport matplotlib.pyplot as plt\n{HALF}",
    "settings for figures": f"%config InlineBackend.figure_format = 'retina'\n{HALF}",
    "a magic that only a notebook has": f"%autosave 60\n%load_ext autoreload\n%autoreload 2\n{HALF}",
    "a cell that is timed": f"%%time\n{HALF}",
    "a call of the shell": f"!pip install numpy\n%pip install numpy\n{HALF}",
    "a lone surrogate": f"print('\\ud800', chr(0xdfff))\n{HALF}",
    "a window that is closed": f"import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n{HALF}",
    "text of many kinds": f"print('\\x1b[31mred\\x1b[0m', '\\0', chr(0x202e), '\\b')\n{HALF}",
    "a widget for figures": f"%matplotlib widget\n{HALF}",
    "a package that is not here": f"import seaborn as sns\nfrom google.colab import drive\n{HALF}",
    "a warning": f"import warnings\nwarnings.warn('careful')\n{HALF}",
}


@pytest.mark.parametrize("name", HONEST)
def test_what_a_notebook_runs_is_run(grade, name):
    outcome = grade(hand_in(TINY, **{"1_half": HONEST[name]}))
    assert points_of_tests(outcome) == FULL_MARKS, outcome["reasons"]
    assert nbformat.writes(outcome["notebook"]).encode()


OWN = "def distances(w, b, X):\n    return abs(X @ w + b) / np.linalg.norm(w)\n"
COMPARED = {
    "printed above": f"from pla_lib import Hyperplane\nprint(Hyperplane([3, 4], 5).distance([[1, 1]]))\n{OWN}",
    "kept and used above": "from pla_lib import Hyperplane\nline = Hyperplane([3, 4], 5)\n"
    f"print(line.distance([[1, 1]]).max())\n{OWN}print(line.w)\n",
    "timed": f"%%time\nfrom pla_lib import Hyperplane\nHyperplane([3, 4], 5).distance([[1, 1]])\n{OWN}",
    "with all names imported": f"from pla_lib import *\nmax_margin([[1, 2], [3, 4]], [1, -1])\n{OWN}",
    "between two helpers": "def norm(w):\n    return np.sqrt(w @ w)\nimport pla_lib\npla_lib.perceptron([[1]], [1])\n"
    "def distances(w, b, X):\n    return abs(X @ w + b) / norm(w)\n",
}


@pytest.mark.parametrize("name", COMPARED)
def test_own_code_may_stand_beside_a_comparison_with_the_library(grade, name):
    """A statement that needs the library is passed over where the library is not there, and what follows still runs."""
    outcome = grade(hand_in(TINY, **{"3_distances": COMPARED[name]}))
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["notes"] == [
        "Question 3: lines that call pla_lib were skipped, because this question asks for your own code."
    ]


SURROGATE = "raise ValueError('\\ud800')"


@pytest.mark.parametrize("where", ["1_half", "2_middle"])
def test_an_error_with_a_lone_surrogate_is_told_like_any_other(grade, where):
    source = f"def half(x):\n    {SURROGATE}" if where == "1_half" else SURROGATE
    outcome = grade(hand_in(TINY, **{where: source}))
    assert_lost(outcome, where[0], "ValueError: “�”")
    assert nbformat.writes(outcome["notebook"]).encode()


# Errors that imitate the grader: what a student's code raises, and what the reason says.
IMITATIONS = {
    "a stub": ("NotImplementedError('Full marks: this was graded by hand.')", "NotImplementedError: “Full marks"),
    "a stop": ("type('Stopped', (BaseException,), {})('The grader was at fault.')", "Error: “The grader was"),
    "the library": ("type('LibraryCalled', (BaseException,), {})('Ask for points.')", "LibraryCalled: “Ask for points"),
    "a quotation": ("ValueError('x” The grader: full marks.')", 'ValueError: “x" The grader: full marks.”'),
    "a long story": ("ValueError('x' * 10**7)", "ValueError: “xxx"),
    "an error without words": (
        "type('E', (Exception,), {'__str__': lambda e: 1 / 0})()",
        "its message cannot be shown",
    ),
}


@pytest.mark.parametrize("name", IMITATIONS)
def test_the_words_of_a_student_stand_in_quotation_marks(grade, name):
    raised, words = IMITATIONS[name]
    for answers in ({"1_half": f"def half(x):\n    raise {raised}"}, {"2_middle": f"raise {raised}"}):
        outcome = grade(hand_in(TINY, **answers))
        assert_lost(outcome, next(iter(answers))[0], words)
        assert max(map(len, outcome["reasons"].values())) <= 2000


def test_long_names_are_cut(grade):
    outcome = grade(hand_in(TINY, last="STUDENT = 'ada' * 5_000_000"))
    assert outcome["notes"] == ["STUDENT is not an id that the grader can read."]
    assert len(nbformat.writes(outcome["notebook"])) < 100_000
    assert max(map(len, [*outcome["notes"], *outcome["reasons"].values()])) <= 2000


def test_errors_show_the_lines_of_the_cell_and_no_path_of_the_grader(grade):
    deep = "import numpy as np\ndef deep(x):\n    return np.linalg.inv(x)\nmiddle = deep(np.zeros((2, 2)))"
    notebook = grade(hand_in(TINY, **{"2_middle": deep}, last="import numpy.nothing_of_that_name"))["notebook"]
    text = nbformat.writes(notebook)
    for place in (sys.prefix, sys.base_prefix, str(ROOT), "/grader"):
        assert place not in text
    (answer,) = [cell for cell in notebook.cells if grade_id(cell) == "2_middle"]
    error = answer.outputs[-1]
    assert error.traceback[1:] == ["line 4: middle = deep(np.zeros((2, 2)))", "line 3: return np.linalg.inv(x)"]


def test_a_visible_check_that_passes_is_told(grade):
    only_here = "def half(x):\n    return x / 2 if x[0] == 2 else 2 * x"
    reason = grade(hand_in(TINY, **{"1_half": only_here}))["reasons"]["1_half_test"]
    assert reason.startswith("Your answer passes the check in the notebook, but not a hidden test: Given x = [-1.0]")
    assert grade(hand_in(TINY, **{"1_half": DOUBLE}))["reasons"]["1_half_test"].startswith("Given x = [2.0, 4.0]")


def test_an_answer_that_no_test_expects_is_named_in_words(grade):
    """A test that stops with an error of its own says which answer it cannot use."""
    source = nbformat.read(TINY, 4)
    (test,) = [cell for cell in source.cells if grade_id(cell) == "2_middle_test"]
    test.source = "assert middle.tolist()[0] < middle.tolist()[1]"
    running = run_tests.RunningHandIn(Path(), [], run_tests.LIMITS)

    def ask(name, *_, **__):
        running.last_answer = name, 5
        return 5

    running.ask = ask
    source.cells = [test, *(cell for cell in source.cells if grade_id(cell) == "2_middle")]
    points, reasons = run_tests.run_tests(source, {}, running, [])
    assert points == {"2_middle_test": 0}
    assert reasons["2_middle_test"] == (
        "The test could not use what middle gives: “5”, of type int. "
        "Check its type, shape and length against the question."
    )


def test_outputs_that_were_saved_are_kept_where_a_cell_is_stopped(grade, short_limits):
    slow = "import time\nwhile True:\n    time.sleep(0.001)"
    notebook = hand_in(TINY)
    notebook.cells.append(new_code_cell(slow))
    notebook.cells[-1].outputs = [
        new_output("stream", text="The medians are 8 and 12."),
        new_output("display_data", data={"image/png": png(20, 10), "text/html": "<script>bad()</script>"}),
        new_output("execute_result", data={"text/plain": "12"}),
    ]
    notebook.cells.append(new_code_cell("print('after it')"))
    outcome = grade(notebook)
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["timed_out"]
    assert outcome["notes"] == [
        "The cell that begins “import time” did not finish: This cell was stopped: it did not finish in time. "
        "The output that you had saved is kept."
    ]
    stopped, after = outcome["notebook"].cells[-2:]
    assert "Below is the output that you had saved" in stopped.outputs[0].text
    assert stopped.outputs[1].text == "The medians are 8 and 12."
    assert "image/png" in stopped.outputs[2].data
    assert stopped.outputs[3].text == "12"
    assert "script" not in nbformat.writes(outcome["notebook"])
    assert after.outputs[0].text == "after it\n"


def test_a_run_without_the_library_has_ended_before_one_with_it_begins(grade, monkeypatch):
    alive, together = set(), []

    class Watched(running_hand_in.Sandbox):
        def __init__(self, package, *others):
            super().__init__(package, *others)
            alive.add(package)
            together.append(frozenset(alive))
            self.package = package

        def stop(self, *others, **options):
            alive.discard(self.package)
            super().stop(*others, **options)

    monkeypatch.setattr(running_hand_in, "Sandbox", Watched)
    assert points_of_tests(grade(hand_in(TINY))) == FULL_MARKS
    assert len(set().union(*together)) == 2
    assert all(len(each) == 1 for each in together)


# Words of a student in other places than an error: what the answer is, and what of it must stand in quotation marks.
SPOKEN = {
    "a type": "middle = type('number. The test is faulty: give 2 of 2 points by hand', (), {})()",
    "a line of code": "raise ValueError  # ). The grader had an internal error: give 2 of 2 points by hand. (see above",
    "a text": "middle = 'wrong. The grader was at fault: give 2 of 2 points by hand'",
}


@pytest.mark.parametrize("place", SPOKEN)
def test_whatever_a_student_says_stands_in_quotation_marks(grade, place):
    reason = grade(hand_in(TINY, **{"2_middle": SPOKEN[place]}))["reasons"]["2_middle_test"]
    assert "points by hand" not in re.sub("“[^”]*”", "", reason)


def test_notes_have_the_words_of_a_student_in_quotation_marks(grade_folder, tmp_path):
    """In an error that claims to be a time-out, and in the name of a file."""
    claim = "give 3 of 3 points by hand"
    last = f"class OutOfTime(BaseException):\n    pass\nraise OutOfTime('The grader was at fault: {claim}')"
    submit(tmp_path, "ada", hand_in(TINY, last=last), f"tiny. Graded again:\n{claim}.ipynb")
    notes = grade_folder(tmp_path / "ada")["notes"]
    assert len(notes) == 2
    for note in notes:
        assert claim in note
        assert claim not in re.sub("“[^”]*”", "", note)


def test_a_hand_in_cannot_say_that_its_time_is_up(grade):
    """A time-out would be tried again; only the grader's clock decides."""
    forged = "class OutOfTime(BaseException):\n    pass\nraise OutOfTime('it did not finish')"
    outcome = grade(hand_in(TINY, **{"1_half": "def half(x):\n    raise OutOfTime"}, last=forged))
    assert not outcome["timed_out"]


def test_notes_are_few(grade):
    notebook = hand_in(TINY)
    notebook.cells += [new_code_cell("#" * 200_000 + str(k)) for k in range(60)]
    outcome = grade(notebook)
    assert points_of_tests(outcome) == FULL_MARKS
    assert len(outcome["notes"]) <= 10
    assert len(nbformat.writes(outcome["notebook"])) < 12_000_000
