"""The line "✓ 4 claims of this section are checked by code": a cell with the tag `claims`, folded.

The number is that of the cell's assert statements. They have to be statements of their own, because one in a loop, a
function or a condition may never run.
"""

import ast

from chapter_head import folded
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

TAG = "claims"


class Claims(SphinxPostTransform):
    """Fold the cells of claims, if every claim was checked."""

    default_priority = 2
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for cell in list(self.document.findall(nodes.container)):
            if f"tag_{TAG}" in cell["classes"]:
                try:
                    line = summary(cell)
                except ValueError as error:
                    raise ExtensionError(f"{self.env.docname}, a cell with the tag {TAG}: {error}") from None
                cell.children = folded(line, cell.children, "claims")


def summary(cell: nodes.container) -> str:
    """What the line says of a cell that was run; ValueError if it would not be true."""
    source = next(part for part in cell if part.get("nb_element") == "cell_code_source").astext()
    count = count_claims(source)
    traceback = any("traceback" in block["classes"] for block in cell.findall(nodes.literal_block))
    if cell.get("exec_count") is None or traceback:
        raise ValueError("it was not run to its end, so the page must not say that its claims are checked")
    claims, are = ("claim", "is") if count == 1 else ("claims", "are")
    return f"✓ {count} {claims} of this section {are} checked by code"


def count_claims(source: str) -> int:
    """How many assert statements the code has."""
    tree = ast.parse(source)
    count = sum(isinstance(statement, ast.Assert) for statement in tree.body)
    if count < sum(isinstance(node, ast.Assert) for node in ast.walk(tree)):
        raise ValueError("an assert inside a loop, a function or a condition may never run; write assert all(...)")
    if not count:
        raise ValueError("it has no assert, so it checks no claim")
    return count


def setup(app) -> dict:
    app.add_post_transform(Claims)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
