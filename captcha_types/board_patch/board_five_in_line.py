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
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.board_patch import _gaps as gaps
from captcha_types.board_patch import _kit as kit
from captcha_types.board_patch import _lines as lines
from captcha_types.board_patch import _pieces as pieces
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.pairs import Pairs
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
from factory.draw.measure import pixel_fidelity

BOARDS = ((4, 4), (5, 5), (5, 4), (6, 5), (6, 4))
"""Squares a side, and pieces in a line, from easy to hard."""

MOST_ACCEPTED = 4
"""Moves that may complete a line."""

SPARE_FROM = 0.6
"""Difficulty from which boards may have more pieces of the kind than the line needs."""

LEAST_DIFFERENCE = 14.0
"""Mean levels between squares of two kinds, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the pieces beyond this."""


class LineState(State):
    """``squares`` holds the kind of piece on each square, -1 on empty ones."""

    move: tuple[int, int]
    """The piece that was drawn by lot, and the empty square."""
    long: int
    squares: tuple[int, ...]
    way: Literal["drag", "pick"]
    board: pieces.PieceBoard


class LineOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    side: Literal[4, 5, 6] | None = None
    long: Literal[4, 5] | None = None
    kinds: int | None = Knob(default=None, ge=2, le=5)
    near_lines: int | None = Knob(default=None, ge=0, le=3)
    spares: int | None = Knob(default=None, ge=0, le=2)


@register("board_five_in_line", version=1, family="board_patch")
class BoardFiveInLine(PuzzleType[LineState, LineOptions]):
    """See the module."""

    State: ClassVar[type[State]] = LineState
    Options: ClassVar[type[Options]] = LineOptions
    mechanics = ("pairs",)
    answer_kind = "point_pairs"
    accepts_many = True
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.9, 1.0), width=(244, 284), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def shape(self, difficulty: float) -> tuple[int, int]:
        """Squares a side, and pieces in a line: the line fits the board."""
        side, long = BOARDS[min(len(BOARDS) - 1, int(difficulty * len(BOARDS)))]
        side = self.options.side or side
        return side, min(side, self.options.long or long)

    def sample(self, scene: Scene) -> LineState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        side, long = self.shape(hard)
        lot = rng.fixed("move")
        piece, gap = lot.integer(0, side * side), lot.integer(0, side * side - 1)
        dress, fill = rng.fresh("dress"), rng.fresh("fill")
        kinds = self.options.kinds or 2 + min(3, int(3 * hard + fill.random()))
        near = round(2 * hard) if self.options.near_lines is None else self.options.near_lines
        spares = self.options.spares
        if spares is None:
            spares = fill.integer(0, 2) if hard >= SPARE_FROM else 0
        move = (piece, gap + (gap >= piece))
        plan = gaps.Plan(side, long, kinds, near, spares, fill.uniform(0.45, 0.66))
        return LineState(
            move=move,
            long=long,
            squares=gaps.fill(fill, plan, move),
            way=dress.choice(("drag", "pick")),
            board=pieces.choose_board(
                dress, (slot.width, slot.height), side, kinds, scene.split,
                grounds.compose(
                    scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
                ),
                likeness=hard,
            ),
        )  # fmt: skip

    def check(self, state: LineState) -> None:
        side, long, board = state.board.side, state.long, state.board
        if len(state.squares) != side * side or max(state.squares) >= len(board.pieces):
            raise Rejected("squares and pieces disagree", value=len(state.squares), limit=side**2)
        if pieces.looks(board) < len(board.pieces):
            raise Rejected(
                "two kinds look the same", value=pieces.looks(board), limit=len(board.pieces)
            )
        if lines.has_line(state.squares, side, long):
            raise Rejected("a line stands already")
        winning = lines.winning_moves(state.squares, side, long)
        if state.move not in winning:
            raise Rejected("the move completes no line", value=len(winning), limit=1)
        if len(winning) > MOST_ACCEPTED or len({gap for _, gap in winning}) > 1:
            raise Rejected("too many moves complete one", value=len(winning), limit=MOST_ACCEPTED)

    def draw(self, state: LineState, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board
        boxes = [box.moved(slot.x0, slot.y0) for box in board.squares]

        def painter(kind: int, box: Box) -> Any:
            return lambda canvas: pieces.paint_piece(canvas, board, kind, box)

        parts = [Part("board", slot, lambda canvas: pieces.paint_board(canvas, board, slot))]
        parts += [
            Part(f"piece.{k}", boxes[k], painter(kind, boxes[k]))
            for k, kind in enumerate(state.squares)
            if kind != lines.EMPTY
        ]
        cells = {f"cell.{k}": box for k, box in enumerate(boxes)}
        return Artwork(parts=tuple(parts), regions={"picture": slot, **cells})

    def mechanic(self, state: LineState, placement: Placement) -> AnyMechanic:
        slot, board = placement.boxes["slot"], state.board
        winning = lines.winning_moves(state.squares, board.side, state.long)
        others = [move for move in winning if move != state.move]
        return Pairs(
            items=tuple(Zone.of_box(box.moved(slot.x0, slot.y0)) for box in board.squares),
            moves=tuple((move,) for move in (state.move, *others)),
            directed=True,
            drag=state.way == "drag",
            parts=tuple(
                "" if kind == lines.EMPTY else f"piece.{k}" for k, kind in enumerate(state.squares)
            ),
            submit=placement.submit,
            grow_css_px=0.0,
        )

    def goal_slots(self, state: LineState, lang: str) -> dict[str, str]:
        words = kit.words(__file__, lang)
        return {"five": words[f"long{state.long}"], "how": words[state.way]}

    def reason_slots(
        self, state: LineState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        (piece, gap), side = state.move, state.board.side
        first, second = kit.first_ends(gold)
        words = kit.words(__file__, lang)
        return {
            "kind": Slot("name", state.board.pieces[state.squares[piece]].called(lang)),
            "five": Slot("name", words[f"long{state.long}"]),
            "four": Slot("name", words[f"long{state.long - 1}"]),
            "piece": Slot("name", kit.place_name(piece, side, lang)),
            "gap": Slot("name", kit.place_name(gap, side, lang)),
            "first": Slot("point", list(first)),
            "second": Slot("point", list(second)),
        }

    def margins(self, state: LineState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        apart = pieces.seen_difference(state.board, state.squares, seen)
        return {
            "difference of two kinds": (apart, LEAST_DIFFERENCE),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: LineState) -> Json:
        return {
            "squares": list(state.squares),
            "pieces": [piece.form for piece in state.board.pieces],
            "ground": state.board.ground.seed,
        }

    def wrong_responses(
        self, state: LineState, mechanic: AnyMechanic, rng: Rng
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

    def bad_states(self, state: LineState) -> Iterator[tuple[str, LineState]]:
        def changed(squares: Sequence[int]) -> LineState:
            return state.model_copy(update={"squares": tuple(squares)})

        (piece, gap), squares, board = state.move, state.squares, state.board
        yield "squares and pieces disagree", changed(squares[1:])
        alike = state.model_copy(update={"board": pieces.with_alike(board)})
        yield "two kinds look the same", alike
        yield "a line stands already", changed(lines.moved(squares, piece, gap))
        other = state.model_copy(update={"move": (gap, piece)})
        yield "the move completes no line", other
        own = squares[piece]
        free = [k for k in range(len(squares)) if k not in (piece, gap)]
        line = lines.line_through(lines.moved(squares, piece, gap), board.side, state.long)
        spare = [k for k in free if k not in line][: MOST_ACCEPTED + 1]
        more = [own if k in spare else kind for k, kind in enumerate(squares)]
        if not lines.has_line(more, board.side, state.long):
            yield "too many moves complete one", changed(more)

    def solutions(self, state: LineState, mechanic: AnyMechanic) -> list[tuple[lines.Move, ...]]:
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

    def labels(self, state: LineState, scene: Scene) -> Mapping[str, Label]:
        (piece, gap), count = state.move, len(state.squares)
        return {
            f"piece on one of {count}": Choice(piece, count),
            f"square beside it of {count}": Choice(gap - (gap > piece), count - 1),
        }
