"""Glyphs for puzzles: faces by split, look-alike tables, glyphs in place with exact ink.

::

    face = stream.choice(glyphs.faces(split, "latin", plain=True))   # or "han", "cyrillic", ...
    char = stream.choice(glyphs.safe_alphabet("upper"))              # or glyphs.han(split)
    glyphs.has_glyph(face.name, char)                                # else: draw again
    kinds = styles.kinds_for(glyphs.stroke(face.name))               # thin faces: none hollow
    style = styles.choose_style(stream, ground.tone, size, kinds=kinds)   # reads on the ground
    spec = glyphs.GlyphSpec(char, face.name, size, x, y, style, turn_deg=20.0)
    field = warps.choose_warp(stream, strength, size)                # None for no warp
    found = glyphs.ink(spec, field)      # .hull: the zone, .box: exact ink, .painted: with rims
    glyphs.draw_glyphs(canvas, [spec], field)       # inks(specs, field): all of a frame at once

``(x, y)`` is the middle of the upright ink; for text on a line it is the
baseline plus ``drop``. ``size`` is optical: capitals of every face are 0.7 of
it high, Chinese characters 0.86. ``reach`` is the radius that a glyph needs
however it is turned, ``extent`` and ``advance`` what it takes in a line.
Specs, styles and warps are frozen dataclasses: a pydantic state holds them as
they are. A missing glyph raises ``PluginBroken``; nothing is ever substituted.
``confusable``, ``all_distinct``, ``fold_text``, ``closes_up`` judge texts;
``becomes`` and ``shows`` judge turned and mirrored letters by table,
``likeness`` by pixels of the face at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from factory.draw import likeness as _shapes
from factory.draw.glyphs.alike import (
    MOVES,
    all_distinct,
    becomes,
    closes_up,
    confusable,
    fold,
    fold_text,
    look_alikes,
    safe_alphabet,
    shows,
)
from factory.draw.glyphs.faces import FACES, LICENCES, GlyphFace, face_named, faces, owner
from factory.draw.glyphs.glyph import GlyphSpec, Ink, draw_glyph, draw_glyphs, ink, inks
from factory.draw.glyphs.lexicon import CONSONANTS, VOWELS, all_han, han, letters
from factory.draw.glyphs.outlines import (
    advance,
    covers,
    drop,
    extent,
    has_glyph,
    outline,
    reach,
    stroke,
)

__all__ = [
    "CONSONANTS",
    "FACES",
    "LICENCES",
    "MOVES",
    "VOWELS",
    "GlyphFace",
    "GlyphSpec",
    "Ink",
    "advance",
    "all_distinct",
    "all_han",
    "becomes",
    "closes_up",
    "confusable",
    "covers",
    "draw_glyph",
    "draw_glyphs",
    "drop",
    "extent",
    "face_named",
    "faces",
    "fold",
    "fold_text",
    "han",
    "has_glyph",
    "ink",
    "inks",
    "letters",
    "likeness",
    "look_alikes",
    "outline",
    "owner",
    "reach",
    "safe_alphabet",
    "shows",
    "stroke",
]


@lru_cache(maxsize=8192)
def _likeness(
    face: str, a: str, other: str, b: str, turns_deg: tuple[float, ...], mirrored: bool
) -> float:
    first, second = outline(face, a).path, outline(other, b).path
    return _shapes.likeness(first, second, turns_deg, mirrored=mirrored)


def likeness(
    face: str,
    a: str,
    b: str,
    turns_deg: Sequence[float] = (0.0,),
    *,
    mirrored: bool = False,
    other_face: str = "",
) -> float:
    """Overlap, 0 to 1, of one glyph with another turned by any of the angles (and mirrored).

    Both brought to one size; ``likeness(face, c, c, (180.0,))`` is how well a
    letter hides that it is upside down. Remembered: a miss costs 0.2 ms a turn.
    """
    return _likeness(face, a, other_face or face, b, tuple(turns_deg), mirrored)
