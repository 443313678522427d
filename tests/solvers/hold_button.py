"""The independent judge of ``hold_button``: finds the icon that the goal names.

It takes the longest name of an icon that stands in the goal, draws that icon, looks for it
on every button of the decoded picture, whatever its colours, and holds the button where it
fits best for the time that the goal prints.
"""

from __future__ import annotations

import re
from functools import cache

import cv2
import numpy as np
import skia

from factory.core.actions import ActionBase, LongPress
from factory.core.geometry import Box
from factory.core.rng import SPLITS
from factory.draw.icons import icons
from factory.draw.pictures.icon import icon_outline
from factory.testing import View

SIZES = (0.5, 0.52, 0.54)
"""Sizes of an icon that are tried, by the height of its button."""

FAINT = 0.05
"""Windows whose ink spreads less than this, of 1, are empty."""

UNITS, STROKE = 24, 1.75
"""Side of the square that outlines are drawn in, and the width of their lines."""


def solve(view: View) -> list[ActionBase]:
    """Hold the button on which the icon of the goal is seen."""
    goal, lang = view.record.tasks[0].goal, view.record.lang
    names = {info.called(lang): info.name for split in SPLITS for info in icons(split, "icon")}
    asked = names[max((name for name in names if name in goal), key=len)]
    seconds = float(re.findall(r"\d+(?:\.\d+)?", goal)[-1])
    buttons = [Box(*r.box) for r in view.record.regions if r.name.startswith("button.")]
    best = max(buttons, key=lambda box: _fit(view.picture, box, asked))
    return [LongPress(best.center, duration_ms=1000 * seconds + 700)]


def _fit(picture: np.ndarray, box: Box, name: str) -> float:
    """How well the icon is found on a button, at most 1."""
    x0, y0, x1, y1 = box.grown(-2.0).outer_pixels()
    pixels = picture[y0:y1, x0:x1].astype(np.float32)
    ground = np.median(pixels.reshape(-1, 3), axis=0)
    ink = np.linalg.norm(pixels - ground, axis=2) / 255
    return max(_match(ink, _icon(name, round(size * box.height))) for size in SIZES)


def _match(ink: np.ndarray, icon: np.ndarray) -> float:
    """The best correlation of the icon with a window that holds ink."""
    product = cv2.matchTemplate(ink, icon - icon.mean(), cv2.TM_CCORR)
    side = icon.shape[0]
    window = cv2.boxFilter(ink, -1, (side, side), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
    square = cv2.sqrBoxFilter(ink, -1, (side, side), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
    spread = np.sqrt(np.maximum(square - window**2, 0.0))[: product.shape[0], : product.shape[1]]
    return float((product / (icon.std() * np.maximum(spread, FAINT) * side**2)).max())


@cache
def _icon(name: str, side: int) -> np.ndarray:
    """The icon in light lines, ``(side, side)``."""
    surface = skia.Surface(side, side)
    with surface as canvas:
        canvas.clear(skia.ColorBLACK)
        canvas.scale(side / UNITS, side / UNITS)
        paint = skia.Paint(AntiAlias=True, Color=skia.ColorWHITE, StrokeWidth=STROKE)
        paint.setStyle(skia.Paint.kStroke_Style)
        canvas.drawPath(icon_outline(name), paint)
    return np.asarray(surface.makeImageSnapshot().toarray())[..., 0].astype(np.float32) / 255
