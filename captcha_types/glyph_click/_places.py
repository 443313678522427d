"""Where characters stand: scattered, or one in each tile of a grid; all with the same room."""

from __future__ import annotations

import math

from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw import layout
from factory.draw.styles import RIM_SHARE

REACH = 0.60
"""Radius of a character by its size at most: wider ones are drawn smaller."""

FILLING = 0.40
"""Share of the picture that characters with their gaps take at most: more is hard to scatter."""

EDGE_CSS = 3.0
"""Between ink and the picture's edge."""

PAINTED = 1.3 * RIM_SHARE
"""How far rims and shadows reach beyond the ink at most, by the size."""


BODY = REACH + PAINTED
"""Radius of the room of a character by its size."""


def most_scattered(area: Box, size: float, apart: float) -> int:
    """How many characters of a size have room; ``apart`` is the gap between two by their size."""
    return int(FILLING * area.width * area.height / (math.pi * (size * (BODY + apart / 2)) ** 2))


def grid_size(shape: tuple[int, int], area: Box, apart: float) -> float:
    """The size at which characters have room in each tile of a grid of (columns, rows)."""
    inside = area.grown(-EDGE_CSS)
    return min(inside.width / shape[0], inside.height / shape[1]) / (2 * BODY + apart)


def most_apart(shape: tuple[int, int], area: Box, size: float) -> float:
    """The widest gap, by the size, at which characters of a size have room."""
    columns, count = shape
    if columns:
        return grid_size(shape, area, 0.0) * 2 * BODY / size - 2 * BODY
    return 2 * (math.sqrt(FILLING * area.width * area.height / (count * math.pi)) / size - BODY)


def scattered(
    stream: Stream, count: int, area: Box, size: float, apart: float
) -> tuple[float, list[Point]]:
    """The size at which so many characters have room, and places for them from the left.

    ``apart`` is the gap between two by their size.
    """
    room = count * math.pi * (BODY + apart / 2) ** 2
    size = round(min(size, math.sqrt(FILLING * area.width * area.height / room)), 3)
    radii = [BODY * size] * count
    found = layout.scatter(stream.child("places"), area.grown(-EDGE_CSS), radii, apart * size)
    return size, sorted(found)


def gridded(
    stream: Stream, shape: tuple[int, int], area: Box, size: float, apart: float
) -> tuple[float, list[Point]]:
    """The same for a grid of ``shape``, (columns, rows), in reading order: one in each tile."""
    columns, rows = shape
    tiles = layout.tiles(area.grown(-EDGE_CSS), rows, columns, 0.0)
    size = round(min(size, grid_size(shape, area, apart)), 3)
    own = (2 * BODY + apart) * size
    rooms = [(tile.center, (tile.width - own) / 2, (tile.height - own) / 2) for tile in tiles]
    return size, [
        Point(
            round(at.x + stream.uniform(-1, 1) * max(0.0, dx), 6),
            round(at.y + stream.uniform(-1, 1) * max(0.0, dy), 6),
        )
        for at, dx, dy in rooms
    ]
