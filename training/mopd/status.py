"""The status of a student's own response, slot by slot, told by the verifier that rewards it.

A slot is one action of the response. In a sequence that fails as a whole, a slot is right when
the mechanic passes the gold with this action in its place. Where order is free an action
may stand for any gold action of its type, each of them once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import cast

from factory.core import actions as act
from factory.core.action_scan import ParsedAction, Span, parse_tolerant
from factory.core.action_text import (
    REFUSAL,
    parse_grounding_tolerant,
    split_tolerant,
)
from factory.core.actions import ActionBase
from factory.core.errors import InvalidOptions
from factory.core.mechanics import from_payload, judge
from training.mopd.hint import REFUSES, gold_types
from training.rewards import Asked, score

MOST_SWAPPED = 16
"""Longer sequences are matched slot by slot only: n squared verdicts take too long beyond."""


class Status(Enum):
    """What is wrong with a slot, if anything."""

    CORRECT = "correct"
    ARGUMENTS = "arguments"
    TYPE = "type"
    UNPARSABLE = "unparsable"


@dataclass(frozen=True)
class Slot:
    """One action of a response: characters of its type, of its arguments, and its status.

    A response that cannot be read is one slot, all of which counts as type.
    """

    status: Status
    type_span: Span
    argument_spans: tuple[Span, ...] = ()


def classify(asked: Asked, text: str) -> list[Slot]:
    """The slots of a response in order, at least one; spans are characters of ``text``."""
    if asked.kind == "grounding":
        return _of_place(asked, text)
    if asked.kind == "answer":
        return _of_words(asked, text)
    found = parse_tolerant(text)
    if not found:
        return [_unparsable(text)]
    statuses = _statuses(asked, text, [parsed.action for parsed in found])
    return [_slot(parsed, status) for parsed, status in zip(found, statuses, strict=True)]


def worst(slots: Sequence[Slot]) -> Status:
    """The status of the whole response, for counting: its gravest slot."""
    gravest = (Status.UNPARSABLE, Status.TYPE, Status.ARGUMENTS, Status.CORRECT)
    return min((slot.status for slot in slots), key=gravest.index)


def _unparsable(text: str) -> Slot:
    """From ``<action>`` on, or everything when it is absent."""
    return Slot(Status.UNPARSABLE, (max(0, text.rfind("<action>")), len(text)))


def _slot(parsed: ParsedAction, status: Status) -> Slot:
    name, whole = parsed.span_name, parsed.span
    return Slot(status, name, ((name[1], whole[1]),))


# Places and words


def _of_place(asked: Asked, text: str) -> list[Slot]:
    """``[x,y]``: up to the first figure or sign it is type, since a refusal and a place part there;
    the rest is arguments."""
    start = split_tolerant(text).action_span[0]
    answer = parse_grounding_tolerant(text[start:])
    opened = max(text.rfind("[", start), text.rfind("(", start))
    if answer is None or opened < 0:
        return [_unparsable(text)]
    closed = min((at for at in (text.find(end, opened) for end in "])") if at >= 0),
                 default=len(text) - 1)  # fmt: skip
    first = opened + 1
    while first < closed and text[first].isspace():
        first += 1
    spans = (opened, first + 1), ((first + 1, closed + 1),)
    if score(asked, text).outcome >= 1.0:
        return [Slot(Status.CORRECT, *spans)]
    kinds = (answer == REFUSAL) == (gold_types(asked) == (REFUSES,))
    return [Slot(Status.ARGUMENTS if kinds else Status.TYPE, *spans)]


def _of_words(asked: Asked, text: str) -> list[Slot]:
    """Words have no type: all that is said is argument."""
    said = split_tolerant(text).action_span
    if not text[slice(*said)].strip():
        return [_unparsable(text)]
    right = score(asked, text).outcome >= 1.0
    start = (said[0], said[0])
    return [Slot(Status.CORRECT if right else Status.ARGUMENTS, start, (said,))]


# Actions


def _statuses(asked: Asked, text: str, found: Sequence[ActionBase]) -> list[Status]:
    if _passes_whole(asked, text):
        return [Status.CORRECT] * len(found)
    names = gold_types(asked)
    statuses = [
        Status.ARGUMENTS if k < len(names) and type(action).__name__ == names[k] else Status.TYPE
        for k, action in enumerate(found)
    ]
    right = _right_slots(asked, found)
    statuses = [Status.CORRECT if k in right else own for k, own in enumerate(statuses)]
    if len(found) == len(names) and set(statuses) == {Status.CORRECT}:
        # Each is right alone and together they are not: the verdict on the whole decides.
        return [Status.ARGUMENTS] * len(found)
    return statuses


def _passes_whole(asked: Asked, text: str) -> bool:
    scored = score(asked, text)
    if asked.kind == "action":
        return scored.types >= 1.0 and scored.outcome >= 1.0
    return scored.outcome >= 1.0


def _right_slots(asked: Asked, found: Sequence[ActionBase]) -> set[int]:
    """Indices of the actions that pass in the company of gold ones."""
    try:
        gold = act.from_builtins(asked.payload.get("actions"))
        width, height = cast("Sequence[float]", asked.payload.get("size"))
        mechanic = from_payload(asked.payload.get("mechanic"))
        mine = [act.from_grid(action, width, height) for action in found]
    except (InvalidOptions, TypeError, ValueError):
        return set()
    free, right = list(range(len(gold))), set[int]()
    for k, action in enumerate(mine[: len(gold)]):
        for j in _candidates(gold, free, k, action):
            tried: list[ActionBase] = [one for at, one in enumerate(gold) if at != j]
            tried.insert(k, action)
            if judge(mechanic, tried).passed:
                free.remove(j)
                right.add(k)
                break
    return right


def _candidates(
    gold: Sequence[ActionBase], free: Sequence[int], k: int, action: ActionBase
) -> list[int]:
    """Gold actions that this one may stand for: of its type, the one in its place first."""
    same = [j for j in free if type(gold[j]) is type(action)]
    if len(gold) > MOST_SWAPPED:
        return [j for j in same if j == k]
    return sorted(same, key=lambda j: (j != k, j))
