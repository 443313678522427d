"""What Arabic pages say otherwise than by other words: people, amounts of money, codes, units.

Digits are Latin, as in most software of the Gulf and the Maghreb; amounts have the sign of their
currency behind them. Where a run from the left would be torn apart, it is isolated.
"""

from __future__ import annotations

from dataclasses import dataclass

from factory.scenarios.content import SceneContent
from factory.web.content import Person

SCALE = 4
"""A riyal or dirham buys about a quarter of what a dollar does."""


@dataclass(frozen=True)
class ArabicContent(SceneContent):
    """The content of an Arabic page."""

    def person(self, name: str) -> Person:
        """A person by key; the address of mail is in Latin letters."""
        stream = self.stream(f"person {name}")
        first, mine = stream.choice(self.pool("first"))
        last, theirs = stream.choice(self.pool("last"))
        stream.integer(10, 99)
        return Person(f"{first} {last}", first[0], f"{mine}.{theirs[0]}***@post.example")

    def price(self, name: str, low: float, high: float) -> float:
        """An amount of money, ``SCALE`` times as much as in English."""
        stream = self.stream(f"price {name}")
        return stream.integer(int(low * SCALE), int(high * SCALE)) + stream.choice((0, 0.5, 0.75))

    def money(self, amount: float) -> str:
        """``1,204.50 ر.س`` in the page's currency."""
        return f"{amount:,.2f} {self._currency}"

    def signed(self, sign: str, amount: float) -> str:
        """An amount with its sign, which would go to the other end of a bare number."""
        return f'<bdi dir="ltr">{sign}{amount:,.2f}</bdi> {self._currency}'

    @property
    def _currency(self) -> str:
        return self.stream("currency").choice(self.pool("currency"))

    def code(self, name: str, groups: int = 2) -> str:
        """A reference that starts with a letter: digits before a dash would change sides."""
        code = super().code(name, groups)
        letters = [letter for letter in code if letter.isalpha()]
        return code if code[0].isalpha() else f"{letters[0] if letters else 'A'}{code[1:]}"

    def unit(self, name: str) -> str:
        """The Arabic abbreviation of a unit."""
        return dict(self.pool("units"))[name]
