"""The independent judge of ``trace_path_drag``: sees which cells are joined, then searches a way.

Two neighbouring cells are joined where what lies between them has the colour that surrounds the
dot. Middles of cells are the state's; start and end are the record's.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Point
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("path_reading", Path(__file__).parent)
"""What the judges of paths share."""

NEAR = 60.0
"""Levels, over three channels, within which a px is of the corridor's colour."""

OPEN_SHARE = 0.6
"""Share of places between two cells that have that colour where they are joined."""

ASIDE = 0.5
"""How far from the middle of the corridor is looked, by half its width: dashes run there."""


def solve(view: View) -> list[ActionBase]:
    """Strokes along the cells from the dot to the star."""
    boxes, maze = reading.regions(view), view.state.maze
    slot = boxes["picture"]
    scale = slot.width / view.state.size[0]
    cells = [Point(slot.x0 + scale * x, slot.y0 + scale * y) for x, y in maze.cells]
    first, last = (_nearest(cells, boxes[name].center) for name in ("start", "end"))
    colour = _colour(view.picture, boxes["start"])
    smooth = cv2.GaussianBlur(view.picture, (0, 0), 0.5 * scale).astype(np.float32)
    aside = ASIDE * boxes["start"].width / 2
    way = _search(cells, maze.columns, first, last, lambda a, b: _open(smooth, colour, a, b, aside))
    pen = [cells[cell] for cell in way]
    strokes: list[ActionBase] = [Drag(a, b) for a, b in pairwise(pen)]
    return strokes + ([Click(boxes["submit"].center)] if "submit" in boxes else [])


def _nearest(cells: list[Point], at: Point) -> int:
    return min(range(len(cells)), key=lambda k: np.hypot(cells[k].x - at.x, cells[k].y - at.y))


def _colour(picture: Any, around: Any) -> Any:
    """The usual colour on a ring about the dot."""
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    radius = 0.72 * around.width / 2
    rows = (around.center.y + radius * np.sin(turns)).astype(int)
    columns = (around.center.x + radius * np.cos(turns)).astype(int)
    return np.median(picture[rows, columns].astype(np.float32), axis=0)


def _open(picture: Any, colour: Any, a: Point, b: Point, aside: float) -> bool:
    """Whether the middle third between two cells is of the corridor's colour, beside its middle."""
    t, far = np.linspace(0.38, 0.62, 9), float(np.hypot(b.x - a.x, b.y - a.y))
    shares: list[float] = []
    for off in (-aside / far, aside / far):
        x, y = a.x - off * (b.y - a.y), a.y + off * (b.x - a.x)
        found = picture[(y + t * (b.y - a.y)).astype(int), (x + t * (b.x - a.x)).astype(int)]
        shares.append(float((np.linalg.norm(found - colour, axis=1) < NEAR).mean()))
    return sum(shares) / 2 >= OPEN_SHARE


def _search(cells: list[Point], columns: int, first: int, last: int, joined: Any) -> list[int]:
    """Cells from the first to the last, breadth first."""
    ways = [[first]]
    seen = {first}
    while ways:
        way = ways.pop(0)
        here = way[-1]
        if here == last:
            return way
        row, column = divmod(here, columns)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            other = r * columns + c
            inside = 0 <= c < columns and 0 <= other < len(cells)
            if inside and other not in seen and joined(cells[here], cells[other]):
                seen.add(other)
                ways.append([*way, other])
    return [first, last]
