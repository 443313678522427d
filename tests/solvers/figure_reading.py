"""What the judges of plain figures share: a figure is cut out by the colour of its middle.

Its shape follows from how full its hull is, how round it is and how many corners it has; its
colour is the nearest of a few painters' colours.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from factory.core.geometry import Box

ANCHORS = {
    "red": ((224, 30, 36), (170, 18, 26)), "orange": ((255, 140, 10), (238, 112, 4)),
    "yellow": ((255, 218, 10), (255, 240, 105)), "pink": ((255, 110, 180), (255, 176, 212)),
    "green": ((40, 158, 58), (108, 200, 80), (14, 94, 36)),
    "blue": ((32, 88, 214), (90, 165, 255), (16, 50, 140)),
    "purple": ((126, 48, 196), (180, 122, 232), (96, 32, 158)),
}  # fmt: skip
"""Colours as painters mix them, RGB."""

ALIKE = 40.0
"""Levels of the worst channel between a figure's middle and all of its face."""

SIDE = 96


def figure(picture: Any, box: Box) -> tuple[str, str]:
    """Shape and colour of what stands in the middle of a box, picture px."""
    own, middle = _cut_out(picture, box)
    contours, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return _shape(max(contours, key=cv2.contourArea)), _colour(middle[::-1])


def extent(picture: Any, box: Box) -> float:
    """Area of what stands in the middle of a box, px."""
    own, _ = _cut_out(picture, box)
    return float(own.mean()) * box.width * box.height


def _cut_out(picture: Any, box: Box) -> tuple[Any, Any]:
    """A mask of ``SIDE`` px of the figure, and the colour of its middle (BGR)."""
    x0, y0, x1, y1 = box.outer_pixels()
    window = cv2.resize(picture[y0:y1, x0:x1], (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    half = SIDE // 2
    middle = np.median(window[half - 5 : half + 6, half - 5 : half + 6].reshape(-1, 3), axis=0)
    alike = (np.abs(window - middle).max(axis=2) < ALIKE).astype(np.uint8)
    _, labels = cv2.connectedComponents(alike, connectivity=4)
    return (labels == labels[half, half]).astype(np.uint8), middle


def _shape(contour: Any) -> str:
    """The shape of an outline."""
    hull = cv2.convexHull(contour)
    area, full = cv2.contourArea(contour), cv2.contourArea(hull)
    around = cv2.minEnclosingCircle(contour)[1]
    solid, round_ = area / full, area / (np.pi * around**2)
    corners = len(cv2.approxPolyDP(hull, 0.06 * cv2.arcLength(hull, True), True))
    if solid < 0.84:
        return "star" if (corners == 5 and solid < 0.68) or round_ < 0.44 else "cross"
    if round_ > 0.85:
        return "circle"
    if round_ < 0.5:
        return "triangle" if corners == 3 and _fills_triangle(contour) else "drop"
    if corners == 4 and area / (np.prod(cv2.minAreaRect(contour)[1])) > 0.9:
        return "square"
    return "heart" if solid < 0.96 else "drop"


def _fills_triangle(contour: Any) -> bool:
    """Whether the smallest triangle around an outline is filled by it."""
    area, _ = cv2.minEnclosingTriangle(contour)
    return cv2.contourArea(contour) / area > 0.86


def _colour(rgb: Any) -> str:
    """The name of the nearest painters' colour."""
    names = [name for name, own in ANCHORS.items() for _ in own]
    shades = [shade for own in ANCHORS.values() for shade in own]
    field = np.array([[rgb, *shades]], np.float32) / 255
    lab = np.asarray(cv2.cvtColor(field, cv2.COLOR_RGB2Lab))[0]
    return names[int(np.hypot(*(lab[1:] - lab[0])[:, 1:].T).argmin())]
