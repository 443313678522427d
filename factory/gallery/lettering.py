"""A typeface for the texts of a gallery that the reader's system may not be able to show.

Prompts and reasoning are Chinese as often as English, and a system without a Chinese font shows
boxes. The font that the pages of the bank use is cut to the characters in use.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from factory.core.errors import DependencyMissing
from factory.draw.tokens import chinese_font

FAMILY = "Gallery Han"
"""What the style sheet calls it, first of its fonts: it is asked for East Asian characters only."""

FILE, LICENCE = "han.woff", "han-LICENSE.txt"
LICENCE_NAMES = (0, 13, 14)
"""Copyright, licence and its address, by the numbers of the OpenType name table."""

FIRST = 0x2E80
"""Where the East Asian blocks begin; arrows and quotation marks before it are in every font."""

RULE = f"""
@font-face {{ font-family: "{FAMILY}"; src: url("{FILE}") format("woff");
  unicode-range: U+{FIRST:X}-2FFFF; }}
"""


def foreign(texts: Iterable[str]) -> set[int]:
    """Code points of East Asian characters in texts."""
    return {ord(char) for text in texts for char in set(text) if ord(char) >= FIRST}


def write_lettering(static: Path, characters: set[int]) -> None:
    """Write the font, its licence and its rule into a gallery's ``static`` folder.

    Nothing without characters, or where the font is not installed: then the system's is used.
    """
    if not characters:
        return
    try:
        data, terms = cut(chinese_font(), characters)
    except DependencyMissing:
        return
    (static / FILE).write_bytes(data)
    (static / LICENCE).write_text(terms, encoding="utf-8")
    with (static / "gallery.css").open("a", encoding="utf-8") as sheet:
        sheet.write(RULE)


def cut(font_file: Path, characters: set[int]) -> tuple[bytes, str]:
    """A WOFF of a font with these characters only, and what the font says of its licence.

    ``DependencyMissing`` when there is no such file.
    """
    from fontTools import subset
    from fontTools.ttLib import TTFont

    if not font_file.is_file():
        raise DependencyMissing(f"the font {font_file} is missing; run `factory setup`")
    font = TTFont(font_file, recalcTimestamp=False)
    terms = [font["name"].getDebugName(number) for number in LICENCE_NAMES]
    cutter = subset.Subsetter(subset.Options(layout_features=[], notdef_outline=True))
    cutter.populate(unicodes=sorted(characters))
    cutter.subset(font)
    font.flavor = "woff"
    buffer = io.BytesIO()
    font.save(buffer, reorderTables=False)
    return buffer.getvalue(), "\n".join(filter(None, terms)) + "\n"
