"""The reference has an entry for every public name, and the rows of the theorems lead where they say."""

import ast
import inspect
import re
import typing
from functools import cache, cached_property
from types import FunctionType
from urllib.parse import urldefrag, urljoin

import pytest
from bs4 import BeautifulSoup

import pla_lib
from pla_lib import plots
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


FIGURES = [name for name in plots.__all__ if name.startswith("plot_")]
PUBLIC = {f"pla_lib.{name}": getattr(pla_lib, name) for name in pla_lib.__all__}
PUBLIC |= {f"pla_lib.plots.{name}": getattr(plots, name) for name in FIGURES}


def entry(place: str):
    """The call of an entry and what follows it."""
    call = soup(REFERENCE).find("dt", id=place)
    assert call is not None, f"book/reference.md has no entry for {place}"
    return call, call.find_next_sibling("dd")


@pytest.mark.parametrize("place", PUBLIC)
def test_public_name_has_an_entry_with_its_call_docstring_and_chapter(place):
    call, said = entry(place)
    assert re.match(rf"(class |exception )?{re.escape(place)}\(", text(call))
    summary = inspect.getdoc(PUBLIC[place]).split("\n")[0]
    first = re.match(r"[\w' ]*", summary)[0].strip()  # as far as no formula or code interrupts it
    assert text(said.find("p")).replace("’", "'").startswith(first)
    assert re.search(r"Chapters? \d\d|[Aa]ll chapters", text(said)), f"{place} names no chapter"


@pytest.mark.parametrize("place", PUBLIC)
def test_entry_tells_every_parameter(place):
    """True numpydoc form: each parameter, or each field of a record, has its name, its type and a sentence."""
    thing = PUBLIC[place]
    made_by_the_library = inspect.isclass(thing) and issubclass(thing, Exception)
    names = [] if made_by_the_library else list(inspect.signature(thing).parameters)
    _, said = entry(place)
    fields = [dl for dl in said.find_all("dl", class_="field-list") if dl.find_parent("dd") is said]
    told = {name.strip(" *") for dl in fields for strong in dl.find_all("strong") for name in text(strong).split(",")}
    assert set(names) <= told
    assert all(text(item).count("–") for dl in fields for item in dl.find_all("li")), "a name without its meaning"


@pytest.mark.parametrize("place", [place for place, thing in PUBLIC.items() if inspect.isclass(thing)])
def test_public_members_of_a_class_have_entries(place):
    members = [name for name, member in vars(PUBLIC[place]).items() if name[0] != "_" and inspect.getdoc(member)]
    documented = (property, cached_property, classmethod, FunctionType)
    for name in members:
        if isinstance(vars(PUBLIC[place])[name], documented):
            _, said = entry(f"{place}.{name}")
            assert text(said)


def test_what_functions_return_has_an_entry_too():
    ids = {call["id"] for call in soup(REFERENCE).select("dt.sig[id]")}
    for place, thing in PUBLIC.items():
        if inspect.isclass(thing) or thing.__module__.startswith(("pla_lib.plots", "pla_lib.widgets")):
            continue
        result = typing.get_type_hints(thing).get("return")
        for kind in (result, *typing.get_args(result)):
            if inspect.isclass(kind) and kind.__module__.startswith("pla_lib."):
                assert ids & {f"pla_lib.{kind.__name__}", f"{kind.__module__}.{kind.__name__}"}, place


def test_no_entry_is_there_twice():
    ids = [call["id"] for call in soup(REFERENCE).select("dt.sig[id]")]
    assert len(ids) == len(set(ids)) > len(PUBLIC)  # members, and what the functions return, have entries too


def test_no_markup_of_docstrings_is_left_on_the_page():
    for paragraph in soup(REFERENCE).select("dl.py p, dl.py li"):
        prose = "".join(part for part in paragraph.strings if not part.find_parent("code"))
        assert not re.search(r"`|-----|\|\||\^\d|\btheta_|:math:|\.\. ", prose), prose


def test_every_example_of_a_docstring_is_on_the_page():
    shown = "".join(text(block) for block in soup(REFERENCE).select("dl.py pre"))
    for place, thing in PUBLIC.items():
        for line in re.findall(r">>> (.*)", thing.__doc__):
            assert " ".join(line.split()) in shown, place


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
            place = f"pla_lib.plots.{name}" if name in FIGURES else f"pla_lib.{name}"
            assert not attribute or hasattr(PUBLIC[place], attribute[0])
            assert urldefrag(link["href"])[1] == ".".join([place, *attribute])
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
        "prop-lim-staircase",  # its function is in the chapter
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
