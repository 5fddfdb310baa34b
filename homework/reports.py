"""What grading gives: the gradebook, tables of points, a page for every student, and one for the instructor."""

import csv
import shutil
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from nbformat import NotebookNode
from nbgrader.api import Grade, Gradebook
from sets import about, is_answer, points, question, read
from sqlalchemy.exc import SAWarning

from pla_lib.plots import COLOURS

PAGES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
PAGES.filters["number"] = lambda value: f"{value:.2f}".rstrip("0").rstrip(".")
PAGES.globals["colours"] = COLOURS


@dataclass
class Question:
    """What a student got for a question, and why not more."""

    number: str
    most: float
    points: float = 0
    open: bool = False  # points by hand are still to be given
    reasons: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    answers: list[NotebookNode] = field(default_factory=list)


@dataclass
class Result:
    student: str
    notes: list[str]
    questions: dict[str, Question]

    @property
    def points(self) -> float:
        return sum(each.points for each in self.questions.values())

    @property
    def open(self) -> list[str]:
        return [each.number for each in self.questions.values() if each.open]


def gradebook(root: Path) -> Gradebook:
    return Gradebook(f"sqlite:///{(root / 'gradebook.db').resolve()}", "perceptron")


def record(root: Path, problem_set: Path, outcomes: dict[str, dict]) -> None:
    """Write what the tests gave into nbgrader's gradebook. Points and comments given by hand stay."""
    name = problem_set.stem
    with warnings.catch_warnings(action="ignore", category=SAWarning), gradebook(root) as book:
        for student, outcome in outcomes.items():
            book.update_or_create_student(student)
            (notebook,) = book.update_or_create_submission(name, student).notebooks
            grades = {grade.name: grade for grade in notebook.grades}
            for cell in book.find_notebook(name, name).grade_cells:
                grade = grades.get(cell.name) or Grade(cell_id=cell.id, notebook=notebook)
                grade.auto_score = outcome["points"][cell.name]
                grade.needs_manual_grade = grade.auto_score is None and grade.manual_score is None
        book.db.commit()


def results(root: Path, problem_set: Path, outcomes: dict[str, dict]) -> list[Result]:
    """Points by tests and by hand together, student by student."""
    name, found = problem_set.stem, []
    most = points(read(problem_set))
    with gradebook(root) as book:
        for student, outcome in outcomes.items():
            questions = {number: Question(number, value) for number, value in most.items()}
            (notebook,) = book.find_submission(name, student).notebooks
            for grade in notebook.grades:
                asked = questions[question(grade.name)]
                asked.points += grade.score
                asked.open |= grade.needs_manual_grade
                if reason := outcome["reasons"].get(grade.name):
                    asked.reasons += [reason] if reason not in asked.reasons else []
            for comment in notebook.comments:
                if comment.comment and question(comment.name) in questions:
                    questions[question(comment.name)].comments.append(comment.comment)
            for cell in read(root / "autograded" / student / name / problem_set.name).cells:
                if is_answer(cell) and question(about(cell).grade_id) in questions:
                    questions[question(about(cell).grade_id)].answers.append(cell)
            found.append(Result(student, outcome["notes"], questions))
    return found


def report(root: Path, problem_set: Path, outcomes: dict[str, dict]) -> None:
    """Write tables and pages to `root`/reports, and say where they are."""
    folder, source = root / "reports" / problem_set.stem, read(problem_set)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "feedback").mkdir(parents=True)
    found, most = results(root, problem_set, outcomes), points(source)
    title = source.cells[0].source.splitlines()[0].lstrip("# ")
    _table(folder / "points.csv", found, most)
    _learning_management(folder / "lms.csv", problem_set.stem, found, most)
    page = PAGES.get_template("feedback.html")
    for result in found:
        text = page.render(title=title, result=result, most=sum(most.values()))
        (folder / "feedback" / f"{result.student}.html").write_text(text, encoding="utf-8")
    rubrics = {
        about(cell).grade_id: cell.source for cell in source.cells if is_answer(cell) and about(cell).get("grade")
    }
    summary = PAGES.get_template("summary.html").render(
        title=title,
        found=found,
        most=most,
        bars=_bars([result.points for result in found], sum(most.values())),
        middle={"mean": mean(result.points for result in found), "median": median(result.points for result in found)},
        missed=_missed(found, most),
        rubrics=rubrics,
    )
    (folder / "summary.html").write_text(summary, encoding="utf-8")
    print(f"{folder / 'summary.html'}  and beside it points.csv, lms.csv, feedback/")
    if waiting := sum(bool(result.open) for result in found):
        print(f"{waiting} wait for points by hand: see README.md in {root}; then run this again.")


def _table(path: Path, found: list[Result], most: dict[str, float]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["student", *most, "total", "of", "by hand still open", "notes"])
        for result in found:
            row = [each.points for each in result.questions.values()]
            total = [result.points, sum(most.values()), " ".join(result.open), " ".join(result.notes)]
            table.writerow([result.student, *row, *total])


def _learning_management(path: Path, name: str, found: list[Result], most: dict[str, float]) -> None:
    """The columns that Canvas takes as they are; Moodle and others ask which column is which."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", name])
        table.writerow(["    Points Possible", "", "", "", "", sum(most.values())])
        table.writerows([result.student, "", "", result.student, "", result.points] for result in found)


def _bars(totals: list[float], most: float, count: int = 10) -> list[dict]:
    """How many hand-ins have how many points, in tenths of what there is."""
    tall = [0] * count
    for total in totals:
        tall[min(int(count * total / most), count - 1)] += 1
    return [{"from": most * k / count, "count": value, "share": value / max(tall)} for k, value in enumerate(tall)]


def _missed(found: list[Result], most: dict[str, float]) -> list[dict]:
    """The questions, most missed first; those that still wait for points by hand last."""
    rows = []
    for number, value in most.items():
        given = [result.questions[number] for result in found]
        waiting = sum(each.open for each in given)
        share = None if waiting else mean(each.points / value for each in given)
        reasons = [reason for each in given for reason in each.reasons]
        often = max(sorted(set(reasons)), key=reasons.count) if reasons else ""
        rows.append({"number": number, "most": value, "share": share, "waiting": waiting, "often": often})
    return sorted(rows, key=lambda row: (row["share"] is None, row["share"]))
