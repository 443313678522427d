"""Where things stand: scattered with gaps, in jittered rows, in grids; bounded, without priors.

Places are drawn first and given out by a random permutation, so that a place
says nothing about the place in the list. All lengths in the px of the area.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from factory.core.errors import InvalidOptions, Rejected
from factory.core.geometry import Box, Point
from factory.core.rng import Stream

DARTS = 40
"""Random places tried for one thing before the whole layout is relaxed instead."""

TRIES = 6
"""Layouts begun anew before the area is called too full."""

SWEEPS = 120
"""Rounds of pushing apart: enough for forty discs that fill 0.45 of their area."""

SPARE = 0.05
"""Px that pushed things are put apart beyond their gap, so that rounding keeps it."""

Shortfall = Callable[[int, Point, int, Point], tuple[float, float]]
"""How far thing ``i`` at a point must be moved from ``j`` at another: (dx, dy), zeros for not."""


def scatter(stream: Stream, area: Box, radii: Sequence[float], gap: float) -> list[Point]:
    """Centres of discs inside ``area``, ``gap`` or more apart, rounded to 1e-6.

    Things of other shapes stand in for their discs (``glyphs.reach``). Up to
    45 % of the area (counting half the gap around each) it does not fail;
    ``Rejected`` when the discs do not fit.
    """

    def short(i: int, a: Point, j: int, b: Point) -> tuple[float, float]:
        need = radii[i] + radii[j] + gap
        dx, dy = a.x - b.x, a.y - b.y
        if abs(dx) >= need or abs(dy) >= need:
            return 0.0, 0.0
        far = math.sqrt(dx * dx + dy * dy)
        if far >= need:
            return 0.0, 0.0
        if far < 1e-9:
            return need, 0.0
        return (need - far) * dx / far, (need - far) * dy / far

    rooms = [area.grown(-radius) for radius in radii]
    return _placed(stream, rooms, radii, short)


def scatter_boxes(
    stream: Stream, area: Box, sizes: Sequence[tuple[float, float]], gap: float
) -> list[Point]:
    """Centres of boxes (width, height) inside ``area``, ``gap`` or more apart on one axis."""

    def short(i: int, a: Point, j: int, b: Point) -> tuple[float, float]:
        across = (sizes[i][0] + sizes[j][0]) / 2 + gap - abs(a.x - b.x)
        down = (sizes[i][1] + sizes[j][1]) / 2 + gap - abs(a.y - b.y)
        if across <= 0 or down <= 0:
            return 0.0, 0.0
        if across < down:
            return math.copysign(across, a.x - b.x), 0.0
        return 0.0, math.copysign(down, a.y - b.y)

    rooms = [
        Box(area.x0 + w / 2, area.y0 + h / 2, area.x1 - w / 2, area.y1 - h / 2) for w, h in sizes
    ]
    return _placed(stream, rooms, [max(size) for size in sizes], short)


def _placed(
    stream: Stream, rooms: Sequence[Box], ranks: Sequence[float], short: Shortfall
) -> list[Point]:
    """Centres inside their rooms without shortfalls: by darts, large things first, else pushed."""
    for index, room in enumerate(rooms):
        if room.width < 0 or room.height < 0:
            raise Rejected("larger than its area", value=ranks[index], limit=room.width)
    for _ in range(TRIES):
        order = sorted(stream.shuffled(range(len(rooms))), key=lambda i: -ranks[i])
        places: dict[int, Point] = {}
        crowded = False
        for i in order:
            places[i], free = _dart(stream, i, rooms[i], places, short)
            crowded = crowded or not free
        if not crowded or _pushed(places, rooms, short):
            return [Point(round(places[i].x, 6), round(places[i].y, 6)) for i in range(len(rooms))]
    raise Rejected("no room for so many", value=len(rooms), limit=TRIES)


def _anywhere(stream: Stream, room: Box) -> Point:
    return Point(stream.uniform(room.x0, room.x1), stream.uniform(room.y0, room.y1))


def _dart(
    stream: Stream, i: int, room: Box, places: dict[int, Point], short: Shortfall
) -> tuple[Point, bool]:
    """A free place, or any place when no dart found one."""
    at = _anywhere(stream, room)
    for _ in range(DARTS):
        if not any(any(short(i, at, j, other)) for j, other in places.items()):
            return at, True
        at = _anywhere(stream, room)
    return at, False


def _pushed(places: dict[int, Point], rooms: Sequence[Box], short: Shortfall) -> bool:
    """Push things apart, back into their rooms, until nothing falls short; whether that came."""
    for _ in range(SWEEPS):
        free = True
        for i in places:
            for j in places:
                if j >= i:
                    continue
                dx, dy = short(i, places[i], j, places[j])
                if dx or dy:
                    free = False
                    spare = 0.5 + SPARE / (abs(dx) + abs(dy) + SPARE)
                    places[i] = _inside(rooms[i], places[i], spare * dx, spare * dy)
                    places[j] = _inside(rooms[j], places[j], -spare * dx, -spare * dy)
        if free:
            return True
    return False


def _inside(room: Box, at: Point, dx: float, dy: float) -> Point:
    return Point(
        min(max(at.x + dx, room.x0), room.x1),
        min(max(at.y + dy, room.y0), room.y1),
    )


def spread(radii: Sequence[float], gap: float, area: Box) -> float:
    """The share of an area that discs fill, half the gap around each counted."""
    return sum(math.pi * (r + gap / 2) ** 2 for r in radii) / (area.width * area.height)


def row(
    stream: Stream,
    area: Box,
    widths: Sequence[float],
    *,
    overlap: float = 0.0,
    jitter_x: float = 0.0,
    jitter_y: float = 0.0,
) -> list[Point]:
    """Centres of things set left to right, for a line of text.

    Neighbours share ``overlap`` of the narrower one's width, moved by up to
    ``jitter_x`` of it; each is moved up or down by up to ``jitter_y`` px. The
    whole line stands anywhere in ``area`` that it fits; ``Rejected`` when its
    width exceeds the area's. Heights are the caller's to leave room for.
    """
    lefts = [0.0]
    for before, after in pairwise(widths):
        shared = min(before, after) * (overlap + stream.uniform(-jitter_x, jitter_x))
        lefts.append(lefts[-1] + before - shared)
    total = max(left + width for left, width in zip(lefts, widths, strict=True))
    if total > area.width:
        raise Rejected("line wider than its area", value=total, limit=area.width)
    start = area.x0 + stream.uniform(0.0, area.width - total)
    free = max(0.0, area.height / 2 - jitter_y)
    middle = area.center.y + stream.uniform(-free, free)
    return [
        Point(
            round(start + left + width / 2, 6),
            round(middle + stream.uniform(-jitter_y, jitter_y), 6),
        )
        for left, width in zip(lefts, widths, strict=True)
    ]


def tiles(area: Box, rows: int, columns: int, gap: float) -> list[Box]:
    """Equal boxes in reading order with ``gap`` between them, filling ``area``."""
    width = (area.width - gap * (columns - 1)) / columns
    height = (area.height - gap * (rows - 1)) / rows
    if min(width, height) <= 0 or rows < 1 or columns < 1:
        raise InvalidOptions(f"{rows} x {columns} tiles with gaps of {gap} do not fit {area}")
    return [
        Box.sized(area.x0 + c * (width + gap), area.y0 + r * (height + gap), width, height)
        for r in range(rows)
        for c in range(columns)
    ]


def jittered(stream: Stream, cells: Sequence[Box], count: int, size: float) -> list[Point]:
    """Centres of ``count`` things of side ``size``, each anywhere in a cell of its own.

    Cells are chosen and given out by a random permutation; a gap between cells
    is a gap between things. ``Rejected`` when there are too few cells or they
    are too small.
    """
    if count > len(cells):
        raise Rejected("more things than cells", value=count, limit=len(cells))
    rooms = [cell.grown(-size / 2) for cell in stream.sample(list(cells), count)]
    if any(room.width < 0 or room.height < 0 for room in rooms):
        raise Rejected("larger than its cell", value=size, limit=cells[0].width)
    return [Point(round(p.x, 6), round(p.y, 6)) for p in (_anywhere(stream, r) for r in rooms)]
