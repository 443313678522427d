"""How well patches continue a picture around a hole.

A patch does when the colours just inside its outline are those just outside the hole. Both
are read at points along the outline, from a small raster of the picture when a puzzle is made
and from the decoded slot when it is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import skia

from captcha_types.board_patch._patches import SHAPES, Hole, Patch, outline, tint
from factory.core.geometry import Box
from factory.core.puzzle import Seen
from factory.draw.low_pictures import LOW_SCALE, colours_at, low_raster

CORNERS = 64
"""Points along an outline."""

REACH_CSS = 2.5
"""How far inside and outside the outline colours are read: beyond rims and their blur."""


@lru_cache(maxsize=len(SHAPES))
def _edge(shape: str) -> tuple[Any, Any]:
    """Points along the unit outline and their outward unit normals, ``(CORNERS, 2)`` each."""
    measure = skia.PathMeasure(outline(shape, 1.0), True)
    step = measure.getLength() / CORNERS
    placed = [measure.getPosTan(step * k) for k in range(CORNERS)]
    points = np.array([(p.x(), p.y()) for p, _ in placed])
    normals = np.array([(t.y(), -t.x()) for _, t in placed])
    outwards = ((points - 0.5) * normals).sum() > 0
    return points, normals if outwards else -normals


@lru_cache(maxsize=256)
def ring(shape: str, size: float, reach: float) -> Any:
    """Points ``reach`` outside the outline (inside when negative), from the square's corner.

    Shared: never change them.
    """
    points, normals = _edge(shape)
    return points * size + normals * reach


def unlike(a: Any, b: Any) -> float:
    """Mean over points of the largest difference of a channel, levels."""
    return float(unlikes(a, b))


def unlikes(a: Any, b: Any) -> Any:
    """The same for stacks of colours ``(..., n, 3)``."""
    return np.maximum.reduce(np.abs(a - b), axis=-1).sum(axis=-1) / CORNERS


def around(low: Any, hole: Hole) -> Any:
    """Colours just outside a hole."""
    edge = ring(hole.shape, hole.size, REACH_CSS)
    return colours_at(low, LOW_SCALE * np.add(edge, (hole.x, hole.y)))


def inside(low: Any, hole: Hole, patch: Patch) -> Any:
    """Colours just inside the outline of a patch, as it is shown."""
    size = hole.size
    shown = ring(hole.shape, size, -REACH_CSS) - size / 2
    for _ in range(patch.quarters):
        shown = np.stack([shown[:, 1], -shown[:, 0]], axis=1)
    if patch.mirrored:
        shown = shown * (-1.0, 1.0)
    spots = np.add(shown, (patch.x + size / 2, patch.y + size / 2))
    colours = colours_at(low, LOW_SCALE * spots)
    if not (patch.hue_deg or patch.light):
        return colours
    matrix = np.array(tint(patch)).reshape(3, 4)
    colours = colours @ matrix[:, :3].T
    return np.clip(colours + 255.0 * matrix[:, 3], 0.0, 255.0)


@lru_cache(maxsize=16)
def rings(
    key: bytes, picture_size: tuple[float, float], hole: Hole, shown: tuple[Patch, ...]
) -> tuple[Any, Any]:
    """Colours just outside the hole, and just inside each patch, on the small raster.

    ``key`` is of the picture (``key_of``). Shared: never change them.
    """
    low = low_raster(key, *picture_size)
    return around(low, hole), np.stack([inside(low, hole, patch) for patch in shown])


def unrest(ring: Any) -> float:
    """Mean difference of the colours of a ring from their mean, levels."""
    return unlike(ring, ring.mean(axis=0))


def breaks(ring: Any, inner: Any) -> list[float]:
    """How much each patch breaks off, levels."""
    return [float(value) for value in unlikes(inner, ring)]


def rise(ring: Any, inner: Any, right: int) -> float:
    """How much more the best wrong patch breaks off than the right one, levels."""
    off = breaks(ring, inner)
    return min(value for k, value in enumerate(off) if k != right) - off[right]


def alikeness(inner: Any) -> float:
    """The least difference between the outlines of two patches, levels."""
    apart = unlikes(inner[:, None], inner[None])
    return float(apart[np.triu_indices(len(inner), 1)].min())


def seen_rise(seen: Seen, hole: Hole, tiles: Sequence[Box], right: int) -> float:
    """``rise`` on the decoded slot, with a patch in the middle of each tile."""
    outer = ring(hole.shape, hole.size, REACH_CSS)
    inner = ring(hole.shape, hole.size, -REACH_CSS) - hole.size / 2
    shown = [_seen(seen, np.add(inner, tile.center)) for tile in tiles]
    return rise(_seen(seen, np.add(outer, (hole.x, hole.y))), np.stack(shown), right)


def _seen(seen: Seen, spots: Any) -> Any:
    corner = (seen.slot.x0, seen.slot.y0)
    return colours_at(seen.decoded, np.add(seen.px_per_css * spots, corner))
