"""Maps of stops and lines between them: made with a wanted number of routes, and counted."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream

JITTER = 0.17
"""How far a stop strays from its place on the lattice, by the distance of two."""

DROPPED, OPEN = 0.12, 0.62
"""Shares of lines that are left out, and of those that may be used before routes are counted."""

SHARE_APART = 0.5
CHANGES, PATIENCE = 160, 40
"""Lines opened and closed at most to come to a number of routes, and before all begins anew."""

MANY = 24
"""Routes are not counted any further."""

EDGE_CSS, LEAST_EDGE_CSS = 19.0, 18.0
LEAST_APART_CSS, LEAST_CLEAR_CSS, LEAST_FORK_DEG = 26.0, 14.0, 20.0

Link = tuple[int, int]
"""Two stops, the smaller number first."""


@dataclass(frozen=True)
class Net:
    """``stops`` in CSS px; ``links`` join two of them and have a colour's index each. JSON-able."""

    stops: tuple[tuple[float, float], ...]
    links: tuple[Link, ...]
    colours: tuple[int, ...]

    def usable(self, allowed: Collection[int]) -> list[Link]:
        """The links of allowed colours."""
        return [
            link for link, colour in zip(self.links, self.colours, strict=True) if colour in allowed
        ]


def routes(links: Sequence[Link], start: int, end: int) -> int:
    """Ways from start to end that pass no stop twice, by trying all; ``MANY`` at most."""
    beside: dict[int, list[int]] = defaultdict(list)
    for a, b in links:
        beside[a].append(b)
        beside[b].append(a)
    found, open_ends = 0, [(start, 1 << start)]
    while open_ends and found < MANY:
        stop, passed = open_ends.pop()
        for other in beside[stop]:
            if other == end:
                found += 1
            elif not passed >> other & 1:
                open_ends.append((other, passed | 1 << other))
    return min(found, MANY)


def routes_by_sets(links: Sequence[Link], start: int, end: int) -> int:
    """The same by how many ways lead to a stop over a set of stops, set by set."""
    ways: Counter[tuple[int, frozenset[int]]] = Counter({(start, frozenset({start})): 1})
    total = 0
    while ways:
        longer: Counter[tuple[int, frozenset[int]]] = Counter()
        for (stop, passed), count in ways.items():
            for link in links:
                other = link[1] if stop == link[0] else link[0] if stop == link[1] else stop
                if other == end:
                    total += count
                elif other not in passed:
                    longer[(other, passed | {other})] += count
        ways = longer
    return total


def lattice(stream: Stream, area: Box, rows: int, columns: int) -> tuple[tuple[float, float], ...]:
    """Stops along the rows of a lattice that fills an area, each a little off its place."""
    wide, tall = area.width / (columns - 1), area.height / (rows - 1)

    def near(value: float, step: float, low: float, high: float) -> float:
        return round(min(max(value + stream.uniform(-JITTER, JITTER) * step, low), high), 6)

    return tuple(
        (near(area.x0 + c * wide, wide, area.x0, area.x1),
         near(area.y0 + r * tall, tall, area.y0, area.y1))
        for r in range(rows)
        for c in range(columns)
    )  # fmt: skip


def far_ends(stream: Stream, stops: Sequence[tuple[float, float]], width: float) -> tuple[int, int]:
    """Two stops that lie ``SHARE_APART`` of the picture's width apart or more."""
    pairs = [
        (a, b)
        for a in range(len(stops))
        for b in range(len(stops))
        if abs(stops[a][0] - stops[b][0]) >= SHARE_APART * width
    ]
    return stream.choice(pairs)


def neighbours(stream: Stream, rows: int, columns: int) -> list[Link]:
    """Links between neighbours on the lattice, and across each of its meshes once or not."""
    found: list[Link] = []
    for r in range(rows):
        for c in range(columns):
            here = r * columns + c
            if c + 1 < columns:
                found.append((here, here + 1))
            if r + 1 < rows:
                found.append((here, here + columns))
            if c + 1 < columns and r + 1 < rows and stream.chance(0.65):
                across = (here, here + columns + 1), (here + 1, here + columns)
                found.append(stream.choice(across))
    kept = [link for link in found if not stream.chance(DROPPED)]
    joined = {stop for link in kept for stop in link}
    return [link for link in found if link in kept or not joined.issuperset(link)]


def opened(stream: Stream, links: Sequence[Link], start: int, end: int, wanted: int) -> list[bool]:
    """Which links may be used so that so many routes lead from start to end."""
    free: list[bool] = []

    def off() -> int:
        used = [link for link, on in zip(links, free, strict=True) if on]
        return abs(routes(used, start, end) - wanted)

    now = 0
    for change in range(CHANGES):
        if change % PATIENCE == 0:
            free = [stream.chance(OPEN) for _ in links]
            now = off()
        if not now:
            return free
        at = stream.integer(0, len(links))
        free[at] = not free[at]
        then = off()
        if then <= now:
            now = then
        else:
            free[at] = not free[at]
    raise Rejected("no such number of routes", value=now, limit=0)


def least_clear(net: Net) -> float:
    """How near a link passes to a stop that it does not join, CSS px."""
    return min(
        _distance(net.stops[k], net.stops[a], net.stops[b])
        for a, b in net.links
        for k in range(len(net.stops))
        if k not in (a, b)
    )


def crossed(net: Net) -> bool:
    """Whether two links cross."""
    ends = [(net.stops[a], net.stops[b]) for a, b in net.links]
    return any(
        not set(net.links[i]) & set(net.links[j])
        and _side(*ends[i], ends[j][0]) != _side(*ends[i], ends[j][1])
        and _side(*ends[j], ends[i][0]) != _side(*ends[j], ends[i][1])
        for i, j in combinations(range(len(ends)), 2)
    )


def least_fork_deg(net: Net) -> float:
    """The least angle between two links at a stop."""
    least = 180.0
    for stop, (x, y) in enumerate(net.stops):
        turns = sorted(
            math.degrees(math.atan2(net.stops[o][1] - y, net.stops[o][0] - x))
            for link in net.links if stop in link
            for o in link if o != stop
        )  # fmt: skip
        if len(turns) > 1:
            gaps = [b - a for a, b in zip(turns, [*turns[1:], turns[0] + 360.0], strict=True)]
            least = min(least, *gaps)
    return least


def _side(a: tuple[float, float], b: tuple[float, float], p: tuple[float, float]) -> bool:
    return (b[0] - a[0]) * (p[1] - a[1]) > (b[1] - a[1]) * (p[0] - a[0])


def _distance(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    """Of a point from a segment."""
    ux, uy = b[0] - a[0], b[1] - a[1]
    share = ((p[0] - a[0]) * ux + (p[1] - a[1]) * uy) / (ux * ux + uy * uy)
    share = min(1.0, max(0.0, share))
    return math.dist(p, (a[0] + share * ux, a[1] + share * uy))


def refuse_net(net: Net, size: tuple[float, float]) -> None:
    """``Rejected`` where a map cannot be read without doubt."""
    room = Box(0, 0, *size).grown(-LEAST_EDGE_CSS)
    if not all(room.holds(Box(x, y, x, y)) for x, y in net.stops):
        raise Rejected("a stop leaves the picture")
    apart = min(math.dist(a, b) for a, b in combinations(net.stops, 2))
    if apart < LEAST_APART_CSS:
        raise Rejected("stops too near each other", value=apart, limit=LEAST_APART_CSS)
    if crossed(net):
        raise Rejected("lines cross")
    clear = least_clear(net)
    if clear < LEAST_CLEAR_CSS:
        raise Rejected("a line passes a stop", value=clear, limit=LEAST_CLEAR_CSS)
    fork = least_fork_deg(net)
    if fork < LEAST_FORK_DEG:
        raise Rejected("lines fork too acutely", value=fork, limit=LEAST_FORK_DEG)


def reason_against(net: Net, size: tuple[float, float]) -> str:
    """Why a map is refused; empty where it is not."""
    try:
        refuse_net(net, size)
    except Rejected as refused:
        return refused.reason
    return ""


def bad_nets(net: Net, size: tuple[float, float]) -> Iterator[tuple[str, Net]]:
    """Maps that are refused for each reason that a moved stop or two can bring about."""
    found: dict[str, Net] = {}
    for stops in _moves(net):
        moved = replace(net, stops=stops)
        found.setdefault(reason_against(moved, size), moved)
    yield from ((reason, moved) for reason, moved in found.items() if reason)


def _moves(net: Net) -> Iterator[tuple[tuple[float, float], ...]]:
    """Stops with one put elsewhere, or with two exchanged."""
    stops, count = net.stops, len(net.stops)
    x, y = stops[0]
    spots: list[tuple[float, float]] = [(0.0, 0.0), (x + 1.0, y + 1.0)]
    for a, b in net.links:
        (x0, y0), (x1, y1) = stops[a], stops[b]
        spots += [((x0 + x1) / 2 + off, (y0 + y1) / 2 + off) for off in (-4.0, 4.0, -17.0, 17.0)]
    for k in range(1, count):
        yield from ((*stops[:k], spot, *stops[k + 1 :]) for spot in spots)
        yield (stops[k], *stops[1:k], stops[0], *stops[k + 1 :])
