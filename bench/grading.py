"""Grade hand-ins as an instructor does overnight, check that every grade is right, and print how long it took.

One in five is hostile: every kind of attack of tests/homework/hostile.py takes its turn. The others are right or have
one mistake, and each must get the points that it deserves. The limits are shorter than an instructor's, because most
attacks use all the time they get.

python -m bench.grading [number of hand-ins, 200 if not given]
"""

import csv
import os
import sys
import time
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from homework.grader import grades
from homework.grader.problem_set import points_by_question, read_notebook
from homework.grader.sandbox import Limits
from tests import ROOT
from tests.homework.hand_ins import hand_in, submit
from tests.homework.hostile import KINDS, hostile_hand_in
from tests.homework.test_problem_sets import OWN_CODE, SETS, WRONG, points_by_test

LIMITS = Limits(cell_seconds=10, call_seconds=3, hand_in_seconds=40, grace_seconds=2)


def main(count: int) -> None:
    problem_set = SETS[0]
    maximum = sum(points_by_question(read_notebook(problem_set)).values())
    first_answers = {name: answers[0] for name, answers in WRONG[problem_set.stem].items()}
    # Only functions: a wrong run on paper can be right by chance on the data of some student.
    functions = {name: answer for name, answer in first_answers.items() if "def " in answer[0]}
    mistakes = cycle({name: source} for name, (source, words) in functions.items() if words != OWN_CODE)
    attacks, kinds, deserved = cycle(KINDS), {}, {}
    with TemporaryDirectory() as scratch:
        hand_ins, course = Path(scratch, "hand-ins"), Path(scratch, "grades")
        for k in range(count):
            student = f"student{k:03}"
            if k % 5 == 4:
                kinds[student] = next(attacks)
                notebook = hostile_hand_in(problem_set, student, kinds[student])
            else:
                deserved[student] = k % 5 != 2
                notebook = hand_in(problem_set, student, **{} if deserved[student] else next(mistakes))
            submit(hand_ins, student, notebook, problem_set.name)
        started = time.perf_counter()
        grades.main(ROOT / "homework" / "source", hand_ins, course, [problem_set.stem], unsafe=False, limits=LIMITS)
        seconds = time.perf_counter() - started
        with (course / "reports" / problem_set.stem / "points.csv").open(newline="", encoding="utf-8") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
    full = sum(points_by_test(problem_set).values())
    wrong = [s for s, right in deserved.items() if (float(rows[s]["total"]) == full) != right or rows[s]["notes"]]
    assert not wrong, f"not what they deserve: {[rows[student] for student in wrong]}"
    for student, kind in kinds.items():
        print(f"{kind:30} {rows[student]['total']:>5} points  {rows[student]['notes'][:100]}")
        assert float(rows[student]["total"]) <= full, kind
    cores = len(os.sched_getaffinity(0))
    print(
        f"{count} hand-ins, {len(kinds)} of them hostile; {full:g} of {maximum:g} points from tests, and all "
        f"{len(deserved)} honest ones got what they deserve: {seconds:.0f} s on {cores} cores, "
        f"{cores * seconds / count:.1f} s of a core each"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
