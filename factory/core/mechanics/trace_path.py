"""Following a path: the Fréchet distance between a pen and a polyline, pen stroke by pen stroke.

A pen follows a path when both can be walked from start to end at once, neither going back,
never farther apart than the tolerance. That refuses shortcuts, loops in the wrong order and
places left out, which the mere distance from the path does not. The decision is the free-space
diagram of Alt and Godau (1995), one column at a time: ``Reach`` holds the places of the path
at which one may stand when the pen is where it is.

All lengths are px of one frame.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

from factory.core.geometry import Point
from factory.core.mechanics.zones import EPSILON_PX, Zone

Reach = tuple[tuple[int, float, float], ...]
"""Per segment of the path in reach: its index and the shares of its length from and to."""


class Way(NamedTuple):
    """A polyline to follow, with the length of the path up to each of its points."""

    points: tuple[Point, ...]
    arcs: tuple[float, ...]

    @classmethod
    def of(cls, points: Sequence[Point]) -> Way:
        """The way along the points."""
        steps = [math.dist(a, b) for a, b in itertools.pairwise(points)]
        return cls(tuple(points), tuple(itertools.accumulate(steps, initial=0.0)))


def window(a: Point, b: Point, center: Point, radius: float) -> tuple[float, float] | None:
    """The shares of the segment from ``a`` to ``b`` that lie in the disc; ``None`` for none."""
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], center[0] - a[0], center[1] - a[1]
    length2, along = ux * ux + uy * uy, ux * vx + uy * vy
    room2 = radius * radius - vx * vx - vy * vy
    if length2 == 0.0:
        return (0.0, 1.0) if room2 >= 0.0 else None
    root2 = along * along + length2 * room2
    if root2 < 0.0:
        return None
    root = math.sqrt(root2)
    low, high = (along - root) / length2, (along + root) / length2
    if high < 0.0 or low > 1.0:
        return None
    return (low if low > 0.0 else 0.0, high if high < 1.0 else 1.0)


def start_reach(way: Way, tol: float, start_tol: float, point: Point) -> Reach:
    """Where one may stand when the pen goes down: near the start, along the path and across."""
    points, arcs = way
    if math.dist(points[0], point) > start_tol + EPSILON_PX:
        return ()
    reach: list[tuple[int, float, float]] = []
    for i in range(len(points) - 1):
        if arcs[i] > start_tol:
            break
        free = window(points[i], points[i + 1], point, tol + EPSILON_PX)
        length = arcs[i + 1] - arcs[i]
        limit = 1.0 if arcs[i + 1] <= start_tol else (start_tol - arcs[i]) / length
        if free is not None and free[0] <= limit:
            reach.append((i, free[0], min(free[1], limit)))
    return tuple(reach)


def advance(way: Way, tol: float, reach: Reach, a: Point, b: Point) -> Reach:
    """Where one may stand once the pen went straight from ``a`` to ``b``."""
    if not reach:
        return ()
    points, radius = way.points, tol + EPSILON_PX
    result: list[tuple[int, float, float]] = []
    i, low, _ = reach[0]
    bottom = window(a, b, points[0], radius) if i == 0 and low <= 0.0 else None
    if bottom is not None and bottom[0] > 0.0:
        bottom = None
    known, count, last = 0, len(reach), len(points) - 1
    while i < last:
        here = known < count and reach[known][0] == i
        if not here and bottom is None:
            if known == count:
                break
            i = reach[known][0]
            continue
        right = window(points[i], points[i + 1], b, radius)
        if right is not None:
            low = right[0] if bottom is not None else max(right[0], reach[known][1])
            if low <= right[1]:
                result.append((i, low, right[1]))
        top = window(a, b, points[i + 1], radius)
        if top is not None and not here and bottom is not None:
            low = max(top[0], bottom[0])
            top = (low, top[1]) if low <= top[1] else None
        bottom, known, i = top, known + here, i + 1
    return tuple(result)


def remaining(way: Way, reach: Reach) -> float:
    """The length of path that is left from the farthest place in reach."""
    if not reach:
        return math.inf
    i, _, high = reach[-1]
    return way.arcs[-1] - way.arcs[i] - high * (way.arcs[i + 1] - way.arcs[i])


def arrived(way: Way, reach: Reach, end_tol: float, point: Point) -> bool:
    """Whether a pen that goes up there has followed the way to its end."""
    room = end_tol + EPSILON_PX
    return math.dist(way.points[-1], point) <= room and remaining(way, reach) <= room


def follows(way: Way, pen: Sequence[Point], tol: float, start_tol: float, end_tol: float) -> bool:
    """Whether the pen's polyline follows the whole way."""
    reach = start_reach(way, tol, start_tol, pen[0])
    for a, b in itertools.pairwise(pen):
        reach = advance(way, tol, reach, a, b)
    return arrived(way, reach, end_tol, pen[-1])


def nearest_share(a: Point, b: Point, point: Point) -> float:
    """The share of the segment at which it comes nearest to the point."""
    ux, uy = b[0] - a[0], b[1] - a[1]
    length2 = ux * ux + uy * uy
    if length2 == 0.0:
        return 0.0
    return min(1.0, max(0.0, ((point[0] - a[0]) * ux + (point[1] - a[1]) * uy) / length2))


def between(a: Point, b: Point, share: float) -> Point:
    """The point at a share of the way from ``a`` to ``b``."""
    return Point(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))


def distance_to(points: Sequence[Point], point: Point) -> float:
    """The distance of a point from a polyline."""
    return min(
        math.dist(point, between(a, b, nearest_share(a, b, point)))
        for a, b in itertools.pairwise(points)
    )


def begun_at(points: Sequence[Point], point: Point) -> tuple[Point, ...]:
    """The closed polyline, beginning and ending where it is nearest to the point."""
    legs = list(itertools.pairwise(points))
    spots = [between(a, b, nearest_share(a, b, point)) for a, b in legs]
    i = min(range(len(legs)), key=lambda k: math.dist(spots[k], point))
    return (spots[i], *points[i + 1 :], *points[1 : i + 1], spots[i])


def clearance(zone: Zone, a: Point, b: Point) -> float:
    """The distance between a segment and a zone, px; 0 when they touch."""
    corners = zone.corners
    if zone.contains(a) or zone.contains(b):
        return 0.0
    for c, d in itertools.pairwise((*corners, corners[0])):
        if _side(a, b, c) * _side(a, b, d) < 0.0 and _side(c, d, a) * _side(c, d, b) < 0.0:
            return 0.0
    near = min(distance_to((a, b), corner) for corner in corners)
    return min(near, zone.distance(a), zone.distance(b))


def _side(a: Point, b: Point, c: Point) -> float:
    """Positive when ``c`` is to the right of the way from ``a`` to ``b`` (y points down)."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def simplified(points: Sequence[Point], tol: float) -> tuple[int, ...]:
    """The indices of points that suffice for a polyline within ``tol`` (Douglas and Peucker)."""
    kept, spans = {0, len(points) - 1}, [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        away = [distance_to((points[first], points[last]), p) for p in points[first + 1 : last]]
        if away and max(away) > tol:
            middle = first + 1 + away.index(max(away))
            kept.add(middle)
            spans += [(first, middle), (middle, last)]
    return tuple(sorted(kept))
