"""A figure that only the stripes around it show, and small figures of which one is the same.

Rule
    Find the figure in the stripes and tap the small one that is the same.
Answer
    One tap on a tile; where the panel has a button, a click on it. Which tile is drawn evenly.
Validity
    The tiles show silhouettes of icons that overlap by 0.7 or less, brought to one size, so
    only one is the hidden one. Inside the figure stripes are bolder, run across or lie between
    those outside; a dozen or more cross it, and they stand out, measured on the decoded
    picture.
Source
    Optical illusions to be chosen as in IllusionCAPTCHA and the open generators, with textures
    of our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

import skia
from pydantic import Field as Knob

from captcha_types.illusion_occlusion import _stripes as textures
from captcha_types.illusion_occlusion._stripes import Stripes, Way
from factory.core import tapping
from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.points import Points
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
from factory.draw import grounds, icons
from factory.draw.likeness import normal_mask, overlap, softened
from factory.draw.measure import grey_step
from factory.draw.styles import rgb_colour
from factory.draw.tiles import Board, paint_gaps
from factory.draw.tokens import tokens_named
from factory.draw.tones import LARGE_GLYPHS, choose_ink

OPTIONS = (3, 5)
SHARE = 0.68
"""Of the height that the stripes take."""

WAYS: tuple[Way, ...] = ("bolder", "turned", "shifted")
"""What is otherwise inside the figure, from easy to hard."""

PERIODS_CSS = (4.1, 5.0)
STRIPE = 0.4
FILLING, OPTION_FILLING = 0.86, 0.74
"""Longest sides of the hidden figure and of the small ones, by the sides of their tiles."""

MOST_ALIKE = 0.7
DRAWS = 60
LEAST_ACROSS = 12.0
LEAST_PERIOD_CSS = 3.9
LEAST_STEP = 20.0
"""Levels of grey between stripes and ground, after decoding and reduction."""

ORDINALS: Mapping[str, Sequence[str]] = {
    "en": ("first", "second", "third", "fourth", "fifth"),
    "zh": ("第一", "第二", "第三", "第四", "第五"),
}


class HiddenState(State):
    """``options`` are assets from left to right, ``hidden`` the one in the stripes."""

    options: tuple[str, ...]
    answer: int
    hidden: str
    way: Way
    stripes: Stripes
    ink: str
    board: Board
    ground: grounds.Ground


class HiddenOptions(Options):
    """Each knob follows ``difficulty`` when it is not set. ``ways``: how many may be drawn."""

    options: int | None = Knob(default=None, ge=OPTIONS[0], le=OPTIONS[1])
    ways: int | None = Knob(default=None, ge=1, le=len(WAYS))


@register("hidden_figure", version=1, family="illusion_occlusion")
class HiddenFigure(PuzzleType[HiddenState, HiddenOptions]):
    """See the module."""

    State: ClassVar[type[State]] = HiddenState
    Options: ClassVar[type[Options]] = HiddenOptions
    mechanics = ("points",)
    answer_kind = "point"
    seen_in_grey = True
    seen_side = 240

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.82, 0.95), width=(252, 284), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> HiddenState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        low, high = OPTIONS
        count = self.options.options or low + min(high - low, int(hard * (high - low + 1)))
        answer = rng.fixed("answer").integer(0, count)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        options = _choose(rng.fresh("options"), scene.split, count)
        stream = rng.fresh("stripes")
        few = 0 if self.options.ways else int(hard * 1.99)
        ways = WAYS[few : self.options.ways or 1 + int(hard * 2.99)]
        stripes = Stripes(
            round(stream.uniform(0.0, 180.0), 3), round(stream.uniform(*PERIODS_CSS), 3),
            round(stream.uniform(0.0, 1.0), 3), STRIPE,
        )  # fmt: skip
        return HiddenState(
            options=options,
            answer=answer,
            hidden=options[answer],
            way=stream.choice(ways),
            stripes=stripes,
            ink=choose_ink(stream, ground.tone, floor=LARGE_GLYPHS),
            board=Board(slot.width, slot.height, SHARE, count, 1, flipped=stream.chance(0.2)),
            ground=ground,
        )

    def check(self, state: HiddenState) -> None:
        if state.options[state.answer] != state.hidden:
            raise Rejected("figure and answer disagree", value=state.answer, limit=0)
        alike = max(_alike(a, b) for a, b in combinations(state.options, 2))
        if alike > MOST_ALIKE:
            raise Rejected("two options alike", value=alike, limit=MOST_ALIKE)
        tile, period = state.board.question, state.stripes.period
        across = FILLING * min(tile.width, tile.height) / period
        if across < LEAST_ACROSS:
            raise Rejected("stripes too wide", value=across, limit=LEAST_ACROSS)
        if period < LEAST_PERIOD_CSS:
            raise Rejected("stripes too fine", value=period, limit=LEAST_PERIOD_CSS)
        if not state.ground.tone.reads(state.ink, LARGE_GLYPHS):
            raise Rejected("stripes do not stand out")

    def draw(self, state: HiddenState, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, board.whole)
            asked = board.question
            shape = _silhouette(state.hidden, asked, FILLING)
            textures.paint_striped(canvas, asked, shape, state.ink, state.stripes, state.way)
            fill = skia.Paint(Color=rgb_colour(state.ink), AntiAlias=True)
            for asset, tile in zip(state.options, board.tiles, strict=True):
                canvas.drawPath(_silhouette(asset, tile, OPTION_FILLING), fill)
            look = tokens_named(placement.tokens)
            gaps = [asked, *board.tiles]
            paint_gaps(canvas, board.whole, gaps, look.rgb(placement.ground))

        cells = {f"cell.{k}": b.moved(slot.x0, slot.y0) for k, b in enumerate(board.tiles)}
        regions = {"picture": board.question.moved(slot.x0, slot.y0), **cells}
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: HiddenState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        tiles = [Zone.of_box(tile.moved(slot.x0, slot.y0)) for tile in state.board.tiles]
        return Points(
            targets=(tiles[state.answer],),
            area=slot,
            others=(*tiles[: state.answer], *tiles[state.answer + 1 :]),
            submit=placement.submit,
        )

    def reason_slots(
        self, state: HiddenState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        click = gold[0]
        assert isinstance(click, Click)
        return {
            "name": Slot("name", icons.icon_info(state.hidden).called(lang)),
            "count": Slot("count", len(state.options)),
            "place": Slot("name", ORDINALS[lang][state.answer]),
            "point": Slot("point", list(click.point)),
        }

    def margins(self, state: HiddenState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        step = grey_step(seen.decoded, seen.box(state.board.question.grown(-8)))
        return {"step of stripes and ground": (step, LEAST_STEP)}

    def identity(self, state: HiddenState) -> Json:
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "options": list(state.options),
            "answer": state.answer,
        }

    def wrong_responses(
        self, state: HiddenState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Points)
        asked = state.board.question.center
        scale = mechanic.area.width / state.board.width
        middle = Point(mechanic.area.x0 + scale * asked.x, mechanic.area.y0 + scale * asked.y)
        return [
            *tapping.wrong_sets(mechanic, rng.fresh("wrong")),
            WrongResponse("the stripes", (Click(middle), *tapping.send(mechanic.submit))),
        ]

    def bad_states(self, state: HiddenState) -> Iterator[tuple[str, HiddenState]]:
        def changed(**more: Any) -> HiddenState:
            return state.model_copy(update=more)

        other = (state.answer + 1) % len(state.options)
        yield "figure and answer disagree", changed(answer=other)
        twice = (*state.options[:other], state.hidden, *state.options[other + 1 :])
        yield "two options alike", changed(options=twice)
        yield "stripes too wide", changed(stripes=replace(state.stripes, period=20.0))
        yield "stripes too fine", changed(stripes=replace(state.stripes, period=2.0))
        yield "stripes do not stand out", changed(ink=state.ground.colours[0])

    def solutions(self, state: HiddenState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The option whose silhouette overlaps the hidden one most."""
        alike = [_alike(state.hidden, option) for option in state.options]
        best = alike.index(max(alike))
        return [(0 if best == state.answer else 1 + best - (best > state.answer),)]

    def labels(self, state: HiddenState, scene: Scene) -> Mapping[str, Label]:
        count = len(state.options)
        return {f"option of {count}": Choice(state.answer, count)}


@lru_cache(maxsize=2048)
def _mask(asset: str) -> Any:
    return softened(normal_mask(icons.icon_shape(asset).rim))


@lru_cache(maxsize=8192)
def _alike(a: str, b: str) -> float:
    """Overlap of two silhouettes brought to one size."""
    return round(overlap(_mask(a), _mask(b)), 6)


def _choose(stream: Stream, split: str, count: int) -> tuple[str, ...]:
    """Icons whose silhouettes are not alike, in random order."""
    pool, chosen = icons.icons(split), list[str]()
    for _ in range(DRAWS):
        asset = stream.choice(pool).asset
        if all(_alike(asset, other) <= MOST_ALIKE for other in chosen):
            chosen.append(asset)
        if len(chosen) == count:
            return tuple(chosen)
    raise Rejected("too few different figures", value=len(chosen), limit=count)


def _silhouette(asset: str, tile: Box, filling: float) -> skia.Path:
    """An icon's silhouette in the middle of a tile, filled."""
    path, side = skia.Path(icons.icon_shape(asset).rim), filling * min(tile.width, tile.height)
    bounds = path.computeTightBounds()
    side /= max(bounds.width(), bounds.height())
    path.transform(skia.Matrix.Translate(-bounds.centerX(), -bounds.centerY()))
    path.transform(skia.Matrix.Scale(side, side))
    path.transform(skia.Matrix.Translate(*tile.center))
    return path
