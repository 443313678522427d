"""Outlines of plain figures: circles, stars, hearts, arrows and the like, of one size."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

Corner = tuple[float, float]
Polygon = tuple[Corner, ...]
"""Corners (x, y) in the px of their picture, rounded to 1e-6 where they belong to a state."""

SIDE, REACH = 0.72, 0.6
"""Root of a figure's area by its size, unless it would reach farther than this from its middle."""

NAMES: Mapping[str, tuple[str, str]] = {
    "circle": ("circle", "圆形"), "triangle": ("triangle", "三角形"),
    "square": ("square", "正方形"), "diamond": ("diamond", "菱形"), "star": ("star", "五角星"),
    "heart": ("heart", "心形"), "cross": ("plus sign", "十字形"),
    "crescent": ("crescent", "月牙形"), "arrow": ("arrow", "箭头"), "drop": ("drop", "水滴形"),
    "half": ("half circle", "半圆形"),
}  # fmt: skip
"""Kinds with their names: none is another one turned, stretched or seen small."""


def area_of(corners: Sequence[Corner]) -> float:
    """Square px inside a simple polygon."""
    pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
    return abs(math.fsum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)) / 2


def _circle(steps: int) -> list[Corner]:
    return [_at(360.0 * k / steps) for k in range(steps)]


def _at(turn_deg: float, far: float = 1.0) -> Corner:
    turn = math.radians(turn_deg)
    return far * math.cos(turn), far * math.sin(turn)


def _star(steps: int) -> list[Corner]:
    return [_at(36.0 * k - 90.0, 0.46 if k % 2 else 1.0) for k in range(10)]


def _heart(steps: int) -> list[Corner]:
    turns = [2 * math.pi * k / steps for k in range(steps)]
    return [
        (
            16 * math.sin(t) ** 3,
            -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)),
        )
        for t in turns
    ]


def _crescent(steps: int) -> list[Corner]:
    half = steps // 2
    outer = [_at(44.0 + 272.0 * k / half) for k in range(half + 1)]
    (x, y), inner = outer[-1], 0.74
    start = math.degrees(math.asin(y / inner))
    middle = x - inner * math.cos(math.radians(start))
    back = [
        (middle + u, v)
        for u, v in (
            _at(360.0 + start - (360.0 + 2 * start) * k / half, inner) for k in range(1, half)
        )
    ]
    return [*outer, *back]


def _drop(steps: int) -> list[Corner]:
    round_part = [_at(-32.0 + 244.0 * k / steps) for k in range(steps + 1)]
    return [*round_part, (0.0, -1.95)]


OUTLINES: Mapping[str, Callable[[int], list[Corner]]] = {
    "circle": _circle,
    "triangle": lambda steps: [_at(-90.0 + 120.0 * k) for k in range(3)],
    "square": lambda steps: [_at(45.0 + 90.0 * k) for k in range(4)],
    "diamond": lambda steps: [(0.0, -1.0), (0.6, 0.0), (0.0, 1.0), (-0.6, 0.0)],
    "star": _star,
    "heart": _heart,
    "cross": lambda steps: [
        (-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1),
        (1, 3), (-1, 3), (-1, 1), (-3, 1), (-3, -1), (-1, -1),
    ],
    "crescent": _crescent,
    "arrow": lambda steps: [(3, 0), (0, -2.6), (0, -1), (-3, -1), (-3, 1), (0, 1), (0, 2.6)],
    "drop": _drop,
    "half": lambda steps: [_at(180.0 * k / (steps // 2)) for k in range(steps // 2 + 1)],
}  # fmt: skip


@lru_cache(maxsize=64)
def unit(kind: str, steps: int) -> Polygon:
    """The outline of a kind of size 1 about the middle of its circle."""
    corners = OUTLINES[kind](steps)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    cx, cy = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    moved = [(x - cx, y - cy) for x, y in corners]
    far = max(math.hypot(x, y) for x, y in moved)
    scale = min(SIDE / math.sqrt(area_of(moved)), REACH / far)
    return tuple((scale * x, scale * y) for x, y in moved)
