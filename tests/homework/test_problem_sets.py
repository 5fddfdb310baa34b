"""The problem sets of the book: right answers get full marks, plausible wrong ones less, and words that help."""

import runpy
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from homework.grader.problem_set import (
    WITHOUT_LIBRARY,
    find_problem_sets,
    grade_id,
    is_answer,
    is_graded_by_hand,
    is_setup,
    is_test,
    points_by_question,
    question_number,
    read_notebook,
    settings,
)
from homework.grader.release import released_notebook
from homework.grader.run_tests import run_setup
from pla_lib import perceptron
from tests import ROOT
from tests.homework.hand_ins import hand_in, needs_sandbox
from tests.homework.trusted import TrustedHandIn, compiled
from tests.test_repository import unclean_cells

SETS = find_problem_sets(ROOT / "homework" / "source")
ANSWERS = ROOT / "tests" / "homework" / "wrong_answers"
WRONG = {each.stem: runpy.run_path(str(ANSWERS / f"{each.stem}.py"))["WRONG"] for each in SETS}
OWN_CODE = "this task asks for your own code"  # the reason for an answer that calls pla_lib; only the stub gives it
NUMBERED = [
    pytest.param(each, name, *answer, id=f"{each.stem}-{name}-{number}")
    for each in SETS
    for name, answers in WRONG[each.stem].items()
    for number, answer in enumerate(answers, start=1)
    if answer[1] != OWN_CODE
]
by_set = pytest.mark.parametrize("problem_set", SETS, ids=lambda path: path.stem)


def points_by_test(problem_set: Path) -> dict[str, float]:
    return {grade_id(cell): settings(cell).points for cell in read_notebook(problem_set).cells if is_test(cell)}


@needs_sandbox
@by_set
@pytest.mark.parametrize("student", ["ada", "k-2071@school"])
def test_solution_gets_full_marks_on_data_of_any_student(grade, problem_set, student):
    outcome = grade(hand_in(problem_set, student), student, problem_set)
    assert {name: outcome["points"][name] for name in points_by_test(problem_set)} == points_by_test(problem_set), (
        outcome["reasons"]
    )
    assert outcome["notes"] == []
    for cell in outcome["notebook"].cells:
        assert not any(output.output_type == "error" for output in cell.get("outputs", [])), cell.source


@by_set
def test_students_have_data_of_their_own(problem_set):
    asked = read_notebook(problem_set)
    ada, bob, again = (run_setup(asked, student) for student in ("ada", "bob", "Ada "))
    data = [name for name, value in ada.items() if isinstance(value, np.ndarray | list)]
    assert any(repr(ada[name]) != repr(bob[name]) for name in data)
    assert all(repr(ada[name]) == repr(again[name]) for name in data)


def value_questions(problem_set: Path) -> dict[str, list[str]]:
    """The names that students give a value, by question; a function is the same for all, its tests are not."""
    running = TrustedHandIn(problem_set)
    values = {}
    for test in running.tests:
        names = [name for name in running.names_in(test) if not running.is_function(name)]
        if names:
            values.setdefault(question_number(test), []).extend(names)
    return values


@by_set
def test_students_are_told_every_name_that_a_test_uses(problem_set):
    running = TrustedHandIn(problem_set)
    told = {}
    for cell in filter(is_answer, running.source.cells):
        number = question_number(grade_id(cell))
        told[number] = told.get(number, "") + cell.source.partition("### BEGIN SOLUTION")[0]
    for test in running.tests:
        assert [name for name in running.names_in(test) if name not in told[question_number(test)]] == [], test


@by_set
def test_nearly_all_students_have_an_answer_of_their_own(problem_set):
    questions = value_questions(problem_set)
    cells = read_notebook(problem_set).cells
    answered = [k for k, cell in enumerate(cells) if is_answer(cell) and question_number(grade_id(cell)) in questions]
    needed = [
        compiled(cell)
        for k, cell in enumerate(cells[: max(answered, default=-1) + 1])
        if cell.cell_type == "code" and (is_setup(cell) or k in answered)
    ]
    answers = {number: set() for number in questions}
    for k in range(300):
        names = {"STUDENT": f"student-{k}", "__name__": "answers"}
        for code in needed:
            exec(code, names)
        for number, asked in questions.items():
            answers[number].add(repr([names[name] for name in asked]))
    assert all(len(different) >= 250 for different in answers.values()), {
        number: len(different) for number, different in answers.items()
    }


def test_runs_on_paper_have_the_length_that_ps1_promises():
    (setup,) = [cell for cell in read_notebook(SETS[0]).cells if grade_id(cell) == "0_setup"]
    code = compiled(setup)
    for k in range(300):
        names = {"STUDENT": f"student-{k}"}
        exec(code, names)
        run = perceptron(names["X4"], names["y4"])
        assert run.converged
        assert 3 <= run.epochs <= 5
        assert len(run.mistakes) >= 3


@needs_sandbox
@by_set
def test_release_untouched_gets_nothing(grade, released, problem_set):
    outcome = grade(released_notebook(released.folder / "course", problem_set).read_text(), "ada", problem_set)
    assert set(outcome["points"].values()) == {0}


@needs_sandbox
@by_set
def test_answers_of_the_library_get_nothing_where_own_code_is_asked(grade, problem_set):
    borrowed = {
        name: source
        for name, answers in WRONG[problem_set.stem].items()
        for source, words in answers
        if words == OWN_CODE
    }
    own = {
        grade_id(cell) for cell in read_notebook(problem_set).cells if WITHOUT_LIBRARY in cell.metadata.get("tags", [])
    }
    assert own == {
        name for name in points_by_test(problem_set) if question_number(name) in map(question_number, borrowed)
    }
    outcome = grade(hand_in(problem_set, "ada", **borrowed), "ada", problem_set)
    for name in own:
        assert outcome["points"][name] == 0, name
        assert OWN_CODE in outcome["reasons"][name]


@pytest.fixture(scope="module")
def trusted_hand_in():
    return cache(TrustedHandIn)


@pytest.mark.parametrize(("problem_set", "name", "source", "words"), NUMBERED)
def test_wrong_answer_gets_less_and_words_that_help(trusted_hand_in, monkeypatch, problem_set, name, source, words):
    running = trusted_hand_in(problem_set)
    monkeypatch.setattr(running, "names", dict(running.names))
    exec(source, running.names)
    tests = [test for test in running.tests if question_number(test) == question_number(name)]
    failures = [failure for test in tests if (failure := running.failure(test)) is not None]
    assert failures
    assert any(words in str(failure) for failure in failures), failures


@by_set
def test_every_code_question_has_two_wrong_answers(problem_set):
    asked = {question_number(name) for name in points_by_test(problem_set)}
    answers = {question_number(name): len(wrong) for name, wrong in WRONG[problem_set.stem].items()}
    assert answers.keys() == asked
    assert min(answers.values()) >= 2


@by_set
def test_set_has_the_form_that_is_promised(problem_set):
    notebook = read_notebook(problem_set)
    assert sum(points_by_question(notebook).values()) == 40
    by_hand = [cell for cell in notebook.cells if is_graded_by_hand(cell)]
    assert len(by_hand) >= 2
    assert all("**Rubric.**" in cell.source for cell in by_hand if cell.cell_type == "markdown")
    assert any(is_test(cell) and WITHOUT_LIBRARY in cell.metadata.get("tags", []) for cell in notebook.cells)
    assert any(is_setup(cell) and "own_seed(STUDENT" in cell.source for cell in notebook.cells)
    assert "public sample" in notebook.cells[0].source
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    assert unclean_cells(notebook) == []
