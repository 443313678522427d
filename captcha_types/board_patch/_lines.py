"""Lines on square boards: where they are, and which moves and swaps complete one.

A board is a tuple of kinds in reading order, ``EMPTY`` where nothing stands. A line is a
window of ``long`` squares in a row, a column or a diagonal that one kind fills.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

EMPTY = -1

Squares = Sequence[int]
Move = tuple[int, int]
"""The square that is left and the one that is taken; or the two that are swapped, lower first."""

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps down and across."""


@cache
def windows(side: int, long: int) -> tuple[tuple[int, ...], ...]:
    """Every place of a line."""
    found: list[tuple[int, ...]] = []
    for row in range(side):
        for column in range(side):
            for down, across in WAYS:
                last_row, last = row + down * (long - 1), column + across * (long - 1)
                if last_row < side and 0 <= last < side:
                    found.append(
                        tuple((row + k * down) * side + column + k * across for k in range(long))
                    )
    return tuple(found)


@cache
def windows_at(side: int, long: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each square the places of lines that hold it."""
    every = windows(side, long)
    return tuple(tuple(w for w in every if at in w) for at in range(side * side))


def stands_at(squares: Squares, at: int, side: int, long: int) -> bool:
    """Whether a line stands that holds a square."""
    own = squares[at]
    for line in windows_at(side, long)[at]:
        for square in line:
            if squares[square] != own:
                break
        else:
            return own != EMPTY
    return False


def has_line(squares: Squares, side: int, long: int) -> bool:
    """Whether a line stands."""
    return any(
        squares[line[0]] != EMPTY and all(squares[s] == squares[line[0]] for s in line)
        for line in windows(side, long)
    )


def lacking(squares: Squares, side: int, long: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """``(kind, square, line)`` of each line that lacks one square to be all of a kind."""
    found: list[tuple[int, int, tuple[int, ...]]] = []
    for line in windows(side, long):
        kinds = [squares[s] for s in line]
        for kind in set(kinds) - {EMPTY}:
            odd = [s for s, own in zip(line, kinds, strict=True) if own != kind]
            if len(odd) == 1:
                found.append((kind, odd[0], line))
    return found


def winning_moves(squares: Squares, side: int, long: int) -> list[Move]:
    """Moves of a piece to an empty square that complete a line, sorted."""
    return sorted(
        {
            (piece, gap)
            for kind, gap, line in lacking(squares, side, long)
            if squares[gap] == EMPTY
            for piece, own in enumerate(squares)
            if own == kind and piece not in line
        }
    )


def neighbours(side: int) -> list[Move]:
    """Squares that share an edge."""
    return [
        (a, b)
        for a, b in combinations(range(side * side), 2)
        if b - a == side or (b - a == 1 and b % side)
    ]


def winning_swaps(squares: Squares, side: int, long: int, *, adjacent: bool) -> list[Move]:
    """Swaps of two squares that complete a line, sorted; ``adjacent``: of neighbours only."""
    allowed = neighbours(side) if adjacent else list(combinations(range(side * side), 2))
    wanted = lacking(squares, side, long)
    found = set[Move]()
    for kind, gap, line in wanted:
        for piece, own in enumerate(squares):
            if own == kind and piece not in line:
                found.add((min(gap, piece), max(gap, piece)))
    return sorted(found & set(allowed))


def moved(squares: Squares, a: int, b: int) -> tuple[int, ...]:
    """The board after what stands on two squares changed places."""
    after = list(squares)
    after[a], after[b] = after[b], after[a]
    return tuple(after)


def line_through(squares: Squares, side: int, long: int) -> tuple[int, ...]:
    """The first line that stands on a board; nothing where none does."""
    for line in windows(side, long):
        if squares[line[0]] != EMPTY and len({squares[s] for s in line}) == 1:
            return line
    return ()
