"""Pictures as px: drawn once for a box of the panel, and used as often as a puzzle needs."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import skia

from factory.core.geometry import Box
from factory.core.puzzle import Bitmap, Seen
from factory.draw import pictures
from factory.draw.measure import pixel_fidelity


def picture_image(spec: pictures.PictureSpec, box: Box, px_per_css: float) -> Any:
    """The picture as the pixels that fill ``box``, cropped to its shape: drawn once, used often."""
    width, height = round(box.width * px_per_css), round(box.height * px_per_css)
    side = max(width, height)
    surface = skia.Surface(width, height)
    with surface as canvas:
        canvas.translate((width - side) / 2, (height - side) / 2)
        pictures.draw(canvas, spec, side)
    return surface.makeImageSnapshot()


def brightness(image: Any) -> float:
    """Mean grey of a raster image, 0 to 255."""
    pixels = skia.Pixmap()
    image.peekPixels(pixels)  # a view: a copy of the whole would cost more than the rest
    return float(np.array(pixels, copy=False)[::4, ::4, :3].mean())


def paint_image(canvas: Any, image: Any, box: Box) -> None:
    """The image over its box, px for px."""
    canvas.drawImageRect(image, skia.Rect.MakeLTRB(box.x0, box.y0, box.x1, box.y1))


def picture_fidelity(seen: Seen, area: Box) -> float:
    """Peak signal-to-noise ratio in dB of the picture over ``area`` (CSS px from the slot).

    Means of 3 x 3 px are compared: at their edges, pictures reduced by decoding and by
    averaging differ more from each other than either does from what was drawn.
    """
    x0, y0, x1, y1 = (round(edge) for edge in seen.box(area).as_list())
    decoded, drawn = (
        np.asarray(cv2.blur(pixels[y0:y1, x0:x1], (3, 3)), np.uint8)
        for pixels in (seen.decoded, seen.drawn)
    )
    return pixel_fidelity(decoded, drawn)


def raster(paint: Any, size: tuple[float, float], scale: float) -> Bitmap:
    """What ``paint`` draws on ``size`` CSS px of neutral ground, BGR."""
    width, height = round(size[0] * scale), round(size[1] * scale)
    pixels = np.full((height, width, 4), 255, np.uint8)
    info = skia.ImageInfo.Make(width, height, skia.kBGRA_8888_ColorType, skia.kOpaque_AlphaType)
    with skia.Surface.MakeRasterDirect(info, pixels) as canvas:
        canvas.scale(scale, scale)
        paint(canvas)
    return np.ascontiguousarray(pixels[..., :3])
