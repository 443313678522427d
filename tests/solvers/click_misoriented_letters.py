"""The independent judge of ``click_misoriented_letters``: turns capitals until they fit.

What each spot of the picture shows is found by typesetting capitals with another library in
every face, upright, leaning, turned, upside down and mirrored; the best drawing says how the
letter stands. Which flaw is asked for is read from the goal.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("glyph_reading", Path(__file__).parent)
"""What the judges of characters to tap share."""

CHARS = {
    "inverted": "AFGPQRTUY", "turned": "AFGKPQRTY", "mirrored": "CDFGKNPR",
}  # fmt: skip
"""Capitals that show each flaw."""

ASKED = {
    "upside down": "inverted", "颠倒": "inverted", "not upright": "turned", "端正": "turned",
    "mirrored": "mirrored", "反写": "mirrored",
}  # fmt: skip
UPRIGHT = (-12.0, -6.0, 0.0, 6.0, 12.0)
TURNS = {
    "inverted": (*UPRIGHT, *(180.0 + turn for turn in UPRIGHT)),
    "turned": (*UPRIGHT, *(float(turn) for turn in range(60, 301, 10))),
    "mirrored": UPRIGHT,
}


def solve(view: View) -> list[ActionBase]:
    """Click every spot whose best drawing has the flaw."""
    goal = view.record.tasks[0].goal
    flaw = next(flaw for word, flaw in ASKED.items() if word in goal.replace("稍微倾斜", ""))
    mirrors = (False, True) if flaw == "mirrored" else (False,)
    known = reading.bank(view.record.split, "latin", CHARS[flaw], TURNS[flaw], mirrors)
    wrong = np.array([d.mirrored or d.turn_deg not in UPRIGHT for d in known.drawings])
    chosen = []
    for box in reading.spots(view):
        scores = known.scores(view.picture, box)
        if scores[wrong].max() > scores[~wrong].max():
            chosen.append(box)
    return reading.answer(view, chosen)
