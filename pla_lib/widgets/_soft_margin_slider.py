"""The soft margin slider: line, margins and slacks for every C along a path. (Chapter 06.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from traitlets import Dict, Int, validate

from pla_lib.datasets import Dataset
from pla_lib.margins import Margin, soft_margin_path
from pla_lib.plots.soft_margin import LEAST_SLACK, plot_slack
from pla_lib.validation import real_array, two_features
from pla_lib.widgets.base import BaseWidget, new_figure, script, stylesheet
from pla_lib.wording import counted, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class SoftMarginSlider(BaseWidget):
    """See `soft_margin_slider`. `index` is the slider's place in `Cs`; `path` holds the answer for each of them."""

    _esm = script("soft_margin_slider.js")
    _css = stylesheet("soft_margin_slider.css")
    record = Dict().tag(sync=True)
    index = Int(0, min=0).tag(sync=True)

    def __init__(self, data: Dataset, Cs: list[float], path: list[Margin]):
        self.X, self.y, self.Cs, self.path = data.X.astype(float), data.y, Cs, path
        super().__init__(
            index=len(Cs) // 2,
            record={
                "X": self.X.tolist(),
                "y": self.y.tolist(),
                "Cs": Cs,
                "thetas": [answer.theta.tolist() for answer in path],
                "supports": [answer.support.tolist() for answer in path],
                "least": LEAST_SLACK,
            },
        )

    @validate("index")
    def _in_range(self, proposal) -> int:
        if proposal["value"] >= len(self.Cs):
            raise ValueError(f"index must be below {len(self.Cs)}, the number of Cs; it was given {proposal['value']}")
        return proposal["value"]

    @property
    def C(self) -> float:  # noqa: N802 - as the notes write it
        """What slack costs at the slider's place."""
        return self.Cs[self.index]

    def picture(self) -> Figure:
        figure = new_figure(6.4, 4.8)
        plot_slack(self.X, self.y, self.path[self.index], ax=figure.subplots())
        return figure

    def sentence(self) -> str:
        answer = self.path[self.index]
        has = f"{counted(len(self.y), 'point')} and the soft margin for C = {number(self.C)}"
        slacks = answer.slack[answer.slack > LEAST_SLACK]
        if not answer.w.any():
            return f"{has}: w = 0, so there is no line, and the total slack is {number(slacks.sum())}."
        line = f"{has}: the margin is {number(answer.margin)}"
        line += f", held by {counted(len(answer.support), 'support vector')} (ringed)"
        if not len(slacks):
            return f"{line}. No point needs slack."
        on_margin, wrong = len(answer.support) - len(slacks), (slacks > 1 + LEAST_SLACK).sum()
        held = f"{on_margin} on the margin and {len(slacks)} with slack ({wrong} wrong)"
        return f"{line}: {held}. The total slack is {number(slacks.sum())}."


def soft_margin_slider(X, y, Cs=None) -> SoftMarginSlider:
    r"""Slide C, what slack costs, from tiny to huge: line, margins, slacks and support vectors follow.

    For each C it shows what minimises :math:`\frac12 \lVert w \rVert^2 + \frac{C}{N} \sum_i \xi_i`, as `soft_margin`
    finds it. Chapter 06.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        Examples with two features, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    Cs : array_like, optional
        Increasing values of C; if not given, 61 from 0.01 to 10 000, ten to a decade.

    Returns
    -------
    SoftMarginSlider
        The widget.

    Examples
    --------
    >>> from pla_lib import blobs, label_noise
    >>> widget = soft_margin_slider(*label_noise(blobs(40), 0.1))
    >>> widget.C, widget.sentence()
    (10.0, '40 points and the soft margin for C = 10: the margin is ..., held by ... The total slack is ...')
    """
    data = Dataset(X, y)
    two_features(data.X, "soft_margin_slider")
    # Three digits that count, as they are shown: 1, 1.26, 1.58, 2, ...
    Cs = [float(f"{C:.3g}") for C in np.logspace(-2, 4, 61)] if Cs is None else _increasing(Cs)
    return SoftMarginSlider(data, Cs, soft_margin_path(*data, Cs))


def _increasing(Cs) -> list[float]:
    values = real_array(Cs, "Cs")
    if values.ndim != 1 or len(values) < 2 or not (np.diff(values) > 0).all() or not values[0] > 0:
        raise ValueError(f"Cs must be two or more positive numbers, each larger than the last; it was given {Cs!r}")
    return values.astype(float).tolist()
