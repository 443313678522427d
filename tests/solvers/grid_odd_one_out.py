"""The independent judge of ``grid_odd_one_out``: measures tiles, and finds what sets few apart.

Ink is what differs from the bare ground. Of each tile it takes how many pieces there are, how
large, of which colour and of which outline; then it looks for the measure by which most tiles
lie close together and fewer than half lie far off.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase
from factory.core.geometry import Box
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("board_reading", Path(__file__).parent)
"""What the judges of boards share."""

LEAST = 0.006
"""Share of a tile that ink takes at least."""

SIDE, PAD = 64, 5
FLAT = 3.0
"""Mean level below which a map shows nothing to compare."""

TURNS = (-8.0, -4.0, 0.0, 4.0, 8.0)
"""Small turns that tell nothing."""

PLAIN = {"size": 0.3, "shape": 0.35, "colour": 25.0, "fill": 0.2}
"""A plain difference by measure: of the logarithm of sizes, of correlation, of CIELAB,
of the share of its circle that a thing fills."""

UNTOLD = ("size", "shape", "colour")
"""Measures that are tried where the goal names none: the outline tells plates too."""

NAMED = {
    "colour": ("in colour", "颜色"),
    "size": ("in size", "大小"),
    "shape": ("in direction", "in what", "方向", "朝向", "内容"),
    "fill": ("in the shape", "底板"),
}
"""Measures that the printed goal may ask for."""

Looks = dict[str, Any]


def solve(view: View) -> list[ActionBase]:
    """Click the tiles that the clearest measure sets apart."""
    ink = reading.inked(view, 30)
    boxes = reading.tiles(view)
    beyond = reading.beyond(view, 30)
    numbers = np.array([_number(reading.cut(beyond, box, 3.0)) for box in boxes])
    usual = int(np.bincount(numbers).argmax())
    if usual > 1 and 0 < (numbers != usual).sum() < len(boxes) / 2:
        return reading.answer(view, np.flatnonzero(numbers != usual).tolist())
    looks = [_measured(view.picture, ink, box) for box in boxes]
    goal = view.record.tasks[0].goal
    told = [name for name, words in NAMED.items() if any(word in goal for word in words)]
    found = [_minority(np.array([[_apart(n, a, b) for b in looks] for a in looks]))
             for n in told or UNTOLD]  # fmt: skip
    return reading.answer(view, max(found, key=lambda pair: pair[0])[1])


def _number(mask: Any) -> int:
    """How many things of one size there are."""
    areas = reading.filled(mask, LEAST * mask.size)
    return sum(area >= 0.6 * max(areas) for area in areas)


def _kept(mask: Any) -> Any:
    """A mask without its small pieces."""
    labels, stats = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)[1:3]
    large = stats[:, cv2.CC_STAT_AREA] >= LEAST * mask.size
    return large[labels] & mask


def _measured(picture: Any, ink: Any, box: Box) -> Looks:
    """Size, fill, colour, and edges brought to one size and place."""
    mask = reading.cut(ink, box, 3.0)
    pixels = reading.cut(picture, box, 3.0)
    whole = _kept(mask)
    points = np.argwhere(whole)[:, ::-1].astype(np.float32)
    around = cv2.convexHull(points)
    (x, y), radius = cv2.minEnclosingCircle(around)
    colours = reading.lab(pixels)
    usual = np.median(colours[whole], axis=0)
    heart = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(heart, around.astype(np.int32), 1)
    heart = cv2.erode(heart, np.ones((7, 7)))
    inner = np.linalg.norm(colours - usual, axis=2) * heart
    ground = np.median(colours[~mask], axis=0)
    alone = np.where(whole[..., None], colours, ground).astype(np.float32)
    edges = np.hypot(*(cv2.Sobel(alone, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))).max(axis=2)
    return {
        "size": radius,
        "fill": cv2.contourArea(around) / (np.pi * radius**2),
        "shape": [_turned(edges, (x, y), radius, turn) for turn in TURNS],
        "inner": [_turned(inner, (x, y), radius, turn) for turn in TURNS],
        "colour": usual,
    }


def _turned(edges: Any, middle: tuple[float, float], radius: float, turn: float) -> Any:
    """A map about a middle, turned and brought to one size."""
    about = cv2.getRotationMatrix2D(middle, turn, 0.5 * (SIDE - 2 * PAD) / radius)
    about[:, 2] += SIDE / 2 - np.array(middle)
    shape = cv2.warpAffine(edges, about, (SIDE, SIDE), flags=cv2.INTER_AREA)
    return cv2.GaussianBlur(np.minimum(shape, 60.0), (0, 0), 1.6)


def _apart(name: str, a: Looks, b: Looks) -> float:
    """How far two tiles are apart in a measure, in units of a plain difference."""
    if name == "size":
        return abs(float(np.log(a[name] / b[name]))) / PLAIN[name]
    if name == "shape":
        return (1 - min(_match(a[kind], b[kind]) for kind in ("shape", "inner"))) / PLAIN[name]
    if name == "fill":
        return abs(a[name] - b[name]) / PLAIN[name]
    return float(np.linalg.norm(a[name] - b[name])) / PLAIN[name]


def _match(a: Sequence[Any], b: Sequence[Any]) -> float:
    """The best correlation of one map, unturned, with the turns of another, moved a little."""
    still = a[len(TURNS) // 2]
    if min(float(still.mean()), float(b[len(TURNS) // 2].mean())) < FLAT:
        return 1.0
    still = np.pad(still, PAD)
    return float(max(cv2.matchTemplate(still, one, cv2.TM_CCOEFF_NORMED).max() for one in b))


def _minority(apart: Any) -> tuple[float, list[int]]:
    """How clearly fewer than half lie apart from the most central tile, and which they are."""
    row = apart[int(np.median(apart, axis=1).argmin())]
    order = np.argsort(row)
    scores = {
        cut: float((row[order[cut]] - row[order[cut - 1]]) / (0.25 + row[order[cut - 1]]))
        for cut in range(len(row) // 2 + 1, len(row))
    }
    best = max(scores, key=lambda cut: scores[cut])
    return scores[best], order[best:].tolist()
