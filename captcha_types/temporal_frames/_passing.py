"""Things that pass behind a bar: their shapes, where they are frame by frame, their painting."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import skia

from captcha_types.temporal_frames import _kit as kit
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.draw.colour_names import TELL_APART, distance
from factory.draw.colours import mix, parse_hex
from factory.draw.panels.paint import ink
from factory.draw.tones import rim_for

Shape = Literal["circle", "square", "triangle", "star", "cross", "heart"]
SHAPES: tuple[Shape, ...] = ("circle", "square", "triangle", "star", "cross", "heart")

Kind = Literal["shape", "colour", "size", "count"]
KINDS: tuple[Kind, ...] = ("shape", "colour", "size", "count")

MARGIN = 0.005
"""Half heights of a frame by which a thing is all hidden or all seen."""

RADIUS = 0.25
"""Of a thing, in half heights of a frame."""

AWAY = 0.712
"""How far from the middle a thing is in the first and in the last frame, in the same unit."""

BAR = (0.41, 0.435)
"""Half the height of the bar, from easy to hard, in the same unit."""

SMALL = 0.62
"""Size of small things in that of large ones."""

BESIDE = 1.3
"""From the middle to each of two things side by side, in their radii."""

UNITS: Mapping[Shape, float] = {
    "circle": 0.9, "square": 0.8, "triangle": 1.0, "star": 1.0, "cross": 0.95, "heart": 0.95,
}  # fmt: skip
"""Reaches in the radius that make shapes look of one size."""


@dataclass(frozen=True)
class Look:
    """What a thing looks like: a shape, a colour, how large it is and how many there are."""

    shape: Shape
    colour: str
    size: float
    count: int


@dataclass(frozen=True)
class Passage:
    """A thing before and after the bar; ``x`` from -1 to 1 across what room there is. JSON-able."""

    before: Look
    after: Look
    x: float
    up: bool

    def look(self, frame: int, frames: int) -> Look:
        """What it looks like in a frame."""
        return self.before if frame < frames / 2 else self.after


def offset(frame: int, frames: int, up: bool) -> float:
    """How far below the middle a thing is in a frame, in half heights."""
    there = AWAY * (2 * frame / (frames - 1) - 1)
    return round(-there if up else there, 6)


def reach(look: Look) -> float:
    """How far a thing reaches from its middle, in half heights."""
    return RADIUS * look.size * max(UNITS.values())


@lru_cache(maxsize=16)
def outline(shape: Shape) -> Any:
    """The outline of a shape about the origin, of radius 1."""
    path, unit = skia.Path(), UNITS[shape]
    if shape == "circle":
        path.addCircle(0, 0, unit)
    elif shape == "square":
        path.addRoundRect(skia.Rect(-unit, -unit, unit, unit), 0.12, 0.12)
    elif shape == "cross":
        path.addRect(skia.Rect(-unit, -0.33, unit, 0.33))
        path.addRect(skia.Rect(-0.33, -unit, 0.33, unit))
    elif shape == "heart":
        path.moveTo(0, 0.92 * unit)
        path.cubicTo(-1.7 * unit, -0.1 * unit, -0.85 * unit, -1.35 * unit, 0, -0.42 * unit)
        path.cubicTo(0.85 * unit, -1.35 * unit, 1.7 * unit, -0.1 * unit, 0, 0.92 * unit)
    else:
        corners = 3 if shape == "triangle" else 10
        path.addPoly([skia.Point(*_corner(k, corners, unit)) for k in range(corners)], True)
    return path


def _corner(k: int, corners: int, unit: float) -> tuple[float, float]:
    """A corner of a triangle, or of a star whose inner ones are nearer."""
    way = math.tau * k / corners - math.pi / 2
    far = unit * (0.45 if corners == 10 and k % 2 else 1.0)
    return far * math.cos(way), far * math.sin(way) + (0.18 if corners == 3 else 0.0)


def paint(
    canvas: Any, passage: Passage, window: Box, frame: int, frames: int, wall: tuple[str, float]
) -> None:
    """The thing at a moment, and the bar before it; ``wall`` is its colour and half height."""
    half, look = window.height / 2, passage.look(frame, frames)
    radius = RADIUS * look.size * half
    wide = radius * (BESIDE + 1.0 if look.count == 2 else 1.0)
    room = max(0.0, window.width / 2 - 2.0 - wide)
    x = window.center.x + passage.x * room
    y = window.center.y + half * offset(frame, frames, passage.up)
    for side in (-1, 1) if look.count == 2 else (0,):
        canvas.save()
        canvas.translate(x + side * BESIDE * radius, y)
        canvas.scale(radius, radius)
        canvas.drawPath(outline(look.shape), kit.stroke(rim_for(look.colour), 0.22))
        canvas.drawPath(outline(look.shape), ink(parse_hex(look.colour)))
        canvas.restore()
    _paint_bar(canvas, window, *wall)


def _paint_bar(canvas: Any, window: Box, colour: str, share: float) -> None:
    """A bar across a window, darker below, with a light edge above."""
    half = share * window.height / 2
    top, foot = window.center.y - half, window.center.y + half
    canvas.drawRect(skia.Rect.MakeLTRB(window.x0, top, window.x1, foot), ink(parse_hex(colour)))
    lower = ink(parse_hex(mix(colour, "#000000", 0.82)))
    canvas.drawRect(skia.Rect.MakeLTRB(window.x0, foot - 0.3 * half, window.x1, foot), lower)
    light = ink(parse_hex(mix(colour, "#ffffff", 0.7)))
    canvas.drawRect(skia.Rect.MakeLTRB(window.x0, top, window.x1, top + 1.2), light)


def refuse_change(own: Passage, kind: Kind) -> None:
    """``Rejected`` unless nothing but the named property changes, and that by a floor."""
    if replace(own.before, **{kind: getattr(own.after, kind)}) != own.after:
        raise Rejected("more than one property changes")
    a, b = own.before, own.after
    far = distance(a.colour, b.colour) if kind == "colour" and a != b else TELL_APART
    if far < TELL_APART:
        raise Rejected("a change that is hardly seen", value=far, limit=TELL_APART)
    ratio = min(a.size, b.size) / max(a.size, b.size)
    if kind == "size" and a != b and ratio > SMALL:
        raise Rejected("a change that is hardly seen", value=ratio, limit=SMALL)


def refuse_places(own: Passage, frames: int, bar: float) -> None:
    """``Rejected`` unless the ends show all of the thing and the bar hides where it changes."""
    for frame, look in ((0, own.before), (frames - 1, own.after)):
        far, wide = abs(offset(frame, frames, own.up)), reach(look)
        if far - wide < bar + MARGIN or far + wide > 1.0 - MARGIN:
            raise Rejected("a thing is not all seen", value=far, limit=bar)
    hidden = {frames // 2, (frames - 1) // 2}
    for frame in hidden:
        far = abs(offset(frame, frames, own.up))
        wide = max(reach(own.before), reach(own.after))
        if far + wide > bar - MARGIN:
            raise Rejected("a thing is not all hidden", value=far, limit=bar)
