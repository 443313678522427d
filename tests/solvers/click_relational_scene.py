"""The independent judge of ``click_relational_scene``: names solids, then follows the goal's words.

Colours are read off the px inside each outline, shapes off the outline itself, against the
outlines of bodies of its own seen from above; what is next to what is decided in the picture.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.core.mechanics.zones import Zone
from factory.testing import View

HUES = {"red": 0.0, "yellow": 50.0, "green": 132.0, "blue": 220.0, "purple": 275.0}
"""Degrees of the colours' hues."""

WORDS = {"红色": "red", "黄色": "yellow", "绿色": "green", "蓝色": "blue", "紫色": "purple",
         "方块": "block", "圆柱": "cylinder", "圆锥": "cone", "球": "ball"}  # fmt: skip
SIDES = {
    "just left of": (-1, 0), "左边": (-1, 0), "just right of": (1, 0), "右边": (1, 0),
    "just in front of": (0, 1), "前面": (0, 1), "just behind": (0, -1), "后面": (0, -1),
}  # fmt: skip
SHAPES = ("block", "cylinder", "cone", "ball")
ELEVATION_DEG = 50.0
TILTS_DEG = (46.0, 50.0, 54.0)
HEIGHTS = (1.9, 2.1)
LEANS = (-0.12, -0.06, 0.0, 0.06, 0.12)
"""How far bodies at the sides lean outwards, by their height."""

NEARER = 0.02
"""What is higher is nearer to the eye and larger."""

FIELD = 96


@dataclass(frozen=True)
class Thing:
    """What is read of an object; ``foot`` is the lowest place of its outline."""

    zone: Zone
    colour: str
    shape: str
    foot: Point


def solve(view: View) -> list[ActionBase]:
    """Click what the goal's words lead to."""
    goal = view.record.tasks[0].goal
    zones = [Zone(tuple(map(Point, r.polygon[::2], r.polygon[1::2])))
             for r in view.record.regions if r.role in ("target", "distractor")]  # fmt: skip
    things = [
        Thing(z, _colour(view.picture, z), _shape(z), Point(z.box.center.x, z.box.y1))
        for z in zones
    ]
    for word, own in WORDS.items():
        goal = goal.replace(word, f" {own} ")
    names = [w for w in re.findall("[a-z]+", goal) if w in HUES or w in SHAPES]
    start = [t for t in things if all(w in (t.colour, t.shape) for w in names)]
    assert start, (names, things)
    found = start[0]
    if "coloured like" in goal or "同色" in goal:
        found = next(t for t in things if t is not found and t.colour == found.colour)
    elif "shaped like" in goal or "同形" in goal:
        found = next(t for t in things if t is not found and t.shape == found.shape)
    way = next((way for words, way in SIDES.items() if words in goal), None)
    if way:
        found = min((t for t in things if t is not found), key=lambda t: _far(found, t, way))
    submit = [Click(Box(*r.box).center) for r in view.record.regions if r.name == "submit"]
    return [Click(found.zone.center), *submit]


def _far(start: Thing, other: Thing, way: tuple[int, int]) -> float:
    """How far a thing is, if it is on that side of another; strays count threefold."""
    dx = other.foot.x - start.foot.x
    dy = (other.foot.y - start.foot.y) / math.sin(math.radians(ELEVATION_DEG))
    along, across = (dx * way[0], dy) if way[0] else (dy * way[1], dx)
    return along + 3.0 * abs(across) if along > 0 else math.inf


def _colour(picture: Any, zone: Zone) -> str:
    """The colour whose hue the saturated px of an outline have."""
    x0, y0, x1, y1 = zone.box.outer_pixels()
    window = np.ascontiguousarray(picture[y0:y1, x0:x1])
    mask = np.zeros(window.shape[:2], np.uint8)
    corners = np.array(zone.corners) - (x0, y0)
    cv2.fillPoly(mask, [np.rint(corners).astype(np.int32)], 1)
    hue, saturation, _ = cv2.split(cv2.cvtColor(window, cv2.COLOR_BGR2HSV))
    strong = (mask > 0) & (saturation > np.percentile(saturation[mask > 0], 40))
    turn = np.radians(hue[strong].astype(float) * 2)
    mean = math.degrees(math.atan2(np.sin(turn).mean(), np.cos(turn).mean()))
    return min(HUES, key=lambda name: abs((HUES[name] - mean + 180) % 360 - 180))


def _shape(zone: Zone) -> str:
    """The body whose outline covers this one best."""
    wide = zone.box.width / zone.box.height
    mask = _raster(np.array(zone.corners))
    fits: list[tuple[float, str]] = []
    for shape, ratio, own in _bank():
        both = float((mask & own).sum()) / float((mask | own).sum())
        fits.append((both - abs(math.log(wide / ratio)), shape))
    return max(fits)[1]


def _raster(points: Any) -> Any:
    """An outline stretched to a square field."""
    points = points - points.min(axis=0)
    points = points * ((FIELD - 1) / points.max(axis=0))
    mask = np.zeros((FIELD, FIELD), np.uint8)
    cv2.fillPoly(mask, [np.rint(points).astype(np.int32)], 1)
    return mask


@cache
def _bank() -> list[tuple[str, float, Any]]:
    """Shape, width by height and outline of bodies seen from above."""
    found: list[tuple[str, float, Any]] = []
    for shape in SHAPES:
        for turn in range(20, 71, 10) if shape == "block" else (0,):
            for high, tilt, lean in product(HEIGHTS, TILTS_DEG, LEANS):
                points = _corners(shape, high, turn, tilt)
                near = 1.0 + (NEARER * points[:, 2] if shape != "ball" else 0.0)
                points[:, 0] = near * points[:, 0] + (lean * points[:, 2] if shape != "ball" else 0)
                points[:, 1] *= near
                flat = _seen(points, tilt)
                around = cv2.convexHull(flat.astype(np.float32))[:, 0]
                size = np.ptp(around, axis=0)
                found.append((shape, float(size[0] / size[1]), _raster(around)))
    return found


def _seen(points: Any, tilt_deg: float) -> Any:
    """Orthographic projection, y down."""
    tilt = math.radians(tilt_deg)
    return np.stack(
        [points[:, 0], -points[:, 1] * math.sin(tilt) - points[:, 2] * math.cos(tilt)], axis=1
    )


def _corners(shape: str, high: float, turn: float, tilt_deg: float) -> Any:
    """Corners of a body of half width 1."""
    ring = [(math.cos(a), math.sin(a), 0.0) for a in np.linspace(0, 2 * math.pi, 40)]
    if shape == "ball":  # seen from anywhere it is a disc
        tilt = math.radians(tilt_deg)
        return np.array([(x, y * math.sin(tilt), y * math.cos(tilt)) for x, y, _ in ring])
    if shape == "cone":
        return np.array([*ring, (0.0, 0.0, high)])
    if shape == "block":
        angles = [math.radians(45 + turn + 90 * k) for k in range(4)]
        ring = [(math.sqrt(2) * math.cos(a), math.sqrt(2) * math.sin(a), 0.0) for a in angles]
    return np.array([*ring, *((x, y, high) for x, y, _ in ring)])
