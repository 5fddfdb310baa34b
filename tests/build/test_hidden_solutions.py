"""The instructor's switch, on the whole book: no solution is left in pages, search or notebooks to download."""

import json
import re
import shutil

import nbformat
import pytest
import snowballstemmer
from bs4 import BeautifulSoup

from tests import ROOT
from tests.small_book import build, notebooks_run

CHAPTERS = sorted(path.stem for path in (ROOT / "lectures").glob("*.ipynb"))
BOX = re.compile(r"^(`{3,}|:{3,})\{solution\}.*?\n\1$", flags=re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def hidden(tmp_path_factory):
    """The book built with the switch on; what was run for the site is not run again."""
    folder = tmp_path_factory.mktemp("hidden")
    for part in ("book", "homework", "lectures", "pla_lib", "_build/executed", "_build/static"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("_toc.yml", "constraints.txt"):
        shutil.copy(ROOT / part, folder)
    settings = (ROOT / "_config.yml").read_text()
    (folder / "_config.yml").write_text(settings.replace("hide_solutions: false", "hide_solutions: true"))
    result = build(folder)
    assert result.returncode == 0, result.stdout + result.stderr
    assert notebooks_run(result) == []
    return folder / "_build" / "html"


def solutions(chapter: str) -> tuple[str, str]:
    """What the solutions of a chapter say, cells included, and what all the rest says."""
    inside, outside = [], []
    for cell in nbformat.read(ROOT / "lectures" / f"{chapter}.ipynb", 4).cells:
        if "solution" in cell.metadata.get("tags", []):
            inside.append(cell.source)
        else:
            inside += [found[0].split("\n", 1)[1] for found in BOX.finditer(cell.source)]
            outside.append(BOX.sub("", cell.source))
    return "\n".join(inside), "\n".join(outside)


def phrases(text: str) -> set[str]:
    """Runs of six words that stand in a line of it, formulas and markup left out."""
    runs = re.split(r"\$+[^$]*\$+|\{[\w:]+\}`[^`]*`|[^\w' ]|\n", text)
    words = [re.findall(r"[\w']+", run) for run in runs]
    return {" ".join(run[k : k + 6]) for run in words for k in range(len(run) - 5)}


def said(page: str) -> str:
    return " ".join(re.findall(r"[\w']+", page))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_phrase_of_a_solution_is_left(hidden, chapter):
    inside, outside = solutions(chapter)
    secret = phrases(inside) - phrases(outside)
    assert len(secret) > 20
    html = BeautifulSoup((hidden / "lectures" / f"{chapter}.html").read_text(), "html.parser")
    notebook = nbformat.read(hidden / "notebooks" / f"{chapter}.ipynb", 4)
    for text in (html.get_text(), "\n".join(cell.source for cell in notebook.cells)):
        assert {phrase for phrase in secret if phrase in said(text)} == set()
    shown = BeautifulSoup((ROOT / "_build/html/lectures" / f"{chapter}.html").read_text(), "html.parser").get_text()
    found = sum(phrase in said(shown) for phrase in secret)
    assert found > len(secret) / 2, "the same search finds them where they are shown"


def terms(site, chapter: str) -> set[str]:
    """The stems of the words under which the search finds a chapter."""
    stem = snowballstemmer.stemmer("porter").stemWord
    text = (site / "searchindex.js").read_text()
    index = json.loads(text[text.index("{") : text.rindex("}") + 1])
    page = [address for address, _ in index["pages"]].index(f"lectures/{chapter}.html")
    found = " ".join(f"{heading} {said}" for where, _, _, heading, said in index["entries"] if where == page)
    return {stem(word) for word in re.findall(r"[a-z]{2,}", found.lower())}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_search_knows_no_word_that_only_a_solution_has(hidden, chapter):
    inside, outside = solutions(chapter)
    stem = snowballstemmer.stemmer("porter").stemWord
    page = BeautifulSoup((hidden / "lectures" / f"{chapter}.html").read_text(), "html.parser").get_text()
    kept = {stem(word) for word in re.findall(r"[a-z]{2,}", f"{outside} {page}".lower())}
    secret = {stem(word) for word in re.findall(r"[a-z]{4,}", inside.lower())} - kept
    assert terms(hidden, chapter) & secret == set()
    assert terms(ROOT / "_build" / "html", chapter) & secret, "the index of the whole book has some"


def test_exercises_and_checks_stay(hidden):
    page = (hidden / "lectures" / "02_pla.html").read_text()
    assert "Exercise 2.1" in page
    assert "check(" in BeautifulSoup(page, "html.parser").get_text()
