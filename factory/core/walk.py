"""Shares of a finite space of contents: each split owns its own part, and none repeats.

For puzzles whose content is no asset (a string, a set of numbers): the whole space is
numbered, a keyed permutation scatters it, and train, val and test own 90, 5 and 5 % of
the places. Contents of two splits therefore never meet, and numbers below a split's
share are distinct contents.
"""

from __future__ import annotations

from factory.core.errors import InvalidOptions
from factory.core.rng import SPLITS, permuted_index

HELD_OUT = 20
"""Val and test own one part in this many, each."""


def share(split: str, size: int) -> int:
    """How many of ``size`` contents a split owns."""
    held = size // HELD_OUT
    return {SPLITS[0]: size - 2 * held, SPLITS[1]: held, SPLITS[2]: held}[split]


def place(number: int, split: str, size: int, name: str) -> int:
    """The content that is ``number`` of a split, among all ``size`` of the space ``name``."""
    own = share(split, size)
    if not 0 <= number < own:
        raise InvalidOptions(f"content {number} is outside the {own} of {name} in {split}")
    before = {SPLITS[0]: 0, SPLITS[1]: share(SPLITS[0], size), SPLITS[2]: size - own}[split]
    return permuted_index(before + number, size, name)
