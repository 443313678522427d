"""Proofs that a refusal is right: each looks another way for something that it might mean.

A proof that fails drops the refusal; none can add one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from factory.scenarios.asks import Ask, Positive, View
from factory.scenarios.elements import Element
from factory.scenarios.query import CLAUSES, found, holds, ladder, none, only
from factory.scenarios.relations import MARGIN_PX, in_zone, margin_px, reading_order
from factory.scenarios.search import (
    ALIKE,
    HALF,
    NO_HIT,
    Hit,
    copies,
    icons_like,
    likest,
    likest_among,
    shared_meaning,
)
from factory.scenarios.table import SHUT
from factory.scenarios.tints import COLOURED
from factory.scenarios.vocabulary import phrases_of
from factory.web.verdict.types import Reason


class Proof(msgspec.Struct, frozen=True):
    """``name`` of what was tried, whether it found nothing against the refusal, and what it saw."""

    name: str
    ok: bool
    saw: str


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """An ask that nothing answers: one edit (of ``slot``) from ``parent``, which one answers.

    ``hidden`` is the element that the ask would mean if it could be seen or pressed; ``said`` and
    ``icons`` are other words for what is asked, and how it is drawn.
    """

    code: str
    ask: Ask
    slot: str
    parent: Positive
    hidden: Element | None = None
    said: tuple[str, ...] = ()
    icons: tuple[str, ...] = ()


def one_edit(no: Refusal, view: View) -> Proof:
    """Exactly the named clause differs from the parent's; a function's arguments belong to it."""
    mine, theirs = no.ask.query, no.parent.ask.query
    changed = [name for name in CLAUSES if getattr(mine, name) != getattr(theirs, name)]
    if mine.args != theirs.args and "fn" not in changed:
        changed.append("fn")
    return Proof("one_edit", changed == [no.slot], ",".join(changed))


def nothing(no: Refusal, view: View) -> Proof:
    """No element satisfies the query, and of none it is undecided."""
    result = found(no.ask.query, view.table)
    seen = ",".join(e.id for e in (*result.sure, *result.doubt))
    return Proof("nothing", none(no.ask.query, view.table), seen)


def inverse(no: Refusal, view: View) -> Proof:
    """The edit undone gives exactly the parent's element."""
    meant = only(no.parent.ask.query, view.table)
    same = meant is not None and meant.effect == no.parent.element.effect
    return Proof("inverse", same, meant.id if meant else "")


def lexical(no: Refusal, view: View) -> Proof:
    """No text in view is like what is asked for: its words, its app's labels and phrases."""
    hit = max(likest(_said(no), view.table), _likest_gloss(no, view))
    return Proof("lexical", hit.ratio < ALIKE, f"{hit.ratio:.2f} {hit.text}")


def _likest_gloss(no: Refusal, view: View) -> Hit:
    """The same on a screen in another language, read with what its functions are called here."""
    if view.lang == view.table.lang:
        return NO_HIT
    here = dict.fromkeys(e.fn for e in view.table.elements if e.seen != "no")
    known = [view.app.fn[fn] for fn in here if fn in view.app.fn]
    labels = [label for function in known for label in function.label.get(view.lang, ())]
    return likest_among(_said(no), labels)


AKIN = (frozenset({"refresh", "retry"}),)
"""Functions that share no word, and that people might press for one another."""


def meaning(no: Refusal, view: View) -> Proof:
    """No function in view is said to do what is asked, in most of the words that carry meaning,
    or is akin to it."""
    asked = {no.ask.query.fn, no.hidden.fn if no.hidden else ""}
    akin = frozenset[str]().union(*(group for group in AKIN if group & asked))
    near = [e.id for e in view.table.elements if e.seen != "no" and e.fn in akin - asked]
    if near:
        return Proof("meaning", False, ",".join(near))
    here = {(e.fn, *e.args.values()): e for e in view.table.elements if e.fn and e.seen != "no"}
    done = [p for e in here.values() for p in phrases_of(view.app, e.fn, e.args, view.lang)]
    pairs = ((shared_meaning(said, phrase), phrase) for said in _said(no) for phrase in done)
    share, phrase = max(pairs, default=(0.0, ""))
    return Proof("meaning", share <= HALF, f"{share:.2f} {phrase}")


def copy(no: Refusal, view: View) -> Proof:
    """No text in view says what is asked for, up to plurals and words that mean the same."""
    but = no.hidden.id if no.hidden else ""
    seen = [text for one in _said(no) for text in copies(one, view.table, but)]
    return Proof("copy", not seen, "; ".join(seen))


def icon(no: Refusal, view: View) -> Proof:
    """No icon in view looks like the one that is asked for, or means what it means."""
    asked = [no.ask.query.icon or "", no.hidden.icon if no.hidden else "", *no.icons]
    seen = [e.id for one in asked for e in icons_like(one, view.table)]
    return Proof("icon", not seen, ",".join(seen))


def colour(no: Refusal, view: View) -> Proof:
    """Nothing in view that people tell by its colour might be called by that one."""
    asked = no.ask.query.colour
    shown = [e for e in view.table.elements if e.seen != "no" and e.role in COLOURED]
    seen = [e.id for e in shown if asked in e.near or asked == e.colour]
    return Proof("colour", not seen, ",".join(seen))


def state(no: Refusal, view: View) -> Proof:
    """Page and template agree on the other state."""
    key, value = no.ask.query.state or ("disabled", "false")
    bearer = no.hidden or no.parent.element
    told = bearer.state.get(key)
    agreed = bearer.marked and key not in bearer.unsure and told not in (None, value)
    return Proof("state", agreed, f"{key}={told}")


def geometry(no: Refusal, view: View) -> Proof:
    """All that might be meant is out by a margin, or the line that is counted is whole."""
    ok, saw = GEOMETRIES[no.slot](no, view)
    return Proof("geometry", ok, saw)


def _zone(no: Refusal, view: View) -> tuple[bool, str]:
    zone, size = no.ask.query.zone or "", view.table.size
    near = [e.id for e in _rivals(no, view, "zone")
            if e.box is None or in_zone(zone, e.box, size) is not False]  # fmt: skip
    return not near, ",".join(near)


def _ordinal(no: Refusal, view: View) -> tuple[bool, str]:
    line = [e.box for e in _rivals(no, view, "ordinal") if e.box]
    whole = reading_order(line) is not None and (no.ask.query.ordinal or 0) > len(line)
    return whole, f"{len(line)} in line"


def _relation(no: Refusal, view: View) -> tuple[bool, str]:
    relation = no.ask.query.relation
    anchors = found(relation.anchor, view.table).sure if relation else ()
    start = anchors[0].box if len(anchors) == 1 else None
    if relation is None or start is None:
        return False, "no anchor"
    boxes = [e.box for e in _rivals(no, view, "relation") if e.box and e.box != start]
    least = min((margin_px(relation.side, box, start) for box in boxes), default=MARGIN_PX)
    return least >= MARGIN_PX, f"{least:.1f} px"


GEOMETRIES: Mapping[str, Callable[[Refusal, View], tuple[bool, str]]] = {
    "zone": _zone, "ordinal": _ordinal, "relation": _relation,
}  # fmt: skip


def _rivals(no: Refusal, view: View, clause: str) -> list[Element]:
    """Elements in view that satisfy the rest of the query, or might."""
    rest = msgspec.structs.replace(no.ask.query, **{clause: None})
    return [e for e in view.table.elements if holds(rest, e, view.table) is not False]


def unseen(no: Refusal, view: View) -> Proof:
    """The element that would be meant was measured out of view, for the reason that is meant."""
    e, (reasons, hidden) = no.hidden, UNSEEN_BY[no.code]
    right = e is not None and e.seen == "no" and e.reason in reasons and e.hidden in hidden
    right = right and (no.code != "N13" or not e.ink) if e else False
    return Proof("unseen", right, e.reason if e else "")


def shut(no: Refusal, view: View) -> Proof:
    """The control is in view, says so itself that it is disabled, and takes no press."""
    e = no.hidden
    right = e is not None and e.seen == "yes" and e.reason in SHUT and not e.target
    return Proof("shut", right, e.reason if e else "")


def parts(no: Refusal, view: View) -> Proof:
    """Each half of a compound exists in view, and never together; sections also lie apart."""
    value = getattr(no.ask.query, no.slot)
    bearers = [e for e in view.table.elements if e.seen == "yes" and getattr(e, no.slot) == value]
    count = ladder(no.ask.query, view.table)[no.slot]
    apart = no.slot != "section" or not _spanned(no.parent.element, bearers)
    return Proof("parts", bool(bearers) and count == 1 and apart, f"{len(bearers)} and {count}")


def _spanned(element: Element, others: list[Element]) -> bool:
    """Whether an element touches the rectangle that others span: a person may put it with them."""
    boxes = [e.box for e in others if e.box]
    if not boxes or element.box is None:
        return True
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    a = element.box
    return a[0] < max(x1) and a[2] > min(x0) and a[1] < max(y1) and a[3] > min(y0)


def _said(no: Refusal) -> list[str]:
    """Everything that names what is asked for."""
    return [*(v for k, v in no.ask.spoken.items() if k in ("text", "do")), *no.said]


Test = Callable[[Refusal, View], Proof]
HIDDEN_REASONS = {Reason.CSS_HIDDEN, Reason.NO_BOX}
UNSEEN_BY: Mapping[str, tuple[set[Reason], set[str]]] = {
    "N5": ({Reason.SCROLLED_OUT, Reason.OFF_VIEWPORT}, {"", "scroll"}),
    "N6": ({Reason.OCCLUDED, Reason.BEHIND_BACKDROP}, {"cover"}),
    "N11": (HIDDEN_REASONS, {"menu"}),
    "N13": ({Reason.NO_INK, Reason.CSS_HIDDEN}, {"blank"}),
}  # fmt: skip
"""Measured reasons, and what the template meant, of elements out of view."""

ALWAYS: tuple[Test, ...] = (one_edit, nothing, inverse)
PROOFS: Mapping[str, tuple[Test, ...]] = {
    "N1": (lexical, meaning, icon), "N3": (copy,), "N4": (state,),
    "N5": (unseen, copy, icon), "N6": (unseen, copy, icon), "N7": (shut, state, copy),
    "N8": (geometry,), "N9": (lexical, meaning, icon),
    "N10": (lexical, meaning, icon), "N11": (unseen, copy, icon),
    "N12": (parts,), "N13": (unseen, copy, icon),
}  # fmt: skip
"""What each kind has to stand beside ``ALWAYS``."""


def tests_of(no: Refusal) -> tuple[Test, ...]:
    """What a refusal has to stand beside ``ALWAYS``: by its kind, for N2 by its slot."""
    if no.code == "N2":
        return (colour,) if no.slot == "colour" else (icon,)
    return PROOFS[no.code]


def proofs_of(no: Refusal, view: View) -> tuple[Proof, ...] | None:
    """All proofs of a refusal; None as soon as one fails."""
    out: list[Proof] = []
    for test in (*ALWAYS, *tests_of(no)):
        proof = test(no, view)
        if not proof.ok:
            return None
        out.append(proof)
    return tuple(out)


def level(no: Refusal, view: View) -> str:
    """``hard`` where dropping one clause leaves exactly one element, else ``easy``."""
    return "hard" if 1 in ladder(no.ask.query, view.table).values() else "easy"
