"""The pieces and targets of a drop, which of them go together, and what is refused.

Lengths are px of the frame, final canvas once mapped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import Similarity
from factory.core.mechanics.taps import refuse_bad_boxes
from factory.core.mechanics.zones import Zone

if TYPE_CHECKING:
    from factory.core.mechanics.drop import Drop

DROP_CSS_PX, DROP_SHARE = 8.0, 0.12
"""A piece's centre may be off by the larger of these, the share being one of its shorter side
(the house's tolerance table)."""
SPREAD = 0.5
"""How far from the middle of a zone gold lays several pieces, as a share of its depth there."""


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A movable piece: its box at rest, and the names of the targets it may lie on.

    A press inside ``grab`` (the home box when absent) takes hold of it. Its reference point is
    the centre of ``home``. ``tol_px`` replaces the house's tolerance for target points. A piece
    that names no target is a decoy.
    """

    name: str
    home: Box
    targets: tuple[str, ...] = ()
    grab: Zone | None = None
    tol_px: float | None = None

    def tol_at(self, px_per_css: float) -> float:
        """How far the centre may be from a target point, or a decoy's from home, px."""
        if self.tol_px is not None:
            return self.tol_px
        return max(DROP_CSS_PX * px_per_css, DROP_SHARE * min(self.home.width, self.home.height))

    def grabbed_at(self, point: tuple[float, float]) -> bool:
        """Whether a press there, the piece being at home, takes hold of it."""
        if self.grab is None:
            return self.home.contains(Point(*point))
        return self.grab.contains(point)

    @property
    def grab_box(self) -> Box:
        """The bounding box of where it can be taken hold of."""
        return self.home if self.grab is None else self.grab.box

    def moved_by(self, move: Similarity) -> Piece:
        """The piece mapped."""
        return msgspec.structs.replace(
            self,
            home=move.box(self.home),
            grab=None if self.grab is None else self.grab.moved_by(move),
            tol_px=None if self.tol_px is None else self.tol_px * move.scale,
        )


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where pieces may lie: their centre near ``point``, or inside ``zone`` (one of the two).

    ``capacity`` is how many pieces it holds, 0 for any number.
    """

    name: str
    point: Point | None = None
    zone: Zone | None = None
    capacity: int = 1

    def __post_init__(self) -> None:
        """Refuse a target that is no place."""
        if (self.point is None) is (self.zone is None) or self.capacity < 0:
            raise InvalidOptions(f"a target is a point or a zone, and holds something: {self}")
        if not all(map(math.isfinite, self.spot)):
            raise InvalidOptions(f"a target needs finite coordinates: {self}")

    @property
    def spot(self) -> Point:
        """The point, or one well inside the zone."""
        if self.zone is not None:
            return self.zone.center
        return self.point or Point(math.nan, math.nan)

    def moved_by(self, move: Similarity) -> Target:
        """The target mapped."""
        return msgspec.structs.replace(
            self,
            point=None if self.point is None else move.point(self.point),
            zone=None if self.zone is None else self.zone.moved_by(move),
        )


def matched(choices: Sequence[Sequence[Target]], taken: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The first way to give everyone one of the targets of choice; empty when there is none."""
    if len(taken) == len(choices):
        return taken
    for target in choices[len(taken)]:
        if not target.capacity or taken.count(target.name) < target.capacity:
            names = matched(choices, (*taken, target.name))
            if names:
                return names
    return ()


def spot_of(target: Target, place: int, share: int) -> Point:
    """Where the ``place``-th of ``share`` pieces in a target goes: round the middle of a zone."""
    if share == 1 or target.zone is None:
        return target.spot
    (x, y), turn = target.spot, 2 * math.pi * place / share
    radius = SPREAD * target.zone.depth(target.spot)
    return Point(round(x + radius * math.cos(turn), 6), round(y + radius * math.sin(turn), 6))


def refuse_impossible(drop: Drop) -> None:
    """``InvalidOptions`` for a drop that is right at rest, ambiguous or cannot be solved."""
    if not (math.isfinite(drop.px_per_css) and drop.px_per_css > 0):
        raise InvalidOptions(f"px_per_css is {drop.px_per_css}, not a positive number")
    _refuse_names(drop)
    submit = [] if drop.submit is None else [drop.submit]
    refuse_bad_boxes([*(piece.grab_box for piece in drop.pieces), *submit])
    refuse_bad_boxes([drop.area] if drop.area is not None else [])
    for index, piece in enumerate(drop.pieces):
        if not (math.isfinite(drop.tol_px(index)) and drop.tol_px(index) > 0):
            raise InvalidOptions(f"a piece needs a tolerance above 0: {piece}")
        if drop.area is not None and not drop.area.holds(piece.home):
            raise InvalidOptions(f"a piece begins outside the area {drop.area}: {piece}")
        if any(drop.lies_on(index, drop.target_of[n], piece.home.center) for n in piece.targets):
            raise InvalidOptions(f"a piece lies on its target before it is touched: {piece}")
    _refuse_plan(drop)


def _refuse_names(drop: Drop) -> None:
    """Names that are not unique or mean nothing, and arrangements of the wrong form."""
    for names in ([p.name for p in drop.pieces], [t.name for t in drop.targets]):
        if len(set(names)) != len(names):
            raise InvalidOptions(f"names have to be unique: {names}")
    known = {target.name for target in drop.targets}
    unknown = [n for piece in drop.pieces for n in piece.targets if n not in known]
    if unknown or not drop.required:
        raise InvalidOptions(f"a drop needs pieces with known targets; unknown: {unknown}")
    wanted = [drop.pieces[index].targets for index in drop.required]
    for names in drop.arrangements:
        if len(names) != len(wanted) or any(
            name not in own for name, own in zip(names, wanted, strict=True)
        ):
            raise InvalidOptions(f"an arrangement names a target of each required piece: {names}")


def _refuse_plan(drop: Drop) -> None:
    """What gold would do must be possible: reachable places, and room in the zones."""
    shifts = list(drop.start().shifts)
    for index, target, spot in drop.plan:
        x, y = drop.pieces[index].home.center
        shift = drop.clamped(index, spot.x - x, spot.y - y)
        if not drop.lies_on(index, target, drop.center_at(index, shift)):
            raise InvalidOptions(f"{drop.pieces[index].name!r} cannot reach {target}")
        if drop.is_full(index, shifts, shift):
            raise InvalidOptions(f"there is no room for {drop.pieces[index].name!r} on {target}")
        shifts[index] = shift
