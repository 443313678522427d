"""What puzzles with typed answers share: lines of glyphs, and how well ink is seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import glyphs, layout
from factory.draw.glyphs import GlyphSpec
from factory.draw.styles import choose_style
from factory.draw.tones import Tone

MOST_TURN_DEG = 28.0
"""A letter is turned by at most this: far from where any becomes another."""

MOST_SHEAR = 0.28
FILL = 0.94
"""Share of the room's width that a line takes at most."""


def line_of_glyphs(
    stream: Stream,
    text: str,
    area: Box,
    *,
    split: str,
    tone: Tone,
    overlap: float,
    unrest: float,
    cased: bool,
) -> tuple[GlyphSpec, ...]:
    """Glyphs of a text from left to right in ``area`` (CSS px), large enough to fill it.

    ``overlap`` is the share of widths that neighbours have in common; ``unrest`` in [0, 1]
    is how much they turn, lean, rise and differ. ``cased`` keeps one size and one face, by
    which small letters are told from capitals.
    """
    pool = glyphs.faces(split, "latin", cased=cased, plain=True)
    one = stream.choice(pool)
    kinds = [one if cased or stream.chance(0.5) else stream.choice(pool) for _ in text]
    turns = [stream.uniform(-1, 1) * MOST_TURN_DEG * (0.25 + 0.75 * unrest) for _ in text]
    shears = [stream.uniform(-1, 1) * MOST_SHEAR * unrest for _ in text]
    grown = [1.0 if cased else stream.uniform(1 - 0.16 * unrest, 1.0) for _ in text]
    unit = [
        2 * glyphs.reach(face.name, char, 1.0) * grow * 0.86
        for face, char, grow in zip(kinds, text, grown, strict=True)
    ]
    wide = sum(unit) - overlap * sum(min(a, b) for a, b in pairwise(unit))
    size = round(min(FILL * area.width / wide, 0.9 * area.height), 2)
    rise = max(0.0, min(0.16 * unrest * size, area.height / 2 - 0.52 * size))
    centres = layout.row(
        stream.child("row"), area, [u * size for u in unit], overlap=overlap, jitter_y=rise
    )
    shared = choose_style(stream, tone, size) if stream.chance(0.6) else None
    return tuple(
        GlyphSpec(
            char=char,
            face=face.name,
            size=round(size * grow, 3),
            x=centre.x,
            y=min(max(centre.y, area.y0 + 0.52 * size), area.y1 - 0.52 * size),
            style=shared or choose_style(stream, tone, size),
            turn_deg=round(turn, 3),
            shear=round(shear, 4),
        )
        for char, face, grow, centre, turn, shear in zip(
            text, kinds, grown, centres, turns, shears, strict=True
        )
    )


def refuse_crowded(boxes: Sequence[Box], most: float) -> None:
    """``Rejected`` when neighbours share more than ``most`` of the narrower one's width."""
    for a, b in pairwise(boxes):
        shared = (a.x1 - b.x0) / min(a.width, b.width)
        if shared > most:
            raise Rejected("characters crowd each other", value=shared, limit=most)


def refuse_outside(boxes: Iterable[Box], size: tuple[float, float]) -> None:
    """``Rejected`` when something painted comes nearer than a px to the edge of the picture."""
    room = Box(0, 0, *size).grown(-1)
    if not all(room.holds(box) for box in boxes):
        raise Rejected("ink leaves the picture")


def confirm(submit: Box | None) -> list[ActionBase]:
    """The click on the button, where there is one."""
    return [] if submit is None else [Click(submit.center)]


def with_char(spec: GlyphSpec, char: str) -> GlyphSpec:
    """The same glyph with another character."""
    return replace(spec, char=char)


def moved(spec: GlyphSpec, x: float, y: float) -> GlyphSpec:
    """The same glyph in another place."""
    return replace(spec, x=x, y=y)
