"""Masks of shapes and what stays visible of them; for margins and tests, not for hot paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import skia

from factory.core.geometry import Box
from factory.core.puzzle import Bitmap
from factory.draw.colours import RGB, luminance

INKED = 128
"""Coverage, of 255, from which a px counts as inked."""


def mask(path: skia.Path, area: Box, scale: float = 1.0, *, stroke: float = 0.0) -> Bitmap:
    """Coverage 0 to 255 ``(height, width)`` of a path in CSS px over ``area``, at ``scale``.

    With ``stroke`` the coverage of a round-ended stroke of that width along the path.
    """
    width, height = round(area.width * scale), round(area.height * scale)
    buffer = np.zeros((height, width), np.uint8)
    surface = skia.Surface.MakeRasterDirect(skia.ImageInfo.MakeA8(width, height), buffer, width)
    paint = skia.Paint(AntiAlias=True)
    if stroke:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(stroke)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
    with surface as canvas:
        canvas.scale(scale, scale)
        canvas.translate(-area.x0, -area.y0)
        canvas.drawPath(path, paint)
    return buffer


def visible_shares(masks: Sequence[Bitmap], noise: Bitmap | None = None) -> list[float]:
    """The share of each mask's inked px that neither a later mask nor ``noise`` covers.

    ``masks`` lie in paint order, earlier ones below. 0 for a mask without ink.
    """
    covered = np.zeros(masks[0].shape, bool) if noise is None else noise >= INKED
    shares: list[float] = []
    for coverage in reversed(masks):
        inked = coverage >= INKED
        total = int(inked.sum())
        shares.append(float((inked & ~covered).sum() / total) if total else 0.0)
        covered = covered | inked
    return shares[::-1]


def luminances(pixels: Bitmap) -> Any:
    """WCAG luminance of every px of BGR pixels, float64 ``(h, w)``."""
    levels = np.array([luminance((level, level, level)) for level in range(256)])
    return levels[pixels[..., :3]] @ np.array([0.0722, 0.7152, 0.2126])


def least_contrast(ground: Bitmap, coverage: Bitmap, ink: str | RGB) -> float:
    """The least WCAG contrast of an ink against the ground's px (BGR) under a mask; 21 for none."""
    under = luminances(ground[coverage > 0][None]).ravel() + 0.05
    if not under.size:
        return 21.0
    level = luminance(ink) + 0.05
    return float(np.minimum(np.maximum(under / level, level / under), 21.0).min())
