"""What a figure is made of."""


def named(ax, label: str):
    """The one line with this label."""
    (line,) = (line for line in ax.lines if line.get_label() == label)
    return line
