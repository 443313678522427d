"""The independent judge of ``text_warped_word``: letters off pixels, words off the list.

Every letter is scored against its box; the two words of the list whose letters score best
together, over all places where the first may end, are typed. Letters too narrow to tell
(i, l) count alike, for the rest of a word decides. Nothing of the state is looked at.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import captcha_types
from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("text_reading", Path(__file__).parent)
"""What the judges of typed text share."""

NARROW, SLIM = "ijl", 0.8
"""Letters of a stroke, and the score of one in a box that is narrow enough for it."""

UPRIGHT = 2.4
"""Height over width from which a box may hold one of them."""


def words() -> list[str]:
    """The family's list of words."""
    folder = Path(next(iter(captcha_types.__path__)))
    text = (folder / "text_ocr" / "words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["words"].split()


def solve(view: View) -> list[ActionBase]:
    """Click the field, type the words, submit where a button is drawn."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    boxes = [regions[f"glyph.{k}"] for k in range(len(regions)) if f"glyph.{k}" in regions]
    scores = [_scores(view, box) for box in boxes]
    typed: list[ActionBase] = [Click(regions["field"].center), Type(" ".join(_best(scores)))]
    return typed + ([Click(regions["submit"].center)] if "submit" in regions else [])


def _scores(view: View, box: Box) -> dict[str, float]:
    """How likely each letter is in a box, small or capital."""
    found = dict.fromkeys(string.ascii_lowercase, 0.0)
    for chars in (string.ascii_lowercase, string.ascii_uppercase):
        read = reading.read(view.picture, box, view.record.split, chars, ("fill",), 6)
        for char, score in read.scores.items():
            found[char.lower()] = max(found[char.lower()], score)
    if box.height > UPRIGHT * box.width:
        found.update(dict.fromkeys(NARROW, SLIM))
    return found


def _best(scores: Sequence[dict[str, float]]) -> tuple[str, str]:
    """The two words that explain all letters best."""
    rated: list[tuple[float, tuple[str, str]]] = []
    for cut in range(4, len(scores) - 3):
        first, second = (_word(part) for part in (scores[:cut], scores[cut:]))
        if first and second:
            rated.append((first[0] + second[0], (first[1], second[1])))
    return max(rated)[1]


def _word(scores: Sequence[dict[str, float]]) -> tuple[float, str] | None:
    """The best word of so many letters."""
    few = [word for word in words() if len(word) == len(scores)]
    rated = [(sum(s[c] for s, c in zip(scores, word, strict=True)), word) for word in few]
    return max(rated, default=None)
