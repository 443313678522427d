"""The picture with its verdict drawn on it: targets green with click points, rejections red."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from factory.web.paint import Pixels, decode_png
from factory.web.verdict.types import BoxList, PageVerdict

GREEN, BLUE, RED, WHITE = (60, 160, 20), (210, 110, 20), (40, 40, 220), (255, 255, 255)
"""BGR."""


def overlay(png: bytes, verdict: PageVerdict) -> Pixels:
    """Boxes (green), text boxes (blue), click points and rejected boxes (red, with reason)."""
    picture = np.ascontiguousarray(decode_png(png)[..., :3])
    dpr = verdict.window["dpr"]
    for rejection in verdict.rejected:
        if rejection.box_xyxy_css:
            _box(picture, rejection.box_xyxy_css, dpr, RED)
            _label(picture, rejection.box_xyxy_css, dpr, str(rejection.reason))
    for target in verdict.accepted:
        if target.text_box_xyxy_css:
            _box(picture, target.text_box_xyxy_css, dpr, BLUE)
        _box(picture, target.box_xyxy_css, dpr, GREEN)
        x, y = (round(v * dpr) for v in target.click_xy_css)
        cv2.circle(picture, (x, y), round(3 * dpr), WHITE, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), round(2 * dpr), GREEN, -1, cv2.LINE_AA)
    return picture


def write_overlay(path: Path, png: bytes, verdict: PageVerdict) -> None:
    """``overlay`` as a file; its ending says the format."""
    path.parent.mkdir(parents=True, exist_ok=True)
    done, data = cv2.imencode(path.suffix or ".png", overlay(png, verdict))
    assert done
    path.write_bytes(data.tobytes())


def _box(picture: Pixels, box: BoxList, dpr: float, colour: tuple[int, int, int]) -> None:
    x0, y0, x1, y1 = (round(v * dpr) for v in box)
    cv2.rectangle(picture, (x0, y0), (x1 - 1, y1 - 1), colour, max(1, round(dpr)))


def _label(picture: Pixels, box: BoxList, dpr: float, text: str) -> None:
    x, y = round(box[0] * dpr) + 2, round(box[3] * dpr) - 3
    scale = 0.38 * max(1.0, dpr)
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, RED, 1, cv2.LINE_AA)
