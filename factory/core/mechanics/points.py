"""Points: tap targets in a picture, in any order.

The verdict is on the taps since the panel was drawn: as many as are needed, each in the
zone of a target of its own, all at least a canvas px apart, none in an excluded zone. Who
has which target is decided by a maximum matching, so that overlapping zones are judged
fairly. Give ``targets`` in reading order: golds tap them in that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from factory.core.actions import ActionBase, Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Point
from factory.core.mechanics import Mark, Perturbation, Pose, register_mechanic
from factory.core.mechanics.matching import matches_all
from factory.core.mechanics.picture_taps import PictureTaps, badges
from factory.core.mechanics.point_checks import (
    points_grid_safe,
    points_perturbations,
    points_quick_perturbations,
)
from factory.core.mechanics.tap_base import Tap, TapWorld
from factory.core.mechanics.tap_checks import near_targets, split_gold
from factory.core.mechanics.taps import JITTER_SHARE, apart, near_center
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

SEARCH_STEPS = 16
"""Places on each axis at which a gold looks for room between excluded zones."""


@register_mechanic
class Points(PictureTaps, frozen=True, tag="points", forbid_unknown_fields=True):
    """Targets of which all are to be tapped, or any ``need``, or one of the ``accepted`` subsets.

    ``accepted`` holds tuples of indices. A tap in an ``exclude`` zone is wrong even inside a
    target; that makes targets with holes. ``marks``: what a tap leaves behind.
    """

    need: int | None = None
    accepted: tuple[tuple[int, ...], ...] = ()
    exclude: tuple[Zone, ...] = ()
    marks: Literal["tick", "badge", "none"] = "tick"

    def __post_init__(self) -> None:
        """Refuse counts and subsets that no taps can meet."""
        self.refuse_bad_picture()
        count = len(self.targets)
        if self.need is not None and (self.accepted or not 1 <= self.need <= count):
            raise InvalidOptions(f"need is 1 to {count} and excludes subsets, not {self.need}")
        for subset in self.accepted:
            if not subset or len(set(subset)) != len(subset) or not set(subset) <= {*range(count)}:
                raise InvalidOptions(f"{subset} is no subset of {count} targets")

    def counts(self) -> set[int]:
        """How many taps may be right."""
        if self.accepted:
            return {len(subset) for subset in self.accepted}
        return {len(self.targets) if self.need is None else self.need}

    def excluded(self, point: Point) -> bool:
        """Whether a tap there is wrong whatever else is there."""
        return any(zone.contains(point) for zone in self.exclude)

    def unsolved(self, taps: Sequence[Tap]) -> str:
        if len(taps) not in self.counts():
            return "wrong_count"
        points = [tap.point for tap in taps]
        hits: list[list[int]] = []
        for point in points:
            hits.append(self.hit_by(point))
            if not hits[-1] or self.excluded(point):
                return "excluded" if hits[-1] else "off_target"
        if not apart(points):
            return "same_place"
        if not matches_all(hits):
            return "same_target"
        return "" if not self.accepted or self._accepts(hits) else "wrong_set"

    def _accepts(self, hits: Sequence[Sequence[int]]) -> bool:
        """Whether the taps can be matched with the whole of an accepted subset."""
        return any(
            matches_all([[k for k in hit if k in subset] for hit in hits])
            for subset in self.accepted
            if len(subset) == len(hits)
        )

    def pose(self, world: TapWorld) -> Pose:
        if self.marks == "badge":
            return Pose(marks=badges(world.taps))
        if self.marks == "tick":
            return Pose(marks=tuple(Mark("tick", (tap.point,)) for tap in world.taps))
        return Pose()

    def gold(self, stream: Stream) -> list[ActionBase]:
        """A click near the middle of each target (of a subset, by chance), then submit."""
        chosen: Sequence[int] = range(len(self.targets))
        if self.accepted:
            chosen = stream.choice(self.accepted)
        elif self.need is not None:
            chosen = sorted(stream.sample(chosen, self.need))
        taps = [Click(self._aim(self.targets[index], stream)) for index in chosen]
        return self.submitted_after(taps, stream)

    def _aim(self, zone: Zone, stream: Stream) -> Point:
        """A point well inside the zone and away from what is excluded."""
        if not self.exclude:
            return near_center(zone, stream)
        best = max(self._places(zone), key=lambda place: self._room(zone, place))
        room = max(self._room(zone, best), 0.0)
        return Point(
            best.x + stream.uniform(-JITTER_SHARE, JITTER_SHARE) * 2.0 * room,
            best.y + stream.uniform(-JITTER_SHARE, JITTER_SHARE) * 2.0 * room,
        )

    def _places(self, zone: Zone) -> list[Point]:
        """The zone's middle and a lattice over its box."""
        box = zone.box
        shares = [(k + 0.5) / SEARCH_STEPS for k in range(SEARCH_STEPS)]
        lattice = [
            Point(box.x0 + u * box.width, box.y0 + v * box.height) for v in shares for u in shares
        ]
        return [zone.center, *lattice]

    def _room(self, zone: Zone, place: Point) -> float:
        """The radius of the disc about the place that is inside the zone and not excluded."""
        return min(zone.depth(place), *(-other.depth(place) for other in self.exclude))

    def goal_slots(self) -> dict[str, str]:
        counts = sorted(self.counts())
        return {
            "handle": "picture",
            "order": "any",
            "count": str(counts[0]) if len(counts) == 1 else "some",
            "submit": self.submit_slot(),
        }

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        return points_grid_safe(self, gold, width, height)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return points_perturbations(self, gold)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return points_quick_perturbations(self, gold)

    def parity(self, gold: Sequence[ActionBase], width: float, height: float) -> dict[str, bool]:
        close = near_targets(self.targets, split_gold(self, gold), width, height)
        return {"open_captchaworld": close}
