"""Reads back what a widget has drawn: pixels into the data's numbers, with the help of its points or its ticks."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

# A widget of the test's own in the page, its model within reach as window.model.
MOUNT = """async (state) => {
  const { _esm, _css, ...values } = state, listeners = {};
  const model = {
    get: (name) => values[name],
    set(name, value) { values[name] = value; (listeners["change:" + name] ?? []).forEach((listen) => listen()); },
    save_changes() {},
    on: (event, listen) => (listeners[event] ??= []).push(listen),
    off: (event, listen) => (listeners[event] = listeners[event].filter((other) => other !== listen)),
  };
  document.head.append(Object.assign(document.createElement("style"), { textContent: _css }));
  const widget = await import(URL.createObjectURL(new Blob([_esm], { type: "text/javascript" })));
  const el = document.createElement("div");
  document.body.replaceChildren(el);
  widget.default.render({ model, el });
  window.model = model;
}"""

# The page's widget drawn again, with its model where a test can reach it.
WITH_MODEL = """async () => {
    const state = document.querySelector('script[type="application/vnd.jupyter.widget-state+json"]');
    const models = Object.values(JSON.parse(state.textContent).state);
    const { _esm, ...values } = models.find((one) => one.state._esm).state;
    const listeners = {}, el = document.createElement("div");
    window.model = {
        get: (name) => values[name], save_changes() {}, off() {},
        on: (event, listen) => (listeners[event] ??= []).push(listen),
        set(name, value) { values[name] = value; for (const listen of listeners[`change:${name}`] ?? []) listen(); },
    };
    const module = await import(URL.createObjectURL(new Blob([_esm], { type: "text/javascript" })));
    module.default.render({ model: window.model, el });
    document.querySelector(".pla-widget").replaceChildren(el);
}"""


def mount(page: Page, widget) -> None:
    """Show a widget made in the test on an empty page."""
    page.goto("about:blank")
    own = [name for name in widget.traits(sync=True) if name not in type(widget).__base__.__base__.class_traits()]
    page.evaluate(MOUNT, {name: getattr(widget, name) for name in own} | {"_esm": widget._esm, "_css": widget._css})


def said(value: float) -> str:
    """A number as widgets write it."""
    return f"{value + 0.0:.3g}".replace("-", "−") if abs(value) < 100 else f"{value:.0f}".replace("-", "−")


def corners(path: str) -> np.ndarray:
    """The points of a path, in the picture's own units."""
    return np.array(re.findall(r"-?[\d.]+", path.replace("h0", "")), float).reshape(-1, 2)


def plane(page: Page, X: np.ndarray, y: np.ndarray):
    """From units of the picture to the data's numbers; the same scale on both axes. The points are the reference."""
    data = page.locator("svg:has(.pla-ring)")
    discs = data.locator("> circle.pla-positive").evaluate_all(
        "all => all.map(c => [c.cx, c.cy].map(z => z.baseVal.value))"
    )
    squares = data.locator("> rect.pla-negative").evaluate_all(
        "all => all.map(c => [c.x, c.y].map(z => z.baseVal.value + 5))"
    )
    pixels, points = np.array(discs + squares), np.vstack([X[y > 0], X[y < 0]])
    middle, centre = pixels.mean(axis=0), points.mean(axis=0)
    scale = np.sum((pixels - middle) * (1, -1) * (points - centre)) / np.sum((points - centre) ** 2)
    assert (pixels - middle) * (1, -1) / scale + centre == pytest.approx(points, abs=1e-6 * abs(points).max())
    return lambda path: (corners(path) - middle) * (1, -1) / scale + centre


def chart(svg: Locator):
    """From units of a chart to numbers, read off its ticks."""
    ticks = svg.locator(".pla-axes text:not(.pla-axis-name)").evaluate_all("""all => all.map(
        t => [t.getAttribute('text-anchor'), +t.getAttribute('x'), +t.getAttribute('y'), t.textContent])""")
    number = [float(text.replace("−", "-").rstrip("%")) for *_, text in ticks]
    across = [(x, n) for (anchor, x, _, _), n in zip(ticks, number, strict=True) if anchor == "middle"]
    upward = [(y - 4, n) for (anchor, _, y, _), n in zip(ticks, number, strict=True) if anchor == "end"]
    fits = [np.polyfit(*np.array(some).T, 1) for some in (across, upward)]
    return lambda path: np.stack([np.polyval(fit, corners(path)[:, k]) for k, fit in enumerate(fits)], axis=1)


def is_line(to_data, path: str, theta: np.ndarray) -> bool:
    """Is the path the part of theta's line that lies in the picture: two points of it, or none where there is none?"""
    w, b = theta[-2:], theta[0] if len(theta) == 3 else 0
    length, frame = np.linalg.norm(w), to_data("0,0 400,0 400,300 0,300")
    scores, ends = frame @ w + b, to_data(path)
    if not scores.min() < 0 < scores.max():
        return len(ends) == 0
    near = 0.001 * abs(frame[1] - frame[0]).max()
    at_the_edge = np.isclose(corners(path) % (400, 300), 0, atol=0.06).any(axis=1).all()
    return len(ends) == 2 and bool(at_the_edge and np.all(np.abs(ends @ w + b) / length < near))
