"""Bodies in the light, each on a tile with its shadow.

Rule
    Select every tile whose shadow falls the way that the panel says, as the viewer sees it,
    or every tile whose shadow does not fit the light, which comes from the brighter side.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    Shadows fall to the right, to the left, towards the viewer or away, within eight degrees,
    so that two ways are 74 degrees or more apart. A shadow that does not fit falls to the
    lit side, 100 degrees or more from where it belongs; all others lie opposite the light.
    No body hides the shadow behind it where its way is told. Every shadow is darker than
    the ground beside it, measured on the decoded picture.
Source
    Shadows as in NextGen-CAPTCHAs (Shadow_Direction, Shadow_Plausible) and
    Spatial-CAPTCHA-Bench (sun_direction); set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.spatial_3d import _kit as kit
from captcha_types.spatial_3d import _shades as shades
from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.cells import Cells
from factory.core.mechanics.zones import Zone
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
    Seen,
    State,
    WrongResponse,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng, Stream
from factory.draw import grounds, layout
from factory.draw.measure import pixel_fidelity
from factory.draw.tiles import GAP_CSS, paint_gaps
from factory.draw.tokens import tokens_named

Ask = Literal["right", "left", "towards", "away", "wrong"]
ASKS: tuple[Ask, ...] = ("right", "left", "towards", "away", "wrong")
ASK_SHARES = (0.15, 0.15, 0.15, 0.15, 0.4)

JITTER_DEG = 8.0
WRONG_DEG = 100.0
"""By how much a shadow that does not fit falls beside its place, at least."""

LIT_DEG = 28.0
"""Light that shadows are judged by comes from the right or left, up to this beside."""

BODIES = 16
"""Bodies that are tried on a tile until one does not hide its shadow: one in five does."""

COLUMNS = 3
NINE_FROM = 0.5
"""Difficulty from which there are nine tiles, six below."""

LEAST_STEP = 14.0
"""Levels of grey by which a shadow is darker than the ground beside it, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the shadows beyond this."""


class ShadeState(State):
    """``shades`` stand on the tiles in reading order; px are CSS px from the board's corner."""

    ask: Ask
    order: tuple[int, ...]
    """The right tiles, in the order in which they were drawn by lot."""
    shades: tuple[shades.Shade, ...]
    ground: grounds.Ground
    size: tuple[float, float]
    feedback: Literal["tick", "outline"]


class ShadeOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    tiles: Literal[6, 9] | None = None
    rise_deg: float | None = Knob(default=None, ge=28.0, le=42.0)
    jitter_deg: float | None = Knob(default=None, ge=0.0, le=JITTER_DEG)


@register("light_shadow_consistency", version=1, family="spatial_3d")
class LightShadowConsistency(PuzzleType[ShadeState, ShadeOptions]):
    """See the module."""

    State: ClassVar[type[State]] = ShadeState
    Options: ClassVar[type[Options]] = ShadeOptions
    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 170

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.8, 0.94), width=(252, 288), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> ShadeState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        tiles = self.options.tiles or (9 if hard >= NINE_FROM else 6)
        ask = rng.fixed("ask").weighted(ASKS, ASK_SHARES)
        right = rng.fixed("count").choice(_counts(tiles))
        order = tuple(rng.fixed("order").sample(range(tiles), right))
        size = (slot.width, slot.height)
        dress = rng.fresh("dress")
        return ShadeState(
            ask=ask,
            order=order,
            shades=tuple(
                self._shade(dress, ask, index in order, box, hard)
                for index, box in enumerate(_boxes(size, tiles))
            ),
            ground=grounds.compose(
                scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
                moods=("light",),
            ),
            size=size,
            feedback=dress.choice(("tick", "outline")),
        )  # fmt: skip

    def _shade(self, stream: Stream, ask: Ask, chosen: bool, box: Box, hard: float) -> shades.Shade:
        """A body whose shadow falls as the tile needs it."""
        knob = self.options
        jitter = JITTER_DEG * hard if knob.jitter_deg is None else knob.jitter_deg
        rise = 32.0 + 9.0 * hard if knob.rise_deg is None else knob.rise_deg
        off = stream.uniform(-jitter, jitter)
        light = stream.choice((0.0, 180.0)) + stream.uniform(-LIT_DEG, LIT_DEG)
        cast = 180.0 - light if chosen else light
        if ask != "wrong":
            others = [way for way in shades.WAYS_DEG if way != ask]
            light = cast = shades.WAYS_DEG[ask if chosen else stream.choice(others)] + off + 180.0
        for _ in range(BODIES):
            body = shades.choose_body(stream, stream.choice(shades.COLOURS), lit=ask == "wrong")
            made = shades.shade(stream, body, light, cast, rise, box)
            if shades.in_sight(made, box):
                return made
        raise Rejected("the body hides its shadow", value=BODIES, limit=BODIES)

    def check(self, state: ShadeState) -> None:
        right = {index for index, one in enumerate(state.shades) if _fits(one, state.ask)}
        if right != set(state.order):
            raise Rejected("tiles and shadows disagree", value=len(right), limit=len(state.order))
        if len(right) not in _counts(len(state.shades)):
            raise Rejected("too few or too many", value=len(right), limit=1)
        for one, box in zip(state.shades, _boxes(state.size, len(state.shades)), strict=True):
            against = one.against_deg
            if 1e-3 < against < WRONG_DEG or (against > 1.0 and state.ask != "wrong"):
                raise Rejected("a shadow that fits by half", value=against, limit=WRONG_DEG)
            if state.ask != "wrong" and not shades.way_of(one, JITTER_DEG):
                raise Rejected("a way between two", value=one.falls_deg, limit=JITTER_DEG)
            if state.ask == "wrong" and not shades.two_sided(one):
                raise Rejected("the lit side is not seen")
            if not shades.inside(one, box.grown(-1)):
                raise Rejected("a body or its shadow leaves its tile")
            if not shades.in_sight(one, box):
                raise Rejected("the body hides its shadow")

    def draw(self, state: ShadeState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        boxes = _boxes(state.size, len(state.shades))

        def paint(canvas: Any) -> None:
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            whole = Box(0, 0, *state.size)
            grounds.draw_ground(canvas, state.ground, whole)
            shades.paint_shades(canvas, state.shades)
            look = tokens_named(placement.tokens)
            paint_gaps(canvas, whole, boxes, look.rgb(placement.ground))
            canvas.restore()

        regions: dict[str, Box | Zone] = {"picture": slot}
        for index, (box, one) in enumerate(zip(boxes, state.shades, strict=True)):
            regions[f"cell.{index}"] = box.moved(slot.x0, slot.y0)
            regions[f"body.{index}"] = kit.moved_zone(one.outline(), slot)
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: ShadeState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        boxes = _boxes(state.size, len(state.shades))
        return Cells(
            cells=tuple(box.moved(slot.x0, slot.y0) for box in boxes),
            answer=tuple(sorted(state.order)),
            submit=placement.submit,
            feedback=state.feedback,
        )

    def goal_slots(self, state: ShadeState, lang: str) -> dict[str, str]:
        return {"whose": WHOSE[lang][state.ask]}

    def reason_slots(
        self, state: ShadeState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        first = gold[0]
        assert isinstance(first, Click)
        body = state.shades[min(state.order)].body.shape
        return {
            "whose": Slot("name", WHOSE[lang][state.ask]),
            "body": Slot("name", BODY_WORDS[lang][body]),
            "count": Slot("count", len(state.order)),
            "first": Slot("point", list(first.point)),
        }

    def margins(self, state: ShadeState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = _boxes(state.size, len(state.shades))
        steps = [
            shades.shadow_step(seen, one, box) for one, box in zip(state.shades, boxes, strict=True)
        ]
        return {
            "step of shadow and ground": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: ShadeState) -> Json:
        return {
            "ask": state.ask,
            "shades": [
                [one.body.shape, int(one.falls_deg // 10), int(one.light.azimuth_deg % 360 // 10)]
                for one in state.shades
            ],
            "ground": state.ground.seed,
        }

    def wrong_responses(
        self, state: ShadeState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        return kit.wrong_tiles(rng, mechanic, state.order, one=False)

    def bad_states(self, state: ShadeState) -> Iterator[tuple[str, ShadeState]]:
        def changed(index: int, one: shades.Shade, **more: Any) -> ShadeState:
            own = (*state.shades[:index], one, *state.shades[index + 1 :])
            return state.model_copy(update={"shades": own, **more})

        wrong = next(i for i in range(len(state.shades)) if i not in state.order)
        more = (*state.order, wrong)
        yield "tiles and shadows disagree", state.model_copy(update={"order": more})
        odd = state.shades[wrong]
        near = replace(odd.light, azimuth_deg=odd.light.azimuth_deg + 40.0)
        yield "a shadow that fits by half", changed(wrong, replace(odd, light=near))
        close = replace(odd.camera, focus=4 * odd.camera.focus)
        yield "a body or its shadow leaves its tile", changed(wrong, replace(odd, camera=close))
        if state.ask != "wrong":
            slant = replace(odd.cast, azimuth_deg=odd.cast.azimuth_deg + 45.0)
            between = replace(odd, cast=slant, light=slant)
            yield "a way between two", changed(wrong, between)
        if state.ask not in ("wrong", "away"):
            low = replace(odd.body, shape="box", sizes=(0.5, 0.5, 0.25))
            behind = replace(odd.cast, azimuth_deg=270.0)
            small = replace(odd.camera, focus=0.5 * odd.camera.focus)
            flat = shades.Shade(low, behind, behind, small)
            yield "the body hides its shadow", changed(wrong, flat)
        if state.ask == "wrong":
            front = replace(odd.body, shape="box", spin_deg=0.0)
            yield "the lit side is not seen", changed(wrong, replace(odd, body=front))
        alike = tuple(state.shades[state.order[0]] for _ in state.shades)
        every = tuple(range(len(state.shades)))
        yield (
            "too few or too many",
            state.model_copy(update={"shades": alike, "order": every}),
        )

    def solutions(self, state: ShadeState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles by where shadows lie in the picture and which side of a body is lit."""
        found: list[int] = []
        for index, one in enumerate(state.shades):
            right, away = shades.seen_way(one)
            if state.ask == "wrong":
                fits = right * one.light.towards[0] > 0
            elif abs(right) > abs(away):
                fits = state.ask == ("right" if right > 0 else "left")
            else:
                fits = state.ask == ("away" if away > 0 else "towards")
            found += [index] if fits else []
        return [tuple(found)]

    def labels(self, state: ShadeState, scene: Scene) -> Mapping[str, Label]:
        tiles = len(state.shades)
        counts = _counts(tiles)
        return {
            f"count of {tiles}": Choice(counts.index(len(state.order)), len(counts)),
            f"a tile of {tiles}": Choice(state.order[0], tiles),
        }


WHOSE = {
    "en": {
        "right": "whose shadow falls to the right", "left": "whose shadow falls to the left",
        "towards": "whose shadow falls towards you", "away": "whose shadow falls away from you",
        "wrong": "whose shadow does not fit the light",
    },
    "zh": {
        "right": "影子落向右边", "left": "影子落向左边", "towards": "影子朝向您",
        "away": "影子落向远处", "wrong": "影子与光照不符",
    },
}  # fmt: skip
BODY_WORDS = {
    "en": {"box": "block", "cylinder": "cylinder", "cone": "cone", "sphere": "ball",
           "prism6": "six-sided block", "pyramid": "pyramid", "prism3": "three-sided block"},
    "zh": {"box": "方块", "cylinder": "圆柱", "cone": "圆锥", "sphere": "球",
           "prism6": "六棱柱", "pyramid": "四棱锥", "prism3": "三棱柱"},
}  # fmt: skip


def _counts(tiles: int) -> tuple[int, ...]:
    """How many tiles may be right."""
    return tuple(range(1, tiles // 2 + 1))


def _boxes(size: tuple[float, float], tiles: int) -> list[Box]:
    """The tiles in reading order, CSS px from the board's corner."""
    return layout.tiles(Box(0, 0, *size), tiles // COLUMNS, COLUMNS, GAP_CSS)


def _fits(one: shades.Shade, ask: Ask) -> bool:
    """Whether a tile is one that is asked for."""
    if ask == "wrong":
        return one.against_deg >= WRONG_DEG
    return shades.way_of(one, JITTER_DEG) == ask
