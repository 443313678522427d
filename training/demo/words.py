"""The vocabulary of the small model: pieces of the answer form, digits, and hashed words.

Answers are the factory's own text, cut into pieces whose characters are known, so every status
and span of ``training.mopd`` holds. Words of a question are numbers of a hash, without order
among them: the model can tell questions apart and nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b

from factory.core.errors import InvalidOptions

PIECES = (
    "<think></think><action>", "</action>", "Drag(start=(", "), end=(", "))", "Click(point=(",
    "LongPress(point=(", ", ", "[", "]", ",", "-1", *"0123456789",
)  # fmt: skip
PAD, END = 0, 1
FIRST = 2
"""The number of the first piece."""
VOCABULARY = FIRST + len(PIECES)

HASHED = 509
"""Numbers of words; a few dozen different words meet in one of these once or twice."""
LONGEST_QUESTION, LONGEST_ANSWER = 32, 24

_TOKENS = ["", "", *PIECES]
_NUMBER = {text: number for number, text in enumerate(_TOKENS) if text}
_CUT = re.compile("|".join(re.escape(piece) for piece in sorted(PIECES, key=len, reverse=True)))
_WORD = re.compile(r"\w+")


def answer_ids(text: str) -> list[int]:
    """The pieces of an answer and its end; ``InvalidOptions`` when it has other text."""
    pieces = _CUT.findall(text)
    if "".join(pieces) != text:
        raise InvalidOptions(f"the small model has no pieces for {text!r}")
    return [_NUMBER[piece] for piece in pieces] + [END]


def said(ids: Sequence[int]) -> str:
    """The text of pieces up to the end."""
    kept = ids[: ids.index(END)] if END in ids else ids
    return "".join(_TOKENS[number] for number in kept)


def offsets(ids: Sequence[int]) -> list[tuple[int, int] | None]:
    """The characters of each piece in ``said``; None for what is no text."""
    found: list[tuple[int, int] | None] = []
    at = 0
    for number in ids:
        if number < FIRST:
            found.append(None)
            continue
        end = at + len(_TOKENS[number])
        found.append((at, end))
        at = end
    return found


@cache
def _hashed(word: str) -> int:
    return 1 + int.from_bytes(blake2b(word.encode(), digest_size=4).digest(), "big") % HASHED


def question_ids(text: str) -> list[int]:
    """The words of a question as numbers from 1; 0 is padding."""
    return [_hashed(word.lower()) for word in _WORD.findall(text)][:LONGEST_QUESTION]
