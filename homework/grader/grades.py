"""`make grade`: turns a folder of hand-ins into a table of points, a page for every student and one for the instructor.

    python -m homework.grader.grades homework/source hand-ins grading ps1

The third argument is a course folder for nbgrader, with its gradebook. Points by hand are given there, in nbgrader's
formgrader; the next run adds them to the tables. A hand-in that has not changed is not graded again.
"""

import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import redirect_stdout
from hashlib import sha256
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from tqdm import tqdm

from homework.grader.grading_process import GradingDied, grade_in_process
from homework.grader.hand_in import MAX_NOTEBOOK, find_files, find_notebooks
from homework.grader.library_stub import write_library_stub
from homework.grader.problem_set import find_problem_sets, read_notebook
from homework.grader.run_tests import LIMITS, Packages, nothing_graded, run_setup
from homework.grader.sandbox import LIBRARY, Limits, refusal

STUDENT_ID = re.compile(r"\w[^/\\<>\"\x00-\x1f\ud800-\udfff]*")  # a spreadsheet takes =1 or @a for a formula
MAX_ID = 150  # bytes; file systems allow 255, and endings are added
UNSAFE_WARNING = "UNSAFE=1: there is no sandbox. Hand-ins can read and change everything you can."


def find_students(submissions: Path) -> list[str]:
    """The names of the folders, one per student."""
    if not submissions.is_dir():
        sys.exit(f"There is no folder {submissions}. Set SUBMISSIONS to the folder that has one folder per student.")
    folders = [path.name for path in submissions.iterdir() if path.is_dir()]
    names = sorted(name for name in folders if not name.startswith(".") and name != "__MACOSX")
    if strange := [name for name in names if not STUDENT_ID.fullmatch(name) or len(name.encode()) > MAX_ID]:
        listed = ", ".join(ascii(name if len(name) < 60 else f"{name[:60]}...") for name in strange[:10])
        sys.exit(f"These folder names cannot be used as student ids; rename {len(strange)} of them: {listed}")
    if not names:
        sys.exit(f"There is no hand-in in {submissions}. Make one folder per student, named by the student's id.")
    return names


def fingerprints(submissions: Path, problem_set: Path) -> dict[str, str | None]:
    """For every student a hash that changes when the hand-in, the set, the grader or the library does."""
    code = [path for folder in (Path(__file__).parent, LIBRARY) for path in sorted(folder.rglob("*.py"))]
    shared = sha256(b"".join(path.read_bytes() for path in (problem_set, *code)))

    def fingerprint(folder: Path) -> str | None:
        own, notebooks = shared.copy(), find_notebooks(folder)
        try:
            for path in find_files(folder):  # pictures may lie beside a notebook
                own.update(os.fsencode(path.relative_to(folder)) + str(path.lstat().st_size).encode())
            for path in notebooks:
                details = path.stat()
                if len(notebooks) > 1:  # the newest is graded
                    own.update(str(details.st_mtime_ns).encode())
                if details.st_size <= MAX_NOTEBOOK:
                    own.update(path.read_bytes())
        except OSError:
            return None  # it is graded in every run, and its result says what is wrong
        return own.hexdigest()

    return {student: fingerprint(submissions / student) for student in find_students(submissions)}


def grade_all(
    submissions: Path, problem_set: Path, root: Path, released: Path, unsafe: bool, limits: Limits = LIMITS
) -> dict[str, dict]:
    """The outcome of every hand-in by student. Outcomes of an earlier run are kept where nothing has changed."""
    current = fingerprints(submissions, problem_set)
    files = {student: root / "outcomes" / problem_set.stem / f"{student}.json" for student in current}
    outcomes = {}
    for student, file in files.items():
        earlier = _read_json(file)
        if earlier and current[student] and earlier.get("fingerprint") == current[student]:
            outcomes[student] = earlier
    left = [student for student in current if student not in outcomes]
    if not left:
        return {student: outcomes[student] for student in current}
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    source, stubs = read_notebook(problem_set), read_notebook(released)
    with TemporaryDirectory() as scratch, tqdm(desc=problem_set.stem, total=len(current), unit=" hand-ins") as progress:
        progress.update(len(outcomes))
        packages = Packages(LIBRARY, write_library_stub(Path(scratch)), unsafe)

        def grade(student: str) -> dict:
            try:
                return grade_in_process(submissions / student, student, problem_set, released, packages, limits)
            except Exception as error:  # a fault of ours is this student's "have a look", not the end of the run
                why = str(error) if isinstance(error, GradingDied) else f"{type(error).__name__}: {error}"
                result = nothing_graded(source, stubs, why, look=True)
                return result | {"notebook": nbformat.writes(result["notebook"])}

        def keep(student: str, outcome: dict) -> None:
            _write(root / "autograded" / student / problem_set.stem / problem_set.name, outcome.pop("notebook"))
            # What ran out of time or went wrong here is tried again in the next run, even if nothing changes.
            lasting = not outcome["timed_out"] and not outcome["look"]
            outcomes[student] = outcome | {"fingerprint": current[student] if lasting else None}
            _write(files[student], json.dumps(outcomes[student], indent=1))
            progress.update()

        alone = []
        with ThreadPoolExecutor(cores) as pool:
            jobs = {pool.submit(grade, student): student for student in left}
            try:
                for job in as_completed(jobs):
                    student, outcome = jobs[job], job.result()
                    if outcome["timed_out"] or outcome["look"]:
                        alone.append(student)
                        outcome.clear()  # the notebook in it may be large
                    else:
                        keep(student, outcome)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        for student in sorted(alone):  # nobody else can be the cause now
            keep(student, grade(student))
    return {student: outcomes[student] for student in current}


def _read_json(path: Path) -> dict | None:
    """What an earlier run wrote; None if there is nothing that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _write(path: Path, text: str) -> None:
    """Write the whole file or nothing, even if the run is stopped at this moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def main(source: Path, submissions: Path, root: Path, names: list[str], unsafe: bool, limits: Limits = LIMITS) -> None:
    sets = find_problem_sets(source)
    if unknown := set(names) - {each.stem for each in sets}:
        known = ", ".join(each.stem for each in sets)
        sys.exit(f"There is no set {', '.join(sorted(unknown))} in {source}. Its sets are {known}.")
    sets = [each for each in sets if each.stem in names or not names]
    find_students(submissions)
    for each in sets:
        with redirect_stdout(StringIO()):
            run_setup(read_notebook(each), "anyone")  # if the set itself is broken, stop here
    if unsafe:
        print(UNSAFE_WARNING)
    elif reason := refusal(source, submissions, root):
        sys.exit(reason)
    # nbgrader takes seconds to load, and a wrong command should be refused at once.
    from homework.grader.release import make_course, released_notebook
    from homework.grader.reports import record_points, write_reports

    make_course(sets, root)
    for each in sets:
        outcomes = grade_all(submissions, each, root, released_notebook(root, each), unsafe, limits)
        record_points(root, each, outcomes)
        write_reports(root, each, outcomes)


if __name__ == "__main__":
    source, submissions, root, *names = sys.argv[1:]
    main(Path(source), Path(submissions), Path(root), names, os.environ.get("UNSAFE") == "1")
