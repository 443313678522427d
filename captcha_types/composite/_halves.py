"""A picture in two halves, one for each step: heads, tracks, figures, veils; CSS px of the slot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import skia

from captcha_types.composite import _steps as steps
from captcha_types.composite._form import faces
from captcha_types.composite._steps import AnyStep, SlideStep
from factory.core.geometry import Box
from factory.core.puzzle import Part, Placement
from factory.draw import figures
from factory.draw.panels.paint import bordered, icon, ink, rounded
from factory.draw.styles import rgb_colour
from factory.draw.text import draw_line, text_width
from factory.draw.tokens import tokens_named

HEAD_CSS, EDGE_CSS = 34.0, 8.0
"""Height of a half's head; how far its content keeps from the half's edge."""

BADGE_CSS, TITLE_PX = 9.0, 13.0
"""Radius of a head's number, and the size of its words."""

SIGN_CSS = 13.0
"""Radius of the lock and of the tick beside a head."""

VEIL = 0.45
"""How much of a half that is locked, or done, its veil hides."""

RIMS = {"light": "#161a22", "dark": "#f4f6fa"}


def in_slot(slot: Box, paint: Callable[[Any], None]) -> Callable[[Any], None]:
    """A painter in panel px of one whose origin is the slot's corner."""

    def moved(canvas: Any) -> None:
        canvas.save()
        canvas.translate(slot.x0, slot.y0)
        paint(canvas)
        canvas.restore()

    return moved


def half(size: tuple[float, float], number: int) -> Box:
    """The upper (0) or lower (1) half of the picture."""
    width, height = size
    return Box(0.0, number * height / 2, width, (number + 1) * height / 2)


def room(size: tuple[float, float], number: int) -> Box:
    """Where the content of a half stands, under its head."""
    own = half(size, number)
    return Box(own.x0 + EDGE_CSS, own.y0 + HEAD_CSS, own.x1 - EDGE_CSS, own.y1 - EDGE_CSS)


def head(title: str, size: tuple[float, float], number: int, placement: Placement) -> Box:
    """The chip with a half's number and title."""
    own = half(size, number)
    wide = text_width(title, faces(placement, 600), TITLE_PX)
    return Box.sized(own.x0 + EDGE_CSS, own.y0 + 6.0, 2 * BADGE_CSS + 20.0 + wide, 24.0)


def paint_head(canvas: Any, title: str, box: Box, number: int, placement: Placement) -> None:
    """A chip in the panel's colours."""
    look = tokens_named(placement.tokens)
    bordered(canvas, box, box.height / 2, look.rgb("border"), look.rgb("surface"))
    x, y = box.x0 + box.height / 2, box.center.y
    canvas.drawCircle(x, y, BADGE_CSS, ink(look.rgb("accent")))
    badge = Box(x, y, x, y).grown(BADGE_CSS)
    draw_line(canvas, str(number + 1), faces(placement, 600), 12.0, look.rgb("on_accent"), badge)
    words = Box(x + BADGE_CSS + 6.0, box.y0, box.x1, box.y1)
    draw_line(canvas, title, faces(placement, 600), TITLE_PX, look.rgb("text"), words, "left")


def step_parts(
    step: AnyStep, number: int, size: tuple[float, float], rim: str, placement: Placement
) -> list[Part]:
    """What a step shows; the part of its knob moves as ``0.handle`` or ``1.handle``."""
    slot, area = placement.boxes["slot"], room(size, number)
    if not isinstance(step, SlideStep):

        def things(canvas: Any) -> None:
            figures.paint_rimmed(canvas, step.things, rim, steps.RIM_CSS)

        return [Part(f"figures {number}", slot, in_slot(slot, things))]

    def bar(canvas: Any) -> None:
        _paint_track(canvas, step, area, placement)

    def knob(canvas: Any) -> None:
        _paint_knob(canvas, step, area, placement)

    home = step.knob(area).moved(slot.x0, slot.y0)
    return [
        Part(f"track {number}", slot, in_slot(slot, bar)),
        Part(f"{number}.handle", home, in_slot(slot, knob)),
    ]


def _paint_track(canvas: Any, step: SlideStep, area: Box, placement: Placement) -> None:
    look, bar, at = tokens_named(placement.tokens), step.track(area), step.ring(area)
    bordered(canvas, bar, bar.height / 2, look.rgb("border"), look.rgb("surface"))
    ring = skia.Paint(Color=skia.Color(*look.rgb("text")), AntiAlias=True)
    ring.setStyle(skia.Paint.kStroke_Style)
    ring.setStrokeWidth(2.4)
    ring.setPathEffect(skia.DashPathEffect.Make([6.2, 4.3], 0.0))
    canvas.drawCircle(at.x, at.y, steps.KNOB_CSS / 2 - 0.6, ring)


def _paint_knob(canvas: Any, step: SlideStep, area: Box, placement: Placement) -> None:
    look, box = tokens_named(placement.tokens), step.knob(area)
    canvas.drawRRect(rounded(box, box.height / 2), ink(look.rgb("accent")))
    name = "arrow-left" if step.back else "arrow-right"
    icon(canvas, name, box, 18.0, look.rgb("on_accent"))


def veil_part(number: int, size: tuple[float, float], placement: Placement, *, done: bool) -> Part:
    """A half that is not on: veiled, with a lock or a tick beside its head."""
    slot, look = placement.boxes["slot"], tokens_named(placement.tokens)

    def paint(canvas: Any) -> None:
        own = half(size, number)
        canvas.drawRect(skia.Rect.MakeLTRB(*own.as_list()), ink(look.rgb("surface"), VEIL))
        x, y = own.x1 - EDGE_CSS - SIGN_CSS, own.y0 + HEAD_CSS / 2 + 1.0
        colour = "success" if done else "raised"
        canvas.drawCircle(x, y, SIGN_CSS, ink(look.rgb("border")))
        canvas.drawCircle(x, y, SIGN_CSS - 1.0, ink(look.rgb(colour)))
        name, sign = ("check", "surface") if done else ("lock", "text")
        icon(canvas, name, Box(x, y, x, y).grown(SIGN_CSS), 15.0, look.rgb(sign))

    return Part(f"veil {number}", slot, in_slot(slot, paint))


def paint_divider(canvas: Any, size: tuple[float, float], colour: str) -> None:
    """The line between the halves."""
    y = size[1] / 2
    canvas.drawRect(
        skia.Rect.MakeLTRB(0, y - 0.75, size[0], y + 0.75),
        skia.Paint(Color=rgb_colour(colour, 150), AntiAlias=True),
    )
