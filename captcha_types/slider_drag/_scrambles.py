"""Tiles of a picture that change places stop by stop: towards the whole, and on beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from factory.core.rng import Stream
from factory.draw.tile_joins import Joins, TileBoard, joints

Swap = tuple[int, int]
Stop = tuple[Swap, ...]
"""Swaps of places that a stop of the slider makes."""

Lies = tuple[int, ...]
"""The tile that lies on each place, by the place where it belongs."""


def swapped(lies: Lies, stop: Stop) -> Lies:
    """The arrangement after a stop's swaps."""
    after = list(lies)
    for a, b in stop:
        after[a], after[b] = after[b], after[a]
    return tuple(after)


def run(lies: Lies, stops: Sequence[Stop]) -> list[Lies]:
    """The arrangement at rest and at every stop."""
    found = [lies]
    for stop in stops:
        found.append(swapped(found[-1], stop))
    return found


def before(count: int, stops: Sequence[Stop]) -> Lies:
    """The arrangement from which these stops lead to the whole."""
    lies = tuple(range(count))
    for stop in reversed(stops):
        lies = swapped(lies, stop[::-1])
    return lies


def distance(lies: Lies) -> int:
    """The fewest swaps that bring every tile home: tiles less cycles."""
    return len(lies) - len(set(cycle_of(lies)))


def cycle_of(lies: Lies) -> list[int]:
    """For each place the lowest place of its cycle."""
    found = [-1] * len(lies)
    for first in range(len(lies)):
        place = first
        while found[place] < 0:
            found[place] = first
            place = lies[place]
    return found


@cache
def _pairs(count: int) -> Any:
    return np.array(list(combinations(range(count), 2)))


def plain_swaps(joined: Joins, board: TileBoard) -> list[tuple[float, Swap]]:
    """How much worse the joints around two tiles get when they change places, mean levels."""
    pairs = _pairs(board.count)
    lies = np.tile(np.arange(board.count), (len(pairs), 1))
    rows, (a, b) = np.arange(len(pairs)), pairs.T
    lies[rows, a], lies[rows, b] = b, a
    home = joined.costs(np.arange(board.count)[None], board).sum()
    worse = joined.costs(lies, board).sum(axis=1) - home
    across, down = joints(board.rows, board.columns)
    touching = np.bincount(np.concatenate([*across, *down]), minlength=board.count)
    levels = worse / (touching[a] + touching[b])
    return [(float(v), (int(x), int(y))) for v, (x, y) in zip(levels, pairs, strict=True)]


def toward(
    stream: Stream, swaps: Sequence[tuple[float, Swap]], stops: int, each: int, floor: float
) -> tuple[Stop, ...]:
    """``stops`` stops of ``each`` swaps that share no tile and can all be seen; none where there
    are too few."""
    free, found = set[int](), list[Swap]()
    for _, (a, b) in stream.shuffled([swap for swap in swaps if swap[0] >= floor]):
        if len(found) < stops * each and not free & {a, b}:
            free |= {a, b}
            found.append((a, b))
    if len(found) < stops * each:
        return ()
    return tuple(tuple(found[k * each : (k + 1) * each]) for k in range(stops))


def beyond(
    stream: Stream, swaps: Sequence[tuple[float, Swap]], count: int, stops: int, each: int
) -> tuple[Stop, ...]:
    """Stops that lead ever farther from the whole; the first of them by the plainest swaps."""
    lies, found = tuple(range(count)), list[Stop]()
    plain = [swap for _, swap in sorted(swaps, reverse=True)][: max(1, len(swaps) // 4)]
    for number in range(stops):
        made = list[Swap]()
        for _ in range(each):
            cycles = cycle_of(lies)
            choice = plain if number == 0 else [swap for _, swap in swaps]
            apart = [(a, b) for a, b in choice if cycles[a] != cycles[b]]
            made.append(stream.choice(apart))
            lies = swapped(lies, (made[-1],))
        found.append(tuple(made))
    return tuple(found)
