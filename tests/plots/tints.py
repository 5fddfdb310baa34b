"""Read from a figure which side of a boundary a point lies on, by the tint under it."""

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.path import Path

from pla_lib.plots import colour


def tinted(ax, points) -> list[int]:
    """+1 for each point on blue, -1 for each on vermilion, 0 for each on neither; a tinted part may have holes."""
    sides = np.zeros(len(points), int)
    for label, name in ((+1, "positive"), (-1, "negative")):
        for part in ax.collections:
            if part.filled and to_hex(part.get_facecolor()[0]).upper() == colour(name):
                rings = [Path(ring) for ring in part.get_paths()[0].to_polygons()]
                sides += label * (sum(ring.contains_points(points) for ring in rings) % 2)
    return sides.tolist()
