"""The stepper: one visit of a perceptron run at a time. (Chapter 02.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from traitlets import Dict, Int

from pla_lib.pla import Run
from pla_lib.plots import plot_run
from pla_lib.validation import instance, two_features
from pla_lib.widgets.base import BaseWidget, new_figure, script
from pla_lib.widgets.run_record import record_of
from pla_lib.wording import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Stepper(BaseWidget):
    """See `stepper`. `step` is the number of visits made: set it to move the picture, read it to see the reader's."""

    _esm = script("stepper.js")
    record = Dict().tag(sync=True)
    step = Int(0, min=0).tag(sync=True)

    def __init__(self, run: Run):
        self.run = run
        super().__init__(record=record_of(run))

    def picture(self) -> Figure:
        figure = new_figure(6.4, 4.8)
        plot_run(self.run, figure.subplots())
        return figure

    def sentence(self) -> str:
        run = self.run
        made = f"{counted(len(run.mistakes), 'mistake')} in {counted(run.epochs, 'epoch')}"
        if not run.theta[-2:].any():
            end = "There is no line."
        elif run.hyperplane.separates(run.X, run.y):
            end = "Each mistake moved the line, and the final line separates the classes."
        else:
            end = "Each mistake moved the line, and the final line does not separate the classes."
        return f"A perceptron run on {len(run.y)} points of two classes: {made}. {end}"


def stepper(run: Run) -> Stepper:
    """Step through a run: the example just tried, right or wrong, the line before and after, and each step in words.

    Beside it is weight space if there is no offset, and otherwise the log of mistakes. Chapter 02.

    Parameters
    ----------
    run : Run
        A run on examples with two features, as `perceptron` returns it.

    Returns
    -------
    Stepper
        The widget.

    Examples
    --------
    >>> from pla_lib import blobs, perceptron
    >>> stepper(perceptron(*blobs(6))).sentence()
    'A perceptron run on 6 points of two classes: 11 mistakes in 5 epochs. Each mistake moved the line, ...'
    """
    instance(run, Run, "stepper takes a Run, as perceptron(X, y) gives")
    two_features(run.X, "stepper")
    return Stepper(run)
