"""Faults of the judge and of the question."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from captcha_types.rotate.rotate import LEAST_TURN_DEG, Rotate, RotateState
from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.events import Press
from factory.core.mechanics.slide import Slide, SlideWorld
from factory.core.puzzle import Placement, Scene


class Misjudged(Rotate):
    """The healthy class with another slide."""

    caught_by, because = "C3", ""
    slide: ClassVar[type[Slide]]

    def mechanic(self, state: RotateState, placement: Placement) -> AnyMechanic:
        healthy = super().mechanic(state, placement)
        return self.slide(**msgspec.structs.asdict(healthy))


class Lenient(Slide, frozen=True, tag="slide", forbid_unknown_fields=True):
    """Accepts the neighbours of what is right."""

    def accepts(self, displacement_px: float) -> bool:
        return self.error_at(displacement_px) <= self.tol + 6.0


class Unwrapped(Slide, frozen=True, tag="slide", forbid_unknown_fields=True):
    """Takes 359 degrees for far from 0."""

    def error_at(self, displacement_px: float) -> float:
        return abs(self.value_at(displacement_px) - self.target)


class Brittle(Slide, frozen=True, tag="slide", forbid_unknown_fields=True):
    """Divides by where the pointer is."""

    def step(self, world: SlideWorld, event: Any) -> SlideWorld:
        if isinstance(event, Press):
            _ = 1.0 / event.x
        return super().step(world, event)


class AnyTurn(Slide, frozen=True, tag="slide", forbid_unknown_fields=True):
    """Pays every drag that was let go beside the track's start."""

    def accepts(self, displacement_px: float) -> bool:
        return displacement_px > 0.2 * self.travel_px


class AcceptsTheNeighbour(Misjudged):
    """The judge is six degrees kinder than it says."""

    because = "should fail and passes"
    slide = Lenient


class IgnoresItsPeriod(Misjudged):
    """The judge does not wrap angles."""

    because = "the gold fails"
    slide = Unwrapped


class Raises(Misjudged):
    """The judge raises where it should fail."""

    because = "ZeroDivisionError"
    slide = Brittle


class PaysAnything(Misjudged):
    """Other samples' answers pass."""

    because = "the wrong response 'a little short' passes"
    slide = AnyTurn


class TwoRightAnswers(Rotate):
    """The track turns the picture twice, and the class's own search stops at the first."""

    caught_by, because = "C4", "an answer beside solutions() passes"

    def track_turn(self, difficulty: float) -> float:
        return 720.0

    def turn_range(self, scene: Scene) -> tuple[float, float]:
        return LEAST_TURN_DEG + 10.0, 330.0

    def check(self, state: RotateState) -> None:
        """Sees nothing."""

    def solutions(self, state: RotateState, mechanic: AnyMechanic) -> list[float]:
        return super().solutions(state, mechanic)[:1]


class AmbiguityUnchecked(Rotate):
    """The test for a second turn was deleted."""

    caught_by, because = "C11", "'second turn fits the track' is accepted"

    def check(self, state: RotateState) -> None:
        try:
            super().check(state)
        except Rejected as rejected:
            if rejected.reason != "second turn fits the track":
                raise


SABOTEURS = (
    AcceptsTheNeighbour, IgnoresItsPeriod, Raises, PaysAnything, TwoRightAnswers,
    AmbiguityUnchecked,
)  # fmt: skip
