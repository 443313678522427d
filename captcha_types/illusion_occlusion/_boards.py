"""Boards of tiles of which those are selected that a rule holds for, whatever stands on them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

from factory.core import tapping
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
from factory.draw.tiles import GAP_CSS, paint_gaps
from factory.draw.tokens import tokens_named

ORDINALS: Mapping[str, Sequence[str]] = {
    "en": ("first", "second", "third", "fourth"),
    "zh": ("一", "二", "三", "四"),
}


@dataclass(frozen=True)
class Board:
    """Tiles before anything stands on them; ``size`` is width and height in CSS px.

    ``order`` holds the right tiles in the order in which they were drawn by lot. JSON-able.
    """

    rows: int
    columns: int
    order: tuple[int, ...]
    size: tuple[float, float]
    ground: grounds.Ground
    feedback: Literal["tick", "outline"]

    @property
    def count(self) -> int:
        """How many tiles there are."""
        return self.rows * self.columns

    @property
    def tiles(self) -> list[Box]:
        """The tiles in reading order, CSS px from the board's corner."""
        return layout.tiles(Box(0, 0, *self.size), self.rows, self.columns, GAP_CSS)


class BoardState(State):
    """States of boards hold the board, and beside it what stands on the tiles."""

    board: Board


S = TypeVar("S", bound=BoardState)
Opts = TypeVar("Opts", bound=Options)


class BoardPuzzle(PuzzleType[S, Opts], Generic[S, Opts]):
    """``right_tiles`` re-reads the answer off what stands on the tiles."""

    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.68, 0.84), width=(244, 276), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def counts(self, tiles: int) -> range:
        """How many tiles may be right, evenly."""
        return range(1, tiles // 2 + 1)

    def deal(self, scene: Scene, rows: int, columns: int) -> Board:
        """The board with its lot, which comes from fixed streams."""
        rng, slot = scene.rng, scene.placement.boxes["slot"]
        count = rng.fixed("count").choice(self.counts(rows * columns))
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        return Board(
            rows=rows,
            columns=columns,
            order=tuple(rng.fixed("order").sample(range(rows * columns), count)),
            size=(slot.width, slot.height),
            ground=ground,
            feedback=rng.fresh("feedback").choice(("tick", "outline")),
        )

    @abstractmethod
    def right_tiles(self, state: S) -> set[int]:
        """The right tiles, by what stands on them; never by the lot."""

    @abstractmethod
    def paint(self, canvas: Any, state: S) -> None:
        """Paint what stands on the tiles, CSS px from the board's corner."""

    def check_board(self, state: S) -> None:
        """``Rejected`` unless the lot is what stands there."""
        right = self.right_tiles(state)
        if right != set(state.board.order):
            raise Rejected(
                "tiles and rule disagree", value=len(right), limit=len(state.board.order)
            )
        if len(right) not in self.counts(state.board.count):
            raise Rejected("too many tiles are right", value=len(right), limit=state.board.count)

    def bad_boards(self, state: S) -> Iterator[tuple[str, S]]:
        """A state that ``check_board`` refuses."""
        free = next(t for t in range(state.board.count) if t not in state.board.order)
        more = replace(state.board, order=(*state.board.order, free))
        yield "tiles and rule disagree", state.model_copy(update={"board": more})

    def draw(self, state: S, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board
        boxes = _boxes(board, placement)

        def paint(canvas: Any) -> None:
            grounds.draw_ground(canvas, board.ground, slot)
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            self.paint(canvas, state)
            canvas.restore()
            look = tokens_named(placement.tokens)
            paint_gaps(canvas, slot, boxes, look.rgb(placement.ground))

        cells = {f"cell.{index}": box for index, box in enumerate(boxes)}
        return Artwork(parts=(Part("board", slot, paint),), regions={"picture": slot, **cells})

    def mechanic(self, state: S, placement: Placement) -> AnyMechanic:
        board = state.board
        return Cells(
            cells=tuple(_boxes(board, placement)),
            answer=tuple(sorted(board.order)),
            submit=placement.submit,
            feedback=board.feedback,
        )

    def solutions(self, state: S, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles that are right by what stands on them."""
        return [tuple(sorted(self.right_tiles(state)))]

    def labels(self, state: S, scene: Scene) -> Mapping[str, Label]:
        board, counts = state.board, self.counts(state.board.count)
        name = f"{board.rows} x {board.columns}"
        return {
            f"count of {name}": Choice(counts.index(len(board.order)), len(counts)),
            f"a tile of {name}": Choice(board.order[0], board.count),
        }

    def wrong_responses(self, state: S, mechanic: AnyMechanic, rng: Rng) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        right = set(state.board.order)
        wrong = [tile for tile in range(state.board.count) if tile not in right]
        extra = rng.fresh("wrong").choice(wrong)
        sets = {
            "one tile too many": {*right, extra},
            "one exchanged": {*sorted(right)[1:], extra},
            "the other tiles": set(wrong),
        }

        def taps(tiles: set[int]) -> tuple[ActionBase, ...]:
            clicks = [Click(mechanic.cells[tile].center) for tile in sorted(tiles)]
            return (*clicks, *tapping.send(mechanic.submit))

        return [WrongResponse(name, taps(tiles)) for name, tiles in sets.items()]

    def tile_slots(self, state: S, gold: Sequence[ActionBase], lang: str) -> dict[str, Slot]:
        """``count`` and ``places`` of the right tiles, ``first``: where the first click goes."""
        first, words = gold[0], ORDINALS[lang]
        assert isinstance(first, Click)
        pairs = [divmod(tile, state.board.columns) for tile in sorted(state.board.order)]
        named = [
            f"{words[r]}行{words[c]}列" if lang == "zh" else f"{words[r]} row {words[c]}"
            for r, c in pairs
        ]
        return {
            "count": Slot("count", len(pairs)),
            "places": Slot("name", ("、" if lang == "zh" else ", ").join(named)),
            "first": Slot("point", list(first.point)),
        }


def _boxes(board: Board, placement: Placement) -> list[Box]:
    """The tiles in panel CSS px."""
    slot = placement.boxes["slot"]
    return [box.moved(slot.x0, slot.y0) for box in board.tiles]
