"""Plates with holes: a wobbly outline, round holes and dents, lit from above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw.colours import luminance, mix
from factory.draw.styles import rgb_colour

CORNERS = 14
"""Points of an outline, through which a smooth curve goes."""

WOBBLE = 0.09
"""By how much an outline strays from its ellipse."""

DARK = 0.12
"""Luminance below which a plate has a pale edge."""

HOLE_SIDES = (("round", 0.6), ("oval", 0.25), ("square", 0.15))


@dataclass(frozen=True)
class Hole:
    """A hole (or a dent): middle and half widths in CSS px. JSON-able."""

    shape: str
    x: float
    y: float
    half_w: float
    half_h: float


@dataclass(frozen=True)
class Blob:
    """A plate. ``radii`` go around its middle clockwise from the right; CSS px. JSON-able.

    ``dents`` are shallow: they are shaded and let nothing through. ``dots`` is the texture.
    """

    x: float
    y: float
    radii: tuple[float, ...]
    colour: str
    holes: tuple[Hole, ...]
    dents: tuple[Hole, ...]

    @property
    def box(self) -> Box:
        """The square around its farthest point."""
        return Box(self.x, self.y, self.x, self.y).grown(max(self.radii) * 1.02)


def outline(blob: Blob) -> skia.Path:
    """The outer outline: a closed curve through the middles of its corners' sides."""
    count = len(blob.radii)
    points = [
        (
            blob.x + radius * math.cos(2 * math.pi * k / count),
            blob.y + radius * math.sin(2 * math.pi * k / count),
        )
        for k, radius in enumerate(blob.radii)
    ]
    middles = [
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for a, b in zip(points, [*points[1:], points[0]], strict=True)
    ]
    path = skia.Path()
    path.moveTo(*middles[-1])
    for point, middle in zip(points, middles, strict=True):
        path.quadTo(*point, *middle)
    path.close()
    return path


def hole_path(holes: Sequence[Hole]) -> skia.Path:
    """The outlines of holes."""
    path = skia.Path()
    for hole in holes:
        rect = skia.Rect.MakeLTRB(
            hole.x - hole.half_w, hole.y - hole.half_h, hole.x + hole.half_w, hole.y + hole.half_h
        )
        if hole.shape == "square":
            path.addRoundRect(rect, 0.3 * hole.half_w, 0.3 * hole.half_w)
        else:
            path.addOval(rect)
    return path


def solid(blob: Blob) -> skia.Path:
    """The plate without its holes."""
    path = outline(blob)
    path.addPath(hole_path(blob.holes))
    path.setFillType(skia.PathFillType.kEvenOdd)
    return path


def draw_blobs(canvas: Any, blobs: Sequence[Blob]) -> None:
    """Draw plates: a shadow, the plate, its lit edge, and dents."""
    for blob in blobs:
        path = solid(blob)
        canvas.save()
        canvas.translate(0.8, 2.2)
        canvas.drawPath(path, _fill("#05070c", 70))
        canvas.restore()
        canvas.drawPath(path, _fill(blob.colour))
        canvas.drawPath(path, _line(_edge(blob.colour), 1.4))
        for dent in blob.dents:
            _dent(canvas, blob, dent)


def _dent(canvas: Any, blob: Blob, dent: Hole) -> None:
    """A shallow bowl in the plate's own colour: a darker upper rim and a lighter lower one."""
    canvas.drawPath(hole_path([dent]), _fill(mix("#000000", blob.colour, 0.16)))
    rect = skia.Rect.MakeLTRB(
        dent.x - dent.half_w, dent.y - dent.half_h, dent.x + dent.half_w, dent.y + dent.half_h
    )
    canvas.drawArc(rect, 180, 180, False, _line(mix("#000000", blob.colour, 0.4), 1.3))
    canvas.drawArc(rect, 0, 180, False, _line(mix("#ffffff", blob.colour, 0.42), 1.3))


def _edge(colour: str) -> str:
    """A plate's edge: deeper than a pale plate, paler than a dark one."""
    dark = luminance(colour) < DARK
    return mix("#ffffff", colour, 0.22) if dark else mix("#000000", colour, 0.32)


def _fill(colour: str, alpha: int = 255) -> skia.Paint:
    return skia.Paint(Color=rgb_colour(colour, alpha), AntiAlias=True)


def _line(colour: str, width: float) -> skia.Paint:
    return skia.Paint(
        Color=rgb_colour(colour), AntiAlias=True, Style=skia.Paint.kStroke_Style,
        StrokeWidth=width, StrokeCap=skia.Paint.kRound_Cap,
    )  # fmt: skip


RASTER_PX = 2.0
"""Px of a CSS px in the raster that holes are counted on."""


def counted_holes(blob: Blob) -> tuple[int, list[float]]:
    """``(pieces of plate, areas of holes in CSS px^2)`` by the outlines of the
    connected components of the raster, outer and inner."""
    around = blob.box.grown(3.0)
    width, height = round(around.width * RASTER_PX), round(around.height * RASTER_PX)
    buffer = np.zeros((height, width), np.uint8)
    info = skia.ImageInfo.MakeA8(width, height)
    with skia.Surface.MakeRasterDirect(info, buffer, width) as canvas:
        canvas.scale(RASTER_PX, RASTER_PX)
        canvas.translate(-around.x0, -around.y0)
        canvas.drawPath(solid(blob), _fill("#000000"))
    plate = (buffer >= 128).astype(np.uint8)
    outlines, tree = cv2.findContours(plate, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    inner = [one for one, row in zip(outlines, tree[0], strict=True) if row[3] >= 0]
    areas = [cv2.contourArea(one) / RASTER_PX**2 for one in inner]
    return len(outlines) - len(inner), areas


def choose_blob(
    stream: Stream, middle: Point, radius: float, colour: str, holes: int, dents: int
) -> Blob:
    """A plate of about a radius with so many holes and dents, on places of a jittered lattice."""
    squash = stream.uniform(0.9, 1.0)
    radii = tuple(
        round(radius * squash * (1.0 + stream.uniform(-WOBBLE, WOBBLE)), 6) for _ in range(CORNERS)
    )
    spots = stream.sample(_places(stream, holes + dents), holes + dents)
    found = [_hole(stream, middle, radius, place, crowd=holes + dents) for place in spots]
    return Blob(
        round(middle.x, 6), round(middle.y, 6), radii, colour,
        tuple(found[:holes]), tuple(found[holes:]),
    )  # fmt: skip


def _places(stream: Stream, count: int) -> list[tuple[float, float]]:
    """Places in the unit disc, far enough apart for ``count`` holes, turned at random."""
    if count <= 1:
        return [(stream.uniform(-0.2, 0.2), stream.uniform(-0.2, 0.2))]
    ring = max(3, count if count < 5 else count - 1)
    start = stream.uniform(0, 360)
    angles = [math.radians(start + 360.0 * k / ring + stream.uniform(-6, 6)) for k in range(ring)]
    outer = 0.42 if ring == 3 else 0.47
    places = [(outer * math.cos(a), outer * math.sin(a)) for a in angles]
    return [*places, (0.0, 0.0)] if count >= 5 else places


def _hole(
    stream: Stream, middle: Point, radius: float, place: tuple[float, float], crowd: int
) -> Hole:
    """A hole of one of the shapes at a place."""
    shape = stream.weighted([s for s, _ in HOLE_SIDES], [w for _, w in HOLE_SIDES])
    half = radius * (0.175 if crowd <= 4 else 0.145) * stream.uniform(0.88, 1.05)
    tall = half * (stream.uniform(0.72, 0.85) if shape == "oval" else 1.0)
    x, y = middle.x + radius * place[0], middle.y + radius * place[1]
    return Hole(shape, *(round(v, 6) for v in (x, y, half, tall)))
