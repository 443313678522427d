"""Soft grounds at small cost: painted a few px wide, stretched, copied past the canvas' scale."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import skia


def device_size(canvas: skia.Canvas, width: float, height: float) -> tuple[int, int]:
    """Px of the device that cover a rectangle in CSS px, with one to spare."""
    scale = canvas.getTotalMatrix().getMaxScale()
    return math.ceil(width * scale) + 1, math.ceil(height * scale) + 1


def blit(canvas: skia.Canvas, pixels: Any) -> None:
    """Copy opaque BGRA px of the device onto the canvas' origin, past its scale."""
    image = skia.Image.fromarray(pixels, skia.kBGRA_8888_ColorType, skia.kOpaque_AlphaType)
    scale = canvas.getTotalMatrix().getMaxScale()
    canvas.save()
    canvas.scale(1 / scale, 1 / scale)
    canvas.drawImage(image, 0, 0)
    canvas.restore()


def blurred(
    canvas: skia.Canvas,
    width: float,
    height: float,
    across: float,
    paint: Callable[[skia.Canvas], None],
) -> None:
    """Have ``[0, width] x [0, height]`` painted ``across`` px wide, and stretch it over there."""
    small = across / width
    rows, columns = math.ceil(height * small) + 1, math.ceil(across) + 1
    buffer = np.zeros((rows, columns, 4), np.uint8)
    info = skia.ImageInfo.Make(columns, rows, skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType)
    with skia.Surface.MakeRasterDirect(info, buffer) as low:
        low.scale(columns / width, rows / height)
        paint(low)
    size = device_size(canvas, width, height)
    blit(canvas, cv2.resize(buffer, size, interpolation=cv2.INTER_LINEAR))
