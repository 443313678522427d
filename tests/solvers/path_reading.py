"""What the judges of paths share: the picture straightened to CSS px, its lines against the ground.

The bare ground (with its scratches) is drawn by the raster kit from the state's ground; what the
decoded picture shows beyond it is ink. What the ink means is for each judge.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import skia

from factory.core.geometry import Box
from factory.draw.clutter import draw_clutter
from factory.draw.grounds import draw_ground
from factory.testing import View

SCALE = 2.0
"""Px of the straightened picture in a CSS px."""

INKED = 42
"""Levels of some channel from which on a px is ink: above what JPEG leaves."""


THIN_PX, GAP_PX = 4, 7
"""Scratches are thinner, and so are marks along roads; lines are not. Where a scratch lies
under a line, a gap of so many px may open."""


def regions(view: View) -> dict[str, Box]:
    """The record's regions by name, canvas px."""
    return {region.name: Box(*region.box) for region in view.record.regions}


def seen(view: View) -> tuple[Any, Any]:
    """The picture and its bare ground, ``SCALE`` px a CSS px, BGR."""
    state = view.state
    slot, size = regions(view)["picture"], (state.size[0] * SCALE, state.size[1] * SCALE)
    x0, y0, x1, y1 = (round(v) for v in slot.as_list())
    shape = (round(size[0]), round(size[1]))
    picture = cv2.resize(view.picture[y0:y1, x0:x1], shape, interpolation=cv2.INTER_AREA)
    buffer = np.zeros((shape[1], shape[0], 4), np.uint8)
    info = skia.ImageInfo.Make(*shape, skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType)
    with skia.Surface.MakeRasterDirect(info, buffer) as canvas:
        canvas.scale(SCALE, SCALE)
        whole = Box(0, 0, *state.size)
        draw_ground(canvas, state.ground, whole)
        draw_clutter(canvas, state.clutter, whole)
    return picture, np.ascontiguousarray(buffer[..., :3])


def inked(picture: Any, bare: Any) -> Any:
    """Where the straightened picture shows lines: neither scratches nor the marks along roads."""
    near = np.ones((3, 3), np.uint8)  # scratches may be drawn a px off
    over = cv2.subtract(picture, cv2.dilate(bare, near))
    under = cv2.subtract(cv2.erode(bare, near), picture)
    ink = (cv2.max(over, under).max(axis=2) > INKED).astype(np.uint8)
    whole = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((GAP_PX, GAP_PX), np.uint8))
    return cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((THIN_PX, THIN_PX), np.uint8))


def placed(view: View, box: Box) -> tuple[float, float]:
    """The middle of a region of the canvas, px of the straightened picture."""
    slot, (x, y) = regions(view)["picture"], box.center
    scale = view.state.size[0] * SCALE / slot.width
    return (x - slot.x0) * scale, (y - slot.y0) * scale


def at(field: Any, xs: Any, ys: Any) -> Any:
    """A field at places, 0 outside."""
    columns, rows = (np.asarray(part, np.float32) - np.float32(0.5) for part in (xs, ys))
    return cv2.remap(field, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)


def rays(x: float, y: float, turns: Any, reach: Any, bends: Any = 0.0) -> tuple[Any, Any]:
    """Places on arcs from a point: ``turns`` rad down, ``reach`` px across; ``bends`` rad a px."""
    headings = turns[:, None] + 0.5 * np.asarray(bends)[..., None] * reach[None, :]
    return x + reach * np.cos(headings), y + reach * np.sin(headings)
