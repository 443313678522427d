"""The independent judge of ``trajectory_match``: follows the ball and looks for its line.

The ball is what a frame shows beyond the median of all frames. Its places, joined, are held
against the ink of each drawing: no ink may lie far from them, no part of them far from ink, and
the arrow is at their end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("frame_reading", Path(__file__).parent)

MISREADS = 0.02
"""One of 150, each plain to the eye: at one px a CSS px, a dotted line is read with gaps."""

WIDE = 240
"""Px to which drawings are brought."""

FAR = 0.035
"""Of the height: so much worse than the best is wrong. Drawings of one path differ by dashes."""

REACH = 0.13
"""Of the height: half an arrow and the ring."""

RING = 0.1
RINGED = 0.82
"""Radius of the ring in heights, and the least share of it that is seen."""

INKED, MARKED = 74, 48
"""Levels from the ground: more than faint lines, less than any ink; and what dots may leave."""

EDGE, CORNER = 6, 26
"""Px from a side, and from two sides together, that need not be the drawing's."""


def solve(view: View) -> list[ActionBase]:
    """Click the drawings that agree with the ball's places."""
    shown = reading.moments(view, reading.numbered(view, "frame"), 1.0)
    usual = np.median(np.stack(shown), axis=0).astype(np.uint8)
    way = [_ball(one, usual) for one in shown]
    boxes = reading.numbered(view, "drawing")
    tall = round(WIDE * boxes[0].height / boxes[0].width)
    bare, spots = reading.ground(view, boxes[0]), np.array(way) * (WIDE, tall)
    errors = [
        _error(_apart(reading.cut(view.picture, box), bare, tall), spots, tall) for box in boxes
    ]
    if reading.one_asked(view):
        return reading.answer(view, [int(np.argmin(errors))])
    return reading.answer(view, [k for k, error in enumerate(errors) if error < min(errors) + FAR])


def _apart(drawn: Any, bare: Any, tall: int) -> Any:
    """By how many levels a drawing differs from the bare ground, in a common size."""
    under = cv2.resize(bare, drawn.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return cv2.resize(reading.beyond(drawn, under), (WIDE, tall), interpolation=cv2.INTER_LINEAR)


def _ball(frame: Any, usual: Any) -> tuple[float, float]:
    """Where a frame differs most from the usual, in shares of its width and height."""
    apart = reading.beyond(frame, usual).astype(np.float32)
    height, width = apart.shape
    side = round(0.13 * height) | 1
    heap = cv2.blur(apart, (side, side))
    _, _, _, (x, y) = cv2.minMaxLoc(heap)
    y0, x0 = max(0, y - side), max(0, x - side)
    near = apart[y0 : y + side + 1, x0 : x + side + 1]
    near = np.where(near > 0.4 * near.max(), near, 0)
    rows, columns = np.mgrid[: near.shape[0], : near.shape[1]]
    total = near.sum() or 1.0
    return (
        (x0 + (columns * near).sum() / total + 0.5) / width,
        (y0 + (rows * near).sum() / total + 0.5) / height,
    )


def _error(apart: Any, spots: Any, tall: int) -> float:
    """The farthest that ink and path lie from each other, in heights; 9 for no ring at the start.

    ``apart`` is by how many levels a drawing differs from the bare ground.
    """
    inked = (apart > INKED).astype(np.uint8)
    rows, columns = (np.minimum(np.arange(n), np.arange(n)[::-1]) for n in inked.shape)
    inked[(np.add.outer(rows, columns) < CORNER) | (np.minimum.outer(rows, columns) < EDGE)] = 0
    line = np.zeros(inked.shape, np.uint8)
    cv2.polylines(line, [np.rint(spots).astype(np.int32)], False, (1,), 1)
    ends = np.zeros(inked.shape, np.uint8)
    for x, y in (spots[0], spots[-1]):
        cv2.circle(ends, (round(x), round(y)), round(REACH * tall), (1,), -1)
    to_line = cv2.distanceTransform(1 - line, cv2.DIST_L2, 5)[(inked > 0) & (ends == 0)]
    marked = (apart > MARKED).astype(np.uint8)
    to_ink = cv2.distanceTransform(1 - marked, cv2.DIST_L2, 5)[line > 0]
    if not len(to_line) or _ringed(inked, spots[0], tall) < RINGED:
        return 9.0
    return float(max(np.percentile(to_line, 98), np.percentile(to_ink, 99.7))) / tall


def _ringed(inked: Any, spot: Any, tall: int) -> float:
    """The share of a ring about a place that is inked."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    grown = cv2.dilate(inked, np.ones((7, 7), np.uint8))
    x = np.rint(spot[0] + RING * tall * np.cos(angles)).astype(int)
    y = np.rint(spot[1] + RING * tall * np.sin(angles)).astype(int)
    x, y = x.clip(0, inked.shape[1] - 1), y.clip(0, inked.shape[0] - 1)
    return float(grown[y, x].mean())
