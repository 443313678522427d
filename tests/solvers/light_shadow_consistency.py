"""The independent judge of ``light_shadow_consistency``: looks for darkened ground.

To the right, to the left, away and towards the viewer a shadow of each body is laid out over
the decoded picture; it lies where the ground is darkest. Which side
of a body is lit, it reads off the brightness of its right and left half.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.testing import View

WAYS = {"right": 0, "left": 180, "away": 90, "towards": 270}
"""Azimuths in degrees."""

SAID = {
    "right": ("to the right", "落向右边"), "left": ("to the left", "落向左边"),
    "towards": ("towards you", "朝向您"), "away": ("away from you", "落向远处"),
    "wrong": ("does not fit", "与光照不符"),
}  # fmt: skip
MISREADS = 0.03
"""Prisms whose sides below the top are unequally wide: the lit half is told wrongly."""

LONG = 1.2
"""A shadow's length by the height of a body: of light at 40 degrees, near the steepest."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles whose shadow is as the goal says."""
    goal = view.record.tasks[0].goal
    asked = next(ask for ask, words in SAID.items() if any(word in goal for word in words))
    regions = {region.name: region for region in view.record.regions}
    slot = Box(*regions["picture"].box)
    grey = cv2.GaussianBlur(cv2.cvtColor(view.picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
    clicks: list[ActionBase] = []
    for tile in range(len(view.state.shades)):
        body = np.array(regions[f"body.{tile}"].polygon).reshape(-1, 2)
        falls = _falls(view, grey, tile, slot, two=asked == "wrong")
        chosen = falls == _lit_side(grey, body) if asked == "wrong" else falls == asked
        if chosen:
            clicks.append(Click(Box(*regions[f"cell.{tile}"].box).center))
    return [*clicks, *([Click(Box(*regions["submit"].box).center)] if "submit" in regions else [])]


def _falls(view: View, grey: np.ndarray, tile: int, slot: Box, *, two: bool) -> str:
    """The way in which the ground where a shadow would lie is darkest."""
    one = view.state.shades[tile]
    scale = slot.width / view.state.size[0]
    regions = {region.name: region for region in view.record.regions}
    room = np.zeros(grey.shape, np.uint8)
    x0, y0, x1, y1 = Box(*regions[f"cell.{tile}"].box).grown(-2).outer_pixels()
    room[y0:y1, x0:x1] = 1
    body = np.array(regions[f"body.{tile}"].polygon).reshape(-1, 2)
    cv2.fillConvexPoly(room, np.rint(body).astype(np.int32), 0)
    room = cv2.erode(room, np.ones((3, 3), np.uint8))
    levels: dict[str, float] = {}
    ways = [(way, WAYS[way] + off) for way in list(WAYS)[: 2 if two else 4]
            for off in ((-28, -14, 0, 14, 28) if two else (-6, 0, 6))]  # fmt: skip
    for way, azimuth in ways:
        dx, dy = math.cos(math.radians(azimuth)), math.sin(math.radians(azimuth))
        fallen = [(x + dx * LONG * z, y + dy * LONG * z, 0.0) for x, y, z in one.body.corners]
        spots = np.array(one.camera.pixels(fallen)) * scale + (slot.x0, slot.y0)
        zone = np.zeros_like(room)
        cv2.fillConvexPoly(zone, cv2.convexHull(spots.astype(np.float32)).astype(np.int32), 1)
        inside = grey[np.logical_and(zone, room)]
        level = float(np.median(inside)) if inside.size else math.inf
        levels[way] = min(level, levels.get(way, math.inf))
    return min(levels, key=lambda way: levels[way])


def _lit_side(grey: np.ndarray, body: np.ndarray) -> str:
    """Right or left: the brighter half of a body below its top."""
    (x0, y0), (x1, y1) = body.min(axis=0), body.max(axis=0)
    inside = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.rint(body).astype(np.int32), 1)
    inside = cv2.erode(inside, np.ones((3, 3), np.uint8))
    # The upper part of a flat body is its top, which is as light on both sides.
    inside[: math.ceil(y0 + 0.55 * (y1 - y0))] = 0
    middle = round((x0 + x1) / 2)
    left, right = inside.copy(), inside
    left[:, middle:], right[:, :middle] = 0, 0
    return "right" if grey[right > 0].mean() > grey[left > 0].mean() else "left"
