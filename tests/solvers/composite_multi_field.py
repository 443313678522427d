"""The independent judge of ``composite_multi_field``: counts figures by shape and by colour.

Digits of the tag are compared with the font's own.
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
figures: Any = load_judge("figure_reading", Path(__file__).parent)

DIGIT = 32
MISREADS = 0.01
"""2 of 500, both looked at: a square on stripes, and an 8 of thin strokes."""


def solve(view: View) -> list[ActionBase]:
    """Fill in every field, then the button."""
    boxes = {region.name: Box(*region.box) for region in view.record.regions}
    things = [figures.figure(view.picture, box) for name, box in boxes.items()
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
