"""`make homework`: nbgrader makes what students get from the sets with solutions.

python -m homework.grader.release homework/source _build
"""

import os
import shutil
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearSolutions
from traitlets.config import Config

from homework.grader.problem_set import find_problem_sets, grade_id, is_answer, question_number

CONFIG = """# The settings of this course for nbgrader; README.md says what to do with the folder.
c = get_config()
c.CourseDirectory.course_id = "perceptron"
"""
README = """# A course folder for nbgrader

Made by `make homework` or `make grade`. `source` holds the problem sets with solutions, `release` what students
get. After grading, `reports` holds the tables and feedback pages, and `gradebook.db` all points.

## Points by hand

Start the book's JupyterLab (`.venv/bin/jupyter lab`) in this folder and choose Nbgrader, Formgrader, Manual Grading.
Then run `make grade` again: your points are in the tables, and your comments on the feedback pages.

## On a JupyterHub

If your JupyterHub has nbgrader, copy this folder to the course directory and run:

    nbgrader release_assignment ps1
    nbgrader collect ps1

Then grade the collected work in this book's sandbox. In the book's repository, run:

    make grade SUBMISSIONS=<this folder>/submitted PS=ps1

`nbgrader autograde` works too, but it runs every hand-in with your own rights and stores it as it is.
"""


class NamedStubs(ClearSolutions):
    """Replace each solution by a stub that fails and names its question."""

    text_stub = "*Your answer here.*"

    def preprocess_cell(self, cell, resources, cell_index):
        if is_answer(cell):
            number = question_number(grade_id(cell))
            task = f"Question {number} is open: write your code here, then run this cell again."
            self.code_stub = {"python": f'raise NotImplementedError("{task}")'}
        return super().preprocess_cell(cell, resources, cell_index)


def make_course(sets: list[Path], root: Path) -> None:
    """Make or update the course folder at `root`: sources, what students get, and the gradebook with every question."""
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # nbgrader calls its tools by name
    config = Config()
    config.CourseDirectory.root = str(root.resolve())
    config.CourseDirectory.course_id = "perceptron"
    steps = GenerateAssignment.class_traits()["preprocessors"].default()
    config.GenerateAssignment.preprocessors = [NamedStubs if step is ClearSolutions else step for step in steps]
    nbgrader = NbGraderAPI(CourseDirectory(config=config), config=config)
    for each in sets:
        copy = root / "source" / each.stem / each.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if copy.exists() and copy.read_bytes() == each.read_bytes() and released_notebook(root, each).exists():
            continue
        shutil.copy(each, copy)
        outcome = nbgrader.generate_assignment(each.stem)
        if not outcome["success"]:
            copy.unlink()
            sys.exit(f"nbgrader cannot release {each}:\n{outcome['log'] or outcome['error']}")
    (root / "nbgrader_config.py").write_text(CONFIG)
    (root / "README.md").write_text(README)


def released_notebook(root: Path, problem_set: Path) -> Path:
    """Where the course folder at `root` has the notebook that students get."""
    return root / "release" / problem_set.stem / problem_set.name


def release(sets: list[Path], build: Path) -> list[Path]:
    """Write a folder and a zip for each set, as students get them, to `build`/homework; returns the zips."""
    make_course(sets, build / "course")
    shutil.rmtree(build / "homework", ignore_errors=True)
    return [_pack(released_notebook(build / "course", each), build / "homework") for each in sets]


def _pack(notebook: Path, folder: Path) -> Path:
    name = notebook.stem
    (folder / name).mkdir(parents=True)
    shutil.copy(notebook, folder / name)
    packed = folder / f"{name}.zip"
    with ZipFile(packed, "w") as archive:  # the date is not today's, so that the same set gives the same file
        archive.writestr(ZipInfo(f"{name}/{name}.ipynb"), notebook.read_bytes(), ZIP_DEFLATED)
    return packed


if __name__ == "__main__":
    source, build = map(Path, sys.argv[1:])
    for path in release(find_problem_sets(source), build):
        print(f"For students: {path}, and the folder beside it.")
    print(f"For you: {build / 'course'}, a course folder for nbgrader with solutions. Keep it private.")
