"""The independent judge of ``grid_identical_pair``: lays one thing of a pair over the other.

The two largest pieces of ink in the halves of a tile are compared at every turn and size; pairs
part into those that fit and those that do not. Dice, which the goal names, are counted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("board_reading", Path(__file__).parent)
counting: Any = load_judge("grid_count_condition", Path(__file__).parent)
"""What the judges of boards share, and the reading of dice."""

SIDE, PAD, STEP_DEG = 64, 6, 5
SPECKS = (0.035, 0.08)
"""Pieces below these shares of the largest may be scratches, or may be dots of a thing: both ways
are tried."""

FLAT = 1.5
"""Mean level below which a map shows nothing to compare."""

MISREADS = 0.05
"""Thin drawings and patterned ones (a basket, a die, a barrel) correlate badly once turned, or well
with another of their kind: 4 of 100, looked at."""

SAME = 0.82
"""Least correlation of two of the same, after the best turn."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles with two of the same."""
    goal = view.record.tasks[0].goal
    boxes = reading.tiles(view)
    if "dice" in goal or "骰子" in goal:
        ink = reading.inked(view, scratches=False).astype(np.uint8)
        right = [k for k, box in enumerate(boxes) if _equal_dice(view.picture, ink, box)]
        return reading.answer(view, right)
    ink, bare = reading.beyond(view, 40), reading.bare(view)
    right = []
    for k, box in enumerate(boxes):
        tile, mask = reading.alone(view, box, ink, bare), reading.cut(ink, box, 2.0)
        if max(_fit(*_halves(tile, mask, speck)) for speck in SPECKS) >= SAME:
            right.append(k)
    return reading.answer(view, right)


def _equal_dice(picture: Any, ink: Any, box: Any) -> bool:
    mask, pixels = reading.cut(ink, box, 1.0), reading.cut(picture, box, 1.0)
    found = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    two = sorted(found, key=cv2.contourArea)[-2:]
    return counting.pips(pixels, two[0]) == counting.pips(pixels, two[1])


def _halves(tile: Any, mask: Any, speck: float = SPECKS[0]) -> tuple[Any, Any]:
    """Both things brought to one size: maps ``(SIDE, SIDE)`` of each.

    A tile is parted across its longer side; a square one where less ink lies in its middle.
    """
    rows, columns = mask.shape
    wide = columns >= rows
    if abs(columns - rows) <= 0.03 * rows:
        across = mask[rows // 2 - 1 : rows // 2 + 1].sum()
        wide = mask[:, columns // 2 - 1 : columns // 2 + 1].sum() <= across
    middle = (columns if wide else rows) // 2
    parts = (slice(0, middle), slice(middle, None))
    found = [(slice(None), part) if wide else (part, slice(None)) for part in parts]
    first, second = (_brought(tile[part], mask[part], speck) for part in found)
    return first, second


def _brought(tile: Any, mask: Any, speck: float) -> Any:
    """Edges and colours off the usual one, of a thing whose circle fills a square."""
    labels, stats = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)[1:3]
    areas = stats[:, cv2.CC_STAT_AREA]
    whole = (areas >= min(0.01 * mask.size, speck * max(areas[1:], default=0)))[labels] & mask
    around = cv2.convexHull(np.argwhere(whole)[:, ::-1].astype(np.float32))
    (x, y), radius = cv2.minEnclosingCircle(around)
    colours = np.where(
        whole[..., None], reading.lab(tile), np.median(reading.lab(tile)[~mask], axis=0)
    )
    scale = 0.5 * (SIDE - 2 * PAD) / radius
    about = np.array([[scale, 0, SIDE / 2 - scale * x], [0, scale, SIDE / 2 - scale * y]])
    large = cv2.warpAffine(
        colours.astype(np.float32), about, (SIDE, SIDE), flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    edges = np.hypot(*(cv2.Sobel(large, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))).max(axis=2)
    usual = np.median(reading.lab(tile)[whole], axis=0)
    solid = np.zeros((SIDE, SIDE), np.uint8)
    hull = (around[:, 0] - (x, y)) * scale + SIDE / 2
    cv2.fillConvexPoly(solid, hull.round().astype(np.int32), 1)
    heart = cv2.erode(solid, np.ones((7, 7), np.uint8))
    inner = np.float32(np.clip(large - usual, -60.0, 60.0) * heart[..., None])
    maps: tuple[Any, Any] = (np.minimum(edges, 60.0), inner)
    return [cv2.GaussianBlur(part, (0, 0), 1.6) for part in maps]


def _fit(a: Any, b: Any) -> float:
    """The best correlation of two things over all turns, moved a little: of edges and insides."""
    best = -1.0
    for turn in range(0, 360, STEP_DEG):
        about = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), turn, 1.0)
        fits: list[float] = []
        for still, part in zip(a, b, strict=True):
            if max(float(np.abs(part).mean()), float(np.abs(still).mean())) < FLAT:
                continue
            heart = np.ascontiguousarray(cv2.warpAffine(part, about, (SIDE, SIDE))[4:-4, 4:-4])
            fits.append(float(cv2.matchTemplate(still, heart, cv2.TM_CCOEFF_NORMED).max()))
        best = max(best, min(fits))
    return best
