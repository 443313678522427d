"""Bodies on tiles with light on one side and a shadow, which may be a wrong one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from factory.core.geometry import Box, Point
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import Seen
from factory.core.rng import Stream
from factory.draw import solid
from factory.draw.solid.vectors import spin, turned

WAYS_DEG = {"right": 0.0, "away": 90.0, "left": 180.0, "towards": 270.0}
"""Azimuths that shadows fall to, in the viewer's words."""

TILT_DEG = (51.0, 57.0)
"""So steep that a body hides less than half of a shadow behind it."""
LIT_BODIES = ("box", "cylinder", "cone", "sphere", "prism6", "pyramid")
"""Bodies of which a lit and a shaded side are always seen."""

BODIES = (*LIT_BODIES, "prism3")
COLOURS = ("#d9553a", "#3f78c9", "#3f9a63", "#dca93a", "#8a5bb5", "#3a9aa6", "#c65f92", "#b07a4a")

PAD_PX = 5.0
"""Between a body or its shadow and the edge of its tile."""

ALONG = tuple(round(0.42 + 0.07 * k, 2) for k in range(13))
"""Where a shadow is looked at, by the length that the top of its body casts."""

LEAST_SPOTS = 3
"""Of these places, past the body and inside the shadow."""

CLEAR_PX = 2.0
"""Between the body and what is seen of its shadow there."""

ASIDE = 2.0
"""And where the ground beside it is, in radii of the body."""

EDGE_ON = 0.3
"""How far to the right or left a side has to look to be the lit or the shaded one."""


@dataclass(frozen=True)
class Shade:
    """A body, the light on it, the light that its shadow is cast by, and the camera. JSON-able."""

    body: solid.Solid
    light: solid.Light
    cast: solid.Light
    camera: solid.Camera

    @property
    def falls_deg(self) -> float:
        """The azimuth that its shadow falls to, 0 to 360."""
        return (self.cast.azimuth_deg + 180.0) % 360.0

    @property
    def against_deg(self) -> float:
        """Between where the shadow falls and where it should fall, 0 to 180."""
        return abs((self.cast.azimuth_deg - self.light.azimuth_deg + 180.0) % 360.0 - 180.0)

    def shadow(self) -> tuple[Point, ...]:
        """The hull of the shadow in the picture, px."""
        return solid.shadow_zone(self.camera, self.cast, self.body.rim)

    def outline(self) -> tuple[Point, ...]:
        """The hull of the body in the picture, px."""
        return solid.outline(self.camera, self.body.rim)


def inside(one: Shade, room: Box) -> bool:
    """Whether a body and its shadow lie in a box, px."""
    corners = [*one.body.rim, *(solid.fallen(c, one.cast.towards) for c in one.body.rim)]
    return all(room.contains(Point(*spot)) for spot in one.camera.pixels(corners))


def spots(one: Shade, room: Box) -> tuple[list[Point], list[Point]]:
    """Places of its shadow along its length that no body hides, and of the bare ground of its
    tile beside them, px."""
    ray, high = one.cast.towards, one.body.height
    side = ASIDE * one.body.reach / math.hypot(ray[0], ray[1])
    body, shadow = Zone(one.outline()), Zone(one.shadow())
    within, beside = list[Point](), list[Point]()
    for share in ALONG:
        x, y = -ray[0] / ray[2] * high * share, -ray[1] / ray[2] * high * share
        spot = one.camera.pixel((x, y, 0.0))
        if body.contains(spot, CLEAR_PX) or not shadow.contains(spot):
            continue
        within.append(spot)
        aside = (
            one.camera.pixel((x - ray[1] * way, y + ray[0] * way, 0.0)) for way in (-side, side)
        )
        bare = room.grown(-CLEAR_PX)
        beside += [p for p in aside if bare.contains(p) and not body.contains(p, CLEAR_PX)]
    return within, beside


def in_sight(one: Shade, room: Box) -> bool:
    """Whether shadow and ground are seen past the body in enough places of a tile."""
    return min(map(len, spots(one, room))) >= LEAST_SPOTS


def choose_body(stream: Stream, colour: str, *, lit: bool) -> solid.Solid:
    """A body about one unit high, on the origin; ``lit`` for one with a lit and a shaded side."""
    name = stream.choice(LIT_BODIES if lit else BODIES)
    high, wide = stream.uniform(0.85, 1.2), stream.uniform(0.36, 0.46)
    if name == "sphere":
        wide = stream.uniform(0.42, 0.52)
    turn = 45.0 + stream.uniform(-17.0, 17.0) if lit else stream.uniform(0.0, 360.0)
    return solid.Solid(name, (wide, wide, high), (0.0, 0.0, 0.0), turn, colour)


def two_sided(one: Shade) -> bool:
    """Whether sides of a body that look right and left are both seen."""
    mesh = one.body.mesh
    if mesh.smooth:
        return True
    turn = spin(one.body.spin_deg)
    across = [
        facing[0]
        for face, normal in zip(mesh.faces, mesh.face_normals, strict=True)
        if one.camera.faces(one.body.corners[face[0]], facing := turned(turn, normal))
    ]
    return min(across) < -EDGE_ON and max(across) > EDGE_ON


def shade(
    stream: Stream, body: solid.Solid, light_deg: float, cast_deg: float, rise_deg: float, box: Box
) -> Shade:
    """A body under a light, with a shadow as of another, as large as both fit into a tile."""
    light = solid.Light(light_deg, rise_deg, 0.34)
    cast = replace(light, azimuth_deg=round(cast_deg, 6))
    camera = solid.Camera.around((0.0, 0.0, 0.3), -90.0, stream.uniform(*TILT_DEG), 9.0)
    fallen = [solid.fallen(corner, cast.towards) for corner in body.rim]
    fitted = camera.fitted([*body.rim, *fallen], box.grown(-PAD_PX))
    focus = min(fitted.focus, 0.5 * box.height * 9.0)
    return Shade(body, light, cast, replace(fitted, focus=focus))


def way_of(shade: Shade, near_deg: float) -> str:
    """The word for where a shadow falls; empty when it is farther than this from all."""
    for word, azimuth in WAYS_DEG.items():
        if abs((shade.falls_deg - azimuth + 180.0) % 360.0 - 180.0) <= near_deg + 1e-6:
            return word
    return ""


def seen_way(shade: Shade) -> tuple[float, float]:
    """(right, away) from the foot to the centroid of the shadow in the picture, px."""
    zone, foot = shade.shadow(), shade.camera.pixel(shade.body.at)
    twice = x = y = 0.0
    for p, q in zip(zone, (*zone[1:], zone[0]), strict=True):
        piece = (p.x - foot.x) * (q.y - foot.y) - (q.x - foot.x) * (p.y - foot.y)
        twice += piece
        x += piece * (p.x + q.x - 2 * foot.x) / 3
        y += piece * (p.y + q.y - 2 * foot.y) / 3
    return x / twice, -y / twice / math.sin(math.radians(shade.camera.elevation_deg))


def paint_shades(canvas: Any, shades: Sequence[Shade]) -> None:
    """Bodies and shadows, tile by tile."""
    for one in shades:
        paths = solid.shadow_paths(one.camera, one.cast, [one.body])
        solid.paint_shadows(canvas, paths, strength=0.6)
        solid.paint_solids(canvas, one.camera, one.light, [one.body])


def shadow_step(seen: Seen, shade: Shade, room: Box) -> float:
    """Levels of grey by which a shadow is darker in a tile than the ground on both sides."""
    within, beside = ([_level(seen, spot) for spot in group] for group in spots(shade, room))
    return sum(beside) / len(beside) - sum(within) / len(within)


def _level(seen: Seen, spot: Point) -> float:
    """The mean of the 3 x 3 px about a spot, CSS px of the slot."""
    scale, height, width = seen.px_per_css, *seen.decoded.shape[:2]
    column = min(max(1, int(seen.slot.x0 + scale * spot.x)), width - 2)
    row = min(max(1, int(seen.slot.y0 + scale * spot.y)), height - 2)
    return float(seen.decoded[row - 1 : row + 2, column - 1 : column + 2].mean())
