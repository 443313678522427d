"""Text entry by arithmetic: whether the grid keeps its taps, and predicted verdicts.

Nothing here runs the state machine, so that the two can be held against each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from factory.core import actions as act
from factory.core.actions import ActionBase, Click, Hotkey, PressEnter, Type
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.taps import box_survives
from factory.core.mechanics.text_fields import Field, folded

if TYPE_CHECKING:
    from factory.core.mechanics.text_entry import TextEntry

_EDGE_CSS_PX = 0.05
"""How far from a field's edge "just inside" and "just outside" are."""
_OTHERS = "7K"
"""Characters that replace one: the first, or the second where it is the first already."""


class _Gold:
    """A gold taken apart: a tap and a text for each field, then the submit click."""

    def __init__(self, entry: TextEntry, gold: Sequence[ActionBase]) -> None:
        count = len(entry.fields)
        pairs, self.clicks = gold[: 2 * count], list(gold[2 * count :])
        self.entry = entry
        self.taps = [a for a in pairs[::2] if isinstance(a, Click)]
        self.texts = [a.content for a in pairs[1::2] if isinstance(a, Type)]
        wanted = 0 if entry.submit is None else 1
        if len(self.taps) != count or len(self.texts) != count or len(self.clicks) != wanted:
            raise InvalidOptions(f"the gold of a text entry taps and types by turns, not {gold}")

    def typed(self, texts: Sequence[str]) -> list[ActionBase]:
        """The fields tapped and these texts typed, not submitted."""
        both = zip(self.taps, texts, strict=True)
        return [action for tap, text in both for action in (tap, Type(text))]

    def instead(self, place: int, text: str) -> list[str]:
        """The right texts with another one in a field."""
        return [*self.texts[:place], text, *self.texts[place + 1 :]]

    def of(self, name: str, actions: Sequence[ActionBase], passes: bool) -> Perturbation:
        """The actions with the submit click after them."""
        return Perturbation(name, [*actions, *self.clicks], passes)

    def saying(self, name: str, place: int, text: str) -> Perturbation:
        """Another text in one field, right only when it is in the field's list."""
        right = self.entry.fields[place].accepts(text, self.entry.case_sensitive)
        return self.of(name, self.typed(self.instead(place, text)), right)


def text_grid_safe(
    entry: TextEntry, gold: Sequence[ActionBase], width: float, height: float
) -> bool:
    """Whether the taps stay in their boxes in all readings of the grid, one unit to spare."""
    parts = _Gold(entry, gold)
    boxes = [field.box for field in entry.fields]
    taps = [*zip(boxes, parts.taps, strict=True)]
    taps += [(entry.submit, c) for c in parts.clicks if entry.submit and isinstance(c, Click)]
    return all(box_survives(box, tap.point, width, height) for box, tap in taps)


def _other_char(text: str, at: int) -> str:
    """The text with one character changed into one that no folding equals."""
    new = _OTHERS[0] if folded(text[at]) != folded(_OTHERS[0]) else _OTHERS[1]
    return text[:at] + new + text[at + 1 :]


def _texts(m: _Gold, place: int) -> Iterator[Perturbation]:
    """One character dropped, changed, added or swapped with its neighbour, and the case."""
    text = m.texts[place]
    at = len(text) // 2
    yield m.saying(f"dropped_char_{place}", place, text[:at] + text[at + 1 :])
    yield m.saying(f"changed_char_{place}", place, _other_char(text, at))
    yield m.saying(f"added_char_{place}", place, text + _OTHERS[1])
    yield m.saying(f"case_{place}", place, text.swapcase())
    if at:
        swapped = text[: at - 1] + text[at] + text[at - 1] + text[at + 1 :]
        yield m.saying(f"swapped_chars_{place}", place, swapped)


def _editing(m: _Gold, place: int) -> Iterator[Perturbation]:
    """The same text with spaces around, twice, corrected, or beside another tap on the field."""
    text, tap = m.texts[place], m.taps[place]
    right = m.entry.fields[place].accepts(text, m.entry.case_sensitive)

    def with_keys(*keys: ActionBase) -> list[ActionBase]:
        actions = m.typed(m.texts)
        return [*actions[: 2 * place + 1], *keys, *actions[2 * place + 2 :]]

    clear = Hotkey(("ctrl", "a"))
    yield m.saying(f"spaces_{place}", place, f" {text}  ")
    yield m.saying(f"twice_{place}", place, text + text)
    yield m.of(f"replaced_{place}", with_keys(Type("x"), clear, Type(text)), right)
    yield m.of(f"cleared_{place}", with_keys(Type(text), clear, Hotkey(("backspace",))), False)
    yield m.of(f"backspace_{place}", with_keys(Type(text + "x"), Hotkey(("backspace",))), right)
    yield m.of(f"tapped_twice_{place}", with_keys(tap, Type(text)), right)
    yield m.of(f"other_key_{place}", with_keys(Type(text), Hotkey(("ctrl", "z"))), False)


def _taps(m: _Gold, place: int) -> Iterator[Perturbation]:
    """The tap dropped, just inside and just outside the field, and the text left out."""
    box, actions = m.entry.fields[place].box, m.typed(m.texts)
    right = m.entry.fields[place].accepts(m.texts[place], m.entry.case_sensitive)
    edge = min(_EDGE_CSS_PX * m.entry.px_per_css, box.width / 4, box.height / 4)
    for name, point, passes in _corners(box, edge):
        moved = [*actions[: 2 * place], Click(point), *actions[2 * place + 1 :]]
        if passes or not _hit(m.entry, point):
            yield m.of(f"{name}_{place}", moved, passes and right)
    yield m.of(f"no_text_{place}", [*actions[: 2 * place + 1], *actions[2 * place + 2 :]], False)


def _corners(box: Box, edge: float) -> list[tuple[str, Point, bool]]:
    """Two corners of a half-open box from inside and from outside."""
    return [
        ("inside_low", Point(box.x0 + edge, box.y0 + edge), True),
        ("inside_high", Point(box.x1 - edge, box.y1 - edge), True),
        ("outside_low", Point(box.x0 - edge, box.y0 - edge), False),
        ("outside_high", Point(box.x1 + edge, box.y1 + edge), False),
    ]


def _hit(entry: TextEntry, point: Point) -> bool:
    """Whether some control is there."""
    boxes = [field.box for field in entry.fields] + ([entry.submit] if entry.submit else [])
    return any(box.contains(point) for box in boxes)


def _fields(m: _Gold) -> Iterator[Perturbation]:
    """The fields in another order, and their texts exchanged."""
    count, actions = len(m.taps), m.typed(m.texts)
    pairs = [actions[2 * k : 2 * k + 2] for k in range(count)]
    yield m.of("other_order", [a for pair in reversed(pairs) for a in pair], True)
    if count > 1:
        crossed = [m.texts[1], m.texts[0], *m.texts[2:]]
        both = zip(m.entry.fields, crossed, strict=True)
        right = all(field.accepts(text, m.entry.case_sensitive) for field, text in both)
        yield m.of("crossed_texts", m.typed(crossed), right)
        tabbed = [m.taps[0], *(Type(text + "\t") for text in m.texts[:-1]), Type(m.texts[-1])]
        yield m.of("tabbed", tabbed, True)
        yield m.of("all_in_one", [m.taps[0], *map(Type, m.texts)], False)


def _submitting(m: _Gold) -> Iterator[Perturbation]:
    """Enter for the button, the button forgotten or tapped again, keys after the end."""
    actions = m.typed(m.texts)
    yield Perturbation("enter", [*actions, PressEnter()], True)
    yield Perturbation("line_break", [*actions[:-1], Type(m.texts[-1] + "\n")], True)
    yield Perturbation("typed_after_end", [*actions, PressEnter(), Type("x")], False)
    yield m.of("enter_first", [m.taps[0], PressEnter(), *actions], False)
    if m.clicks:
        yield Perturbation("dropped_submit", actions, False)
        yield Perturbation("submit_only", m.clicks, False)
        yield Perturbation("submitted_twice", [*actions, *m.clicks, *m.clicks], False)
        yield Perturbation("tapped_after_end", [*actions, *m.clicks, m.taps[0]], False)


def text_quick_perturbations(entry: TextEntry, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample: the last field, and what all fields share."""
    m = _Gold(entry, gold)
    last, actions = len(m.taps) - 1, m.typed(m.texts)
    text = m.texts[last]
    return [
        Perturbation("nothing", [], False),
        m.of("no_tap", actions[1:], False),
        m.of("no_text", actions[:-1], False),
        m.saying("changed_char", last, _other_char(text, len(text) // 2)),
        m.saying("case", last, text.swapcase()),
    ]


def text_perturbations(entry: TextEntry, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """Every changed gold with its predicted verdict."""
    m = _Gold(entry, gold)
    each = [
        p
        for place in range(len(m.taps))
        for p in (*_texts(m, place), *_editing(m, place), *_taps(m, place))
    ]
    return [*text_quick_perturbations(entry, gold), *each, *_fields(m), *_submitting(m)]


def text_parity(
    entry: TextEntry, gold: Sequence[ActionBase], width: float, height: float
) -> dict[str, bool]:
    """Whether scorers that ignore case pass the gold once it went through the grid."""
    parts = _Gold(
        entry, [act.from_grid(act.to_grid(a, width, height), width, height) for a in gold]
    )
    right = zip(entry.fields, parts.taps, parts.texts, strict=True)
    return {"case_folded": all(_right(field, tap, text) for field, tap, text in right)}


def _right(field: Field, tap: Click, text: str) -> bool:
    return field.box.contains(tap.point) and field.accepts(text, case_sensitive=False)
