"""The independent judge of ``click_shape_attribute``: reads kind, fill, colour and size off pixels.

Drawings of its own, solid and hollow, turned in steps, are compared with the groups of colours
in each spot; the colour is that of the px under the best drawing. The goal's words say what
is asked for.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.core.mechanics.zones import Zone
from factory.draw.colour_names import NAMES as COLOURS
from factory.draw.colour_names import SHADES, ciede2000, lab
from factory.draw.colours import parse_hex
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("glyph_reading", Path(__file__).parent)
"""What judges of things to tap share."""

KINDS = {
    "half": ("half circle", "半圆形"), "circle": ("circle", "圆形"),
    "triangle": ("triangle", "三角形"), "square": ("square", "正方形"),
    "diamond": ("diamond", "菱形"), "star": ("star", "五角星"), "heart": ("heart", "心形"),
    "cross": ("plus sign", "十字形"), "crescent": ("crescent", "月牙形"),
    "arrow": ("arrow", "箭头"), "drop": ("drop", "水滴形"),
}  # fmt: skip
SIZES = {"large": ("large", "大号"), "small": ("small", "小号")}
FILLS = {"solid": ("solid", "实心"), "hollow": ("hollow", "空心")}
LEANING = {
    "square": range(-18, 19, 6), "diamond": range(-18, 19, 6), "cross": range(-18, 19, 6),
    "heart": range(-40, 41, 8), "drop": range(-50, 51, 10),
}  # fmt: skip
"""Turns of kinds that are not turned all the way."""

GROUPS = 4
"""Groups of colours in a spot: ink, shadow, and what is behind."""

STRETCH = 2.0
"""What a stretched drawing loses: a tenth wider costs a fifth."""

SIDE = 200
STROKES = (11, 16)
"""Half widths of the lines of hollow drawings, px of ``SIDE``."""


def solve(view: View) -> list[ActionBase]:
    """Click every figure that is all that the goal says."""
    goal = view.record.tasks[0].goal
    zones = [Zone(tuple(map(Point, r.polygon[::2], r.polygon[1::2])))
             for r in view.record.regions if r.role in ("target", "distractor")]  # fmt: skip
    read = [_read(view.picture, zone.box) for zone in zones]
    least, most = (f(r["side"] for r in read) for f in (min, max))
    for one in read:
        one["size"] = "large" if one["side"] > (least + most) / 2 else "small"
    asked = {
        "kind": _asked(goal, KINDS), "colour": _asked(goal, dict(COLOURS)),
        "size": _asked(goal, SIZES), "fill": _asked(goal, FILLS),
    }  # fmt: skip
    right = [all(want in ("", one[name]) for name, want in asked.items()) for one in read]
    chosen = [Click(zone.center) for zone, fits in zip(zones, right, strict=True) if fits]
    submit = [Click(Box(*r.box).center) for r in view.record.regions if r.name == "submit"]
    return [*chosen, *submit]


def _asked(goal: str, words: dict[str, tuple[str, str]]) -> str:
    """The value that the goal names; nothing where it names none."""
    low = goal.lower()
    return next((name for name, own in words.items() if any(w in low for w in own)), "")


def _read(picture: Any, box: Any) -> dict[str, Any]:
    """Kind, fill, colour and the root of the area of what a spot shows."""
    drawings, rows = _bank()
    scores = ((rows @ reading.groups(picture, box, GROUPS)) ** 2).sum(axis=1)
    wide = np.array([drawing[4] for drawing in drawings]) / (box.width / box.height)
    scores -= STRETCH * np.abs(np.log(wide))
    kind, fill, mask, share, _ = drawings[int(scores.argmax())]
    side = math.sqrt(share * box.width * box.height)
    x0, y0, x1, y1 = box.outer_pixels()
    window = picture[y0:y1, x0:x1]
    inked = cv2.resize(mask, window.shape[1::-1], interpolation=cv2.INTER_AREA) > 230
    seen = lab(np.median(window[inked][:, ::-1], axis=0)) if inked.any() else lab((0, 0, 0))
    far = {
        name: min(float(ciede2000(seen, lab(parse_hex(shade)))) for shade in shades)
        for name, shades in SHADES.items()
    }
    return {"kind": kind, "fill": fill, "side": side, "colour": min(far, key=lambda n: far[n])}


@cache
def _bank() -> tuple[list[tuple[str, str, Any, float, float]], Any]:
    """Drawings with the share of their box that is inside, and their rows for comparison."""
    drawings, rows = [], []
    for kind in KINDS:
        for turn in LEANING.get(kind, range(0, 360, 10)):
            whole, wide = _drawn(kind, turn)
            share = float((whole > 0).mean())
            margin = SIDE * int(reading.PAD) // int(reading.SIDE)
            room = np.pad(whole, margin)
            for fill, width in (("solid", 0), *(("hollow", width) for width in STROKES)):
                line = cv2.dilate(room, _disc(width)) - cv2.erode(room, _disc(width))
                mask = line if width else room
                inside = mask[margin:-margin, margin:-margin]
                drawings.append((kind, fill, inside, share, wide))
                field = cv2.resize(mask, (reading.FIELD,) * 2, interpolation=cv2.INTER_AREA)
                rows.append(cv2.GaussianBlur(field, (3, 3), 0.6).ravel() / np.float32(255))
    table = np.array(rows)
    table -= table.mean(axis=1, keepdims=True)
    return drawings, table / np.sqrt((table**2).sum(axis=1, keepdims=True))


def _disc(radius: int) -> Any:
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))


def _drawn(kind: str, turn: float) -> tuple[Any, float]:
    """The filled figure, turned, stretched to a square; and its width by its height."""
    points = np.array(_corners(kind), float)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    points = points @ np.array([[c, s], [-s, c]])
    points -= points.min(axis=0)
    wide = float(points[:, 0].max() / points[:, 1].max())
    points *= (SIDE - 1) / points.max(axis=0)
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillPoly(mask, [np.rint(points).astype(np.int32)], 255)
    return mask, wide


def _ring(low: float, high: float, n: int, radius: float = 1.0, x: float = 0.0) -> list[Any]:
    turns = np.radians(np.linspace(low, high, n))
    return [(x + radius * math.cos(t), radius * math.sin(t)) for t in turns]


def _corners(kind: str) -> list[Any]:
    if kind in ("circle", "half"):
        return _ring(0, 180 if kind == "half" else 360, 60)
    if kind in ("triangle", "square"):
        sides = 3 if kind == "triangle" else 4
        return _ring(-90, 270, sides + 1)[:-1] if sides == 3 else _ring(45, 405, 5)[:-1]
    if kind == "star":
        both = zip(_ring(-90, 270, 6)[:-1], _ring(-54, 306, 6, 0.46)[:-1], strict=True)
        return [corner for pair in both for corner in pair]
    if kind == "heart":
        turns = np.linspace(0, 2 * math.pi, 60)
        lobes = 13 * np.cos(turns) - 5 * np.cos(2 * turns) - 2 * np.cos(3 * turns)
        return [*zip(16 * np.sin(turns) ** 3, np.cos(4 * turns) - lobes, strict=True)]
    if kind == "crescent":  # a disc less a smaller one to its right
        outer = _ring(44, 316, 40)
        tip = outer[0]
        x = tip[0] - math.sqrt(0.74**2 - tip[1] ** 2)
        reach = math.degrees(math.atan2(tip[1], tip[0] - x))
        return [*outer, *_ring(360 - reach, reach, 40, 0.74, x)]
    return {
        "diamond": [(0, -1), (0.6, 0), (0, 1), (-0.6, 0)],
        "cross": [(-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1),
                  (-3, 1), (-3, -1), (-1, -1)],
        "arrow": [(3, 0), (0, -2.6), (0, -1), (-3, -1), (-3, 1), (0, 1), (0, 2.6)],
        "drop": [*_ring(-32, 212, 40), (0, -1.95)],
    }[kind]  # fmt: skip
