"""How maps of stops are painted, and where their lines are measured."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import skia

from captcha_types.path_trace import _kit as kit
from captcha_types.path_trace._map import Net
from factory.core.geometry import Point
from factory.draw import glyphs, grounds
from factory.draw.styles import Style

STOP_CSS, NAMED_CSS, LINE_CSS = 6.0, 12.0, 5.0
LETTERS = "AB"


def reach(stop: int, ends: Sequence[int]) -> float:
    """Radius of a stop's disc, CSS px: those with letters are larger."""
    return NAMED_CSS if stop in ends else STOP_CSS


@cache
def letter_faces(split: str) -> tuple[str, ...]:
    """Faces of a split with the letters that stops are named by."""
    faces = glyphs.faces(split, "latin", plain=True)
    return tuple(face.name for face in faces if glyphs.covers(face.name, LETTERS))


def paint_net(
    canvas: Any,
    net: Net,
    inks: Sequence[str],
    ground: grounds.Ground,
    ends: Sequence[int],
    face: str,
) -> None:
    """Lines, then stops over them, then the letters of the two that are named."""
    for (a, b), colour in zip(net.links, net.colours, strict=True):
        path = skia.Path()
        path.moveTo(*net.stops[a])
        path.lineTo(*net.stops[b])
        ink = inks[colour]
        kit.paint_stroke(canvas, path, kit.Stroke("cased", ink, kit.case_of(ink, ground), LINE_CSS))
    for stop, at in enumerate(net.stops):
        named = stop in ends
        fill, edge = (kit.DEEP, kit.PALE) if named else (kit.PALE, kit.DEEP)
        kit.dot(canvas, Point(*at), reach(stop, ends) - 1.0, edge, fill)
        if named:
            style = Style("fill", kit.PALE)
            letter = LETTERS[list(ends).index(stop)]
            glyphs.draw_glyphs(canvas, [glyphs.GlyphSpec(letter, face, 18.0, *at, style)])


def beside(net: Net) -> tuple[list[Point], list[Point]]:
    """Middles of the lines, and places beside them; CSS px."""
    on: list[Point] = []
    off: list[Point] = []
    for a, b in net.links:
        (x0, y0), (x1, y1) = net.stops[a], net.stops[b]
        middle, far = Point((x0 + x1) / 2, (y0 + y1) / 2), max(abs(x1 - x0), abs(y1 - y0))
        away = 2.0 * LINE_CSS / far
        on.append(middle)
        off.append(Point(middle.x - away * (y1 - y0), middle.y + away * (x1 - x0)))
    return on, off
