"""Pairs: items are picked two by two, to match them, to move one or to swap them.

Two taps on two items make a pair; a second tap on an item that is picked puts it down
again. With ``drag``, one drag from an item to another makes a pair too. A tap between the
items does nothing, as on real pages; a tap outside them, and a drag that ends on no other
item, fail for good. What the pairs are worth is one of three rules:

``pairs``
    Match: exactly these pairs, in any order and either way round; an item used twice fails.
``moves``
    Moves: exactly one of these sequences of ``(from, to)``, in its order.
``restored``
    Swaps: what lies on the items, ``arrangement`` at first, lies there as ``restored`` says
    in the end, after at most ``most_moves``, whatever the swaps were.
"""

from __future__ import annotations

from collections.abc import Sequence

from factory.core.actions import ActionBase, Click, Drag
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import Mark, PartPose, Perturbation, Pose, register_mechanic
from factory.core.mechanics.pair_checks import (
    pairs_grid_safe,
    pairs_perturbations,
    pairs_quick_perturbations,
)
from factory.core.mechanics.tap_base import GROUND, Tap, TapMechanic, TapWorld
from factory.core.mechanics.taps import GROW_CSS_PX, around, near_center
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

Pair = tuple[int, int]


@register_mechanic
class Pairs(TapMechanic, frozen=True, tag="pairs", forbid_unknown_fields=True):
    """Items that do not overlap, and one of ``pairs``, ``moves`` and ``restored``.

    Zones in px of the frame, grown by ``grow_css_px``; where two reach a point, the nearer
    has it. ``directed`` moves do not count the other way round. ``arrangement`` and
    ``restored`` hold a label for each item; equal labels are interchangeable. ``parts`` names
    the artwork on each item (empty: none), which moves and swaps carry along.
    """

    items: tuple[Zone, ...]
    pairs: tuple[Pair, ...] = ()
    moves: tuple[tuple[Pair, ...], ...] = ()
    arrangement: tuple[int, ...] = ()
    restored: tuple[int, ...] = ()
    most_moves: int | None = None
    directed: bool = False
    drag: bool = False
    parts: tuple[str, ...] = ()
    grow_css_px: float = GROW_CSS_PX

    def __post_init__(self) -> None:
        """Refuse no rule or two, pairs of what is no item, and what is right at the start."""
        if sum(map(bool, (self.pairs, self.moves, self.restored))) != 1 or len(self.items) < 2:
            raise InvalidOptions("pairs take two items or more and one of pairs, moves, restored")
        self.refuse_bad_frame([around(self.boxes)])
        count, used = len(self.items), [item for pair in self.pairs for item in pair]
        for a, b in (*self.pairs, *(pair for moves in self.moves for pair in moves)):
            if a == b or not (0 <= a < count and 0 <= b < count):
                raise InvalidOptions(f"({a}, {b}) is no pair of two of {count} items")
        if len(set(used)) != len(used) or not all(self.moves):
            raise InvalidOptions("an item is matched once at most, and moves are not empty")
        if self.parts and len(self.parts) != count:
            raise InvalidOptions(f"{len(self.parts)} parts for {count} items")
        self._refuse_bad_arrangement()

    def _refuse_bad_arrangement(self) -> None:
        before, after = self.arrangement, self.restored
        if len(before) != len(after) or (after and len(after) != len(self.items)):
            raise InvalidOptions("an arrangement has a label for each item, before and after")
        if after and (sorted(before) != sorted(after) or before == after):
            raise InvalidOptions(f"swaps do not lead from {before} to {after}, or are not needed")
        if self.most_moves is not None and not 1 <= len(self.swaps()) <= self.most_moves:
            raise InvalidOptions(f"{self.most_moves} swaps do not restore this arrangement")

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The bounding boxes of the items."""
        return tuple(zone.box for zone in self.items)

    def controls(self) -> tuple[Box, ...]:
        return self.boxes

    def item_at(self, point: Point) -> int | None:
        grow = self.grow_css_px * self.px_per_css
        near = [k for k, zone in enumerate(self.items) if zone.contains(point, grow)]
        if len(near) > 1:
            return min(near, key=lambda k: self.items[k].distance(point))
        if near:
            return near[0]
        return GROUND if around(self.boxes).contains(point) else None

    def drop_at(self, pressed: int, point: Point) -> int | None:
        if not self.drag or pressed < 0:
            return None
        item = self.item_at(point)
        return None if item is None or item < 0 or item == pressed else item

    def made(self, taps: Sequence[Tap]) -> tuple[list[Pair], int | None]:
        """The pairs that the taps make, in order, and the item that is picked at the end."""
        pairs: list[Pair] = []
        picked: int | None = None
        for tap in taps:
            if tap.dropped_on is not None:
                pairs.append((tap.control, tap.dropped_on))
            elif picked is None:
                picked = tap.control
            else:
                if picked != tap.control:
                    pairs.append((picked, tap.control))
                picked = None
        return pairs, picked

    def unsolved(self, taps: Sequence[Tap]) -> str:
        pairs, picked = self.made(taps)
        if picked is not None:
            return "unpaired"
        if self.pairs:
            return self._unmatched(pairs)
        if self.moves:
            wanted = [self._moves_as_judged(moves) for moves in self.moves]
            return "" if self._moves_as_judged(pairs) in wanted else "wrong_moves"
        if self.most_moves is not None and len(pairs) > self.most_moves:
            return "too_many_moves"
        labels = [self.arrangement[place] for place in self.after(pairs)]
        return "" if tuple(labels) == self.restored else "wrong_arrangement"

    def _unmatched(self, pairs: Sequence[Pair]) -> str:
        used = [item for pair in pairs for item in pair]
        if len(set(used)) != len(used):
            return "item_reused"
        right = {frozenset(pair) for pair in pairs} == {frozenset(pair) for pair in self.pairs}
        return "" if right else "wrong_pairs"

    def _moves_as_judged(self, moves: Sequence[Pair]) -> list[Pair]:
        """The moves, each with its lower item first where the direction does not matter."""
        return [move if self.directed else (min(move), max(move)) for move in moves]

    def after(self, pairs: Sequence[Pair]) -> list[int]:
        """For each item, the item on which what lies there now lay at first."""
        lies = list(range(len(self.items)))
        for a, b in pairs:
            lies[a], lies[b] = lies[b], lies[a]
        return lies

    def swaps(self) -> list[Pair]:
        """Swaps that restore the arrangement: as few as possible when its labels differ."""
        now, swaps = list(self.arrangement), list[Pair]()
        for place, label in enumerate(self.restored):
            if now[place] != label:
                others = [k for k in range(place + 1, len(now)) if now[k] == label]
                both = [k for k in others if self.restored[k] == now[place]]
                other = (both or others)[0]
                now[place], now[other] = now[other], now[place]
                swaps.append((place, other))
        return swaps

    def pose(self, world: TapWorld) -> Pose:
        pairs, picked = self.made(world.taps)
        marks = [] if picked is None else [Mark("outline", self.items[picked].corners)]
        if self.pairs:
            lines = [(self.items[a].center, self.items[b].center) for a, b in pairs]
            return Pose(marks=(*(Mark("polyline", line) for line in lines), *marks))
        return Pose(parts=self._carried(pairs), marks=tuple(marks))

    def _carried(self, pairs: Sequence[Pair]) -> dict[str, PartPose]:
        """Where the parts are after the moves."""
        centers = [box.center for box in self.boxes]
        return {
            self.parts[home]: PartPose(
                centers[place].x - centers[home].x, centers[place].y - centers[home].y
            )
            for place, home in enumerate(self.after(pairs))
            if self.parts and self.parts[home]
        }

    def gold(self, stream: Stream) -> list[ActionBase]:
        """The pairs in the order given (the first of the accepted moves), then submit."""
        actions: list[ActionBase] = []
        for a, b in self.pairs or (self.moves[0] if self.moves else self.swaps()):
            start, end = near_center(self.items[a], stream), near_center(self.items[b], stream)
            actions += [Drag(start, end)] if self.drag else [Click(start), Click(end)]
        return self.submitted_after(actions, stream)

    def goal_slots(self) -> dict[str, str]:
        return {
            "handle": "items",
            "gesture": "drag" if self.drag else "tap",
            "rule": "match" if self.pairs else "move" if self.moves else "swap",
            "submit": self.submit_slot(),
        }

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        return pairs_grid_safe(self, gold, width, height)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return pairs_perturbations(self, gold)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return pairs_quick_perturbations(self, gold)
