"""Steppers and explorers: in JupyterLab, on a published page with no kernel, or as a picture with a sentence."""

from pla_lib.widgets._feature_lift import feature_lift
from pla_lib.widgets._hyperplane_explorer import hyperplane_explorer
from pla_lib.widgets._loss_landscape import loss_landscape
from pla_lib.widgets._margin_explorer import margin_explorer
from pla_lib.widgets._playground import playground
from pla_lib.widgets._proof_ledger import proof_ledger
from pla_lib.widgets._quiz import quiz
from pla_lib.widgets._soft_margin_slider import soft_margin_slider
from pla_lib.widgets._stepper import stepper
from pla_lib.widgets._stream_explorer import stream_explorer
from pla_lib.widgets._three_boundaries import three_boundaries

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
