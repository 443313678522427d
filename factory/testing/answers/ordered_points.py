"""The answers of ordered points: a sequence of zones or of places.

``solutions`` gives tuples of indices into ``(*mechanic.targets, *mechanic.others)``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from factory.core.actions import ActionBase
from factory.core.geometry import Point
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream
from factory.testing.answers import taps
from factory.testing.answers.space import (
    Anchor,
    AnswerSpace,
    Constant,
    Room,
    clicks_of,
    moved_over,
    quadrant,
)
from factory.testing.answers.taps import Item

Items = tuple[Item, ...]


class Space(AnswerSpace[OrderedPoints, Items]):
    """See the module."""

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Targets in their order, then the others."""
        return (*self.mechanic.targets, *self.mechanic.others)

    def points_of(self, answer: Items) -> list[Point]:
        """Where an answer taps."""
        return [taps.point_of(item, self.zones) for item in answer]

    def of(self, actions: Sequence[ActionBase]) -> Items:
        points = clicks_of(actions)
        return tuple(points[:-1] if self.mechanic.submit is not None else points)

    def at(self, answer: Items) -> list[ActionBase]:
        sent = taps.send(self.gold, self.mechanic.submit)
        return [*taps.clicks(answer, self.zones), *sent]

    def of_solution(self, found: Sequence[int]) -> Items:
        return tuple(int(index) for index in found)

    def same(self, answer: Items, right: Items) -> bool | None:
        if len(answer) != len(right):
            return False
        return joined(
            taps.hit(item, int(place), self.zones, self.mechanic.grow_px)  # type: ignore[arg-type]
            for item, place in zip(answer, right, strict=True)
        )

    def candidates(self, stream: Stream, right: Sequence[Items]) -> Iterator[Items]:
        for answer in right:
            rest = [index for index in range(len(self.zones)) if index not in answer]
            yield from taps.orders(answer, stream)
            yield from taps.replaced(answer, rest)
            yield from (answer[:-1], (*answer, answer[-1]), *((*answer, item) for item in rest))
            place = stream.integer(0, len(answer))
            for point in taps.swept(self.mechanic.area, stream):
                yield (*answer[:place], point, *answer[place + 1 :])
        count = len(self.mechanic.targets)
        for _ in range(taps.SAMPLED):
            yield tuple(stream.sample(range(len(self.zones)), count))

    def chance(self, room: Room) -> float:
        found, items = 1.0, len(self.zones)
        for place, zone in enumerate(self.mechanic.targets):
            grow = self.mechanic.grow_px
            found *= taps.zone_chance(zone, grow, self.slot, room.centers, items - place)
        return found

    def anchors(self) -> Sequence[Anchor]:
        submit = self.mechanic.submit
        return (*self.mechanic.targets, *(() if submit is None else (submit,)))

    def carried(self, answer: Items, other: Any) -> Items:
        return tuple(moved_over(p, other.slot, self.slot) for p in other.points_of(answer))

    def place(self, answer: Items) -> Hashable:
        return quadrant(self.points_of(answer)[0], self.slot)

    @classmethod
    def room(cls, spaces: Sequence[Any], label_chance: float) -> Room:
        return Room(
            centers=taps.item_centers(spaces, lambda space: space.zones), label_chance=label_chance
        )

    @classmethod
    def constants(cls, spaces: Sequence[Any]) -> list[Constant]:
        return taps.constant_places(spaces)


def joined(found: Iterator[bool | None]) -> bool | None:
    """All of them: False when one is, None when one is on a border, True otherwise."""
    seen = list(found)
    if False in seen:
        return False
    return None if None in seen else True
