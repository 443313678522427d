"""What dice wear: bodies, inks that read on them, pips or numerals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from factory.core.rng import Stream
from factory.draw import glyphs
from factory.draw.solid.cube import Art
from factory.draw.solid.dice import DIE_VALUES, numerals, pips

Marks = Literal["pips", "numerals"]

PALE, DEEP = "#ffffff", "#15171c"

BODIES: tuple[tuple[str, str], ...] = (
    ("#f5f1e6", DEEP), ("#fbfbfa", "#9c1420"), ("#eef2f7", "#123a86"), ("#b3232b", PALE),
    ("#24407f", PALE), ("#1f6b4a", PALE), ("#2b2d33", PALE), ("#5b2f8a", PALE),
    ("#f1c232", DEEP), ("#f08c3a", DEEP), ("#8fc7ea", DEEP), ("#f3a9c4", DEEP),
    ("#8c4a20", PALE), ("#0f6674", PALE), ("#a8d08d", DEEP), ("#d8d3f2", "#3a1f75"),
)  # fmt: skip
"""Bodies with the ink that keeps a contrast of 4.5 or more to them."""


@dataclass(frozen=True)
class Dress:
    """How one die looks. JSON-able; ``hand`` is a place in ``DIE_VALUES``."""

    body: str
    ink: str
    marks: Marks
    hand: int
    face: str = ""

    @property
    def values(self) -> tuple[int, ...]:
        """The values on its faces as made."""
        return DIE_VALUES[self.hand]

    @property
    def art(self) -> Art:
        """What is drawn on its faces."""
        return _art(self)


@lru_cache(maxsize=1024)
def _art(dress: Dress) -> Art:
    if dress.marks == "pips":
        return pips(dress.values, dress.ink)
    return numerals(dress.values, dress.ink, dress.face)


def choose_dress(
    stream: Stream, count: int, split: str, *, unrest: float, kinds: Sequence[Marks]
) -> tuple[Dress, ...]:
    """Dresses of ``count`` dice: one set when calm, a mixture with ``unrest`` near 1.

    Faces of numerals are the split's own; ``kinds`` are the marks that may come.
    """
    colours = 1 + int(stream.random() * (0.4 + 2.6 * unrest))
    bodies = stream.sample(BODIES, colours)
    mixed = len(kinds) > 1 and stream.chance(unrest)
    chosen: list[Marks] = list(kinds) if mixed else [stream.choice(kinds)]
    face = stream.choice(glyphs.faces(split, "latin", plain=True)).name
    hand = stream.integer(0, len(DIE_VALUES))
    made: list[Dress] = []
    for _ in range(count):
        body, ink = stream.choice(bodies)
        marks = stream.choice(chosen)
        made.append(Dress(body, ink, marks, hand, face if marks == "numerals" else ""))
    return tuple(made)
