"""Changed golds of a trace that follows a path, with verdicts by plane geometry.

Three arguments decide: a line passes no point that is farther than the tolerance from the
path, nor leaves out a point of the path that is farther than the tolerance from the line;
and along one straight leg of the path the distance of two linear motions is convex.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from factory.core.geometry import Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.trace_maker import Maker, away
from factory.core.mechanics.trace_path import between, distance_to

WIDE = 4.0
"""A closed path that goes this many tolerances away from its start cannot be lingered on."""


def follow_perturbations(m: Maker) -> Iterator[Perturbation]:
    """Every changed gold whose verdict those arguments predict."""
    yield from _directions(m)
    yield from _stops(m)
    for k in range(len(m.drags)):
        yield from _detours(m, k)
    yield from _touching(m)


def _directions(m: Maker) -> Iterator[Perturbation]:
    """The line drawn backwards, with its strokes exchanged, straight to the end, or twice."""
    trace, pen = m.trace, m.pen
    if trace.direction == "free":
        yield m.along("reversed", pen[::-1], True)
    elif not m.is_start(pen[-1]):
        yield m.along("reversed", pen[::-1], False)
    if len(m.drags) > 1 and not m.is_start(pen[1]):
        yield m.of("exchanged", [m.drags[1], m.drags[0], *m.drags[2:]], False)
    chord = (pen[0], pen[-1])
    if not trace.closed and any(distance_to(chord, p) > trace.tol_px + m.edge for p in trace.path):
        yield m.along("shortcut", chord, False)
    far = max(math.dist(pen[-1], p) for p in trace.path)
    if trace.direction == "fixed" and far > WIDE * (trace.tol_px + trace.end_tol):
        yield m.of("repeated", [*m.drags, *m.drags], False)


def _stops(m: Maker) -> Iterator[Perturbation]:
    """The last stroke stopped just before and just inside the end's tolerance."""
    trace, (a, b) = m.trace, (m.pen[-2], m.pen[-1])
    end, room = m.end, trace.end_tol
    if math.dist(a, b) <= 2 * room:
        return
    short = away(b, a, room + math.dist(b, end) + m.edge)
    if math.dist(short, end) > room + m.edge / 2:
        yield m.along("stopped_short", [*m.pen[:-1], short], False)
    if trace.bends[-1] - trace.bends[-2] == 1:
        length = math.dist(trace.path[-2], end)
        share = 1.0 - 0.5 * room / length  # of the path's leg, and of the pen's that goes with it
        near = between(a, b, share)
        if math.dist(near, end) < room - m.edge:
            yield m.along("stopped_near", [*m.pen[:-1], near], True)


def _detours(m: Maker, k: int) -> Iterator[Perturbation]:
    """A stroke that swings out to just inside and just outside the corridor."""
    trace = m.trace
    i, j = trace.bends[k], trace.bends[k + 1]
    a, b = trace.path[(i + j - 1) // 2], trace.path[(i + j + 1) // 2]  # the leg in the middle
    middle, length = between(a, b, 0.5), math.dist(a, b)
    for sign in (1, -1):
        across = Point(-sign * (b[1] - a[1]) / length, sign * (b[0] - a[0]) / length)
        for name, off in (("inside", trace.tol_px - m.edge), ("outside", trace.tol_px + m.edge)):
            spot = Point(middle.x + off * across.x, middle.y + off * across.y)
            pen = [*m.pen[: k + 1], spot, *m.pen[k + 1 :]]
            if name == "inside" and j - i == 1 and not m.touches(pen):
                yield m.along(f"inside_{sign}_{k}", pen, True)
            if name == "outside" and distance_to(trace.path, spot) > trace.tol_px + m.edge / 2:
                yield m.along(f"outside_{sign}_{k}", pen, False)


def _touching(m: Maker) -> Iterator[Perturbation]:
    """A swing into each zone to avoid."""
    for k, zone in enumerate(m.trace.avoid):
        yield m.along(f"touched_{k}", [m.pen[0], zone.center, *m.pen[1:]], False)
