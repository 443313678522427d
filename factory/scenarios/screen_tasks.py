"""Tasks with words for an answer: a state, a list, a description, a fact of the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.core.rng import Stream
from factory.draw.colour_names import NEUTRALS
from factory.scenarios.asks import LONGEST_QUOTE, Positive, View, quotable, width_of
from factory.scenarios.elements import Box, Element
from factory.scenarios.phrases import said_of
from factory.scenarios.query import Query, found, only
from factory.scenarios.task_spec import Answer, TaskSpec
from factory.scenarios.tints import COLOURED
from factory.scenarios.wording import icon_phrase, words
from factory.web.verdict.alike import normal

LISTED = (2, 8)
"""How many elements a list may have: fewer is no list, more is a test of patience."""
LISTABLE = ("tab", "checkbox", "switch", "radio", "field", "link", "button", "menuitem", "option")
PRESSED = ("button", "checkbox", "switch", "radio", "field", "select", "slider", "menuitem")
"""Roles of which people see whether they are greyed out."""
ROW_PX = 12.0
"""Elements whose tops differ by less stand in one line of reading."""


def screen_tasks(view: View, positives: Sequence[Positive], stream: Stream) -> list[TaskSpec]:
    """One task of each kind that the screen allows, in a drawn order; ids are given later."""
    makers = (_states, _lists, _descriptions, _questions)
    made = [next(make(view, positives, stream.child(make.__name__)), None) for make in makers]
    return stream.shuffled([task for task in made if task is not None])


def _states(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[TaskSpec]:
    """Whether a named control is on, selected, expanded or enabled; both answers as likely."""
    say = words(view.lang)
    named = stream.shuffled([e for e in view.table.elements if e.marked and e.seen == "yes"])
    some_shut = any(e.state.get("disabled") == "true" for e in named)
    asks = [(key, ask) for key, ask in say["state_ask"].items() if key != "disabled" or some_shut]
    wanted = "true" if stream.chance(0.5) else "false"
    for turned in (wanted, "false" if wanted == "true" else "true"):
        for key, ask in stream.shuffled(asks):
            for e in named:
                if e.state.get(_key(key, e.role)) == turned:
                    yield from _state(view, e, _key(key, e.role), ask, stream)


def _key(key: str, role: str) -> str:
    """``checked`` for ``checkbox.checked`` of a checkbox; nothing where the roles differ."""
    asked, _, state = key.rpartition(".")
    return state if asked in ("", role) else ""


def _state(
    view: View, e: Element, key: str, ask: Sequence[str], stream: Stream
) -> Iterator[TaskSpec]:
    text = _label(e)
    if text is None or key in e.unsure or (key == "disabled" and e.role not in PRESSED):
        return
    query = Query(text=normal(text), enabled=False)
    result = found(query, view.table)
    if len(result.sure) != 1 or result.doubt or result.sure[0] is not e:
        return
    say, quote = words(view.lang), stream.choice(words(view.lang)["quotes"])
    yes = (e.state[key] == "true") != (key == "disabled")
    asked = stream.shuffled([form.format(text=quote.format(text)) for form in ask])
    yield TaskSpec(
        id="", kind="state", lang=view.lang, style=key, instruction=asked[0],
        alternatives=tuple(asked[1:]), query=query.to_json(), element=e.id,
        answer=Answer(text=say["yes"] if yes else say["no"], box=e.box),
    )  # fmt: skip


def _label(e: Element) -> str | None:
    """The text of a control; of a disabled one, which has no measured text, its label."""
    text = " ".join(e.text.split())
    shut = not e.target and e.reason and width_of(text) <= LONGEST_QUOTE
    return quotable(e) or (text if shut else None) or None


def _lists(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[TaskSpec]:
    """All elements of a role in reading order. Nothing undecided, each with a text."""
    say = words(view.lang)
    for role in stream.shuffled(LISTABLE):
        query = Query(role=role, enabled=False)
        result = found(query, view.table)
        texts = [quotable(e) for e in result.sure]
        if result.doubt or not LISTED[0] <= len(texts) <= LISTED[1] or None in texts:
            continue
        ordered = in_reading_order(result.sure, view.table.rtl)
        asked = stream.shuffled([form.format(role=say["role"][role]) for form in say["list_ask"]])
        yield TaskSpec(
            id="", kind="list", lang=view.lang, style=role, instruction=asked[0],
            alternatives=tuple(asked[1:]), query=query.to_json(), level="hard",
            answer=Answer(
                text="\n".join(quotable(e) or "" for e in ordered),
                boxes=tuple(e.box for e in ordered if e.box),
            ),
        )  # fmt: skip


def in_reading_order(elements: Sequence[Element], rtl: bool = False) -> list[Element]:
    """Line by line from the top, each line from the left, or from the right."""
    placed = sorted((e for e in elements if e.box), key=lambda e: _box(e)[1])
    lines: list[list[Element]] = []
    for e in placed:
        if lines and _box(e)[1] - _box(lines[-1][0])[1] < ROW_PX:
            lines[-1].append(e)
        else:
            lines.append([e])
    return [e for line in lines for e in sorted(line, key=lambda e: _start(e, rtl))]


def _start(e: Element, rtl: bool) -> float:
    return -_box(e)[2] if rtl else _box(e)[0]


def _box(e: Element) -> Box:
    assert e.box is not None
    return e.box


def _descriptions(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[TaskSpec]:
    """A description of the element at a point: one that means this element and no other."""
    for positive in stream.shuffled(
        [p for p in positives if p.ask.style in ("text", "appearance")]
    ):
        phrase = _described(view, positive, stream)
        if phrase is None or positive.element.click is None:
            continue
        asked = stream.shuffled(words(view.lang)["describe_ask"])
        yield TaskSpec(
            id="", kind="describe", lang=view.lang, style=positive.ask.style, instruction=asked[0],
            alternatives=tuple(asked[1:]), query=positive.ask.query.to_json(),
            element=positive.element.id, answer=Answer(text=phrase, box=positive.element.box),
            at=positive.element.click,
        )  # fmt: skip


def _described(view: View, positive: Positive, stream: Stream) -> str | None:
    e, text = positive.element, quotable(positive.element)
    colour = e.colour if e.role in COLOURED and e.colour not in NEUTRALS else None
    whole = Query(
        role=e.role, text=normal(text) if text else None, colour=colour,
        icon=e.icon if e.icon and icon_phrase(e.icon, view.lang) else None,
    )  # fmt: skip
    meant = only(whole, view.table)
    if meant is None or meant.effect != e.effect:
        return None
    say = words(view.lang)
    phrase = said_of(whole, {"text": text or ""}, view, say["quotes"][0])
    return " ".join([say["article"], phrase]).strip() if phrase else None


def _questions(view: View, positives: Sequence[Positive], stream: Stream) -> Iterator[TaskSpec]:
    """A question whose answer is a fact that can be read on the screen."""
    for key in stream.shuffled(sorted(view.table.facts)):
        forms = view.app.questions.get(key, {}).get(view.lang, ())
        shown = _shown(view, view.table.facts[key])
        if forms and shown:
            asked = stream.shuffled(tuple(forms))
            yield TaskSpec(
                id="", kind="question", lang=view.lang, style=key, instruction=asked[0],
                alternatives=tuple(asked[1:]), level="hard",
                answer=Answer(text=view.table.facts[key], boxes=tuple(shown)),
            )  # fmt: skip


def _shown(view: View, fact: str) -> list[Box]:
    """Where a fact can be read: boxes of what shows it as words of its own."""
    said = normal(fact)
    return [
        e.box for e in view.table.elements
        if e.seen == "yes" and e.box and said and f" {said} " in f" {normal(e.text)} "
    ]  # fmt: skip
