"""Sentences in a picture: wrapped, each line a little aslant, with the boxes of its words."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import glyphs
from factory.draw.styles import rgb_colour
from factory.draw.text import Face, Run, font, lay_out, text_width

SIZES = (22.0, 20.0, 18.0, 16.5, 15.0)
"""Sizes that are tried, CSS px, the largest first."""

LINE_HEIGHT = 1.36
MOST_ASLANT_DEG = 1.6
WORD = re.compile(r"[^\s]+")
HAN = re.compile(r"\d+|[^\d\s]")
"""In Chinese a number is one word, and every other character."""

UNFIT = (
    "abril-fatface", "dm-serif-display", "young-serif", "press-start-2p", "vt323",
    "zcool-qingke-huangyou",
)  # fmt: skip
"""Hairlines, coarse pixels, and a poster face whose characters close up when they are small."""

STROKES = (6.5, 14.5)
"""Hundredths of the size: thinner and thicker strokes do not read at the size of prose."""


@dataclass(frozen=True)
class ProseLine:
    """One line: its left end and baseline in CSS px, and its slant about them, clockwise."""

    text: str
    x: float
    y: float
    slant_deg: float


@lru_cache(maxsize=8)
def faces(split: str, lang: str) -> tuple[str, ...]:
    """Faces that read at the size of prose."""
    if lang == "zh":
        return tuple(f.name for f in glyphs.faces(split, "han") if f.name not in UNFIT)
    return tuple(
        face.name
        for face in glyphs.faces(split, "latin", plain=True)
        if face.name not in UNFIT and STROKES[0] <= glyphs.stroke(face.name) <= STROKES[1]
    )


@lru_cache(maxsize=64)
def files(face: str) -> tuple[Face, ...]:
    """The files of a face as the text kit takes them."""
    return tuple(Face(str(path)) for path in glyphs.face_named(face).paths())


@lru_cache(maxsize=64)
def _unit(face: str) -> float:
    """Font size that makes a face's capitals (Chinese characters) as high as others at 1."""
    reference, height = ("国", 0.86) if glyphs.face_named(face).pool == "han" else ("H", 0.7)
    bounds = skia.Rect()
    font(files(face)[0], 100.0).measureText(reference, skia.TextEncoding.kUTF8, bounds)
    return height * 100.0 / bounds.height()


def set_prose(
    stream: Stream, text: str, face: str, area: Box
) -> tuple[tuple[ProseLine, ...], float]:
    """Lines that fill an area (CSS px) and the font's size; ``Rejected`` when it is too small."""
    for size in SIZES:
        real = round(size * _unit(face), 3)
        lines = lay_out(text, files(face), real, area.width)
        if len(lines) * LINE_HEIGHT * size <= area.height:
            return _placed(stream, ["".join(run.text for run in line.runs) for line in lines],
                           [line.width for line in lines], area, size), real  # fmt: skip
    raise Rejected("no room for the question", value=area.height, limit=len(text))


def _placed(
    stream: Stream, texts: Sequence[str], widths: Sequence[float], area: Box, size: float
) -> tuple[ProseLine, ...]:
    """Lines one below the other, to the left or in the middle, in the free height."""
    pitch, middle = LINE_HEIGHT * size, stream.chance(0.5)
    top = area.y0 + stream.random() * (area.height - pitch * len(texts))
    found: list[ProseLine] = []
    for row, (text, width) in enumerate(zip(texts, widths, strict=True)):
        free = max(0.0, area.width - width)
        x = area.x0 + free * (0.5 if middle else 0.0)
        # Long lines rise at their ends by a tenth of the size at most.
        most = min(MOST_ASLANT_DEG, math.degrees(0.1 * size / max(width, 1.0)))
        slant = stream.uniform(-1, 1) * most
        y = top + pitch * row + 0.78 * pitch
        found.append(ProseLine(text, round(x, 6), round(y, 6), round(slant, 6)))
    return tuple(found)


def draw_prose(
    canvas: Any, lines: Sequence[ProseLine], face: str, size: float, colour: str
) -> None:
    """Draw the lines on a canvas in CSS px."""
    paint = skia.Paint(Color=rgb_colour(colour), AntiAlias=True)
    for line in lines:
        canvas.save()
        canvas.translate(line.x, line.y)
        canvas.rotate(line.slant_deg)
        x = 0.0
        for run in _runs(line.text, face, size):
            canvas.drawString(run.text, x, 0.0, font(run.face, size), paint)
            x += run.width
        canvas.restore()


@lru_cache(maxsize=4096)
def _runs(text: str, face: str, size: float) -> tuple[Run, ...]:
    return lay_out(text, files(face), size, 1e6)[0].runs


@lru_cache(maxsize=64)
def word_boxes(
    lines: tuple[ProseLine, ...], face: str, size: float, lang: str
) -> tuple[tuple[str, Box], ...]:
    """Every word (in Chinese every number and character) with the box of its ink, CSS px."""
    found: list[tuple[str, Box]] = []
    for line in lines:
        for match in (HAN if lang == "zh" else WORD).finditer(line.text):
            start = text_width(line.text[: match.start()], files(face), size)
            ink = _ink(match[0], face, size).moved(start, 0.0)
            found.append((match[0], _turned(line, ink)))
    return tuple(found)


@lru_cache(maxsize=8192)
def _ink(word: str, face: str, size: float) -> Box:
    """The box of a word's ink that starts at 0 of a baseline."""
    x = 0.0
    ends: list[Box] = []
    for run in _runs(word, face, size):
        bounds = skia.Rect()
        font(run.face, size).measureText(run.text, skia.TextEncoding.kUTF8, bounds)
        ends.append(Box(x + bounds.left(), bounds.top(), x + bounds.right(), bounds.bottom()))
        x += run.width
    return Box(min(b.x0 for b in ends), min(b.y0 for b in ends),
               max(b.x1 for b in ends), max(b.y1 for b in ends))  # fmt: skip


def _turned(line: ProseLine, box: Box) -> Box:
    """A box along a line's baseline in CSS px of the picture: what it covers once aslant."""
    cos, sin = math.cos(math.radians(line.slant_deg)), math.sin(math.radians(line.slant_deg))
    xs = [x * cos - y * sin for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
    ys = [x * sin + y * cos for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
    return Box(
        round(line.x + min(xs), 6), round(line.y + min(ys), 6),
        round(line.x + max(xs), 6), round(line.y + max(ys), 6),
    )  # fmt: skip
