"""Icons scattered over a picture, to be tapped in the order that a strip shows.

Rule
    Tap the icons of the strip in the picture, in the strip's order from left to right. Strip and
    picture show the same icons in other colours and turned differently; icons that the strip
    does not show are not tapped.
Answer
    One tap on each icon of the strip, in order; where the panel has a button, a click on it.
Validity
    No two icons of a picture are one thing, look alike or are called alike; line icons are
    also measured against each other over all turns. Icons are a fifth of their size apart or
    more and lie inside the picture; lines keep a contrast of 3 to their ground, rim or tile;
    the strip shows all targets whole, in their order.
Source
    Click-in-order puzzles as in Open CaptchaWorld, VenusBench-CAPTCHA, CaptchaBench, HLL,
    Halligan, ReCAP and the open generators. A tap counts in the hull of an icon, grown by
    2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from operator import attrgetter
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.icon_shape_click import _kit as kit
from captcha_types.icon_shape_click import _strip as strips
from factory.core import tapping
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.puzzle import (
    Artwork,
    Content,
    Label,
    Options,
    PanelRequest,
    Part,
    Placement,
    PuzzleType,
    Scene,
    Seen,
    State,
    WrongResponse,
)
from factory.core.record import Json, ReasonStep, Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.draw import icons
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter
from factory.draw.tokens import tokens_named

TARGETS, OTHERS = (2, 5), (0, 6)
SIZES = (48.0, 38.0)
"""Size of the icons in CSS px, at the easy and at the hard end; less where room is short."""

TURNS_DEG, STRIP_TURNS_DEG = (8.0, 60.0), (0.0, 24.0)
RESTYLES = (0.15, 0.85)
"""How often an icon of the strip is dressed otherwise than plainly."""

GAPS = (0.5, kit.LEAST_GAP)
CLUTTER, CLUTTER_CSS = (0.0, 0.5), 1.2

LEAST_STEP = 40.0
"""Levels of the best channel between the light and the dark px of an icon with its ground."""

BIN_CSS = 16.0
"""Icons nearer to each other's places than this are the same arrangement: half of one."""


class IconsState(State):
    """Icons in CSS px from the picture's corner; ``targets`` in the order of the taps."""

    backing: kit.Backing
    targets: tuple[icons.IconSpec, ...]
    others: tuple[icons.IconSpec, ...]
    clutter: Clutter
    strip: strips.Strip
    size: tuple[float, float]

    @property
    def scene(self) -> tuple[icons.IconSpec, ...]:
        """All icons of the picture, targets first."""
        return (*self.targets, *self.others)


class IconsOptions(Options):
    """Each knob follows ``difficulty`` when it is not set; ``gap`` by the icons' size."""

    targets: int | None = Knob(default=None, ge=TARGETS[0], le=TARGETS[1])
    others: int | None = Knob(default=None, ge=OTHERS[0], le=OTHERS[1])
    turn_deg: float | None = Knob(default=None, ge=0.0, le=180.0)
    gap: float | None = Knob(default=None, ge=kit.LEAST_GAP, le=1.0)
    restyle: float | None = Knob(default=None, ge=0.0, le=1.0)
    strip_turn_deg: float | None = Knob(default=None, ge=0.0, le=45.0)
    clutter: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("click_icons_in_order", version=1, family="icon_shape_click")
class ClickIconsInOrder(PuzzleType[IconsState, IconsOptions]):
    """See the module."""

    State: ClassVar[type[State]] = IconsState
    Options: ClassVar[type[Options]] = IconsOptions
    mechanics = ("ordered_points",)
    answer_kind = "click_order"
    small_model_reach = False  # every icon has to be matched with the strip at once
    seen_side = 60

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.62, 0.76),
            width=(244, 300),
            strip=strips.HEIGHT_CSS,
            submit="either",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return kit.backings(split)

    def _icons(self, scene: Scene) -> tuple[list[icons.IconInfo], int]:
        """(icons, how many of them are targets), fixed for a key."""
        knob, hard = self.options, scene.difficulty
        count = kit.stepped(TARGETS, hard) if knob.targets is None else knob.targets
        more = kit.stepped(OTHERS, hard) if knob.others is None else knob.others
        return kit.choose_icons(scene.rng.fixed("icons"), scene.split, count + more), count

    def sample(self, scene: Scene) -> IconsState:
        rng, slot, knob = scene.rng, scene.placement.boxes["slot"], self.options
        chosen, count = self._icons(scene)
        backing = kit.choose_backing(
            scene.content_kind, scene.content_number, rng.fresh("backing"), scene.split
        )
        hard = scene.difficulty
        found = kit.scatter_icons(
            rng.fresh("icons"),
            chosen,
            rng.fixed("order").shuffled(range(len(chosen))),
            Box(0, 0, slot.width, slot.height),
            tone=backing.tone,
            size=kit.between(SIZES, hard),
            gap=kit.between(GAPS, hard) if knob.gap is None else knob.gap,
            turn_deg=kit.between(TURNS_DEG, hard) if knob.turn_deg is None else knob.turn_deg,
        )
        amount = kit.between(CLUTTER, hard) if knob.clutter is None else knob.clutter
        if backing.picture is not None:
            amount = 0.0  # a picture is busy enough, and lines across it look like mistakes
        turn = kit.between(STRIP_TURNS_DEG, hard)
        return IconsState(
            backing=backing,
            targets=tuple(found[:count]),
            others=tuple(found[count:]),
            clutter=choose_clutter(rng.fresh("clutter"), backing.tone, amount, width=CLUTTER_CSS),
            strip=strips.choose_strip(
                rng.fresh("strip"),
                chosen[:count],
                scene.placement.boxes["strip"],
                tokens_named(scene.placement.tokens),
                split=scene.split,
                restyle=kit.between(RESTYLES, hard) if knob.restyle is None else knob.restyle,
                turn_deg=turn if knob.strip_turn_deg is None else knob.strip_turn_deg,
            ),
            size=(slot.width, slot.height),
        )

    def check(self, state: IconsState) -> None:
        if [s.asset for s in state.strip.icons] != [s.asset for s in state.targets]:
            raise Rejected("strip and targets disagree")
        strips.refuse_strip(state.strip)
        kit.refuse_scene(state.scene, Box(0, 0, *state.size), state.backing.tone)

    def draw(self, state: IconsState, placement: Placement) -> Artwork:
        slot, strip = placement.boxes["slot"], placement.boxes["strip"]

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            whole = Box(0, 0, *state.size)
            kit.draw_backing(canvas, state.backing, whole)
            draw_clutter(canvas, state.clutter, whole)
            icons.draw_icons(canvas, state.scene)

        def paint_strip(canvas: Any) -> None:
            canvas.translate(strip.x0, strip.y0)
            strips.draw_strip(canvas, state.strip)

        return Artwork(
            parts=(Part("scene", slot, paint), Part("strip", strip, paint_strip, area="strip")),
            regions={
                "picture": slot,
                **tapping.zones("reference", state.strip.icons, strip, kit.hull),
                **tapping.zones("target", state.targets, slot, kit.hull),
                **tapping.zones("distractor", state.others, slot, kit.hull),
            },
        )

    def mechanic(self, state: IconsState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return OrderedPoints(
            targets=tuple(tapping.zone_of(spec, slot, kit.hull) for spec in state.targets),
            others=tuple(tapping.zone_of(spec, slot, kit.hull) for spec in state.others),
            area=slot,
            submit=placement.submit,
        )

    def reason_slots(
        self, state: IconsState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        names = _names(state, lang)
        return {
            "count": Slot("count", len(names)),
            "names": Slot("name", tapping.listed(names, lang)),
        }

    def explain(
        self,
        state: IconsState,
        mechanic: AnyMechanic,
        gold: Sequence[ActionBase],
        rng: Rng,
        lang: str,
    ) -> tuple[ReasonStep, ...]:
        slots = self.reason_slots(state, mechanic, gold, lang)
        blocks, stream = self.wording.reasoning[lang], rng.fresh("reasoning")
        return tapping.explained(blocks, stream, slots, _names(state, lang), gold, lang)

    def margins(self, state: IconsState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [kit.colour_step(seen, icons.icon_ink(spec).painted) for spec in state.scene]
        return {"step of icon and ground": (min(steps), LEAST_STEP)}

    def identity(self, state: IconsState) -> Json:
        return {
            "backing": state.backing.name,
            "targets": [spec.asset for spec in state.targets],
            "others": sorted(spec.asset for spec in state.others),
            "places": [[int(s.x // BIN_CSS), int(s.y // BIN_CSS)] for s in state.targets],
        }

    def wrong_responses(
        self, state: IconsState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, OrderedPoints)
        return tapping.wrong_orders(mechanic, rng.fresh("wrong"))

    def bad_states(self, state: IconsState) -> Iterator[tuple[str, IconsState]]:
        first, second, *rest = state.targets
        strip = state.strip

        def changed(**more: Any) -> IconsState:
            return state.model_copy(update=more)

        backwards = replace(strip, icons=strip.icons[::-1])
        yield "strip and targets disagree", changed(strip=backwards)
        for reason, bad in strips.bad_strips(strip):
            yield reason, changed(strip=bad)
        twin = replace(first, x=second.x, y=second.y)
        yield "one icon is taken for another", changed(others=(twin,))
        for reason, spec in kit.bad_icons(first, second):
            yield reason, changed(targets=(spec, second, *rest))

    def solutions(self, state: IconsState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """Icons of the scene that may be meant by each of the strip, in all ways."""
        meant = [
            [k for k, spec in enumerate(state.scene) if kit.taken_for(spec.asset, shown.asset)]
            for shown in sorted(state.strip.icons, key=lambda spec: spec.x)
        ]
        return [found for found in product(*meant) if len(set(found)) == len(found)]

    def labels(self, state: IconsState, scene: Scene) -> Mapping[str, Label]:
        return tapping.order_labels(state.targets, state.scene, attrgetter("asset"))


def _names(state: IconsState, lang: str) -> list[str]:
    """What the targets are called, in order."""
    return [icons.icon_info(spec.asset).called(lang) for spec in state.targets]
