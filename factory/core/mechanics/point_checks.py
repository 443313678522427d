"""Unordered points by arithmetic: predicted verdicts of changed golds, and the grid.

Predictions about which sets pass are made where grown zones do not touch, so that the zone
of each tap is known without a matching; the rest holds for any zones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from factory.core.actions import ActionBase, Click
from factory.core.mechanics import Perturbation
from factory.core.mechanics.matching import matching
from factory.core.mechanics.picture_taps import distracted, dropped, near, repeated
from factory.core.mechanics.tap_checks import TapGold, split_gold, strays, unsent
from factory.core.mechanics.taps import apart, grid_spread, zone_survives

if TYPE_CHECKING:
    from factory.core.mechanics.points import Points

MOST_SETS = 6
"""How many other sets of targets are tried."""


def _aims(points: Points, gold: TapGold) -> list[int]:
    """The target of each tap of the gold, where each has one."""
    hits = matching([points.hit_by(point) for point in gold.points])
    return [hit for hit in hits if hit is not None]


def points_grid_safe(
    points: Points, gold: Sequence[ActionBase], width: float, height: float
) -> bool:
    """Whether each tap stays in its zone, and out of excluded ones, in all readings."""
    parts = split_gold(points, gold)
    aims = _aims(points, parts)
    return (
        len(aims) == len(parts.answer)
        and points.taps_survive(parts, width, height)
        and all(
            zone_survives(points.targets[aim], points.grow_px, point, width, height)
            for aim, point in zip(aims, parts.points, strict=True)
        )
        and not (
            points.exclude
            and any(
                points.excluded(read)
                for point in parts.points
                for read in grid_spread(point, width, height)
            )
        )
    )


def points_quick_perturbations(points: Points, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample."""
    parts = split_gold(points, gold)
    aims = _aims(points, parts)
    outside = near(points, parts, 0, aims[0], ("left",)) if aims else ()
    return [
        *unsent(parts),
        *(found for found in outside if not found.passes),
        *([dropped(parts, 0)] if not points.accepted else []),
        repeated(parts, 0),
    ]


def points_perturbations(points: Points, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """Every changed gold with its predicted verdict."""
    parts = split_gold(points, gold)
    aims = _aims(points, parts)
    places = range(len(parts.answer))
    return [
        *strays(points, parts),
        *(found for place in places for found in _near(points, parts, place, aims[place])),
        *(found for place in places for found in _recounted(points, parts, place, aims)),
        *_reordered(parts),
        *distracted(points, parts),
        *_excluded(points, parts),
        *(_sets(points, parts, aims) if _told_apart(points) else ()),
    ]


def _near(points: Points, gold: TapGold, place: int, aim: int) -> Iterator[Perturbation]:
    """As for all pictures; just inside a zone may be excluded."""
    for found in near(points, gold, place, aim):
        tap = found.actions[place]
        passes = found.passes and isinstance(tap, Click) and not points.excluded(tap.point)
        yield found._replace(passes=passes)


def _recounted(
    points: Points, gold: TapGold, place: int, aims: Sequence[int]
) -> Iterator[Perturbation]:
    """One tap left out (which may leave another accepted subset), and the same tap twice."""
    yield repeated(gold, place)
    if not points.accepted or _told_apart(points):
        rest = [aim for k, aim in enumerate(aims) if k != place]
        yield dropped(gold, place, passes=bool(rest) and _solves(points, rest))


def _solves(points: Points, aims: Sequence[int]) -> bool:
    """Whether exactly these targets, each once, are what is asked for."""
    if len(set(aims)) != len(aims):
        return False
    if points.accepted:
        return any(sorted(subset) == sorted(aims) for subset in points.accepted)
    return len(aims) == (len(points.targets) if points.need is None else points.need)


def _reordered(gold: TapGold) -> Iterator[Perturbation]:
    """The order does not matter."""
    if len(gold.answer) > 1:
        yield gold.of("reversed", gold.answer[::-1], True)
        yield gold.of("swapped", [gold.answer[1], gold.answer[0], *gold.answer[2:]], True)


def _excluded(points: Points, gold: TapGold) -> Iterator[Perturbation]:
    """A tap into an excluded zone instead of the first, and besides."""
    for number, zone in enumerate(points.exclude):
        point = zone.center
        yield gold.of(f"excluded_{number}_first", gold.replaced(0, point), False)
        yield gold.of(f"added_excluded_{number}", [*gold.answer, Click(point)], False)


def _told_apart(points: Points) -> bool:
    """Whether no two grown zones come near each other."""
    boxes = [zone.box.grown(max(points.grow_px, 0.0)) for zone in points.targets]
    return not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def _sets(points: Points, gold: TapGold, aims: Sequence[int]) -> Iterator[Perturbation]:
    """Other sets of as many targets, a target too many, and one target twice."""
    centers = [zone.center for zone in points.targets]
    if not apart(centers) or any(
        points.excluded(c) or not points.area.contains(c) for c in centers
    ):
        return
    everything = range(len(centers))
    for number, chosen in enumerate(combinations(everything, len(aims))):
        if number < MOST_SETS:
            name = f"set_{number}"
            yield gold.of(name, [Click(centers[k]) for k in chosen], _solves(points, chosen))
    for number, subset in enumerate(points.accepted[:MOST_SETS]):
        yield gold.of(f"accepted_{number}", [Click(centers[k]) for k in subset], True)
    for extra in [k for k in everything if k not in aims][:1]:
        passes = _solves(points, [*aims, extra])
        yield gold.of("added_target", [*gold.answer, Click(centers[extra])], passes)
    yield from _twice(points, gold, aims)


def _twice(points: Points, gold: TapGold, aims: Sequence[int]) -> Iterator[Perturbation]:
    """Two taps in one zone, as many as are needed: the second has no target of its own."""
    if len(aims) < 2:
        return
    zone, first = points.targets[aims[0]], gold.points[0]
    again = zone.center
    aside = again._replace(x=again.x + 0.5 * zone.core_px)
    point = aside if apart([again, first]) is False else again
    if apart([point, first]) and not points.excluded(point):
        yield gold.of("one_target_twice", gold.replaced(1, point), False)
