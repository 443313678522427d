"""How clocks, dials, thermometers, rulers and bar charts are painted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import skia

from captcha_types.count_read import _scales as scales
from captcha_types.count_read._scales import Instrument
from factory.core.geometry import Box, Point
from factory.draw import glyphs
from factory.draw.colours import mix
from factory.draw.panels.paint import rounded
from factory.draw.styles import rgb_colour

ROMAN = ("XII", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI")
LETTERS = "ABCDE"
"""Names of bars."""

HOUR_HAND, MINUTE_HAND = 0.5, 0.8
"""Lengths of hands by the radius: a ratio of 5 to 8 is told at a glance."""

NEEDLE = 0.82
GLARE_ALPHA = 60.0


@lru_cache(maxsize=512)
def _paint(colour: str, width: float = 0.0, alpha: int = 255) -> Any:
    paint = skia.Paint(Color=rgb_colour(colour, alpha), AntiAlias=True)
    if width:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(width)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
    return paint


def paint_instrument(canvas: Any, one: Instrument, shown: Sequence[float], start: float) -> None:
    """An instrument that shows a value (a chart: a value a bar; a ruler: from ``start`` on)."""
    canvas.save()
    if not one.round:
        canvas.rotate(one.turn_deg, *one.area.center)
    kind = one.scale.kind
    if kind == "clock":
        _clock(canvas, one, shown[0])
    elif kind == "dial":
        _dial(canvas, one, shown[0])
    elif kind == "thermometer":
        _thermometer(canvas, one, shown[0])
    elif kind == "ruler":
        _ruler(canvas, one, start, start + shown[0])
    else:
        _bars(canvas, one, shown)
    canvas.restore()


def write(
    canvas: Any, one: Instrument, text: str, size: float, at: tuple[float, float], most: float
) -> None:
    """A text about a point, no wider than ``most`` CSS px."""
    shapes = [glyphs.outline(one.face, char) for char in text]
    width = sum(shape.advance for shape in shapes) / 100.0
    size = min(size, most / width)
    path, x = skia.Path(), 0.0
    for shape in shapes:
        path.addPath(shape.path, x, 0.0)
        x += shape.advance
    bounds = path.computeTightBounds()
    canvas.save()
    canvas.translate(*at)
    canvas.scale(size / 100.0, size / 100.0)
    canvas.translate(-bounds.centerX(), -bounds.centerY())
    canvas.drawPath(path, _paint(one.ink))
    canvas.restore()


def _line(canvas: Any, a: Point, b: Point, paint: Any) -> None:
    canvas.drawLine(a.x, a.y, b.x, b.y, paint)


def _case(canvas: Any, one: Instrument) -> None:
    """The round face with its rim, and the light on its glass."""
    middle, radius = one.area.center, one.radius
    canvas.drawCircle(middle.x, middle.y + 2.0, radius + 5.0, _paint("#000000", 0.0, 60))
    canvas.drawCircle(*middle, radius + 4.5, _paint(one.case))
    canvas.drawCircle(*middle, radius, _paint(one.paper))
    if one.glare:
        path = skia.Path()
        path.addCircle(*middle, radius)
        canvas.save()
        canvas.clipPath(path, skia.ClipOp.kIntersect, True)
        canvas.rotate(-38.0, *middle)
        light = _paint("#ffffff", 0.0, round(GLARE_ALPHA * one.glare))
        for off, wide in ((-0.55, 0.34), (0.05, 0.16)):
            x = middle.x + off * radius
            canvas.drawRect(
                skia.Rect(x, middle.y - radius, x + wide * radius, middle.y + radius), light
            )
        canvas.restore()


def _ray_marks(
    canvas: Any, one: Instrument, values: Sequence[float], short: float, width: float
) -> None:
    path = skia.Path()
    for value in values:
        turn = scales.angle_deg(one, value)
        path.moveTo(*scales.on_ray(one, turn, scales.TICKS_AT))
        path.lineTo(*scales.on_ray(one, turn, scales.TICKS_AT - short))
    canvas.drawPath(path, _paint(one.ink, width))


def _clock(canvas: Any, one: Instrument, minutes: float) -> None:
    _case(canvas, one)
    if one.scale.step < 5:
        _ray_marks(canvas, one, [float(m) for m in range(60)], 0.045, 1.0)
    _ray_marks(canvas, one, [5.0 * h for h in range(12)], 0.09, 2.2)
    for hour in range(12):
        if one.numerals == "some" and hour % 3:
            continue
        text = ROMAN[hour] if one.numerals == "roman" else str(hour or 12)
        spot = scales.on_ray(one, scales.angle_deg(one, 5.0 * hour), 0.665)
        write(canvas, one, text, 0.22 * one.radius, spot, 0.3 * one.radius)
    _hand(canvas, one, scales.hour_deg(one, minutes), HOUR_HAND, 0.085, one.ink)
    _hand(canvas, one, scales.angle_deg(one, minutes), MINUTE_HAND, 0.05, one.accent)
    canvas.drawCircle(*one.area.center, 0.075 * one.radius, _paint(one.ink))


def _hand(
    canvas: Any, one: Instrument, turn_deg: float, share: float, width: float, colour: str
) -> None:
    """A hand that narrows to its end, with a short tail."""
    tail, side = scales.on_ray(one, turn_deg + 180.0, 0.14), width * one.radius / 2
    tip = scales.on_ray(one, turn_deg, share)
    across = math.radians(turn_deg + 90.0)
    dx, dy = side * math.cos(across), side * math.sin(across)
    path = skia.Path()
    path.addPoly(
        [skia.Point(tail.x + dx, tail.y + dy), skia.Point(tail.x - dx, tail.y - dy),
         skia.Point(tip.x - 0.4 * dx, tip.y - 0.4 * dy),
         skia.Point(tip.x + 0.4 * dx, tip.y + 0.4 * dy)],
        True,
    )  # fmt: skip
    canvas.drawPath(path, _paint(colour))


def _dial(canvas: Any, one: Instrument, value: float) -> None:
    scale = one.scale
    _case(canvas, one)
    reach = (scales.TICKS_AT - 0.02) * one.radius
    middle = one.area.center
    arc = skia.Rect(middle.x - reach, middle.y - reach, middle.x + reach, middle.y + reach)
    begin = one.turn_deg + scales.DIAL_FROM_DEG
    band = _paint(mix(one.accent, one.paper, 0.35), 0.04 * one.radius)
    canvas.drawArc(arc, begin + 0.72 * scales.DIAL_SWEEP_DEG, 0.28 * scales.DIAL_SWEEP_DEG,
                   False, band)  # fmt: skip
    _ray_marks(canvas, one, [scale.value(k) for k in range(scale.steps + 1)], 0.07, 1.0)
    _ray_marks(canvas, one, scale.majors, 0.13, 2.2)
    for place, major in enumerate(scale.majors):
        if one.numerals == "some" and place % 2:
            continue
        spot = scales.on_ray(one, scales.angle_deg(one, major), 0.6)
        write(canvas, one, scale.text(major), 0.19 * one.radius, spot, 0.34 * one.radius)
    _hand(canvas, one, scales.angle_deg(one, value), NEEDLE, 0.085, one.accent)
    canvas.drawCircle(*middle, 0.1 * one.radius, _paint(one.ink))


def _card(canvas: Any, one: Instrument, area: Box, corner: float) -> None:
    canvas.drawRRect(rounded(area.moved(0.0, 2.0), corner), _paint("#000000", 0.0, 60))
    canvas.drawRRect(rounded(area, corner), _paint(one.paper))
    canvas.drawRRect(rounded(area.grown(-0.8), corner), _paint(one.case, 1.6))


def _side_marks(
    canvas: Any, one: Instrument, way: tuple[float, float], gap: float, long: tuple[float, float]
) -> None:
    """Marks of a straight scale beside its axis, in a direction; short ones and long ones."""
    scale = one.scale
    for values, reach, width in (
        ([scale.value(k) for k in range(scale.steps + 1)], long[0], 1.0),
        (scale.majors, long[1], 2.0),
    ):
        path = skia.Path()
        for value in values:
            x, y = scales.along(one, value)
            path.moveTo(x + gap * way[0], y + gap * way[1])
            path.lineTo(x + (gap + reach) * way[0], y + (gap + reach) * way[1])
        canvas.drawPath(path, _paint(one.ink, width))


def _side_numbers(
    canvas: Any, one: Instrument, off: tuple[float, float], size: float, most: float
) -> None:
    for place, major in enumerate(one.scale.majors):
        if one.numerals == "some" and place % 2:
            continue
        x, y = scales.along(one, major)
        write(canvas, one, one.scale.text(major), size, (x + off[0], y + off[1]), most)


def _thermometer(canvas: Any, one: Instrument, value: float) -> None:
    _card(canvas, one, one.area, 10.0)
    low, high = scales.axis(one)
    way = (1.0, 0.0) if one.upright else (0.0, 1.0)
    back = Point(low.x, low.y + 13.0) if one.upright else Point(low.x - 13.0, low.y)
    end = Point(high.x, high.y - 6.0) if one.upright else Point(high.x + 6.0, high.y)
    glass = mix(one.ink, one.paper, 0.18)
    canvas.drawCircle(*back, 11.5, _paint(glass))
    _line(canvas, back, end, _paint(glass, 11.0))
    _line(canvas, back, end, _paint(one.paper, 7.6))
    canvas.drawCircle(*back, 9.6, _paint(one.accent))
    top = scales.along(one, value)
    fluid = skia.Paint(_paint(one.accent, 6.0))
    fluid.setStrokeCap(skia.Paint.kButt_Cap)
    _line(canvas, back, top, fluid)
    _side_marks(canvas, one, way, 8.0, (6.0, 11.0))
    _side_numbers(canvas, one, (33.0, 0.0) if one.upright else (0.0, 29.0), 12.0, 26.0)


def _ruler(canvas: Any, one: Instrument, start: float, end: float) -> None:
    body = Box(one.area.x0, one.area.center.y, one.area.x1, one.area.y1)
    _card(canvas, one, body, 4.0)
    _side_marks(canvas, one, (0.0, 1.0), 0.0, (8.0, 14.0))
    _side_numbers(canvas, one, (0.0, 24.0), 12.0, 20.0)
    a, b = scales.along(one, start), scales.along(one, end)
    thing = Box(a.x, a.y - 22.0, b.x, b.y - 5.0)
    _pencil(canvas, one, thing)
    for x in (a.x, b.x):
        dots = skia.Paint(_paint(one.accent, 1.2))
        dots.setPathEffect(skia.DashPathEffect.Make([2.0, 2.5], 0.0))
        canvas.drawLine(x, thing.y0 - 5.0, x, a.y, dots)


def _pencil(canvas: Any, one: Instrument, box: Box) -> None:
    """A pencil from the left to the right edge of a box, its point on the right.

    A light rim keeps its dark point visible on any ground.
    """
    point = min(14.0, 0.35 * box.width)
    outline = skia.Path()
    outline.addPoly(
        [skia.Point(box.x0, box.y0), skia.Point(box.x1 - point, box.y0),
         skia.Point(box.x1, box.center.y), skia.Point(box.x1 - point, box.y1),
         skia.Point(box.x0, box.y1)],
        True,
    )  # fmt: skip
    canvas.drawPath(outline, _paint("#f4f4f6", 3.4))
    shaft = skia.Rect(box.x0, box.y0, box.x1 - point, box.y1)
    canvas.drawRect(shaft, _paint(one.accent))
    third = box.height / 3
    stripe = skia.Rect(box.x0, box.y0 + third, box.x1 - point, box.y1 - third)
    canvas.drawRect(stripe, _paint(mix("#ffffff", one.accent, 0.25)))
    for share, colour in ((1.0, "#e8c9a0"), (0.4, "#2a2a2e")):
        path = skia.Path()
        x, half = box.x1 - share * point, share * box.height / 2
        path.addPoly(
            [skia.Point(x, box.center.y - half), skia.Point(box.x1, box.center.y),
             skia.Point(x, box.center.y + half)],
            True,
        )  # fmt: skip
        canvas.drawPath(path, _paint(colour))
    canvas.drawPath(outline, _paint("#15161a", 1.2))


def _bars(canvas: Any, one: Instrument, shown: Sequence[float]) -> None:
    _card(canvas, one, one.area, 8.0)
    low, high = scales.axis(one)
    right, scale = one.area.x1 - 8.0, one.scale
    lines = skia.Path()
    for major in scale.majors:
        y = scales.along(one, major).y
        lines.moveTo(low.x, y)
        lines.lineTo(right, y)
    canvas.drawPath(lines, _paint(mix(one.ink, one.paper, 0.3), 1.0))
    for place, value in enumerate(shown):
        box = scales.bar_box(one, place, value)
        share = 1.0 if place % 2 == 0 else 0.72
        rect = skia.Rect(box.x0, box.y0, box.x1, box.y1)
        canvas.drawRect(rect, _paint(mix(one.accent, one.ink, share)))
        write(canvas, one, LETTERS[place], 12.0, (box.center.x, low.y + 11.0), 14.0)
    _side_marks(canvas, one, (-1.0, 0.0), 0.0, (3.5, 6.5))
    _line(canvas, low, high, _paint(one.ink, 1.6))
    canvas.drawLine(low.x, low.y, right, low.y, _paint(one.ink, 1.6))
    _side_numbers(canvas, one, (-19.0, 0.0), 11.0, 20.0)
