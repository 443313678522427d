"""The independent judge of ``board_swap_to_line``: compares squares, then tries every swap."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("piece_reading", Path(__file__).parent)
"""What the judges of boards with pieces share."""

NEAR = ("neighbour", "相邻")


def solve(view: View) -> list[ActionBase]:
    """The first allowed swap after which a line stands from side to side."""
    board = reading.kinds(view)
    side = round(len(board) ** 0.5)
    near = any(word in view.record.tasks[0].goal for word in NEAR)
    for a, b in combinations(range(len(board)), 2):
        apart = abs(a // side - b // side) + abs(a % side - b % side)
        if (apart == 1 or not near) and reading.has_line(reading.exchanged(board, a, b), side):
            return reading.made(view, a, b)
    return []
