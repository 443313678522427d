"""How well what is drawn on a face can be seen, on decoded pixels."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from factory.core.geometry import Box, Point
from factory.core.puzzle import Seen

INNER = 0.72
"""Share of a face's sides that is looked at: its edge is no mark."""


def mark_step(seen: Seen, zone: Sequence[Point]) -> float:
    """Levels of grey between a face and the fortieth of it that differs most from it.

    ``zone`` is the face's outline, CSS px from the slot's corner; ``seen`` is grey.
    """
    x = sum(p.x for p in zone) / len(zone)
    y = sum(p.y for p in zone) / len(zone)
    corner = seen.box(Box(x, y, x + 1, y + 1))
    points = np.array([(p.x - x, p.y - y) for p in zone]) * (INNER * seen.px_per_css)
    points = np.rint(points + np.array([corner.x0, corner.y0])).astype(np.int32)
    left, top, width, height = cv2.boundingRect(points)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, points - np.array([left, top], np.int32), 255)
    window = seen.decoded[max(0, top) : top + height, max(0, left) : left + width]
    if window.shape != mask.shape:  # the face reaches out of what is seen
        return 0.0
    levels = np.sort(window[mask > 0]).astype(int)
    if not levels.size:
        return 0.0
    middle, few = levels[levels.size // 2], max(1, levels.size // 40)
    return float(max(levels[-few] - middle, middle - levels[few - 1]))
