"""The independent judge of ``composite_multi_field``: cuts figures out, tells shape and colour.

A figure is what has the colour of its middle and hangs together. Its shape follows from how
full its hull is, how round it is and how many corners it has; its colour is the nearest of a
few painters' colours. Digits of the tag are compared with the font's own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("text_reading", Path(__file__).parent)

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
DIGIT = 32


def solve(view: View) -> list[ActionBase]:
    """Fill in every field, then the button."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    things = [_figure(view.picture, box) for name, box in boxes.items()
              if name.startswith("thing.")]  # fmt: skip
    actions: list[ActionBase] = []
    for k, ask in enumerate(view.state.asks):
        count = sum(ask.name in thing for thing in things)
        tag = view.state.tag
        text = str(count)
        if ask.kind == "tag":
            text = _number(view.picture, boxes["tag"], tag.face, len(tag.number))
        actions += [Click(boxes[f"field.{k}"].center), Type(text)]
    return actions + ([Click(boxes["submit"].center)] if "submit" in boxes else [])


def _figure(picture: Any, box: Box) -> tuple[str, str]:
    """Shape and colour of what stands in the middle of a box."""
    x0, y0, x1, y1 = box.outer_pixels()
    window = cv2.resize(picture[y0:y1, x0:x1], (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    half = SIDE // 2
    middle = np.median(window[half - 5 : half + 6, half - 5 : half + 6].reshape(-1, 3), axis=0)
    alike = (np.abs(window - middle).max(axis=2) < ALIKE).astype(np.uint8)
    _, labels = cv2.connectedComponents(alike, connectivity=4)
    own = (labels == labels[half, half]).astype(np.uint8)
    contours, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return _shape(max(contours, key=cv2.contourArea)), _colour(middle[::-1])


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


def _number(picture: Any, tag: Box, face: str, length: int) -> str:
    """The digits on a tag, in cells of one width."""
    x0, y0, x1, y1 = tag.grown(-0.09 * tag.height).outer_pixels()
    grey = 255.0 - cv2.cvtColor(picture[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY).astype(np.float32)
    ink = np.maximum(grey - np.median(grey), 0)
    step = 50.0 / 62.0 * tag.width / length
    start = (x1 - x0) / 2 - step * length / 2
    cells = [ink[:, round(start + k * step) : round(start + (k + 1) * step)] for k in range(length)]
    return "".join(_digit(cell, face) for cell in cells)


def _digit(cell: Any, face: str) -> str:
    spots: Any = np.argwhere(cell > 0.35 * cell.max())
    (top, left), (bottom, right) = np.min(spots, axis=0), np.max(spots, axis=0) + 1
    own = _fitted(cell[top:bottom, left:right])
    scores = {d: float((own * _fitted(reading.upright(face, d)[0][4:-4, 4:-4])).sum())
              for d in "23456789"}  # fmt: skip
    return max(scores, key=lambda digit: scores[digit])


def _fitted(mask: Any) -> Any:
    """A mask in a square, its shape kept, without mean and of length 1."""
    scale = DIGIT / max(mask.shape)
    small = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    field = np.zeros((DIGIT, DIGIT), np.float32)
    high, wide = small.shape[0], small.shape[1]
    y, x = (DIGIT - high) // 2, (DIGIT - wide) // 2
    field[y : y + high, x : x + wide] = small[:DIGIT, :DIGIT]
    field -= field.mean()
    return field / np.linalg.norm(field)
