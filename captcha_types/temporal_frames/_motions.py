"""Balls that move by a law from frame to frame: made backwards from where they come next, and
continued from what is seen. CSS px of their arena."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from factory.core.geometry import Box
from factory.core.rng import Stream

Spot = tuple[float, float]
Law = Literal["line", "bounce", "circle", "fall", "zigzag"]
LAWS: tuple[Law, ...] = ("line", "bounce", "circle", "fall", "zigzag")

FIT_CSS = 1.0
"""A law explains places that its own are this near to: rounding is far less."""

NEARLY_CSS = 6.0
"""Places off by no more may be taken for those of a law, where frames are small."""

AGREE_CSS = 3.0
"""So far the laws that explain the same places may disagree in the next."""

TRIES = 40

ARC_DEG = (26.0, 46.0)
"""Between two places on a circle: six of them are a third of it or more."""


def unrolled(law: Law, seen: Sequence[Spot], room: Box, count: int) -> list[Spot]:
    """``count`` places by a law that begins as the places seen do.

    ``room`` is where the middle of a ball can be; it bounces at the edges.
    """
    (x, y), first = seen[0], _step(seen, 0)
    steps = _steps(law, first, _step(seen, 1))
    found = [(x, y)]
    for _ in range(count - 1):
        dx, dy = next(steps)
        x, y = x + dx, y + dy
        found.append((_folded(x, room.x0, room.x1), _folded(y, room.y0, room.y1))
                     if law == "bounce" else (x, y))  # fmt: skip
    return found


def _step(seen: Sequence[Spot], at: int) -> Spot:
    return seen[at + 1][0] - seen[at][0], seen[at + 1][1] - seen[at][1]


def _steps(law: Law, first: Spot, second: Spot) -> Iterator[Spot]:
    """All steps of a law whose first two are given."""
    more = (second[0] - first[0], second[1] - first[1])
    turn = math.atan2(second[1], second[0]) - math.atan2(first[1], first[0])
    (dx, dy), k = first, 0
    while True:
        yield dx, dy
        k += 1
        if law == "fall":
            dx, dy = dx + more[0], dy + more[1]
        elif law == "zigzag":
            dx, dy = second if k % 2 else first
        elif law == "circle":
            dx, dy = _turned((dx, dy), turn)


def _turned(step: Spot, turn_rad: float) -> Spot:
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    return c * step[0] - s * step[1], s * step[0] + c * step[1]


def _folded(value: float, low: float, high: float) -> float:
    """A coordinate that runs back and forth between two edges."""
    there = (value - low) % (2 * (high - low))
    return low + min(there, 2 * (high - low) - there)


def nexts(seen: Sequence[Spot], room: Box, fit: float = FIT_CSS) -> dict[Law, Spot]:
    """Where a ball comes next, by every law that explains what is seen of it to within ``fit``.

    That it bounces has to be seen: a ball that has not goes on straight.
    """
    found: dict[Law, Spot] = {}
    for law in LAWS:
        if law == "bounce" and "line" in found:
            continue
        *places, place = unrolled(law, seen, room, len(seen) + 1)
        if all(math.dist(a, b) <= fit for a, b in zip(places, seen, strict=True)):
            found[law] = place
    return found


def disagreement(seen: Sequence[Spot], place: Spot, room: Box) -> float:
    """How far from a next place the laws put it that explain what is seen, or nearly do."""
    return max((math.dist(place, at) for at in nexts(seen, room, NEARLY_CSS).values()), default=0.0)


def made(
    stream: Stream, law: Law, last: Spot, count: int, stride: tuple[float, float], room: Box
) -> list[Spot] | None:
    """``count`` places by a law of which ``last`` is the last, all in ``room``; None where
    no try had them all there. Steps are as long as ``stride`` says."""
    for _ in range(TRIES):
        found = _backwards(stream, law, last, count, stream.uniform(*stride), room)
        spots = [(round(x, 6), round(y, 6)) for x, y in found]
        steps = [math.dist(a, b) for a, b in pairwise(spots)]
        inside = all(room.x0 <= x <= room.x1 and room.y0 <= y <= room.y1 for x, y in spots)
        if not inside or min(steps) < 0.8 * stride[0] or law not in nexts(spots[:-1], room):
            continue
        if disagreement(spots[:-1], spots[-1], room) <= AGREE_CSS:
            return spots
    return None


def _backwards(
    stream: Stream, law: Law, last: Spot, count: int, stride: float, room: Box
) -> list[Spot]:
    """Places of a law, run from the last to the first and turned about."""
    way = stream.uniform(0.0, math.tau)
    first = (stride * math.cos(way), stride * math.sin(way))
    if law == "circle":
        turn = math.radians(stream.choice((-1, 1)) * stream.uniform(*ARC_DEG))
        second = _turned(first, turn)
    elif law == "zigzag":
        turn = math.radians(stream.choice((-1, 1)) * stream.uniform(50.0, 110.0))
        longer = stream.uniform(0.8, 1.4)
        second = _turned((longer * first[0], longer * first[1]), turn)
    elif law == "fall":
        pull = stride * stream.uniform(0.22, 0.4)
        second = (first[0], first[1] + pull)
    else:
        second = first
    begun = [last, (last[0] + first[0], last[1] + first[1])]
    begun.append((begun[1][0] + second[0], begun[1][1] + second[1]))
    return unrolled(law, begun, room, count)[::-1]
