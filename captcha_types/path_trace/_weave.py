"""Strands woven over a lattice: from column to column each keeps its lane or swaps with the next.

A strand is a smooth curve through the nodes that it passes; a node has one place and one
direction whoever passes it, so strands meet only where two of them swap, and cross there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.rng import Stream

HANDLE = 0.38
"""Length of a curve's handles, by the distance of the columns."""

SHUFFLES = 80
"""Orders of steps tried for a walk that has to stay on the lanes."""

JITTER = 0.1
"""How far a node strays from its place on the lattice, by the distance of columns or lanes."""

SAMPLES = 8
"""Places on a curve at which its distance is measured, and one."""

Piece = tuple[Point, Point, Point, Point]
"""A cubic curve: its start, two handles, its end."""


@dataclass(frozen=True)
class Weave:
    """``nodes[column][lane]`` in CSS px; ``swaps[column]``: lanes that swap with the next lane
    on the way to the next column. JSON-able."""

    nodes: tuple[tuple[tuple[float, float], ...], ...]
    swaps: tuple[tuple[int, ...], ...]

    @property
    def lanes(self) -> int:
        """How many strands there are."""
        return len(self.nodes[0])

    def lane_after(self, column: int, lane: int) -> int:
        """The lane in the next column of who is on a lane."""
        here = self.swaps[column]
        return lane + 1 if lane in here else lane - 1 if lane - 1 in here else lane

    def walk(self, lane: int) -> list[int]:
        """The lanes, column by column, of who starts on one."""
        lanes = [lane]
        for column in range(len(self.swaps)):
            lanes.append(self.lane_after(column, lanes[-1]))
        return lanes

    def ends(self) -> list[Point]:
        """Where strands end, by lane there."""
        return [Point(*node) for node in self.nodes[-1]]


def way_of_lanes(stream: Stream, start: int, end: int, lanes: int, columns: int) -> list[int]:
    """Lanes column by column from ``start`` to ``end``, with detours where there is time."""
    need = abs(end - start)
    spare = (columns - need) // 2
    detours = stream.integer(min(1, spare), spare + 1)
    step = 1 if end > start else -1
    steps = [step] * need + [1, -1] * detours
    steps += [0] * (columns - len(steps))
    for _ in range(SHUFFLES):
        walk = [start]
        for move in stream.shuffled(steps):
            walk.append(walk[-1] + move)
        if min(walk) >= 0 and max(walk) < lanes:
            return walk
    raise Rejected("no way between the lanes", value=start, limit=end)


def swaps_around(
    stream: Stream, walk: Sequence[int], lanes: int, chance: float
) -> tuple[tuple[int, ...], ...]:
    """Swaps by which one strand takes its walk; lanes that it leaves alone swap by chance.

    On the way from the first column and to the last nothing swaps.
    """
    found: list[tuple[int, ...]] = []
    for here, there in pairwise(walk):
        taken = {here, there}
        swaps = [min(here, there)] if here != there else []
        for lane in stream.shuffled(range(lanes - 1)):
            if not {lane, lane + 1} & taken and stream.chance(chance):
                swaps.append(lane)
                taken |= {lane, lane + 1}
        found.append(tuple(sorted(swaps)))
    return ((), *found, ())


def lattice(
    stream: Stream, area: Box, lanes: int, columns: int, pitch: float, *, down: bool
) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Nodes of lanes that run across the area (or down it), either way, gently bent."""
    length, room = (area.height, area.width) if down else (area.width, area.height)
    bend = min(0.1 * room, (room - pitch * (lanes - 1)) / 2)
    free = room - pitch * (lanes - 1) - 2 * bend
    first = bend + stream.uniform(0.0, max(0.0, free))
    step, phase = length / columns, stream.uniform(0.0, 2.0 * math.pi)
    waves, mirrored = stream.uniform(0.6, 1.3), stream.chance(0.5)
    nodes: list[tuple[tuple[float, float], ...]] = []
    for column in range(columns + 1):
        row: list[tuple[float, float]] = []
        for lane in range(lanes):
            inner = 0 < column < columns
            off = stream.uniform(-JITTER, JITTER) if inner else 0.0
            along = column * step + off * step
            if column == columns:
                along -= stream.uniform(0.0, 0.6) * step
            sway = bend * math.sin(phase + 2.0 * math.pi * waves * along / length)
            across = first + lane * pitch + sway + inner * stream.uniform(-JITTER, JITTER) * pitch
            along = length - along if mirrored else along
            across = min(max(across, 0.0), room)
            x, y = (across, along) if down else (along, across)
            row.append((round(area.x0 + x, 6), round(area.y0 + y, 6)))
        nodes.append(tuple(row))
    return tuple(nodes)


def _toward(weave: Weave, column: int, lane: int) -> tuple[float, float]:
    """Direction of a node, times the handle: along its lane, from the column before to the next."""
    last = len(weave.nodes) - 1
    a = weave.nodes[max(0, column - 1)][lane]
    b = weave.nodes[min(last, column + 1)][lane]
    share = HANDLE if column in (0, last) else HANDLE / 2
    return share * (b[0] - a[0]), share * (b[1] - a[1])


@lru_cache(maxsize=64)
def pieces(weave: Weave) -> tuple[tuple[Piece, ...], ...]:
    """Curves from column to column, by the lane that they begin on. Remembered."""
    found: list[tuple[Piece, ...]] = []
    for column in range(len(weave.swaps)):
        row: list[Piece] = []
        for lane in range(weave.lanes):
            to = weave.lane_after(column, lane)
            a, b = Point(*weave.nodes[column][lane]), Point(*weave.nodes[column + 1][to])
            u, v = _toward(weave, column, lane), _toward(weave, column + 1, to)
            row.append((a, Point(a.x + u[0], a.y + u[1]), Point(b.x - v[0], b.y - v[1]), b))
        found.append(tuple(row))
    return tuple(found)


def at(piece: Piece, t: float) -> Point:
    """The point of a curve at a parameter from 0 to 1."""
    a, b, c, d = piece
    s = 1.0 - t
    wa, wb, wc, wd = s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t
    return Point(
        wa * a.x + wb * b.x + wc * c.x + wd * d.x, wa * a.y + wb * b.y + wc * c.y + wd * d.y
    )


def crossing_deg(one: Piece, other: Piece) -> float:
    """The acute angle at which two curves that swap lanes cross, about their middles."""
    turns: list[float] = []
    for piece in (one, other):
        a, b = at(piece, 0.38), at(piece, 0.62)
        turns.append(math.degrees(math.atan2(b.y - a.y, b.x - a.x)))
    apart = abs(turns[0] - turns[1]) % 180.0
    return min(apart, 180.0 - apart)


def least_crossing_deg(weave: Weave) -> float:
    """The most acute of all crossings; 90 where nothing crosses."""
    found = [
        crossing_deg(row[lane], row[lane + 1])
        for row, swaps in zip(pieces(weave), weave.swaps, strict=True)
        for lane in swaps
    ]
    return min(found, default=90.0)


def least_spacing(weave: Weave) -> float:
    """The least distance of two nodes of a column, CSS px."""
    return min(math.dist(a, b) for row in weave.nodes for a, b in combinations(row, 2))


def clearance(weave: Weave, lane: int) -> float:
    """How far the end on a lane is from all strands but its own, CSS px."""
    end, rows = Point(*weave.nodes[-1][lane]), pieces(weave)[-2:]
    last = next(piece for piece in rows[-1] if piece[3] == end)
    others = [piece for piece in (*rows[0], *rows[-1]) if piece[3] not in (end, last[0])]
    return min(
        math.dist(end, at(piece, t / SAMPLES)) for piece in others for t in range(SAMPLES + 1)
    )
