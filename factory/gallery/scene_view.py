"""What an application's page shows beside its picture: tasks, proofs, points, refusals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from factory.core import answers
from factory.core.record import Record, Task

FAMILY = "grounding"
INSETS = (0.15, 0.5, 0.85)
"""Where the nine points of the verdict stand in an element's own box."""

HITS = frozenset("scl")
"""Letters of points that count: the element itself, a part of it, its label."""

OUTLINED = ("ground", "describe")


class Asked(NamedTuple):
    """A task as its row shows it. ``ref`` names the outline that it lights up, if it has one."""

    id: str
    ref: str
    kind: str
    style: str
    text: str
    answer: str
    right: bool
    negative: str
    parent: str
    level: str
    others: Sequence[str]
    proofs: Sequence[tuple[str, bool, str]]


class Outline(NamedTuple):
    """A box that a task is about, image px."""

    ref: str
    x: float
    y: float
    width: float
    height: float


class Dot(NamedTuple):
    """One of the nine points, image px; ``hit`` says whether it counts, ``letter`` what it met."""

    x: float
    y: float
    hit: bool
    letter: str


class Refused(NamedTuple):
    """A candidate that is no target, with its first reason."""

    name: str
    role: str
    reason: str
    value: float | None
    limit: float | None
    by: str
    hits: str


def is_page(record: Record) -> bool:
    """Whether a record is of a page and not of a puzzle."""
    return record.family == FAMILY


def asked_of(record: Record) -> list[Asked]:
    """The tasks of a page, in their order; none for a puzzle."""
    if not is_page(record):
        return []
    specs: dict[str, Mapping[str, Any]] = {spec["id"]: spec for spec in record.state["asked"]}
    return [_asked(record, task, specs.get(task.id, {})) for task in record.tasks]


def _asked(record: Record, task: Task, spec: Mapping[str, Any]) -> Asked:
    seen = record.observations[0]
    size = (float(seen.width), float(seen.height))
    said = answers.spoken([a for step in task.steps for a in step.actions], size)
    return Asked(
        id=task.id,
        ref=f"task-{task.id}" if task.mechanic.get("boxes") else "",
        kind=task.kind,
        style=spec.get("style", ""),
        text=task.goal,
        answer=said,
        right=answers.verdict(task.mechanic, said, size).passed,
        negative=spec.get("negative", ""),
        parent=spec.get("parent", ""),
        level=spec.get("level", "easy"),
        others=tuple(spec.get("alternatives", ())),
        proofs=[(p["name"], p["ok"], p["saw"]) for p in spec.get("proofs", ())],
    )


def outlines_of(record: Record) -> list[Outline]:
    """The boxes that tasks with a place may be answered in."""
    return [
        Outline(f"task-{task.id}", x0, y0, round(x1 - x0, 2), round(y1 - y0, 2))
        for task in record.tasks
        if is_page(record)
        for x0, y0, x1, y1 in task.mechanic.get("boxes", ())
    ]


def dots_of(record: Record) -> list[Dot]:
    """The nine points of every element that was struck."""
    if not is_page(record):
        return []
    scale = record.observations[0].dpr
    return [dot for element in record.state["elements"] for dot in _dots(element, scale)]


def _dots(element: Mapping[str, Any], scale: float) -> Iterator[Dot]:
    box, hits = element.get("hit_box") or element.get("box"), element.get("hits", "")
    if not box or len(hits) != len(INSETS) ** 2:
        return
    x0, y0, x1, y1 = box
    for place, letter in enumerate(hits):
        u, v = INSETS[place % 3], INSETS[place // 3]
        x, y = scale * (x0 + u * (x1 - x0)), scale * (y0 + v * (y1 - y0))
        yield Dot(round(x, 1), round(y, 1), letter in HITS, letter)


def refused_of(record: Record) -> list[Refused]:
    """The candidates that are no targets."""
    if not is_page(record):
        return []
    return [
        Refused(
            name=element.get("text") or element.get("name") or element.get("fn") or element["id"],
            role=element.get("role", ""),
            reason=element["reason"],
            value=element.get("value"),
            limit=element.get("limit"),
            by=element.get("by") or "",
            hits=element.get("hits", ""),
        )
        for element in record.state["elements"]
        if element.get("reason")
    ]
