"""The independent judge of ``missing_patch_select``: follows the rim of the hole.

The hole is what shows one flat colour; its contour, brought to the size of its region, gives
places just outside the hole and just inside every patch. The patch whose colours there are
nearest in CIELAB, with a little play along the rim, is the one.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.testing import View

MISREADS = 0.01
"""1 of 500, looked at: a patch of the frame fitted a rim of one colour as well."""

POINTS = 90
OFF_CSS = 2.4
"""Beyond the line around the hole and its blur."""

PLAY = 1
"""Points along the rim by which colours may be shifted."""

FLAT = 16
"""Levels by which the middle of the hole may differ from itself."""


def solve(view: View) -> list[ActionBase]:
    """Click the tile whose patch goes on where the picture breaks off."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    off = OFF_CSS * view.record.observations[0].dpr
    lab = cv2.cvtColor(view.picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    hole = boxes["hole"]
    rim = _rim(view.picture, hole)
    outside = _read(lab, _grown(rim, off) + np.array(hole.center))
    tiles = [boxes[f"cell.{k}"] for k in range(len(boxes)) if f"cell.{k}" in boxes]
    breaks = [
        _break(outside, _read(lab, _grown(rim, -off) + np.array(tile.center))) for tile in tiles
    ]
    clicks = [Click(tiles[int(np.argmin(breaks))].center)]
    return [*clicks, *([Click(boxes["submit"].center)] if "submit" in boxes else [])]


def _rim(picture: Any, hole: Box) -> Any:
    """Points along the outline of the hole from its middle, canvas px, evenly by angle."""
    x0, y0, x1, y1 = hole.outer_pixels()
    area = picture[y0:y1, x0:x1].astype(int)
    middle = np.median(area[len(area) // 3 : -(len(area) // 3)].reshape(-1, 3), axis=0)
    flat = (np.abs(area - middle).max(axis=2) < FLAT).astype(np.uint8)
    _, labels = cv2.connectedComponents(flat)
    own = (labels == labels[len(area) // 2, len(area) // 2]).astype(np.uint8)
    contour = max(
        cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=cv2.contourArea
    )
    spots = cv2.convexHull(contour).reshape(-1, 2) + 0.5 - (hole.center.x - x0, hole.center.y - y0)
    spots = spots * (hole.width / 2 / np.abs(spots).max())
    closed = np.vstack([spots, spots[:1]])
    along = np.concatenate([[0.0], np.hypot(*np.diff(closed, axis=0).T).cumsum()])
    even = np.linspace(0.0, along[-1], POINTS, endpoint=False)
    return np.stack([np.interp(even, along, closed[:, axis]) for axis in (0, 1)], axis=1)


def _grown(rim: Any, off: float) -> Any:
    """The rim moved outwards along its normals."""
    along = np.roll(rim, -1, axis=0) - np.roll(rim, 1, axis=0)
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
    normals /= np.hypot(*normals.T)[:, None] + 1e-9
    return rim + off * normals * np.sign((normals * rim).sum(axis=1))[:, None]


def _read(lab: Any, spots: Any) -> Any:
    where = (spots - 0.5).astype(np.float32)
    found = cv2.remap(lab, where[:, :1], where[:, 1:], cv2.INTER_LINEAR)
    return found.reshape(-1, 3)


def _break(outside: Any, inside: Any) -> float:
    """Mean distance of colours across the rim."""
    shifts = range(-PLAY, PLAY + 1)
    apart = [np.linalg.norm(outside - np.roll(inside, k, axis=0), axis=1) for k in shifts]
    return float(np.minimum.reduce(apart).mean())
