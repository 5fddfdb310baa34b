"""Reading a hand-in and comparing its answers cannot hang, or take all memory: the process that does it has limits."""

import os
import signal
import threading
import time

import nbformat
import psutil
import pytest

from homework.grader import grading_process
from homework.grader.grading_process import GradingDied, grade_in_process
from homework.grader.problem_set import grade_id
from homework.grader.release import released_notebook
from homework.grader.run_tests import LIMITS
from tests.homework.hand_ins import FULL_MARKS, TINY, hand_in, needs_sandbox, points_of_tests, submit
from tests.homework.hostile import hostile_hand_in

pytestmark = needs_sandbox


@pytest.fixture
def grade_apart(released, packages, tmp_path):
    """Grade a hand-in in a process of its own; `test` replaces the test of question 2."""

    def grade_apart(notebook, test: str | None = None, **options) -> dict:
        source = nbformat.read(TINY, 4)
        for cell in source.cells:
            if grade_id(cell) == "2_middle_test" and test is not None:
                cell.source = test
        problem_set = tmp_path / "tiny" / "tiny.ipynb"
        problem_set.parent.mkdir(exist_ok=True)
        nbformat.write(source, problem_set)
        submit(tmp_path, "ada", notebook)
        stubs = released_notebook(released.folder / "course", TINY)
        return grade_in_process(tmp_path / "ada", "ada", problem_set, stubs, packages, LIMITS, **options)

    return grade_apart


def test_outcome_is_that_of_the_hand_in(grade_apart):
    outcome = grade_apart(hand_in(TINY))
    assert points_of_tests(outcome) == FULL_MARKS
    assert nbformat.reads(outcome["notebook"], 4).cells


# What a test does with an answer, and an answer that makes it compute for hours, in compiled code.
SLOW = {
    "numbers that collide": ("assert len({*middle}) == 2", "[k * (2**61 - 1) for k in range(35_000)]"),
    "a number in words": (
        "from fractions import Fraction\nassert Fraction(middle[0]) == 1, 'wrong'",
        "['1e4000000000', 1]",
    ),
    "a loop": ("while middle != 0:\n    pass", "1"),
}


@pytest.mark.parametrize("kind", SLOW)
def test_a_test_that_does_not_end_is_lost_alone(grade_apart, kind):
    test, answer = SLOW[kind]
    outcome = grade_apart(hand_in(TINY, **{"2_middle": f"middle = {answer}"}), test, step_seconds=2)
    assert points_of_tests(outcome) == FULL_MARKS | {"2_middle_test": 0}
    reason = "Checking what your code returned took more than 2 seconds of computing time."
    assert outcome["reasons"] == {"2_middle_test": reason}


def test_a_test_that_takes_all_memory_is_lost_alone(grade_apart):
    outcome = grade_apart(hand_in(TINY, **{"2_middle": "middle = 10**10"}), "assert len([0] * middle) == 2")
    assert points_of_tests(outcome) == FULL_MARKS | {"2_middle_test": 0}
    assert outcome["reasons"]["2_middle_test"].startswith("The test ran out of memory on what middle gives")


@pytest.mark.parametrize("kind", ["rows of nothing", "very long numbers", "keys that collide", "much data"])
def test_data_without_bounds_do_not_reach_the_tests(grade_apart, kind):
    outcome = grade_apart(hostile_hand_in(TINY, "ada", kind))
    assert set(points_of_tests(outcome).values()) == {0}
    assert "An answer is made of numbers, strings, lists and arrays" in outcome["reasons"]["2_middle_test"]


def test_metadata_without_end_are_passed_over(grade_apart):
    assert points_of_tests(grade_apart(hostile_hand_in(TINY, "ada", "metadata without end"))) == FULL_MARKS


def test_a_file_that_takes_too_long_to_read_ends_its_own_grading(grade_apart):
    with pytest.raises(GradingDied, match=f"signal {signal.SIGPROF.value} while (starting|reading)"):
        grade_apart(hostile_hand_in(TINY, "ada", "metadata without end"), step_seconds=0.05)


def test_a_process_that_is_killed_is_told(grade_apart, monkeypatch):
    def kill() -> None:
        for _ in range(3000):
            for child in psutil.Process().children():
                if "homework.grader.grading_process" in child.cmdline():
                    return os.kill(child.pid, signal.SIGKILL)
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(GradingDied, match="signal 9"):
        grade_apart(hand_in(TINY))
    killer.join()


def test_a_process_that_never_ends_is_stopped(grade_apart, monkeypatch):
    monkeypatch.setattr(grading_process, "WALL_SECONDS", 3)
    with pytest.raises(GradingDied, match="signal 9"):
        grade_apart(hand_in(TINY, last="import time\ntime.sleep(10**6)"))


TABLE = "|" + "a|" * 3000 + "\n|" + "-|" * 3000 + "\n" + "|\n" * 7000


def test_a_table_that_explodes_is_shown_as_text(grade_apart):
    outcome = grade_apart(hand_in(TINY, **{"4_why": TABLE}), step_seconds=10)
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["points"]["4_why"] is None
    assert outcome["notes"] == []


@pytest.mark.parametrize("fault", ["while True: pass", "kept = [bytearray(10**8) for _ in range(10**4)]"])
def test_points_are_kept_where_an_answer_cannot_be_typeset(grade_apart, tmp_path, monkeypatch, fault):
    """A renderer that hangs, or that takes all memory, stands in for one that an answer drives to it."""
    patch = f"import markdown_it\ndef parse(*_):\n    {fault}\nmarkdown_it.MarkdownIt.parse = parse\n"
    (tmp_path / "sitecustomize.py").write_text(patch)  # Python runs it when it starts
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    outcome = grade_apart(hand_in(TINY, **{"4_why": "Because $w$ may be long."}), step_seconds=2)
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["points"]["4_why"] is None
    assert "could not be typeset; they are shown as you wrote them" in outcome["notes"][0]
    assert "Because" in outcome["notebook"]
