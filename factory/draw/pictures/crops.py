"""Square crops of photographs: how large, where, mirrored or not."""

from __future__ import annotations

from dataclasses import dataclass

import skia

from factory.draw.pictures.raster import Sprite, stamp
from factory.draw.pictures.spec import SIDE, mixed_radix

ZOOMS, PLACES = 16, 24
CROPS = ZOOMS * PLACES * PLACES * 2
"""Crops of one photograph: sizes, two offsets, mirrored or not."""


@dataclass(frozen=True)
class Focus:
    """Where the upright subject is: centre as shares of width and height, side of the square
    as shares of the shorter side, least and most."""

    x: float = 0.5
    y: float = 0.5
    least: float = 0.78
    most: float = 1.0


def draw_crop(canvas: skia.Canvas, art: Sprite, focus: Focus, layout: int) -> None:
    """Fill the square with crop ``layout`` of ``range(CROPS)``."""
    zoom, across, down, mirror = mixed_radix(layout, ZOOMS, PLACES, PLACES, 2)
    short = min(art.width, art.height)
    side = short * (focus.least + (focus.most - focus.least) * zoom / (ZOOMS - 1))
    reach = 0.22 * side
    left = _placed(focus.x * art.width + reach * (across / (PLACES - 1) - 0.5), side, art.width)
    top = _placed(focus.y * art.height + reach * (down / (PLACES - 1) - 0.5), side, art.height)
    source = skia.Rect.MakeXYWH(left, top, side, side)
    if mirror:
        canvas.save()
        canvas.translate(SIDE, 0)
        canvas.scale(-1, 1)
    stamp(canvas, art, source, skia.Rect.MakeWH(SIDE, SIDE))
    if mirror:
        canvas.restore()


def _placed(centre: float, side: float, extent: float) -> float:
    """The near edge of a square about ``centre``, pushed inside the image."""
    return min(max(0.0, centre - side / 2), extent - side)
