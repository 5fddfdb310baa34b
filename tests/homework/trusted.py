"""Hand-ins of our own that run in this process: quick, for tests of the problem sets rather than of the sandbox."""

import ast
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path

from nbformat import NotebookNode

from homework.grader.problem_set import grade_id, is_test, read_notebook, settings, tested_names
from homework.grader.run_tests import run_setup
from homework.grader.wire_format import pack, unpack
from tests.homework.hand_ins import hand_in


class Refused(BaseException):
    """An answer that is not plain data. Not an Exception, so that no test takes it for an error in the answer."""


class TrustedHandIn:
    """The author's solution as a running hand-in."""

    def __init__(self, problem_set: Path, student: str = "ada"):
        self.source = read_notebook(problem_set)
        self.tests = {grade_id(cell): cell for cell in filter(is_test, self.source.cells)}
        self.asked = tested_names(self.source)
        self.setup, self.names = run_setup(self.source, student), {}
        for cell in hand_in(problem_set, student).cells:
            if cell.cell_type == "code" and not settings(cell).get("grade"):
                exec(cell.source, self.names)

    def ask(self, name: str, *arguments, call: bool = False):
        value = self.names[name]
        answer = value(*unpack(pack(arguments))) if call else value
        try:
            return unpack(pack(answer))
        except (TypeError, ValueError) as error:
            raise Refused(f"{name} is or returns what is not plain data: {error}") from None

    def names_in(self, test: str) -> list[str]:
        """The names of a student's that a test uses."""
        used = {node.id for node in ast.walk(ast.parse(self.tests[test].source)) if isinstance(node, ast.Name)}
        return sorted(used & self.asked.keys())

    def is_function(self, name: str) -> bool:
        return isinstance(self.asked[name], ast.FunctionDef)

    def failure(self, test: str) -> BaseException | None:
        """Why a test gives no points, or None; it runs as in `homework.grader.run_tests`."""
        names = dict(self.setup)
        try:
            for name in self.names_in(test):
                names[name] = partial(self.ask, name, call=True) if self.is_function(name) else self.ask(name)
            with redirect_stdout(StringIO()):
                exec(compiled(self.tests[test]), names)
        except (Exception, Refused) as failure:
            return failure
        return None


def compiled(cell: NotebookNode):
    return compile(cell.source, grade_id(cell), "exec")
