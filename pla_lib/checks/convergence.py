"""The exercises of chapter 04."""

from fractions import Fraction

import numpy as np

from pla_lib.checks import exercise, trial
from pla_lib.convergence import mistake_bound
from pla_lib.datasets import Dataset, with_margin
from pla_lib.pla import perceptron
from pla_lib.wording import counted


@exercise("04.1")
def by_hand(rng: np.random.Generator):
    """rho, tau^2 and the bound for x = 1 (+1) and x = 0 (-1) with theta~ = (-1/2, 1)."""
    yield trial(want=_wrong_by_hand)


def _wrong_by_hand(answer) -> str | None:
    try:
        rho, tau2, bound = (float(number) for number in answer)
    except (TypeError, ValueError):
        return "The answer must be three numbers: rho, tau squared, the bound."
    if not np.isclose(rho, 0.5):
        return "rho is the least signed score under θ̃; here both examples have the same one. Do not forget the offset."
    if not np.isclose(tau2, 2):
        return "tau squared is the squared length of the longest example, including the 1 in front of it."
    if np.isclose(bound, 8):
        return "rho and tau squared are right, but the bound is not. Does your squared norm of θ̃ include the offset?"
    if not np.isclose(bound, 10):
        return "rho and tau squared are right, but the bound is not. Which numbers are squared, and which one divides?"
    return None


@exercise("04.2")
def bound(rng: np.random.Generator):
    """bound(X, y, theta): ||theta||^2 tau^2 / rho^2 with augmented examples; infinity if theta does not separate."""
    X, y = np.array([[1.0], [0.0]]), np.array([1, -1])
    yield trial(want=10.0, X=X, y=y, theta=np.array([-0.5, 1]))
    yield trial(want=10.0, X=X, y=y, theta=np.array([-2.0, 4]))
    yield trial(want=np.inf, X=X, y=y, theta=np.array([0.0, 1]))  # an example on the hyperplane
    yield trial(want=np.inf, X=X, y=y, theta=np.array([0.5, -1]))  # every example on the wrong side
    for _ in range(15):
        X, theta = rng.normal(size=(6, 2)).round(2), rng.normal(size=3).round(2)
        y = np.where(theta[0] + X @ theta[1:] > 0, 1, -1)
        if (np.abs(theta[0] + X @ theta[1:]) > 1e-6).all():
            yield trial(want=float(mistake_bound(X, y, theta).value), X=X, y=y, theta=theta)


@exercise("04.4")
def reached_without_orthogonality(rng: np.random.Generator):
    """(X, y) on which the cyclic run without offset reaches the bound; two of its mistakes are not orthogonal."""
    yield trial(want=_wrong_counterexample)


def _wrong_counterexample(answer) -> str | None:
    try:
        X, y = answer
        X, y = Dataset([[Fraction(float(entry)) for entry in row] for row in X], y)
    except (TypeError, ValueError, OverflowError) as error:
        return f"The answer must be a pair X, y of examples and labels: {error}."
    if len(y) > 50 or X.shape[1] > 50:
        return "Use at most 50 examples with at most 50 features: four examples are enough."
    run = perceptron(X, y, bias=False, max_epochs=200)
    if not run.converged:
        return "The run does not converge within 200 epochs. Can the examples be separated without offset?"
    made, bound = len(run.mistakes), mistake_bound(X, y, run.theta).value
    if made != bound:
        loose = [name for name, fails in _loose(run).items() if fails]
        said = f"The run makes {counted(made, 'mistake')} and the bound is {float(bound):.6g}."
        return " ".join([said, *loose])
    wrong = X[np.unique(run.mistakes)]
    dots = (wrong @ wrong.T)[np.triu_indices(len(wrong), 1)]
    if (dots != 0).any():
        return None
    return "The run reaches the bound, but the examples of its mistakes are all orthogonal to each other."


def _loose(run) -> dict[str, bool]:
    """Which inequalities of the proof are strict on this run, compared with its own last weights."""
    z = run.y[run.mistakes][:, None] * run.X[run.mistakes]
    before, after = (run.thetas[:-1] * z).sum(axis=1), z @ run.theta
    least = (run.y * (run.X @ run.theta)).min()
    return {
        "Some mistake was not a tie.": bool((before != 0).any()),
        "Some mistake was on an example shorter than the longest one.": bool(
            ((z * z).sum(axis=1) != (run.X * run.X).sum(axis=1).max()).any()
        ),
        "Under the last weights, the examples of the mistakes do not all have the least signed score.": bool(
            (after != least).any()
        ),
    }


@exercise("04.6")
def start_bound(rng: np.random.Generator):
    """start_bound(X, y, theta, theta0): the larger root of Bloch's (14) as an equation, with rate 1, with offset."""
    X, y, theta = np.array([[1.0], [0.0]]), np.array([1, -1]), np.array([-0.5, 1])
    yield trial(want=10.0, X=X, y=y, theta=theta, theta0=np.zeros(2))
    for start in ([1.0, -2], [0.0, 3], [-1.0, 2]):
        value = mistake_bound(X, y, theta, theta0=start).value
        yield trial(want=value, X=X, y=y, theta=theta, theta0=np.array(start))
    for seed in rng.integers(10**6, size=12).tolist():
        data = with_margin(6, 2, margin=0.3, seed=seed)
        theta, start = np.insert(data.theta, 0, 0), rng.normal(size=3).round(2)
        value = mistake_bound(*data, theta, theta0=start).value
        yield trial(want=value, X=data.X, y=data.y, theta=theta, theta0=start)
