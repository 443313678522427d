"""Glyphs as outlines: taken from the font once, sized by eye, proven to be what was asked for.

Fonts of one size look of different sizes, so every face is scaled until a
reference glyph has the height that its script wants: at size 100 a capital is
70 high and a Chinese character about 88.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import skia

from factory.core.errors import DependencyMissing, PluginBroken
from factory.core.geometry import Box
from factory.draw.contours import Contours, coarse, drawn, flattened, hull, thickened
from factory.draw.glyphs.faces import GlyphFace, face_named

EM = 100.0
"""Outlines are in hundredths of the size; y points down, the baseline is at 0."""

LONGEST_CHORD = 5.0
"""Straight lines are split to this, so that a warp can bend them."""

ROUGH = 0.8
"""Slack of the rough path: a third of a px on a glyph of 40, under a rim of three."""

REFERENCES: Mapping[str, tuple[str, float]] = {
    "latin": ("H", 70.0), "world": ("H", 70.0), "indic": ("H", 70.0), "han": ("国", 86.0),
}  # fmt: skip
"""By pool: the glyph that is measured and the height it is brought to."""

OUTLINES_KEPT = 4096
"""Some 8 kB each."""


@dataclass(frozen=True)
class Outline:
    """A glyph at size 100: path, contours (shared, read-only), ink box, hull, advance.

    ``rough`` is the path with few corners, for rims.
    """

    path: skia.Path
    rough: skia.Path
    contours: Contours
    points: Any
    ink: Box
    hull: Any
    advance: float


@lru_cache(maxsize=128)
def _fonts(face: GlyphFace) -> tuple[Any, ...]:
    """The face's files as unhinted ``skia.Font`` of size 100."""
    made: list[Any] = []
    for path in face.paths():
        typeface = skia.Typeface.MakeFromFile(str(path))
        if typeface is None:
            raise DependencyMissing(f"the font {path} cannot be opened; run `factory setup`")
        font = skia.Font(typeface, EM)
        font.setHinting(skia.FontHinting.kNone)
        font.setLinearMetrics(True)
        made.append(font)
    return tuple(made)


def _same(a: skia.Path, b: skia.Path) -> bool:
    return bytes(a.serialize()) == bytes(b.serialize())


@lru_cache(maxsize=OUTLINES_KEPT)
def _raw(face: GlyphFace, char: str) -> tuple[skia.Path, float] | None:
    """(path, advance) in ems of the font; None where the face has no such glyph of its own."""
    for font in _fonts(face):
        glyph = font.getTypeface().unicharToGlyph(ord(char))
        path = font.getPath(glyph) if glyph else None
        if path is None or path.isEmpty():
            continue
        missing = font.getPath(0)
        if missing is None or not _same(path, missing):
            return path, float(font.getWidths([glyph])[0])
    return None


def has_glyph(face: str, char: str) -> bool:
    """Whether the face draws the character, with ink that is not its sign for a missing one."""
    return _raw(face_named(face), char) is not None


def covers(face: str, text: str) -> bool:
    """Whether the face draws every character of a text, spaces aside."""
    return all(char.isspace() or has_glyph(face, char) for char in text)


@lru_cache(maxsize=128)
def _scale(face: GlyphFace) -> float:
    char, height = REFERENCES[face.pool]
    raw = _raw(face, char)
    if raw is None:
        raise PluginBroken(f"face {face.name} lacks {char!r}, by which its size is set")
    return height / raw[0].computeTightBounds().height()


@lru_cache(maxsize=OUTLINES_KEPT)
def outline(face: str, char: str, weight: float = 0.0) -> Outline:
    """The outline of a glyph; ``weight`` thickens (or, negative, erodes) it, in hundredths.

    ``PluginBroken`` when the face has no glyph for the character: a missing
    glyph is never drawn as another.
    """
    found = face_named(face)
    raw = _raw(found, char)
    if raw is None:
        raise PluginBroken(
            f"face {face} has no glyph for {char!r} (U+{ord(char):04X}); "
            "ask `glyphs.has_glyph` before it is put into a state"
        )
    scale = _scale(found)
    path = skia.Path(raw[0])
    path.transform(skia.Matrix.Scale(scale, scale))
    contours = flattened(path, LONGEST_CHORD)
    if weight:
        contours = thickened(contours, weight)
        path = drawn(contours)
    points = np.concatenate(contours)
    low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    box = Box(low[0], low[1], high[0], high[1])
    rough = coarse(contours, ROUGH)
    return Outline(path, rough, contours, points, box, hull(points), raw[1] * scale)


def advance(face: str, char: str, size: float) -> float:
    """The width that a character takes in a line, CSS px."""
    return outline(face, char).advance * size / EM


def drop(face: str, char: str, size: float) -> float:
    """How far below the baseline the middle of the ink lies, CSS px (negative: above)."""
    return outline(face, char).ink.center.y * size / EM


def extent(face: str, char: str, size: float) -> tuple[float, float]:
    """(width, height) of the upright ink, CSS px."""
    ink = outline(face, char).ink
    return ink.width * size / EM, ink.height * size / EM


def reach(face: str, char: str, size: float) -> float:
    """Radius of the circle about the middle of the ink box that holds the ink, however turned."""
    return _reach(face, char) * size / EM


@lru_cache(maxsize=OUTLINES_KEPT)
def _reach(face: str, char: str) -> float:
    found = outline(face, char)
    offsets = found.points - np.array(found.ink.center)
    return float(np.sqrt((offsets**2).sum(axis=1).max()))


@lru_cache(maxsize=128)
def stroke(face: str) -> float:
    """How thick the strokes of a face are, in hundredths of the size: twice area over outline."""
    shape = outline(face, REFERENCES[face_named(face).pool][0])
    after = [np.roll(contour, -1, axis=0) for contour in shape.contours]
    pairs = list(zip(shape.contours, after, strict=True))
    area = sum(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2) for a, b in pairs)
    length = sum(float(np.sqrt(((b - a) ** 2).sum(axis=1)).sum()) for a, b in pairs)
    return 2 * abs(area) / length
