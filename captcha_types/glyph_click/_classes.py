"""Classes of characters, decided by tables: what is of a class, what is surely not."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from captcha_types.glyph_click._kit import LEAST_WIDTH, Script
from factory.draw import glyphs


@dataclass(frozen=True)
class CharClass:
    """``right`` are of the class, ``wrong`` stand beside them; all else is disputed or unclear.

    ``pool`` is the script whose faces draw all of them; ``cased`` asks for faces that draw
    small letters as such. Names are (one, several) in English, then in Chinese.
    """

    right: str
    wrong: str
    pool: str
    share: float
    names: tuple[str, str, str]
    cased: bool = False

    @property
    def script(self) -> Script:
        """Whose height the characters have."""
        return "han" if self.pool == "han" else "latin"


VOWELS, CONSONANTS = "AEOU", "BCFGHJKLMNPRSTXZ"
"""Without I, a stroke; without Y and W, which are disputed; without what is read as a vowel in
some face: D and Q as O, V as U."""

DIGITS, LETTERS = "23456789", "ACEFHJKMNPRUX"
"""Without 0 and 1, and without letters that are read as a digit when they lean: B, G, L, S, T."""

CAPITALS, SMALL = "ABDEFGHNQRT", "abdefghnqrt"
"""Letters whose two cases differ in shape, not in size alone."""

GREEK, CYRILLIC = "ΓΔΞΠΣΦΨΩλξπψδζ", "БДЖФЦЩЮЯЫЭИ"
BESIDE_GREEK, BESIDE_CYRILLIC = "ABDEFGHJKMNQRSTUZ", "ADEFGJKLMPQRSTUVZ"
"""Latin capitals that no letter of the other script is read as."""

PLAIN: Mapping[str, CharClass] = {
    "vowel": CharClass(VOWELS, CONSONANTS, "latin", 0.15, ("vowel", "vowels", "元音字母")),
    "consonant": CharClass(
        CONSONANTS, VOWELS, "latin", 0.10, ("consonant", "consonants", "辅音字母")
    ),
    "even": CharClass("2468", "3579", "latin", 0.13, ("even number", "even numbers", "偶数")),
    "odd": CharClass("3579", "2468", "latin", 0.12, ("odd number", "odd numbers", "奇数")),
    "prime": CharClass("2357", "4689", "latin", 0.10, ("prime number", "prime numbers", "质数")),
    "capital": CharClass(
        CAPITALS, SMALL, "latin", 0.10, ("capital letter", "capital letters", "大写字母"), True
    ),
    "small": CharClass(
        SMALL, CAPITALS, "latin", 0.10, ("small letter", "small letters", "小写字母"), True
    ),
    "digit": CharClass(DIGITS, LETTERS, "latin", 0.05, ("digit", "digits", "数字")),
    "letter": CharClass(LETTERS, DIGITS, "latin", 0.05, ("letter", "letters", "英文字母")),
    "greek": CharClass(
        GREEK, BESIDE_GREEK, "greek", 0.05, ("Greek letter", "Greek letters", "希腊字母")
    ),
    "cyrillic": CharClass(
        CYRILLIC, BESIDE_CYRILLIC, "cyrillic", 0.05,
        ("Cyrillic letter", "Cyrillic letters", "西里尔字母"),
    ),
}  # fmt: skip

RADICAL_SHARE = 0.4
"""Of Chinese panels: those that ask for a part of Chinese characters."""


@cache
def radicals() -> dict[str, CharClass]:
    """Classes of Chinese characters by the part that they are looked up under."""
    text = (Path(__file__).parent / "radicals.toml").read_text(encoding="utf-8")
    table: dict[str, Any] = tomllib.loads(text)
    every = "".join(entry["chars"] for entry in table.values())
    return {
        name: CharClass(
            right=entry["chars"],
            wrong="".join(char for char in every if char not in entry["chars"]),
            pool="han",
            share=1.0 / len(table),
            names=_names(*entry["names"]),
        )
        for name, entry in table.items()
    }


def _names(english: str, chinese: str) -> tuple[str, str, str]:
    radical = f"with the {english} radical"
    return f"character {radical}", f"characters {radical}", f"{chinese}的字"


@cache
def class_named(name: str) -> CharClass:
    """A class by its name."""
    return PLAIN.get(name) or radicals()[name]


@cache
def faces(name: str, split: str, char: str) -> tuple[str, ...]:
    """Plain faces of a split that draw a character of a class, and not as a sliver."""
    own = class_named(name)
    return tuple(
        face.name
        for face in glyphs.faces(split, own.pool, cased=own.cased, plain=True)
        if glyphs.has_glyph(face.name, char)
        and glyphs.extent(face.name, char, 1.0)[0] >= LEAST_WIDTH
    )


@cache
def able(name: str, split: str, right: bool) -> tuple[str, ...]:
    """Characters of a class, or beside it, that some face of the split can draw."""
    own = class_named(name)
    return tuple(char for char in (own.right if right else own.wrong) if faces(name, split, char))
