"""How stones, counters, things, dice and darts are painted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import skia

from captcha_types.pager_stepper._tallies import RINGS, Dress, Mark, thing
from factory.core.rng import Stream
from factory.draw import icons
from factory.draw.colours import contrast, mix
from factory.draw.solid.dice import PIPS, symbol_path
from factory.draw.styles import rgb_colour


def paint_marks(canvas: Any, dress: Dress, marks: Sequence[Mark]) -> None:
    """The marks of a page on a canvas whose origin is the page's corner."""
    if dress.form == "darts":
        _board(canvas, dress)
    for mark in marks:
        canvas.save()
        canvas.translate(mark.x, mark.y)
        _PAINTERS[dress.form](canvas, dress, mark)
        canvas.restore()


@lru_cache(maxsize=512)
def _paint(colour: str, alpha: int = 255, stroke: float = 0.0) -> Any:
    paint = skia.Paint(Color=rgb_colour(colour, alpha), AntiAlias=True)
    if stroke:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(stroke)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
    return paint


def _paint_thing(canvas: Any, dress: Dress, mark: Mark) -> None:
    icons.draw_icon(canvas, replace(thing(dress, mark), x=0.0, y=0.0))


def _paint_stone(canvas: Any, dress: Dress, mark: Mark) -> None:
    """A pebble: an uneven outline, lighter above, with a shadow."""
    stream, half = Stream(f"stone|{mark.look}"), mark.size / 2
    rim = [half * stream.uniform(0.76, 1.0) for _ in range(9)]
    path, ends = skia.Path(), []
    for k, reach in enumerate(rim):
        turn = math.radians(mark.turn_deg + 40.0 * k)
        ends.append((reach * math.cos(turn), 0.86 * reach * math.sin(turn)))
    middles = [((ax + bx) / 2, (ay + by) / 2)
               for (ax, ay), (bx, by) in zip(ends, [*ends[1:], ends[0]], strict=True)]  # fmt: skip
    path.moveTo(*middles[-1])
    for corner, middle in zip(ends, middles, strict=True):
        path.quadTo(*corner, *middle)
    base = mix("#8a8680", dress.colours[mark.look % 2], 0.3)
    canvas.save()
    canvas.translate(0.05 * mark.size, 0.07 * mark.size)
    canvas.drawPath(path, _paint("#0b0d12", 80))
    canvas.restore()
    ends_at = [skia.Point(0, -half), skia.Point(0, half)]
    shades = [rgb_colour(mix("#ffffff", base, 0.22)), rgb_colour(mix("#000000", base, 0.22))]
    shader = skia.GradientShader.MakeLinear(ends_at, shades)
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Shader=shader))
    canvas.drawPath(path, _paint(mix("#000000", base, 0.5), 150, 1.0))


def _paint_counter(canvas: Any, dress: Dress, mark: Mark) -> None:
    """A round counter with a raised ring and notches."""
    half, base = mark.size / 2, dress.colours[mark.look % 2]
    pale = "#ffffff" if contrast(base, "#ffffff") > contrast(base, "#101218") else "#101218"
    canvas.drawCircle(0.04 * mark.size, 0.06 * mark.size, half, _paint("#0b0d12", 80))
    canvas.drawCircle(0, 0, half, _paint(base))
    canvas.rotate(mark.turn_deg)
    for _ in range(6):
        canvas.drawRect(
            skia.Rect(half * 0.74, -half * 0.14, half * 0.98, half * 0.14), _paint(pale)
        )
        canvas.rotate(60)
    canvas.drawCircle(0, 0, half * 0.58, _paint(pale, 255, max(1.2, 0.07 * mark.size)))
    canvas.drawCircle(0, 0, half - 0.5, _paint(mix("#000000", base, 0.45), 200, 1.0))


def _paint_die(canvas: Any, dress: Dress, mark: Mark) -> None:
    """The upper face of a die seen from above."""
    half, (body, dots) = mark.size / 2, dress.colours
    canvas.rotate(mark.turn_deg)
    face = skia.Rect(-half, -half, half, half)
    canvas.save()
    canvas.translate(1.5, 3.0)
    canvas.drawRoundRect(face, 0.2 * mark.size, 0.2 * mark.size, _paint("#0b0d12", 90))
    canvas.restore()
    canvas.drawRoundRect(face, 0.2 * mark.size, 0.2 * mark.size, _paint(mix("#000000", body, 0.3)))
    face.inset(1.4, 1.4)
    canvas.drawRoundRect(face, 0.18 * mark.size, 0.18 * mark.size, _paint(body))
    for x, y in PIPS[mark.value]:
        at = 0.25 * mark.size
        canvas.drawCircle(at * x, at * y, 0.095 * mark.size, _paint(dots))


def _board(canvas: Any, dress: Dress) -> None:
    """Rings with their values above the middle and to its left."""
    x, y, radius = dress.board
    ring = radius / RINGS
    canvas.drawCircle(x + 2, y + 4, radius + 3, _paint("#0b0d12", 80))
    canvas.drawCircle(x, y, radius + 3, _paint("#15171c"))
    for value in range(1, RINGS + 1):
        ground, figure = dress.colours[value % 2], dress.colours[1 - value % 2]
        canvas.drawCircle(x, y, ring * (RINGS + 1 - value), _paint(ground))
        away = ring * (RINGS - value + 0.5)
        spots = ((0.0, -away), (-away, 0.0)) if value < RINGS else ((-0.45 * ring, -0.3 * ring),)
        for dx, dy in spots:
            canvas.save()
            canvas.translate(x + dx, y + dy)
            canvas.drawPath(symbol_path(dress.face, str(value), 0.55 * ring), _paint(figure))
            canvas.restore()


def _paint_dart(canvas: Any, dress: Dress, mark: Mark) -> None:
    """A dart whose tip is at the origin, flights away from it."""
    canvas.rotate(mark.turn_deg)
    long, flight = mark.size, dress.colours[2]
    canvas.drawLine(1, 2.5, long, 4.5, _paint("#0b0d12", 90, 2.6))
    canvas.drawLine(0, 0, 0.34 * long, 0, _paint("#0d0f14", 255, 3.4))
    canvas.drawLine(0, 0, 0.34 * long, 0, _paint("#e8ebf0", 255, 1.6))
    canvas.drawLine(0.3 * long, 0, 0.66 * long, 0, _paint("#0d0f14", 255, 5.4))
    canvas.drawLine(0.32 * long, 0, 0.64 * long, 0, _paint("#c9952b", 255, 3.2))
    path = skia.Path()
    path.addPoly([skia.Point(0.62 * long, 0), skia.Point(0.8 * long, -6.5), skia.Point(long, -6.5),
                  skia.Point(0.92 * long, 0), skia.Point(long, 6.5), skia.Point(0.8 * long, 6.5)],
                 True)  # fmt: skip
    canvas.drawPath(path, _paint(flight))
    canvas.drawPath(path, _paint("#0d0f14", 255, 1.1))
    canvas.drawCircle(0, 0, 2.6, _paint("#0d0f14"))
    canvas.drawCircle(0, 0, 1.5, _paint("#ffffff"))


_PAINTERS = {
    "stones": _paint_stone, "counters": _paint_counter, "things": _paint_thing,
    "dice": _paint_die, "darts": _paint_dart,
}  # fmt: skip
