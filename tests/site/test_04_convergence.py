"""The proof ledger in chapter 04, used as a reader would."""

import numpy as np
from playwright.sync_api import expect

from pla_lib import blobs, ledger, perceptron
from tests.widgets.drawn import as_text, is_line, plane, size
from tests.widgets.gestures import step

DATA = blobs(12, gap=0.8, seed=5)  # as the chapter makes it
X, Y, THETA = DATA.X.round(1), DATA.y, np.array([-8, 3, 2])
RUN = perceptron(X, Y)
BOOK = ledger(RUN, THETA)
PICTURE = "svg:has(.pla-separating-line)"  # of the data


def test_ledger_steps_through_the_run_of_the_chapter(widget):
    proof = widget(0)
    length = np.linalg.norm(THETA)
    for m in range(1, len(RUN.mistakes) + 1):
        step(proof)
        expect(proof.get_by_role("slider")).to_have_value(str(m))
        numbers = BOOK.floor[m] / length, BOOK.progress[m] / length, np.sqrt(BOOK.norm2[m]), np.sqrt(BOOK.ceiling2[m])
        row = proof.locator(".pla-log tbody tr").last
        assert row.evaluate("r => [...r.cells].map(c => c.textContent)") == [str(m), *map(as_text, numbers), "✓"]
    made = len(RUN.mistakes)
    expect(proof.locator(".pla-words")).to_have_text(
        f"{made} mistakes, and all 12 points count as right. Press Next to see where every run must end."
    )
    line = proof.locator(".pla-current-line").get_attribute("d")
    assert is_line(plane(proof, X, PICTURE), line, RUN.theta, size(proof, PICTURE))
    step(proof, "Back")
    expect(proof.get_by_role("slider")).to_have_value(str(len(RUN.mistakes) - 1))


def test_the_step_after_the_last_update_shows_the_bound(widget):
    proof = widget(0)
    for _ in range(len(RUN.mistakes) + 1):
        step(proof)
    expect(proof.locator(".pla-words")).to_have_text(
        "The bound: floor and ceiling meet, so no run can make more than 175 mistakes. This one made 13."
    )
    expect(proof.locator(".pla-meeting-point")).to_be_visible()
    expect(proof.locator(".pla-callout")).to_have_text("the run ends here, at 13")


def test_ledger_shows_where_floor_and_ceiling_meet(widget):
    proof = widget(0)
    expect(proof.locator(".pla-meeting-point")).to_be_hidden()
    proof.get_by_role("checkbox", name="Show up to the bound").click()
    expect(proof.locator(".pla-meeting-point")).to_be_visible()
    expect(proof.get_by_text("the bound: at most 175 mistakes", exact=True)).to_be_visible()
