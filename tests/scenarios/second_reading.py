"""A second, plain reading of queries, written apart from ``factory.scenarios.query``.

It knows no doubt: ``strict`` is what clearly holds, ``loose`` what somebody might still say.
"""

from __future__ import annotations

from typing import Any

from factory.scenarios.elements import Element
from factory.scenarios.table import Table
from factory.web.verdict.alike import normal


def strict(query: dict[str, Any], table: Table) -> list[Element]:
    """What clearly is meant."""
    fitting = [e for e in table.elements if e.seen == "yes" and _fits(query, e, table, loose=False)]
    if "relation" in query and query["relation"]["side"] != "row" and fitting:
        far = {e.id: _ahead(query["relation"], e, table) or 0.0 for e in fitting}
        fitting = [e for e in fitting if far[e.id] == min(far.values())]
    return _counted(query, fitting)


def loose(query: dict[str, Any], table: Table) -> list[Element]:
    """What might be meant by somebody who is generous."""
    fitting = [e for e in table.elements if e.seen != "no" and _fits(query, e, table, loose=True)]
    return _counted(query, fitting)


def _counted(query: dict[str, Any], fitting: list[Element]) -> list[Element]:
    if "ordinal" not in query:
        return fitting
    down = sorted(fitting, key=lambda e: (e.box[1], e.box[0]))  # type: ignore[index]
    place = query["ordinal"]
    return down[place - 1 : place] if place > 0 else down[-1:]


def _fits(query: dict[str, Any], e: Element, table: Table, *, loose: bool) -> bool:
    if query.get("enabled", True) and e.state["disabled"] == "true":
        return False
    if "text" in query and query["text"] != normal(e.text):
        return loose and query["text"] in e.words
    if any(k in query and query[k] != getattr(e, k) for k in ("role", "icon", "section", "fn")):
        return False
    if "fn" in query and query.get("args", {}) != e.args:
        return False
    if "colour" in query and e.colour != query["colour"]:
        return loose and query["colour"] in e.near
    if "state" in query and e.state.get(query["state"][0]) != query["state"][1]:
        return False
    return _placed(query, e, table)


def _placed(query: dict[str, Any], e: Element, table: Table) -> bool:
    if ("zone" in query or "relation" in query) and e.box is None:
        return False
    if "zone" in query and not _at_edge(query["zone"], e, table):
        return False
    return "relation" not in query or _ahead(query["relation"], e, table) is not None


def _middle(e: Element) -> tuple[float, float]:
    x0, y0, x1, y1 = e.box  # type: ignore[misc]
    return (x0 + x1) / 2, (y0 + y1) / 2


def _at_edge(zone: str, e: Element, table: Table) -> bool:
    """With its middle in the outer quarter of each side that the zone names."""
    (x, y), (w, h) = _middle(e), table.size
    outer = {
        "left": x < 0.25 * w,
        "right": x > 0.75 * w,
        "top": y < 0.25 * h,
        "bottom": y > 0.75 * h,
    }
    return all(outer[side] for side in zone.split("_"))


def _ahead(relation: dict[str, Any], e: Element, table: Table) -> float | None:
    """How far it is on that side of the anchor, in its row or column; None where it is not."""
    text = relation["anchor"]["text"]
    (anchor,) = [a for a in table.elements if normal(a.text) == text and a.seen == "yes"]
    (x, y), (ax, ay) = _middle(e), _middle(anchor)
    side = relation["side"]
    if anchor is e or (side == "row" and abs(y - ay) >= 16):
        return None
    if side == "row":
        return 0.0
    ahead = {"left_of": ax - x, "right_of": x - ax, "above": ay - y, "below": y - ay}[side]
    aside, limit = (abs(y - ay), 16) if side in ("left_of", "right_of") else (abs(x - ax), 46)
    return ahead if 0 < ahead < 260 and aside < limit else None
