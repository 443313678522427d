"""A board for a die to roll on: its walks, its place in the picture, its painting."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw import solid
from factory.draw.solid.vectors import roll
from factory.draw.text import Face, draw_line
from factory.draw.tones import shade

Cell = tuple[int, int]
"""(column, row) from the front left corner of the board."""

WAYS: tuple[Cell, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))
SIDE = 0.88
"""Of the die, by the side of a cell."""

RIM = 0.16
"""Of the board around its cells; in front it is wider, for the word on it."""

FRONT_RIM = 0.5
THICK = 0.22
EDGE_PX = 7.0

PALE_SUM = 330
"""Red, green and blue of a slab that dark letters read on."""

WALKS = 200
"""Walks that are tried for one that fits the board."""


@dataclass(frozen=True)
class BoardLook:
    """Colours: two tones of cells, the slab, and the ink of the path, 3:1 or more to both tones."""

    light: str
    dark: str
    slab: str
    ink: str


PALE, DEEP = (0.74, 0.58, 0.3, 0.06), (0.045, 0.075, 0.02, 0.5)
CHECKED = (0.8, 0.32, 0.12, 0.03)
"""Luminances of the two tones, the slab and the ink: the ink keeps 3:1 to both tones."""


def choose_board(stream: Stream) -> BoardLook:
    """A board of one hue, pale, deep or checked, with a path of another."""
    hue, strength = stream.uniform(0, 360), stream.uniform(0.15, 0.6)
    light, dark, slab, ink = stream.choice((PALE, DEEP, CHECKED))
    return BoardLook(
        shade(hue, strength, light),
        shade(hue, strength, dark),
        shade(hue + stream.uniform(-40, 40), strength, slab),
        shade(hue + stream.uniform(110, 250), stream.uniform(0.6, 0.95), ink),
    )


def walk(stream: Stream, columns: int, rows: int, steps: int, barred: Any) -> tuple[Cell, ...]:
    """Cells of a walk that meets none twice; ``barred(start, cell)`` says which are hidden."""
    for _ in range(WALKS):
        cells = [(stream.integer(0, columns), stream.integer(0, rows))]
        while len(cells) <= steps:
            x, y = cells[-1]
            near = [
                (x + a, y + b)
                for a, b in WAYS
                if 0 <= x + a < columns and 0 <= y + b < rows and (x + a, y + b) not in cells
            ]
            near = [cell for cell in near if not barred(cells[0], cell)]
            if not near:
                break
            cells.append(stream.choice(near))
        if len(cells) > steps:
            return tuple(cells)
    raise Rejected("no walk fits the board", value=steps, limit=columns * rows)


def ways_of(path: Sequence[Cell]) -> list[Cell]:
    """The steps of a walk."""
    return [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(path)]


def rolled(pose: int, path: Sequence[Cell]) -> list[int]:
    """The poses of a die at each cell of a walk."""
    poses = [pose]
    for way in ways_of(path):
        poses.append(solid.pose_after(poses[-1], roll(way)))
    return poses


def unrolled(pose: int, path: Sequence[Cell]) -> int:
    """The pose at the start of a walk that ends in ``pose``."""
    return rolled(pose, path[::-1])[-1]


def die_at(cell: Cell, pose: int, colour: str) -> solid.Cube:
    """The die in the middle of a cell."""
    return solid.Cube((cell[0] + 0.5, cell[1] + 0.5, 0.0), SIDE, 0.0, pose, colour)


def look_at(
    columns: int, rows: int, azimuth_deg: float, tilt_deg: float, area: Box
) -> solid.Camera:
    """The camera that shows a board, and a die anywhere on it, as large as they fit."""
    target = (columns / 2, rows / 2, 0.2)
    camera = solid.Camera.around(target, azimuth_deg, tilt_deg, 4.6 * max(columns, rows))
    low = [(x, y, -THICK) for x, y in _slab(columns, rows)]
    high = [(x, y, SIDE) for x in (0.1, columns - 0.1) for y in (0.1, rows - 0.1)]
    return camera.fitted([*low, *high], area.grown(-EDGE_PX))


def _slab(columns: int, rows: int) -> list[tuple[float, float]]:
    right, back = columns + RIM, rows + RIM
    return [(-RIM, -FRONT_RIM), (right, -FRONT_RIM), (right, back), (-RIM, back)]


def hidden(camera: solid.Camera, start: Cell, cell: Cell) -> bool:
    """Whether a die on ``start`` covers the middle of a cell or what leads up to it."""
    zone = solid.cube_outline(camera, die_at(start, 0, "#ffffff"))
    x, y = cell[0] + 0.5, cell[1] + 0.5
    spots = [(x + a, y + b, 0.0) for a, b in ((0, 0), (0.18, 0), (-0.18, 0), (0, 0.18), (0, -0.18))]
    return any(_within(zone, camera.pixel(spot)) for spot in spots)


def _within(zone: Sequence[Point], spot: Point) -> bool:
    """Whether a point lies in a convex polygon of either orientation."""
    sides = [
        (b.x - a.x) * (spot.y - a.y) - (b.y - a.y) * (spot.x - a.x)
        for a, b in zip(zone, (*zone[1:], zone[0]), strict=True)
    ]
    return min(sides) >= 0 or max(sides) <= 0


@lru_cache(maxsize=512)
def _ink(colour: str, alpha: int = 255, width: float = 0.0) -> skia.Paint:
    red, green, blue = solid.lit(colour, 1.0)
    paint = skia.Paint(Color=skia.Color(red, green, blue, alpha), AntiAlias=True)
    if width:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(width)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
    return paint


def paint_board(
    canvas: Any,
    camera: solid.Camera,
    light: solid.Light,
    look: BoardLook,
    size: tuple[int, int],
    path: Sequence[Cell],
) -> None:
    """The board with its path from the first cell to a ring on the last."""
    slab = [(x, y, 0.0) for x, y in _slab(*size)]
    foot = [(x, y, -THICK) for x, y, _ in slab]
    _soft_shadow(canvas, camera, light, slab)
    canvas.drawPath(
        solid.polygon(solid.hull(camera.pixels([*slab, *foot]))), _ink(_shade(look.slab, 0.62))
    )
    canvas.drawPath(solid.polygon(camera.pixels(slab)), _ink(look.slab))
    canvas.save()
    canvas.concat(skia.Matrix.MakeAll(*camera.plane((0, 0, 0), (1, 0, 0), (0, 1, 0))))
    for tone, cells in enumerate(_cells(*size)):
        canvas.drawPath(cells, _ink((look.light, look.dark)[tone]))
    _paint_path(canvas, look, path)
    canvas.restore()


def paint_word(
    canvas: Any,
    camera: solid.Camera,
    look: BoardLook,
    columns: int,
    word: str,
    faces: tuple[Face, ...],
) -> None:
    """The word on the front rim of the board."""
    canvas.save()
    canvas.concat(skia.Matrix.MakeAll(*camera.plane((0, 0, 0), (1, 0, 0), (0, 1, 0))))
    # Letters run to the right and towards the viewer.
    canvas.scale(0.01, -0.01)
    box = Box(0.0, 100 * RIM, 100.0 * columns, 100 * (FRONT_RIM - 0.02))
    dark = sum(solid.lit(look.slab, 1.0)) > PALE_SUM
    draw_line(canvas, word, faces, 27.0, (20, 22, 28) if dark else (250, 250, 250), box)
    canvas.restore()


def _shade(colour: str, level: float) -> str:
    return "#{:02x}{:02x}{:02x}".format(*solid.lit(colour, level))


def _soft_shadow(canvas: Any, camera: solid.Camera, light: solid.Light, slab: Any) -> None:
    paths = []
    for ray in light.rays:
        down = THICK / ray[2]
        fallen = [(x - down * ray[0], y - down * ray[1], -THICK) for x, y, _ in slab]
        paths.append(solid.polygon(camera.pixels(fallen)))
    solid.paint_shadows(canvas, paths)


@lru_cache(maxsize=32)
def _cells(columns: int, rows: int) -> tuple[skia.Path, skia.Path]:
    """The light and the dark cells, rounded, with joints between them."""
    tones = (skia.Path(), skia.Path())
    for x in range(columns):
        for y in range(rows):
            rect = skia.Rect(x + 0.025, y + 0.025, x + 0.975, y + 0.975)
            tones[(x + y) % 2].addRoundRect(rect, 0.09, 0.09)
    return tones


HEAD = 0.15
"""Half the width of an arrow's head, in cells."""


def _paint_path(canvas: Any, look: BoardLook, path: Sequence[Cell]) -> None:
    """A line through the cells' middles, a head on every step, a ring on the last cell."""
    line, heads = skia.Path(), skia.Path()
    line.moveTo(path[0][0] + 0.5, path[0][1] + 0.5)
    last = path[-1]
    for cell, (dx, dy) in zip(path[1:], ways_of(path), strict=True):
        stop = 0.3 if cell == last else 0.0
        x, y = cell[0] + 0.5 - stop * dx, cell[1] + 0.5 - stop * dy
        line.lineTo(x, y)
        tip = (cell[0] + 0.5 - 0.27 * dx, cell[1] + 0.5 - 0.27 * dy)
        back = (tip[0] - 0.24 * dx, tip[1] - 0.24 * dy)
        heads.addPoly(
            [skia.Point(*tip), skia.Point(back[0] - HEAD * dy, back[1] + HEAD * dx),
             skia.Point(back[0] + HEAD * dy, back[1] - HEAD * dx)], True,
        )  # fmt: skip
    canvas.drawPath(line, _ink(look.ink, 255, 0.075))
    canvas.drawPath(heads, _ink(look.ink))
    canvas.drawCircle(last[0] + 0.5, last[1] + 0.5, 0.25, _ink(look.ink, 255, 0.09))
    canvas.drawCircle(last[0] + 0.5, last[1] + 0.5, 0.1, _ink(look.ink))


def side_of(zone: Sequence[Point]) -> float:
    """The shorter way across a face in the picture, px: its area over its longest side."""
    pairs = list(zip(zone, (*zone[1:], zone[0]), strict=True))
    area = abs(sum(a.x * b.y - b.x * a.y for a, b in pairs)) / 2
    return area / max(math.sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2) for a, b in pairs)


def turned_camera(camera: solid.Camera, factor: float) -> solid.Camera:
    """The camera with another focal length, for states that have to be refused."""
    return replace(camera, focus=camera.focus * factor)
