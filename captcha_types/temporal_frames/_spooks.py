"""Shapes that only motion tells from the noise around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from captcha_types.temporal_frames import _kit as kit

Shape = Literal["circle", "square", "triangle", "cross", "whole"]
SHAPES: tuple[Shape, ...] = ("circle", "square", "triangle", "cross")

Way = Literal["left", "right", "up", "down"]
WAYS: Mapping[Way, kit.Step] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
STILL: kit.Step = (0, 0)

SHARES: Mapping[Shape, float] = {"circle": 1.0, "square": 0.88, "triangle": 1.16, "cross": 1.06}
"""Reaches that give shapes about one area."""


NAMES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "circle": "with a hidden circle", "square": "with a hidden square",
        "triangle": "with a hidden triangle", "cross": "with a hidden cross",
        "left": "that drifts to the left", "right": "that drifts to the right",
        "up": "that drifts upwards", "down": "that drifts downwards",
        "size": "with the largest circle",
    },
    "zh": {
        "circle": "藏有圆形的", "square": "藏有正方形的", "triangle": "藏有三角形的",
        "cross": "藏有十字形的", "left": "向左漂移的", "right": "向右漂移的",
        "up": "向上漂移的", "down": "向下漂移的", "size": "圆形最大的",
    },
}  # fmt: skip
"""What tiles are called in goals, by shape or way."""


@dataclass(frozen=True)
class Spook:
    """A shape about a cell ``(x, y)``, ``reach`` cells far; what it shows drifts by ``way``, what
    is around it by ``around`` or not at all. JSON-able."""

    shape: Shape
    x: int
    y: int
    reach: int
    way: Way
    around: Way | Literal["still"]

    @property
    def steps(self) -> tuple[kit.Step, kit.Step]:
        """Of the inside and of the outside."""
        return WAYS[self.way], STILL if self.around == "still" else WAYS[self.around]


@lru_cache(maxsize=512)
def mask(shape: Shape, x: int, y: int, reach: int, rows: int, columns: int) -> Any:
    """Which cells a shape covers, bool ``(rows, columns)``."""
    down, across = np.mgrid[:rows, :columns]
    dx, dy, r = across - x, down - y, reach * SHARES.get(shape, 1.0)
    if shape == "whole":
        return np.ones((rows, columns), bool)
    if shape == "circle":
        return 4 * (dx * dx + dy * dy) <= (2 * reach + 1) ** 2
    if shape == "square":
        return np.maximum(abs(dx), abs(dy)) <= r
    if shape == "triangle":
        return (dy <= 0.8 * r) & (dy >= 1.9 * abs(dx) - 1.1 * r)
    arm = 0.36 * r
    near, far = np.minimum(abs(dx), abs(dy)), np.maximum(abs(dx), abs(dy))
    return (near <= arm) & (far <= r)


@lru_cache(maxsize=64)
def field(seed: str, spook: Spook, frames: int, rows: int, columns: int, noise: float) -> Any:
    """The noise of a tile, uint8 ``(frames, rows, columns)`` of 0 and 1; not to be changed."""
    inside = mask(spook.shape, spook.x, spook.y, spook.reach, rows, columns)
    return kit.moving_shape(seed, frames, inside, spook.steps, noise)


def tell(found: Any, spook: Spook) -> float:
    """How much more of the inside than of the outside follows the inside's way, -1 to 1.

    For a tile that drifts as a whole, how much more follows its way than any other.
    """
    rows, columns = found.shape[1:]
    own = kit.followed(found, WAYS[spook.way]).mean(axis=0)
    if spook.shape == "whole":
        others = [kit.followed(found, step).mean() for w, step in WAYS.items() if w != spook.way]
        return float(own.mean() - max(others))
    inside = mask(spook.shape, spook.x, spook.y, spook.reach, rows, columns)
    return float(own[inside].mean() - own[~inside].mean())


def given_away(found: Any, spook: Spook) -> float:
    """By how many standard deviations the inside of a single frame is lighter or darker, at most.

    For a tile that drifts as a whole, all of the frame against an even share.
    """
    rows, columns = found.shape[1:]
    inside = mask(spook.shape, spook.x, spook.y, spook.reach, rows, columns)
    count, rest = int(inside.sum()), inside.size - int(inside.sum())
    own = found[:, inside].mean(axis=1)
    if rest == 0:
        return float(np.abs(own - 0.5).max() / np.sqrt(0.25 / count))
    other = found[:, ~inside].mean(axis=1)
    return float(np.abs(own - other).max() / np.sqrt(0.25 / count + 0.25 / rest))


def read_way(found: Any) -> Way:
    """The way that most of a tile follows."""
    return max(WAYS, key=lambda way: float(kit.followed(found, WAYS[way]).mean()))


def read_shape(found: Any, spook: Spook) -> Shape:
    """The shape that parts what follows the inside's way from the rest best, at its place."""
    rows, columns = found.shape[1:]
    inner, outer = spook.steps
    moved = kit.followed(found, inner).mean(axis=0) - kit.followed(found, outer).mean(axis=0)

    def parted(shape: Shape) -> float:
        inside = mask(shape, spook.x, spook.y, spook.reach, rows, columns)
        weight = float(inside.mean() * (1.0 - inside.mean())) ** 0.5
        return float(moved[inside].mean() - moved[~inside].mean()) * weight

    return max(SHAPES, key=parted)


def read_area(found: Any, spook: Spook) -> float:
    """About how many cells follow the inside's way and not the outside's."""
    inner, outer = spook.steps
    moved = kit.followed(found, inner).mean(axis=0) - kit.followed(found, outer).mean(axis=0)
    return float(moved.sum())
