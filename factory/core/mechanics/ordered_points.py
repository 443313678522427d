"""Ordered points: tap targets in a picture, one after another.

The verdict is on the taps since the panel was drawn: as many as there are targets, the
k-th inside the k-th zone, grown by ``grow_css_px``, all at least a canvas px apart. Taps
cannot be taken back. A tap elsewhere in the picture counts as one, a tap outside it fails
for good.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from factory.core.actions import ActionBase, Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import Mark, Perturbation, Pose, register_mechanic
from factory.core.mechanics.tap_base import Tap, TapMechanic, TapWorld
from factory.core.mechanics.tap_checks import (
    TapGold,
    edges,
    near_targets,
    send_survives,
    split_gold,
    strays,
    unsent,
)
from factory.core.mechanics.taps import (
    GROW_CSS_PX,
    apart,
    apart_on_grid,
    box_survives,
    near_center,
    zone_survives,
)
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

PICTURE = 0
"""The one control beside the submit button."""


@register_mechanic
class OrderedPoints(TapMechanic, frozen=True, tag="ordered_points", forbid_unknown_fields=True):
    """Targets in the order in which they are to be tapped; px of the frame.

    ``area`` is the picture. ``others`` are distractors: they make near misses and are not
    judged. ``marks`` says whether taps leave numbered badges.
    """

    targets: tuple[Zone, ...]
    area: Box
    others: tuple[Zone, ...] = ()
    grow_css_px: float = GROW_CSS_PX
    marks: Literal["badge", "none"] = "badge"

    def __post_init__(self) -> None:
        """Refuse an empty order, and targets that lie outside the picture."""
        self.refuse_bad_frame([self.area])
        if not self.targets:
            raise InvalidOptions("ordered points need a target at least")
        for zone in self.targets:
            if not self.area.contains(zone.box.center):
                raise InvalidOptions(f"a target at {zone.box} lies outside the picture {self.area}")

    @property
    def grow_px(self) -> float:
        """How far zones reach beyond their ink, px of the frame."""
        return self.grow_css_px * self.px_per_css

    def item_at(self, point: Point) -> int | None:
        return PICTURE if self.area.contains(point) else None

    def controls(self) -> tuple[Box, ...]:
        return (self.area,)

    def hits(self, points: Sequence[Point]) -> bool:
        """Whether the k-th point lies in the k-th zone, for as many as there are of both."""
        grow = self.grow_px
        return all(
            zone.contains(point, grow) for zone, point in zip(self.targets, points, strict=False)
        )

    def unsolved(self, taps: Sequence[Tap]) -> str:
        if len(taps) != len(self.targets):
            return "wrong_count"
        grow = self.grow_px
        for zone, tap in zip(self.targets, taps, strict=True):
            if not zone.contains(tap.point, grow):
                elsewhere = any(other.contains(tap.point, grow) for other in self.targets)
                return "wrong_order" if elsewhere else "off_target"
        points = [tap.point for tap in taps]
        return "" if apart(points) else "same_place"

    def pose(self, world: TapWorld) -> Pose:
        if self.marks == "none":
            return Pose()
        return Pose(
            marks=tuple(
                Mark("badge", (tap.point,), text=str(number))
                for number, tap in enumerate(world.taps, start=1)
            )
        )

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
        parts, size = split_gold(self, gold), (width, height)
        points = parts.points
        return (
            len(points) == len(self.targets)
            and all(map(lambda p: box_survives(self.area, p, *size), points))
            and apart_on_grid(points, *size)
            and send_survives(self, parts, *size)
            and all(
                zone_survives(zone, self.grow_px, point, *size)
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
            *(found for place in places for found in _near(self, parts, place)),
            *(found for place in places for found in _recounted(parts, place)),
            *(found for place in places[1:] for found in _swapped(self, parts, place)),
            *_reversed(self, parts),
            *_distracted(self, parts),
        ]

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        parts = split_gold(self, gold)
        return [
            *unsent(parts),
            *(p for p in _near(self, parts, 0, ("left",)) if not p.passes),
            *_recounted(parts, 0),
            *(_swapped(self, parts, 1) if len(parts.answer) > 1 else ()),
        ]

    def parity(self, gold: Sequence[ActionBase], width: float, height: float) -> dict[str, bool]:
        near = near_targets(self.targets, split_gold(self, gold), width, height)
        return {"open_captchaworld": near}


def _near(
    mechanic: OrderedPoints,
    gold: TapGold,
    place: int,
    sides: Sequence[str] = ("left", "right", "up", "down"),
) -> Iterator[Perturbation]:
    """One tap just inside or just outside its zone."""
    zone, points = mechanic.targets[place], gold.points
    for edge in edges(zone, mechanic.grow_px, mechanic.px_per_css, sides):
        name = f"{'inside' if edge.within else 'outside'}_{place}_{edge.side}"
        others = [*points[:place], edge.point, *points[place + 1 :]]
        passes = edge.within and mechanic.area.contains(edge.point) and apart(others)
        yield gold.of(name, gold.replaced(place, edge.point), passes)


def _recounted(gold: TapGold, place: int) -> Iterator[Perturbation]:
    """One tap left out, and the same tap twice."""
    before, own, after = gold.answer[:place], gold.answer[place], gold.answer[place + 1 :]
    yield gold.of(f"dropped_{place}", [*before, *after], False)
    yield gold.of(f"repeated_{place}", [*before, own, own, *after], False)


def _swapped(mechanic: OrderedPoints, gold: TapGold, place: int) -> Iterator[Perturbation]:
    """A tap before the one that comes before it: right only where each is in both zones."""
    order = list(range(len(gold.answer)))
    order[place - 1], order[place] = place, place - 1
    yield _reordered(mechanic, gold, f"swapped_{place}", order)


def _reversed(mechanic: OrderedPoints, gold: TapGold) -> Iterator[Perturbation]:
    """The last first."""
    order = list(reversed(range(len(gold.answer))))
    if len(order) > 1:
        yield _reordered(mechanic, gold, "reversed", order)


def _reordered(
    mechanic: OrderedPoints, gold: TapGold, name: str, order: Sequence[int]
) -> Perturbation:
    points = gold.points
    passes = mechanic.hits([points[place] for place in order])
    return gold.of(name, [gold.answer[place] for place in order], passes)


def _distracted(mechanic: OrderedPoints, gold: TapGold) -> Iterator[Perturbation]:
    """A tap on a distractor: one too many, or instead of the first."""
    for number, zone in enumerate(mechanic.others):
        point = zone.center
        yield gold.of(f"added_other_{number}", [*gold.answer, Click(point)], False)
        others = [point, *gold.points[1:]]
        passes = mechanic.hits(others) and mechanic.area.contains(point) and apart(others)
        yield gold.of(f"other_{number}_first", gold.replaced(0, point), passes)
