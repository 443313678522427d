"""Taps: what counts as one, where golds put them, and whether the grid keeps them.

A tap is the left button (or a finger) going down and up again within ``TAP_SLOP_CSS_PX``,
before a long press begins, on one and the same control. The mechanics of taps share the
state machine in ``tap_base``; others use the parts of it that stand here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from factory.core import geometry
from factory.core.errors import InvalidOptions
from factory.core.geometry import GRID, Box, Point
from factory.core.mechanics import Mark
from factory.core.mechanics.events import Release
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

TAP_SLOP_CSS_PX = 4.0
"""How far a finger or mouse may slip during a tap: half of what phones call a touch slop."""
LONG_PRESS_MS = 500.0
"""From here on a press is a long press, which opens a menu on phones and is no tap."""
MIN_APART_PX = 1.0
"""Two taps that are to count as two are at least this far apart, canvas px (benchmark rule)."""
GROW_CSS_PX = 2.0
"""How far zones reach beyond their ink (the house's tolerance table)."""
JITTER_SHARE = 0.15
"""Golds keep to the middle 30 % of a box, and to a like share of a zone's depth."""
SEED_SHARE, MOST_SEED_SHARE = 0.1, 0.4
"""The radius over which ``n`` taps on one button spread: 0.1 sqrt(n) of its side, 0.4 at most."""
GOLDEN_ANGLE = math.pi * (3.0 - math.sqrt(5.0))
"""Radians between neighbours of a sunflower, which keeps seeds evenly apart."""
TICK_SHARE = 0.16
"""Ticks stand this share of a box's width and height from its top-left corner, as on real tiles."""
SPARE_UNITS = (-1, 0, 1)
"""Grid units by which a survivor may be off on each axis."""


def is_tap(press: Point, press_ms: float, release: Release, px_per_css: float) -> bool:
    """Whether what began at ``press`` and ended with ``release`` is short and stayed in place.

    Whether it also stayed on its control is for the caller, who knows the controls.
    """
    slip = math.hypot(release.x - press[0], release.y - press[1])
    return slip <= TAP_SLOP_CSS_PX * px_per_css and release.t_ms - press_ms < LONG_PRESS_MS


def near_center(where: Box | Zone, stream: Stream) -> Point:
    """A point in the middle of a box (30 % on each axis) or zone (well within its depth)."""
    x, y = where.center
    if isinstance(where, Box):
        width, height = where.width, where.height
    else:
        width = height = 2.0 * where.core_px
    return Point(
        x + stream.uniform(-JITTER_SHARE, JITTER_SHARE) * width,
        y + stream.uniform(-JITTER_SHARE, JITTER_SHARE) * height,
    )


def spread_points(box: Box, count: int, stream: Stream) -> list[Point]:
    """Points around the middle of a box that keep apart: for taps on one and the same button.

    Sunflower seeds: each a golden angle further and a little further out. One alone is
    ``near_center``; more fill a disc that grows with their number, up to 80 % of the side.
    """
    if count == 1:
        return [near_center(box, stream)]
    phase, middle = stream.uniform(0.0, 2.0 * math.pi), box.center
    reach = min(SEED_SHARE * math.sqrt(count), MOST_SEED_SHARE) * min(box.width, box.height)
    radii = [reach * math.sqrt((k + 0.5) / count) for k in range(count)]
    turns = [phase + k * GOLDEN_ANGLE for k in range(count)]
    return [
        Point(middle.x + r * math.cos(turn), middle.y + r * math.sin(turn))
        for r, turn in zip(radii, turns, strict=True)
    ]


def apart(points: Sequence[Point]) -> bool:
    """Whether any two of the points are ``MIN_APART_PX`` apart."""
    return all(
        math.hypot(a[0] - b[0], a[1] - b[1]) >= MIN_APART_PX
        for place, a in enumerate(points)
        for b in points[:place]
    )


def apart_on_grid(points: Sequence[Point], width: float, height: float) -> bool:
    """Whether the points stay ``MIN_APART_PX`` apart on the grid, one of them a unit off."""
    cells = [(geometry.to_grid(x, width), geometry.to_grid(y, height)) for x, y in points]
    return all(
        math.hypot(
            max(abs(a[0] - b[0]) - 1, 0) * width / GRID,
            max(abs(a[1] - b[1]) - 1, 0) * height / GRID,
        )
        >= MIN_APART_PX
        for place, a in enumerate(cells)
        for b in cells[:place]
    )


def grid_reach(value_px: float, size_px: float) -> tuple[float, float]:
    """The least and the largest reading of the coordinate, one grid unit to spare, in px."""
    cell = geometry.to_grid(value_px, size_px)
    low = (cell - 1) * size_px / GRID
    return low, max((cell + 1.5) * size_px / GRID, (cell + 1) * size_px / (GRID - 1))


def box_survives(box: Box, point: Point, width: float, height: float) -> bool:
    """Whether the point, read from the grid in all ways and a unit off, stays in the box."""
    x_low, x_high = grid_reach(point[0], width)
    y_low, y_high = grid_reach(point[1], height)
    return box.x0 <= x_low and x_high < box.x1 and box.y0 <= y_low and y_high < box.y1


def grid_spread(point: Point, width: float, height: float) -> list[Point]:
    """The readings of the point's grid cell and its eight neighbours, canvas px."""
    column, row = geometry.to_grid(point[0], width), geometry.to_grid(point[1], height)
    across = [geometry.from_grid_readings(column + off, width) for off in SPARE_UNITS]
    down = [geometry.from_grid_readings(row + off, height) for off in SPARE_UNITS]
    return [Point(x, y) for xs in across for ys in down for x, y in zip(xs, ys, strict=True)]


def zone_survives(zone: Zone, grow_px: float, point: Point, width: float, height: float) -> bool:
    """The same as ``box_survives`` for a grown zone."""
    x_low, x_high = grid_reach(point[0], width)
    y_low, y_high = grid_reach(point[1], height)
    middle = Point((x_low + x_high) / 2.0, (y_low + y_high) / 2.0)
    spare = math.hypot(x_high - x_low, y_high - y_low) / 2.0  # all readings are that near
    if zone.in_core(middle, spare - grow_px) or zone.depth(middle) + grow_px >= spare:
        return True
    return all(zone.contains(read, grow_px) for read in grid_spread(point, width, height))


def refuse_bad_boxes(boxes: Sequence[Box]) -> None:
    """``InvalidOptions`` for boxes that have no area or share some: no tap could tell them."""
    for box in boxes:  # NaN compares false
        if not (0.0 < box.width < math.inf and 0.0 < box.height < math.inf):
            raise InvalidOptions(f"a control needs a finite box with an area, not {box}")
    ordered = sorted(boxes, key=lambda box: box.x0)
    for place, box in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other.x0 >= box.x1:
                break
            if box.overlaps(other):
                raise InvalidOptions(f"two controls overlap: {box} and {other}")


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds them all."""
    return Box(
        min(box.x0 for box in boxes),
        min(box.y0 for box in boxes),
        max(box.x1 for box in boxes),
        max(box.y1 for box in boxes),
    )


def tick(box: Box) -> Mark:
    """A tick in the box's top-left corner."""
    at = Point(box.x0 + TICK_SHARE * box.width, box.y0 + TICK_SHARE * box.height)
    return Mark("tick", (at,))


def outline(box: Box) -> Mark:
    """The box's outline."""
    return Mark("outline", Zone.of_box(box).corners)
