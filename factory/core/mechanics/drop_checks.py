"""A drop by arithmetic: golds that survive the grid, predicted verdicts, parity.

Nothing here runs the state machine: a changed gold is a list of displacements, and what
they add up to is held against the targets.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from factory.core import actions as act
from factory.core import geometry
from factory.core.actions import ActionBase, Click, Drag, Swipe
from factory.core.errors import InvalidOptions
from factory.core.geometry import GRID, Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.drop_parts import Target
from factory.core.mechanics.taps import SPARE_UNITS, box_survives, zone_survives
from factory.core.mechanics.zones import Zone

if TYPE_CHECKING:
    from factory.core.mechanics.drop import Drop

MIN_DRAG_CSS_PX = 1.0
"""A press on a piece that moves less than this is a click, not a drag."""
PARITY_PX = 15.0
"""CaptchaBench: error of a piece's place on each axis, canvas px."""
_EDGE_CSS_PX = 0.05
"""How far from a bound "just inside" and "just outside" are."""
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


class _Move(NamedTuple):
    """A piece and its displacement, px."""

    piece: int
    dx: float
    dy: float


def parts_of_gold(drop: Drop, gold: Sequence[ActionBase]) -> tuple[list[Drag], list[Click]]:
    """The drags and the submit clicks of a gold; ``InvalidOptions`` for any other shape."""
    count, wanted = len(drop.plan), 0 if drop.submit is None else 1
    drags = [a for a in gold[:count] if isinstance(a, Drag)]
    clicks = [a for a in gold[count:] if isinstance(a, Click)]
    if len(drags) != count or len(clicks) != wanted or len(gold) != count + wanted:
        raise InvalidOptions(f"the gold of a drop is a Drag a piece and its submit click: {gold}")
    return drags, clicks


def _offsets(start: float, end: float, size: float) -> list[float]:
    """The displacements that a drag may have after the grid, one unit to spare, px."""
    cells = geometry.to_grid(end, size) - geometry.to_grid(start, size)
    return [(cells + off) * size / per for per in (GRID, GRID - 1) for off in SPARE_UNITS]


def _lands(drop: Drop, index: int, target: Target, drag: Drag, size: tuple[float, float]) -> bool:
    """Whether the piece is on its target whichever way the grid is read."""
    across = _offsets(drag.start[0], drag.end[0], size[0])
    down = _offsets(drag.start[1], drag.end[1], size[1])
    low, high = Point(min(across), min(down)), Point(max(across), max(down))
    if target.zone is None:  # a disc holds what lies between its points
        across, down = [low.x, high.x], [low.y, high.y]
    elif drop.clamped(index, *low) == low and drop.clamped(index, *high) == high:
        middle = drop.center_at(index, Point((low.x + high.x) / 2, (low.y + high.y) / 2))
        if target.zone.depth(middle) >= math.hypot(high.x - low.x, high.y - low.y) / 2:
            return True
    return all(
        drop.lies_on(index, target, drop.center_at(index, drop.clamped(index, dx, dy)))
        for dx in across
        for dy in down
    )


def drop_grid_safe(drop: Drop, gold: Sequence[ActionBase], width: float, height: float) -> bool:
    """Whether the gold passes in all readings of the grid with one unit to spare on each end."""
    drags, clicks = parts_of_gold(drop, gold)
    for (index, target, _), drag in zip(drop.plan, drags, strict=True):
        piece = drop.pieces[index]
        if piece.grab is None:
            held = box_survives(piece.home, drag.start, width, height)
        else:
            held = zone_survives(piece.grab, 0.0, drag.start, width, height)
        if not (held and _lands(drop, index, target, drag, (width, height))):
            return False
    submit = drop.submit
    return all(submit and box_survives(submit, c.point, width, height) for c in clicks)


def _solved(drop: Drop, shifts: Sequence[Point]) -> bool:
    """Whether this is a right arrangement, by trying all ways to name the targets."""
    centers = [drop.center_at(k, shift) for k, shift in enumerate(shifts)]
    if drop.decoys == "home":
        for k, piece in enumerate(drop.pieces):
            if not piece.targets and math.hypot(*shifts[k]) > drop.tol_px(k):
                return False
    ways = drop.arrangements or itertools.product(*(drop.pieces[k].targets for k in drop.required))
    return any(_fits(drop, names, centers) for names in ways)


def _fits(drop: Drop, names: Sequence[str], centers: Sequence[Point]) -> bool:
    """Whether the required pieces lie on these targets, and no target holds too many."""
    for index, name in zip(drop.required, names, strict=True):
        target = drop.target_of[name]
        if not drop.lies_on(index, target, centers[index]):
            return False
        if not drop.arrangements and target.capacity and names.count(name) > target.capacity:
            return False
    return True


class _Maker:
    """Builds changed golds of one drop out of displacements."""

    def __init__(self, drop: Drop, gold: Sequence[ActionBase]) -> None:
        self.drop = drop
        self.drags, self.clicks = parts_of_gold(drop, gold)
        self.moves = [
            _Move(index, drag.end[0] - drag.start[0], drag.end[1] - drag.start[1])
            for (index, _, _), drag in zip(drop.plan, self.drags, strict=True)
        ]
        self.presses = {m.piece: d.start for m, d in zip(self.moves, self.drags, strict=True)}

    def of(self, name: str, *actions: ActionBase, passes: bool) -> Perturbation:
        """The actions with the submit click after them."""
        return Perturbation(name, [*actions, *self.clicks], passes)

    def press_of(self, index: int) -> Point:
        """Where gold presses on a piece at home."""
        piece = self.drop.pieces[index]
        middle = piece.home.center if piece.grab is None else piece.grab.center
        return self.presses.get(index, middle)

    def moving(self, name: str, moves: Sequence[_Move]) -> Iterator[Perturbation]:
        """The pieces displaced in turn; none when a piece comes to lie over a press."""
        drop, drags = self.drop, list[ActionBase]()
        shifts, clicked = list(drop.start().shifts), not moves
        for index, dx, dy in moves:
            x, y = self.press_of(index)
            start = Point(x + shifts[index].x, y + shifts[index].y)
            if drop.piece_at(shifts, *start) != index:
                return
            drags.append(Drag(start, Point(start.x + dx, start.y + dy)))
            clicked |= max(abs(dx), abs(dy)) < MIN_DRAG_CSS_PX * drop.px_per_css
            shift = drop.clamped(index, shifts[index].x + dx, shifts[index].y + dy)
            if not drop.is_full(index, shifts, shift):
                shifts[index] = shift
        yield self.of(name, *drags, passes=not clicked and _solved(drop, shifts))

    def ending(self, name: str, k: int, spot: tuple[float, float]) -> Iterator[Perturbation]:
        """The ``k``-th drag ends with the piece's centre at the spot."""
        x, y = self.drop.pieces[self.moves[k].piece].home.center
        move = _Move(self.moves[k].piece, spot[0] - x, spot[1] - y)
        yield from self.moving(name, [*self.moves[:k], move, *self.moves[k + 1 :]])


def _way_out(zone: Zone, spot: Point, side: tuple[int, int]) -> float:
    """The distance from a point inside to the border, towards a side."""
    best = math.inf
    (px, py), (dx, dy) = spot, side
    for (ax, ay), (bx, by) in itertools.pairwise((*zone.corners, zone.corners[0])):
        a, b = (ay - py, by - py) if dx else (ax - px, bx - px)
        if (a > 0) != (b > 0):
            share = a / (a - b)
            away = dx * (ax + share * (bx - ax) - px) + dy * (ay + share * (by - ay) - py)
            best = away if 0 <= away < best else best
    return best


def _edges(m: _Maker, k: int) -> Iterator[Perturbation]:
    """The piece just inside and just outside its target, on four sides."""
    index, target, spot = m.drop.plan[k]
    for side in _SIDES:
        away = m.drop.tol_px(index) if target.zone is None else _way_out(target.zone, spot, side)
        edge = min(_EDGE_CSS_PX * m.drop.px_per_css, away / 4)
        for name, at in (("inside", away - edge), ("outside", away + edge)):
            end = (spot.x + side[0] * at, spot.y + side[1] * at)
            yield from m.ending(f"{name}_{side[0]}_{side[1]}_{k}", k, end)


def _start_off(m: _Maker, k: int) -> Iterator[Perturbation]:
    """The drag from just beside the piece, on the first side where nothing else lies."""
    drop, box = m.drop, m.drop.pieces[m.moves[k].piece].grab_box
    shifts = list(drop.start().shifts)
    for index, dx, dy in m.moves[:k]:
        shifts[index] = drop.clamped(index, dx, dy)
    css = drop.px_per_css
    x, y = box.center
    beside = [(box.x0 - css, y), (box.x1 + css, y), (x, box.y0 - css), (x, box.y1 + css)]
    for start in itertools.starmap(Point, beside):
        on_submit = drop.submit is not None and drop.submit.contains(start)
        if drop.piece_at(shifts, *start) < 0 and not on_submit:
            end = Point(start.x + m.moves[k].dx, start.y + m.moves[k].dy)
            actions = [*m.drags[:k], Drag(start, end), *m.drags[k + 1 :]]
            yield m.of(f"start_off_{k}", *actions, passes=False)
            return


def _orders(m: _Maker) -> Iterator[Perturbation]:
    """Pieces in another order, exchanged, stacked, taken back, or moved in two steps."""
    moves, last = m.moves, m.moves[-1]
    yield from m.moving("other_order", moves[::-1])
    yield from m.moving("spoiled", [*moves, _Move(last.piece, -last.dx, -last.dy)])
    yield from m.moving("moved_on", [*moves, last])
    half = _Move(last.piece, last.dx / 2, last.dy / 2)
    yield from m.moving("two_drags", [*moves[:-1], half, half])
    yield from m.moving("half_way", [*moves[:-1], half])
    if len(moves) > 1:
        spot_a, spot_b = m.drop.plan[0][2], m.drop.plan[1][2]
        yield from m.ending("stacked", 1, spot_a)
        yield from m.moving("exchanged", [*_crossed(m, spot_a, spot_b), *moves[2:]])


def _crossed(m: _Maker, spot_a: Point, spot_b: Point) -> list[_Move]:
    """The first two pieces, each to the other's place."""
    result: list[_Move] = []
    for k, spot in ((0, spot_b), (1, spot_a)):
        x, y = m.drop.pieces[m.moves[k].piece].home.center
        result.append(_Move(m.moves[k].piece, spot.x - x, spot.y - y))
    return result


def _decoys(m: _Maker) -> Iterator[Perturbation]:
    """A decoy moved a little too far, onto a target, and there and back."""
    decoys = [k for k, piece in enumerate(m.drop.pieces) if not piece.targets]
    for index in decoys[:1]:
        (x, y), spot = m.drop.pieces[index].home.center, m.drop.plan[0][2]
        away = m.drop.tol_px(index) + m.drop.px_per_css
        there = _Move(index, spot.x - x, spot.y - y)
        yield from m.moving("decoy_moved", [*m.moves, _Move(index, away, 0.0)])
        yield from m.moving("decoy_on_target", [there, *m.moves])
        back = _Move(index, -there.dx, -there.dy)
        yield from m.moving("decoy_there_and_back", [there, back, *m.moves])


def _strays(m: _Maker) -> Iterator[Perturbation]:
    """Nothing, a click too many, one drag left out, the submit button forgotten or repeated."""
    yield Perturbation("nothing", [], False)
    yield m.of("added_click", *m.drags, Click(m.drags[-1].end), passes=False)
    yield m.of("clicks_only", *(Click(drag.start) for drag in m.drags), passes=False)
    swipes = [Swipe(drag.start, drag.end) for drag in m.drags]
    yield m.of("swipes", *swipes, passes=_solved(m.drop, _rest(m)))
    for k in range(len(m.moves)):
        yield from m.moving(f"dropped_{k}", [*m.moves[:k], *m.moves[k + 1 :]])
    if m.clicks:
        yield Perturbation("dropped_submit", list(m.drags), False)
        yield Perturbation("repeated_all", [*m.drags, *m.clicks, *m.drags, *m.clicks], False)


def _rest(m: _Maker) -> list[Point]:
    """Where the gold leaves the pieces."""
    shifts = list(m.drop.start().shifts)
    for index, dx, dy in m.moves:
        shifts[index] = m.drop.clamped(index, dx, dy)
    return shifts


def drop_quick_perturbations(drop: Drop, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample: cheap also where there are many pieces."""
    m = _Maker(drop, gold)
    last = len(m.moves) - 1
    return [
        Perturbation("nothing", [], False),
        *_start_off(m, 0),
        *itertools.islice(_edges(m, last), 1, 2),
        *m.moving("dropped", m.moves[:last]),
    ]


def drop_perturbations(drop: Drop, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """Every changed gold with its predicted verdict."""
    m = _Maker(drop, gold)
    each = [p for k in range(len(m.moves)) for p in (*_edges(m, k), *_start_off(m, k))]
    return [*each, *_orders(m), *_decoys(m), *_strays(m)]


def drop_parity(
    drop: Drop, gold: Sequence[ActionBase], width: float, height: float
) -> dict[str, bool]:
    """Whether the gold that went through the grid is within 15 px on each axis."""
    drags, _ = parts_of_gold(drop, gold)
    near = True
    for (index, target, spot), drag in zip(drop.plan, drags, strict=True):
        read = act.from_grid(act.to_grid(drag, width, height), width, height)
        shift = drop.clamped(index, read.end[0] - read.start[0], read.end[1] - read.start[1])
        x, y = drop.center_at(index, shift)
        if target.zone is not None:
            near &= target.zone.contains((x, y))
        else:
            near &= abs(x - spot.x) <= PARITY_PX and abs(y - spot.y) <= PARITY_PX
    return {"fifteen_px": near}
