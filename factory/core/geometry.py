"""Frames, maps, boxes and the [0, 999] grid.

One convention everywhere: continuous coordinates, the origin at the outer
corner of the top-left pixel, the centre of pixel ``(i, j)`` at
``(i + 0.5, j + 0.5)``, boxes half-open. It is what CSS does. Maps are named
``b_from_a``, so that a chain ``page_from_panel @ panel_from_part`` can be read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from factory.core.errors import InvalidOptions

GRID = 1000
"""Cells of the model's coordinate grid: integers 0..999 on each axis."""


class Point(NamedTuple):
    """A point ``(x, y)`` in the frame that its name says."""

    x: float
    y: float


_point_of: Callable[[tuple[float, float]], Point] = partial(tuple.__new__, Point)  # pyright: ignore[reportUnknownMemberType]


def points_of(xs: Iterable[float], ys: Iterable[float]) -> tuple[Point, ...]:
    """Points by their coordinates, four times as fast as one call of ``Point`` each."""
    return tuple(map(_point_of, zip(xs, ys, strict=True)))


@dataclass(frozen=True)
class Box:
    """A half-open axis-aligned box ``[x0, x1) x [y0, y1)``."""

    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def sized(cls, x: float, y: float, width: float, height: float) -> Box:
        """The box with its top-left corner at ``(x, y)``."""
        return cls(x, y, x + width, y + height)

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def center(self) -> Point:
        return Point((self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2)

    def contains(self, point: Point) -> bool:
        """Whether the point lies in the half-open box."""
        return self.x0 <= point[0] < self.x1 and self.y0 <= point[1] < self.y1

    def holds(self, other: Box) -> bool:
        """Whether the other box lies inside this one."""
        return (
            self.x0 <= other.x0
            and self.y0 <= other.y0
            and other.x1 <= self.x1
            and other.y1 <= self.y1
        )

    def overlaps(self, other: Box) -> bool:
        """Whether the two boxes share area."""
        return (
            self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1
        )

    def grown(self, margin: float) -> Box:
        """The box grown by ``margin`` on each side (shrunk when negative)."""
        return Box(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)

    def moved(self, dx: float, dy: float) -> Box:
        """The box moved."""
        return Box(self.x0 + dx, self.y0 + dy, self.x1 + dx, self.y1 + dy)

    def outer_pixels(self) -> tuple[int, int, int, int]:
        """``(x0, y0, x1, y1)`` of the smallest whole-pixel box around it."""
        return (math.floor(self.x0), math.floor(self.y0), math.ceil(self.x1), math.ceil(self.y1))

    def as_list(self) -> list[float]:
        """``[x0, y0, x1, y1]`` rounded to 1e-6, for JSON."""
        return [round(v, 6) for v in (self.x0, self.y0, self.x1, self.y1)]


@dataclass(frozen=True)
class PlaneMap:
    """A projective map of the plane, a 3x3 matrix in row order.

    ``b_from_c @ c_from_a`` is ``b_from_a``; ``inverse()`` turns it round.
    """

    m: tuple[float, float, float, float, float, float, float, float, float]

    @classmethod
    def identity(cls) -> PlaneMap:
        return cls((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))

    @classmethod
    def scale(cls, sx: float, sy: float | None = None) -> PlaneMap:
        """Scale about the origin."""
        return cls((sx, 0.0, 0.0, 0.0, sx if sy is None else sy, 0.0, 0.0, 0.0, 1.0))

    @classmethod
    def translate(cls, dx: float, dy: float) -> PlaneMap:
        """Move by ``(dx, dy)``."""
        return cls((1.0, 0.0, dx, 0.0, 1.0, dy, 0.0, 0.0, 1.0))

    @classmethod
    def rotate(cls, turn_deg: float, center: tuple[float, float] = (0.0, 0.0)) -> PlaneMap:
        """Turn clockwise on screen (y points down) by ``turn_deg`` about ``center``."""
        c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        x, y = center
        return cls((c, -s, x - c * x + s * y, s, c, y - s * x - c * y, 0.0, 0.0, 1.0))

    def __matmul__(self, other: PlaneMap) -> PlaneMap:
        a, b = self.m, other.m
        return PlaneMap(
            tuple(  # pyright: ignore[reportArgumentType] -- nine values by construction
                a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c]
                for r in range(3)
                for c in range(3)
            )
        )

    def inverse(self) -> PlaneMap:
        """The map back; ``InvalidOptions`` when there is none."""
        a, b, c, d, e, f, g, h, i = self.m
        cofactors = (
            e * i - f * h, c * h - b * i, b * f - c * e,
            f * g - d * i, a * i - c * g, c * d - a * f,
            d * h - e * g, b * g - a * h, a * e - b * d,
        )  # fmt: skip
        det = a * cofactors[0] + b * cofactors[3] + c * cofactors[6]
        if abs(det) < 1e-12:
            raise InvalidOptions("this plane map has no inverse")
        return PlaneMap(tuple(v / det for v in cofactors))  # pyright: ignore[reportArgumentType]

    def __call__(self, point: tuple[float, float]) -> Point:
        a, b, c, d, e, f, g, h, i = self.m
        x, y = point
        w = g * x + h * y + i
        return Point((a * x + b * y + c) / w, (d * x + e * y + f) / w)

    def outline(self, corners: Sequence[tuple[float, float]]) -> list[float]:
        """Mapped corners as one list ``[x0, y0, x1, y1, ...]``, rounded to 1e-3."""
        a, b, c, d, e, f, g, h, i = self.m
        x, y = np.array(corners).T
        w = g * x + h * y + i
        moved = np.stack([(a * x + b * y + c) / w, (d * x + e * y + f) / w], axis=1)
        return np.round(moved, 3).ravel().tolist()

    def box(self, box: Box) -> Box:
        """The bounding box of the mapped box."""
        sx, b, tx, d, sy, ty, g, h, i = self.m
        if b == d == g == h == 0.0 and i == 1.0 and sx > 0 and sy > 0:
            return Box(sx * box.x0 + tx, sy * box.y0 + ty, sx * box.x1 + tx, sy * box.y1 + ty)
        corners = [self(p) for p in ((box.x0, box.y0), (box.x1, box.y0),
                                     (box.x1, box.y1), (box.x0, box.y1))]  # fmt: skip
        xs, ys = [p.x for p in corners], [p.y for p in corners]
        return Box(min(xs), min(ys), max(xs), max(ys))

    def as_list(self) -> list[float]:
        """The nine entries rounded to 1e-9, for JSON."""
        return [round(v, 9) for v in self.m]


def to_grid(value_px: float, size_px: float) -> int:
    """The grid cell of a pixel coordinate: ``min(999, floor(1000 p / size))``, at least 0."""
    return max(0, min(GRID - 1, math.floor(GRID * value_px / size_px)))


def from_grid(cell: int, size_px: float) -> float:
    """The pixel coordinate of a grid cell: its centre, ``(q + 0.5) size / 1000``."""
    return (cell + 0.5) * size_px / GRID


def from_grid_readings(cell: int, size_px: float) -> tuple[float, float, float]:
    """Where readers in the wild put a cell: ``(q + .5)/1000``, ``q/1000``, ``q/999`` of the size.

    A label survives the grid when all three readings of it are right.
    """
    return (
        (cell + 0.5) * size_px / GRID,
        cell * size_px / GRID,
        cell * size_px / (GRID - 1),
    )
