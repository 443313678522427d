"""Instruments chosen, and read again: what they show, where that is seen, near misses."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from captcha_types.count_read import _instruments as instruments
from captcha_types.count_read import _scales as scales
from captcha_types.count_read._scales import Instrument, Scale
from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw import glyphs

CARDS = (
    ("#fbf8ef", "#1b1d22", ("#b3261e", "#1d4fb8", "#14713d", "#8a3ab0")),
    ("#ffffff", "#20242c", ("#c4161c", "#143ea8", "#0c6b2f", "#a04a00")),
    ("#eef3f8", "#172033", ("#b01030", "#1d4fb8", "#0b6b5c", "#7a2a8f")),
    ("#f6ecdc", "#2a2018", ("#a3241b", "#22518f", "#2b6a2e", "#7b4a1e")),
    ("#242938", "#f3f0e6", ("#ffd166", "#7ee0c3", "#ff9e9e", "#9fc6ff")),
    ("#15231f", "#eaf3ee", ("#ffcf5c", "#8be8b8", "#ff9f8a", "#a7d3ff")),
)
"""Faces, their ink, and accents that keep a contrast of 4 to the face."""

CASES = ("#2c3140", "#8a6d3b", "#b8bec9", "#6b2f2f", "#2f5a52", "#d9d4c6", "#4b4f8a")

NUMERALS: Mapping[str, tuple[Literal["all", "some", "roman"], ...]] = {
    "clock": ("all", "some", "roman"),
    "dial": ("all", "some"),
}

UPRIGHT_STEPS = 20
"""Thermometers with more marks lie down, where there is more room."""

EDGE_CSS = 4.0
BARS = (3, len(instruments.LETTERS) + 1)


class Unrest(NamedTuple):
    """How much a turn may be (degrees), how strong the glare is, and how far off marks
    pointers stand (0 to 1)."""

    turn: float
    glare: float
    off: float


@cache
def words(file: str, lang: str) -> Mapping[str, str]:
    """The block ``words`` of the wording beside a class' file."""
    text = Path(file).with_suffix(".toml").read_text(encoding="utf-8")
    return tomllib.loads(text)[lang]["words"]


@cache
def _faces(split: str) -> tuple[str, ...]:
    """Faces of a split with all that is written on instruments."""
    needed = "0123456789-.IVXABCDE"
    return tuple(
        face.name
        for face in glyphs.faces(split, "latin", plain=True)
        if glyphs.covers(face.name, needed)
    )


def choose_instrument(
    stream: Stream, scale: Scale, size: tuple[float, float], split: str, unrest: Unrest
) -> Instrument:
    """An instrument of a scale, dressed and put somewhere into the picture."""
    paper, ink, accents = stream.choice(CARDS)
    upright = scale.steps <= UPRIGHT_STEPS and stream.chance(0.6)
    area = _area(stream, scale, size, upright)
    clock_or_dial = scale.kind in ("clock", "dial")
    most = unrest.turn if clock_or_dial else 0.0 if scale.kind == "bars" else unrest.turn / 12.0
    return Instrument(
        scale=scale,
        x0=area.x0,
        y0=area.y0,
        x1=area.x1,
        y1=area.y1,
        turn_deg=stream.uniform(-most, most),
        upright=upright,
        bars=stream.integer(*BARS) if scale.kind == "bars" else 1,
        paper=paper,
        ink=ink,
        accent=stream.choice(accents),
        case=stream.choice(CASES),
        numerals=stream.choice(NUMERALS.get(scale.kind, ("all", "all", "some"))),
        face=stream.choice(_faces(split)),
        glare=unrest.glare * stream.random(),
    )


def _area(stream: Stream, scale: Scale, size: tuple[float, float], upright: bool) -> Box:
    """Where it stands: as large as fits, or a little smaller."""
    width, height = size[0] - 2 * EDGE_CSS, size[1] - 2 * EDGE_CSS
    if scale.kind in ("clock", "dial"):
        wide = tall = height * stream.uniform(0.94, 1.0)
    elif scale.kind == "bars":
        wide, tall = width * stream.uniform(0.78, 1.0), height * stream.uniform(0.95, 1.0)
    elif scale.kind == "thermometer" and upright:
        wide, tall = 84.0, height - 6.0
    else:
        wide, tall = width - 6.0, 72.0 if scale.kind == "thermometer" else 92.0
    x = EDGE_CSS + (width - wide) * stream.uniform(0.1, 0.9)
    y = EDGE_CSS + (height - tall) * stream.uniform(0.1, 0.9)
    return Box.sized(x, y, wide, tall)


def painted(one: Instrument) -> Box:
    """What an instrument covers, CSS px from the picture's corner."""
    if one.round:
        reach = one.radius + 4.5
        x, y = one.area.center
        return Box(x - reach, y - reach, x + reach, y + reach)
    area = one.area
    corners = [scales.turned(one, (x, y)) for x in (area.x0, area.x1) for y in (area.y0, area.y1)]
    xs, ys = [p.x for p in corners], [p.y for p in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def choose_shown(
    stream: Stream, one: Instrument, index: int, off: float
) -> tuple[tuple[float, ...], int]:
    """The values shown, and which of them is asked for: that one stands at ``index``."""
    scale = one.scale
    asked = stream.integer(0, one.bars)
    others = [stream.integer(scale.first, scale.steps + 1) for _ in range(one.bars)]
    marks = [index if place == asked else other for place, other in enumerate(others)]
    if scale.kind == "clock":
        return (scale.value(index),), 0
    return tuple(_near(stream, scale, mark, off) for mark in marks), asked


def _near(stream: Stream, scale: Scale, mark: int, off: float) -> float:
    """A value near a mark, inside the scale."""
    away = 0.2 * off * stream.uniform(-1.0, 1.0)
    if mark in (0, scale.steps):
        away = abs(away) if mark == 0 else -abs(away)
    return scale.value(mark + away)


def choose_start(stream: Stream, scale: Scale, index: int) -> float:
    """Where a thing of so many marks begins, so that it ends on the ruler."""
    return scale.value(stream.integer(0, scale.steps - index + 1)) if scale.kind == "ruler" else 0.0


def _end(one: Instrument, value: float, asked: int, start: float) -> Point:
    """Where the pointer, the column, the thing or the bar ends, as it is seen."""
    if one.round:
        return scales.on_ray(one, scales.angle_deg(one, value), scales.TICKS_AT)
    if one.scale.kind == "bars":
        return Point(scales.axis(one)[0].x, scales.bar_box(one, asked, value).y0)
    return scales.turned(one, scales.along(one, start + value))


def nearest_mark(one: Instrument, value: float, asked: int, start: float) -> float:
    """The value of the mark that is nearest in the picture; from the start's mark on a ruler."""
    scale = one.scale
    marks = [scale.value(k) for k in range(scale.steps + 1)]
    places = [scales.mark_at(one, mark) for mark in marks]

    def nearest(spot: Point) -> int:
        return min(range(len(marks)), key=lambda k: math.dist(places[k], spot))

    end = nearest(_end(one, value, asked, start))
    if scale.kind != "ruler":
        return marks[end]
    return scale.value(end - nearest(_end(one, 0.0, asked, start)))


def time_by_hands(one: Instrument, minutes: float) -> str:
    """The time that both hands show: the minute by the nearest mark, the hour last passed."""
    toward = scales.angle_deg(one, minutes) - one.turn_deg + 90.0
    minute = round(toward / 6.0) % 60
    passed = (scales.hour_deg(one, minutes) - one.turn_deg + 90.0) / 30.0
    hour = round(passed - minute / 60.0) % 12
    return scales.clock_text(60.0 * hour + minute)


def deciding(one: Instrument, value: float, asked: int, start: float) -> dict[str, Box]:
    """Boxes around the end of the pointer and around the mark it shows, from the slot's corner."""
    if one.round:
        turn = scales.angle_deg(one, value)
        pointer, half = scales.on_ray(one, turn, 0.5), 7.0
        toward = scales.angle_deg(one, _marked(one, value))
        marks = scales.on_ray(one, toward, scales.TICKS_AT - 0.03)
    elif one.scale.kind == "bars":
        box = scales.bar_box(one, asked, value)
        pointer, half = Point(box.center.x, box.y0), 6.0
        marks = scales.along(one, one.scale.majors[0])
    else:
        end = scales.along(one, start + value)
        off, above = (0.0, 0.0), 0.0
        if one.scale.kind == "ruler":
            above = -13.0
        if one.scale.kind == "thermometer":
            off = (11.0, 0.0) if one.upright else (0.0, 11.0)
        pointer, half = scales.turned(one, (end.x, end.y + above)), 6.0
        marks = scales.turned(one, (end.x + off[0], end.y + off[1] + (4.0 if above else 0.0)))
    return {"pointer": _about(pointer, half), "marks": _about(marks, 5.0)}


def _marked(one: Instrument, value: float) -> float:
    """The nearest value that has a mark; clocks have them at five minutes at least."""
    step = 5.0 if one.scale.kind == "clock" and one.scale.step >= 5 else one.scale.step
    return one.scale.low + step * round((value - one.scale.low) / step)


def _about(spot: Point, half: float) -> Box:
    return Box(spot.x - half, spot.y - half, spot.x + half, spot.y + half)


def near_misses(
    one: Instrument, index: int, shown: Sequence[float], start: float
) -> dict[str, str]:
    """Readings that are nearly right."""
    scale = one.scale
    if scale.kind == "clock":
        minutes = scale.value(index)
        hour, minute = divmod(round(minutes), 60)
        return {
            "an hour later": scales.clock_text((minutes + 60.0) % scales.HALF_DAY),
            "a mark later": scales.clock_text((minutes + scale.step) % scales.HALF_DAY),
            "hands taken for each other": scales.clock_text(60.0 * (minute // 5) + 5 * hour),
            "without the minutes": str(hour or 12),
        }
    found = {
        "a mark more": scale.text(scale.value(index + 1)),
        "a mark less": scale.text(scale.value(index - 1)),
        "ten marks more": scale.text(scale.value(index + 10)),
    }
    if scale.kind == "ruler":
        found["the end alone"] = scale.text(scale.value(round((start + shown[0]) / scale.step)))
    found |= {
        f"bar {instruments.LETTERS[place]}": scale.text(scale.value(round(value / scale.step)))
        for place, value in enumerate(shown if scale.kind == "bars" else ())
    }
    return found
