"""Outlines with areas as wanted: a picture cut into shards or rooms, and wobbly islands.

Polygons are tuples of (x, y) in CSS px from the picture's corner, rounded to 1e-6.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw import layout
from factory.draw.figure_outlines import Corner, Polygon, area_of

HALVINGS = 22
"""Steps that find where to cut: a few millionths of the piece."""

WAYS = 5
"""Directions of a cut that are tried: the one that leaves the fattest pieces is taken."""

STRAY_DEG = 34.0
"""How far cuts of shards stray from being across."""

ROUND = 24
"""Corners of an island."""

WAVES = ((2, 0.16), (3, 0.10), (4, 0.05))
"""Waves around an island and how high each may be, by its radius."""

MOST_REACH = 1.36
"""Reach of an island by the radius of a disc of its area: what the waves can add up to."""

APART_CSS = 7.0
"""Between islands, and between them and the picture's edge."""

ISLANDS_FILL = 0.5


def _cut(corners: Sequence[Corner], nx: float, ny: float, at: float) -> list[Corner]:
    """The part of a convex polygon where ``nx x + ny y <= at``."""
    kept: list[Corner] = []
    before = corners[-1]
    far = nx * before[0] + ny * before[1] - at
    for here in corners:
        near = nx * here[0] + ny * here[1] - at
        if (near <= 0) != (far <= 0):
            t = far / (far - near)
            kept.append(
                (before[0] + t * (here[0] - before[0]), before[1] + t * (here[1] - before[1]))
            )
        if near <= 0:
            kept.append(here)
        before, far = here, near
    return kept


def _halves(
    corners: Sequence[Corner], share: float, way: float
) -> tuple[list[Corner], list[Corner]]:
    """A convex polygon cut across a direction (radians), the first part having ``share`` of it."""
    nx, ny = math.cos(way), math.sin(way)
    along = [nx * x + ny * y for x, y in corners]
    low, high, aim = min(along), max(along), share * area_of(corners)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        part = _cut(corners, nx, ny, middle)
        if len(part) > 2 and area_of(part) > aim:
            high = middle
        else:
            low = middle
    return _cut(corners, nx, ny, high), _cut(corners, -nx, -ny, -high)


def _fatness(corners: Sequence[Corner]) -> float:
    """Area over the square of the longest way through: 0.6 of a regular hexagon, 0 of a line."""
    longest = max(math.dist(a, b) for a in corners for b in corners)
    return area_of(corners) / (longest * longest)


def cut_up(stream: Stream, area: Box, weights: Sequence[float], *, upright: bool) -> list[Polygon]:
    """A picture cut into convex pieces whose areas are as ``weights``; ``upright``: into rooms."""
    whole = [(area.x0, area.y0), (area.x1, area.y0), (area.x1, area.y1), (area.x0, area.y1)]
    return [
        tuple((round(x, 6), round(y, 6)) for x, y in piece)
        for piece in _pieces(stream, whole, weights, upright)
    ]


def _pieces(
    stream: Stream, corners: list[Corner], weights: Sequence[float], upright: bool
) -> list[list[Corner]]:
    if len(weights) == 1:
        return [corners]
    at = len(weights) // 2 + (len(weights) % 2 and stream.integer(0, 2))
    share = math.fsum(weights[:at]) / math.fsum(weights)
    found = [_halves(corners, share, way) for way in _ways(stream, corners, upright)]
    first, second = max(found, key=lambda pair: min(map(_fatness, pair)))
    return [
        *_pieces(stream, first, weights[:at], upright),
        *_pieces(stream, second, weights[at:], upright),
    ]


def _ways(stream: Stream, corners: Sequence[Corner], upright: bool) -> list[float]:
    """Directions across which a piece may be cut, radians; either side comes first as often."""
    turned = stream.choice((0.0, math.pi))
    if upright:
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        wide = max(xs) - min(xs) > max(ys) - min(ys)
        return [turned + (0.0 if wide else math.pi / 2)]
    a, b = max(
        ((a, b) for a in corners for b in corners if a < b), key=lambda pair: math.dist(*pair)
    )
    along = turned + math.atan2(b[1] - a[1], b[0] - a[0])
    return [along + math.radians(stream.uniform(-STRAY_DEG, STRAY_DEG)) for _ in range(WAYS)]


def islands(stream: Stream, area: Box, weights: Sequence[float]) -> list[Polygon]:
    """Wobbly islands of areas as ``weights``, in a random order from the left.

    All take the room of the largest, so that no place suits one better than another.
    """
    room = area.width * area.height * ISLANDS_FILL / len(weights)
    most = (math.sqrt(room / math.pi) - APART_CSS / 2) / MOST_REACH
    radii = [most * math.sqrt(weight / max(weights)) for weight in weights]
    inside = area.grown(-APART_CSS)
    places = sorted(
        layout.scatter(stream.child("places"), inside, [most * MOST_REACH] * len(radii), APART_CSS)
    )
    return [_island(stream, at, radius) for at, radius in zip(places, radii, strict=True)]


def _island(stream: Stream, at: Point, radius: float) -> Polygon:
    """A wobbly outline about a place whose area is that of a disc."""
    waves = [
        (count, high * stream.uniform(0.3, 1.0), stream.uniform(0.0, 2 * math.pi))
        for count, high in WAVES
    ]
    corners: list[Corner] = []
    for k in range(ROUND):
        turn = 2 * math.pi * k / ROUND
        far = 1.0 + sum(high * math.cos(count * turn + start) for count, high, start in waves)
        corners.append((far * math.cos(turn), far * math.sin(turn)))
    scale = radius * math.sqrt(math.pi / area_of(corners))
    return tuple((round(at.x + scale * x, 6), round(at.y + scale * y, 6)) for x, y in corners)
