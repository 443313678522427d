"""The independent judge of ``board_five_in_line``: compares squares, then tries every move."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("piece_reading", Path(__file__).parent)
"""What the judges of boards with pieces share."""

MISREADS = 0.01
"""1 of 500, looked at: two lions were taken for different pieces."""

FIVE = ("five", "五")


def solve(view: View) -> list[ActionBase]:
    """The first move of a piece to an empty square after which a line stands."""
    board = reading.kinds(view)
    long = 5 if any(word in view.record.tasks[0].goal for word in FIVE) else 4
    empty = [k for k, kind in enumerate(board) if kind == reading.EMPTY]
    full = [k for k, kind in enumerate(board) if kind != reading.EMPTY]
    for piece, gap in product(full, empty):
        if reading.has_line(reading.exchanged(board, piece, gap), long):
            return reading.made(view, piece, gap)
    return []
