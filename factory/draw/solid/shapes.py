"""Solids as meshes: boxes, prisms, pyramids, cylinders, cones, spheres, tori, lathes, blocks.

Every mesh stands on the ground (lowest z is 0) over the origin. Faces are convex polygons,
anticlockwise seen from outside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from factory.core.errors import InvalidOptions
from factory.draw.solid.vectors import Vec, cross, unit

ROUND = 24
"""Corners of a circle: edges of 15 degrees are not seen with shading between corners."""

TUBE = 12
"""Corners of a torus' tube."""


@dataclass(frozen=True)
class Mesh:
    """``rings`` are indices of consecutive outlines: the hull of two neighbours belongs to the
    solid, so that they make up its silhouette. ``normals`` are given where it is smooth."""

    corners: tuple[Vec, ...]
    faces: tuple[tuple[int, ...], ...]
    normals: tuple[Vec, ...] = ()
    rings: tuple[tuple[int, ...], ...] = ()

    @property
    def smooth(self) -> bool:
        """Whether light runs on over its faces' edges."""
        return bool(self.normals)

    @cached_property
    def array(self) -> Any:
        """The corners as ``(n, 3)``, for painting."""
        return np.array(self.corners)

    @cached_property
    def normal_array(self) -> Any:
        """The normals as ``(n, 3)``."""
        return np.array(self.normals)

    @cached_property
    def triangles(self) -> Any:
        """The faces cut into fans: indices ``(n, 3)``."""
        fans = [(f[0], b, c) for f in self.faces for b, c in pairwise(f[1:])]
        return np.array(fans, np.int32)

    @cached_property
    def face_normals(self) -> tuple[Vec, ...]:
        """Outward unit normals of the faces."""
        return tuple(_normal([self.corners[i] for i in face]) for face in self.faces)


def _normal(corners: Sequence[Vec]) -> Vec:
    """By Newell's sum, which bears corners that coincide."""
    total = [0.0, 0.0, 0.0]
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        found = cross(a, b)
        for axis in range(3):
            total[axis] += found[axis]
    return unit((total[0], total[1], total[2]))


def polygon(count: int, radius: float = 1.0, first_deg: float = 0.0) -> list[tuple[float, float]]:
    """A regular polygon about the origin, anticlockwise."""
    angles = [math.radians(first_deg + 360.0 * k / count) for k in range(count)]
    return [(radius * math.cos(a), radius * math.sin(a)) for a in angles]


def prism(outline: Sequence[tuple[float, float]], height: float) -> Mesh:
    """A convex outline, anticlockwise, drawn up to a height."""
    count = len(outline)
    corners = [(x, y, z) for z in (0.0, height) for x, y in outline]
    low, high = tuple(range(count)), tuple(range(count, 2 * count))
    sides = [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    return Mesh(tuple(corners), (low[::-1], high, *sides), rings=(low, high))


def pyramid(outline: Sequence[tuple[float, float]], height: float) -> Mesh:
    """A convex outline, anticlockwise, under a tip over the origin."""
    count = len(outline)
    corners = (*((x, y, 0.0) for x, y in outline), (0.0, 0.0, height))
    low = tuple(range(count))
    sides = [(k, (k + 1) % count, count) for k in range(count)]
    return Mesh(corners, (low[::-1], *sides), rings=(low, (count,)))


def lathe(profile: Sequence[tuple[float, float]], segments: int = ROUND) -> Mesh:
    """The solid that a profile of (radius, height), from its foot up, sweeps about the axis.

    Ends that are not on the axis are closed by discs. Corners of the profile sharper than
    ``CREASE_DEG`` stay edges.
    """
    if len(profile) < 2 or any(r < 0 for r, _ in profile):
        raise InvalidOptions(f"a profile needs two points with radii of 0 or more: {profile}")
    strips = _strips(profile)
    circle = polygon(segments)
    corners: list[Vec] = []
    normals: list[Vec] = []
    faces: list[tuple[int, ...]] = []
    rings: list[tuple[int, ...]] = []
    for points, slopes in strips:
        start = len(corners)
        for (radius, height), (out, up) in zip(points, slopes, strict=True):
            rings.append(tuple(range(len(corners), len(corners) + segments)))
            corners += [(radius * x, radius * y, height) for x, y in circle]
            normals += [(out * x, out * y, up) for x, y in circle]
        for row in range(len(points) - 1):
            a, b = start + row * segments, start + (row + 1) * segments
            for k in range(segments):
                after = (k + 1) % segments
                faces.append((a + k, a + after, b + after, b + k))
    return Mesh(tuple(corners), tuple(faces), tuple(normals), tuple(rings))


CREASE_DEG = 40.0
"""Profiles that bend by more have an edge there."""

_Strip = tuple[list[tuple[float, float]], list[tuple[float, float]]]


def _strips(profile: Sequence[tuple[float, float]]) -> list[_Strip]:
    """The profile with its closing discs, cut at its edges; with normals (out, up) at points."""
    points = list(profile)
    if points[0][0] > 0:
        points.insert(0, (0.0, points[0][1]))
    if points[-1][0] > 0:
        points.append((0.0, points[-1][1]))
    pairs = [(a, b) for a, b in pairwise(points) if a != b]
    facing = [_across(a, b) for a, b in pairs]
    strips: list[_Strip] = []
    first = 0
    for index in range(1, len(pairs) + 1):
        if index < len(pairs) and _bend_cos(facing[index - 1], facing[index]) > _SMOOTH:
            continue
        strips.append(_strip(pairs[first:index], facing[first:index]))
        first = index
    return strips


_SMOOTH = math.cos(math.radians(CREASE_DEG))


def _across(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    out, up = b[1] - a[1], a[0] - b[0]
    size = math.sqrt(out * out + up * up)
    return out / size, up / size


def _bend_cos(a: tuple[float, float], b: tuple[float, float]) -> float:
    return a[0] * b[0] + a[1] * b[1]


def _strip(
    pairs: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    facing: Sequence[tuple[float, float]],
) -> _Strip:
    """Points of a smooth piece of profile with the mean of the normals that meet there."""
    points = [pairs[0][0], *(b for _, b in pairs)]
    slopes = [facing[0]]
    for a, b in pairwise(facing):
        out, up = a[0] + b[0], a[1] + b[1]
        size = math.sqrt(out * out + up * up)
        slopes.append((out / size, up / size))
    return points, [*slopes, facing[-1]]


def sphere(radius: float) -> Mesh:
    """A ball that touches the ground."""
    half = [math.pi * k / TUBE - math.pi / 2 for k in range(TUBE + 1)]
    profile = [(max(0.0, radius * math.cos(a)), radius + radius * math.sin(a)) for a in half]
    return lathe(profile)


def torus(radius: float, tube: float) -> Mesh:
    """A ring that lies on the ground; ``radius`` to the middle of its tube."""
    corners: list[Vec] = []
    normals: list[Vec] = []
    rings = [tuple(range(k * TUBE, (k + 1) * TUBE)) for k in range(ROUND)]
    for x, y in polygon(ROUND):
        for out, up in polygon(TUBE):
            far = radius + tube * out
            corners.append((far * x, far * y, tube + tube * up))
            normals.append((out * x, out * y, up))
    faces = [
        (a[k], b[k], b[(k + 1) % TUBE], a[(k + 1) % TUBE])
        for a, b in zip(rings, [*rings[1:], rings[0]], strict=True)
        for k in range(TUBE)
    ]
    return Mesh(tuple(corners), tuple(faces), tuple(normals), (*rings, rings[0]))


SHAPES: dict[str, Callable[[float, float, float], Mesh]] = {
    "box": lambda x, y, z: prism([(-x, -y), (x, -y), (x, y), (-x, y)], z),
    "wedge": lambda x, y, z: prism([(-x, -y), (x, -y), (-x, y)], z),
    "prism3": lambda x, _, z: prism(polygon(3, x, 90.0), z),
    "prism6": lambda x, _, z: prism(polygon(6, x), z),
    "pyramid": lambda x, y, z: pyramid([(-x, -y), (x, -y), (x, y), (-x, y)], z),
    "cylinder": lambda x, _, z: lathe([(x, 0.0), (x, z)]),
    "cone": lambda x, _, z: lathe([(x, 0.0), (0.0, z)]),
    "sphere": lambda x, _, __: sphere(x),
    "torus": lambda x, y, _: torus(x, y),
}
"""Meshes by name of half widths x and y and height z (radius and tube for round ones)."""


@lru_cache(maxsize=512)
def shape(name: str, x: float, y: float, z: float) -> Mesh:
    """A named mesh, remembered; ``InvalidOptions`` for an unknown name."""
    if name not in SHAPES:
        raise InvalidOptions(f"no solid {name!r}; there are {', '.join(SHAPES)}")
    return SHAPES[name](x, y, z)
