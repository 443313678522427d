"""Shapes that only stripes show: inside a shape they run otherwise than outside."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import skia

from factory.core.geometry import Box
from factory.draw.figures import FINE, Figure, placed
from factory.draw.styles import rgb_colour

Way = Literal["bolder", "turned", "shifted"]

BOLD = 1.7
"""How much wider bolder stripes are, at the same distance."""


@dataclass(frozen=True)
class Stripes:
    """Parallel stripes, each ``share`` of the ``period`` wide; CSS px and degrees. JSON-able.

    ``phase`` moves them across by this share of the period.
    """

    angle_deg: float
    period: float
    phase: float
    share: float

    def inside(self, way: Way) -> Stripes:
        """The stripes of a shape on these."""
        if way == "turned":
            return Stripes(self.angle_deg + 90.0, self.period, self.phase, self.share)
        if way == "shifted":
            return Stripes(self.angle_deg, self.period, self.phase + 0.5, self.share)
        return Stripes(self.angle_deg, self.period, self.phase, BOLD * self.share)


@dataclass(frozen=True)
class Veiled:
    """A shape on its tile: what it is and where (its colour is the stripes'). JSON-able."""

    figure: Figure
    way: Way
    stripes: Stripes


def paint_veiled(canvas: Any, tile: Box, one: Veiled) -> None:
    """A tile's stripes with the shape in them."""
    shape = skia.Path()
    shape.addPoly([skia.Point(x, y) for x, y in placed(one.figure, FINE)], True)
    paint_striped(canvas, tile, shape, one.figure.colour, one.stripes, one.way)


def paint_striped(
    canvas: Any, tile: Box, shape: skia.Path, ink: str, around: Stripes, way: Way
) -> None:
    """Stripes over a tile, and those of a shape inside its outline."""
    rect = skia.Rect.MakeLTRB(*tile.as_list())
    for stripes, rule in (
        (around, skia.ClipOp.kDifference),
        (around.inside(way), skia.ClipOp.kIntersect),
    ):
        canvas.save()
        canvas.clipRect(rect)
        canvas.clipPath(shape, rule, True)
        pen = skia.Paint(
            Color=rgb_colour(ink), AntiAlias=True,
            Style=skia.Paint.kStroke_Style, StrokeWidth=stripes.share * stripes.period,
        )  # fmt: skip
        canvas.drawPath(_lines(tile, stripes), pen)
        canvas.restore()


def _lines(tile: Box, stripes: Stripes) -> skia.Path:
    """Lines over a tile, from its middle on."""
    turn = math.radians(stripes.angle_deg)
    along, across = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
    reach = 0.5 * math.hypot(tile.width, tile.height) + stripes.period
    (x0, y0), path = tile.center, skia.Path()
    most = int(reach / stripes.period) + 1
    for k in range(-most, most + 1):
        off = (k + stripes.phase) * stripes.period
        x, y = x0 + off * across[0], y0 + off * across[1]
        path.moveTo(x - reach * along[0], y - reach * along[1])
        path.lineTo(x + reach * along[0], y + reach * along[1])
    return path
