"""The independent judge of ``click_phrase_order``: reads the characters, then the list.

The list of phrases is public, as a dictionary is. Every phrase of the length that the goal
asks for is fitted to the spots of the picture, each character to a spot of its own; the one
that explains them best is clicked in its order.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import captcha_types
from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("glyph_reading", Path(__file__).parent)
"""What the judges of characters to tap share."""

COUNTS = {
    "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
}  # fmt: skip
MISREADS = 0.02
"""Three of 300: one letter or character taken for a neighbour that is left over, in thin faces."""

TURNS = tuple(range(-55, 56, 10))
SHORTLIST = 60
"""Phrases that are fitted with a spot of its own for each character."""


def solve(view: View) -> list[ActionBase]:
    """Click the phrase that the spots show."""
    goal = view.record.tasks[0].goal
    length = next(count for word, count in COUNTS.items() if word in goal)
    lang, boxes = view.record.lang, reading.spots(view)
    few = [phrase for phrase in phrases(lang) if len(phrase) == length]
    script = "han" if lang == "zh" else "latin"
    chars = "".join(sorted(set("".join(phrases(lang)))))
    known = reading.bank(view.record.split, script, chars, TURNS)
    fits = known.by_char(view.picture, boxes)
    usual = np.mean(list(fits.values()), axis=0)
    rows = {phrase: np.array([fits[char] - usual for char in phrase]) for phrase in few}
    likely = sorted(few, key=lambda phrase: -float(rows[phrase].max(axis=1).sum()))[:SHORTLIST]
    best = max(likely, key=lambda phrase: reading.assigned(rows[phrase]))
    _, places = reading.assigned(rows[best])
    return reading.answer(view, [boxes[place] for place in places])


@cache
def phrases(lang: str) -> tuple[str, ...]:
    """The family's list of phrases."""
    folder = Path(next(iter(captcha_types.__path__)))
    table = tomllib.loads((folder / "glyph_click" / "phrases.toml").read_text(encoding="utf-8"))
    entries = " ".join(text for kinds in table[lang].values() for text in kinds.values()).split()
    return tuple(entry.partition("/")[0].upper() for entry in entries)
