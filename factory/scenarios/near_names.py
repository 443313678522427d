"""Names one edit away from a name: another number, another term of its kind, another last word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from factory.core.rng import Stream
from factory.scenarios.wording import siblings

CURRENCIES = "$€£¥"
FARTHEST = 4
"""How far a number is moved at most."""


def near_names(text: str, shown: Sequence[str], lang: str, stream: Stream) -> list[str]:
    """Near names of a text, in a drawn order; ``shown`` are the other texts of its screen."""
    made = [*_numbers(text, stream), *_currencies(text), *_terms(text, lang)]
    if not made:
        made = list(_last_words(text, shown))
    return stream.shuffled(tuple(dict.fromkeys(name for name in made if name != text)))


def _numbers(text: str, stream: Stream) -> Iterator[str]:
    """One number moved by a little; it keeps its digits, so that it looks as likely."""
    for match in re.finditer(r"\d+", text):
        digits = match.group()
        moved = int(digits) + stream.integer(1, FARTHEST + 1) * (1 if stream.chance(0.5) else -1)
        if moved > 0 and len(str(moved)) == len(digits):
            yield f"{text[: match.start()]}{moved}{text[match.end() :]}"


def _currencies(text: str) -> Iterator[str]:
    for sign in CURRENCIES:
        if sign in text:
            yield from (text.replace(sign, other) for other in CURRENCIES if other != sign)


def _terms(text: str, lang: str) -> Iterator[str]:
    for row in siblings(lang):
        for term in row:
            for match in re.finditer(_whole(term, lang), text, re.IGNORECASE):
                head, tail = text[: match.start()], text[match.end() :]
                yield from (f"{head}{_cased(o, match.group())}{tail}" for o in row if o != term)


def _whole(term: str, lang: str) -> str:
    return re.escape(term) if lang == "zh" else rf"\b{re.escape(term)}\b"


def _cased(word: str, like: str) -> str:
    """A word in the case of another."""
    if like.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def _last_words(text: str, shown: Sequence[str]) -> Iterator[str]:
    """The last word of a name exchanged for that of another name of as many words.

    Names only: with another last word a command may still mean what it meant.
    """
    words = text.split()
    if not _is_name(words):
        return
    for other in shown:
        theirs = other.split()
        if _is_name(theirs) and len(theirs) == len(words) and theirs[-1] != words[-1]:
            yield " ".join([*words[:-1], theirs[-1]])


def _is_name(words: Sequence[str]) -> bool:
    return len(words) > 1 and all(word[:1].isupper() for word in words)
