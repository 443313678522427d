"""What mechanics of taps into a picture share: targets, distractors, the picture's box.

A tap elsewhere in the picture counts as one, a tap outside it fails for good. Taps cannot
be taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factory.core.actions import Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import Mark, Perturbation
from factory.core.mechanics.tap_base import Tap, TapMechanic
from factory.core.mechanics.tap_checks import SIDES, TapGold, edges, send_survives
from factory.core.mechanics.taps import GROW_CSS_PX, apart, apart_on_grid, box_survives
from factory.core.mechanics.zones import Zone

PICTURE = 0
"""The one control beside the submit button."""


class PictureTaps(TapMechanic, frozen=True, kw_only=True):
    """``targets`` in a picture that fills ``area``; px of the frame.

    Zones reach ``grow_css_px`` beyond their ink (less when negative). ``others`` are
    distractors: they make near misses and are not judged.
    """

    targets: tuple[Zone, ...]
    area: Box
    others: tuple[Zone, ...] = ()
    grow_css_px: float = GROW_CSS_PX

    def refuse_bad_picture(self) -> None:
        """``InvalidOptions`` for no targets, and for targets that lie outside the picture."""
        self.refuse_bad_frame([self.area])
        if not self.targets:
            raise InvalidOptions("taps into a picture need a target at least")
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

    def hit_by(self, point: Point) -> list[int]:
        """The targets whose grown zones hold the point."""
        grow = self.grow_px
        return [k for k, zone in enumerate(self.targets) if zone.contains(point, grow)]

    def taps_survive(self, gold: TapGold, width: float, height: float) -> bool:
        """Whether taps stay in the picture and apart, and submit is hit, on the grid."""
        points = gold.points
        return (
            all(box_survives(self.area, point, width, height) for point in points)
            and apart_on_grid(points, width, height)
            and send_survives(self, gold, width, height)
        )


def badges(taps: Sequence[Tap]) -> tuple[Mark, ...]:
    """A numbered badge at each tap."""
    return tuple(
        Mark("badge", (tap.point,), text=str(number)) for number, tap in enumerate(taps, start=1)
    )


def near(
    mechanic: PictureTaps, gold: TapGold, place: int, target: int, sides: Sequence[str] = SIDES
) -> Iterator[Perturbation]:
    """The tap at ``place`` just inside or just outside its zone; outside, it is in no other."""
    zone, points = mechanic.targets[target], gold.points
    for edge in edges(zone, mechanic.grow_px, mechanic.px_per_css, sides):
        if not edge.within and mechanic.hit_by(edge.point):
            continue
        name = f"{'inside' if edge.within else 'outside'}_{place}_{edge.side}"
        others = [*points[:place], edge.point, *points[place + 1 :]]
        passes = edge.within and mechanic.area.contains(edge.point) and apart(others)
        yield gold.of(name, gold.replaced(place, edge.point), passes)


def repeated(gold: TapGold, place: int) -> Perturbation:
    """The same tap twice: one too many, and no two taps count at one place."""
    before, own, after = gold.answer[:place], gold.answer[place], gold.answer[place + 1 :]
    return gold.of(f"repeated_{place}", [*before, own, own, *after], False)


def dropped(gold: TapGold, place: int, passes: bool = False) -> Perturbation:
    """One tap left out."""
    rest = [*gold.answer[:place], *gold.answer[place + 1 :]]
    return gold.of(f"dropped_{place}", rest, passes)


def distracted(mechanic: PictureTaps, gold: TapGold) -> Iterator[Perturbation]:
    """A tap on a distractor that is in no target: one too many, or instead of the first."""
    for number, zone in enumerate(mechanic.others):
        point = zone.center
        if not mechanic.hit_by(point):
            yield gold.of(f"added_other_{number}", [*gold.answer, Click(point)], False)
            yield gold.of(f"other_{number}_first", gold.replaced(0, point), False)
