"""Numbers in a picture: digits in a line that are turned and tapped together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from captcha_types.glyph_click import _kit as kit
from captcha_types.glyph_click._places import EDGE_CSS, PAINTED
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw import glyphs, layout
from factory.draw.contours import as_points, grown, hull
from factory.draw.glyphs import GlyphSpec
from factory.draw.styles import Style, choose_style, kinds_for
from factory.draw.tones import Tone

MOST_TURN_DEG = 25.0
"""A number is turned by at most this: 66 and 99 stay what they are."""

LEAST_APART = 0.3
"""Numbers stand this share of their size apart at least, to the side or above each other."""

FILLING = 0.46
"""Share of the picture that numbers with their gaps take at most: more is hard to scatter."""

WIDEST, ROOM = 0.75, 3.7
"""Advance of a digit by the size at most, and the room with gaps that two of them turned take."""


@dataclass(frozen=True)
class Numeral:
    """A number whose digits stand about ``(x, y)``, CSS px from the picture's corner. JSON-able."""

    value: int
    x: float
    y: float
    digits: tuple[GlyphSpec, ...]

    @property
    def size(self) -> float:
        """The size of its digits."""
        return self.digits[0].size


@cache
def able_faces(split: str) -> tuple[str, ...]:
    """Plain faces of a split that draw all digits, none too wide, and only 1 as a sliver."""
    return tuple(
        face.name
        for face in glyphs.faces(split, "latin", plain=True)
        if glyphs.covers(face.name, "0123456789")
        and max(glyphs.advance(face.name, d, 1.0) for d in "0123456789") <= WIDEST
        and min(glyphs.extent(face.name, d, 1.0)[0] for d in "023456789") >= kit.LEAST_WIDTH
        and glyphs.likeness(face.name, "1", "7") < ONE_IS_SEVEN
    )


ONE_IS_SEVEN = 0.7
"""Overlap of a 1 and a 7 from which they are misread: slanted capitals of comics have 0.78, the
next face 0.68."""

HALF_HEIGHT = 0.39
"""Of a line of digits by the size: some reach a little above capitals."""


def most(area: Box) -> int:
    """How many numbers of two digits have room, high enough."""
    size = 1.02 * kit.LEAST_INK / kit.INK_HEIGHT["latin"]
    return int(FILLING * area.width * area.height / (ROOM * size * size))


def written(value: int, face: str, size: float, at: Point, style: Style, turn: float) -> Numeral:
    """A number on one baseline, turned about the middle of its line."""
    marks = str(value)
    widths = [glyphs.advance(face, digit, size) for digit in marks]
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    found, left = list[GlyphSpec](), -sum(widths) / 2
    drops = [glyphs.drop(face, digit, size) for digit in marks]
    middle = (min(drops) + max(drops)) / 2
    for digit, width, drop in zip(marks, widths, drops, strict=True):
        dx, dy = left + width / 2, drop - middle
        x, y = at.x + cos * dx - sin * dy, at.y + sin * dx + cos * dy
        found.append(GlyphSpec(digit, face, size, x, y, style, turn_deg=turn))
        left += width
    return Numeral(value, at.x, at.y, tuple(found))


@lru_cache(maxsize=512)
def outline(numeral: Numeral) -> tuple[tuple[float, float], ...]:
    """The hull of all its ink, CSS px of the picture."""
    inks = [kit.ink(spec) for spec in numeral.digits]
    around = hull(np.concatenate([ink.corners() for ink in inks]))
    margin = max(ink.margin for ink in inks)
    return as_points(grown(around, margin) if margin else around)


@lru_cache(maxsize=512)
def painted(numeral: Numeral) -> Box:
    """All that is painted of it, CSS px of the picture."""
    boxes = [kit.ink(spec).painted for spec in numeral.digits]
    return Box(
        min(box.x0 for box in boxes), min(box.y0 for box in boxes),
        max(box.x1 for box in boxes), max(box.y1 for box in boxes),
    )  # fmt: skip


def scattered(
    stream: Stream,
    values: Sequence[int],
    order: Sequence[int],
    area: Box,
    *,
    split: str,
    tone: Tone,
    size: float,
    turn_deg: float,
) -> list[Numeral]:
    """Numbers over an area, as large as ``size`` where they have room.

    ``order`` gives the place of each from the left. All take the room of the widest.
    """
    turns = [round(stream.uniform(-turn_deg, turn_deg), 3) for _ in values]
    faces = [stream.choice(able_faces(split)) for _ in values]
    rooms = [_room(*one) for one in zip(values, faces, turns, strict=True)]
    wide, high = max(w for w, _ in rooms), max(h for _, h in rooms)
    room = len(values) * (wide + LEAST_APART) * (high + LEAST_APART)
    size = round(min(size, math.sqrt(FILLING * area.width * area.height / room)), 3)
    sizes = [(wide * size, high * size)] * len(values)
    found = sorted(
        layout.scatter_boxes(
            stream.child("places"), area.grown(-EDGE_CSS), sizes, LEAST_APART * size
        )
    )
    return [
        written(value, face, size, found[rank], _style(stream, face, tone, size), turn)
        for value, face, turn, rank in zip(values, faces, turns, order, strict=True)
    ]


def _room(value: int, face: str, turn: float) -> tuple[float, float]:
    """Width and height by the size that a number takes with its rims, turned."""
    half = sum(glyphs.advance(face, digit, 1.0) for digit in str(value)) / 2
    cos, sin = math.cos(math.radians(turn)), abs(math.sin(math.radians(turn)))
    wide, high = half * cos + HALF_HEIGHT * sin, half * sin + HALF_HEIGHT * cos
    return 2 * (wide + PAINTED), 2 * (high + PAINTED)


def _style(stream: Stream, face: str, tone: Tone, size: float) -> Style:
    kinds = [kind for kind in kinds_for(glyphs.stroke(face)) if kind != "two_tone"]
    return choose_style(stream, tone, size, kinds=kinds)


def refuse(numerals: Sequence[Numeral], area: Box, tone: Tone) -> None:
    """``Rejected`` where numbers crowd, leave the area, are small or do not stand out."""
    for numeral in numerals:
        if "".join(spec.char for spec in numeral.digits) != str(numeral.value):
            raise Rejected("a number is written wrongly")
        if not area.grown(-1).holds(painted(numeral)):
            raise Rejected("ink leaves the picture")
        height = numeral.size * kit.INK_HEIGHT["latin"]
        if height < kit.LEAST_INK:
            raise Rejected("a number too small", value=height, limit=kit.LEAST_INK)
        if any(abs(spec.turn_deg) > MOST_TURN_DEG + 1e-6 for spec in numeral.digits):
            raise Rejected("a number turned too far")
        if not all(kit.reads(spec.style, tone) for spec in numeral.digits):
            raise Rejected("ink does not stand out")
    for a, b in combinations(numerals, 2):
        gap, least = _apart(painted(a), painted(b)), LEAST_APART * min(a.size, b.size)
        if gap < least - 1e-6:
            raise Rejected("numbers too close", value=gap, limit=least)


def _apart(a: Box, b: Box) -> float:
    """CSS px between two boxes to the side or above each other, whichever is more."""
    return max(b.x0 - a.x1, a.x0 - b.x1, b.y0 - a.y1, a.y0 - b.y1)


def bad_numerals(first: Numeral, second: Numeral, tone: Tone) -> Iterator[tuple[str, Numeral]]:
    """The first of two numbers, changed so that ``refuse`` refuses it for the reason."""
    (lead, *rest) = first.digits
    nine = "8" if lead.char != "8" else "3"
    wrong = (replace(lead, char=nine), *rest)
    yield "a number is written wrongly", replace(first, digits=wrong)
    yield "ink leaves the picture", _moved(first, -first.x, 0.0)
    yield "a number too small", _each(first, size=20.0)
    yield "a number turned too far", replace(first, digits=(replace(lead, turn_deg=40.0), *rest))
    yield "ink does not stand out", _each(first, style=kit.faint(tone))
    yield "numbers too close", _moved(first, second.x - first.x, second.y - first.y)


def _each(numeral: Numeral, **change: Any) -> Numeral:
    digits = tuple(replace(spec, **change) for spec in numeral.digits)
    return replace(numeral, digits=digits)


def _moved(numeral: Numeral, dx: float, dy: float) -> Numeral:
    digits = tuple(replace(s, x=s.x + dx, y=s.y + dy) for s in numeral.digits)
    return replace(numeral, x=numeral.x + dx, y=numeral.y + dy, digits=digits)
