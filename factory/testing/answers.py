"""What the suite must know of a mechanic: its answers, laid out on a line from 0 to 1.

A new mechanic registers a line of its own with ``answers.register``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from factory.core.actions import ActionBase, Drag
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide


@dataclass(frozen=True)
class SlideAnswers:
    """A slide's answers: the share of its travel that the drag covers."""

    slide: Slide

    @property
    def length(self) -> float:
        """The whole line in the unit of the judged value."""
        return abs(self.slide.slope) * self.slide.travel_px

    @property
    def window(self) -> float:
        """How much of the line is right, in the same unit."""
        return 2.0 * self.slide.tol

    @property
    def start(self) -> Box:
        """Where an answer has to begin, canvas px."""
        return self.slide.handle

    def of_solution(self, travel_css: float) -> float:
        """The place on the line of what ``PuzzleType.solutions`` returns for slides."""
        return travel_css * self.slide.px_per_css / self.slide.travel_px

    def of(self, actions: Sequence[ActionBase]) -> float:
        """The place on the line of an answer."""
        drag = actions[0]
        if not isinstance(drag, Drag):
            raise InvalidOptions(f"the answer of a slide begins with a Drag, not with {drag}")
        along = 0 if self.slide.axis == "x" else 1
        return self.slide.sign * (drag.end[along] - drag.start[along]) / self.slide.travel_px

    def at(self, share: float, gold: Sequence[ActionBase]) -> list[ActionBase]:
        """The gold with its drag ending elsewhere on the line."""
        drag = gold[0]
        assert isinstance(drag, Drag)
        reach = self.slide.sign * share * self.slide.travel_px
        end = (
            Point(drag.start[0] + reach, drag.end[1])
            if self.slide.axis == "x"
            else Point(drag.end[0], drag.start[1] + reach)
        )
        return [Drag(drag.start, end), *gold[1:]]

    def steps(self) -> int:
        """Places that tell all right answers apart: four a CSS px."""
        return round(4 * self.slide.travel_px / self.slide.px_per_css)


@singledispatch
def answers(mechanic: AnyMechanic) -> SlideAnswers:
    """The line of answers of a mechanic."""
    raise InvalidOptions(
        f"the contract suite knows no line of answers for {type(mechanic).__name__}; "
        "register one with factory.testing.answers"
    )


@answers.register
def _(mechanic: Slide) -> SlideAnswers:
    return SlideAnswers(mechanic)
