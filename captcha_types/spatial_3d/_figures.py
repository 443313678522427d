"""Figures of blocks: how they grow, how they are changed a little, their cameras."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import solid
from factory.draw.solid import lattice
from factory.draw.solid.scene import SIDES, Cell

SPAN = 3
"""Blocks along any axis at most."""

GROWTHS = 60
"""Figures that are grown for one that can be read."""

LEAST_SEEN = 2
"""Triangles, of six, that every block of the figure asked about shows: a third of what it can."""

EDITS = 40
"""Blocks that are moved for one figure that looks different enough."""


@dataclass(frozen=True)
class Figure:
    """Blocks, and those of them that have the second colour. JSON-able."""

    cells: tuple[Cell, ...]
    marked: tuple[Cell, ...] = ()

    def seen(self, quadrant: int) -> lattice.Seen:
        """What is seen of it from above a corner."""
        return lattice.seen_from(self.cells, quadrant)


def _beside(cells: Sequence[Cell]) -> list[Cell]:
    """Free places that touch a figure and stay within its span."""
    spans = [(min(c[k] for c in cells), max(c[k] for c in cells)) for k in range(3)]
    found = {(x + a, y + b, z + c) for x, y, z in cells for a, b, c in SIDES} - set(cells)
    return sorted(
        place
        for place in found
        if place[2] >= 0
        and all(high - SPAN < at < low + SPAN for at, (low, high) in zip(place, spans, strict=True))
    )


def joined(cells: Sequence[Cell]) -> bool:
    """Whether blocks hang together by their sides."""
    left, queue = set(cells[1:]), [cells[0]]
    while queue:
        x, y, z = queue.pop()
        for a, b, c in SIDES:
            place = (x + a, y + b, z + c)
            if place in left:
                left.remove(place)
                queue.append(place)
    return not left


def grown(stream: Stream, count: int, quadrant: int, marks: int) -> Figure:
    """A figure whose blocks are all seen from a corner, and that is not its own mirror image."""
    for _ in range(GROWTHS):
        cells: list[Cell] = [(0, 0, 0)]
        while len(cells) < count:
            cells.append(stream.choice(_beside(cells)))
            shown = lattice.blocks_seen(lattice.seen_from(cells, quadrant))
            if len(shown) < len(cells) or min(shown.values()) < LEAST_SEEN:
                cells.pop()
                if stream.chance(0.2):
                    break
        if len(cells) < count:
            continue
        figure = Figure(lattice.rested(cells))
        if readable(figure, quadrant):
            return replace(figure, marked=tuple(stream.sample(figure.cells, marks)))
    raise Rejected("no figure can be read", value=count, limit=GROWTHS)


def readable(figure: Figure, quadrant: int) -> bool:
    """Whether it is solid, has a handedness, and shows enough of every block."""
    cells = figure.cells
    if min(max(c[axis] for c in cells) for axis in range(3)) < 1:
        return False
    shown = lattice.blocks_seen(figure.seen(quadrant))
    if len(shown) < len(cells) or min(shown.values()) < LEAST_SEEN:
        return False
    return lattice.rested(lattice.mirrored(cells)) not in lattice.upright_forms(cells)


def mirror_image(figure: Figure) -> Figure:
    """The figure in a mirror."""
    low = max(c[0] for c in figure.cells)
    cells, marked = (
        tuple(sorted((low - x, y, z) for x, y, z in some)) for some in (figure.cells, figure.marked)
    )
    return Figure(cells, marked)


def moved(stream: Stream, figure: Figure) -> Figure:
    """The figure with one block of the first colour in another place."""
    plain = [cell for cell in figure.cells if cell not in figure.marked]
    taken = stream.choice(plain)
    rest = [cell for cell in figure.cells if cell != taken]
    places = [place for place in _beside(rest) if place != taken]
    return Figure(tuple(sorted([*rest, stream.choice(places)])), figure.marked)


@lru_cache(maxsize=1024)
def _pattern(figure: Figure, quadrant: int) -> lattice.Pattern:
    return lattice.pattern(figure.seen(quadrant), figure.marked)


def apart(figure: Figure, other: Figure, quadrant: int) -> int:
    """Triangles by which a view of ``other`` differs from every view of ``figure``."""
    seen = _pattern(other, quadrant)
    return min(lattice.difference(seen, _pattern(figure, corner)) for corner in range(4))


def changed(
    stream: Stream,
    figure: Figure,
    quadrant: int,
    least: int,
    mirrors: float,
    others: Sequence[Figure] = (),
) -> Figure:
    """Another figure that looks different from a corner by ``least`` triangles or more.

    It is none of ``others`` either, wherever it is seen from.
    """
    forms = {form for own in (figure, *others) for form in lattice.upright_forms(own.cells)}
    for _ in range(EDITS):
        other = mirror_image(figure) if stream.chance(mirrors) else moved(stream, figure)
        stands = min(c[2] for c in other.cells) == 0 and joined(other.cells)
        same = lattice.rested(other.cells) in forms
        if stands and not same and apart(figure, other, quadrant) >= least:
            return other
    raise Rejected("no change that is seen", value=0, limit=least)


def camera_of(
    stream: Stream, quadrant: int, figure: Figure, box: Box, off_deg: float
) -> solid.Camera:
    """A camera over a corner, up to ``off_deg`` beside the diagonal, that shows all of a figure."""
    azimuth = 45.0 + 90.0 * quadrant + stream.uniform(-off_deg, off_deg)
    middle = tuple(max(c[axis] for c in figure.cells) / 2 + 0.5 for axis in range(3))
    camera = solid.Camera.around(middle, azimuth, stream.uniform(29.0, 37.0), 13.0)  # pyright: ignore[reportArgumentType]
    corners = [
        (float(x + a), float(y + b), float(z + c))
        for x, y, z in figure.cells for a in (0, 1) for b in (0, 1) for c in (0, 1)
    ]  # fmt: skip
    # All figures of a board have blocks of one size: the largest figure sets it.
    fitted = camera.fitted(corners, box)
    return replace(fitted, focus=min(fitted.focus, BLOCK_PX * box.height * 13.0))


BLOCK_PX = 0.3
"""Side of a block, by the height of its tile, at most."""
