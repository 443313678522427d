"""Zones: filled polygons that a tap has to hit.

A glyph's zone is the hull of its ink, a shape's zone its filled outline. Zones are
judged in pure Python, so that a record needs no geometry library to be judged.
Lengths are px of the frame that the zone stands in, final canvas once mapped.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import msgspec

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point, points_of
from factory.core.mechanics import Similarity

DISC_CORNERS = 32
"""Corners of a disc's polygon: it lies within half a percent of the radius of the circle."""
EPSILON_PX = 1e-9
"""Makes inclusive bounds survive rounding; far below any tolerance in use."""
LEAST_AREA_PX2 = 1e-6
"""A polygon with less area is a line or a point."""
DEEP_SHARE = 0.5
"""A centroid this deep, against the radius of a disc of equal area, is well inside."""
POLE_PRECISION = 0.05
"""How near the best depth the pole has to come, as a share of the smaller side of the box."""


class Zone(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """A filled simple polygon: three or more ``corners``, either way round, not closed."""

    corners: tuple[Point, ...]

    def __post_init__(self) -> None:
        """Refuse what has no area, or corners that are no numbers."""
        if len(self.corners) < 3:
            raise InvalidOptions(f"a zone needs three corners or more, not {len(self.corners)}")
        if not all(map(math.isfinite, chain.from_iterable(self.corners))):
            raise InvalidOptions(f"a zone needs finite corners, not {self.corners}")
        if self.area <= LEAST_AREA_PX2:
            raise InvalidOptions(f"a zone needs an area; these corners have none: {self.corners}")

    @classmethod
    def of_box(cls, box: Box) -> Zone:
        """The box as a zone."""
        return cls(
            (
                Point(box.x0, box.y0),
                Point(box.x1, box.y0),
                Point(box.x1, box.y1),
                Point(box.x0, box.y1),
            )
        )

    @classmethod
    def disc(cls, center: tuple[float, float], radius: float, n: int = DISC_CORNERS) -> Zone:
        """The regular polygon of ``n`` corners on the circle; coordinates rounded to 1e-6."""
        angles = [2.0 * math.pi * k / n for k in range(n)]
        return cls(
            tuple(
                Point(
                    round(center[0] + radius * math.cos(a), 6),
                    round(center[1] + radius * math.sin(a), 6),
                )
                for a in angles
            )
        )

    @cached_property
    def area(self) -> float:
        """Square px."""
        return abs(self.moments[0])

    @cached_property
    def moments(self) -> tuple[float, float, float]:
        """``(signed area, x, y)``: of the polygon and its centroid."""
        return _moments(self.corners)

    @cached_property
    def box(self) -> Box:
        """The bounding box."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        return Box(min(xs), min(ys), max(xs), max(ys))

    @cached_property
    def center(self) -> Point:
        """A point well inside: the centroid, or where it is outside or shallow, the pole.

        The pole of inaccessibility is the point farthest from the border.
        """
        area, x, y = self.moments
        centroid = Point(x, y)
        if self.depth(centroid) >= DEEP_SHARE * math.sqrt(abs(area) / math.pi):
            return centroid
        return _pole(self, centroid)

    @cached_property
    def core_px(self) -> float:
        """The radius of the disc about ``center`` that the zone holds."""
        return self.depth(self.center)

    def depth(self, point: tuple[float, float]) -> float:
        """The distance to the border, px: positive inside, negative outside."""
        away = math.sqrt(_squared_border_distance(self.corners, point[0], point[1]))
        return away if _inside(self.corners, point[0], point[1]) else -away

    def distance(self, point: tuple[float, float]) -> float:
        """The distance to the zone, px: 0 inside."""
        return max(0.0, -self.depth(point))

    def contains(self, point: tuple[float, float], grow_px: float = 0.0) -> bool:
        """Whether the point is in the zone grown by ``grow_px`` (eroded when negative).

        Grown zones have round corners, and all of them hold their border.
        """
        x, y = point[0], point[1]
        if "core_px" in self.__dict__ and self.in_core(point, max(-grow_px, 0.0)):
            return True  # whoever made a gold knows the core; judging alone need not find it
        box, reach = self.box, max(grow_px, 0.0) + EPSILON_PX
        if not (box.x0 - reach <= x <= box.x1 + reach and box.y0 - reach <= y <= box.y1 + reach):
            return False
        if grow_px < 0.0:
            return self.depth(point) >= -grow_px - EPSILON_PX
        if _inside(self.corners, x, y):
            return True
        return _squared_border_distance(self.corners, x, y) <= reach * reach

    def in_core(self, point: tuple[float, float], spare_px: float) -> bool:
        """Whether a disc of ``spare_px`` about the point lies in the core; cheap to say."""
        center = self.center
        off = math.hypot(point[0] - center[0], point[1] - center[1])
        return off + spare_px <= self.core_px

    def moved_by(self, move: Similarity) -> Zone:
        """The zone mapped."""
        scale, dx, dy = move
        xs, ys = zip(*self.corners, strict=True)
        return Zone(points_of([scale * x + dx for x in xs], [scale * y + dy for y in ys]))


def _moments(corners: tuple[Point, ...]) -> tuple[float, float, float]:
    """``(signed area, x, y)`` of the polygon and its centroid, by the shoelace formula."""
    x0, y0 = corners[0]  # sums about a corner lose no digits far from the origin
    twice = sum_x = sum_y = 0.0
    (ax, ay) = corners[-1][0] - x0, corners[-1][1] - y0
    for x, y in corners:
        bx, by = x - x0, y - y0
        cross = ax * by - bx * ay
        twice += cross
        sum_x += (ax + bx) * cross
        sum_y += (ay + by) * cross
        ax, ay = bx, by
    if twice == 0.0:
        return 0.0, x0, y0
    return twice / 2.0, x0 + sum_x / (3.0 * twice), y0 + sum_y / (3.0 * twice)


def _inside(corners: tuple[Point, ...], x: float, y: float) -> bool:
    """Whether a ray to the right crosses the border an odd number of times."""
    odd = False
    ax, ay = corners[-1]
    for bx, by in corners:
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            odd = not odd
        ax, ay = bx, by
    return odd


def _squared_border_distance(corners: tuple[Point, ...], x: float, y: float) -> float:
    """The squared distance to the nearest point of the border."""
    best = math.inf
    ax, ay = corners[-1]
    for bx, by in corners:
        ex, ey, px, py = bx - ax, by - ay, x - ax, y - ay
        along = px * ex + py * ey
        if along > 0.0:
            length2 = ex * ex + ey * ey
            share = 1.0 if along >= length2 else along / length2
            px -= share * ex
            py -= share * ey
        away2 = px * px + py * py
        if away2 < best:
            best = away2
        ax, ay = bx, by
    return best


class _Cell(NamedTuple):
    """A square of the search: sorted by how deep a point in it may be at most, deepest first."""

    minus_bound: float
    x: float
    y: float
    half: float
    depth: float


def _cell(zone: Zone, x: float, y: float, half: float) -> _Cell:
    depth = zone.depth((x, y))
    return _Cell(-(depth + half * math.sqrt(2.0)), x, y, half, depth)


def _pole(zone: Zone, first: Point) -> Point:
    """The pole of inaccessibility, by halving squares that may still hold a deeper point."""
    box = zone.box
    side = min(box.width, box.height)
    best, best_depth = first, zone.depth(first)
    cells = list(_cover(zone, side / 2.0))
    heapq.heapify(cells)
    while cells:
        bound, x, y, half, depth = heapq.heappop(cells)
        if depth > best_depth:
            best, best_depth = Point(x, y), depth
        if -bound - best_depth <= POLE_PRECISION * side:
            break
        half /= 2.0
        for dx, dy in ((-half, -half), (half, -half), (-half, half), (half, half)):
            heapq.heappush(cells, _cell(zone, x + dx, y + dy, half))
    return best


def _cover(zone: Zone, half: float) -> Iterator[_Cell]:
    """Squares of half side ``half`` that cover the bounding box."""
    box = zone.box
    for row in range(math.ceil(box.height / (2.0 * half))):
        for column in range(math.ceil(box.width / (2.0 * half))):
            yield _cell(zone, box.x0 + (2 * column + 1) * half, box.y0 + (2 * row + 1) * half, half)
