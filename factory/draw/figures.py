"""Plain figures, solid or hollow: where they stand, whether they are seen, paint."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal

import numpy as np
import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.puzzle import Seen
from factory.core.rng import Stream
from factory.draw import layout
from factory.draw.figure_outlines import NAMES, REACH, Polygon, unit
from factory.draw.styles import rgb_colour

Fill = Literal["solid", "hollow"]

FINE, COARSE = 48, 24
"""Corners of a circle as drawn, and of its zone."""

TURNS_DEG: Mapping[str, float] = {
    "square": 18.0, "diamond": 16.0, "cross": 18.0, "heart": 40.0, "drop": 50.0,
}  # fmt: skip
"""How far kinds may be turned that are called otherwise, or are not known, when turned more."""

SHADOW = "#05070c"
SHADOW_ALPHA = 60
EDGE_CSS = 3.0
"""Between figures and the picture's edge."""

FILLING = 0.5
"""Share of the picture that figures with their gaps take at most."""

LEAST_STROKE_CSS = 2.2
BESIDE_CSS = 2.5


@dataclass(frozen=True)
class Figure:
    """A figure about (x, y), CSS px from the picture's corner. JSON-able.

    ``stroke`` is the line width of a hollow one, 0 for a solid one.
    """

    kind: str
    x: float
    y: float
    size: float
    turn_deg: float
    colour: str
    stroke: float = 0.0

    @property
    def fill(self) -> Fill:
        """Whether it is solid or hollow."""
        return "hollow" if self.stroke else "solid"

    @property
    def reach(self) -> float:
        """Radius of the circle about its middle that holds its ink, CSS px."""
        return REACH * self.size + self.stroke / 2


def placed(figure: Figure, steps: int) -> Polygon:
    """The outline in the picture, CSS px."""
    cos, sin = (f(math.radians(figure.turn_deg)) for f in (math.cos, math.sin))
    own = [(figure.size * x, figure.size * y) for x, y in unit(figure.kind, steps)]
    return tuple(
        (round(figure.x + x * cos - y * sin, 6), round(figure.y + x * sin + y * cos, 6))
        for x, y in own
    )


def hull(figure: Figure) -> Polygon:
    """The filled outline of a figure, solid or hollow."""
    return placed(figure, COARSE)


def called(figure: Figure, lang: str) -> str:
    """What a figure is called."""
    return NAMES[figure.kind][lang == "zh"]


def turned(stream: Stream, kind: str) -> float:
    """A turn that leaves a kind what it is called, degrees."""
    most = TURNS_DEG.get(kind, 180.0)
    return round(stream.uniform(-most, most), 3)


def largest_size(area: Box, count: int, most: float, gap: float) -> float:
    """The size, ``most`` or less, at which so many figures have room, ``gap`` by the size."""
    room = FILLING * area.width * area.height / count
    return round(min(most, math.sqrt(room / math.pi) / (REACH + gap / 2)), 3)


def places(stream: Stream, area: Box, size: float, count: int, gap: float) -> list[Point]:
    """Places for figures of one size or less, from left to right."""
    inside = area.grown(-EDGE_CSS)
    return sorted(layout.scatter(stream, inside, [REACH * size] * count, gap * size))


def refuse_figures(figures: Sequence[Figure], area: Box, least: float, gap: float) -> None:
    """``Rejected`` where figures crowd, leave the area, are too small or thinly drawn."""
    for figure in figures:
        box = Box(figure.x, figure.y, figure.x, figure.y).grown(REACH * figure.size)
        if not area.holds(box):
            raise Rejected("a figure leaves the picture")
        if figure.size < least - 1e-6:
            raise Rejected("figure too small", value=figure.size, limit=least)
        if 0 < figure.stroke < LEAST_STROKE_CSS:
            raise Rejected("lines too thin", value=figure.stroke, limit=LEAST_STROKE_CSS)
        most = TURNS_DEG.get(figure.kind, 180.0)
        if abs(figure.turn_deg) > most:
            raise Rejected("turned too far", value=figure.turn_deg, limit=most)
    for a, b in combinations(figures, 2):
        far = math.dist((a.x, a.y), (b.x, b.y)) - REACH * (a.size + b.size)
        if far < gap - 1e-3:
            raise Rejected("figures too close", value=far, limit=gap)


def paint_figures(canvas: Any, figures: Sequence[Figure], *, shadow: bool) -> None:
    """Figures in their colours, with a soft shadow where wanted."""
    for figure in figures:
        path = skia.Path()
        path.addPoly([skia.Point(x, y) for x, y in placed(figure, FINE)], True)
        if shadow:
            canvas.save()
            canvas.translate(0.02 * figure.size, 0.05 * figure.size)
            canvas.drawPath(path, _ink(SHADOW, figure.stroke, SHADOW_ALPHA))
            canvas.restore()
        canvas.drawPath(path, _ink(figure.colour, figure.stroke))


def paint_rimmed(canvas: Any, figures: Sequence[Figure], rim: str, width: float) -> None:
    """Figures with a rim of one colour around them, so that their own may be any."""
    for figure in figures:
        path = skia.Path()
        path.addPoly([skia.Point(x, y) for x, y in placed(figure, FINE)], True)
        canvas.drawPath(path, _ink(rim, 2 * width))
        canvas.drawPath(path, _ink(figure.colour, 0.0))


@lru_cache(maxsize=1024)
def _ink(colour: str, stroke: float, alpha: int = 255) -> skia.Paint:
    paint = skia.Paint(Color=rgb_colour(colour, alpha), AntiAlias=True)
    if stroke:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(stroke)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
    return paint


def ink_step(seen: Seen, figure: Figure) -> float:
    """Median levels, best channel, between a figure's ink and the ground beside it, decoded."""
    corners = np.array(placed(figure, COARSE))
    lines = (corners + np.roll(corners, -1, axis=0)) / 2
    middle = lines.mean(axis=0)
    away = lines - middle
    away /= np.hypot(away[:, 0], away[:, 1])[:, None]
    ink = lines if figure.stroke else lines - away * 0.08 * figure.size
    beside = lines + away * (BESIDE_CSS + figure.stroke / 2)
    step = np.abs(colours_at(seen, ink) - colours_at(seen, beside)).max(axis=1)
    return float(np.median(step))


def colours_at(seen: Seen, points: Any) -> Any:
    """Decoded colours at places of the slot ``(n, 2)``, CSS px from its corner."""
    where = points * seen.px_per_css + np.array([seen.slot.x0, seen.slot.y0])
    high, wide = seen.decoded.shape[:2]
    columns = np.clip(where[:, 0].astype(int), 0, wide - 1)
    rows = np.clip(where[:, 1].astype(int), 0, high - 1)
    return seen.decoded[rows, columns].astype(float)
