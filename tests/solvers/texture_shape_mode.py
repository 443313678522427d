"""The independent judge of ``texture_shape_mode``: what differs from the stripes outside is shape.

The stripes of a tile without its shape are drawn from their numbers, which are printed as art.
Where the picture differs from them lies the shape; its kind is that of the outline, in any
pose, that covers it best.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase
from factory.draw.figures import FINE, Figure, placed
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("board_reading", Path(__file__).parent)
"""What the judges of boards share."""

stripes: Any = load_judge("stripe_reading", Path(__file__).parent)
"""What the judges of stripes share."""

KINDS = ("circle", "triangle", "square", "star", "heart", "cross", "crescent")
SIDE = 56
"""Px of the square that a shape is brought to."""

TURN_DEG = 7.5


def solve(view: View) -> list[ActionBase]:
    """Click the tiles with the shape that is found most often."""
    bare = np.ascontiguousarray(reading.bare(view, scratches=False))
    kinds: list[str] = []
    for box, tile, one in zip(
        reading.tiles(view), view.state.board.tiles, view.state.tiles, strict=True
    ):
        scale = box.width / tile.width
        picture, ground = (reading.cut(part, box, 3.0) for part in (view.picture, bare))
        shape = stripes.shape_in(picture, ground, one.figure.colour, one.stripes, scale)
        kinds.append(_kind(shape))
    most = Counter(kinds).most_common(1)[0][0]
    return reading.answer(view, [k for k, kind in enumerate(kinds) if kind == most])


def _kind(mask: Any) -> str:
    """The kind that covers the largest piece best, in any pose."""
    labels, stats = cv2.connectedComponentsWithStats(mask)[1:3]
    own = (labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())).astype(np.uint8)
    moments = cv2.moments(own, binaryImage=True)
    middle = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    zoom = SIDE * 0.5 / np.sqrt(moments["m00"])
    matrix = np.array(
        [[zoom, 0, SIDE / 2 - zoom * middle[0]], [0, zoom, SIDE / 2 - zoom * middle[1]]]
    )
    square = cv2.warpAffine(own * 255, matrix, (SIDE, SIDE)) > 127
    scores = (_masks() & square).sum(axis=(1, 2)) / (_masks() | square).sum(axis=(1, 2))
    return KINDS[int(scores.argmax()) // round(360 / TURN_DEG)]


@lru_cache(maxsize=1)
def _masks() -> Any:
    """Every kind in every pose, of one area about its centroid."""
    found: list[Any] = []
    for kind in KINDS:
        for turn in np.arange(0.0, 360.0, TURN_DEG):
            corners = np.array(placed(Figure(kind, 0.0, 0.0, 100.0, float(turn), "#000000"), FINE))
            contour = corners.astype(np.float32)
            moments = cv2.moments(contour)
            middle = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
            at = (corners - middle) * SIDE * 0.5 / np.sqrt(abs(moments["m00"])) + SIDE / 2
            filled = np.zeros((SIDE, SIDE), np.uint8)
            cv2.fillPoly(filled, [np.round(at).astype(np.int32)], 1)
            found.append(filled.astype(bool))
    return np.array(found)
