"""Splits own disjoint shares of a space, and numbers of a split are distinct contents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.core.errors import InvalidOptions
from factory.core.rng import SPLITS
from factory.core.walk import place, share


@given(st.integers(20, 3000))
def test_the_splits_cover_the_space_without_meeting(size: int) -> None:
    found = [place(n, split, size, "space") for split in SPLITS for n in range(share(split, size))]
    assert sorted(found) == list(range(size))


def test_a_number_beyond_the_share_is_refused() -> None:
    with pytest.raises(InvalidOptions, match="outside the 5"):
        place(5, "val", 100, "space")
