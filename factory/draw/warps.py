"""Warp fields: smooth displacements of the plane that never fold it.

A field adds waves (each axis bent along the other) and smooth noise, which is
waves in keyed directions. Sines come from a table, so that a field is the same
on every machine: what is warped carries hulls, and hulls are labels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream

TABLE = 512
_SINE = np.array([math.sin(2 * math.pi * k / TABLE) for k in range(TABLE + 1)])
NOISE_WAVES = 3
"""Waves in directions of their own that make the smooth noise of an axis."""
LEAST_JACOBIAN = 0.35
"""Least local area ratio: below it strokes crowd together and a letter may change its reading."""


@dataclass(frozen=True)
class Warp:
    """A field, in CSS px of its frame. JSON-able.

    ``wave_x`` is how far points move right and left along waves that run down
    (``length_x`` px long, begun at ``phase_x`` in turns), ``wave_y`` how far
    down and up along waves that run right; ``noise`` is the greatest move of
    the smooth noise, whose swells are some ``cell`` px wide and are named by
    ``seed``.
    """

    wave_x: float = 0.0
    length_x: float = 80.0
    phase_x: float = 0.0
    wave_y: float = 0.0
    length_y: float = 80.0
    phase_y: float = 0.0
    noise: float = 0.0
    cell: float = 40.0
    seed: str = ""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, float):
                object.__setattr__(self, name, round(value, 6))


def choose_warp(stream: Stream, strength: float, size: float) -> Warp:
    """A field for glyphs of ``size`` CSS px: from 0 (none to speak of) to 1 (hard to read).

    Its waves are 1.6 to 3 sizes long, so that a letter is bent, not shredded.
    """
    seed = f"{stream.integer(0, 1 << 32):08x}"
    return Warp(
        wave_x=stream.uniform(0.4, 1.0) * strength * 0.10 * size,
        length_x=stream.uniform(1.6, 3.0) * size,
        phase_x=stream.random(),
        wave_y=stream.uniform(0.4, 1.0) * strength * 0.13 * size,
        length_y=stream.uniform(1.8, 3.4) * size,
        phase_y=stream.random(),
        noise=stream.uniform(0.3, 1.0) * strength * 0.08 * size,
        cell=stream.uniform(0.8, 1.4) * size,
        seed=seed,
    )


def _sine(turns: Any) -> Any:
    at = (turns - np.floor(turns)) * TABLE
    low = at.astype(np.int64)
    share = at - low
    return _SINE[low] * (1 - share) + _SINE[np.minimum(low + 1, TABLE)] * share


@lru_cache(maxsize=256)
def _waves(seed: str, cell: float) -> tuple[Any, Any]:
    """Wave vectors ``(2, 2 NOISE_WAVES)`` in turns per px, and phases: x's waves, then y's."""
    rng = Stream(f"warp|{seed}")
    vectors: list[tuple[float, float]] = []
    phases: list[float] = []
    for _ in range(2 * NOISE_WAVES):
        angle, pitch = rng.random(), 0.5 / cell * rng.uniform(0.6, 1.2)
        vectors.append(
            (pitch * math.cos(2 * math.pi * angle), pitch * math.sin(2 * math.pi * angle))
        )
        phases.append(rng.random())
    return np.array(vectors).T, np.array(phases)


def _noise(field: Warp, points: Any) -> Any:
    vectors, phases = _waves(field.seed, field.cell)
    heights = _sine(points @ vectors + phases)
    moves = heights.reshape(-1, 2, NOISE_WAVES).sum(axis=2)
    return moves * (field.noise / NOISE_WAVES)


def warped(points: Any, field: Warp) -> Any:
    """Points ``(n, 2)`` moved by the field, CSS px."""
    moved = np.array(points, float)
    if field.wave_x:
        moved[:, 0] += field.wave_x * _sine(points[:, 1] / field.length_x + field.phase_x)
    if field.wave_y:
        moved[:, 1] += field.wave_y * _sine(points[:, 0] / field.length_y + field.phase_y)
    if field.noise:
        moved += _noise(field, points)
    return moved


STEP = 0.5
"""Half the distance of the differences in CSS px by which the Jacobian is measured."""


def least_jacobian(field: Warp, area: Box, every: float = 3.0) -> float:
    """The least local area ratio of the field over a lattice of points in ``area``."""
    xs = np.arange(area.x0, area.x1 + every, every)
    ys = np.arange(area.y0, area.y1 + every, every)
    points = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    right, down = np.array([STEP, 0.0]), np.array([0.0, STEP])
    by_x = (warped(points + right, field) - warped(points - right, field)) / (2 * STEP)
    by_y = (warped(points + down, field) - warped(points - down, field)) / (2 * STEP)
    return float((by_x[:, 0] * by_y[:, 1] - by_x[:, 1] * by_y[:, 0]).min())


def check_warp(field: Warp, area: Box) -> None:
    """``Rejected`` when the field folds or crowds the area."""
    least = least_jacobian(field, area)
    if least < LEAST_JACOBIAN:
        raise Rejected("warp crowds the strokes", value=least, limit=LEAST_JACOBIAN)
