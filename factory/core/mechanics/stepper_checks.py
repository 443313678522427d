"""Steppers by arithmetic: predicted verdicts of changed golds, and the grid.

A gold moves each dial one way only, so that where a changed one ends is a sum, taken
modulo the count or cut off at the ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from factory.core.actions import ActionBase, Click, DoubleClick
from factory.core.geometry import Box, Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.tap_checks import (
    TapGold,
    box_edges,
    send_survives,
    split_gold,
    strays,
    unsent,
)
from factory.core.mechanics.taps import apart_on_grid, box_survives

if TYPE_CHECKING:
    from factory.core.mechanics.stepper import Axis, Stepper


def stepper_grid_safe(
    stepper: Stepper, gold: Sequence[ActionBase], width: float, height: float
) -> bool:
    """Whether each tap stays on its arrow, and taps on one arrow apart, in all readings."""
    parts = split_gold(stepper, gold)
    arrows = [_arrow(stepper, point) for point in parts.points]
    return (
        send_survives(stepper, parts, width, height)
        and apart_on_grid(parts.points, width, height)
        and all(
            arrow is not None and box_survives(arrow, point, width, height)
            for arrow, point in zip(arrows, parts.points, strict=True)
        )
    )


def stepper_quick_perturbations(stepper: Stepper, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample."""
    parts = split_gold(stepper, gold)
    return [*unsent(parts), *_recounted(_Run(stepper, parts))]


def stepper_perturbations(stepper: Stepper, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """Every changed gold with its predicted verdict."""
    parts = split_gold(stepper, gold)
    run = _Run(stepper, parts)
    return [
        *strays(stepper, parts),
        *_recounted(run),
        *_other_way(run),
        *_places(run),
        *_edged(run),
        parts.of("reversed", parts.answer[::-1], True),
    ]


def _arrow(stepper: Stepper, point: Point) -> Box | None:
    """The arrow at the point."""
    return next((box for box in stepper.controls() if box.contains(point)), None)


class _Run:
    """The gold's taps on the first dial that it moves, and the rest of it."""

    def __init__(self, stepper: Stepper, gold: TapGold) -> None:
        self.stepper, self.gold = stepper, gold
        self.axis = next(axis for axis in stepper.axes if axis.shortest()[0])
        self.steps, self.way = self.axis.shortest()
        self.own, self.rest = gold.answer[: self.steps], gold.answer[self.steps :]

    def of(self, name: str, taps: Sequence[ActionBase], *, net: int) -> Perturbation:
        """Other taps on this dial, which move it by ``net`` steps before the ends cut it off."""
        return self.gold.of(name, [*taps, *self.rest], _lands(self.axis, net))

    def back(self) -> Box | None:
        """The arrow that the gold does not use."""
        return self.axis.prev if self.way > 0 else self.axis.next


def _lands(axis: Axis, net: int) -> bool:
    """Whether the dial is right after so many steps in one direction."""
    end = axis.start + net
    at = end % axis.count if axis.wrap else sorted((0, end, axis.count - 1))[1]
    return at in axis.targets


def _recounted(run: _Run) -> Iterator[Perturbation]:
    """One tap fewer and one more: right only if that is a target as well."""
    steps, way, own = run.steps, run.way, run.own
    yield run.of("dropped", own[1:], net=way * (steps - 1))
    yield run.of("repeated", [own[0], *own], net=way * (steps + 1))


def _other_way(run: _Run) -> Iterator[Perturbation]:
    """All round, round the other way, the wrong way, and one too far and back."""
    axis, steps, way, own = run.axis, run.steps, run.way, run.own
    if axis.wrap:
        turn = [own[0]] * axis.count
        yield run.of("all_round", [*own, *turn], net=way * (steps + axis.count))
    arrow = run.back()
    if arrow is None:
        return
    back = Click(arrow.center)
    yield run.of("wrong_way", [back] * steps, net=-way * steps)
    if axis.wrap:
        yield run.of("other_way", [back] * (axis.count - steps), net=way * (steps - axis.count))
    end = axis.start + way * steps
    if axis.wrap or 0 <= end + way < axis.count:
        yield run.of("too_far_and_back", [*own, own[0], back], net=way * steps)
        yield run.of("back_and_more", [*own, back, own[0]], net=way * steps)


def _places(run: _Run) -> Iterator[Perturbation]:
    """Where on the arrow taps land does not matter; two clicks in one are two."""
    steps, way, own = run.steps, run.way, run.own
    point = run.gold.points[0]
    yield run.of("one_place", [Click(point)] * steps, net=way * steps)
    yield run.of("double", [DoubleClick(point), *own[1:]], net=way * (steps + 1))


def _edged(run: _Run) -> Iterator[Perturbation]:
    """The first tap just inside corners of its arrow, and just outside, on no arrow."""
    arrow = _arrow(run.stepper, run.gold.points[0])
    assert arrow is not None, "the gold's taps are on arrows"
    for edge in box_edges(arrow, run.stepper.px_per_css):
        answer = run.gold.replaced(0, edge.point)
        if edge.within:
            yield run.gold.of(f"inside_{edge.side}", answer, True)
        elif run.stepper.clear_of_controls(edge.point):
            yield run.gold.of(f"outside_{edge.side}", answer, False)
