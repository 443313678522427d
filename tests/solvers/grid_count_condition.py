"""The independent judge of ``grid_count_condition``: counts pieces of ink, colours and pips.

The condition is read off the printed goal. A thing is a piece of what differs from the bare
ground; its colour is the named one whose shades come nearest; pips are the spots of a die that
differ from its body.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase
from factory.core.geometry import Box
from factory.draw.colour_names import NAMES, SHADES, ciede2000, lab
from factory.draw.colours import parse_hex
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("board_reading", Path(__file__).parent)
"""What the judges of boards share."""

MISREADS = 0.02
"""4 of 500; three were looked at: a die, a gem and a heart by lines that cross the tiles."""

MORE = ("more than", "多于", "大于")
FEWER = ("fewer than", "少于", "小于")
ENLARGED = 4
LEAST = 0.008
"""Share of a tile that a thing takes at least."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles whose count meets the printed condition."""
    goal = view.record.tasks[0].goal
    number = int(re.findall(r"\d+", goal)[-1])
    dice = "dice" in goal or "骰子" in goal
    colour = next((key for key, words in NAMES.items() if set(_words(goal, words))), "")
    ink = reading.inked(view, scratches=False)
    near = round(2.4 * view.record.observations[0].dpr) | 1
    ink = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((near, near), np.uint8))
    values = [_counted(view.picture, ink, box, dice, colour) for box in reading.tiles(view)]
    sign = 1 if any(w in goal for w in MORE) else -1 if any(w in goal for w in FEWER) else 0
    return reading.answer(
        view, [k for k, value in enumerate(values) if np.sign(value - number) == sign]
    )


def _words(goal: str, words: tuple[str, str]) -> list[str]:
    return [word for word in words if re.search(rf"(?<![a-z]){word}(?![a-z])", goal)]


def _counted(picture: Any, ink: Any, box: Box, dice: bool, colour: str) -> int:
    """Things of a colour on a tile, or pips."""
    mask = reading.cut(ink, box, 1.0)
    pixels = reading.cut(picture, box, 1.0)
    found = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    large = max(LEAST * mask.size, 0.4 * max(map(cv2.contourArea, found), default=0.0))
    outlines = [one for one in found if cv2.contourArea(one) >= large]
    if dice:
        return sum(pips(pixels, one) for one in outlines)
    return sum(colour in ("", _colour(pixels, one)) for one in outlines)


def _within(shape: Any, outline: Any, shrink: float) -> Any:
    """The heart of an outline, bool."""
    inside = np.zeros(shape[:2], np.uint8)
    cv2.drawContours(inside, [outline], -1, 1, cv2.FILLED)
    size = max(1, round(shrink * cv2.contourArea(outline) ** 0.5))
    return cv2.erode(inside, np.ones((size, size), np.uint8)) > 0


def _colour(pixels: Any, outline: Any) -> str:
    """The name of a thing's colour."""
    middle = np.median(pixels[_within(pixels.shape, outline, 0.3)], axis=0)[::-1]
    far = {
        name: float(ciede2000(lab(middle), lab([parse_hex(s) for s in shades])).min())
        for name, shades in SHADES.items()
    }
    return min(far, key=lambda name: far[name])


def pips(pixels: Any, outline: Any) -> int:
    """Spots on a die, looked at enlarged."""
    large = cv2.resize(pixels, None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC)
    around = (outline * ENLARGED + ENLARGED // 2).astype(np.int32)
    heart = _within(large.shape, around, 0.16)
    colours = reading.lab(large)
    apart = np.linalg.norm(colours - np.median(colours[heart], axis=0), axis=2) * heart
    spots = (apart > 0.5 * np.percentile(apart[heart], 98)).astype(np.uint8)
    stats = cv2.connectedComponentsWithStats(spots, connectivity=4)[2][1:]
    return int((stats[:, cv2.CC_STAT_AREA] > 0.008 * cv2.contourArea(around)).sum())
