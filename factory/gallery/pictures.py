"""Small pictures of samples, as JPEG bytes."""

from __future__ import annotations

import cv2
import numpy as np

from factory.core.geometry import Box
from factory.core.puzzle import Bitmap

THUMB_SIDE = 440
"""Longest side of a thumbnail, px: twice what a card shows, for fine screens."""

FRAME_SIDE = 560
"""Longest side of a frame of the film strip, px."""

PANEL_MARGIN = 0.06
"""What a thumbnail of the puzzle shows around its panel, as a share of the panel."""


def jpeg(picture: Bitmap, side: int, quality: int = 82) -> bytes:
    """The picture with its longest side at most ``side``."""
    scale = side / max(picture.shape[:2])
    if scale < 1:
        picture = np.asarray(
            cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert ok
    return data.tobytes()


def cropped(picture: Bitmap, panel: Box | None) -> Bitmap:
    """The panel and a little of what is around it; the whole picture when there is none."""
    if panel is None:
        return picture
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = panel.grown(PANEL_MARGIN * min(panel.width, panel.height)).outer_pixels()
    return picture[max(0, y0) : min(height, y1), max(0, x0) : min(width, x1)]
