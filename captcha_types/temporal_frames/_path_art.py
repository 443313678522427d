"""A ball on its way in the windows of a film, and drawings of paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import skia

from captcha_types.temporal_frames import _kit as kit
from captcha_types.temporal_frames import _paths as paths
from factory.core.geometry import Box
from factory.draw.colours import parse_hex
from factory.draw.panels.paint import ink
from factory.draw.tones import rim_for

BALL = 0.075
"""Radius in heights of a frame."""

RING = 1.35
"""Radius of the ring at the start, in those of the ball."""

Line = Literal["plain", "dashed", "dotted"]
DASHES: Mapping[Line, tuple[float, float] | None] = {
    "plain": None, "dashed": (6.0, 5.0), "dotted": (0.1, 4.6),
}  # fmt: skip
LINES = tuple(DASHES)

GAP_CSS = 5.0
PAD_CSS = 6.0
FOOT_CSS = 5.0


@dataclass(frozen=True)
class Drawing:
    """A path and how it is drawn. JSON-able."""

    path: paths.Path
    colour: str
    line: Line


def screen(film: Box, width: float) -> Box:
    """The one window of a film, ``width`` heights wide, under the bar that counts frames."""
    tall = min(film.height - kit.BAR_CSS - PAD_CSS, (film.width - 2 * PAD_CSS) / width)
    wide = round(tall * width)
    return Box.sized(round(film.center.x - wide / 2), film.y0 + kit.BAR_CSS, wide, round(tall))


def strip(film: Box, width: float, frames: int) -> list[Box]:
    """The windows of all frames in two rows, a number above each."""
    columns = -(-frames // 2)
    widest = (film.width - 2 * PAD_CSS - GAP_CSS * (columns - 1)) / columns
    room = film.height - 2 * kit.NUMBER_CSS - FOOT_CSS
    wide = float(int(min(widest, width * room / 2)))
    tall = float(int(wide / width))
    left = film.center.x - (columns * (wide + GAP_CSS) - GAP_CSS) / 2
    spare = (film.height - FOOT_CSS - 2 * (tall + kit.NUMBER_CSS)) / 3
    return [
        Box.sized(
            round(left + k % columns * (wide + GAP_CSS)),
            round(film.y0 + (k // columns + 1) * (kit.NUMBER_CSS + spare) + k // columns * tall),
            wide,
            tall,
        )
        for k in range(frames)
    ]


def screens(tiles: Sequence[Box], width: float) -> list[Box]:
    """The middles of tiles, as wide in heights as frames are."""
    return [
        Box.sized(box.center.x - width * box.height / 2, box.y0, width * box.height, box.height)
        for box in tiles
    ]


def _at(box: Box, spot: paths.Spot) -> tuple[float, float]:
    return box.x0 + spot[0] * box.height, box.y0 + spot[1] * box.height


def paint_area(canvas: Any, box: Box, start: paths.Spot, colour: str) -> None:
    """Faint lines that parts can be told by, and the ring at the start."""
    faint = kit.stroke(colour, 0.8, 52)
    for k in (1, 2, 3):
        x, y = box.x0 + box.width * k / 4, box.y0 + box.height * k / 4
        canvas.drawLine(x, box.y0, x, box.y1, faint)
        canvas.drawLine(box.x0, y, box.x1, y, faint)
    line = kit.stroke(colour, max(1.2, 0.022 * box.height))
    canvas.drawCircle(*_at(box, start), RING * BALL * box.height, line)


def paint_ball(canvas: Any, box: Box, spot: paths.Spot, colour: str) -> None:
    """The ball with a rim."""
    radius = BALL * box.height
    canvas.drawCircle(*_at(box, spot), radius + 0.8, ink(parse_hex(rim_for(colour))))
    canvas.drawCircle(*_at(box, spot), radius, ink(parse_hex(colour)))


def paint_drawing(canvas: Any, drawing: Drawing, box: Box) -> None:
    """The line with an arrow at its end."""
    spots = [_at(box, spot) for spot in drawing.path]
    line, dashes = skia.Path(), DASHES[drawing.line]
    line.addPoly([skia.Point(*spot) for spot in spots], False)
    paint = kit.stroke(drawing.colour, 2.4)
    if dashes is not None:
        paint.setPathEffect(skia.DashPathEffect.Make(list(dashes), 0.0))
    canvas.drawPath(line, paint)
    canvas.drawPath(_arrow(spots[-2], spots[-1]), ink(parse_hex(drawing.colour)))


def _arrow(start: paths.Spot, end: paths.Spot) -> Any:
    (x0, y0), (x1, y1) = start, end
    far = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    ux, uy = (x1 - x0) / far, (y1 - y0) / far
    tip = skia.Path()
    tip.moveTo(x1 + 4 * ux, y1 + 4 * uy)
    for side in (-1, 1):
        tip.lineTo(x1 - 5 * ux - side * 4.6 * uy, y1 - 5 * uy + side * 4.6 * ux)
    tip.close()
    return tip
