"""Trace: a line is drawn along a path, or through dots.

The pen draws straight between the points it is reported at. Strokes join: a stroke that
begins within ``JOIN_CSS_PX`` of where the last one ended goes on from there, and lifting
the pen resets nothing. ``follow`` asks the pen to stay within ``tol_px`` of the path, from
its start to its end and never back (see ``trace_path``). ``waypoints`` asks it to pass the
points of the path as dots of radius ``tol_px``, in order or in any order, and none of the
``extras``; passing a dot again does nothing, so does where the pen goes up. A path of a
start and an end is a free drag from the one to the other.

Strict about what does not belong to the solution: the first stroke elsewhere than at the
start fails for good with ``start_off``, leaving the path with ``off_path``, a wrong dot with
``wrong_dot``, touching a zone of ``avoid`` with ``touched``; a stroke that does not join, a
click, a key, or anything after the submit click with ``extra_action``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import cached_property
from typing import Literal, Self

import msgspec

from factory.core.actions import ActionBase, Click, Drag
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import (
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
from factory.core.mechanics.events import Event, Key, Move, Other, Press, Release
from factory.core.mechanics.taps import near_center
from factory.core.mechanics.trace_checks import (
    trace_grid_safe,
    trace_parity,
    trace_perturbations,
    trace_quick_perturbations,
)
from factory.core.mechanics.trace_path import (
    Reach,
    Way,
    advance,
    arrived,
    begun_at,
    clearance,
    follows,
    simplified,
    start_reach,
    window,
)
from factory.core.mechanics.trace_rules import (
    FOLLOW_JITTER,
    JOIN_CSS_PX,
    MIN_STROKE_CSS_PX,
    end_tolerance_px,
    refuse_impossible,
    slack_of_gold,
)
from factory.core.mechanics.zones import EPSILON_PX, Zone
from factory.core.rng import Stream

__all__ = ["Trace", "TraceWorld", "end_tolerance_px"]

DOT_JITTER = 0.15
"""How far from a dot's centre gold passes, as a share of its radius and on each axis."""


class TraceWorld(msgspec.Struct, frozen=True):
    """The line so far, where on which way it may stand, the dots passed, and the pointer."""

    pen: tuple[Point, ...] = ()
    ways: tuple[Way, ...] = ()
    reaches: tuple[Reach, ...] = ()
    hits: tuple[int, ...] = ()
    held: Literal["", "pen", "submit"] = ""
    press: Point = Point(0.0, 0.0)
    moved: bool = False
    submitted: bool = False
    fault: str = ""


@register_mechanic
class Trace(Mechanic[TraceWorld], frozen=True, dict=True, tag="trace", forbid_unknown_fields=True):
    """A path and its judge; lengths in px of the frame, final canvas once mapped.

    ``tol_px`` is the corridor's half width, or a dot's radius; ``start_tol_px`` and
    ``end_tol_px`` replace it at the ends. ``direction`` ``free`` lets one begin at either end.
    A path whose last point is its first is closed; ``anywhere`` lets one begin at any point of
    it. ``ordered``, ``extras`` belong to ``waypoints``.
    """

    path: tuple[Point, ...]
    tol_px: float
    mode: Literal["follow", "waypoints"] = "follow"
    start_tol_px: float | None = None
    end_tol_px: float | None = None
    direction: Literal["fixed", "free"] = "fixed"
    anywhere: bool = False
    ordered: bool = True
    extras: tuple[Point, ...] = ()
    avoid: tuple[Zone, ...] = ()
    submit: Box | None = None
    px_per_css: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a path that a click would solve, or that gold cannot be drawn along."""
        refuse_impossible(self)

    @property
    def start_tol(self) -> float:
        """How far from the start one may begin, px."""
        return self.tol_px if self.start_tol_px is None else self.start_tol_px

    @property
    def end_tol(self) -> float:
        """How far from the end one may stop, px."""
        return self.tol_px if self.end_tol_px is None else self.end_tol_px

    @property
    def closed(self) -> bool:
        """Whether the path ends where it began."""
        return self.path[0] == self.path[-1]

    @cached_property
    def discs(self) -> tuple[tuple[Point, float], ...]:
        """The dots of the path and then the extras, with their radii."""
        last = len(self.path) - 1
        radii = [self.tol_px] * (last + 1 + len(self.extras))
        radii[0], radii[last] = self.start_tol, self.end_tol
        return tuple(zip((*self.path, *self.extras), radii, strict=True))

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """The path to follow, and the way back where the direction is free."""
        return self._both(self.path)

    def _both(self, points: Sequence[Point]) -> tuple[Way, ...]:
        there = Way.of(points)
        return (there,) if self.direction == "fixed" else (there, Way.of(points[::-1]))

    def passed(self, hits: tuple[int, ...], a: Point, b: Point) -> tuple[int, ...]:
        """The dots passed once the pen went from ``a`` to ``b``, in the order of passing."""
        new: list[tuple[float, int]] = []
        for k, (center, radius) in enumerate(self.discs):
            inside = None if k in hits else window(a, b, center, radius + EPSILON_PX)
            if inside is not None:
                new.append((inside[0], k))
        return (*hits, *(k for _, k in sorted(new)))

    def in_order(self, hits: Sequence[int]) -> bool:
        """Whether these dots may be the first ones."""
        count = len(self.path)
        if any(k >= count for k in hits):
            return False
        here = list(hits)
        if not self.ordered or here == list(range(len(here))):
            return True
        return self.direction == "free" and here == [count - 1 - k for k in range(len(here))]

    def start(self) -> TraceWorld:
        return TraceWorld()

    def step(self, world: TraceWorld, event: Event) -> TraceWorld:
        if isinstance(event, Move | Release):
            point, released = Point(event.x, event.y), isinstance(event, Release)
            return self._pointer(world, point, released) if world.held else world
        if isinstance(event, Press):
            return self._press(world, event)
        return _faulty(world) if isinstance(event, Key | Other) else world

    def _press(self, world: TraceWorld, event: Press) -> TraceWorld:
        busy = world.fault or world.submitted or world.held
        if busy or event.button != "left":
            return _faulty(world)
        point = Point(event.x, event.y)
        if self.submit is not None and self.submit.contains(point):
            return msgspec.structs.replace(world, held="submit", press=point)
        if not world.pen:
            return self._begun(point)
        join = JOIN_CSS_PX * self.px_per_css + EPSILON_PX
        if math.dist(point, world.pen[-1]) > join:
            return _faulty(world)
        return self._drawn(world, point, point, False)

    def _begun(self, point: Point) -> TraceWorld:
        """The first press: it has to be at a start."""
        if self.mode == "waypoints":
            hits = self.passed((), point, point)
            good = self.in_order(hits) and (hits or not self.ordered)
            ways, reaches = (), ()
        else:
            ways = self._both(begun_at(self.path, point)) if self.anywhere else self.ways
            tols = (self.tol_px, self.start_tol)
            reaches = tuple(start_reach(way, *tols, point) for way in ways)
            hits, good = (), any(reaches)
        fault = "" if good else "start_off"
        return TraceWorld((point,), ways, reaches, hits, "pen" if good else "", point, fault=fault)

    def _pointer(self, world: TraceWorld, point: Point, released: bool) -> TraceWorld:
        if world.held == "submit":
            if not released:
                return world
            if self.submit is None or not self.submit.contains(point):
                return _faulty(world)
            return msgspec.structs.replace(world, held="", submitted=True)
        (x, y), least = world.press, MIN_STROKE_CSS_PX * self.px_per_css
        moved = world.moved or max(abs(point.x - x), abs(point.y - y)) >= least
        if released and not moved:
            return _faulty(world)
        if point != world.pen[-1]:
            world = self._drawn(world, point, world.press, moved)
        return msgspec.structs.replace(world, held="") if released else world

    def _drawn(self, world: TraceWorld, point: Point, press: Point, moved: bool) -> TraceWorld:
        """The line drawn on straight to a point, the pen being down there."""
        a, hits, reaches, fault = world.pen[-1], world.hits, world.reaches, ""
        if self.mode == "waypoints":
            hits = self.passed(hits, a, point)
            fault = "" if self.in_order(hits) else "wrong_dot"
        else:
            both = zip(world.ways, reaches, strict=True)
            reaches = tuple(advance(way, self.tol_px, reach, a, point) for way, reach in both)
            fault = "" if any(reaches) else "off_path"
        if any(clearance(zone, a, point) == 0.0 for zone in self.avoid):
            fault = "touched"
        pen, held = (*world.pen, point), "" if fault else "pen"
        return TraceWorld(pen, world.ways, reaches, hits, held, press, moved, fault=fault)

    def verdict(self, world: TraceWorld) -> Verdict:
        if world.fault:
            return failed(world.fault)
        if world.held:
            return failed("not_released")
        if not world.pen:
            return failed("not_drawn")
        if not self._complete(world):
            return failed("incomplete")
        if self.submit is not None and not world.submitted:
            return failed("not_submitted")
        return SOLVED

    def _complete(self, world: TraceWorld) -> bool:
        if self.mode == "waypoints":
            return len(world.hits) == len(self.path)
        both = zip(world.ways, world.reaches, strict=True)
        return any(arrived(way, reach, self.end_tol, world.pen[-1]) for way, reach in both)

    def pose(self, world: TraceWorld) -> Pose:
        """The line as it is drawn, and a badge on each dot passed."""
        marks = [Mark("polyline", world.pen)] if len(world.pen) > 1 else []
        marks += [Mark("badge", (self.discs[k][0],), str(n + 1)) for n, k in enumerate(world.hits)]
        return Pose(marks=tuple(marks))

    @cached_property
    def bends(self) -> tuple[int, ...]:
        """The points of the path that gold is drawn through, as indices."""
        if self.mode == "waypoints":
            return tuple(range(len(self.path)))
        slack, way = slack_of_gold(self), Way.of(self.path)
        while True:
            kept = simplified(self.path, slack)
            pen = [self.path[k] for k in kept]
            if len(kept) == len(self.path) or follows(way, pen, slack * 1.5, slack, slack):
                return kept
            slack /= 2

    def gold(self, stream: Stream) -> list[ActionBase]:
        """One drag a bend, the pen going down where it went up, then submit."""
        room = FOLLOW_JITTER * min(self.tol_px, self.start_tol, self.end_tol)
        if self.mode == "waypoints":
            room = DOT_JITTER * min(radius for _, radius in self.discs)
        pen = [
            Point(x + stream.uniform(-room, room), y + stream.uniform(-room, room))
            for x, y in (self.path[k] for k in self.bends)
        ]
        actions: list[ActionBase] = [Drag(a, b) for a, b in itertools.pairwise(pen)]
        if self.submit is not None:
            actions.append(Click(near_center(self.submit, stream)))
        return actions

    def goal_slots(self) -> dict[str, str]:
        return {
            "handle": "pen",
            "aim": self.mode,
            "count": str(len(self.path)),
            "direction": self.direction,
            "order": "fixed" if self.ordered else "free",
            "submit": "none" if self.submit is None else "button",
        }

    def mapped(self, page_from_panel: PlaneMap) -> Self:
        move = similarity(page_from_panel)
        s = move.scale
        return msgspec.structs.replace(
            self,
            path=tuple(map(move.point, self.path)),
            extras=tuple(map(move.point, self.extras)),
            avoid=tuple(zone.moved_by(move) for zone in self.avoid),
            tol_px=self.tol_px * s,
            start_tol_px=None if self.start_tol_px is None else self.start_tol_px * s,
            end_tol_px=None if self.end_tol_px is None else self.end_tol_px * s,
            submit=None if self.submit is None else move.box(self.submit),
            px_per_css=self.px_per_css * s,
        )

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        return trace_grid_safe(self, gold, width, height)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return trace_perturbations(self, gold)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return trace_quick_perturbations(self, gold)

    def parity(self, gold: Sequence[ActionBase], width: float, height: float) -> dict[str, bool]:
        """``end_ten_percent``: the quantised gold ends within 10 % of the side of the end."""
        return trace_parity(self, gold, width, height)


def _faulty(world: TraceWorld) -> TraceWorld:
    """The world after something that does not belong: it cannot pass any more."""
    fault = world.fault or "extra_action"
    return TraceWorld(world.pen, hits=world.hits, submitted=world.submitted, fault=fault)
