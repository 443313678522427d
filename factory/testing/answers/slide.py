"""A slide's answers: the share of its travel that the drag covers, from 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from factory.core.actions import ActionBase, Drag
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics.slide import Slide
from factory.core.rng import Stream
from factory.testing.answers.space import LEAST_SPREAD, AnswerSpace, Constant, Room
from factory.testing.statistics import percentile

STEPS_PER_CSS = 4
"""Places on the line that tell all right answers apart: four a CSS px."""

TRIED = 48
"""Constant answers along the line, as shares and as lengths."""

PLACES = 4
"""Parts of the line that a probe may try to tell apart."""


class Space(AnswerSpace[Slide, float]):
    """See the module."""

    exhaustive = True

    @property
    def length(self) -> float:
        """The whole line in the unit of the judged value."""
        return abs(self.mechanic.slope) * self.mechanic.travel_px

    @property
    def steps(self) -> int:
        """How many places the line is cut into."""
        return round(STEPS_PER_CSS * self.mechanic.travel_px / self.mechanic.px_per_css)

    @property
    def border(self) -> float:
        """How near to the tolerance's end two ways of counting may differ, as a share."""
        return 2.0 / self.steps

    def of(self, actions: Sequence[ActionBase]) -> float:
        drag = actions[0]
        if not isinstance(drag, Drag):
            raise InvalidOptions(f"the answer of a slide begins with a Drag, not with {drag}")
        along = 0 if self.mechanic.axis == "x" else 1
        return self.mechanic.sign * (drag.end[along] - drag.start[along]) / self.mechanic.travel_px

    def at(self, answer: float) -> list[ActionBase]:
        drag = self.gold[0]
        assert isinstance(drag, Drag)
        reach = self.mechanic.sign * answer * self.mechanic.travel_px
        end = (
            Point(drag.start[0] + reach, drag.end[1])
            if self.mechanic.axis == "x"
            else Point(drag.end[0], drag.start[1] + reach)
        )
        return [Drag(drag.start, end), *self.gold[1:]]

    def of_solution(self, found: float) -> float:
        return found * self.mechanic.px_per_css / self.mechanic.travel_px

    @property
    def reach(self) -> float:
        """How far from the right place an answer still passes, as a share of the line."""
        slide = self.mechanic
        if slide.judge == "step":
            return (slide.tol + 0.5) / self.length
        return slide.tol / self.length

    def same(self, answer: float, right: float) -> bool | None:
        if self.mechanic.judge == "end":
            off = max(0.0, right - min(answer, 1.0))
        else:
            off = abs(min(max(answer, 0.0), 1.0) - right)
        return None if abs(off - self.reach) <= self.border else off < self.reach

    def candidates(self, stream: Stream, right: Sequence[float]) -> Iterator[float]:
        for step in range(self.steps + 1):
            yield step / self.steps

    def chance(self, room: Room) -> float:
        if self.mechanic.judge == "end":
            return 1.0  # "to the end" is the right share in every sample; the bar at hand is not
        return min(1.0, 2.0 * self.reach / max(LEAST_SPREAD, room.reach))

    def anchors(self) -> Sequence[Box]:
        submit = self.mechanic.submit
        return (self.mechanic.handle, *(() if submit is None else (submit,)))

    def place(self, answer: float) -> Hashable:
        return min(PLACES - 1, int(answer * PLACES))

    def facts(self, answer: float) -> Iterator[float]:
        """The line, the way along it, and the share in per cent; also of what the text rounds."""
        whole, part = round(self.length), round(answer * self.length)
        yield from (whole, part, round(100 * answer))
        if whole:
            yield math.floor(100 * part / whole + 0.5)

    def lengths(self) -> Iterator[float]:
        """How far the piece goes, where the place of one is judged."""
        if self.mechanic.judge == "offset":
            yield abs(self.mechanic.target - self.mechanic.start_value)

    @classmethod
    def room(cls, spaces: Sequence[Any], label_chance: float) -> Room:
        shares = [space.solved for space in spaces]
        middle = percentile(shares, 0.975) - percentile(shares, 0.025)
        return Room(reach=min(1.0, middle / 0.95), label_chance=label_chance)

    @classmethod
    def constants(cls, spaces: Sequence[Any]) -> list[Constant]:
        longest = max(space.length for space in spaces)
        shares = [step / TRIED for step in range(1, TRIED)]
        return [
            *(lambda space, share=share: share for share in shares),
            *(lambda space, share=share: share * longest / space.length for share in shares),
        ]
