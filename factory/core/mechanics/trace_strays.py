"""Changed golds that follow and waypoints have in common."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from factory.core.actions import Click, Drag, Swipe
from factory.core.geometry import Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.trace_maker import Maker, away
from factory.core.mechanics.trace_path import between, distance_to
from factory.core.mechanics.trace_rules import JOIN_CSS_PX

if TYPE_CHECKING:
    from factory.core.mechanics.trace import Trace


def ends(m: Maker) -> Iterator[Perturbation]:
    """A line that begins just off the start, one without its first and one without its last leg."""
    trace, pen = m.trace, m.pen
    begin = away(trace.path[0], pen[1], -_start_radius(trace) - m.edge)
    if not m.is_start(begin):
        yield m.along("start_off", [begin, *pen[1:]], False)
    if len(pen) > 2:
        if not m.is_start(pen[1]):
            yield m.along("dropped_first", pen[1:], False)
        if _is_short(m, pen[:-1]):
            yield m.along("dropped_last", pen[:-1], False)


def _start_radius(trace: Trace) -> float:
    """How far from the start one may begin at most."""
    return trace.tol_px if trace.anywhere else trace.start_tol


def _is_short(m: Maker, pen: Sequence[Point]) -> bool:
    """Whether the line is not complete because it stops, or for dots stays, clear of the end."""
    end, room = m.end, m.trace.end_tol + m.edge / 2
    if m.trace.mode == "waypoints":
        return distance_to(pen, end) > room
    return math.dist(pen[-1], end) > room


def stray_perturbations(m: Maker) -> Iterator[Perturbation]:
    """Clicks too many, strokes that do not join, the same in more strokes, and the button."""
    drags, pen = m.drags, m.pen
    halves = [p for a, b in itertools.pairwise(pen) for p in (a, between(a, b, 0.5))]
    yield m.of("added_click", [*drags, Click(pen[-1])], False)
    yield m.of("added_click_first", [Click(pen[0]), *drags], False)
    yield m.of("clicks_only", [Click(point) for point in pen], False)
    yield m.of("swipes", [Swipe(drag.start, drag.end) for drag in drags], True)
    if min(math.dist(a, b) for a, b in itertools.pairwise(halves)) > 2 * m.trace.px_per_css:
        yield m.along("more_strokes", [*halves, pen[-1]], True)
    yield from _gaps(m)
    if m.clicks:
        yield Perturbation("dropped_submit", list(drags), False)
        yield Perturbation("submit_only", list(m.clicks), False)
        yield Perturbation("repeated_all", [*drags, *m.clicks, *drags, *m.clicks], False)


def _gaps(m: Maker) -> Iterator[Perturbation]:
    """A stroke that begins a little too far from where the last one ended; one left out."""
    drags, join = m.drags, JOIN_CSS_PX * m.trace.px_per_css
    submit = m.trace.submit
    for k in range(1, len(drags)):
        start = away(drags[k].start, drags[k].end, join + m.edge)
        if submit is None or not submit.contains(start):
            gap = [*drags[:k], Drag(start, drags[k].end), *drags[k + 1 :]]
            yield m.of(f"gap_{k}", gap, False)
        after = drags[k + 1].start if k + 1 < len(drags) else None
        if after is not None and math.dist(drags[k].start, after) > join + m.edge:
            yield m.of(f"dropped_{k}", [*drags[:k], *drags[k + 1 :]], False)
