"""Full boards one swap short of a line, made around that swap."""

from __future__ import annotations

from dataclasses import dataclass

from captcha_types.board_patch import _lines as lines
from captcha_types.board_patch._lines import EMPTY, Move
from factory.core.rng import Stream

TRIES = 16
"""Free fillings, before one in which no other kind has enough pieces for a line."""


@dataclass(frozen=True)
class Crowd:
    """What a board is to hold: its kinds, how many swaps may complete a line, which are allowed."""

    side: int
    kinds: int
    most: int
    adjacent: bool
    near: float
    """The chance that another kind is first tried for a line that lacks a piece."""


def fill(stream: Stream, crowd: Crowd, swap: Move) -> tuple[int, ...]:
    """A board on which ``swap`` completes a line."""
    own = stream.integer(0, crowd.kinds)
    for _ in range(TRIES):
        squares = _strewn(stream, crowd, _started(stream, crowd, swap, own), own, scarce=False)
        winning = lines.winning_swaps(squares, crowd.side, crowd.side, adjacent=crowd.adjacent)
        standing = lines.has_line(squares, crowd.side, crowd.side)
        if not standing and swap in winning and len(winning) <= crowd.most:
            return tuple(squares)
    return tuple(_strewn(stream, crowd, _started(stream, crowd, swap, own), own, scarce=True))


def _started(stream: Stream, crowd: Crowd, swap: Move, own: int) -> list[int]:
    """The line with another kind in its gap, and the piece that belongs there."""
    gap, piece = stream.shuffled(swap)
    squares = [EMPTY] * crowd.side**2
    through = [line for line in lines.windows_at(crowd.side, crowd.side)[gap] if piece not in line]
    for square in stream.choice(through):
        squares[square] = own
    squares[piece] = own
    squares[gap] = stream.choice([kind for kind in range(crowd.kinds) if kind != own])
    return squares


def _strewn(
    stream: Stream, crowd: Crowd, squares: list[int], own: int, *, scarce: bool
) -> list[int]:
    """Other kinds on what is free; ``scarce``: fewer of each than a line takes."""
    others = [kind for kind in range(crowd.kinds) if kind != own]
    if not scarce and stream.chance(crowd.near):
        _near_line(stream, crowd, squares, stream.choice(others))
    for square in stream.shuffled([k for k, kind in enumerate(squares) if kind == EMPTY]):
        rare = [k for k in others if squares.count(k) < crowd.side - 1]
        squares[square] = stream.choice(rare if scarce and rare else others)
    return squares


def _near_line(stream: Stream, crowd: Crowd, squares: list[int], kind: int) -> None:
    """All but one square of a line that is still free enough."""
    lines_left = [
        line
        for line in lines.windows(crowd.side, crowd.side)
        if sum(squares[square] in (EMPTY, kind) for square in line) >= crowd.side - 1
    ]
    if lines_left:
        free = [square for square in stream.choice(lines_left) if squares[square] == EMPTY]
        for square in stream.shuffled(free)[: crowd.side - 1]:
            squares[square] = kind
