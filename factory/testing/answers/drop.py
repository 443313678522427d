"""The answers of a drop: where the centre of each required piece comes to lie.

``solutions`` gives, for each required piece in order, the name of a target or a place
``(x, y)`` in CSS px from the slot's corner; a single piece may stand without its tuple.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Point
from factory.core.mechanics.drop import Drop, Target
from factory.core.rng import Stream
from factory.testing.answers import taps
from factory.testing.answers.space import (
    LEAST_SPREAD,
    Anchor,
    AnswerSpace,
    Constant,
    Room,
    moved_over,
    quadrant,
    relative,
)

BORDER_PX = 0.5
NEAR_PX = 3.0
"""A place that ``solutions`` gives and a target's own point lie no farther apart."""

SWEPT = 240
MOST_ARRANGED = 5
"""Pieces of which all arrangements are tried."""

Spots = tuple[Point, ...]
"""A centre a required piece; canvas px."""


class Space(AnswerSpace[Drop, Spots]):
    """See the module."""

    def of(self, actions: Sequence[ActionBase]) -> Spots:
        drop = self.mechanic
        centers = {index: drop.pieces[index].home.center for index in drop.required}
        for action in actions:
            if isinstance(action, Drag):
                index = drop.piece_at(drop.start().shifts, *action.start)
                if index in centers:
                    x, y = drop.pieces[index].home.center
                    dx, dy = action.end[0] - action.start[0], action.end[1] - action.start[1]
                    shift = drop.clamped(index, dx, dy)
                    centers[index] = Point(x + shift[0], y + shift[1])
        return tuple(centers[index] for index in drop.required)

    def at(self, answer: Spots) -> list[ActionBase]:
        drop, actions = self.mechanic, list[ActionBase]()
        for index, spot in zip(drop.required, answer, strict=True):
            piece = drop.pieces[index]
            start = piece.home.center if piece.grab is None else piece.grab.center
            x, y = piece.home.center
            actions.append(Drag(start, Point(start.x + spot[0] - x, start.y + spot[1] - y)))
        return actions if drop.submit is None else [*actions, Click(drop.submit.center)]

    def of_solution(self, found: Any) -> Spots:
        single = isinstance(found, str) or (len(found) == 2 and isinstance(found[0], int | float))
        return tuple(self._spot(one) for one in ((found,) if single else found))

    def _spot(self, found: Any) -> Point:
        if isinstance(found, str):
            return self.mechanic.target_of[found].spot
        s = self.mechanic.px_per_css
        return Point(self.slot.x0 + s * found[0], self.slot.y0 + s * found[1])

    def same(self, answer: Spots, right: Spots) -> bool | None:
        """Whether each piece lies on the target at which the right answer lays it."""
        seen: list[bool | None] = []
        for index, spot, wanted in zip(self.mechanic.required, answer, right, strict=True):
            target = self._target_at(index, wanted)
            seen.append(False if target is None else self._lies(index, target, spot))
        if False in seen:
            return False
        return None if None in seen else True

    def _target_at(self, index: int, wanted: Point) -> Target | None:
        """The target of a piece that a place means."""
        near = [
            target
            for name in self.mechanic.pieces[index].targets
            for target in [self.mechanic.target_of[name]]
            if (target.zone.contains(wanted) if target.zone is not None
                else math.dist(wanted, target.spot) <= NEAR_PX)
        ]  # fmt: skip
        return near[0] if near else None

    def _lies(self, index: int, target: Target, spot: Point) -> bool | None:
        if target.zone is not None:
            depth = target.zone.depth(spot)
        else:
            depth = self.mechanic.tol_px(index) - math.dist(spot, target.spot)
        return None if abs(depth) <= BORDER_PX else depth > 0

    def candidates(self, stream: Stream, right: Sequence[Spots]) -> Iterator[Spots]:
        spots = [target.spot for target in self.mechanic.targets]
        count = len(self.mechanic.required)
        if count <= MOST_ARRANGED and len(spots) ** count <= 600:
            yield from itertools.product(spots, repeat=count)
        else:
            for _ in range(SWEPT):
                yield tuple(stream.choice(spots) for _ in range(count))
        for answer in right[: taps.MOST_SHOWN]:
            place = stream.integer(0, count)
            for point in taps.swept(self.slot, stream):
                if self._reachable(place, point):
                    yield (*answer[:place], point, *answer[place + 1 :])

    def _reachable(self, place: int, point: Point) -> bool:
        """Whether the piece stays where it is dropped: not clamped, and no zone is full."""
        drop, index = self.mechanic, self.mechanic.required[place]
        x, y = drop.pieces[index].home.center
        wanted = Point(point[0] - x, point[1] - y)
        moved = max(abs(wanted.x), abs(wanted.y)) >= 2.0 * drop.px_per_css
        return moved and math.dist(drop.clamped(index, *wanted), wanted) <= 1e-6

    def chance(self, room: Room) -> float:
        """Every piece on one of its targets, dropped anywhere that answers fall."""
        area, found = self.slot.width * self.slot.height, 1.0
        for index in self.mechanic.required:
            own = [self.mechanic.target_of[name] for name in self.mechanic.pieces[index].targets]
            size = sum(
                math.pi * self.mechanic.tol_px(index) ** 2 if t.zone is None else t.zone.area
                for t in own
            )
            found *= min(1.0, max(size / area / max(LEAST_SPREAD, room.reach), room.label_chance))
        return found

    def anchors(self) -> Sequence[Anchor]:
        drop = self.mechanic
        held = [drop.pieces[index] for index in drop.required]
        homes = [piece.home if piece.grab is None else piece.grab for piece in held]
        return [*homes, *([] if drop.submit is None else [drop.submit])]

    def carried(self, answer: Spots, other: Any) -> Spots | None:
        if len(answer) != len(self.mechanic.required):
            return None
        return tuple(moved_over(spot, other.slot, self.slot) for spot in answer)

    def place(self, answer: Spots) -> Hashable:
        return quadrant(answer[0], self.slot)

    def points_of(self, answer: Spots) -> list[Point]:
        """Where the pieces lie."""
        return list(answer)

    @classmethod
    def room(cls, spaces: Sequence[Any], label_chance: float) -> Room:
        """``reach`` is the share of the slot that the first pieces' places spread over."""
        places = [relative(space.solved[0], space.slot) for space in spaces]
        wide = max(p.x for p in places) - min(p.x for p in places)
        high = max(p.y for p in places) - min(p.y for p in places)
        zones = any(t.zone is not None for space in spaces for t in space.mechanic.targets)
        return Room(reach=min(1.0, wide * high), label_chance=label_chance if zones else 0.0)

    @classmethod
    def constants(cls, spaces: Sequence[Any]) -> list[Constant]:
        made = taps.constant_places(spaces)
        count = len(spaces[0].mechanic.required)
        return [_of_length(constant, count) for constant in made]


def _of_length(constant: Constant, count: int) -> Constant:
    """The constant where a draw has as many pieces; None elsewhere."""

    def answer(space: Any) -> Spots | None:
        spots = constant(space)
        return spots if len(spots) == len(space.mechanic.required) else None

    return answer
