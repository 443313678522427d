"""How alike two shapes look: overlap of their masks, brought to one size and place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.geometry import Box
from factory.draw.inkmasks import INKED, mask

SIDE_PX = 64
"""Masks are compared at this size: what differs in less is not told apart at a glance."""

FILLING = 0.86
"""The longest side of a shape takes this share of the mask."""

STEP_DEG = 15
"""Turns at which shapes are compared where any turn counts."""

_AREA = Box(-SIDE_PX / 2, -SIDE_PX / 2, SIDE_PX / 2, SIDE_PX / 2)


def normal_mask(
    path: skia.Path, turn_deg: float = 0.0, *, mirrored: bool = False, stroke: float = 0.0
) -> Any:
    """The mask of a path, turned, centred and scaled: bool ``(SIDE_PX, SIDE_PX)``.

    ``stroke`` is the width of its line in the path's units, 0 for a filled path.
    """
    moved = skia.Path(path)
    if mirrored:
        moved.transform(skia.Matrix.Scale(-1, 1))
    moved.transform(skia.Matrix.RotateDeg(turn_deg))
    bounds = moved.computeTightBounds()
    scale = FILLING * SIDE_PX / (max(bounds.width(), bounds.height()) + stroke)
    moved.transform(skia.Matrix.Translate(-bounds.centerX(), -bounds.centerY()))
    moved.transform(skia.Matrix.Scale(scale, scale))
    return mask(moved, _AREA, stroke=stroke * scale) >= INKED


def overlap(a: Any, b: Any) -> float:
    """Intersection over union of two bool masks; 0 for two empty ones."""
    union = int(np.logical_or(a, b).sum())
    return float(np.logical_and(a, b).sum() / union) if union else 0.0


def softened(inked: Any) -> Any:
    """A mask with its ink grown by a px, that thin strokes a little apart may meet."""
    return cv2.dilate(inked.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)


def likeness(
    a: skia.Path,
    b: skia.Path,
    turns_deg: Sequence[float] = (0.0,),
    *,
    mirrored: bool = False,
    stroke: float = 0.0,
) -> float:
    """The greatest overlap of ``a`` with ``b`` turned by any of the angles (and mirrored)."""
    first = softened(normal_mask(a, stroke=stroke))
    return max(
        overlap(first, softened(normal_mask(b, turn, mirrored=mirrored, stroke=stroke)))
        for turn in turns_deg
    )
