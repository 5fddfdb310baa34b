"""The playground: the perceptron on points of the reader's own. (Chapters 02 and 10.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from traitlets import Dict, Int, List, Unicode

from pla_lib.datasets import Dataset
from pla_lib.limits import Inseparable, separability
from pla_lib.pla import perceptron
from pla_lib.plots import plot_run
from pla_lib.validation import two_features
from pla_lib.widgets.base import BaseWidget, new_figure, script, stylesheet
from pla_lib.wording import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ABOVE = [(0.7, 2.1), (-3.4, 2.4), (-0.7, 1.1), (-0.6, 1.8), (-3.4, 1.4), (-2.4, 1.1)]
BELOW = [(-0.9, -0.1), (-1.1, -2.4), (0.1, -1.9), (2.9, 1.8), (-3.2, -2.2), (0.9, -0.5)]


def _preset(positive, negative, *more, tie: str = "mistake") -> dict:
    """Points of the two classes in turn, as [x1, x2, label]."""
    pairs = zip(positive, negative, strict=True)
    points = [[*point, label] for pair in pairs for point, label in zip(pair, (1, -1), strict=True)]
    return {"points": [*points, *more], "order": "cyclic", "tie": tie}


PRESETS = {
    "separable": _preset(ABOVE, BELOW),
    "barely separable": _preset([(-2.5, -1.1), (-0.5, 0.3), (1.5, 1.7)], [(-1.5, -0.8), (0.5, 0.6), (2.5, 2)]),
    "XOR": _preset([(1.5, 1.5), (-1.5, -1.5)], [(-1.5, 1.5), (1.5, -1.5)]),
    "one outlier": _preset(ABOVE, BELOW, [-0.4, -1.2, 1]),
    "never moves": _preset(ABOVE, BELOW, tie="correct"),
}


class Playground(BaseWidget):
    """See `playground`. What the reader does reaches `points` and `data`; what is set there is drawn.

    `mine` is the reader's own line [b, w1, w2], or empty.
    """

    _esm = script("playground.js")
    _css = stylesheet("playground.css")
    points = List().tag(sync=True)
    order = Unicode("cyclic").tag(sync=True)
    tie = Unicode("mistake").tag(sync=True)
    seed = Int(0).tag(sync=True)
    step = Int(0, min=0).tag(sync=True)
    mine = List().tag(sync=True)
    presets = Dict(PRESETS).tag(sync=True)

    @property
    def data(self) -> Dataset:
        """The points as they are now."""
        return Dataset([point[:2] for point in self.points], [point[2] for point in self.points])

    def picture(self) -> Figure:
        figure = new_figure(6.4, 4.8)
        plot_run(perceptron(*self.data, max_epochs=100), figure.subplots())
        return figure

    def sentence(self) -> str:
        X, y = self.data
        if isinstance(separability(X, y), Inseparable):
            return f"A playground with {counted(len(y), 'point')} of two classes that no line can separate."
        run = perceptron(X, y, max_epochs=100)
        if not run.theta[1:].any():
            end = "there is no line"
        elif run.hyperplane.separates(X, y):
            end = "the perceptron's line separates them"
        else:
            end = "the perceptron's line does not separate them yet"
        return f"A playground with {counted(len(y), 'point')}. After {counted(len(run.mistakes), 'mistake')} {end}."


def playground(X=None, y=None) -> Playground:
    r"""Put points into the plane, move them, flip their class, and watch the perceptron learn them.

    It shows the mistakes so far, the radius :math:`\max_i \lVert (1, x_i) \rVert`, the widest margin and the bound that
    its line gives, or why no line separates the points. Chapters 02 and 10.

    Parameters
    ----------
    X : array_like, shape (n, 2), optional
        The first points; twelve of ours if not given.
    y : array_like, shape (n,), optional
        Their labels, each -1 or +1.

    Returns
    -------
    Playground
        The widget.

    Examples
    --------
    >>> playground().sentence()
    "A playground with 12 points. After 11 mistakes the perceptron's line separates them."
    >>> playground([[0, 0], [1, 1]], [-1, +1]).data.y.tolist()
    [-1, 1]
    """
    if X is None and y is None:
        return Playground(**PRESETS["separable"])
    if X is None or y is None:
        raise ValueError("playground takes both X and y, or neither; it was given only one of them")
    X, y = Dataset(X, y)
    two_features(X, "playground")
    return Playground(points=[[*map(float, x), int(label)] for x, label in zip(X, y, strict=True)])
