"""The notion of an answer that all mechanics share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from factory.core.actions import ActionBase, Click, point_names
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic, judge
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream, digest_int

M = TypeVar("M", bound=AnyMechanic)
A = TypeVar("A")

Anchor = Box | Zone
"""Something that an action has to hit."""

Constant = Callable[[Any], Any]
"""The same answer to whatever draw: its answer there, or None where there is none."""

LEAST_SPREAD = 0.25
"""A class whose answers keep to less than this share of their room is not given credit for it:
a constant answer then does better than the chance that the suite allows."""

GRID = 12
"""Cells a side when places in a slot are counted."""

MIDDLE = 1 / 12
"""How near to a middle line of the slot, as a share of its side, a place is on neither side."""

CONSTANTS = 24
"""Constant answers that are tried: the commonest of one half of the draws, on the other half."""


@dataclass(frozen=True)
class Room:
    """Where the answers of a class fall: what chance is measured against.

    ``reach`` is the share of the line that they spread over; ``centers`` are where items
    (targets and others) lie, as shares of their slots, ``(n, 2)``.
    ``label_chance`` is how likely the likeliest values of the declared labels are together;
    ``by_kinds`` are the rooms of stages, by the answer spaces of all of them.
    """

    reach: float = 1.0
    centers: Any = None
    label_chance: float = 1.0
    by_kinds: Mapping[tuple[type, ...], tuple[Room, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class AnswerSpace(ABC, Generic[M, A]):
    """All answers to one draw; ``gold``, ``slot`` and boxes in canvas px.

    An answer is a value in the mechanic's own terms; ``at`` turns it into actions.
    """

    mechanic: M
    gold: tuple[ActionBase, ...]
    slot: Box

    exhaustive: ClassVar[bool] = False
    """Whether ``candidates`` are all answers that there are."""

    @abstractmethod
    def of(self, actions: Sequence[ActionBase]) -> A:
        """The answer that right-shaped actions give."""

    @abstractmethod
    def at(self, answer: A) -> list[ActionBase]:
        """Actions that give the answer, submit included."""

    @abstractmethod
    def of_solution(self, found: Any) -> A:
        """The answer that one entry of ``PuzzleType.solutions`` stands for."""

    @abstractmethod
    def same(self, answer: A, right: A) -> bool | None:
        """Whether ``answer`` comes to the same as the right one; None on the border."""

    @abstractmethod
    def candidates(self, stream: Stream, right: Sequence[A]) -> Iterator[A]:
        """Answers that might pass: all of them, or a sample with all near ones."""

    @abstractmethod
    def chance(self, room: Room) -> float:
        """How likely another sample's answer is right here by luck."""

    def blind(self) -> float:
        """How likely a choice among the items that are there is right, where it is one; else 0.

        More than ``chance`` where some item lies at one place in most draws, whichever it is.
        """
        return 0.0

    def anchors(self) -> Sequence[Anchor]:
        """What the gold has to hit; each is a region of the class or a control of its panel."""
        return ()

    def carried(self, answer: A, other: Any) -> A | None:
        """``answer`` of another draw in this one's terms; None where it has no counterpart."""
        return answer

    def place(self, answer: A) -> Hashable:
        """A coarse position of the answer, for probes that look for leaks."""
        return None

    def facts(self, answer: A) -> Iterator[float]:
        """Numbers that the reasoning may state beside those of state, gold and geometry."""
        return iter(())

    def lengths(self) -> Iterator[float]:
        """Lengths along x, canvas px, that the reasoning may state."""
        return iter(())

    def passes(self, answer: A) -> bool:
        """The mechanic's verdict on the answer."""
        return judge(self.mechanic, self.at(answer)).passed

    def shown(self, actions: Sequence[ActionBase]) -> str:
        """What actions answer, for messages; the actions themselves where they answer nothing."""
        try:
            return f"{self.of(actions)!r:.80}"
        except (InvalidOptions, IndexError, ValueError):
            return f"{actions!r:.120}"

    @cached_property
    def solved(self) -> A:
        """The gold's answer."""
        return self.of(self.gold)

    @classmethod
    def room(cls, spaces: Sequence[Any], label_chance: float) -> Room:
        """What chance is measured against, over the draws of a class."""
        return Room(label_chance=label_chance)

    @classmethod
    def constants(cls, spaces: Sequence[Any]) -> list[Constant]:
        """Constant answers to try on other draws: the commonest ones of ``spaces``."""
        kept = {repr(space.solved): space for space in spaces}
        counts = Counter(repr(space.solved) for space in spaces)
        return [_carry(kept[key]) for key, _ in counts.most_common(CONSTANTS)]


def _carry(home: AnswerSpace[Any, Any]) -> Constant:
    """The answer of one draw, given to all others."""
    answer = home.solved
    return lambda space: space.carried(answer, home)


def clicks_of(actions: Sequence[ActionBase]) -> list[Point]:
    """The points of the clicks, in order."""
    return [action.point for action in actions if isinstance(action, Click)]


def relative(point: Point, slot: Box) -> Point:
    """A place in a slot as shares of its sides."""
    return Point((point[0] - slot.x0) / slot.width, (point[1] - slot.y0) / slot.height)


def absolute(share: Point, slot: Box) -> Point:
    """The place in a slot that lies at these shares of its sides."""
    return Point(slot.x0 + share[0] * slot.width, slot.y0 + share[1] * slot.height)


def moved_over(point: Point, home: Box, slot: Box) -> Point:
    """A place in one slot carried to another."""
    return absolute(relative(point, home), slot)


def quadrant(point: Point, slot: Box) -> tuple[bool, bool] | None:
    """Which quarter of the slot a place lies in; None near a middle line.

    Without the middle, boards of an odd and of an even number of rows fill the quarters alike.
    """
    x, y = relative(point, slot)
    if min(abs(x - 0.5), abs(y - 0.5)) < MIDDLE:
        return None
    return x > 0.5, y > 0.5


def one_of(items: Sequence[Any]) -> Any:
    """One of the items by a digest of them all: the first ones lie farther up than the others."""
    return items[digest_int(repr(items)) % len(items)]


def grid_cell(point: Point, slot: Box) -> tuple[int, int]:
    """The cell of the counting grid."""
    x, y = relative(point, slot)
    return (
        min(GRID - 1, max(0, math.floor(x * GRID))),
        min(GRID - 1, max(0, math.floor(y * GRID))),
    )


def raster(box: Box, count: int) -> Iterator[Point]:
    """About ``count`` points evenly over a box."""
    columns = max(1, round(math.sqrt(count * box.width / box.height)))
    rows = max(1, round(count / columns))
    for row in range(rows):
        for column in range(columns):
            yield Point(
                box.x0 + (column + 0.5) * box.width / columns,
                box.y0 + (row + 0.5) * box.height / rows,
            )


def points_in(actions: Sequence[ActionBase]) -> Iterator[Point]:
    """Every point of every action."""
    for action in actions:
        for name in point_names(type(action)):
            yield getattr(action, name)
