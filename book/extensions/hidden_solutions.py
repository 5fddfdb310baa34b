"""The instructor's switch: `hide_solutions: true` in _config.yml keeps solutions out of pages, search and notebooks."""

from docutils import nodes
from sphinx.transforms import SphinxTransform

TAG = "solution"  # of a cell that belongs to a solution; sphinx-exercise itself leaves out the boxes


class HideSolutionCells(SphinxTransform):
    """Take the cells of solutions out of a page."""

    default_priority = 5  # before anything is numbered or indexed

    def apply(self, **kwargs) -> None:
        if not self.config.hide_solutions:
            return
        for cell in list(self.document.findall(nodes.container)):
            if f"tag_{TAG}" in cell["classes"]:
                cell.parent.remove(cell)


def setup(app) -> dict:
    app.add_transform(HideSolutionCells)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
