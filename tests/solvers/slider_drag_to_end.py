"""The independent judge of ``slider_drag_to_end``: sees at which end of the bar the knob is.

Of the two end squares of the bar, the knob's is the one whose colour stands out from the
panel beside the bar more. It is taken by its middle and dragged to the middle of the other
square. Where the panel names a way, it has to be the way that was seen.
"""

from __future__ import annotations

import re

import cv2
import numpy as np

from factory.core.actions import ActionBase, Drag
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide
from factory.testing import View

CLOSE = 0.005
"""Share of the travel that may be missing: end stops clamp what goes beyond."""

HEART = 0.25
"""Share of an end square's side that is left out on each of its sides."""

WAYS = {
    "right": re.compile(r"\bright\b|[向最]右"),
    "left": re.compile(r"\bleft\b|[向最]左"),
    "down": re.compile(r"\bdown\b|\bbottom\b|向下|底端"),
    "up": re.compile(r"\bup\b|\btop\b|向上|顶端"),
}


def solve(view: View) -> list[ActionBase]:
    """Drag from the end square with the knob to the other one."""
    track = next(Box(*region.box) for region in view.record.regions if region.name == "track")
    level, side = track.width > track.height, min(track.width, track.height)
    first = Box.sized(track.x0, track.y0, side, side)
    last = Box(track.x1 - side, track.y1 - side, track.x1, track.y1)
    ground = _beside(view.picture, track, level)
    seen = [float(np.linalg.norm(_colour(view.picture, box) - ground)) for box in (first, last)]
    start, end = (first, last) if seen[0] > seen[1] else (last, first)
    way = {(True, True): "right", (True, False): "left", (False, True): "down"}.get(
        (level, start is first), "up"
    )
    said = [name for name, word in WAYS.items() if word.search(view.record.tasks[0].goal)]
    assert said in ([], [way]), (said, way)
    return [Drag(start.center, end.center)]


def error(mechanic: AnyMechanic, actions: list[ActionBase]) -> float:
    """The share of the travel that is missing."""
    assert isinstance(mechanic, Slide)
    drag = actions[0]
    assert isinstance(drag, Drag)
    along = 0 if mechanic.axis == "x" else 1
    gone = mechanic.clamped(mechanic.sign * (drag.end[along] - drag.start[along]))
    return 1.0 - gone / mechanic.travel_px


def _colour(picture: np.ndarray, box: Box) -> np.ndarray:
    """The median colour (CIE Lab, 8 bit) of the middle of a box."""
    x0, y0, x1, y1 = box.grown(-HEART * box.width).outer_pixels()
    lab = cv2.cvtColor(np.ascontiguousarray(picture[y0:y1, x0:x1]), cv2.COLOR_BGR2LAB)
    return np.median(lab.reshape(-1, 3).astype(np.float64), axis=0)


def _beside(picture: np.ndarray, track: Box, level: bool) -> np.ndarray:
    """The panel's colour a few px off a long side of the bar."""
    x, y = track.center
    spot = Point(x, track.y0 - 4) if level else Point(track.x0 - 4, y)
    return _colour(picture, Box.sized(spot.x - 4, spot.y - 4, 8, 8))
