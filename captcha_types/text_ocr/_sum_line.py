"""Sums set on a line: faces that have their signs, characters turned a little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from captcha_types.text_ocr import _kit as kit
from captcha_types.text_ocr import _sums as sums
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import glyphs, grounds
from factory.draw.styles import choose_style, kinds_for

MOST_TURN_DEG = 9.0
"""Far from the 45 at which a times sign is a plus, and under what a 7 takes for a 1."""

SIGN_SPACE = 0.28
"""Room around signs, in ems."""

THIN = 6.0
"""Hundredths of the size that strokes of digits and signs have at least: some faces have hairlines
for signs."""


def set_sum(
    stream: Stream,
    parts: Sequence[str],
    size: tuple[float, float],
    split: str,
    ground: grounds.Ground,
) -> tuple[glyphs.GlyphSpec, ...]:
    """The parts on one line in one face, each character turned a little."""
    face, han = _faces(stream, parts, split)
    line: list[kit.Mark] = []
    for at, part in enumerate(parts):
        for place_, char in enumerate(part):
            room = SIGN_SPACE if at and not place_ else 0.0
            line.append(kit.Mark(char, han if char in sums.HAN else face, room))
    area = Box(0, 0, *size).grown(-9)
    em = min(0.95 * area.width / kit.line_width(line, 0.03), 0.66 * area.height)
    kinds = kinds_for(glyphs.stroke(face))
    style = choose_style(stream, ground.tone, em, kinds=kinds)
    specs = kit.set_line(line, area, em, 0.03, [style] * len(line))
    free = max(0.0, 0.5 * (area.height - 0.9 * em))
    rise = stream.uniform(-0.6, 0.6) * free
    return tuple(
        replace(s, turn_deg=MOST_TURN_DEG * stream.uniform(-1, 1), y=s.y + rise) for s in specs
    )


def _faces(stream: Stream, parts: Sequence[str], split: str) -> tuple[str, str]:
    """A face that has all signs, and one for Chinese numbers."""
    signs = "0123456789" + "".join(sums.SIGNS)
    able = [
        face.name
        for face in glyphs.faces(split, "latin", plain=True)
        if glyphs.covers(face.name, signs) and thinnest(face.name) >= THIN
    ]
    return stream.choice(able), stream.choice(glyphs.faces(split, "han")).name


def thinnest(face: str) -> float:
    """The stroke of the digits or of the minus sign, hundredths of the size."""
    return min(glyphs.stroke(face), glyphs.extent(face, sums.MINUS, 100.0)[1])
