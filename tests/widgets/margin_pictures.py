"""Reads back what the margin widgets have drawn, and shows them with a model that a test can set."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

# Runs a widget's script on an empty page; its model is within reach as window.model.
MOUNT = """async ({ _esm, _css, ...values }) => {
  const listeners = {};
  window.model = {
    get: (name) => values[name],
    set(name, value) { values[name] = value; (listeners["change:" + name] ?? []).forEach((listen) => listen()); },
    save_changes() {},
    on: (event, listen) => (listeners[event] ??= []).push(listen),
  };
  document.head.append(Object.assign(document.createElement("style"), { textContent: _css }));
  const widget = await import(URL.createObjectURL(new Blob([_esm], { type: "text/javascript" })));
  document.body.replaceChildren();
  widget.default.render({ model, el: document.body });
}"""


def mount(page: Page, widget, *names: str) -> None:
    """Show a widget made in the test, with these of its values."""
    page.goto("about:blank")
    own = {name: getattr(widget, name) for name in names}
    page.evaluate(MOUNT, own | {"_esm": str(widget._esm), "_css": str(widget._css)})


def said(value: float) -> str:
    """A number as widgets write it."""
    rounded = float(f"{value + 0.0:.3g}") if abs(value) < 100 else round(value)
    return np.format_float_positional(rounded, trim="-").replace("-", "−")


def drawn(page: Page, selector: str) -> np.ndarray:
    """The corners of a path, in the picture's own units."""
    return np.array(re.findall(r"-?[\d.]+", page.locator(selector).get_attribute("d")), float).reshape(-1, 2)


def ringed(page: Page, selector: str) -> np.ndarray:
    """The centres of the rings in a path."""
    d = page.locator(selector).get_attribute("d")
    starts = np.array(re.findall(r"M([\d.-]+),([\d.-]+)a([\d.]+)", d), float).reshape(-1, 3)
    return starts[:, :2] + starts[:, 2:] * (1, 0)


def to_data(page: Page, X: np.ndarray, y: np.ndarray):
    """From units of the picture to the data's numbers; the same scale on both axes. The discs are the reference."""
    at = page.locator("circle.pla-positive").evaluate_all(
        "all => all.map(c => [c.cx.baseVal.value, c.cy.baseVal.value])"
    )
    pixels, points = np.array(at), X[y > 0]
    scale = np.polyfit(points[:, 0], pixels[:, 0], 1)[0]
    shift = points.mean(axis=0) - pixels.mean(axis=0) / scale * (1, -1)
    return lambda places: np.reshape(places, (-1, 2)) / scale * (1, -1) + shift


def same_line(ends: np.ndarray, theta: np.ndarray, tolerance: float = 0.01) -> bool:
    """Do the two ends of a drawn line lie on the line of theta?"""
    return len(ends) == 2 and bool(np.all(abs(ends @ theta[1:] + theta[0]) < tolerance * np.linalg.norm(theta[1:])))


def same_points(some: np.ndarray, others: np.ndarray) -> bool:
    some, others = (np.array(sorted(np.round(points, 2).tolist())).reshape(-1, 2) for points in (some, others))
    return some.shape == others.shape and np.allclose(some, others, atol=0.021)


def check_that_the_text_below_stays(browser, address: str, sentence: str, use) -> None:
    """With and without scripts, and after `use`, the text stands at one height, and the sentence beside the picture."""
    for width in (1280, 700, 390):
        tops = []
        for scripts in (True, False):
            context = browser.new_context(viewport={"width": width, "height": 900}, java_script_enabled=scripts)
            page = context.new_page()
            page.goto(address)
            if scripts:
                page.locator(".pla").wait_for()
                use(page)
            else:
                expect(page.locator(".pla-widget img")).to_have_attribute("alt", sentence)
                expect(page.locator(".pla-widget").get_by_text(sentence)).to_be_visible()
            below = page.get_by_text("The text after it.").bounding_box()["y"]
            tops.append(below - page.get_by_role("heading", level=1).bounding_box()["y"])
            context.close()
        assert tops[0] == pytest.approx(tops[1], abs=6), f"at {width} px"
