"""The three boundaries in chapter 09, used as a reader would."""

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pla_lib import averaged, blobs, label_noise, perceptron, voted
from tests.widgets.drawn import is_line, plane, size
from tests.widgets.gestures import step

TRAIN, TEST = label_noise(blobs(60, gap=0.1, seed=2), 0.1, seed=1), blobs(200, gap=0.1, seed=9)  # as the chapter has
RUN = perceptron(*TRAIN, order="random", max_epochs=6, seed=2)


@pytest.fixture
def three(widget) -> Locator:
    return widget(0)


def wrong(theta) -> int:
    return int((np.where(theta[0] + TEST.X @ theta[1:] > 0, 1, -1) != TEST.y).sum())


def test_the_end_of_the_run_is_the_one_the_text_speaks_of(three):
    three.get_by_role("slider").press("End")
    expect(three.get_by_role("slider")).to_have_value("360")
    counts = wrong(RUN.theta), wrong(averaged(RUN)), int((voted(RUN, TEST.X) != TEST.y).sum())
    assert counts[0] == 44
    assert counts[2] == 14
    expect(three.locator(".pla-words")).to_have_text(
        f"{len(RUN.mistakes)} mistakes in 6 epochs. "
        "Errors on 200 test points: last {}, averaged {}, voted {}.".format(*counts)
    )
    data, to_data = three.locator(".pla-main .pla-picture > svg"), plane(three, RUN.X)
    for name, theta in (("last", RUN.theta), ("averaged", averaged(RUN))):
        line = data.locator(f"> .pla-{name}").get_attribute("d")
        assert is_line(to_data, line, theta, size(three))


def test_next_mistake_goes_from_mistake_to_mistake_and_layers_can_be_hidden(three):
    for time in RUN.times[:4]:
        step(three, "Next mistake")
        expect(three.get_by_role("slider")).to_have_value(str(time + 1))
        expect(three.locator(".pla-chip")).to_have_text("Mistake")
    step(three, "Back")
    expect(three.get_by_role("slider")).to_have_value(str(RUN.times[3]))
    three.get_by_role("checkbox", name="voted").click()
    expect(three.locator(".pla-curve.pla-voted")).to_be_hidden()
