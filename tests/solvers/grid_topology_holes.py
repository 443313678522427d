"""The independent judge of ``grid_topology_holes``: counts holes by connected components.

What is nearer to the usual ink than to the bare ground is plate. Holes are what the largest
piece of a tile encloses of the rest; a dent is nearly of the plate's colour.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("board_reading", Path(__file__).parent)
"""What the judges of boards share."""

LEAST, FEWER = ("at least", "至少"), ("fewer", "少于")
SHADES = (1.0, 0.86, 0.73)
"""What is left of the ground in a shadow, and at its edge."""

GLINT_CSS = 2.4
"""Glints on the rims of dents are thinner."""

HOLE_CSS2 = 7.0
"""CSS px^2 of a hole at least: half of what the class promises."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles whose plates have as many holes as the goal prints."""
    goal = view.record.tasks[0].goal
    number = int(re.findall(r"\d+", goal)[-1])
    boxes = reading.tiles(view)
    area = (boxes[0].width / view.state.board.tiles[0].width) ** 2
    ink, bare = reading.inked(view, scratches=False), reading.bare(view)
    wide = round(GLINT_CSS * area**0.5) | 1
    holes: list[int] = []
    for box in boxes:
        plate = _plate(*(reading.cut(part, box, 1.0) for part in (view.picture, bare, ink)))
        whole = cv2.morphologyEx(plate, cv2.MORPH_CLOSE, np.ones((wide, wide), np.uint8))
        holes.append(_holes(whole, HOLE_CSS2 * area))
    if any(word in goal for word in LEAST):
        return reading.answer(view, [k for k, count in enumerate(holes) if count >= number])
    if any(word in goal for word in FEWER):
        return reading.answer(view, [k for k, count in enumerate(holes) if count < number])
    return reading.answer(view, [k for k, count in enumerate(holes) if count == number])


def _plate(tile: Any, bare: Any, ink: Any) -> Any:
    """Px that are nearer to the plate's colour than to the ground, in light or in shadow."""
    tile, bare = tile.astype(np.float32), bare.astype(np.float32)
    own = np.linalg.norm(tile - np.median(tile[ink], axis=0), axis=2)
    ground = (np.linalg.norm(tile - shade * bare, axis=2) for shade in SHADES)
    return (own < np.minimum.reduce(list(ground))).astype(np.uint8)


def _holes(mask: Any, least: float) -> int:
    """Holes of the largest piece, of an area or more."""
    labels, stats = cv2.connectedComponentsWithStats(mask, connectivity=4)[1:3]
    plate = labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    rest = np.pad(~plate, 1, constant_values=True).astype(np.uint8)
    found = cv2.connectedComponentsWithStats(rest, connectivity=4)[2][1:]
    inner = found[(found[:, 0] > 0) & (found[:, 1] > 0)]
    return int((inner[:, cv2.CC_STAT_AREA] >= least).sum())
