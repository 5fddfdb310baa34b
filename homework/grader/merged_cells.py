"""Put a hand-in back into the form of its problem set: each answer once, and all else as the author wrote it.

Students copy, split, move and delete cells, write into cells that are not for them, and use editors that drop what
nbgrader notes in a cell. Whatever can be understood counts, with a note that says what was done.
"""

import ast
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from urllib.parse import quote

from nbformat import NotebookNode

from homework.grader.hand_in import Cell, authors_cell
from homework.grader.problem_set import defined_names, grade_id, is_answer, is_graded_by_hand, question_number

ELSEWHERE = "# This question is answered in another cell."


@dataclass
class SetCells:
    """The cells of a set: as students get them, and by their ids as the author wrote them."""

    released: list[Cell]
    authored: dict[str, NotebookNode]

    def __post_init__(self):
        self.known = {cell.grade_id: cell for cell in self.released if cell.grade_id}
        self.texts = {cell.text for cell in self.released}
        self.answers = {name for name, cell in self.authored.items() if is_answer(cell)}

    def is_open(self, cell: Cell) -> bool:
        """Whether an answer is still as it was released, or empty."""
        return cell.text in ("", self.known[cell.grade_id].text)

    def asked_names(self, name: str) -> set[str]:
        """The names that the code of an answer defines."""
        cell = self.authored[name]
        return defined_names(cell.source) if cell.cell_type == "code" else set()


def merge_cells(handed_in: list[Cell], source: NotebookNode, released: NotebookNode, notes: list[str]) -> list[Cell]:
    """The student's answers and extra cells; every other cell as the author wrote it, and none missing."""
    by_id = {grade_id(cell): cell for cell in source.cells if grade_id(cell)}
    problem_set = SetCells([authors_cell(cell) for cell in released.cells], by_id)
    cells = handed_in
    for step in (_with_ids, _with_added_lines, _without_copies, _with_neighbours, _without_stubs_answered_elsewhere):
        cells = step(cells, problem_set, notes)
    return _with_authors_cells(cells, problem_set)


def _with_ids(cells: list[Cell], problem_set: SetCells, notes: list[str]) -> list[Cell]:
    """The cells with the ids and kinds of the set. An answer without its id is found by its place and its content."""
    released, known = problem_set.released, problem_set.known
    cells = [
        replace(cell, kind=known[cell.grade_id].kind) if cell.grade_id in known else replace(cell, grade_id=None)
        for cell in cells
    ]
    present = {cell.grade_id for cell in cells}
    lost = [place for place, cell in enumerate(released) if cell.grade_id and cell.grade_id not in present]
    if not lost:
        return cells
    # Cells that students do not change show where the others belong.
    texts = [known[cell.grade_id].text if cell.grade_id else cell.text for cell in cells]
    blocks = SequenceMatcher(None, [cell.text for cell in released], texts, autojunk=False)
    aligned = {a + k: b + k for a, b, size in blocks.get_matching_blocks() for k in range(size)}
    found = 0
    for place in lost:
        wanted = released[place]
        at = aligned.get(place)
        if at is None and wanted.grade_id in problem_set.answers:
            before = max((b for a, b in aligned.items() if a < place), default=-1)
            after = min((b for a, b in aligned.items() if a > place), default=len(cells))
            taken, names = {*aligned.values()}, problem_set.asked_names(wanted.grade_id)
            free = [
                k for k, each in enumerate(cells) if k not in taken and not each.grade_id and each.kind == wanted.kind
            ]
            here = [k for k in free if before < k < after]
            defining = [k for k in [*here, *free] if names & defined_names(cells[k].source)]
            at = next(iter([*defining, *here]), None)
        if at is not None and cells[at].grade_id is None:
            cells[at] = replace(cells[at], grade_id=wanted.grade_id)
            aligned[place] = at
            found += wanted.grade_id in problem_set.answers
    if found:
        answers = "1 answer was" if found == 1 else f"{found} answers were"
        notes.append(
            f"Some cells had lost the ids that nbgrader gives them. {answers} found by content and place; "
            "please check that each is under its question."
        )
    return cells


def _with_added_lines(cells: list[Cell], problem_set: SetCells, notes: list[str]) -> list[Cell]:
    """Lines that a student wrote into a cell of the author's, in a cell of their own before it."""
    merged, changed = [], False
    for cell in cells:
        if cell.kind == "code" and cell.grade_id and cell.grade_id not in problem_set.answers:
            before, after = problem_set.known[cell.grade_id].text.splitlines(), cell.text.splitlines()
            steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
            added = "\n".join(line for step, _, _, start, end in steps if step != "equal" for line in after[start:end])
            changed |= bool(added.strip())
            if added.strip() and _is_python(added):
                merged.append(Cell("code", added))
        merged.append(cell)
    if changed:
        notes.append(
            "You changed cells that belong to the problem set. The grader uses its own, and runs the lines that you "
            "added before them, if they make sense alone."
        )
    return merged


def _is_python(source: str) -> bool:
    try:
        return bool(ast.parse(source).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _without_copies(cells: list[Cell], problem_set: SetCells, notes: list[str]) -> list[Cell]:
    """Each answer once. A copy that was left open does not count, and what is written in the others is kept."""
    copies: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.grade_id in problem_set.answers:
            copies.setdefault(cell.grade_id, []).append(cell)
    becomes: dict[int, Cell | None] = {}
    for name, same in copies.items():
        if len(same) < 2:
            continue
        notes.append(
            f"You have {len(same)} copies of an answer cell for question {question_number(name)}; all were read."
        )
        *earlier, last = [cell for cell in same if not problem_set.is_open(cell)] or same[:1]
        becomes |= dict.fromkeys(map(id, same))
        if last.kind == "markdown":
            becomes[id(last)] = _joined([*earlier, last])
        else:  # all of them run, as in the notebook
            becomes |= {id(cell): replace(cell, grade_id=None) for cell in earlier} | {id(last): last}
    return [each for cell in cells if (each := becomes.get(id(cell), cell)) is not None]


def _joined(cells: list[Cell]) -> Cell:
    """One text, for one reader. Attachments keep apart: JupyterLab calls the first one in every cell image.png."""
    if len(cells) == 1:
        return cells[0]
    texts, attachments = [], {}
    for number, cell in enumerate(cells):
        text = cell.source
        for name, bundle in cell.attachments.items():
            for written in {name, quote(name)}:
                text = text.replace(f"attachment:{written}", f"attachment:{number}-{written}")
            attachments[f"{number}-{name}"] = bundle
        texts.append(text)
    return replace(cells[-1], source="\n\n".join(texts), attachments=attachments)


def _with_neighbours(cells: list[Cell], problem_set: SetCells, notes: list[str]) -> list[Cell]:
    """Answers in words, with what stands in the student's own cells below them, or around them if they are open."""
    for name in [cell.grade_id for cell in cells if cell.grade_id]:
        if not is_graded_by_hand(problem_set.authored[name]) or problem_set.known[name].kind != "markdown":
            continue
        at = next(k for k, cell in enumerate(cells) if cell.grade_id == name)
        answer, is_open = cells[at], problem_set.is_open(cells[at])
        above = _own_words(reversed(cells[:at]), problem_set, to_question=True)[::-1] if is_open else []
        below = _own_words(iter(cells[at + 1 :]), problem_set)
        if not above and not below:
            continue
        if is_open:
            number = question_number(name)
            notes.append(f"Your answer to question {number} was not in its own cell; it was found in a cell beside it.")
        used = {id(cell) for cell in [*above, *below]}
        whole = replace(_joined([*above, *([] if is_open else [answer]), *below]), grade_id=name)
        cells = [whole if cell is answer else cell for cell in cells if id(cell) not in used]
    return cells


def _own_words(cells, problem_set: SetCells, to_question: bool = False) -> list[Cell]:
    """The student's own Markdown cells up to the next cell of the set; upwards, up to the next that has an id."""
    own = []
    for cell in cells:
        if cell.grade_id or (cell.text in problem_set.texts and not to_question):
            break
        if cell.kind == "markdown" and cell.text and cell.text not in problem_set.texts:
            own.append(cell)
    return own


def _without_stubs_answered_elsewhere(cells: list[Cell], problem_set: SetCells, notes: list[str]) -> list[Cell]:
    """An open code cell does not undo what the student wrote in another cell."""
    written = [cell for cell in cells if cell.kind == "code" and cell.grade_id not in problem_set.known]
    written += [cell for cell in cells if cell.grade_id in problem_set.answers and not problem_set.is_open(cell)]
    defined = {name for cell in written if cell.kind == "code" for name in defined_names(cell.source)}
    present = {cell.grade_id: cell for cell in cells}
    for name in problem_set.authored:
        is_open = name not in present or problem_set.is_open(present[name])
        if name in problem_set.answers and is_open and problem_set.asked_names(name) & defined:
            elsewhere = replace(problem_set.known[name], source=ELSEWHERE)
            cells = [elsewhere if cell.grade_id == name else cell for cell in cells]
            if name not in present:
                cells = [*cells, elsewhere]
            notes.append(f"Question {question_number(name)} is answered in another cell than its own. That counts.")
    return cells


def _with_authors_cells(cells: list[Cell], problem_set: SetCells) -> list[Cell]:
    """The author's cells in place of what a student made of them, and those that are missing where they belong."""
    order = list(problem_set.authored)
    missing = [name for name in order if name not in {cell.grade_id for cell in cells}]
    merged, seen = [], set()

    def add(name: str) -> None:
        is_answer = name in problem_set.answers
        merged.append(problem_set.known[name] if is_answer else authors_cell(problem_set.authored[name]))

    for cell in cells:
        if cell.grade_id is None:
            merged.append(cell)
            continue
        while missing and order.index(missing[0]) < order.index(cell.grade_id):
            add(missing.pop(0))
        if cell.grade_id in problem_set.answers:
            merged.append(cell)
        elif cell.grade_id not in seen:
            add(cell.grade_id)
        seen.add(cell.grade_id)
    for name in missing:
        add(name)
    return merged
