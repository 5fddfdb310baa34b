"""The perceptron and what follows from it, one chapter of the book to a module.

Every public name can be imported from here. A module is loaded when one of its names is first used,
so `import pla_lib` stays fast and needs matplotlib only once something is drawn.
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
    "plots": ["plot_points", "plot_run"],
    "plots.convergence": ["plot_distances", "plot_ledger", "plot_mistakes", "plot_orders"],
    "plots.features": ["plot_boundary", "plot_digits", "plot_errors", "plot_feature_plane", "plot_gram"],
    "plots.geometry": ["plot_affine", "plot_cone", "plot_foot", "plot_hyperplane", "plot_lift", "plot_shadows"],
    "plots.gradient": ["plot_losses", "plot_subgradients", "plot_unit_scores"],
    "plots.limits": [
        "plot_approximations",
        "plot_certificates",
        "plot_classes",
        "plot_hidden",
        "plot_network",
        "plot_norms",
        "plot_programs",
    ],
    "plots.margins": [
        "plot_directions",
        "plot_feasible",
        "plot_hulls",
        "plot_lines",
        "plot_margins",
        "plot_shares",
    ],
    "plots.online": ["plot_comparators", "plot_frontier", "plot_promises", "plot_quadratic"],
    "plots.pla": ["plot_neuron", "plot_separators", "plot_update"],
    "plots.soft_margin": ["plot_box", "plot_over_C", "plot_slack", "plot_soft_margins"],
    "plots.voting": ["plot_by_epoch", "plot_lifetimes", "plot_rocchio", "plot_vote"],
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
    if name not in _MODULE_OF:
        raise AttributeError(f"pla_lib has no {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"pla_lib.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
