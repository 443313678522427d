"""Exact quotas with random access.

Each factor (difficulty band, viewport, theme, language, content kind) has its
own keyed permutation of every block of 1,000 indices over a table of exact
quotas: marginals are exact in each full block, the joint holds in
expectation, and any index is answered without its neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from factory.core.rng import permuted_index

BLOCK = 1000


def quotas(weights: Mapping[str, float], size: int = BLOCK) -> dict[str, int]:
    """Whole numbers that sum to ``size``, by largest remainder; ties go to the earlier name."""
    total = sum(weights.values())
    exact = {name: size * weight / total for name, weight in weights.items()}
    counts = {name: int(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: counts[name] - exact[name])
    for name in by_remainder[: size - sum(counts.values())]:
        counts[name] += 1
    return counts


@dataclass(frozen=True)
class Cell:
    """The value of a factor at an index and its rank among the indices of that value."""

    value: str
    rank: int


class Factor:
    """One factor of the mixture; ``name`` keys its permutations."""

    def __init__(self, name: str, weights: Mapping[str, float]) -> None:
        self.name = name
        self.counts = {value: count for value, count in quotas(weights).items() if count}
        self._table = [
            (value, position, count)
            for value, count in self.counts.items()
            for position in range(count)
        ]

    def at(self, index: int) -> Cell:
        """The cell of a sample index."""
        block, place = divmod(index, BLOCK)
        value, position, count = self._table[_order(self.name, block)[place]]
        return Cell(value=value, rank=block * count + position)

    def counted(self, index: int) -> int:
        """How many indices before this one have its value.

        ``Cell.rank`` scatters the indices of a block over the ranks of the whole block; these
        ranks are dense at any number of samples, and cost a look at the block's other indices.
        """
        block, place = divmod(index, BLOCK)
        order = _order(self.name, block)
        value, _, count = self._table[order[place]]
        return block * count + sum(self._table[row][0] == value for row in order[:place])

    def fits(self, room: Mapping[str, int]) -> int:
        """How many samples, from index 0 on, meet no value more often than it has ``room``."""
        blocks = min(room[value] // count for value, count in self.counts.items())
        left = {value: room[value] - blocks * count for value, count in self.counts.items()}
        for place, row in enumerate(_order(self.name, blocks)):
            value = self._table[row][0]
            if not left[value]:
                return blocks * BLOCK + place
            left[value] -= 1
        raise AssertionError("a value has less room than the next block takes")


@lru_cache(maxsize=64)
def _order(name: str, block: int) -> tuple[int, ...]:
    key = f"{name}|{block}"
    return tuple(permuted_index(place, BLOCK, key) for place in range(BLOCK))
