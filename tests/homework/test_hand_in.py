"""Which notebook in a student's folder is the hand-in, and what becomes of one that is broken, changed or missing."""

import base64
import json
import os
import unicodedata

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from homework.grader.hand_in import MAX_CELLS
from homework.grader.problem_set import grade_id, is_test, settings
from tests.homework.hand_ins import DOUBLE, FULL_MARKS, TINY, hand_in, needs_sandbox, points_of_tests, submit
from tests.homework.pictures import jpeg, png

pytestmark = pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")

NO_NOTEBOOK = "“tiny.ipynb” cannot be read as a notebook: "
BROKEN = {
    "cut off": ('{"cells": [', NO_NOTEBOOK + "it is incomplete or damaged"),
    "no notebook": ("def half(x): ...", NO_NOTEBOOK + "it is incomplete or damaged"),
    "another form": ('{"cells": 5, "metadata": {}}', NO_NOTEBOOK + "it has no list of cells"),
    "a list": ("[1, 2]", NO_NOTEBOOK + "it has no list of cells"),
    "no cells": ('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', "has no cells"),
    "cells that are none": ('{"cells": [1, 2]}', NO_NOTEBOOK + "one of its cells is damaged"),
    "nested too deep": ("[" * 100_000, NO_NOTEBOOK + "its JSON is nested too deeply"),
    "another encoding": ("caf\xe9".encode("latin-1"), NO_NOTEBOOK + "it is not text in UTF-8"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_broken_notebook_gets_nothing_with_a_reason(grade, fault):
    text, words = BROKEN[fault]
    outcome = grade(text)
    assert set(outcome["points"].values()) == {0}
    assert words in outcome["notes"][0]
    assert words in outcome["reasons"]["1_half_test"]
    assert "Error" not in outcome["notes"][0]


ODD = [
    {"cell_type": "code", "source": "1", "metadata": {"nbgrader": {"grade_id": ["a"]}}},
    {"cell_type": "code", "source": 5, "metadata": {"nbgrader": 7}, "outputs": {"a": 1}},
    {"cell_type": "code", "source": ["x = ", 3, "1"], "metadata": [], "outputs": [7, {"data": 1}, {"text": {}}]},
    {"cell_type": ["code"], "source": None, "attachments": [1]},
    {"source": "print('\ud800')"},
    {"cell_type": "markdown", "source": "\ud800", "attachments": {"a": {"image/png": 1}, "b": 2, "c": {"x": None}}},
]


@needs_sandbox
def test_odd_cells_do_not_matter(grade):
    notebook = json.loads(nbformat.writes(hand_in(TINY)))
    notebook["cells"] += ODD
    outcome = grade(json.dumps(notebook))
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["notes"] == []
    assert nbformat.writes(outcome["notebook"]).encode()


def test_file_that_is_missing(grade_folder, tmp_path):
    (tmp_path / "none").mkdir()
    submit(tmp_path, "other", new_notebook(cells=[new_code_cell("1")]), "holiday.ipynb")
    notes = {student: grade_folder(tmp_path / student)["notes"] for student in ("none", "other")}
    assert notes == {
        "none": ["There is no tiny.ipynb in the hand-in, and no other file."],
        "other": ["There is no tiny.ipynb in the hand-in, only “holiday.ipynb”. Hand in the .ipynb file."],
    }


# The names of two notebooks, how many hours the second is younger than the first, and which of them counts.
TWICE = {
    "a younger one with a number": ("tiny.ipynb", "tiny-2.ipynb", 1, 2),
    "an older backup": ("tiny.ipynb", "tiny-Copy1.ipynb", -1, 1),
    "unpacked at once": ("tiny.ipynb", "tiny-2.ipynb", 0, 2),
    "unpacked at once, with a backup": ("tiny.ipynb", "tiny-Copy1.ipynb", 0, 1),
    "unpacked at once, two copies": ("tiny (9).ipynb", "tiny (10).ipynb", 0, 2),
    "in another folder": ("old/tiny.ipynb", "new/tiny.ipynb", 1, 2),
}


@needs_sandbox
@pytest.mark.parametrize("case", TWICE)
def test_of_several_notebooks_the_newest_counts_and_a_note_says_so(grade_folder, tmp_path, case):
    first, second, hours, counts = TWICE[case]
    right, wrong = hand_in(TINY), hand_in(TINY, **{"1_half": DOUBLE})
    notebooks = [right, wrong] if counts == 1 else [wrong, right]
    paths = [submit(tmp_path, "ada", each, name) for each, name in zip(notebooks, (first, second), strict=True)]
    for path, time in zip(paths, (0, 3600 * hours), strict=True):
        os.utime(path, (1_700_000_000 + time, 1_700_000_000 + time))
    outcome = grade_folder(tmp_path / "ada")
    assert points_of_tests(outcome) == FULL_MARKS
    chosen, other = (first, second) if counts == 1 else (second, first)
    why = "the newest by its date" if hours else "chosen by its name, because their dates are the same"
    graded = f"“{chosen}” was graded, {why}, and “{other}” was not"
    assert outcome["notes"] == [f"You handed in 2 notebooks for this set: {graded}."]


@needs_sandbox
def test_a_copy_that_can_be_read_counts_before_one_that_cannot(grade_folder, tmp_path):
    submit(tmp_path, "ada", '{"cells": [', "tiny.ipynb")
    submit(tmp_path, "ada", hand_in(TINY), "tiny (1).ipynb")
    assert points_of_tests(grade_folder(tmp_path / "ada")) == FULL_MARKS


@needs_sandbox
def test_renamed_file_is_found_by_its_cells(grade_folder, tmp_path):
    submit(tmp_path, "renamed", hand_in(TINY, student="renamed"), "Tiny final (1).ipynb")
    outcome = grade_folder(tmp_path / "renamed")
    assert outcome["notes"] == ["Handed in as “Tiny final (1).ipynb”."]
    assert points_of_tests(outcome) == FULL_MARKS


def test_link_to_the_work_of_another_is_not_followed(grade_folder, tmp_path):
    submit(tmp_path, "ada", hand_in(TINY))
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "tiny.ipynb").symlink_to(tmp_path / "ada" / "tiny.ipynb")
    (tmp_path / "mallory").symlink_to(tmp_path / "ada")
    outcome = grade_folder(tmp_path / "eve")
    assert outcome["notes"] == ["There is no tiny.ipynb in the hand-in, only “tiny.ipynb”. Hand in the .ipynb file."]


@needs_sandbox
def test_tests_in_the_hand_in_do_not_matter(grade):
    """Deleted, edited or doubled: the author's tests are run."""
    kept = hand_in(TINY, **{"1_half": DOUBLE})
    deleted, edited, doubled = (nbformat.from_dict(kept) for _ in range(3))
    deleted.cells = [cell for cell in kept.cells if not is_test(cell)]
    edited.cells = [new_code_cell("pass", metadata=cell.metadata) if is_test(cell) else cell for cell in kept.cells]
    doubled.cells = [*edited.cells, *kept.cells]
    for notebook in (deleted, edited, doubled):
        assert points_of_tests(grade(notebook)) == FULL_MARKS | {"1_half_test": 0}


@needs_sandbox
def test_points_written_into_the_notebook_do_not_matter(grade):
    notebook = hand_in(TINY, **{"1_half": DOUBLE})
    for cell in notebook.cells:
        if settings(cell):
            cell.metadata.nbgrader |= {"points": 1000, "grade": True, "solution": True, "checksum": "0" * 32}
    assert points_of_tests(grade(notebook)) == FULL_MARKS | {"1_half_test": 0}


@needs_sandbox
def test_setup_is_put_back_where_it_was_deleted(grade):
    notebook = hand_in(TINY)
    notebook.cells = [cell for cell in notebook.cells if grade_id(cell) != "0_setup"]
    assert points_of_tests(grade(notebook)) == FULL_MARKS


@needs_sandbox
def test_an_answer_whose_cell_is_deleted_is_open(grade):
    notebook = hand_in(TINY)
    notebook.cells = [cell for cell in notebook.cells if grade_id(cell) != "1_half"]
    outcome = grade(notebook)
    assert points_of_tests(outcome) == FULL_MARKS | {"1_half_test": 0}
    assert outcome["reasons"]["1_half_test"].startswith("Question 1 is open")


@needs_sandbox
def test_notebook_of_fifty_megabytes_is_graded(grade):
    notebook = hand_in(TINY, last="1")
    notebook.cells[-1].outputs = [new_output("stream", text="x" * 50_000_000)]
    outcome = grade(notebook)
    assert points_of_tests(outcome) == FULL_MARKS
    assert len(nbformat.writes(outcome["notebook"])) < 100_000


@needs_sandbox
def test_photograph_of_a_proof_reaches_its_reader(grade):
    notebook = hand_in(TINY)
    photograph = {"proof.png": {"image/png": png(30, 20)}}
    notebook.cells[-1].source, notebook.cells[-1].attachments = "![](attachment:proof.png)", photograph
    outcome = grade(notebook)
    assert outcome["points"]["4_why"] is None
    assert '<img src="data:image/' in outcome["notebook"].cells[-1].source


@needs_sandbox
def test_photograph_in_the_text_as_colab_writes_it_reaches_its_reader(grade):
    photograph = jpeg(3000, 2000)
    assert len(photograph) > 1_000_000
    outcome = grade(hand_in(TINY, **{"4_why": f"See my paper.\n\n![photo](data:image/jpeg;base64,{photograph})"}))
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["points"]["4_why"] is None
    (answer,) = [cell for cell in outcome["notebook"].cells if grade_id(cell) == "4_why"]
    assert "See my paper." in answer.source
    assert '<img src="data:image/jpeg;base64,' in answer.source


@needs_sandbox
@pytest.mark.parametrize("left", ["", "the stub"])
@pytest.mark.parametrize("name", ["1_half", "4_why"])
def test_a_copied_answer_cell_that_is_left_open_does_not_matter(grade, released_cells, name, left):
    notebook = hand_in(TINY)
    (place,) = [k for k, cell in enumerate(notebook.cells) if grade_id(cell) == name]
    copy = nbformat.from_dict(notebook.cells[place])
    copy.source = left and released_cells[name].source
    notebook.cells.insert(place + 1, copy)
    outcome = grade(notebook)
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["points"]["4_why"] is None
    assert "You have 2 copies of an answer cell" in outcome["notes"][0]


@needs_sandbox
def test_an_answer_in_two_copies_of_its_cell_is_read_as_one(grade):
    notebook = hand_in(TINY, **{"4_why": "The first half."})
    notebook.cells.append(nbformat.from_dict(notebook.cells[-1]))
    notebook.cells[-1].source = "The second half."
    answers = [cell for cell in grade(notebook)["notebook"].cells if grade_id(cell) == "4_why"]
    assert len(answers) == 1
    assert "The first half." in answers[0].source
    assert "The second half." in answers[0].source


@pytest.fixture
def released_cells(released):
    from homework.grader.release import released_notebook

    notebook = nbformat.read(released_notebook(released.folder / "course", TINY), 4)
    return {grade_id(cell): cell for cell in notebook.cells}


def with_release_around(notebook, released_cells):
    """A hand-in as it comes from students: their answers among the cells of the release, not of the source."""
    for cell in notebook.cells:
        if is_test(cell):
            cell.source = released_cells[grade_id(cell)].source
    return notebook


@needs_sandbox
@pytest.mark.parametrize("name", ["tiny.ipynb", "my homework.ipynb"])
def test_cells_without_metadata_are_known_by_content_and_place(grade_folder, tmp_path, released_cells, name):
    notebook = with_release_around(hand_in(TINY), released_cells)
    for cell in notebook.cells:
        cell.metadata = {}
    notebook.cells.insert(4, new_code_cell("# a note to myself"))
    notebook.cells.insert(4, new_markdown_cell("Thoughts of my own."))
    submit(tmp_path, "ada", notebook, name)
    outcome = grade_folder(tmp_path / "ada")
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["points"]["4_why"] is None
    assert "5 answers were found by content and place" in outcome["notes"][-1]


@needs_sandbox
def test_an_answer_in_a_new_cell_is_found_where_its_own_was_deleted(grade):
    notebook = hand_in(TINY)
    (place,) = [k for k, cell in enumerate(notebook.cells) if grade_id(cell) == "1_half"]
    notebook.cells[place] = new_code_cell(notebook.cells[place].source)
    outcome = grade(notebook)
    assert points_of_tests(outcome) == FULL_MARKS
    assert "1 answer was found" in outcome["notes"][0]


@needs_sandbox
def test_byte_order_mark_is_passed_over(grade_folder, tmp_path):
    path = submit(tmp_path, "ada", hand_in(TINY))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    outcome = grade_folder(tmp_path / "ada")
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["notes"] == ["“tiny.ipynb” begins with a byte order mark. It does no harm."]


@needs_sandbox
@pytest.mark.parametrize(("folder", "notebook"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_accents_are_the_same_in_one_character_or_two(grade, folder, notebook):
    folder, claimed = (unicodedata.normalize(form, "zo\u00e9") for form in (folder, notebook))
    assert folder != claimed
    outcome = grade(hand_in(TINY, claimed), folder)
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["notes"] == [
        "STUDENT and your folder's name write an accent in two ways. They count as the same id."
    ]


@needs_sandbox
def test_of_very_many_cells_the_first_are_graded(grade):
    notebook = json.loads(nbformat.writes(hand_in(TINY)))
    notebook["cells"] += 100_000 * [{"cell_type": "code", "source": "1", "metadata": {}, "outputs": []}]
    outcome = grade(json.dumps(notebook))
    assert points_of_tests(outcome) == FULL_MARKS
    assert len(outcome["notebook"].cells) <= MAX_CELLS + len(notebook["cells"]) - 100_000
    assert "cells; only the first 1,000 were graded" in outcome["notes"][0]


@needs_sandbox
def test_a_cell_that_is_too_long_is_cut(grade):
    outcome = grade(hand_in(TINY, **{"4_why": "An answer. " + "x" * 30_000_000}, last="#" * 500_000))
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["points"]["4_why"] is None
    assert [note.partition(" (")[0] for note in outcome["notes"]] == ["A cell is too long", "A cell is too long"]
    assert len(nbformat.writes(outcome["notebook"])) < 2_000_000


# What students do to their notebooks: for each name a function that does it.
def typed_into_the_question(cells, stubs):
    cells["4_why"].source = stubs["4_why"]
    cells["question 4"].source += "\n\nBecause w may be long."


def typed_below_the_stub(cells, stubs):
    cells["4_why"].source = stubs["4_why"]
    return [new_markdown_cell("Because w may be long.")]


def photographed_below_the_stub(cells, stubs):
    cells["4_why"].source = stubs["4_why"]
    photograph = {"image.png": {"image/png": png(30, 20)}}
    return [new_markdown_cell("Because: ![](attachment:image.png)", attachments=photograph)]


def made_a_code_cell(cells, stubs):
    cells["4_why"].cell_type = "code"
    cells["4_why"].source = "Because w may be long."


@needs_sandbox
@pytest.mark.parametrize(
    "mishap", [typed_into_the_question, typed_below_the_stub, photographed_below_the_stub, made_a_code_cell]
)
def test_an_answer_in_words_is_found_beside_its_cell(grade, released_cells, mishap):
    notebook = hand_in(TINY)
    cells = {grade_id(cell): cell for cell in notebook.cells} | {"question 4": notebook.cells[-2]}
    notebook.cells += mishap(cells, {name: cell.source for name, cell in released_cells.items()}) or []
    outcome = grade(json.dumps(notebook))
    assert points_of_tests(outcome) == FULL_MARKS
    assert outcome["points"]["4_why"] is None
    (answer,) = [cell for cell in outcome["notebook"].cells if grade_id(cell) == "4_why"]
    assert "Because" in answer.source
    assert "Your answer here" not in answer.source
    assert ("data:image/png" in answer.source) == (mishap is photographed_below_the_stub)
    assert any("was found in a cell beside it" in note for note in outcome["notes"]) == (mishap is not made_a_code_cell)


@needs_sandbox
def test_an_answer_in_words_may_go_on_in_more_cells(grade):
    """Each has a picture of the same name, as JupyterLab gives them."""
    notebook = hand_in(TINY, **{"4_why": "First ![](attachment:image.png)"})
    notebook.cells[-1].attachments = {"image.png": {"image/png": png(30, 20)}}
    more = {"image.png": {"image/png": png(40, 10)}}
    notebook.cells += [new_markdown_cell("Second ![](attachment:image.png)", attachments=more), new_code_cell("1")]
    outcome = grade(notebook)
    (answer,) = [cell for cell in outcome["notebook"].cells if grade_id(cell) == "4_why"]
    assert answer.source.index("First") < answer.source.index("Second")
    pictures = answer.source.split('src="')[1:]
    assert len({picture.partition('"')[0] for picture in pictures}) == 2
    assert outcome["notes"] == []


def all_code_in_one_new_cell(cells, notebook):
    code = [cells.pop(name) for name in ("1_half", "2_middle", "3_distances")]
    notebook.cells = [cell for cell in notebook.cells if cell not in code]
    notebook.cells.insert(3, new_code_cell("\n".join(cell.source for cell in code)))


def all_code_in_the_first_answer(cells, notebook):
    cells["1_half"].source += "\n" + cells["3_distances"].source
    notebook.cells.remove(cells["3_distances"])


def code_above_a_stub(cells, notebook):
    (place,) = [k for k, cell in enumerate(notebook.cells) if grade_id(cell) == "1_half"]
    notebook.cells.insert(place, new_code_cell(cells["1_half"].source))
    cells["1_half"].source = "..."


def code_in_a_markdown_cell(cells, notebook):
    cells["1_half"].cell_type = "markdown"


def code_in_the_test(cells, notebook):
    cells["1_half_test"].source = cells["1_half"].source + "\n" + cells["1_half_test"].source
    cells["1_half"].source = "..."


def import_in_the_set_up(cells, notebook):
    cells["0_setup"].source = "import math\n" + cells["0_setup"].source
    cells["1_half"].source = "def half(x):\n    return x / math.sqrt(4)"


def id_in_the_set_up(cells, notebook):
    cells["0_setup"].source = cells["0_student"].source + "\n" + cells["0_setup"].source
    cells["0_student"].source = "..."


def no_id(cells, notebook):
    cells["0_student"].source = "STUDENT = ''"


def an_id_that_is_asked_for(cells, notebook):
    cells["0_student"].source = "STUDENT = input('Who are you?')"


MISHAPS = {
    all_code_in_one_new_cell: "3 answers were found by content and place|Question 2 is answered in another cell",
    all_code_in_the_first_answer: "Question 3 is answered in another cell than its own. That counts.",
    code_above_a_stub: "Question 1 is answered in another cell than its own. That counts.",
    code_in_a_markdown_cell: "",
    code_in_the_test: "You changed cells that belong to the problem set.",
    import_in_the_set_up: "You changed cells that belong to the problem set.",
    id_in_the_set_up: "You changed cells that belong to the problem set.",
    no_id: "STUDENT is not set, so your data were made from the name of your folder, 'ada'.",
    an_id_that_is_asked_for: "Its cell stops with EOFError",
}


@needs_sandbox
@pytest.mark.parametrize("mishap", MISHAPS, ids=lambda mishap: mishap.__name__)
def test_code_in_another_place_counts(grade, released_cells, mishap):
    notebook = hand_in(TINY)
    cells = {grade_id(cell): cell for cell in notebook.cells if grade_id(cell)}
    mishap(cells, notebook)
    for name, cell in cells.items():
        if cell.source == "...":
            cell.source = released_cells[name].source
    outcome = grade(json.dumps(notebook))
    assert points_of_tests(outcome) == FULL_MARKS, (outcome["reasons"], outcome["notes"])
    expected = MISHAPS[mishap].split("|")
    assert any(words in note for note in [*outcome["notes"], ""] for words in expected)
    assert outcome["notes"] or not MISHAPS[mishap]


@needs_sandbox
@pytest.mark.parametrize("name", ["tiny.ipynb.txt", "TINY.IPYNB", "tiny.ipynb.json"])
def test_endings_that_browsers_add_do_not_matter(grade_folder, tmp_path, name):
    submit(tmp_path, "ada", hand_in(TINY), name)
    assert points_of_tests(grade_folder(tmp_path / "ada")) == FULL_MARKS


def test_files_that_are_no_notebook_are_named(grade_folder, tmp_path):
    for name in ("tiny.zip", "__MACOSX/tiny.ipynb", "._tiny.ipynb"):
        submit(tmp_path, "ada", "x", name)
    outcome = grade_folder(tmp_path / "ada")
    assert outcome["notes"] == ["There is no tiny.ipynb in the hand-in, only “tiny.zip”. Hand in the .ipynb file."]
    assert outcome["unread"]


@needs_sandbox
def test_pictures_beside_the_notebook_are_shown_and_none_from_elsewhere(grade_folder, tmp_path):
    submit(tmp_path, "ada", base64.b64decode(png(30, 20)), "mine/img/proof.png")
    submit(tmp_path, "bob", base64.b64decode(png(31, 21)), "proof.png")
    (tmp_path / "ada/mine/link.png").symlink_to(tmp_path / "bob/proof.png")
    answer = "![](img/proof.png) ![](../../bob/proof.png) ![](link.png)"
    submit(tmp_path, "ada", hand_in(TINY, **{"4_why": answer}), "mine/tiny.ipynb")
    (cell,) = [c for c in grade_folder(tmp_path / "ada")["notebook"].cells if grade_id(c) == "4_why"]
    assert cell.source.count('src="data:image/png') == 1
