"""Glyphs with marks of their own: a colour with a name, a hollow body, a line below, a size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Literal

import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import glyphs, grounds, layout
from factory.draw.colour_names import SHADES, called, distance
from factory.draw.colours import luminance, mix
from factory.draw.styles import Style, rgb_colour
from factory.draw.tones import Tone

Mark = Literal["colour", "hollow", "underlined", "large"]
MARKS: tuple[Mark, ...] = ("colour", "hollow", "underlined", "large")
MARK_SHARES = (0.49, 0.17, 0.17, 0.17)
STRAY = 0.3
"""How likely a character has a mark that is not asked for."""

NAMES = {
    "en": {"hollow": "hollow", "underlined": "underlined", "large": "large"},
    "zh": {"hollow": "空心", "underlined": "带下划线", "large": "大号"},
}
HEAVY, BODY = 10.5, 12.0
"""Hundredths of the size that strokes have at least, for their colour and for an empty body to
be seen."""

Mood = Literal["light", "dark"]
MOODS: tuple[Mood, ...] = ("light", "dark")
VEILS: Mapping[Mood, str] = {"light": "#ffffff", "dark": "#06080f"}
VEIL_SHARE = 0.62
"""So much of a ground is covered by a veil, that colours with names read on it."""

WANTED: Mapping[Mood, tuple[str, ...]] = {
    "light": ("red", "green", "blue", "purple", "brown", "black"),
    "dark": ("red", "orange", "yellow", "green", "blue", "pink", "white"),
}
"""Colours that read on a ground of each mood and that nobody disputes there."""

APART = 26.0
"""CIEDE2000 between the colours of two groups: over what is told apart at a glance."""

HOLLOW = 0.055
"""Width of a hollow glyph's outline, by its size."""

BAR_GAP, BAR_HEIGHT = 0.10, 0.085
"""Where a line below stands under the ink, and how thick it is, by the size."""

ONE_ROW = 7
"""More characters than this stand on two rows."""

MOST_TURN_DEG = 12.0
SMALL = 0.6
"""Size of small characters by that of large ones."""


@cache
def tone(mood: Mood) -> Tone:
    """Bounds of the luminance of a veiled ground."""
    whole, share = grounds.MOODS[mood]
    ends = (mix(VEILS[mood], mix(whole, end, share), VEIL_SHARE) for end in ("#000000", "#ffffff"))
    return Tone(*(luminance(end) for end in ends))


@cache
def readable(mood: Mood, name: str) -> tuple[str, ...]:
    """Shades of a name that read on a ground of a mood."""
    return tuple(shade for shade in SHADES[name] if tone(mood).reads(shade))


@lru_cache(maxsize=4096)
def apart(a: str, b: str) -> float:
    """CIEDE2000 of two colours."""
    return distance(a, b)


def palette(stream: Stream, mood: Mood, wanted: str, count: int) -> dict[str, str]:
    """The wanted colour and others far from it and from each other: ``count`` of them, by name."""
    found = {wanted: stream.choice(readable(mood, wanted))}
    for name in stream.shuffled([name for name in WANTED[mood] if name != wanted]):
        shade = stream.choice(readable(mood, name))
        if len(found) < count and all(apart(shade, other) >= APART for other in found.values()):
            found[name] = shade
    if len(found) < min(2, count):
        raise Rejected("too few colours read here", value=len(found), limit=count)
    return found


def called_by(mark: Mark, wanted: str, lang: str) -> str:
    """What a panel calls the characters with a mark."""
    return called(wanted, lang) if mark == "colour" else NAMES[lang][mark]


@cache
def faces(split: str, mark: Mark) -> tuple[glyphs.GlyphFace, ...]:
    """Faces whose strokes are thick enough for colours, and for hollow ones thicker still."""
    every = glyphs.faces(split, "latin", plain=True)
    heavy = tuple(face for face in every if glyphs.stroke(face.name) >= HEAVY)
    bodied = tuple(face for face in heavy if glyphs.stroke(face.name) >= BODY)
    return bodied if mark == "hollow" and bodied else heavy


def check_colours(inks: Sequence[str], names: Sequence[str], mood: Mood) -> None:
    """``Rejected`` where an ink has another name, or two of different names look alike."""
    for ink, name in zip(inks, names, strict=True):
        if ink not in readable(mood, name):
            raise Rejected("a colour of another name")
    for (ink, name), (other, second) in combinations(
        dict.fromkeys(zip(inks, names, strict=True)), 2
    ):
        if name != second and apart(ink, other) < APART:
            raise Rejected("colours too near", value=apart(ink, other), limit=APART)


def check_looks(
    specs: Sequence[glyphs.GlyphSpec], hollow: Sequence[int], small: Sequence[int], em: float
) -> None:
    """``Rejected`` where bodies or sizes are not what the places say."""
    for at, spec in enumerate(specs):
        if (spec.style.kind == "outline") is not (at in hollow):
            raise Rejected("hollow and filled disagree")
        size = SMALL * em if at in small else em
        if abs(spec.size - size) > 1e-3:
            raise Rejected("sizes disagree", value=spec.size, limit=size)


@dataclass(frozen=True)
class Dress:
    """By character: the colour; and the places of hollow, underlined and small ones."""

    palette: Mapping[str, str]
    colours: tuple[str, ...]
    hollow: tuple[int, ...]
    underlined: tuple[int, ...]
    small: tuple[int, ...]


def dressed(
    stream: Stream, count: int, mark: Mark, wanted: str, mood: Mood, chosen: Sequence[int], few: int
) -> Dress:
    """Characters of which the chosen ones alone have a mark; other marks fall as they may.

    ``few`` colours are used, and with three or more of them other marks too.
    """
    shades = palette(stream, mood, wanted, few)
    others = [shade for name, shade in shades.items() if name != wanted]
    free = list(shades.values())
    strays = {
        other: tuple(at for at in range(count) if stream.chance(STRAY) and few > 2)
        for other in ("hollow", "underlined")
    }
    marked = strays | {mark: tuple(chosen)}
    small = tuple(at for at in range(count) if at not in chosen) if mark == "large" else ()
    colours = tuple(
        shades[wanted] if mark == "colour" and at in chosen
        else stream.choice(others if mark == "colour" else free)
        for at in range(count)
    )  # fmt: skip
    return Dress(shades, colours, marked["hollow"], marked["underlined"], small)


def style_of(colour: str, size: float, *, hollow: bool) -> Style:
    """Filled, or an outline alone."""
    return Style("outline", colour, "", HOLLOW * size) if hollow else Style("fill", colour)


def laid_out(
    stream: Stream, text: str, area: Box, face: str, dress: Dress, unrest: float
) -> tuple[tuple[glyphs.GlyphSpec, ...], float]:
    """Characters in cells of one row or two, and the size of large ones; CSS px."""
    rows = 1 if len(text) <= ONE_ROW else 2
    cells = layout.tiles(area, rows, -(-len(text) // rows), 2.0)
    widest = max(glyphs.extent(face, char, 1.0)[0] for char in text)
    em = round(min(0.78 * cells[0].width / widest, 0.86 * cells[0].height), 3)
    found: list[glyphs.GlyphSpec] = []
    for at, char in enumerate(text):
        size = round(SMALL * em, 3) if at in dress.small else em
        wide, high = glyphs.extent(face, char, size)
        free = max(0.0, cells[at].width - wide - 4.0) / 2, max(0.0, cells[at].height - high) / 2
        x, y = cells[at].center
        # A little above the middle: a line may stand below.
        y += free[1] * unrest * stream.uniform(-0.5, 0.5) - 0.09 * em
        x += free[0] * stream.uniform(-0.6, 0.6)
        turn = MOST_TURN_DEG * unrest * stream.uniform(-1, 1)
        style = style_of(dress.colours[at], size, hollow=at in dress.hollow)
        found.append(glyphs.GlyphSpec(char, face, size, x, y, style, turn_deg=turn))
    return tuple(found), em


def paint_veil(canvas: Any, mood: Mood, box: Box) -> None:
    """The veil over a ground."""
    colour = rgb_colour(VEILS[mood], round(255 * VEIL_SHARE))
    canvas.drawRect(skia.Rect(*box.as_list()), skia.Paint(Color=colour))


def bar(spec: glyphs.GlyphSpec, size: float) -> Box:
    """The line below a glyph, of a row whose large glyphs have a size; CSS px."""
    ink = glyphs.ink(spec).box
    top = ink.y1 + BAR_GAP * size
    return Box(ink.x0, top, ink.x1, top + BAR_HEIGHT * size)


def paint_bars(
    canvas: Any, specs: Sequence[glyphs.GlyphSpec], marked: Sequence[int], size: float
) -> None:
    """Lines below the glyphs that have one."""
    for place in marked:
        paint = skia.Paint(Color=rgb_colour(specs[place].style.ink), AntiAlias=True)
        canvas.drawRect(skia.Rect(*bar(specs[place], size).as_list()), paint)
