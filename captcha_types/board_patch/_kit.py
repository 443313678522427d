"""What boards have in common on which two things are picked: how that is done, said and missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Point
from factory.core.mechanics.pairs import Pair, Pairs
from factory.core.puzzle import WrongResponse
from factory.core.tapping import send

ORDINALS: Mapping[str, Sequence[str]] = {
    "en": ("first", "second", "third", "fourth", "fifth", "sixth"),
    "zh": ("一", "二", "三", "四", "五", "六"),
}


def place_name(place: int, columns: int, lang: str) -> str:
    """A place of a board in words: ``the second of row three``."""
    row, column = divmod(place, columns)
    words = ORDINALS[lang]
    if lang == "zh":
        return f"第{words[row]}行第{words[column]}个"
    return f"the {words[column]} in the {words[row]} row"


def picked(mechanic: Pairs, pairs: Sequence[Pair]) -> tuple[ActionBase, ...]:
    """Pairs dragged or clicked, then the click on the button where there is one; canvas px."""
    items, actions = mechanic.items, list[ActionBase]()
    for a, b in pairs:
        ends = items[a].center, items[b].center
        actions += [Drag(*ends)] if mechanic.drag else [Click(end) for end in ends]
    return (*actions, *send(mechanic.submit))


def misses(mechanic: Pairs, answers: Mapping[str, Sequence[Pair]]) -> list[WrongResponse]:
    """Answers of pairs by name, as wrong responses."""
    return [WrongResponse(name, picked(mechanic, pairs)) for name, pairs in answers.items()]


def first_ends(gold: Sequence[ActionBase]) -> tuple[Point, Point]:
    """The first two places that a gold picks."""
    first, *rest = gold
    if isinstance(first, Drag):
        return first.start, first.end
    second = rest[0]
    assert isinstance(first, Click) and isinstance(second, Click)
    return first.point, second.point
