"""Edits of a positive that ask for what is not there, one maker for each kind of refusal.

What they make is a guess: ``proofs`` decides whether it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from factory.core.rng import Stream
from factory.draw.colour_names import NAMES, NEUTRALS
from factory.scenarios.asks import LONGEST_QUOTE, Positive, View, quotable, width_of
from factory.scenarios.elements import Element
from factory.scenarios.mirror import drawn_as
from factory.scenarios.near_names import near_names
from factory.scenarios.proofs import Refusal
from factory.scenarios.query import Query, Relation, clauses
from factory.scenarios.relations import OPPOSITE, ZONES
from factory.scenarios.search import HALF, shared_meaning
from factory.scenarios.table import SHUT
from factory.scenarios.vocabulary import Function, Vocabulary, filled
from factory.scenarios.wording import icon_kind, plain_icons
from factory.web.verdict.alike import normal

FEWEST_ICONS = 6
"""Icons of an app from which refusals about icons are drawn; with fewer, any plain ones are."""
BEYOND = 2
"""How many places past the end of a line are asked for."""


def _edited(
    code: str, parent: Positive, slot: str, spoken: Mapping[str, str] | None = None,
    hidden: Element | None = None, named: tuple[Sequence[str], Sequence[str]] = ((), ()),
    **changes: object,
) -> Refusal:  # fmt: skip
    """``named`` are other words for what is asked, and icons that stand for it."""
    query = msgspec.structs.replace(parent.ask.query, **changes)
    said = dict(parent.ask.spoken if spoken is None else {**parent.ask.spoken, **spoken})
    ask = msgspec.structs.replace(parent.ask, query=query, spoken=said)
    return Refusal(
        code=code, ask=ask, slot=slot, parent=parent, hidden=hidden, said=tuple(named[0]),
        icons=tuple(named[1]),
    )  # fmt: skip


def _named(
    function: Function, view: View, args: Mapping[str, str]
) -> tuple[Sequence[str], Sequence[str]]:
    """All words for a function, in the language of the screen as well, and its icons."""
    langs = dict.fromkeys((view.lang, view.table.lang))
    phrases = [p for lang in langs for p in _forms(function, lang)]
    icons = [*function.icon, *(map(drawn_as, function.icon) if view.table.rtl else ())]
    return [one for phrase in phrases if (one := filled(phrase, args))], icons


def _forms(function: Function, lang: str) -> list[str]:
    return [*function.label.get(lang, ()), *function.do.get(lang, ())]


def _of(positives: Sequence[Positive], stream: Stream, *styles: str) -> list[Positive]:
    return stream.shuffled([p for p in positives if p.ask.style in styles])


def absent(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[Refusal]:
    """N1: a function of this app that this screen does not have: what it does, or its label."""
    here = {e.fn for e in view.table.elements}
    missing = stream.shuffled([key for key in view.app.fn if key not in here])
    pool = _anywhere(_of(positives, stream, "function", "text"))
    for key, parent in _crossed(missing, pool):
        function = view.app.fn[key]
        if parent.ask.query.role not in (None, function.role):
            continue
        named = _named(function, view, {})
        if parent.ask.style == "function":
            if any(filled(do, {}) for do in function.do.get(view.lang, ())):
                yield _edited("N1", parent, "fn", None, None, named, fn=key, args={})
            continue
        for label in _plain(function.label.get(view.table.lang, ())):
            yield _edited("N1", parent, "text", {"text": label}, None, named, text=normal(label))


def foreign(
    view: View, positives: Sequence[Positive], stream: Stream, others: Sequence[Vocabulary]
) -> Iterator[Refusal]:
    """N9: a function of the app that shares most words with this one, among other apps."""
    mine = _vocabulary(view.app, view.lang)
    ranked = sorted(others, key=lambda app: (-len(mine & _vocabulary(app, view.lang)), app.name))
    pool = _anywhere(_of(positives, stream, "function"))
    for app in ranked[:2]:
        keys = stream.shuffled([key for key in app.fn if key not in view.app.fn])
        for key, parent in _crossed(keys, pool):
            named = _named(app.fn[key], view, {})
            for do in _plain(app.fn[key].do.get(view.lang, ()))[:1]:
                if not _known(view.app, app.fn[key], view.lang):
                    asked = f"{app.name}.{key}"
                    yield _edited("N9", parent, "fn", {"do": do}, None, named, fn=asked, args={})


def _vocabulary(app: Vocabulary, lang: str) -> set[str]:
    labels = [label for fn in app.fn.values() for label in fn.label.get(lang, ())]
    return {word for label in labels for word in normal(label).split()}


def _known(app: Vocabulary, function: Function, lang: str) -> bool:
    """Whether an app has a function of nearly these words on some screen."""
    mine = [phrase for own in app.fn.values() for phrase in _forms(own, lang)]
    theirs = _forms(function, lang)
    return any(shared_meaning(one, other) > HALF for one in theirs for other in mine)


def invented(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[Refusal]:
    """N10: a plausible function that the app does not have.

    Only in the language of the screen: its phrases are searched for among what the screen says.
    """
    if view.lang != view.table.lang:
        return
    phrases = stream.shuffled(tuple(view.app.absent.get(view.lang, ())))
    for do, parent in _crossed(phrases, _anywhere(_of(positives, stream, "function"))):
        yield _edited("N10", parent, "fn", {"do": do}, fn="absent", args={})


def _anywhere(pool: Sequence[Positive]) -> list[Positive]:
    """Those that say no section or look: what is not there is not anywhere."""
    tied = {"section", "icon", "colour"}
    return [parent for parent in pool if not tied & set(clauses(parent.ask.query))]


def _crossed(items: Sequence[str], pool: Sequence[Positive]) -> Iterator[tuple[str, Positive]]:
    """Each item with one parent, the parents in turns."""
    if pool:
        yield from ((item, pool[i % len(pool)]) for i, item in enumerate(items))


def _plain(phrases: Sequence[str]) -> list[str]:
    return [one for phrase in phrases if (one := filled(phrase, {}))]


def attribute(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[Refusal]:
    """N2: another colour, or another icon: one that the app has on other screens, where it can."""
    colours = [name for name in NAMES if name not in NEUTRALS]
    own = dict.fromkeys(i for fn in view.app.fn.values() for i in fn.icon if icon_kind(i))
    icons = tuple(own) if len(own) >= FEWEST_ICONS else plain_icons()
    for parent in _of(positives, stream, "appearance"):
        if parent.ask.query.colour:
            for name in stream.sample(colours, 3):
                yield _edited("N2", parent, "colour", colour=name)
        if parent.ask.query.icon:
            for icon in stream.sample(icons, 3):
                yield _edited("N2", parent, "icon", icon=icon)


def near(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[Refusal]:
    """N3: a name that differs in a number, or in one word of a kind."""
    shown = [text for e in view.table.elements if e.seen == "yes" and (text := quotable(e))]
    for parent in _of(positives, stream, "text"):
        for text in near_names(parent.ask.spoken["text"], shown, view.table.lang, stream)[:3]:
            yield _edited("N3", parent, "text", {"text": text}, text=normal(text))


def wrong_state(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[Refusal]:
    """N4: to bring a control into the state in which it is."""
    for parent in _of(positives, stream, "state"):
        state = parent.ask.query.state
        if state and "text" in parent.ask.spoken:
            flipped = (state[0], "false" if state[1] == "true" else "true")
            yield _edited("N4", parent, "state", state=flipped)


def _unreachable(code: str) -> Callable[[View, Sequence[Positive], Stream], Iterator[Refusal]]:
    """N5, N6, N7, N11, N13: what is there, but not to be seen or not to be pressed."""

    def make(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[Refusal]:
        pool = _of(positives, stream, "text", "function")
        for hidden in stream.shuffled([e for e in view.table.elements if _fits(code, e)]):
            for parent in pool:
                yield from _named_after(code, parent, hidden, view)

    return make


def _fits(code: str, e: Element) -> bool:
    if not e.marked or e.role in ("text", "image"):
        return False
    if code == "N7":
        return e.seen == "yes" and e.reason in SHUT
    meant = {"N5": ("scroll", ""), "N6": ("cover",), "N11": ("menu",), "N13": ("blank",)}[code]
    return e.seen == "no" and e.hidden in meant


def _named_after(code: str, parent: Positive, e: Element, view: View) -> Iterator[Refusal]:
    """The parent with the text or the function of another element, where the rest fits that one."""
    query, text = parent.ask.query, " ".join(e.text.split())
    kept = [c for c in clauses(query) if c not in ("text", "fn", "enabled", "visible")]
    if any(getattr(query, clause) != getattr(e, clause, None) for clause in kept):
        return
    if parent.ask.style == "text" and normal(text) and width_of(text) <= LONGEST_QUOTE:
        yield _edited(code, parent, "text", {"text": text}, e, text=normal(text))
    if parent.ask.style == "function" and e.fn in view.app.fn:
        named = _named(view.app.fn[e.fn], view, e.args)
        yield _edited(code, parent, "fn", None, e, named, fn=e.fn, args=e.args)


def misplaced(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[Refusal]:
    """N8: the other side, another row, another corner, past the end of the line."""
    for parent in _of(positives, stream, "relation", "position", "ordinal"):
        query = parent.ask.query
        if query.relation and query.relation.side in OPPOSITE:
            other = Relation(OPPOSITE[query.relation.side], query.relation.anchor)
            yield _edited("N8", parent, "relation", relation=other)
        elif query.relation:
            yield from _other_rows(parent, view, stream)
        elif query.zone:
            for zone in stream.sample(tuple(ZONES), 2):
                yield _edited("N8", parent, "zone", zone=zone)
        elif query.ordinal and query.ordinal > 0:
            past = _past_the_end(parent, view) + stream.integer(0, BEYOND)
            yield _edited("N8", parent, "ordinal", ordinal=past)


def _past_the_end(parent: Positive, view: View) -> int:
    query = parent.ask.query
    alike = [
        e for e in view.table.elements
        if e.role == query.role and e.seen == "yes" and query.section in (None, e.section)
    ]  # fmt: skip
    return len(alike) + 1


def _other_rows(parent: Positive, view: View, stream: Stream) -> Iterator[Refusal]:
    shown = [text for e in view.table.elements if e.seen == "yes" and (text := quotable(e))]
    for text in stream.shuffled(tuple(dict.fromkeys(shown)))[:3]:
        anchor = Relation("row", Query(text=normal(text), enabled=False))
        yield _edited("N8", parent, "relation", {"anchor": text}, relation=anchor)


def compound(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[Refusal]:
    """N12: what one element says, with the section, icon or colour of another."""
    for parent in _of(positives, stream, "text", "appearance"):
        asked = clauses(parent.ask.query)
        slots = [slot for slot in ("section", "icon", "colour") if slot in asked]
        if not slots or len(set(asked) & {"text", "section", "icon", "colour"}) < 2:
            continue
        slot = stream.choice(slots)
        values = [getattr(e, slot) for e in view.table.targets if e.role == parent.element.role]
        for value in stream.shuffled(tuple(dict.fromkeys(v for v in values if v)))[:3]:
            yield _edited("N12", parent, slot, **{slot: value})


MAKERS: Mapping[str, Callable[[View, Sequence[Positive], Stream], Iterator[Refusal]]] = {
    "N1": absent, "N2": attribute, "N3": near, "N4": wrong_state, "N5": _unreachable("N5"),
    "N6": _unreachable("N6"), "N7": _unreachable("N7"), "N8": misplaced, "N10": invented,
    "N11": _unreachable("N11"), "N12": compound, "N13": _unreachable("N13"),
}  # fmt: skip
