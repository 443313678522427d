"""Balls in their area: where they are, how they come to move, how frames show them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import skia

from captcha_types.temporal_frames import _kit as kit
from captcha_types.temporal_frames import _motions as motions
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.puzzle import Placement
from factory.core.rng import Stream
from factory.draw import grounds
from factory.draw.colours import parse_hex
from factory.draw.panels.paint import ink
from factory.draw.tiles import paint_gaps
from factory.draw.tones import rim_for

PAD_CSS, GAP_CSS = 7.0, 4.0

INSIDE = 2.0
"""Radii by which the next place keeps off the edge."""

REACH, EXTRA_CSS = 0.15, 4.0
"""A click may be off by so much of the radius, or by so much, beyond the radius."""

SMALLEST_CSS = 2.9
"""Radius of a ball in the row of small frames at least: its colour has to be seen."""

HARD_LAWS = ("circle", "fall", "zigzag")

TRIES = 12


HOW: Mapping[str, Mapping[motions.Law, str]] = {
    "en": {
        "line": "straight on in equal steps",
        "bounce": "in equal steps and bounces off the edges",
        "circle": "around a circle in equal steps",
        "fall": "in an arc and is pulled down more and more",
        "zigzag": "in two steps that take turns",
    },
    "zh": {
        "line": "沿直线等距前进", "bounce": "等距前进并从边缘弹回", "circle": "沿圆周等距移动",
        "fall": "沿弧线移动且越来越快地下落", "zigzag": "以两种步子交替移动",
    },
}  # fmt: skip
"""How a law is told."""


@dataclass(frozen=True)
class Ball:
    """A ball with its places, frame by frame and one more; CSS px of the area. JSON-able."""

    law: motions.Law
    name: str
    colour: str
    places: tuple[motions.Spot, ...]


class DotState(kit.FrameState):
    """The first ball is asked for; ``area`` is where balls move, from the slot's corner."""

    balls: tuple[Ball, ...]
    radius: float
    area: Box
    ground: grounds.Ground
    line: str
    film: tuple[str, str, str]

    @property
    def room(self) -> Box:
        """Where the middle of a ball can be, from the corner of the area."""
        return Box(0, 0, self.area.width, self.area.height).grown(-self.radius - 2)

    @property
    def bounds(self) -> Box:
        """Where the next place may be, from the corner of the area."""
        return Box(0, 0, self.area.width, self.area.height).grown(-INSIDE * self.radius)

    @property
    def place(self) -> Point:
        """Where the ball will be, from the slot's corner."""
        x, y = self.balls[0].places[self.frames]
        return Point(round(self.area.x0 + x, 6), round(self.area.y0 + y, 6))

    @property
    def apart(self) -> float:
        """Between the middles of two balls in a frame, so that the smallest frame shows both."""
        scale = windows(self)[0].width / self.area.width
        return 2 * max(self.radius, (SMALLEST_CSS + 0.4) / scale)


def reach(radius: float) -> float:
    """How far a click may be off, CSS px."""
    return radius + max(EXTRA_CSS, REACH * radius)


def area_of(form: kit.Form, frames: int, size: tuple[float, float]) -> Box:
    """The large area: under the bar, or under a row of all frames but the last."""
    wide, tall = size[0] - 2 * PAD_CSS, size[1] - PAD_CSS
    if form == "frames":
        return Box.sized(PAD_CSS, kit.BAR_CSS, wide, tall - kit.BAR_CSS)
    share = _small(wide, frames) / wide
    high = float(int((tall - 2 * kit.NUMBER_CSS - 1) / (1 + share)))
    return Box.sized(PAD_CSS, size[1] - PAD_CSS - high, wide, high)


def _small(wide: float, frames: int) -> float:
    """The width of a frame in the row."""
    return float(int((wide - GAP_CSS * (frames - 2)) / (frames - 1)))


def windows(state: DotState) -> list[Box]:
    """Where frames are seen: in the one area, or the last of them there and others in a row."""
    area = state.area
    if state.form == "frames":
        return [area]
    wide = _small(area.width, state.frames)
    high = round(area.height * wide / area.width, 6)
    pitch = (area.width - wide) / (state.frames - 2)
    row = [
        Box.sized(round(area.x0 + k * pitch), kit.NUMBER_CSS, wide, high)
        for k in range(state.frames - 1)
    ]
    return [*row, area]


def paint(canvas: Any, state: DotState, placement: Placement, shown: Sequence[int]) -> None:
    """The frames ``shown``, one or all, from the slot's corner."""
    look, whole, area = kit.look_of(placement), Box(0, 0, *state.size), state.area
    backing, lit, unlit = (parse_hex(colour) for colour in state.film)
    canvas.drawRect(skia.Rect.MakeWH(*state.size), ink(backing))
    image = kit.ground_image(state.ground, area.width, area.height, placement.px_per_css)
    for k, window in zip(shown, windows(state), strict=True):
        paint_frame(canvas, state, image, window, k)
        if len(shown) > 1:
            kit.paint_number(canvas, k + 1, window, look, lit)
    if len(shown) == 1:
        bar = Box(area.x0, 0, area.x1, kit.BAR_CSS)
        kit.paint_bar(canvas, bar, shown[0], state.frames + 1, (lit, unlit))
    paint_gaps(canvas, whole, [whole], look.rgb(placement.ground))


def paint_frame(canvas: Any, state: DotState, image: Any, window: Box, frame: int) -> None:
    """The area at a moment, brought to a window."""
    kit.paint_window(canvas, image, window)
    scale = window.width / state.area.width
    faint = kit.stroke(state.line, 0.8, 46)
    for k in (1, 2, 3):
        x, y = window.x0 + window.width * k / 4, window.y0 + window.height * k / 4
        canvas.drawLine(x, window.y0, x, window.y1, faint)
        canvas.drawLine(window.x0, y, window.x1, y, faint)
    for ball in state.balls[::-1]:
        x, y = (start + scale * at for start, at in
                zip((window.x0, window.y0), ball.places[frame], strict=True))  # fmt: skip
        radius = max(SMALLEST_CSS, scale * state.radius)
        canvas.drawCircle(x, y, radius, ink(parse_hex(ball.colour)))
        canvas.drawCircle(x, y, radius, kit.stroke(rim_for(ball.colour), max(0.6, 1.6 * scale)))


def moving(
    stream: Stream,
    state: DotState,
    place: motions.Spot,
    stride: tuple[float, float],
    hard: float,
    colours: Mapping[str, str],
) -> tuple[Ball, ...]:
    """A ball for each colour, the first on its way to ``place``; ``Rejected`` without a way."""
    names, count = list(colours), state.frames + 1
    weights = [0.4 + 2.0 * hard if law in HARD_LAWS else 1.0 for law in motions.LAWS]
    balls: list[Ball] = []
    for name in names:
        for _ in range(TRIES):
            at = place if not balls else _anywhere(stream, state.room)
            law = stream.weighted(motions.LAWS, weights)
            found = motions.made(stream, law, at, count, stride, state.room)
            if found is None:
                continue
            ball = Ball(law, name, colours[name], tuple(found))
            if all(nearest(ball, other, state.frames) >= state.apart for other in balls):
                balls.append(ball)
                break
        if not balls:
            raise Rejected("no way to the next place", value=stride[0])
    return tuple(balls)


def _anywhere(stream: Stream, room: Box) -> motions.Spot:
    return (round(stream.uniform(room.x0, room.x1), 6), round(stream.uniform(room.y0, room.y1), 6))


def nearest(ball: Ball, other: Ball, frames: int) -> float:
    """How near two balls come to each other in a frame."""
    pairs = zip(ball.places[:frames], other.places[:frames], strict=True)
    return min(math.dist(a, b) for a, b in pairs)
