"""Figures, one module a chapter. Every figure can be imported from here; what they share is in `style`."""

from pla_lib.plots.convergence import plot_distances, plot_ledger, plot_mistakes, plot_orders
from pla_lib.plots.features import plot_boundary, plot_digits, plot_errors, plot_feature_plane, plot_gram
from pla_lib.plots.geometry import plot_affine, plot_cone, plot_foot, plot_hyperplane, plot_lift, plot_shadows
from pla_lib.plots.gradient import plot_losses, plot_subgradients, plot_unit_scores
from pla_lib.plots.limits import (
    plot_approximations,
    plot_certificates,
    plot_classes,
    plot_hidden,
    plot_network,
    plot_norms,
    plot_programs,
)
from pla_lib.plots.margins import plot_directions, plot_feasible, plot_hulls, plot_lines, plot_margins, plot_shares
from pla_lib.plots.online import plot_comparators, plot_frontier, plot_promises, plot_quadratic
from pla_lib.plots.pla import plot_neuron, plot_run, plot_separators, plot_update
from pla_lib.plots.soft_margin import plot_box, plot_over_C, plot_slack, plot_soft_margins
from pla_lib.plots.style import COLOURS, colour, plot_points
from pla_lib.plots.voting import plot_by_epoch, plot_lifetimes, plot_rocchio, plot_vote

__all__ = [
    "COLOURS",
    "colour",
    "plot_affine",
    "plot_approximations",
    "plot_boundary",
    "plot_box",
    "plot_by_epoch",
    "plot_certificates",
    "plot_classes",
    "plot_comparators",
    "plot_cone",
    "plot_digits",
    "plot_directions",
    "plot_distances",
    "plot_errors",
    "plot_feasible",
    "plot_feature_plane",
    "plot_foot",
    "plot_frontier",
    "plot_gram",
    "plot_hidden",
    "plot_hulls",
    "plot_hyperplane",
    "plot_ledger",
    "plot_lifetimes",
    "plot_lift",
    "plot_lines",
    "plot_losses",
    "plot_margins",
    "plot_mistakes",
    "plot_network",
    "plot_neuron",
    "plot_norms",
    "plot_orders",
    "plot_over_C",
    "plot_points",
    "plot_programs",
    "plot_promises",
    "plot_quadratic",
    "plot_rocchio",
    "plot_run",
    "plot_separators",
    "plot_shadows",
    "plot_shares",
    "plot_slack",
    "plot_soft_margins",
    "plot_subgradients",
    "plot_unit_scores",
    "plot_update",
    "plot_vote",
]
