"""Sums with one number missing: numbered without repeats, written, and solved by trial.

A sum is its form and two or three numbers; ``value`` is the missing one. All forms of a
tier have as many sums, so that a number names a form evenly, then a value evenly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MINUS, TIMES = "−", "×"
SIGNS = ("+", MINUS, TIMES, "=", "?", "(", ")")
MOST = 999
"""The greatest number that is tried as a solution."""

TIERS: tuple[Mapping[str, str], ...] = (
    {
        "sum": "a + b = ?", "difference": "s − b = ?", "addend right": "b + ? = s",
        "addend left": "? + b = s", "taken away": "s − ? = b", "taken from": "? − b = a",
    },
    {
        "sum": "a + b = ?", "difference": "s − b = ?", "addend right": "b + ? = s",
        "addend left": "? + b = s", "taken away": "s − ? = b", "taken from": "? − b = a",
    },
    {
        "product first": "± ( b × c ) + r = ? | ( b × c ) − r = ? | b × c = ?",
        "product second": "± r + ( b × c ) = ? | ( c × b ) − r = ? | c × b = ?",
        "in a sum": "( b × c ) + ? = p", "product of a sum": "? + ( b × c ) = p",
        "three": "d + b − c = ?",
    },
)  # fmt: skip
"""By tier the forms. With v missing: s = v + b, a = v - b, p = b × c + v, d = v - b + c, and r
is what v is off from b × c: after ± come the ways to write it where v is more, less, the same."""

VALUES = (range(21, 80), range(61, 131), range(21, 121))
"""By tier what may be missing."""

OTHERS = (range(2, 21), range(21, 61), range(2, 10))
THIRDS = (range(0, 1), range(0, 1), range(11, 20))
"""By tier the other numbers: b, and c."""

_ENGLISH = "zero one two three four five six seven eight nine ten eleven twelve"
_CHINESE = "零 一 二 三 四 五 六 七 八 九 十 十一 十二"
WORDS = {"en": tuple(_ENGLISH.split()), "zh": tuple(_CHINESE.split())}
"""Numbers that may be written as words."""

HAN = frozenset("".join(WORDS["zh"]))


@dataclass(frozen=True)
class Sum:
    """A sum; ``value`` is what the question mark stands for."""

    tier: int
    form: str
    value: int
    other: int
    third: int = 0


def size(tier: int) -> int:
    """How many sums a tier has."""
    return len(TIERS[tier]) * len(VALUES[tier]) * len(OTHERS[tier]) * len(THIRDS[tier])


def numbered(number: int, tier: int) -> Sum:
    """Sum ``number`` of a tier."""
    number, form = divmod(number, len(TIERS[tier]))
    number, value = divmod(number, len(VALUES[tier]))
    third, other = divmod(number, len(OTHERS[tier]))
    return Sum(tier, list(TIERS[tier])[form], VALUES[tier][value], OTHERS[tier][other],
               THIRDS[tier][third])  # fmt: skip


def written(found: Sum) -> tuple[str, ...]:
    """Numbers and signs in order."""
    v, b, c = found.value, found.other, found.third
    rest = v - b * c
    named = {"s": v + b, "a": v - b, "b": b, "c": c, "p": b * c + v, "d": v - b + c, "r": abs(rest)}
    pattern = TIERS[found.tier][found.form]
    if "±" in pattern:
        pattern = pattern.split("|")[(rest < 0) + 2 * (rest == 0)].replace("±", "")
    return tuple(str(named.get(part, part)) for part in pattern.split())


def has_word(part: str) -> bool:
    """Whether a part is a number that may be written as a word."""
    return part.isdigit() and int(part) < len(WORDS["en"])


def shown(parts: Sequence[str], worded: int, lang: str) -> tuple[str, ...]:
    """The parts with the number at a place (-1: none) written as a word."""
    words = WORDS["zh" if lang == "zh" else "en"]
    return tuple(words[int(p)] if at == worded else p for at, p in enumerate(parts))


def plain(parts: Sequence[str]) -> tuple[str, ...]:
    """The parts with words written as digits again."""
    values = {word: str(n) for words in WORDS.values() for n, word in enumerate(words)}
    return tuple(values.get(part, part) for part in parts)


def solved(parts: Sequence[str]) -> list[int]:
    """Every number up to ``MOST`` that makes the sum true in the place of the question mark."""
    left, right = (list(side.split()) for side in " ".join(parts).split("="))
    # Both sides are of the first degree in what is missing: two trials give the only solution.
    at_0, at_1 = (_of(left, v) - _of(right, v) for v in (0, 1))
    step = at_1 - at_0
    if step == 0:
        return list(range(MOST + 1)) if at_0 == 0 else []
    value, over = divmod(-at_0, step)
    return [value] if over == 0 and 0 <= value <= MOST else []


def _of(side: Sequence[str], value: int) -> int:
    """The value of one side: products in brackets, then from left to right."""
    total, sign, at = 0, 1, 0
    numbers = [value if p == "?" else int(p) if p.isdigit() else p for p in side if p not in "()"]
    while at < len(numbers):
        term = numbers[at]
        if isinstance(term, str):
            sign = 1 if term == "+" else -1
            at += 1
            continue
        if at + 1 < len(numbers) and numbers[at + 1] == TIMES:
            term *= int(numbers[at + 2])
            at += 2
        total += sign * term
        at += 1
    return total
