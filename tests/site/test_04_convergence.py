"""The proof ledger in chapter 04, used as a reader would."""

import numpy as np
from playwright.sync_api import expect

from pla_lib import blobs, ledger, perceptron
from tests.widgets.drawn import as_text, is_line, plane

DATA = blobs(12, gap=0.8, seed=5)  # as the chapter makes it
X, Y, THETA = DATA.X.round(1), DATA.y, np.array([-8, 3, 2])
RUN = perceptron(X, Y)
BOOK = ledger(RUN, THETA)


def test_ledger_steps_through_the_run_of_the_chapter(chapter, widget):
    proof = widget(0)
    length = np.linalg.norm(THETA)
    for m in range(1, len(RUN.mistakes) + 1):
        proof.get_by_role("button", name="Next").click()
        expect(proof.get_by_role("slider")).to_have_value(str(m))
        numbers = BOOK.floor[m] / length, BOOK.progress[m] / length, np.sqrt(BOOK.norm2[m]), np.sqrt(BOOK.ceiling2[m])
        row = proof.locator(".pla-ledger tbody tr").last
        assert row.evaluate("r => [...r.cells].map(c => c.innerText)") == [str(m), *map(as_text, numbers)]
    expect(proof.locator(".pla-words")).to_contain_text("The run is over: all 12 points count as right.")
    expect(proof.locator(".pla-words")).to_contain_text("The proof allows 175 updates.")
    assert is_line(plane(chapter, X, Y), proof.locator(".pla-current-line").get_attribute("d"), RUN.theta)
    proof.get_by_role("button", name="Back").click()
    expect(proof.get_by_role("slider")).to_have_value(str(len(RUN.mistakes) - 1))


def test_ledger_shows_where_floor_and_ceiling_meet(widget):
    proof = widget(0)
    expect(proof.locator(".pla-meeting-point")).to_be_hidden()
    proof.get_by_role("checkbox", name="As far as the bound").click()
    expect(proof.locator(".pla-meeting-point")).to_be_visible()
    expect(proof.get_by_text("at most 175", exact=True)).to_be_visible()
