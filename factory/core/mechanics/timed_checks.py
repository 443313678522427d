"""A timed point by arithmetic: golds that survive the grid, predicted verdicts.

Nothing here runs the state machine: a changed gold is a list of taps with their times, each
held against where the target is then.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from factory.core.actions import ActionBase, Click, LongPress, PressEnter, Wait
from factory.core.errors import InvalidOptions
from factory.core.geometry import Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.events import CLICK_MS
from factory.core.mechanics.taps import box_survives, grid_spread

if TYPE_CHECKING:
    from factory.core.mechanics.timed_point import TimedPoint

GAP_MS = 300.0
"""Two hits are at least this far apart: a double click hits once."""
_EDGE_CSS_PX, _EDGE_MS = 0.05, 1.0
"""How far from a bound "just inside" and "just outside" are."""
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


class _Tap(NamedTuple):
    """A tap and its time."""

    point: Point
    t_ms: float


class _Maker:
    """A gold taken apart: taps with their times, and the submit click."""

    def __init__(self, timed: TimedPoint, gold: Sequence[ActionBase]) -> None:
        clicks = [action for action in gold if isinstance(action, Click)]
        wanted = timed.count + (0 if timed.submit is None else 1)
        if len(clicks) != wanted or not all(isinstance(a, Click | Wait) for a in gold):
            raise InvalidOptions(f"the gold of a timed point is {wanted} Clicks and Waits: {gold}")
        self.timed, self.clicks = timed, clicks[timed.count :]
        self.taps = [_Tap(click.point, click.t_ms or 0.0) for click in clicks[: timed.count]]

    def right(self, taps: Sequence[_Tap]) -> bool:
        """What the taps are worth: each a hit at its time, as many as asked, none too soon."""
        timed, course = self.timed, self.timed.course
        if len(taps) != timed.count:
            return False
        for k, (point, t) in enumerate(taps):
            (x, y), late = course.at(t), timed.until_ms is not None and t > timed.until_ms
            if late or math.hypot(point[0] - x, point[1] - y) > timed.reach_px + 1e-9:
                return False
            if not course.counts(t) or (k and t - taps[k - 1].t_ms < GAP_MS):
                return False
        return True

    def of(self, name: str, taps: Sequence[_Tap]) -> Perturbation:
        """These taps and the submit click, with the verdict that their places and times have."""
        actions = [Click(point, t_ms=t) for point, t in taps]
        return Perturbation(name, [*actions, *self.clicks], self.right(taps))

    def instead(self, k: int, tap: _Tap) -> list[_Tap]:
        """The taps with another one in the ``k``-th place."""
        return [*self.taps[:k], tap, *self.taps[k + 1 :]]


def timed_grid_safe(
    timed: TimedPoint, gold: Sequence[ActionBase], width: float, height: float
) -> bool:
    """Whether the taps hit in all readings of the grid with one unit to spare."""
    m, submit = _Maker(timed, gold), timed.submit
    for point, t in m.taps:
        spot = timed.course.at(t)
        if any(math.dist(p, spot) > timed.reach_px for p in grid_spread(point, width, height)):
            return False
    return all(submit and box_survives(submit, c.point, width, height) for c in m.clicks)


def _edges(m: _Maker, k: int) -> Iterator[Perturbation]:
    """A tap just inside and just outside the target, on four sides."""
    (_, t), reach = m.taps[k], m.timed.reach_px
    x, y = m.timed.course.at(t)
    edge = min(_EDGE_CSS_PX * m.timed.px_per_css, reach / 4)
    for dx, dy in _SIDES:
        for name, off in (("inside", reach - edge), ("outside", reach + edge)):
            point = Point(x + off * dx, y + off * dy)
            submit = m.timed.submit
            if submit is None or not submit.contains(point):
                yield m.of(f"{name}_{dx}_{dy}_{k}", m.instead(k, _Tap(point, t)))


def _times(m: _Maker, k: int) -> Iterator[Perturbation]:
    """The same tap at other times, and the right place at the ends of its window."""
    timed, (point, t) = m.timed, m.taps[k]
    for off in (-600.0, -200.0, 200.0, 600.0, 1500.0):
        if t + off >= (m.taps[k - 1].t_ms + CLICK_MS if k else 0.0) and k + 1 == len(m.taps):
            yield m.of(f"time_{off:+g}_{k}", m.instead(k, _Tap(point, t + off)))
    if timed.windows and k + 1 == len(m.taps):
        local = timed.course.local(t)
        t0, t1 = next(window for window in timed.windows if window[0] <= local < window[1])
        for name, at in (("last_moment", t1 - _EDGE_MS), ("over", t1 + _EDGE_MS),
                         ("first_moment", t0 + _EDGE_MS), ("not_yet", t0 - _EDGE_MS)):  # fmt: skip
            when = t - local + at
            if when >= (m.taps[k - 1].t_ms + CLICK_MS if k else 0.0):
                yield m.of(name, m.instead(k, _Tap(timed.course.at(when), when)))
    if timed.until_ms is not None and k + 1 == len(m.taps):
        when = timed.until_ms + _EDGE_MS
        yield m.of("after_deadline", m.instead(k, _Tap(timed.course.at(when), when)))


def _sequences(m: _Maker) -> Iterator[Perturbation]:
    """Taps left out, repeated, added, exchanged, held, or made with no regard to time."""
    taps, last = m.taps, m.taps[-1]
    for k in range(len(taps)):
        yield m.of(f"dropped_{k}", [*taps[:k], *taps[k + 1 :]])
    again = _Tap(last.point, last.t_ms + CLICK_MS)
    yield m.of("repeated", [*taps, again])
    later = last.t_ms + 2 * GAP_MS
    yield m.of("added", [*taps, _Tap(m.timed.course.at(later), later)])
    if len(taps) > 1:
        crossed = [_Tap(taps[1].point, taps[0].t_ms), _Tap(taps[0].point, taps[1].t_ms)]
        yield m.of("exchanged", [*crossed, *taps[2:]])
        hurried = [_Tap(point, taps[0].t_ms + n * CLICK_MS) for n, (point, _) in enumerate(taps)]
        yield m.of("hurried", hurried)
    else:
        yield m.of("at_once", [_Tap(last.point, 0.0)])


def _strays(m: _Maker) -> Iterator[Perturbation]:
    """Nothing, a key or a long press, and the submit button forgotten or repeated."""
    clicks = [Click(point, t_ms=t) for point, t in m.taps]
    held = LongPress(m.taps[-1].point, t_ms=m.taps[-1].t_ms)
    yield Perturbation("waited_only", [Wait(), *m.clicks], False)
    yield Perturbation("added_key", [*clicks, PressEnter(), *m.clicks], False)
    yield Perturbation("held", [*clicks[:-1], held, *m.clicks], False)
    if m.clicks:
        yield Perturbation("dropped_submit", list(clicks), False)
        yield Perturbation("submit_first", [*m.clicks, *clicks], False)
        yield Perturbation("submitted_twice", [*clicks, *m.clicks, *m.clicks], False)


def timed_quick_perturbations(timed: TimedPoint, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample."""
    m = _Maker(timed, gold)
    last = len(m.taps) - 1
    return [
        Perturbation("nothing", [], False),
        *itertools.islice(_edges(m, last), 2),
        m.of("dropped", m.taps[:last]),
    ]


def timed_perturbations(timed: TimedPoint, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """Every changed gold with its predicted verdict."""
    m = _Maker(timed, gold)
    each = [p for k in range(len(m.taps)) for p in (*_edges(m, k), *_times(m, k))]
    quick = timed_quick_perturbations(timed, gold)
    return [*quick, *each, *_sequences(m), *_strays(m)]
