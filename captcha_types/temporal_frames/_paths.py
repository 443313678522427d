"""Paths of straight legs: drawn at random, changed a little, compared; in heights of their area.

Points are ``(x, y)`` with y from 0 at the top to 1 and x from 0 to the area's width in heights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from factory.core.errors import Rejected
from factory.core.rng import Stream

Spot = tuple[float, float]
Path = tuple[Spot, ...]

MARGIN = 0.13
LEG = (0.36, 0.95)
LEAST_TURN_DEG, MOST_TURN_DEG = 38.0, 150.0
APART = 0.2
"""Between two corners of a path."""

TRIES = 40
SAMPLES = 14
"""Places, evenly along a path, that stand for it when paths are compared."""


def wander(stream: Stream, turns: int, width: float) -> Path:
    """A path with so many turns inside an area ``width`` heights wide."""
    for _ in range(TRIES):
        path: list[Spot] = [_somewhere(stream, width)]
        for _ in range(TRIES):
            step = _somewhere(stream, width)
            if fits((*path, step)):
                path.append(step)
            if len(path) == turns + 2:
                return tuple(path)
    raise Rejected("no path of so many turns", value=turns, limit=TRIES)


def _somewhere(stream: Stream, width: float) -> Spot:
    return (
        round(stream.uniform(MARGIN, width - MARGIN), 6),
        round(stream.uniform(MARGIN, 1.0 - MARGIN), 6),
    )


def inside(path: Sequence[Spot], width: float) -> bool:
    """Whether all corners keep off the edge of the area."""
    low = MARGIN - 1e-6
    return all(low <= x <= width - low and low <= y <= 1.0 - low for x, y in path)


def fits(path: Sequence[Spot]) -> bool:
    """Whether the legs have their lengths, the turns their angles, the corners their room."""
    legs = [math.dist(a, b) for a, b in pairwise(path)]
    if any(not LEG[0] <= leg <= LEG[1] for leg in legs):
        return False
    if any(not LEAST_TURN_DEG <= turn <= MOST_TURN_DEG for turn in turns_of(path)):
        return False
    return all(math.dist(path[i], path[j]) >= APART for i in range(len(path)) for j in range(i))


def turns_of(path: Sequence[Spot]) -> list[float]:
    """By how much a path turns at each inner corner, degrees from 0 to 180."""
    angles = [math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in pairwise(path)]
    return [abs(math.degrees((b - a + math.pi) % math.tau - math.pi)) for a, b in pairwise(angles)]


def stops(path: Path, count: int) -> Path:
    """``count`` places along a path, all corners among them, legs parted as evenly as may be."""
    parts = [1] * (len(path) - 1)
    legs = [math.dist(a, b) for a, b in pairwise(path)]
    for _ in range(count - len(path)):
        longest = max(range(len(legs)), key=lambda i: legs[i] / parts[i])
        parts[longest] += 1
    found = [path[0]]
    for (a, b), many in zip(pairwise(path), parts, strict=True):
        found += [_between(a, b, k / many) for k in range(1, many + 1)]
    return tuple(found)


def _between(a: Spot, b: Spot, share: float) -> Spot:
    return (round(a[0] + share * (b[0] - a[0]), 6), round(a[1] + share * (b[1] - a[1]), 6))


def evenly(path: Sequence[Spot], count: int = SAMPLES) -> Path:
    """Places at equal distances along a path, its ends among them."""
    legs = [math.dist(a, b) for a, b in pairwise(path)]
    pitch, found, at, gone = math.fsum(legs) / (count - 1), [path[0]], 0, 0.0
    for k in range(1, count - 1):
        while at < len(legs) - 1 and gone + legs[at] < k * pitch:
            gone += legs[at]
            at += 1
        share = (k * pitch - gone) / legs[at] if legs[at] else 0.0
        found.append(_between(path[at], path[at + 1], min(1.0, share)))
    return (*found, path[-1])


@lru_cache(maxsize=4096)
def frechet(first: Path, second: Path) -> float:
    """Discrete Frechet distance of two paths: the shortest leash for walking both forwards."""
    if first == second:
        return 0.0
    a, b = evenly(first), evenly(second)
    row: list[float] = []
    for i, p in enumerate(a):
        last, row = row, []
        for j, q in enumerate(b):
            far = math.dist(p, q)
            before = [last[j]] if i else []
            before += [row[j - 1]] if j else []
            before += [last[j - 1]] if i and j else []
            row.append(max(far, min(before)) if before else far)
    return round(row[-1], 6)


def changed(stream: Stream, path: Path, width: float, least: float) -> Path:
    """A path like another, ``least`` or more away from it; ``Rejected`` when none is found."""
    first = stream.weighted(("moved", "swapped", "mirrored", "back"), (0.62, 0.16, 0.14, 0.08))
    for attempt in range(2 * TRIES):
        kind = first if attempt < TRIES else stream.choice(("moved", "mirrored", "back"))
        other = _variant(stream, path, width, kind)
        if inside(other, width) and fits(other) and frechet(path, other) >= least:
            return other
    raise Rejected("no other path near enough", value=least, limit=TRIES)


def _variant(stream: Stream, path: Path, width: float, kind: str) -> Path:
    spots = list(path)
    if kind == "back":
        return tuple(spots[::-1])
    if kind == "mirrored":
        if stream.chance(0.5):
            return tuple((round(width - x, 6), y) for x, y in spots)
        return tuple((x, round(1.0 - y, 6)) for x, y in spots)
    at = stream.integer(1, len(spots))
    if kind == "swapped":
        other = at - 1
        spots[at], spots[other] = spots[other], spots[at]
        return tuple(spots)
    spots[at] = _somewhere(stream, width)
    return tuple(spots)


def passes(path: Path, places: Path) -> bool:
    """Whether a path of as many corners as the places allow goes through them in order."""
    corners = [p for p in places if p in path]
    return tuple(corners) == path and stops(path, len(places)) == places


def wrong_paths(
    stream: Stream, own: Path, width: float, least: float, tiles: int, right: Sequence[int]
) -> dict[int, Path]:
    """Paths of the other tiles: the first is repeated as often as the right one, or once more.

    Where one drawing is right none is repeated, or those that are would be wrong at a glance.
    """
    free = stream.shuffled([tile for tile in range(tiles) if tile not in right])
    twins = len(right) + (len(right) > 1 and stream.chance(0.5))
    first = changed(stream, own, width, least)
    found = dict.fromkeys(free[:twins], first)
    return found | {tile: changed(stream, own, width, least) for tile in free[twins:]}
