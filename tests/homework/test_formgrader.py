"""Hostile answers in nbgrader's formgrader, where an instructor grades by hand: once sanitised, none runs a script."""

import json
import re
import secrets
import subprocess
import sys
import time
import urllib.request
import warnings
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.parse import urlsplit

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader.api import Grade, Gradebook
from sqlalchemy.exc import SAWarning

from homework.grader.problem_set import grade_id
from homework.grader.release import make_course
from homework.grader.sanitiser import answer_html, clean_picture, clean_text
from tests.browser import PATIENCE
from tests.homework.hand_ins import TINY, hand_in
from tests.homework.test_sanitiser import DOT, HOSTILE, HOSTILE_ATTACHMENTS

# What a hostile script does: leave a mark, and start a kernel with the rights of whoever looks at the answer.
SCRIPT = """window.pwned = 1; console.log('pwned'); fetch('/api/kernels', {method: 'POST', body: '{}', headers:
{'X-XSRFToken': (document.cookie.match(/_xsrf=([^;]*)/) || [])[1]}}); alert('pwned')""".replace("\n", " ")
TAG = f'<img src="x" onerror="{SCRIPT}">'
LINK = "[click](javascript:window.pwned=1)"
TEX = r"$$\href{javascript:window.pwned=1}{click}$$"


def armed(snippet: str) -> str:
    """A snippet that leaves a mark instead of calling alert."""
    return snippet.replace("alert(1)", "window.pwned=1")


def stored_safely(*sources: str, attachments: dict | None = None) -> nbformat.NotebookNode:
    """A hand-in with hostile text in every place that formgrader shows, as the grader stores it."""
    source = "\n\n".join(sources)
    notebook = hand_in(TINY)
    for cell in notebook.cells:
        if grade_id(cell) == "4_why":
            cell.source = answer_html(source, attachments)
        if grade_id(cell) == "1_half":
            cell.source = source.encode("utf-8", "replace").decode()
            pictures = [clean_picture(data) for data in (f'{DOT}" onerror="{SCRIPT}', DOT)]
            cell.outputs = [
                new_output("stream", name="stdout", text=clean_text(source)),
                new_output("error", ename="Error", evalue=clean_text(source), traceback=[clean_text(source)]),
                *(new_output("display_data", data=dict([picture])) for picture in pictures if picture),
            ]
    notebook.cells += [new_markdown_cell(answer_html(each, attachments)) for each in sources]
    return notebook


def stored_as_written(source: str) -> nbformat.NotebookNode:
    return hand_in(TINY, **{"4_why": source})


HAND_INS = {
    "honest": stored_safely(
        "A *proof*: $x^2 \\ge 0$, so\n\n$$\\lVert x \\rVert \\ge 0$$\n\nand [more](https://example.org)."
    ),
    "hostile": stored_safely(f"{TAG}\n\n{LINK}\n\n{TEX}\n\n<a href='javascript:{SCRIPT}'>click</a>\n\n`{TAG}`"),
    "unsafe": stored_as_written(TAG),
} | {f"list{k}": stored_safely(*map(armed, HOSTILE[k::8])) for k in range(8)}
for number, attachments in enumerate(HOSTILE_ATTACHMENTS):
    HAND_INS[f"attached{number}"] = stored_safely("![x](attachment:a.png)", attachments=attachments)


def write_course(folder: Path) -> dict[str, str]:
    """A course folder with graded hand-ins; returns the number by which formgrader knows each of them."""
    make_course([TINY], folder)
    numbers = {}
    book = Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "perceptron")
    with book, warnings.catch_warnings(action="ignore", category=SAWarning):
        for student, notebook in HAND_INS.items():
            path = folder / "autograded" / student / "tiny" / "tiny.ipynb"
            path.parent.mkdir(parents=True)
            nbformat.write(notebook, path)
            book.update_or_create_student(student)
            (submitted,) = book.update_or_create_submission("tiny", student).notebooks
            for cell in book.find_notebook("tiny", "tiny").grade_cells:
                Grade(cell_id=cell.id, notebook=submitted, auto_score=None, needs_manual_grade=True)
            numbers[student] = submitted.id
        book.db.commit()
    return numbers


@pytest.fixture(scope="module")
def formgrader(tmp_path_factory):
    """A Jupyter server with nbgrader's formgrader in a course folder."""
    folder = tmp_path_factory.mktemp("course")
    numbers = write_course(folder)
    token, log = secrets.token_hex(8), folder / "server.log"
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1"]
    command += ["--ServerApp.port=0", f"--IdentityProvider.token={token}"]
    extension = "nbgrader.server_extensions.formgrader"
    command += [f"--ServerApp.jpserver_extensions={{'{extension}': True}}"]
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
    try:
        for _ in range(PATIENCE // 250):
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text()):
                break
            assert server.poll() is None, log.read_text()
            time.sleep(0.25)
        yield SimpleNamespace(address=f"http://127.0.0.1:{found[1]}", token=token, numbers=numbers)
    finally:
        server.terminate()
        server.wait()


def kernels(formgrader) -> set[str]:
    """The kernels that run, by their ids."""
    with urllib.request.urlopen(f"{formgrader.address}/api/kernels?token={formgrader.token}") as answer:
        return {kernel["id"] for kernel in json.load(answer)}


@pytest.fixture
def grading(formgrader, context):
    """Open a hand-in as an instructor who has logged in; returns the page, and what happened on it that should not."""
    host, events = urlsplit(formgrader.address).netloc, []

    def only_this_host(route):
        foreign = urlsplit(route.request.url).netloc != host
        # The page itself wants MathJax, which is not here; whatever else it asks for, an answer made it ask.
        if foreign and "cdnjs.cloudflare.com" not in route.request.url:
            events.append(f"asks {route.request.url}")
        route.abort() if foreign else route.fallback()

    def open_hand_in(student: str):
        page = context.new_page()
        page.on("dialog", lambda dialog: (events.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: "pwned" in message.text and events.append(f"console {message.text}"))
        page.on("request", lambda request: "/api/kernels" in request.url and events.append(f"asks {request.url}"))
        page.goto(f"{formgrader.address}/formgrader/submissions/{formgrader.numbers[student]}/")
        page.wait_for_load_state("load")
        page.locator("#notebook-container .nbgrader_cell").first.wait_for()
        return page, events

    context.route("**/*", only_this_host)
    page = context.new_page()
    page.goto(f"{formgrader.address}/formgrader?token={formgrader.token}")
    page.close()
    return open_hand_in


def click_everything(page) -> None:
    """Click what looks as if it could be clicked in an answer. Links to other hosts are only looked at."""
    for place in page.locator(".rendered_html a, .rendered_html summary, .rendered_html math").all()[:60]:
        if not (place.get_attribute("href") or "").startswith(("http", "mailto")):
            place.dispatch_event("click")
    page.wait_for_timeout(200)


@pytest.mark.parametrize("student", [name for name in HAND_INS if name != "unsafe"])
def test_sanitised_answer_runs_nothing(formgrader, grading, student):
    before = kernels(formgrader)
    page, events = grading(student)
    click_everything(page)
    assert page.evaluate("window.pwned") is None
    assert events == []
    assert kernels(formgrader) == before
    assert page.url.startswith(formgrader.address + "/formgrader/submissions/")
    assert page.locator("#notebook-container .output_png img").count() == 1


def test_honest_answer_is_shown_as_it_was_meant(grading):
    page, _ = grading("honest")
    answer = page.locator(".nbgrader_cell .answer")
    assert answer.locator("em").inner_text() == "proof"
    assert answer.locator("math").count() == 2
    assert answer.locator("a").get_attribute("href") == "https://example.org"
    box = answer.locator("math").last.bounding_box()
    assert box["width"] > 20
    assert box["height"] > 10


def test_answer_that_is_stored_as_it_was_written_would_run(formgrader, grading):
    """The tests above can fail: without the sanitiser, the same page runs a script that starts a kernel."""
    before, started = kernels(formgrader), set()
    page, events = grading("unsafe")
    page.wait_for_function("window.pwned")
    for _ in range(PATIENCE // 250):
        with suppress(HTTPError):  # while a kernel starts, the server cannot say which there are
            started = kernels(formgrader) - before
        if started:
            break
        page.wait_for_timeout(250)
    assert len(started) == 1  # the server ends it when it stops
    assert "dialog pwned" in events
