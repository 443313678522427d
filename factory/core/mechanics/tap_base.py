"""The state machine of all click mechanics: taps, the submit button, the verdict.

A mechanic of taps says which control is at a point and what a sequence of taps is worth;
everything else is here.

Strict about what does not belong to the solution: a press on no control, another button,
a longer move (a drag) or a longer press, a key, or anything after the submit click fails
for good with ``extra_action``. Where a submit button is drawn, nothing is judged before it
is tapped; without one, the verdict is on the world as it stands. Waits, hovers and
``Finished`` are harmless.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Self, cast

import msgspec

from factory.core.actions import ActionBase, Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import SOLVED, Mechanic, Similarity, Verdict, failed, similarity
from factory.core.mechanics.events import Event, Key, Other, Press, Release
from factory.core.mechanics.taps import is_tap, near_center, refuse_bad_boxes
from factory.core.rng import Stream

SUBMIT, SKIP, GROUND = -1, -2, -3
"""Controls that are no items: either button ends the answer, a tap on ``GROUND`` does nothing."""


class Tap(NamedTuple):
    """One tap: the control under it, where, and the item that a drag from there ended on."""

    control: int
    point: Point
    dropped_on: int | None = None


class TapWorld(msgspec.Struct, frozen=True):
    """The taps so far, the control that is pressed at the moment, and whether it is over."""

    taps: tuple[Tap, ...] = ()
    pressed: int | None = None
    press: Point = Point(0.0, 0.0)
    press_ms: float = 0.0
    submitted: bool = False
    fault: str = ""


class TapMechanic(Mechanic[TapWorld], frozen=True, kw_only=True):
    """Base of the click mechanics; boxes in px of the frame, final canvas once mapped."""

    submit: Box | None = None
    px_per_css: float = 1.0

    def item_at(self, point: Point) -> int | None:
        """The item or button at the point, ``GROUND`` for nothing that minds, or ``None``."""
        raise NotImplementedError

    def drop_at(self, pressed: int, point: Point) -> int | None:
        """The item that a drag from item ``pressed`` to the point ends on; ``None``: no drags."""
        return None

    def unsolved(self, taps: Sequence[Tap]) -> str:
        """Why the taps do not solve the puzzle, in one word; empty when they do."""
        raise NotImplementedError

    def controls(self) -> tuple[Box, ...]:
        """Boxes that hold all controls but the submit button."""
        raise NotImplementedError

    def clear_of_controls(self, point: Point) -> bool:
        """Whether no control, nor the submit button, holds the point."""
        boxes = [*self.controls(), *([] if self.submit is None else [self.submit])]
        return not any(box.contains(point) for box in boxes)

    def control_at(self, point: Point) -> int | None:
        """The same as ``item_at``, with the submit button."""
        if self.submit is not None and self.submit.contains(point):
            return SUBMIT
        return self.item_at(point)

    def start(self) -> TapWorld:
        return TapWorld()

    def step(self, world: TapWorld, event: Event) -> TapWorld:
        if isinstance(event, Press):
            return self._press(world, event)
        if isinstance(event, Release):
            return world if world.pressed is None else self._release(world, world.pressed, event)
        if isinstance(event, Key | Other):
            return _faulty(world)
        return world

    def _press(self, world: TapWorld, event: Press) -> TapWorld:
        point = Point(event.x, event.y)
        skipped = world.submitted and bool(world.taps) and world.taps[-1].control == SKIP
        over = world.submitted and not skipped
        free = not (world.fault or over or world.pressed is not None)
        control = self.control_at(point) if free and event.button == "left" else None
        if control is None or (skipped and control != SUBMIT):  # a skip may be confirmed
            return _faulty(world)
        return TapWorld(world.taps, control, point, event.t_ms)

    def _release(self, world: TapWorld, pressed: int, event: Release) -> TapWorld:
        point, press, target = Point(event.x, event.y), world.press, None
        good = is_tap(press, world.press_ms, event, self.px_per_css)
        if good:
            good = point == press or self.control_at(point) == pressed
        else:
            target = self.drop_at(pressed, point)
            good = target is not None
        if not good:
            return _faulty(world)
        if pressed in (SUBMIT, GROUND):
            return TapWorld(world.taps, submitted=pressed == SUBMIT)
        return TapWorld((*world.taps, Tap(pressed, press, target)), submitted=pressed == SKIP)

    def verdict(self, world: TapWorld) -> Verdict:
        if world.fault:
            return failed(world.fault)
        if world.pressed is not None:
            return failed("not_released")
        if self.submit is not None and not world.submitted:
            return failed("not_submitted")
        if not world.taps:
            return failed("no_taps")
        reason = self.unsolved(world.taps)
        return failed(reason) if reason else SOLVED

    def submitted_after(self, taps: Sequence[ActionBase], stream: Stream) -> list[ActionBase]:
        """The taps, with the submit click after them where there is such a button."""
        if self.submit is None:
            return list(taps)
        return [*taps, Click(near_center(self.submit, stream))]

    def submit_slot(self) -> str:
        """The token for a goal text."""
        return "none" if self.submit is None else "button"

    def mapped(self, page_from_panel: PlaneMap) -> Self:
        """Boxes and zones move; indices and CSS px stay."""
        move = similarity(page_from_panel)
        fields = {name: _moved(getattr(self, name), move) for name in self.__struct_fields__}
        fields["px_per_css"] = self.px_per_css * move.scale
        return msgspec.structs.replace(self, **fields)

    def refuse_bad_frame(self, controls: Sequence[Box]) -> None:
        """``InvalidOptions`` for a bad scale, or for controls that a tap could not tell apart."""
        if not (math.isfinite(self.px_per_css) and self.px_per_css > 0):
            raise InvalidOptions(f"px_per_css is {self.px_per_css}, not a positive number")
        refuse_bad_boxes([*controls, *([] if self.submit is None else [self.submit])])


def _moved(value: Any, move: Similarity) -> Any:
    """A box, or what knows how to move, mapped, also inside tuples; anything else as it is."""
    if isinstance(value, Box):
        return move.box(value)
    if hasattr(value, "moved_by"):
        return value.moved_by(move)
    if isinstance(value, tuple):
        return tuple([_moved(item, move) for item in cast("tuple[Any, ...]", value)])
    return value


def _faulty(world: TapWorld) -> TapWorld:
    """The world after something that does not belong: it cannot pass any more."""
    return TapWorld(world.taps, submitted=world.submitted, fault="extra_action")
