"""A run's record, from which telling.js tells the run again."""

from pla_lib.pla import Run


def record_of(run: Run) -> dict:
    return {
        "X": run.X.astype(float).tolist(),
        "y": run.y.tolist(),
        "theta0": run.theta0.astype(float).tolist(),
        "eta": float(run.eta),
        # A fixed order is given once, random ones as they were drawn.
        "order": (run.visits if run.order is None else run.order).tolist(),
        "times": run.times.tolist(),
        "visits": int(run.survival.sum()),
        "epochs": run.epochs,
        "converged": run.converged,
    }
