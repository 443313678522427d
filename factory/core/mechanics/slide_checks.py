"""A slide by arithmetic: lengths that survive the grid, predicted verdicts, parity.

Nothing here runs the state machine, so that the two can be held against each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from factory.core import geometry
from factory.core.actions import ActionBase, Click, Drag, Swipe
from factory.core.errors import InvalidOptions
from factory.core.geometry import GRID, Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.taps import box_survives, grid_reach

if TYPE_CHECKING:
    from factory.core.mechanics.slide import Slide

SPARE_UNITS = 2.0
"""Grid units that a quantised length may be off: one by the two floors, one to spare."""
MIN_START_DEG = 30.0
"""A picture turned by less looks upright to some people (the house's rule for rotate)."""
MIN_ROTATE_UNITS = 20.0
"""The shortest rotate drag in grid units (same rule); 40 keep a 5 % window two units wide."""
PARITY_SHARE = 0.05
"""VenusBench-CAPTCHA: error of the drag's length against the gold's, exclusive."""
PARITY_END_PX = 5.0
"""VenusBench-CAPTCHA: error of the drag's end across the track, exclusive, canvas px."""
BAND_CSS_PX = 24.0
"""A release may leave the handle's band across the track by this much (house's tolerance table)."""
MIN_DRAG_CSS_PX = 1.0
"""A press on the handle that moves less than this is a click, not a drag."""
_EDGE_CSS_PX = 0.05
"""How far from a bound "just inside" and "just outside" are."""


def displacement_range(
    travel_px: float, grid_unit_px: float, tolerance_px: float, floor_px: float = 0.0
) -> tuple[float, float]:
    """The handle displacements ``(low, high)`` that a label may ask for, in px of the frame.

    From ``low`` on, a handle at rest is wrong by more than the tolerance even after the grid; up
    to ``high``, an overshoot into the end stop is. ``floor_px`` raises ``low`` (say 40 units for
    VenusBench's 5 % rule). ``InvalidOptions`` when nothing is left, or when the tolerance itself
    is below the ``SPARE_UNITS`` that the grid needs.
    """
    spare = SPARE_UNITS * grid_unit_px
    if tolerance_px < spare:
        raise InvalidOptions(
            f"a tolerance of {tolerance_px:.3g} px is less than {SPARE_UNITS:g} grid units "
            f"({spare:.3g} px): no gold survives the grid; raise the tolerance"
        )
    low = max(floor_px, tolerance_px + spare)
    high = travel_px - tolerance_px - spare
    if low >= high:
        raise InvalidOptions(
            f"a travel of {travel_px:.4g} px leaves no lengths between {low:.4g} and {high:.4g} "
            "px; lengthen the track or lower the tolerance"
        )
    return low, high


def angle_range(
    travel_px: float,
    grid_unit_px: float,
    gain_deg_per_px: float,
    tol_deg: float,
    *,
    min_deg: float = MIN_START_DEG,
    min_units: float = MIN_ROTATE_UNITS,
) -> tuple[float, float]:
    """The turns ``(low, high)`` in degrees that a rotate label may ask for on this track.

    From ``max(min_deg, the angle of min_units grid units)`` to 360 minus that, inside what
    ``displacement_range`` allows. Pass ``min_units=40`` for the 5 % parity of every sample.
    """
    gain = abs(gain_deg_per_px)
    shortest = max(min_deg, min_units * grid_unit_px * gain)
    low_px, high_px = displacement_range(
        travel_px, grid_unit_px, tol_deg / gain, floor_px=shortest / gain
    )
    low, high = low_px * gain, min(360.0 - shortest, high_px * gain)
    if low >= high:
        raise InvalidOptions(f"no start angle between {low:.4g} and {high:.4g} degrees is left")
    return low, high


def _parts_of_gold(slide: Slide, gold: Sequence[ActionBase]) -> tuple[Drag, list[Click]]:
    """The drag and the submit clicks of a gold; ``InvalidOptions`` for any other shape."""
    drag, clicks = (gold[0] if gold else None), [a for a in gold[1:] if isinstance(a, Click)]
    wanted = 0 if slide.submit is None else 1
    if not isinstance(drag, Drag) or len(gold) != 1 + wanted or len(clicks) != wanted:
        raise InvalidOptions(f"the gold of a slide is a Drag and its submit click, not {gold}")
    return drag, clicks


def _axes(slide: Slide, x: float, y: float) -> tuple[float, float]:
    """``(along, across)`` of a point, along counted in the handle's direction."""
    return (slide.sign * x, y) if slide.axis == "x" else (slide.sign * y, x)


def slide_grid_safe(slide: Slide, gold: Sequence[ActionBase], width: float, height: float) -> bool:
    """Whether the gold passes in all readings of the grid with one unit to spare on each end."""
    drag, clicks = _parts_of_gold(slide, gold)
    if not box_survives(slide.handle, drag.start, width, height):
        return False
    if slide.submit and not all(box_survives(slide.submit, c.point, width, height) for c in clicks):
        return False
    size, cross_size = (width, height) if slide.axis == "x" else (height, width)
    along = 0 if slide.axis == "x" else 1
    cells = geometry.to_grid(drag.end[along], size) - geometry.to_grid(drag.start[along], size)
    cells *= slide.sign
    for across in grid_reach(drag.end[1 - along], cross_size):
        if not slide.in_band(across, across):
            return False
    return all(
        slide.accepts(slide.clamped((cells + off) * size / per))
        for per in (GRID, GRID - 1)
        for off in (-1, 0, 1)
    )


def _half_window_px(slide: Slide) -> float:
    """How far from a solution the handle may stand."""
    return 0.5 / slide.slope if slide.judge == "step" else slide.tol / abs(slide.slope)


def _centres(slide: Slide) -> list[float]:
    """The solutions, and for an angle the ones just beyond the stops, whose windows reach in."""
    inside = slide.solutions()
    if slide.judge != "angle":
        return inside
    turn_px = slide.period / abs(slide.gain_per_px)
    return [inside[0] - turn_px, *inside, inside[-1] + turn_px]


def _predict(slide: Slide, displacement_px: float) -> bool:
    """The verdict by distance to the solutions, with no value and no wrapping in between."""
    at, half = slide.clamped(displacement_px), _half_window_px(slide) + 1e-9
    return any(abs(at - centre) <= half for centre in _centres(slide))


class _Maker:
    """Builds changed golds of one slide: the same press, another end."""

    def __init__(self, slide: Slide, gold: Sequence[ActionBase]) -> None:
        self.slide = slide
        self.drag, self.clicks = _parts_of_gold(slide, gold)
        (a0, c0) = _axes(slide, *self.drag.start)
        (a1, c1) = _axes(slide, *self.drag.end)
        self.start_along, self.start_across = a0, c0
        self.length, self.end_across = a1 - a0, c1

    def point(self, along: float, across: float) -> Point:
        """The canvas point of ``(along, across)``."""
        along *= self.slide.sign
        return Point(along, across) if self.slide.axis == "x" else Point(across, along)

    def drag_of(self, length: float, *, before: float = 0.0, across: float | None = None) -> Drag:
        """A drag by ``length`` that presses where the gold would after the handle moved."""
        begin = self.start_along + before
        return Drag(
            self.point(begin, self.start_across),
            self.point(begin + length, self.end_across if across is None else across),
        )

    def of(self, name: str, *drags: ActionBase, passes: bool) -> Perturbation:
        """The drags with the submit click after them."""
        return Perturbation(name, [*drags, *self.clicks], passes)

    def by(self, name: str, length: float) -> Perturbation:
        """One drag by another length, judged by distance; too short a one is a click."""
        across = self.end_across - self.start_across
        moved = max(abs(length), abs(across)) >= MIN_DRAG_CSS_PX * self.slide.px_per_css
        return self.of(name, self.drag_of(length), passes=moved and _predict(self.slide, length))


def _edges(m: _Maker) -> Iterator[Perturbation]:
    """Just inside and just outside the window, both signs."""
    solution, half = m.slide.solutions()[0], _half_window_px(m.slide)
    edge = min(_EDGE_CSS_PX * m.slide.px_per_css, half / 4)
    for name, inner in (("inside", half - edge), ("outside", half + edge)):
        yield m.by(f"{name}_low", solution - inner)
        yield m.by(f"{name}_high", solution + inner)


def _band(m: _Maker) -> tuple[float, float]:
    """The outermost places across the track where a release counts."""
    handle, slack = m.slide.handle, BAND_CSS_PX * m.slide.px_per_css
    if m.slide.axis == "x":
        return handle.y0 - slack, handle.y1 + slack
    return handle.x0 - slack, handle.x1 + slack


def _strays(m: _Maker) -> Iterator[Perturbation]:
    """Nothing, a click too many, a press beside the handle, a release outside the band."""
    slide, css = m.slide, m.slide.px_per_css
    yield Perturbation("nothing", [], False)
    yield m.of("added_click", m.drag, Click(m.drag.end), passes=False)
    handle_length = slide.handle.width if slide.axis == "x" else slide.handle.height
    yield m.of("start_outside", m.drag_of(m.length, before=-handle_length - css), passes=False)
    low, high = _band(m)
    yield m.of("left_band", m.drag_of(m.length, across=high + css), passes=False)
    yield m.of("left_band_before", m.drag_of(m.length, across=low - css), passes=False)


def _repeats(m: _Maker) -> Iterator[Perturbation]:
    """The drag twice from the same place: it hits the handle only when that has not left."""
    first = m.slide.clamped(m.length)
    again = m.slide.handle_at(first).contains(m.drag.start)
    passes = again and _predict(m.slide, first + m.length)
    yield m.of("repeated_drag", m.drag, m.drag, passes=passes)


def _halves(m: _Maker, solved: bool) -> Iterator[Perturbation]:
    """The same way in two drags, where each of them is long enough to be one."""
    half = m.length / 2
    if half >= MIN_DRAG_CSS_PX * m.slide.px_per_css:
        yield m.of("two_drags", m.drag_of(half), m.drag_of(half, before=half), passes=solved)


def _dropped(m: _Maker) -> Iterator[Perturbation]:
    """One action left out; with no submit that leaves nothing, which is there already."""
    if m.clicks:
        yield Perturbation("dropped_submit", [m.drag], False)
        yield Perturbation("dropped_drag", list(m.clicks), False)


def slide_quick_perturbations(slide: Slide, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample."""
    m = _Maker(slide, gold)
    return [*_edges(m), *_strays(m), *_repeats(m), *_dropped(m)]


def slide_perturbations(slide: Slide, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """Every changed gold with its predicted verdict."""
    m = _Maker(slide, gold)
    css = slide.px_per_css
    low, high = _band(m)
    rest = slide.clamped(m.length)
    solved = _predict(slide, m.length)
    twice = [*gold, *gold]
    return [
        *slide_quick_perturbations(slide, gold),
        Perturbation("added_click_first", [Click(m.drag.start), *gold], False),
        Perturbation("click_only", [Click(m.drag.start), *m.clicks], False),
        m.of("reversed", Drag(m.drag.end, m.drag.start), passes=False),
        m.by("backward", -m.length),
        m.by("overshoot", slide.travel_px * 1.5),
        m.of("band_edge", m.drag_of(m.length, across=high - css), passes=solved),
        m.of("band_edge_before", m.drag_of(m.length, across=low + css), passes=solved),
        m.of("swipe", Swipe(m.drag.start, m.drag.end), passes=solved),
        m.of("spoiled", m.drag, m.drag_of(-rest, before=rest), passes=False),
        *_halves(m, solved),
        *([Perturbation("repeated_all", twice, False)] if m.clicks else []),
    ]


def parity(
    slide: Slide, gold: Sequence[ActionBase], actions: Sequence[ActionBase]
) -> dict[str, bool]:
    """Which benchmarks' scorers would pass a one-drag answer; flags, not the verdict.

    ``venusbench``: length within 5 % of the gold's and end within 5 px across, both exclusive.
    For angles ``tianai`` (10.8 deg) and ``halligan`` (15 deg); for offsets, against the gold's
    length, ``five_px``, ``two_percent`` (of the track) and ``fifteen_px``. All are False for an
    answer that has not exactly one drag.
    """
    names = ["venusbench"]
    names += ["tianai", "halligan"] if slide.judge == "angle" else []
    names += ["five_px", "two_percent", "fifteen_px"] if slide.judge == "offset" else []
    drags = [a for a in actions if isinstance(a, Drag | Swipe)]
    if len(drags) != 1:
        return dict.fromkeys(names, False)
    right, _ = _parts_of_gold(slide, gold)
    (g0, _), (g1, g_across) = _axes(slide, *right.start), _axes(slide, *right.end)
    (a0, _), (a1, a_across) = _axes(slide, *drags[0].start), _axes(slide, *drags[0].end)
    gold_length, length = g1 - g0, a1 - a0
    off, across = abs(length - gold_length), abs(a_across - g_across)
    track = slide.track.width if slide.axis == "x" else slide.track.height
    angle = slide.error_at(slide.clamped(length)) if slide.judge == "angle" else math.inf
    scores = {
        "venusbench": off < PARITY_SHARE * abs(gold_length) and across < PARITY_END_PX,
        "tianai": angle <= 10.8,
        "halligan": angle <= 15.0,
        "five_px": off <= 5.0,
        "two_percent": off <= 0.02 * track,
        "fifteen_px": off <= 15.0 and across <= 15.0,
    }
    return {name: scores[name] for name in names}
