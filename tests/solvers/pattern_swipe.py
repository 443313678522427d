"""The independent judge of ``pattern_swipe``: reads the line off the small copy.

Two neighbours are joined where there is ink at two places between them. Of the two dots with one
joined neighbour the first is the one with ink on the far side of its line: the big dot.
The places of the large dots and of the copy are the record's.
"""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from factory.core.actions import ActionBase, Drag
from factory.core.geometry import Box
from factory.testing import View

COPY_CSS, EDGE_CSS = 56.0, 3.0
"""Side of the copy, and the free space between its border and its lattice."""

BEHIND = 0.24
"""How far behind a dot ink is looked for, by the pitch."""

ON = (0.3, 0.7)
"""Where ink is looked for between two dots: half way two diagonals meet."""

INKED = 0.35
"""Mean share of the strongest contrast in the copy from which on a line passes."""


def solve(view: View) -> list[ActionBase]:
    """Strokes over the large dots in the order of the copy."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    count = sum(name.startswith("dot.") for name in regions)
    dots, side = [regions[f"dot.{k}"].center for k in range(count)], round(count**0.5)
    order = _order(_Copy(view, regions["reference"], side), side)
    return [Drag(dots[a], dots[b]) for a, b in pairwise(order)]


class _Copy:
    """Ink in the copy, by places ``(row, column)`` of its lattice."""

    def __init__(self, view: View, box: Box, side: int) -> None:
        scale = box.width / COPY_CSS
        x0, y0, x1, y1 = box.grown(-2.0 * scale).outer_pixels()
        pixels = view.picture[y0:y1, x0:x1].astype(np.float32)
        ground = np.median(pixels.reshape(-1, 3), axis=0)
        contrast = np.linalg.norm(pixels - ground, axis=2)
        self.ink = contrast / np.percentile(contrast, 98)
        edge = EDGE_CSS * scale
        self.pitch = (box.width - 2 * edge) / side
        self.corner = (box.y0 + edge - y0, box.x0 + edge - x0)

    def around(self, row: float, column: float) -> np.ndarray:
        """Ink within a px of a place of the lattice."""
        y = self.corner[0] + (row + 0.5) * self.pitch
        x = self.corner[1] + (column + 0.5) * self.pitch
        return self.ink[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2]


def _order(copy: _Copy, side: int) -> list[int]:
    """The dots of the line, counted along the rows."""
    joined: dict[int, list[int]] = {}
    for a, b in combinations(range(side * side), 2):
        here, there = divmod(a, side), divmod(b, side)
        if max(abs(m - n) for m, n in zip(here, there, strict=True)) > 1:
            continue
        inked = [
            copy.around(*(m + t * (n - m) for m, n in zip(here, there, strict=True))).mean()
            for t in ON
        ]
        if min(inked) > INKED:
            joined.setdefault(a, []).append(b)
            joined.setdefault(b, []).append(a)
    ends = [dot for dot, others in joined.items() if len(others) == 1]
    path = [max(ends, key=lambda dot: _behind(copy, dot, joined[dot][0], side))]
    while ahead := [dot for dot in joined[path[-1]] if dot not in path]:
        path.append(ahead[0])
    return path


def _behind(copy: _Copy, dot: int, other: int, side: int) -> float:
    """The ink beyond a dot, seen from its only neighbour."""
    (row, column), (before, there) = divmod(dot, side), divmod(other, side)
    length = ((row - before) ** 2 + (column - there) ** 2) ** 0.5
    step = BEHIND / length
    spot = copy.around(row + step * (row - before), column + step * (column - there))
    return float(spot.mean())
