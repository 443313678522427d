"""Painters of grounds: each fills a rectangle from a keyed stream in the colours it is given.

A painter draws only mixtures of its colours (veils and alpha included), so that
a ground stays inside the channel bounds that its colours keep.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.rng import Stream
from factory.draw.blits import blit, blurred, device_size
from factory.draw.colours import mix, parse_hex
from factory.draw.ground_prints import PRINTS, flat, line
from factory.draw.styles import rgb_colour
from factory.draw.textures import SIDE_PX, texture

Colours = Sequence[str]
Painter = Callable[[skia.Canvas, Stream, Colours, float, float], None]
"""(canvas, stream, colours, width, height): paints ``[0, width] x [0, height]`` CSS px."""

FIELDS = 12
"""Noise fields of each surface: few enough to be kept, turned, scaled and tinted to be many."""


SOFT_PX, BOKEH_PX = 48.0, 110.0
"""Widths at which soft things are drawn before they are stretched: shaders cost by the px."""


def _fill(canvas: skia.Canvas, colour: str, width: float, height: float) -> None:
    canvas.drawRect(skia.Rect(0, 0, width, height), skia.Paint(Color=rgb_colour(colour)))


def _sweep(canvas: skia.Canvas, rng: Stream, colours: Colours, width: float, height: float) -> None:
    """A linear gradient at any angle."""
    angle = rng.uniform(0.0, 2 * math.pi)
    dx, dy = width / 2 * math.cos(angle), height / 2 * math.sin(angle)
    ends = [
        skia.Point(width / 2 - dx, height / 2 - dy),
        skia.Point(width / 2 + dx, height / 2 + dy),
    ]
    picked = rng.sample(list(colours), min(3, len(colours)))
    shader = skia.GradientShader.MakeLinear(ends, [rgb_colour(c) for c in picked])
    canvas.drawRect(skia.Rect(0, 0, width, height), skia.Paint(Shader=shader, Dither=True))


def _glow(canvas: skia.Canvas, x: float, y: float, radius: float, colour: str, alpha: int) -> None:
    shader = skia.GradientShader.MakeRadial(
        skia.Point(x, y), radius, [rgb_colour(colour, alpha), rgb_colour(colour, 0)]
    )
    canvas.drawCircle(x, y, radius, skia.Paint(Shader=shader, Dither=True))


def _soft_sweep(
    canvas: skia.Canvas, rng: Stream, colours: Colours, width: float, height: float
) -> None:
    """A sweep, drawn small and stretched."""
    blurred(canvas, width, height, SOFT_PX, lambda low: _sweep(low, rng, colours, width, height))


def gradient(
    canvas: skia.Canvas, rng: Stream, colours: Colours, width: float, height: float
) -> None:
    """A sweep with a few large glows on it."""

    def paint(low: skia.Canvas) -> None:
        _sweep(low, rng, colours, width, height)
        for _ in range(rng.integer(2, 5)):
            radius = rng.uniform(0.25, 0.6) * width
            x, y = rng.uniform(0, width), rng.uniform(0, height)
            _glow(low, x, y, radius, rng.choice(colours), 230)

    blurred(canvas, width, height, SOFT_PX, paint)


@lru_cache(maxsize=64)
def _field(surface: str, number: int) -> Any:
    """A noise field as uint8, read-only."""
    levels = np.rint(texture(surface, Stream(f"ground/{number}")) * 255).astype(np.uint8)
    levels.setflags(write=False)
    return levels


def _relief(rng: Stream, surface: str, share: float, size: tuple[int, int]) -> Any:
    """A height map, uint8 ``size``: a piece of a noise field on a large slow swell."""
    field = _field(surface, rng.integer(0, FIELDS))
    side = rng.integer(SIDE_PX // 2, SIDE_PX)
    x, y = rng.integer(0, SIDE_PX - side + 1), rng.integer(0, SIDE_PX - side + 1)
    piece = field[y : y + side, x : x + side][:: rng.choice((1, -1)), :: rng.choice((1, -1))]
    if rng.chance(0.5):
        piece = piece.T
    swell = np.array([[rng.integer(0, 256) for _ in range(4)] for _ in range(3)], np.uint8)
    fine = cv2.resize(np.ascontiguousarray(piece), size, interpolation=cv2.INTER_LINEAR)
    slow = cv2.resize(swell, size, interpolation=cv2.INTER_LINEAR)
    return cv2.addWeighted(fine, share, slow, 1 - share, 0.0)


def _ramp(colours: Colours) -> Any:
    """256 BGRA colours along the given ones, as uint32."""
    stops = np.array([(*parse_hex(c)[::-1], 255) for c in colours], float)
    at = np.linspace(0, 255, len(stops))
    table = np.stack([np.interp(np.arange(256), at, stops[:, k]) for k in range(4)], 1)
    return np.rint(table).astype(np.uint8).view(np.uint32).ravel()


def _coloured_relief(
    canvas: skia.Canvas, rng: Stream, colours: Colours, surface: str, share: float,
    size: tuple[float, float],
) -> None:  # fmt: skip
    device = device_size(canvas, *size)
    relief = _relief(rng, surface, share, device)
    pixels = _ramp(colours)[relief].view(np.uint8).reshape(device[1], device[0], 4)
    blit(canvas, pixels)


def clouds(canvas: skia.Canvas, rng: Stream, colours: Colours, width: float, height: float) -> None:
    """Clouds or marble: a noise field coloured along a ramp."""
    picked = rng.sample(list(colours), rng.integer(3, 5))
    _coloured_relief(canvas, rng, picked, "clouds", rng.uniform(0.4, 0.8), (width, height))


def paper(canvas: skia.Canvas, rng: Stream, colours: Colours, width: float, height: float) -> None:
    """Paper, linen or metal, unevenly lit; some are cut from two stocks."""
    surface, first, second = (
        rng.choice(("paper", "linen", "brushed")),
        *rng.sample(list(colours), 2),
    )
    stock = (first, mix(first, second, 0.6), second)
    _coloured_relief(canvas, rng, stock, surface, rng.uniform(0.18, 0.4), (width, height))
    if rng.chance(0.6):
        x, lean = rng.uniform(0.2, 0.8) * width, rng.uniform(-0.4, 0.4) * width
        path = skia.Path()
        corners = ((x - lean, 0.0), (width, 0.0), (width, height), (x + lean, height))
        path.addPoly([skia.Point(*corner) for corner in corners], True)
        canvas.drawPath(path, flat(rng.choice(colours), rng.integer(90, 220)))


def bokeh(canvas: skia.Canvas, rng: Stream, colours: Colours, width: float, height: float) -> None:
    """Discs of light out of focus."""

    def paint(low: skia.Canvas) -> None:
        _sweep(low, rng, colours, width, height)
        for _ in range(rng.integer(9, 18)):
            radius = rng.uniform(0.04, 0.2) * width
            x, y = rng.uniform(0, width), rng.uniform(0, height)
            low.drawCircle(x, y, radius, flat(rng.choice(colours), rng.integer(90, 200)))
            if rng.chance(0.4):
                low.drawCircle(x, y, radius, line(rng.choice(colours), 2.0, 160))

    blurred(canvas, width, height, BOKEH_PX, paint)


def facets(canvas: skia.Canvas, rng: Stream, colours: Colours, width: float, height: float) -> None:
    """A crumpled net of triangles."""
    columns, rows = rng.integer(4, 8), rng.integer(3, 6)
    net = [
        [
            (
                (c - 0.25 + rng.uniform(-0.32, 0.32) + 0.5 * (r % 2)) * width / (columns - 1.5),
                (r - 0.1 + rng.uniform(-0.3, 0.3)) * height / (rows - 0.2),
            )
            for c in range(-1, columns + 1)
        ]
        for r in range(-1, rows + 2)
    ]
    _fill(canvas, colours[0], width, height)
    for upper, lower in pairwise(net):
        for c in range(columns + 1):
            for corners in (
                (upper[c], upper[c + 1], lower[c]),
                (upper[c + 1], lower[c + 1], lower[c]),
            ):
                path = skia.Path()
                path.addPoly([skia.Point(*corner) for corner in corners], True)
                canvas.drawPath(path, skia.Paint(Color=rgb_colour(rng.choice(colours))))


def strata(canvas: skia.Canvas, rng: Stream, colours: Colours, width: float, height: float) -> None:
    """Wavy layers, lying, standing or slanting."""
    _fill(canvas, colours[0], width, height)
    canvas.save()
    canvas.translate(width / 2, height / 2)
    canvas.rotate(rng.uniform(0, 360))
    half = 0.62 * math.hypot(width, height)
    layers = rng.integer(4, 8)
    for layer in range(layers):
        y = half * (2 * (layer + rng.uniform(0.1, 0.6)) / layers - 1)
        swing, path = rng.uniform(0.03, 0.2) * half, skia.Path()
        path.moveTo(-half, y)
        for part in range(3):
            x, step = -half + part * 2 * half / 3, 2 * half / 3
            path.cubicTo(x + step / 3, y + swing, x + 2 * step / 3, y - swing, x + step,
                         y + rng.uniform(-0.5, 0.5) * swing)  # fmt: skip
        path.lineTo(half, half)
        path.lineTo(-half, half)
        canvas.drawPath(path, flat(rng.choice(colours)))
    canvas.restore()


def blocks(canvas: skia.Canvas, rng: Stream, colours: Colours, width: float, height: float) -> None:
    """A sheet cut into rectangles, again and again."""
    pieces = [(0.0, 0.0, width, height)]
    for _ in range(rng.integer(9, 18)):
        pieces.sort(key=lambda piece: piece[2] * piece[3])
        x, y, w, h = pieces.pop()
        share = rng.uniform(0.3, 0.7)
        if w * rng.uniform(0.6, 1.4) > h:
            pieces += [(x, y, share * w, h), (x + share * w, y, (1 - share) * w, h)]
        else:
            pieces += [(x, y, w, share * h), (x, y + share * h, w, (1 - share) * h)]
    seam = rng.choice((0.0, 0.0, 1.5, 3.0))
    _fill(canvas, colours[0], width, height)
    for x, y, w, h in pieces:
        area = skia.Rect.MakeXYWH(x, y, max(1.0, w - seam), max(1.0, h - seam))
        canvas.drawRect(area, skia.Paint(Color=rgb_colour(rng.choice(colours))))


def pattern(
    canvas: skia.Canvas, rng: Stream, colours: Colours, width: float, height: float
) -> None:
    """A printed pattern over a sweep, the print turned."""
    _soft_sweep(canvas, rng, colours, width, height)
    pitch = rng.uniform(0.07, 0.16) * width
    half = 0.6 * math.hypot(width, height)
    count = math.ceil(2 * half / pitch)
    canvas.save()
    canvas.translate(width / 2, height / 2)
    canvas.rotate(rng.choice((0, 30, 45, 60, 90, 135)) + rng.uniform(-8, 8))
    canvas.translate(-half, -half)
    rng.choice(PRINTS)(canvas, rng, colours, pitch, count)
    canvas.restore()


PAINTERS: Mapping[str, Painter] = {
    "gradient": gradient,
    "clouds": clouds,
    "paper": paper,
    "pattern": pattern,
    "facets": facets,
    "bokeh": bokeh,
    "strata": strata,
    "blocks": blocks,
}
