"""A board of pieces, one move short of a line.

Rule
    Move one piece to an empty square, so that as many pieces of one kind as the panel says
    stand in a line: in a row, a column or a diagonal, next to each other.
Answer
    One move: from the piece to the empty square, as a drag or as two clicks in this order;
    where the panel has a button, a click on it.
Validity
    All moves that complete a line are found by enumeration and accepted: exactly one on
    easier boards, a few that end on one and the same square on some of the others. No line
    stands at first. Kinds differ from each other and from an empty square, measured on the
    decoded board.
Source
    Line games as in HLL (five_line), Halligan (geetest_gobang) and CAPTCHA-X (gobang); the
    move has to be one of the accepted ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.board_patch import _gaps as gaps
from captcha_types.board_patch import _kit as kit
from captcha_types.board_patch import _lines as lines
from captcha_types.board_patch import _pieces as pieces
from captcha_types.board_patch._piece_puzzle import WAYS, PiecePuzzle, PieceState
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.pairs import Pairs
from factory.core.puzzle import (
    Choice,
    Label,
    Options,
    Placement,
    Scene,
    State,
    WrongResponse,
)
from factory.core.record import Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.core.wording import class_words

BOARDS = ((4, 4), (5, 5), (5, 4), (6, 5), (6, 4))
"""Squares a side, and pieces in a line, from easy to hard."""

MOST_ACCEPTED = 4
"""Moves that may complete a line."""

SPARE_FROM = 0.6
"""Difficulty from which boards may have more pieces of the kind than the line needs."""


class LineOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    side: Literal[4, 5, 6] | None = None
    long: Literal[4, 5] | None = None
    kinds: int | None = Knob(default=None, ge=2, le=5)
    near_lines: int | None = Knob(default=None, ge=0, le=3)
    spares: int | None = Knob(default=None, ge=0, le=2)


@register("board_five_in_line", version=1, family="board_patch")
class BoardFiveInLine(PiecePuzzle[PieceState, LineOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PieceState
    Options: ClassVar[type[Options]] = LineOptions

    def shape(self, difficulty: float) -> tuple[int, int]:
        """Squares a side, and pieces in a line: the line fits the board."""
        side, long = BOARDS[min(len(BOARDS) - 1, int(difficulty * len(BOARDS)))]
        side = self.options.side or side
        return side, min(side, self.options.long or long)

    def sample(self, scene: Scene) -> PieceState:
        rng, hard, knob = scene.rng, scene.difficulty, self.options
        side, long = self.shape(hard)
        lot, fill = rng.fixed("move"), rng.fresh("fill")
        piece, gap = lot.integer(0, side * side), lot.integer(0, side * side - 1)
        move = (piece, gap + (gap >= piece))
        kinds = knob.kinds or 2 + min(3, int(3 * hard + fill.random()))
        near = round(2 * hard) if knob.near_lines is None else knob.near_lines
        spares = knob.spares
        if spares is None:
            spares = fill.integer(0, 2) if hard >= SPARE_FROM else 0
        plan = gaps.Plan(side, long, kinds, near, spares, fill.uniform(0.45, 0.66))
        return PieceState(
            move=move,
            long=long,
            squares=gaps.fill(fill, plan, move),
            way=rng.fresh("way").choice(WAYS),
            board=self.board(scene, side, kinds),
        )

    def check(self, state: PieceState) -> None:
        self.check_board(state)
        winning = lines.winning_moves(state.squares, state.board.side, state.long)
        if state.move not in winning:
            raise Rejected("the move completes no line", value=len(winning), limit=1)
        if len(winning) > MOST_ACCEPTED or len({gap for _, gap in winning}) > 1:
            raise Rejected("too many moves complete one", value=len(winning), limit=MOST_ACCEPTED)

    def mechanic(self, state: PieceState, placement: Placement) -> AnyMechanic:
        winning = lines.winning_moves(state.squares, state.board.side, state.long)
        others = [move for move in winning if move != state.move]
        return Pairs(
            items=self.items(state, placement),
            moves=tuple((move,) for move in (state.move, *others)),
            directed=True,
            drag=state.way == "drag",
            parts=self.parts_on(state),
            submit=placement.submit,
            grow_css_px=0.0,
        )

    def goal_slots(self, state: PieceState, lang: str) -> dict[str, str]:
        words = class_words(__file__, lang)
        return {"five": words[f"long{state.long}"], "how": words[state.way]}

    def reason_slots(
        self, state: PieceState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        (piece, gap), side = state.move, state.board.side
        first, second = kit.first_ends(gold)
        words = class_words(__file__, lang)
        return {
            "kind": Slot("name", state.board.pieces[state.squares[piece]].called(lang)),
            "five": Slot("name", words[f"long{state.long}"]),
            "four": Slot("name", words[f"long{state.long - 1}"]),
            "piece": Slot("name", kit.place_name(piece, side, lang)),
            "gap": Slot("name", kit.place_name(gap, side, lang)),
            "first": Slot("point", list(first)),
            "second": Slot("point", list(second)),
        }

    def wrong_responses(
        self, state: PieceState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Pairs)
        (piece, gap), squares, stream = state.move, state.squares, rng.fresh("wrong")
        winning = set(lines.winning_moves(squares, state.board.side, state.long))
        empty = [k for k, kind in enumerate(squares) if kind == lines.EMPTY and k != gap]
        full = [k for k, kind in enumerate(squares) if kind != lines.EMPTY]
        others = [other for other in full if (other, gap) not in winning]
        answers = {
            "another piece": [(stream.choice(others), gap)],
            "the other way round": [(gap, piece)],
            "two moves": [(piece, gap), (stream.choice(others), piece)],
            "onto a piece": [(piece, next(k for k in full if k != piece))],
        }
        if empty:
            answers["another square"] = [(piece, stream.choice(empty))]
        return kit.misses(mechanic, answers)

    def bad_states(self, state: PieceState) -> Iterator[tuple[str, PieceState]]:
        def changed(squares: Sequence[int]) -> PieceState:
            return state.model_copy(update={"squares": tuple(squares)})

        (piece, gap), squares, board = state.move, state.squares, state.board
        yield "squares and pieces disagree", changed(squares[1:])
        alike = state.model_copy(update={"board": pieces.with_alike(board)})
        yield "two kinds look the same", alike
        after = lines.moved(squares, piece, gap)
        yield "a line stands already", changed(after)
        yield "the move completes no line", state.model_copy(update={"move": (gap, piece)})
        line = lines.line_through(after, board.side, state.long)
        spare = [k for k in range(len(squares)) if k not in (*line, piece)][: MOST_ACCEPTED + 1]
        more = [squares[piece] if k in spare else kind for k, kind in enumerate(squares)]
        if not lines.has_line(more, board.side, state.long):
            yield "too many moves complete one", changed(more)

    def solutions(self, state: PieceState, mechanic: AnyMechanic) -> list[tuple[lines.Move, ...]]:
        """Every move after which a line stands where it ended, by making all moves there are."""
        squares, side = state.squares, state.board.side
        full = [k for k, kind in enumerate(squares) if kind != lines.EMPTY]
        return [
            ((piece, gap),)
            for gap, kind in enumerate(squares)
            if kind == lines.EMPTY
            for piece in full
            if lines.stands_at(lines.moved(squares, piece, gap), gap, side, state.long)
        ]

    def labels(self, state: PieceState, scene: Scene) -> Mapping[str, Label]:
        (piece, gap), count = state.move, len(state.squares)
        return {
            f"piece on one of {count}": Choice(piece, count),
            f"square beside it of {count}": Choice(gap - (gap > piece), count - 1),
        }
