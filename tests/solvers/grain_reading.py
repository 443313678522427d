"""What the judges of noise share: grains of a film as 0 and 1, and which of them move together.

Grains are 3 CSS px where frames are pictures of their own and 2 where all are on one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from factory.core.geometry import Box
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("frame_reading", Path(__file__).parent)

STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1), "still": (0, 0)}


def grains(view: View, boxes: list[Box]) -> Any:
    """The grains of a film, bool ``(frames, rows, columns)``: dark or light."""
    several = len(view.pictures) > 1
    side = (3 if several else 2) * view.record.maps["canvas_from_panel"][0]
    rows, columns = round(boxes[0].height / side), round(boxes[0].width / side)
    pairs = zip(view.pictures, boxes * len(view.pictures), strict=True) if several else (
        (view.picture, box) for box in boxes
    )  # fmt: skip
    found = [_sampled(reading.grey(picture), box, rows, columns) for picture, box in pairs]
    middle = [(np.percentile(one, 92) + np.percentile(one, 8)) / 2 for one in found]
    return np.stack([one > at for one, at in zip(found, middle, strict=True)])


def _sampled(picture: Any, box: Box, rows: int, columns: int) -> Any:
    """Grey in the middle of each grain."""
    x = box.x0 + (np.arange(columns) + 0.5) * box.width / columns - 0.5
    y = box.y0 + (np.arange(rows) + 0.5) * box.height / rows - 0.5
    across, down = np.meshgrid(x.astype(np.float32), y.astype(np.float32))
    return cv2.remap(picture, across, down, cv2.INTER_LINEAR)


def followed(found: Any, name: str) -> Any:
    """The share of frames in which a grain is where a way has brought it, less chance."""
    dx, dy = STEPS[name]
    count, rows, columns = found.shape
    same = np.full((count - 1, rows, columns), 0.5, np.float32)
    to_y, to_x = slice(max(0, dy), rows + min(0, dy)), slice(max(0, dx), columns + min(0, dx))
    from_y, from_x = slice(max(0, -dy), rows - max(0, dy)), slice(max(0, -dx), columns - max(0, dx))
    same[:, to_y, to_x] = found[1:, to_y, to_x] == found[:-1, from_y, from_x]
    return same.mean(axis=0) - 0.5
