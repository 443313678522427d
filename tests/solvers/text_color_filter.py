"""The independent judge of ``text_color_filter``: reads characters and their marks off pixels.

A character's colour is that of the px farthest from its ground; hollow is what is explained
better by an outline than by a filled shape; underlined what has a full line of its colour
below; large what is higher than half-way between the lowest and the highest.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.draw import glyphs
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("text_reading", Path(__file__).parent)
"""What the judges of typed text share."""

COLOURS = {
    "red": (("red", "红色"), ("#e01b24", "#b01319", "#ff2020")),
    "orange": (("orange", "橙色"), ("#ff8a00", "#f07808")),
    "yellow": (("yellow", "黄色"), ("#ffdd10", "#fff06a")),
    "green": (("green", "绿色"), ("#1f9d3a", "#12782a", "#0c5c22", "#5cc04c")),
    "blue": (("blue", "蓝色"), ("#1f57d6", "#143ea8", "#2f7df0", "#5aa5ff", "#0f2f86")),
    "purple": (("purple", "紫色"), ("#7d2fc4", "#9a45dd", "#5f1f9e")),
    "pink": (("pink", "粉色"), ("#ff6fb5", "#ff94c8", "#f558a3", "#ffb3d6")),
    "brown": (("brown", "棕色"), ("#7b4a1e", "#5e3614", "#8f5a2a")),
    "black": (("black", "黑色"), ("#000000", "#1c1e22")),
    "white": (("white", "白色"), ("#ffffff", "#f0f0f0")),
}  # fmt: skip
"""Colours by their words, with shades that people call so."""

MARKS = {
    "hollow": ("hollow", "空心"),
    "underlined": ("underlined", "下划线"),
    "large": ("large", "大号"),
}

CORE = 0.12
"""Share of a box that surely is ink."""

FULL = 0.8
"""Share of a line's width that has to be of ink."""


def solve(view: View) -> list[ActionBase]:
    """Click the field, type what has the mark, submit where a button is drawn."""
    goal = view.record.tasks[0].goal
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    boxes = [regions[f"glyph.{k}"] for k in range(len(regions)) if f"glyph.{k}" in regions]
    lab = cv2.cvtColor(view.picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    mark = next((m for m, words in MARKS.items() if any(w in goal for w in words)), "")
    found = [_mark(view, lab, box, mark) for box in boxes]
    if mark == "large":
        heights = [box.height for box in boxes]
        has = [height > (min(heights) + max(heights)) / 2 for height in heights]
    elif mark:
        has = [one == mark for one in found]
    else:
        wanted = next(c for c, (words, _) in COLOURS.items() if any(w in goal for w in words))
        has = [one == wanted for one in found]
    # The class leaves out N, as its sisters do.
    chars = glyphs.safe_alphabet("upper_digits").replace("N", "")
    read = (reading.read(view.picture, b, view.record.split, chars).best
            for b, one in zip(boxes, has, strict=True) if one)  # fmt: skip
    typed: list[ActionBase] = [Click(regions["field"].center), Type("".join(read))]
    return typed + ([Click(regions["submit"].center)] if "submit" in regions else [])


def _mark(view: View, lab: Any, box: Box, mark: str) -> str:
    """The mark that a character has, if it is this one; without one the name of its colour."""
    if mark == "hollow":
        chars = glyphs.safe_alphabet("upper_digits").replace("N", "")
        fill, outline = (
            max(
                reading.read(view.picture, box, view.record.split, chars, (ink,), 5).scores.values()
            )
            for ink in ("fill", "outline")
        )
        return mark if outline > fill else ""
    if mark == "underlined":
        return mark if _lined(lab, box) else ""
    return "" if mark else _colour(_ink(lab, box)[0])


def _area(lab: Any, box: Box) -> Any:
    x0, y0, x1, y1 = box.outer_pixels()
    return lab[max(0, y0) : y1, max(0, x0) : x1]


def _ink(lab: Any, box: Box) -> tuple[Any, Any, float]:
    """The colours of a character and of its ground, and how far they are apart."""
    frame = _area(lab, box.grown(3)).copy()
    edge = np.concatenate([frame[:2].reshape(-1, 3), frame[:, :2].reshape(-1, 3),
                           frame[:, -2:].reshape(-1, 3)])  # fmt: skip
    ground = np.median(edge, axis=0)
    pixels = _area(lab, box).reshape(-1, 3)
    off = np.linalg.norm(pixels - ground, axis=1)
    core = pixels[np.argsort(-off)[: max(3, round(CORE * len(off)))]]
    ink = np.median(core, axis=0)
    return ink, ground, float(np.linalg.norm(ink - ground))


def _colour(ink: Any) -> str:
    """The name of the nearest shade, hue and chroma counting more than lightness."""
    best: list[tuple[float, str]] = []
    for name, (_, shades) in COLOURS.items():
        for shade in shades:
            rgb = np.array([[[int(shade[k : k + 2], 16) / 255 for k in (1, 3, 5)]]], np.float32)
            other = cv2.cvtColor(rgb, cv2.COLOR_RGB2Lab)[0, 0]
            best.append((float(np.linalg.norm((ink - other) * np.array([0.6, 1.0, 1.0]))), name))
    return min(best)[1]


def _lined(lab: Any, box: Box) -> bool:
    """Whether some row below is of ink nearly all along."""
    ink, ground, far = _ink(lab, box)
    below = Box(box.x0 + 1, box.y1 + 0.04 * box.height, box.x1 - 1, box.y1 + 0.32 * box.height)
    rows = _area(lab, below)
    inked = np.linalg.norm(rows - ink, axis=2) < np.linalg.norm(rows - ground, axis=2)
    return bool((inked.mean(axis=1) > FULL).any()) and far > 0
