"""The picture of a summary card: what the cell just before the card draws, if it has the tag `summary-picture`."""

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

TAG, CARD = "summary-picture", "summary-card"


class SummaryPicture(SphinxPostTransform):
    """Move the picture into its card; in a notebook it stands above."""

    default_priority = 2
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for cell in list(self.document.findall(nodes.container)):
            if f"tag_{TAG}" not in cell["classes"]:
                continue
            card = cell.next_node(siblings=True, descend=False)
            if card is None or CARD not in card["classes"]:
                raise ExtensionError(f"{self.env.docname}: after a cell with the tag {TAG} comes the {CARD}")
            cell.parent.remove(cell)
            card.insert(1, cell)


def setup(app) -> dict:
    app.add_post_transform(SummaryPicture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
