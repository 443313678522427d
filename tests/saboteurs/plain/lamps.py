"""Six lamps of which three light up, one a picture; they are tapped in that order.

Rule
    Tap lamps in the order in which they light up.
Answer
    Three taps.
Validity
    No lamp lights up twice.
Source
    Made for the tests of the contract suite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import Artwork, Choice, Label, PanelRequest, Part, Placement, Scene, State
from factory.core.record import Json
from saboteurs.plain.base import Plain, cell_centers, fill

COUNT, LIT, RADIUS = 6, 3, 14.0
LIGHT, DARK = (250, 190, 20), (90, 96, 110)


class LampsState(State):
    """``lamps``: centres in CSS px of the slot; ``order``: which light up."""

    lamps: tuple[tuple[float, float], ...]
    order: tuple[int, ...]
    ground: int


class Lamps(Plain[LampsState]):
    """See the module."""

    id = "lamps"
    State: ClassVar[type[State]] = LampsState
    mechanics = ("ordered_points",)
    images = LIT
    asks: ClassVar[Mapping[str, str]] = {
        "en": "tap the lamps in the order in which they light up", "zh": "按亮灯顺序点击"
    }  # fmt: skip
    says: ClassVar[Mapping[str, str]] = {"en": "I tap them.", "zh": "依次点击。"}

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(submit="either")

    def sample(self, scene: Scene) -> LampsState:
        slot, stream = scene.placement.boxes["slot"], scene.rng.fresh("lamps")
        spots = cell_centers(slot.width, slot.height, 3, 2)
        lamps = tuple(
            (round(x + stream.uniform(-9, 9), 6), round(y + stream.uniform(-9, 9), 6))
            for x, y in spots
        )
        order = tuple(scene.rng.fixed("order").sample(range(COUNT), LIT))
        return LampsState(lamps=lamps, order=order, ground=stream.integer(215, 250))

    def check(self, state: LampsState) -> None:
        if len(set(state.order)) < LIT:
            raise Rejected("a lamp lights up twice")

    def zones(self, state: LampsState, slot: Box) -> list[Zone]:
        """Where the lamps are, panel CSS px."""
        return [Zone.disc((slot.x0 + x, slot.y0 + y), RADIUS) for x, y in state.lamps]

    def draw(self, state: LampsState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def ground(canvas: Any) -> None:
            canvas.clear(skia.Color(state.ground, state.ground, state.ground))
            for x, y in state.lamps:
                canvas.drawCircle(slot.x0 + x, slot.y0 + y, RADIUS, fill(DARK))

        def lit(lamp: int) -> Callable[[Any], None]:
            x, y = state.lamps[lamp]
            return lambda canvas: canvas.drawCircle(slot.x0 + x, slot.y0 + y, RADIUS, fill(LIGHT))

        regions: dict[str, Box | Zone] = {"picture": slot}
        for index, zone in enumerate(self.zones(state, slot)):
            role = "target" if index in state.order else "distractor"
            regions[f"{role}.{index}"] = zone
        return Artwork(
            parts=(Part("ground", slot, ground),),
            regions=regions,
            frames=tuple((Part("lit", slot, lit(lamp)),) for lamp in state.order),
        )

    def mechanic(self, state: LampsState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        zones = self.zones(state, slot)
        return OrderedPoints(
            targets=tuple(zones[k] for k in state.order),
            others=tuple(zone for k, zone in enumerate(zones) if k not in state.order),
            area=slot,
            submit=placement.submit,
        )

    def identity(self, state: LampsState) -> Json:
        lie = [[round(x / 2), round(y / 2)] for x, y in state.lamps]
        return {"lamps": lie, "order": list(state.order)}

    def bad_states(self, state: LampsState) -> Iterator[tuple[str, LampsState]]:
        yield "a lamp lights up twice", state.model_copy(update={"order": (4, 4, 2)})

    def solutions(self, state: LampsState, mechanic: AnyMechanic) -> Sequence[tuple[int, ...]]:
        assert isinstance(mechanic, OrderedPoints)
        centers = [Point(*lamp) for lamp in state.lamps]
        first, *_ = zones = (*mechanic.targets, *mechanic.others)
        scale, home = mechanic.px_per_css, centers[state.order[0]]
        x0, y0 = first.center.x - scale * home.x, first.center.y - scale * home.y
        wanted = [Point(x0 + scale * x, y0 + scale * y) for x, y in centers]
        return [
            tuple(
                next(k for k, zone in enumerate(zones) if zone.contains(wanted[lamp]))
                for lamp in state.order
            )
        ]

    def labels(self, state: LampsState, scene: Scene) -> Mapping[str, Label]:
        return {"first": Choice(state.order[0], COUNT)}
