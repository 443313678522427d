"""Pages that show a quantity: stones, counters and things to count, dice and darts to add up."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw import glyphs, grounds, icons, layout
from factory.draw.solid.dice import PIPS
from factory.draw.solid.dress import BODIES
from factory.draw.tones import choose_ink

Form = Literal["stones", "counters", "things", "dice", "darts"]
FORMS: tuple[Form, ...] = ("stones", "counters", "things", "dice", "darts")

COLUMNS, ROWS = 5, 3
"""Cells of the ground, each of which holds one thing at most."""

DICE, DIE_CSS = 3, 46.0
DARTS, RINGS = 3, 4
TIP_SPARE = 0.2
"""Of a ring's width, that a tip keeps from either edge of its ring."""

TIPS_CSS = 9.0
"""Between the tip of a dart and the middle line of another: flights are 6.5 px to a side."""

DART_CSS, FLIGHT_CSS = 34.0, 6.5
"""Length of a dart, and half the width of its flights."""

DRAWS = 60
"""Places tried for a dart."""

CATEGORIES = (
    "animal", "food", "drink", "vehicle", "tool", "music", "sport", "clothing", "kitchen",
    "furniture", "device", "plant",
)  # fmt: skip
SEVERAL = (" and ", "two ", "pair ")

BOARDS = (("#f3ead2", "#24382e"), ("#f6f0e4", "#7e2027"), ("#eef1f5", "#27406f"))
FLIGHTS = ("#ffb703", "#ff5d8f", "#26c6da", "#a3e635")

SPANS: dict[Form, tuple[int, int]] = {
    "stones": (1, 13), "counters": (1, 13), "things": (1, 13), "dice": (3, 19), "darts": (3, 11),
}  # fmt: skip
"""Quantities of pages, the upper end left out."""


@dataclass(frozen=True)
class Mark:
    """A stone, counter, thing, die or dart in CSS px of the page. JSON-able.

    ``value`` is what it counts for; ``look`` is which of the looks it has or how it is shaped.
    """

    x: float
    y: float
    size: float
    turn_deg: float
    value: int
    look: int

    def __post_init__(self) -> None:
        for name in ("x", "y", "size", "turn_deg"):
            object.__setattr__(self, name, round(getattr(self, name), 6))


@dataclass(frozen=True)
class Dress:
    """What all pages of a pager share. JSON-able; ``colours`` are ``#rrggbb``."""

    form: Form
    colours: tuple[str, ...]
    asset: str = ""
    style: icons.IconStyle | None = None
    board: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Middle and radius of the board, CSS px."""
    face: str = ""
    """Of the numbers on the board."""


def choose_dress(
    stream: Stream, form: Form, ground: grounds.Ground, size: tuple[float, float], split: str
) -> Dress:
    """Colours that read on the ground, a thing, and a place for the board."""
    if form == "dice":
        return Dress(form, stream.choice(BODIES))
    if form == "darts":
        radius = size[1] / 2 - 7.0
        free = size[0] / 2 - radius - 8.0
        middle = round(size[0] / 2 + stream.uniform(-1, 1) * free * 0.6, 6)
        at = (middle, round(size[1] / 2, 6), round(radius, 6))
        pair = stream.choice(
            (("#f3ead2", "#24382e"), ("#f6f0e4", "#7e2027"), ("#eef1f5", "#27406f"))
        )
        flights = stream.choice(("#ffb703", "#ff5d8f", "#26c6da", "#a3e635"))
        face = stream.choice(glyphs.faces(split, "latin", plain=True)).name
        return Dress(form, (*pair, flights), board=at, face=face)
    if form == "things":
        info = stream.choice(countable(split))
        return Dress(
            form, (), info.asset, icons.choose_icon_style(stream, ground.tone, info.source)
        )
    inks = tuple(choose_ink(stream, ground.tone, floor=2.6) for _ in range(2))
    return Dress(form, inks)


@cache
def countable(split: str) -> tuple[icons.IconInfo, ...]:
    """Icons of one thing each: two dice or a pair of socks are one or two."""
    return tuple(
        info
        for info in icons.icons(split)
        if info.category in CATEGORIES
        and not (info.en.endswith("s") or any(word in info.en for word in SEVERAL))
    )


def choose_marks(
    stream: Stream, dress: Dress, quantity: int, size: tuple[float, float], hard: float
) -> tuple[Mark, ...]:
    """Marks that add up to a quantity, apart from each other and inside the page."""
    if dress.form == "darts":
        room = Box(0, 0, *size).grown(-2)
        return _darts(stream, dress, _split_up(stream, quantity, DARTS, RINGS), room)
    cells = layout.tiles(Box(0, 0, *size).grown(-5), ROWS, COLUMNS, 3.0)
    if dress.form == "dice":
        cells = layout.tiles(Box(0, 0, *size).grown(-5), 2, 3, 3.0)
        values = _split_up(stream, quantity, DICE, 6)
        places = layout.jittered(stream, cells, DICE, DIE_CSS * 1.42)
        return tuple(
            Mark(at.x, at.y, DIE_CSS, stream.uniform(0, 90), value, 0)
            for at, value in zip(places, values, strict=True)
        )
    most = min(cells[0].width, cells[0].height) - 2.0
    span = most * stream.uniform(0.78 - 0.12 * hard, 0.9)
    places = layout.jittered(stream, cells, quantity, span)
    lean = 25.0 if dress.form == "things" else 180.0
    return tuple(
        Mark(at.x, at.y, span * stream.uniform(0.86, 1.0), stream.uniform(-lean, lean), 1,
             stream.integer(0, 1 << 20))
        for at in places
    )  # fmt: skip


def _split_up(stream: Stream, total: int, count: int, most: int) -> list[int]:
    """``count`` values of 1 to ``most`` that add up to ``total``."""
    values = [1] * count
    for _ in range(total - count):
        # The middle of a board has room for one dart.
        full = most - 1 if most == RINGS and most in values else most
        values[stream.choice([k for k in range(count) if values[k] < full])] += 1
    return values


def _darts(stream: Stream, dress: Dress, values: Sequence[int], room: Box) -> tuple[Mark, ...]:
    """Darts from one side, their tips well inside their rings and apart."""
    lean, darts = stream.uniform(-60.0, 60.0), list[Mark]()
    for value in values:
        dart = _dart(stream, dress, value, lean)
        for _ in range(DRAWS):
            free = all(min(beside(dart, other), beside(other, dart)) >= TIPS_CSS for other in darts)
            if free and room.holds(mark_box(dress, dart)):
                break
            dart = _dart(stream, dress, value, lean)
        darts.append(dart)
    return tuple(darts)


def beside(dart: Mark, other: Mark) -> float:
    """How far the tip of a dart is from another dart, CSS px."""
    turn = math.radians(other.turn_deg)
    way, dx, dy = (math.cos(turn), math.sin(turn)), dart.x - other.x, dart.y - other.y
    along = min(max(dx * way[0] + dy * way[1], 0.0), other.size)
    return round(math.hypot(dx - along * way[0], dy - along * way[1]), 6)


def _dart(stream: Stream, dress: Dress, value: int, lean: float) -> Mark:
    x, y, radius = dress.board
    ring = radius / RINGS
    inner = ring * (RINGS - value)
    away = stream.uniform(inner + TIP_SPARE * ring, inner + (1 - TIP_SPARE) * ring)
    turn = math.radians(_clear_angle(stream, value))
    tip = Point(x + away * math.cos(turn), y + away * math.sin(turn))
    return Mark(tip.x, tip.y, DART_CSS, lean + stream.uniform(-8, 8), value, 0)


def _clear_angle(stream: Stream, value: int) -> float:
    """A direction away from the printed values, which stand above and to the left."""
    free = ((-65.0, 155.0),) if value == RINGS else ((-65.0, 155.0), (205.0, 245.0))
    return stream.uniform(*stream.choice(free))


def worth(dress: Dress, mark: Mark) -> int:
    """What a mark counts for by where it is and what it shows."""
    if dress.form == "dice":
        return len(PIPS[mark.value])
    if dress.form != "darts":
        return 1
    x, y, radius = dress.board
    return RINGS - int(math.sqrt((mark.x - x) ** 2 + (mark.y - y) ** 2) / (radius / RINGS))


def tip_spare(dress: Dress, mark: Mark) -> float:
    """How far a tip is from the nearest edge of its ring, by the ring's width."""
    x, y, radius = dress.board
    place = math.sqrt((mark.x - x) ** 2 + (mark.y - y) ** 2) / (radius / RINGS)
    return min(place % 1.0, 1.0 - place % 1.0)


def mark_box(dress: Dress, mark: Mark) -> Box:
    """Where a mark is painted, CSS px of the page."""
    if dress.form == "things":
        return icons.icon_ink(thing(dress, mark)).painted
    if dress.form == "darts":
        turn = math.radians(mark.turn_deg)
        x, y = mark.x + mark.size * math.cos(turn), mark.y + mark.size * math.sin(turn)
        ends = Box(min(x, mark.x), min(y, mark.y), max(x, mark.x), max(y, mark.y))
        return ends.grown(FLIGHT_CSS)
    half = (0.71 if dress.form == "dice" else 0.5) * mark.size
    return Box(mark.x - half, mark.y - half, mark.x + half, mark.y + half)


def thing(dress: Dress, mark: Mark) -> icons.IconSpec:
    """The icon that stands at a mark."""
    assert dress.style is not None
    reach = icons.icon_reach(dress.asset, 1.0, dress.style.kind)
    size = min(0.92 * mark.size, 0.5 * mark.size / reach)
    return icons.IconSpec(dress.asset, size, mark.x, mark.y, dress.style, mark.turn_deg)


def refuse_unclear(dress: Dress, marks: Sequence[Mark]) -> None:
    """``Rejected`` where things touch, or a tip is on the edge of its ring or at another tip."""
    for index, mark in enumerate(marks):
        if dress.form == "darts" and tip_spare(dress, mark) < TIP_SPARE - 1e-6:
            raise Rejected("a dart on a line", value=tip_spare(dress, mark), limit=TIP_SPARE)
        for other in marks[:index]:
            far, need = _gap(dress, mark, other)
            if far < need - 1e-4:
                raise Rejected("things too near each other", value=far, limit=need)


def _gap(dress: Dress, mark: Mark, other: Mark) -> tuple[float, float]:
    """How far apart two marks are, and how far they should be."""
    if dress.form == "darts":
        return min(beside(mark, other), beside(other, mark)), TIPS_CSS
    far = math.sqrt((mark.x - other.x) ** 2 + (mark.y - other.y) ** 2)
    return far, 1.42 * DIE_CSS if dress.form == "dice" else (mark.size + other.size) / 2


def bad_marks(dress: Dress, marks: Sequence[Mark]) -> Iterator[tuple[str, tuple[Mark, ...]]]:
    """Marks near good ones, each with the reason for which they are refused."""
    first, *rest = marks
    # A dart moved aside might leave its ring, which is another fault.
    beside = first if dress.form == "darts" else replace(first, x=first.x + 1.0)
    yield "things too near each other", (first, beside, *rest[1:])
    if dress.form == "darts":
        x, y, radius = dress.board
        edge = radius / RINGS / math.sqrt((first.x - x) ** 2 + (first.y - y) ** 2)
        line = Point(x + (first.x - x) * edge, y + (first.y - y) * edge)
        yield "a dart on a line", (replace(first, x=line.x, y=line.y), *rest)
