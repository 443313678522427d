"""The answers of text fields: what is typed into each, in the order of the fields.

``solutions`` gives the strings that a single field accepts, or tuples of them.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterator, Sequence
from typing import Any

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.core.mechanics.text_entry import TextEntry
from factory.core.mechanics.text_fields import folded, normal_text, number_of
from factory.core.rng import Stream
from factory.testing.answers.space import AnswerSpace, Room

LETTERS = string.ascii_letters + string.digits
NEAR_NUMBERS = 100
"""Whole numbers on each side of a right one that are typed."""

Texts = tuple[str, ...]


class Space(AnswerSpace[TextEntry, Texts]):
    """See the module."""

    def of(self, actions: Sequence[ActionBase]) -> Texts:
        return tuple(action.content for action in actions if isinstance(action, Type))

    def at(self, answer: Texts) -> list[ActionBase]:
        typed: list[ActionBase] = []
        for field, text in zip(self.mechanic.fields, answer, strict=True):
            typed += [Click(field.box.center), Type(text)]
        submit = self.mechanic.submit
        return typed if submit is None else [*typed, Click(submit.center)]

    def of_solution(self, found: str | Sequence[str]) -> Texts:
        return (found,) if isinstance(found, str) else tuple(found)

    def same(self, answer: Texts, right: Texts) -> bool | None:
        same = normal_text if self.mechanic.case_sensitive else folded
        for field, typed, wanted in zip(self.mechanic.fields, answer, right, strict=True):
            if field.kind == "number":
                value, goal = number_of(typed), number_of(wanted)
                if value is None or goal is None or abs(value - goal) > field.tol + 1e-9:
                    return False
            elif same(typed) != same(wanted):
                return False
        return True

    def candidates(self, stream: Stream, right: Sequence[Texts]) -> Iterator[Texts]:
        for answer in right:
            for place, (field, text) in enumerate(zip(self.mechanic.fields, answer, strict=True)):
                near = _numbers(text) if field.kind == "number" else _near(text, stream)
                for other in near:
                    yield (*answer[:place], other, *answer[place + 1 :])
            if len(answer) > 1:
                yield from itertools.islice(itertools.permutations(answer), 120)

    def chance(self, room: Room) -> float:
        return room.label_chance

    def anchors(self) -> Sequence[Box]:
        submit = self.mechanic.submit
        boxes = [field.box for field in self.mechanic.fields]
        return [*boxes, *([] if submit is None else [submit])]

    def carried(self, answer: Texts, other: Any) -> Texts | None:
        return answer if len(answer) == len(self.mechanic.fields) else None


def _near(text: str, stream: Stream) -> Iterator[str]:
    """All texts one edit away over the letters in use, other cases, and the text turned round."""
    letters = sorted(set(text)) + stream.sample(LETTERS, 6)
    for place in range(len(text)):
        yield text[:place] + text[place + 1 :] or " "
        yield from (text[:place] + letter + text[place + 1 :] for letter in letters)
        if place:
            yield text[: place - 1] + text[place] + text[place - 1] + text[place + 1 :]
    for place in range(len(text) + 1):
        yield from (text[:place] + letter + text[place:] for letter in letters)
    yield from (text.lower(), text.upper(), text.swapcase(), text[::-1], f" {text} ", text * 2)


def _numbers(text: str) -> Iterator[str]:
    """Numbers about a right one, and other ways to write them."""
    value = number_of(text) or 0.0
    for off in range(-NEAR_NUMBERS, NEAR_NUMBERS + 1):
        yield f"{round(value) + off}"
        yield f"{value + off / 10:g}"
    yield from (f"{value:.2f}", f"0{text}" if value >= 0 else text, f"{text}a", f"{text} {text}")
