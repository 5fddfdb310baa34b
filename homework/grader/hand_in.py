"""Find and read the notebook that a student handed in.

Nothing here trusts the file: it is read as plain JSON, and within bounds. Students rename files and hand in several;
whatever can be read is graded, with a note that says what was done.
"""

import json
import os
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from nbformat import NotebookNode

from homework.grader.problem_set import grade_id
from homework.grader.sanitiser import quoted

MAX_NOTEBOOK = 100 << 20  # bytes
MAX_CELLS = 1_000
MAX_CODE = 200_000  # characters of a code cell
MAX_WORDS = 20_000_000  # characters of a Markdown cell: photographs may be written into it
MAX_PICTURE = 20 << 20  # bytes of a picture beside the notebook
MAX_FILES, MAX_NOTEBOOKS = 10_000, 20  # that are looked at in a student's folder
MINUTE = 60  # seconds; files written within one minute are not told apart by their time
HOW_TO_MEND = "Download it again from where you wrote it, and hand it in again."


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

    @property
    def text(self) -> str:
        """What is compared: spaces at the ends of lines, and how lines end, do not matter."""
        return "\n".join(line.rstrip() for line in self.source.splitlines()).strip()


def find_notebooks(folder: Path) -> list[Path]:
    """The notebooks below a student's folder. A link is not followed out of it."""
    named = (path for path in find_files(folder) if _plain_name(path).endswith(".ipynb"))
    return list(islice((path for path in named if _is_inside(path, folder)), MAX_NOTEBOOKS))


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether this is a file below a folder, and one that can be looked at: its path may be too long for that."""
    try:
        return path.is_file() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a loop of links
        return False


def find_files(folder: Path) -> Iterator[Path]:
    """The files below a folder, of the first few thousand entries."""
    left = MAX_FILES
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in (".ipynb_checkpoints", "__MACOSX"))
        yield from (Path(place, name) for name in sorted(files)[:left] if not name.startswith("._"))
        left -= len(files) + len(folders)
        if left <= 0:
            return


def _plain_name(path: Path) -> str:
    """The name in small letters and without what some browsers put behind it."""
    return path.name.lower().removesuffix(".txt").removesuffix(".json")


def find_hand_in(folder: Path, problem_set: Path, released: NotebookNode, notes: list[str]) -> Path:
    """The notebook for a set in a student's folder; the newest if there are several."""
    notebooks = find_notebooks(folder)
    copies = {path for path in notebooks if _is_copy(path, released)}
    candidates = [path for path in notebooks if path in copies or _plain_name(path) == problem_set.name]
    if not candidates:
        names = ", ".join(quoted(path.name) for path in islice(find_files(folder), 5))
        there = f"only {names}. Hand in the .ipynb file" if names else "and no other file"
        raise Unreadable(f"There is no {problem_set.name} in the hand-in, {there}.")
    times = {path: os.path.getmtime(path) for path in candidates}
    told_apart = max(times.values()) - min(times.values()) > MINUTE

    def from_old_to_new(path: Path) -> tuple:
        """By date; if all were written at once, as when they were unpacked, by the numbers in their names."""
        is_backup = "-copy" in path.name.lower()  # as JupyterLab names them
        numbers = [int(number) for number in re.findall(r"\d{1,9}", path.stem)]
        return path in copies, (times[path],) if told_apart else (not is_backup, len(numbers), numbers), path.name

    *others, chosen = sorted(candidates, key=from_old_to_new)
    if others:
        why = "the newest by its date" if told_apart else "chosen by its name, because their dates are the same"
        names = ", ".join(quoted(path.relative_to(folder)) for path in others[:5])
        graded = f"{quoted(chosen.relative_to(folder))} was graded, {why}, and {names} was not"
        notes.append(f"You handed in {len(candidates)} notebooks for this set: {graded}.")
    elif chosen.name != problem_set.name:
        notes.append(f"Handed in as {quoted(chosen.name)}.")
    return chosen


def pictures_beside(notebook: Path, folder: Path) -> Callable[[str], bytes | None]:
    """A function that reads a picture to which the text of a notebook refers by its name."""

    def read(name: str) -> bytes | None:
        path = notebook.parent / name
        try:
            return path.read_bytes() if _is_inside(path, folder) and path.stat().st_size <= MAX_PICTURE else None
        except OSError:
            return None

    return read


def _is_copy(path: Path, released: NotebookNode) -> bool:
    """Whether a notebook has most of the cells of a set, by their ids or by their text."""
    try:
        present = read_hand_in(path, [])
    except Unreadable:
        return False
    ids, texts = {cell.grade_id for cell in present}, {cell.text for cell in present}
    known = [cell.grade_id in ids or cell.text in texts for cell in map(authors_cell, released.cells)]
    return 2 * sum(known) > len(known)


def authors_cell(cell: NotebookNode) -> Cell:
    return Cell(cell.cell_type, cell.source, grade_id(cell), by_student=False)


def read_hand_in(path: Path, notes: list[str]) -> list[Cell]:
    """The cells of a notebook, within bounds."""
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= MAX_NOTEBOOK else b""
    except OSError as error:
        raise _not_a_notebook(path, f"it cannot be opened ({error.strerror})") from None
    if size > MAX_NOTEBOOK:
        limit = MAX_NOTEBOOK >> 20
        raise Unreadable(f"{quoted(path.name)} has {size >> 20} MB, but {limit} MB is the limit. Clear its outputs.")
    if content.startswith(BOM_UTF8):
        notes.append(f"{quoted(path.name)} begins with a byte order mark. It does no harm.")
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _not_a_notebook(path, "it is not text in UTF-8") from None
    except RecursionError:
        raise _not_a_notebook(path, "its JSON is nested too deeply") from None
    except MemoryError:
        raise _not_a_notebook(path, "it is too large to read") from None
    except ValueError:
        raise _not_a_notebook(path, "it is incomplete or damaged; perhaps the upload stopped early") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise _not_a_notebook(path, "it has no list of cells")
    cells = notebook["cells"]
    if not cells:
        raise Unreadable(f"{path.name} has no cells.")
    if len(cells) > MAX_CELLS:
        notes.append(f"The notebook has {len(cells):,} cells; only the first {MAX_CELLS:,} were graded.")
    return [_read_cell(cell, path, notes) for cell in cells[:MAX_CELLS]]


def _not_a_notebook(path: Path, why: str) -> Unreadable:
    return Unreadable(f"{quoted(path.name)} cannot be read as a notebook: {why}. {HOW_TO_MEND}")


def _read_cell(cell, path: Path, notes: list[str]) -> Cell:
    if not isinstance(cell, dict):
        raise _not_a_notebook(path, "one of its cells is damaged")
    kind = "code" if cell.get("cell_type") == "code" else "markdown"
    source, most = _joined(cell.get("source")), MAX_CODE if kind == "code" else MAX_WORDS
    if len(source) > most:
        notes.append(f"A cell is too long ({len(source):,} characters); only the first {most:,} were read.")
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
