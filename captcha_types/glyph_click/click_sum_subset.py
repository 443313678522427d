"""Numbers scattered over a picture, of which those are tapped that make a given result.

Rule
    Tap the two (or three) numbers that add up to the given number; or the two whose product
    or whose difference it is.
Answer
    One tap on each of them, in any order; where the panel has a button, a click on it.
Validity
    The numbers are distinct, and of all subsets of so many exactly one gives the result, by
    search through all of them. How many are to be tapped is printed. No number is turned so far
    that it reads as another; numbers stand apart, inside the picture, and keep a contrast of
    3 to the ground or to their own rim.
Source
    Arithmetic selection of MCA-Bench, the logic tasks of HLL. A tap counts in the hull of a
    number's ink, grown by 2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.glyph_click import _kit as kit
from captcha_types.glyph_click import _numerals as numerals
from captcha_types.glyph_click import _sums as sums
from captcha_types.glyph_click._numerals import Numeral
from captcha_types.glyph_click._scenes import BIN_CSS, ScenePuzzle, SceneState
from captcha_types.glyph_click._sums import OPERATIONS, Operation
from factory.core import tapping
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.points import Points
from factory.core.puzzle import Choice, Label, Options, Placement, Scene, State, WrongResponse
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.draw.glyphs import GlyphSpec

WORDS: Mapping[Operation, tuple[str, str]] = {
    "sum": ("add up to {}", "和为{}"),
    "product": ("multiply to {}", "积为{}"),
    "difference": ("differ by {}", "差为{}"),
}
SIGNS: Mapping[Operation, str] = {"sum": " + ", "product": " × ", "difference": " − "}
COUNTS: Mapping[int, tuple[str, str]] = {2: ("two", "两"), 3: ("three", "三")}

SHOWN = (5, 9)
"""Numbers in the picture, at the easy and at the hard end."""

THREE_FROM = 0.5
"""Difficulty from which half the sums are of three numbers."""

HIGHEST: Mapping[Operation, tuple[int, int]] = {
    "sum": (20, 80), "product": (9, 15), "difference": (20, 80),
}  # fmt: skip
"""The greatest number there may be, at the easy and at the hard end; the least is 2."""

NEAR = (0.2, 0.8)
"""Share of the other numbers by which some subset misses the result by 1 to 3."""

SIZES, TURNS_DEG = (42.0, 34.0), (5.0, numerals.MOST_TURN_DEG)


class SumState(SceneState):
    """``targets`` in the order in which they were drawn by lot."""

    operation: Operation
    result: int
    targets: tuple[Numeral, ...]
    others: tuple[Numeral, ...]

    @property
    def scene(self) -> tuple[Numeral, ...]:
        """All numbers of the picture, targets first."""
        return (*self.targets, *self.others)


class SumOptions(Options):
    """Each knob follows ``difficulty`` when it is not set; ``chosen`` counts terms of sums."""

    numbers: int | None = Knob(default=None, ge=SHOWN[0], le=SHOWN[1])
    chosen: int | None = Knob(default=None, ge=2, le=3)
    operation: Operation | None = None
    near: float | None = Knob(default=None, ge=0.0, le=1.0)
    turn_deg: float | None = Knob(default=None, ge=0.0, le=numerals.MOST_TURN_DEG)
    clutter: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("click_sum_subset", version=1, family="glyph_click")
class ClickSumSubset(ScenePuzzle[SumState, SumOptions]):
    """See the module."""

    State: ClassVar[type[State]] = SumState
    Options: ClassVar[type[Options]] = SumOptions
    mechanics = ("points",)
    answer_kind = "points"

    def aimed(self, state: SumState) -> Sequence[Numeral]:
        return tapping.reading_order(state.targets, state.targets[0].size)

    def beside(self, state: SumState) -> Sequence[Numeral]:
        return state.others

    def hull(self, thing: Numeral) -> tapping.Hull:
        return numerals.outline(thing)

    def inked(self, state: SumState) -> Sequence[GlyphSpec]:
        return [spec for numeral in state.scene for spec in numeral.digits]

    def _asked(self, scene: Scene) -> tuple[Operation, int]:
        """What is asked for and of how many numbers, fixed for a key."""
        stream, knob = scene.rng.fixed("asked"), self.options
        operation = stream.weighted(tuple(OPERATIONS), tuple(OPERATIONS.values()))
        operation = knob.operation or operation
        three = scene.difficulty >= THREE_FROM and stream.chance(0.5)
        count = (3 if three else 2) if knob.chosen is None else knob.chosen
        return operation, count if operation == "sum" else 2

    def sample(self, scene: Scene) -> SumState:
        rng, knob, hard = scene.rng, self.options, scene.difficulty
        area, ground = kit.whole(scene.placement.boxes["slot"]), self.ground(scene)
        operation, count = self._asked(scene)
        shown = kit.stepped(SHOWN, hard) if knob.numbers is None else knob.numbers
        shown = max(SHOWN[0], min(shown, numerals.most(area)))
        near = kit.between(NEAR, hard) if knob.near is None else knob.near
        highest = round(kit.between(HIGHEST[operation], hard))
        values = sums.choose_values(rng.fresh("values"), operation, count, shown, highest, near)
        found = numerals.scattered(
            rng.fresh("numerals"),
            values,
            rng.fixed("order").shuffled(range(shown)),
            area,
            split=scene.split,
            tone=ground.tone,
            size=kit.between(SIZES, hard),
            turn_deg=kit.between(TURNS_DEG, hard) if knob.turn_deg is None else knob.turn_deg,
        )
        return SumState(
            operation=operation,
            result=sums.result_of(operation, values[:count]),
            targets=tuple(found[:count]),
            others=tuple(found[count:]),
            ground=ground,
            clutter=self.clutter(scene, ground, knob.clutter),
            size=(area.width, area.height),
        )

    def check(self, state: SumState) -> None:
        values = [numeral.value for numeral in state.scene]
        if len(set(values)) < len(values):
            raise Rejected("a number comes twice")
        found = sums.subsets(state.operation, len(state.targets), values, state.result)
        if found != [tuple(range(len(state.targets)))]:
            raise Rejected("not one subset gives the result", value=len(found), limit=1)
        numerals.refuse(state.scene, state.area, state.ground.tone)

    def mechanic(self, state: SumState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Points(
            targets=self.zones(self.aimed(state), slot),
            others=self.zones(state.others, slot),
            area=slot,
            submit=placement.submit,
        )

    def goal_slots(self, state: SumState, lang: str) -> dict[str, str]:
        return {
            "count": COUNTS[len(state.targets)][lang == "zh"],
            "aim": WORDS[state.operation][lang == "zh"].format(state.result),
        }

    def reason_slots(
        self, state: SumState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        left = sorted(state.scene, key=lambda numeral: (numeral.x, numeral.y))
        terms = sorted((numeral.value for numeral in state.targets), reverse=True)
        return {
            **{name: Slot("name", text) for name, text in self.goal_slots(state, lang).items()},
            "shown": Slot("name", tapping.listed([str(n.value) for n in left], lang)),
            "terms": Slot("name", SIGNS[state.operation].join(map(str, terms))),
            "result": Slot("count", state.result),
        }

    def reason_names(self, state: SumState, lang: str) -> Sequence[str]:
        return [str(numeral.value) for numeral in self.aimed(state)]

    def identity(self, state: SumState) -> Json:
        return {
            "ask": [state.operation, state.result],
            "ground": [state.ground.kind, state.ground.seed],
            "targets": sorted(numeral.value for numeral in state.targets),
            "others": sorted(numeral.value for numeral in state.others),
            "places": [[int(n.x // BIN_CSS), int(n.y // BIN_CSS)] for n in state.targets],
        }

    def wrong_responses(
        self, state: SumState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Points)
        return tapping.wrong_sets(mechanic, rng.fresh("wrong"))

    def bad_states(self, state: SumState) -> Iterator[tuple[str, SumState]]:
        def changed(**more: Any) -> SumState:
            return state.model_copy(update=more)

        first, *rest = state.targets
        other, *more = state.others
        yield "a number comes twice", changed(others=(replace(other, value=first.value), *more))
        yield "not one subset gives the result", changed(result=state.result + 1000)
        swapped = changed(targets=(other, *rest), others=(first, *more))
        yield "not one subset gives the result", swapped
        for reason, bad in numerals.bad_numerals(first, other, state.ground.tone):
            yield reason, changed(targets=(bad, *rest))

    def solutions(self, state: SumState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """All subsets of so many numbers that give the result."""
        values = [numeral.value for numeral in (*self.aimed(state), *state.others)]
        return sums.subsets(state.operation, len(state.targets), values, state.result)

    def labels(self, state: SumState, scene: Scene) -> Mapping[str, Label]:
        places = sorted((numeral.x, numeral.y) for numeral in state.scene)
        first, count = state.targets[0], len(places)
        return {f"place of a term of {count}": Choice(places.index((first.x, first.y)), count)}
