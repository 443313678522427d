"""Closed ribbons that interlace: rings, chains and bunches, each crossing one over the other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import skia

from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw.styles import rgb_colour

STEPS = 48
"""Corners of a ribbon's middle line, where it is measured."""

APART = (1.15, 1.36)
"""Distance of two middles that cross, by the radius."""

FAR, STAR = 1.66, 1.66
"""The same in rings of four and more, and in stars of four, where opposite ones stay apart."""

THIN = 0.23
"""Greatest width by the radius: ribbons that cross then leave an eye between them."""

BEND_DEG = 38.0
FORMS: Mapping[int, tuple[str, ...]] = {
    2: ("chain",), 3: ("chain", "ring"), 4: ("ring", "star"), 5: ("ring", "star"),
}  # fmt: skip
"""Chains, rings in which each crosses the next, and stars about one in the middle."""

WOBBLE = 0.05
CASE = 0.28
"""What a ribbon's edge covers of the one below, on each side, by its width."""
SEAM_CSS = 0.8


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


class Crossing(NamedTuple):
    """Where two ribbons cross: the acute angle in degrees, and how far along each, CSS px."""

    x: float
    y: float
    angle_deg: float
    along_one: float
    along_other: float


@lru_cache(maxsize=512)
def _distances(ribbon: Ribbon) -> Any:
    """How far along its middle line each corner lies, and the whole length last, CSS px."""
    line = line_of(ribbon)
    sides = np.linalg.norm(np.roll(line, -1, axis=0) - line, axis=1)
    return np.concatenate([[0.0], np.cumsum(sides)])


@lru_cache(maxsize=512)
def crossings(one: Ribbon, other: Ribbon) -> tuple[Crossing, ...]:
    """Where two ribbons cross."""
    a, b = line_of(one), line_of(other)
    u, v = np.roll(a, -1, axis=0) - a, np.roll(b, -1, axis=0) - b
    gap = b[None] - a[:, None]
    turn = u[:, None, 0] * v[None, :, 1] - u[:, None, 1] * v[None, :, 0]
    turn = np.where(np.abs(turn) < 1e-9, 1e-9, turn)
    s = (gap[..., 0] * v[None, :, 1] - gap[..., 1] * v[None, :, 0]) / turn
    t = (gap[..., 0] * u[:, None, 1] - gap[..., 1] * u[:, None, 0]) / turn
    far_a, far_b = _distances(one), _distances(other)
    found: list[Crossing] = []
    for i, j in np.argwhere((s >= 0) & (s < 1) & (t >= 0) & (t < 1)):
        x, y = a[i] + s[i, j] * u[i]
        sine = abs(float(turn[i, j])) / (math.hypot(*u[i]) * math.hypot(*v[j]))
        angle = math.degrees(math.asin(min(1.0, sine)))
        on_one = far_a[i] + s[i, j] * (far_a[i + 1] - far_a[i])
        on_other = far_b[j] + t[i, j] * (far_b[j + 1] - far_b[j])
        found.append(Crossing(float(x), float(y), angle, float(on_one), float(on_other)))
    return tuple(found)


def least_angle_deg(ribbons: Sequence[Ribbon]) -> float:
    """The most acute crossing; 90 for none."""
    return min(
        (c.angle_deg for one, other in combinations(ribbons, 2) for c in crossings(one, other)),
        default=90.0,
    )


def least_apart(ribbons: Sequence[Ribbon]) -> float:
    """The least distance of two crossings, and of two ribbons that do not cross, CSS px."""
    spots: list[tuple[float, float]] = []
    least = math.inf
    for one, other in combinations(ribbons, 2):
        found = crossings(one, other)
        spots += [(c.x, c.y) for c in found]
        if not found:
            gaps = np.linalg.norm(line_of(one)[:, None] - line_of(other)[None], axis=2)
            least = min(least, float(gaps.min()))
    return min([least, *(math.dist(a, b) for a, b in combinations(spots, 2))])


def reach_css(width: float, angle_deg: float) -> float:
    """How far from a crossing a ribbon still lies over the other's edges, along itself, CSS px."""
    return width * (0.5 + CASE) / math.sin(math.radians(angle_deg))


def widest(ribbons: Sequence[Ribbon]) -> float:
    """The greatest width that leaves eyes between ribbons and crossings apart, CSS px."""
    most = THIN * min(ribbon.radius for ribbon in ribbons)
    for ribbon in ribbons:
        met = [(c.along_one, c.angle_deg) for r in ribbons if r != ribbon
               for c in crossings(ribbon, r)]  # fmt: skip
        whole = float(_distances(ribbon)[-1])
        for (p, first), (q, second) in combinations(met, 2):
            gap = min(abs(p - q), whole - abs(p - q))
            most = min(most, gap / (reach_css(1.0, first) + reach_css(1.0, second)))
    return most


def paint_ribbons(
    canvas: Any, ribbons: Sequence[Ribbon], width: float, case: str, over: Stream
) -> None:
    """Ribbons one over the other, then at every second crossing the other way round."""
    for ribbon in ribbons:
        path = _path(ribbon)
        _stroke(canvas, path, case, width * (1 + 2 * CASE))
        _stroke(canvas, path, ribbon.ink, width)
    for one, other in combinations(ribbons, 2):
        for k, crossing in enumerate(crossings(one, other)):
            if k % 2 == over.integer(0, 2):
                continue
            far = reach_css(width, crossing.angle_deg)
            _stroke(canvas, _piece(one, crossing.along_one, far), case, width * (1 + 2 * CASE))
            # A little longer than its edges, so that no seam is left where they end.
            _stroke(canvas, _piece(one, crossing.along_one, far + SEAM_CSS), one.ink, width)


def _piece(ribbon: Ribbon, middle: float, far: float) -> skia.Path:
    """The part of a ribbon's middle line that lies so far around a place on it."""
    line, distances = line_of(ribbon), _distances(ribbon)
    whole = distances[-1]
    corners = [d + turn for turn in (-whole, 0.0, whole) for d in distances[:-1].tolist()]
    inside = sorted(d for d in corners if middle - far < d < middle + far)
    places = np.array([middle - far, *inside, middle + far]) % whole
    closed = np.vstack([line, line[:1]])
    xs, ys = (np.interp(places, distances, closed[:, axis]) for axis in (0, 1))
    path = skia.Path()
    path.addPoly([skia.Point(float(x), float(y)) for x, y in zip(xs, ys, strict=True)], False)
    return path


def _path(ribbon: Ribbon) -> skia.Path:
    path = skia.Path()
    path.addPoly([skia.Point(x, y) for x, y in line_of(ribbon).tolist()], True)
    return path


def _stroke(canvas: Any, path: skia.Path, colour: str, width: float) -> None:
    paint = skia.Paint(
        Color=rgb_colour(colour), AntiAlias=True, Style=skia.Paint.kStroke_Style,
        StrokeWidth=width, StrokeJoin=skia.Paint.kRound_Join,
    )  # fmt: skip
    canvas.drawPath(path, paint)
