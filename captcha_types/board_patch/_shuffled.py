"""A picture in tiles of which some changed places: how, and how well the tiles join."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from factory.draw.tile_joins import Joins, TileBoard, joins, rise, tile_edges

FEW_TILES = 9
"""On boards of so many tiles, all that two swaps lead to is compared."""


def moved_by(order: Sequence[int], count: int, *, in_turn: bool) -> tuple[int, ...]:
    """The tile that lies on each place once tiles changed places.

    Two by two in their order; or, ``in_turn``, each went to the place of the next.
    """
    lies = list(range(count))
    if in_turn:
        for home, place in zip(order, [*order[1:], order[0]], strict=True):
            lies[place] = home
    else:
        for a, b in zip(order[::2], order[1::2], strict=True):
            lies[a], lies[b] = b, a
    return tuple(lies)


def swaps_needed(lies: Sequence[int]) -> int:
    """The fewest swaps that bring every tile home: tiles less cycles."""
    seen, cycles = set[int](), 0
    for first in range(len(lies)):
        place = first
        cycles += first not in seen
        while place not in seen:
            seen.add(place)
            place = lies[place]
    return len(lies) - cycles


@lru_cache(maxsize=32)
def soundness(key: bytes, board: TileBoard, lies: tuple[int, ...]) -> tuple[float, float]:
    """``rise`` and ``lead`` on the small raster."""
    joined = joins(tile_edges(key, board))
    return rise(joined, lies, board), lead(joined, lies, board)


def lead(joined: Joins, lies: tuple[int, ...], board: TileBoard) -> float:
    """By how much the whole joins better than any other arrangement that so many swaps lead to;
    levels, summed over the joints."""
    others = joined.costs(alternatives(lies), board).sum(axis=1)
    home = joined.costs(np.arange(board.count)[None], board).sum()
    return float(others.min() - home)


@lru_cache(maxsize=16)
def alternatives(lies: tuple[int, ...]) -> Any:
    """Arrangements other than the whole that as many swaps as it needs lead to: ``(many, tiles)``.

    All of them for one swap, and for two on small boards. Else those one swap beside a path to
    the whole: what is farther off has two wrong places or more that nothing makes up for.
    """
    count, needed = len(lies), swaps_needed(lies)
    shown = np.array([lies])
    if needed == 1:
        before = shown
    elif needed == 2 and count <= FEW_TILES:
        before = swapped(shown, _pairs(count))
    else:
        before = swapped(np.arange(count)[None], np.array(_in_cycles(lies)))
    others = swapped(before, _pairs(count))
    return others[(others != np.arange(count)).any(axis=1)]


def swapped(arrangements: Any, pairs: Any) -> Any:
    """Each of the arrangements ``(n, tiles)`` with each of the pairs ``(m, 2)`` of places swapped:
    ``(n * m, tiles)``."""
    many = np.repeat(arrangements, len(pairs), axis=0)
    rows, (a, b) = np.arange(len(many)), np.tile(pairs, (len(arrangements), 1)).T
    many[rows, a], many[rows, b] = many[rows, b], many[rows, a]
    return many


@cache
def _pairs(count: int) -> Any:
    return np.array(list(combinations(range(count), 2)))


def _in_cycles(lies: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of places on one cycle: a swap of them is the last but one on a path to the whole."""
    found: list[tuple[int, int]] = []
    for a in range(len(lies)):
        b = lies[a]
        while b != a:
            found += [(a, b)] if a < b else []
            b = lies[b]
    return found
