"""What puzzles with pieces on squares have in common, whatever they ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

from captcha_types.board_patch import _lines as lines
from captcha_types.board_patch import _pieces as pieces
from factory.core.errors import Rejected
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import (
    Artwork,
    Content,
    Options,
    PanelRequest,
    Part,
    Placement,
    PuzzleType,
    Scene,
    Seen,
    State,
)
from factory.core.record import Json
from factory.draw import grounds
from factory.draw.measure import pixel_fidelity

LEAST_DIFFERENCE = 14.0
"""Mean levels between squares of two kinds, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the pieces beyond this."""

Way = Literal["drag", "pick"]
WAYS: tuple[Way, ...] = ("drag", "pick")


class PieceState(State):
    """``squares`` holds the kind of piece on each square, -1 on empty ones; ``move`` was drawn
    by lot and completes a line of ``long``."""

    move: lines.Move
    long: int
    squares: tuple[int, ...]
    way: Way
    board: pieces.PieceBoard


S = TypeVar("S", bound=PieceState)
Opts = TypeVar("Opts", bound=Options)


class PiecePuzzle(PuzzleType[S, Opts], Generic[S, Opts]):
    """A class of boards with pieces that move."""

    mechanics = ("pairs",)
    answer_kind = "point_pairs"
    accepts_many = True
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.9, 1.0), width=(244, 284), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def board(self, scene: Scene, side: int, kinds: int) -> pieces.PieceBoard:
        """Squares and pieces in a random dress."""
        slot = scene.placement.boxes["slot"]
        ground = grounds.compose(
            scene.content_kind, scene.content_number, scene.rng.fresh("ground"), scene.split
        )
        return pieces.choose_board(
            scene.rng.fresh("dress"), (slot.width, slot.height), side, kinds, scene.split, ground,
            likeness=scene.difficulty,
        )  # fmt: skip

    def check_board(self, state: S) -> None:
        """``Rejected`` for squares without pieces, kinds that look alike, and a line at first."""
        side, board = state.board.side, state.board
        if len(state.squares) != side * side or max(state.squares) >= len(board.pieces):
            raise Rejected("squares and pieces disagree", value=len(state.squares), limit=side**2)
        looks = pieces.looks(board)
        if looks < len(board.pieces):
            raise Rejected("two kinds look the same", value=looks, limit=len(board.pieces))
        if lines.has_line(state.squares, side, state.long):
            raise Rejected("a line stands already")

    def draw(self, state: S, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board
        boxes = [box.moved(slot.x0, slot.y0) for box in board.squares]

        def painter(place: int, kind: int) -> Any:
            return lambda canvas: pieces.paint_piece(canvas, board, kind, boxes[place])

        parts = [Part("board", slot, lambda canvas: pieces.paint_board(canvas, board, slot))]
        parts += [
            Part(f"piece.{place}", boxes[place], painter(place, kind))
            for place, kind in enumerate(state.squares)
            if kind != lines.EMPTY
        ]
        cells = {f"cell.{place}": box for place, box in enumerate(boxes)}
        return Artwork(parts=tuple(parts), regions={"picture": slot, **cells})

    def items(self, state: S, placement: Placement) -> tuple[Zone, ...]:
        """The squares as what is picked."""
        slot = placement.boxes["slot"]
        return tuple(Zone.of_box(box.moved(slot.x0, slot.y0)) for box in state.board.squares)

    def parts_on(self, state: S) -> tuple[str, ...]:
        """The artwork on each square."""
        return tuple(
            "" if kind == lines.EMPTY else f"piece.{place}"
            for place, kind in enumerate(state.squares)
        )

    def margins(self, state: S, seen: Seen) -> Mapping[str, tuple[float, float]]:
        apart = pieces.seen_difference(state.board, state.squares, seen)
        return {
            "difference of two kinds": (apart, LEAST_DIFFERENCE),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: S) -> Json:
        return {
            "squares": list(state.squares),
            "pieces": [piece.form for piece in state.board.pieces],
            "ground": state.board.ground.seed,
        }
