"""A pinhole camera: where points of the world come to lie in a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from factory.core.geometry import Box, Point
from factory.draw.solid.vectors import UPRIGHT, Vec, cross, direction, dot, minus, plus, times, unit

DISTANT = 1e-9
"""Nearer to the eye's own plane than this nothing is projected."""


@dataclass(frozen=True)
class Camera:
    """``eye`` looks at ``target``, up is z; ``focus`` is the focal length in px, ``middle`` the
    px where the target appears. JSON-able; px are CSS px of the picture it is used for."""

    eye: Vec
    target: Vec
    focus: float
    middle: tuple[float, float]

    def __post_init__(self) -> None:
        for name in ("eye", "target", "middle"):
            object.__setattr__(self, name, tuple(round(v, 6) for v in getattr(self, name)))
        object.__setattr__(self, "focus", round(self.focus, 6))

    @classmethod
    def around(
        cls, target: Vec, azimuth_deg: float, elevation_deg: float, distance: float
    ) -> Camera:
        """A camera that looks at ``target`` from an azimuth and elevation, ``focus`` 1 px.

        An azimuth of -90 degrees is the viewer's own side: x to the right, y away.
        """
        eye = plus(target, times(direction(azimuth_deg, elevation_deg), distance))
        return cls(eye, target, 1.0, (0.0, 0.0))

    @cached_property
    def frame(self) -> tuple[Vec, Vec, Vec]:
        """Right, down and forward: rows that map the world onto the picture's axes."""
        forward = unit(minus(self.target, self.eye))
        right = unit(cross(forward, UPRIGHT[2]))
        return right, cross(forward, right), forward

    def seen(self, point: Vec) -> tuple[float, float, float]:
        """(x, y, depth): px of the picture, and distance along the line of sight."""
        away = minus(point, self.eye)
        right, down, forward = self.frame
        depth = max(dot(forward, away), DISTANT)
        scale = self.focus / depth
        return (
            self.middle[0] + scale * dot(right, away),
            self.middle[1] + scale * dot(down, away),
            depth,
        )

    def pixel(self, point: Vec) -> Point:
        """Where a point appears, px."""
        x, y, _ = self.seen(point)
        return Point(x, y)

    def pixels(self, points: Sequence[Vec]) -> list[tuple[float, float]]:
        """Where points appear, px."""
        return [self.seen(point)[:2] for point in points]

    def array(self, points: Any) -> Any:
        """``seen`` of points ``(..., 3)`` at once, for painting."""
        away = np.asarray(points) - np.array(self.eye)
        found = away @ self._columns
        found[..., :2] *= self.focus / found[..., 2:]
        found[..., :2] += self.middle
        return found

    @cached_property
    def _columns(self) -> Any:
        return np.array(self.frame).T

    def scale_at(self, point: Vec) -> float:
        """Px per unit of the world at a point, across the line of sight."""
        return self.focus / self.seen(point)[2]

    def faces(self, point: Vec, normal: Vec) -> bool:
        """Whether a face through ``point`` shows its outer side."""
        return dot(normal, minus(self.eye, point)) > 0

    def ground(self, x: float, y: float, height: float = 0.0) -> Vec:
        """The point at a height of the world that appears at px (x, y)."""
        right, down, forward = self.frame
        ray = plus(
            plus(times(right, x - self.middle[0]), times(down, y - self.middle[1])),
            times(forward, self.focus),
        )
        reach = (height - self.eye[2]) / ray[2]
        return plus(self.eye, times(ray, reach))

    def plane(self, corner: Vec, across: Vec, along: Vec) -> tuple[float, ...]:
        """The 3x3 matrix by rows that maps (u, v, 1) of a plane onto homogeneous px.

        ``corner + u * across + v * along`` are the plane's points.
        """
        away = minus(corner, self.eye)
        columns = [[dot(axis, part) for axis in self.frame] for part in (across, along, away)]
        rows = [
            [self.focus * c[0] + self.middle[0] * c[2] for c in columns],
            [self.focus * c[1] + self.middle[1] * c[2] for c in columns],
            [c[2] for c in columns],
        ]
        return tuple(value for row in rows for value in row)

    def fitted(self, points: Sequence[Vec], box: Box) -> Camera:
        """The same view, as large as the points fit into ``box``, and in its middle."""
        plain = replace(self, focus=1.0, middle=(0.0, 0.0))
        seen = plain.pixels(points)
        low = [min(p[axis] for p in seen) for axis in (0, 1)]
        high = [max(p[axis] for p in seen) for axis in (0, 1)]
        focus = min(
            box.width / max(high[0] - low[0], DISTANT), box.height / max(high[1] - low[1], DISTANT)
        )
        middle = (
            box.center.x - focus * (low[0] + high[0]) / 2,
            box.center.y - focus * (low[1] + high[1]) / 2,
        )
        return replace(self, focus=focus, middle=middle)

    @property
    def elevation_deg(self) -> float:
        """How far it looks down."""
        return -math.degrees(math.asin(self.frame[2][2]))
