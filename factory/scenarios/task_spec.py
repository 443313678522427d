"""What a task is: an instruction about one screen, its answer, and why the answer is right."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from factory.scenarios.elements import Box, Element
from factory.scenarios.proofs import Proof

Kind = Literal["ground", "refuse", "state", "list", "describe", "question"]


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is right. A point answer has ``point`` (to press) and scores by ``hit_box`` and
    ``alt_boxes``; a refusal has ``refuse``; the other kinds have ``text``, and ``boxes`` of what it
    is about. CSS px of the viewport.
    """

    refuse: bool = False
    text: str = ""
    point: tuple[float, float] | None = None
    box: Box | None = None
    hit_box: Box | None = None
    alt_boxes: tuple[Box, ...] = ()
    boxes: tuple[Box, ...] = ()


class TaskSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One task of a screen; ``id`` is unique in it and says nothing about the answer.

    ``style`` is how it asks, ``query`` the formal query behind the instruction. A refusal has its
    kind (``negative``), the task that it is one edit from (``parent``), the ``slot`` that was
    edited, and its ``proofs``. ``at`` is where a description is asked for: the instruction holds
    ``{point}``, which exporters fill in their own coordinates.
    """

    id: str
    kind: Kind
    lang: str
    instruction: str
    alternatives: tuple[str, ...]
    answer: Answer
    style: str = ""
    query: dict[str, Any] = {}
    element: str = ""
    level: str = "easy"
    negative: str = ""
    parent: str = ""
    slot: str = ""
    proofs: tuple[Proof, ...] = ()
    at: tuple[float, float] | None = None

    def to_json(self) -> dict[str, Any]:
        """JSON-able builtins, without what does not apply."""
        return msgspec.json.decode(msgspec.json.encode(self))


def point_at(element: Element, twins: tuple[Element, ...]) -> Answer:
    """The answer that means an element; ``twins`` do the same and are as right."""
    others = tuple(e.hit_box for e in twins if e.id != element.id and e.target and e.hit_box)
    return Answer(
        point=element.click, box=element.box, hit_box=element.hit_box,
        alt_boxes=(*element.label_boxes, *others),
    )  # fmt: skip


REFUSED = Answer(refuse=True)
