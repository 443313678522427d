"""The numbers of tracing, and which traces are refused."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from factory.core.errors import InvalidOptions
from factory.core.mechanics.taps import refuse_bad_boxes
from factory.core.mechanics.trace_path import clearance, distance_to

if TYPE_CHECKING:
    from factory.core.mechanics.trace import Trace

END_CSS_PX, END_SHARE = 15.0, 0.03
"""A path ends within the larger of these, the share being one of the canvas diagonal
(the house's tolerance table)."""
FOLLOW_JITTER = 0.05
"""How far gold is from the path, as a share of the half width and on each axis."""
GOLD_SLACK, LEAST_GOLD_SLACK = 0.3, 0.1
"""How far gold's straight lines may cut the path's bends, as shares of the half width."""
GRID_CSS_PX = 6.0
"""What the grid needs of a half width: three units, which are 1.92 px on the widest canvas."""
JOIN_CSS_PX = 12.0
"""A stroke that begins this near to the last one's end goes on from there: half the smallest
target that people are asked to hit (24 px)."""
MIN_STROKE_CSS_PX = 1.0
"""A press that moves less than this is a click, not a stroke."""
CLEAR_SHARE = 1.25
"""Gold passes wrong dots at no less than this share of their radius."""
CLEAR_TOL = 0.5
"""Gold passes the zones to avoid at no less than this share of the tolerance."""


def end_tolerance_px(diagonal_px: float, px_per_css: float) -> float:
    """How far from the end of a path is near enough, px of the frame of the diagonal."""
    return max(END_CSS_PX * px_per_css, END_SHARE * diagonal_px)


def slack_of_gold(trace: Trace) -> float:
    """How far gold may cut the bends, px: little in a corridor that the grid nearly fills."""
    spare = trace.tol_px - GRID_CSS_PX * trace.px_per_css
    return min(GOLD_SLACK * trace.tol_px, max(LEAST_GOLD_SLACK * trace.tol_px, spare))


def refuse_impossible(trace: Trace) -> None:
    """``InvalidOptions`` for a trace that a click would solve, or that cannot be drawn."""
    lengths = (trace.tol_px, trace.start_tol, trace.end_tol, trace.px_per_css)
    if not all(math.isfinite(n) and n > 0 for n in lengths):
        raise InvalidOptions(f"a trace needs finite, positive tolerances, not {lengths}")
    points = (*trace.path, *trace.extras)
    if len(trace.path) < 2 or not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        raise InvalidOptions(f"a path needs two finite points or more: {points}")
    if any(a == b for a, b in itertools.pairwise(trace.path)):
        raise InvalidOptions(f"a path names no point twice in a row: {trace.path}")
    refuse_bad_boxes([] if trace.submit is None else [trace.submit])
    if trace.mode == "follow":
        _refuse_follow(trace)
    else:
        _refuse_waypoints(trace)
    _refuse_touching(trace)


def _refuse_follow(trace: Trace) -> None:
    """A path no longer than its ends are wide, or options that only dots have."""
    if trace.extras or not trace.ordered:
        raise InvalidOptions("extras and free order belong to waypoints")
    if trace.anywhere and not trace.closed:
        raise InvalidOptions("only a closed path can be begun anywhere")
    room = trace.start_tol + trace.end_tol + 2 * trace.tol_px
    if trace.ways[0].arcs[-1] <= room:
        raise InvalidOptions(f"this path is no longer than its tolerances, {room:.4g} px")


def _refuse_waypoints(trace: Trace) -> None:
    """Dots that overlap, or that gold would pass out of order."""
    if trace.anywhere:
        raise InvalidOptions("begin anywhere belongs to follow")
    for (a, r), (b, s) in itertools.combinations(trace.discs, 2):
        if math.dist(a, b) <= r + s:
            raise InvalidOptions(f"two dots overlap: {a} and {b}")
    count = len(trace.path)
    there, extras = trace.discs[:count], trace.discs[count:]
    for dots in (there, there[::-1]) if trace.direction == "free" else (there,):
        for k, ((a, _), (b, _)) in enumerate(itertools.pairwise(dots)):
            wrong = (*dots[k + 2 :], *extras) if trace.ordered else extras
            for dot, radius in wrong:
                if distance_to((a, b), dot) < CLEAR_SHARE * radius:
                    raise InvalidOptions(f"the line from {a} to {b} passes the dot {dot}")


def _refuse_touching(trace: Trace) -> None:
    """Zones to avoid that lie on the path."""
    for zone in trace.avoid:
        for a, b in itertools.pairwise(trace.path):
            if clearance(zone, a, b) < CLEAR_TOL * trace.tol_px:
                raise InvalidOptions(f"the path touches a zone to avoid: {zone}")
    if trace.submit is not None:
        for a, b in itertools.pairwise(trace.path):
            if any(trace.submit.contains(p) for p in (a, b)):
                raise InvalidOptions("the path touches the submit button")
