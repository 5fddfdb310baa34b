"""The perceptron and what follows from it, one chapter of the book to a module.

Every public name but the figures can be imported from here; figures are imported from `pla_lib.plots`. A module is
loaded when one of its names is first used, so `import pla_lib` stays fast. Editors and type checkers, which run no
code, read the same names in `__init__.pyi`.
"""

from importlib import import_module

_HOME = {
    "checks": ["check", "expect"],
    "convergence": ["Bound", "Ledger", "ledger", "mistake_bound"],
    "datasets": [
        "Dataset",
        "blobs",
        "digits",
        "disc_in_ring",
        "ill_scaled",
        "iris",
        "label_noise",
        "own_seed",
        "semicircles",
        "two_classes",
        "with_margin",
        "worst_case",
        "xor",
    ],
    "features": [
        "fourier_features",
        "gaussian_kernel",
        "kernel_perceptron",
        "linear_kernel",
        "polynomial",
        "polynomial_kernel",
        "quadratic",
        "with_constant",
    ],
    "geometry": ["Hyperplane"],
    "gradient": ["hinge_loss", "is_subgradient", "perceptron_loss", "sgd", "subdifferential", "zero_one_loss"],
    "limits": ["Inseparable", "Separable", "multiclass_perceptron", "separability", "xor_network"],
    "margins": ["Margin", "NotSeparable", "max_margin", "soft_margin", "soft_margin_path"],
    "online": ["best_comparator", "hinge_mistake_bound", "online_perceptron"],
    "pla": ["Run", "perceptron"],
    "voting": ["averaged", "pocket", "rocchio", "voted"],
    "widgets": [
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
    ],
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str):
    if name.startswith("plot_"):
        raise AttributeError(f"pla_lib has no {name!r}; figures are in pla_lib.plots: from pla_lib.plots import {name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"pla_lib has no {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"pla_lib.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
