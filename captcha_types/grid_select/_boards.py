"""What boards of tiles have in common, whatever stands on them: shape, lot, mechanic, mistakes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Literal, TypeVar

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
    State,
    WrongResponse,
)
from factory.core.record import Slot
from factory.core.rng import Rng
from factory.draw import grounds, layout
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter
from factory.draw.tokens import tokens_named

Mode = Literal["all", "one", "none"]
Shape = tuple[int, int]
"""Rows and columns."""

ASKS: Mapping[str, Mapping[Mode, str]] = {
    "en": {"all": "all pictures", "one": "the only picture", "none": "all pictures"},
    "zh": {"all": "所有", "one": "唯一的", "none": "所有"},
}
"""What a goal asks for, by mode."""

HARD_FROM = 0.6
"""Boards have more tiles from this difficulty on."""


@dataclass(frozen=True)
class Board:
    """A board before anything stands on it. ``size`` is its width and height in CSS px.

    ``order`` holds the right tiles in the order in which they were drawn by lot.
    """

    rows: int
    columns: int
    mode: Mode
    order: tuple[int, ...]
    ground: grounds.Ground
    clutter: Clutter
    size: tuple[float, float]
    feedback: Literal["tick", "outline"]

    @property
    def count(self) -> int:
        """How many tiles there are."""
        return self.rows * self.columns

    @property
    def tiles(self) -> list[Box]:
        """The tiles in reading order, CSS px from the board's corner."""
        return layout.tiles(Box(0, 0, *self.size), self.rows, self.columns, kit.GAP_CSS)

    @property
    def side(self) -> float:
        """The shorter side of a tile, CSS px."""
        tile = self.tiles[0]
        return min(tile.width, tile.height)


class BoardState(State):
    """States of boards hold the board, and beside it what stands on the tiles."""

    board: Board


S = TypeVar("S", bound=BoardState)
Opts = TypeVar("Opts", bound=Options)


class BoardPuzzle(PuzzleType[S, Opts], Generic[S, Opts]):
    """A class of boards: ``right_tiles`` re-reads the answer off what stands there."""

    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 110

    modes: ClassVar[Mapping[Mode, float]] = {"all": 0.8, "one": 0.2}
    """Shares of boards with several right tiles, with one (said so), and with none."""
    shapes: ClassVar[tuple[Shape, ...]] = ((2, 3), (3, 3), (3, 4))
    hard_shapes: ClassVar[tuple[Shape, ...]] = ((3, 4), (4, 4), (3, 5))
    moods: ClassVar[tuple[str, ...]] = ("light", "dark", "rich")
    noise: ClassVar[float] = 0.5
    """Clutter under the things at full difficulty."""

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="none", ratio=(0.66, 1.0), width=(236, 276), submit="either",
            skip="none" in cls.modes,
        )  # fmt: skip

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def shape(self, scene: Scene) -> Shape:
        """Rows and columns: of those for the difficulty the ones with the squarest tiles."""
        slot = scene.placement.boxes["slot"]
        few = self.hard_shapes if scene.difficulty >= HARD_FROM else self.shapes

        def squareness(shape: Shape) -> float:
            width, height = slot.width / shape[1], slot.height / shape[0]
            return min(width, height) / max(width, height)

        return max(few, key=squareness)

    def counts(self, mode: Mode, tiles: int) -> tuple[int, ...]:
        """How many tiles may be right, evenly."""
        if mode == "all":
            return tuple(range(2, tiles // 2 + 1))
        return (1,) if mode == "one" else (0,)

    def deal(self, scene: Scene) -> Board:
        """The board with its lot; labels come from fixed streams."""
        rng, slot = scene.rng, scene.placement.boxes["slot"]
        rows, columns = self.shape(scene)
        mode = rng.fixed("mode").weighted(tuple(self.modes), tuple(self.modes.values()))
        count = rng.fixed("count").choice(self.counts(mode, rows * columns))
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=self.moods,
        )  # fmt: skip
        noise = self.noise * scene.difficulty
        return Board(
            rows=rows,
            columns=columns,
            mode=mode,
            order=tuple(rng.fixed("order").sample(range(rows * columns), count)),
            ground=ground,
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, noise, width=1.1),
            size=(slot.width, slot.height),
            feedback=rng.fresh("feedback").choice(("tick", "outline")),
        )

    @abstractmethod
    def right_tiles(self, state: S) -> set[int]:
        """The right tiles, by what stands on them; never by the lot."""

    @abstractmethod
    def paint(self, canvas: Any, state: S) -> None:
        """Paint what stands on the tiles, CSS px from the board's corner."""

    def check_board(self, state: S) -> None:
        """``Rejected`` unless the lot is what stands there, and the count suits the mode."""
        board, right = state.board, self.right_tiles(state)
        if right != set(board.order):
            raise Rejected("tiles and rule disagree", value=len(right), limit=len(board.order))
        if len(right) not in self.counts(board.mode, board.count):
            raise Rejected("count and mode disagree", value=len(right), limit=1)

    def bad_boards(self, state: S) -> Iterator[tuple[str, S]]:
        """States that ``check_board`` refuses."""
        board = state.board
        free = next(t for t in range(board.count) if t not in board.order)
        more = replace(board, order=(*board.order, free))
        yield "tiles and rule disagree", state.model_copy(update={"board": more})
        other: Mode = "all" if board.mode == "one" else "one"
        moved = replace(board, mode=other)
        yield "count and mode disagree", state.model_copy(update={"board": moved})

    def draw(self, state: S, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board
        boxes = boxes_on(board, placement)

        def paint(canvas: Any) -> None:
            grounds.draw_ground(canvas, board.ground, slot)
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            draw_clutter(canvas, board.clutter, Box(0, 0, *board.size))
            self.paint(canvas, state)
            canvas.restore()
            look = tokens_named(placement.tokens)
            kit.paint_gaps(canvas, slot, boxes, look.rgb(placement.ground))
            kit.paint_rims(canvas, boxes, look.rgb("border"))

        cells = {f"cell.{index}": box for index, box in enumerate(boxes)}
        return Artwork(parts=(Part("board", slot, paint),), regions={"picture": slot, **cells})

    def mechanic(self, state: S, placement: Placement) -> AnyMechanic:
        board = state.board
        return Cells(
            cells=tuple(boxes_on(board, placement)),
            answer=tuple(sorted(board.order)),
            mode="radio" if board.mode == "one" else "toggle",
            skip=placement.boxes.get("skip"),
            submit=placement.submit,
            feedback=board.feedback,
        )

    def solutions(self, state: S, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles that are right by what stands on them."""
        return [tuple(sorted(self.right_tiles(state)))]

    def labels(self, state: S, scene: Scene) -> Mapping[str, Label]:
        board, modes = state.board, tuple(self.modes)
        counts = self.counts(board.mode, board.count)
        name = f"{board.rows} x {board.columns}"
        found: dict[str, Label] = {}
        if len(modes) > 1:
            weights = tuple(self.modes.values())
            found["mode"] = Choice(modes.index(board.mode), len(modes), weights)
        if len(counts) > 1:
            found[f"count of {name}"] = Choice(counts.index(len(board.order)), len(counts))
        if board.order:
            found[f"a tile of {name}"] = Choice(board.order[0], board.count)
        return found

    def wrong_responses(self, state: S, mechanic: AnyMechanic, rng: Rng) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        board, right = state.board, set(state.board.order)
        wrong = [tile for tile in range(board.count) if tile not in right]
        extra = rng.fresh("wrong").choice(wrong)
        sets = {
            "one tile too many": [*right, extra],
            "all but one": [*right][1:] or [extra],
            "the other tiles": wrong,
        }
        if board.mode == "one":
            sets = {"another tile": [extra]}
        return [
            WrongResponse(name, tuple(kit.taps(mechanic.cells, sorted(tiles), mechanic.submit)))
            for name, tiles in sets.items()
        ]


def boxes_on(board: Board, placement: Placement) -> list[Box]:
    """The tiles in panel CSS px."""
    slot = placement.boxes["slot"]
    return [box.moved(slot.x0, slot.y0) for box in board.tiles]


def first_slot(gold: Sequence[ActionBase]) -> Slot:
    """Where the first click goes."""
    first = gold[0]
    assert isinstance(first, Click)
    return Slot("point", list(first.point))


ORDINALS: Mapping[str, Sequence[str]] = {
    "en": ("first", "second", "third", "fourth", "fifth", "sixth"),
    "zh": ("一", "二", "三", "四", "五", "六"),
}


def places_slot(board: Board, lang: str) -> Slot:
    """The right tiles as a name: by row and column, in words."""
    words = ORDINALS[lang]
    pairs = [divmod(tile, board.columns) for tile in sorted(board.order)]
    if lang == "zh":
        return Slot("name", "、".join(f"{words[r]}行{words[c]}列" for r, c in pairs) or "没有")
    return Slot("name", ", ".join(f"{words[r]} row {words[c]}" for r, c in pairs) or "none")
