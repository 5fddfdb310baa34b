"""What grading produces: points in the gradebook, tables, a page for every student, and one for the instructor."""

import csv
import json
import shutil
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from nbformat import NotebookNode
from nbgrader.api import Grade, Gradebook
from sqlalchemy.exc import SAWarning

from homework.grader.problem_set import (
    grade_id,
    is_answer,
    is_graded_by_hand,
    points_by_question,
    question_number,
    read_notebook,
)
from homework.grader.run_tests import ANOTHER_ID
from homework.grader.sanitiser import sanitise_html
from pla_lib.plots import COLOURS

PAGES = Environment(
    loader=FileSystemLoader(Path(__file__).parents[1] / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
PAGES.filters["number"] = lambda value: f"{value:.2f}".rstrip("0").rstrip(".")
PAGES.filters["safe_html"] = lambda html: Markup(sanitise_html(html))
PAGES.globals["colours"] = COLOURS


@dataclass
class QuestionResult:
    """A student's points for a question, and the reasons for points that were lost."""

    number: str
    maximum: float
    points: float = 0
    open: bool = False  # still to be graded by hand
    reasons: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    answers: list[NotebookNode] = field(default_factory=list)


@dataclass
class StudentResult:
    student: str
    notes: list[str]
    questions: dict[str, QuestionResult]
    look: bool = False  # something went wrong that an instructor should see

    @property
    def points(self) -> float:
        return sum(each.points for each in self.questions.values())

    @property
    def open_points(self) -> float:
        return sum(each.maximum for each in self.questions.values() if each.open)

    @property
    def open(self) -> list[str]:
        return [each.number for each in self.questions.values() if each.open]


def open_gradebook(root: Path) -> Gradebook:
    return Gradebook(f"sqlite:///{(root / 'gradebook.db').resolve()}", "perceptron")


def record_points(root: Path, problem_set: Path, outcomes: dict[str, dict]) -> None:
    """Write the points of the tests into nbgrader's gradebook. Points given by hand stay while their answer does."""
    name = problem_set.stem
    file = root / "outcomes" / f"{name}.json"  # the answers to which points by hand belong, by student
    recorded = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    with warnings.catch_warnings(action="ignore", category=SAWarning), open_gradebook(root) as book:
        for student, outcome in outcomes.items():
            book.update_or_create_student(student)
            (notebook,) = book.update_or_create_submission(name, student).notebooks
            grades = {grade.name: grade for grade in notebook.grades}
            for cell in book.find_notebook(name, name).grade_cells:
                grade = grades.get(cell.name) or Grade(cell_id=cell.id, notebook=notebook)
                grade.auto_score = outcome["points"][cell.name]
                answer, earlier = outcome["answers"].get(cell.name), recorded.get(student, {}).get(cell.name)
                if None not in (answer, earlier, grade.manual_score) and answer != earlier:
                    points = PAGES.filters["number"](grade.manual_score)
                    outcome["notes"].append(
                        f"The answer to {question_number(cell.name)} has changed since it was graded by hand "
                        f"({points} points). It waits to be graded again."
                    )
                    grade.manual_score = None
                grade.needs_manual_grade = grade.auto_score is None and grade.manual_score is None
            recorded[student] = recorded.get(student, {}) | outcome["answers"]
        book.db.commit()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(recorded, indent=1), encoding="utf-8")


def read_results(root: Path, problem_set: Path, outcomes: dict[str, dict]) -> list[StudentResult]:
    """Points from tests and by hand together, student by student."""
    name, results = problem_set.stem, []
    maximum = points_by_question(read_notebook(problem_set))
    with open_gradebook(root) as book:
        for student, outcome in outcomes.items():
            questions = {number: QuestionResult(number, points) for number, points in maximum.items()}
            (notebook,) = book.find_submission(name, student).notebooks
            for grade in notebook.grades:
                question = questions[question_number(grade.name)]
                question.points += grade.score
                question.open |= grade.needs_manual_grade
                if reason := outcome["reasons"].get(grade.name):
                    question.reasons += [reason] if reason not in question.reasons else []
            for comment in notebook.comments:
                if comment.comment and question_number(comment.name) in questions:
                    questions[question_number(comment.name)].comments.append(comment.comment)
            look = outcome["look"] or outcome["unread"] or outcome["timed_out"]
            results.append(StudentResult(student, outcome["notes"], questions, look))
            with _only_this_student(results[-1]):
                for cell in read_notebook(root / "autograded" / student / name / problem_set.name).cells:
                    if is_answer(cell) and question_number(grade_id(cell)) in questions:
                        questions[question_number(grade_id(cell))].answers.append(cell)
    return results


@contextmanager
def _only_this_student(result: StudentResult):
    """If something goes wrong in here, the answers of this student are not shown, and an instructor has a look."""
    try:
        yield
    except Exception as error:
        result.notes.append(f"The answers cannot be shown here; an instructor has to look ({type(error).__name__}).")
        result.look = True
        for question in result.questions.values():
            question.answers.clear()


def write_reports(root: Path, problem_set: Path, outcomes: dict[str, dict]) -> None:
    """Write tables and pages to `root`/reports, and print where they are."""
    folder, source = root / "reports" / problem_set.stem, read_notebook(problem_set)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "feedback").mkdir(parents=True)
    results, maximum = read_results(root, problem_set, outcomes), points_by_question(source)
    title = source.cells[0].source.splitlines()[0].lstrip("# ")
    page = PAGES.get_template("feedback.html")
    for result in results:
        file = folder / "feedback" / f"{result.student}.html"
        for _ in range(2):  # the second time without the answers, if they are what goes wrong
            with _only_this_student(result):
                text = page.render(title=title, result=result, maximum=sum(maximum.values()))
                file.write_text(text, encoding="utf-8")
                break
    _write_points(folder / "points.csv", results, maximum)
    _write_lms_import(folder / "lms.csv", problem_set.stem, results, maximum)
    totals = [result.points for result in results]
    summary = PAGES.get_template("summary.html").render(
        title=title,
        results=results,
        maximum=sum(maximum.values()),
        mean=mean(totals),
        median=median(totals),
        histogram=_histogram(totals, sum(maximum.values())),
        questions=_questions_by_success(results, maximum),
        rubrics={grade_id(cell): cell.source for cell in filter(is_graded_by_hand, source.cells)},
    )
    (folder / "summary.html").write_text(summary, encoding="utf-8")
    print(f"Wrote {folder / 'summary.html'}, with points.csv, lms.csv and feedback/ beside it.")
    if look := sum(result.look for result in results):
        print(f"Hand-ins that need your attention: {look}. See the top of summary.html.")
    other_id = sum(any(note.startswith(ANOTHER_ID) for note in result.notes) for result in results)
    if 2 * other_id > len(results):
        print(f"{other_id} notebooks have another STUDENT than their folder's name: are the folders named by id?")
    if waiting := sum(bool(result.open) for result in results):
        print(f"Hand-ins with answers to grade by hand: {waiting}. See README.md in {root}, then run this again.")


def _write_points(path: Path, results: list[StudentResult], maximum: dict[str, float]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["student", *maximum, "total", "of", "by hand still open", "notes"])
        for result in results:
            row = [each.points for each in result.questions.values()]
            total = [result.points, sum(maximum.values()), " ".join(result.open), " ".join(result.notes)]
            table.writerow([result.student, *row, *total])


def _write_lms_import(path: Path, name: str, results: list[StudentResult], maximum: dict[str, float]) -> None:
    """The columns that Canvas, a learning management system, imports as they are; Moodle asks which column is which."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", name])
        table.writerow(["    Points Possible", "", "", "", "", sum(maximum.values())])
        table.writerows([result.student, "", "", result.student, "", result.points] for result in results)


def _histogram(totals: list[float], maximum: float, bins: int = 10) -> list[dict]:
    """The number of hand-ins in every tenth of the points."""
    counts = [0] * bins
    for total in totals:
        counts[min(int(bins * total / maximum), bins - 1)] += 1
    return [
        {"from": maximum * k / bins, "count": count, "height": count / max(counts)} for k, count in enumerate(counts)
    ]


def _questions_by_success(results: list[StudentResult], maximum: dict[str, float]) -> list[dict]:
    """The questions, most missed first; those still to be graded by hand come last."""
    rows = []
    for number, points in maximum.items():
        answers = [result.questions[number] for result in results]
        waiting = sum(each.open for each in answers)
        share = None if waiting else mean(each.points / points for each in answers)
        reasons = [reason for each in answers for reason in each.reasons]
        frequent = max(sorted(set(reasons)), key=reasons.count) if reasons else ""
        rows.append({"number": number, "maximum": points, "share": share, "waiting": waiting, "reason": frequent})
    return sorted(rows, key=lambda row: (row["share"] is None, row["share"]))
