"""Ways to ask for an element: queries of eight styles, each kept only if it means that element.

Within a style the shortest query that is exact wins; how it is put into words is for ``phrases``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from unicodedata import east_asian_width

import msgspec

from factory.core.rng import Stream, digest_int
from factory.draw.colour_names import NEUTRALS
from factory.scenarios.elements import Element
from factory.scenarios.query import Query, Relation, found, only, without
from factory.scenarios.relations import SIDES, ZONES, gap_px, in_zone, stands
from factory.scenarios.table import Table
from factory.scenarios.tints import COLOURED
from factory.scenarios.vocabulary import Vocabulary
from factory.scenarios.wording import icon_phrase
from factory.web.verdict.alike import normal

LONGEST_QUOTE, LONGEST_CONTENT = 40, 24
"""Widths of a label and of content that are quoted, in Latin letters; Chinese ones count twice."""
CONTENT = ("row", "card", "cell", "field", "text")
"""Roles whose text is content; more of it nobody quotes whole."""
LONGEST_NAME = 24
"""Of a name that is not drawn, in the same width."""
FEWEST_COUNTED = 3
"""Members of a line from which counting is how people say it."""
TRIED = 40
"""Elements that are tried for a style: most of what lists repeat has no ask of its own."""
TURNED = ("checkbox", "switch")
"""Roles that are turned on and off by a press, so that an instruction may ask for either."""
LEAST_SHARE = 1e-5
"""Of the page that an element counts with at least: three px a side of a thousand."""
LEAST_DRAW = 1e-12
ANCHORS = 6
"""Nearest anchors that are tried."""


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A query with what is said of it: ``spoken`` has raw texts by slot (text, anchor, do)."""

    style: str
    query: Query
    spoken: dict[str, str] = {}


class Positive(msgspec.Struct, frozen=True):
    """An ask that means one element."""

    ask: Ask
    element: Element


class View(msgspec.Struct, frozen=True):
    """What asks are made from. ``lean`` is how much larger targets are asked for more often."""

    table: Table
    app: Vocabulary
    lang: str
    lean: float = 0.0


def leaning(view: View, draw: Stream) -> list[Element]:
    """The targets in a drawn order: one comes first with a chance that goes with ``size**lean``.

    The size is the root of its share of the page. Weighted sampling without replacement by
    exponential keys (Efraimidis and Spirakis 2006).
    """
    page = view.table.size[0] * view.table.size[1]

    def key(element: Element) -> float:
        share = _area(element) / page if element.box else LEAST_SHARE
        weight = max(share, LEAST_SHARE) ** (view.lean / 2)
        return math.log(max(draw.random(), LEAST_DRAW)) / weight

    keys = [(key(element), place) for place, element in enumerate(view.table.targets)]
    return [view.table.targets[place] for _, place in sorted(keys, reverse=True)]


def _area(element: Element) -> float:
    assert element.box is not None
    x0, y0, x1, y1 = element.box
    return (x1 - x0) * (y1 - y0)


def positives(view: View, stream: Stream, each: int = 4) -> list[Positive]:
    """Up to ``each`` positives of every style, of different elements, in a drawn order."""
    out: list[Positive] = []
    for style, make in STYLES.items():
        tried = leaning(view, stream.child(style))[:TRIED]
        made = (_exact(make(view, e), view.table, e) for e in tried)
        out += [p for p, _ in zip((p for p in made if p), range(each), strict=False)]
    return out


def _exact(asks: Iterator[Ask], table: Table, element: Element) -> Positive | None:
    """The first ask that means the element, disabled ones beside it counted: they can be seen."""
    for ask in asks:
        meant = only(ask.query, table)
        if meant is not None and meant.effect == element.effect:
            whole = found(without(ask.query, "enabled"), table)
            if {e.effect for e in (*whole.sure, *whole.doubt)} == {meant.effect}:
                return Positive(ask, meant)
    return None


def quotable(element: Element) -> str | None:
    """Its text on one line, where an instruction may quote it."""
    text = " ".join(element.text.split())
    longest = LONGEST_CONTENT if element.role in CONTENT else LONGEST_QUOTE
    whole = bool(normal(text)) and width_of(text) <= longest and "…" not in text
    return text if element.quotable and whole and "\n" not in element.text.strip() else None


def width_of(text: str) -> int:
    """The width of a text in Latin letters."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _by_text(view: View, e: Element) -> Iterator[Ask]:
    text = quotable(e)
    if text is None:
        return
    bare = Query(text=normal(text))
    colour = e.colour if e.colour not in NEUTRALS else None
    more: list[Mapping[str, str | None]] = [
        {}, {"role": e.role}, {"section": e.section, "role": e.role},
        {"icon": e.icon, "role": e.role}, {"colour": colour, "role": e.role}, {},
    ]  # fmt: skip
    turn = digest_int(f"{e.id} {text}") % len(more)  # which detail comes first differs
    for detail in (*more[turn:], *more[:turn]):
        if all(detail.values()):
            yield Ask(style="text", query=_with(bare, detail), spoken={"text": text})


def _by_name(view: View, e: Element) -> Iterator[Ask]:
    name = " ".join(e.name.split()) if view.lang == view.table.lang else ""  # nobody reads it
    if not e.text and e.icon and not e.args and normal(name) and width_of(name) <= LONGEST_NAME:
        query = Query(name=normal(name), role=e.role)
        yield Ask(style="name", query=query, spoken={"text": name})


def _by_function(view: View, e: Element) -> Iterator[Ask]:
    done = any(e.state.get(key) == "true" for key in ("checked", "selected", "pressed"))
    if e.fn not in view.app.fn or done:  # what is so already is not to be brought about
        return
    if not all(_readable(view, value) for value in e.args.values()):
        return
    bare = Query(fn=e.fn, args=e.args)
    for detail in ({}, {"section": e.section}):
        if "" not in detail.values():
            yield Ask(style="function", query=_with(bare, detail))


def _readable(view: View, value: str) -> bool:
    """Whether a word that tells a function from its neighbours' can be read on the screen."""
    wanted = normal(value)
    return any(wanted in normal(e.text) for e in view.table.elements if e.seen == "yes")


def _by_appearance(view: View, e: Element) -> Iterator[Ask]:
    icon = e.icon if icon_phrase(e.icon, view.lang) else ""
    colour = e.colour if e.role in COLOURED and e.colour not in NEUTRALS else None
    looks: list[Mapping[str, str | None]] = [
        {"icon": icon}, {"colour": colour, "role": e.role}, {"icon": icon, "colour": colour},
        {"icon": icon, "section": e.section},
        {"colour": colour, "role": e.role, "section": e.section},
    ]  # fmt: skip
    for look in looks:
        if all(look.values()):
            yield Ask(style="appearance", query=_with(Query(), look))


def _by_position(view: View, e: Element) -> Iterator[Ask]:
    for zone in ZONES:
        if e.box and in_zone(zone, e.box, view.table.size):
            for look in ({"role": e.role}, {"role": e.role, "section": e.section}):
                if all(look.values()):
                    yield Ask(style="position", query=_with(Query(zone=zone), look))


def _by_relation(view: View, e: Element) -> Iterator[Ask]:
    for side, text in _anchors(view.table, e):
        at = Relation(side, Query(text=normal(text), enabled=False))
        yield Ask(style="relation", query=Query(role=e.role, relation=at), spoken={"anchor": text})


def _anchors(table: Table, e: Element) -> Iterator[tuple[str, str]]:
    """Texts beside an element, the nearest first: its side of them, and what they say."""
    near: list[tuple[float, str, Element, str]] = []
    for anchor in table.elements:
        text = quotable(anchor) if anchor.seen == "yes" and anchor.effect != e.effect else None
        if text is None or anchor.box is None or e.box is None or text.isdigit():
            continue  # a bare number may be a row's
        listed = e.group and e.role != "row" and anchor.section == e.section
        sides = (*SIDES, "row") if listed else SIDES
        near += [
            (gap_px(side, e.box, anchor.box), side, anchor, text)
            for side in sides if stands(side, e.box, anchor.box)
        ]  # fmt: skip
    near.sort(key=lambda found: (found[0], found[1], found[2].id))
    yield from ((side, text) for _, side, _, text in near[:ANCHORS])


def _by_state(view: View, e: Element) -> Iterator[Ask]:
    text = quotable(e)
    for key in ("checked", "expanded", "selected", "pressed"):
        value = e.state.get(key)
        if value not in ("true", "false") or key in e.unsure:
            continue
        bare = Query(role=e.role, state=(key, value))
        if text and (key == "expanded" or (key == "checked" and e.role in TURNED)):
            named = _with(bare, {"text": normal(text)})
            yield Ask(style="state", query=named, spoken={"text": text})
        yield Ask(style="state", query=bare)
        if e.section:
            yield Ask(style="state", query=_with(bare, {"section": e.section}))


def _by_ordinal(view: View, e: Element) -> Iterator[Ask]:
    for look in ({"role": e.role}, {"role": e.role, "section": e.section}):
        if not all(look.values()):
            continue
        line = found(_with(Query(), look), view.table)
        if len(line.sure) < FEWEST_COUNTED or line.doubt:
            continue
        for place in (-1, *range(1, len(line.sure) + 1)):
            yield Ask(style="ordinal", query=_with(Query(ordinal=place), look))


def _with(query: Query, clauses: Mapping[str, str | None]) -> Query:
    return msgspec.structs.replace(query, **clauses)


STYLES: Mapping[str, Callable[[View, Element], Iterator[Ask]]] = {
    "text": _by_text, "name": _by_name, "function": _by_function, "appearance": _by_appearance,
    "position": _by_position, "relation": _by_relation, "state": _by_state, "ordinal": _by_ordinal,
}  # fmt: skip
