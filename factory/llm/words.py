"""Checks of what a model writes: nothing hidden, nothing real, in the language that was asked."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache

from factory.llm.reasons import Bad, BadAnswer
from templates import LLM

FORBIDDEN = set('<>"`{}\\|')
"""Letters that mean something to markup or to templates of phrases."""
INVISIBLE = {"Cf", "Co", "Cn", "Cs"}
"""Categories of letters that nobody sees: joiners, direction marks, tags, private ones."""
JOINERS = {"\u200c", "\u200d", "\ufe0f", "\u00ad"}
"""Of those, what honest text has: joiners between letters and emoji, soft hyphens."""
_HAN = re.compile("[\u3400-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")
HAN_SHARE = 0.3
"""Of the letters of a Chinese screen: names of products and units may be Latin."""
STRAY_HAN = 0.05


@cache
def _lists() -> dict[str, tuple[re.Pattern[str], ...]]:
    """Patterns by name: texts that speak to a model, that hold a place, that name a brand."""
    data = tomllib.loads((LLM / "words.toml").read_text(encoding="utf-8"))
    return {
        name: tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)
        for name, patterns in data.items()
    }


def squeezed(text: str) -> str:
    """A text as a reader takes it: forms folded, invisible letters gone, one space."""
    folded = unicodedata.normalize("NFKC", text)
    seen = "".join(one for one in folded if unicodedata.category(one) not in INVISIBLE)
    return " ".join(seen.split())


def check_hidden(text: str) -> None:
    """``BadAnswer`` for letters that nobody sees and for words that are meant for a model."""
    for one in text:
        if unicodedata.category(one) in INVISIBLE and one not in JOINERS:
            raise BadAnswer(Bad.INVISIBLE_LETTERS, f"it holds the invisible U+{ord(one):04X}")
    found = _first("prompt", squeezed(text))
    if found:
        raise BadAnswer(Bad.PROMPT_TEXT, f"the page speaks to a reader that is a model: {found!r}")


def check_real(text: str) -> None:
    """``BadAnswer`` for places to be filled and for names of real companies."""
    said = squeezed(text)
    if found := _first("placeholder", said):
        raise BadAnswer(Bad.PLACEHOLDER, f"{found!r} holds a place; write what would stand there")
    if found := _first("brand", said):
        raise BadAnswer(Bad.BRAND, f"{found!r} is real; invent a name")


def _first(name: str, text: str) -> str:
    found = (match for pattern in _lists()[name] if (match := pattern.search(text)))
    return next((match[0] for match in found), "")


def check_language(texts: Iterable[str], lang: str) -> None:
    """``BadAnswer`` unless the words are those of ``lang``, all taken together."""
    letters = _LETTER.findall(" ".join(texts))
    share = sum(bool(_HAN.match(one)) for one in letters) / max(1, len(letters))
    if lang == "zh" and share < HAN_SHARE:
        raise BadAnswer(Bad.LANGUAGE, "the words on the screen have to be Chinese")
    if lang == "en" and (share > STRAY_HAN or not _latin(letters)):
        raise BadAnswer(Bad.LANGUAGE, "the words on the screen have to be English")


def _latin(letters: list[str]) -> bool:
    return sum(one < "\u0250" for one in letters) >= 0.9 * len(letters)


def check_plain(text: str) -> None:
    """``BadAnswer`` for markup, control letters and addresses in a text of a screen."""
    found = FORBIDDEN & set(text) or {c for c in text if unicodedata.category(c) == "Cc"}
    if found:
        raise BadAnswer(
            Bad.MARKUP, f"{text!r} holds {' '.join(sorted(found))!r}; write plain words"
        )
    if re.search(r"(?:https?:|www\.|//|javascript:|data:|file:)", text, re.IGNORECASE):
        raise BadAnswer(Bad.MARKUP, f"{text!r} holds an address; write plain words")
