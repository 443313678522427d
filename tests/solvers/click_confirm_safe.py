"""The independent judge of ``click_confirm_safe``: finds the quoted label by typesetting it.

The label is set in every type of the panels by another library; the ink of each control's
text, by the two colours there, is compared with it, its width by its height too.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw.tokens import chinese_font, token_sets
from factory.testing import View

WIDE, HIGH, SET_PX = 120, 16, 48
STRETCH = 1.2
"""What a tenth more width costs: an eighth of the correlation."""


def solve(view: View) -> list[ActionBase]:
    """Click the control whose text is the one that the goal quotes."""
    label = re.findall("“(.+?)”", view.record.tasks[0].goal)[-1]
    regions = {r.name: Box(*r.box) for r in view.record.regions}
    texts = [box for name, box in sorted(regions.items()) if name.startswith("label.")]
    best = max(texts, key=lambda box: _fit(_ink(view.picture, box), label))
    spots = [box for name, box in regions.items() if name.split(".")[0] in ("target", "distractor")]
    inside = [box for box in spots if box.contains(best.center)]
    spot = min(inside or spots, key=lambda box: abs(box.center.y - best.center.y))
    return [Click(spot.center)]


def _ink(picture: Any, box: Box) -> Any:
    """How far px of a text's box are from its ground, cut to the ink, 0 to 1."""
    x0, y0, x1, y1 = box.grown(-box.height / 12).outer_pixels()
    window = picture[y0:y1, x0:x1].astype(np.float32)
    ground = np.median(window.reshape(-1, 3), axis=0)
    far = np.linalg.norm(window - ground, axis=2)
    return _cut(far / max(1.0, float(far.max())))


def _cut(ink: Any) -> Any:
    rows, columns = np.flatnonzero(ink.max(axis=1) > 0.4), np.flatnonzero(ink.max(axis=0) > 0.4)
    if not len(rows):
        return np.zeros((HIGH, WIDE), np.float32)
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _row(ink: Any) -> Any:
    flat = cv2.resize(ink, (WIDE, HIGH), interpolation=cv2.INTER_AREA).ravel()
    flat = flat - flat.mean()
    return flat / max(1e-6, float(np.linalg.norm(flat)))


def _fit(ink: Any, label: str) -> float:
    """The best correlation with the label in any type, less what it is stretched."""
    wide = ink.shape[1] / ink.shape[0]
    row = _row(np.ascontiguousarray(ink, dtype=np.float32))
    return max(
        float(own @ row) - STRETCH * abs(math.log(wide / ratio)) for own, ratio in _drawn(label)
    )


@lru_cache(maxsize=256)
def _drawn(label: str) -> tuple[tuple[Any, float], ...]:
    """The label set in every type, with its width by its height."""
    paths = {str(look.font.path()) for look in token_sets().values()}
    if not label.isascii():
        paths = {str(chinese_font(500))}
    found: list[tuple[Any, float]] = []
    for path in sorted(paths):
        font = ImageFont.truetype(path, SET_PX)
        if label.isascii():
            with_weight(font)
        image = Image.new("L", (int(font.getlength(label)) + 80, 120))
        ImageDraw.Draw(image).text((40, 20), label, 255, font)
        ink = _cut(np.asarray(image, np.float32) / 255)
        found.append((_row(ink), ink.shape[1] / ink.shape[0]))
    return tuple(found)


def with_weight(font: Any) -> None:
    """The half-bold of a variable font."""
    try:
        axes = font.get_variation_axes()
    except OSError:  # a static one
        return
    values = [600 if axis["name"] in (b"Weight", "Weight") else axis["default"] for axis in axes]
    font.set_variation_by_axes(values)
