"""pla_lib against its peers, measured in one run: writes book/benchmarks.md and _build/benchmarks.json. (`make bench`)

Every time is the best of several; what counts is the ratio. `make bench` gives BLAS one thread, for all alike: with
more, NumPy's and cvxopt's wait for each other, longest where cores are shared.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version

import numpy as np
from sklearn.linear_model import Perceptron
from sklearn.svm import SVC

from pla_lib import (
    averaged,
    digits,
    gaussian_kernel,
    kernel_perceptron,
    label_noise,
    max_margin,
    perceptron,
    soft_margin,
    voted,
    with_margin,
)
from tests import ROOT


def seconds(work, repeat: int = 5):
    """The best time of several runs, and what the work gave."""
    best, result = float("inf"), None
    for _ in range(repeat):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result


def gaussian_data(n: int, d: int, noise: float):
    """Normal examples, labelled by a hyperplane through the origin, with a share of the labels flipped."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = np.where(X @ rng.normal(size=d) > 0, 1, -1)
    y[rng.random(n) < noise] *= -1
    return X, y


def perceptron_rows() -> list[dict]:
    rows = []
    for n, d, noise in ((100_000, 10, 0.1), (1_000_000, 10, 0), (60_000, 784, 0.02)):
        X, y = gaussian_data(n, d, noise)
        ours, run = seconds(lambda X=X, y=y: perceptron(X, y, bias=False, max_epochs=5))
        peer = Perceptron(shuffle=False, tol=None, fit_intercept=False, max_iter=run.epochs)
        theirs, fitted = seconds(lambda X=X, y=y, peer=peer: peer.fit(X, y))
        np.testing.assert_allclose(run.theta, fitted.coef_[0], rtol=1e-9)
        what = f"`perceptron`, {n:,} x {d}, {noise:.0%} label noise, {run.epochs} epochs"
        rows.append({"what": what, "seconds": ours, "peer": "scikit-learn `Perceptron`", "peer_seconds": theirs})
    return rows


def svc_objective(peer: SVC, X: np.ndarray, y: np.ndarray) -> float:
    slack = np.maximum(0, 1 - y * peer.decision_function(X))
    return 0.5 * float((peer.coef_**2).sum()) + peer.C * slack.sum()


def margin_rows() -> list[dict]:
    X, y = gaussian_data(20_000, 20, 0.1)
    ours, soft = seconds(lambda: soft_margin(X, y, C=len(y)), repeat=3)
    # scikit-learn's C is C/N here; its tolerance is chosen to reach the same objective.
    peer = SVC(kernel="linear", C=1.0, tol=1e-5, cache_size=1000)
    theirs, fitted = seconds(lambda: peer.fit(X, y), repeat=1)
    apart = abs(svc_objective(fitted, X, y) / soft.objective - 1)
    row = {"what": "`soft_margin`, 20,000 x 20, 10% label noise, C = N", "seconds": ours}
    row |= {"peer": f"scikit-learn `SVC`, objective equal to {apart:.0e}", "peer_seconds": theirs}
    X, y = with_margin(20_000, 20, margin=0.05)
    ours, hard = seconds(lambda: max_margin(X, y), repeat=3)
    peer = SVC(kernel="linear", C=1e6, tol=1e-5, cache_size=1000)
    theirs, fitted = seconds(lambda: peer.fit(X, y), repeat=1)
    apart = abs(float((fitted.coef_**2).sum()) / (2 * hard.objective) - 1)
    second = {"what": "`max_margin`, 20,000 x 20, margin 0.05", "seconds": ours}
    second |= {"peer": f"scikit-learn `SVC`, C = 1e6, objective equal to {apart:.0e}", "peer_seconds": theirs}
    return [row, second]


def growth_rows() -> list[dict]:
    rows = []
    for name, solve, data in (
        ("soft_margin", lambda X, y: soft_margin(X, y, C=len(y)), lambda n: gaussian_data(n, 20, 0.1)),
        ("max_margin", max_margin, lambda n: tuple(with_margin(n, 20, margin=0.05))),
    ):
        sizes = [10_000, 30_000, 100_000]
        given = [data(n) for n in sizes]
        times = [seconds(lambda both=both, solve=solve: solve(*both), repeat=3)[0] for both in given]
        exponent = np.polyfit(np.log(sizes), np.log(times), 1)[0]
        what = f"`{name}`, 100,000 x 20; time grows like N^{exponent:.2f} from 10,000 on"
        rows.append({"what": what, "seconds": times[-1]})
    return rows


def other_rows() -> list[dict]:
    X, digit = digits()
    X, y = np.tile(X, (6, 1))[:10_000] / 16, np.where(np.tile(digit, 6)[:10_000] % 2, 1, -1)
    X = X + np.random.default_rng(0).normal(scale=0.05, size=X.shape)
    kernel, run = seconds(lambda: kernel_perceptron(X, y, gaussian_kernel(2.0), max_epochs=3), repeat=1)
    rows = [{"what": f"`kernel_perceptron`, 10,000 x 64, Gaussian, {len(run.mistakes):,} mistakes", "seconds": kernel}]
    run = perceptron(*label_noise(with_margin(5_000, 64), 0.1), max_epochs=3)
    vote, _ = seconds(lambda: voted(run, X), repeat=2)
    mean, _ = seconds(lambda: X @ averaged(run)[1:], repeat=2)
    what = f"`averaged`, 10,000 predictions after {len(run.mistakes):,} mistakes"
    rows.append({"what": what, "seconds": mean, "peer": "`voted`", "peer_seconds": vote})
    small = with_margin(20, 2)
    rows.append({"what": "`perceptron`, 20 points", "seconds": seconds(lambda: perceptron(*small), repeat=200)[0]})
    return rows


def run_python(code: str, **environment: str) -> float:
    """What a fresh interpreter prints."""
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | environment
    )
    return float(output.stdout)


def start_rows() -> list[dict]:
    timed = "import time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"
    numpy, library = (
        min(run_python(timed.format(f"import {name}")) for _ in range(5)) for name in ("numpy", "pla_lib")
    )
    rows = [{"what": "`import pla_lib`", "seconds": library, "peer": "`import numpy`", "peer_seconds": numpy}]
    first_use = "from pla_lib import perceptron, with_margin; data = with_margin(2000, 20)\n"
    first_use += timed.format("perceptron(*data)")
    with tempfile.TemporaryDirectory() as cache:
        for when in ("compiled for the first time on a machine", "compiled loop read from its cache"):
            spent = run_python(first_use, NUMBA_CACHE_DIR=cache)
            rows.append({"what": f"first large `perceptron` of a process, {when}", "seconds": spent})
    return rows


def memory() -> str:
    run = perceptron(*gaussian_data(1_000_000, 10, 0.1), bias=False, max_epochs=1)
    each = (run.mistakes.nbytes + run.times.nbytes) / len(run.mistakes)
    return f"A run of 1,000,000 examples keeps {each:.0f} bytes per mistake ({len(run.mistakes):,} of them)."


def time_in_words(value: float) -> str:
    return f"{value:.2f}\u00a0s" if value >= 0.1 else f"{1e3 * value:.2f}\u00a0ms"


def page(rows: list[dict], memory: str) -> str:
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn", "cvxopt", "numba"))
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Every row was measured in the same run as its peer: times depend on the machine,",
        "ratios less so.",
        f"Python {platform.python_version()}, {versions}; {os.cpu_count()} cores, one thread for BLAS.",
        "",
        "| what | time | peer | its time | ratio |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        peer = row.get("peer_seconds")
        ratio = f"{peer / row['seconds']:.1f}" if peer else ""
        cells = [
            row["what"],
            time_in_words(row["seconds"]),
            row.get("peer", ""),
            time_in_words(peer) if peer else "",
            ratio,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", memory, ""])


def main() -> None:
    rows = []
    for group in (perceptron_rows, margin_rows, growth_rows, other_rows, start_rows):
        print(f"measuring: {group.__name__.removesuffix('_rows')}", flush=True)
        rows += group()
    text = page(rows, memory())
    (ROOT / "book" / "benchmarks.md").write_text(text, encoding="utf-8")
    (ROOT / "_build").mkdir(exist_ok=True)
    (ROOT / "_build" / "benchmarks.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
