"""The proof of the convergence theorem as a run goes: floor, progress, norm, ceiling. (Chapter 04.)"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

import numpy as np
from traitlets import Bool, Dict, Int

from pla_lib.convergence import ledger
from pla_lib.pla import Run
from pla_lib.plots import plot_ledger
from pla_lib.validation import instance, two_features
from pla_lib.widgets.base import BaseWidget, new_figure, script, stylesheet
from pla_lib.widgets.run_record import record_of
from pla_lib.wording import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ProofLedger(BaseWidget):
    """See `proof_ledger`. `step` is the number of updates made; `whole` says whether the chart reaches to the bound.

    The step after the last update shows the bound: there the chart reaches as far anyway.
    """

    _esm = script("proof_ledger.js")
    _css = stylesheet("proof_ledger.css")
    record = Dict().tag(sync=True)
    step = Int(0, min=0).tag(sync=True)
    whole = Bool(False).tag(sync=True)

    def __init__(self, run: Run, theta):
        self.run, self.ledger = run, ledger(run, theta)
        bound = self.ledger.bound
        # The theorem in whole updates; a value a rounding error below a whole number means that number.
        self.allowed = max(0, floor(bound.value * (1 + 1e-9)))
        squares = ("value", "radius2", "functional", "theta2", "start", "start2")
        known = {name: float(getattr(bound, name)) for name in squares} | {"allowed": self.allowed}
        super().__init__(
            record=record_of(run) | {"theta": np.asarray(theta, float).tolist(), "bound": known},
            whole=bool(bound.value <= 4 * len(run.mistakes)),
        )

    def picture(self) -> Figure:
        figure = new_figure(6.4, 4.2)
        plot_ledger(self.ledger, figure.subplots(), whole=self.whole)
        return figure

    def sentence(self) -> str:
        made, room = counted(len(self.run.mistakes), "mistake"), counted(self.allowed, "mistake")
        return (
            f"The convergence proof on a run with {made}: progress is never below its floor, the norm never above its "
            f"ceiling, and progress never above the norm. Floor and ceiling leave room for at most {room} (the bound)."
        )


def proof_ledger(run: Run, theta) -> ProofLedger:
    r"""Step through the proof of the convergence theorem, one update at a time.

    The floor is a straight line in m and the ceiling a root: they meet at the bound, and no run gets past it. Chapter
    04, Bloch's (10) to (15).

    Parameters
    ----------
    run : Run
        A run on examples with two features, as `perceptron` returns it.
    theta : array_like
        A separator of the run's length, 2 or 3.

    Returns
    -------
    ProofLedger
        The widget.

    Notes
    -----
    Floor, progress, norm and ceiling, after m updates from :math:`\theta_0 = 0` with learning rate 1:

    .. math::
       \frac{m\,\rho}{\lVert\theta\rVert} \le \frac{\theta_m^\top\theta}{\lVert\theta\rVert} \le \lVert\theta_m\rVert
       \le \tau\sqrt{m}.

    `ledger` also has these quantities for other starts and rates.

    Examples
    --------
    >>> from pla_lib import perceptron, with_margin
    >>> data = with_margin(20, margin=0.3)
    >>> proof_ledger(perceptron(*data, bias=False), data.theta).sentence()
    'The convergence proof on a run with ... Floor and ceiling leave room for at most 11 mistakes (the bound).'
    """
    instance(run, Run, "proof_ledger takes a Run, as perceptron(X, y) gives")
    two_features(run.X, "proof_ledger")
    return ProofLedger(run, theta)
