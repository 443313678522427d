"""Stepper: arrows turn pages, a heading or dials, one step a tap.

The verdict is on where each dial stands in the end, however it got there: with ``wrap``
positions come round (a heading is its index modulo the steps of a turn), without it an
arrow at the end does nothing. Where on an arrow taps land does not matter to the verdict;
golds keep them a px apart, since some benchmarks count no two taps at one place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Self

import msgspec

from factory.core.actions import ActionBase, Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import PartPose, Perturbation, Pose, Similarity, register_mechanic
from factory.core.mechanics.stepper_checks import (
    stepper_grid_safe,
    stepper_perturbations,
    stepper_quick_perturbations,
)
from factory.core.mechanics.tap_base import Tap, TapMechanic, TapWorld
from factory.core.mechanics.taps import spread_points
from factory.core.rng import Stream


class Axis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One dial: its arrows, ``count`` positions, where it starts and where it is right.

    A ``part`` of the artwork, where there is one, turns and moves with it by so much a step
    (degrees clockwise, px of the frame), from its home at position 0.
    """

    next: Box
    count: int
    targets: tuple[int, ...]
    prev: Box | None = None
    start: int = 0
    wrap: bool = True
    part: str = ""
    turn_deg_per_step: float = 0.0
    dx_per_step: float = 0.0
    dy_per_step: float = 0.0

    def __post_init__(self) -> None:
        """Refuse positions that are none, and targets that the arrows do not reach."""
        places = set(range(self.count))
        if self.count < 2 or self.start not in places:
            raise InvalidOptions(f"a dial of {self.count} positions cannot start at {self.start}")
        if not self.targets or not set(self.targets) <= places:
            raise InvalidOptions(f"targets {self.targets} on a dial of {self.count} positions")
        if not any(self.runs()):
            raise InvalidOptions(f"no arrow leads from {self.start} to {self.targets}")

    def moved_by(self, move: Similarity) -> Self:
        """The axis mapped."""
        return msgspec.structs.replace(
            self,
            next=move.box(self.next),
            prev=None if self.prev is None else move.box(self.prev),
            dx_per_step=self.dx_per_step * move.scale,
            dy_per_step=self.dy_per_step * move.scale,
        )

    def after(self, position: int, step: int) -> int:
        """The position after one step, 1 or -1."""
        there = position + step
        return there % self.count if self.wrap else min(max(there, 0), self.count - 1)

    def runs(self) -> list[tuple[int, int]]:
        """``(steps, way)`` to every target in every way that leads there; way is 1 or -1."""
        found: list[tuple[int, int]] = []
        for target in self.targets:
            for way in (1, -1) if self.prev is not None else (1,):
                steps = way * (target - self.start)
                if self.wrap:
                    steps %= self.count
                if steps >= 0:
                    found.append((steps, way))
        return found

    def shortest(self) -> tuple[int, int]:
        """The fewest ``(steps, way)``; forward where both ways are as short."""
        return min(self.runs(), key=lambda run: (run[0], -run[1]))


@register_mechanic
class Stepper(TapMechanic, frozen=True, tag="stepper", forbid_unknown_fields=True):
    """One dial or several. ``Stepper.of`` makes one of a single dial.

    A pose's ``page`` is the position; of several dials it counts all combinations, the
    first dial fastest.
    """

    axes: tuple[Axis, ...]

    @classmethod
    def of(
        cls,
        *,
        next: Box,
        count: int,
        targets: tuple[int, ...],
        prev: Box | None = None,
        start: int = 0,
        wrap: bool = True,
        submit: Box | None = None,
        px_per_css: float = 1.0,
    ) -> Stepper:
        """A stepper of one dial."""
        axis = Axis(next=next, count=count, targets=targets, prev=prev, start=start, wrap=wrap)
        return cls(axes=(axis,), submit=submit, px_per_css=px_per_css)

    def __post_init__(self) -> None:
        """Refuse arrows that overlap, and dials that stand right before they are touched."""
        self.refuse_bad_frame(self.controls())
        if all(axis.start in axis.targets for axis in self.axes):
            raise InvalidOptions("this stepper is solved before it is touched, or has no dials")

    def controls(self) -> tuple[Box, ...]:
        arrows = [box for axis in self.axes for box in (axis.prev, axis.next)]
        return tuple(box for box in arrows if box is not None)

    def item_at(self, point: Point) -> int | None:
        for number, axis in enumerate(self.axes):
            if axis.next.contains(point):
                return 2 * number + 1
            if axis.prev is not None and axis.prev.contains(point):
                return 2 * number
        return None

    def positions(self, taps: Sequence[Tap]) -> list[int]:
        """Where the dials stand after the taps."""
        at = [axis.start for axis in self.axes]
        for tap in taps:
            number, forward = divmod(tap.control, 2)
            at[number] = self.axes[number].after(at[number], 1 if forward else -1)
        return at

    def unsolved(self, taps: Sequence[Tap]) -> str:
        at = self.positions(taps)
        right = all(place in axis.targets for axis, place in zip(self.axes, at, strict=True))
        return "" if right else "off_target"

    def pose(self, world: TapWorld) -> Pose:
        return self._pose_at(self.positions(world.taps))

    def candidates(self) -> list[Pose]:
        """All positions of a single dial, in the order in which its arrows reach them.

        A dial without a jump between its ends that starts between them goes from end to end.
        """
        axis, *others = self.axes
        if others:
            return []
        order = list(range(axis.count))
        if axis.wrap:
            order = order[axis.start :] + order[: axis.start]
        elif axis.start == axis.count - 1:
            order = order[::-1]
        return [self._pose_at([place]) for place in order]

    def _pose_at(self, at: Sequence[int]) -> Pose:
        radix = [math.prod(axis.count for axis in self.axes[:k]) for k in range(len(at))]
        parts = {
            axis.part: PartPose(
                axis.dx_per_step * place, axis.dy_per_step * place, axis.turn_deg_per_step * place
            )
            for axis, place in zip(self.axes, at, strict=True)
            if axis.part
        }
        return Pose(parts=parts, page=sum(p * r for p, r in zip(at, radix, strict=True)))

    def gold(self, stream: Stream) -> list[ActionBase]:
        """The shortest run of taps for each dial, then submit."""
        taps: list[ActionBase] = []
        for axis in self.axes:
            steps, way = axis.shortest()
            arrow = axis.next if way > 0 or axis.prev is None else axis.prev
            if steps:
                taps += [Click(point) for point in spread_points(arrow, steps, stream)]
        return self.submitted_after(taps, stream)

    def goal_slots(self) -> dict[str, str]:
        both = all(axis.prev is not None for axis in self.axes)
        return {
            "handle": "arrows" if both else "arrow",
            "dials": str(len(self.axes)),
            "submit": self.submit_slot(),
        }

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        return stepper_grid_safe(self, gold, width, height)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return stepper_perturbations(self, gold)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return stepper_quick_perturbations(self, gold)
