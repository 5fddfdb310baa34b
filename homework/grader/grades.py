"""`make grade`: turns a folder of hand-ins into a table of points, a page for every student and one for the instructor.

    python -m homework.grader.grades homework/source hand-ins grading ps1

The third argument is a course folder for nbgrader, with its gradebook. Points by hand are given there, in nbgrader's
formgrader; the next run adds them to the tables. A hand-in that has not changed is not graded again.
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

import nbformat
from tqdm import tqdm

from homework.grader.hand_in import Unreadable, find_hand_in
from homework.grader.library_stub import write_library_stub
from homework.grader.problem_set import find_problem_sets, read_notebook
from homework.grader.run_tests import Commands, grade_hand_in, run_setup
from homework.grader.sandbox import LIBRARY, refusal, sandbox_command

STUDENT_ID = re.compile(r"\w[^/\\<>\"\x00-\x1f]*")  # a spreadsheet takes a name that begins with = or @ for a formula
UNSAFE_WARNING = "UNSAFE=1: hand-ins run with your rights; they can read and change whatever you can."


def find_students(submissions: Path) -> list[str]:
    """The names of the folders, one per student."""
    if not submissions.is_dir():
        sys.exit(f"There is no folder {submissions}. Give the one that has a folder for every student: SUBMISSIONS=...")
    names = sorted(path.name for path in submissions.iterdir() if path.is_dir() and not path.name.startswith("."))
    if strange := [name for name in names if not STUDENT_ID.fullmatch(name)]:
        sys.exit(f"The names of these folders cannot be student ids; rename them: {strange}")
    if not names:
        sys.exit(f"There is no hand-in in {submissions}: it must have a folder for every student, named by their id.")
    return names


def fingerprints(submissions: Path, problem_set: Path) -> dict[str, str]:
    """For every student a hash that changes when the hand-in, the set, the grader or the library does."""
    code = [path for folder in (Path(__file__).parent, LIBRARY) for path in sorted(folder.rglob("*.py"))]
    shared = sha256(b"".join(path.read_bytes() for path in (problem_set, *code)))

    def fingerprint(folder: Path) -> str:
        own = shared.copy()
        try:
            path = find_hand_in(folder, problem_set)
            own.update(path.name.encode() + path.read_bytes())
        except Unreadable as error:
            own.update(str(error).encode())
        return own.hexdigest()

    return {student: fingerprint(submissions / student) for student in find_students(submissions)}


def grade_one(folder: Path, student: str, problem_set: Path, released: Path, stub: Path, unsafe: bool) -> dict:
    """Grade one hand-in, in a worker process."""
    warnings.simplefilter("ignore")  # nbformat warns about notebooks of older versions
    commands = Commands(library=sandbox_command(LIBRARY, unsafe), stub=sandbox_command(stub, unsafe))
    return grade_hand_in(folder, student, problem_set, released, commands)


def grade_all(submissions: Path, problem_set: Path, root: Path, released: Path, unsafe: bool) -> dict[str, dict]:
    """The outcome of every hand-in by student. Outcomes of an earlier run are kept where nothing has changed."""
    current = fingerprints(submissions, problem_set)
    files = {student: root / "outcomes" / problem_set.stem / f"{student}.json" for student in current}
    earlier = {student: json.loads(file.read_text()) for student, file in files.items() if file.exists()}
    outcomes = {student: outcome for student, outcome in earlier.items() if outcome["fingerprint"] == current[student]}
    left = [student for student in current if student not in outcomes]
    if not left:
        return {student: outcomes[student] for student in current}
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with TemporaryDirectory() as scratch:
        shared = problem_set, released, write_library_stub(Path(scratch)), unsafe
        with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn")) as pool:
            jobs = {pool.submit(grade_one, submissions / name, name, *shared): name for name in left}
            progress = tqdm(as_completed(jobs), problem_set.stem, len(current), initial=len(outcomes), unit=" hand-ins")
            try:
                for job in progress:
                    student, outcome = jobs[job], job.result()
                    notebook = nbformat.writes(outcome.pop("notebook"))
                    _write(root / "autograded" / student / problem_set.stem / problem_set.name, notebook)
                    outcomes[student] = outcome | {"fingerprint": current[student]}
                    _write(files[student], json.dumps(outcomes[student], indent=1))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return {student: outcomes[student] for student in current}


def _write(path: Path, text: str) -> None:
    """Write the whole file or nothing, even if the run is stopped at this moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def main(source: Path, submissions: Path, root: Path, names: list[str], unsafe: bool) -> None:
    sets = find_problem_sets(source)
    if unknown := set(names) - {each.stem for each in sets}:
        known = ", ".join(each.stem for each in sets)
        sys.exit(f"There is no set {', '.join(sorted(unknown))} in {source}; there are {known}.")
    sets = [each for each in sets if each.stem in names or not names]
    find_students(submissions)
    for each in sets:
        with redirect_stdout(StringIO()):
            run_setup(read_notebook(each), "anyone")  # if the set itself is broken, stop here
    if unsafe:
        print(UNSAFE_WARNING)
    elif reason := refusal():
        sys.exit(reason)
    # Only this process needs nbgrader, which takes seconds to load; the workers load this file, too.
    from homework.grader.release import make_course, released_notebook
    from homework.grader.reports import record_points, write_reports

    make_course(sets, root)
    for each in sets:
        outcomes = grade_all(submissions, each, root, released_notebook(root, each), unsafe)
        record_points(root, each, outcomes)
        write_reports(root, each, outcomes)


if __name__ == "__main__":
    source, submissions, root, *names = sys.argv[1:]
    main(Path(source), Path(submissions), Path(root), names, os.environ.get("UNSAFE") == "1")
