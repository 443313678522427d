"""Static instances of variable fonts, made once and kept in the home of assets.

The FreeType inside skia-python 144 applies weight deltas to some glyphs of
some variable fonts and not to others (Figtree at 600 draws ``e`` and ``s``
bolder than ``n``), so the raster kit never asks it for a variation: fontTools
cuts the instance, and skia opens a plain font.
"""

from __future__ import annotations

import os
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from factory.core.errors import DependencyMissing
from factory.draw import assets

Ranges = tuple[tuple[int, int], ...]
"""Ranges of code points, both ends included."""

RANGES: Ranges = (
    (0x20, 0x17F), (0x2000, 0x206F), (0x20A0, 0x20BF), (0x2100, 0x218F), (0x2200, 0x22FF),
)  # fmt: skip
"""Characters kept: Latin, punctuation, currency, letter-like signs, mathematics."""

PUZZLE_RANGES: Ranges = ((0x20, 0x17F), (0x370, 0x3FF), (0x400, 0x45F))
"""Characters kept for puzzles: Latin, Greek, Cyrillic."""


@lru_cache(maxsize=64)
def static_font(path: str, weight: int, ranges: Ranges = RANGES) -> Path:
    """A font file without axes: ``path`` at ``weight``, or ``path`` itself when it has none.

    An instance keeps the characters in ``ranges``.

    ``DependencyMissing`` when it is no font file.
    """
    source = Path(path)
    if not source.is_file():
        raise DependencyMissing(f"the font {path} is missing; run `factory setup`")
    name = blake2b(source.read_bytes() + f"|{weight}|{ranges}".encode(), digest_size=8).hexdigest()
    kept = assets.home() / "fonts" / f"{source.stem.split('[')[0]}-{weight}-{name}.ttf"
    if kept.is_file():
        return kept
    return _cut(source, weight, kept, ranges)


def _cut(source: Path, weight: int, kept: Path, ranges: Ranges) -> Path:
    from fontTools import subset
    from fontTools.ttLib import TTFont, TTLibError
    from fontTools.varLib import instancer

    try:
        font = TTFont(source, recalcTimestamp=False)
    except TTLibError as error:
        raise DependencyMissing(f"the font {source} is broken ({error}); reinstall it") from error
    if "fvar" not in font:
        return source
    cutter = subset.Subsetter(subset.Options(layout_features=[], notdef_outline=True))
    cutter.populate(unicodes=[code for low, high in ranges for code in range(low, high + 1)])
    cutter.subset(font)
    where = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes} | {"wght": weight}
    static = instancer.instantiateVariableFont(font, where)
    kept.parent.mkdir(parents=True, exist_ok=True)
    scratch = kept.with_name(f".{os.getpid()}-{kept.name}")
    static.save(scratch, reorderTables=False)
    scratch.replace(kept)
    return kept
