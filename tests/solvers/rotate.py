"""The independent judge of ``rotate``: solves it from the picture and the printed goal.

It reads which way and how far the slider turns the picture off the goal text,
measures the turn by correlating rings of the decoded disc with rings of the
solved pose, and drags the knob. It never looks at the state's angle.
"""

from __future__ import annotations

import math
import re

import cv2
import numpy as np

from captcha_types.rotate.rotate import upright_raster
from factory.core.actions import ActionBase, Drag
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide
from factory.testing import View

CLOSE = 3.0
"""Degrees within which two ways of measuring a turn agree."""

SIDE, ANGLES, RADII = 240, 1440, 60
CLOCKWISE = re.compile(r"(?<!anti)(?<!counter)clockwise|顺时针")
ANTICLOCKWISE = re.compile(r"anticlockwise|counterclockwise|逆时针")


def solve(view: View) -> list[ActionBase]:
    """Drag the knob by the turn that the picture still needs."""
    goal = view.record.tasks[0].goal
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    way = -1 if ANTICLOCKWISE.search(goal) else 1
    assert way == -1 or CLOCKWISE.search(goal), goal
    track_deg = float(re.findall(r"\d+", goal)[-1])
    lean = measured_turn(_disc(view, regions["picture"]), upright_raster(view.state, SIDE))
    need = (-way * lean) % 360.0
    knob, track = regions["handle"], regions["track"]
    travel = track.width - knob.width - 2 * (knob.x0 - track.x0)
    start = knob.center
    return [Drag(start=start, end=Point(start.x + travel * need / track_deg, start.y))]


def error(mechanic: AnyMechanic, actions: list[ActionBase]) -> float:
    """Degrees from upright after the drag."""
    assert isinstance(mechanic, Slide)
    drag = actions[0]
    assert isinstance(drag, Drag)
    return mechanic.error_at(mechanic.clamped(drag.end[0] - drag.start[0]))


def _disc(view: View, box: Box) -> np.ndarray:
    x0, y0, x1, y1 = box.outer_pixels()
    return cv2.resize(view.picture[y0:y1, x0:x1], (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def _rings(picture: np.ndarray) -> np.ndarray:
    """``(angle, radius, colour)``, angles clockwise, each ring without its mean."""
    centre = (SIDE / 2 - 0.5, SIDE / 2 - 0.5)
    blurred = cv2.GaussianBlur(picture, (0, 0), 1.5).astype(np.float32)
    rings = cv2.warpPolar(blurred, (RADII, ANGLES), centre, 0.92 * SIDE / 2, cv2.INTER_LINEAR)
    return (rings - rings.mean(axis=0)) * np.sqrt(np.arange(RADII))[None, :, None]


def measured_turn(turned: np.ndarray, upright: np.ndarray) -> float:
    """Degrees clockwise by which ``turned`` differs from ``upright``."""
    first, second = np.fft.rfft(_rings(turned), axis=0), np.fft.rfft(_rings(upright), axis=0)
    match = np.fft.irfft((first * second.conj()).sum(axis=(1, 2)), n=ANGLES)
    best = int(match.argmax())
    before, peak, after = match[best - 1], match[best], match[(best + 1) % ANGLES]
    curve = before - 2 * peak + after
    fine = 0.5 * (before - after) / curve if curve else 0.0
    return math.fmod(360.0 * (best + fine) / ANGLES + 360.0, 360.0)
