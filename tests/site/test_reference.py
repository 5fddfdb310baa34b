"""The reference has an entry for every public name, and the rows of the theorems lead where they say."""

import ast
import re
from functools import cache
from urllib.parse import urldefrag, urljoin

import pytest
from bs4 import BeautifulSoup

import pla_lib
from tests import ROOT, SITE

REFERENCE, THEOREMS = "book/reference.html", "book/theorems.html"
BOXES = r"(Theorem|Proposition|Lemma|Corollary|Algorithm) \d+\.\d+"


@cache
def soup(page: str) -> BeautifulSoup:
    return BeautifulSoup((SITE / page).read_text(encoding="utf-8"), "html.parser")


def text(element) -> str:
    return " ".join(element.get_text().split())


def rows() -> list:
    return [row.find_all("td") for row in soup(THEOREMS).select("table tbody tr")]


def target(link):
    """What a link on the page of theorems leads to."""
    page, anchor = urldefrag(urljoin(THEOREMS, link["href"]))
    return soup(page).find(id=anchor)


@pytest.mark.parametrize("name", pla_lib.__all__)
def test_public_name_has_an_entry_with_its_call_and_docstring(name):
    entry = soup(REFERENCE).find("section", id=f"pla_lib.{name}")
    assert entry is not None, f"book/reference.md has no entry for {name}"
    assert name in text(entry.find(re.compile("h[1-6]")))
    assert re.match(rf"(class )?{name}\(", text(entry.select_one("p.signature")))
    first = getattr(pla_lib, name).__doc__.strip().split()[0].strip("`'")
    said = [text(paragraph) for paragraph in entry.find_all("p", recursive=False)]
    assert len(said) > 1, f"{name} has no docstring on the page"
    assert not first.isalpha() or said[1].startswith((first, "θ"))


def test_no_entry_is_there_twice():
    ids = [section["id"] for section in soup(REFERENCE).select("section.library-entry")]
    assert len(ids) == len(set(ids)) > len(pla_lib.__all__)  # what the functions return has entries too


def test_no_markup_of_docstrings_is_left_on_the_page():
    for paragraph in soup(REFERENCE).select(".library-entry p, .library-entry .line"):
        prose = "".join(part for part in paragraph.strings if not part.find_parent("code"))
        assert not re.search(r"`|-----|\|\||<=|>=|\^\d|\btheta_", prose), prose


def test_every_example_of_a_docstring_is_on_the_page():
    shown = "".join(text(block) for block in soup(REFERENCE).select(".library-entry pre"))
    for name in pla_lib.__all__:
        for line in re.findall(r">>> (.*)", getattr(pla_lib, name).__doc__):
            assert " ".join(line.split()) in shown, name


def test_theorem_is_the_box_it_names():
    for theorem, *_ in rows():
        (link,) = theorem.find_all("a")
        kind_and_number, title = text(theorem).split(", ", 1)
        assert re.fullmatch(BOXES, kind_and_number)
        heading = text(target(link).select_one(".admonition-title"))
        assert heading.startswith(kind_and_number)
        assert title in heading


def test_theorem_stands_in_the_section_it_names():
    for theorem, section, *_ in rows():
        (link,) = section.find_all("a")
        place = target(link)
        assert text(link) in text(place.find(re.compile(r"^h[1-6]$")))
        assert place.find(id=urldefrag(theorem.a["href"])[1]), text(theorem)


def test_function_of_a_theorem_is_in_the_library_and_in_the_reference():
    for *_, functions, _ in rows():
        links = functions.find_all("a")
        assert links
        for link in links:
            name, *attribute = text(link).split(".")
            assert name in pla_lib.__all__
            assert not attribute or hasattr(getattr(pla_lib, name), attribute[0])
            assert urldefrag(link["href"])[1] == f"pla_lib.{text(link)}"
            assert target(link) is not None


def test_test_of_a_theorem_exists():
    for *_, tests in rows():
        named = [text(code) for code in tests.find_all("code")]
        assert named
        for test in named:
            file, name = test.split("::")
            assert file.startswith("tests/")
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            assert name in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)], test


def test_every_theorem_of_the_chapters_has_its_row_or_is_excused():
    """A proof may say more than a program can try, but then the page says so, and so do we."""
    excused = {
        "prop-feat-after",  # of any function at all
        "prop-lim-staircase",  # its function stands in the chapter
        "thm-lim-cycling",  # for every finite set there is a number: only what follows from it can be tried
        "thm-lim-universal",  # of functions on a compact set; proved elsewhere
    }
    listed = [urldefrag(cells[0].a["href"])[1] for cells in rows()]
    boxes = {
        box["id"]
        for page in sorted((SITE / "lectures").glob("*.html"))
        for box in soup(f"lectures/{page.name}").select(".theorem, .lemma, .proposition, .corollary, .algorithm")
    }
    assert len(listed) == len(set(listed))
    assert boxes - set(listed) == excused
    opening = soup(THEOREMS).select_one("article section > p")
    assert {urldefrag(link["href"])[1] for link in opening.find_all("a")} >= excused
