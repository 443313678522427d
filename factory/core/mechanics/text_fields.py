"""Answer fields: what may be typed where, and when two texts are the same.

Texts are compared after Unicode's compatibility composition (NFKC) and without
the spaces around them: an input method for Chinese types full-width digits and
ideographic spaces, which look like the plain ones. Nothing else is forgiven,
no inner space and no punctuation, unless the answers list it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Literal

import msgspec

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box

MINUS_SIGN = "\u2212"
"""The typographic minus: a number may be typed with it, though NFKC keeps it apart."""
EPSILON = 1e-9
"""Makes inclusive bounds survive rounding; far below any step of a scale."""
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")


def normal_text(text: str) -> str:
    """The text in NFKC, stripped."""
    return text.strip() if text.isascii() else unicodedata.normalize("NFKC", text).strip()


def folded(text: str) -> str:
    """The normal text without case."""
    return normal_text(normal_text(text).casefold())


def number_of(text: str) -> float | None:
    """The value of ``12``, ``-3`` or ``+1.50``; ``None`` when the text is no such number."""
    plain = normal_text(text).replace(MINUS_SIGN, "-")
    value = float(plain) if _NUMBER.fullmatch(plain) else math.inf
    return value if math.isfinite(value) else None


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text field: its ``box`` in px of the frame, and every answer it accepts.

    ``text`` answers are compared as texts. ``number`` answers by value, so that 07 is 7, and
    within ``tol`` of any answer, bounds included. The first answer is the one that gold types.
    """

    box: Box
    answers: tuple[str, ...]
    kind: Literal["text", "number"] = "text"
    tol: float = 0.0
    name: str = ""

    def __post_init__(self) -> None:
        """Refuse a field that nothing, or that nothing at all typed, would answer."""
        if not self.answers or not all(normal_text(answer) for answer in self.answers):
            raise InvalidOptions(f"a field needs answers, and none of them empty: {self.answers}")
        if any("\n" in answer or "\t" in answer for answer in self.answers):
            raise InvalidOptions(f"line breaks and tabs leave a field: {self.answers}")
        if min(self.box.width, self.box.height) <= 0 or not math.isfinite(sum(self.box.as_list())):
            raise InvalidOptions(f"a field needs a box with an area: {self.box}")
        if not (math.isfinite(self.tol) and self.tol >= 0) or (self.tol and self.kind == "text"):
            raise InvalidOptions(f"only numbers have a tolerance, and no negative one: {self.tol}")
        if self.kind == "number" and any(number_of(answer) is None for answer in self.answers):
            raise InvalidOptions(f"these answers are not all numbers: {self.answers}")

    def accepts(self, text: str, case_sensitive: bool) -> bool:
        """Whether the text is a right answer."""
        if self.kind == "number":
            value = number_of(text)
            return value is not None and any(
                abs(value - (number_of(answer) or 0.0)) <= self.tol + EPSILON
                for answer in self.answers
            )
        same = normal_text if case_sensitive else folded
        typed = same(text)
        return any(typed == same(answer) for answer in self.answers)
