"""A panel painted on a page: chrome that stays, and controls in any state of their mechanic.

Everything is drawn on a skia canvas whose unit is the panel's CSS px and whose
origin is the panel's corner. Colours, radii and shadows are the page's tokens,
so that panel and page are one design.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import skia

from factory.core.geometry import Box
from factory.core.mechanics import PartPose
from factory.draw.panels.layout import CONTROL_FONT_PX, HINT_FONT_PX, RING_PX, PanelLayout
from factory.draw.pictures.icon import icon_outline
from factory.draw.text import draw_line, text_width
from factory.draw.tokens import RGB

_SHADOW = re.compile(r"0 (\d+)(?:px)? (\d+)(?:px)? (?:0 )?rgba\((\d+),(\d+),(\d+),([\d.]+)\)")

ICON_UNITS = 24
"""Icons are drawn in a square of this side."""

FOOT_GAP = 16
"""CSS px between two things of a footer."""


def paint_chrome(canvas: Any, layout: PanelLayout) -> None:
    """Surface, title, frame, footer and the ground of every control."""
    _surface(canvas, layout)
    _head(canvas, layout)
    _frame(canvas, layout)
    for name, box in layout.boxes.items():
        if name == "track":
            _track(canvas, layout, box)
        elif name in _fields(layout):
            _field(canvas, layout, box)
        elif name.startswith("option") or name in ("prev", "next", "skip"):
            _plain_button(canvas, layout, name, box)
        elif name in ("submit", "hold"):
            _filled_button(canvas, layout, name, box)
    _foot(canvas, layout)


def paint_controls(
    canvas: Any, layout: PanelLayout, poses: Mapping[str, PartPose], *, typed: frozenset[str]
) -> None:
    """What moves or changes: the handle at its pose, and the hints in fields not ``typed`` into.

    Shifts of ``poses`` are CSS px.
    """
    if "handle" in layout.boxes:
        pose = poses.get("handle", PartPose())
        if not pose.dx:
            _words(canvas, layout, "label", layout.look.rgb("muted"))
        _handle(canvas, layout, layout.boxes["handle"].moved(pose.dx, pose.dy))
    for name in _fields(layout):
        if name not in typed:
            box = layout.boxes[name].grown(-12)
            faces, colour = layout.faces(400), layout.look.rgb("muted")
            draw_line(
                canvas, layout.words.get(name, ""), faces, CONTROL_FONT_PX, colour, box, "left"
            )


def rounded(box: Box, radius: float) -> Any:
    """A skia round rectangle."""
    rect = skia.Rect.MakeLTRB(box.x0, box.y0, box.x1, box.y1)
    return skia.RRect.MakeRectXY(rect, radius, radius)


def ink(colour: RGB, alpha: float = 1.0) -> Any:
    """An anti-aliased fill in an RGB colour."""
    return skia.Paint(AntiAlias=True, Color=skia.Color(*colour, round(255 * alpha)))


def bordered(canvas: Any, box: Box, radius: float, border: RGB, fill: RGB) -> None:
    """A filled round rectangle with a border of one CSS px inside its box."""
    canvas.drawRRect(rounded(box, radius), ink(border))
    canvas.drawRRect(rounded(box.grown(-1), max(0.0, radius - 1)), ink(fill))


def shadow(canvas: Any, box: Box, radius: float, css: str) -> None:
    """The CSS ``box-shadow`` of a round rectangle, outside of it only."""
    shape = rounded(box, radius)
    canvas.save()
    canvas.clipRRect(shape, skia.ClipOp.kDifference, True)
    for drop, blur, red, green, blue, alpha in _SHADOW.findall(css):
        paint = ink((int(red), int(green), int(blue)), float(alpha))
        if int(blur):
            paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, int(blur) / 2))
        canvas.drawRRect(rounded(box.moved(0, int(drop)), radius), paint)
    canvas.restore()


def icon(canvas: Any, name: str, box: Box, size: float, colour: RGB) -> None:
    """A line icon in the middle of a box."""
    scale = size / ICON_UNITS
    paint = ink(colour)
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(1.75)
    paint.setStrokeCap(skia.Paint.kRound_Cap)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    canvas.save()
    canvas.translate(box.center.x - size / 2, box.center.y - size / 2)
    canvas.scale(scale, scale)
    canvas.drawPath(icon_outline(name), paint)
    canvas.restore()


def _surface(canvas: Any, layout: PanelLayout) -> None:
    look, box = layout.look, layout.boxes["panel"]
    if layout.surface == "flat":
        canvas.drawRect(skia.Rect.MakeLTRB(*box.as_list()), ink(look.rgb("page_bg")))
        return
    if layout.surface == "sheet":
        radius = look.radius_px + 6.0
        tall = Box(box.x0, box.y0, box.x1, box.y1 + 40)  # its lower corners lie off the screen
        canvas.save()
        canvas.clipRect(skia.Rect.MakeLTRB(box.x0 - 1, box.y0 - 80, box.x1 + 1, box.y1))
        shadow(canvas, tall, radius, "0 -6px 32px rgba(0,0,0,.16)".replace("-6", "0"))
        canvas.drawRRect(rounded(tall, radius), ink(look.rgb("surface")))
        canvas.restore()
        canvas.drawRRect(rounded(layout.boxes["grip"], 3), ink(look.rgb("border")))
        return
    shadow(canvas, box, look.radius_px, look.shadow_css)
    bordered(canvas, box, look.radius_px, look.rgb("border"), look.rgb("surface"))


def _head(canvas: Any, layout: PanelLayout) -> None:
    if "title" not in layout.boxes:
        return
    box, colour = layout.boxes["title"], layout.look.rgb("muted")
    text, faces = layout.words["title"], layout.faces(600)
    if layout.style.align == "center":
        draw_line(canvas, text, faces, HINT_FONT_PX, colour, box)
        return
    if layout.style.footer_place == "bottom":
        icon(canvas, "shield-check", Box.sized(box.x0, box.y0, 16, box.height), 16, colour)
        box = Box(box.x0 + 23, box.y0, box.x1, box.y1)
    draw_line(canvas, text, faces, HINT_FONT_PX, colour, box, "left")


def _frame(canvas: Any, layout: PanelLayout) -> None:
    frame, slot = layout.request.frame, layout.boxes["slot"]
    if frame == "none":
        return
    look, ring, radius = layout.look, RING_PX[frame], layout.corner_css
    around = slot.grown(ring)
    dark = look.mode == "dark"
    shade = "0 2px 12px rgba(0,0,0,.35)" if dark else "0 2px 10px rgba(10,14,30,.07)"
    if look.shadow_level:
        shadow(canvas, around, radius + ring, shade)
    bordered(canvas, around, radius + ring, look.rgb("border"), look.rgb("surface"))
    canvas.drawRRect(rounded(slot, radius), ink(look.rgb("raised")))


def _track(canvas: Any, layout: PanelLayout, box: Box) -> None:
    bordered(canvas, box, _radius(layout, box), layout.look.rgb("border"), layout.look.rgb("track"))


def _radius(layout: PanelLayout, box: Box) -> float:
    """Corner radius of tracks and handles."""
    if layout.style.handle == "square":
        return min(layout.look.control_radius_px, 10.0)
    return box.height / 2


def _handle(canvas: Any, layout: PanelLayout, box: Box) -> None:
    look, radius = layout.look, _radius(layout, box)
    shadow(canvas, box, radius, "0 1px 3px rgba(10,14,30,.28), 0 2px 8px rgba(10,14,30,.14)")
    _filled(canvas, layout, box, radius)
    icon(canvas, layout.style.handle_icon, box, 20, look.rgb("on_accent"))


def _filled(canvas: Any, layout: PanelLayout, box: Box, radius: float) -> None:
    """The accent with a breath of light from above."""
    accent = layout.look.rgb("accent")
    light = tuple(round(v + 0.07 * (255 - v)) for v in accent)
    paint = ink(accent)
    ends = [skia.Point(0, box.y0), skia.Point(0, box.y1)]
    paint.setShader(skia.GradientShader.MakeLinear(ends, [skia.Color(*light), skia.Color(*accent)]))
    canvas.drawRRect(rounded(box, radius), paint)


def _field(canvas: Any, layout: PanelLayout, box: Box) -> None:
    look = layout.look
    ground = "surface" if layout.ground == "page_bg" else "page_bg"
    bordered(canvas, box, _control_radius(layout), look.rgb("muted"), look.rgb(ground))


def _control_radius(layout: PanelLayout) -> float:
    """Corner radius of fields and buttons."""
    return float(min(layout.look.control_radius_px, layout.style.control_height // 2))


def _plain_button(canvas: Any, layout: PanelLayout, name: str, box: Box) -> None:
    look = layout.look
    bordered(canvas, box, _control_radius(layout), look.rgb("border"), look.rgb("raised"))
    if name in ("prev", "next"):
        side = "left" if name == "prev" else "right"
        icon(canvas, f"{layout.style.arrow_icon}-{side}", box, 20, look.rgb("text"))
    elif name == "skip":
        _words(canvas, layout, name, look.rgb("text"))


def _filled_button(canvas: Any, layout: PanelLayout, name: str, box: Box) -> None:
    _filled(canvas, layout, box, _control_radius(layout))
    _words(canvas, layout, name, layout.look.rgb("on_accent"))


def _words(canvas: Any, layout: PanelLayout, name: str, colour: RGB) -> None:
    weight = 500 if name == "label" else 600
    text = layout.words.get(name, "")
    draw_line(canvas, text, layout.faces(weight), CONTROL_FONT_PX, colour, layout.boxes[name])


@lru_cache(maxsize=1024)
def _field_names(names: tuple[str, ...], controls: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name in controls)


def _fields(layout: PanelLayout) -> tuple[str, ...]:
    controls = tuple(c.name for c in layout.request.controls if c.kind == "field")
    return _field_names(tuple(layout.boxes), controls)


def _foot(canvas: Any, layout: PanelLayout) -> None:
    look = layout.look
    if "divider" in layout.boxes:
        canvas.drawRect(
            skia.Rect.MakeLTRB(*layout.boxes["divider"].as_list()), ink(look.rgb("border"))
        )
    if "footer" not in layout.boxes:
        return
    box = layout.boxes["footer"]
    widths = [text_width(item.text, _foot_faces(layout, item.role), HINT_FONT_PX)
              for item in layout.foot]  # fmt: skip
    x, step = _foot_start(layout, box, widths)
    for item, width in zip(layout.foot, widths, strict=True):
        colour = look.rgb("link" if item.role == "button" else "muted")
        own = Box(x, box.y0, x + width, box.y1)
        draw_line(
            canvas, item.text, _foot_faces(layout, item.role), HINT_FONT_PX, colour, own, "left"
        )
        if item.role == "link":
            y = own.center.y + 8.5
            canvas.drawRect(skia.Rect.MakeLTRB(own.x0, y, own.x1, y + 1), ink(look.rgb("border")))
        x += width + step


def _foot_faces(layout: PanelLayout, role: str) -> Any:
    return layout.faces(600 if role == "button" else 400)


def _foot_start(layout: PanelLayout, box: Box, widths: list[float]) -> tuple[float, float]:
    """Where the first thing of a footer begins, and the space between two."""
    used = sum(widths) + FOOT_GAP * (len(widths) - 1)
    top = layout.style.footer_place == "top"
    if len(widths) > 1 and not top:
        return box.x0, FOOT_GAP + box.width - used
    align = "right" if top else layout.style.footer_align
    start = {"left": box.x0, "right": box.x1 - used, "center": box.center.x - used / 2}[align]
    return start, FOOT_GAP
