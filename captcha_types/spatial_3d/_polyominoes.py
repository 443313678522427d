"""Polyominoes: their turns, shapes cut into pieces, pieces that almost fill them, exact cover."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from factory.core.errors import Rejected
from factory.core.rng import Stream

Cell = tuple[int, int]
"""Column and row."""

Shape = tuple[Cell, ...]
"""Cells that hang together edge to edge, sorted, the least column and row 0."""

Set = tuple[Shape, ...]
"""Pieces."""

STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
SHAPES_TRIED, EDITS_TRIED = 60, 40


def normal(cells: Sequence[Cell]) -> Shape:
    """The cells moved to the corner."""
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return tuple(sorted((x - left, y - top) for x, y in cells))


@lru_cache(maxsize=4096)
def poses(shape: Shape, mirrored: bool) -> tuple[Shape, ...]:
    """A shape in all its turns, and mirrored where that is allowed, each once."""
    found: list[Shape] = []
    for flip in (False, True)[: 1 + mirrored]:
        cells = [(-x, y) for x, y in shape] if flip else list(shape)
        for _ in range(4):
            cells = [(-y, x) for x, y in cells]
            found.append(normal(cells))
    return tuple(sorted(set(found)))


def kind(shape: Shape, mirrored: bool) -> Shape:
    """The same for all shapes that are one piece."""
    return poses(shape, mirrored)[0]


def kinds(pieces: Set, mirrored: bool) -> tuple[Shape, ...]:
    """The same for all sets of the same pieces."""
    return tuple(sorted(kind(piece, mirrored) for piece in pieces))


def extent(shape: Shape) -> Cell:
    """Columns and rows."""
    return max(x for x, _ in shape) + 1, max(y for _, y in shape) + 1


def beside(cells: Sequence[Cell]) -> list[Cell]:
    """Cells that share an edge with one of these, sorted."""
    own = set(cells)
    return sorted({(x + dx, y + dy) for x, y in cells for dx, dy in STEPS} - own)


def hangs_together(cells: Sequence[Cell]) -> bool:
    """Whether there is a way from each cell to each other."""
    own, reached, edge = set(cells), {cells[0]}, [cells[0]]
    while edge:
        x, y = edge.pop()
        for dx, dy in STEPS:
            near = (x + dx, y + dy)
            if near in own and near not in reached:
                reached.add(near)
                edge.append(near)
    return len(reached) == len(own)


def has_hole(shape: Shape) -> bool:
    """Whether it encloses cells that are not its own."""
    wide, tall = extent(shape)
    outer = [(x, y) for x, y in product(range(-1, wide + 1), range(-1, tall + 1))
             if (x, y) not in set(shape)]  # fmt: skip
    return not hangs_together(outer)


def grown(stream: Stream, size: int, start: Cell, taken: Sequence[Cell]) -> list[Cell] | None:
    """A random shape of ``size`` from a cell on, clear of others; None where it is shut in."""
    cells, barred = [start], set(taken)
    while len(cells) < size:
        free = [cell for cell in beside(cells) if cell not in barred]
        if not free:
            return None
        cells.append(stream.choice(free))
    return cells


def choose_cut(stream: Stream, sizes: Sequence[int], most: Cell) -> tuple[Shape, Set]:
    """A shape without holes of ``most`` columns and rows at most, and pieces that fill it."""
    for _ in range(SHAPES_TRIED):
        cells, pieces = list[Cell](), list[list[Cell]]()
        for size in sizes:
            start = stream.choice(beside(cells)) if cells else (0, 0)
            piece = grown(stream, size, start, cells)
            if piece is None:
                break
            pieces.append(piece)
            cells += piece
        shape = normal(cells)
        wide, tall = extent(shape)
        if len(pieces) < len(sizes) or wide > most[0] or tall > most[1] or has_hole(shape):
            continue
        if min(wide, tall) > 1:
            return shape, tuple(normal(piece) for piece in pieces)
    raise Rejected("no shape of these pieces", value=sum(sizes), limit=most[0] * most[1])


def edited(stream: Stream, pieces: Set) -> Set:
    """The pieces with one cell of one of them moved, or with one of them mirrored."""
    place = stream.integer(0, len(pieces))
    piece = pieces[place]
    other = normal([(-x, y) for x, y in piece])
    if stream.chance(0.7) or other in poses(piece, mirrored=False):
        rest = list(piece)
        rest.pop(stream.integer(0, len(rest)))
        other = normal([*rest, stream.choice([c for c in beside(rest) if c not in piece])])
    return (*pieces[:place], other, *pieces[place + 1 :])


def choose_others(
    stream: Stream, target: Shape, pieces: Set, count: int, *, mirrored: bool, edits: int
) -> list[Set]:
    """Sets that do not fill the target, all different, each some edits away from the right one."""
    found, seen = list[Set](), {kinds(pieces, mirrored)}
    for _ in range(EDITS_TRIED * count):
        if len(found) == count:
            return found
        other = pieces
        for _ in range(stream.integer(1, edits + 1)):
            other = edited(stream, other)
        name = kinds(other, mirrored)
        whole = all(hangs_together(piece) for piece in other)
        if whole and name not in seen and not fills(target, other, mirrored):
            seen.add(name)
            found.append(other)
    if len(found) < count:
        raise Rejected("too few sets that do not fit", value=len(found), limit=count)
    return found


def fills(target: Shape, pieces: Set, mirrored: bool) -> bool:
    """Whether the pieces tile the target: the first free cell is covered in every way."""
    return _covers(frozenset(target), kinds(pieces, mirrored), mirrored)


@lru_cache(maxsize=8192)
def _covers(free: frozenset[Cell], pieces: tuple[Shape, ...], mirrored: bool) -> bool:
    if not pieces:
        return not free
    if sum(len(piece) for piece in pieces) != len(free):
        return False
    x, y = min(free)
    for place, piece in enumerate(pieces):
        if piece in pieces[:place]:
            continue
        rest = pieces[:place] + pieces[place + 1 :]
        for pose in poses(piece, mirrored):
            dx, dy = pose[0]
            laid = frozenset((a - dx + x, b - dy + y) for a, b in pose)
            if laid <= free and _covers(free - laid, rest, mirrored):
                return True
    return False


def tilings(target: Shape, pieces: Set, mirrored: bool) -> int:
    """In how many ways the pieces, one after another, cover the target: by bit masks of all
    placements."""
    bit = {cell: 1 << place for place, cell in enumerate(target)}
    wide, tall = extent(target)
    ways = {0: 1}
    for piece in pieces:
        masks = [
            sum(bit[a + x, b + y] for a, b in pose)
            for pose in poses(piece, mirrored)
            for x, y in product(range(wide), range(tall))
            if all((a + x, b + y) in bit for a, b in pose)
        ]
        after: dict[int, int] = {}
        for covered, count in ways.items():
            for mask in masks:
                if not covered & mask:
                    after[covered | mask] = after.get(covered | mask, 0) + count
        ways = after
    return ways.get((1 << len(target)) - 1, 0)
