"""pla_lib against its peers: writes book/benchmarks.md and _build/benchmarks.json. (`make bench`)

Everything runs as a user runs it, with no variable set. What is compared is measured in turns, at least five times
each; the table shows the median and the extremes.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from unittest.mock import patch

import numpy as np
from cvxopt import solvers
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron
from sklearn.svm import SVC, LinearSVC

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

RUNS = 5
BUSY = 2  # other programs, for the measurements beside busy ones


def seconds(*works, runs: int = RUNS, clock=time.perf_counter) -> tuple[list[list[float]], list]:
    """How long each work took, run after run, the works in turns; and what each gave."""
    times, results = [[] for _ in works], [None] * len(works)
    for _ in range(runs):
        for k, work in enumerate(works):
            start = clock()
            results[k] = work()
            times[k].append(clock() - start)
    return times, results


def row(what: str, times: list[float], peer: str = "", peer_times: list[float] | None = None) -> dict:
    return {"what": what, "seconds": times} | ({"peer": peer, "peer_seconds": peer_times} if peer_times else {})


def gaussian_data(n: int, d: int, flipped: float = 0.0, noise: float = 0.0):
    """Normal examples, labelled by a hyperplane through the origin.

    A share of the labels is flipped, or noise on the scores changes labels near the hyperplane.
    """
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(n, d)), rng.normal(size=d)
    scores = X @ w / np.linalg.norm(w)
    y = np.where(scores + noise * rng.normal(size=n) > 0, 1, -1)
    y[rng.random(n) < flipped] *= -1
    return X, y


def perceptron_rows() -> list[dict]:
    rows = []
    for n, d, flipped in ((100_000, 10, 0.1), (1_000_000, 10, 0), (60_000, 784, 0.02)):
        X, y = gaussian_data(n, d, flipped)
        epochs = perceptron(X, y, max_epochs=5).epochs  # also compiles the loop
        peer = Perceptron(shuffle=False, tol=None, max_iter=epochs)
        (ours, theirs), (run, fitted) = seconds(
            lambda X=X, y=y: perceptron(X, y, max_epochs=5), lambda X=X, y=y, peer=peer: peer.fit(X, y)
        )
        np.testing.assert_allclose(run.theta, [*fitted.intercept_, *fitted.coef_[0]], rtol=1e-9)
        what = f"`perceptron`, {n:,} x {d}, {flipped:.0%} of the labels flipped, {epochs} epochs"
        rows.append(row(what, ours, "scikit-learn `Perceptron`, same weights", theirs))
    return rows


def objective(peer, X: np.ndarray, y: np.ndarray) -> float:
    """1/2 ||w||^2 + C * sum(slack): scikit-learn's C is C/N here."""
    slack = np.maximum(0, 1 - y * peer.decision_function(X))
    return 0.5 * float((peer.coef_**2).sum()) + peer.C * slack.sum()


def margin_rows() -> list[dict]:
    X, y = gaussian_data(10_000, 20, flipped=0.1)
    data = "10,000 x 20, 10% of the labels flipped, C = N"
    svc = SVC(kernel="linear", C=1.0, tol=1e-5, cache_size=1000)
    (ours, theirs), (soft, fitted) = seconds(lambda: soft_margin(X, y, C=len(y)), lambda: svc.fit(X, y))
    excess = objective(fitted, X, y) / soft.objective - 1
    rows = [row(f"`soft_margin`, {data}", ours, f"scikit-learn `SVC`, {excess:.0e} above our objective", theirs)]

    # liblinear makes the offset a part of ||w||. Without an offset the two objectives are the same.
    linear = LinearSVC(C=1.0, loss="hinge", max_iter=10_000, fit_intercept=False, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # how far it came is in the table
        (ours, theirs), (soft, fitted) = seconds(
            lambda: soft_margin(X, y, C=len(y), bias=False), lambda: linear.fit(X, y)
        )
    excess = objective(fitted, X, y) / soft.objective - 1
    peer = f"scikit-learn `LinearSVC`, hinge loss, {excess:.0e} above our objective"
    rows.append(row(f"`soft_margin` without offset, {data}", ours, peer, theirs))

    X, y = with_margin(20_000, 20, margin=0.05)
    svc = SVC(kernel="linear", C=1e6, tol=1e-5, cache_size=1000)
    (ours, theirs), (hard, fitted) = seconds(lambda: max_margin(X, y), lambda: svc.fit(X, y))
    apart = abs(float((fitted.coef_**2).sum()) / (2 * hard.objective) - 1)
    peer = f"scikit-learn `SVC`, C = 1e6, objective equal to {apart:.0e}"
    return [*rows, row("`max_margin`, 20,000 x 20, margin 0.05", ours, peer, theirs)]


# A process that solves the same problem each time it reads a line, and prints how long that took.
SOLVER = """
import sys, time
from bench.library import gaussian_data
from pla_lib import soft_margin
X, y = gaussian_data(10_000, 20, flipped=0.1)
soft_margin(X, y, C=len(y))
for line in sys.stdin:
    start = time.perf_counter()
    soft_margin(X, y, C=len(y))
    print(time.perf_counter() - start, flush=True)
"""


@contextmanager
def processes(*codes: str, **environment: str):
    """Python processes that run these codes, with pipes to talk to them; ended on the way out."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    started = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=os.environ | environment, **pipes)
        for code in codes
    ]
    try:
        yield started
    finally:
        for process in started:
            process.kill()
            process.communicate()


def answer(process: subprocess.Popen) -> float:
    process.stdin.write("\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def thread_rows() -> list[dict]:
    alone, beside = ([], []), ([], [])
    with processes(SOLVER) as [plain], processes(SOLVER, OPENBLAS_NUM_THREADS="1") as [one]:
        for process in (plain, one):
            answer(process)  # both have started
        for k in range(4 * RUNS):  # beside busy programs a solve gets a core of its own, or half of one
            for times, busy in ((alone, 0), (beside, BUSY)):
                with processes(*["while True: pass"] * busy):
                    time.sleep(0.3)
                    in_turn = list(zip(times, (plain, one), strict=True))
                    for kept, process in in_turn if k % 2 else reversed(in_turn):
                        kept.append(answer(process))
    what, peer = "`soft_margin`, 10,000 x 20, nothing set, {}", "the same with `OPENBLAS_NUM_THREADS=1`"
    return [
        row(what.format("alone"), alone[0], peer, alone[1]),
        row(what.format(f"beside {BUSY} busy programs"), beside[0], peer, beside[1]),
    ]


def growth_rows() -> list[dict]:
    rows = []
    sizes = (10_000, 30_000, 100_000)
    for name, solve, data in (
        (
            "`soft_margin`, 100,000 x 20, 10% of the labels flipped",
            lambda X, y: soft_margin(X, y, C=len(y)),
            lambda n: gaussian_data(n, 20, flipped=0.1),
        ),
        (
            "`soft_margin`, 100,000 x 20, noise near the boundary",
            lambda X, y: soft_margin(X, y, C=len(y)),
            lambda n: gaussian_data(n, 20, noise=0.5),
        ),
        ("`max_margin`, 100,000 x 20, margin 0.05", max_margin, lambda n: with_margin(n, 20, margin=0.05)),
    ):
        given = [data(n) for n in sizes]
        works = [lambda both=both, solve=solve: solve(*both) for both in given]
        times, _ = seconds(*works, clock=time.process_time)
        exponent = np.polyfit(np.log(sizes), np.log([statistics.median(some) for some in times]), 1)[0]
        [longest], _ = seconds(works[-1])
        few, many = iterations(works[0]), iterations(works[-1])
        grows = f"{name}; time grows like N^{exponent:.2f} from 10,000 on, iterations from {few} to {many}"
        rows.append(row(grows, longest))
    return rows


def iterations(work) -> int:
    """How many steps the interior-point method takes in this work."""
    solve, found = solvers.coneqp, []
    with patch.object(solvers, "coneqp", lambda *given, **options: found.append(solve(*given, **options)) or found[-1]):
        work()
    return sum(one["iterations"] for one in found)


def other_rows() -> list[dict]:
    X, digit = digits()
    X, y = np.tile(X, (6, 1))[:10_000] / 16, np.where(np.tile(digit, 6)[:10_000] % 2, 1, -1)
    X = X + np.random.default_rng(0).normal(scale=0.05, size=X.shape)
    [kernel], [run] = seconds(lambda: kernel_perceptron(X, y, gaussian_kernel(2.0), max_epochs=3))
    rows = [row(f"`kernel_perceptron`, 10,000 x 64, Gaussian, {len(run.mistakes):,} mistakes", kernel)]
    run = perceptron(*label_noise(with_margin(5_000, 64), 0.1), max_epochs=3)
    (mean, vote), _ = seconds(lambda: X @ averaged(run)[1:], lambda: voted(run, X))
    rows.append(row(f"`averaged`, 10,000 predictions after {len(run.mistakes):,} mistakes", mean, "`voted`", vote))
    small = with_margin(20, 2)
    [times], _ = seconds(lambda: perceptron(*small), runs=200)
    rows.append(row("`perceptron`, 20 points", times))
    small = with_margin(5, 2)
    [times], _ = seconds(lambda: max_margin(*small), runs=200)
    return [*rows, row("`max_margin`, 5 points", times)]


def run_python(code: str, **environment: str) -> float:
    """What a fresh interpreter prints."""
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | environment
    )
    return float(output.stdout)


def start_rows() -> list[dict]:
    timed = "import time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"
    first_use = "from pla_lib import perceptron, with_margin; data = with_margin(2000, 20)\n"
    first_use += timed.format("perceptron(*data)")
    numpy, library, compiled, cached = [], [], [], []
    for _ in range(RUNS):
        numpy.append(run_python(timed.format("import numpy")))
        library.append(run_python(timed.format("import pla_lib")))
        with tempfile.TemporaryDirectory() as cache:
            compiled.append(run_python(first_use, NUMBA_CACHE_DIR=cache))
            cached.append(run_python(first_use, NUMBA_CACHE_DIR=cache))
    return [
        row("`import pla_lib`", library, "`import numpy`", numpy),
        row("first large `perceptron` of a process, loop compiled for the first time on a machine", compiled),
        row("first large `perceptron` of a process, compiled loop read from disk", cached),
    ]


def memory() -> str:
    run = perceptron(*gaussian_data(1_000_000, 10, 0.1), bias=False, max_epochs=1)
    each = (run.mistakes.nbytes + run.times.nbytes) / len(run.mistakes)
    return f"A run over 1,000,000 examples keeps {each:.0f} bytes per mistake; it made {len(run.mistakes):,} mistakes."


def machine() -> str:
    """Cores, processor and operating system, as far as the system tells."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    processor, info = platform.machine(), Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        processor = f"{names[0]} ({processor})" if names else processor
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        system = f"{platform.system()} {platform.release()}"
    return f"{cores} cores, {processor}, {system}"


def time_in_words(times: list[float]) -> str:
    unit, factor, digits = ("s", 1, 2) if statistics.median(times) >= 0.1 else ("ms", 1e3, 2)
    middle, least, most = (
        f"{factor * value:.{digits}f}" for value in (statistics.median(times), min(times), max(times))
    )
    return f"{middle}\u00a0{unit} ({least}\u00a0to\u00a0{most})"


def page(rows: list[dict], memory: str) -> str:
    names = ("numpy", "scikit-learn", "cvxopt", "numba", "threadpoolctl")
    lines = [
        "# Benchmarks",
        "",
        "`make bench` measures these times and writes this page. The library runs as you would run it: no variable and",
        f"no option is set. We repeat every measurement at least {RUNS} times. The library and its peer take turns, so",
        "that both meet the same machine. A time is the median, with the shortest and the longest in brackets. The",
        "ratio divides the peer's median by ours: above 1, we are faster. How time grows with the number of examples N",
        "is measured in processor time, because other programs disturb it less.",
        "",
        f"Machine: {machine()}. Python {platform.python_version()},",
        ", ".join(f"{name} {version(name)}" for name in names) + ".",
        "",
        "| what | time | peer | its time | ratio |",
        "|---|---|---|---|---|",
    ]
    for entry in rows:
        times, peer = entry["seconds"], entry.get("peer_seconds")
        cells = [entry["what"], time_in_words(times), entry.get("peer", ""), time_in_words(peer) if peer else ""]
        cells.append(f"{statistics.median(peer) / statistics.median(times):.1f}" if peer else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(
        [
            *lines,
            "",
            "`LinearSVC` counts the offset as a part of the weights, and so solves another problem than `soft_margin`.",
            "Without an offset both minimise the same objective, so that is what the table compares. `LinearSVC` stops",
            "after 10,000 rounds; the table says how far above our objective it stands then.",
            "",
            "An iteration of `soft_margin` does the same work for every example. Its time still grows a little faster",
            "than N, for two reasons: more examples need a few more iterations, as the table shows, and 100,000",
            "examples with the solver's vectors are too large for the processor's cache, into which 10,000 fit.",
            "",
            memory,
            "",
        ]
    )


def main() -> None:
    rows = []
    for group in (perceptron_rows, margin_rows, thread_rows, growth_rows, other_rows, start_rows):
        print(f"measuring: {group.__name__.removesuffix('_rows')}", flush=True)
        rows += group()
    text = page(rows, memory())
    (ROOT / "book" / "benchmarks.md").write_text(text, encoding="utf-8")
    (ROOT / "_build").mkdir(exist_ok=True)
    (ROOT / "_build" / "benchmarks.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
