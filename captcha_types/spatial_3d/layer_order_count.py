"""Tiles with piles of flat shapes that hide parts of each other.

Rule
    Select every tile whose pile is as the panel says: a shape lies at the very back, or at
    the very front, or so many places from the back; or one shape lies over another.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    The order of a whole pile can be seen: wherever two shapes follow each other in it, there
    is a place, not hidden by others, where the upper one covers the lower one; the order that
    these places give is the order in which the shapes were painted. Where one shape is asked
    to lie over another, those two meet in such a place. Of every shape enough is seen, of its
    area and of its outline, to say what it is. Shapes of a pile have colours that are told
    apart.
Source
    Layers as in NextGen-CAPTCHAs (Backmost_Layer, Layered_Stack); set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.spatial_3d import _kit as kit
from captcha_types.spatial_3d import _pile_asks as asks
from captcha_types.spatial_3d import _piles as piles
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
from factory.core.rng import Rng
from factory.draw import grounds, layout
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.tiles import GAP_CSS, paint_gaps
from factory.draw.tokens import tokens_named

LAYERS = (3, 5)
COLUMNS = 3
NINE_FROM = 0.5
"""Difficulty from which there are nine tiles, six below."""

MIXED_FROM = 0.4
"""Difficulty from which a shape may have another colour on every tile."""

LEAST_OPACITY = 0.86

LEAST_STEP = 40.0
"""Levels of grey between the lightest and the darkest of a pile, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the piles beyond this."""


class PileState(State):
    """``piles`` lie on the tiles in reading order, their layers lowest first."""

    question: asks.Question
    order: tuple[int, ...]
    """The right tiles, in the order in which they were drawn by lot."""
    piles: tuple[tuple[piles.Layer, ...], ...]
    opacity: float
    ground: grounds.Ground
    size: tuple[float, float]
    feedback: Literal["tick", "outline"]


class PileOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    tiles: Literal[6, 9] | None = None
    layers: int | None = Knob(default=None, ge=LAYERS[0], le=LAYERS[1])
    opacity: float | None = Knob(default=None, ge=LEAST_OPACITY, le=1.0)
    ask: asks.Ask | None = None


@register("layer_order_count", version=1, family="spatial_3d")
class LayerOrderCount(PuzzleType[PileState, PileOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PileState
    Options: ClassVar[type[Options]] = PileOptions
    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 130

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.8, 0.98), width=(252, 288), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def layers(self, difficulty: float) -> int:
        """How many shapes lie in a pile."""
        low, high = LAYERS
        return self.options.layers or low + min(high - low, int(difficulty * (high - low + 1)))

    def sample(self, scene: Scene) -> PileState:
        rng, slot, hard, knob = (
            scene.rng, scene.placement.boxes["slot"], scene.difficulty, self.options,
        )  # fmt: skip
        tiles, layers = knob.tiles or (9 if hard >= NINE_FROM else 6), self.layers(hard)
        ask = knob.ask or rng.fixed("ask").weighted(tuple(asks.ASKS), tuple(asks.ASKS.values()))
        right = rng.fixed("count").choice(_counts(tiles))
        order = tuple(rng.fixed("order").sample(range(tiles), right))
        pile, dress = rng.fresh("piles"), rng.fresh("dress")
        question = asks.choose_question(rng.fresh("question"), ask, layers)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        palette = piles.choose_colours(dress, ground.mood)
        mixed = hard >= MIXED_FROM and dress.chance(0.6)
        least = LEAST_OPACITY + (1.0 - LEAST_OPACITY) * (1.0 - hard)
        return PileState(
            question=question,
            order=order,
            piles=tuple(
                asks.build_pile(pile, question, palette, right=index in order, mixed=mixed)
                for index in range(tiles)
            ),
            opacity=round(dress.uniform(least, 1.0), 3) if knob.opacity is None else knob.opacity,
            ground=ground,
            size=(slot.width, slot.height),
            feedback=dress.choice(("tick", "outline")),
        )

    def check(self, state: PileState) -> None:
        for pile in state.piles:
            asks.check_pile(state.question, pile)
        right = {
            k for k, pile in enumerate(state.piles)
            if state.question.met([layer.shape for layer in pile])
        }  # fmt: skip
        if right != set(state.order):
            raise Rejected("tiles and piles disagree", value=len(right), limit=len(state.order))
        if len(right) not in _counts(len(state.piles)):
            raise Rejected("too few or too many", value=len(right), limit=1)

    def draw(self, state: PileState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        boxes = _boxes(state.size, len(state.piles))

        def paint(canvas: Any) -> None:
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            whole = Box(0, 0, *state.size)
            grounds.draw_ground(canvas, state.ground, whole)
            for pile, box in zip(state.piles, boxes, strict=True):
                piles.paint_pile(canvas, pile, box, state.opacity)
            look = tokens_named(placement.tokens)
            paint_gaps(canvas, whole, boxes, look.rgb(placement.ground))
            canvas.restore()

        regions: dict[str, Box | Zone] = {"picture": slot}
        for index, (box, pile) in enumerate(zip(boxes, state.piles, strict=True)):
            regions[f"cell.{index}"] = box.moved(slot.x0, slot.y0)
            for layer in sorted(pile, key=lambda one: one.shape):
                own = layer.box(box.center, _unit(box))
                regions[f"{layer.shape}.{index}"] = own.moved(slot.x0, slot.y0)
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: PileState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        boxes = _boxes(state.size, len(state.piles))
        return Cells(
            cells=tuple(box.moved(slot.x0, slot.y0) for box in boxes),
            answer=tuple(sorted(state.order)),
            submit=placement.submit,
            feedback=state.feedback,
        )

    def goal_slots(self, state: PileState, lang: str) -> dict[str, str]:
        return {"where": state.question.words(lang)}

    def reason_slots(
        self, state: PileState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        first = gold[0]
        assert isinstance(first, Click)
        between = ", " if lang == "en" else "、"
        names = [asks.NAMES[lang][layer.shape] for layer in state.piles[min(state.order)]]
        return {
            "where": Slot("name", state.question.words(lang)),
            "pile": Slot("name", between.join(names)),
            "count": Slot("count", len(state.order)),
            "first": Slot("point", list(first.point)),
        }

    def margins(self, state: PileState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = _boxes(state.size, len(state.piles))
        steps = [grey_step(seen.decoded, seen.box(box.grown(-0.14 * box.width))) for box in boxes]
        return {
            "step of piles": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: PileState) -> Json:
        return {
            "ask": [state.question.ask, *state.question.shapes, state.question.place],
            "piles": [
                [[one.shape, one.x // 4, one.y // 4] for one in pile] for pile in state.piles
            ],
            "ground": state.ground.seed,
        }

    def wrong_responses(
        self, state: PileState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        return kit.wrong_tiles(rng, mechanic, state.order, one=False)

    def bad_states(self, state: PileState) -> Iterator[tuple[str, PileState]]:
        def changed(pile: Sequence[piles.Layer], **more: Any) -> PileState:
            own = [tuple(pile) if k == wrong else one for k, one in enumerate(state.piles)]
            return state.model_copy(update={"piles": tuple(own), **more})

        wrong = next(k for k in range(len(state.piles)) if k not in state.order)
        pile = state.piles[wrong]
        yield "tiles and piles disagree", changed(pile, order=(*state.order, wrong))
        alike = (state.piles[state.order[0]],) * len(state.piles)
        every = {"piles": alike, "order": tuple(range(len(alike)))}
        yield "too few or too many", state.model_copy(update=every)
        yield "not the shapes that are asked for", changed((*pile[1:], pile[1]))
        away = [replace(one, x=one.x + piles.UNITS) for one in pile]
        yield "a shape leaves its tile", changed(away)
        yield "two colours alike", changed([replace(one, colour=pile[0].colour) for one in pile])
        small = replace(pile[0], x=0, y=0, size=8)
        yield "a shape too hidden", changed([small, *(replace(o, x=0, y=0) for o in pile[1:])])
        ends = [replace(one, size=10, x=13 * (k % 2 * 2 - 1), y=9 * (k // 2 - 1), turn=0)
                for k, one in enumerate(pile)]  # fmt: skip
        yield "order does not show", changed(ends)

    def solutions(self, state: PileState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles by who is seen to lie on whom, never by the order of the layers."""
        right = [k for k, p in enumerate(state.piles) if state.question.met(asks.order_seen(p))]
        return [tuple(right)]

    def labels(self, state: PileState, scene: Scene) -> Mapping[str, Label]:
        tiles = len(state.piles)
        counts = _counts(tiles)
        return {
            f"count of {tiles}": Choice(counts.index(len(state.order)), len(counts)),
            f"a tile of {tiles}": Choice(state.order[0], tiles),
        }


def _counts(tiles: int) -> tuple[int, ...]:
    """How many tiles may be right."""
    return tuple(range(1, tiles // 2 + 1))


def _boxes(size: tuple[float, float], tiles: int) -> list[Box]:
    """The tiles in reading order, CSS px from the board's corner."""
    return layout.tiles(Box(0, 0, *size), tiles // COLUMNS, COLUMNS, GAP_CSS)


def _unit(box: Box) -> float:
    """CSS px of a unit on a tile."""
    return min(box.width, box.height) / piles.UNITS
