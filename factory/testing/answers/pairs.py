"""The answers of pairs: pairs of items in their order, however they are picked.

``solutions`` gives tuples of pairs of item indices; where an arrangement is to be restored,
the tuple of labels that lie on the items in the end.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Point
from factory.core.mechanics.pairs import Pair, Pairs
from factory.core.rng import Stream
from factory.testing.answers.space import Anchor, AnswerSpace, Room, one_of, quadrant

SAMPLED = 200

Moves = tuple[Pair, ...]


class Space(AnswerSpace[Pairs, Moves]):
    """See the module. An arrangement stands for the swaps of the gold that lead to it."""

    def of(self, actions: Sequence[ActionBase]) -> Moves:
        ends: list[Point] = []
        for action in actions:
            if isinstance(action, Drag):
                ends += [action.start, action.end]
            elif isinstance(action, Click):
                ends.append(action.point)
        picked = [self.mechanic.item_at(point) for point in ends]
        items = [item for item in picked if item is not None and item >= 0]
        return tuple(zip(items[::2], items[1::2], strict=False))

    def at(self, answer: Moves) -> list[ActionBase]:
        zones, actions = self.mechanic.items, list[ActionBase]()
        for a, b in answer:
            ends = zones[a].center, zones[b].center
            actions += [Drag(*ends)] if self.mechanic.drag else [Click(end) for end in ends]
        submit = self.mechanic.submit
        return actions if submit is None else [*actions, Click(submit.center)]

    def of_solution(self, found: Sequence[Any]) -> Moves:
        if found and isinstance(found[0], int):
            reached = tuple(found) == self.mechanic.restored
            return tuple(self.mechanic.swaps()) if reached else ()
        return tuple((int(a), int(b)) for a, b in found)

    def same(self, answer: Moves, right: Moves) -> bool | None:
        mechanic = self.mechanic
        if mechanic.restored:
            most = mechanic.most_moves
            few = most is None or len(answer) <= most
            return few and self._labels(answer) == self._labels(right)
        if mechanic.pairs:
            used = [item for pair in answer for item in pair]
            once = len(set(used)) == len(used)
            return once and _loose(answer) == _loose(right)
        one, other = (
            moves if mechanic.directed else tuple((min(m), max(m)) for m in moves)
            for moves in (answer, right)
        )
        return one == other

    def _labels(self, moves: Moves) -> tuple[int, ...]:
        """What lies on the items after the swaps."""
        lies = list(self.mechanic.arrangement)
        for a, b in moves:
            lies[a], lies[b] = lies[b], lies[a]
        return tuple(lies)

    def candidates(self, stream: Stream, right: Sequence[Moves]) -> Iterator[Moves]:
        every = list(itertools.permutations(range(len(self.mechanic.items)), 2))
        for answer in right:
            yield from ((), answer[::-1], tuple((b, a) for a, b in answer))
            yield from ((*answer[:k], *answer[k + 1 :]) for k in range(len(answer)))
            near = stream.sample(every, min(len(every), SAMPLED))
            for pair in near:
                place = stream.integer(0, len(answer)) if answer else 0
                yield (*answer[:place], pair, *answer[place + 1 :])
                yield (*answer, pair)
        count = len(right[0]) if right else 1
        for _ in range(SAMPLED):
            items = stream.shuffled(range(len(self.mechanic.items)))
            pairs = tuple(zip(items[::2], items[1::2], strict=False))
            yield pairs[:count]
        if count == 1:
            yield from ((pair,) for pair in every)

    def chance(self, room: Room) -> float:
        items, rule = len(self.mechanic.items), self.mechanic
        every = math.comb(items, 2) * (2 if rule.directed else 1)
        if rule.pairs:
            used = 2 * len(rule.pairs)
            ways = math.perm(items, used) / (2 ** len(rule.pairs) * math.factorial(len(rule.pairs)))
            return 1.0 / max(1.0, ways)
        count = len(rule.moves[0]) if rule.moves else len(rule.swaps())
        return min(1.0, max(1, len(rule.moves)) * math.factorial(count) / every**count)

    def anchors(self) -> Sequence[Anchor]:
        submit = self.mechanic.submit
        right = sorted({item for pair in self.solved for item in pair})
        zones = [self.mechanic.items[item] for item in right]
        return [*zones, *([] if submit is None else [submit])]

    def carried(self, answer: Moves, other: Any) -> Moves | None:
        count = len(self.mechanic.items)
        return answer if all(max(pair) < count for pair in answer) else None

    def place(self, answer: Moves) -> Hashable:
        items = sorted({item for pair in answer for item in pair})
        return quadrant(self.mechanic.items[one_of(items)].center, self.slot) if items else None


def _loose(moves: Moves) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in moves}
