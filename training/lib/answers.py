"""Answers in a form that means the same in every sample: what heads predict and constants repeat.

Coordinates are shares of the input's side, turns are shares of the period. An answer is a
value: two equal ones are one constant.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from factory.core.geometry import Point

Kind = Literal["turn", "share", "spots", "picks", "text"]
"""Kinds of answers; each has its head in ``heads``."""


class Amount(NamedTuple):
    """A turn (share of the period, wraps) or a share of a travel, in [0, 1]."""

    value: float


class Spots(NamedTuple):
    """Points in shares of the input's side; in order of action."""

    points: tuple[Point, ...]


class Picks(NamedTuple):
    """Indices of boxes, ascending."""

    chosen: tuple[int, ...]


class Text(NamedTuple):
    """What is typed; several fields are joined by ``FIELD_BREAK``."""

    text: str


FIELD_BREAK = "\t"
"""Between the texts of two fields: no answer holds it."""

Answer = Amount | Spots | Picks | Text
