"""The independent judge of ``object_continuity``: holds the first frame of a film to the last.

Things are what these two show beyond the frame in the middle, in which nothing is seen but
ground and bar. Their number, area, colour and outline are compared, and the goal says which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase
from factory.draw.colour_names import ciede2000, lab
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("frame_reading", Path(__file__).parent)

MISREADS = 0.02
"""One of 250, a heart of fifteen px that comes out as a circle: plain to the eye, blurred here."""

LEAST = 34
"""Levels from the empty frame: more than the encoder leaves."""

ZOOM, SIDE = 4, 48
LARGE, SMALL_SHAPE = 4000, 0.75
"""Outlines of fewer px are blurred, and agree with themselves in less."""

FULL = 0.13
"""A circle takes so much less of its square than a square does, and more."""

SHAPE, AREA, COLOUR = 0.81, 1.5, 9.0
"""Overlap of outlines below which they differ; ratio of areas, CIEDE2000 above which."""

STAYS = ("stays the same", "不变")


@dataclass(frozen=True)
class Thing:
    """How many pieces, the area and colour of all, the outline of the largest in a square."""

    count: int
    area: float
    colour: Any
    outline: Any


def solve(view: View) -> list[ActionBase]:
    """Click the tiles in which the named property changes, or stays."""
    goal = view.record.tasks[0].goal
    apart = next(test for words, test in TESTS.items() if any(word in goal for word in words))
    stay = any(words in goal for words in STAYS)
    scores = []
    for tile in range(len(reading.numbered(view, "cell"))):
        shown = reading.moments(view, reading.numbered(view, f"film{tile}"), 1.0)
        empty = shown[len(shown) // 2]
        scores.append(apart(_thing(shown[0], empty), _thing(shown[-1], empty)))
    if reading.one_asked(view):
        odd = np.argmin(scores) if stay else np.argmax(scores)
        return reading.answer(view, [int(odd)])
    return reading.answer(view, [k for k, score in enumerate(scores) if (score < 1.0) == stay])


def _thing(frame: Any, empty: Any) -> Thing:
    """What a frame shows beyond the empty one, looked at four times as large."""
    apart = cv2.absdiff(frame, empty).max(axis=2).astype(np.float32)
    wide = cv2.resize(cv2.GaussianBlur(apart, (0, 0), 0.5), None, fx=ZOOM, fy=ZOOM,
                      interpolation=cv2.INTER_CUBIC)  # fmt: skip
    inked = (wide > max(LEAST, 0.4 * np.percentile(wide, 98))).astype(np.uint8)
    inked = cv2.morphologyEx(inked, cv2.MORPH_CLOSE, np.ones((ZOOM + 1,) * 2, np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(inked)
    areas = stats[1:, cv2.CC_STAT_AREA]
    if not len(areas):
        return Thing(0, 1.0, np.zeros(3), np.zeros((SIDE, SIDE)))
    largest = 1 + int(areas.argmax())
    x, y, across, down = stats[largest, :4]
    own = (labels == largest).astype(np.uint8)
    core = cv2.erode(own, np.ones((4 * ZOOM + 1,) * 2, np.uint8)) if own.sum() > 900 else own
    shown = cv2.resize(frame, None, fx=ZOOM, fy=ZOOM, interpolation=cv2.INTER_LINEAR)
    colour = lab(np.median(shown[(core if core.any() else own) > 0], axis=0)[::-1])
    cut = own[y : y + down, x : x + across].astype(np.float32)
    outline = cv2.resize(cut, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    pieces = areas[areas > 0.4 * areas.max()]
    return Thing(len(pieces), float(pieces.sum()), colour, outline)


def _overlap(a: Thing, b: Thing) -> float:
    """What two outlines have in common of both, at the best of small shifts and stretches."""
    found = 0.0
    for wide in (SIDE - 4, SIDE, SIDE + 4):
        for high in (SIDE - 4, SIDE, SIDE + 4):
            other = cv2.resize(b.outline, (wide, high), interpolation=cv2.INTER_LINEAR)
            other = cv2.getRectSubPix(other.astype(np.float32), (SIDE, SIDE),
                                      (wide / 2 - 0.5, high / 2 - 0.5))  # fmt: skip
            both = np.minimum(a.outline, other).sum()
            found = max(found, float(both / max(np.maximum(a.outline, other).sum(), 1e-6)))
    return found


def _unlike(a: Thing, b: Thing) -> float:
    """How different two outlines are, by what they have in common and by how full they are."""
    least = SHAPE if min(a.area, b.area) > LARGE else SMALL_SHAPE
    full = abs(float(a.outline.mean() - b.outline.mean()))
    return max((1.0 - _overlap(a, b)) / (1.0 - least), full / FULL)


TESTS: dict[tuple[str, str], Callable[[Thing, Thing], float]] = {
    ("the shape", "形状"): _unlike,
    ("the colour", "颜色"): lambda a, b: float(ciede2000(a.colour, b.colour)) / COLOUR,
    ("the size", "大小"): lambda a, b: max(a.area, b.area) / min(a.area, b.area) / AREA,
    ("the number", "数量"): lambda a, b: 1.0 * (a.count != b.count),
}
"""From 1 on they differ."""
