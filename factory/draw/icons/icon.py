"""One icon in its place: what it is (a spec), how it is dressed, where it is hit, its drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import skia

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.draw.contours import as_points
from factory.draw.icons.shapes import IconShape, icon_shape
from factory.draw.pictures.emoji import emoji_sprite
from factory.draw.pictures.icon import icon_outline
from factory.draw.pictures.raster import stamp
from factory.draw.styles import rgb_colour

LINE_KINDS = ("line", "duotone", "rim", "shadow", "emboss", "disc", "badge")
EMOJI_KINDS = ("plain", "sticker", "shadow", "disc", "badge")

INSIDE = 0.66
"""Share of a disc's or a badge's side that its icon takes."""

RIM = 0.045
"""Width of a rim or a sticker's edge, by the size."""

DROP = 0.035
"""How far a shadow or an embossing lies off, by the size."""

BADGE_CORNERS = 8
"""Corners of the zone along each rounded corner of a badge, and a quarter of a disc's."""

BADGE_ROUND = 0.22
"""Corner radius of a badge, by its side."""


@dataclass(frozen=True)
class IconStyle:
    """``ink`` draws lines; ``second`` is the fill, rim, relief, disc or badge. JSON-able.

    ``stroke`` is the line width on the grid of 24. Emoji have their own
    colours and use ``second`` alone.
    """

    kind: str
    ink: str = "#000000"
    second: str = ""
    stroke: float = 2.0

    def __post_init__(self) -> None:
        if self.kind not in LINE_KINDS and self.kind not in EMOJI_KINDS:
            raise InvalidOptions(f"no icon style {self.kind!r}; there are {LINE_KINDS}")
        object.__setattr__(self, "stroke", round(self.stroke, 6))


@dataclass(frozen=True)
class IconSpec:
    """An icon in CSS px of its frame. JSON-able.

    The middle of its upright ink box (of its disc or badge) stands at ``(x, y)``;
    ``size`` is the longest side of the same. It is mirrored, then turned
    clockwise by ``turn_deg``.
    """

    asset: str
    size: float
    x: float
    y: float
    style: IconStyle
    turn_deg: float = 0.0
    mirrored: bool = False

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, float):
                object.__setattr__(self, name, round(value, 6))

    @property
    def tiled(self) -> bool:
        """Whether a disc or badge lies behind it."""
        return self.style.kind in ("disc", "badge")


@dataclass(frozen=True)
class IconInk:
    """Where an icon is, CSS px: ``hull``, a simple polygon around its silhouette (or tile), of at
    most 32 corners; the ``box`` of the hull; and ``painted``, which holds rims and shadows too."""

    hull: tuple[Point, ...]
    box: Box
    painted: Box


@lru_cache(maxsize=1024)
def icon_ink(spec: IconSpec) -> IconInk:
    """Where an icon in place is hit and seen."""
    corners = _tile_zone(spec.style.kind) if spec.tiled else icon_shape(spec.asset).silhouette
    points = corners * spec.size @ _linear(spec).T + np.array([spec.x, spec.y])
    low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    box = Box(low[0], low[1], high[0], high[1])
    # Thick lines reach out of the silhouette, which is drawn around lines of 2.
    beyond = 0.0 if spec.tiled else max(0.0, (spec.style.stroke - 2.0) / 24.0 * spec.size)
    extra = {"rim": RIM, "sticker": RIM, "shadow": DROP, "emboss": DROP}
    painted = box.grown(extra.get(spec.style.kind, 0.0) * spec.size + beyond)
    return IconInk(as_points(points), box, painted)


def icon_reach(asset: str, size: float, kind: str = "line") -> float:
    """Radius about the middle that holds the silhouette (or the tile), however turned, CSS px."""
    corners = _tile_zone(kind) if kind in ("disc", "badge") else icon_shape(asset).silhouette
    return float(np.sqrt((corners**2).sum(axis=1).max())) * size


def _linear(spec: IconSpec) -> Any:
    cos, sin = math.cos(math.radians(spec.turn_deg)), math.sin(math.radians(spec.turn_deg))
    flip = -1.0 if spec.mirrored else 1.0
    return np.array([[cos * flip, -sin], [sin * flip, cos]])


@lru_cache(maxsize=4)
def _tile_zone(kind: str) -> Any:
    """A disc or a rounded square of side 1 about 0, as a polygon."""
    radius = 0.5 if kind == "disc" else BADGE_ROUND
    reach = 0.5 - radius
    corners: list[tuple[float, float]] = []
    for quarter, (cx, cy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(BADGE_CORNERS):
            angle = math.pi / 2 * (quarter + step / (BADGE_CORNERS - (kind != "disc")))
            x, y = radius * math.cos(angle), radius * math.sin(angle)
            corners.append((cx * reach + x, cy * reach + y))
    return np.array(corners)


def draw_icon(canvas: skia.Canvas, spec: IconSpec) -> None:
    """Draw an icon on a canvas in CSS px."""
    canvas.save()
    canvas.translate(spec.x, spec.y)
    canvas.rotate(spec.turn_deg)
    canvas.scale(-spec.size if spec.mirrored else spec.size, spec.size)
    if spec.tiled:
        _tile(canvas, spec.style)
        canvas.scale(INSIDE, INSIDE)
    shape = icon_shape(spec.asset)
    if spec.asset.startswith("icon/"):
        _lines(canvas, spec, shape)
    else:
        _emoji(canvas, spec, shape)
    canvas.restore()


def draw_icons(canvas: skia.Canvas, specs: Sequence[IconSpec]) -> None:
    """Draw icons in order, later ones over earlier ones."""
    for spec in specs:
        draw_icon(canvas, spec)


@lru_cache(maxsize=1024)
def _paint(colour: str, stroke: float = 0.0, alpha: int = 255) -> skia.Paint:
    paint = skia.Paint(Color=rgb_colour(colour, alpha), AntiAlias=True)
    if stroke:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(stroke)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
    return paint


_UNIT = skia.Rect(-0.5, -0.5, 0.5, 0.5)


def _tile(canvas: skia.Canvas, style: IconStyle) -> None:
    radius = 0.5 if style.kind == "disc" else BADGE_ROUND
    canvas.drawRoundRect(_UNIT, radius, radius, _paint(style.second))


def _lines(canvas: skia.Canvas, spec: IconSpec, shape: IconShape) -> None:
    style, path = spec.style, icon_outline(spec.asset.partition("/")[2])
    canvas.scale(shape.scale, shape.scale)
    canvas.translate(-shape.middle[0], -shape.middle[1])
    off = DROP / shape.scale
    if style.kind == "rim":
        rim = style.stroke + 2 * RIM / shape.scale
        canvas.drawPath(path, _paint(style.second, round(rim, 4)))
    elif style.kind == "duotone":
        canvas.drawPath(path, _paint(style.second))
    elif style.kind in ("shadow", "emboss"):
        alpha = 80 if style.kind == "shadow" else 255
        canvas.save()
        canvas.translate(off * 0.7, off)
        canvas.drawPath(path, _paint(style.second, style.stroke, alpha))
        canvas.restore()
    canvas.drawPath(path, _paint(style.ink, style.stroke))


def _emoji(canvas: skia.Canvas, spec: IconSpec, shape: IconShape) -> None:
    style, ink = spec.style, shape.ink
    if style.kind == "sticker":
        canvas.drawPath(shape.rim, _paint(style.second, 2 * RIM))
        canvas.drawPath(shape.rim, _paint(style.second))
    elif style.kind == "shadow":
        canvas.save()
        canvas.translate(0.7 * DROP, DROP)
        canvas.drawPath(shape.rim, _paint("#101018", 0.0, 80))
        canvas.restore()
    art = emoji_sprite(spec.asset.partition("/")[2])
    stamp(canvas, art, None, skia.Rect(ink.x0, ink.y0, ink.x1, ink.y1))
