"""The answers of a timed point: taps with their places and times.

``solutions`` gives one right sequence of ``(x, y, t_ms)``, in CSS px from the slot's corner;
a single tap may stand without its tuple.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from factory.core.actions import ActionBase, Click, Wait
from factory.core.geometry import Box, Point
from factory.core.mechanics.events import CLICK_MS
from factory.core.mechanics.timed_point import TimedPoint
from factory.core.rng import Stream
from factory.testing.answers import taps
from factory.testing.answers.space import AnswerSpace, Room, moved_over, quadrant

BORDER_PX = 0.5


class Hit(NamedTuple):
    """A tap at a place and time of the virtual clock."""

    point: Point
    t_ms: float


Hits = tuple[Hit, ...]


class Space(AnswerSpace[TimedPoint, Hits]):
    """See the module."""

    def of(self, actions: Sequence[ActionBase]) -> Hits:
        clicks = [action for action in actions if isinstance(action, Click)]
        own = clicks[: self.mechanic.count]
        return tuple(Hit(click.point, click.t_ms or 0.0) for click in own)

    def at(self, answer: Hits) -> list[ActionBase]:
        actions, now = list[ActionBase](), 0.0
        for point, t_ms in answer:
            if t_ms > now:
                actions.append(Wait(duration_ms=round(t_ms - now, 3)))
            actions.append(Click(point, t_ms=t_ms if t_ms else None))
            now = t_ms + CLICK_MS
        submit = self.mechanic.submit
        return actions if submit is None else [*actions, Click(submit.center)]

    def of_solution(self, found: Sequence[Any]) -> Hits:
        several = not isinstance(found[0], int | float)
        s, slot = self.mechanic.px_per_css, self.slot
        return tuple(
            Hit(Point(slot.x0 + s * one[0], slot.y0 + s * one[1]), one[2] if len(one) > 2 else 0.0)
            for one in (found if several else (found,))
        )

    def same(self, answer: Hits, right: Hits) -> bool | None:
        """Told apart by place at one and the same times; other times are not judged here."""
        if len(answer) != len(right):
            return False
        seen: list[bool | None] = []
        for own, wanted in zip(answer, right, strict=True):
            spot = self.mechanic.course.at(wanted.t_ms)
            depth = self.mechanic.reach_px - math.dist(own.point, spot)
            known = own.t_ms == wanted.t_ms or self.mechanic.still
            seen.append(depth > 0 if known and abs(depth) > BORDER_PX else None)
        if False in seen:
            return False
        return None if None in seen else True

    def candidates(self, stream: Stream, right: Sequence[Hits]) -> Iterator[Hits]:
        for answer in right:
            place = stream.integer(0, len(answer))
            for point in taps.swept(self.slot, stream):
                yield (*answer[:place], Hit(point, answer[place].t_ms), *answer[place + 1 :])
            yield answer[:-1]

    def chance(self, room: Room) -> float:
        area = self.slot.width * self.slot.height
        one = min(1.0, 4.0 * math.pi * self.mechanic.reach_px**2 / area)
        return one**self.mechanic.count

    def anchors(self) -> Sequence[Box]:
        mechanic = self.mechanic
        still = (mechanic.swept_box(),) if mechanic.still else ()
        return still if mechanic.submit is None else (*still, mechanic.submit)

    def carried(self, answer: Hits, other: Any) -> Hits:
        return tuple(Hit(moved_over(p, other.slot, self.slot), t) for p, t in answer)

    def place(self, answer: Hits) -> Hashable:
        return quadrant(answer[0].point, self.slot)

    def facts(self, answer: Hits) -> Iterator[float]:
        for _, t_ms in answer:
            yield from (t_ms, t_ms / 1000, t_ms / 100)
