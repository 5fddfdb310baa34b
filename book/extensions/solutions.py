"""Solutions: one quiet line below the exercise, which unfolds without a script; cells tagged `solution` go inside."""

from html import escape

from docutils import nodes
from hidden_solutions import TAG
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import solution_node


class FoldedSolution(SphinxPostTransform):
    """Write sphinx-exercise's box as the browser's own element for what folds."""

    default_priority = 900  # after sphinx-exercise has written the title

    def run(self, **kwargs) -> None:
        for box in list(self.document.findall(solution_node)):
            title, content = box.children
            cells = []
            following = box.next_node(descend=False, siblings=True)
            while isinstance(following, nodes.container) and f"tag_{TAG}" in following["classes"]:
                cells.append(following)
                following = following.next_node(descend=False, siblings=True)
            for cell in cells:
                cell.parent.remove(cell)
            name, summary = escape(box["ids"][0]), escape(" ".join(title.astext().split()))
            opening = f'<details class="solution" id="{name}"><summary>{summary}</summary>'
            place = box.parent.index(box)  # replace_self would put the box's classes on the first of these
            box.parent[place : place + 1] = [html(opening), *content.children, *cells, html("</details>")]


def html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def setup(app) -> dict:
    app.add_post_transform(FoldedSolution)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
