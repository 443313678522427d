"""A hold by arithmetic: whether the grid keeps it, and predicted verdicts.

Nothing here runs the state machine, so that the two can be held against each other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from factory.core.actions import ActionBase, Click, Drag, LongPress, PressEnter, Wait
from factory.core.errors import InvalidOptions
from factory.core.geometry import Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.taps import box_survives, zone_survives

if TYPE_CHECKING:
    from factory.core.mechanics.hold import Hold

_EDGE_MS = 1.0
"""How far from a bound "just long enough" and "just too short" are."""
_EDGE_CSS_PX = 0.05
"""How far from the button "just outside" is."""


class _Gold:
    """A gold taken apart: the hold, and the submit click."""

    def __init__(self, hold: Hold, gold: Sequence[ActionBase]) -> None:
        first, self.clicks = (gold[0] if gold else None), [a for a in gold[1:] if type(a) is Click]
        wanted = 0 if hold.submit is None else 1
        if not isinstance(first, LongPress) or not len(gold) - 1 == len(self.clicks) == wanted:
            raise InvalidOptions(f"the gold of a hold is a LongPress and its submit click: {gold}")
        self.hold, self.press = hold, first

    def held(self, ms: float, point: Point | None = None) -> LongPress:
        """A hold of another length, or elsewhere."""
        return LongPress(self.press.point if point is None else point, duration_ms=ms)

    def of(self, name: str, *actions: ActionBase, passes: bool) -> Perturbation:
        """The actions with the submit click after them."""
        return Perturbation(name, [*actions, *self.clicks], passes)


def hold_grid_safe(hold: Hold, gold: Sequence[ActionBase], width: float, height: float) -> bool:
    """Whether the press stays on the button in all readings of the grid, one unit to spare."""
    parts, submit = _Gold(hold, gold), hold.submit
    return zone_survives(hold.zone, 0.0, parts.press.point, width, height) and all(
        submit and box_survives(submit, click.point, width, height) for click in parts.clicks
    )


def _lengths(m: _Gold) -> Iterator[Perturbation]:
    """Holds at the bounds, just beyond them, and of the length that a text stands for."""
    need, most = m.hold.need_ms, m.hold.need_ms + m.hold.slack_ms
    edge = min(_EDGE_MS, m.hold.slack_ms / 4)
    yield m.of("just_long_enough", m.held(need), passes=True)
    yield m.of("longest", m.held(most), passes=True)
    yield m.of("too_short", m.held(need - edge), passes=False)
    yield m.of("too_long", m.held(most + edge), passes=False)
    yield m.of("half", m.held(need / 2), passes=False)
    yield m.of("zero", m.held(0.0), passes=False)
    default = LongPress(m.press.point)
    yield m.of("no_duration", default, passes=m.hold.takes_default)


def _tries(m: _Gold) -> Iterator[Perturbation]:
    """Short holds before the right one, and twice half of it."""
    short, tries = m.held(m.hold.need_ms / 2), m.hold.tries
    yield m.of("made_good", *[short] * (tries - 1), m.press, passes=True)
    yield m.of("too_many_tries", *[short] * tries, m.press, passes=False)
    yield m.of("two_halves", short, short, passes=False)
    yield m.of("repeated", m.press, m.press, passes=False)
    yield m.of("waited", Wait(duration_ms=m.hold.need_ms), m.press, Wait(), passes=True)


def _places(m: _Gold) -> Iterator[Perturbation]:
    """The pointer beside the button, or slipping off it."""
    box, (x, y) = m.hold.zone.box, m.press.point
    edge = _EDGE_CSS_PX * m.hold.px_per_css
    submit = m.hold.submit
    for name, point in (("left_of", Point(box.x0 - edge, y)), ("above", Point(x, box.y0 - edge))):
        if submit is None or not submit.contains(point):
            right = m.held(m.press.duration_ms or 0.0, point)
            yield m.of(f"{name}_button", right, passes=False)
    away = Drag(m.press.point, Point(box.x1 + edge, y), duration_ms=m.press.duration_ms)
    yield m.of("slipped", away, passes=False)
    inside = Drag(m.press.point, m.hold.zone.center, duration_ms=m.press.duration_ms)
    yield m.of("moved_inside", inside, passes=True)


def _strays(m: _Gold) -> Iterator[Perturbation]:
    """Waiting instead, a click or key too many, and the button forgotten or repeated."""
    yield m.of("waited_only", Wait(duration_ms=m.hold.need_ms), passes=False)
    yield m.of("added_click", m.press, Click(m.press.point), passes=False)
    yield m.of("added_key", m.press, PressEnter(), passes=False)
    if m.clicks:
        yield Perturbation("dropped_submit", [m.press], False)
        yield Perturbation("dropped_hold", list(m.clicks), False)
        yield Perturbation("exchanged", [*m.clicks, m.press], False)
        yield Perturbation("repeated_all", [m.press, *m.clicks, m.press, *m.clicks], False)


def hold_quick_perturbations(hold: Hold, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample."""
    m = _Gold(hold, gold)
    click = Click(m.press.point)
    return [
        Perturbation("nothing", [], False),
        m.of("click", click, passes=False),
        *itertools.islice(_lengths(m), 4),
    ]


def hold_perturbations(hold: Hold, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """Every changed gold with its predicted verdict."""
    m = _Gold(hold, gold)
    quick = hold_quick_perturbations(hold, gold)
    return [*quick, *list(_lengths(m))[4:], *_tries(m), *_places(m), *_strays(m)]
