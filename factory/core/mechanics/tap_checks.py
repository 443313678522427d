"""Golds of taps by arithmetic: changed ones with predicted verdicts, grid, parity.

Nothing here runs a state machine, so that the two can be held against each other. What
holds for every click mechanic stands here; each adds what its own rule implies.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factory.core.actions import (
    ActionBase,
    Click,
    Drag,
    Hover,
    LongPress,
    RightClick,
    Type,
    Wait,
    from_grid,
    to_grid,
)
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.tap_base import TapMechanic
from factory.core.mechanics.taps import TAP_SLOP_CSS_PX, box_survives
from factory.core.mechanics.zones import Zone

NEAR_PX = 15.0
"""Open CaptchaWorld: distance from the target's centre that passes at its strictest, canvas px."""
OUTSIDE_CSS_PX = 10.0
"""How far beyond all controls a tap that hits none of them is."""
EDGE_CSS_PX = 0.05
"""How far from a bound "just inside" and "just outside" are."""
_WAYS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}
SIDES = tuple(_WAYS)
"""The sides of a zone near which taps are tried."""


class TapGold(NamedTuple):
    """A gold in two: what answers, and the submit click (none or one)."""

    answer: list[ActionBase]
    send: list[ActionBase]

    @property
    def points(self) -> list[Point]:
        """Where each action of the answer begins."""
        return [begin(action) for action in self.answer]

    def of(self, name: str, answer: Sequence[ActionBase], passes: bool) -> Perturbation:
        """Another answer with the submit click after it."""
        return Perturbation(name, [*answer, *self.send], passes)

    def replaced(self, place: int, point: Point) -> list[ActionBase]:
        """The answer with the action at ``place`` made a click at ``point``."""
        return [*self.answer[:place], Click(point), *self.answer[place + 1 :]]


def begin(action: ActionBase) -> Point:
    """Where the pointer goes down; ``InvalidOptions`` for what no gold of taps holds."""
    if isinstance(action, Click):
        return action.point
    if isinstance(action, Drag):
        return action.start
    raise InvalidOptions(f"a gold of taps holds clicks and drags, not {action}")


def split_gold(mechanic: TapMechanic, gold: Sequence[ActionBase]) -> TapGold:
    """The gold in two; ``InvalidOptions`` for an empty one."""
    if not gold:
        raise InvalidOptions("a gold of taps has an action at least")
    sends = mechanic.submit is not None and mechanic.submit.contains(begin(gold[-1]))
    return TapGold(list(gold[:-1]), [gold[-1]]) if sends else TapGold(list(gold), [])


def send_survives(mechanic: TapMechanic, gold: TapGold, width: float, height: float) -> bool:
    """Whether the submit click, where there is one, outlives the grid."""
    button = mechanic.submit
    return button is None or all(
        box_survives(button, begin(click), width, height) for click in gold.send
    )


def unsent(gold: TapGold) -> Iterator[Perturbation]:
    """Nothing at all, and the answer that is never sent: these cost next to nothing."""
    yield Perturbation("nothing", [], False)
    if gold.send:
        yield Perturbation("dropped_submit", gold.answer, False)


def strays(mechanic: TapMechanic, gold: TapGold) -> Iterator[Perturbation]:
    """What fails, or does not matter, in every click mechanic."""
    yield from unsent(gold)
    first, rest = gold.answer[0], gold.answer[1:]
    at = begin(first)
    away = Point(at.x + 3.0 * TAP_SLOP_CSS_PX * mechanic.px_per_css, at.y)
    yield gold.of("right_click", [RightClick(at), *rest], False)
    yield gold.of("long_press", [LongPress(at), *rest], False)
    if isinstance(first, Click) and mechanic.drop_at(0, away) is None:
        yield gold.of("dragged", [Drag(at, away), *rest], False)
    yield gold.of("typed", [*gold.answer, Type("x")], False)
    outside = outside_all(mechanic)
    yield gold.of("outside_all", [*gold.answer, Click(outside)], False)
    yield gold.of("waited", [Wait(), Hover(outside), *gold.answer, Wait()], True)
    if gold.send:
        yield Perturbation("submit_only", gold.send, False)
        yield Perturbation("after_submit", [*gold.answer, *gold.send, Click(at)], False)
        yield Perturbation("submitted_twice", [*gold.answer, *gold.send, *gold.send], False)
        yield Perturbation("submitted_first", [*gold.send, *gold.answer], False)


def outside_all(mechanic: TapMechanic) -> Point:
    """A point above and to the left of every control."""
    boxes = [*mechanic.controls(), *([] if mechanic.submit is None else [mechanic.submit])]
    off = OUTSIDE_CSS_PX * mechanic.px_per_css
    return Point(min(box.x0 for box in boxes) - off, min(box.y0 for box in boxes) - off)


class Edge(NamedTuple):
    """A point near the bound of a grown zone, on one side of it, and whether it is within."""

    side: str
    point: Point
    within: bool


def edges(
    zone: Zone, grow_px: float, px_per_css: float, sides: Sequence[str] = SIDES
) -> Iterator[Edge]:
    """Points just inside and just outside the grown zone, beyond its outermost corners.

    The nearest point of the zone to these is that corner, whatever the zone's shape, so that
    no distance to a polygon is needed. Eroded zones have points just outside only.
    """
    step = EDGE_CSS_PX * px_per_css
    for side in sides:
        dx, dy = _WAYS[side]
        x, y = max(zone.corners, key=lambda corner: dx * corner[0] + dy * corner[1])
        outer = grow_px + step if grow_px >= 0.0 else min(-grow_px, step) / 2.0 + grow_px
        yield Edge(side, Point(x + dx * outer, y + dy * outer), False)
        if grow_px >= 2.0 * step:
            inner = grow_px - step
            yield Edge(side, Point(x + dx * inner, y + dy * inner), True)


def box_edges(box: Box, px_per_css: float) -> Iterator[Edge]:
    """Points just inside two corners of a box, and just outside the middle of each side."""
    step = EDGE_CSS_PX * px_per_css
    inner, outer, middle = box.grown(-step), box.grown(step), box.center
    yield Edge("low", Point(inner.x0, inner.y0), True)
    yield Edge("high", Point(inner.x1, inner.y1), True)
    yield Edge("left", Point(outer.x0, middle.y), False)
    yield Edge("right", Point(outer.x1, middle.y), False)
    yield Edge("up", Point(middle.x, outer.y0), False)
    yield Edge("down", Point(middle.x, outer.y1), False)


def near_targets(targets: Sequence[Zone], gold: TapGold, width: float, height: float) -> bool:
    """Whether each tap, read from the grid, is within ``NEAR_PX`` of some target's centre."""
    read = [begin(from_grid(to_grid(a, width, height), width, height)) for a in gold.answer]
    centers = [zone.center for zone in targets]
    return all(any(math.hypot(x - c.x, y - c.y) <= NEAR_PX for c in centers) for x, y in read)
