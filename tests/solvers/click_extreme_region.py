"""The independent judge of ``click_extreme_region``: counts px that belong to each area.

From the middle of every area its px are flooded up to the outline, which stands out from all
tints; the goal says which rank is asked for.
"""

from __future__ import annotations

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.core.mechanics.zones import Zone
from factory.testing import View

EDGE = 14
"""Levels between neighbouring px from which they belong to different sides of an outline."""

MISREADS = 0.01
"""2 of 500, both looked at: an edge in the picture behind a tint stops the flood."""

RANKS = (("second largest", 1), ("第二大", 1), ("largest", 0), ("最大", 0), ("smallest", -1),
         ("最小", -1))  # fmt: skip


def solve(view: View) -> list[ActionBase]:
    """Click the area whose flood has the rank that the goal asks for."""
    regions = [r for r in view.record.regions if r.name.split(".")[0] in ("target", "distractor")]
    zones = sorted((Zone(tuple(map(Point, r.polygon[::2], r.polygon[1::2]))) for r in regions),
                   key=lambda zone: zone.center)  # fmt: skip
    sizes = [_flooded(view.picture, zone.center, zone.box) for zone in zones]
    goal = view.record.tasks[0].goal
    rank = next(rank for words, rank in RANKS if words in goal)
    chosen = sorted(range(len(zones)), key=lambda k: -sizes[k])[rank]
    submit = [Click(Box(*r.box).center) for r in view.record.regions if r.name == "submit"]
    return [Click(zones[chosen].center), *submit]


def _flooded(picture: np.ndarray, seed: Point, around: Box) -> int:
    """Px that hang together with the seed without crossing an edge."""
    x0, y0, x1, y1 = around.grown(4).outer_pixels()
    x0, y0 = max(0, x0), max(0, y0)
    window = cv2.GaussianBlur(picture[y0:y1, x0:x1], (0, 0), 0.6)
    mask = np.zeros((window.shape[0] + 2, window.shape[1] + 2), np.uint8)
    at = (int(seed.x) - x0, int(seed.y) - y0)
    return cv2.floodFill(window, mask, at, 0, (EDGE,) * 3, (EDGE,) * 3, cv2.FLOODFILL_MASK_ONLY)[0]
