"""Vectors and turns of space by plain arithmetic, so that they may decide labels.

World axes: x to the right, y away from the viewer, z up; right-handed, any unit. A turn
is a 3x3 matrix by rows that maps directions of a thing onto directions of the world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import permutations, product

Vec = tuple[float, float, float]
Turn = tuple[Vec, Vec, Vec]

UPRIGHT: Turn = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
AXES: tuple[Vec, ...] = UPRIGHT


def plus(a: Vec, b: Vec) -> Vec:
    """``a + b``."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vec, b: Vec) -> Vec:
    """``a - b``."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def times(a: Vec, factor: float) -> Vec:
    """``factor * a``."""
    return a[0] * factor, a[1] * factor, a[2] * factor


def dot(a: Vec, b: Vec) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec, b: Vec) -> Vec:
    """The vector product: right, up -> towards the viewer."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def length(a: Vec) -> float:
    """The length."""
    return math.sqrt(dot(a, a))


def unit(a: Vec) -> Vec:
    """The direction of a vector that is not zero."""
    return times(a, 1.0 / length(a))


def turned(turn: Turn, a: Vec) -> Vec:
    """A vector after a turn."""
    return dot(turn[0], a), dot(turn[1], a), dot(turn[2], a)


def after(second: Turn, first: Turn) -> Turn:
    """The turn that does ``first``, then ``second``."""
    columns = tuple(zip(*first, strict=True))
    rows = [tuple(dot(row, column) for column in columns) for row in second]  # pyright: ignore[reportArgumentType]
    return rows[0], rows[1], rows[2]  # pyright: ignore[reportReturnType]


def inverse(turn: Turn) -> Turn:
    """The turn back."""
    a, b, c = turn
    return (a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2])


def spin(degrees: float) -> Turn:
    """A turn about the vertical, anticlockwise seen from above."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)


def direction(azimuth_deg: float, elevation_deg: float) -> Vec:
    """The unit vector towards an azimuth (anticlockwise from x, seen from above) and elevation."""
    flat = math.cos(math.radians(elevation_deg))
    around = math.radians(azimuth_deg)
    return flat * math.cos(around), flat * math.sin(around), math.sin(math.radians(elevation_deg))


@cache
def cube_turns() -> tuple[Turn, ...]:
    """The 24 turns that map a cube onto itself, in a fixed order, upright first."""
    found: list[Turn] = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            rows = [times(AXES[axis], sign) for axis, sign in zip(order, signs, strict=True)]
            if dot(cross(rows[0], rows[1]), rows[2]) > 0:
                found.append((rows[0], rows[1], rows[2]))
    return tuple(found)


def roll(way: Sequence[int]) -> Turn:
    """The quarter turn of a cube that tips over its lower edge towards ``way``: (1, 0) is right."""
    x, y = float(way[0]), float(way[1])
    # What was on top comes to lie ahead, what was ahead comes to lie below.
    ahead, aside = (x, y, 0.0), (-y, x, 0.0)
    rows = [
        tuple(ahead[i] * AXES[2][j] - AXES[2][i] * ahead[j] + aside[i] * aside[j] for j in range(3))
        for i in range(3)
    ]
    return rows[0], rows[1], rows[2]  # pyright: ignore[reportReturnType]
