"""Searches that try to refute a refusal: by letters, by words that mean the same, by icons.

They look through everything that an element shows or is called, which is more than queries do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from factory.scenarios.elements import Element
from factory.scenarios.table import Table
from factory.scenarios.wording import canonical, same_icon, wording
from factory.web.verdict.alike import normal

ALIKE = 0.6
"""Ratio from which two wordings may be taken for each other: what a missing thing stays below."""
SAME = 0.9
"""Ratio from which a text counts as a copy of another."""
SHORTEST = 3
"""Letters up to which a final s is no plural: bus, gas."""
HALF = 0.5
"""Of the words that carry meaning: two phrases that share more may be about one thing."""
_HAN = re.compile("[\u3400-\u9fff]")


class Hit(NamedTuple):
    """The likest text of a screen, and how alike it is, 0 to 1."""

    ratio: float
    text: str


NO_HIT = Hit(0.0, "")


def likest(phrases: Iterable[str], table: Table, but: str = "") -> Hit:
    """The likest text in view to any phrase, read as it is and by meaning.

    A phrase that a text contains is wholly alike. The element of the id ``but`` is left out.
    """
    best = NO_HIT
    texts = _texts(table, but)
    said = list(dict.fromkeys(normal(phrase) for phrase in phrases))
    for read in (str, canonical):
        mapped = [(read(text), text) for text in texts]
        for phrase in (read(one) for one in said if one):
            best = max([best, *(Hit(likeness(phrase, text), shown) for text, shown in mapped)])
    return best


def likest_among(phrases: Iterable[str], texts: Iterable[str]) -> Hit:
    """The likest of some texts to any phrase, as they are written."""
    normals = [normal(text) for text in texts]
    pairs = ((normal(phrase), text) for phrase in phrases for text in normals)
    return max((Hit(likeness(phrase, text), text) for phrase, text in pairs), default=NO_HIT)


def _texts(table: Table, but: str) -> list[str]:
    seen = [e for e in table.elements if e.seen != "no" and e.id != but]
    return list(dict.fromkeys(text for e in seen for text in e.words))


@lru_cache(maxsize=65536)
def likeness(phrase: str, text: str) -> float:
    """Greatest ratio of a normal phrase to a text or to as many words of it in a row."""
    if _contains(text, phrase):
        return 1.0
    matcher = SequenceMatcher(None, "", phrase, autojunk=False)
    best = 0.0
    for window in _windows(text, phrase):
        matcher.set_seq1(window)
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
            best = max(best, matcher.ratio())
    return round(best, 4)


def _contains(text: str, phrase: str) -> bool:
    if _HAN.search(phrase):
        return phrase in text
    return f" {phrase} " in f" {text} "


def _windows(text: str, phrase: str) -> Iterator[str]:
    """The text, and its parts of as many words (or Chinese characters) as the phrase."""
    yield text
    if _HAN.search(phrase):
        size = len(phrase)
        yield from (text[i : i + size] for i in range(len(text) - size))
        return
    tokens, size = text.split(), len(phrase.split())
    yield from (" ".join(tokens[i : i + size]) for i in range(len(tokens) - size))


@lru_cache(maxsize=16384)
def bare(text: str) -> str:
    """A text without what makes no difference of meaning: plurals, and words that mean the same."""
    singular = " ".join(_singular(word) for word in normal(text).split())
    return " ".join(word.removesuffix("e") for word in canonical(singular).split())


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    plural = word.endswith("s") and not word.endswith("ss") and len(word) > SHORTEST
    return canonical(word) if canonical(word) != word else word[:-1] if plural else word


def shared_meaning(first: str, second: str) -> float:
    """Share of the words that carry meaning which the shorter phrase has in common with the other.

    Chinese phrases are compared by pairs of characters.
    """
    mine, theirs = _bearing(first), _bearing(second)
    least = min(len(mine), len(theirs))
    return len(mine & theirs) / least if least else 0.0


@lru_cache(maxsize=16384)
def _bearing(phrase: str) -> frozenset[str]:
    said = bare(phrase)
    if _HAN.search(said):
        joined = said.replace(" ", "")
        return frozenset(joined[i : i + 2] for i in range(len(joined) - 1))
    empty = wording()["empty"].split()
    return frozenset(_stem(word) for word in said.split() if word not in empty)


def _stem(word: str) -> str:
    ending = next((e for e in ("ing", "ed") if word.endswith(e) and len(word) > len(e) + 2), "")
    return word.removesuffix(ending)


def copies(text: str, table: Table, but: str = "") -> list[str]:
    """Texts in view that say a text, whole or within, up to what makes no difference."""
    said = bare(text)
    if not said:
        return []
    return [text for text in _texts(table, but) if _says(bare(text), said)]


def _says(text: str, said: str) -> bool:
    alike = likeness(said, text) >= SAME and _same_digits(said, text)
    return alike or _contains(text, said)


def _same_digits(first: str, second: str) -> bool:
    return re.findall(r"\d+", first) == re.findall(r"\d+", second)


def icons_like(icon: str, table: Table, but: str = "") -> list[Element]:
    """Elements in view that show an icon like one, or may: unmarked controls without words."""
    seen = [e for e in table.elements if e.seen != "no" and e.id != but]
    return [e for e in seen if icon and (_shows(e, icon) or _may_show_any(e))]


def _shows(e: Element, icon: str) -> bool:
    return any(same_icon(shown, icon) for shown in (e.icon, *e.shows))


def _may_show_any(e: Element) -> bool:
    return not e.marked and not e.words and e.kind in ("control", "generic")
