"""Cubes with rounded edges and drawings on their faces: where faces are, and painting.

A cube's faces are numbered as ``FACES``: up, down, front (towards the viewer), back, right,
left of the cube as it is made. ``turn`` brings them to where they are in the world.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import skia

from factory.core.geometry import Point
from factory.draw.colours import RGB
from factory.draw.solid.camera import Camera
from factory.draw.solid.light import Light, lit
from factory.draw.solid.outlines import add_hull, hull, polygon, shadows_seen
from factory.draw.solid.vectors import (
    Turn,
    Vec,
    after,
    cube_turns,
    dot,
    inverse,
    minus,
    plus,
    spin,
    times,
    turned,
)


@dataclass(frozen=True)
class FaceFrame:
    """Which way a face looks, and which ways are right and down on it, seen from outside."""

    out: Vec
    right: Vec
    down: Vec


FACES: tuple[FaceFrame, ...] = (
    FaceFrame((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    FaceFrame((0, 0, -1), (1, 0, 0), (0, 1, 0)),
    FaceFrame((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    FaceFrame((0, 1, 0), (-1, 0, 0), (0, 0, -1)),
    FaceFrame((1, 0, 0), (0, 1, 0), (0, 0, -1)),
    FaceFrame((-1, 0, 0), (0, -1, 0), (0, 0, -1)),
)
UP, DOWN, FRONT, BACK, RIGHT, LEFT = range(6)
_RIGHT_OF = tuple(next(f for f in range(6) if FACES[f].out == g.right) for g in FACES)
_DOWN_OF = tuple(next(f for f in range(6) if FACES[f].out == g.down) for g in FACES)
OPPOSITE = (DOWN, UP, BACK, FRONT, LEFT, RIGHT)

ROUND = 0.1
"""Radius of a cube's edges, by its side."""

Art = Callable[[skia.Canvas, int], None]
"""Draws what is on a face, in a square of side 1 about the origin, y down."""


@dataclass(frozen=True)
class Cube:
    """A cube of ``side`` whose foot's middle is at ``at``. ``pose`` is a place in
    ``cube_turns()``, done before it is spun about the vertical. JSON-able."""

    at: Vec
    side: float
    spin_deg: float
    pose: int
    colour: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", tuple(round(v, 6) for v in self.at))
        object.__setattr__(self, "side", round(self.side, 6))
        object.__setattr__(self, "spin_deg", round(self.spin_deg, 6))

    @cached_property
    def turn(self) -> Turn:
        """From the cube as made to the world."""
        return after(spin(self.spin_deg), cube_turns()[self.pose])

    @property
    def middle(self) -> Vec:
        """Its centre in the world."""
        return self.at[0], self.at[1], self.at[2] + self.side / 2

    def corners(self, share: float = 1.0) -> list[Vec]:
        """The corners of a cube of ``share`` of its side about its centre."""
        half = share * self.side / 2
        turn, middle = self.turn, self.middle
        return [
            plus(middle, turned(turn, (x, y, z)))
            for x in (-half, half) for y in (-half, half) for z in (-half, half)
        ]  # fmt: skip

    @cached_property
    def outs(self) -> tuple[Vec, ...]:
        """Which ways its faces look in the world."""
        x, y, z = inverse(self.turn)
        return z, times(z, -1.0), times(y, -1.0), y, x, times(x, -1.0)

    def square(self, face: int) -> tuple[Vec, Vec, Vec]:
        """(middle, right, down) of a face in the world; right and down as long as a side."""
        outs, side = self.outs, self.side
        return (
            plus(self.middle, times(outs[face], side / 2)),
            times(outs[_RIGHT_OF[face]], side),
            times(outs[_DOWN_OF[face]], side),
        )

    def out(self, face: int) -> Vec:
        """Which way a face looks in the world."""
        return self.outs[face]

    def shown(self, camera: Camera) -> list[int]:
        """The faces that the camera sees, from the most slanted to the fullest."""
        found: list[tuple[float, int]] = []
        for face, out in enumerate(self.outs):
            middle = plus(self.middle, times(out, self.side / 2))
            towards = dot(out, minus(camera.eye, middle))
            if towards > 0:
                found.append((towards, face))
        return [face for _, face in sorted(found)]

    def face_zone(self, camera: Camera, face: int) -> tuple[Point, ...]:
        """The outline of a face in the picture, px."""
        middle, right, down = self.square(face)
        ends = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
        seen = camera.pixels([plus(middle, plus(times(right, u), times(down, v)))
                              for u, v in ends])  # fmt: skip
        return tuple(Point(round(x, 6), round(y, 6)) for x, y in seen)


@lru_cache(maxsize=256)
def facing(pose: int, way: Vec) -> int:
    """The face of a cube in a pose (not spun) that looks a way of the world."""
    turn = cube_turns()[pose]
    return max(range(6), key=lambda face: dot(turned(turn, FACES[face].out), way))


def pose_after(pose: int, turn: Turn) -> int:
    """The pose that a quarter turn of the world makes of a pose."""
    return _POSES[after(turn, cube_turns()[pose])]


_POSES = {turn: place for place, turn in enumerate(cube_turns())}


def pose_with(up: int, front: int) -> int:
    """The pose in which two faces look up and to the viewer; ``KeyError`` for opposite ones."""
    return _SHOWING[up, front]


_SHOWING = {
    (facing(pose, (0.0, 0.0, 1.0)), facing(pose, (0.0, -1.0, 0.0))): pose for pose in range(24)
}


def cube_outline(camera: Camera, cube: Cube) -> tuple[Point, ...]:
    """The hull of a cube in the picture, px: its rounded corners lie a little inside."""
    return tuple(
        Point(round(x, 6), round(y, 6)) for x, y in hull(camera.pixels(cube.corners(1 - ROUND / 2)))
    )


def cube_shadows(camera: Camera, light: Light, cubes: Sequence[Cube]) -> list[skia.Path]:
    """The shadows of cubes on the ground z = 0, one path for each point of the light."""
    corners = np.array([cube.corners(1 - ROUND / 2) for cube in cubes])
    seen = shadows_seen(camera, light, corners.reshape(-1, 3))
    paths: list[skia.Path] = []
    for flat in seen:
        path = skia.Path()
        for own in flat.reshape(len(cubes), 8, 2):
            add_hull(path, own)
        paths.append(path)
    return paths


def paint_cubes(
    canvas: skia.Canvas,
    camera: Camera,
    light: Light,
    cubes: Sequence[Cube],
    art: Sequence[Art],
) -> None:
    """Cubes whose footprints do not meet, each with its drawings, without their shadows."""
    order = sorted(range(len(cubes)), key=lambda k: -_far(cubes[k], camera))
    for index in order:
        paint_cube(canvas, camera, light, cubes[index], art[index])


def _far(cube: Cube, camera: Camera) -> float:
    return (cube.at[0] - camera.eye[0]) ** 2 + (cube.at[1] - camera.eye[1]) ** 2


def paint_cube(canvas: skia.Canvas, camera: Camera, light: Light, cube: Cube, art: Art) -> None:
    """A cube with rounded edges that catch the light, and the drawings on its faces."""
    shown = cube.shown(camera)
    levels = [light.level(cube.out(face)) for face in shown]
    scale = camera.scale_at(cube.middle) * cube.side
    body = polygon(hull(camera.pixels(cube.corners(1 - 2 * ROUND))))
    mean = sum(levels) / len(levels)
    canvas.drawPath(body, _body(lit(cube.colour, mean * 0.92), round(2 * ROUND * scale, 2)))
    for face, level in zip(shown, levels, strict=True):
        matrix = camera.plane(*cube.square(face))
        canvas.save()
        canvas.concat(skia.Matrix.MakeAll(*matrix))
        canvas.drawPath(_plate(0.02), ink(lit(cube.colour, 0.5 * (level + 1.16))))
        canvas.drawPath(_plate(0.055), ink(lit(cube.colour, level)))
        if face == shown[-1]:
            canvas.drawPath(_sheen(), ink((255, 255, 255), 22))
        art(canvas, face)
        canvas.restore()


@lru_cache(maxsize=4096)
def ink(colour: RGB, alpha: int = 255) -> skia.Paint:
    """A paint that fills."""
    return skia.Paint(Color=skia.Color(*colour, alpha), AntiAlias=True)


@lru_cache(maxsize=1024)
def _body(colour: RGB, width: float) -> skia.Paint:
    paint = skia.Paint(Color=skia.Color(*colour), AntiAlias=True)
    paint.setStyle(skia.Paint.kStrokeAndFill_Style)
    paint.setStrokeWidth(width)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    return paint


@lru_cache(maxsize=16)
def _plate(inset: float) -> skia.Path:
    """A face's flat part: a square with rounded corners."""
    path, half = skia.Path(), 0.5 - inset
    path.addRoundRect(skia.Rect(-half, -half, half, half), 1.4 * ROUND, 1.4 * ROUND)
    return path


@lru_cache(maxsize=1)
def _sheen() -> skia.Path:
    """The part of a face that mirrors a window: a slanted half of it."""
    path = skia.Path()
    half = 0.43
    path.addPoly([skia.Point(x, y) for x, y in
                  [(-half, -half), (0.30, -half), (-half, 0.30)]], True)  # fmt: skip
    return path
