"""Printed patterns of grounds: each fills ``[0, count * pitch]`` squared in CSS px."""

from __future__ import annotations

import math
from collections.abc import Sequence

import skia

from factory.core.rng import Stream
from factory.draw.styles import rgb_colour

Colours = Sequence[str]


def flat(colour: str, alpha: int = 255) -> skia.Paint:
    """Fill with a colour."""
    return skia.Paint(Color=rgb_colour(colour, alpha), AntiAlias=True)


def line(colour: str, width: float, alpha: int = 255) -> skia.Paint:
    """A stroke of a width."""
    return skia.Paint(
        Color=rgb_colour(colour, alpha),
        AntiAlias=True,
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=width,
    )


def _stripes(canvas: skia.Canvas, rng: Stream, colours: Colours, pitch: float, count: int) -> None:
    share, picked = rng.uniform(0.25, 0.6), rng.sample(list(colours), 2)
    for at in range(count):
        area = skia.Rect.MakeXYWH(at * pitch, 0, share * pitch, count * pitch)
        canvas.drawRect(area, flat(picked[at % 2], 220))


def _dots(canvas: skia.Canvas, rng: Stream, colours: Colours, pitch: float, count: int) -> None:
    radius, path = rng.uniform(0.15, 0.4) * pitch, skia.Path()
    for row in range(count):
        for column in range(count):
            path.addCircle((column + 0.5 * (row % 2)) * pitch, row * pitch, radius)
    canvas.drawPath(path, flat(rng.choice(colours), 210))


def _checks(canvas: skia.Canvas, rng: Stream, colours: Colours, pitch: float, count: int) -> None:
    path = skia.Path()
    for row in range(count):
        for column in range(row % 2, count, 2):
            path.addRect(skia.Rect.MakeXYWH(column * pitch, row * pitch, pitch, pitch))
    canvas.drawPath(path, flat(rng.choice(colours), rng.integer(120, 230)))


def _rings(canvas: skia.Canvas, rng: Stream, colours: Colours, pitch: float, count: int) -> None:
    half, width = count * pitch / 2, rng.uniform(0.2, 0.5) * pitch
    x, y = half * rng.uniform(0.5, 1.5), half * rng.uniform(0.5, 1.5)
    colour = rng.choice(colours)
    for ring in range(1, count + 4):
        canvas.drawCircle(x, y, ring * pitch, line(colour, width, 200))


def _waves(canvas: skia.Canvas, rng: Stream, colours: Colours, pitch: float, count: int) -> None:
    path, swing = skia.Path(), rng.uniform(0.4, 0.9) * pitch
    for row in range(count):
        path.moveTo(0, row * pitch)
        for column in range(count):
            x = column * pitch
            path.quadTo(x + pitch / 2, row * pitch + (swing if column % 2 else -swing),
                        x + pitch, row * pitch)  # fmt: skip
    canvas.drawPath(path, line(rng.choice(colours), rng.uniform(0.15, 0.35) * pitch, 220))


def _triangles(
    canvas: skia.Canvas, rng: Stream, colours: Colours, pitch: float, count: int
) -> None:
    side = 1.4 * pitch
    for row in range(math.ceil(count / 1.4)):
        for column in range(math.ceil(count / 1.4)):
            if rng.chance(0.45):
                continue
            x, y, path = column * side, row * side, skia.Path()
            path.moveTo(x, y)
            path.lineTo(x + side, y)
            path.lineTo(x + side * (row % 2), y + side)
            path.close()
            canvas.drawPath(path, flat(rng.choice(colours), 220))


PRINTS = (_stripes, _dots, _checks, _rings, _waves, _triangles)
"""What a pattern may be printed with."""
