"""The independent judge of ``rotate_stepper_match``: finds both headings by their pixels.

The class draws the toy, and the arrow, at any heading that it is asked for; the drawings that
are most like what is decoded tell where both face. What a tap does is read off the goal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from captcha_types.rotate.rotate_stepper_match import reference_raster, scene_raster
from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.testing import View

COARSE, FINE = 15, 5
"""Degrees between headings that are tried everywhere, and around the best of them."""

SCALE = 0.6
"""Px of a drawing in a CSS px."""

AGAINST = re.compile(r"anticlockwise|逆时针")
STEP = re.compile(r"(\d+)°")


def solve(view: View) -> list[ActionBase]:
    """Tap the button that leads there sooner, then confirm where there is a button."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    goal, state = view.record.tasks[0].goal, view.state
    found = STEP.search(goal)
    assert found, goal
    step, way = float(found[1]), -1 if AGAINST.search(goal) else 1
    dpr = view.record.observations[0].dpr
    picture, small = boxes["picture"], boxes["reference"]
    size = (small.width / dpr, small.height / dpr)
    toy = _heading(_cut(view.picture, picture, dpr), lambda at: scene_raster(state, at, SCALE))
    strip = (size[0] + 12.0, size[1] + 12.0)
    around = Box(*small.grown(6 * dpr).as_list())
    arrow = _heading(
        _inside(_cut(view.picture, around, dpr)),
        lambda at: _inside(reference_raster(state, strip, at, SCALE)),
    )
    count = round(360 / step)
    taps = round(way * (arrow - toy) / step) % count
    name, taps = ("next", taps) if taps <= count - taps else ("prev", count - taps)
    at = boxes[name].center
    clicks: list[ActionBase] = [Click(at._replace(x=at.x + k)) for k in range(taps)]
    return [*clicks, *([Click(boxes["submit"].center)] if "submit" in boxes else [])]


def _cut(picture: Any, box: Box, dpr: float) -> Any:
    x0, y0, x1, y1 = (round(edge) for edge in box.as_list())
    size = (round(box.width / dpr * SCALE), round(box.height / dpr * SCALE))
    return cv2.resize(picture[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA)


def _inside(pixels: Any) -> Any:
    """The middle of a plate: what is around it is the panel's."""
    high, wide = pixels.shape[:2]
    return pixels[high // 5 : high - high // 5, wide // 4 : wide - wide // 4]


def _heading(seen: Any, drawn: Callable[[float], Any]) -> float:
    """The heading at which a drawing is most like what is seen, degrees."""

    def off(at: float) -> float:
        other = drawn(at)
        rows, columns = min(len(seen), len(other)), min(seen.shape[1], other.shape[1])
        apart = np.abs(seen[:rows, :columns].astype(np.int16) - other[:rows, :columns])
        return float(apart.mean())

    best = float(min(range(0, 360, COARSE), key=off))
    return min((best + k for k in range(-COARSE + FINE, COARSE, FINE)), key=off)
