"""How alike two icons look, measured: overlap of their silhouettes and lines at 64 px."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import skia

from factory.draw.icons.catalogue import icon_info
from factory.draw.icons.shapes import STROKE, icon_shape
from factory.draw.likeness import STEP_DEG, normal_mask, softened
from factory.draw.pictures.emoji import emoji_sprite
from factory.draw.pictures.icon import icon_outline

QUARTER = 90 // STEP_DEG
"""Turns that are drawn; the others are those masks turned by quarters."""

TOO_ALIKE = 0.55
"""Likeness from which two icons are not told apart at a glance: one pair of line icons in two
hundred, among them a clock and a pie chart, a die and a safe, a hotel and a closed book."""

FAR_LEVELS = 160.0
"""Distance of mean colours, in levels of RGB, at which outlines of emoji no longer matter."""


@lru_cache(maxsize=1024)
def _bits(asset: str, turned: bool) -> tuple[Any, Any]:
    """Packed masks, ``(turns, kinds, 64)`` uint64, and how many px of each are inked,
    ``(turns, kinds)``; the kinds are the silhouette and, of line icons, the lines."""
    info = icon_info(asset)
    rows: list[Any] = []
    for turn in range(QUARTER if turned else 1):
        masks = [normal_mask(icon_shape(asset).rim, turn * STEP_DEG)]
        if info.source == "icon":
            path = icon_outline(info.name)
            lines = normal_mask(path, turn * STEP_DEG, stroke=STROKE)
            masks.append(softened(lines))
        rows.append(masks)
    inked = np.array(rows)
    if turned:
        inked = np.concatenate([np.rot90(inked, -k, axes=(2, 3)) for k in range(4)])
    packed = np.packbits(inked.reshape(*inked.shape[:2], -1), axis=2).view(np.uint64)
    return packed, np.bitwise_count(packed).sum(axis=2, dtype=np.int64)


@lru_cache(maxsize=512)
def _mean_colour(asset: str) -> tuple[float, float, float]:
    """Mean blue, green and red of an emoji where it is opaque."""
    art = emoji_sprite(icon_info(asset).name).levels[-1]
    pixels = art.toarray(colorType=skia.kBGRA_8888_ColorType)
    blue, green, red = (float(v) for v in pixels[pixels[..., 3] > 200][:, :3].mean(axis=0))
    return blue, green, red


@lru_cache(maxsize=1 << 16)
def icon_likeness(a: str, b: str, *, turned: bool = False) -> float:
    """How alike two icons are, 0 to 1; with ``turned`` the most over turns of 15 degrees.

    For line icons the overlap of their silhouettes times that of their lines,
    for emoji the overlap of silhouettes times the nearness of mean colours; 0
    for a line icon and an emoji. Remembered: a first look at an icon costs 1
    ms (3 turned), a pair some 20 us.
    """
    if icon_info(a).source != icon_info(b).source:
        return 0.0
    (first, one), (second, other) = _bits(a, False), _bits(b, turned)
    both = np.bitwise_count(first & second).sum(axis=2, dtype=np.int64)
    shapes = float((both / np.maximum(one + other - both, 1)).prod(axis=1).max())
    if icon_info(a).source == "icon":
        return shapes
    far = math.dist(_mean_colour(a), _mean_colour(b))
    return shapes * max(0.0, 1.0 - far / FAR_LEVELS)


def tell_apart(a: str, b: str, *, turned: bool = False) -> bool:
    """Whether two icons are told apart at a glance."""
    return icon_likeness(a, b, turned=turned) < TOO_ALIKE
