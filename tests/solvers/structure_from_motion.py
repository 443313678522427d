"""The independent judge of ``structure_from_motion``: turns each frame and looks for the next.

A frame is warped as each solid, turning at each of a few speeds either way, would carry the dots
on it; the solid whose picture is most like the frame that follows is the tile's. Solids are 0.92
of the shorter half side of a frame high; a cylinder has a radius of 0.72, a cone stands on its
base, an hourglass is as wide as high.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("frame_reading", Path(__file__).parent)

SOLIDS = {"ball": "球体", "cylinder": "圆柱体", "cone": "圆锥体", "hourglass": "沙漏"}
TALL = 0.92
TURNS = tuple(sign * turn for sign in (-1, 1) for turn in (11.5, 13.5, 15.5))
PX_PER_CSS = 2.0
"""To which windows are brought."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles in which the named solid explains the dots best."""
    goal = view.record.tasks[0].goal
    (name,) = [n for n, zh in SOLIDS.items() if n in goal or zh in goal]
    scores = []
    for tile in range(len(reading.numbered(view, "cell"))):
        boxes = reading.numbered(view, f"film{tile}")
        zoom = PX_PER_CSS / view.record.maps["canvas_from_panel"][0]
        size = (round(boxes[0].width * zoom), round(boxes[0].height * zoom))
        shown = [_dots(one, size) for one in reading.moments(view, boxes)]
        scores.append({solid: _explained(shown, solid) for solid in SOLIDS})
    if reading.one_asked(view):
        leads = [one[name] - max(v for n, v in one.items() if n != name) for one in scores]
        return reading.answer(view, [int(np.argmax(leads))])
    best = [max(one, key=lambda solid: one[solid]) for one in scores]
    return reading.answer(view, [k for k, solid in enumerate(best) if solid == name])


def _dots(picture: Any, size: tuple[int, int]) -> Any:
    """Where dots are, 0 to 1, whether they are light or dark; float32."""
    grey = cv2.resize(reading.grey(picture), size, interpolation=cv2.INTER_AREA)
    apart = np.abs(grey - np.median(grey))
    return np.minimum(apart / np.percentile(apart, 99), 1.0).astype(np.float32)


def _explained(shown: list[Any], solid: str) -> float:
    """The best mean likeness, over turns, of frames and their warped forerunners."""
    height, width = shown[0].shape
    soft = [cv2.GaussianBlur(one, (0, 0), 0.9) for one in shown]
    found = []
    for turn in TURNS:
        across, down, inside = _map(solid, turn, width, height)
        likeness = [
            _alike(cv2.remap(before, across, down, cv2.INTER_LINEAR), after, inside)
            for before, after in pairwise(soft)
        ]
        found.append(float(np.mean(likeness)))
    return max(found)


def _alike(a: Any, b: Any, inside: Any) -> float:
    one, other = a[inside], b[inside]
    one, other = one - one.mean(), other - other.mean()
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other) + 1e-9))


@lru_cache(maxsize=128)
def _map(solid: str, turn_deg: float, width: int, height: int) -> tuple[Any, Any, Any]:
    """Whence each px comes when a solid turns, and the px that say which solid it is."""
    unit = min(width, height) / 2
    down, across = np.mgrid[:height, :width].astype(np.float32)
    x, y = (across + 0.5 - width / 2) / unit, (down + 0.5 - height / 2) / unit
    reach = {
        "ball": TALL * np.sqrt(np.maximum(0.0, 1.0 - (y / TALL) ** 2)),
        "cylinder": np.full_like(y, 0.72),
        "cone": TALL * (y / TALL + 1.0) / 2.0,
        "hourglass": np.abs(y),
    }[solid]
    reach = np.where(np.abs(y) <= TALL, reach, 0.0)
    on = np.abs(x) < reach - 1e-3
    way = np.arcsin(np.clip(x / np.maximum(reach, 1e-3), -1, 1)) - np.radians(turn_deg)
    back = np.where(on, reach * np.sin(np.maximum(way, -np.pi / 2)), x)
    source = (back * unit + width / 2 - 0.5).astype(np.float32)
    return source, down, np.abs(x) < 1.0
