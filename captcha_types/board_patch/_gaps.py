"""Boards one move short of a line, made around that move."""

from __future__ import annotations

from dataclasses import dataclass

from captcha_types.board_patch import _lines as lines
from captcha_types.board_patch._lines import EMPTY, Move
from factory.core.rng import Stream

TRIES = 12
"""Free fillings, before one in which no other kind has enough pieces for a line."""


@dataclass(frozen=True)
class Plan:
    """What a board is to hold: lines of other kinds that cannot be completed, pieces to spare,
    and the share of squares that are taken."""

    side: int
    long: int
    kinds: int
    near: int
    spares: int
    density: float


def fill(stream: Stream, plan: Plan, move: Move) -> tuple[int, ...]:
    """A board on which ``move`` completes a line, and nothing else but pieces to spare does."""
    own = stream.integer(0, plan.kinds)
    for _ in range(TRIES):
        squares = _strewn(stream, plan, _started(stream, plan, move, own), move, own, scarce=False)
        board = _spared(stream, plan, squares, move, own)
        if _sound(plan, board, move):
            return tuple(board)
    return tuple(_strewn(stream, plan, _started(stream, plan, move, own), move, own, scarce=True))


def _sound(plan: Plan, squares: list[int], move: Move) -> bool:
    """Whether no line stands and all that complete one end where the move does."""
    winning = lines.winning_moves(squares, plan.side, plan.long)
    ends = {gap for _, gap in winning}
    return not lines.has_line(squares, plan.side, plan.long) and ends == {move[1]}


def _started(stream: Stream, plan: Plan, move: Move, own: int) -> list[int]:
    """The line with its gap, the piece, and what stops the line from growing the other way."""
    piece, gap = move
    squares = [EMPTY] * plan.side**2
    through = [
        line for line in lines.windows(plan.side, plan.long) if gap in line and piece not in line
    ]
    for square in stream.choice(through):
        squares[square] = own
    squares[gap], squares[piece] = EMPTY, own
    others = [kind for kind in range(plan.kinds) if kind != own]
    for _, end in lines.winning_moves(squares, plan.side, plan.long):
        if end != gap:
            squares[end] = stream.choice(others)
    return squares


def _strewn(
    stream: Stream, plan: Plan, squares: list[int], move: Move, own: int, *, scarce: bool
) -> list[int]:
    """Near lines of other kinds, then single pieces; ``scarce``: too few of a kind for a line."""
    others = stream.shuffled([kind for kind in range(plan.kinds) if kind != own])
    barred = {own}
    for kind in others[: 0 if scarce else plan.near]:
        if _near_line(stream, plan, squares, move[1], kind):
            barred.add(kind)
    free = [k for k, kind in enumerate(squares) if kind == EMPTY and k != move[1]]
    wanted = round(plan.density * len(squares)) - sum(kind != EMPTY for kind in squares)
    kinds = [kind for kind in others if kind not in barred]
    for square in stream.sample(free, max(0, min(wanted, len(free) - 1))):
        fitting = [k for k in kinds if not scarce or squares.count(k) < plan.long - 1]
        if fitting:
            squares[square] = stream.choice(fitting)
    return squares


def _near_line(stream: Stream, plan: Plan, squares: list[int], gap: int, kind: int) -> bool:
    """All but one square of a free line, which no other piece of the kind can complete."""
    free = [
        line
        for line in lines.windows(plan.side, plan.long)
        if gap not in line and all(squares[square] == EMPTY for square in line)
    ]
    if not free:
        return False
    line = stream.choice(free)
    for square in line:
        squares[square] = kind
    squares[stream.choice(line)] = EMPTY
    return True


def _spared(stream: Stream, plan: Plan, squares: list[int], move: Move, own: int) -> list[int]:
    """More pieces of the kind, each of which might make the move."""
    free = [k for k, kind in enumerate(squares) if kind == EMPTY and k != move[1]]
    for square in stream.sample(free, min(plan.spares, max(0, len(free) - 1))):
        squares[square] = own
    return squares
