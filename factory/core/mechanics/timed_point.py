"""Timed point: a moving target is tapped, or one that counts only at times.

The target is where its keyframes say at the moment of the press, and a tap hits it within
``radius_px`` and a little more. A tap that misses it, comes while it does not count, after
``until_ms``, or sooner than ``GAP_MS`` after the last hit fails for good, as does anything
after the last hit that is needed (but a tap on the drawn submit button). A target with one
keyframe stands still: that asks for a place, such as the next one of a sequence.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import cached_property
from typing import Self

import msgspec

from factory.core.actions import ActionBase, Click, Wait
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import (
    MAX_DURATION_MS,
    SOLVED,
    Mark,
    Mechanic,
    PartPose,
    Perturbation,
    Pose,
    Verdict,
    failed,
    register_mechanic,
    similarity,
)
from factory.core.mechanics.events import CLICK_MS, Event, Key, Other, Press, Release, clock_after
from factory.core.mechanics.taps import is_tap, near_center, refuse_bad_boxes
from factory.core.mechanics.timed_checks import (
    GAP_MS,
    timed_grid_safe,
    timed_perturbations,
    timed_quick_perturbations,
)
from factory.core.mechanics.timed_path import Course, Keyframe
from factory.core.mechanics.zones import EPSILON_PX
from factory.core.rng import Stream

__all__ = ["Keyframe", "TimedPoint", "TimedWorld"]

EXTRA_CSS_PX, EXTRA_SHARE = 4.0, 0.15
"""A hit may be this far outside the target, the larger of px and a share of the radius
(the house's tolerance table for moving dots)."""
JITTER = 0.15
"""How far from the target's centre gold taps, as a share of its radius and on each axis."""


class TimedWorld(msgspec.Struct, frozen=True):
    """The clock, the hits so far, and the pointer."""

    clock_ms: float = 0.0
    hits: tuple[Point, ...] = ()
    last_ms: float = 0.0
    pressed: str = ""
    press: Point = Point(0.0, 0.0)
    press_ms: float = 0.0
    submitted: bool = False
    fault: str = ""


@register_mechanic
class TimedPoint(
    Mechanic[TimedWorld], frozen=True, dict=True, tag="timed_point", forbid_unknown_fields=True
):
    """A target on its course; px of the frame, ms of the virtual clock.

    ``keyframes`` are linear in between and start again after ``loop_ms``; ``windows`` (from,
    to; in the time of the loop) are when a tap counts, always when there are none. ``count``
    hits are needed, all before ``until_ms``. ``part`` is the target's name in the artwork.
    """

    keyframes: tuple[Keyframe, ...]
    radius_px: float
    loop_ms: float | None = None
    windows: tuple[tuple[float, float], ...] = ()
    count: int = 1
    until_ms: float | None = None
    frame_ms: float = 100.0
    part: str = "target"
    submit: Box | None = None
    px_per_css: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a course that is none, and one that leaves no time for the hits."""
        lengths = (self.radius_px, self.frame_ms, self.px_per_css)
        if not all(math.isfinite(n) and n > 0 for n in lengths) or self.count < 1:
            raise InvalidOptions(f"a timed point needs positive lengths and a count: {self}")
        if not self.keyframes or not all(math.isfinite(n) for k in self.keyframes for n in k):
            raise InvalidOptions(f"a timed point needs finite keyframes: {self.keyframes}")
        self._refuse_times()
        if self.submit is not None:
            refuse_bad_boxes([self.submit, self.swept_box()])

    def _refuse_times(self) -> None:
        end = MAX_DURATION_MS if self.loop_ms is None else self.loop_ms
        times = [frame.t_ms for frame in self.keyframes]
        if not 0 < end <= MAX_DURATION_MS or times[0] < 0 or times[-1] > end:
            raise InvalidOptions(f"keyframes from {times[0]} to {times[-1]} ms in {end} ms")
        bounds = [t for window in self.windows for t in window]
        for ordered in (times, bounds):
            if any(not a < b for a, b in itertools.pairwise(ordered)):
                raise InvalidOptions(f"times have to rise: {ordered}")
        if bounds and not (bounds[0] >= 0 and bounds[-1] <= end):
            raise InvalidOptions(f"windows from {bounds[0]} to {bounds[-1]} ms in {end} ms")
        latest = self.course.hit_times([1.0] * self.count)[-1]
        until = MAX_DURATION_MS if self.until_ms is None else self.until_ms
        if not latest + CLICK_MS <= until <= MAX_DURATION_MS:
            raise InvalidOptions(f"{self.count} hits take {latest:.0f} ms, but end at {until}")

    @cached_property
    def course(self) -> Course:
        """The path over time and its windows."""
        return Course(self.keyframes, self.loop_ms, self.windows)

    @property
    def still(self) -> bool:
        """Whether the time of a single tap does not matter."""
        return len(self.keyframes) == 1 and not self.windows and self.count == 1

    @property
    def reach_px(self) -> float:
        """How far from the target's centre a tap hits it."""
        return self.radius_px + max(EXTRA_CSS_PX * self.px_per_css, EXTRA_SHARE * self.radius_px)

    def swept_box(self) -> Box:
        """The box around all places where a tap may hit."""
        xs, ys = [k.x for k in self.keyframes], [k.y for k in self.keyframes]
        return Box(min(xs), min(ys), max(xs), max(ys)).grown(self.reach_px)

    def fault_of(self, point: Point, t_ms: float) -> str:
        """Why a tap there and then is no hit; empty when it is one."""
        if self.until_ms is not None and t_ms > self.until_ms:
            return "too_late"
        if math.dist(point, self.course.at(t_ms)) > self.reach_px + EPSILON_PX:
            return "missed"
        return "" if self.course.counts(t_ms) else "off_time"

    def start(self) -> TimedWorld:
        return TimedWorld()

    def step(self, world: TimedWorld, event: Event) -> TimedWorld:
        clock = clock_after(world.clock_ms, event)
        if clock != world.clock_ms:
            world = msgspec.structs.replace(world, clock_ms=clock)
        if isinstance(event, Press):
            return self._press(world, event)
        if isinstance(event, Release) and world.pressed:
            return self._release(world, event)
        return _faulty(world) if isinstance(event, Key | Other) else world

    def _press(self, world: TimedWorld, event: Press) -> TimedWorld:
        busy = world.fault or world.submitted or world.pressed
        if busy or event.button != "left":
            return _faulty(world)
        point, now, pressed = Point(event.x, event.y), world.clock_ms, "target"
        if self.submit is not None and self.submit.contains(point):
            pressed = "submit"
        elif len(world.hits) >= self.count or (world.hits and now - world.last_ms < GAP_MS):
            return _faulty(world)
        elif fault := self.fault_of(point, now):
            return _faulty(world, fault)
        return msgspec.structs.replace(world, pressed=pressed, press=point, press_ms=event.t_ms)

    def _release(self, world: TimedWorld, event: Release) -> TimedWorld:
        if not is_tap(world.press, world.press_ms, event, self.px_per_css):
            return _faulty(world)
        if world.pressed == "submit":
            return msgspec.structs.replace(world, pressed="", submitted=True)
        hits, at = (*world.hits, world.press), world.press_ms
        return msgspec.structs.replace(world, pressed="", hits=hits, last_ms=at)

    def verdict(self, world: TimedWorld) -> Verdict:
        if world.fault:
            return failed(world.fault)
        if world.pressed:
            return failed("not_released")
        if len(world.hits) < self.count:
            return failed("not_hit")
        if self.submit is not None and not world.submitted:
            return failed("not_submitted")
        return SOLVED

    def pose(self, world: TimedWorld) -> Pose:
        """The target where it is; page 1 while it counts, where it does not always."""
        (x, y), (_, x0, y0) = self.course.at(world.clock_ms), self.keyframes[0]
        return Pose(
            parts={self.part: PartPose(x - x0, y - y0)},
            page=int(bool(self.windows) and self.course.counts(world.clock_ms)),
            frame=int(self.course.local(world.clock_ms) / self.frame_ms),
            marks=tuple(Mark("tick", (hit,)) for hit in world.hits),
        )

    def gold(self, stream: Stream) -> list[ActionBase]:
        """The taps, each after waiting for its time, then submit; no wait where time is free."""
        times = self.course.hit_times([stream.uniform(0.0, 1.0) for _ in range(self.count)])
        actions: list[ActionBase] = []
        now, room = 0.0, JITTER * self.radius_px
        for t in times:
            x, y = self.course.at(t)
            point = Point(x + stream.uniform(-room, room), y + stream.uniform(-room, room))
            if not self.still:
                actions.append(Wait(duration_ms=round(t - now, 3)))
            actions.append(Click(point, t_ms=None if self.still else t))
            now = t + CLICK_MS
        if self.submit is not None:
            actions.append(Click(near_center(self.submit, stream)))
        return actions

    def goal_slots(self) -> dict[str, str]:
        return {
            "handle": "target",
            "aim": "still" if len(self.keyframes) == 1 else "moving",
            "count": str(self.count),
            "time": "window" if self.windows else "any",
            "submit": "none" if self.submit is None else "button",
        }

    def mapped(self, page_from_panel: PlaneMap) -> Self:
        move = similarity(page_from_panel)
        return msgspec.structs.replace(
            self,
            keyframes=tuple(Keyframe(t, *move.point((x, y))) for t, x, y in self.keyframes),
            radius_px=self.radius_px * move.scale,
            submit=None if self.submit is None else move.box(self.submit),
            px_per_css=self.px_per_css * move.scale,
        )

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        return timed_grid_safe(self, gold, width, height)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return timed_perturbations(self, gold)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return timed_quick_perturbations(self, gold)


def _faulty(world: TimedWorld, fault: str = "extra_action") -> TimedWorld:
    """The world after something that cannot be made good."""
    return msgspec.structs.replace(world, pressed="", fault=world.fault or fault)
