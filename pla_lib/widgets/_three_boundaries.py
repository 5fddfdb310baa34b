"""Last, averaged, voted: three boundaries of one run, with their test errors. (Chapter 09.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from traitlets import Dict, Enum, Int, List

from pla_lib.datasets import Dataset
from pla_lib.pla import Run, inputs_for
from pla_lib.plots import plot_vote
from pla_lib.validation import instance, two_features
from pla_lib.voting import averaged, voted
from pla_lib.widgets.base import BaseWidget, new_figure, script, stylesheet
from pla_lib.widgets.run_record import record_of
from pla_lib.wording import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20_000  # visits: more make a browser slow


class ThreeBoundaries(BaseWidget):
    """See `three_boundaries`. `step` is the number of visits made, `layers` names what is drawn.

    `judge`, which is "last", "averaged" or "voted", is the classifier that tint and crosses follow.
    """

    _esm = script("three_boundaries.js")
    _css = stylesheet("three_boundaries.css")
    record = Dict().tag(sync=True)
    step = Int(0, min=0).tag(sync=True)
    layers = List(["last", "averaged", "voted"]).tag(sync=True)
    judge = Enum(("last", "averaged", "voted"), "last").tag(sync=True)

    def __init__(self, run: Run, test: Dataset):
        self.run, self.test = run, test
        held_out = {"X": test.X.astype(float).tolist(), "y": test.y.tolist()}
        super().__init__(record=record_of(run) | {"test": held_out})

    def errors(self) -> dict[str, int]:
        """How many test points the last, the averaged and the voted classifier of the whole run get wrong."""
        X, y = self.test
        linear = {"last": self.run.theta, "averaged": averaged(self.run)}
        labels = {name: np.where(inputs_for(theta, X) @ theta > 0, 1, -1) for name, theta in linear.items()}
        labels["voted"] = voted(self.run, X)
        return {name: int((said != y).sum()) for name, said in labels.items()}

    def picture(self) -> Figure:
        figure = new_figure(6.4, 4.8)
        wrong = {name: f"{name}: {count} of {len(self.test.y)} wrong" for name, count in self.errors().items()}
        plot_vote(self.run, ax=figure.subplots(), names=wrong)
        return figure

    def sentence(self) -> str:
        run, wrong = self.run, self.errors()
        return (
            f"A perceptron run on {len(run.y)} points of two classes: {counted(len(run.mistakes), 'mistake')} in "
            f"{counted(run.epochs, 'epoch')}. Of {counted(len(self.test.y), 'test point')}, the last weights get "
            f"{wrong['last']} wrong, the averaged weights {wrong['averaged']} and the vote {wrong['voted']}."
        )


def three_boundaries(run: Run, test) -> ThreeBoundaries:
    r"""Step through a run and see three classifiers that it gives after each visit, with their errors on test data.

    Chapter 09.

    Parameters
    ----------
    run : Run
        A run on examples with two features, as `perceptron` returns it.
    test : Dataset
        Held-out examples of the same kind, or another pair of X, shape (m, 2), and y, shape (m,).

    Returns
    -------
    ThreeBoundaries
        The widget.

    Notes
    -----
    The last weights :math:`\theta_k`; the mean of the thetas in use; and the vote
    :math:`\operatorname{sgn}(\sum_k c_k \operatorname{sgn}(\theta_k^\top x))`, as `averaged` and `voted` define them,
    for the run as far as it has got. The :math:`c_k` are the survival times, and :math:`\operatorname{sgn}(0) = -1`.

    Examples
    --------
    >>> from pla_lib import blobs, label_noise, perceptron
    >>> run = perceptron(*label_noise(blobs(40), 0.1), max_epochs=5)
    >>> three_boundaries(run, blobs(100, seed=1)).sentence()
    'A perceptron run on 40 points of two classes: ... in 5 epochs. Of 100 test points, the last weights get ...'
    """
    instance(run, Run, "three_boundaries takes a Run, as perceptron(X, y) gives")
    two_features(run.X, "three_boundaries")
    visits = int(run.survival.sum())
    if visits > MOST:
        raise ValueError(f"three_boundaries draws at most {MOST} visits; this run has {visits}: lower its max_epochs")
    try:
        X, y = test
    except (TypeError, ValueError):
        raise ValueError(f"test must be held-out data, a pair (X, y); it was given a {type(test).__name__}") from None
    test = Dataset(X, y)
    if test.X.shape[1] != 2:
        raise ValueError(f"the test examples must have two features, as the run's have; these have {test.X.shape[1]}")
    return ThreeBoundaries(run, test)
