"""A shape of squares, and sets of pieces of which one fills it.

Rule
    Select the set (or the one piece) that fills the shape without gaps and without overlap.
    Pieces may be turned; whether they may be flipped over, the panel says.
Answer
    One tile.
Validity
    An exhaustive search for exact covers says that the pieces of one tile fill the shape, and
    those of no other do, though all have as many squares as the shape. No two sets hold the
    same pieces. Squares are large enough to be counted, and pieces stand out from their tiles,
    measured on the decoded picture.
Source
    Polyominoes as in Spatial-CAPTCHA-Bench (polyomino); one tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.spatial_3d import _kit as kit
from captcha_types.spatial_3d import _polyominoes as polyominoes
from captcha_types.spatial_3d import _puzzle_cards as cards
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
from factory.draw import grounds
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.tiles import Board, paint_gaps
from factory.draw.tokens import tokens_named

SIZES: Mapping[int, Sequence[Sequence[int]]] = {
    1: ((5,), (6,), (7,)),
    2: ((4, 4), (5, 4), (5, 5), (4, 3)),
    3: ((4, 4, 3), (4, 4, 4), (4, 3, 3)),
}
"""Squares of the pieces, by how many there are."""

MOST = (6, 4)
"""Columns and rows of the shape at most."""

SHARES = (0.36, 0.42)
"""Of the board's height that the tile of the shape takes."""

BARE_FROM = 0.55
"""Difficulty from which the shape may be without the lines of its squares."""

LEAST_STEP = 40.0
"""Levels of grey between the lightest and the darkest of a tile, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the squares beyond this."""


class FitState(State):
    """``rows`` are the sets in reading order, as they lie on their tiles."""

    answer: int
    """The right tile."""
    target: polyominoes.Shape
    rows: tuple[cards.Row, ...]
    mirrored: bool
    """Whether pieces may be flipped."""
    squares: bool
    """Whether the shape shows its squares."""
    colours: tuple[str, ...]
    paper: str
    ink: str
    board: Board
    ground: grounds.Ground
    feedback: Literal["tick", "outline"]


class FitOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    pieces: int | None = Knob(default=None, ge=1, le=3)
    options: Literal[4, 6] | None = None
    mirrored: bool | None = None
    edits: int | None = Knob(default=None, ge=1, le=3)


@register("polyomino_fit", version=1, family="spatial_3d")
class PolyominoFit(PuzzleType[FitState, FitOptions]):
    """See the module."""

    State: ClassVar[type[State]] = FitState
    Options: ClassVar[type[Options]] = FitOptions
    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 150

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.92, 1.05), width=(252, 288), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def shape(self, difficulty: float) -> tuple[int, int]:
        """How many pieces there are in a set, and how many sets: six of fewer than three."""
        pieces = self.options.pieces or 1 + min(2, int(3 * difficulty))
        tiles = self.options.options or (6 if 0.2 <= difficulty < 2 / 3 else 4)
        return pieces, tiles if pieces < 3 else 4

    def sample(self, scene: Scene) -> FitState:
        rng, slot, hard, knob = (
            scene.rng, scene.placement.boxes["slot"], scene.difficulty, self.options,
        )  # fmt: skip
        pieces, tiles = self.shape(hard)
        right = rng.fixed("order").integer(0, tiles)
        cut, dress = rng.fresh("cut"), rng.fresh("dress")
        mirrored = dress.chance(0.4) if knob.mirrored is None else knob.mirrored
        target, own = polyominoes.choose_cut(cut, cut.choice(SIZES[pieces]), MOST)
        edits = knob.edits or (3 if hard < 0.5 else 2)
        others = polyominoes.choose_others(
            cut, target, own, tiles - 1, mirrored=mirrored, edits=edits
        )
        board = Board(slot.width, slot.height, dress.uniform(*SHARES), tiles // 2, 2,
                      dress.chance(0.4))  # fmt: skip
        paper, inks = dress.choice(kit.PAPERS)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        return FitState(
            answer=right,
            target=target,
            rows=cards.choose_rows(dress, [*others[:right], own, *others[right:]], board.tiles[0]),
            mirrored=mirrored,
            squares=hard < BARE_FROM or dress.chance(0.4),
            colours=tuple(kit.choose_block(dress, ground.tone) for _ in range(pieces)),
            paper=paper,
            ink=dress.choice(inks),
            board=board,
            ground=ground,
            feedback=dress.choice(("tick", "outline")),
        )

    def check(self, state: FitState) -> None:
        for row in state.rows:
            squares = sum(len(piece) for piece in row.pieces)
            if squares != len(state.target):
                raise Rejected("squares left over", value=squares, limit=len(state.target))
        names = {polyominoes.kinds(row.pieces, state.mirrored) for row in state.rows}
        if len(names) < len(state.rows):
            raise Rejected("two sets alike", value=len(names), limit=len(state.rows))
        fitting = tuple(
            k for k, row in enumerate(state.rows)
            if polyominoes.fills(state.target, row.pieces, state.mirrored)
        )  # fmt: skip
        if fitting != (state.answer,):
            raise Rejected("tiles and shape disagree", value=len(fitting), limit=1)
        cards.common_side(state.rows, state.board.tiles[0])

    def draw(self, state: FitState, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board
        side = cards.common_side(state.rows, board.tiles[0])

        def paint(canvas: Any) -> None:
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, board.whole)
            cards.paint_target(canvas, state.target, card(board), state.paper, state.ink,
                               squares=state.squares)  # fmt: skip
            for row, tile in zip(state.rows, board.tiles, strict=True):
                cards.paint_row(canvas, row, tile, side, state.colours)
            look = tokens_named(placement.tokens)
            paint_gaps(canvas, board.whole, [board.question, *board.tiles],
                       look.rgb(placement.ground))  # fmt: skip
            canvas.restore()

        regions: dict[str, Box | Zone] = {
            "picture": slot,
            "shape": card(board).moved(slot.x0, slot.y0),
        }
        for index, box in enumerate(board.tiles):
            regions[f"cell.{index}"] = box.moved(slot.x0, slot.y0)
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: FitState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Cells(
            cells=tuple(box.moved(slot.x0, slot.y0) for box in state.board.tiles),
            answer=(state.answer,),
            mode="radio",
            submit=placement.submit,
            feedback=state.feedback,
        )

    def goal_slots(self, state: FitState, lang: str) -> dict[str, str]:
        words = WORDS[lang]
        one = "one" if len(state.rows[0].pieces) == 1 else "set"
        flip = "flip" if state.mirrored else "turn"
        return {"what": words[one], "how": words[f"{one}_{flip}"]}

    def reason_slots(
        self, state: FitState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        first = gold[0]
        assert isinstance(first, Click)
        slots = self.goal_slots(state, lang)
        return {
            "what": Slot("name", slots["what"]),
            "how": Slot("name", WORDS[lang]["flip" if state.mirrored else "turn"]),
            "squares": Slot("count", len(state.target)),
            "first": Slot("point", list(first.point)),
        }

    def margins(self, state: FitState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = [box.grown(-5.0) for box in (*state.board.tiles, card(state.board))]
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of pieces": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: FitState) -> Json:
        return {
            "target": [list(cell) for cell in state.target],
            "sets": [
                [[list(cell) for cell in piece] for piece in row.pieces] for row in state.rows
            ],
            "mirrored": state.mirrored,
            "ground": state.ground.seed,
        }

    def wrong_responses(
        self, state: FitState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        return kit.wrong_tiles(rng, mechanic, (state.answer,), one=True)

    def bad_states(self, state: FitState) -> Iterator[tuple[str, FitState]]:
        def changed(pieces: polyominoes.Set, **more: Any) -> FitState:
            row = cards.in_row(pieces)
            rows = [row if k == wrong else own for k, own in enumerate(state.rows)]
            return state.model_copy(update={"rows": tuple(rows), **more})

        right = state.answer
        wrong = (right + 1) % len(state.rows)
        own = state.rows[right].pieces
        yield "squares left over", changed((own[0][1:], *own[1:]))
        yield "two sets alike", changed(own[::-1])
        yield "tiles and shape disagree", state.model_copy(update={"answer": wrong})
        long = tuple((x, 0) for x in range(len(state.target)))
        if len(own) == 1:
            many = [cards.in_row((long,)) if k == wrong else r for k, r in enumerate(state.rows)]
            thin = Board(60.0, state.board.height, state.board.share, 3, 2)
            tiny = {"rows": tuple(many), "board": thin}
            yield "squares too small", state.model_copy(update=tiny)

    def solutions(self, state: FitState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles whose pieces cover the shape in at least one of all ways to lay them."""
        right = [
            k for k, row in enumerate(state.rows)
            if polyominoes.tilings(state.target, row.pieces, state.mirrored)
        ]  # fmt: skip
        return [tuple(right)]

    def labels(self, state: FitState, scene: Scene) -> Mapping[str, Label]:
        tiles = len(state.rows)
        return {f"a tile of {tiles}": Choice(state.answer, tiles)}


WORDS = {
    "en": {
        "one": "piece", "set": "set",
        "one_turn": "It may be turned, not flipped", "one_flip": "It may be turned and flipped",
        "set_turn": "Pieces may be turned, not flipped",
        "set_flip": "Pieces may be turned and flipped",
        "turn": "turned", "flip": "turned or flipped",
    },
    "zh": {
        "one": "一块", "set": "一组",
        "one_turn": "可以旋转，不能翻面", "one_flip": "可以旋转和翻面",
        "set_turn": "各块可以旋转，不能翻面", "set_flip": "各块可以旋转和翻面",
        "turn": "旋转", "flip": "旋转或翻面",
    },
}  # fmt: skip


def card(board: Board) -> Box:
    """The card that the shape lies on."""
    box = board.question.grown(-5.0)
    half = min(box.width, 2.0 * box.height) / 2
    return Box(box.center.x - half, box.y0, box.center.x + half, box.y1)
