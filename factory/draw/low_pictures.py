"""Small rasters of pictures: what a glance compares before anything is drawn.

A spec's JSON is the key, so that asking again costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import orjson
import skia

from factory.core.geometry import Box
from factory.draw import picture_images, pictures

LOW_SCALE = 0.5
"""Px of the small raster in a CSS px: its outlines are those that a glance compares."""


def colours_at(pixels: Any, spots: Any) -> Any:
    """Colours at points ``(n, 2)`` in px of a picture, ``(n, 3)``, or ``(n, 1)`` of a grey one.

    Edges go on for ever.
    """
    where = (spots - 0.5).astype(np.float32)
    found = cv2.remap(
        pixels, where[:, :1], where[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return found.reshape(len(where), -1).astype(np.float64)


def key_of(picture: Mapping[str, Any]) -> bytes:
    """A picture's spec as what a cache can be asked for."""
    return orjson.dumps(picture, option=orjson.OPT_SORT_KEYS)


@lru_cache(maxsize=16)
def low_raster(key: bytes, width: float, height: float) -> Any:
    """The picture of a key at ``LOW_SCALE``, RGB. Shared: never change it."""
    spec = pictures.PictureSpec.from_dict(orjson.loads(key))
    image = picture_images.picture_image(spec, Box(0, 0, width, height), LOW_SCALE)
    return np.ascontiguousarray(image.toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3])
