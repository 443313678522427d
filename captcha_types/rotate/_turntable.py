"""A toy on a round plate, seen from above at a slant, and an arrow on such a plate.

Headings are degrees clockwise, seen from above, from straight away from the viewer. A toy is
turned by going round it with camera and light: its blocks then stay on their lattice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import skia

from captcha_types.rotate import _toys as toys
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw.solid import Camera, Light, paint_blocks
from factory.draw.solid.vectors import Vec
from factory.draw.styles import rgb_colour

Arrow = Literal["arrow", "dart", "chevrons"]
ARROWS: tuple[Arrow, ...] = ("arrow", "dart", "chevrons")

ROOM = 1.22
"""Radius of the plate over that of the toy's footprint."""

FAR = 4.2
"""How far the camera stands off, over the plate's radius."""

ROUND = 60
"""Corners of the plate."""

THICK = 0.09
"""Of the plate, over its radius."""

FALL = 0.018
"""How far the plate's shadow falls, over its diameter."""

LIGHT_DEG, LIGHT_UP_DEG = 130.0, 52.0
"""Where the light stands from the viewer's right, anticlockwise, and how high."""

_SHAPES: dict[Arrow, tuple[tuple[tuple[float, float], ...], ...]] = {
    "arrow": (((-0.13, -0.7), (0.13, -0.7), (0.13, 0.1), (0.42, 0.1), (0.0, 0.74), (-0.42, 0.1),
               (-0.13, 0.1)),),
    "dart": (((0.0, 0.76), (0.5, -0.66), (0.0, -0.36), (-0.5, -0.66)),),
    "chevrons": tuple(
        ((0.0, y + 0.36), (0.46, y - 0.08), (0.46, y - 0.38), (0.0, y + 0.06), (-0.46, y - 0.38),
         (-0.46, y - 0.08))
        for y in (0.38, -0.02, -0.42)
    ),
}  # fmt: skip
"""Polygons on a plate of radius 1, pointing away."""


@dataclass(frozen=True)
class Plate:
    """The plate's colours and how steeply it is looked at; ``mat`` is that of a disc on it, if any.
    JSON-able."""

    top: str
    side: str
    mark: str
    tilt_deg: float
    arrow: Arrow
    mat: str = ""


GREYS = (
    ("#eef0f4", "#b9c0cc", "#2b3140", "#b9c0cc"),
    ("#8d949f", "#5d636d", "#12151c", "#c3c9d2"),
    ("#2c323e", "#191d26", "#eef1f6", "#566072"),
)
"""Top, side, marks and mats of pale, middling and dark plates."""

MAT = 0.8
"""Radius of a mat over the plate's: ticks stand outside it."""


def choose_plate(stream: Stream, tilt_deg: float) -> Plate:
    """Pale, middling or dark, with any of the arrows, on a mat or without."""
    top, side, mark, mat = stream.choice(GREYS)
    arrow = stream.choice(ARROWS)
    return Plate(top, side, mark, round(tilt_deg, 6), arrow, mat if stream.chance(0.5) else "")


@lru_cache(maxsize=256)
def _view(name: str, tilt_deg: float, box: Box) -> tuple[Camera, float]:
    """The viewer's camera for a toy in a box, and the plate's radius."""
    wide, long, high = toys.blocks(name).size
    middle, radius = (wide / 2, long / 2, 0.32 * high), ROOM * math.hypot(wide, long) / 2
    camera = Camera.around(middle, -90.0, tilt_deg, FAR * radius)
    around = [_on(camera, radius, k * 360.0 / ROUND) for k in range(ROUND)]
    top = [
        (x, y, float(high)) for x, y, _ in (_on(camera, radius / ROOM, k * 9.0) for k in range(40))
    ]
    low = [(x, y, -THICK * radius) for x, y, _ in around]
    return camera.fitted([*around, *top, *low], box), radius


def _on(camera: Camera, far: float, heading_deg: float, height: float = 0.0) -> Vec:
    """A point of the plate, ``far`` from its middle in a direction."""
    turn = math.radians(heading_deg)
    x, y, _ = camera.target
    return x + far * math.sin(turn), y + far * math.cos(turn), height


def _path(points: Sequence[tuple[float, float]]) -> Any:
    path = skia.Path()
    path.addPoly([skia.Point(*point) for point in points], True)
    return path


def _paint(colour: str, alpha: int = 255) -> Any:
    return skia.Paint(Color=rgb_colour(colour, alpha), AntiAlias=True)


def _paint_plate(canvas: Any, camera: Camera, radius: float, plate: Plate) -> None:
    """The plate with its rim, a shadow around it, and a ring."""
    spots = [_on(camera, radius, k * 360.0 / ROUND) for k in range(ROUND)]
    top = camera.pixels(spots)
    low = camera.pixels([(x, y, -THICK * radius) for x, y, _ in spots])
    drop = FALL * (max(x for x, _ in top) - min(x for x, _ in top))
    dim = skia.Paint(AntiAlias=True, Color=skia.Color(0, 0, 0, 110))
    dim.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 1.3 * drop))
    canvas.drawPath(_path([(x, y + drop) for x, y in low]), dim)
    canvas.drawPath(_path(low), _paint(plate.side))
    canvas.drawPath(
        _path([*top[: ROUND // 2 + 1][::-1], *low[: ROUND // 2 + 1]]), _paint(plate.side)
    )
    canvas.drawPath(_path(top), _paint(plate.top))
    if plate.mat:
        disc = [_on(camera, MAT * radius, k * 360.0 / ROUND) for k in range(ROUND)]
        canvas.drawPath(_path(camera.pixels(disc)), _paint(plate.mat))
    ring = _paint(plate.mark, 70)
    ring.setStyle(skia.Paint.kStroke_Style)
    ring.setStrokeWidth(1.2)
    inner = camera.pixels([_on(camera, 0.95 * radius, k * 360.0 / ROUND) for k in range(ROUND)])
    canvas.drawPath(_path(inner), ring)


def _paint_ticks(
    canvas: Any, camera: Camera, radius: float, plate: Plate, first_deg: float, count: int
) -> None:
    """Short lines along the rim where the toy can stand."""
    line = _paint(plate.mark, 190)
    line.setStyle(skia.Paint.kStroke_Style)
    line.setStrokeWidth(1.6)
    for k in range(count):
        turn = first_deg + 360.0 * k / count
        ends = [_on(camera, share * radius, turn) for share in (0.86, 0.95)]
        (ax, ay), (bx, by) = camera.pixels(ends)
        canvas.drawLine(ax, ay, bx, by, line)


def paint_toy(
    canvas: Any, toy: toys.Toy, plate: Plate, box: Box, heading_deg: float, count: int
) -> None:
    """A toy on its plate with ``count`` ticks, one of them where it faces, in a box."""
    camera, radius = _view(toy.name, plate.tilt_deg, box)
    _paint_plate(canvas, camera, radius, plate)
    _paint_ticks(canvas, camera, radius, plate, heading_deg, count)
    own = toys.blocks(toy.name)
    around = Camera.around(camera.target, heading_deg - 90.0, plate.tilt_deg, FAR * radius)
    turned = replace(around, focus=camera.focus, middle=camera.middle)
    dim = skia.Paint(AntiAlias=True, Color=skia.Color(0, 0, 0, 105))
    dim.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 2.5))
    shade = skia.Path()
    for x, y in sorted({cell[:2] for cell in own.cells}):
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        shade.addPath(_path(turned.pixels([(float(a), float(b), 0.0) for a, b in corners])))
    canvas.drawPath(shade, dim)
    light = Light(heading_deg - 90.0 + LIGHT_DEG, LIGHT_UP_DEG)
    paint_blocks(canvas, turned, light, own.cells, toys.colours(toy))


def paint_arrow(canvas: Any, plate: Plate, box: Box, heading_deg: float, count: int) -> None:
    """An arrow on a plate that is looked at as steeply as the toy's, with the same ticks."""
    middle, radius = (0.0, 0.0, 0.0), 1.0
    camera = Camera.around(middle, -90.0, plate.tilt_deg, FAR)
    around = [_on(camera, radius, k * 360.0 / ROUND) for k in range(ROUND)]
    low = [(x, y, -THICK) for x, y, _ in around]
    camera = camera.fitted([*around, *low], box)
    _paint_plate(canvas, camera, radius, plate)
    _paint_ticks(canvas, camera, radius, plate, heading_deg, count)
    for corners in _SHAPES[plate.arrow]:
        flat = [
            _on(camera, 0.8 * math.hypot(x, y), heading_deg + math.degrees(math.atan2(x, y)))
            for x, y in corners
        ]
        canvas.drawPath(_path(camera.pixels(flat)), _paint(plate.mark))
