"""The problem sets of the book: right answers get full marks, plausible wrong ones less, and words that help."""

import runpy
from copy import deepcopy
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import marking
import numpy as np
import pytest
from hollow import hollow
from plain_data import pack, unpack
from release import make_course, released
from sandbox import command
from sets import WITHOUT, about, is_answer, is_setup, is_test, points, problem_sets, question, read

from tests import ROOT
from tests.homework.hand_ins import hand_in, needs_sandbox, submit
from tests.test_repository import unclean_cells

SETS = problem_sets(ROOT / "homework" / "source")
ANSWERS = ROOT / "tests" / "homework" / "wrong_answers"
WRONG = {each.stem: runpy.run_path(str(ANSWERS / f"{each.stem}.py"))["WRONG"] for each in SETS}
OWN = "this task asks for your own code"  # told to those who call pla_lib there; only the sandbox can tell
NUMBERED = [
    pytest.param(each, name, *answer, id=f"{each.stem}-{name}-{number}")
    for each in SETS
    for name, answers in WRONG[each.stem].items()
    for number, answer in enumerate(answers, start=1)
    if answer[1] != OWN
]
by_set = pytest.mark.parametrize("problem_set", SETS, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def mark(tmp_path_factory):
    """Mark a hand-in as `make grade` does."""
    folder = tmp_path_factory.mktemp("sets")
    make_course(SETS, folder / "course")
    start = SimpleNamespace(whole=command(ROOT / "pla_lib"), hollow=command(hollow(folder)))

    def mark(problem_set: Path, student: str, notebook) -> dict:
        submit(folder, student, notebook, problem_set.name)
        return marking.mark(folder / student, student, problem_set, released(folder / "course", problem_set), start)

    mark.released = lambda problem_set: released(folder / "course", problem_set).read_text()
    return mark


def points_of(problem_set: Path) -> dict[str, float]:
    return {about(cell).grade_id: about(cell).points for cell in read(problem_set).cells if is_test(cell)}


@needs_sandbox
@by_set
@pytest.mark.parametrize("student", ["ada", "k-2071@school"])
def test_solution_gets_full_marks_on_data_of_any_student(mark, problem_set, student):
    outcome = mark(problem_set, student, hand_in(problem_set, student))
    assert {name: outcome["points"][name] for name in points_of(problem_set)} == points_of(problem_set), outcome[
        "reasons"
    ]
    assert outcome["notes"] == []
    for cell in outcome["notebook"].cells:
        assert not any(output.output_type == "error" for output in cell.get("outputs", [])), cell.source


@by_set
def test_students_have_data_of_their_own(problem_set):
    asked = read(problem_set)
    ada, bob, again = (marking.prepared(asked, student) for student in ("ada", "bob", "Ada "))
    data = [name for name, value in ada.items() if isinstance(value, np.ndarray | list)]
    assert any(repr(ada[name]) != repr(bob[name]) for name in data)
    assert all(repr(ada[name]) == repr(again[name]) for name in data)


@needs_sandbox
@by_set
def test_release_untouched_gets_nothing(mark, problem_set):
    outcome = mark(problem_set, "ada", mark.released(problem_set))
    assert set(outcome["points"].values()) == {0}


@needs_sandbox
@by_set
def test_answers_of_the_library_get_nothing_where_own_code_is_asked(mark, problem_set):
    borrowed = {
        name: source for name, answers in WRONG[problem_set.stem].items() for source, words in answers if words == OWN
    }
    own = {about(cell).grade_id for cell in read(problem_set).cells if WITHOUT in cell.metadata.get("tags", [])}
    assert own == {name for name in points_of(problem_set) if question(name) in map(question, borrowed)}
    outcome = mark(problem_set, "ada", hand_in(problem_set, "ada", **borrowed))
    for name in own:
        assert outcome["points"][name] == 0, name
        assert OWN in outcome["reasons"][name]


class Here:
    """Answers as the sandbox does, but from this process: quick, for code that is ours."""

    def __init__(self, problem_set: Path):
        self.asked, self.outcomes = read(problem_set), []
        self.space, self.names = marking.prepared(self.asked, "ada"), {}
        for cell in hand_in(problem_set, "ada").cells:
            if cell.cell_type == "code" and not is_test(cell) and not about(cell).get("grade"):
                exec(cell.source, self.names)

    def ask(self, name: str, *arguments, call: bool = False):
        value = self.names[name]
        return unpack(pack(value(*unpack(pack(arguments))) if call else value))


@pytest.fixture(scope="module")
def here():
    return cache(Here)


@pytest.mark.parametrize(("problem_set", "name", "source", "words"), NUMBERED)
def test_wrong_answer_gets_less_and_words_that_help(here, monkeypatch, problem_set, name, source, words):
    running = here(problem_set)
    monkeypatch.setattr(running, "names", dict(running.names))
    exec(source, running.names)
    asked = deepcopy(running.asked)
    asked.cells = [
        cell for cell in asked.cells if not is_test(cell) or question(about(cell).grade_id) == question(name)
    ]
    got, reasons = marking.test(asked, dict(running.space), running, running, [])
    assert sum(got.values()) < sum(about(cell).points for cell in asked.cells if is_test(cell))
    assert any(words in reason for reason in reasons.values()), reasons


@by_set
def test_every_code_question_has_two_wrong_answers(problem_set):
    asked = {question(name) for name in points_of(problem_set)}
    answers = {question(name): len(wrong) for name, wrong in WRONG[problem_set.stem].items()}
    assert answers.keys() == asked
    assert min(answers.values()) >= 2


@by_set
def test_set_has_the_form_that_is_promised(problem_set):
    notebook = read(problem_set)
    assert sum(points(notebook).values()) == 40
    by_hand = [cell for cell in notebook.cells if is_answer(cell) and about(cell).get("grade")]
    assert len(by_hand) >= 2
    assert all("**Rubric.**" in cell.source for cell in by_hand if cell.cell_type == "markdown")
    assert any(is_test(cell) and WITHOUT in cell.metadata.get("tags", []) for cell in notebook.cells)
    assert any(is_setup(cell) and "own_seed(STUDENT" in cell.source for cell in notebook.cells)
    assert "public sample" in notebook.cells[0].source
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    assert unclean_cells(notebook) == []
