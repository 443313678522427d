"""What is on the faces of dice: pips, numerals, and symbols on other cubes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import skia

from factory.draw.glyphs import outline as glyph_outline
from factory.draw.solid.cube import Art, ink
from factory.draw.solid.light import lit

DIE_VALUES: tuple[tuple[int, ...], ...] = ((1, 6, 2, 5, 3, 4), (1, 6, 2, 5, 4, 3))
"""Values on ``FACES`` of the two dice whose opposite faces add up to seven: mirror images."""

PIPS: tuple[tuple[tuple[int, int], ...], ...] = (
    (), ((0, 0),), ((-1, -1), (1, 1)), ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
)  # fmt: skip
"""Places of pips by value, on a grid of three."""

PIP_STEP, PIP_RADIUS = 0.25, 0.098
NUMERAL_HIGH = 0.6
"""Height of a numeral, by the side of its face."""

BAR_HIGH, BAR_WIDE = 0.055, 0.34
"""Of the line under a 6, without which it is a 9 upside down."""


@lru_cache(maxsize=16)
def _pips(value: int) -> skia.Path:
    path = skia.Path()
    for x, y in PIPS[value]:
        path.addCircle(PIP_STEP * x, PIP_STEP * y, PIP_RADIUS)
    return path


@lru_cache(maxsize=512)
def symbol_path(face: str, char: str, high: float) -> skia.Path:
    """A character about the origin, ``high`` tall or wide, whichever is more."""
    found = glyph_outline(face, char)
    path = skia.Path(found.path)
    scale = high / max(found.ink.height, found.ink.width)
    centre = found.ink.center
    path.transform(skia.Matrix.MakeAll(scale, 0, -scale * centre.x, 0, scale, -scale * centre.y,
                                       0, 0, 1))  # fmt: skip
    return path


def pips(values: Sequence[int], colour: str) -> Art:
    """The faces of a die with pips."""
    paint = ink(lit(colour, 1.0))

    def draw(canvas: skia.Canvas, face: int) -> None:
        canvas.drawPath(_pips(values[face]), paint)

    return draw


@lru_cache(maxsize=512)
def _numeral(face: str, value: int) -> skia.Path:
    path = skia.Path(symbol_path(face, str(value), NUMERAL_HIGH))
    if value == 6:
        path.offset(0.0, -BAR_HIGH)
        foot = NUMERAL_HIGH / 2 + 0.4 * BAR_HIGH
        bar = skia.Rect(-BAR_WIDE / 2, foot, BAR_WIDE / 2, foot + BAR_HIGH)
        path.addRect(bar)
        path.setFillType(skia.PathFillType.kWinding)
    return path


def numerals(values: Sequence[int], colour: str, face_name: str) -> Art:
    """The faces of a die with numerals, the 6 with a line under it."""
    paint = ink(lit(colour, 1.0))

    def draw(canvas: skia.Canvas, face: int) -> None:
        canvas.drawPath(_numeral(face_name, values[face]), paint)

    return draw
