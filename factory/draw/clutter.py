"""Clutter over or under a scene: lines, arcs and dots that carry no meaning.

Clutter drawn under the glyphs only distracts; over them it covers ink, so
whoever lays it there measures what stays visible (``clutter_mask`` and
``inkmasks.visible_shares``). Its colours are no lighter or darker than inks
that read, but it is thin: it looks like a scratch, not like a letter.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import skia

from factory.core.geometry import Box
from factory.core.puzzle import Bitmap
from factory.core.rng import Stream
from factory.draw.styles import rgb_colour
from factory.draw.tones import Tone, choose_ink

FAINT = 1.5
"""Least contrast of clutter: it is seen, and weaker than ink at 3:1 may be."""

MOST_LINES, MOST_ARCS, MOST_DOTS = 7, 5, 70


@dataclass(frozen=True)
class Clutter:
    """Counts of each sort; ``width`` is the greatest line width in CSS px. JSON-able."""

    seed: str
    colours: tuple[str, ...]
    lines: int
    arcs: int
    dots: int
    width: float


def choose_clutter(stream: Stream, tone: Tone, amount: float, *, width: float = 1.6) -> Clutter:
    """Clutter of an ``amount`` from 0 (none) to 1 (thick) on a ground of a tone."""
    tones = [tone] if tone.ink_ranges(FAINT) else [Tone(1.0, 1.0), Tone(0.0, 0.0)]
    colours = tuple(choose_ink(stream, stream.choice(tones), floor=FAINT) for _ in range(3))
    return Clutter(
        seed=f"{stream.integer(0, 1 << 40):010x}",
        colours=colours,
        lines=round(amount * MOST_LINES * stream.uniform(0.5, 1.0)),
        arcs=round(amount * MOST_ARCS * stream.uniform(0.3, 1.0)),
        dots=round(amount * MOST_DOTS * stream.uniform(0.4, 1.0)),
        width=round(width, 6),
    )


def _stroke(colour: str, width: float) -> skia.Paint:
    return skia.Paint(
        Color=rgb_colour(colour),
        AntiAlias=True,
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=width,
        StrokeCap=skia.Paint.kRound_Cap,
    )


def draw_clutter(canvas: skia.Canvas, clutter: Clutter, box: Box) -> None:
    """Draw it over a box in CSS px; nothing is drawn outside."""
    rng = Stream(f"clutter|{clutter.seed}")
    canvas.save()
    canvas.clipRect(skia.Rect(box.x0, box.y0, box.x1, box.y1))
    for _ in range(clutter.lines):
        _line(canvas, rng, clutter, box)
    for _ in range(clutter.arcs):
        radius = rng.uniform(0.08, 0.3) * box.width
        x, y = rng.uniform(box.x0, box.x1), rng.uniform(box.y0, box.y1)
        oval = skia.Rect.MakeXYWH(x - radius, y - radius, 2 * radius, 2 * radius)
        paint = _stroke(rng.choice(clutter.colours), clutter.width * rng.uniform(0.6, 1.0))
        canvas.drawArc(oval, rng.uniform(0, 360), rng.uniform(60, 250), False, paint)
    path = skia.Path()
    for _ in range(clutter.dots):
        x, y = rng.uniform(box.x0, box.x1), rng.uniform(box.y0, box.y1)
        path.addCircle(x, y, rng.uniform(0.5, 1.0) * clutter.width)
    colour = rgb_colour(rng.choice(clutter.colours))
    canvas.drawPath(path, skia.Paint(Color=colour, AntiAlias=True))
    canvas.restore()


def _line(canvas: skia.Canvas, rng: Stream, clutter: Clutter, box: Box) -> None:
    """A bent line from one side to another."""
    ends = [(box.x0, rng.uniform(box.y0, box.y1)), (box.x1, rng.uniform(box.y0, box.y1))]
    if rng.chance(0.3):
        ends = [(rng.uniform(box.x0, box.x1), box.y0), (rng.uniform(box.x0, box.x1), box.y1)]
    bends = [
        (rng.uniform(box.x0, box.x1), rng.uniform(box.y0, box.y1)),
        (rng.uniform(box.x0, box.x1), rng.uniform(box.y0, box.y1)),
    ]
    path = skia.Path()
    path.moveTo(*ends[0])
    path.cubicTo(*bends[0], *bends[1], *ends[1])
    width = clutter.width * rng.uniform(0.6, 1.0)
    canvas.drawPath(path, _stroke(rng.choice(clutter.colours), width))


def clutter_mask(clutter: Clutter, area: Box, scale: float = 1.0) -> Bitmap:
    """Coverage 0 to 255 of the clutter over ``area`` at ``scale``; see ``inkmasks.mask``."""
    width, height = round(area.width * scale), round(area.height * scale)
    buffer = np.zeros((height, width, 4), np.uint8)
    info = skia.ImageInfo.Make(width, height, skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType)
    with skia.Surface.MakeRasterDirect(info, buffer) as canvas:
        canvas.scale(scale, scale)
        canvas.translate(-area.x0, -area.y0)
        draw_clutter(canvas, clutter, area)
    return np.asarray(cv2.extractChannel(buffer, 3), np.uint8)
