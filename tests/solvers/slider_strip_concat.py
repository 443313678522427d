"""The independent judge of ``slider_strip_concat``: rolls the strip until the cuts close.

Rows of pixels beside the cuts are compared at every px of a shift that comes around; how far
the knob has to go follows from what the panel prints: as far as the strip, or the whole track
for one round.
"""

from __future__ import annotations

import re
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Drag
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide
from factory.testing import View

CLOSE = 2.5
"""CSS px of the strip's place within which two ways of finding it agree."""

EVEN, AROUND = re.compile(r"as far as|距离相同"), re.compile(r"once around|一圈")

ROWS_CSS = (1.5, 2.5)
"""Rows that are compared, that far from a cut: the line along it is left out."""

STRONG = 60.0
"""Levels beyond which two colours are as unlike as any."""


def solve(view: View) -> list[ActionBase]:
    """Drag the knob so that the strip goes as far as its place is away."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    strip, picture = regions["strip"], regions["picture"]
    knob, track = regions["handle"], regions["track"]
    length = shift_of(view.picture, strip, picture, view.record.observations[0].dpr)
    goal = view.record.tasks[0].goal
    if not EVEN.search(goal):
        assert AROUND.search(goal), goal
        length *= (track.width - knob.width - 2 * (knob.x0 - track.x0)) / picture.width
    start = knob.center
    return [Drag(start, Point(start.x + length, start.y))]


def error(mechanic: AnyMechanic, actions: list[ActionBase]) -> float:
    """CSS px between the strip after the drag and its place."""
    assert isinstance(mechanic, Slide)
    drag = actions[0]
    assert isinstance(drag, Drag)
    off = mechanic.error_at(mechanic.clamped(drag.end[0] - drag.start[0]))
    return off / mechanic.px_per_css


def shift_of(pixels: np.ndarray, strip: Box, picture: Box, dpr: float) -> float:
    """How far to the right the strip belongs, canvas px."""
    x0, x1 = round(picture.x0), round(picture.x1)
    lab = cv2.cvtColor(pixels[:, x0:x1].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    cost = np.zeros(x1 - x0)
    for y, inward in ((strip.y0, 1), (strip.y1, -1)):
        if min(abs(y - picture.y0), abs(y - picture.y1)) < 2 * dpr:
            continue  # the picture's own edge
        own, other = (_row(lab, y, sign * inward, dpr) for sign in (1, -1))
        cost += [_unlike(np.roll(own, k, axis=0), other) for k in range(len(cost))]
    best = int(cost.argmin())
    before, low, after = cost[best - 1], cost[best], cost[(best + 1) % len(cost)]
    curve = before - 2 * low + after
    return float(best + (0.5 * (before - after) / curve if curve else 0.0))


def _row(lab: Any, y: float, way: int, dpr: float) -> Any:
    """Colours along a cut on one of its sides, drawn out to the cut itself."""
    near, far = (lab[round(y + way * off * dpr - 0.5)] for off in ROWS_CSS)
    return near + 0.5 * (near - far)


def _unlike(a: Any, b: Any) -> float:
    return float(np.minimum(np.linalg.norm(a - b, axis=1), STRONG).mean())
