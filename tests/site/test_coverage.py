"""Every topic of the five sources is served by a section, and the links of book/coverage.md lead to it."""

import re
from urllib.parse import urldefrag, urljoin

from tests import SITE
from tests.site_checks import places_of, soup_of

PAGE = "book/coverage.html"
ROWS = (
    [f"B{k}" for k in range(1, 13)]
    + [f"E{k}" for k in range(1, 14)]
    + [f"bl{k}" for k in range(1, 5)]
    + [f"s{k}" for k in range(1, 9)]
    + [f"H{k}" for k in range(1, 5)]
)


def test_every_row_leads_to_sections_of_that_name():
    soup = soup_of(SITE / PAGE)
    rows = [row.find_all("td") for row in soup.select("table tbody tr")]
    assert [cells[0].get_text(strip=True) for cells in rows] == ROWS
    for _, topic, sections in rows:
        links = sections.find_all("a")
        assert links, topic.get_text()
        for link in links:
            page, anchor = urldefrag(urljoin(PAGE, link["href"]))
            place = places_of(SITE / page)[anchor]
            heading = place if place.name.startswith("h") else place.find(re.compile(r"^h[1-6]$"))
            assert link.get_text(strip=True) in heading.get_text(" ", strip=True)
