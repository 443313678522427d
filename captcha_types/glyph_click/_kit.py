"""What puzzles with characters to tap share: who stands with whom, where, how well it is seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations
from typing import Literal

import numpy as np

from captcha_types.glyph_click._places import REACH, scattered
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.puzzle import Seen
from factory.core.rng import Stream
from factory.draw import glyphs
from factory.draw.colours import contrast
from factory.draw.glyphs import GlyphSpec
from factory.draw.styles import Style, choose_style, kinds_for
from factory.draw.tones import LARGE_GLYPHS, Tone, shade

Script = Literal["latin", "han"]

INK_HEIGHT: Mapping[Script, float] = {"latin": 0.70, "han": 0.86}
"""How high a capital or a Chinese character is, by its size."""

LEAST_INK = 16.0
"""CSS px: lower characters are hard to read on a phone."""

ITSELF_DEG = 40.0
"""Turns up to this leave an N an N: it is nearer to upright than to the Z of a quarter turn."""

LEAST_WIDTH = 0.34
"""Width of a character's ink by its size at least: the J of condensed faces is hard to hit."""

LEAST_SIDE = 8.5
"""CSS px: narrower ink is no region of a record, which starts at 8 px."""

LEAST_GAP = 0.5
"""Characters stand this share of their height apart at least."""

LATIN = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without what is one stroke or a ring, in some face: 0, 1, I, O."""

_TURNED_ALIKE = """
BDR8 BEF PRF EF CGQ CDU GQ69 DQ S58 S53 S2Z NZ2 HN KXR KR MWE3 AV AR VY UHD 38B 35 356 L7J LE
4A FP TJ YX UV 47 G58 68G XY8 7V 7T 7L TL
"""
"""Latin letters and digits that overlap by more than 0.68 at some turn, on average over faces, or
that hands write alike; measured once with ``glyphs.likeness``."""

DRAWS = 12
"""Characters drawn for each one wanted, before fewer have to do."""


def stepped(ends: tuple[int, int], difficulty: float) -> int:
    """A whole number from ``ends[0]`` to ``ends[1]``, each for an equal share of difficulties."""
    low, high = ends
    return low + min(high - low, int(difficulty * (high - low + 1)))


def between(ends: tuple[float, float], difficulty: float) -> float:
    """A length from ``ends[0]``, the easy one, to ``ends[1]``."""
    return round(ends[0] + (ends[1] - ends[0]) * difficulty, 6)


@lru_cache(maxsize=1 << 15)
def taken_for(a: str, b: str) -> bool:
    """Whether one character may be taken for the other when both are turned any way."""
    turned = glyphs.becomes(a, "half_turn") | glyphs.becomes(a, "quarter_turn")
    together = any(a in group and b in group for group in _TURNED_ALIKE.split())
    return glyphs.confusable(a, b) or b in turned or together


def choose_chars(stream: Stream, script: Script, split: str, count: int) -> list[str]:
    """``count`` characters, fewer where there is no more, of which none is taken for another.

    In random order, so that no place in the list says anything.
    """
    alphabet = LATIN if script == "latin" else glyphs.han(split)
    chosen: list[str] = []
    for _ in range(DRAWS * count):
        char = stream.choice(alphabet)
        free = len(chosen) < count and not any(taken_for(char, other) for other in chosen)
        if free and able_faces(split, script, char):
            chosen.append(char)
    return stream.shuffled(chosen)


@cache
def able_faces(split: str, script: Script, char: str) -> tuple[str, ...]:
    """Plain faces of a split that draw a character, and not as a sliver."""
    return tuple(
        face.name
        for face in glyphs.faces(split, script, plain=True)
        if glyphs.has_glyph(face.name, char)
        and glyphs.extent(face.name, char, 1.0)[0] >= LEAST_WIDTH
    )


def choose_faces(stream: Stream, script: Script, split: str, chars: Sequence[str]) -> list[str]:
    """A face of the split for each character."""
    return [stream.choice(able_faces(split, script, char)) for char in chars]


def scatter_glyphs(
    stream: Stream,
    chars: Sequence[str],
    order: Sequence[int],
    area: Box,
    *,
    script: Script,
    split: str,
    tone: Tone,
    size: float,
    gap: float,
    turn_deg: float,
) -> list[GlyphSpec]:
    """Characters over an area in CSS px, as large as ``size`` where they have room.

    ``order`` gives the place of each from the left. All take the same room, so that no
    place suits one better than another. ``gap`` by the height of the ink.
    """
    faces = choose_faces(stream, script, split, chars)
    size, found = scattered(stream, len(chars), area, size, gap * INK_HEIGHT[script])
    return [
        glyph_at(stream, char, face, found[rank], size, tone, turn_deg)
        for char, face, rank in zip(chars, faces, order, strict=True)
    ]


def glyph_at(
    stream: Stream, char: str, face: str, at: Point, size: float, tone: Tone, turn_deg: float
) -> GlyphSpec:
    """One glyph in its place; none in two tones, whose halves fall apart when it is turned."""
    size = round(size * min(1.0, REACH / glyphs.reach(face, char, 1.0)), 3)
    kinds = [kind for kind in kinds_for(glyphs.stroke(face)) if kind != "two_tone"]
    style = choose_style(stream, tone, size, kinds=kinds)
    if glyphs.becomes(char, "quarter_turn"):
        turn_deg = min(turn_deg, ITSELF_DEG)
    turn = stream.uniform(0.15, 1.0) * turn_deg * stream.choice((-1, 1))
    return GlyphSpec(char, face, size, at.x, at.y, style, turn_deg=round(turn, 3))


def whole(slot: Box) -> Box:
    """The picture of a slot, CSS px from its corner."""
    return Box(0, 0, slot.width, slot.height)


def ink(spec: GlyphSpec) -> glyphs.Ink:
    """Where a glyph's ink lies, CSS px of the picture."""
    return glyphs.ink(spec)


def hull(spec: GlyphSpec) -> Sequence[tuple[float, float]]:
    """The hull of a glyph's ink, CSS px of the picture."""
    return ink(spec).hull


def radius(spec: GlyphSpec) -> float:
    """The circle about a glyph's middle that holds its ink, CSS px."""
    return glyphs.reach(spec.face, spec.char, spec.size) + spec.style.ink_margin


def gap_between(a: GlyphSpec, b: GlyphSpec) -> float:
    """CSS px between the circles around two glyphs: their ink is as far apart at least."""
    return math.dist((a.x, a.y), (b.x, b.y)) - radius(a) - radius(b)


def refuse_scene(
    specs: Sequence[GlyphSpec],
    area: Box,
    script: Script,
    tone: Tone,
    alike: Callable[[str, str], bool] = taken_for,
) -> None:
    """``Rejected`` where characters crowd, leave the area, are small or do not stand out.

    ``alike`` says which two may not stand in one picture.
    """
    for spec in specs:
        if not area.grown(-1).holds(ink(spec).painted):
            raise Rejected("ink leaves the picture")
        if spec.size * INK_HEIGHT[script] < LEAST_INK:
            raise Rejected("character too small", value=spec.size, limit=LEAST_INK)
        thin = min(ink(spec).box.width, ink(spec).box.height)
        if thin < LEAST_SIDE:
            raise Rejected("character too thin", value=thin, limit=LEAST_SIDE)
        if not reads(spec.style, tone):
            raise Rejected("ink does not stand out")
    radii = [radius(spec) for spec in specs]
    for (a, b), (ra, rb) in zip(combinations(specs, 2), combinations(radii, 2), strict=True):
        if alike(a.char, b.char):
            raise Rejected("one character is taken for another")
        least = LEAST_GAP * INK_HEIGHT[script] * min(a.size, b.size)
        gap = math.dist((a.x, a.y), (b.x, b.y)) - ra - rb
        if gap < least - 1e-6:
            raise Rejected("characters too close", value=gap, limit=least)


def reads(style: Style, tone: Tone, floor: float = LARGE_GLYPHS) -> bool:
    """Whether all inks of a style keep the contrast to the ground, or to the rim between."""
    if style.kind == "rim" and contrast(style.ink, style.second) >= floor:
        return True
    inks = [style.ink, *([style.second] if style.kind in ("gradient", "two_tone") else [])]
    return all(tone.reads(ink, floor) for ink in inks)


def faint(tone: Tone) -> Style:
    """A flat ink in the middle of the ground's own tones, which nobody could make out."""
    return Style("fill", shade(0.0, 0.0, (tone.low + tone.high) / 2))


def grey_step(seen: Seen, box: Box) -> float:
    """Levels between the darkest and the lightest tenth of what is seen in a box of the slot."""
    x0, y0, x1, y1 = seen.box(box).outer_pixels()
    window = seen.decoded[max(0, y0) : y1, max(0, x0) : x1].ravel()
    tenth = max(1, window.size // 10)
    sorted_ends = np.partition(window, (tenth, window.size - tenth))
    return float(sorted_ends[-tenth:].mean() - sorted_ends[:tenth].mean())


def bad_glyphs(first: GlyphSpec, second: GlyphSpec, tone: Tone) -> Iterator[tuple[str, GlyphSpec]]:
    """The first of two glyphs, changed so that ``refuse_scene`` refuses it for the reason."""
    yield "characters too close", replace(first, x=second.x, y=second.y)
    yield "ink leaves the picture", replace(first, x=0.0)
    yield "character too small", replace(first, size=12.0)
    sliver = replace(first, stretch=0.05, turn_deg=90.0 * round(first.turn_deg / 90.0))
    yield "character too thin", sliver
    yield "ink does not stand out", replace(first, style=faint(tone))
