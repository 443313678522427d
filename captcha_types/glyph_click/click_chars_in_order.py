"""Characters scattered over a picture, to be tapped in the order that a strip shows.

Rule
    Tap the characters of the strip in the picture, in the strip's order from left to right.
    Faces, colours and turns differ between strip and picture; characters that the strip does
    not show are not tapped.
Answer
    One tap on each character of the strip, in order; where the panel has a button, a click on it.
Validity
    No two characters of a picture are taken for each other, however they are turned. Their
    ink is half a character apart or more, lies inside the picture, and keeps a contrast of 3
    to the ground or to its own rim; the strip shows all targets whole, in their order.
Source
    Click-the-words puzzles as in MCA-Bench, VenusBench-CAPTCHA, HLL and the open generators.
    A tap counts in the hull of a character's ink, grown by 2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from operator import attrgetter
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.glyph_click import _kit as kit
from captcha_types.glyph_click import _strip as strips
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
from factory.draw import glyphs, grounds
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter
from factory.draw.tokens import tokens_named

TARGETS, OTHERS = (2, 5), (0, 6)
SIZES: Mapping[kit.Script, tuple[float, float]] = {"latin": (46.0, 36.0), "han": (42.0, 34.0)}
"""Size of the characters in CSS px, at the easy and at the hard end; less where room is short."""

TURNS_DEG = (12.0, 75.0)
GAPS = (0.8, kit.LEAST_GAP)
CLUTTER, CLUTTER_CSS = (0.0, 0.6), 1.2
HAN_SHARE = 0.8
"""Of Chinese panels; English ones show letters and digits."""

LEAST_STEP = 40.0
"""Levels of grey between a character and its ground, after decoding: inks at a contrast of 3
are 60 and more apart, of which thin strokes lose a third."""

BIN_CSS = 16.0
"""Characters nearer to each other's places than this are the same arrangement: half of one."""


class CharsState(State):
    """Glyphs in CSS px from the picture's corner; ``targets`` in the order of the taps."""

    script: kit.Script
    ground: grounds.Ground
    targets: tuple[glyphs.GlyphSpec, ...]
    others: tuple[glyphs.GlyphSpec, ...]
    clutter: Clutter
    strip: strips.Strip
    size: tuple[float, float]

    @property
    def scene(self) -> tuple[glyphs.GlyphSpec, ...]:
        """All characters of the picture, targets first."""
        return (*self.targets, *self.others)


class CharsOptions(Options):
    """Each knob follows ``difficulty`` when it is not set; ``gap`` by the characters' height."""

    targets: int | None = Knob(default=None, ge=TARGETS[0], le=TARGETS[1])
    others: int | None = Knob(default=None, ge=OTHERS[0], le=OTHERS[1])
    turn_deg: float | None = Knob(default=None, ge=0.0, le=180.0)
    gap: float | None = Knob(default=None, ge=kit.LEAST_GAP, le=1.0)
    clutter: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("click_chars_in_order", version=1, family="glyph_click")
class ClickCharsInOrder(PuzzleType[CharsState, CharsOptions]):
    """See the module."""

    State: ClassVar[type[State]] = CharsState
    Options: ClassVar[type[Options]] = CharsOptions
    mechanics = ("ordered_points",)
    answer_kind = "click_order"
    small_model_reach = False  # every glyph has to be matched and in order at once
    seen_in_grey = True
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.6, 0.74),
            width=(244, 300),
            strip=strips.HEIGHT_CSS,
            submit="either",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def _chars(self, scene: Scene) -> tuple[kit.Script, list[str], int]:
        """(script, characters, how many of them are targets), fixed for a key."""
        stream, knob = scene.rng.fixed("chars"), self.options
        han = scene.placement.lang == "zh" and stream.chance(HAN_SHARE)
        script: kit.Script = "han" if han else "latin"
        count = kit.stepped(TARGETS, scene.difficulty) if knob.targets is None else knob.targets
        more = kit.stepped(OTHERS, scene.difficulty) if knob.others is None else knob.others
        return script, kit.choose_chars(stream, script, scene.split, count + more), count

    def sample(self, scene: Scene) -> CharsState:
        rng, slot, knob = scene.rng, scene.placement.boxes["slot"], self.options
        script, chars, count = self._chars(scene)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
        )
        hard = scene.difficulty
        found = kit.scatter_glyphs(
            rng.fresh("glyphs"),
            chars,
            rng.fixed("order").shuffled(range(len(chars))),
            Box(0, 0, slot.width, slot.height),
            script=script,
            split=scene.split,
            tone=ground.tone,
            size=kit.between(SIZES[script], hard),
            gap=kit.between(GAPS, hard) if knob.gap is None else knob.gap,
            turn_deg=kit.between(TURNS_DEG, hard) if knob.turn_deg is None else knob.turn_deg,
        )
        amount = kit.between(CLUTTER, hard) if knob.clutter is None else knob.clutter
        return CharsState(
            script=script,
            ground=ground,
            targets=tuple(found[:count]),
            others=tuple(found[count:]),
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, amount, width=CLUTTER_CSS),
            strip=strips.choose_strip(
                rng.fresh("strip"),
                chars[:count],
                scene.placement.boxes["strip"],
                tokens_named(scene.placement.tokens),
                script=script,
                split=scene.split,
            ),
            size=(slot.width, slot.height),
        )

    def check(self, state: CharsState) -> None:
        if [s.char for s in state.strip.glyphs] != [s.char for s in state.targets]:
            raise Rejected("strip and targets disagree")
        strips.refuse_strip(state.strip)
        kit.refuse_scene(state.scene, Box(0, 0, *state.size), state.script, state.ground.tone)

    def draw(self, state: CharsState, placement: Placement) -> Artwork:
        slot, strip = placement.boxes["slot"], placement.boxes["strip"]

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            whole = Box(0, 0, *state.size)
            grounds.draw_ground(canvas, state.ground, whole)
            draw_clutter(canvas, state.clutter, whole)
            glyphs.draw_glyphs(canvas, state.scene)

        def paint_strip(canvas: Any) -> None:
            canvas.translate(strip.x0, strip.y0)
            strips.draw_strip(canvas, state.strip)

        return Artwork(
            parts=(Part("scene", slot, paint), Part("strip", strip, paint_strip, area="strip")),
            regions={
                "picture": slot,
                **tapping.zones("reference", state.strip.glyphs, strip, kit.hull),
                **tapping.zones("target", state.targets, slot, kit.hull),
                **tapping.zones("distractor", state.others, slot, kit.hull),
            },
        )

    def mechanic(self, state: CharsState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return OrderedPoints(
            targets=tuple(tapping.zone_of(spec, slot, kit.hull) for spec in state.targets),
            others=tuple(tapping.zone_of(spec, slot, kit.hull) for spec in state.others),
            area=slot,
            submit=placement.submit,
        )

    def reason_slots(
        self, state: CharsState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        chars = [spec.char for spec in state.targets]
        return {
            "count": Slot("count", len(chars)),
            "names": Slot("name", tapping.listed(chars, lang)),
        }

    def explain(
        self,
        state: CharsState,
        mechanic: AnyMechanic,
        gold: Sequence[ActionBase],
        rng: Rng,
        lang: str,
    ) -> tuple[ReasonStep, ...]:
        slots = self.reason_slots(state, mechanic, gold, lang)
        blocks, stream = self.wording.reasoning[lang], rng.fresh("reasoning")
        chars = [spec.char for spec in state.targets]
        return tapping.explained(blocks, stream, slots, chars, gold, lang)

    def margins(self, state: CharsState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [kit.grey_step(seen, kit.ink(spec).painted) for spec in state.scene]
        return {"step of ink and ground": (min(steps), LEAST_STEP)}

    def identity(self, state: CharsState) -> Json:
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "targets": [spec.char for spec in state.targets],
            "others": sorted(spec.char for spec in state.others),
            "places": [[int(s.x // BIN_CSS), int(s.y // BIN_CSS)] for s in state.targets],
        }

    def wrong_responses(
        self, state: CharsState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, OrderedPoints)
        return tapping.wrong_orders(mechanic, rng.fresh("wrong"))

    def bad_states(self, state: CharsState) -> Iterator[tuple[str, CharsState]]:
        first, second, *rest = state.targets
        strip = state.strip

        def changed(**more: Any) -> CharsState:
            return state.model_copy(update=more)

        backwards = replace(strip, glyphs=strip.glyphs[::-1])
        yield "strip and targets disagree", changed(strip=backwards)
        for reason, bad in strips.bad_strips(strip):
            yield reason, changed(strip=bad)
        twin = replace(first, x=second.x, y=second.y)
        yield "one character is taken for another", changed(others=(twin,))
        for reason, spec in kit.bad_glyphs(first, second, state.ground.tone):
            yield reason, changed(targets=(spec, second, *rest))

    def solutions(self, state: CharsState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """Scene characters that may be meant by each character of the strip, in all ways."""
        meant = [
            [k for k, spec in enumerate(state.scene) if kit.taken_for(spec.char, shown.char)]
            for shown in sorted(state.strip.glyphs, key=lambda spec: spec.x)
        ]
        return [found for found in product(*meant) if len(set(found)) == len(found)]

    def labels(self, state: CharsState, scene: Scene) -> Mapping[str, Label]:
        return tapping.order_labels(state.targets, state.scene, attrgetter("char"))
