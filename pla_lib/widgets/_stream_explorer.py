"""The stream: one example at a time, mistakes against the bound of a comparator the reader chooses. (Chapter 08.)"""

import numpy as np
from matplotlib.figure import Figure
from traitlets import Dict, Float, Int, List

from pla_lib.datasets import Dataset
from pla_lib.limits import Separable, separability
from pla_lib.online import best_comparator, hinge_mistake_bound
from pla_lib.pla import Run, counted, perceptron
from pla_lib.plots import colour
from pla_lib.validation import two_features
from pla_lib.widgets.base import BaseWidget, script, stylesheet
from pla_lib.widgets.run_record import record_of


class StreamExplorer(BaseWidget):
    """See `stream_explorer`. `step` is the number of rounds seen, `w` the reader's comparator w*: set them, or read."""

    _esm = script("stream_explorer.js")
    _css = stylesheet("stream_explorer.css")
    height = List(["160cqw + 34.1rem", "40cqw + 19.65rem"]).tag(sync=True)
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

    def picture(self) -> Figure:
        run, X = self.run, self.run.X.astype(float)
        figure = Figure(figsize=(6.4, 3.2), layout="constrained")
        plane, chart = figure.subplots(1, 2)
        reach = 1.1 * np.abs(X).max() or 1.0
        for label, marker, name in ((+1, "o", "positive"), (-1, "s", "negative")):
            plane.plot(*X[run.y == label].T, marker, color=colour(name), markersize=4)
        plane.plot(*X[run.mistakes].T, "x", color=colour("ink"), markersize=8)
        w = run.theta.astype(float)
        if w.any():
            along = 3 * reach * np.array([[w[1], -w[0]], [-w[1], w[0]]]) / np.linalg.norm(w)
            plane.plot(*along.T, color=colour("ink"))
        plane.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
        rounds = np.arange(len(run.y) + 1)
        made = np.searchsorted(run.times, rounds)
        chart.step(rounds, made, where="post", color=colour("ink"), label="mistakes")
        chart.plot(rounds, self.bounds(self.best), color=colour("faint"), label="bound of the best $w^*$")
        chart.set(xlabel="round", xlim=(0, len(run.y)), ylim=(0, None))
        chart.legend(frameon=False, loc="upper left")
        for ax in (plane, chart):
            ax.locator_params(nbins=5, integer=ax is chart)
            ax.spines[["top", "right"]].set_visible(False)
        return figure

    def bounds(self, w) -> np.ndarray:
        """The all-rounds bound of w after 0, 1, ..., n rounds: sums and largest norms of the examples so far."""
        X = self.run.X.astype(float)
        losses = np.maximum(0, 1 - self.run.y * (X @ w)).cumsum()
        s_squared = (w @ w) * np.maximum.accumulate((X**2).sum(axis=1))
        return np.insert(losses + s_squared + np.sqrt(losses * s_squared), 0, 0)

    def sentence(self) -> str:
        run, w = self.run, np.array(self.w)
        made = f"{counted(len(run.mistakes), 'mistake')} in {counted(len(run.y), 'round')}"
        yours, best = (f"{hinge_mistake_bound(run, comparator):.3g}" for comparator in (w, self.best))
        named = f"({w[0]:.2g}, {w[1]:.2g})".replace("-", "−")
        return (
            f"A stream of points, which {'a' if self.line else 'no'} line through the origin separates by class, seen "
            f"one at a time: the perceptron makes {made}. "
            f"The comparator w* = {named} promises at most {yours} mistakes, the best one at most {best}."
        )


def stream_explorer(X, y) -> StreamExplorer:
    """Watch a stream round by round: the mistakes so far under the bound of your own w*, and of the best one.

        mistakes <= H + ||w*|| L sqrt(H) + ||w*||^2 L^2,  H = sum_t max(0, 1 - y_t w*'x_t),  L = max_t ||x_t||

    over the rounds so far. The perceptron has no offset and meets the rows of X once, in order; `best_comparator` is
    for the whole stream. X has shape (n, 2). (Chapter 08.)

    Examples
    --------
    >>> from pla_lib import semicircles
    >>> stream_explorer(*semicircles(12, gap=60)).sentence()
    'A stream of points, which a line through the origin separates by class, seen one at a time: the perceptron ...'
    """
    X, y = Dataset(X, y)
    two_features(X, "stream_explorer")
    return StreamExplorer(perceptron(X, y, bias=False, max_epochs=1))
