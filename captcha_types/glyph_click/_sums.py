"""Which numbers stand together, so that one subset of them and no other gives a result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal

from factory.core.errors import Rejected
from factory.core.rng import Stream

Operation = Literal["sum", "product", "difference"]
OPERATIONS: Mapping[Operation, float] = {"sum": 0.6, "product": 0.2, "difference": 0.2}

LOWEST = 2
"""The least number there may be: a single 1 is a stroke."""

TRIES = 60
"""Numbers drawn for each other one, before the draw is given up."""


def result_of(operation: Operation, values: Sequence[int]) -> int:
    """Sum, product, or the difference of the greatest and the least."""
    if operation == "sum":
        return sum(values)
    return math.prod(values) if operation == "product" else max(values) - min(values)


def subsets(
    operation: Operation, count: int, values: Sequence[int], result: int
) -> list[tuple[int, ...]]:
    """All sets of ``count`` indices whose values give the result."""
    return [
        chosen
        for chosen in combinations(range(len(values)), count)
        if result_of(operation, [values[k] for k in chosen]) == result
    ]


def choose_values(
    stream: Stream, operation: Operation, count: int, shown: int, highest: int, near: float
) -> list[int]:
    """``count`` numbers that give a result, then others with which no other subset gives it."""
    found = stream.sample(range(LOWEST, highest + 1), count)
    result = result_of(operation, found)
    for _ in range(TRIES * shown):
        if len(found) == shown:
            return found
        value = stream.integer(LOWEST, highest + 1)
        if stream.chance(near):
            value = _near(stream, operation, count, found, result)
        fits = LOWEST <= value <= highest and value not in found
        if fits and len(subsets(operation, count, [*found, value], result)) == 1:
            found.append(value)
    raise Rejected("no other numbers", value=len(found), limit=shown)


def _near(
    stream: Stream, operation: Operation, count: int, found: Sequence[int], result: int
) -> int:
    """A number with which some subset misses the result by 1 to 3."""
    aim = result + stream.choice((-3, -2, -1, 1, 2, 3))
    beside = stream.sample(found, count - 1)
    if operation == "sum":
        return aim - sum(beside)
    return round(aim / beside[0]) if operation == "product" else beside[0] + aim
