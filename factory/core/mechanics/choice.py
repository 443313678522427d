"""Choice: one of several options.

A tap selects an option and nothing else; the last one counts. A tap between the options
does nothing, as on real pages; a tap outside them fails for good.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.core.actions import ActionBase, Click, DoubleClick
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import Perturbation, Pose, register_mechanic
from factory.core.mechanics.tap_base import GROUND, Tap, TapMechanic, TapWorld
from factory.core.mechanics.tap_checks import (
    TapGold,
    begin,
    box_edges,
    send_survives,
    split_gold,
    strays,
    unsent,
)
from factory.core.mechanics.taps import around, box_survives, near_center, outline
from factory.core.rng import Stream


@register_mechanic
class Choice(TapMechanic, frozen=True, tag="choice", forbid_unknown_fields=True):
    """Options and the indices of those that are accepted; boxes in px of the frame."""

    options: tuple[Box, ...]
    answer: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse options among which there is nothing to choose."""
        self.refuse_bad_frame(self.options)
        count, right = len(self.options), set(self.answer)
        if not right or not right < set(range(count)) or len(right) != len(self.answer):
            raise InvalidOptions(
                f"a choice accepts some of its options and not all: {self.answer} of {count}"
            )

    def item_at(self, point: Point) -> int | None:
        for index, option in enumerate(self.options):
            if option.contains(point):
                return index
        return GROUND if around(self.options).contains(point) else None

    def controls(self) -> tuple[Box, ...]:
        return self.options

    def unsolved(self, taps: Sequence[Tap]) -> str:
        return "" if taps[-1].control in self.answer else "wrong_option"

    def pose(self, world: TapWorld) -> Pose:
        chosen = world.taps[-1:]
        return Pose(marks=tuple(outline(self.options[tap.control]) for tap in chosen))

    def gold(self, stream: Stream) -> list[ActionBase]:
        """A click on the first accepted option, then submit."""
        tap = Click(near_center(self.options[self.answer[0]], stream))
        return self.submitted_after([tap], stream)

    def goal_slots(self) -> dict[str, str]:
        return {
            "handle": "options",
            "order": "any",
            "count": "1",
            "submit": self.submit_slot(),
        }

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        parts = split_gold(self, gold)
        (point,) = parts.points
        return send_survives(self, parts, width, height) and any(
            box_survives(self.options[index], point, width, height) for index in self.answer
        )

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        parts = split_gold(self, gold)
        return [*strays(self, parts), *_edged(self, parts), *_others(self, parts)]

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        parts = split_gold(self, gold)
        return [*unsent(parts), *_others(self, parts)]


def _others(choice: Choice, gold: TapGold) -> Iterator[Perturbation]:
    """Each other option alone; the first wrong one before and after the right one."""
    (own,) = gold.answer
    for index, box in enumerate(choice.options):
        yield gold.of(f"option_{index}", [Click(box.center)], index in choice.answer)
    wrong = min(set(range(len(choice.options))) - set(choice.answer))
    other = Click(choice.options[wrong].center)
    yield gold.of("changed_to_right", [other, own], True)
    yield gold.of("changed_to_wrong", [own, other], False)
    yield gold.of("repeated", [own, own], True)
    yield gold.of("double", [DoubleClick(begin(own))], True)


def _edged(choice: Choice, gold: TapGold) -> Iterator[Perturbation]:
    """Just inside the corners of the chosen option, and just outside its sides.

    Just outside may be another option; nothing is predicted where that one is right too.
    """
    (chosen,) = [box for box in choice.options if box.contains(gold.points[0])]
    for edge in box_edges(chosen, choice.px_per_css):
        lucky = any(choice.options[k].contains(edge.point) for k in choice.answer)
        if edge.within or not lucky:
            where = "inside" if edge.within else "outside"
            yield gold.of(f"{where}_{edge.side}", [Click(edge.point)], edge.within)
