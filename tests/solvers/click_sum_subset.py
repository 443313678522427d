"""The independent judge of ``click_sum_subset``: reads the numbers and tries all subsets.

Every number that there may be is typeset with another library in every face, leaning, and
fitted to each spot of the picture. Of all subsets that give the printed result, read so and
not otherwise, the one that explains its spots best is clicked.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from factory.core.actions import ActionBase
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("glyph_reading", Path(__file__).parent)
"""What the judges of characters to tap share."""

LARGEST = 80
NUMBERS = tuple(str(value) for value in range(2, LARGEST + 1))
TURNS = tuple(float(turn) for turn in range(-24, 25, 6))


def solve(view: View) -> list[ActionBase]:
    """Click the numbers that give the result."""
    goal = view.record.tasks[0].goal
    result = int(re.findall(r"\d+", goal)[0])
    count = 3 if re.search("three|三", goal, re.IGNORECASE) else 2
    boxes = reading.spots(view)
    known = reading.bank(view.record.split, "latin", NUMBERS, TURNS)
    fits = known.by_char(view.picture, boxes)
    table = np.array([fits[number] for number in NUMBERS]).T
    losses = table.max(axis=1, keepdims=True) - table
    allowed = _allowed(goal, count, result)
    best = min(
        combinations(range(len(boxes)), count),
        key=lambda chosen: float(_least(losses[list(chosen)], allowed)),
    )
    return reading.answer(view, [boxes[place] for place in best])


def _allowed(goal: str, count: int, result: int) -> Any:
    """Indices ``(n, count)`` of numbers that give the result, in every order."""
    values = np.arange(2, LARGEST + 1)
    grids = np.meshgrid(*[values] * count, indexing="ij")
    if re.search("multiply|积", goal):
        made = np.prod(grids, axis=0)
    elif re.search("differ|差", goal):
        made = np.max(grids, axis=0) - np.min(grids, axis=0)
    else:
        made = np.sum(grids, axis=0)
    return np.argwhere(made == result)


def _least(losses: Any, allowed: Any) -> float:
    """The least loss over all readings that are allowed."""
    if not len(allowed):
        return float("inf")
    return float(np.sum([own[allowed[:, k]] for k, own in enumerate(losses)], axis=0).min())
