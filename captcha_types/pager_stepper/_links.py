"""Lines between things: bent on their way, clear of all other things, in several dashes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import skia

from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw.styles import rgb_colour

Dash = Literal["solid", "dashed", "dotted"]
DASHES: dict[Dash, tuple[float, ...]] = {"solid": (), "dashed": (9.0, 6.0), "dotted": (0.1, 6.5)}

CLEAR_CSS = 5.0
"""Between a line and the circle around a thing that it does not join."""

TOUCH_CSS = 2.5
"""Between the end of a line and the circle around its thing."""

TRIES = 36
WIDTH_CSS = 3.2


@dataclass(frozen=True)
class Link:
    """A line in CSS px of the page, from thing ``a`` to thing ``b``. JSON-able."""

    a: int
    b: int
    points: tuple[tuple[float, float], ...]
    colour: str


def route(
    stream: Stream, room: Box, places: Sequence[Point], reach: float, ends: tuple[int, int],
    bends: int, colour: str,
) -> Link | None:  # fmt: skip
    """A line with ``bends`` (more where it has to give way); None when none is found."""
    first, last = places[ends[0]], places[ends[1]]
    for attempt in range(TRIES):
        count = bends + attempt * 2 // TRIES
        way = [Point(stream.uniform(room.x0, room.x1), stream.uniform(room.y0, room.y1))
               for _ in range(count)]  # fmt: skip
        points = [first, *sorted(way, key=lambda p: _along(p, first, last)), last]
        points[0] = _toward(first, points[1], reach + TOUCH_CSS)
        points[-1] = _toward(last, points[-2], reach + TOUCH_CSS)
        drawn = tuple((round(p.x, 6), round(p.y, 6)) for p in points)
        link = Link(*ends, drawn, colour)
        if clearance(link, places) >= reach + CLEAR_CSS and _open(points, first, last, reach):
            return link
    return None


def _along(point: Point, first: Point, last: Point) -> float:
    return (point.x - first.x) * (last.x - first.x) + (point.y - first.y) * (last.y - first.y)


def _toward(at: Point, other: Point, far: float) -> Point:
    """The point ``far`` from ``at`` on the way to ``other``."""
    whole = max(1e-6, math.sqrt((other.x - at.x) ** 2 + (other.y - at.y) ** 2))
    return Point(at.x + (other.x - at.x) * far / whole, at.y + (other.y - at.y) * far / whole)


def _open(points: Sequence[Point], first: Point, last: Point, reach: float) -> bool:
    """Whether a line leaves its things and does not come back to them, nor turn sharply."""
    inner = list(pairwise(points))
    if any(segment_gap(first, a, b) < reach + CLEAR_CSS for a, b in inner[1:]):
        return False
    if any(segment_gap(last, a, b) < reach + CLEAR_CSS for a, b in inner[:-1]):
        return False
    for (a, b), (_, c) in pairwise(inner):
        u, v = (b.x - a.x, b.y - a.y), (c.x - b.x, c.y - b.y)
        if u[0] * v[0] + u[1] * v[1] < -0.2 * math.hypot(*u) * math.hypot(*v):
            return False
    return all(math.dist(a, b) > 14.0 for a, b in inner)


def segment_gap(point: Point, a: Point, b: Point) -> float:
    """How far a point is from a segment."""
    dx, dy = b.x - a.x, b.y - a.y
    along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / max(1e-9, dx * dx + dy * dy)
    along = min(1.0, max(0.0, along))
    return math.sqrt((point.x - a.x - along * dx) ** 2 + (point.y - a.y - along * dy) ** 2)


def clearance(link: Link, places: Sequence[Point]) -> float:
    """How near a line comes to the middle of a thing that it does not join."""
    segments = list(pairwise(Point(x, y) for x, y in link.points))
    others = [at for k, at in enumerate(places) if k not in (link.a, link.b)]
    return min((segment_gap(at, a, b) for at in others for a, b in segments), default=math.inf)


def joined(link: Link, places: Sequence[Point]) -> frozenset[int]:
    """The things nearest to the two ends of a line."""
    ends = (link.points[0], link.points[-1])
    return frozenset(
        min(range(len(places)), key=lambda k: math.dist(places[k], end)) for end in ends
    )


def paint_links(canvas: Any, links: Sequence[Link], dash: Dash, halo: str) -> None:
    """Lines over a halo, with a dot at each end."""
    for link in links:
        path = skia.Path()
        path.addPoly([skia.Point(x, y) for x, y in link.points], False)
        canvas.drawPath(path, _stroke(halo, WIDTH_CSS + 2.4, "solid", 120))
        canvas.drawPath(path, _stroke(link.colour, WIDTH_CSS, dash, 255))
        for x, y in (link.points[0], link.points[-1]):
            dot = skia.Paint(Color=rgb_colour(link.colour), AntiAlias=True)
            canvas.drawCircle(x, y, 3.6, dot)


def _stroke(colour: str, width: float, dash: Dash, alpha: int) -> Any:
    paint = skia.Paint(
        Color=rgb_colour(colour, alpha),
        AntiAlias=True,
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=width,
        StrokeJoin=skia.Paint.kRound_Join,
        StrokeCap=skia.Paint.kRound_Cap,
    )
    if DASHES[dash]:
        paint.setPathEffect(skia.DashPathEffect.Make(list(DASHES[dash]), 0.0))
    return paint
