"""The answers of stages: one answer a stage; ``solutions`` gives tuples of what each stage's
own ``solutions`` would give."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

from factory.core.actions import ActionBase
from factory.core.mechanics.stage_checks import joined, split
from factory.core.mechanics.stages import Stages
from factory.core.rng import Stream
from factory.testing.answers.space import Anchor, AnswerSpace, Room

MOST_OF_STAGE = 300
"""Answers of each stage that are tried with the others right."""

Whole = tuple[Any, ...]


class Space(AnswerSpace[Stages, Whole]):
    """See the module."""

    @cached_property
    def parts(self) -> list[AnswerSpace[Any, Any]]:
        """The answers of each stage."""
        from factory.testing.answers import answers  # which finds this module

        golds = split(self.mechanic, self.gold)
        return [
            answers(part, gold, self.slot)
            for part, gold in zip(self.mechanic.parts, golds, strict=True)
        ]

    def of(self, actions: Sequence[ActionBase]) -> Whole:
        golds = split(self.mechanic, actions)
        return tuple(part.of(gold) for part, gold in zip(self.parts, golds, strict=True))

    def at(self, answer: Whole) -> list[ActionBase]:
        return joined([part.at(own) for part, own in zip(self.parts, answer, strict=True)])

    def of_solution(self, found: Sequence[Any]) -> Whole:
        return tuple(part.of_solution(one) for part, one in zip(self.parts, found, strict=True))

    def same(self, answer: Whole, right: Whole) -> bool | None:
        seen = [
            part.same(own, one) for part, own, one in zip(self.parts, answer, right, strict=True)
        ]
        if False in seen:
            return False
        return None if None in seen else True

    def candidates(self, stream: Stream, right: Sequence[Whole]) -> Iterator[Whole]:
        for whole in right[:1]:
            for place, part in enumerate(self.parts):
                own = part.candidates(stream, [one[place] for one in right])
                for other in itertools.islice(own, MOST_OF_STAGE):
                    yield (*whole[:place], other, *whole[place + 1 :])

    def chance(self, room: Room) -> float:
        rooms = room.by_kinds[_kinds(self)]
        return math.prod(part.chance(own) for part, own in zip(self.parts, rooms, strict=True))

    @classmethod
    def room(cls, spaces: Sequence[Any], label_chance: float) -> Room:
        """The rooms of the stages, for each sequence of mechanics that draws have."""
        alike: dict[tuple[type, ...], list[Any]] = {}
        for space in spaces:
            alike.setdefault(_kinds(space), []).append(space.parts)
        by_kinds = {
            kinds: tuple(
                type(column[0]).room(column, label_chance) for column in zip(*members, strict=True)
            )
            for kinds, members in alike.items()
        }
        return Room(label_chance=label_chance, by_kinds=by_kinds)

    def anchors(self) -> Sequence[Anchor]:
        return [anchor for part in self.parts for anchor in part.anchors()]

    def carried(self, answer: Whole, other: Any) -> Whole | None:
        if [type(part) for part in self.parts] != [type(part) for part in other.parts]:
            return None
        both = zip(self.parts, other.parts, answer, strict=True)
        moved = tuple(part.carried(one, theirs) for part, theirs, one in both)
        return None if None in moved else moved

    def place(self, answer: Whole) -> Hashable:
        return self.parts[0].place(answer[0])

    def facts(self, answer: Whole) -> Iterator[float]:
        for part, own in zip(self.parts, answer, strict=True):
            yield from part.facts(own)

    def lengths(self) -> Iterator[float]:
        for part in self.parts:
            yield from part.lengths()


def _kinds(space: Space) -> tuple[type, ...]:
    """What the stages of a draw are."""
    return tuple(type(part) for part in space.parts)
