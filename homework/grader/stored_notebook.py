"""The notebook of a hand-in as it is stored: with what its cells showed, and safe to open in a browser."""

from collections.abc import Callable

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from homework.grader.hand_in import Cell
from homework.grader.problem_set import is_test
from homework.grader.sanitiser import clean_picture, clean_text

MAX_TEXT = 10_000  # characters of one output
MAX_OUTPUTS = 50  # of one cell
MAX_STORED = 10_000_000  # characters of all outputs of a hand-in
SAVED = "[This cell did not finish here. Below is the output that you had saved.]"


def safe_notebook(
    source: NotebookNode,
    authored: dict,
    cells: list[Cell],
    reasons: dict,
    outcomes: dict[int, dict | None],
    html: Callable[[str, dict], str],
) -> NotebookNode:
    """The hand-in as it ran, in a form that does no harm in a browser; `html` makes it of Markdown and attachments."""
    stored, left = [], MAX_STORED
    for cell in cells:
        if cell.kind == "markdown" and cell.by_student:
            stored.append(new_markdown_cell(html(cell.source, cell.attachments)))
        elif cell.kind == "markdown":
            stored.append(new_markdown_cell(cell.source))
        else:
            stored.append(new_code_cell(clean_text(cell.source, len(cell.source) if left > 0 else MAX_TEXT)))
        left -= len(stored[-1].source)
        if cell.grade_id:
            stored[-1].metadata = authored[cell.grade_id].metadata
        if cell.grade_id in reasons and is_test(authored[cell.grade_id]):
            reason = reasons[cell.grade_id]
            stored[-1].outputs = [new_output("error", ename="Graded", evalue=reason, traceback=[reason])]
        elif id(cell) in outcomes and left > 0:
            stored[-1].outputs = _notebook_outputs(outcomes[id(cell)], cell.saved_outputs)
            left -= sum(len(str(output)) for output in stored[-1].outputs)
    return new_notebook(cells=stored, metadata=source.metadata)


def _notebook_outputs(outcome: dict | None, saved: list[dict]) -> list[NotebookNode]:
    """The outputs of a cell in a notebook's form; anything malformed is left out."""
    outcome = outcome or {"error": {"kind": "Stopped", "message": "The notebook was stopped before this cell ran."}}
    sent, error = outcome.get("outputs"), outcome.get("error")
    if error and saved:
        sent = [{"text": SAVED}, *saved[:MAX_OUTPUTS]]
    outputs = []
    for each in sent if isinstance(sent, list) else []:
        if isinstance(each, dict) and isinstance(each.get("text"), str):
            outputs.append(new_output("stream", name="stdout", text=clean_text(each["text"], MAX_TEXT)))
        elif isinstance(each, dict) and (picture := clean_picture(each.get("png"))):
            kind, data = picture
            outputs.append(new_output("display_data", data={kind: data}))
    if error:
        lines = [f"{error['kind']}: {error['message']}", *error.get("lines", [])]
        text = error["message"]
        outputs.append(new_output("error", ename=error["kind"], evalue=text, traceback=lines))
    return outputs
