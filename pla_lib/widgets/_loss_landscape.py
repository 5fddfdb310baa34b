"""The loss landscape: a loss over the weights, and the path of a perceptron run across it. (Chapter 03.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from traitlets import Dict, Enum, Int

from pla_lib.gradient import KINK, hinge_loss, perceptron_loss, zero_one_loss
from pla_lib.pla import TIES, Run
from pla_lib.plots.style import colour, show_plane
from pla_lib.validation import instance, option, two_features
from pla_lib.widgets.base import BaseWidget, new_figure, script, stylesheet
from pla_lib.widgets.run_record import record_of
from pla_lib.wording import counted, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOSSES = {"counting": zero_one_loss, "perceptron": perceptron_loss, "hinge": hinge_loss}


class LossLandscape(BaseWidget):
    """See `loss_landscape`. `step` is the number of updates made, `loss` the loss drawn: set them, or read them."""

    _esm = script("loss_landscape.js")
    _css = stylesheet("loss_landscape.css")
    record = Dict().tag(sync=True)
    step = Int(0, min=0).tag(sync=True)
    loss = Enum(list(LOSSES), default_value="perceptron").tag(sync=True)

    def __init__(self, run: Run, loss: str):
        self.run = run
        ties = list(TIES[run.tie])  # the classes for which a zero score counts as a mistake
        super().__init__(loss=loss, record=record_of(run) | {"ties": ties})

    def value(self, w) -> float:
        """The loss at w, summed over the run's points."""
        options = {"tie": self.run.tie} if self.loss == "counting" else {}
        return float(LOSSES[self.loss](w, self.run.X.astype(float), self.run.y, **options))

    def picture(self) -> Figure:
        figure = new_figure(6.4, 4.8)
        ax = figure.subplots()
        ws = self.run.thetas.astype(float)
        reach = 1.25 * (abs(ws).max() or 1)
        across, up = np.meshgrid(reach * np.linspace(-4 / 3, 4 / 3, 61), reach * np.linspace(-1, 1, 46))
        height = np.array([self.value(w) for w in np.c_[across.ravel(), up.ravel()]]).reshape(across.shape)
        # From paper to ink, as the widget shades it: the higher, the darker.
        shades = {"colors": [colour("ink")], "alpha": 0.08}
        for level in np.linspace(0, height.max() or 1, 10)[1:-1]:
            ax.contourf(across, up, height, levels=[level, np.inf], **shades)
        # The loss is zero where even the least signed score reaches the kink.
        least = (self.run.y * (np.c_[across.ravel(), up.ravel()] @ self.run.X.astype(float).T)).min(axis=1)
        if least.min() < KINK.get(self.loss, 0) < least.max():
            edge = {"levels": [KINK.get(self.loss, 0)], "colors": [colour("ink")], "linewidths": 1.2}
            ax.contour(across, up, least.reshape(across.shape), **edge)
        ax.plot(*ws.T, "o-", color=colour("ink"), markersize=4, linewidth=1.2, alpha=0.6)
        ax.plot(*ws[-1], "o", color=colour("ink"), markersize=9, markeredgecolor=colour("paper"))
        show_plane(ax, (across.min(), up.min()), (across.max(), up.max()), "w")
        return figure

    def sentence(self) -> str:
        run = self.run
        values = np.array([self.value(theta) for theta in run.thetas.astype(float)])
        # From zero weights, where no point has a side, the run is followed from its first update on.
        from_zero = len(values) > 1 and not run.thetas[0].any()
        values, since = (values[1:], "after the first ") if from_zero and len(values) > 2 else (values, "")
        steps, last = np.diff(values), number(values[-1])
        ways = [(int((steps > 0).sum()), "rises"), (int((steps < 0).sum()), "falls")]
        told = [f"{how} {counted(often, 'time')}" for often, how in ways if often]
        way = (
            f"{since}the loss {', '.join(told)} and ends at {last}" if told else f"{since}the loss is {last} all along"
        )
        return (
            f"The {self.loss} loss, summed over {counted(len(run.y), 'point')}, drawn over the weights (w1, w2), "
            f"with the path of a perceptron run of {counted(len(run.mistakes), 'update')}: {way}."
        )


def loss_landscape(run: Run, loss: str = "perceptron") -> LossLandscape:
    """Step through a run across the landscape of a loss over (w1, w2), and see what each update changes.

    The losses are sums over the examples, as in `zero_one_loss` ("counting", with the run's tie rule),
    `perceptron_loss` and `hinge_loss`. Beside the landscape are its section along the update and the data. Chapter 03.

    Parameters
    ----------
    run : Run
        A run without offset on examples with two features.
    loss : {"counting", "perceptron", "hinge"}, default "perceptron"
        Which loss.

    Returns
    -------
    LossLandscape
        The widget.

    Examples
    --------
    >>> from pla_lib import perceptron, with_margin
    >>> run = perceptron(*with_margin(12, 2, seed=4), bias=False)
    >>> loss_landscape(run, "hinge").sentence()
    'The hinge loss, summed over 12 points, drawn over the weights (w1, w2), with the path of a perceptron run of ...'
    """
    instance(run, Run, "loss_landscape takes a Run, as perceptron(X, y, bias=False) gives")
    two_features(run.X, "loss_landscape")
    if len(run.theta0) != 2:
        raise ValueError("loss_landscape draws two weights; this run has an offset too: make it with bias=False")
    return LossLandscape(run, option(loss, "loss", LOSSES))
