"""The elements of a table, and what is between them: what covers which, what does the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from factory.web.verdict.types import Reason

Box = tuple[float, float, float, float]
"""``(x0, y0, x1, y1)``, half-open, CSS px of the viewport."""

Seen = Literal["yes", "doubt", "no"]

COVERED = {Reason.OCCLUDED, Reason.BEHIND_BACKDROP, Reason.INERT, Reason.NOT_HIT}
"""Not to be pressed; whether something shines through, only the template knows."""

LIDS = ("dialog", "sheet", "drawer", "menu", "toast", "popover")
"""Sections that lie on others; what their controls span is opaque."""


class Element(msgspec.Struct, frozen=True, kw_only=True):
    """One element of a screen. ``target`` says that a press works and can be seen to work.

    ``seen`` is ``doubt`` where an honest person might or might not call it visible: such an element
    makes a positive ambiguous and a negative unproven. ``words`` are all texts by which somebody
    may look for it, normal. ``effect`` is shared by elements that do the same. ``unsure`` names
    states on which page and template disagree. ``shows`` are icons that an unmarked picture may be.
    Boxes are null where nothing was measured.
    """

    id: str
    role: str
    kind: str = "control"
    marked: bool = True
    fn: str = ""
    args: dict[str, str] = {}
    icon: str = ""
    shows: tuple[str, ...] = ()
    section: str = ""
    group: str = ""
    place: int = 0
    of: int = 0
    hidden: str = ""
    text: str = ""
    name: str = ""
    words: tuple[str, ...] = ()
    seen: Seen = "yes"
    target: bool = True
    reason: str = ""
    ink: float | None = None
    box: Box | None = None
    hit_box: Box | None = None
    click: tuple[float, float] | None = None
    grid: tuple[int, int] | None = None
    label_boxes: tuple[Box, ...] = ()
    state: dict[str, str] = {}
    unsure: tuple[str, ...] = ()
    colour: str | None = None
    near: tuple[str, ...] = ()
    quotable: bool = True
    effect: str = ""


def under_lids(rows: Sequence[Element]) -> list[Element]:
    """The rows, with those out of view that lie wholly under what a dialog or its like shows.

    The rest behind one is dimmed at most, and stays in doubt.
    """
    lids = [
        _around([r.box for r in rows if r.section == lid and r.target and r.box]) for lid in LIDS
    ]
    return [
        msgspec.structs.replace(row, seen="no", near=())
        if row.hidden == "cover" and row.reason in COVERED and _lies_in(row.box, lids)
        else row
        for row in rows
    ]


def _around(boxes: Sequence[Box]) -> Box | None:
    if not boxes:
        return None
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (min(x0), min(y0), max(x1), max(y1))


def _lies_in(box: Box | None, lids: Sequence[Box | None]) -> bool:
    return box is not None and any(
        lid[0] <= box[0] and lid[1] <= box[1] and lid[2] >= box[2] and lid[3] >= box[3]
        for lid in lids if lid
    )  # fmt: skip


def with_effects(rows: Sequence[Element]) -> tuple[Element, ...]:
    """The rows with ``effect``: links to one address, and one function outside of any group.

    Boxes of other elements leave ``label_boxes``, which keeps those of labels.
    """
    leader = {row.id: row.id for row in rows}
    by_box = {row.box: row.id for row in rows if row.target and row.box}
    by_fn: dict[object, str] = {}
    for row in rows:
        others = [by_box[box] for box in row.label_boxes if box in by_box]
        if row.fn and not row.group:
            others.append(by_fn.setdefault((row.fn, *sorted(row.args.items())), row.id))
        for other in others:
            _join(leader, row.id, other)
    return tuple(
        msgspec.structs.replace(
            row, effect=_root(leader, row.id),
            label_boxes=tuple(b for b in row.label_boxes if b not in by_box),
        )
        for row in rows
    )  # fmt: skip


def _root(leader: dict[str, str], id: str) -> str:
    while leader[id] != id:
        id = leader[id]
    return id


def _join(leader: dict[str, str], one: str, other: str) -> None:
    first, second = sorted((_root(leader, one), _root(leader, other)))
    leader[second] = first
