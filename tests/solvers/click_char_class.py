"""The independent judge of ``click_char_class``: reads every character, then asks a table.

The goal names the class. What each spot shows is found by typesetting characters with another
library in every face, leaning; the list of Chinese characters by radical is public, as a
dictionary is.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import captcha_types
from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("glyph_reading", Path(__file__).parent)
"""What the judges of characters to tap share."""

LETTERS = "ABCDEFGHJKLMNOPQRSTUVXZ"
CAPITALS = "ABDEFGHNQRT"
DIGITS = "23456789"
SORTS = {
    "vowel": ("AEOU", "BCFGHJKLMNPRSTXZ"), "even": ("2468", "3579"), "prime": ("2357", "4689"),
    "capital": (CAPITALS, CAPITALS.lower()), "digit": (DIGITS, "ACEFHJKMNPRUX"),
    "greek": ("ΓΔΞΠΣΦΨΩλξπψδζ", "ABDEFGHJKMNQRSTUZ"),
    "cyrillic": ("БДЖФЦЩЮЯЫЭИ", "ADEFGJKLMPQRSTUVZ"),
}  # fmt: skip
"""What is of a class, and what may stand beside it."""

OPPOSITES = {"consonant": "vowel", "odd": "even", "small": "capital", "letter": "digit"}
WORDS = {
    "vowel": "vowel", "元音": "vowel", "consonant": "consonant", "辅音": "consonant",
    "even": "even", "偶数": "even", "odd": "odd", "奇数": "odd", "prime": "prime", "质数": "prime",
    "capital": "capital", "大写": "capital", "small": "small", "小写": "small",
    "digit": "digit", "数字": "digit", "greek": "greek", "希腊": "greek",
    "cyrillic": "cyrillic", "西里尔": "cyrillic", "letter": "letter", "英文字母": "letter",
}  # fmt: skip
"""Words of goals that name a class; the last ones are parts of others."""

TURNS = tuple(float(turn) for turn in range(-40, 41, 8))


def solve(view: View) -> list[ActionBase]:
    """Click every spot that is read as of the class."""
    goal = view.record.tasks[0].goal.lower()
    radical = next((names for names in radicals() if names in goal), "")
    if radical:
        right = radicals()[radical]
        known = reading.bank(view.record.split, "han", "".join(radicals().values()), TURNS)
    else:
        sort = next(sort for word, sort in WORDS.items() if word in goal)
        one, other = SORTS[OPPOSITES.get(sort, sort)]
        right = other if sort in OPPOSITES else one
        pool = sort if sort in ("greek", "cyrillic") else "latin"
        cased = sort in ("capital", "small")
        known = reading.bank(view.record.split, pool, one + other, TURNS, cased=cased)
    boxes = reading.spots(view)
    fits = known.by_char(view.picture, boxes)
    best = [max(fits, key=lambda char: float(fits[char][k])) for k in range(len(boxes))]
    return reading.answer(
        view, [box for box, char in zip(boxes, best, strict=True) if char in right]
    )


@cache
def radicals() -> dict[str, str]:
    """Chinese characters by the Chinese name of their radical."""
    folder = Path(next(iter(captcha_types.__path__)))
    table = tomllib.loads((folder / "glyph_click" / "radicals.toml").read_text(encoding="utf-8"))
    return {entry["names"][1]: entry["chars"] for entry in table.values()}
