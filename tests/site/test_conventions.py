"""Every slip found in the sources has its entry in book/conventions.md; its links and those of the glossary hold."""

import re
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from bs4 import Tag

from tests import SITE
from tests.site_checks import places_of, soup_of

CONVENTIONS, GLOSSARY = "book/conventions.html", "book/glossary.html"
SLIPS = {
    "in-bloch-s-notes": [
        "No normal vector",
        "Separable with margin zero",
        "Counting from one",
        "A start at zero, unsaid",
        "Subgradient turned round",
        "Slow when small",
        "Order of no consequence",
        "The widest is far away",
        "Canonical by absolute value",
        "Equal problems, unequal pairs",
        "Support vectors by equality",
        "Who pays slack",
        "Large C, fewest errors",
        "Small C, few outliers",
        "On the circle",
        "Two maps, one letter",
        "N becomes n",
    ],
    "in-elkan-s-notes": [
        "A linear subspace",
        "The shift as a distance",
        "Labels 0 and 1",
        "The three concerns",
        "Closer to the separator",
        "Weights plus or minus one",
        "More and more digits",
        "Exclusive or is equality",
        "Any continuous function",
        "Examples or visits",
        "A vote needs all weights",
        "A theorem's small print",
        "Three letters, several meanings",
    ],
    "in-the-blog": [
        "Behind and in front",
        "The further, the larger",
        "Zero loss, no mistake",
        "Discrete, so hard",
        "Closer each time",
    ],
    "in-the-slides": [
        "A start that never moves",
        "Equivalent tests",
        "Exactly the perceptron",
        "Hinge without its one",
        "Into the unit ball",
        "A margin from signs",
        "m twice",
        "A tally of examples",
    ],
    "in-hsu-s-notes": [
        "Iterations or updates",
        "Maximum and minimum without end",
        "A minimum that says nothing",
        "t inside a sum over t",
    ],
}


def article(page: str) -> Tag:
    return soup_of(SITE / page).find("article")


def words(element: Tag) -> str:
    """Its text, with plain quotation marks."""
    return element.get_text(" ", strip=True).translate(str.maketrans("“”‘’", "\"\"''"))


def links_to_sections(element: Tag) -> list[Tag]:
    """Links to places, but for those of the headings themselves and of citations."""
    links = element.select("a.reference.internal[href*='#']")
    return [link for link in links if "bibliography" not in link["href"]]


@pytest.mark.parametrize("section", SLIPS)
def test_every_slip_has_an_entry_with_a_link(section):
    entries = article(CONVENTIONS).find(id=section).select("li")
    assert [words(entry.find("strong")).rstrip(".") for entry in entries] == SLIPS[section]
    assert all(links_to_sections(entry) for entry in entries)


@pytest.mark.parametrize("page", [CONVENTIONS, GLOSSARY])
def test_every_link_leads_to_a_heading_of_that_text(page):
    links = links_to_sections(article(page))
    assert len(links) > 50
    for link in links:
        target, anchor = urldefrag(urljoin(page, link["href"]))
        place = places_of(SITE / target)[unquote(anchor)]
        assert place.find_parent("article")
        heading = place if place.name.startswith("h") else place.find(re.compile(r"^h[1-6]$"))
        assert words(link) in words(heading)


def test_glossary_is_in_alphabetical_order_and_every_entry_has_a_link():
    glossary = article(GLOSSARY).select_one("dl.glossary")
    terms = [words(term).removesuffix("#").strip() for term in glossary.find_all("dt")]
    assert terms == sorted(set(terms), key=str.lower)
    assert all(links_to_sections(entry) for entry in glossary.find_all("dd"))
    assert all(links_to_sections(row) for row in article(GLOSSARY).select("table tbody tr"))
