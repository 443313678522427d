"""Solids that turn about the vertical, seen only by the dots on them.

Lengths are shares of the shorter half side of a frame; y runs down from its middle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from factory.draw.textures import noise

Solid = Literal["ball", "cylinder", "cone", "hourglass"]
SOLIDS: tuple[Solid, ...] = ("ball", "cylinder", "cone", "hourglass")

TALL = 0.92
"""Half the height of a solid, and the largest radius of most."""

PROFILES: Mapping[Solid, Callable[[Any], Any]] = {
    "ball": lambda y: TALL * np.sqrt(np.maximum(0.0, 1.0 - (y / TALL) ** 2)),
    "cylinder": lambda y: np.full_like(y, 0.72),
    "cone": lambda y: TALL * (y / TALL + 1.0) / 2.0,
    "hourglass": lambda y: np.abs(y),
}
"""Radius of a solid at a height."""

LIFE = 3
"""Frames that a dot lives: born anew, it says nothing of where it was before."""

THIN = 1e-4


@dataclass(frozen=True)
class Spin:
    """A solid and by how much it turns from frame to frame, signed. JSON-able."""

    solid: Solid
    turn_deg: float


@dataclass(frozen=True, eq=False)
class Dots:
    """Where dots are in each frame, ``(frames, count, 2)``; which are seen; which life it is."""

    places: Any
    seen: Any
    life: Any


def radius(solid: Solid, y: Any) -> Any:
    """How far a solid reaches to the side at a height; 0 above and below it."""
    return np.where(np.abs(y) <= TALL, PROFILES[solid](y), 0.0)


@lru_cache(maxsize=64)
def dots(
    seed: str, spin: Spin, frames: int, half: tuple[float, float], count: int, stray: float
) -> Dots:
    """Dots on a solid and on what is around it, evenly over a frame of the ``half`` sides.

    On the near side of the solid they turn with it, around it they rest. A share ``stray`` is
    somewhere else in every frame.
    """
    lives = -(-(frames + LIFE) // LIFE)
    lots = noise(seed, count, 2 + 2 * lives).astype(float)
    phase, strays = np.floor(lots[:, 0] * LIFE).astype(int), lots[:, 1] < stray
    when = np.arange(frames)[:, None] + phase
    life, age = when // LIFE, when % LIFE - LIFE // 2
    own = np.arange(count)
    x = (2 * lots[own, 2 + 2 * life] - 1) * half[0]
    y = (2 * lots[own, 3 + 2 * life] - 1) * half[1]
    x, seen = moved(spin.solid, x, y, age * math.radians(spin.turn_deg))
    anew = noise(f"{seed}|stray", frames * count, 2).reshape(frames, count, 2).astype(float)
    places = np.stack([x, y], axis=2)
    places[:, strays] = (2 * anew[:, strays] - 1) * half
    return Dots(places, seen | strays, np.where(strays, -1, life))


def moved(solid: Solid, x: Any, y: Any, turn_rad: Any) -> tuple[Any, Any]:
    """Where dots come to when a solid turns, and whether they are still on the near side."""
    reach = radius(solid, y)
    on = np.abs(x) < reach - THIN
    way = np.arcsin(np.clip(x / np.maximum(reach, THIN), -1.0, 1.0)) + turn_rad
    return np.where(on, reach * np.sin(way), x), ~on | (np.abs(way) < math.pi / 2)


def pairs(found: Dots) -> Any:
    """Dots seen twice in a life: ``x``, ``y`` and the next ``x``, three rows."""
    before, after = found.places[:-1], found.places[1:]
    same = (found.life[:-1] == found.life[1:]) & (found.life[1:] >= 0)
    same &= found.seen[:-1] & found.seen[1:]
    return np.stack([before[same][:, 0], before[same][:, 1], after[same][:, 0]])


def explained(seen_twice: Any, spin: Spin, near: float) -> float:
    """The share of ``pairs`` that come within ``near`` of where the spin says."""
    x, y, after = seen_twice
    there, _ = moved(spin.solid, x, y, math.radians(spin.turn_deg))
    return float((np.abs(there - after) < near).sum() / max(1, len(x)))


@lru_cache(maxsize=64)
def share(solid: Solid, half: tuple[float, float]) -> float:
    """The part of a frame that a solid covers."""
    y = np.linspace(-half[1], half[1], 200)
    return float(radius(solid, y).mean() / half[0])


def given_away(found: Dots, solid: Solid, half: tuple[float, float]) -> float:
    """By how many standard deviations a frame holds more or fewer dots on a solid than its share
    of the area, at most over the frames."""
    inside = (np.abs(found.places[..., 0]) < radius(solid, found.places[..., 1])) & found.seen
    part, count = share(solid, half), found.seen.sum(axis=1)
    off = np.abs(inside.sum(axis=1) - part * count) / np.sqrt(part * (1 - part) * count)
    return float(off.max())
