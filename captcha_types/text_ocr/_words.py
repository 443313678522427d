"""The words of the family: by split and length, and walks over pairs of them."""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Literal

from factory.core.rng import digest_int
from factory.draw import glyphs

Tier = Literal["short", "long"]
Case = Literal["lower", "title", "upper"]
CASES: tuple[Case, ...] = ("lower", "title", "upper")
"""How words may be shown."""

TIERS: dict[Tier, range] = {"short": range(4, 6), "long": range(6, 9)}
"""Letters of the words of each tier."""


@cache
def lexicon() -> tuple[str, ...]:
    """Every word, in small letters, in alphabetical order."""
    text = (Path(__file__).parent / "words.toml").read_text(encoding="utf-8")
    return tuple(sorted(set(tomllib.loads(text)["words"].split())))


@cache
def owner(word: str) -> str:
    """The split that owns a word: 80 % train, 10 % val, 10 % test, by digest."""
    percent = digest_int(f"word|{word}", 32) % 100
    return "train" if percent < 80 else "val" if percent < 90 else "test"


@cache
def words(split: str, tier: Tier) -> tuple[str, ...]:
    """The words of a split with so many letters."""
    return tuple(w for w in lexicon() if owner(w) == split and len(w) in TIERS[tier])


@cache
def _folds() -> Counter[str]:
    return Counter(glyphs.fold_text(word, cased=False) for word in lexicon())


def alone(word: str) -> bool:
    """Whether it is a word, and no other word looks like it in some face."""
    return word in lexicon() and _folds()[glyphs.fold_text(word, cased=False)] == 1


def pair(number: int, few: tuple[str, ...]) -> tuple[str, str]:
    """Two different words: ordered pair ``number`` of ``len(few) * (len(few) - 1)``."""
    first, second = divmod(number, len(few) - 1)
    return few[first], few[second + (second >= first)]


def space(split: str, tier: Tier) -> int:
    """Ordered pairs of words in each case."""
    count = len(words(split, tier))
    return count * (count - 1) * len(CASES)


def shown(word: str, case: Case) -> str:
    """A word as it is shown."""
    return word.upper() if case == "upper" else word.title() if case == "title" else word
