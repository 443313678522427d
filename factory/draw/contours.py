"""Outlines as numbers: paths flattened, hulls that contain them, contours moved along normals.

Points are float64 ``(n, 2)``, x right, y down, in the units of what they come from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.geometry import Point, points_of

MOST_CORNERS = 24
"""Corners that a hull may have: a record stays small, and a letter needs no more."""

FIRST_SLACK = 0.004
"""Share of its size that a hull may lose to have fewer corners, before it is grown by as much."""

MOST_STEPS = 6
"""Chords of a long curve: 1/288 of its sagitta is lost, a few hundredths of a px on a letter."""

CHORD = 3.0
"""Length that a chord of a curve need not fall below, in the units of the path."""


Contours = tuple[Any, ...]
"""Closed contours, each ``(n, 2)`` float64, the first point not repeated."""

_Pair = tuple[float, float]


@lru_cache(maxsize=2 * MOST_STEPS)
def _bernstein(degree: int, steps: int) -> tuple[tuple[float, ...], ...]:
    """Weights of a curve's control points at the ends of its chords."""
    return tuple(
        tuple(
            math.comb(degree, k) * (1 - step / steps) ** (degree - k) * (step / steps) ** k
            for k in range(degree + 1)
        )
        for step in range(1, steps + 1)
    )


def _curve(corners: Sequence[_Pair]) -> list[_Pair]:
    """Points of a quadratic or cubic curve: more of them on longer ones."""
    reach = sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(corners))
    steps = max(1, min(MOST_STEPS, math.ceil(reach / CHORD)))
    weights = _bernstein(len(corners) - 1, steps)
    if len(corners) == 3:
        (ax, ay), (bx, by), (cx, cy) = corners
        return [(i * ax + j * bx + k * cx, i * ay + j * by + k * cy) for i, j, k in weights]
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    return [
        (h * ax + i * bx + j * cx + k * dx, h * ay + i * by + j * cy + k * dy)
        for h, i, j, k in weights
    ]


def flattened(path: skia.Path, longest: float) -> Contours:
    """The contours of a path, as chords no longer than ``longest`` on its straight lines."""
    contours: list[Any] = []
    points: list[_Pair] = []
    for verb, raw in path:
        corners = [(p.x(), p.y()) for p in raw]
        if verb == skia.Path.kMove_Verb:
            _keep(contours, points, longest)
            points = corners
        elif verb == skia.Path.kLine_Verb:
            points += _split(corners[0], corners[1], longest)
        elif verb != skia.Path.kClose_Verb:
            points += _curve(corners)
    _keep(contours, points, longest)
    return tuple(contours)


def _split(start: _Pair, end: _Pair, longest: float) -> list[_Pair]:
    dx, dy = end[0] - start[0], end[1] - start[1]
    count = max(1, math.ceil(max(abs(dx), abs(dy)) / longest))
    return [(start[0] + dx * k / count, start[1] + dy * k / count) for k in range(1, count + 1)]


def _keep(contours: list[Any], points: list[_Pair], longest: float) -> None:
    """Close what was begun; a contour of under three points holds no ink."""
    if not points:
        return
    whole = np.array(points + _split(points[-1], points[0], longest))
    distinct = whole[np.abs(whole - np.roll(whole, -1, axis=0)).max(axis=1) > 1e-6]
    if len(distinct) > 2:
        contours.append(distinct)


def coarse(contours: Sequence[Any], slack: float) -> skia.Path:
    """The contours as a path with as few corners as keep it within ``slack``."""
    return drawn(
        [
            cv2.approxPolyDP(contour.astype(np.float32).reshape(-1, 1, 2), slack, True)[:, 0]
            for contour in contours
        ]
    )


def drawn(contours: Sequence[Any]) -> skia.Path:
    """The contours as a path that is filled by winding."""
    path = skia.Path()
    for contour in contours:
        path.addPoly([skia.Point(x, y) for x, y in contour.tolist()], True)
    return path


def thickened(contours: Contours, by: float) -> Contours:
    """Contours moved outwards along their normals; inwards (erosion) when ``by`` is negative.

    Right for moves below half a stroke; counters move the other way, as they should.
    """
    turning = sum(_signed_area(contour) for contour in contours)
    outwards = 1.0 if turning > 0 else -1.0
    return tuple(contour + outwards * by * _normals(contour) for contour in contours)


def _signed_area(contour: Any) -> float:
    after = np.roll(contour, -1, axis=0)
    return float((contour[:, 0] * after[:, 1] - contour[:, 1] * after[:, 0]).sum() / 2)


def _normals(contour: Any) -> Any:
    """Unit normals at the points, to the outside of a contour of positive area."""
    along = np.roll(contour, -1, axis=0) - np.roll(contour, 1, axis=0)
    length = np.sqrt((along**2).sum(axis=1, keepdims=True))
    return np.stack([along[:, 1], -along[:, 0]], 1) / np.maximum(length, 1e-9)


def hull(points: Any, most: int = MOST_CORNERS) -> Any:
    """A convex polygon ``(k, 2)`` of at most ``most`` corners that contains the points.

    The convex hull loses corners within a slack and is grown by that slack, so
    it exceeds the hull by two slacks at most, along edges.
    """
    around = cv2.convexHull(points.astype(np.float32))
    slack = FIRST_SLACK * float(np.ptp(around, axis=0).max())
    corners = cv2.approxPolyDP(around, slack, True)
    while len(corners) > most:
        slack *= 1.6
        corners = cv2.approxPolyDP(around, slack, True)
    return grown(corners[:, 0].astype(float), slack)


def grown(corners: Any, by: float) -> Any:
    """A convex polygon with its edges moved outwards by ``by``."""
    turn = 1.0 if _signed_area(corners) > 0 else -1.0
    edges = np.roll(corners, -1, axis=0) - corners
    after = turn * np.stack([edges[:, 1], -edges[:, 0]], 1)
    after = after / np.maximum(np.sqrt((after**2).sum(axis=1, keepdims=True)), 1e-9)
    before = np.roll(after, 1, axis=0)
    share = 1.0 + (before * after).sum(axis=1, keepdims=True)
    return corners + by * (before + after) / np.maximum(share, 0.1)


def as_points(corners: Any) -> tuple[Point, ...]:
    """Corners for a zone, rounded to 1e-6."""
    return points_of(*np.round(corners, 6).T.tolist())
