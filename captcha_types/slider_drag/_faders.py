"""Sliders with scales, one below or beside another: where they lie and how they are painted.

Boxes are CSS px from the corner of the panel's content. The knob's middle stands at a tick.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import skia

from captcha_types.slider_drag._quantities import Row, labelled
from factory.core.geometry import Box, Point
from factory.core.puzzle import Placement
from factory.draw.panels.paint import bordered, ink, rounded, shadow
from factory.draw.text import Face, draw_line, text_width
from factory.draw.tokens import RGB, chinese_font, tokens_named

Way = Literal["right", "left", "down", "up"]
WAYS: tuple[Way, ...] = ("right", "left", "down", "up")
SIGNS: dict[Way, tuple[Literal["x", "y"], Literal[1, -1]]] = {
    "right": ("x", 1), "left": ("x", -1), "down": ("y", 1), "up": ("y", -1),
}  # fmt: skip
"""Axis and sign of the drag."""

KNOBS = ("round", "bar", "soft")
RAILS = ("thin", "thick", "outlined")
TICKS = ("line", "dot")

ROW_CSS, COLUMN_CSS = 66.0, 84.0
"""The least height of a level slider with its name and labels, and width of an upright one."""

NAME_PX, LABEL_PX = 13.0, 11.0
MARGIN = 14.0
"""Before the first and behind the last tick: half a knob, and room for half a label."""

NAME_CSS = 20.0
KNOB_CSS = (22.0, 16.0)
"""A knob's length across the rail and along it (round ones are as long as across)."""

TICK_CSS, LABEL_GAP = 7.0, 5.0
LABEL_ROOM = 6.0
"""Between two labels at least."""


@dataclass(frozen=True)
class Look:
    """How the sliders of a card look; all of them alike. JSON-able."""

    knob: str
    rail: str
    tick: str


@dataclass(frozen=True)
class Fader:
    """One slider in its cell; ``way`` is where its knob goes from the first tick."""

    cell: Box
    way: Way

    @property
    def level(self) -> bool:
        """Whether it lies across."""
        return self.way in ("right", "left")

    @property
    def travel(self) -> float:
        """From the first to the last tick."""
        if self.level:
            return self.cell.width - 2 * MARGIN
        return self.cell.height - NAME_CSS - 2 * MARGIN

    @property
    def line(self) -> float:
        """Where the rail lies, across it."""
        return (
            self.cell.y0 + NAME_CSS + 15.0 if self.level else self.cell.x0 + 0.36 * self.cell.width
        )

    def spot(self, share: float) -> Point:
        """The middle of the knob at a share of the travel."""
        along = share * self.travel
        if self.level:
            x = (
                self.cell.x0 + MARGIN + along
                if self.way == "right"
                else (self.cell.x1 - MARGIN - along)
            )
            return Point(x, self.line)
        low, high = self.cell.y0 + MARGIN, self.cell.y1 - NAME_CSS - MARGIN
        return Point(self.line, low + along if self.way == "down" else high - along)

    def knob(self, share: float, look: Look) -> Box:
        """The knob there."""
        across, along = KNOB_CSS[0], KNOB_CSS[0] if look.knob == "round" else KNOB_CSS[1]
        wide, high = (along, across) if self.level else (across, along)
        x, y = self.spot(share)
        return Box.sized(x - wide / 2, y - high / 2, wide, high)

    @property
    def track(self) -> Box:
        """The rail with room for the knob at both ends."""
        (ax, ay), (bx, by) = self.spot(0.0), self.spot(1.0)
        half = KNOB_CSS[0] / 2
        return Box(min(ax, bx) - half, min(ay, by) - half, max(ax, bx) + half, max(ay, by) + half)

    def tick(self, share: float) -> Box:
        """The line of a tick, beside the rail."""
        x, y = self.spot(share)
        near = KNOB_CSS[0] / 2 + 2.0
        if self.level:
            return Box(x - 1.1, y + near, x + 1.1, y + near + TICK_CSS)
        return Box(x + near, y - 1.1, x + near + TICK_CSS, y + 1.1)

    def label(self, share: float) -> Box:
        """The box that a label is written in: about its middle below, from its left beside."""
        tick = self.tick(share)
        if self.level:
            return Box(tick.center.x - 24, tick.y1 + 1, tick.center.x + 24, tick.y1 + 15)
        return Box(tick.x1 + LABEL_GAP, tick.center.y - 7, self.cell.x1, tick.center.y + 7)

    @property
    def name(self) -> Box:
        """Where its name stands: above a level slider, below an upright one."""
        cell = self.cell
        if self.level:
            return Box(cell.x0 + 3, cell.y0, cell.x1 - 3, cell.y0 + NAME_CSS)
        return Box(cell.x0, cell.y1 - NAME_CSS, cell.x1, cell.y1)


def faders(width: float, height: float, way: Way, count: int) -> list[Fader]:
    """``count`` sliders of one way that fill a content."""
    if way in ("right", "left"):
        high = height / count
        return [Fader(Box.sized(0.0, k * high, width, high), way) for k in range(count)]
    wide = width / count
    return [Fader(Box.sized(k * wide, 0.0, wide, height), way) for k in range(count)]


def room_for(width: float, height: float, way: Way) -> int:
    """How many sliders of one way a content holds."""
    return int(height // ROW_CSS if way in ("right", "left") else width // COLUMN_CSS)


def label_faces(placement: Placement, weight: int) -> tuple[Face, ...]:
    """The panel's face with its Chinese companion."""
    look = tokens_named(placement.tokens)
    return Face(str(look.font.path()), weight), Face(
        str(chinese_font(500 if weight > 400 else 400))
    )


def labels_fit(texts: Sequence[str], apart: float, placement: Placement, *, level: bool) -> bool:
    """Whether labels so far apart along a scale do not touch."""
    if not level:
        return apart >= LABEL_PX + 2.0
    faces = label_faces(placement, 400)
    return all(text_width(text, faces, LABEL_PX) + LABEL_ROOM <= apart for text in texts)


@dataclass(frozen=True)
class Painter:
    """Paints sliders in the colours of a panel."""

    placement: Placement
    look: Look

    def colour(self, role: str) -> RGB:
        """A colour of the panel's token set."""
        return tokens_named(self.placement.tokens).rgb(role)

    def scale(self, canvas: Any, fader: Fader, row: Row, name: str) -> None:
        """Name, unit, rail, ticks and labels."""
        self._name(canvas, fader, row, name)
        self._rail(canvas, fader)
        last, faces = len(row.values) - 1, label_faces(self.placement, 400)
        for tick in range(last + 1):
            named = tick % row.every == 0
            self._tick(canvas, fader.tick(tick / last), fader.level, named)
        for tick in labelled(row):
            align = "center" if fader.level else "left"
            box, colour = fader.label(tick / last), self.colour("text")
            draw_line(canvas, row.label(tick), faces, LABEL_PX, colour, box, align)

    def knob(self, canvas: Any, fader: Fader, share: float) -> None:
        """A knob with a line at its middle, which is where it is read."""
        box, level = fader.knob(share, self.look), fader.level
        radius = {"round": box.width / 2, "bar": 3.0, "soft": 6.0}[self.look.knob]
        shadow(canvas, box, radius, "0 1px 3px rgba(10,14,30,.3), 0 2px 6px rgba(10,14,30,.16)")
        canvas.drawRRect(rounded(box, radius), ink(self.colour("accent")))
        x, y = box.center
        half = (0.8, 5.0) if level else (5.0, 0.8)
        mark = Box(x - half[0], y - half[1], x + half[0], y + half[1])
        canvas.drawRRect(rounded(mark, 0.8), ink(self.colour("on_accent")))

    def _name(self, canvas: Any, fader: Fader, row: Row, name: str) -> None:
        faces, box = label_faces(self.placement, 600), fader.name
        colour = self.colour("text")
        if fader.level:
            draw_line(canvas, name, faces, NAME_PX, colour, box, "left")
            if row.unit:
                plain = label_faces(self.placement, 400)
                draw_line(canvas, row.unit, plain, 12.0, self.colour("muted"), box, "right")
            return
        draw_line(canvas, name, faces, NAME_PX, colour, box)

    def _rail(self, canvas: Any, fader: Fader) -> None:
        high = {"thin": 4.0, "thick": 8.0, "outlined": 10.0}[self.look.rail]
        (ax, ay), (bx, by) = fader.spot(0.0), fader.spot(1.0)
        box = Box(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)).grown(high / 2)
        fill = "surface" if self.look.rail == "outlined" else "track"
        edge = "muted" if self.look.rail == "outlined" else "border"
        bordered(canvas, box, high / 2, self.colour(edge), self.colour(fill))

    def _tick(self, canvas: Any, tick: Box, level: bool, named: bool) -> None:
        colour = ink(self.colour("text" if named else "muted"))
        if self.look.tick == "dot":
            x, y = tick.center
            canvas.drawCircle(x, y, 2.9 if named else 2.3, colour)
            return
        short = 0.0 if named else 1.0
        x1, y1 = (tick.x1, tick.y1 - short) if level else (tick.x1 - short, tick.y1)
        canvas.drawRect(skia.Rect.MakeLTRB(tick.x0, tick.y0, x1, y1), colour)
