"""Slide: one handle on one track turns, moves or steps something.

The handle follows the pointer's displacement from the press (it does not jump
to it), is clamped to ``[0, travel]`` and stays where it is released; a second
drag starts from there. What is judged is a linear function of its displacement.

Strict about what does not belong to the solution: a press anywhere but on the
handle (or the drawn submit button), a click on the handle, a key, or anything
after the submit click fails for good with ``extra_action``. Waits, hovers and
``Finished`` are harmless.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, Self

import msgspec

from factory.core.actions import ActionBase, Click, Drag, from_grid, to_grid
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import (
    SOLVED,
    Mechanic,
    PartPose,
    Perturbation,
    Pose,
    Verdict,
    failed,
    register_mechanic,
    similarity,
)
from factory.core.mechanics.events import Event, Key, Move, Other, Press, Release
from factory.core.mechanics.slide_checks import (
    BAND_CSS_PX,
    MIN_DRAG_CSS_PX,
    angle_range,
    displacement_range,
    parity,
    slide_grid_safe,
    slide_perturbations,
    slide_quick_perturbations,
)
from factory.core.mechanics.taps import near_center
from factory.core.rng import Stream

__all__ = [
    "PartMotion", "Slide", "SlideWorld", "angle_range", "displacement_range", "parity",
]  # fmt: skip

END_TOLERANCE = 0.03
"""Judge ``end`` accepts from 97 % of the travel on (the house's tolerance table)."""
EPSILON = 1e-9
"""Makes inclusive bounds survive rounding; far below any tolerance in use."""

Judge = Literal["angle", "offset", "end", "value", "step"]
_UNIT_OF_JUDGE: dict[Judge, str] = {
    "angle": "deg", "offset": "px", "end": "share of travel", "value": "value", "step": "steps",
}  # fmt: skip


class PartMotion(msgspec.Struct, frozen=True):
    """How a part follows the handle: a rest pose plus a gain per px of displacement."""

    name: str
    dx_per_px: float = 0.0
    dy_per_px: float = 0.0
    turn_deg_per_px: float = 0.0
    turn_deg_at_rest: float = 0.0


class SlideWorld(msgspec.Struct, frozen=True):
    """Where the handle is, and what the pointer is doing."""

    displacement_px: float = 0.0
    pressed: Literal["", "handle", "submit"] = ""
    press: Point = Point(0.0, 0.0)
    displacement_at_press_px: float = 0.0
    moved: bool = False
    drags: int = 0
    left_band: bool = False
    submitted: bool = False
    fault: str = ""


@register_mechanic
class Slide(Mechanic[SlideWorld], frozen=True, tag="slide", forbid_unknown_fields=True):
    """A slider and its judge; lengths and boxes in px of the frame, final canvas once mapped.

    ``handle`` is the handle's box at rest; it moves along ``axis`` towards ``sign`` by at most
    ``travel_px``. The judged value is ``start_value + gain_per_px * displacement`` for judges
    ``angle`` (degrees, modulo ``period``), ``offset`` (px) and ``value`` (any unit); the share of
    the travel for ``end``; the nearest of ``steps`` equidistant positions for ``step``. It passes
    when its distance from ``target`` is at most ``tol``, in ``tol_unit``, bounds included.
    """

    handle: Box
    track: Box
    travel_px: float
    judge: Judge
    target: float = 1.0
    tol: float = END_TOLERANCE
    axis: Literal["x", "y"] = "x"
    sign: Literal[1, -1] = 1
    start_value: float = 0.0
    gain_per_px: float = 1.0
    period: float = 360.0
    steps: int = 2
    parts: tuple[PartMotion, ...] = ()
    submit: Box | None = None
    px_per_css: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a slider that is solved at rest, or cannot be solved at all."""
        lengths = (self.travel_px, self.period, self.px_per_css)
        numbers = (*lengths, self.target, self.tol, self.start_value, self.gain_per_px)
        if not all(math.isfinite(n) for n in numbers) or min(lengths) <= 0 or self.steps < 2:
            raise InvalidOptions(f"a slide needs finite, positive lengths: {self}")
        if self.gain_per_px == 0 or self.tol < 0:
            raise InvalidOptions(f"a slide needs a gain and no negative tolerance: {self}")
        if self.accepts(0.0):
            raise InvalidOptions(f"this slide is solved before it is touched: {self}")
        if not self.solutions():
            raise InvalidOptions(f"no place of the handle solves this slide: {self}")

    @property
    def tol_unit(self) -> str:
        """The unit of ``tol``, ``target`` and of the judged value."""
        return _UNIT_OF_JUDGE[self.judge]

    @property
    def slope(self) -> float:
        """Units of the judged value per px of displacement."""
        if self.judge == "end":
            return 1.0 / self.travel_px
        if self.judge == "step":
            return (self.steps - 1) / self.travel_px
        return self.gain_per_px

    def clamped(self, displacement_px: float) -> float:
        """The displacement within the stops."""
        return min(max(displacement_px, 0.0), self.travel_px)

    def value_at(self, displacement_px: float) -> float:
        """The judged value at a displacement within the stops."""
        if self.judge == "step":
            return math.floor(displacement_px * self.slope + 0.5)
        return (0.0 if self.judge == "end" else self.start_value) + self.slope * displacement_px

    def error_at(self, displacement_px: float) -> float:
        """The distance from the target, in ``tol_unit``; wrapped for angles."""
        error = self.value_at(displacement_px) - self.target
        if self.judge == "angle":
            error = (error + self.period / 2) % self.period - self.period / 2
        return abs(error)

    def accepts(self, displacement_px: float) -> bool:
        """Whether the handle solves the puzzle there."""
        return self.error_at(displacement_px) <= self.tol + EPSILON

    def solutions(self) -> list[float]:
        """The displacements with no error at all, ascending; several when an angle comes round."""
        start = self.start_value if self.judge not in ("end", "step") else 0.0
        exact = (self.target - start) / self.slope
        reach = self.travel_px * (1 + EPSILON)
        if self.judge != "angle":
            return [min(exact, self.travel_px)] if 0 <= exact <= reach else []
        turn_px = self.period / abs(self.slope)
        first = exact % turn_px
        turns = max(0, math.floor((reach - first) / turn_px) + 1)
        return [min(first + k * turn_px, self.travel_px) for k in range(turns)]

    def handle_at(self, displacement_px: float) -> Box:
        """The handle's box at a displacement."""
        shift = self.sign * displacement_px
        return self.handle.moved(*((shift, 0.0) if self.axis == "x" else (0.0, shift)))

    def in_band(self, x: float, y: float) -> bool:
        """Whether a release there is near enough to the track, across it."""
        slack = BAND_CSS_PX * self.px_per_css
        if self.axis == "x":
            return self.handle.y0 - slack <= y <= self.handle.y1 + slack
        return self.handle.x0 - slack <= x <= self.handle.x1 + slack

    def start(self) -> SlideWorld:
        return SlideWorld()

    def step(self, world: SlideWorld, event: Event) -> SlideWorld:
        if isinstance(event, Move | Release):
            return self._pointer(world, event.x, event.y, isinstance(event, Release))
        if isinstance(event, Press):
            return self._press(world, event)
        if isinstance(event, Key | Other):
            return _faulty(world)
        return world

    def _press(self, world: SlideWorld, event: Press) -> SlideWorld:
        point = Point(event.x, event.y)
        at = world.displacement_px
        free = not (world.fault or world.submitted or world.pressed) and event.button == "left"
        if free and self.handle_at(at).contains(point):
            return SlideWorld(at, "handle", point, at, False, world.drags, world.left_band)
        if free and self.submit is not None and self.submit.contains(point):
            return SlideWorld(at, "submit", point, at, False, world.drags, world.left_band)
        return _faulty(world)

    def _pointer(self, world: SlideWorld, x: float, y: float, released: bool) -> SlideWorld:
        if world.pressed == "handle":
            return self._drag(world, x, y, released)
        if world.pressed == "submit" and released:
            if self.submit is None or not self.submit.contains(Point(x, y)):
                return _faulty(world)
            return msgspec.structs.replace(world, pressed="", submitted=True)
        return world

    def _drag(self, world: SlideWorld, x: float, y: float, released: bool) -> SlideWorld:
        press, held = world.press, world.displacement_at_press_px
        dx, dy = x - press[0], y - press[1]
        least = MIN_DRAG_CSS_PX * self.px_per_css
        moved = world.moved or abs(dx) >= least or abs(dy) >= least
        at = self.clamped(held + self.sign * (dx if self.axis == "x" else dy)) if moved else held
        if not released:
            return SlideWorld(at, "handle", press, held, moved, world.drags, world.left_band)
        if not moved:
            return _faulty(world)
        if not self.in_band(x, y):  # the handle springs back to where the drag began
            return SlideWorld(held, drags=world.drags, left_band=True)
        return SlideWorld(at, drags=world.drags + 1)

    def verdict(self, world: SlideWorld) -> Verdict:
        if world.fault:
            return failed(world.fault)
        if world.pressed:
            return failed("not_released")
        if world.left_band:
            return failed("left_band")
        if not world.drags:
            return failed("not_moved")
        if not self.accepts(world.displacement_px):
            return failed("off_target")
        if self.submit is not None and not world.submitted:
            return failed("not_submitted")
        return SOLVED

    def pose(self, world: SlideWorld) -> Pose:
        d = world.displacement_px
        shift = self.sign * d
        parts = {
            part.name: PartPose(
                part.dx_per_px * d,
                part.dy_per_px * d,
                part.turn_deg_at_rest + part.turn_deg_per_px * d,
            )
            for part in self.parts
        }
        parts["handle"] = PartPose(shift, 0.0) if self.axis == "x" else PartPose(0.0, shift)
        return Pose(parts=parts, page=int(self.value_at(d)) if self.judge == "step" else 0)

    def gold(self, stream: Stream) -> list[ActionBase]:
        """One drag from the middle of the handle by the shortest solution, then submit."""
        length = self.handle.width if self.axis == "x" else self.handle.height
        needed = self.solutions()[0]
        if self.judge == "end":  # people run into the stop; the slack outlives the grid
            needed += stream.uniform(0.05, 0.2) * length
        start = near_center(self.handle, stream)
        across = near_center(self.handle, stream)
        reach = self.sign * needed
        end = (
            Point(start.x + reach, across.y)
            if self.axis == "x"
            else Point(across.x, start.y + reach)
        )
        drag = Drag(start, end)
        return [drag] if self.submit is None else [drag, Click(near_center(self.submit, stream))]

    def goal_slots(self) -> dict[str, str]:
        toward = {("x", 1): "right", ("x", -1): "left", ("y", 1): "down", ("y", -1): "up"}
        return {
            "handle": "slider",
            "direction": toward[self.axis, self.sign],
            "aim": self.judge,
            "submit": "none" if self.submit is None else "button",
        }

    def mapped(self, page_from_panel: PlaneMap) -> Self:
        move = similarity(page_from_panel)
        s = move.scale
        to_px = s if self.judge == "offset" else 1.0  # offsets are lengths, other values are not
        return msgspec.structs.replace(
            self,
            handle=move.box(self.handle),
            track=move.box(self.track),
            submit=None if self.submit is None else move.box(self.submit),
            travel_px=self.travel_px * s,
            gain_per_px=self.gain_per_px * to_px / s,
            start_value=self.start_value * to_px,
            target=self.target * to_px,
            tol=self.tol * to_px,
            px_per_css=self.px_per_css * s,
            parts=tuple(
                msgspec.structs.replace(part, turn_deg_per_px=part.turn_deg_per_px / s)
                for part in self.parts
            ),
        )

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        return slide_grid_safe(self, gold, width, height)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return slide_perturbations(self, gold)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return slide_quick_perturbations(self, gold)

    def parity(self, gold: Sequence[ActionBase], width: float, height: float) -> dict[str, bool]:
        read = [from_grid(to_grid(action, width, height), width, height) for action in gold]
        return parity(self, gold, read)


def _faulty(world: SlideWorld) -> SlideWorld:
    """The world after something that does not belong: it cannot pass any more."""
    return SlideWorld(world.displacement_px, drags=world.drags, fault="extra_action")
