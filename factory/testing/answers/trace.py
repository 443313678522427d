"""The answers of a trace: the line that the pen draws, as its corners.

``solutions`` gives, for dots, tuples of indices into ``(*mechanic.path, *mechanic.extras)``;
for a path to follow, its corners ``(x, y)`` in CSS px from the slot's corner.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
import shapely

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Box, Point
from factory.core.mechanics.trace import Trace
from factory.core.rng import Stream
from factory.testing.answers.space import AnswerSpace, Room, moved_over, quadrant

ALL_ORDERS = 5
"""Dots of which all orders are tried."""

SAMPLED = 100
BESIDE = 2.0
"""A line shifted by so many tolerances is no longer on the path."""

Line = tuple[Point, ...]


class Space(AnswerSpace[Trace, Line]):
    """See the module."""

    def of(self, actions: Sequence[ActionBase]) -> Line:
        drags = [action for action in actions if isinstance(action, Drag)]
        return (drags[0].start, *(drag.end for drag in drags))

    def at(self, answer: Line) -> list[ActionBase]:
        submit = self.mechanic.submit
        drags = [Drag(a, b) for a, b in itertools.pairwise(answer)]
        return [*drags, *([] if submit is None else [Click(submit.center)])]

    def of_solution(self, found: Sequence[Any]) -> Line:
        dots = (*self.mechanic.path, *self.mechanic.extras)
        s, slot = self.mechanic.px_per_css, self.slot
        return tuple(
            dots[one] if isinstance(one, int)
            else Point(slot.x0 + s * one[0], slot.y0 + s * one[1])
            for one in found
        )  # fmt: skip

    def same(self, answer: Line, right: Line) -> bool | None:
        """True for the line itself, False for one that misses it; None where that is unsure."""
        if answer in self._ways(right):
            return True
        if self.mechanic.mode == "waypoints":
            # On the way from dot to dot a line may pass others: only whole orders are told apart.
            return self._dots_missed(answer, right)
        reach = BESIDE * self.mechanic.tol_px
        far = shapely.distance(_dense(answer), shapely.LineString(right)).max()
        short = math.dist(answer[-1], right[-1]) > reach and self.mechanic.direction == "fixed"
        return False if far > reach or short else None

    def _ways(self, right: Line) -> list[Line]:
        return [right] if self.mechanic.direction == "fixed" else [right, right[::-1]]

    def _dots_missed(self, answer: Line, right: Line) -> bool | None:
        """False when a dot of the right line is not passed at all; None otherwise."""
        far = shapely.distance(shapely.points(right), shapely.LineString(answer)).max()
        return False if far > self.mechanic.tol_px + 2.0 else None

    def candidates(self, stream: Stream, right: Sequence[Line]) -> Iterator[Line]:
        for line in right:
            yield line
            yield from (line[:-1], line[1:]) if len(line) > 2 else ()
            reach = 2 * BESIDE * self.mechanic.tol_px
            for dx, dy in ((reach, 0), (-reach, 0), (0, reach), (0, -reach)):
                yield tuple(Point(x + dx, y + dy) for x, y in line)
            for place in range(len(line)):
                for extra in self.mechanic.extras:
                    yield (*line[:place], extra, *line[place + 1 :])
            orders = itertools.islice(itertools.permutations(line), math.factorial(ALL_ORDERS))
            yield from orders if len(line) <= ALL_ORDERS else ()
        for _ in range(SAMPLED):
            count = len(self.mechanic.path) if self.mechanic.mode == "waypoints" else 3
            yield tuple(
                Point(
                    stream.uniform(self.slot.x0, self.slot.x1),
                    stream.uniform(self.slot.y0, self.slot.y1),
                )
                for _ in range(max(2, count))
            )

    def chance(self, room: Room) -> float:
        """Both ends near the right ones; the way between them counts as given."""
        ends = (self.mechanic.start_tol, self.mechanic.end_tol)
        area = self.slot.width * self.slot.height
        found = math.prod(min(1.0, 4.0 * math.pi * r * r / area) for r in ends)
        return min(1.0, 2.0 * found)

    def anchors(self) -> Sequence[Box]:
        submit = self.mechanic.submit
        return () if submit is None else (submit,)

    def carried(self, answer: Line, other: Any) -> Line:
        return tuple(moved_over(point, other.slot, self.slot) for point in answer)

    def place(self, answer: Line) -> Hashable:
        return quadrant(answer[0], self.slot)


def _dense(line: Sequence[Point]) -> Any:
    """Points along a line, at most a px or a hundredth of each leg apart, as geometries."""
    found = [np.array(line[:1])]
    for a, b in itertools.pairwise(np.array(line)):
        steps = max(1, min(100, math.ceil(math.dist(a, b))))
        found.append(a + (b - a) * np.arange(1, steps + 1)[:, None] / steps)
    return shapely.points(np.concatenate(found))
