"""The answers of a hold: how long the button is held, ms; ``solutions`` gives one right time."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import msgspec

from factory.core.actions import HOLD_MS, ActionBase, LongPress
from factory.core.errors import InvalidOptions
from factory.core.mechanics.hold import Hold
from factory.core.rng import Stream
from factory.testing.answers.space import LEAST_SPREAD, Anchor, AnswerSpace, Constant, Room

STEP_MS = 50.0
"""Times that are tried lie so far apart."""

BORDER_MS = 1.0

LONGEST_MS = 12_000.0
"""Times up to here are tried, and up to twice what is needed."""


class Space(AnswerSpace[Hold, float]):
    """See the module."""

    def of(self, actions: Sequence[ActionBase]) -> float:
        press = actions[0]
        if not isinstance(press, LongPress):
            raise InvalidOptions(f"the answer of a hold begins with a LongPress, not with {press}")
        return HOLD_MS if press.duration_ms is None else press.duration_ms

    def at(self, answer: float) -> list[ActionBase]:
        held = msgspec.structs.replace(self.gold[0], duration_ms=answer)
        return [held, *self.gold[1:]]

    def of_solution(self, found: float) -> float:
        return float(found)

    def same(self, answer: float, right: float) -> bool | None:
        """Whether it lies in the window of the right time: the need and its slack about it."""
        low, high = self.mechanic.need_ms, self.mechanic.need_ms + self.mechanic.slack_ms
        if min(abs(answer - low), abs(answer - high)) <= BORDER_MS:
            return None
        return low < answer < high and low - BORDER_MS <= right <= high + BORDER_MS

    def candidates(self, stream: Stream, right: Sequence[float]) -> Iterator[float]:
        longest = max(LONGEST_MS, 2 * (self.mechanic.need_ms + self.mechanic.slack_ms))
        for step in range(1, round(longest / STEP_MS)):
            yield step * STEP_MS

    def chance(self, room: Room) -> float:
        return min(1.0, max(room.label_chance, self.mechanic.slack_ms * room.reach))

    def anchors(self) -> Sequence[Anchor]:
        submit = self.mechanic.submit
        return (self.mechanic.zone, *(() if submit is None else (submit,)))

    def facts(self, answer: float) -> Iterator[float]:
        yield from (self.mechanic.need_ms, self.mechanic.need_ms / 1000, answer, answer / 1000)

    def place(self, answer: float) -> Hashable:
        return None

    @classmethod
    def room(cls, spaces: Sequence[Any], label_chance: float) -> Room:
        """``reach`` is the chance of a window of 1 ms in the span of the times that are needed."""
        needs = [space.mechanic.need_ms for space in spaces]
        span = max(max(needs) - min(needs), LEAST_SPREAD * max(needs))
        return Room(reach=1.0 / span, label_chance=0.0)

    @classmethod
    def constants(cls, spaces: Sequence[Any]) -> list[Constant]:
        longest = max(space.mechanic.need_ms + space.mechanic.slack_ms for space in spaces)
        times = [step * longest / 24 for step in range(1, 25)]
        return [(lambda space, time=time: time) for time in times]
