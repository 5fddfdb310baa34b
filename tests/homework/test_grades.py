"""From a folder of hand-ins to grades and feedback, by the command that an instructor types."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import nbformat
import psutil
import pytest

from homework.grader import grades, reports
from homework.grader.problem_set import find_problem_sets
from homework.grader.release import released_notebook
from homework.grader.reports import open_gradebook, record_points, write_reports
from homework.grader.sandbox import Limits
from tests import ROOT
from tests.homework.hand_ins import DOUBLE, FULL_MARKS, SAMPLE, TINY, hand_in, needs_sandbox, points_of_tests, submit
from tests.homework.hostile import CELLS, KINDS, hostile_hand_in
from tests.homework.make import make
from tests.homework.ordinary_user import as_ordinary_user
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
    assert "5 of 10 points so far" in page
    assert "Still to be graded by hand: 4, for up to 2 points." in page
    assert "your function returned [4.0, 8.0].\nIt should return [1.0, 2.0]." in page
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


@pytest.fixture
def course(graded, tmp_path) -> Path:
    """A copy of the course folder that can be changed."""
    return shutil.copytree(graded.course, tmp_path / "course")


def give_points(course: Path, student: str, points: float) -> None:
    """As the formgrader does it."""
    with open_gradebook(course) as book:
        grade = book.find_grade("4_why", "tiny", "tiny", student)
        grade.manual_score, grade.needs_manual_grade = points, False
        book.db.commit()


@needs_sandbox
@pytest.mark.parametrize(
    ("answer", "open_questions", "points"),
    [("No, it is the other way round.", "4", 0), (None, "", 0), ("An answer in words.", "", 2)],
    ids=["another answer", "the stub", "the same answer"],
)
def test_points_by_hand_belong_to_the_answer_that_got_them(course, released, tmp_path, answer, open_questions, points):
    give_points(course, "ada", 2)
    notebook = hand_in(TINY, "ada", last="print('a new cell')")
    stub = nbformat.read(released_notebook(course, TINY), 4).cells[-1].source
    notebook.cells[-2].source = stub if answer is None else answer
    submit(tmp_path / "hand-ins", "ada", notebook)
    for _ in range(2):  # and a second time, when nothing changes
        make("grade", f"SUBMISSIONS={tmp_path / 'hand-ins'}", f"HOMEWORK={SAMPLE}", f"GRADES={course}")
        row = points_table(course)["ada"]
        assert (row["by hand still open"], float(row["4"])) == (open_questions, points)
    give_points(course, "ada", 1)
    make("grade", f"SUBMISSIONS={tmp_path / 'hand-ins'}", f"HOMEWORK={SAMPLE}", f"GRADES={course}")
    assert float(points_table(course)["ada"]["4"]) == 1


@needs_sandbox
def test_a_fault_in_the_report_of_one_student_is_that_students(graded, course, monkeypatch):
    """Pages, tables and points of the others are written all the same."""
    outcomes = {
        path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (course / "outcomes/tiny").glob("*.json")
    }
    (course / "autograded/eve/tiny/tiny.ipynb").write_text("no notebook")
    notebook = course / "autograded/bob/tiny/tiny.ipynb"
    notebook.write_text(notebook.read_text(encoding="utf-8").replace("An answer in words.", "Words of bob."))
    show = reports.PAGES.filters["safe_html"]
    monkeypatch.setitem(reports.PAGES.filters, "safe_html", lambda html: 1 / 0 if "bob" in html else show(html))
    record_points(course, TINY, outcomes)
    write_reports(course, TINY, outcomes)
    rows = points_table(course)
    assert {name: row["total"] for name, row in rows.items()} == {
        name: row["total"] for name, row in points_table(graded.course).items()
    }
    for student in ("bob", "eve"):
        assert "The answers cannot be shown here" in rows[student]["notes"]
        page = (course / f"reports/tiny/feedback/{student}.html").read_text(encoding="utf-8")
        assert "an instructor has to look" in page
    assert "These need your attention" in (course / "reports/tiny/summary.html").read_text(encoding="utf-8")


SHORT = Limits(cell_seconds=1.5, call_seconds=1.5, hand_in_seconds=10, grace_seconds=0.5)


@pytest.fixture
def grade_tiny(released, tmp_path):
    """Grade the hand-ins in tmp_path/hand-ins to the course folder tmp_path/course, with short limits."""
    course = shutil.copytree(released.folder / "course", tmp_path / "course")

    def grade_tiny() -> dict[str, dict]:
        stubs = released_notebook(course, TINY)
        return grades.grade_all(tmp_path / "hand-ins", TINY, course, stubs, unsafe=False, limits=SHORT)

    return grade_tiny


@needs_sandbox
def test_a_time_out_is_tried_again_alone_and_never_kept(grade_tiny, tmp_path, monkeypatch):
    running, seen, grade_in_process = set(), [], grades.grade_in_process

    def watched(folder, student, *others):
        running.add(student)
        seen.append((student, frozenset(running)))
        try:
            return grade_in_process(folder, student, *others)
        finally:
            running.discard(student)

    monkeypatch.setattr(grades, "grade_in_process", watched)
    for student in ("ada", "bob", "cy"):
        submit(tmp_path / "hand-ins", student, hand_in(TINY, student))
    submit(tmp_path / "hand-ins", "eve", hand_in(TINY, "eve", last=CELLS["endless loop"]))
    for expected in (["ada", "bob", "cy", "eve", "eve"], ["eve", "eve"]):
        outcomes = grade_tiny()
        assert sorted(student for student, _ in seen) == expected
        assert seen[-1] == ("eve", {"eve"})
        assert {student: points_of_tests(each) for student, each in outcomes.items()} == dict.fromkeys(
            ["ada", "bob", "cy", "eve"], FULL_MARKS
        )
        seen.clear()


@needs_sandbox
def test_a_grading_process_that_is_killed_is_tried_again_alone_and_then_told(grade_tiny, tmp_path):
    """As by the system when memory runs out: eve's whenever it is there, bob's once."""
    killed, done = [], threading.Event()

    def kill() -> None:
        while not done.wait(0.05):
            for child in psutil.Process().children():
                for file in ("eve", "bob"):
                    if _grades(child, tmp_path / "hand-ins" / file) and (file == "eve" or file not in killed):
                        killed.append(file)
                        os.kill(child.pid, signal.SIGKILL)

    for student in ("ada", "bob", "cy", "eve"):
        slow = "import time\ntime.sleep(2)"
        submit(tmp_path / "hand-ins", student, hand_in(TINY, student, last=slow))
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        outcomes = grade_tiny()
    finally:
        done.set()
        killer.join()
    assert {*killed} == {"eve", "bob"}
    assert [points_of_tests(outcomes[student]) for student in ("ada", "bob", "cy")] == [FULL_MARKS] * 3
    assert outcomes["eve"]["look"]
    assert outcomes["eve"]["points"]["4_why"] is None
    assert "an instructor has to look at it. (its grading ended with signal 9" in outcomes["eve"]["notes"][0]


def _grades(process: psutil.Process, folder: Path) -> bool:
    """Whether a process grades the hand-in in a folder."""
    try:
        return str(folder) in process.cmdline()
    except psutil.Error:
        return False


BUSY = """
import time
started = time.process_time()
while time.process_time() - started < 0.7:
    pass
"""


@needs_sandbox
def test_busy_processes_of_one_take_no_points_from_others(grade_tiny, tmp_path):
    """Each honest cell needs half of its time, while another hand-in keeps thirty processes busy."""
    honest = [f"student{k}" for k in range(4)]
    for student in honest:
        submit(tmp_path / "hand-ins", student, hand_in(TINY, student, last=BUSY))
    submit(tmp_path / "hand-ins", "eve", hand_in(TINY, "eve", last=CELLS["busy processes"]))
    outcomes = grade_tiny()
    for student in honest:
        assert points_of_tests(outcomes[student]) == FULL_MARKS
        assert not outcomes[student]["timed_out"]
    assert outcomes["eve"]["timed_out"]


@needs_sandbox
def test_among_hostile_hand_ins_honest_ones_get_their_points(grade_tiny, tmp_path):
    """Every kind of attack once; make test-all does the same with 200 hand-ins of a real set."""
    honest = {f"student{k}": {} if k % 2 else {"1_half": DOUBLE} for k in range(12)}
    for student, answers in honest.items():
        submit(tmp_path / "hand-ins", student, hand_in(TINY, student, **answers))
    for number, kind in enumerate(KINDS):
        submit(tmp_path / "hand-ins", f"eve{number}", hostile_hand_in(TINY, f"eve{number}", kind))
    outcomes = grade_tiny()
    for student, answers in honest.items():
        assert points_of_tests(outcomes[student]) == FULL_MARKS | ({"1_half_test": 0} if answers else {})
        assert outcomes[student]["notes"] == []
    record_points(tmp_path / "course", TINY, outcomes)
    write_reports(tmp_path / "course", TINY, outcomes)
    assert points_table(tmp_path / "course").keys() == outcomes.keys()
    for number, kind in enumerate(KINDS):
        outcome = outcomes[f"eve{number}"]
        assert all(points <= FULL_MARKS[name] for name, points in points_of_tests(outcome).items()), kind
        assert not outcome["look"], (kind, outcome["notes"])


def _open_to_others(folder: Path) -> None:
    """pytest closes its folders to other users."""
    for place in (folder, *folder.parents[:3]):
        if place.stat().st_uid == os.geteuid() and place != Path("/tmp"):
            place.chmod(0o777 if place == folder else 0o755)


@needs_sandbox
def test_grading_without_root(tmp_path):
    """The whole command as an ordinary user, in bubblewrap's user namespace, without control groups."""
    hand_ins, course = tmp_path / "hand-ins", tmp_path / "course"
    submit(hand_ins, "ada", hand_in(TINY, "ada"))
    submit(hand_ins, "bob", hand_in(TINY, "bob", **{"1_half": DOUBLE}))
    for student, kind in {"eve": "memory without a name", "mallory": "fork bomb", "oscar": "everything killed"}.items():
        submit(hand_ins, student, hostile_hand_in(TINY, student, kind))
    command = [sys.executable, "-m", "homework.grader.grades", SAMPLE, hand_ins, course, "tiny"]
    _open_to_others(tmp_path)
    result = subprocess.run(as_ordinary_user([str(each) for each in command]), capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    rows = points_table(course)
    assert {name: [float(row[question]) for question in "123"] for name, row in rows.items()} == {
        "ada": [3, 2, 3],
        "bob": [0, 2, 3],
        "eve": [3, 2, 3],
        "mallory": [3, 2, 3],
        "oscar": [3, 2, 3],
    }
    assert course.stat().st_uid != 0


FOLDERS = """
import os, sys
os.chdir(sys.argv[1])
os.makedirs("bob")
os.chdir("bob")
while len(os.getcwd()) < 3900:
    os.mkdir("d" * 100)
    os.chdir("d" * 100)
os.mkdir("e" * (4089 - len(os.getcwd()) - 1))
os.chdir("e" * (4089 - len(os.getcwd()) - 1))
open("tiny.ipynb", "w").close()
os.chdir(sys.argv[1])
for student in ("cy", "dan", "eve"):
    os.mkdir(student)
open("cy/tiny.ipynb", "w").close()
os.chmod("cy/tiny.ipynb", 0)
os.mkdir("dan/closed")
open("dan/closed/tiny.ipynb", "w").close()
os.chmod("dan/closed", 0o600)
os.symlink("tiny.ipynb", "eve/tiny.ipynb")
os.mkfifo("eve/tiny-2.ipynb")
"""


@needs_sandbox
def test_files_that_cannot_be_opened_stop_nobody_else(tmp_path):
    """A path that is too long, a file and a folder that are closed, a link to itself, a pipe; as an ordinary user."""
    hand_ins, course = tmp_path / "hand-ins", tmp_path / "course"
    submit(hand_ins, "ada", hand_in(TINY, "ada"))
    _open_to_others(tmp_path)
    hand_ins.chmod(0o777)
    run = {"capture_output": True, "text": True, "cwd": ROOT}
    made = subprocess.run(as_ordinary_user([sys.executable, "-c", FOLDERS, str(hand_ins)]), **run)
    assert made.returncode == 0, made.stderr
    command = [sys.executable, "-m", "homework.grader.grades", SAMPLE, hand_ins, course, "tiny"]
    result = subprocess.run(as_ordinary_user([str(each) for each in command]), **run)
    assert result.returncode == 0, result.stdout + result.stderr
    rows = points_table(course)
    assert rows["ada"]["total"] == "8.0"
    for student in ("bob", "cy", "dan", "eve"):
        assert rows[student]["total"] == "0.0"
        assert "tiny.ipynb" in rows[student]["notes"]
    shutil.rmtree(hand_ins / "bob")


def test_wrong_input_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd" / "=1+1").mkdir(parents=True)
    (tmp_path / "long" / ("x" * 252)).mkdir(parents=True)
    (tmp_path / "bytes").mkdir()
    os.mkdir(os.fsencode(tmp_path / "bytes") + b"/ada\xff")

    def refused(hand_ins: str, *names: str) -> str:
        with pytest.raises(SystemExit) as ended:
            grades.main(SAMPLE, tmp_path / hand_ins, tmp_path / "out", list(names), unsafe=False)
        return str(ended.value)

    assert "There is no folder" in refused("nowhere")
    assert "There is no hand-in" in refused("empty")
    assert "cannot be used as student ids; rename 1 of them: '=1+1'" in refused("odd")
    assert f"rename 1 of them: '{'x' * 60}...'" in refused("long")
    assert r"rename 1 of them: 'ada\udcff'" in refused("bytes")
    assert re.search(r"There is no set ps9 in .*\. Its sets are tiny\.", refused("odd", "ps9"))
    assert not (tmp_path / "out").exists()
    with pytest.raises(SystemExit, match="There is no problem set in"):
        find_problem_sets(tmp_path)
    assert "Say where the hand-ins are: make grade SUBMISSIONS=folder" in make("grade", fails=True)
