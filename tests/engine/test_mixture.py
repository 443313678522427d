"""Quotas are exact in every block, and any index is answered alone."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from factory.engine.mixture import BLOCK, Factor, quotas

shares = st.dictionaries(
    st.text("abcdefgh", min_size=1, max_size=4), st.floats(0.01, 100.0), min_size=1, max_size=12
)


@given(shares, st.integers(1, 5000))
def test_quotas_sum_to_the_size_and_miss_no_share_by_more_than_one(
    weights: dict[str, float], size: int
) -> None:
    counts = quotas(weights, size)
    total = sum(weights.values())
    assert sum(counts.values()) == size
    assert all(abs(counts[name] - size * w / total) <= 1 for name, w in weights.items())


@given(shares)
def test_quotas_do_not_depend_on_the_order_of_names_when_no_remainder_ties(
    weights: dict[str, float],
) -> None:
    total = sum(weights.values())
    rest = sorted(BLOCK * w / total - math.floor(BLOCK * w / total) for w in weights.values())
    if any(b - a < 1e-6 for a, b in pairwise(rest)):
        return
    backwards = dict(reversed(list(weights.items())))
    assert quotas(weights) == quotas(backwards)


@given(shares, st.integers(0, 50), st.text(max_size=10))
def test_every_full_block_meets_its_quotas_exactly(
    weights: dict[str, float], block: int, name: str
) -> None:
    factor = Factor(name, weights)
    cells = [factor.at(index) for index in range(block * BLOCK, (block + 1) * BLOCK)]
    assert Counter(cell.value for cell in cells) == Counter(factor.counts)


@given(shares, st.text(max_size=10))
def test_ranks_of_a_value_are_consecutive_over_blocks(weights: dict[str, float], name: str) -> None:
    factor = Factor(name, weights)
    ranks: dict[str, list[int]] = {}
    for index in range(2 * BLOCK):
        cell = factor.at(index)
        ranks.setdefault(cell.value, []).append(cell.rank)
    assert all(sorted(found) == list(range(len(found))) for found in ranks.values())


@given(shares, st.lists(st.integers(0, 10**9), min_size=1, max_size=20))
def test_any_index_is_answered_without_its_neighbours(
    weights: dict[str, float], indices: list[int]
) -> None:
    first = {index: Factor("walk", weights).at(index) for index in indices}
    again = Factor("walk", weights)
    assert all(again.at(index) == first[index] for index in reversed(indices))


def test_factors_of_different_names_are_independent() -> None:
    weights = {"a": 0.5, "b": 0.5}
    first, second = Factor("one", weights), Factor("two", weights)
    both = Counter((first.at(i).value, second.at(i).value) for i in range(BLOCK))
    assert all(200 < count < 300 for count in both.values())


def test_blocks_are_shuffled_differently() -> None:
    factor = Factor("blocks", {"a": 0.5, "b": 0.5})
    orders = {tuple(factor.at(b * BLOCK + i).value for i in range(40)) for b in range(10)}
    assert len(orders) == 10


def test_prefix_of_a_block_is_a_fair_sample() -> None:
    factor = Factor("prefix", {"a": 0.8, "b": 0.2})
    first = Counter(factor.at(index).value for index in range(200))
    assert 140 <= first["a"] <= 180


@given(shares, st.text(max_size=10), st.integers(0, 2 * BLOCK))
def test_counted_ranks_are_dense_at_any_number_of_samples(
    weights: dict[str, float], name: str, count: int
) -> None:
    factor = Factor(name, weights)
    ranks: dict[str, list[int]] = {}
    for index in range(count):
        ranks.setdefault(factor.at(index).value, []).append(factor.counted(index))
    assert all(found == list(range(len(found))) for found in ranks.values())


@given(shares, st.text(max_size=10), st.data())
def test_a_room_fits_as_many_samples_as_it_says_and_not_one_more(
    weights: dict[str, float], name: str, data: st.DataObject
) -> None:
    factor = Factor(name, weights)
    room = {value: data.draw(st.integers(0, 2 * count)) for value, count in factor.counts.items()}
    fits = factor.fits(room)
    used = Counter(factor.at(index).value for index in range(fits))
    assert all(used[value] <= most for value, most in room.items())
    beyond = factor.at(fits).value
    assert used[beyond] == room[beyond]
