"""The notebooks that pages offer: plain Markdown, and they run."""

import re
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from notebook_downloads import repository

from tests import ROOT, SITE

LECTURES = sorted((ROOT / "lectures").glob("*.ipynb"))


def markdown(notebook: nbformat.NotebookNode) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


@pytest.mark.parametrize("lecture", LECTURES, ids=lambda path: path.stem)
def test_copy_is_plain_and_complete(lecture):
    plain, full = (nbformat.read(path, 4) for path in (SITE / "notebooks" / lecture.name, lecture))
    nbformat.validate(plain)
    text = markdown(plain)
    assert not re.search(r"^(:::|```\{)|\{[\w:]+\}`|^\([\w-]+\)=|\$\$ \([\w-]+\)", text, flags=re.MULTILINE)
    solutions = markdown(full).count("{solution}")
    assert text.count("<summary>Solution to Exercise") == solutions
    assert text.count("</details>") == solutions + markdown(full).count(":class: dropdown source-notes")
    code = [
        [cell.source for cell in book.cells if cell.cell_type == "code" and cell.id != "install"]
        for book in (plain, full)
    ]
    assert code[0] == code[1]


def test_references_are_said_in_words():
    text = markdown(nbformat.read(SITE / "notebooks" / "02_pla.ipynb", 4))
    assert "#### Lemma 2.2 (An update raises" in text
    assert re.search(r"why \[?Algorithm 2\.1", text)
    assert re.search(r"\[?The convergence theorem", text)
    assert re.search(r"until \[?Minsky and Papert \(1969\)", text)
    assert r"\tag{2.2}" in text
    assert "*Figure 2.1.* The lines of one run." in text
    assert "**Proof.** Take the inner product" in text
    assert "```python\ndef visit(theta, x, y):" in text


def test_copy_runs_from_top_to_bottom(tmp_path):
    """One of them: all have the code of the lectures, which the build has run in an empty folder too."""
    notebook = nbformat.read(SITE / "notebooks" / "01_geometry.ipynb", 4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()


def test_page_offers_the_copy(page, site):
    page.goto(f"{site}/lectures/02_pla.html")
    with page.expect_download() as download:
        page.get_by_role("link", name="Notebook").click()
    assert download.value.suggested_filename == "02_pla.ipynb"
    assert Path(download.value.path()).read_bytes() == (SITE / "notebooks" / "02_pla.ipynb").read_bytes()


@pytest.mark.parametrize(
    ("remote", "found"),
    [
        ("https://github.com/ada/perceptron.git", "ada/perceptron"),
        ("https://github.com/ada/perceptron", "ada/perceptron"),
        ("https://token@github.com/ada/per.cep-tron.git", "ada/per.cep-tron"),
        ("git@github.com:ada/perceptron.git", "ada/perceptron"),
        ("/srv/git/perceptron.git", None),
        ("https://example.org/ada/perceptron.git", None),
        (None, None),
    ],
)
def test_repository_is_read_from_the_remote(tmp_path, remote, found):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    if remote:
        subprocess.run(["git", "-C", tmp_path, "remote", "add", "origin", remote], check=True)
    assert repository({}, tmp_path) == found
    assert repository({"GITHUB_REPOSITORY": "ada/fork"}, tmp_path) == "ada/fork"
