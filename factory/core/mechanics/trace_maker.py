"""A gold of a trace taken apart and put together otherwise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from factory.core.actions import ActionBase, Click, Drag
from factory.core.errors import InvalidOptions
from factory.core.geometry import Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.trace_path import begun_at, clearance, distance_to

if TYPE_CHECKING:
    from factory.core.mechanics.trace import Trace

EDGE_CSS_PX = 0.05
"""How far from a bound "just inside" and "just outside" are."""


def parts_of_gold(trace: Trace, gold: Sequence[ActionBase]) -> tuple[list[Drag], list[Click]]:
    """The drags and the submit clicks of a gold; ``InvalidOptions`` for any other shape."""
    count, wanted = len(trace.bends) - 1, 0 if trace.submit is None else 1
    drags = [a for a in gold[:count] if isinstance(a, Drag)]
    clicks = [a for a in gold[count:] if isinstance(a, Click)]
    if len(drags) != count or len(clicks) != wanted or len(gold) != count + wanted:
        raise InvalidOptions(f"the gold of a trace is {count} Drags and its submit click: {gold}")
    return drags, clicks


def away(point: Point, toward: Point, distance: float) -> Point:
    """The point at a distance from another, in the direction of a third."""
    (x, y), length = point, math.dist(point, toward)
    share = distance / length
    return Point(x + share * (toward[0] - x), y + share * (toward[1] - y))


class Maker:
    """Builds changed golds of one trace: ``pen`` is the line that its drags draw."""

    def __init__(self, trace: Trace, gold: Sequence[ActionBase]) -> None:
        self.trace = trace
        self.drags, self.clicks = parts_of_gold(trace, gold)
        self.pen = [self.drags[0].start, *(drag.end for drag in self.drags)]
        # A closed path that is begun anywhere ends where it is begun.
        path = begun_at(trace.path, self.pen[0]) if trace.anywhere else trace.path
        self.end = path[-1]
        self.edge = min(EDGE_CSS_PX * trace.px_per_css, trace.tol_px / 4)

    def of(self, name: str, actions: Sequence[ActionBase], passes: bool) -> Perturbation:
        """The actions with the submit click after them."""
        return Perturbation(name, [*actions, *self.clicks], passes)

    def along(self, name: str, pen: Sequence[Point], passes: bool) -> Perturbation:
        """Drags along other points."""
        return self.of(name, [Drag(a, b) for a, b in itertools.pairwise(pen)], passes)

    def is_start(self, point: Point) -> bool:
        """Whether the point may be one that a line can begin at; wide of the mark, to be sure."""
        trace, slack = self.trace, self.edge / 2
        if trace.mode == "waypoints" and not trace.ordered:
            return not any(math.dist(dot, point) <= r for dot, r in trace.discs[len(trace.path) :])
        if trace.anywhere:
            return distance_to(trace.path, point) <= trace.tol_px + slack
        starts = (
            [trace.discs[0]] if trace.mode == "waypoints" else [(trace.path[0], trace.start_tol)]
        )
        if trace.direction == "free":
            last = len(trace.path) - 1
            radius = trace.end_tol if trace.mode == "waypoints" else trace.start_tol
            starts.append((trace.path[last], radius))
        return any(math.dist(spot, point) <= radius + slack for spot, radius in starts)

    def touches(self, pen: Sequence[Point]) -> bool:
        """Whether the line comes near to a zone that it has to avoid."""
        legs = list(itertools.pairwise(pen))
        return any(clearance(z, a, b) <= self.edge for z in self.trace.avoid for a, b in legs)
