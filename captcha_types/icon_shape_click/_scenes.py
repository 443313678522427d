"""What classes share in which things of a picture are tapped, one or several, in any order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from factory.core import tapping
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.points import Points
from factory.core.mechanics.taps import GROW_CSS_PX
from factory.core.puzzle import (
    Artwork,
    Choice,
    Content,
    Label,
    Options,
    PanelRequest,
    Part,
    Placement,
    PuzzleType,
    Scene,
    State,
    WrongResponse,
)
from factory.core.record import ReasonStep
from factory.core.rng import Rng, Stream
from factory.draw import grounds

FLAT_MOODS = ("light", "dark")
"""Grounds on which flat inks read; on rich ones every thing would need a rim."""

ROW_CSS = 34.0
"""Things of one row, for the order in which golds tap them."""

BIN_CSS = 16.0
"""Things nearer to each other's places than this are the same arrangement."""


class TapState(State):
    """A picture of things in CSS px from its corner."""

    ground: grounds.Ground
    size: tuple[float, float]

    @property
    def area(self) -> Box:
        """The picture, from its own corner."""
        return Box(0, 0, *self.size)

    @property
    def wanted(self) -> Sequence[tapping.Placed]:
        """What is to be tapped, as drawn by lot."""
        raise NotImplementedError

    @property
    def rest(self) -> Sequence[tapping.Placed]:
        """All other things."""
        raise NotImplementedError

    @property
    def things(self) -> list[Any]:
        """Everything that may be tapped, what is wanted first."""
        return [*self.wanted, *self.rest]


S = TypeVar("S", bound=TapState)
Opts = TypeVar("Opts", bound=Options)


def flat_ground(scene: Scene, stream: Stream) -> grounds.Ground:
    """The ground of the key's content, light or dark."""
    return grounds.compose(
        scene.content_kind, scene.content_number, stream, scene.split, moods=FLAT_MOODS
    )


class TapPuzzle(PuzzleType[S, Opts], Generic[S, Opts]):
    """``is_right`` re-reads off a thing whether it is asked for; ``hull`` is its filled outline."""

    mechanics = ("points",)
    answer_kind = "points"
    seen_side = 120

    hull: ClassVar[Callable[[Any], tapping.Hull]]
    ratio: ClassVar[tuple[float, float]] = (0.64, 0.78)
    grow_css: ClassVar[float] = GROW_CSS_PX

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="rect", ratio=cls.ratio, width=(244, 300), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    @abstractmethod
    def is_right(self, state: S, thing: Any) -> bool:
        """Whether a thing is asked for, by what it is; never by the lot."""

    @abstractmethod
    def paint(self, canvas: Any, state: S) -> None:
        """Paint the things over their ground, CSS px from the picture's corner."""

    def more_regions(self, state: S, slot: Box) -> dict[str, Box]:
        """Regions beside what may be tapped, in panel px; ``slot`` is the picture."""
        return {}

    @abstractmethod
    def names(self, state: S, things: Sequence[Any], lang: str) -> Sequence[str]:
        """What things are called in reasoning."""

    def check_lot(self, state: S, most: int) -> None:
        """``Rejected`` unless exactly what is wanted is asked for, ``most`` at most."""
        right = [thing for thing in state.things if self.is_right(state, thing)]
        if right != [*state.wanted]:
            raise Rejected("targets and rule disagree", value=len(right), limit=len(state.wanted))
        if not 1 <= len(right) <= most:
            raise Rejected("too many to tap", value=len(right), limit=most)

    def aimed(self, state: S) -> list[Any]:
        """What is wanted in the order in which the gold taps it."""
        return tapping.reading_order(state.wanted, ROW_CSS)

    def draw(self, state: S, placement: Placement) -> Artwork:
        slot, hull = placement.boxes["slot"], type(self).hull

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, state.area)
            self.paint(canvas, state)

        return Artwork(
            parts=(Part("scene", slot, paint),),
            regions={
                "picture": slot,
                **self.more_regions(state, slot),
                **tapping.zones("target", state.wanted, slot, hull),
                **tapping.zones("distractor", state.rest, slot, hull),
            },
        )

    def mechanic(self, state: S, placement: Placement) -> AnyMechanic:
        slot, hull = placement.boxes["slot"], type(self).hull
        return Points(
            targets=tuple(tapping.zone_of(thing, slot, hull) for thing in self.aimed(state)),
            others=tuple(tapping.zone_of(thing, slot, hull) for thing in state.rest),
            area=slot,
            submit=placement.submit,
            grow_css_px=self.grow_css,
        )

    def explain(
        self, state: S, mechanic: AnyMechanic, gold: Sequence[ActionBase], rng: Rng, lang: str
    ) -> tuple[ReasonStep, ...]:
        slots = self.reason_slots(state, mechanic, gold, lang)
        blocks, stream = self.wording.reasoning[lang], rng.fresh("reasoning")
        names = self.names(state, self.aimed(state), lang)
        return tapping.explained(blocks, stream, slots, names, gold, lang)

    def solutions(self, state: S, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """All things of the picture that are asked for."""
        shown = [*self.aimed(state), *state.rest]
        return [tuple(k for k, thing in enumerate(shown) if self.is_right(state, thing))]

    def wrong_responses(self, state: S, mechanic: AnyMechanic, rng: Rng) -> list[WrongResponse]:
        assert isinstance(mechanic, Points)
        return tapping.wrong_sets(mechanic, rng.fresh("wrong"))

    def lot_labels(self, state: S, most: int) -> dict[str, Label]:
        """How many are wanted, and where the first one drawn stands, from the left."""
        shown, first = len(state.things), state.wanted[0]
        place = sorted((thing.x, thing.y) for thing in state.things).index((first.x, first.y))
        found: dict[str, Label] = {f"place of a target of {shown}": Choice(place, shown)}
        if most > 1:
            found[f"count of {most}"] = Choice(len(state.wanted) - 1, most)
        return found


def binned(things: Sequence[tapping.Placed]) -> list[list[int]]:
    """Coarse places, for ``identity``."""
    return [[int(thing.x // BIN_CSS), int(thing.y // BIN_CSS)] for thing in things]


def lot_of(state: TapState) -> Mapping[str, Any]:
    """What of a scene makes a puzzle this puzzle: ground and coarse places of what is wanted."""
    return {
        "ground": [state.ground.kind, state.ground.seed],
        "places": binned(state.wanted),
    }
