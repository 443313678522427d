"""The clauses of a query, each true, false or undecided of one element."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from factory.scenarios.elements import Element
from factory.scenarios.relations import Truth
from factory.scenarios.wording import same_icon
from factory.web.verdict.alike import normal

KIN = (
    {"button", "link", "menuitem", "tab", "card"}, {"row", "option", "card", "cell", "menuitem"},
    {"field", "select"}, {"checkbox", "radio"},
)  # fmt: skip
"""Roles that people mix up, since they can look alike."""

_KIN_OF = {role: set().union(*(kin for kin in KIN if role in kin)) for kin in KIN for role in kin}

BEARERS: Mapping[str, set[str]] = {
    "checked": {"checkbox", "switch", "radio"}, "selected": {"tab", "option", "row"},
    "expanded": {"select"}, "pressed": set(),
}  # fmt: skip
"""Roles of which a missing state leaves it open which it is."""


class Relation(msgspec.Struct, frozen=True):
    """A neighbour on one side of an anchor, or what stands in one ``row`` with it."""

    side: str
    anchor: Query


class Query(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A conjunction of clauses; null, empty and false ones ask for nothing.

    ``text`` and ``name`` are normal (``alike.normal``). ``state`` is a key and its value.
    ``ordinal`` counts, from 1, what the other clauses leave, along its one row or column; -1 is the
    last. ``enabled`` asks for what takes a press, ``visible`` for what is in view.
    """

    role: str | None = None
    text: str | None = None
    name: str | None = None
    fn: str | None = None
    args: dict[str, str] = {}
    icon: str | None = None
    colour: str | None = None
    section: str | None = None
    state: tuple[str, str] | None = None
    zone: str | None = None
    relation: Relation | None = None
    ordinal: int | None = None
    enabled: bool = True
    visible: bool = True

    def to_json(self) -> dict[str, Any]:
        """JSON-able builtins without what is not asked."""
        return msgspec.json.decode(msgspec.json.encode(self))


CLAUSES = (
    "role", "text", "name", "fn", "icon", "colour", "section", "state", "zone", "relation",
    "ordinal", "enabled", "visible",
)  # fmt: skip


def clauses(query: Query) -> tuple[str, ...]:
    """The clauses that a query has."""
    return tuple(name for name in CLAUSES if getattr(query, name) not in (None, False))


def without(query: Query, clause: str) -> Query:
    """The query with one clause dropped."""
    empty: Any = False if clause in ("enabled", "visible") else None
    return msgspec.structs.replace(query, **{clause: empty})


def _role(query: Query, e: Element) -> Truth:
    if e.role == query.role:
        return True
    if e.role == "other" and not e.marked:
        return None
    return None if query.role in _KIN_OF.get(e.role, ()) else False


def _text(query: Query, e: Element) -> Truth:
    return True if normal(e.text) == query.text else None if query.text in e.words else False


def _name(query: Query, e: Element) -> Truth:
    return True if normal(e.name) == query.name else None if query.name in e.words else False


def _fn(query: Query, e: Element) -> Truth:
    if not e.marked:
        return False if e.kind in ("text", "image") else None
    return e.fn == query.fn and e.args == query.args


def _icon(query: Query, e: Element) -> Truth:
    asked = query.icon or ""
    if not e.marked and e.kind in ("text", "image"):
        return None if any(same_icon(shown, asked) for shown in e.shows) else False
    if not e.marked:
        return None
    if e.icon == asked:
        return True
    return None if same_icon(e.icon, asked) else False


def _colour(query: Query, e: Element) -> Truth:
    if e.colour is not None and e.colour == query.colour:
        return True
    return None if query.colour in e.near else False


def _section(query: Query, e: Element) -> Truth:
    return e.section == query.section if e.marked else None


def _state(query: Query, e: Element) -> Truth:
    key, value = query.state or ("", "")
    if key in e.unsure:
        return None
    if key in e.state:
        return e.state[key] == value
    return None if e.role in BEARERS.get(key, ()) or not e.marked else False


def _enabled(query: Query, e: Element) -> Truth:
    if "disabled" in e.unsure:
        return None
    return e.state.get("disabled", "false") == "false"


def _visible(query: Query, e: Element) -> Truth:
    return {"yes": True, "doubt": None, "no": False}[e.seen]


JUDGES: Mapping[str, Callable[[Query, Element], Truth]] = {
    "role": _role, "text": _text, "name": _name, "fn": _fn, "icon": _icon, "colour": _colour,
    "section": _section, "state": _state, "enabled": _enabled, "visible": _visible,
}  # fmt: skip
