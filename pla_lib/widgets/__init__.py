"""Steppers and explorers: in JupyterLab, on a published page with no kernel, or as a picture with a sentence."""

from pla_lib.widgets.asking import quiz
from pla_lib.widgets.deciding import three_boundaries
from pla_lib.widgets.descending import loss_landscape
from pla_lib.widgets.lifting import feature_lift
from pla_lib.widgets.playing import playground
from pla_lib.widgets.proving import proof_ledger
from pla_lib.widgets.softening import soft_margin_slider
from pla_lib.widgets.stepping import stepper
from pla_lib.widgets.streaming import stream_explorer
from pla_lib.widgets.turning import hyperplane_explorer
from pla_lib.widgets.widening import margin_explorer

__all__ = [
    "feature_lift",
    "hyperplane_explorer",
    "loss_landscape",
    "margin_explorer",
    "playground",
    "proof_ledger",
    "quiz",
    "soft_margin_slider",
    "stepper",
    "stream_explorer",
    "three_boundaries",
]
