"""What is seen of unit blocks from an upper corner of space, on the lattice of triangles.

Seen along a diagonal of space every side of a block covers two triangles of one lattice, and a
triangle shows exactly one side. So two figures of blocks can be compared, and hidden blocks
found, in whole numbers; cameras within some 20 degrees of the diagonal see nearly the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factory.draw.solid.scene import Cell

Triangle = tuple[int, int, int]
"""(a, b, half): coordinates x - z and y - z of a lattice square, and which half of it."""

Seen = Mapping[Triangle, tuple[int, Cell]]
"""By triangle: the axis that the side looks along (0, 1, 2), and the block."""


def turned_about(cells: Sequence[Cell], quarters: int) -> list[Cell]:
    """Blocks after quarter turns about the vertical, anticlockwise seen from above."""
    found = list(cells)
    for _ in range(quarters % 4):
        found = [(-1 - y, x, z) for x, y, z in found]
    return found


def mirrored(cells: Sequence[Cell]) -> list[Cell]:
    """Blocks in a mirror that stands across x."""
    return [(-1 - x, y, z) for x, y, z in cells]


def rested(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Blocks moved so that their least coordinates are 0, in order."""
    low = [min(cell[axis] for cell in cells) for axis in range(3)]
    return tuple(sorted((x - low[0], y - low[1], z - low[2]) for x, y, z in cells))


def upright_forms(cells: Sequence[Cell]) -> frozenset[tuple[Cell, ...]]:
    """The four forms of a figure that stands upright."""
    return frozenset(rested(turned_about(cells, quarters)) for quarters in range(4))


def seen_from(cells: Sequence[Cell], quadrant: int) -> Seen:
    """What is seen from above a corner; quadrant 0 has the viewer at +x, +y, 1 at -x, +y."""
    nearest: dict[Triangle, tuple[int, int, Cell]] = {}
    for cell, (i, j, k) in zip(cells, turned_about(cells, -quadrant), strict=True):
        a, b, depth = i - k, j - k, i + j + k
        for triangle, side in (
            ((a - 1, b - 1, 0), 2), ((a - 1, b - 1, 1), 2),
            ((a, b - 1, 1), 0), ((a, b, 0), 0),
            ((a - 1, b, 0), 1), ((a, b, 1), 1),
        ):  # fmt: skip
            if triangle not in nearest or nearest[triangle][0] < depth:
                nearest[triangle] = (depth, side, cell)
    return {triangle: (side, cell) for triangle, (_, side, cell) in nearest.items()}


def blocks_seen(seen: Seen) -> dict[Cell, int]:
    """How many triangles each block shows, of six; hidden blocks are missing."""
    counts: dict[Cell, int] = {}
    for _, cell in seen.values():
        counts[cell] = counts.get(cell, 0) + 1
    return counts


Pattern = tuple[frozenset[tuple[int, int, int, int, bool]], ...]
"""A view as (a, b, half, side, marked), moved so that its least and its greatest a, b are 0."""


def pattern(seen: Seen, marked: Sequence[Cell]) -> Pattern:
    """What a view looks like, wherever it lies; sides of ``marked`` blocks differ from others."""
    found: list[frozenset[tuple[int, int, int, int, bool]]] = []
    for pick in (min, max):
        a, b = pick(t[0] for t in seen), pick(t[1] for t in seen)
        found.append(frozenset(
            (t[0] - a, t[1] - b, t[2], side, cell in marked) for t, (side, cell) in seen.items()
        ))  # fmt: skip
    return tuple(found)


def difference(first: Pattern, second: Pattern) -> int:
    """Triangles by which two views differ, laid over each other at the foot or at the top."""
    return min(
        max(len(one), len(two)) - len(one & two) for one, two in zip(first, second, strict=True)
    )
