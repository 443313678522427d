"""The independent judge of ``slider_jigsaw_gap``: finds the gap in the piece's own row.

The piece is slid over the decoded picture along its row. In its gap the picture shows the
same edges in the same directions, and the piece's content under a veil. How far the knob has
to go follows from what the panel prints: as far as the piece, or the whole track for the way
to the right edge of the picture.
"""

from __future__ import annotations

import math
import re

import cv2
import numpy as np

from factory.core.actions import ActionBase, Drag
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide
from factory.testing import View

CLOSE = 2.5
"""CSS px of the piece's place within which two ways of finding the gap agree."""

EVEN, EDGES = re.compile(r"as far as the knob|移动距离相同"), re.compile(r"track's end|滑块拖到底")

STRONG = 30.0
"""Levels of grey beyond which edges count alike."""

VEILS, RESIDUE = (0.3, 0.8), 0.2
"""What a veil leaves of contrast; the unexplained share that weighs as much as all edges."""


def solve(view: View) -> list[ActionBase]:
    """Drag the knob so that the piece goes as far as its gap is away."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    piece, picture = regions["piece"], regions["picture"]
    knob, track = regions["handle"], regions["track"]
    length = gap_distance(view.picture, piece, picture, view.record.observations[0].dpr)
    goal = view.record.tasks[0].goal
    if not EVEN.search(goal):
        assert EDGES.search(goal), goal
        travel = track.width - knob.width - 2 * (knob.x0 - track.x0)
        length *= travel / (picture.x1 - piece.x1)
    start = knob.center
    return [Drag(start, Point(start.x + length, start.y))]


def error(mechanic: AnyMechanic, actions: list[ActionBase]) -> float:
    """CSS px between the piece after the drag and its gap."""
    assert isinstance(mechanic, Slide)
    drag = actions[0]
    assert isinstance(drag, Drag)
    off = mechanic.error_at(mechanic.clamped(drag.end[0] - drag.start[0]))
    return off / mechanic.px_per_css


def gap_distance(pixels: np.ndarray, piece: Box, picture: Box, dpr: float) -> float:
    """How far right of the piece its gap lies, canvas px."""
    x0, y0, side = round(piece.x0), round(piece.y0), round(piece.width)
    row = pixels[y0 : y0 + side, x0 : math.floor(picture.x1)]
    edges = _edges(row, dpr)
    score = cv2.matchTemplate(edges, edges[:, :side], cv2.TM_CCOEFF_NORMED)[0]
    for x in range(side, len(score)):
        score[x] -= _residue(row[:, :side], row[:, x : x + side]) / RESIDUE
    best = side + int(score[side:].argmax())
    if not side < best < len(score) - 1:
        return float(best)
    before, peak, after = (float(value) for value in score[best - 1 : best + 2])
    curve = before - 2 * peak + after
    return best + (0.5 * (before - after) / curve if curve else 0.0)


def _edges(row: np.ndarray, dpr: float) -> np.ndarray:
    """Edges as ``(strength cos 2a, strength sin 2a)`` of the direction of their normals."""
    soft = cv2.GaussianBlur(cv2.cvtColor(row, cv2.COLOR_BGR2GRAY), (0, 0), dpr / 2)
    dx, dy = (cv2.Sobel(soft, cv2.CV_32F, *way, scale=0.25) for way in ((1, 0), (0, 1)))
    strength = np.hypot(dx, dy) + 1e-6
    part = np.minimum(strength, STRONG) / strength**2
    return np.dstack([(dx**2 - dy**2) * part, 2 * dx * dy * part])


def _residue(piece: np.ndarray, place: np.ndarray) -> float:
    """The share of the heart of the piece that no veil over it explains; 0.2 for no veil."""
    heart = slice(3 * len(piece) // 10, 7 * len(piece) // 10)
    left = math.inf
    for shade in (0.0, 255.0):
        from_piece = piece[heart, heart].astype(np.float64) - shade
        from_place = place[heart, heart].astype(np.float64) - shade
        share = (from_piece * from_place).sum() / max(1.0, (from_piece**2).sum())
        share = min(max(share, VEILS[0]), VEILS[1])
        off = np.abs(from_place - share * from_piece).mean()
        left = min(left, float(off / max(1.0, np.abs(from_piece).mean())))
    return left
