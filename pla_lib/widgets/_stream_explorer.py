"""The stream: one example at a time, mistakes against the bound of a comparator the reader chooses. (Chapter 08.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from traitlets import Dict, Float, Int, List

from pla_lib.datasets import Dataset
from pla_lib.limits import Separable, separability
from pla_lib.online import best_comparator, hinge_mistake_bound
from pla_lib.pla import Run, perceptron
from pla_lib.plots import plot_points, plot_promises
from pla_lib.plots.style import colour, show_crosses, show_line, show_plane
from pla_lib.validation import two_features
from pla_lib.widgets.base import BaseWidget, new_figure, script, stylesheet
from pla_lib.widgets.run_record import record_of
from pla_lib.wording import counted, number, vector

if TYPE_CHECKING:
    pass


class StreamExplorer(BaseWidget):
    """See `stream_explorer`. `step` is the number of rounds seen, `w` the reader's comparator w*: set them, or read."""

    _esm = script("stream_explorer.js")
    _css = stylesheet("stream_explorer.css")
    record = Dict().tag(sync=True)
    step = Int(0, min=0).tag(sync=True)
    w = List(Float(), minlen=2, maxlen=2).tag(sync=True)

    def __init__(self, run: Run):
        X, y = run.X.astype(float), run.y
        self.run, self.best, self.line = (
            run,
            best_comparator(X, y),
            isinstance(separability(X, y, bias=False), Separable),
        )
        radius = np.linalg.norm(X, axis=1).max() or 1.0
        super().__init__(record=record_of(run) | {"best": self.best.tolist()}, w=[float(1 / radius), 0.0])

    def picture(self):
        run, reach = self.run, 1.1 * np.abs(self.run.X.astype(float)).max() or 1.0
        figure = new_figure(6.4, 3.2)
        plane, chart = figure.subplots(1, 2)
        plot_points(run.X, run.y, plane, size=4).get_legend().remove()
        show_plane(plane, (-reach, -reach), (reach, reach))
        if run.theta.any():
            show_line(plane, run.theta.astype(float), tinted=True)
        # As in the widget: a cross for what is wrong now, a dot beside what was a mistake in its round.
        if run.theta.any():
            show_crosses(plane, run.X[run.y * (run.X @ run.theta) <= 0], markersize=8)
        beside = {"xytext": (3.5, 1.5), "textcoords": "offset points", "color": colour("ink"), "fontsize": 9}
        for x in run.X[run.mistakes].astype(float):
            plane.annotate("\u2022", x, **beside)
        plot_promises(run.X, run.y, {"bound of your $w^*$": self.w, "of the best $w^*$": self.best}, chart)
        return figure

    def sentence(self) -> str:
        run, w = self.run, np.array(self.w)
        made = f"{counted(len(run.mistakes), 'mistake')} in {counted(len(run.y), 'round')}"
        yours, best = (number(hinge_mistake_bound(run, comparator)) for comparator in (w, self.best))
        return (
            f"A stream of {counted(len(run.y), 'point')}, one per round; {'a' if self.line else 'no'} line through the "
            f"origin separates the classes. The perceptron makes {made}. "
            f"With the comparator w* = {vector(w)}, at most {yours} mistakes are possible (the bound); "
            f"with the best one, at most {best}."
        )


def stream_explorer(X, y) -> StreamExplorer:
    r"""Watch a stream round by round: the mistakes so far under the bound of your own comparator, and of the best one.

    The perceptron has no offset and meets the rows of X once, in order; `best_comparator` is for the whole stream.
    Chapter 08.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.

    Returns
    -------
    StreamExplorer
        The widget.

    Notes
    -----
    Over the rounds so far

    .. math::
       \text{mistakes} \le H + \lVert w^* \rVert L \sqrt{H} + \lVert w^* \rVert^2 L^2, \quad
       H = \sum_t \max(0, 1 - y_t\,w^{*\top} x_t), \quad L = \max_t \lVert x_t \rVert.

    Examples
    --------
    >>> from pla_lib import semicircles
    >>> stream_explorer(*semicircles(12, gap=60)).sentence()
    'A stream of 12 points, one per round; a line through the origin separates the classes. The perceptron makes ...'
    """
    X, y = Dataset(X, y)
    two_features(X, "stream_explorer")
    return StreamExplorer(perceptron(X, y, bias=False, max_epochs=1))
