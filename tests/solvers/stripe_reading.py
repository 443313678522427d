"""What the judges of stripes share: where stripes are not those that run outside a shape."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

SMOOTH_CSS = 2.6
"""Blur over stripes: about half their distance."""


def shape_in(picture: Any, ground: Any, colour: str, stripes: Any, scale: float) -> Any:
    """Where a tile's stripes are not those outside its shape; both pictures are of the tile."""
    pixels, under = picture.astype(np.float32), ground.astype(np.float32)
    ink = np.array([int(colour[k : k + 2], 16) for k in (5, 3, 1)], np.float32)
    way = ink - under
    shown = np.clip(((pixels - under) * way).sum(axis=2) / (way * way).sum(axis=2), 0, 1)
    high, wide = shown.shape
    ys, xs = (np.mgrid[:high, :wide] + 0.5 - np.array([[[high / 2]], [[wide / 2]]])) / scale
    turn = np.radians(stripes.angle_deg)
    across = (xs * -np.sin(turn) + ys * np.cos(turn)) / stripes.period - stripes.phase
    off = np.abs(across - np.round(across)) * stripes.period * scale
    half = 0.5 * stripes.share * stripes.period * scale
    expected = np.clip(half - off + 0.5, 0, 1)
    apart = np.abs(shown - expected).astype(np.float32)
    smooth = cv2.GaussianBlur(apart, (0, 0), SMOOTH_CSS * scale)
    grey = np.clip(255 * smooth / smooth.max(), 0, 255).astype(np.uint8)
    return cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1]
