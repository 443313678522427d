"""A board of tiles, each with one thing, and a kind of thing to select.

Rule
    Select every tile that shows a thing of the kind asked for, or the only one where the
    panel says so; where no tile does, use the button that says so.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    Every tile holds one thing of one kind. No kind stands on a board with one that is near
    to it (fruit beside plants, scissors beside tools), and things of which people disagree
    what they are stand on none. Every thing is seen on its tile, measured on the decoded
    picture.
Source
    Image grids as in MCA-Bench, Open CaptchaWorld, Halligan, ReCAP, HLL and CAPTCHA-X; set
    equality, with a Jaccard score beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.grid_select import _kit as kit
from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.cells import Cells
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
from factory.draw import grounds, icons
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter
from factory.draw.icons import kinds
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.tokens import tokens_named

Mode = Literal["all", "one", "none"]
MODES: tuple[Mode, ...] = ("all", "one", "none")
MODE_SHARES = (0.8, 0.12, 0.08)

LEAST_STEP = 40.0
"""Levels of grey between a thing and its tile, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the things beyond this."""

LARGE_FROM = 0.66
"""Boards have four rows from this difficulty on, three below."""

SOURCES = ("emoji3d", "icon", "")
SOURCE_SHARES = (0.45, 0.35, 0.2)

ASKS = {
    "en": {"all": "all pictures", "one": "the only picture", "none": "all pictures"},
    "zh": {"all": "所有", "one": "唯一的", "none": "所有"},
}


class BoardState(State):
    """``things`` stand on the tiles in reading order, CSS px from the board's corner."""

    query: str
    mode: Mode
    rows: int
    order: tuple[int, ...]
    """The tiles of the kind, in the order in which they were drawn by lot."""
    things: tuple[icons.IconSpec, ...]
    ground: grounds.Ground
    clutter: Clutter
    size: tuple[float, float]
    feedback: Literal["tick", "outline"]


class BoardOptions(Options):
    """Each follows ``difficulty`` when it is not set."""

    rows: int | None = Knob(default=None, ge=3, le=4)
    noise: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("grid_category_select", version=1, family="grid_select")
class GridCategorySelect(PuzzleType[BoardState, BoardOptions]):
    """See the module."""

    State: ClassVar[type[State]] = BoardState
    Options: ClassVar[type[Options]] = BoardOptions
    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 110
    small_model_reach = False  # it would have to know what hundreds of things are

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="none", ratio=(1, 1), width=(228, 276), submit="either", skip=True
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def rows(self, difficulty: float) -> int:
        """Rows and columns of the board."""
        return self.options.rows or (4 if difficulty >= LARGE_FROM else 3)

    def counts(self, mode: Mode, rows: int) -> tuple[int, ...]:
        """How many tiles may be of the kind, evenly."""
        if mode == "all":
            return tuple(range(2, rows * rows // 2 + 1))
        return (1,) if mode == "one" else (0,)

    def sample(self, scene: Scene) -> BoardState:
        rng, slot, rows = scene.rng, scene.placement.boxes["slot"], self.rows(scene.difficulty)
        query = rng.fixed("query").choice(kinds.queries(scene.split))
        mode = rng.fixed("mode").weighted(MODES, MODE_SHARES)
        count = rng.fixed("count").choice(self.counts(mode, rows))
        order = tuple(rng.fixed("order").sample(range(rows * rows), count))
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
        )
        noise = 0.6 * scene.difficulty if self.options.noise is None else self.options.noise
        size = (slot.width, slot.height)
        chosen = self._things(scene, query, order, rows)
        dress = rng.fresh("dress")
        side = kit.tiles(size, rows)[0].width
        sources = sorted({info.source for info in chosen})
        looks = {
            source: kit.styles(dress, ground, source, tile_css=side, floor=kit.LEAST_CONTRAST)
            for source in sources
        }
        return BoardState(
            query=query,
            mode=mode,
            rows=rows,
            order=order,
            things=tuple(
                kit.on_tile(dress, info, tile, dress.choice(looks[info.source]), scene.difficulty)
                for info, tile in zip(chosen, kit.tiles(size, rows), strict=True)
            ),
            ground=ground,
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, noise, width=1.2),
            size=size,
            feedback=rng.fresh("feedback").choice(("tick", "outline")),
        )

    def _things(
        self, scene: Scene, query: str, order: tuple[int, ...], rows: int
    ) -> list[icons.IconInfo]:
        """What stands on each tile: of the kind where ``order`` says so."""
        stream = scene.rng.fresh("things")
        source = stream.weighted(SOURCES, SOURCE_SHARES)
        wanted = kinds.pool(scene.split, source, query) or kinds.pool(scene.split, "", query)
        others = kinds.rest(scene.split, source, query) or kinds.rest(scene.split, "", query)
        right = kit.some(stream, wanted, len(order))
        wrong = kit.some(stream, others, rows * rows - len(order))
        board = [wrong.pop() if tile not in order else None for tile in range(rows * rows)]
        for tile, info in zip(order, right, strict=True):
            board[tile] = info
        return [info for info in board if info is not None]

    def check(self, state: BoardState) -> None:
        shown = [icons.icon_info(spec.asset).category for spec in state.things]
        of_kind = {tile for tile, kind in enumerate(shown) if kind == state.query}
        if len(shown) != state.rows**2:
            raise Rejected("tiles missing", value=len(shown), limit=state.rows**2)
        if of_kind != set(state.order):
            raise Rejected("tiles and kinds disagree", value=len(of_kind), limit=len(state.order))
        if any(icons.icon_info(spec.asset).en in kinds.BORDERLINE for spec in state.things):
            raise Rejected("a thing of no clear kind")
        if any(kind in kinds.QUERIES[state.query].near for kind in shown):
            raise Rejected("a kind too near to the one asked for")
        if len(of_kind) not in self.counts(state.mode, state.rows):
            raise Rejected("count and mode disagree", value=len(of_kind), limit=1)
        for spec, tile in zip(state.things, kit.tiles(state.size, state.rows), strict=True):
            if not tile.grown(-1).holds(icons.icon_ink(spec).box):
                raise Rejected("a thing leaves its tile")

    def draw(self, state: BoardState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        boxes = _boxes(state, placement)

        def paint(canvas: Any) -> None:
            grounds.draw_ground(canvas, state.ground, slot)
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            icons.draw_icons(canvas, state.things)
            draw_clutter(canvas, state.clutter, Box(0, 0, *state.size))
            canvas.restore()
            look = tokens_named(placement.tokens)
            kit.paint_gaps(canvas, slot, boxes, look.rgb(placement.ground))

        regions: dict[str, Box] = {"picture": slot}
        for index, (tile, spec) in enumerate(zip(boxes, state.things, strict=True)):
            regions[f"cell.{index}"] = tile
            regions[f"thing.{index}"] = icons.icon_ink(spec).box.moved(slot.x0, slot.y0)
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: BoardState, placement: Placement) -> AnyMechanic:
        return Cells(
            cells=tuple(_boxes(state, placement)),
            answer=tuple(sorted(state.order)),
            mode="radio" if state.mode == "one" else "toggle",
            skip=placement.boxes["skip"],
            submit=placement.submit,
            feedback=state.feedback,
        )

    def goal_slots(self, state: BoardState, lang: str) -> dict[str, str]:
        query = kinds.QUERIES[state.query]
        return {"all": ASKS[lang][state.mode], "thing": query.en if lang == "en" else query.zh}

    def reason_slots(
        self, state: BoardState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        english = lang == "en"
        query = kinds.QUERIES[state.query]
        names = [icons.icon_info(state.things[tile].asset) for tile in sorted(state.order)]
        listed = (", " if english else "、").join(i.en if english else i.zh for i in names)
        first = gold[0]
        assert isinstance(first, Click)
        nothing = "nothing" if english else "没有"
        return {
            "thing": Slot("name", query.en if english else query.zh),
            "named": Slot("name", listed or nothing),
            "count": Slot("count", len(names)),
            "first": Slot("point", list(first.point)),
        }

    def reason_parts(self, state: BoardState) -> Sequence[str]:
        return {
            "all": ("seen", "act"), "one": ("seen_one", "act"), "none": ("seen_none", "act_none"),
        }[state.mode]  # fmt: skip

    def margins(self, state: BoardState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = (icons.icon_ink(spec).box.grown(2) for spec in state.things)
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of thing and tile": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: BoardState) -> Json:
        return {"query": state.query, "board": [spec.asset for spec in state.things]}

    def wrong_responses(
        self, state: BoardState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        right = set(state.order)
        wrong = [tile for tile in range(state.rows**2) if tile not in right]
        extra = rng.fresh("wrong").choice(wrong)
        sets = {
            "one tile too many": [*right, extra],
            "all but one": [*right][1:] or [extra],
            "the other tiles": wrong,
        }
        if state.mode == "one":
            sets = {"another tile": [extra]}
        return [
            WrongResponse(name, tuple(kit.taps(mechanic.cells, sorted(tiles), mechanic.submit)))
            for name, tiles in sets.items()
        ]

    def bad_states(self, state: BoardState) -> Iterator[tuple[str, BoardState]]:
        def changed(**more: Any) -> BoardState:
            return state.model_copy(update=more)

        free = next(t for t in range(state.rows**2) if t not in state.order)
        yield "tiles missing", changed(things=state.things[1:])
        yield "tiles and kinds disagree", changed(order=(*state.order, free))
        near = kit.swapped(state.things, free, kinds.QUERIES[state.query].near)
        yield "a kind too near to the one asked for", changed(things=near)
        odd = kit.with_asset(state.things, free, kit.borderline(state.query))
        yield "a thing of no clear kind", changed(things=odd)
        yield "a thing leaves its tile", changed(size=(state.size[0] * 3, state.size[1] * 3))
        other: Mode = "one" if state.mode != "one" else "none"
        yield "count and mode disagree", changed(mode=other)

    def solutions(self, state: BoardState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles of the kind, by the table of kinds."""
        shown = (icons.icon_info(spec.asset).category for spec in state.things)
        return [tuple(tile for tile, kind in enumerate(shown) if kind == state.query)]

    def labels(self, state: BoardState, scene: Scene) -> Mapping[str, Label]:
        names = kinds.queries(scene.split)
        counts = self.counts(state.mode, state.rows)
        found: dict[str, Label] = {
            "query": Choice(names.index(state.query), len(names)),
            "mode": Choice(MODES.index(state.mode), 3, MODE_SHARES),
        }
        if len(counts) > 1:
            found[f"count of {state.rows} rows"] = Choice(
                counts.index(len(state.order)), len(counts)
            )
        if state.order:
            found[f"a tile of {state.rows} rows"] = Choice(state.order[0], state.rows**2)
        return found


def _boxes(state: BoardState, placement: Placement) -> list[Box]:
    """The tiles in panel CSS px."""
    slot = placement.boxes["slot"]
    return [box.moved(slot.x0, slot.y0) for box in kit.tiles(state.size, state.rows)]
