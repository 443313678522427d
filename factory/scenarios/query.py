"""Formal queries over a table: what every instruction is compiled from.

A positive needs exactly one element (up to equal effect) with nothing undecided beside it; a
negative needs every element to be false.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from factory.scenarios.clauses import CLAUSES, JUDGES, Query, Relation, clauses, without
from factory.scenarios.elements import Box, Element
from factory.scenarios.relations import (
    MARGIN_PX,
    Truth,
    every,
    gap_px,
    in_zone,
    reading_order,
    stands,
)
from factory.scenarios.table import Table

__all__ = [
    "CLAUSES", "Found", "Query", "Relation", "clauses", "found", "ladder", "none", "only",
    "without",
]  # fmt: skip


class Found(NamedTuple):
    """Elements that satisfy a query, and those of which it is undecided."""

    sure: tuple[Element, ...]
    doubt: tuple[Element, ...]


def found(query: Query, table: Table) -> Found:
    """What satisfies a query on a table, and what might."""
    anchor = _anchor(query, table)
    asked = _asked(query)
    judged = [(e, _holds(asked, query, e, table, anchor)) for e in table.elements]
    sure = [e for e, truth in judged if truth]
    doubt = [e for e, truth in judged if truth is None]
    if query.relation and anchor:
        sure, doubt = _nearest(query.relation.side, anchor, sure, doubt)
    if query.ordinal is not None:
        return _counted(query, table, sure, doubt)
    return Found(tuple(sure), tuple(doubt))


def only(query: Query, table: Table) -> Element | None:
    """The one target that a query means, up to equal effect; None where it is not one."""
    if query.ordinal is None and query.relation is None and not _one_effect(query, table):
        return None
    result = found(query, table)
    effects = {e.effect or e.id for e in (*result.sure, *result.doubt)}
    if len(effects) != 1 or not result.sure:
        return None
    return next((e for e in result.sure if e.target), None)


def _one_effect(query: Query, table: Table) -> bool:
    """Whether one effect at most may be meant; ends at a second one, which most tries soon meet."""
    asked, first = _asked(query), ""
    for e in table.elements:
        if _holds(asked, query, e, table, None) is not False:
            first = first or e.effect or e.id
            if first != (e.effect or e.id):
                return False
    return True


def none(query: Query, table: Table) -> bool:
    """Whether nothing satisfies a query, and nothing might."""
    return found(query, table) == Found((), ())


def ladder(query: Query, table: Table) -> dict[str, int]:
    """For each clause, how many effects satisfy the query without it; -1 where undecided."""
    counts: dict[str, int] = {}
    for clause in clauses(query):
        result = found(without(query, clause), table)
        count = len({e.effect or e.id for e in result.sure})
        counts[clause] = -1 if result.doubt else count
    return counts


def holds(query: Query, element: Element, table: Table, anchor: Element | None = None) -> Truth:
    """All clauses but the ordinal, of one element; ``anchor`` is what the relation starts from."""
    return _holds(_asked(query), query, element, table, anchor)


def _asked(query: Query) -> list[Callable[[Query, Element], Truth]]:
    return [JUDGES[clause] for clause in clauses(query) if clause in JUDGES]


def _holds(
    asked: list[Callable[[Query, Element], Truth]],
    query: Query, element: Element, table: Table, anchor: Element | None,
) -> Truth:  # fmt: skip
    """Ends at the first clause that is false: most elements fail soon."""
    whole: Truth = True
    for judge in asked:
        truth = judge(query, element)
        if truth is False:
            return False
        whole = whole and truth
    places: list[Truth] = [whole]
    if query.zone:
        places.append(in_zone(query.zone, element.box, table.size) if element.box else None)
    if query.relation:
        places.append(_related(query.relation, element, anchor))
    return every(places)


def _anchor(query: Query, table: Table) -> Element | None:
    """The one element in view that the relation starts from; None when it is not one."""
    if query.relation is None:
        return None
    result = found(query.relation.anchor, table)
    if len(result.sure) != 1 or result.doubt or not result.sure[0].box:
        return None
    return result.sure[0]


def _related(relation: Relation, element: Element, anchor: Element | None) -> Truth:
    if anchor is None or anchor.box is None or element.box is None:
        return None
    return False if element is anchor else stands(relation.side, element.box, anchor.box)


def _nearest(
    side: str, anchor: Element, sure: list[Element], doubt: list[Element]
) -> tuple[list[Element], list[Element]]:
    """Of several on that side the nearest; those a margin farther away are out."""
    start = anchor.box
    if not sure or start is None or side == "row":
        return sure, doubt
    gaps = {e.id: gap_px(side, e.box, start) for e in (*sure, *doubt) if e.box}
    least = min(gaps[e.id] for e in sure)
    near = [e for e in sure if gaps[e.id] < least + MARGIN_PX]
    open_ = [e for e in doubt if gaps.get(e.id, least) < least + MARGIN_PX]
    return near, open_


def _counted(query: Query, table: Table, sure: list[Element], doubt: list[Element]) -> Found:
    """The member of that number. Undecided all, unless members stand in one line, whole."""
    place = query.ordinal or 0
    order = _order(table, [e.box for e in sure if e.box]) if not doubt else None
    if order is None or len(order) < len(sure) or not _whole(query, table, sure, place):
        return Found((), tuple([*sure, *doubt]))
    lined = [sure[i] for i in order]
    if not _agreed(lined):
        return Found((), tuple(lined))
    index = place - 1 if place > 0 else len(lined) + place
    return Found((lined[index],) if 0 <= index < len(lined) else (), ())


def _order(table: Table, boxes: list[Box]) -> tuple[int, ...] | None:
    """The order of counting; None in a row that runs from the right.

    An English "third" may be the third from either side there.
    """
    order = reading_order(boxes)
    down = order is not None and all(
        boxes[order[i]][1] < boxes[order[i + 1]][1] for i in range(len(order) - 1)
    )
    return order if down or not table.rtl or len(boxes) < 2 else None


def _whole(query: Query, table: Table, seen: list[Element], place: int) -> bool:
    """Whether no member out of view changes the count: only later ones of the group may be."""
    rest = msgspec.structs.replace(query, ordinal=None, visible=False, zone=None, relation=None)
    out = [e for e in table.elements if e.seen == "no" and holds(rest, e, table) is not False]
    out = [e for e in out if e.hidden != "menu"]
    if not out:
        return True
    last = max((e.place for e in seen), default=0)
    groups = {e.group for e in (*seen, *out)}
    later = len(groups) == 1 and "" not in groups and all(e.place > last for e in out)
    return later and 0 < place <= len(seen)


def _agreed(lined: list[Element]) -> bool:
    """Whether the places that the template gave run as the boxes do."""
    if len({e.group for e in lined}) > 1 or any(e.place == 0 for e in lined):
        return True
    places = [e.place for e in lined]
    return places == sorted(places)
