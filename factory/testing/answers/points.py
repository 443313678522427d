"""The answers of points in any order: zones or places, of which the order does not count.

``solutions`` gives tuples of indices into ``(*mechanic.targets, *mechanic.others)``, in any
order: all targets, or every subset that is accepted.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from factory.core.actions import ActionBase
from factory.core.geometry import Point
from factory.core.mechanics.points import Points
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
    one_of,
    quadrant,
)
from factory.testing.answers.taps import Item

Items = tuple[Item, ...]


class Space(AnswerSpace[Points, Items]):
    """See the module."""

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Targets, then the others."""
        return (*self.mechanic.targets, *self.mechanic.others)

    def points_of(self, answer: Items) -> list[Point]:
        """Where an answer taps; targets with holes where the gold hits them."""
        return [self._spot(item) for item in answer]

    def _spot(self, item: Item) -> Point:
        if isinstance(item, int) and self.mechanic.exclude:
            taken = [p for p in self.solved if isinstance(p, Point)]
            own = [p for p in taken if self.zones[item].contains(p, self.mechanic.grow_px)]
            if own:
                return own[0]
        return taps.point_of(item, self.zones)

    def of(self, actions: Sequence[ActionBase]) -> Items:
        points = clicks_of(actions)
        return tuple(points[:-1] if self.mechanic.submit is not None else points)

    def at(self, answer: Items) -> list[ActionBase]:
        sent = taps.send(self.gold, self.mechanic.submit)
        return [*taps.clicks(self.points_of(answer), ()), *sent]

    def of_solution(self, found: Sequence[int]) -> Items:
        return tuple(sorted(int(index) for index in found))

    def same(self, answer: Items, right: Items) -> bool | None:
        if len(answer) != len(right):
            return False
        if self.mechanic.exclude and any(isinstance(item, Point) for item in answer):
            holes = [zone for zone in self.mechanic.exclude for p in self.points_of(answer)
                     if zone.depth(p) > -taps.BORDER_PX]  # fmt: skip
            if holes:
                return None
        return taps.matched(answer, [int(k) for k in right], self.zones, self.mechanic.grow_px)  # type: ignore[arg-type]

    def candidates(self, stream: Stream, right: Sequence[Items]) -> Iterator[Items]:
        counts = {len(answer) for answer in right}
        for answer in right[: taps.MOST_SHOWN]:
            rest = [index for index in range(len(self.zones)) if index not in answer]
            yield tuple(stream.shuffled(answer))
            yield from taps.replaced(answer, rest)
            yield from (answer[:-1], (*answer, answer[-1]), *((*answer, item) for item in rest))
            place = stream.integer(0, len(answer))
            for point in taps.swept(self.mechanic.area, stream):
                yield (*answer[:place], point, *answer[place + 1 :])
        for _ in range(taps.SAMPLED if counts else 0):
            count = stream.choice(sorted(counts))
            if count <= len(self.zones):
                yield tuple(stream.sample(range(len(self.zones)), count))

    def chance(self, room: Room) -> float:
        count = min(self.mechanic.counts())
        items, grow = len(self.zones), self.mechanic.grow_px
        found = [
            taps.zone_chance(zone, grow, self.slot, room.centers, items - place)
            for place, zone in enumerate(self.mechanic.targets)
        ]
        best = math.prod(sorted(found, reverse=True)[:count])
        several = len(self.mechanic.accepted) or math.comb(len(self.mechanic.targets), count)
        return min(1.0, best * math.factorial(count) * several)

    def blind(self) -> float:
        counts = self.mechanic.counts()
        return 1.0 / math.comb(len(self.zones), min(counts)) if len(counts) == 1 else 0.0

    def anchors(self) -> Sequence[Anchor]:
        submit = self.mechanic.submit
        return (*self.mechanic.targets, *(() if submit is None else (submit,)))

    def carried(self, answer: Items, other: Any) -> Items:
        return tuple(moved_over(p, other.slot, self.slot) for p in other.points_of(answer))

    def place(self, answer: Items) -> Hashable:
        return quadrant(one_of(self.points_of(answer)), self.slot)

    @classmethod
    def room(cls, spaces: Sequence[Any], label_chance: float) -> Room:
        return Room(
            centers=taps.item_centers(spaces, lambda space: space.zones), label_chance=label_chance
        )

    @classmethod
    def constants(cls, spaces: Sequence[Any]) -> list[Constant]:
        return taps.constant_places(spaces)
