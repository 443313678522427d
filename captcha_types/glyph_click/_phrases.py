"""The phrases of the family: by length and how often they are met, owned by splits."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, Literal

from captcha_types.glyph_click._kit import Script
from factory.core.errors import InvalidOptions
from factory.core.rng import SPLITS, Stream, digest_int
from factory.draw import glyphs
from factory.draw.glyphs.lexicon import TOO_THIN

Tier = Literal["common", "rare"]
TIERS: tuple[Tier, ...] = ("common", "rare")

LANGS: Mapping[Script, str] = {"latin": "en", "han": "zh"}

HELD_OUT, LEAST_HELD = 10, 2
"""Val and test get one phrase in this many of each sort, and so many at least."""

TRIES = 60
"""Characters drawn for those left over, before fewer have to do."""


@dataclass(frozen=True)
class Phrase:
    """A phrase as it is shown, its kind, and the characters that may not stand beside it."""

    text: str
    kind: str
    tier: Tier
    script: Script
    barred: frozenset[str]


@cache
def lexicon() -> tuple[Phrase, ...]:
    """Every phrase, in the order of the file."""
    text = (Path(__file__).parent / "phrases.toml").read_text(encoding="utf-8")
    table: dict[str, Any] = tomllib.loads(text)
    return tuple(
        _phrase(entry, kind, tier, script)
        for script, lang in LANGS.items()
        for kind, tiers in table[lang].items()
        for tier in TIERS
        for entry in tiers[tier].split()
    )


def _phrase(entry: str, kind: str, tier: Tier, script: Script) -> Phrase:
    text, _, barred = entry.upper().partition("/")
    return Phrase(text, kind, tier, script, frozenset(barred))


@cache
def named(text: str) -> Phrase | None:
    """The phrase of these characters in this order, where there is one."""
    return next((phrase for phrase in lexicon() if phrase.text == text), None)


@cache
def phrases(split: str, script: Script, length: int, tier: Tier) -> tuple[Phrase, ...]:
    """The phrases of a split: ranked by digest, the first go to test, the next to val."""
    if split not in SPLITS:
        raise InvalidOptions(f"no split {split!r}; there are {', '.join(SPLITS)}")
    few = [p for p in lexicon() if (p.script, len(p.text), p.tier) == (script, length, tier)]
    ranked = sorted(few, key=lambda p: (digest_int(f"phrase|{p.text}"), p.text))
    held = max(LEAST_HELD, len(few) // HELD_OUT)
    parts = {"test": ranked[:held], "val": ranked[held : 2 * held], "train": ranked[2 * held :]}
    return tuple(parts[split])


@cache
def _stray_han(split: str) -> tuple[str, ...]:
    """Chinese characters of a split's phrases, which may be left over beside another phrase."""
    own = [p for length in (4, 5, 6) for tier in TIERS for p in phrases(split, "han", length, tier)]
    chars = dict.fromkeys(char for phrase in own for char in phrase.text)
    return tuple(char for char in chars if char not in TOO_THIN)


LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""Without I, which is one stroke."""


def left_over(stream: Stream, phrase: Phrase, split: str, count: int) -> list[str]:
    """``count`` characters that form no other phrase with it; fewer where there are no more."""
    alphabet = LETTERS if phrase.script == "latin" else _stray_han(split)
    found: list[str] = []
    for _ in range(TRIES if count else 0):
        char, shown = stream.choice(alphabet), [*phrase.text, *found]
        free = char not in phrase.barred and not any(alike(char, other) for other in shown)
        if free and spelt([*shown, char], len(phrase.text)) == [phrase]:
            found.append(char)
        if len(found) == count:
            break
    return found


def spelt(shown: Sequence[str], length: int) -> list[Phrase]:
    """The phrases of a length whose characters are all among those shown."""
    chars = frozenset(shown)
    return [p for p in lexicon() if len(p.text) == length and chars.issuperset(p.text)]


def ways(shown: Sequence[str], length: int) -> list[tuple[int, ...]]:
    """All ways to tap a phrase of a length: indices into what is shown, one tuple each."""
    found: list[tuple[int, ...]] = []
    for phrase in spelt(shown, length):
        places = [[k for k, char in enumerate(shown) if char == own] for own in phrase.text]
        found += [way for way in product(*places) if len(set(way)) == length]
    return found


def alike(a: str, b: str) -> bool:
    """Whether one of two characters that are turned a little may be read as the other."""
    return glyphs.confusable(a, b, cased=True)


def distinct(text: str) -> bool:
    """Whether no two characters of a phrase may be read as each other."""
    return not any(alike(a, b) for a, b in combinations(text, 2))
