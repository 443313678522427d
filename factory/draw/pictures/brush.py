"""Painting in a square of side 100 with few, cheap skia calls.

A call costs 3 to 9 us, an anti-aliased clip taxes everything under it, and a
gradient costs as much as thirty shapes, so scenes use flat colours, one or two
gradients, and one path for many small shapes of a colour. Colours are
0xAARRGGBB integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import skia

from factory.core.rng import Stream

Points = Sequence[tuple[float, float]]


@lru_cache(maxsize=8192)
def ink(color: int) -> skia.Paint:
    """The anti-aliased fill of a colour. Shared: never change it."""
    return skia.Paint(Color=color, AntiAlias=True)


@lru_cache(maxsize=2048)
def pen(color: int, width: float) -> skia.Paint:
    """A round-ended stroke. Shared: never change it."""
    return skia.Paint(
        Color=color,
        AntiAlias=True,
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=width,
        StrokeCap=skia.Paint.kRound_Cap,
        StrokeJoin=skia.Paint.kRound_Join,
    )


@lru_cache(maxsize=512)
def fade(top: float, bottom: float, *colors: int, smooth: bool = False) -> skia.Paint:
    """A vertical gradient between two heights, for shapes whose edges nothing covers if ``smooth``.

    Dithered: it hides the bands, and on premultiplied and opaque targets it
    takes a path of skia that is twice as fast.
    """
    shader = skia.GradientShader.MakeLinear(
        [skia.Point(0, top), skia.Point(0, bottom)], list(colors)
    )
    return skia.Paint(Shader=shader, Dither=True, AntiAlias=smooth)


@lru_cache(maxsize=512)
def glow(x: float, y: float, radius: float, color: int) -> skia.Paint:
    """Light that fades out from a point: ``color`` at the centre, nothing at the radius."""
    shader = skia.GradientShader.MakeRadial(skia.Point(x, y), radius, [color, color & 0x00FFFFFF])
    return skia.Paint(Shader=shader, Dither=True)


def mix(first: int, second: int, share: float) -> int:
    """A colour between two opaque ones; ``share`` 0 is the first, 1 the second."""
    k = int(share * 256)
    j = 256 - k
    return (
        0xFF000000
        | (((first >> 16 & 255) * j + (second >> 16 & 255) * k) >> 8) << 16
        | (((first >> 8 & 255) * j + (second >> 8 & 255) * k) >> 8) << 8
        | ((first & 255) * j + (second & 255) * k) >> 8
    )


def darker(color: int, share: float) -> int:
    """Towards black, with a little blue left, as shadows have."""
    return mix(color, 0xFF0B1026, share)


def lighter(color: int, share: float) -> int:
    """Towards white."""
    return mix(color, 0xFFFFFFFF, share)


def see_through(color: int, alpha: int) -> int:
    """The colour with alpha 0..255."""
    return (color & 0x00FFFFFF) | alpha << 24


def box(canvas: skia.Canvas, x: float, y: float, w: float, h: float, color: int) -> None:
    """A filled rectangle by its corner and size."""
    canvas.drawRect(skia.Rect(x, y, x + w, y + h), ink(color))


def pill(canvas: skia.Canvas, x: float, y: float, w: float, h: float, r: float, color: int) -> None:
    """A filled rectangle with round corners."""
    canvas.drawRoundRect(skia.Rect(x, y, x + w, y + h), r, r, ink(color))


def disc(canvas: skia.Canvas, x: float, y: float, r: float, color: int) -> None:
    """A filled circle."""
    canvas.drawCircle(x, y, r, ink(color))


def oval(canvas: skia.Canvas, x: float, y: float, rx: float, ry: float, color: int) -> None:
    """A filled ellipse by its centre and half axes."""
    canvas.drawOval(skia.Rect(x - rx, y - ry, x + rx, y + ry), ink(color))


def poly(canvas: skia.Canvas, points: Points, color: int) -> None:
    """A filled polygon."""
    canvas.drawPath(outline(points), ink(color))


def outline(points: Points) -> skia.Path:
    """A closed polygon as a path."""
    path = skia.Path()
    path.addPoly([skia.Point(x, y) for x, y in points], True)
    return path


def boxes(items: Iterable[tuple[float, float, float, float]]) -> skia.Path:
    """Many rectangles (corner, size) in one path."""
    path = skia.Path()
    for x, y, w, h in items:
        path.addRect(skia.Rect(x, y, x + w, y + h))
    return path


def discs(items: Iterable[tuple[float, float, float]]) -> skia.Path:
    """Many circles in one path."""
    path = skia.Path()
    for x, y, r in items:
        path.addCircle(x, y, r)
    return path


def lines(items: Iterable[tuple[float, float, float, float]]) -> skia.Path:
    """Many segments (from, to) in one path, for a pen."""
    path = skia.Path()
    for x0, y0, x1, y1 in items:
        path.moveTo(x0, y0)
        path.lineTo(x1, y1)
    return path


def waves(stream: Stream, y: float, height: float, cycles: float, steps: int = 20) -> Points:
    """A soft ridge across the square: two sines of random phase, closed below the bottom edge."""
    first, second = stream.random() * math.tau, stream.random() * math.tau
    share = stream.uniform(0.25, 0.5)
    k = math.tau * cycles / steps
    top = [
        (
            -2 + 104 * i / steps,
            y
            - height
            * ((1 - share) * math.sin(first + k * i) + share * math.sin(second + 2.3 * k * i)),
        )
        for i in range(steps + 1)
    ]
    return [*top, (102, 102), (-2, 102)]


def crags(stream: Stream, y: float, height: float, peaks: int) -> list[tuple[float, float]]:
    """A jagged ridge line from left to right, peaks and notches in turn (open, without a base)."""
    step = 112 / peaks
    points: list[tuple[float, float]] = [(-4.0, y)]
    x = -6 + step * stream.uniform(0.1, 0.6)
    for _ in range(peaks):
        top = y - height * stream.uniform(0.55, 1.0)
        points.append((x, top))
        notch = step * stream.uniform(0.4, 0.65)
        points.append((x + notch, y - height * stream.uniform(0.05, 0.35)))
        x += step
    points.append((104.0, y))
    return points
