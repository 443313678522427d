"""Pairs by arithmetic: predicted verdicts of changed golds, and the grid.

Changes are made to the list of pairs, whose worth is said by sets and permutations here,
and turned into taps or drags again. Nothing runs the state machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from factory.core.actions import ActionBase, Click, Drag, point_names
from factory.core.geometry import Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.tap_checks import (
    TapGold,
    edges,
    outside_all,
    send_survives,
    split_gold,
    strays,
    unsent,
)
from factory.core.mechanics.taps import grid_spread, zone_survives

if TYPE_CHECKING:
    from factory.core.mechanics.pairs import Pair, Pairs


def _points(actions: Sequence[ActionBase]) -> list[Point]:
    """All points of the actions, both ends of drags."""
    return [getattr(action, name) for action in actions for name in point_names(type(action))]


def _item(pairs: Pairs, point: Point) -> int | None:
    """The item whose zone holds the point; golds keep to zones that are not grown."""
    return next((k for k, zone in enumerate(pairs.items) if zone.contains(point)), None)


def pairs_grid_safe(pairs: Pairs, gold: Sequence[ActionBase], width: float, height: float) -> bool:
    """Whether each end of the gold stays on its item in all readings of the grid."""
    parts = split_gold(pairs, gold)
    return send_survives(pairs, parts, width, height) and all(
        _stays(pairs, point, width, height) for point in _points(parts.answer)
    )


def _stays(pairs: Pairs, point: Point, width: float, height: float) -> bool:
    item = _item(pairs, point)
    if item is None:
        return False
    if zone_survives(pairs.items[item], 0.0, point, width, height):
        return True
    return all(pairs.item_at(read) == item for read in grid_spread(point, width, height))


def pairs_quick_perturbations(pairs: Pairs, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample."""
    parts = split_gold(pairs, gold)
    maker = _Maker(pairs, parts)
    other = next(_partners(maker), None)
    dropped = maker.of("dropped_0", maker.pairs[1:])
    return [*unsent(parts), dropped, *([] if other is None else [other])]


def pairs_perturbations(pairs: Pairs, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """Every changed gold with its predicted verdict."""
    parts = split_gold(pairs, gold)
    maker = _Maker(pairs, parts)
    return [
        *strays(pairs, parts),
        *_recounted(maker),
        *_reordered(maker),
        *_partners(maker),
        *_added(maker),
        *(_drags(maker) if pairs.drag else _taps(maker)),
        *_edged(maker),
    ]


class _Maker:
    """The pairs of a gold, and answers from lists of pairs."""

    def __init__(self, mechanic: Pairs, gold: TapGold) -> None:
        self.mechanic, self.gold = mechanic, gold
        found = [_item(mechanic, point) for point in _points(gold.answer)]
        items = [item for item in found if item is not None]
        self.pairs: list[Pair] = list(zip(items[::2], items[1::2], strict=True))

    def taps(self, pairs: Sequence[Pair]) -> list[ActionBase]:
        """Two clicks a pair, on the middles of its items."""
        return [Click(self.mechanic.items[item].center) for pair in pairs for item in pair]

    def drags(self, pairs: Sequence[Pair]) -> list[ActionBase]:
        """A drag a pair, between the middles of its items."""
        items = self.mechanic.items
        return [Drag(items[a].center, items[b].center) for a, b in pairs]

    def of(self, name: str, pairs: Sequence[Pair]) -> Perturbation:
        """Other pairs, with what they are worth."""
        actions = self.drags(pairs) if self.mechanic.drag else self.taps(pairs)
        return self.gold.of(name, actions, bool(pairs) and self.worth(pairs))

    def worth(self, pairs: Sequence[Pair]) -> bool:
        """Whether these pairs solve the puzzle."""
        rule = self.mechanic
        if rule.pairs:
            return sorted(map(sorted, pairs)) == sorted(map(sorted, rule.pairs))
        if rule.moves:
            return any(self.same_moves(pairs, moves) for moves in rule.moves)
        enough = rule.most_moves is None or len(pairs) <= rule.most_moves
        return enough and self.restores(pairs)

    def same_moves(self, pairs: Sequence[Pair], moves: Sequence[Pair]) -> bool:
        """Whether these are the moves, one by one."""
        return len(pairs) == len(moves) and all(
            pair == move or (not self.mechanic.directed and pair == move[::-1])
            for pair, move in zip(pairs, moves, strict=True)
        )

    def restores(self, pairs: Sequence[Pair]) -> bool:
        """Whether each label, followed through the swaps, ends where it is wanted."""
        for home, label in enumerate(self.mechanic.arrangement):
            place = home
            for a, b in pairs:
                place = {a: b, b: a}.get(place, place)
            if self.mechanic.restored[place] != label:
                return False
        return True


def _recounted(m: _Maker) -> Iterator[Perturbation]:
    """A pair left out, and a pair twice."""
    for k, pair in enumerate(m.pairs):
        yield m.of(f"dropped_{k}", [*m.pairs[:k], *m.pairs[k + 1 :]])
        yield m.of(f"repeated_{k}", [*m.pairs[: k + 1], pair, *m.pairs[k + 1 :]])


def _reordered(m: _Maker) -> Iterator[Perturbation]:
    """Pairs in another order, and the items of pairs the other way round."""
    if len(m.pairs) > 1:
        yield m.of("reversed", m.pairs[::-1])
        yield m.of("swapped", [m.pairs[1], m.pairs[0], *m.pairs[2:]])
    yield m.of("other_way_round", [(b, a) for a, b in m.pairs])
    (a, b), *rest = m.pairs
    yield m.of("first_other_way_round", [(b, a), *rest])


def _partners(m: _Maker) -> Iterator[Perturbation]:
    """The first pair with another item in place of one of its own."""
    a, b = m.pairs[0]
    for other in [k for k in range(len(m.mechanic.items)) if k not in (a, b)][:2]:
        yield m.of(f"partner_{other}", [(a, other), *m.pairs[1:]])
        yield m.of(f"instead_{other}", [(other, b), *m.pairs[1:]])


def _added(m: _Maker) -> Iterator[Perturbation]:
    """A pair too many, of items that no pair has, where there are such."""
    used = {item for pair in m.pairs for item in pair}
    free = [k for k in range(len(m.mechanic.items)) if k not in used]
    if len(free) > 1:
        yield m.of("added", [*m.pairs, (free[0], free[1])])


def _taps(m: _Maker) -> Iterator[Perturbation]:
    """With taps: half a pair fails, picking up and putting down is nothing, drags are none."""
    answer, first = m.gold.answer, m.gold.answer[0]
    for k in range(len(answer)):
        yield m.gold.of(f"dropped_click_{k}", [*answer[:k], *answer[k + 1 :]], False)
    yield m.gold.of("repeated_click", [first, *answer], False)
    yield m.gold.of("picked_and_put_down", [first, first, *answer], True)
    yield m.gold.of("dragged_instead", m.drags(m.pairs), False)


def _drags(m: _Maker) -> Iterator[Perturbation]:
    """With drags: taps do as well, and a drag to no item fails."""
    answer, start = m.gold.answer, m.gold.points[0]
    yield m.gold.of("tapped_instead", m.taps(m.pairs), True)
    yield m.gold.of("half_a_pair", [*answer, Click(start)], False)
    yield m.gold.of("dropped_beside", [Drag(start, outside_all(m.mechanic)), *answer], False)


def _edged(m: _Maker) -> Iterator[Perturbation]:
    """The first press just inside and just outside its item, where no other item is near."""
    mechanic, first = m.mechanic, m.pairs[0][0]
    grow = mechanic.grow_css_px * mechanic.px_per_css
    for edge in edges(mechanic.items[first], grow, mechanic.px_per_css):
        others = [zone for k, zone in enumerate(mechanic.items) if k != first]
        if any(zone.contains(edge.point, grow) for zone in others):
            continue
        begun = m.gold.answer[0]
        action = Drag(edge.point, begun.end) if isinstance(begun, Drag) else Click(edge.point)
        name = f"{'inside' if edge.within else 'outside'}_{edge.side}"
        yield m.gold.of(name, [action, *m.gold.answer[1:]], edge.within)
