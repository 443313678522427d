"""Instructions from queries, in English and Chinese: noun phrases of clauses, and sentences.

A query that has a clause without words gives no instruction; nothing is ever left out silently.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from factory.core.rng import Stream
from factory.draw.colour_names import called
from factory.scenarios.asks import Ask, View
from factory.scenarios.mirror import is_bent
from factory.scenarios.query import Query, clauses
from factory.scenarios.vocabulary import phrases_of
from factory.scenarios.wording import icon_phrase, words
from factory.web.verdict.alike import normal

SHORT, LONG = 3, 2
"""Sentences of either length for one task."""
SHORT_SHARE = 0.75
"""Of tasks whose first sentence is a short one."""
ALONE = {"text", "enabled", "visible"}
"""Clauses that leave a text without an article."""
_KEY = re.compile("[a-z_]+")
"""A part of the screen by its key, which nobody can read; headings are drawn as they stand."""


class Wording(NamedTuple):
    """The sentence that a task uses, and others that mean the same."""

    instruction: str
    alternatives: tuple[str, ...]


def wording_of(
    ask: Ask, view: View, stream: Stream, *, in_view: bool = False, pressing: bool = False
) -> Wording | None:
    """Sentences for an ask; ``in_view`` says in each that only what is on screen counts.

    ``pressing`` leaves only those that ask for a press in so many words: one can point at a
    disabled control, but not press it.

    None when the query cannot be said in the language.
    """
    press = stream.choice(words(view.lang)["press"][view.table.platform])
    short, long = _sentences(ask, view, stream, press, in_view)
    if pressing:
        short, long = ([one for one in some if press in one.lower()] for some in (short, long))
    short, long = _drawn(short, stream, SHORT), _drawn(long, stream, LONG)
    if not short:
        return None
    first = short if stream.chance(SHORT_SHARE) or not long else long
    head = first[0]
    rest = tuple(one for one in (*short, *long) if one != head)
    return Wording(head, rest)


def _drawn(sentences: Sequence[str], stream: Stream, most: int) -> list[str]:
    return stream.shuffled(tuple(dict.fromkeys(sentences)))[:most]


def _sentences(
    ask: Ask, view: View, stream: Stream, press: str, in_view: bool
) -> tuple[list[str], list[str]]:
    """Short and long sentences."""
    if ask.query.fn is not None:
        return _doing(ask, view, press, in_view)
    quote = stream.choice(words(view.lang)["quotes"])
    acts = _acts(ask, view.lang, quote)
    say = words(view.lang)
    if acts:
        long = [form.format(act=_lower(act)) for form in say["act_long"] for act in acts]
        return [_upper(act) for act in acts], long
    bare = said_of(ask.query, ask.spoken, view, quote)
    if bare is None:
        return [], []
    whole = bare if set(clauses(ask.query)) <= ALONE else f"{say['article']} {bare}".strip()
    slots = {"np": whole, "bare": _upper(bare), "press": press, "Press": _upper(press)}
    forms = ("in_view", "in_view_long") if in_view else ("short", "long")
    short, long = ([form.format(**slots) for form in say[name]] for name in forms)
    return short, long


def _doing(ask: Ask, view: View, press: str, in_view: bool) -> tuple[list[str], list[str]]:
    """Sentences about what a function does; a section is said behind it."""
    say = words(view.lang)
    place = _section(ask.query, view.lang)
    if place is None or set(clauses(ask.query)) - {"fn", "section", "enabled", "visible"}:
        return [], []
    done = [_placed(do, place, view.lang) for do in doings(ask, view)]
    names = ("do_in_view", "do_in_view_long") if in_view else ("do_short", "do_long")
    short, long = (
        [
            form.format(do=_lower(do), Do=_upper(do), press=press, Press=_upper(press))
            for form in say[name] for do in done
        ]
        for name in names
    )  # fmt: skip
    return short, long


def _placed(do: str, place: str, lang: str) -> str:
    if not place:
        return do
    return f"在{place}{do}" if lang == "zh" else f"{do} {place}"


def doings(ask: Ask, view: View) -> list[str]:
    """What the asked function does, in phrases that no other function on this screen shares."""
    if "do" in ask.spoken:
        return [ask.spoken["do"]]
    own = phrases_of(view.app, ask.query.fn or "", ask.query.args, view.lang)
    others = {
        normal(phrase)
        for e in view.table.elements
        if e.seen != "no" and (e.fn, e.args) != (ask.query.fn, ask.query.args)
        for phrase in phrases_of(view.app, e.fn, e.args, view.lang)
    }
    return [phrase for phrase in own if normal(phrase) not in others]


def _acts(ask: Ask, lang: str, quote: str) -> list[str]:
    """Sentences for bringing a named control from its state to the other."""
    query = ask.query
    if query.state is None or "text" not in ask.spoken:
        return []
    key = "=".join(query.state)
    forms = words(lang)["act"]
    chosen = forms.get(f"{query.role}.{key}") or forms.get(key) or []
    return [form.format(text=quote.format(ask.spoken["text"])) for form in chosen]


def said_of(query: Query, spoken: Mapping[str, str], view: View, quote: str) -> str | None:
    """What a query means on a screen; None where its words would leave a side open."""
    if view.table.rtl and is_bent(query.icon):
        return None
    return noun_phrase(query, spoken, view.lang, quote)


def noun_phrase(query: Query, spoken: Mapping[str, str], lang: str, quote: str) -> str | None:
    """What a query means, without an article; None when a clause has no words."""
    before = [_ordinal(query, lang), _state(query, lang), _colour(query, lang)]
    after = [
        _section(query, lang),
        _zone(query, lang),
        _relation(query, spoken, lang, quote),
    ]
    core = _core(query, spoken, lang, quote)
    if core is None or None in before or None in after:
        return None
    parts = [part for part in before if part], core, [part for part in after if part]
    return _chinese(*parts) if lang == "zh" else " ".join([*parts[0], core, *parts[2]])


def _chinese(before: list[str], core: str, after: list[str]) -> str:
    """Places stand before, the wider first, each with its particle; a number has none."""
    places = "".join(f"{place}的" for place in after)
    counted = "".join(part for part in before if part.startswith(("第", "最后")))
    rest = "".join(f"{part}的" for part in before if not part.startswith(("第", "最后")))
    if core == words("zh")["role"]["row"] and not rest:
        counted = counted.removesuffix("个")  # a row counts itself
    return f"{places}{counted}{rest}{core}"


def _core(query: Query, spoken: Mapping[str, str], lang: str, quote: str) -> str | None:
    """The noun: a text, an icon or a role, with the icon behind it where there are both."""
    say = words(lang)
    icon = icon_phrase(query.icon, lang) if query.icon else ""
    if icon is None:
        return None
    text = spoken["text"] if query.name else quote.format(spoken["text"]) if query.text else ""
    noun = say["role"][query.role] if query.role else say["role"]["other"]
    if not text and icon and query.role in (None, "button", "link"):
        return f"{icon}图标" if lang == "zh" else f"{icon} icon"
    if not text:
        return noun
    described = {"role", "icon", "colour", "section", "state", "ordinal"} & set(clauses(query))
    if not described:
        return text
    if lang == "zh":
        return f"{f'带{icon}图标的' if icon else ''}{text}{noun}"
    return f"{text} {noun}{f' with the {icon} icon' if icon else ''}"


def _ordinal(query: Query, lang: str) -> str | None:
    if query.ordinal is None:
        return ""
    say = words(lang)
    if query.ordinal == -1:
        return say["last"]
    known = 0 < query.ordinal <= len(say["ordinals"])
    return say["ordinals"][query.ordinal - 1] if known else None


def _state(query: Query, lang: str) -> str | None:
    if query.state is None:
        return ""
    say, key = words(lang), "=".join(query.state)
    special = say["state_switch"].get(key) if query.role == "switch" else None
    return special or say["state"].get(key)


def _colour(query: Query, lang: str) -> str:
    return called(query.colour, lang) if query.colour else ""


def _section(query: Query, lang: str) -> str | None:
    """The name of a part of the screen, or the heading that it stands under."""
    if not query.section:
        return ""
    say = words(lang)
    if query.section in say["section"]:
        return say["section"][query.section]
    return None if _KEY.fullmatch(query.section) else say["section_named"].format(query.section)


def _zone(query: Query, lang: str) -> str | None:
    return words(lang)["zone"].get(query.zone) if query.zone else ""


def _relation(query: Query, spoken: Mapping[str, str], lang: str, quote: str) -> str | None:
    if query.relation is None:
        return ""
    form = words(lang)["relation"].get(query.relation.side)
    return form.format(anchor=quote.format(spoken["anchor"])) if form else None


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    """With a small initial, unless the word is a name or an abbreviation."""
    first = text.split(" ", 1)[0]
    return text if first[1:] != first[1:].lower() or first == "I" else text[:1].lower() + text[1:]
