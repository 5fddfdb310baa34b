"""The problem sets on the site: `{problem-sets}` lists them, and their notebooks for students lie beside the pages.

Only a book that has the page needs the grader; _config.yml puts the repository's root on the path to find it there.
"""

import re
import shutil
from pathlib import Path

from docutils import nodes
from notebook_outputs import fingerprint
from sphinx.util.docutils import SphinxDirective

SOURCE = Path("homework", "source")
ENTRY = """
### {title}

{about}

<a href="../homework/{name}/{name}.ipynb" download>Notebook</a> or
<a href="../homework/{name}.zip" download>zip</a>
"""


class ProblemSets(SphinxDirective):
    """An entry for every set: its title, its goals, how long it takes, and where to get it."""

    def run(self) -> list[nodes.Node]:
        from homework.grader.problem_set import find_problem_sets, points_by_question, read_notebook

        entries = []
        for path in find_problem_sets(Path(self.env.srcdir, SOURCE)):
            self.env.note_dependency(str(path.relative_to(self.env.srcdir)))
            notebook = read_notebook(path)
            title, about = re.match(r"# (.*?)\n+(.*)", notebook.cells[0].source, flags=re.DOTALL).groups()
            shares = ", ".join(f"{number} ({value:g})" for number, value in points_by_question(notebook).items())
            about = re.sub(r"\n\n[^\n]*public sample.*?(?=\n\n|$)", "", about, flags=re.DOTALL)  # the page says so once
            about += f"\n\n**Questions, and their points:** {shares}."
            entries += self.parse_text_to_nodes(
                ENTRY.format(title=title, about=about, name=path.stem), allow_section_headings=True
            )
        return entries


def release_sets(app, error) -> None:
    """Copy what students get to the site. nbgrader takes many seconds, so only where the page is in the book."""
    if error or "book/homework" not in app.env.found_docs:
        return
    made = Path(app.outdir).parent / "samples"
    stamp, state = made / "made-from", fingerprint(Path(app.srcdir), "homework", "pla_lib", "constraints.txt")
    if not stamp.exists() or stamp.read_text() != state:
        from homework.grader.problem_set import find_problem_sets
        from homework.grader.release import release

        release(find_problem_sets(Path(app.srcdir, SOURCE)), made)
        stamp.write_text(state)
    shutil.copytree(made / "homework", Path(app.outdir, "homework"), dirs_exist_ok=True)


def setup(app) -> dict:
    app.add_directive("problem-sets", ProblemSets)
    app.connect("build-finished", release_sets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
