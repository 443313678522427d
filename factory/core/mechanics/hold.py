"""Hold: a button is held down for a while.

The clock runs while the pointer stays down on the button. Letting go too early, or
slipping off the button, resets it, as on real pages, and may be made good; after
``tries`` such tries no other one counts, so that no list of ever longer holds passes.
Holding on for longer than ``need_ms + slack_ms`` fails for good with ``too_long``.

Strict about what does not belong to the solution: a press anywhere but on the button (or
the drawn submit button), a key, or anything after the hold that was right fails for good
with ``extra_action``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, Self

import msgspec

from factory.core.actions import HOLD_MS, ActionBase, Click, LongPress
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import (
    MAX_DURATION_MS,
    SOLVED,
    Mark,
    Mechanic,
    Perturbation,
    Pose,
    Verdict,
    failed,
    register_mechanic,
    similarity,
)
from factory.core.mechanics.events import Event, Key, Move, Other, Press, Release, clock_after
from factory.core.mechanics.hold_checks import (
    hold_grid_safe,
    hold_perturbations,
    hold_quick_perturbations,
)
from factory.core.mechanics.taps import LONG_PRESS_MS, near_center, refuse_bad_boxes
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

__all__ = ["Hold", "HoldWorld"]

TRIES = 2
"""Too short a hold may be made good once: a slip of the finger, not a search."""
EPSILON_MS = 1e-6
"""Makes inclusive bounds survive sums of times; far below what anyone can hold to."""
GOLD_LOW, GOLD_HIGH = 0.15, 0.6
"""How much longer than needed gold holds, as shares of the slack."""


class HoldWorld(msgspec.Struct, frozen=True):
    """The clock, what is held since when, and how the tries went."""

    clock_ms: float = 0.0
    held: Literal["", "button", "submit"] = ""
    since_ms: float = 0.0
    slipped: bool = False
    failures: int = 0
    reason: str = "not_held"
    done: bool = False
    submitted: bool = False
    fault: str = ""


@register_mechanic
class Hold(Mechanic[HoldWorld], frozen=True, tag="hold", forbid_unknown_fields=True):
    """A button (``zone``, px of the frame) and how long it has to be held, bounds included."""

    zone: Zone
    need_ms: float
    slack_ms: float
    tries: int = TRIES
    submit: Box | None = None
    px_per_css: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what a tap would solve, and what nobody could hold."""
        good = self.need_ms >= LONG_PRESS_MS and self.slack_ms > 0
        if not (good and self.need_ms + self.slack_ms <= MAX_DURATION_MS):
            raise InvalidOptions(
                f"a hold needs at least {LONG_PRESS_MS:g} ms and some slack, not {self.need_ms} "
                f"and {self.slack_ms}"
            )
        if not (math.isfinite(self.px_per_css) and self.px_per_css > 0) or self.tries < 1:
            raise InvalidOptions(f"a hold needs a positive scale and a try: {self}")
        refuse_bad_boxes([self.zone.box, *([] if self.submit is None else [self.submit])])

    @property
    def takes_default(self) -> bool:
        """Whether a LongPress without a duration, as texts write it, is long enough."""
        return self.need_ms <= HOLD_MS <= self.need_ms + self.slack_ms

    def start(self) -> HoldWorld:
        return HoldWorld()

    def step(self, world: HoldWorld, event: Event) -> HoldWorld:
        clock = clock_after(world.clock_ms, event)
        if clock != world.clock_ms:
            world = msgspec.structs.replace(world, clock_ms=clock)
        if isinstance(event, Press):
            return self._press(world, event)
        if isinstance(event, Move | Release):
            return self._pointer(world, Point(event.x, event.y), isinstance(event, Release))
        return _faulty(world) if isinstance(event, Key | Other) else world

    def _press(self, world: HoldWorld, event: Press) -> HoldWorld:
        busy = world.fault or world.submitted or world.held
        if busy or event.button != "left":
            return _faulty(world)
        point = Point(event.x, event.y)
        held: Literal["", "button", "submit"] = ""
        if self.submit is not None and self.submit.contains(point):
            held = "submit"
        elif self.zone.contains(point) and not world.done:
            held = "button"
        if not held:
            return _faulty(world)
        return msgspec.structs.replace(world, held=held, since_ms=world.clock_ms, slipped=False)

    def _pointer(self, world: HoldWorld, point: Point, released: bool) -> HoldWorld:
        if world.held == "button":
            slipped = world.slipped or not self.zone.contains(point)
            if released:
                return self._let_go(world, slipped)
            return msgspec.structs.replace(world, slipped=slipped)
        if world.held == "submit" and released:
            if self.submit is None or not self.submit.contains(point):
                return _faulty(world)
            return msgspec.structs.replace(world, held="", submitted=True)
        return world

    def _let_go(self, world: HoldWorld, slipped: bool) -> HoldWorld:
        """The button released: right, to be made good, or for good."""
        held_ms = world.clock_ms - world.since_ms
        if held_ms > self.need_ms + self.slack_ms + EPSILON_MS:
            return _faulty(world, "too_long")
        if held_ms >= self.need_ms - EPSILON_MS and not slipped:
            return msgspec.structs.replace(world, held="", done=True)
        reason, failures = "slipped" if slipped else "too_short", world.failures + 1
        if failures >= self.tries:
            return _faulty(world, reason)
        return msgspec.structs.replace(world, held="", failures=failures, reason=reason)

    def verdict(self, world: HoldWorld) -> Verdict:
        if world.fault:
            return failed(world.fault)
        if world.held:
            return failed("not_released")
        if not world.done:
            return failed(world.reason)
        if self.submit is not None and not world.submitted:
            return failed("not_submitted")
        return SOLVED

    def pose(self, world: HoldWorld) -> Pose:
        """A bar that fills while the button is held, full once that is done."""
        share = 1.0 if world.done else 0.0
        if world.held == "button" and not world.slipped:
            share = min(1.0, (world.clock_ms - world.since_ms) / self.need_ms)
        box = self.zone.box
        corners = (Point(box.x0, box.y0), Point(box.x1, box.y1))
        return Pose(marks=(Mark("progress", corners, value=share),) if share else ())

    def gold(self, stream: Stream) -> list[ActionBase]:
        """One hold a little longer than needed, then submit."""
        over = self.slack_ms * stream.uniform(GOLD_LOW, GOLD_HIGH)
        actions: list[ActionBase] = [
            LongPress(near_center(self.zone, stream), duration_ms=round(self.need_ms + over, 3))
        ]
        if self.submit is not None:
            actions.append(Click(near_center(self.submit, stream)))
        return actions

    def goal_slots(self) -> dict[str, str]:
        return {
            "handle": "button",
            "seconds": f"{self.need_ms / 1000:g}",
            "submit": "none" if self.submit is None else "button",
        }

    def mapped(self, page_from_panel: PlaneMap) -> Self:
        move = similarity(page_from_panel)
        return msgspec.structs.replace(
            self,
            zone=self.zone.moved_by(move),
            submit=None if self.submit is None else move.box(self.submit),
            px_per_css=self.px_per_css * move.scale,
        )

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        return hold_grid_safe(self, gold, width, height)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return hold_perturbations(self, gold)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return hold_quick_perturbations(self, gold)


def _faulty(world: HoldWorld, fault: str = "extra_action") -> HoldWorld:
    """The world after something that cannot be made good."""
    return msgspec.structs.replace(world, held="", fault=world.fault or fault)
