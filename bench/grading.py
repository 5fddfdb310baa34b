"""Grade hand-ins as an instructor does overnight, check that every grade is right, and print how long it took.

python -m bench.grading [number of hand-ins, 200 if not given]
"""

import csv
import os
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from homework.grader.problem_set import points_by_question, read_notebook
from tests import ROOT
from tests.homework.hand_ins import hand_in, submit
from tests.homework.test_problem_sets import OWN_CODE, SETS, WRONG


def main(count: int) -> None:
    problem_set = SETS[0]
    maximum = sum(points_by_question(read_notebook(problem_set)).values())
    first_answers = {name: answers[0] for name, answers in WRONG[problem_set.stem].items()}
    mistakes = cycle({name: source} for name, (source, words) in first_answers.items() if words != OWN_CODE)
    deserved = [k % 4 != 3 for k in range(count)]  # every fourth hand-in has a mistake
    with TemporaryDirectory() as scratch:
        hand_ins, course = Path(scratch, "hand-ins"), Path(scratch, "grades")
        for k, right in enumerate(deserved):
            student = f"student{k:03}"
            notebook = hand_in(problem_set, student, **{} if right else next(mistakes))
            submit(hand_ins, student, notebook, problem_set.name)
        command = [sys.executable, "-m", "homework.grader.grades", ROOT / "homework" / "source", hand_ins, course]
        started = time.perf_counter()
        subprocess.run([*command, problem_set.stem], cwd=ROOT, check=True)
        seconds = time.perf_counter() - started
        with (course / "reports" / problem_set.stem / "points.csv").open(newline="", encoding="utf-8") as file:
            totals = [float(row["total"]) for row in csv.DictReader(file)]
    full = max(totals)
    assert [total == full for total in totals] == deserved, "a grade is not what its hand-in deserves"
    cores = len(os.sched_getaffinity(0))
    print(
        f"{count} hand-ins, {full:g} of {maximum:g} points from tests: {seconds:.0f} s on {cores} cores, "
        f"{cores * seconds / count:.1f} s of a core each"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
