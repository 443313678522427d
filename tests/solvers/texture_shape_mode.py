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

KINDS = ("circle", "triangle", "square", "star", "heart", "cross", "crescent")
SIDE = 56
"""Px of the square that a shape is brought to."""

SMOOTH_CSS = 2.6
"""Blur over stripes: about half their distance."""

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
        kinds.append(_kind(_shape(picture, ground, one, scale)))
    most = Counter(kinds).most_common(1)[0][0]
    return reading.answer(view, [k for k, kind in enumerate(kinds) if kind == most])


def _shape(picture: Any, ground: Any, one: Any, scale: float) -> Any:
    """Where a tile's stripes are not those outside its shape."""
    pixels, under = picture.astype(np.float32), ground.astype(np.float32)
    ink = np.array([int(one.figure.colour[k : k + 2], 16) for k in (5, 3, 1)], np.float32)
    way = ink - under
    shown = np.clip(((pixels - under) * way).sum(axis=2) / (way * way).sum(axis=2), 0, 1)
    high, wide = shown.shape
    ys, xs = (np.mgrid[:high, :wide] + 0.5 - np.array([[[high / 2]], [[wide / 2]]])) / scale
    turn = np.radians(one.stripes.angle_deg)
    across = (xs * -np.sin(turn) + ys * np.cos(turn)) / one.stripes.period - one.stripes.phase
    off = np.abs(across - np.round(across)) * one.stripes.period * scale
    half = 0.5 * one.stripes.share * one.stripes.period * scale
    expected = np.clip(half - off + 0.5, 0, 1)
    apart = np.abs(shown - expected).astype(np.float32)
    smooth = cv2.GaussianBlur(apart, (0, 0), SMOOTH_CSS * scale)
    grey = np.clip(255 * smooth / smooth.max(), 0, 255).astype(np.uint8)
    return cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1]


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
