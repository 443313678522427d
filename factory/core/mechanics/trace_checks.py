"""A trace by arithmetic: golds that survive the grid, predicted verdicts, parity.

Nothing here runs the state machine. Where no simple argument decides what a changed gold is
worth on this path, it is left out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from factory.core import actions as act
from factory.core.actions import ActionBase
from factory.core.geometry import GRID, Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.taps import box_survives
from factory.core.mechanics.trace_dots import dots_perturbations
from factory.core.mechanics.trace_follow import follow_perturbations
from factory.core.mechanics.trace_maker import Maker, parts_of_gold
from factory.core.mechanics.trace_path import (
    Way,
    begun_at,
    clearance,
    distance_to,
    follows,
)
from factory.core.mechanics.trace_rules import JOIN_CSS_PX
from factory.core.mechanics.trace_strays import ends, stray_perturbations

if TYPE_CHECKING:
    from factory.core.mechanics.trace import Trace

PARITY_PX = 15.0
"""Open CaptchaWorld: distance of a click from its target, canvas px, the strictest in use."""
FAR_UNITS, NEAR_UNITS = 1.5, 0.5
"""How far a point may be off after the grid against the middle of its cell, in units: all the
ways to read a cell lie within half a unit of it, and one unit is to spare on one axis."""


def grid_shift_px(width: float, height: float) -> float:
    """How far from the middle of its cell any point may be read, a unit to spare, px."""
    x, y = width / GRID, height / GRID
    return max(math.hypot(FAR_UNITS * x, NEAR_UNITS * y), math.hypot(NEAR_UNITS * x, FAR_UNITS * y))


def trace_grid_safe(trace: Trace, gold: Sequence[ActionBase], width: float, height: float) -> bool:
    """Whether the gold passes in all readings of the grid with one unit to spare on each end.

    Decided by the line through the middles of the cells with all tolerances tightened by what
    the grid may shift a point, which is a little stricter than trying them all.
    """
    drags, clicks = parts_of_gold(trace, gold)
    read = [act.from_grid(act.to_grid(drag, width, height), width, height) for drag in drags]
    pen = [point for drag in read for point in (drag.start, drag.end)]
    shift, legs = grid_shift_px(width, height), list(itertools.pairwise(pen))
    submit = trace.submit
    return (
        2 * shift < JOIN_CSS_PX * trace.px_per_css
        and all(submit and box_survives(submit, c.point, width, height) for c in clicks)
        and all(clearance(zone, *leg) > shift for zone in trace.avoid for leg in legs)
        and (_dots_safe if trace.mode == "waypoints" else _follow_safe)(trace, pen, shift)
    )


def _follow_safe(trace: Trace, pen: Sequence[Point], shift: float) -> bool:
    """Whether a line that is off by ``shift`` everywhere still follows the path."""
    way = Way.of(begun_at(trace.path, pen[0])) if trace.anywhere else trace.ways[0]
    ends_shift = 2 * shift if trace.anywhere else shift  # there the ends move with the pen
    tols = (trace.tol_px - shift, trace.start_tol - ends_shift, trace.end_tol - ends_shift)
    return min(tols) > 0 and follows(way, pen, *tols)


def _dots_safe(trace: Trace, pen: Sequence[Point], shift: float) -> bool:
    """Whether a line that is off by ``shift`` everywhere passes these dots and no others."""
    (dot, radius), corners = trace.discs[0], [pen[0], *pen[1::2]]
    if math.dist(dot, corners[0]) > radius - shift:
        return False
    for k, leg in enumerate(itertools.pairwise(corners)):
        dot, radius = trace.discs[k + 1]
        wrong = trace.discs[k + 2 :] if trace.ordered else trace.discs[len(trace.path) :]
        if math.dist(dot, leg[1]) > radius - shift:
            return False
        if any(distance_to(leg, other) <= r + shift for other, r in wrong):
            return False
    return True


def trace_quick_perturbations(trace: Trace, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample."""
    m = Maker(trace, gold)
    return [Perturbation("nothing", [], False), *ends(m)]


def trace_perturbations(trace: Trace, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """Every changed gold whose verdict can be predicted."""
    m = Maker(trace, gold)
    own = dots_perturbations if trace.mode == "waypoints" else follow_perturbations
    return [*trace_quick_perturbations(trace, gold), *stray_perturbations(m), *own(m)]


def trace_parity(
    trace: Trace, gold: Sequence[ActionBase], width: float, height: float
) -> dict[str, bool]:
    """Whether the gold that went through the grid ends within 15 px of the end."""
    drags, _ = parts_of_gold(trace, gold)
    read = act.from_grid(act.to_grid(drags[-1], width, height), width, height)
    return {"fifteen_px": math.dist(read.end, trace.path[-1]) <= PARITY_PX}
