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
    rect = skia.Rect.MakeLTRB(*tile.as_list())
    for stripes, rule in (
        (one.stripes, skia.ClipOp.kDifference),
        (one.stripes.inside(one.way), skia.ClipOp.kIntersect),
    ):
        canvas.save()
        canvas.clipRect(rect)
        canvas.clipPath(shape, rule, True)
        pen = skia.Paint(
            Color=rgb_colour(one.figure.colour), AntiAlias=True,
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
