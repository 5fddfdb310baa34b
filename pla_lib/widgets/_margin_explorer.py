"""The margin explorer: a line moved by hand, its margin, and the widest one. (Chapter 05.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from traitlets import Bool, Dict, Float, Int, List, validate

from pla_lib.datasets import Dataset
from pla_lib.geometry import Hyperplane
from pla_lib.margins import Margin, max_margin
from pla_lib.pla import perceptron
from pla_lib.plots import plot_margins
from pla_lib.validation import two_features
from pla_lib.widgets.base import BaseWidget, new_figure, script, stylesheet
from pla_lib.wording import counted, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class MarginExplorer(BaseWidget):
    """See `margin_explorer`. `theta` is the line shown, [b, w1, w2], ||w|| = 1; `revealed`: is the widest shown?

    `base` is the line that the reader made, and `step` counts the improvements of it that led to `theta`. `best` is the
    widest margin so far.
    """

    _esm = script("margin_explorer.js")
    _css = stylesheet("margin_explorer.css")
    record = Dict().tag(sync=True)
    theta = List(Float()).tag(sync=True)
    base = List(Float()).tag(sync=True)
    step = Int(0).tag(sync=True)
    revealed = Bool(False).tag(sync=True)
    best = Float(0).tag(sync=True)

    def __init__(self, data: Dataset, widest: Margin):
        self.X, self.y, self.widest = data.X.astype(float), data.y, widest
        start = _mediocre(self.X, self.y, widest)
        super().__init__(
            theta=start,
            base=start,
            best=Hyperplane.from_theta(start).margin(self.X, self.y),
            record={
                "X": self.X.tolist(),
                "y": self.y.tolist(),
                "start": start,
                "widest": {
                    "theta": (widest.theta * widest.margin).tolist(),
                    "margin": widest.margin,
                    "support": widest.support.tolist(),
                },
            },
        )

    @validate("theta")
    def _of_length_one(self, proposal) -> list[float]:
        line = Hyperplane.from_theta(proposal["value"])
        if len(line.w) != 2:
            raise ValueError(f"theta must be [b, w1, w2]; it was given {len(line.w) + 1} numbers")
        # What comes from the page has length one but for rounding, and goes back unchanged.
        return proposal["value"] if abs(line.norm - 1) < 1e-9 else (line.theta / line.norm).tolist()

    def picture(self) -> Figure:
        figure = new_figure(6.4, 3.6)
        plot_margins(
            self.X,
            self.y,
            {"one line": Hyperplane.from_theta(self.theta), "the widest": self.widest.hyperplane},
            figure,
        )
        return figure

    def sentence(self) -> str:
        line = Hyperplane.from_theta(self.theta)
        if line.separates(self.X, self.y):
            first = f"One line separates them with margin {number(line.margin(self.X, self.y))}"
        else:
            first = "One line does not separate them"
        second = f"the widest margin is {number(self.widest.margin)}"
        held = f"held by {counted(len(self.widest.support), 'support vector')}"
        return f"{counted(len(self.y), 'point')} of two classes. {first}; {second}, {held}."


def _mediocre(X: np.ndarray, y: np.ndarray, widest: Margin) -> list[float]:
    """A separating line to start from: the perceptron's, or, where that takes long, the widest one shifted."""
    run = perceptron(X, y, max_epochs=100)
    if run.converged:
        return (run.theta / run.hyperplane.norm).tolist()
    return (widest.theta * widest.margin + [widest.margin / 2, 0, 0]).tolist()


def margin_explorer(X, y) -> MarginExplorer:
    r"""Turn and shift a line, see its margin and the points that hold it, and have it improved step by step.

    The margin of a line with :math:`\lVert w \rVert = 1` is :math:`\min_i y_i (w^\top x_i + b)`, negative if a point is
    on the wrong side. Each step shifts the line to the middle between the classes, or turns it by a few degrees, and
    widens the margin until no line has a wider one. Chapter 05.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.

    Returns
    -------
    MarginExplorer
        The widget.

    Raises
    ------
    NotSeparable
        If no line separates the examples.

    Examples
    --------
    >>> margin_explorer([[6, 5], [4, 2], [2, 0], [0, 0]], [+1, +1, -1, -1]).sentence()
    '4 points of two classes. One line separates them with margin ...; the widest margin is 1.41, held by 2 support ...'
    """
    data = Dataset(X, y)
    two_features(data.X, "margin_explorer")
    return MarginExplorer(data, max_margin(*data))
