"""From a folder of hand-ins to grades and feedback, by the command that an instructor types."""

import csv
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from homework.grader import grades
from homework.grader.problem_set import find_problem_sets
from homework.grader.reports import open_gradebook
from tests.homework.hand_ins import DOUBLE, SAMPLE, TINY, hand_in, needs_sandbox, submit
from tests.homework.make import make
from tests.site_checks import LAPTOP, PHONE, faults_in_browser


def points_table(course: Path) -> dict[str, dict]:
    with (course / "reports" / "tiny" / "points.csv").open(newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> SimpleNamespace:
    """Some good and some bad hand-ins, the course folder that `make grade` made of them, and what it printed."""
    folder = tmp_path_factory.mktemp("grading")
    hand_ins, course = folder / "hand-ins", folder / "grades"
    submit(hand_ins, "ada", hand_in(TINY, "ada"))
    submit(hand_ins, "bob", hand_in(TINY, "bob", **{"1_half": DOUBLE}))
    ends_itself = "import os\nos.kill(-1, 9)\nos._exit(1)"
    submit(hand_ins, "eve", hand_in(TINY, "eve", **{"2_middle": ends_itself}), "tiny/tiny.ipynb")
    submit(hand_ins, "zoë O'Neil, 2", "{broken")
    printed = make("grade", f"SUBMISSIONS={hand_ins}", f"HOMEWORK={SAMPLE}", f"GRADES={course}", "PS=tiny")
    return SimpleNamespace(hand_ins=hand_ins, course=course, printed=printed)


@needs_sandbox
def test_table_has_the_points_of_every_question(graded):
    rows = points_table(graded.course)
    questions = ["1", "2", "3", "4"]
    assert {name: [float(row[q]) for q in questions] for name, row in rows.items()} == {
        "ada": [3, 2, 3, 0],
        "bob": [0, 2, 3, 0],
        "eve": [3, 0, 3, 0],
        "zoë O'Neil, 2": [0, 0, 0, 0],
    }
    assert [row["by hand still open"] for row in rows.values()] == ["4", "4", "4", ""]
    assert rows["ada"]["total"] == "8.0"
    assert "cannot be read as a notebook" in rows["zoë O'Neil, 2"]["notes"]
    with (graded.course / "reports/tiny/lms.csv").open(newline="", encoding="utf-8") as file:
        header, possible, first, *_ = csv.reader(file)
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "tiny"]
    assert possible[0].strip() == "Points Possible"
    assert (possible[-1], first[3], first[-1]) == ("10", "ada", "8.0")


@needs_sandbox
def test_progress_is_shown(graded):
    assert "4/4" in graded.printed
    assert "summary.html" in graded.printed


@needs_sandbox
@pytest.mark.parametrize("size", [LAPTOP, PHONE])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_pages_are_whole_and_accessible(graded, browser, size, colours):
    from book.serve import serving

    with serving(graded.course / "reports" / "tiny") as address:
        for page in ("summary.html", "feedback/bob.html", "feedback/zo%C3%AB%20O%27Neil%2C%202.html"):
            assert faults_in_browser(browser, f"{address}/{page}", size=size, colours=colours) == [], page


@needs_sandbox
def test_feedback_says_why_and_shows_no_hidden_test(graded):
    page = (graded.course / "reports/tiny/feedback/bob.html").read_text()
    assert "5 of 10 points" in page
    assert "the answer is [4.0, 8.0]; it should be [1.0, 2.0]" in page
    assert "return 2 * x" in page
    assert "expect(" not in page
    assert "Rubric" not in page
    summary = (graded.course / "reports/tiny/summary.html").read_text()
    assert summary.index(">4</th>") > summary.index(">1</th>")  # questions to be graded by hand come last
    assert "Rubric" in summary


@pytest.fixture(scope="module")
def graded_again(graded, tmp_path_factory) -> SimpleNamespace:
    """A second run, after one hand-in changed, one was left half written by the first, and one was graded by hand."""
    folder = tmp_path_factory.mktemp("again")
    hand_ins = shutil.copytree(graded.hand_ins, folder / "hand-ins")
    course = shutil.copytree(graded.course, folder / "grades")
    submit(hand_ins, "bob", hand_in(TINY, "bob"))
    outcome = course / "outcomes" / "tiny" / "eve.json"
    outcome.rename(outcome.with_suffix(".part"))
    with open_gradebook(course) as book:  # as the formgrader does it
        grade = book.find_grade("4_why", "tiny", "tiny", "ada")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        book.find_comment("4_why", "tiny", "tiny", "ada").manual_comment = "Say what <b>happens</b> to w."
        book.db.commit()
    notebooks = {path: path.stat().st_mtime_ns for path in (course / "autograded").rglob("*.ipynb")}
    make("grade", f"SUBMISSIONS={hand_ins}", f"HOMEWORK={SAMPLE}", f"GRADES={course}")
    rewritten = {path.parents[1].name for path, time in notebooks.items() if path.stat().st_mtime_ns != time}
    return SimpleNamespace(course=course, rewritten=rewritten)


@needs_sandbox
def test_again_gives_the_same_and_grades_only_what_changed(graded, graded_again):
    before, after = points_table(graded.course), points_table(graded_again.course)
    assert after["bob"]["total"] == "8.0"
    same = before.keys() - {"ada", "bob"}
    assert len(same) == 2
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert [after["ada"][question] for question in "123"] == [before["ada"][question] for question in "123"]
    assert after.keys() == before.keys()
    assert graded_again.rewritten == {"bob", "eve"}


@needs_sandbox
def test_points_by_hand_are_kept_and_added(graded_again):
    row = points_table(graded_again.course)["ada"]
    assert (row["4"], row["total"], row["by hand still open"]) == ("1.5", "9.5", "")
    page = (graded_again.course / "reports/tiny/feedback/ada.html").read_text()
    assert "Say what &lt;b&gt;happens&lt;/b&gt; to w." in page


def test_wrong_input_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd" / "=1+1").mkdir(parents=True)

    def refused(hand_ins: str, *names: str) -> str:
        with pytest.raises(SystemExit) as ended:
            grades.main(SAMPLE, tmp_path / hand_ins, tmp_path / "out", list(names), unsafe=False)
        return str(ended.value)

    assert "There is no folder" in refused("nowhere")
    assert "There is no hand-in" in refused("empty")
    assert "cannot be student ids; rename them: ['=1+1']" in refused("odd")
    assert re.search(r"There is no set ps9 in .*; there are tiny\.", refused("odd", "ps9"))
    assert not (tmp_path / "out").exists()
    with pytest.raises(SystemExit, match="There is no problem set in"):
        find_problem_sets(tmp_path)
    assert "Say where the hand-ins are: make grade SUBMISSIONS=folder" in make("grade", fails=True)
