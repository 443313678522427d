"""The independent judge of ``text_distorted_chars``: reads the picture glyph by glyph.

Regions say where glyphs stand; the goal says whether case matters, and with it which
alphabets the text may be of. Nothing of the state is looked at.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.draw import glyphs
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("text_reading", Path(__file__).parent)
"""What the judges of typed text share."""

MISREADS = 0.03
"""Seven letters in turned, bent and crossed lines: 14 of 500 had one taken for another."""

CASED = ("Capital letters matter", "区分大小写")
UNCASED = ("Upper or lower case is the same", "不区分大小写")


def solve(view: View) -> list[ActionBase]:
    """Click the field, type what is read, submit where a button is drawn."""
    goal = view.record.tasks[0].goal
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    free = any(words in goal for words in UNCASED)
    assert free or any(words in goal for words in CASED), goal
    names = ("upper_digits", "lower_digits") if free else ("cased",)
    # The class leaves out n, which closes up with what stands before it.
    alphabets = [glyphs.safe_alphabet(name).replace("n", "") for name in names]
    boxes = [regions[f"glyph.{k}"] for k in range(len(regions)) if f"glyph.{k}" in regions]
    boxes.sort(key=lambda box: box.center.x)
    text = reading.read_all(view.picture, boxes, view.record.split, alphabets)
    typed: list[ActionBase] = [Click(regions["field"].center), Type(text)]
    return typed + ([Click(regions["submit"].center)] if "submit" in regions else [])
