"""A run as a plain dictionary, for a widget's script: how it was started and the list of its mistakes.

theta_k = theta_0 + eta * (sum of the first k signed examples), so this is all that a script needs to show every step.
`js/run_record.js` reads it. With n examples, d features and m mistakes:

=========== ======================== ===============================================================================
key         type                     meaning
=========== ======================== ===============================================================================
`X`         n lists of d floats      the examples
`y`         n integers, -1 or +1     their classes
`theta0`    d or d + 1 floats        the weights at the start; with d + 1, the offset comes first
`eta`       float                    the learning rate
`tie`       string                   what a score of zero counts as: one of the names in `pla_lib.pla.TIES`
`order`     integers below n         the example at each visit; a fixed order is given once and repeats every epoch
`mistakes`  m integers below n       the example of each mistake
`times`     m integers, increasing   the visit at which each mistake happened, counted from 0
`visits`    integer                  how many visits the run made
`epochs`    integer                  how many passes over the examples these were
`converged` boolean                  whether every example counts as right at the end, under the run's tie rule
=========== ======================== ===============================================================================
"""

from pla_lib.pla import Run


def record_of(run: Run) -> dict:
    """The record of a run, as the scripts read it."""
    return {
        "X": run.X.astype(float).tolist(),
        "y": run.y.tolist(),
        "theta0": run.theta0.astype(float).tolist(),
        "eta": float(run.eta),
        "tie": run.tie,
        "order": (run.visits if run.order is None else run.order).tolist(),
        "mistakes": run.mistakes.tolist(),
        "times": run.times.tolist(),
        "visits": int(run.survival.sum()),
        "epochs": run.epochs,
        "converged": run.converged,
    }
