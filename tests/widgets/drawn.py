"""Shows a widget so that a test can reach its model, and reads back what it has drawn: pixels into numbers."""

import re
from fractions import Fraction

import anywidget
import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from tests import ROOT

HOST = ROOT / "book" / "assets" / "widget-host.js"
# Draws a widget in the page's first place for one, or on an empty page; its model is then within reach as `model`.
SHOW = """async (state) => {
  const states = document.querySelector('script[type="application/vnd.jupyter.widget-state+json"]');
  state ??= Object.values(JSON.parse(states.textContent).state).find((one) => one.state._parts).state;
  window.model = await plaWidgetHost.show(state, document.querySelector(".pla-widget") ?? document.body);
}"""


def show(page: Page, widget: anywidget.AnyWidget | None = None) -> None:
    """Draw a widget made in the test, or the page's own once more, so that the test can reach its model."""
    own = set(widget.keys) - set(anywidget.AnyWidget.class_trait_names()) if widget else ()
    page.evaluate(SHOW, {name: getattr(widget, name) for name in (*own, "_esm", "_css")} if widget else None)


def mount(page: Page, widget: anywidget.AnyWidget) -> None:
    """Show a widget made in the test on an empty page."""
    page.goto("about:blank")
    page.add_script_tag(path=HOST)
    show(page, widget)


def stand_in(widget: anywidget.AnyWidget) -> dict:
    """What a notebook keeps for readers without scripts: a small picture, and the widget's sentence."""
    bundle, _ = widget._repr_mimebundle_()
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert len(bundle["image/png"]) < 40_000
    assert bundle["text/plain"] == widget.sentence()
    return bundle


def value(page: Page, name: str):
    """A value of the model."""
    return page.evaluate("name => model.get(name)", name)


def put(page: Page, **values) -> None:
    """Set values of the model, as Python does."""
    page.evaluate("values => { for (const name in values) model.set(name, values[name]); }", values)


def as_text(*values: float, sign: bool = False) -> str:
    """A number, or several as a vector, as widgets write them."""
    texts = [("+" if sign and value > 0 else "") + number_text(float(value)) for value in values]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def number_text(value: float) -> str:
    """The rule of `pla_lib/wording.py`, written once more, in exact arithmetic, so that the two check each other."""
    if not np.isfinite(value):
        return "not a number" if np.isnan(value) else "∞" if value > 0 else "−∞"
    size = Fraction(abs(value))
    power = len(str(int(size))) - 1 if size >= 1 else -len(str(int(1 / size))) if size else 0  # of the first digit
    whole = 100 <= size < 10**15
    unit = 1 if whole else Fraction(10) ** (power - 2)
    rounded = (size / unit + Fraction(1, 2)) // 1 * unit  # halves away from zero
    power += rounded == Fraction(10) ** (power + 1)
    short = whole or -6 <= power < 15
    text = np.format_float_positional(float(rounded if short else rounded / Fraction(10) ** power), trim="-")
    if not short:
        text += " × 10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return ("−" if value < 0 else "") + text


def numbers(text: str) -> np.ndarray:
    """The numbers in a text or in a path."""
    return np.array(re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text.replace("−", "-")), float)


def corners(path) -> np.ndarray:
    """The points of a path, in the picture's own units; points that are none are taken as they are."""
    return np.reshape(numbers(path.replace("h0", "")) if isinstance(path, str) else path, (-1, 2))


def drawn(page: Page | Locator, selector: str) -> np.ndarray:
    """The corners of a path on the page."""
    return corners(page.locator(selector).get_attribute("d"))


def ringed(page: Page, selector: str) -> np.ndarray:
    """The centres of the rings in a path."""
    d = page.locator(selector).get_attribute("d")
    starts = np.array(re.findall(r"M([\d.-]+),([\d.-]+)a([\d.]+)", d), float).reshape(-1, 3)
    return starts[:, :2] + starts[:, 2:] * (1, 0)


def size(page: Page | Locator, svg: str = ".pla-main .pla-picture > svg") -> tuple[float, float]:
    """Width and height of a picture, in its own units, which are pixels."""
    return tuple(numbers(page.locator(svg).first.get_attribute("viewBox"))[2:])


def plane(page: Page | Locator, X: np.ndarray, svg: str = ".pla-main .pla-picture > svg"):
    """From units of the picture to the data's numbers; the same scale on both axes. The points are the reference."""
    places = page.locator(f"{svg} .pla-point").evaluate_all("all => all.map(p => p.getAttribute('transform'))")
    pixels = np.array([numbers(place) for place in places])
    middle, centre = pixels.mean(axis=0), X.mean(axis=0)
    scale = np.sum((pixels - middle) * (1, -1) * (X - centre)) / np.sum((X - centre) ** 2)
    assert (pixels - middle) * (1, -1) / scale + centre == pytest.approx(X, abs=0.02 / scale)
    return lambda path: (corners(path) - middle) * (1, -1) / scale + centre


def axes(svg: Locator):
    """From units of a picture to numbers, read off its ticks; the same scale on both axes, zero at half the height."""
    labels = svg.locator(".pla-axes text:not(.pla-axis-name)[text-anchor=middle]")
    values = [numbers(text)[0] for text in labels.all_text_contents()]
    scale, zero = np.polyfit(values, labels.evaluate_all("all => all.map(t => t.x.baseVal[0].value)"), 1)
    height = numbers(svg.get_attribute("viewBox"))[3]
    return lambda path: (corners(path) - (zero, height / 2)) / (scale, -scale)


def chart(svg: Locator):
    """From units of a chart to numbers, read off its ticks."""
    ticks = svg.locator(".pla-axes text:not(.pla-axis-name)").evaluate_all("""all => all.map(
        t => [t.getAttribute('text-anchor'), +t.getAttribute('x'), +t.getAttribute('y'), t.textContent])""")
    number = [float(text.replace("−", "-").rstrip("%")) for *_, text in ticks]
    across = [(x, n) for (anchor, x, _, _), n in zip(ticks, number, strict=True) if anchor == "middle"]
    upward = [(y - 4, n) for (anchor, _, y, _), n in zip(ticks, number, strict=True) if anchor == "end"]
    fits = [np.polyfit(*np.array(some).T, 1) for some in (across, upward)]
    return lambda path: np.stack([np.polyval(fit, corners(path)[:, k]) for k, fit in enumerate(fits)], axis=1)


def is_line(to_data, path: str, theta: np.ndarray, picture: tuple[float, float]) -> bool:
    """Is the path the part of theta's line that lies in a picture of this size: two points of it, or none?"""
    w, b = theta[-2:], theta[0] if len(theta) == 3 else 0
    width, height = picture
    length, frame = np.linalg.norm(w), to_data([[0, 0], [width, 0], [width, height], [0, height]])
    scores, ends = frame @ w + b, to_data(path)
    if not scores.min() < 0 < scores.max():
        return len(ends) == 0
    near = 0.001 * abs(frame[1] - frame[0]).max()
    pixels = corners(path)
    at_the_edge = np.isclose(np.minimum(pixels, picture - pixels), 0, atol=0.06).any(axis=1).all()
    return len(ends) == 2 and bool(at_the_edge and np.all(np.abs(ends @ w + b) / length < near))


def same_line(ends: np.ndarray, theta: np.ndarray, tolerance: float = 0.01) -> bool:
    """Do the two ends of a drawn line lie on the line of theta?"""
    return len(ends) == 2 and bool(np.all(abs(ends @ theta[1:] + theta[0]) < tolerance * np.linalg.norm(theta[1:])))


def same_points(some: np.ndarray, others: np.ndarray) -> bool:
    """Are these the same points, up to a pixel or so, in whatever order?"""
    some, others = (np.reshape(points, (-1, 2)) for points in (some, others))
    if len(some) != len(others) or not len(some):
        return len(some) == len(others)
    near = np.linalg.norm(some[:, None] - others, axis=2) < 0.021
    return bool(near.any(axis=0).all() and near.any(axis=1).all())
