"""The public names for editors and type checkers, which cannot see through the lazy table of __init__.py.

A test compares the two.
"""

from pla_lib.checks import check, expect
from pla_lib.convergence import Bound, Ledger, ledger, mistake_bound
from pla_lib.datasets import (
    Dataset,
    blobs,
    digits,
    disc_in_ring,
    ill_scaled,
    iris,
    label_noise,
    own_seed,
    semicircles,
    two_classes,
    with_margin,
    worst_case,
    xor,
)
from pla_lib.features import (
    fourier_features,
    gaussian_kernel,
    kernel_perceptron,
    linear_kernel,
    polynomial,
    polynomial_kernel,
    quadratic,
    with_constant,
)
from pla_lib.geometry import Hyperplane
from pla_lib.gradient import hinge_loss, is_subgradient, perceptron_loss, sgd, subdifferential, zero_one_loss
from pla_lib.limits import Inseparable, Separable, multiclass_perceptron, separability, xor_network
from pla_lib.margins import Margin, NotSeparable, max_margin, soft_margin, soft_margin_path
from pla_lib.online import best_comparator, hinge_mistake_bound, online_perceptron
from pla_lib.pla import Run, perceptron
from pla_lib.voting import averaged, pocket, rocchio, voted
from pla_lib.widgets import (
    feature_lift,
    hyperplane_explorer,
    loss_landscape,
    margin_explorer,
    playground,
    proof_ledger,
    quiz,
    soft_margin_slider,
    stepper,
    stream_explorer,
    three_boundaries,
)

__all__ = [
    "Bound",
    "Dataset",
    "Hyperplane",
    "Inseparable",
    "Ledger",
    "Margin",
    "NotSeparable",
    "Run",
    "Separable",
    "averaged",
    "best_comparator",
    "blobs",
    "check",
    "digits",
    "disc_in_ring",
    "expect",
    "feature_lift",
    "fourier_features",
    "gaussian_kernel",
    "hinge_loss",
    "hinge_mistake_bound",
    "hyperplane_explorer",
    "ill_scaled",
    "iris",
    "is_subgradient",
    "kernel_perceptron",
    "label_noise",
    "ledger",
    "linear_kernel",
    "loss_landscape",
    "margin_explorer",
    "max_margin",
    "mistake_bound",
    "multiclass_perceptron",
    "online_perceptron",
    "own_seed",
    "perceptron",
    "perceptron_loss",
    "playground",
    "pocket",
    "polynomial",
    "polynomial_kernel",
    "proof_ledger",
    "quadratic",
    "quiz",
    "rocchio",
    "semicircles",
    "separability",
    "sgd",
    "soft_margin",
    "soft_margin_path",
    "soft_margin_slider",
    "stepper",
    "stream_explorer",
    "subdifferential",
    "three_boundaries",
    "two_classes",
    "voted",
    "with_constant",
    "with_margin",
    "worst_case",
    "xor",
    "xor_network",
    "zero_one_loss",
]
