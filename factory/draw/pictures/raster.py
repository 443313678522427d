"""Images for skia: decoded once, kept at full and half size, drawn bilinearly.

Skia's mipmaps cost twice the time of plain bilinear drawing, so the level is
chosen here, by the canvas' scale, and no level is reduced by more than half.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import skia

_LINEAR = skia.SamplingOptions(skia.FilterMode.kLinear)
_DITHERED = skia.Paint(Dither=True)
"""On opaque and premultiplied targets, dithering takes a path of skia that is thrice as fast."""


@dataclass(frozen=True)
class Sprite:
    """An image with its halves; ``width`` and ``height`` are px of the full size."""

    levels: tuple[skia.Image, ...]
    width: int
    height: int


def sprite(pixels: Any, *, levels: int = 2) -> Sprite:
    """A sprite of BGR or straight-alpha BGRA pixels ``(h, w, 3 or 4)``, uint8."""
    height, width = pixels.shape[:2]
    opaque = pixels.shape[2] == 3
    full = cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA) if opaque else _premultiplied(pixels)
    alpha = skia.kOpaque_AlphaType if opaque else skia.kPremul_AlphaType
    images = []
    for level in range(levels):
        size = (max(1, width >> level), max(1, height >> level))
        data = full if level == 0 else cv2.resize(full, size, interpolation=cv2.INTER_AREA)
        images.append(
            skia.Image.fromarray(np.ascontiguousarray(data), skia.kBGRA_8888_ColorType, alpha)
        )
    return Sprite(levels=tuple(images), width=width, height=height)


def _premultiplied(pixels: Any) -> Any:
    alpha = pixels[..., 3:].astype(np.uint16)
    color = (pixels[..., :3].astype(np.uint16) * alpha + 127) // 255
    return np.concatenate([color, alpha], axis=2).astype(np.uint8)


def stamp(canvas: skia.Canvas, art: Sprite, source: skia.Rect | None, target: skia.Rect) -> None:
    """Draw a part of a sprite (px of its full size; None for all of it) into a rectangle."""
    area: Any = skia.Rect(0, 0, art.width, art.height) if source is None else source
    matrix = canvas.getTotalMatrix()
    device = math.hypot(matrix.getScaleX(), matrix.getSkewY()) * target.width()
    level = 0
    while level + 1 < len(art.levels) and device <= area.width() / (1 << (level + 1)) * 1.15:
        level += 1
    k = 1.0 / (1 << level)
    part = skia.Rect(area.left() * k, area.top() * k, area.right() * k, area.bottom() * k)
    canvas.drawImageRect(art.levels[level], part, target, _LINEAR, _DITHERED)
