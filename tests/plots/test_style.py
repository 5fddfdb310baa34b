"""The figure shows what the run says, and every figure can be had from one place."""

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import pytest
from matplotlib.colors import to_hex

from pla_lib import blobs, perceptron, plots
from pla_lib.plots import COLOURS, plot_run
from tests.plots.tints import tinted


def test_every_figure_of_every_chapter_is_offered_here():
    modules = [import_module(f"pla_lib.plots.{module.name}") for module in iter_modules(plots.__path__)]
    own = {name: module for module in modules for name in vars(module) if name.startswith("plot_")}
    assert sorted(plots.__all__) == sorted([*own, "COLOURS", "colour"])
    for name in plots.__all__:
        assert getattr(plots, name) is not None


def test_importing_figures_and_widgets_loads_no_solver_and_no_matplotlib():
    """They come when something is drawn or solved: what only wants a colour or a widget does not wait for them."""
    heavy = (
        "import sys; import pla_lib.plots, pla_lib.widgets; "
        "print([m for m in ('matplotlib', 'PIL', 'cvxopt', 'numba') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", heavy], text=True).strip() == "[]"


def test_classes_have_their_marks_and_every_theta_its_line():
    run = perceptron(*blobs())
    ax = plot_run(run)
    marked = {line.get_marker(): line for line in ax.lines if line.get_marker() != "None"}
    for marker, label, name in (("o", 1, "positive"), ("s", -1, "negative")):
        np.testing.assert_array_equal(marked[marker].get_xydata(), run.X[run.y == label])
        assert to_hex(marked[marker].get_color()).upper() == COLOURS[name][0]
    lines = [line for line in ax.lines if line.get_marker() == "None"]
    drawn = [theta for theta in run.thetas if theta[1:].any()]
    assert len(lines) == len(drawn)
    for line, theta in zip(lines, drawn, strict=True):
        np.testing.assert_allclose(np.c_[np.ones(2), line.get_xydata()] @ theta, 0, atol=1e-9)
    assert [line.get_alpha() for line in lines] == sorted(line.get_alpha() for line in lines)
    assert ax.get_aspect() == 1
    (arrow,) = (note for note in ax.texts if getattr(note, "arrow_patch", None))
    assert run.theta[1:] @ (np.array(arrow.xy) - arrow.xyann) > 0
    assert tinted(ax, run.X) == run.y.tolist()


def luminance(colour: str) -> float:
    """As WCAG defines it."""
    parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("on_dark", [0, 1])
def test_verdicts_have_colours_of_their_own_that_can_be_read(on_dark):
    paper = luminance(COLOURS["paper"][on_dark])
    for name in ("right", "mistake"):
        assert COLOURS[name][on_dark] not in (COLOURS["positive"][on_dark], COLOURS["negative"][on_dark])
        darker, lighter = sorted([luminance(COLOURS[name][on_dark]), paper])
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, name


def test_weights_without_offset_and_without_line_can_be_drawn():
    assert len(plot_run(perceptron([[1, 0], [0, 1]], [1, -1], bias=False)).lines) > 2
    assert len(plot_run(perceptron([[1, 0], [0, 1]], [1, -1], tie="correct")).lines) == 2


def test_run_that_ends_without_a_line_says_so():
    ax = plot_run(perceptron([[1, 1], [1, 1]], [1, -1], max_epochs=3))
    assert [text.get_text() for text in ax.texts] == ["no line"]
    assert not ax.collections


def test_more_than_two_features_are_refused():
    with pytest.raises(ValueError, match="two features; these have 3"):
        plot_run(perceptron([[1, 2, 3]], [1]))
    with pytest.raises(ValueError, match="draws a Run, as perceptron"):
        plot_run(blobs(4))
