"""Icons as shapes: strokes on a grid of 24, emoji as cut-outs, and the silhouettes of both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.geometry import Box
from factory.draw.contours import MOST_CORNERS, hull
from factory.draw.icons.catalogue import icon_info
from factory.draw.inkmasks import INKED, mask
from factory.draw.pictures.emoji import emoji_sprite
from factory.draw.pictures.icon import icon_outline

GRID = 24.0
STROKE = 2.0
"""Line icons are drawn on a grid of this side with lines of this width."""

FINE = 10.0
"""Px of a grid unit in the masks that silhouettes are read from: a tenth of a unit shows."""

SPRITE_PX = 160
"""Longest side of the mask of an emoji."""

CLOSINGS = (0.04, 0.08, 0.14)
"""Gaps that a silhouette bridges, as shares of its size: the least that makes it one piece."""

SLACKS = (0.008, 0.012, 0.018, 0.027, 0.04, 0.06)
"""What a silhouette may lose to have fewer corners, after it was grown by as much."""

PAD = 0.2
"""Margin of the masks, as a share of the icon's longest side, for closing and growing."""


@dataclass(frozen=True)
class IconShape:
    """An icon in units in which its ink's longest side is 1, its ink box centred on 0.

    ``silhouette`` is a simple polygon of at most 24 corners that contains the
    ink; ``rim`` a finer one, as a path; ``inner`` maps grid units of a line
    icon: ``unit = (grid - middle) * scale``.
    """

    ink: Box
    silhouette: Any
    rim: skia.Path
    middle: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0


@lru_cache(maxsize=2048)
def icon_shape(asset: str) -> IconShape:
    """The shape of an asset; ``DependencyMissing`` without set-up."""
    info = icon_info(asset)
    if info.source == "icon":
        return _line_shape(icon_outline(info.name))
    return _sprite_shape(sprite_alpha(info.name))


def _line_shape(path: skia.Path) -> IconShape:
    area = Box(-4, -4, GRID + 4, GRID + 4)
    lines = mask(path, area, FINE, stroke=STROKE)
    x0, y0, x1, y1 = (edge / FINE - 4 for edge in _bounds(lines))
    longest = max(x1 - x0, y1 - y0)
    middle, scale = ((x0 + x1) / 2, (y0 + y1) / 2), 1.0 / longest
    filled = np.maximum(lines, mask(path, area, FINE)) >= INKED
    corners, fine = _silhouette(filled, longest * FINE)

    def placed(points: Any) -> Any:
        return (points / FINE - 4 - np.array(middle)) * scale

    half = ((x1 - x0) * scale / 2, (y1 - y0) * scale / 2)
    ink = Box(-half[0], -half[1], half[0], half[1])
    return IconShape(ink, placed(corners), _polygon(placed(fine)), middle, scale)


@lru_cache(maxsize=512)
def sprite_alpha(code: str) -> Any:
    """Coverage of an emoji cut to its ink, longest side ``SPRITE_PX``, uint8."""
    art = emoji_sprite(code)
    longest = max(art.width, art.height)
    size = (round(art.width * SPRITE_PX / longest), round(art.height * SPRITE_PX / longest))
    pixels = art.levels[0].toarray(colorType=skia.kBGRA_8888_ColorType)
    return cv2.resize(np.ascontiguousarray(pixels[..., 3]), size, interpolation=cv2.INTER_AREA)


def _sprite_shape(alpha: Any) -> IconShape:
    pad = round(PAD * SPRITE_PX)
    inked = np.pad(alpha >= INKED // 2, pad)
    rows, columns = alpha.shape
    corners, fine = _silhouette(inked, SPRITE_PX)
    middle = np.array([columns / 2 + pad, rows / 2 + pad])
    half = (columns / SPRITE_PX / 2, rows / SPRITE_PX / 2)
    return IconShape(
        Box(-half[0], -half[1], half[0], half[1]),
        (corners - middle) / SPRITE_PX,
        _polygon((fine - middle) / SPRITE_PX),
    )


def _bounds(coverage: Any) -> tuple[float, float, float, float]:
    rows, columns = (np.flatnonzero((coverage >= INKED).any(axis=axis)) for axis in (1, 0))
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def _disc(radius: float) -> Any:
    side = 2 * max(1, round(radius)) + 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))


def _outer(inked: Any) -> list[Any]:
    """Outer contours in px, corners at px centres."""
    found, _ = cv2.findContours(inked, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return list(found)


def _silhouette(inked: Any, longest: float) -> tuple[Any, Any]:
    """(corners, fine contour) in px of the mask: one simple polygon around all the ink.

    The convex hull where no closing joins the pieces, or where few corners
    would make the outline cross itself.
    """
    whole = inked.astype(np.uint8)
    closed = _joined(whole, longest)
    if closed is None:
        around = hull(np.argwhere(whole)[:, ::-1] + 0.5)
        return around, around
    fine = _outer(closed)[0][:, 0] + 0.5
    for slack in SLACKS:
        grown = _outer(cv2.dilate(closed, _disc(slack * longest + 1.0)))[0]
        corners = cv2.approxPolyDP(grown, slack * longest, True)[:, 0] + 0.5
        if len(corners) <= MOST_CORNERS and is_simple(corners):
            return corners, fine
    return hull(fine), fine


def _joined(whole: Any, longest: float) -> Any:
    """The mask with gaps bridged as far as makes it one piece; None when nothing does."""
    for share in CLOSINGS:
        closed = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, _disc(share * longest))
        if len(_outer(closed)) == 1:
            return closed
    return None


def is_simple(corners: Any) -> bool:
    """Whether no two sides of a polygon cross."""
    count = len(corners)
    sides = [(corners[i], corners[(i + 1) % count]) for i in range(count)]
    return not any(
        _cross(*sides[i], *sides[j])
        for i in range(count)
        for j in range(i + 2, count)
        if (j + 1) % count != i
    )


def _cross(a: Any, b: Any, c: Any, d: Any) -> bool:
    def side(p: Any, q: Any, r: Any) -> float:
        return float((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def _polygon(points: Any) -> skia.Path:
    path = skia.Path()
    path.addPoly([skia.Point(x, y) for x, y in points.tolist()], True)
    return path
