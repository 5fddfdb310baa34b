"""Steppers and explorers: in JupyterLab, on a published page with no kernel, or as a picture with a sentence."""

from pla_lib.widgets.playing import playground
from pla_lib.widgets.stepping import stepper

__all__ = ["playground", "stepper"]
