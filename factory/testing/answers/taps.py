"""What the answers of taps on zones have in common: items, nearness, chance, constants."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream
from factory.testing.answers.space import (
    CONSTANTS,
    GRID,
    LEAST_SPREAD,
    Constant,
    absolute,
    grid_cell,
    raster,
    relative,
)

BORDER_PX = 0.5
"""Nearer than this to the bound of a zone, inside or outside is not said."""

SWEPT = 240
"""Places of the raster over a slot."""

MOST_ORDERED = 5
"""Targets of which all orders are tried; of more, a sample."""

SAMPLED = 200

COUNTED = 200
"""Draws whose items say where items lie."""

MOST_SHOWN = 6
"""Right answers whose surroundings are searched, where there are many."""

Item = int | Point
"""A zone by its index among targets and others, or a place."""


def hit(item: Item, place: int, zones: Sequence[Zone], grow_px: float) -> bool | None:
    """Whether an item comes to the same as tapping zone ``place``; None on its border."""
    if isinstance(item, int):
        if item == place:
            return True
        item = zones[item].center
    depth = zones[place].depth(item) + grow_px
    return None if abs(depth) <= BORDER_PX else depth > 0


def matched(
    items: Sequence[Item], places: Sequence[int], zones: Sequence[Zone], grow_px: float
) -> bool | None:
    """Whether items can be given the zones ``places`` one to one; None when a border decides."""
    hits = [[hit(item, place, zones, grow_px) for place in places] for item in items]
    if not _matching([[found is not False for found in row] for row in hits]):
        return False
    return True if _matching([[found is True for found in row] for row in hits]) else None


def _matching(rows: Sequence[Sequence[bool]]) -> bool:
    """Whether every row has a column of its own among its true ones (augmenting paths)."""
    owner: dict[int, int] = {}

    def settle(row: int, tried: set[int]) -> bool:
        for column, free in enumerate(rows[row]):
            if free and column not in tried:
                tried.add(column)
                if column not in owner or settle(owner[column], tried):
                    owner[column] = row
                    return True
        return False

    return all(settle(row, set()) for row in range(len(rows)))


def point_of(item: Item, zones: Sequence[Zone]) -> Point:
    """Where an item is tapped."""
    return zones[item].center if isinstance(item, int) else item


def send(gold: Sequence[ActionBase], submit: Box | None) -> list[ActionBase]:
    """The gold's submit click, where the panel has such a button."""
    return [gold[-1]] if submit is not None else []


def zone_chance(zone: Zone, grow_px: float, slot: Box, centers: Any, others: int) -> float:
    """How likely a place drawn as the class draws its items lies in the zone.

    ``centers`` are those of other draws' items as shares of their slots, ``(n, 2)``. No more
    than a blind choice among ``others`` items, or than places that spread over
    ``LEAST_SPREAD`` of the slot would give: what is concentrated further is no luck.
    """
    side = math.sqrt(zone.area)
    grown = 1.0 + 2.0 * grow_px / side
    share = zone.area * grown * grown / (slot.width * slot.height)
    corners = np.array([relative(corner, slot) for corner in zone.corners])
    middle = np.array(relative(zone.center, slot))
    seen = float(_inside(middle + grown * (corners - middle), centers).mean())
    return min(1.0, max(share, min(seen, max(1.0 / max(1, others), share / LEAST_SPREAD))))


def _inside(corners: Any, points: Any) -> Any:
    """Which points lie in a polygon, by how often a ray to the right crosses its border."""
    a, b = corners, np.roll(corners, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    rise = b[:, 1] - a[:, 1]
    slope = (b[:, 0] - a[:, 0]) / np.where(rise == 0.0, 1.0, rise)
    crossed = ((a[:, 1] > y) != (b[:, 1] > y)) & (x < a[:, 0] + (y - a[:, 1]) * slope)
    return crossed.sum(axis=1) % 2 == 1


def item_centers(spaces: Sequence[Any], zones: Callable[[Any], Sequence[Zone]]) -> Any:
    """Centres of the items of many draws as shares of their slots, ``(n, 2)``."""
    centers = [
        relative(zone.center, space.slot)
        for space in spaces[:: max(1, len(spaces) // COUNTED)]
        for zone in zones(space)
    ]
    return np.array(centers)


def swept(slot: Box, stream: Stream) -> Iterator[Point]:
    """A raster over the slot, shifted by chance."""
    shift = stream.uniform(-0.3, 0.3), stream.uniform(-0.3, 0.3)
    for x, y in raster(slot, SWEPT):
        yield Point(x + shift[0], y + shift[1])


def orders(right: Sequence[Item], stream: Stream) -> Iterator[tuple[Item, ...]]:
    """The right items in every other order, or in many."""
    if len(right) <= MOST_ORDERED:
        yield from itertools.permutations(right)
        return
    for _ in range(SAMPLED):
        yield tuple(stream.shuffled(right))


def replaced(right: Sequence[Item], by: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    """One right item replaced by each of the others."""
    for place in range(len(right)):
        for item in by:
            yield (*right[:place], item, *right[place + 1 :])


def clicks(items: Sequence[Item], zones: Sequence[Zone]) -> list[ActionBase]:
    """A click on each item."""
    return [Click(point_of(item, zones)) for item in items]


def constant_places(spaces: Sequence[Any]) -> list[Constant]:
    """The commonest places of answers (cells of a grid, in order), and a coarse grid of singles."""
    counts = Counter(
        tuple(grid_cell(point, space.slot) for point in space.points_of(space.solved))
        for space in spaces
    )
    best = [cells for cells, _ in counts.most_common(CONSTANTS)]
    if counts and max(map(len, counts)) == 1:
        best += [((x, y),) for x in range(1, GRID, 3) for y in range(1, GRID, 3)]
    return [_constant(cells) for cells in dict.fromkeys(best)]


def _constant(cells: tuple[tuple[int, int], ...]) -> Constant:
    shares = [Point((x + 0.5) / GRID, (y + 0.5) / GRID) for x, y in cells]
    return lambda space: tuple(absolute(share, space.slot) for share in shares)
