"""The answers of a stepper: where each dial stands in the end.

``solutions`` gives positions: an int for a single dial, a tuple for several.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.core.mechanics.stepper import Axis, Stepper
from factory.core.rng import Stream
from factory.testing.answers.space import AnswerSpace, Room, clicks_of

MOST_TRIED = 400
"""Combinations of several dials that are tried."""

Stand = tuple[int, ...]


class Space(AnswerSpace[Stepper, Stand]):
    """See the module."""

    exhaustive = True

    def of(self, actions: Sequence[ActionBase]) -> Stand:
        at = [axis.start for axis in self.mechanic.axes]
        for point in clicks_of(actions):
            for number, axis in enumerate(self.mechanic.axes):
                if axis.next.contains(point):
                    at[number] = axis.after(at[number], 1)
                elif axis.prev is not None and axis.prev.contains(point):
                    at[number] = axis.after(at[number], -1)
        return tuple(at)

    def at(self, answer: Stand) -> list[ActionBase]:
        taps: list[ActionBase] = []
        for axis, position in zip(self.mechanic.axes, answer, strict=True):
            taps += _taps(axis, position)
        submit = self.mechanic.submit
        return taps if submit is None else [*taps, Click(submit.center)]

    def of_solution(self, found: int | Sequence[int]) -> Stand:
        return tuple(found) if isinstance(found, Sequence) else (int(found),)

    def same(self, answer: Stand, right: Stand) -> bool | None:
        if answer != right:
            return False
        # Nobody answers by leaving everything as it is: without a tap nothing passes.
        return True if self.at(answer) else None

    def candidates(self, stream: Stream, right: Sequence[Stand]) -> Iterator[Stand]:
        axes = self.mechanic.axes
        ranges = [range(axis.count) for axis in axes]
        if math.prod(axis.count for axis in axes) <= MOST_TRIED:
            yield from itertools.product(*ranges)
            return
        for answer in right:
            for number, axis in enumerate(axes):
                for position in range(axis.count):
                    yield (*answer[:number], position, *answer[number + 1 :])
        for _ in range(MOST_TRIED // 2):
            yield tuple(stream.choice(positions) for positions in ranges)

    def chance(self, room: Room) -> float:
        # The start is never right, so one position less is left to choose from.
        axes = self.mechanic.axes
        places = math.prod(axis.count for axis in axes) - 1
        return min(1.0, math.prod(len(axis.targets) for axis in axes) / max(1, places))

    def anchors(self) -> Sequence[Box]:
        submit = self.mechanic.submit
        return [*self.mechanic.controls(), *([] if submit is None else [submit])]

    def carried(self, answer: Stand, other: Any) -> Stand | None:
        """As many steps from the start, for that is what would be clicked again."""
        if len(self.mechanic.axes) != len(other.mechanic.axes):
            return None
        pairs = zip(self.mechanic.axes, other.mechanic.axes, answer, strict=True)
        moved = [own.start + place - theirs.start for own, theirs, place in pairs]
        return tuple(
            place % axis.count if axis.wrap else min(max(place, 0), axis.count - 1)
            for place, axis in zip(moved, self.mechanic.axes, strict=True)
        )

    def place(self, answer: Stand) -> Hashable:
        axis = self.mechanic.axes[0]
        return min(3, (answer[0] - axis.start) % axis.count * 4 // axis.count)

    def facts(self, answer: Stand) -> Iterator[float]:
        """Positions and counts of dials, steps, and turns in degrees."""
        for axis, place in zip(self.mechanic.axes, answer, strict=True):
            steps = axis.shortest()[0]
            yield from (place, place + 1, axis.start, axis.start + 1, axis.count, steps)
            for unit in (axis.turn_deg_per_step, 360.0 / axis.count):
                yield from (abs(unit), abs(unit * steps), abs(unit * place))


def _taps(axis: Axis, position: int) -> Iterator[Click]:
    """Taps on one arrow that bring the dial to a position, spread over the arrow."""
    ahead, back = position - axis.start, axis.start - position
    if axis.wrap:
        ahead, back = ahead % axis.count, back % axis.count
    arrow, steps = axis.next, ahead
    if axis.prev is not None and (ahead < 0 or 0 <= back < ahead):
        arrow, steps = axis.prev, back
    for step in range(max(0, steps)):
        spot = arrow.center
        yield Click(spot._replace(x=spot.x + (step % 3 - 1) * arrow.width / 8))
