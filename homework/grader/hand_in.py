"""Find and read the notebook that a student handed in, and put it back into the form of its problem set.

Students rename files, copy cells and use editors that drop what nbgrader notes in a cell. Whatever can be understood is
graded, with a note that says what was done. Nothing here trusts the file: it is read as plain JSON, and within bounds.
"""

import json
import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path

from nbformat import NotebookNode

from homework.grader.problem_set import defined_names, grade_id, is_answer, question_number

MAX_NOTEBOOK = 100 << 20  # bytes
MAX_CELLS = 1_000
MAX_CODE = 200_000  # characters of a code cell
MAX_WORDS = 20_000_000  # characters of a Markdown cell: photographs may be written into it
MAX_FILES, MAX_NOTEBOOKS = 10_000, 20  # that are looked at in a student's folder
MINUTE = 60  # seconds; files written within one minute are not told apart by their time
HOW_TO_MEND = "Open it in Jupyter, save it, and hand it in again."


class Unreadable(ValueError):
    """There is no notebook to grade; the message says why."""


@dataclass
class Cell:
    """A cell of a hand-in, or one that the author wrote."""

    kind: str  # "code" or "markdown"
    source: str
    grade_id: str | None = None
    attachments: dict = field(default_factory=dict)
    saved_outputs: list[dict] = field(default_factory=list)  # what the notebook showed when it was saved
    by_student: bool = True

    def same_text(self, other: "Cell") -> bool:
        return self.source.strip() == other.source.strip()


def find_notebooks(folder: Path) -> list[Path]:
    """The notebooks below a student's folder. A link is not followed out of it."""
    found, seen, home = [], 0, folder.resolve()
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".ipynb_checkpoints")
        for name in sorted(files):
            path, seen = Path(place, name), seen + 1
            if name.endswith(".ipynb") and path.is_file() and path.resolve().is_relative_to(home):
                found.append(path)
        if seen > MAX_FILES or len(found) >= MAX_NOTEBOOKS:
            break
    return found[:MAX_NOTEBOOKS]


def find_hand_in(folder: Path, problem_set: Path, released: NotebookNode, notes: list[str]) -> Path:
    """The notebook for a set in a student's folder; the newest if there are several."""
    notebooks = find_notebooks(folder)
    copies = {path for path in notebooks if _is_copy(path, released)}
    candidates = [path for path in notebooks if path in copies or path.name == problem_set.name]
    if not candidates:
        names = ", ".join(path.name for path in notebooks[:5])
        there = f"there is only {names}" if notebooks else "there is no notebook"
        raise Unreadable(f"{problem_set.name} is missing from the hand-in: {there}.")
    times = {path: path.stat().st_mtime for path in candidates}
    told_apart = max(times.values()) - min(times.values()) > MINUTE

    def from_old_to_new(path: Path) -> tuple:
        """By time, or by the numbers in the name if all were written at once, as when they were unpacked."""
        numbers = [int(number) for number in re.findall(r"\d{1,9}", path.stem)]
        return path in copies, times[path] if told_apart else 0, len(numbers), numbers, path.name

    *others, chosen = sorted(candidates, key=from_old_to_new)
    if others:
        names = ", ".join(str(path.relative_to(folder)) for path in others[:5])
        graded = f"{chosen.relative_to(folder)}, the newest, was graded, and not {names}"
        notes.append(f"There are {len(candidates)} notebooks for this set: {graded}.")
    elif chosen.name != problem_set.name:
        notes.append(f"Handed in as {chosen.name}.")
    return chosen


def _is_copy(path: Path, released: NotebookNode) -> bool:
    """Whether a notebook has most of the cells of a set, by their ids or by their text."""
    try:
        present = read_hand_in(path, [])
    except Unreadable:
        return False
    ids, texts = {cell.grade_id for cell in present}, {cell.source.strip() for cell in present}
    known = [grade_id(cell) in ids or cell.source.strip() in texts for cell in released.cells]
    return 2 * sum(known) > len(known)


def read_hand_in(path: Path, notes: list[str]) -> list[Cell]:
    """The cells of a notebook, within bounds."""
    if path.stat().st_size > MAX_NOTEBOOK:
        size = path.stat().st_size >> 20
        raise Unreadable(f"{path.name} has {size} MB, but {MAX_NOTEBOOK >> 20} MB is the limit. Clear its outputs.")
    content = path.read_bytes()
    if content.startswith(BOM_UTF8):
        notes.append(
            f"{path.name} begins with a byte order mark, as some editors on Windows write it; it does no harm."
        )
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _not_a_notebook(path, "it is not text in UTF-8") from None
    except RecursionError:
        raise _not_a_notebook(path, "its parts are nested too deep") from None
    except MemoryError:
        raise _not_a_notebook(path, "it takes too much memory") from None
    except ValueError:
        raise _not_a_notebook(path, "it is not JSON; perhaps it was cut off on its way") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise _not_a_notebook(path, "it has no list of cells")
    cells = notebook["cells"]
    if not cells:
        raise Unreadable(f"{path.name} has no cells.")
    if len(cells) > MAX_CELLS:
        notes.append(f"The notebook has {len(cells):,} cells; only the first {MAX_CELLS:,} were graded.")
    return [_read_cell(cell, path, notes) for cell in cells[:MAX_CELLS]]


def _not_a_notebook(path: Path, why: str) -> Unreadable:
    return Unreadable(f"{path.name} cannot be read as a notebook: {why}. {HOW_TO_MEND}")


def _read_cell(cell, path: Path, notes: list[str]) -> Cell:
    if not isinstance(cell, dict):
        raise _not_a_notebook(path, "one of its cells is not a cell")
    kind = "code" if cell.get("cell_type") == "code" else "markdown"
    source, most = _joined(cell.get("source")), MAX_CODE if kind == "code" else MAX_WORDS
    if len(source) > most:
        notes.append(f"A cell has {len(source):,} characters; only the first {most:,} were read.")
        source = source[:most]
    name = _inner(cell, "metadata", "nbgrader", "grade_id")
    attachments = cell.get("attachments")
    return Cell(
        kind,
        source,
        name if isinstance(name, str) else None,
        attachments if kind == "markdown" and isinstance(attachments, dict) else {},
        _saved_outputs(cell.get("outputs")) if kind == "code" else [],
    )


def _joined(source) -> str:
    """The text of a cell or an output: a string or a list of lines. A lone surrogate cannot be written to any file."""
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str)).encode("utf-8", "replace").decode()


def _inner(value, *keys: str):
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _saved_outputs(outputs) -> list[dict]:
    """Text and pictures that a cell showed when the notebook was saved, in the form in which the sandbox sends them."""
    saved = []
    for output in outputs if isinstance(outputs, list) else []:
        if picture := _joined(_inner(output, "data", "image/png")):
            saved.append({"png": picture})
        elif text := _joined(_inner(output, "text")) or _joined(_inner(output, "data", "text/plain")):
            saved.append({"text": text})
    return saved


def merge_cells(
    handed_in: Iterable[Cell], source: NotebookNode, released: NotebookNode, notes: list[str]
) -> list[Cell]:
    """The student's answers and extra cells; every other cell as the author wrote it, and none missing."""
    authored = {grade_id(cell): cell for cell in source.cells if grade_id(cell)}
    stubs = {grade_id(cell): _authors_cell(cell) for cell in released.cells if grade_id(cell)}
    answers = {name for name, cell in authored.items() if is_answer(cell)}
    students = _without_copies(_with_ids(list(handed_in), source, released, notes), stubs, answers, notes)
    missing = [name for name in authored if name not in {cell.grade_id for cell in students}]
    order, cells, seen = list(authored), [], set()

    def add_authors(name: str) -> None:
        cells.append(stubs[name] if name in answers else _authors_cell(authored[name]))

    for cell in students:
        if cell.grade_id is None:
            cells.append(cell)
            continue
        while missing and order.index(missing[0]) < order.index(cell.grade_id):
            add_authors(missing.pop(0))
        if cell.grade_id in answers:
            cells.append(cell)
        elif cell.grade_id not in seen:
            add_authors(cell.grade_id)
        seen.add(cell.grade_id)
    for name in missing:
        add_authors(name)
    return cells


def _authors_cell(cell: NotebookNode) -> Cell:
    return Cell(cell.cell_type, cell.source, grade_id(cell), by_student=False)


def _with_ids(cells: list[Cell], source: NotebookNode, released: NotebookNode, notes: list[str]) -> list[Cell]:
    """The cells with the ids of the set. An answer that has lost its id is found by its place and its content."""
    released_cells = [_authors_cell(cell) for cell in released.cells]
    known = {cell.grade_id: cell for cell in released_cells if cell.grade_id}
    cells = [
        cell if cell.grade_id in known and cell.kind == known[cell.grade_id].kind else replace(cell, grade_id=None)
        for cell in cells
    ]
    present = {cell.grade_id for cell in cells}
    lost = [place for place, cell in enumerate(released_cells) if cell.grade_id and cell.grade_id not in present]
    if not lost:
        return cells
    # Cells that students do not change show where the others belong.
    texts = [known[cell.grade_id].source.strip() if cell.grade_id else cell.source.strip() for cell in cells]
    blocks = SequenceMatcher(None, [cell.source.strip() for cell in released_cells], texts, autojunk=False)
    aligned = {a + k: b + k for a, b, size in blocks.get_matching_blocks() for k in range(size)}
    answers = {grade_id(cell): cell for cell in source.cells if is_answer(cell)}
    found = 0
    for place in lost:
        wanted = released_cells[place]
        at = aligned.get(place)
        if at is None and wanted.grade_id in answers:
            before = max((b for a, b in aligned.items() if a < place), default=-1)
            after = min((b for a, b in aligned.items() if a > place), default=len(cells))
            taken = set(aligned.values())
            free = {
                k: c for k, c in enumerate(cells) if k not in taken and c.grade_id is None and c.kind == wanted.kind
            }
            names = defined_names(answers[wanted.grade_id].source) if wanted.kind == "code" else set()
            defining = [k for k, cell in free.items() if names & defined_names(cell.source)]
            here = [k for k in free if before < k < after]
            at = next((k for k in here if k in defining), next(iter([*defining, *here]), None))
        if at is not None and cells[at].grade_id is None:
            cells[at] = replace(cells[at], grade_id=wanted.grade_id)
            aligned[place] = at
            found += wanted.grade_id in answers
    if found:
        notes.append(
            f"Cells of this notebook had lost the ids that nbgrader gives them; {found} of its answers were found by "
            "their content and place."
        )
    return cells


def _without_copies(cells: list[Cell], stubs: dict[str, Cell], answers: set[str], notes: list[str]) -> list[Cell]:
    """Each answer once. A copy that was left empty does not count, and what is written in the others is kept."""
    copies: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.grade_id in answers:
            copies.setdefault(cell.grade_id, []).append(cell)
    becomes: dict[int, Cell | None] = {}
    for name, same in copies.items():
        if len(same) < 2:
            continue
        notes.append(
            f"A cell of question {question_number(name)} is there {len(same)} times. All that is written there counts."
        )
        *earlier, last = [c for c in same if c.source.strip() and not c.same_text(stubs[name])] or same[:1]
        becomes |= dict.fromkeys(map(id, same)) | {id(cell): replace(cell, grade_id=None) for cell in earlier}
        becomes[id(last)] = last
        if last.kind == "markdown":  # one text, for one reader
            becomes |= dict.fromkeys(map(id, earlier))
            source = "\n\n".join(cell.source for cell in [*earlier, last])
            attachments = {key: each for cell in [*earlier, last] for key, each in cell.attachments.items()}
            becomes[id(last)] = replace(last, source=source, attachments=attachments)
    return [each for cell in cells if (each := becomes.get(id(cell), cell)) is not None]
