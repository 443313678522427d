"""What is seen of each face: a z-buffer of ids by plain arithmetic, coarse and exact enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from factory.draw.solid.camera import Camera
from factory.draw.solid.scene import Cell, Solid, block_faces
from factory.draw.solid.vectors import Vec

NOTHING = -1
"""The id of px that show no face."""


@dataclass(frozen=True)
class Facet:
    """A convex polygon of the world under an id."""

    id: int
    corners: tuple[Vec, ...]


def facets(solids: Sequence[Solid]) -> list[Facet]:
    """Every face of every solid, under the solid's place in the list."""
    return [
        Facet(index, tuple(solid.corners[i] for i in face))
        for index, solid in enumerate(solids)
        for face in solid.mesh.faces
    ]


def block_facets(cells: Sequence[Cell], camera: Camera) -> list[Facet]:
    """The squares of blocks that face the camera, each block under its place in ``cells``."""
    place = {cell: index for index, cell in enumerate(cells)}
    return [Facet(place[f.cell], f.corners) for f in block_faces(cells, camera)]


def ids(camera: Camera, shown: Sequence[Facet], width: int, height: int) -> Any:
    """``(height, width)`` int32: the id of the facet that is nearest at each px centre."""
    nearest = np.zeros((height, width))
    found = np.full((height, width), NOTHING, np.int32)
    for facet in shown:
        _fill(nearest, found, [camera.seen(c) for c in facet.corners], facet.id)
    return found


def _fill(nearest: Any, found: Any, seen: Sequence[tuple[float, float, float]], name: int) -> None:
    """Put a polygon into the buffers; ``nearest`` holds 1 / depth, which is linear on screen."""
    height, width = nearest.shape
    x0, x1 = _span([s[0] for s in seen], width)
    y0, y1 = _span([s[1] for s in seen], height)
    if x0 >= x1 or y0 >= y1:
        return
    xs, ys = np.arange(x0, x1) + 0.5, (np.arange(y0, y1) + 0.5)[:, None]
    inside = _inside(seen, xs, ys)
    if inside is None or not inside.any():
        return
    a, b, c = _plane(seen)
    near = a * xs + b * ys + c
    window = nearest[y0:y1, x0:x1]
    won = inside & (near > window)
    window[won] = near[won]
    found[y0:y1, x0:x1][won] = name


def _span(values: Sequence[float], most: int) -> tuple[int, int]:
    return max(0, int(min(values))), min(most, int(max(values)) + 1)


def _inside(seen: Sequence[tuple[float, float, float]], xs: Any, ys: Any) -> Any:
    """Px centres in a convex polygon of either orientation; None for one without area."""
    pairs = list(zip(seen, [*seen[1:], seen[0]], strict=True))
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)
    if area == 0:
        return None
    sign = 1.0 if area > 0 else -1.0
    inside: Any = True
    for a, b in pairs:
        side = (b[0] - a[0]) * (ys - a[1]) - (b[1] - a[1]) * (xs - a[0])
        inside = inside & (sign * side >= 0)
    return inside


def _plane(seen: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """(a, b, c) with 1 / depth = a x + b y + c, from the largest triangle of the fan."""
    first = seen[0]
    best, fan = 0.0, (seen[1], seen[2])
    for b, c in pairwise(seen[1:]):
        area = abs((b[0] - first[0]) * (c[1] - first[1]) - (c[0] - first[0]) * (b[1] - first[1]))
        if area > best:
            best, fan = area, (b, c)
    (ux, uy, uw), (vx, vy, vw) = (
        (p[0] - first[0], p[1] - first[1], 1 / p[2] - 1 / first[2]) for p in fan
    )
    whole = ux * vy - uy * vx
    a, b = (uw * vy - vw * uy) / whole, (ux * vw - vx * uw) / whole
    return a, b, 1 / first[2] - a * first[0] - b * first[1]


def counts(camera: Camera, shown: Sequence[Facet], width: int, height: int) -> dict[int, int]:
    """Px at which each id is seen; ids that are nowhere seen are missing."""
    names, sizes = np.unique(ids(camera, shown, width, height), return_counts=True)
    return {int(n): int(s) for n, s in zip(names, sizes, strict=True) if n != NOTHING}


def seen_shares(
    camera: Camera, shown: Sequence[Facet], width: int, height: int
) -> dict[int, float]:
    """The share of each id's px (alone in the picture) that the others leave to see."""
    together = counts(camera, shown, width, height)
    shares: dict[int, float] = {}
    for name in sorted({facet.id for facet in shown}):
        own = [facet for facet in shown if facet.id == name]
        alone = counts(camera, own, width, height).get(name, 0)
        shares[name] = round(together.get(name, 0) / alone, 6) if alone else 0.0
    return shares
