"""Silhouettes and shadows as paths and polygons: hulls of what hangs together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.geometry import Point
from factory.draw.solid.camera import Camera
from factory.draw.solid.light import Light
from factory.draw.solid.scene import Solid
from factory.draw.solid.shapes import Mesh
from factory.draw.solid.vectors import Vec, spin

Corners = Sequence[tuple[float, float]]

CONVEX = ("box", "wedge", "prism3", "prism6", "pyramid", "cylinder", "cone", "sphere")
"""Named solids whose silhouette is one hull."""


def hull(points: Corners) -> list[tuple[float, float]]:
    """The convex hull of points by plain arithmetic, anticlockwise as written (y up)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(run: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        kept: list[tuple[float, float]] = []
        for p in run:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return half(ordered) + half(ordered[::-1])


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def polygon(points: Corners) -> skia.Path:
    """A closed path."""
    path = skia.Path()
    path.addPoly([skia.Point(x, y) for x, y in points], True)
    return path


def add_hull(path: skia.Path, flat: Any) -> None:
    """Put the convex hull of px ``(n, 2)``, float32, into a path; all hulls turn the same way."""
    around = cv2.convexHull(flat)
    if len(around) > 2:
        path.addPoly([skia.Point(x, y) for x, y in around[:, 0].tolist()], True)


def add_silhouette(path: skia.Path, flat: Any, mesh: Mesh, *, convex: bool) -> None:
    """Put the silhouette of a solid whose corners appear at ``flat`` into a path."""
    if convex or not mesh.rings:
        add_hull(path, flat)
        return
    for a, b in pairwise(mesh.rings):
        add_hull(path, flat[[*a, *b]])


def silhouette(camera: Camera, solid: Solid) -> skia.Path:
    """The outline of a solid in the picture."""
    path = skia.Path()
    flat = camera.array(world(solid))[:, :2].astype(np.float32)
    add_silhouette(path, flat, solid.mesh, convex=solid.shape in CONVEX)
    return path


def world(solid: Solid) -> Any:
    """A solid's corners in the world ``(n, 3)``, for painting."""
    return solid.mesh.array @ np.array(spin(solid.spin_deg)).T + np.array(solid.at)


def outline(camera: Camera, corners: Sequence[Vec]) -> tuple[Point, ...]:
    """The hull of things in the picture as a zone, px, rounded to 1e-6."""
    return tuple(Point(round(x, 6), round(y, 6)) for x, y in hull(camera.pixels(corners)))


def fallen(point: Vec, ray: Vec, height: float = 0.0) -> Vec:
    """Where the shadow of a point falls on the ground at a height; ``ray`` leads to the light."""
    down = (point[2] - height) / ray[2]
    return point[0] - down * ray[0], point[1] - down * ray[1], height


def shadow_zone(camera: Camera, light: Light, corners: Sequence[Vec]) -> tuple[Point, ...]:
    """The hull of a shadow on the ground in the picture, px."""
    return outline(camera, [fallen(corner, light.towards) for corner in corners])


def shadows_seen(camera: Camera, light: Light, corners: Any) -> Any:
    """Px of the shadows of corners ``(n, 3)`` on z = 0, ``(rays, n, 2)`` float32."""
    rays = np.array(light.rays)[:, None, :]
    down = corners[:, 2][None, :, None] / rays[..., 2:]
    return camera.array(corners[None] - down * rays)[..., :2].astype(np.float32)
