"""The soft margin slider in chapter 06, used as a reader would."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pla_lib import blobs, max_margin, soft_margin
from tests.widgets.drawn import as_text

X, Y = blobs(29, seed=3)  # as the chapter makes them
X, Y = np.vstack([X, [3.1, 0.6]]).round(1), np.append(Y, -1)


def expect_soft_margin(slider: Locator, C: float) -> None:
    soft = soft_margin(X, Y, C)
    wrong, short = (soft.slack > 1 + 1e-6).sum(), (soft.slack > 1e-6).sum()
    numbers = [as_text(C), as_text(soft.margin), as_text(soft.slack.sum()), short - wrong, wrong, len(soft.support)]
    shown = slider.locator(".pla-numbers strong")
    expect(shown.nth(0)).to_have_text(as_text(C))
    assert shown.all_text_contents()[:6] == list(map(str, numbers))


def test_slider_goes_from_one_error_to_the_hard_margin(widget):
    slider = widget(0)
    handle = slider.get_by_role("slider", name="C")
    for place, C in ((0, 0.01), (20, 1), (30, 10), (40, 100)):
        handle.fill(str(place))
        expect_soft_margin(slider, C)
    expect(slider.locator(".pla-words")).to_contain_text("with slack (1 wrong).")
    handle.press("End")
    expect(slider.locator(".pla-chip")).to_have_text("Done")
    expect(slider.locator(".pla-why")).to_contain_text("No point needs slack: this is the hard margin")
    expect(slider.locator(".pla-numbers strong").nth(1)).to_have_text(as_text(max_margin(X, Y).margin))


def test_line_swings_round_as_the_price_rises(widget):
    slider = widget(0)
    handle, slopes = slider.get_by_role("slider", name="C"), []
    for place in (20, 60):
        handle.fill(str(place))
        expect(handle).to_have_value(str(place))
        ends = re.findall(r"-?[\d.]+", slider.locator(".pla-current-line").get_attribute("d"))
        (x1, y1), (x2, y2) = np.array(ends, float).reshape(-1, 2)
        slopes.append((y1 - y2) / (x2 - x1))  # upwards is less in the picture
    w = [soft_margin(X, Y, C).w for C in (1, 10_000)]
    assert slopes == pytest.approx([-each[0] / each[1] for each in w], abs=0.02)
