"""Closed ribbons that interlace: rings, chains and bunches, each crossing one over the other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import skia

from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw.styles import rgb_colour

STEPS = 48
"""Corners of a ribbon's middle line, where it is measured."""

APART = (1.15, 1.36)
"""Distance of two middles that cross, by the radius."""

FAR, STAR = 1.8, 1.55
"""The same in rings of four and more, and in stars of four, where opposite ones stay apart."""

BEND_DEG = 38.0
FORMS: Mapping[int, tuple[str, ...]] = {
    2: ("chain",), 3: ("chain", "ring"), 4: ("ring", "star"), 5: ("ring", "star"),
}  # fmt: skip
"""Chains, rings in which each crosses the next, and stars about one in the middle."""

WOBBLE = 0.05
CASE_CSS = 1.6
"""What a ribbon's edge covers of the one below, on each side."""


@dataclass(frozen=True)
class Ribbon:
    """A closed ribbon about (x, y), CSS px from the board's corner; nearly round. JSON-able."""

    x: float
    y: float
    radius: float
    wobble: float
    lobes: int
    phase: float
    ink: str

    def at(self, turn: float) -> Point:
        """The point of its middle line at an angle in radians."""
        far = self.radius * (1.0 + self.wobble * math.cos(self.lobes * turn + self.phase))
        return Point(self.x + far * math.cos(turn), self.y + far * math.sin(turn))


@lru_cache(maxsize=512)
def line_of(ribbon: Ribbon) -> Any:
    """Corners of the middle line, ``(STEPS, 2)``."""
    return np.array([ribbon.at(2 * math.pi * k / STEPS) for k in range(STEPS)])


def box_of(ribbon: Ribbon) -> Box:
    """Around the corners of the middle line."""
    line = line_of(ribbon)
    (x0, y0), (x1, y1) = line.min(axis=0).tolist(), line.max(axis=0).tolist()
    return Box(x0, y0, x1, y1)


def _middles(stream: Stream, count: int) -> tuple[list[tuple[float, float]], float]:
    """Middles of ribbons of radius 1 about 0, and how far out the whole reaches."""
    form = stream.choice(FORMS[count])
    near = stream.uniform(*APART)
    if form == "chain":
        step = near if count == 2 else FAR
        bend = math.radians(BEND_DEG)
        places = [
            (step * math.cos(bend) * k, step * math.sin(bend) * (k % 2)) for k in range(count)
        ]
    else:
        around = count if form == "ring" else count - 1
        far = FAR if around > 3 else STAR if form == "star" else near
        out = far if form == "star" else far / (2 * math.sin(math.pi / around))
        turns = [2 * math.pi * k / around for k in range(around)]
        places = [(out * math.cos(turn), out * math.sin(turn)) for turn in turns]
        places += [(0.0, 0.0)] if form == "star" else []
    cx = (min(x for x, _ in places) + max(x for x, _ in places)) / 2
    cy = (min(y for _, y in places) + max(y for _, y in places)) / 2
    moved = [(x - cx, y - cy) for x, y in places]
    return moved, max(math.hypot(x, y) for x, y in moved) + 1.0 + WOBBLE


def choose_ribbons(
    stream: Stream, tile: Box, count: int, inks: Sequence[str], width: float, unrest: float
) -> tuple[Ribbon, ...]:
    """So many ribbons on a tile, turned and put anywhere there is room."""
    middles, reach = _middles(stream, count)
    half = min(tile.width, tile.height) / 2 - 3.0 - width / 2
    radius = min(half / reach, 0.62 * half)
    turn = stream.uniform(0.0, 2 * math.pi)
    x0, y0 = tile.center
    free_x = max(0.0, tile.width / 2 - 3.0 - width / 2 - radius * reach)
    free_y = max(0.0, tile.height / 2 - 3.0 - width / 2 - radius * reach)
    x0, y0 = x0 + stream.uniform(-free_x, free_x), y0 + stream.uniform(-free_y, free_y)
    cos, sin = radius * math.cos(turn), radius * math.sin(turn)
    return tuple(
        Ribbon(
            round(x0 + x * cos - y * sin, 6), round(y0 + x * sin + y * cos, 6), round(radius, 6),
            round(stream.uniform(0.3, 1.0) * unrest * WOBBLE, 6), stream.choice((2, 3)),
            round(stream.uniform(0, 2 * math.pi), 6), ink,
        )
        for (x, y), ink in zip(middles, inks, strict=True)
    )  # fmt: skip


@lru_cache(maxsize=512)
def crossings(one: Ribbon, other: Ribbon) -> tuple[tuple[float, float, float], ...]:
    """Where two ribbons cross: (x, y, acute angle in degrees)."""
    a, b = line_of(one), line_of(other)
    u, v = np.roll(a, -1, axis=0) - a, np.roll(b, -1, axis=0) - b
    gap = b[None] - a[:, None]
    turn = u[:, None, 0] * v[None, :, 1] - u[:, None, 1] * v[None, :, 0]
    turn = np.where(np.abs(turn) < 1e-9, 1e-9, turn)
    s = (gap[..., 0] * v[None, :, 1] - gap[..., 1] * v[None, :, 0]) / turn
    t = (gap[..., 0] * u[:, None, 1] - gap[..., 1] * u[:, None, 0]) / turn
    found: list[tuple[float, float, float]] = []
    for i, j in np.argwhere((s >= 0) & (s < 1) & (t >= 0) & (t < 1)):
        x, y = a[i] + s[i, j] * u[i]
        sine = abs(float(turn[i, j])) / (math.hypot(*u[i]) * math.hypot(*v[j]))
        found.append((float(x), float(y), math.degrees(math.asin(min(1.0, sine)))))
    return tuple(found)


def least_angle_deg(ribbons: Sequence[Ribbon]) -> float:
    """The most acute crossing; 90 for none."""
    return min(
        (c[2] for one, other in combinations(ribbons, 2) for c in crossings(one, other)),
        default=90.0,
    )


def least_apart(ribbons: Sequence[Ribbon]) -> float:
    """The least distance of two crossings, and of two ribbons that do not cross, CSS px."""
    spots: list[tuple[float, float]] = []
    least = math.inf
    for one, other in combinations(ribbons, 2):
        found = crossings(one, other)
        spots += [(x, y) for x, y, _ in found]
        if not found:
            gaps = np.linalg.norm(line_of(one)[:, None] - line_of(other)[None], axis=2)
            least = min(least, float(gaps.min()))
    return min([least, *(math.dist(a, b) for a, b in combinations(spots, 2))])


def paint_ribbons(
    canvas: Any, ribbons: Sequence[Ribbon], width: float, case: str, over: Stream
) -> None:
    """Ribbons one over the other, then at every second crossing the other way round."""
    paths = [_path(ribbon) for ribbon in ribbons]
    for ribbon, path in zip(ribbons, paths, strict=True):
        _stroke(canvas, path, ribbon.ink, width, case)
    for (i, one), (_, other) in combinations(enumerate(ribbons), 2):
        for k, (x, y, _) in enumerate(crossings(one, other)):
            if k % 2 == over.integer(0, 2):
                continue
            canvas.save()
            spot = skia.Path()
            spot.addCircle(x, y, 1.25 * width)
            canvas.clipPath(spot, skia.ClipOp.kIntersect, True)
            _stroke(canvas, paths[i], one.ink, width, case)
            canvas.restore()


def _path(ribbon: Ribbon) -> skia.Path:
    path = skia.Path()
    path.addPoly([skia.Point(x, y) for x, y in line_of(ribbon).tolist()], True)
    return path


def _stroke(canvas: Any, path: skia.Path, ink: str, width: float, case: str) -> None:
    for colour, wide in ((case, width + 2 * CASE_CSS), (ink, width)):
        paint = skia.Paint(
            Color=rgb_colour(colour), AntiAlias=True, Style=skia.Paint.kStroke_Style,
            StrokeWidth=wide, StrokeJoin=skia.Paint.kRound_Join,
        )  # fmt: skip
        canvas.drawPath(path, paint)
