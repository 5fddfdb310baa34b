"""The perceptron and what follows from it, one chapter of the book to a module.

Every public name can be imported from here. A module is loaded when one of its names is first used,
so `import pla_lib` stays fast and needs matplotlib only once something is drawn.
"""

from importlib import import_module

_HOME = {
    "checks": ["check"],
    "convergence": ["Bound", "Ledger", "ledger", "mistake_bound"],
    "datasets": [
        "Dataset",
        "blobs",
        "digits",
        "disc_in_ring",
        "ill_scaled",
        "iris",
        "label_noise",
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
    "plots": ["plot_run"],
    "voting": ["averaged", "pocket", "rocchio", "voted"],
    "widgets": ["playground", "stepper"],
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str):
    if name not in _MODULE_OF:
        raise AttributeError(f"pla_lib has no {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"pla_lib.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
