"""The independent judge of ``ribbon_loops_count``: looks for rings in the ink of every tile.

A ring of ink is about a middle and of a radius if nearly all of a thin circle there is ink. Rings
about nearly one middle are one ribbon. Circles that neighbours only seem to enclose are smaller:
the ribbons of a tile are of one size, that of the wholest ring.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("board_reading", Path(__file__).parent)
"""What the judges of boards share."""

RADII = np.arange(9.0, 34.0, 1.0)
"""CSS px of the middle line of a ribbon."""

WHOLE = 0.75
"""Share of a circle that is ink where a ribbon runs: it strays from round by a twentieth."""

ONE = 0.75
"""Middles nearer than this share of the radius are of one ribbon."""

MISREADS = 0.04
"""In a tile the wholest circle may be one that neighbours enclose: 2 of 100, looked at."""

SPREAD = np.ones((3, 3), np.uint8)
"""A thin ribbon of a wide tile leaves the circle by about its half width: ink is made wider."""

SIZE = 0.12
"""Rings that differ by more than this share from the wholest are none."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles with as many ribbons as the goal prints."""
    number = int(re.findall(r"\d+", view.record.tasks[0].goal)[-1])
    ink = reading.inked(view, scratches=False).astype(np.float32)
    boxes = reading.tiles(view)
    scale = boxes[0].width / view.state.board.tiles[0].width
    counts = [_rings(reading.cut(ink, box), scale) for box in boxes]
    return reading.answer(view, [k for k, count in enumerate(counts) if count == number])


@lru_cache(maxsize=64)
def _circle(radius: float) -> Any:
    side = 2 * int(np.ceil(radius)) + 3
    ys, xs = np.mgrid[:side, :side] - (side - 1) / 2
    ring = np.clip(1.2 - np.abs(np.hypot(xs, ys) - radius), 0, 1).astype(np.float32)
    return ring / ring.sum()


def _rings(ink: Any, scale: float) -> int:
    """Ribbons of a tile."""
    size = (round(ink.shape[1] / scale), round(ink.shape[0] / scale))
    small = cv2.dilate(cv2.resize(ink, size, interpolation=cv2.INTER_AREA), SPREAD)
    found: list[tuple[float, float, float, float]] = []
    for radius in RADII:
        whole = cv2.filter2D(small, -1, _circle(float(radius)), borderType=cv2.BORDER_CONSTANT)
        found += [
            (float(whole[y, x]), float(x), float(y), float(radius))
            for y, x in np.argwhere(whole > WHOLE)
        ]
    found.sort(reverse=True)
    size_of = found[0][3] if found else 0.0
    rings: list[tuple[float, float]] = []
    for _, x, y, radius in found:
        alike = abs(radius - size_of) <= SIZE * size_of
        if alike and all(np.hypot(x - u, y - v) > ONE * size_of for u, v in rings):
            rings.append((x, y))
    return len(rings)
