"""Words lead to the glossary where a lecture first uses them; names at its end lead to the library."""

import ast
import re

import nbformat
import pytest
from bs4 import BeautifulSoup

import pla_lib
from pla_lib import plots
from tests import ROOT, SITE
from tests.site_checks import soup_of

CHAPTERS = sorted(path.stem for path in (ROOT / "lectures").glob("*.ipynb"))
lectures = pytest.mark.parametrize("chapter", CHAPTERS)


def soup(page: str) -> BeautifulSoup:
    return soup_of(SITE / page)


def words() -> dict[str, str]:
    """The words of the glossary, each with its address from a lecture."""
    terms = soup("book/glossary.html").select("dl.glossary dt")
    return {term.find(string=True).strip(): f"../book/glossary.html#{term['id']}" for term in terms}


@lectures
def test_each_word_is_linked_once_and_where_it_comes_first(chapter):
    article = soup(f"lectures/{chapter}.html").select_one("article")
    links = article.select("a.term")
    assert len(links) > 12
    known = {address: word for word, address in words().items()}
    assert len({link["href"] for link in links}) == len(links)
    for link in links:
        word = known[link["href"]]
        assert re.fullmatch(rf"{re.escape(word)}(s|es)?", link.get_text(), flags=re.IGNORECASE)
        assert link["title"].endswith(".")
        assert "\\" not in link["title"], "a formula is told in letters"


@lectures
def test_no_use_of_an_unmistakable_word_comes_before_its_link(chapter):
    article = soup(f"lectures/{chapter}.html").select_one("article")
    prose = [text for text in article.find_all(string=True) if text.find_parent("p") and not text.find_parent("code")]
    for word in ("support vector", "hinge loss", "Gram matrix", "mistake bound", "convex hull", "signed score"):
        using = [text for text in prose if re.search(rf"\b{word}", text, flags=re.IGNORECASE)]
        using = [text for text in using if not text.find_parent(["table", "figcaption"])]
        plain = [text for text in using if not text.find_parent("a") or "term" in text.find_parent("a")["class"]]
        plain = [text for text in plain if "admonition-title" not in text.find_parent("p").get("class", [])]
        if plain:
            assert plain[0].find_parent("a", class_="term"), (word, plain[0])


def test_every_word_of_the_glossary_that_a_lecture_uses_is_linked():
    linked, used = set(), set()
    for chapter in CHAPTERS:
        page = soup(f"lectures/{chapter}.html").select_one("article")
        linked |= {link["href"] for link in page.select("a.term")}
        prose = [
            text for text in page.find_all(string=True) if text.parent.name == "p" and not text.parent.get("class")
        ]
        used |= {word for word in words() for text in prose if re.search(rf"\b{word}", text, flags=re.IGNORECASE)}
    left = {word for word, address in words().items() if address not in linked}
    assert left & used == set()
    assert len(left) < 6


def imported(chapter: str) -> dict[str, str]:
    """The public names that a lecture imports, each with the module it comes from."""
    cells = nbformat.read(ROOT / "lectures" / f"{chapter}.ipynb", 4).cells
    code = [ast.parse(re.sub(r"^[%!].*", "", cell.source)) for cell in cells if cell.cell_type == "code"]
    froms = [node for tree in code for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in froms if node.module in ("pla_lib", "pla_lib.plots")]
    return {name.name: node.module for node in ours for name in node.names}


@lectures
def test_names_at_the_end_are_those_that_were_used_and_lead_to_the_library(chapter):
    (used,) = [
        paragraph
        for paragraph in soup(f"lectures/{chapter}.html").select("article p")
        if paragraph.get_text().startswith("Used from pla_lib")
    ]
    links = {link.get_text(): link["href"] for link in used.select("a") if "reference.html#" in link["href"]}
    assert links == {name: f"../book/reference.html#{place}.{name}" for name, place in imported(chapter).items()}
    assert set(links) <= {*pla_lib.__all__, *plots.__all__}
