"""What puzzles with typed answers share: lines of glyphs, and how well ink is seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from factory.core.actions import ActionBase, Click, Type
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics.text_entry import TextEntry
from factory.core.puzzle import WrongResponse
from factory.core.rng import Stream
from factory.draw import glyphs, layout
from factory.draw.glyphs import GlyphSpec
from factory.draw.styles import Style, choose_style
from factory.draw.tones import Tone
from factory.draw.warps import Warp

MOST_TURN_DEG = 28.0
"""A letter is turned by at most this: far from where any becomes another."""

MOST_SHEAR = 0.28
MIDDLE = 0.3
"""Baseline below the middle of a line, by its size: between half of x and half of X."""

LEAST_SIDE = 9.0
"""Regions are grown to this, CSS px: an i is narrower than what a record may name."""

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


@dataclass(frozen=True)
class Mark:
    """A character to be set in a line: its face, and the free room before it, in ems."""

    char: str
    face: str
    space: float = 0.0


def line_width(marks: Sequence[Mark], tracking: float) -> float:
    """How wide a line is at size 1, with ``tracking`` ems between characters."""
    advances = sum(m.space + glyphs.advance(m.face, m.char, 1.0) for m in marks)
    return advances + tracking * (len(marks) - 1)


def set_line(
    marks: Sequence[Mark],
    area: Box,
    size: float,
    tracking: float,
    styles: Sequence[Style],
    weight: float = 0.0,
) -> list[GlyphSpec]:
    """A line on one baseline in the middle of ``area`` (CSS px), small letters centred.

    A glyph's ink stands in the middle of its advance.
    """
    x = area.center.x - size * line_width(marks, tracking) / 2
    baseline, found = area.center.y + MIDDLE * size, list[GlyphSpec]()
    for mark, style in zip(marks, styles, strict=True):
        x += size * mark.space
        advance = glyphs.advance(mark.face, mark.char, size)
        y = baseline + glyphs.drop(mark.face, mark.char, size)
        found.append(
            GlyphSpec(mark.char, mark.face, size, x + advance / 2, y, style, weight=weight)
        )
        x += advance + size * tracking
    return found


def long_waves(stream: Stream, strength: float, em: float) -> Warp:
    """Long waves that bend a word as a whole, and swells."""
    return Warp(
        wave_x=stream.uniform(0.5, 1.0) * strength * 0.11 * em,
        length_x=stream.uniform(1.6, 3.0) * em,
        phase_x=stream.random(),
        wave_y=stream.uniform(0.5, 1.0) * strength * 0.2 * em,
        length_y=stream.uniform(2.4, 5.0) * em,
        phase_y=stream.random(),
        noise=stream.uniform(0.3, 1.0) * strength * 0.08 * em,
        cell=stream.uniform(0.9, 1.5) * em,
        seed=f"{stream.integer(0, 1 << 32):08x}",
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


def regions(slot: Box, boxes: Sequence[Box], role: str = "glyph") -> dict[str, Box]:
    """The picture and boxes of glyphs (px from its corner) in panel CSS px, none too small."""
    found = {"picture": slot}
    for index, box in enumerate(boxes):
        short, flat = max(0.0, LEAST_SIDE - box.width), max(0.0, LEAST_SIDE - box.height)
        wide = Box(box.x0 - short / 2, box.y0 - flat / 2, box.x1 + short / 2, box.y1 + flat / 2)
        found[f"{role}.{index}"] = wide.moved(slot.x0, slot.y0)
    return found


def typed(mechanic: TextEntry, name: str, text: str) -> WrongResponse:
    """A text typed into the field, and submitted where there is a button; canvas px."""
    clicks = Click(mechanic.fields[0].box.center), Type(text)
    return WrongResponse(name, (*clicks, *confirm(mechanic.submit)))


def confirm(submit: Box | None) -> list[ActionBase]:
    """The click on the button, where there is one."""
    return [] if submit is None else [Click(submit.center)]


def with_char(spec: GlyphSpec, char: str) -> GlyphSpec:
    """The same glyph with another character."""
    return replace(spec, char=char)


def moved(spec: GlyphSpec, x: float, y: float) -> GlyphSpec:
    """The same glyph in another place."""
    return replace(spec, x=x, y=y)
