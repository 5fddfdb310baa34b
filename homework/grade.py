"""`make grade`: a folder of hand-ins in; a table of points, a page for every student and one for the instructor out.

    python homework/grade.py homework/source hand-ins grading ps1

Everything is kept in the last folder but one, an nbgrader course with its gradebook: points by hand are given there, in
nbgrader's formgrader, and are in the tables when this is run again. What has not changed is not marked again.
"""

import json
import multiprocessing
import os
import re
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stdout
from hashlib import sha256
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import nbformat
from hollow import hollow
from marking import Unreadable, find, mark, prepared
from sandbox import command, refusal
from sets import problem_sets, read
from tqdm import tqdm

import pla_lib

LIBRARY = Path(pla_lib.__file__).parent
STUDENT = re.compile(r"\w[^/\\<>\"\x00-\x1f]*")  # a table opened in a spreadsheet must not begin with = or @
UNSAFE = "UNSAFE=1: hand-ins run with your rights; they can read and change whatever you can."


def students(submissions: Path) -> list[str]:
    """The names of the folders, one to a student."""
    if not submissions.is_dir():
        sys.exit(f"There is no folder {submissions}. Give the one that has a folder for every student: SUBMISSIONS=...")
    found = sorted(path.name for path in submissions.iterdir() if path.is_dir() and not path.name.startswith("."))
    if strange := [name for name in found if not STUDENT.fullmatch(name)]:
        sys.exit(f"These folders have names that cannot be ids of students; rename them: {strange}")
    if not found:
        sys.exit(f"There is no hand-in in {submissions}: it must have a folder for every student, named by the id.")
    return found


def fingerprints(submissions: Path, problem_set: Path) -> dict[str, str]:
    """For every student a word that changes when the hand-in, the set, the grader or the library does."""
    ours = [path for place in (Path(__file__).parent, LIBRARY) for path in sorted(place.rglob("*.py"))]
    ours = sha256(b"".join(path.read_bytes() for path in (problem_set, *ours)))

    def fingerprint(folder: Path) -> str:
        both = ours.copy()
        try:
            path = find(folder, problem_set)
            both.update(path.name.encode() + path.read_bytes())
        except Unreadable as why:
            both.update(str(why).encode())
        return both.hexdigest()

    return {student: fingerprint(submissions / student) for student in students(submissions)}


def work_on(folder: Path, student: str, problem_set: Path, released: Path, empty: Path, unsafe: bool) -> dict:
    warnings.simplefilter("ignore")  # notebooks of an older form are none of the grader's business
    start = SimpleNamespace(whole=command(LIBRARY, unsafe), hollow=command(empty, unsafe))
    return mark(folder, student, problem_set, released, start)


def mark_all(submissions: Path, problem_set: Path, root: Path, released: Path, unsafe: bool) -> dict[str, dict]:
    """The outcome of every hand-in by student; those that are there from before are taken as they are."""
    marks = fingerprints(submissions, problem_set)
    places = {student: root / "outcomes" / problem_set.stem / f"{student}.json" for student in marks}
    known = {student: json.loads(place.read_text()) for student, place in places.items() if place.exists()}
    outcomes = {student: outcome for student, outcome in known.items() if outcome["fingerprint"] == marks[student]}
    left = [student for student in marks if student not in outcomes]
    if not left:
        return {student: outcomes[student] for student in marks}
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with TemporaryDirectory() as scratch:
        rest = problem_set, released, hollow(Path(scratch)), unsafe
        with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn")) as pool:
            jobs = {pool.submit(work_on, submissions / name, name, *rest): name for name in left}
            progress = tqdm(as_completed(jobs), problem_set.stem, len(marks), initial=len(outcomes), unit=" hand-ins")
            try:
                for job in progress:
                    student, outcome = jobs[job], job.result()
                    _keep(outcome, root / "autograded" / student / problem_set.stem / problem_set.name)
                    outcomes[student] = outcome | {"fingerprint": marks[student]}
                    _write(places[student], json.dumps(outcomes[student], indent=1))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return {student: outcomes[student] for student in marks}


def _keep(outcome: dict, place: Path) -> None:
    """Move the notebook as it ran to its place in the course."""
    _write(place, nbformat.writes(outcome.pop("notebook")))


def _write(place: Path, text: str) -> None:
    """Whole or not at all, also if this is the moment someone stops it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(place)


def main(source: Path, submissions: Path, root: Path, names: list[str], unsafe: bool) -> None:
    sets = problem_sets(source)
    if unknown := set(names) - {each.stem for each in sets}:
        there = ", ".join(each.stem for each in sets)
        sys.exit(f"There is no set {', '.join(sorted(unknown))} in {source}; there are {there}.")
    sets = [each for each in sets if each.stem in names or not names]
    students(submissions)
    for each in sets:
        with redirect_stdout(StringIO()):
            prepared(read(each), "anyone")  # a fault of the set is not one of the hand-ins
    if unsafe:
        print(UNSAFE)
    elif why := refusal(LIBRARY):
        sys.exit(why)
    # Only this process needs nbgrader, which takes seconds to load; the workers load this file, too.
    from release import make_course, released
    from reports import record, report

    make_course(sets, root)
    for each in sets:
        outcomes = mark_all(submissions, each, root, released(root, each), unsafe)
        record(root, each, outcomes)
        report(root, each, outcomes)


if __name__ == "__main__":
    source, submissions, root, *names = sys.argv[1:]
    main(Path(source), Path(submissions), Path(root), names, os.environ.get("UNSAFE") == "1")
