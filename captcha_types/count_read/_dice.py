"""Tables with dice: where they stand, under which camera and light, and when tops are in doubt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import layout, solid
from factory.draw.solid.dress import Dress

RADIUS = 0.7072
"""Of the circle around a die's foot, by its side."""

DISTANCE = 15.0
"""Of the camera, by the side of a die: dice at the back are a little smaller."""

FILL = 0.42
"""Share of the table that dice may take, so that they always find a place."""

SIZES_PX = (66.0, 30.0)
"""Sides of dice that are tried, CSS px: from the largest down."""

EDGE_PX = 5.0
"""Between dice and the picture's edge."""

UPWARDS = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Table:
    """Dice in their places, not yet turned or coloured, with what they are seen by."""

    dice: tuple[solid.Cube, ...]
    camera: solid.Camera
    light: solid.Light


def set_table(
    stream: Stream, area: Box, count: int, tilt_deg: float, gap: float, unrest: float
) -> Table:
    """Dice as large as fit: ``tilt_deg`` is how far the camera looks down, ``gap`` by a side."""
    view = solid.Camera.around((0.0, 0.0, 0.0), -90.0, tilt_deg, DISTANCE)
    sides = [1.0 - stream.uniform(0.0, 0.1 * unrest) for _ in range(count)]
    radii = [RADIUS * side for side in sides]
    camera, room = _widest(view, area, radii, gap)
    places = layout.scatter(stream, room, radii, gap)
    dice = tuple(
        solid.Cube((at.x, at.y, 0.0), side, stream.uniform(0.0, 360.0), 0, "#ffffff")
        for at, side in zip(places, sides, strict=True)
    )
    light = solid.Light(stream.uniform(35.0, 145.0), stream.uniform(46.0, 60.0))
    return Table(dice, camera, light)


def _widest(
    view: solid.Camera, area: Box, radii: Sequence[float], gap: float
) -> tuple[solid.Camera, Box]:
    """The nearest camera under which the dice fill no more than their share of the table."""
    side = SIZES_PX[0]
    while True:
        camera = replace(view, focus=side * DISTANCE, middle=tuple(area.center))
        room = _table(camera, area)
        least = 2.1 * max(radii)
        fits = min(room.width, room.height) > least and (layout.spread(radii, gap, room) <= FILL)
        if fits or side <= SIZES_PX[1]:
            return camera, room
        side -= 1.5


def _table(camera: solid.Camera, area: Box) -> Box:
    """The part of the ground on which dice are seen whole, as a box of the world."""
    inner = area.grown(-EDGE_PX)
    near = camera.ground(inner.x1, inner.y1)
    # The far edge is where a die's top would reach the picture's edge.
    far = camera.ground(inner.x1, inner.y0, 1.0)
    half = min(near[0], far[0])
    return Box(-half, near[1], half, far[1])


def values_of_total(stream: Stream, count: int, total: int) -> list[int]:
    """``count`` values of 1 to 6 that add up to ``total``, each way to do so as likely."""
    values: list[int] = []
    for left in range(count - 1, -1, -1):
        options = range(1, 7)
        ways = [float(_ways(left, total - value)) for value in options]
        values.append(stream.weighted(options, ways))
        total -= values[-1]
    return values


@cache
def _ways(count: int, total: int) -> int:
    """In how many ways ``count`` dice show ``total``."""
    if count == 0:
        return int(total == 0)
    return sum(_ways(count - 1, total - value) for value in range(1, 7) if total >= value)


def pose_of(stream: Stream, dress: Dress, value: int) -> int:
    """A pose with a value on top and any of the four sides in front."""
    up = dress.values.index(value)
    fronts = [face for face in range(6) if face not in (up, solid.OPPOSITE[up])]
    return solid.pose_with(up, stream.choice(fronts))


def upper_values(dice: Sequence[solid.Cube], dress: Sequence[Dress]) -> list[int]:
    """The values on top."""
    return [d.values[solid.facing(die.pose, UPWARDS)] for die, d in zip(dice, dress, strict=True)]


def refuse_doubtful_top(
    camera: solid.Camera, light: solid.Light, die: solid.Cube, least_shade: float
) -> None:
    """Reject a die whose sides look as large or as light as its top."""
    top = solid.facing(die.pose, UPWARDS)
    largest = max(die.shown(camera), key=lambda face: _area(die, camera, face))
    if largest != top:
        raise Rejected("the top is not the largest face", value=largest, limit=top)
    sides = [light.level(die.out(face)) for face in die.shown(camera) if face != top]
    darker = light.level(UPWARDS) - max(sides, default=0.0)
    if darker < least_shade:
        raise Rejected("sides as light as the top", value=darker, limit=least_shade)


def _area(die: solid.Cube, camera: solid.Camera, face: int) -> float:
    zone = die.face_zone(camera, face)
    pairs = zip(zone, (*zone[1:], zone[0]), strict=True)
    return abs(sum(a.x * b.y - b.x * a.y for a, b in pairs)) / 2


def refuse_hidden_tops(dice: Sequence[solid.Cube], least_gap: float, taller: float) -> None:
    """Reject dice so near, or so much higher than others, that they may hide a top."""
    for index, die in enumerate(dice):
        for other in dice[:index]:
            apart = math.sqrt((die.at[0] - other.at[0]) ** 2 + (die.at[1] - other.at[1]) ** 2)
            if abs(die.side - other.side) > taller:
                raise Rejected("a die stands out above another", value=die.side, limit=other.side)
            gap = apart - RADIUS * (die.side + other.side)
            if gap < least_gap - 1e-4:
                raise Rejected("dice too near each other", value=gap, limit=least_gap)


def lowered(camera: solid.Camera) -> solid.Camera:
    """The same camera looking far less down."""
    low = solid.Camera.around(camera.target, -90.0, 30.0, DISTANCE)
    return replace(low, focus=camera.focus, middle=camera.middle)
