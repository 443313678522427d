"""Keys and keyed streams."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.core.errors import InvalidOptions
from factory.core.rng import SPLITS, Rng, SampleKey, Stream, permuted_index

names = st.text(min_size=1, max_size=40)
keys = st.builds(
    SampleKey,
    type=st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True),
    split=st.sampled_from(SPLITS),
    seed=st.integers(0, 2**63 - 1),
    digest=st.from_regex(r"[0-9a-f]{8}", fullmatch=True),
    index=st.integers(0, 10**12),
)


@given(keys)
def test_key_reads_back_from_its_text(key: SampleKey) -> None:
    assert SampleKey.parse(str(key)) == key


@given(keys)
def test_key_is_a_plain_lower_case_name(key: SampleKey) -> None:
    text = str(key)
    assert text.isascii() and text == text.lower() and "." not in text and "/" not in text


@pytest.mark.parametrize(
    "text", ["", "rotate", "rotate-train-s0-cxyz-00000001", "rotate-dev-s0-c01234567-00000001",
             "rotate-train-s0-c01234567-1", "Rotate-train-s0-c01234567-00000001",
             "rotate-train-s0-c01234567-00000001\n"],
)  # fmt: skip
def test_what_is_no_key_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidOptions, match="sample key"):
        SampleKey.parse(text)


@given(st.integers(1, 3000), names)
def test_permutation_is_a_bijection_of_every_size(size: int, name: str) -> None:
    assert sorted(permuted_index(i, size, name) for i in range(size)) == list(range(size))


@given(st.integers(1, 10**15), st.data())
def test_permutation_stays_inside_large_ranges(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    assert 0 <= permuted_index(index, size, "walk") < size


@given(st.integers(-5, 5).filter(lambda i: i != 0))
def test_permutation_refuses_indices_outside(beyond: int) -> None:
    with pytest.raises(InvalidOptions, match="outside"):
        permuted_index(beyond if beyond < 0 else 10 + beyond, 10, "walk")


def test_permutations_of_different_names_differ() -> None:
    walks = {tuple(permuted_index(i, 100, f"walk{n}") for i in range(100)) for n in range(20)}
    assert len(walks) == 20


@given(names, st.integers(-(2**40), 2**40), st.integers(1, 2**40))
def test_integers_stay_in_their_half_open_range(name: str, low: int, width: int) -> None:
    stream = Stream(name)
    assert all(low <= stream.integer(low, low + width) < low + width for _ in range(20))


@given(names, st.integers(-100, 100), st.integers(0, 100))
def test_empty_range_is_refused(name: str, low: int, width: int) -> None:
    with pytest.raises(InvalidOptions, match="empty range"):
        Stream(name).integer(low, low - width)


@given(names, st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_uniform_stays_in_its_range(name: str, low: float, width: float) -> None:
    stream = Stream(name)
    assert all(low <= stream.uniform(low, low + width) <= low + width for _ in range(20))


@given(names, st.lists(st.integers(), min_size=1, max_size=30))
def test_choices_and_shuffles_invent_nothing(name: str, items: list[int]) -> None:
    stream = Stream(name)
    assert stream.choice(items) in items
    assert Counter(stream.shuffled(items)) == Counter(items)
    part = stream.sample(items, len(items) // 2)
    assert not Counter(part) - Counter(items)


def test_sample_of_more_than_there_are_is_refused() -> None:
    with pytest.raises(InvalidOptions, match="out of 2"):
        Stream("s").sample([1, 2], 3)


def test_weighted_never_takes_what_weighs_nothing() -> None:
    stream = Stream("weights")
    drawn = Counter(stream.weighted(("a", "b", "c"), (1.0, 0.0, 3.0)) for _ in range(4000))
    assert drawn["b"] == 0
    assert 2800 < drawn["c"] < 3200


def test_draws_are_even_beyond_the_first_few() -> None:
    tenths = Counter(int(10 * Stream(f"even/{n}").random()) for n in range(5000))
    stream = Stream("one long stream")
    tenths_of_one = Counter(int(10 * stream.random()) for _ in range(5000))
    for counts in (tenths, tenths_of_one):
        assert all(400 < counts[tenth] < 600 for tenth in range(10))


@given(names, st.integers(1, 60))
def test_stream_repeats_itself_and_nobody_else(name: str, draws: int) -> None:
    first, again, other = Stream(name), Stream(name), Stream(name).child("x")
    series = [first.random() for _ in range(draws)]
    assert series == [again.random() for _ in range(draws)]
    assert series != [other.random() for _ in range(draws)]


def test_long_streams_do_not_come_round() -> None:
    stream = Stream("long")
    series = [stream.random() for _ in range(2000)]
    assert len(set(series)) == len(series)
    assert all(a != b for a, b in pairwise(series))


@given(keys, names, st.integers(1, 63))
def test_fixed_ignores_the_attempt_and_fresh_does_not(
    key: SampleKey, purpose: str, attempt: int
) -> None:
    first, later = Rng.of(key), Rng.of(key).retry(attempt)
    assert first.fixed(purpose).random() == later.fixed(purpose).random()
    assert first.fresh(purpose).random() != later.fresh(purpose).random()


@given(keys, names)
def test_streams_of_neighbours_seeds_and_splits_differ(key: SampleKey, purpose: str) -> None:
    neighbours = [
        SampleKey(key.type, key.split, key.seed + 1, key.digest, key.index),
        SampleKey(key.type, key.split, key.seed, key.digest, key.index + 1),
        *(SampleKey(key.type, s, key.seed, key.digest, key.index) for s in SPLITS),
    ]
    draws = {str(k): Rng.of(k).fixed(purpose).random() for k in [key, *neighbours]}
    assert len(set(draws.values())) == len(draws)


def test_drawing_from_one_purpose_moves_no_other() -> None:
    rng = Rng("root")
    before = rng.fixed("label").random()
    art = rng.fixed("art")
    for _ in range(100):
        art.random()
    assert rng.fixed("label").random() == before
