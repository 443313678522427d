"""The answers of a choice: the index of an option, which is what ``solutions`` gives."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.core.mechanics.choice import Choice
from factory.core.rng import Stream
from factory.testing.answers.space import AnswerSpace, Room, clicks_of


class Space(AnswerSpace[Choice, int]):
    """See the module."""

    exhaustive = True

    def of(self, actions: Sequence[ActionBase]) -> int:
        point = clicks_of(actions)[0]
        return next(n for n, box in enumerate(self.mechanic.options) if box.contains(point))

    def at(self, answer: int) -> list[ActionBase]:
        submit = self.mechanic.submit
        sent = [] if submit is None else [Click(submit.center)]
        return [Click(self.mechanic.options[answer].center), *sent]

    def of_solution(self, found: int | Sequence[int]) -> int:
        return int(found[0] if isinstance(found, Sequence) else found)

    def same(self, answer: int, right: int) -> bool:
        return answer == right

    def candidates(self, stream: Stream, right: Sequence[int]) -> Iterator[int]:
        yield from range(len(self.mechanic.options))

    def chance(self, room: Room) -> float:
        return len(self.mechanic.answer) / len(self.mechanic.options)

    def anchors(self) -> Sequence[Box]:
        submit = self.mechanic.submit
        right = [self.mechanic.options[index] for index in self.mechanic.answer]
        return [*right, *([] if submit is None else [submit])]

    def carried(self, answer: int, other: Any) -> int | None:
        return answer if answer < len(self.mechanic.options) else None

    def place(self, answer: int) -> Hashable:
        return answer

    def facts(self, answer: int) -> Iterator[float]:
        yield from (answer + 1, len(self.mechanic.options))
