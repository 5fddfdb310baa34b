"""Every figure a second time, for phones, with its panels below each other.

For the kernels that run the lectures, and for Python in the reader's browser.
"""

import sys

NARROW = "application/vnd.perceptron.narrow-figure"  # the kind of output; narrow_figures.py puts it on the page
# How figures look on the site: a transparent background, so that the page's colour shows, and names that stay the same.
LOOK = {"figure.facecolor": "none", "axes.facecolor": "none", "svg.hashsalt": "perceptron"}
WIDTH = 4.0  # inches: at 390 px of screen, ten points of text are twelve px


def load_ipython_extension(shell) -> None:
    """Add one more form in which IPython shows things."""
    from IPython.core.formatters import BaseFormatter

    class NarrowFormatter(BaseFormatter):
        # Not a printer for the type, which would be dropped with those that IPython replaces.
        def __call__(self, shown) -> str | None:
            figures = sys.modules.get("matplotlib.figure")
            return narrow_svg(shown) if figures and isinstance(shown, figures.Figure) else None

    # The last one: it changes the figure, and the others have drawn it by then.
    shell.display_formatter.formatters[NARROW] = NarrowFormatter(parent=shell.display_formatter)


def narrow_svg(figure) -> str:
    from IPython.core.pylabtools import print_figure

    stack(figure)
    return print_figure(figure, "svg", bbox_inches="tight")


def stack(figure) -> None:
    """Put the panels of a figure into as few columns as a phone has room for, with no text smaller than ten points."""
    from matplotlib.text import Text

    panels = [ax for ax in figure.axes if ax.get_subplotspec()]
    width, height = figure.get_size_inches()
    room = WIDTH * len(panels) / width + 0.25
    columns = max(count for count in range(1, len(panels) + 1) if count <= max(1, room) and len(panels) % count == 0)
    rows = len(panels) // columns
    grid = figure.add_gridspec(rows, columns)
    for ax, place in zip(panels, grid, strict=True):
        ax.set_subplotspec(place)
        if columns == 1 and not ax.yaxis.get_tick_params().get("labelleft", True):  # it stood beside one that has them
            ax.tick_params(labelleft=True)
            ax.set_ylabel(panels[0].get_ylabel())
    for text in figure.findobj(Text):
        text.set_fontsize(max(text.get_fontsize(), 10))
    square = any(ax.get_aspect() != "auto" for ax in panels)
    tall = WIDTH * (1 if square else 0.85 if rows == 1 else 0.65)
    figure.set_layout_engine("compressed", h_pad=0.1)
    figure.set_size_inches(WIDTH, rows * min(height, tall))
