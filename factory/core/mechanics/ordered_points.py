"""Ordered points: tap targets in a picture, one after another.

The verdict is on the taps since the panel was drawn: as many as there are targets, the
k-th inside the k-th zone, grown by ``grow_css_px``, all at least a canvas px apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Point
from factory.core.mechanics import Perturbation, Pose, register_mechanic
from factory.core.mechanics.picture_taps import (
    PictureTaps,
    badges,
    distracted,
    dropped,
    near,
    repeated,
)
from factory.core.mechanics.tap_base import Tap, TapWorld
from factory.core.mechanics.tap_checks import TapGold, near_targets, split_gold, strays, unsent
from factory.core.mechanics.taps import apart, near_center, zone_survives
from factory.core.rng import Stream


@register_mechanic
class OrderedPoints(PictureTaps, frozen=True, tag="ordered_points", forbid_unknown_fields=True):
    """Targets in the order in which they are to be tapped; px of the frame.

    ``marks`` says whether taps leave numbered badges.
    """

    marks: Literal["badge", "none"] = "badge"

    def __post_init__(self) -> None:
        """Refuse an empty order, and targets that lie outside the picture."""
        self.refuse_bad_picture()

    def unsolved(self, taps: Sequence[Tap]) -> str:
        if len(taps) != len(self.targets):
            return "wrong_count"
        grow = self.grow_px
        for zone, tap in zip(self.targets, taps, strict=True):
            if not zone.contains(tap.point, grow):
                return "wrong_order" if self.hit_by(tap.point) else "off_target"
        return "" if apart([tap.point for tap in taps]) else "same_place"

    def pose(self, world: TapWorld) -> Pose:
        return Pose(marks=badges(world.taps) if self.marks == "badge" else ())

    def gold(self, stream: Stream) -> list[ActionBase]:
        """A click near the middle of each target, in order, then submit."""
        taps = [Click(near_center(zone, stream)) for zone in self.targets]
        return self.submitted_after(taps, stream)

    def goal_slots(self) -> dict[str, str]:
        return {
            "handle": "picture",
            "order": "ordered",
            "count": str(len(self.targets)),
            "submit": self.submit_slot(),
        }

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        parts = split_gold(self, gold)
        points = parts.points
        return (
            len(points) == len(self.targets)
            and self.taps_survive(parts, width, height)
            and all(
                zone_survives(zone, self.grow_px, point, width, height)
                for zone, point in zip(self.targets, points, strict=True)
            )
        )

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        parts = split_gold(self, gold)
        places = range(len(parts.answer))
        return [
            *strays(self, parts),
            *(found for place in places for found in near(self, parts, place, place)),
            *(dropped(parts, place) for place in places),
            *(repeated(parts, place) for place in places),
            *_reordered(self, parts),
            *distracted(self, parts),
        ]

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        parts = split_gold(self, gold)
        return [
            *unsent(parts),
            *(p for p in near(self, parts, 0, 0, ("left",)) if not p.passes),
            dropped(parts, 0),
            repeated(parts, 0),
            *(_swapped(self, parts, place) for place in (1,) if len(parts.answer) > 1),
        ]

    def parity(self, gold: Sequence[ActionBase], width: float, height: float) -> dict[str, bool]:
        close = near_targets(self.targets, split_gold(self, gold), width, height)
        return {"open_captchaworld": close}


def _reordered(mechanic: OrderedPoints, gold: TapGold) -> Iterator[Perturbation]:
    """Neighbours swapped, and the last first."""
    count = len(gold.answer)
    yield from (_swapped(mechanic, gold, place) for place in range(1, count))
    if count > 1:
        yield _in_order(mechanic, gold, "reversed", range(count)[::-1])


def _swapped(mechanic: OrderedPoints, gold: TapGold, place: int) -> Perturbation:
    """A tap before the one that comes before it."""
    order = list(range(len(gold.answer)))
    order[place - 1], order[place] = place, place - 1
    return _in_order(mechanic, gold, f"swapped_{place}", order)


def _in_order(
    mechanic: OrderedPoints, gold: TapGold, name: str, order: Sequence[int]
) -> Perturbation:
    """The taps in another order: right only where zones overlap and each tap is in both."""
    points: list[Point] = gold.points
    passes = all(k in mechanic.hit_by(points[place]) for k, place in enumerate(order))
    return gold.of(name, [gold.answer[place] for place in order], passes)
