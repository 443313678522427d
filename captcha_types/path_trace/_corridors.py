"""Corridors over a lattice of cells: one way from a start to an end, and dead ends beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.rng import Stream

LEAST_HALF_CSS, LEAST_WALL_CSS = 9.0, 12.0
MOST_LEGS, LEAST_LEGS = 8, 3


@dataclass(frozen=True)
class Maze:
    """``cells``: middles along the rows of ``columns``, CSS px. ``path``: cells from the start
    to the end; ``spurs``: pairs of a cell that is reached already and the one reached from it.
    ``half``: half the width of the corridors. JSON-able."""

    columns: int
    cells: tuple[tuple[float, float], ...]
    path: tuple[int, ...]
    spurs: tuple[tuple[int, int], ...]
    half: float

    @property
    def links(self) -> list[tuple[int, int]]:
        """Cells between which a corridor leads."""
        return [*pairwise(self.path), *self.spurs]

    def line(self, way: Sequence[int]) -> list[Point]:
        """The middle of the corridor along cells."""
        return [Point(*self.cells[cell]) for cell in way]


def lattice(
    stream: Stream, size: tuple[float, float], rows: int, columns: int, stray: float
) -> tuple[tuple[float, float], ...]:
    """Middles of cells that fill a picture, each off its place by up to ``stray`` of a cell."""
    wide, tall = size[0] / columns, size[1] / rows
    off = stray * min(wide, tall)
    return tuple(
        (round((c + 0.5) * wide + stream.uniform(-off, off), 6),
         round((r + 0.5) * tall + stream.uniform(-off, off), 6))
        for r in range(rows)
        for c in range(columns)
    )  # fmt: skip


def neighbours(cell: int, rows: int, columns: int) -> list[int]:
    """Cells above, below, left and right."""
    row, column = divmod(cell, columns)
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
    return [
        (row + r) * columns + column + c
        for r, c in steps
        if 0 <= row + r < rows and 0 <= column + c < columns
    ]


def legs(path: Sequence[int]) -> int:
    """Straight pieces of a way over cells."""
    steps = [b - a for a, b in pairwise(path)]
    return 1 + sum(a != b for a, b in pairwise(steps))


def walk(
    stream: Stream, begun: tuple[int, ...], rows: int, columns: int, count: int
) -> tuple[int, ...]:
    """A way of ``count`` cells that meets itself nowhere, not even beside; empty for none."""
    if len(begun) == count:
        return begun if LEAST_LEGS <= legs(begun) <= MOST_LEGS else ()
    for cell in stream.shuffled(neighbours(begun[-1], rows, columns)):
        if cell not in begun:
            found = walk(stream, (*begun, cell), rows, columns, count)
            if found:
                return found
    return ()


def spurs(
    stream: Stream, path: Sequence[int], rows: int, columns: int, count: int
) -> tuple[tuple[int, int], ...]:
    """Up to ``count`` steps into free cells, from the way or from a dead end; none from its end."""
    reached, found = list(path[:-1]), list[tuple[int, int]]()
    taken = set(path)
    while len(found) < count:
        steps = [
            (cell, other)
            for cell in reached
            for other in neighbours(cell, rows, columns)
            if other not in taken
        ]
        if not steps:
            break
        cell, other = stream.choice(steps)
        found.append((cell, other))
        reached.append(other)
        taken.add(other)
    return tuple(found)


def way_by_search(maze: Maze) -> list[int]:
    """Cells from the start to the end, by walking all corridors breadth first."""
    came = {maze.path[0]: maze.path[0]}
    ends = [maze.path[0]]
    while ends:
        here = ends.pop(0)
        for a, b in maze.links:
            other = b if here == a else a if here == b else here
            if other not in came:
                came[other] = here
                ends.append(other)
    way = [maze.path[-1]]
    while way[-1] != maze.path[0]:
        way.append(came[way[-1]])
    return way[::-1]


def refuse_maze(maze: Maze, size: tuple[float, float]) -> None:
    """``Rejected`` where there is no one way, or where it cannot be drawn along."""
    entered = [maze.path[0], *(b for _, b in maze.links)]
    if len(set(entered)) != len(entered):
        raise Rejected("corridors meet", value=len(set(entered)), limit=len(entered))
    rows = len(maze.cells) // maze.columns
    for a, b in maze.links:
        if b not in neighbours(a, rows, maze.columns):
            raise Rejected("a corridor skips a cell", value=a, limit=b)
    if not LEAST_LEGS <= legs(maze.path) <= MOST_LEGS:
        raise Rejected("too few or many legs", value=legs(maze.path), limit=LEAST_LEGS)
    if maze.half < LEAST_HALF_CSS:
        raise Rejected("a corridor too narrow", value=maze.half, limit=LEAST_HALF_CSS)
    near = min(math.dist(a, b) for a, b in combinations(maze.cells, 2)) - 2 * maze.half
    if near < LEAST_WALL_CSS:
        raise Rejected("walls too thin", value=near, limit=LEAST_WALL_CSS)
    room = Box(0, 0, *size).grown(-maze.half - 1.0)
    if not all(room.holds(Box(x, y, x, y)) for x, y in maze.cells):
        raise Rejected("a corridor leaves the picture")


def bad_mazes(maze: Maze, size: tuple[float, float]) -> Iterator[tuple[str, Maze]]:
    """Mazes that ``refuse_maze`` refuses."""
    path = maze.path
    yield "corridors meet", replace(maze, spurs=(*maze.spurs, (path[0], path[2])))
    free = [c for c in range(len(maze.cells)) if c not in {*path, *(b for _, b in maze.spurs)}]
    rows = len(maze.cells) // maze.columns
    far = [c for c in free if c not in neighbours(path[0], rows, maze.columns)]
    if far:
        yield "a corridor skips a cell", replace(maze, spurs=(*maze.spurs, (path[0], far[0])))
    yield "too few or many legs", replace(maze, path=path[:2], spurs=())
    yield "a corridor too narrow", replace(maze, half=LEAST_HALF_CSS - 1.0)
    yield "walls too thin", replace(maze, half=2.0 * maze.half)
    gone = ((maze.half, maze.half), *maze.cells[1:])
    yield "a corridor leaves the picture", replace(maze, cells=gone)
