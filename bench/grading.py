"""Grade 200 hand-ins as an instructor does overnight, see that every grade is right, and say how long it took."""

import csv
import os
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from sets import points, read

from tests import ROOT
from tests.homework.hand_ins import hand_in, submit
from tests.homework.test_problem_sets import OWN, SETS, WRONG

COUNT = 200

if __name__ == "__main__":
    problem_set = SETS[0]
    number = sum(points(read(problem_set)).values())
    mistakes = cycle(
        [{name: answers[0][0]} for name, answers in WRONG[problem_set.stem].items() if answers[0][1] != OWN]
    )
    with TemporaryDirectory() as scratch:
        folder, grades = Path(scratch, "hand-ins"), Path(scratch, "grades")
        for k in range(COUNT):  # every fourth hand-in has a mistake
            student = f"student{k:03}"
            submit(
                Path(folder),
                student,
                hand_in(problem_set, student, **next(mistakes) if k % 4 == 3 else {}),
                problem_set.name,
            )
        started = time.perf_counter()
        command = [
            sys.executable,
            ROOT / "homework" / "grade.py",
            ROOT / "homework" / "source",
            folder,
            grades,
        ]
        subprocess.run([*command, problem_set.stem], check=True)
        seconds = time.perf_counter() - started
        table = grades / "reports" / problem_set.stem / "points.csv"
        with table.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    full = max(float(row["total"]) for row in rows)
    right = [float(row["total"]) == full for row in rows]
    assert right == [k % 4 != 3 for k in range(COUNT)], "a grade is not what its hand-in deserves"
    cores = len(os.sched_getaffinity(0))
    print(f"{COUNT} hand-ins, {full:g} of {number:g} points by tests: {seconds:.0f} s on {cores} cores,", end=" ")
    print(f"{cores * seconds / COUNT:.1f} s of a core each")
