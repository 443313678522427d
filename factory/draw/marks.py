"""Feedback of a mechanic, drawn: typed text, ticks, badges, outlines, pen strokes, progress.

Marks come with a mechanic's pose, in canvas px; no class writes code for them. Their
colours are the panel's tokens, with a light rim so that they are seen on any picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import skia

from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import Mark, Pose
from factory.draw.panels.layout import CONTROL_FONT_PX, PanelLayout
from factory.draw.panels.paint import ink
from factory.draw.text import draw_line, text_width

BADGE_CSS = 11.0
"""Radius of an order badge or a tick, CSS px."""

RIM_CSS = 2.0
"""Width of the light rim around badges, CSS px."""

LINE_CSS = 3.0
"""Width of outlines and pen strokes, CSS px."""

FIELD_INSET_CSS = 12.0
"""Typed text begins this far inside its field."""

Painter = Callable[[Any, PanelLayout, Mark, float], None]


def paint_marks(canvas: Any, layout: PanelLayout, pose: Pose, px_per_css: float) -> None:
    """Draw the marks of a pose on a canvas in canvas px."""
    for mark in pose.marks:
        _PAINTERS[mark.kind](canvas, layout, mark, px_per_css)


def typed_fields(layout: PanelLayout, pose: Pose, panel: PlaneMap) -> frozenset[str]:
    """Names of the fields that hold text; ``panel`` is ``panel_from_canvas``."""
    typed = [panel(_centre(mark)) for mark in pose.marks if mark.kind == "typed" and mark.text]
    fields = [control.name for control in layout.request.controls if control.kind == "field"]
    return frozenset(
        name for name in fields if any(layout.boxes[name].contains(point) for point in typed)
    )


def _centre(mark: Mark) -> Point:
    return Point(
        sum(point[0] for point in mark.points) / len(mark.points),
        sum(point[1] for point in mark.points) / len(mark.points),
    )


def _typed(canvas: Any, layout: PanelLayout, mark: Mark, scale: float) -> None:
    """The end of the text that fits the field."""
    xs, ys = [p[0] for p in mark.points], [p[1] for p in mark.points]
    box = Box(min(xs) / scale, min(ys) / scale, max(xs) / scale, max(ys) / scale)
    faces, text = layout.faces(400), mark.text
    room = box.width - 2 * FIELD_INSET_CSS
    while text and text_width(text, faces, CONTROL_FONT_PX) > room:
        text = text[1:]
    canvas.save()
    canvas.scale(scale, scale)
    inner = Box(box.x0 + FIELD_INSET_CSS, box.y0, box.x1 - FIELD_INSET_CSS, box.y1)
    draw_line(canvas, text, faces, CONTROL_FONT_PX, layout.look.rgb("text"), inner, "left")
    canvas.restore()


def _disc(canvas: Any, layout: PanelLayout, mark: Mark, scale: float) -> Box:
    """The accent disc with its rim; returns its box, canvas px."""
    (x, y), radius = _centre(mark), BADGE_CSS * scale
    canvas.drawCircle(x, y, radius + RIM_CSS * scale, ink(layout.look.rgb("on_accent")))
    canvas.drawCircle(x, y, radius, ink(layout.look.rgb("accent")))
    return Box(x - radius, y - radius, x + radius, y + radius)


def _badge(canvas: Any, layout: PanelLayout, mark: Mark, scale: float) -> None:
    box = _disc(canvas, layout, mark, scale)
    colour = layout.look.rgb("on_accent")
    draw_line(canvas, mark.text, layout.faces(600), 1.2 * BADGE_CSS * scale, colour, box)


def _tick(canvas: Any, layout: PanelLayout, mark: Mark, scale: float) -> None:
    box, stroke = _disc(canvas, layout, mark, scale), ink(layout.look.rgb("on_accent"))
    _as_line(stroke, 2.4 * scale)
    (x, y), reach = box.center, BADGE_CSS * scale
    path = skia.Path()
    path.moveTo(x - 0.45 * reach, y + 0.02 * reach)
    path.lineTo(x - 0.1 * reach, y + 0.36 * reach)
    path.lineTo(x + 0.48 * reach, y - 0.34 * reach)
    canvas.drawPath(path, stroke)


def _as_line(paint: Any, width: float) -> None:
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(width)
    paint.setStrokeCap(skia.Paint.kRound_Cap)
    paint.setStrokeJoin(skia.Paint.kRound_Join)


def _outline(canvas: Any, layout: PanelLayout, mark: Mark, scale: float) -> None:
    _stroked(canvas, layout, mark, scale, closed=True)


def _polyline(canvas: Any, layout: PanelLayout, mark: Mark, scale: float) -> None:
    _stroked(canvas, layout, mark, scale, closed=False)


def _stroked(canvas: Any, layout: PanelLayout, mark: Mark, scale: float, *, closed: bool) -> None:
    """Lines between the points, with a rim under them."""
    path = skia.Path()
    path.addPoly([skia.Point(x, y) for x, y in mark.points], closed)
    for role, width in (("on_accent", LINE_CSS + 2 * RIM_CSS), ("accent", LINE_CSS)):
        paint = ink(layout.look.rgb(role), 0.7 if role == "on_accent" else 1.0)
        _as_line(paint, width * scale)
        canvas.drawPath(path, paint)


def _progress(canvas: Any, layout: PanelLayout, mark: Mark, scale: float) -> None:
    """A bar along the foot of the box that the points span, filled by its value."""
    xs, ys = [p[0] for p in mark.points], [p[1] for p in mark.points]
    left, right, foot = min(xs), max(xs), max(ys)
    tall = LINE_CSS * scale
    for role, end in (("on_accent", right), ("success", left + mark.value * (right - left))):
        rect = skia.Rect.MakeLTRB(left, foot - tall, end, foot)
        canvas.drawRoundRect(rect, tall / 2, tall / 2, ink(layout.look.rgb(role)))


_PAINTERS: Mapping[str, Painter] = {
    "typed": _typed,
    "badge": _badge,
    "tick": _tick,
    "outline": _outline,
    "polyline": _polyline,
    "progress": _progress,
}
