"""Six coloured bars that lie about; three of them are tapped in the order of the goal.

Rule
    Tap three bars in the order of the goal.
Answer
    Three taps.
Validity
    No two bars have one colour.
Source
    Made for the tests of the contract suite.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import Artwork, Choice, Label, PanelRequest, Part, Placement, Scene, State
from factory.core.record import Json
from saboteurs.plain.base import COLOURS, NAMES, ZH, Plain, cell_centers, fill

LONG, THICK = 32.0, 15.0
COUNT, ASKED = 6, 3


class Bar(State):
    """A bar with one end at ``x``, ``y`` (CSS px of the slot), turned about it."""

    colour: int
    x: float
    y: float
    turn_deg: float


class BarsState(State):
    """``order``: which bars are tapped."""

    bars: tuple[Bar, ...]
    order: tuple[int, ...]
    ground: int


class Bars(Plain[BarsState]):
    """See the module."""

    id = "bars"
    State: ClassVar[type[State]] = BarsState
    mechanics = ("ordered_points",)
    asks: ClassVar[Mapping[str, str]] = {
        "en": "tap the {a}, {b} and {c} bar in this order", "zh": "依次点击{a}、{b}、{c}色条"
    }  # fmt: skip
    says: ClassVar[Mapping[str, str]] = {"en": "I tap them.", "zh": "依次点击。"}

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(submit="either")

    def sample(self, scene: Scene) -> BarsState:
        slot, stream = scene.placement.boxes["slot"], scene.rng.fresh("bars")
        spots = stream.shuffled(cell_centers(slot.width, slot.height, 3, 2))
        colours = stream.shuffled(range(COUNT))
        bars: list[Bar] = []
        for spot, colour in zip(spots, colours, strict=True):
            turn = stream.uniform(0, 360)
            half, angle = LONG / 2, math.radians(turn)
            x = spot.x + stream.uniform(-7, 7) - half * math.cos(angle)
            y = spot.y + stream.uniform(-7, 7) - half * math.sin(angle)
            bars.append(Bar(colour=colour, x=round(x, 6), y=round(y, 6), turn_deg=round(turn, 6)))
        order = tuple(scene.rng.fixed("order").sample(range(COUNT), ASKED))
        return BarsState(bars=tuple(bars), order=order, ground=stream.integer(215, 250))

    def check(self, state: BarsState) -> None:
        if len({bar.colour for bar in state.bars}) < COUNT:
            raise Rejected("two bars of one colour")
        if len(set(state.order)) < ASKED:
            raise Rejected("a bar asked for twice")

    def zone(self, bar: Bar, slot: Box) -> Zone:
        """Where a bar lies, panel CSS px."""
        end = Point(slot.x0 + bar.x, slot.y0 + bar.y)
        turned = PlaneMap.rotate(bar.turn_deg, end)
        flat = Zone.of_box(Box.sized(end.x, end.y - THICK / 2, LONG, THICK))
        return Zone(tuple(Point(*(round(v, 6) for v in turned(c))) for c in flat.corners))

    def draw(self, state: BarsState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def paint(canvas: Any) -> None:
            canvas.clear(skia.Color(state.ground, state.ground, state.ground))
            for bar in state.bars:
                canvas.save()
                canvas.translate(slot.x0 + bar.x, slot.y0 + bar.y)
                canvas.rotate(bar.turn_deg)
                rect = skia.Rect.MakeXYWH(0, -THICK / 2, LONG, THICK)
                canvas.drawRoundRect(rect, 3, 3, fill(COLOURS[NAMES[bar.colour]]))
                canvas.restore()

        rest = [k for k in range(len(state.bars)) if k not in state.order]
        regions: dict[str, Box | Zone] = {"picture": slot}
        for role, places in (("target", state.order), ("distractor", rest)):
            for place in places:
                regions[f"{role}.{place}"] = self.zone(state.bars[place], slot)
        return Artwork(parts=(Part("ground", slot, paint),), regions=regions)

    def mechanic(self, state: BarsState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        zones = [self.zone(bar, slot) for bar in state.bars]
        rest = [k for k in range(len(zones)) if k not in state.order]
        return OrderedPoints(
            targets=tuple(zones[k] for k in state.order),
            others=tuple(zones[k] for k in rest),
            area=slot,
            submit=placement.submit,
        )

    def goal_slots(self, state: BarsState, lang: str) -> dict[str, str]:
        names = [NAMES[state.bars[k].colour] for k in state.order]
        return {
            slot: name if lang == "en" else ZH[name]
            for slot, name in zip("abc", names, strict=True)
        }

    def identity(self, state: BarsState) -> Json:
        lie = [[bar.colour, round(bar.x / 4), round(bar.y / 4)] for bar in state.bars]
        return {"bars": lie, "order": list(state.order)}

    def bad_states(self, state: BarsState) -> Iterator[tuple[str, BarsState]]:
        first, second, *rest = state.bars
        twin = second.model_copy(update={"colour": first.colour})
        yield "two bars of one colour", state.model_copy(update={"bars": (first, twin, *rest)})
        yield "a bar asked for twice", state.model_copy(update={"order": (1, 1, 2)})

    def solutions(self, state: BarsState, mechanic: AnyMechanic) -> Sequence[tuple[int, ...]]:
        wanted = [state.bars[k].colour for k in state.order]
        items = [*state.order, *(k for k in range(len(state.bars)) if k not in state.order)]
        return [
            places
            for places in itertools.permutations(range(len(items)), ASKED)
            if [state.bars[items[place]].colour for place in places] == wanted
        ]

    def labels(self, state: BarsState, scene: Scene) -> Mapping[str, Label]:
        return {"first": Choice(state.order[0], COUNT)}
