"""Scales and what stands at which of their values: a reading is a whole number of steps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from factory.core.geometry import Box, Point

Kind = Literal["clock", "dial", "thermometer", "ruler", "bars"]
KINDS: Mapping[Kind, float] = {
    "clock": 0.32, "dial": 0.2, "thermometer": 0.16, "ruler": 0.16, "bars": 0.16,
}  # fmt: skip

HALF_DAY = 720.0
"""Minutes that a clock tells apart."""


@dataclass(frozen=True)
class Scale:
    """Values from ``low`` to ``high``, a mark every ``step``, numbers at every ``major``.

    ``first`` is the lowest reading asked for, in steps: a column or bar of no length is not
    seen. A clock's values are minutes after twelve. JSON-able.
    """

    kind: Kind
    low: float
    high: float
    major: float
    step: float
    first: int = 0

    @property
    def steps(self) -> int:
        """From the lowest to the highest mark."""
        return round((self.high - self.low) / self.step)

    @property
    def readings(self) -> int:
        """How many readings may be asked for."""
        return self.steps - self.first + (self.kind != "clock")

    def value(self, steps: float) -> float:
        """The value so many steps up."""
        return round(self.low + steps * self.step, 6)

    @property
    def majors(self) -> list[float]:
        """The values that have numbers."""
        count = round((self.high - self.low) / self.major)
        return [round(self.low + k * self.major, 6) for k in range(count + 1)]

    def text(self, value: float) -> str:
        """A value as it is written."""
        whole = float(self.step).is_integer() and float(self.major).is_integer()
        return f"{value:.0f}" if whole or float(value).is_integer() else f"{value:.1f}"


def _scales(kind: Kind, first: int, *rows: tuple[float, float, float, float]) -> list[Scale]:
    return [Scale(kind, *row, first) for row in rows]


SCALES: Mapping[Kind, Sequence[Sequence[Scale]]] = {
    "clock": [_scales("clock", 0, (0, HALF_DAY, 60, step)) for step in (15, 5, 1)],
    "dial": [
        _scales("dial", 0, (0, 10, 2, 1), (0, 100, 20, 10)),
        _scales("dial", 0, (0, 100, 20, 5), (0, 60, 10, 2), (0, 8, 1, 0.5)),
        _scales("dial", 0, (0, 100, 10, 2), (0, 50, 10, 1), (0, 8, 1, 0.2)),
    ],
    "thermometer": [
        _scales("thermometer", 1, (-20, 50, 10, 5), (0, 100, 20, 10)),
        _scales("thermometer", 1, (-10, 40, 10, 2), (0, 100, 20, 5)),
        _scales("thermometer", 1, (-20, 40, 10, 2), (0, 40, 10, 1)),
    ],
    "ruler": [
        _scales("ruler", 2, (0, 10, 1, 0.5)),
        _scales("ruler", 2, (0, 12, 1, 0.5)),
        _scales("ruler", 4, (0, 8, 1, 0.2)),
    ],
    "bars": [
        _scales("bars", 1, (0, 100, 20, 10), (0, 10, 2, 1)),
        _scales("bars", 1, (0, 100, 20, 5), (0, 50, 10, 5)),
        _scales("bars", 1, (0, 50, 10, 2), (0, 40, 10, 2)),
    ],
}
"""Scales by instrument and by level: easy, middling, hard."""


@dataclass(frozen=True)
class Instrument:
    """An instrument in its ``area`` (CSS px), turned clockwise by ``turn_deg``. JSON-able.

    ``upright``: a thermometer that stands; ``bars``: how many. ``paper`` and ``ink`` are those
    of its face, ``accent`` of pointers, columns and bars, ``case`` of its rim. ``numerals`` says
    which values have numbers: all that are major, every other one, or Roman ones.
    """

    scale: Scale
    x0: float
    y0: float
    x1: float
    y1: float
    turn_deg: float
    upright: bool
    bars: int
    paper: str
    ink: str
    accent: str
    case: str
    numerals: Literal["all", "some", "roman"]
    face: str
    glare: float

    def __post_init__(self) -> None:
        for name in ("x0", "y0", "x1", "y1", "turn_deg", "glare"):
            object.__setattr__(self, name, round(getattr(self, name), 6))

    @property
    def area(self) -> Box:
        """Where it is, before it is turned."""
        return Box(self.x0, self.y0, self.x1, self.y1)

    @property
    def radius(self) -> float:
        """Of the face of a clock or dial."""
        return min(self.area.width, self.area.height) / 2 - 5.0

    @property
    def round(self) -> bool:
        """Whether values lie on a circle."""
        return self.scale.kind in ("clock", "dial")


DIAL_FROM_DEG, DIAL_SWEEP_DEG = 135.0, 270.0
"""Dials begin down left and go clockwise; degrees clockwise from the right."""

TICKS_AT = 0.9
"""Share of the radius at which the outer ends of marks lie."""

BULB_CSS, TUBE_END_CSS, CARD_CSS = 30.0, 16.0, 12.0
"""Room for a thermometer's bulb and its other end; margins of rulers."""

AXIS_CSS, FOOT_CSS, HEAD_CSS = 34.0, 22.0, 12.0
"""Room left of, under and over the bars of a chart."""


def angle_deg(one: Instrument, value: float) -> float:
    """The direction of a value from the middle, degrees clockwise from the right."""
    scale = one.scale
    if scale.kind == "clock":
        return one.turn_deg - 90.0 + 6.0 * (value % 60.0)
    share = (value - scale.low) / (scale.high - scale.low)
    return one.turn_deg + DIAL_FROM_DEG + DIAL_SWEEP_DEG * share


def hour_deg(one: Instrument, minutes: float) -> float:
    """The direction of the hour hand."""
    return one.turn_deg - 90.0 + minutes / 2.0


def on_ray(one: Instrument, turn_deg: float, share: float) -> Point:
    """The point in a direction from the middle, at a share of the radius."""
    middle, turn = one.area.center, math.radians(turn_deg)
    reach = share * one.radius
    return Point(middle.x + reach * math.cos(turn), middle.y + reach * math.sin(turn))


def axis(one: Instrument) -> tuple[Point, Point]:
    """Where the lowest and the highest value of a straight scale lie, before it is turned."""
    area, kind = one.area, one.scale.kind
    if kind == "bars":
        x = area.x0 + AXIS_CSS
        return Point(x, area.y1 - FOOT_CSS), Point(x, area.y0 + HEAD_CSS)
    if kind == "ruler":
        y = area.center.y
        return Point(area.x0 + CARD_CSS, y), Point(area.x1 - CARD_CSS, y)
    if one.upright:
        x = area.x0 + 0.32 * area.width
        return Point(x, area.y1 - BULB_CSS), Point(x, area.y0 + TUBE_END_CSS)
    y = area.y0 + 0.36 * area.height
    return Point(area.x0 + BULB_CSS, y), Point(area.x1 - TUBE_END_CSS, y)


def along(one: Instrument, value: float) -> Point:
    """Where a value of a straight scale lies, before it is turned."""
    (ax, ay), (bx, by) = axis(one)
    scale = one.scale
    share = (value - scale.low) / (scale.high - scale.low)
    return Point(ax + share * (bx - ax), ay + share * (by - ay))


def turned(one: Instrument, spot: tuple[float, float]) -> Point:
    """A point of a straight scale as it is seen."""
    middle, turn = one.area.center, math.radians(one.turn_deg)
    dx, dy = spot[0] - middle.x, spot[1] - middle.y
    cos, sin = math.cos(turn), math.sin(turn)
    return Point(middle.x + cos * dx - sin * dy, middle.y + sin * dx + cos * dy)


def mark_at(one: Instrument, value: float) -> Point:
    """Where the mark of a value is seen."""
    if one.round:
        return on_ray(one, angle_deg(one, value), TICKS_AT)
    return turned(one, along(one, value))


def spacing(one: Instrument) -> float:
    """CSS px between neighbouring marks."""
    scale = one.scale
    if scale.kind == "clock":
        return math.radians(6.0 * scale.step) * TICKS_AT * one.radius
    (ax, ay), (bx, by) = mark_at(one, scale.value(0)), mark_at(one, scale.value(1))
    return math.hypot(ax - bx, ay - by)


def clock_text(minutes: float) -> str:
    """Minutes after twelve as a time of day: ``7:05``."""
    hour, minute = divmod(round(minutes), 60)
    return f"{hour or 12}:{minute:02d}"


def bar_box(one: Instrument, place: int, value: float) -> Box:
    """The bar at a place of a chart, up to a value."""
    room = (one.area.x1 - 8.0 - one.area.x0 - AXIS_CSS) / one.bars
    left = one.area.x0 + AXIS_CSS + room * (place + 0.22)
    return Box(left, along(one, value).y, left + 0.56 * room, along(one, one.scale.low).y)
