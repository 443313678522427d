"""Drop: pieces are dragged to places in the plane.

A piece follows the pointer's displacement from the press (it does not jump to
it), stays inside ``area`` and lies where it is released; it may be dragged again.
A zone that holds as many pieces as it can sends another one back to where its
drag began. Any order of drags is right, and what is judged is the arrangement.

Strict about what does not belong to the solution: a press anywhere but on a
piece (or the drawn submit button), a click on a piece, a key, or anything after
the submit click fails for good with ``extra_action``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Literal, Self

import msgspec

from factory.core.actions import ActionBase, Click, Drag
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
from factory.core.mechanics.drop_checks import (
    MIN_DRAG_CSS_PX,
    drop_grid_safe,
    drop_parity,
    drop_perturbations,
    drop_quick_perturbations,
)
from factory.core.mechanics.drop_parts import Piece, Target, matched, refuse_impossible, spot_of
from factory.core.mechanics.events import Event, Key, Move, Other, Press, Release
from factory.core.mechanics.taps import near_center
from factory.core.mechanics.zones import EPSILON_PX, Zone
from factory.core.rng import Stream

__all__ = ["Drop", "DropWorld", "Piece", "Target"]

JITTER = 0.15
"""How far gold drops from the middle of a target, as a share of the way to its border."""
NOTHING, SUBMIT = -1, -2
"""What the pointer holds when it holds no piece."""


class DropWorld(msgspec.Struct, frozen=True):
    """How far each piece is from home, and what the pointer is doing."""

    shifts: tuple[Point, ...]
    held: int = NOTHING
    press: Point = Point(0.0, 0.0)
    shift_at_press: Point = Point(0.0, 0.0)
    moved: bool = False
    drags: int = 0
    submitted: bool = False
    fault: str = ""


@register_mechanic
class Drop(Mechanic[DropWorld], frozen=True, dict=True, tag="drop", forbid_unknown_fields=True):
    """Pieces in paint order (the last lies on top), and the targets that they may lie on.

    A required piece (one that names targets) passes when its centre is on a target of its own;
    ``arrangements`` narrow that to the listed ones (a target's name for each required piece,
    in order). Pieces that name none are decoys: they stay at ``home``, or lie ``anywhere``.
    """

    pieces: tuple[Piece, ...]
    targets: tuple[Target, ...]
    area: Box | None = None
    arrangements: tuple[tuple[str, ...], ...] = ()
    decoys: Literal["home", "anywhere"] = "home"
    submit: Box | None = None
    px_per_css: float = 1.0

    def __post_init__(self) -> None:
        """Refuse an arrangement that is right at rest, or cannot be reached."""
        refuse_impossible(self)

    @cached_property
    def target_of(self) -> dict[str, Target]:
        """The targets by name."""
        return {target.name: target for target in self.targets}

    @cached_property
    def required(self) -> tuple[int, ...]:
        """The places in ``pieces`` of those that have to be dropped on targets."""
        return tuple(k for k, piece in enumerate(self.pieces) if piece.targets)

    @cached_property
    def homes(self) -> tuple[Point, ...]:
        """The centres of the pieces at home."""
        return tuple(piece.home.center for piece in self.pieces)

    @cached_property
    def limited(self) -> tuple[tuple[Zone, int], ...]:
        """The zones that can be full, and how many pieces fill them."""
        return tuple((t.zone, t.capacity) for t in self.targets if t.zone and t.capacity)

    def tol_px(self, index: int) -> float:
        """How far the piece's centre may be from a target point, px."""
        return self.pieces[index].tol_at(self.px_per_css)

    def clamped(self, index: int, dx: float, dy: float) -> Point:
        """The shift of a piece within ``area``."""
        area, home = self.area, self.pieces[index].home
        if area is None:
            return Point(dx, dy)
        return Point(
            min(max(dx, area.x0 - home.x0), area.x1 - home.x1),
            min(max(dy, area.y0 - home.y0), area.y1 - home.y1),
        )

    def center_at(self, index: int, shift: Point) -> Point:
        """The centre of a piece that is away from home by ``shift``."""
        x, y = self.homes[index]
        return Point(x + shift[0], y + shift[1])

    def lies_on(self, index: int, target: Target, center: Point) -> bool:
        """Whether a piece with its centre there lies on the target, bounds included."""
        if target.zone is not None:
            return target.zone.contains(center)
        x, y = target.spot
        reach = self.tol_px(index) + EPSILON_PX
        return math.hypot(center[0] - x, center[1] - y) <= reach

    def arranged(self, centers: Sequence[Point]) -> bool:
        """Whether the required pieces lie where they should, each place taken once."""
        if self.arrangements:
            return any(self._is(names, centers) for names in self.arrangements)
        on = [
            [
                t
                for n in self.pieces[k].targets
                if self.lies_on(k, t := self.target_of[n], centers[k])
            ]
            for k in self.required
        ]
        return bool(matched(on))

    def _is(self, names: tuple[str, ...], centers: Sequence[Point]) -> bool:
        return all(
            self.lies_on(index, self.target_of[name], centers[index])
            for index, name in zip(self.required, names, strict=True)
        )

    def piece_at(self, shifts: Sequence[Point], x: float, y: float) -> int:
        """The topmost piece that a press there takes hold of, or ``NOTHING``."""
        for index in range(len(self.pieces) - 1, -1, -1):
            dx, dy = shifts[index]
            if self.pieces[index].grabbed_at((x - dx, y - dy)):
                return index
        return NOTHING

    def is_full(self, index: int, shifts: Sequence[Point], shift: Point) -> bool:
        """Whether a piece dropped there meets a zone that has no room left."""
        center = self.center_at(index, shift)
        for zone, capacity in self.limited:
            if zone.contains(center):
                others = [k for k in range(len(shifts)) if k != index]
                if sum(zone.contains(self.center_at(k, shifts[k])) for k in others) >= capacity:
                    return True
        return False

    def start(self) -> DropWorld:
        return DropWorld((Point(0.0, 0.0),) * len(self.pieces))

    def step(self, world: DropWorld, event: Event) -> DropWorld:
        if isinstance(event, Move | Release):
            return self._pointer(world, event.x, event.y, isinstance(event, Release))
        if isinstance(event, Press):
            return self._press(world, event)
        return _faulty(world) if isinstance(event, Key | Other) else world

    def _press(self, world: DropWorld, event: Press) -> DropWorld:
        busy = world.fault or world.submitted or world.held != NOTHING
        if busy or event.button != "left":
            return _faulty(world)
        point, shifts = Point(event.x, event.y), world.shifts
        held = self.piece_at(shifts, *point)
        if held != NOTHING:
            return DropWorld(shifts, held, point, shifts[held], False, world.drags)
        if self.submit is not None and self.submit.contains(point):
            return DropWorld(shifts, SUBMIT, point, drags=world.drags)
        return _faulty(world)

    def _pointer(self, world: DropWorld, x: float, y: float, released: bool) -> DropWorld:
        if world.held >= 0:
            return self._drag(world, x, y, released)
        if world.held == SUBMIT and released:
            if self.submit is None or not self.submit.contains(Point(x, y)):
                return _faulty(world)
            return DropWorld(world.shifts, drags=world.drags, submitted=True)
        return world

    def _drag(self, world: DropWorld, x: float, y: float, released: bool) -> DropWorld:
        held, (x0, y0), (dx0, dy0) = world.held, world.press, world.shift_at_press
        least = MIN_DRAG_CSS_PX * self.px_per_css
        moved = world.moved or max(abs(x - x0), abs(y - y0)) >= least
        if released and not moved:
            return _faulty(world)
        shift = world.shift_at_press
        if moved:
            shift = self.clamped(held, dx0 + x - x0, dy0 + y - y0)
        if released and self.is_full(held, world.shifts, shift):
            shift = world.shift_at_press
        shifts = (*world.shifts[:held], shift, *world.shifts[held + 1 :])
        if released:
            return DropWorld(shifts, drags=world.drags + 1)
        return DropWorld(shifts, held, world.press, world.shift_at_press, moved, world.drags)

    def verdict(self, world: DropWorld) -> Verdict:
        if world.fault:
            return failed(world.fault)
        if world.held != NOTHING:
            return failed("not_released")
        if not world.drags:
            return failed("not_moved")
        centers = [self.center_at(k, shift) for k, shift in enumerate(world.shifts)]
        if not self.arranged(centers):
            return failed("off_target")
        if self.decoys == "home" and not all(
            math.hypot(*shift) <= self.tol_px(k)
            for k, shift in enumerate(world.shifts)
            if not self.pieces[k].targets
        ):
            return failed("decoy_moved")
        if self.submit is not None and not world.submitted:
            return failed("not_submitted")
        return SOLVED

    def pose(self, world: DropWorld) -> Pose:
        return Pose(
            parts={
                piece.name: PartPose(*shift)
                for piece, shift in zip(self.pieces, world.shifts, strict=True)
            }
        )

    @cached_property
    def plan(self) -> tuple[tuple[int, Target, Point], ...]:
        """A right arrangement: each required piece, its target, and where its centre goes."""
        own = [[self.target_of[n] for n in self.pieces[k].targets] for k in self.required]
        names = self.arrangements[0] if self.arrangements else matched(own)
        if not names:
            raise InvalidOptions(f"there is no place for every required piece: {self.pieces}")
        return tuple(
            (
                index,
                self.target_of[name],
                spot_of(self.target_of[name], names[:k].count(name), names.count(name)),
            )
            for k, (index, name) in enumerate(zip(self.required, names, strict=True))
        )

    def gold(self, stream: Stream) -> list[ActionBase]:
        """Each required piece dragged to its place, in order, then submit."""
        actions: list[ActionBase] = []
        for index, target, spot in self.plan:
            piece = self.pieces[index]
            x, y = piece.home.center
            start = near_center(piece.home if piece.grab is None else piece.grab, stream)
            room = self.tol_px(index) if target.zone is None else target.zone.depth(spot)
            end = Point(
                start.x + spot.x - x + stream.uniform(-JITTER, JITTER) * room,
                start.y + spot.y - y + stream.uniform(-JITTER, JITTER) * room,
            )
            actions.append(Drag(start, end))
        if self.submit is not None:
            actions.append(Click(near_center(self.submit, stream)))
        return actions

    def goal_slots(self) -> dict[str, str]:
        kinds = {"point" if target.zone is None else "zone" for target in self.targets}
        return {
            "handle": "piece",
            "pieces": str(len(self.required)),
            "decoys": str(len(self.pieces) - len(self.required)),
            "targets": str(len(self.targets)),
            "aim": "mixed" if len(kinds) > 1 else min(kinds),
            "submit": "none" if self.submit is None else "button",
        }

    def mapped(self, page_from_panel: PlaneMap) -> Self:
        move = similarity(page_from_panel)
        return msgspec.structs.replace(
            self,
            pieces=tuple(piece.moved_by(move) for piece in self.pieces),
            targets=tuple(target.moved_by(move) for target in self.targets),
            area=None if self.area is None else move.box(self.area),
            submit=None if self.submit is None else move.box(self.submit),
            px_per_css=self.px_per_css * move.scale,
        )

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        return drop_grid_safe(self, gold, width, height)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return drop_perturbations(self, gold)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return drop_quick_perturbations(self, gold)

    def parity(self, gold: Sequence[ActionBase], width: float, height: float) -> dict[str, bool]:
        """``fifteen_px``: the quantised gold is within 15 px of the places on each axis."""
        return drop_parity(self, gold, width, height)


def _faulty(world: DropWorld) -> DropWorld:
    """The world after something that does not belong: it cannot pass any more."""
    return DropWorld(
        world.shifts, drags=world.drags, submitted=world.submitted, fault="extra_action"
    )
