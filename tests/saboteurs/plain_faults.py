"""Faults of clicks, boards, texts and pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import msgspec

from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.cells import Cells
from factory.core.mechanics.matching import matches_all
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.mechanics.tap_base import Tap
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import Artwork, Placement, Scene
from saboteurs.plain.bars import COUNT, Bars, BarsState
from saboteurs.plain.board import SIDE, Board, BoardState
from saboteurs.plain.code import Code, CodeState
from saboteurs.plain.steps import PAGES, Steps


class AnyOrder(OrderedPoints, frozen=True, tag="ordered_points", forbid_unknown_fields=True):
    """Takes the taps in any order."""

    def unsolved(self, taps: Sequence[Tap]) -> str:
        if len(taps) != len(self.targets):
            return "wrong_count"
        return "" if matches_all([self.hit_by(tap.point) for tap in taps]) else "off_target"


class InOrder(Cells, frozen=True, tag="cells", forbid_unknown_fields=True):
    """Wants the tiles from the first to the last."""

    def unsolved(self, taps: Sequence[Tap]) -> str:
        picked = [tap.control for tap in taps]
        return super().unsolved(taps) if picked == sorted(picked) else "wrong_order"


class OrderIgnored(Bars):
    """The judge accepts the bars in any order."""

    caught_by, because = "C3", "should fail and passes"

    def mechanic(self, state: BarsState, placement: Placement) -> AnyMechanic:
        return AnyOrder(**msgspec.structs.asdict(super().mechanic(state, placement)))


class SetOrderDecides(Board):
    """The judge refuses the right tiles in another order."""

    caught_by, because = "C3", "should pass and fails"

    def mechanic(self, state: BoardState, placement: Placement) -> AnyMechanic:
        return InOrder(**msgspec.structs.asdict(super().mechanic(state, placement)))


class SubmitNeverRequired(Board):
    """The panel has a submit button that nobody has to tap."""

    caught_by, because = "C3", "the gold does not end on it"

    def mechanic(self, state: BoardState, placement: Placement) -> AnyMechanic:
        return msgspec.structs.replace(super().mechanic(state, placement), submit=None)


class TwinOfATarget(Bars):
    """A bar that is not asked for has the colour of one that is."""

    caught_by, because = "C4", "solutions() gives 2 answers"

    def check(self, state: BarsState) -> None:
        """Sees nothing."""

    def sample(self, scene: Scene) -> BarsState:
        state = super().sample(scene)
        rest = next(k for k in range(COUNT) if k not in state.order)
        bars = list(state.bars)
        colour = bars[state.order[0]].colour
        bars[rest] = bars[rest].model_copy(update={"colour": colour})
        return state.model_copy(update={"bars": tuple(bars)})


class UnlistedTwin(TwinOfATarget):
    """The same, and the class's own search stops at the first: nobody but the eye finds it."""

    caught_by, because = "C5", "the independent answer is off"

    def solutions(self, state: BarsState, mechanic: AnyMechanic) -> Sequence[tuple[int, ...]]:
        return super().solutions(state, mechanic)[:1]


class AnotherAnswerPasses(Code):
    """The judge takes a text that the class does not list."""

    caught_by, because = "C4", "an answer beside solutions() passes"

    def mechanic(self, state: CodeState, placement: Placement) -> AnyMechanic:
        healthy = super().mechanic(state, placement)
        field = msgspec.structs.replace(
            healthy.fields[0], answers=(state.code, state.code[::-1], state.code.lower())
        )
        return msgspec.structs.replace(healthy, fields=(field,))


class PageOffByOne(Steps):
    """Pages are counted from one in the picture and from none by the judge."""

    caught_by, because = "C5", "the independent answer is off"

    def shown(self, page: int) -> int:
        return (page + 1) % PAGES + 1


class ZoneNotTurned(Bars):
    """The regions of turned bars lie flat."""

    caught_by, because = "C5", "the independent answer is off"

    def zone(self, bar: Any, slot: Box) -> Zone:
        return super().zone(bar.model_copy(update={"turn_deg": 0.0}), slot)


class CutTarget(Bars):
    """A bar reaches out of the picture."""

    caught_by, because = "C7", "is cut by the edge of its area"

    def sample(self, scene: Scene) -> BarsState:
        state = super().sample(scene)
        place = state.order[0]
        bar = state.bars[place].model_copy(update={"x": -6.0, "y": 40.0, "turn_deg": 0.0})
        bars = (*state.bars[:place], bar, *state.bars[place + 1 :])
        return state.model_copy(update={"bars": bars})


class FaintTarget(Bars):
    """The bars have the colour of their ground."""

    caught_by, because = "C7", "stands out by"

    def draw(self, state: BarsState, placement: Placement) -> Artwork:
        art = super().draw(state, placement)
        blank = replace(art.parts[0], draw=lambda canvas: canvas.clear(0xFFE0E0E0))
        return replace(art, parts=(blank,))


class RegionsOfAnother(Bars):
    """The targets' regions are those of another draw."""

    caught_by, because = "C6", "no region is the zone"

    def draw(self, state: BarsState, placement: Placement) -> Artwork:
        art = super().draw(state, placement)
        moved = {
            name: Zone(tuple(Point(x + 9.0, y) for x, y in shape.corners))
            if isinstance(shape, Zone) else shape
            for name, shape in art.regions.items()
        }  # fmt: skip
        return replace(art, regions=moved)


class SameTile(Board):
    """The right tile is always the one in the middle."""

    caught_by, because = "C8", "one constant answer passes"

    def sample(self, scene: Scene) -> BoardState:
        state = super().sample(scene)
        other = (state.asked + 1) % 3
        tiles = [(other, size) for _, size in state.tiles]
        tiles[4] = (state.asked, state.tiles[4][1])
        return state.model_copy(update={"tiles": tuple(tiles), "drawn": (4,)})


class ChoiceInTheLoop(Board):
    """A rejection draws other tiles."""

    caught_by, because = "C8", "three rejections move the label 'tile'"

    def sample(self, scene: Scene) -> BoardState:
        state = super().sample(scene)
        drawn = tuple(scene.rng.fresh("tiles").sample(range(SIDE * SIDE), len(state.drawn)))
        other = (state.asked + 1) % 3
        tiles = tuple(
            (state.asked if k in drawn else other, size) for k, (_, size) in enumerate(state.tiles)
        )
        return state.model_copy(update={"tiles": tiles, "drawn": drawn})


class OneWord(Code):
    """One text in four is the same."""

    caught_by, because = "C8", "one constant answer passes"

    def sample(self, scene: Scene) -> CodeState:
        state = super().sample(scene)
        same = scene.rng.fixed("same").chance(0.25)
        return state.model_copy(update={"code": "FACE"}) if same else state


class CaseUnsaid(Code):
    """The goal does not say that the letters are capitals."""

    caught_by, because = "C13", "which case counts is not said"
    asks: ClassVar[Mapping[str, str]] = {"en": "type the four letters", "zh": "输入四个字母"}


class ClicksOnAPhone(Bars):
    """Phones are told to click."""

    caught_by, because = "C13", "on phones one taps"
    asks: ClassVar[Mapping[str, str]] = {"en": "click {a}, {b}, {c}", "zh": "点击{a}、{b}、{c}"}


SABOTEURS = (
    OrderIgnored, SetOrderDecides, SubmitNeverRequired, TwinOfATarget, UnlistedTwin,
    AnotherAnswerPasses, PageOffByOne, ZoneNotTurned, CutTarget, FaintTarget, RegionsOfAnother,
    SameTile, ChoiceInTheLoop, OneWord, CaseUnsaid, ClicksOnAPhone,
)  # fmt: skip
