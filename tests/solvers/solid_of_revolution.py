"""The independent judge of ``solid_of_revolution``: measures the profile, lays out silhouettes.

Along the axis it reads off the decoded picture how far the profile reaches. The silhouette of
the rings with these radii is laid over every tile; the solid whose px (by their hue) agree
with it best is the one.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw.colours import parse_hex
from factory.testing import View

SLICES = 48
STRONG = 60.0
"""A step of the picture that is edge enough, as Sobel counts."""

HEIGHT = 2.0
RING = [(math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * math.pi, 24, endpoint=False)]


def solve(view: View) -> list[ActionBase]:
    """Click the tile whose silhouette is the profile's."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    slot = boxes["picture"]
    scale = slot.width / view.state.board.width
    radii = _radii(view, slot, scale)
    agreed = [
        _agreement(view, tile, radii, boxes[f"cell.{tile}"], slot, scale)
        for tile in range(len(view.state.cameras))
    ]
    clicks = [Click(boxes[f"cell.{int(np.argmax(agreed))}"].center)]
    return [*clicks, *([Click(boxes["submit"].center)] if "submit" in boxes else [])]


def _radii(view: View, slot: Box, scale: float) -> list[float]:
    """How far the profile reaches from the axis, in the middle of each slice."""
    sheet = view.state.sheet
    ink, paper = (np.array(parse_hex(c)[::-1], float) for c in (view.state.ink, view.state.paper))
    found: list[float] = []
    for level in range(SLICES):
        height = HEIGHT * (level + 0.5) / SLICES
        reached = 0.1
        for radius in np.arange(0.12, 1.1, 0.02):
            x, y = sheet.spot(radius, height)
            colour = view.picture[
                round(slot.y0 + scale * y - 0.5), round(slot.x0 + scale * x - 0.5)
            ]
            if np.abs(colour - ink).sum() < np.abs(colour - paper).sum():
                reached = float(radius) + 0.01
        found.append(reached)
    return found


def _agreement(
    view: View, tile: int, radii: list[float], cell: Box, slot: Box, scale: float
) -> float:
    """How much of the laid out silhouette's rim runs along edges of the picture."""
    camera = view.state.cameras[tile]
    laid = np.zeros(view.picture.shape[:2], np.uint8)
    for level, radius in enumerate(radii):
        ends = [HEIGHT * level / SLICES, HEIGHT * (level + 1) / SLICES]
        ring = [(radius * x, radius * y, z) for x, y in RING for z in ends]
        spots = np.array(camera.pixels(ring)) * scale + (slot.x0, slot.y0)
        hull = cv2.convexHull(spots.astype(np.float32))
        cv2.fillConvexPoly(laid, np.rint(hull).astype(np.int32), 1)
    x0, y0, x1, y1 = cell.grown(-2).outer_pixels()
    there = cv2.GaussianBlur(view.picture, (0, 0), 0.8)[y0:y1, x0:x1].astype(np.float32)
    steps = np.hypot(cv2.Sobel(there, cv2.CV_32F, 1, 0), cv2.Sobel(there, cv2.CV_32F, 0, 1))
    edges = cv2.dilate(np.minimum(steps.max(axis=2), STRONG), np.ones((3, 3)))
    mask = laid[y0:y1, x0:x1]
    rim = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    return float(edges[rim].mean())
