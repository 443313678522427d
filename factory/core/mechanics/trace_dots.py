"""Changed golds of a trace through dots, with verdicts by which dots a line comes near."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from factory.core.geometry import Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.trace_maker import Maker, away
from factory.core.mechanics.trace_path import distance_to


def dots_perturbations(m: Maker) -> Iterator[Perturbation]:
    """Every changed gold whose verdict the distances from the dots predict."""
    trace, pen = m.trace, m.pen
    if not trace.ordered or trace.direction == "free":
        yield m.along("reversed", pen[::-1], True)
    elif not m.is_start(pen[-1]):
        yield m.along("reversed", pen[::-1], False)
    yield m.along("went_back", [*pen, pen[-2]], True)  # passes the dots of the last leg again
    yield from _exchanged(m)
    yield from _stops(m)
    first = len(trace.path)
    for k, (dot, _) in enumerate(trace.discs[first:]):
        yield m.along(f"extra_{k}", [pen[0], dot, *pen[1:]], False)
    for k, zone in enumerate(trace.avoid):
        yield m.along(f"touched_{k}", [pen[0], zone.center, *pen[1:]], False)


def _misses(m: Maker, pen: Sequence[Point], discs: Sequence[tuple[Point, float]]) -> bool:
    """Whether the line stays clear of all these dots."""
    legs = list(itertools.pairwise(pen))
    return all(distance_to(leg, dot) > r + m.edge / 2 for leg in legs for dot, r in discs)


def _exchanged(m: Maker) -> Iterator[Perturbation]:
    """Two inner dots in the other order."""
    trace, pen = m.trace, m.pen
    if len(pen) < 4:
        return
    other = [pen[0], pen[2], pen[1], *pen[3:]]
    if trace.ordered:
        if _misses(m, other[:2], [trace.discs[1]]):
            yield m.along("exchanged", other, False)
    elif _misses(m, other, trace.discs[len(trace.path) :]) and not m.touches(other):
        yield m.along("exchanged", other, True)


def _stops(m: Maker) -> Iterator[Perturbation]:
    """The last stroke stopped just inside and just outside the last dot."""
    dot, radius = m.trace.discs[len(m.trace.path) - 1]
    before = m.pen[-2]
    if math.dist(before, dot) <= radius + 2 * m.edge:
        return
    others = m.trace.discs[len(m.trace.path) :]
    for name, off in (("inside", radius - m.edge), ("outside", radius + m.edge)):
        pen = [*m.pen[:-1], away(dot, before, off)]
        if name == "outside" and _misses(m, pen, [(dot, radius)]):
            yield m.along("outside_end", pen, False)
        if name == "inside" and _misses(m, pen[-2:], others) and not m.touches(pen):
            yield m.along("inside_end", pen, True)
